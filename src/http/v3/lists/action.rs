//! The original's action messages, by which calls with lists answer for each person who was put in.

use serde::Serialize;
use utoipa::ToSchema;

use crate::http::v3::records::{HostGroup, UserRecord};

/// That somebody was put into a group.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ActionMessage {
    /// The number of the event, as text.
    #[schema(example = "51")]
    id: String,
    conversation_id: String,
    /// Who did it; `app_system` is the host.
    #[schema(example = "app_system")]
    sender: String,
    #[schema(example = "group")]
    receiver_type: &'static str,
    /// The group.
    receiver: String,
    #[schema(example = "action")]
    category: &'static str,
    #[serde(rename = "type")]
    #[schema(example = "groupMember")]
    kind: &'static str,
    data: Action,
    /// Seconds since the epoch.
    sent_at: i64,
    /// Seconds since the epoch.
    updated_at: i64,
}

/// What was done, by whom, to whom, and where.
#[derive(Debug, Serialize, ToSchema)]
struct Action {
    #[schema(example = "added")]
    action: &'static str,
    entities: Entities,
}

/// Who and what an action is about.
#[derive(Debug, Serialize, ToSchema)]
struct Entities {
    by: UserEntity,
    on: UserEntity,
    #[serde(rename = "for")]
    place: GroupEntity,
}

/// A user in an action.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UserEntity {
    entity: UserRecord,
    #[schema(example = "user")]
    entity_type: &'static str,
}

/// A group in an action.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct GroupEntity {
    entity: Box<HostGroup>,
    #[schema(example = "group")]
    entity_type: &'static str,
}

impl ActionMessage {
    /// `by` put `on` into a group by the event `seq`, which happened at `at`, in seconds since the epoch.
    pub(super) fn added(seq: u64, at: i64, by: &UserRecord, on: UserRecord, group: HostGroup) -> ActionMessage {
        let user = |entity| UserEntity { entity, entity_type: "user" };
        ActionMessage {
            id: seq.to_string(),
            conversation_id: group.conversation_id.clone(),
            sender: by.uid.clone(),
            receiver_type: "group",
            receiver: group.guid.to_string(),
            category: "action",
            kind: "groupMember",
            data: Action {
                action: "added",
                entities: Entities {
                    by: user(by.clone()),
                    on: user(on),
                    place: GroupEntity { entity: Box::new(group), entity_type: "group" },
                },
            },
            sent_at: at,
            updated_at: at,
        }
    }
}

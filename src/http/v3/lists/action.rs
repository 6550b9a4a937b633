//! The original's action messages, by which calls with lists answer for each person who was put in.

use serde::Serialize;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use crate::domain::Guid;
use crate::http::v3::records::{HostGroup, UserRecord};

/// That somebody was put into a group.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ActionMessage {
    /// A number as text: of each event another one, larger for later events of a group. The same when the request is repeated.
    #[schema(example = "3162798560146347")]
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
    /// Unix time, in seconds.
    sent_at: i64,
    /// Unix time, in seconds.
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
    /// `by` put `on` into a group by the event `seq`, which happened at `at`, in Unix seconds.
    pub(super) fn added(seq: u64, at: i64, by: &UserRecord, on: UserRecord, group: HostGroup) -> ActionMessage {
        let user = |entity| UserEntity { entity, entity_type: "user" };
        ActionMessage {
            id: message_id(&group.guid, seq),
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

/// The id of the message about the event `seq` of a group. Each group counts from a number of its own, 52 bits of a hash, so that the ids
/// of two groups differ but for a chance in a billion. They are below 2^53: some hosts read them as numbers of JavaScript.
fn message_id(guid: &Guid, seq: u64) -> String {
    let hash = Sha256::digest(guid.as_str());
    let first = hash[..8].iter().fold(0, |bits: u64, byte| (bits << 8) | u64::from(*byte)) >> 12;
    (first + seq).to_string()
}

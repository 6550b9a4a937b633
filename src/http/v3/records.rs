//! Users, groups and members as the host reads them. Absent values are left out, as in the original.

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::request::auth::Caller;
use crate::app::App;
use crate::domain::{
    Group, GroupType, Guid, HOST_UID, Member, Name, Scope, Status, Uid, conversation_between, rfc3339,
};
use crate::live::GroupState;
use crate::store::{GroupDetails, User, UserDetails};

/// A user as the host reads one.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = User, example = json!({"uid": "dee", "name": "Dee", "role": "default", "status": "offline", "metadata": {"team": "red"}, "tags": ["new"], "createdAt": 1700000000}))]
pub(super) struct UserRecord {
    #[schema(value_type = Uid)]
    pub uid: String,
    #[schema(value_type = Name)]
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub avatar: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// `default` unless the host says otherwise.
    pub role: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status_message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
    /// `available` or `offline`.
    pub status: &'static str,
    /// Unix time, in seconds; 0 of `app_system`, not there of somebody whom the host has not named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_at: Option<i64>,
    /// Unix time, in seconds; not there until something was changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<i64>,
    /// Between the user of onBehalfOf and this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conversation_id: Option<String>,
    /// When it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auth_token: Option<String>,
}

/// What a member is in the group.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = GroupMembership)]
pub(super) struct MembershipRecord {
    /// `admin`, `moderator` or `participant`; the owner's is `admin`.
    scope: &'static str,
    /// Of the owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    is_owner: Option<bool>,
    /// Unix time, in seconds.
    joined_at: i64,
    /// Until when they may not speak, RFC 3339; told to the host, moderators and up, and themselves.
    #[serde(skip_serializing_if = "Option::is_none")]
    muted_until: Option<String>,
    /// When their scope ends, RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    scope_until: Option<String>,
}

/// A member as the host reads one.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Member)]
pub(super) struct HostMember {
    #[serde(flatten)]
    pub user: UserRecord,
    #[serde(flatten)]
    membership: MembershipRecord,
}

/// A member on a line of a snapshot: what lists have of them, but for what only the table of users knows.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SnapshotMember, example = json!({"uid": "dee", "name": "Dee", "status": "offline", "scope": "participant", "joinedAt": 1700000000}))]
pub(super) struct MemberLine<'a> {
    #[schema(value_type = Uid)]
    uid: &'a str,
    #[schema(value_type = Name)]
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    avatar: Option<&'a str>,
    /// `available` or `offline`.
    status: &'static str,
    #[serde(flatten)]
    membership: MembershipRecord,
}

/// A group as the host reads one.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Group, example = json!({"guid": "park", "name": "Park", "type": "public", "owner": "ada", "membersCount": 5, "onlineMembersCount": 2, "conversationId": "group_park", "createdAt": 1700000000}))]
pub(super) struct HostGroup {
    pub guid: Guid,
    #[schema(value_type = Name)]
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icon: Option<String>,
    #[serde(rename = "type")]
    #[schema(value_type = GroupType)]
    pub group_type: &'static str,
    /// `app_system` stands for the host. Of a private group not told to users who are not in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
    pub members_count: u64,
    /// Of members who are online or away; not told to users who are not in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub online_members_count: Option<usize>,
    pub conversation_id: String,
    /// Unix time, in seconds.
    pub created_at: i64,
    /// Unix time, in seconds; not there until something was changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<i64>,
    /// Whether the user of onBehalfOf, or whose groups were asked for, is in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_joined: Option<bool>,
    /// Of that user; the owner's is `admin`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<&'static str>,
    /// There when that user is the owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_owner: Option<bool>,
    /// When that user joined, Unix seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joined_at: Option<i64>,
}

impl UserRecord {
    /// A user. Without tags: who has them is shown them where they belong.
    pub(super) fn of(app: &App, user: User) -> UserRecord {
        let status = app.hub().presences().last_sent_of(&user.uid).map_or(Status::Offline, |presence| presence.status);
        let UserDetails { role, link, status_message, metadata, .. } = user.details;
        UserRecord {
            uid: user.uid.as_str().to_owned(),
            name: user.name,
            avatar: user.avatar,
            link,
            role: role.unwrap_or_else(|| "default".into()),
            status_message,
            metadata: metadata.as_deref().and_then(|text| serde_json::from_str(text).ok()),
            tags: None,
            status: self::status(status),
            created_at: Some(user.created_at / 1000),
            updated_at: (user.updated_at != user.created_at).then_some(user.updated_at / 1000),
            conversation_id: None,
            auth_token: None,
        }
    }

    /// The same with the tags.
    pub(super) fn with_tags(app: &App, user: User) -> UserRecord {
        let tags = Some(user.details.tags.clone());
        UserRecord { tags, ..UserRecord::of(app, user) }
    }

    /// Somebody of whom only the id is known.
    pub(super) fn stranger(uid: &str, name: &str) -> UserRecord {
        UserRecord {
            uid: uid.to_owned(),
            name: name.to_owned(),
            avatar: None,
            link: None,
            role: "default".into(),
            status_message: None,
            metadata: None,
            tags: None,
            status: status(Status::Offline),
            created_at: None,
            updated_at: None,
            conversation_id: None,
            auth_token: None,
        }
    }

    /// The host, where somebody is named who acted.
    pub(super) fn host() -> UserRecord {
        // The original shows when its system user was created; ours never was, and 0 stands for that.
        UserRecord { created_at: Some(0), ..UserRecord::stranger(HOST_UID, "System") }
    }

    /// The same, as the user of onBehalfOf reads it.
    pub(super) fn seen_by(self, caller: &Caller) -> UserRecord {
        let other = caller.user.as_ref().filter(|user| user.as_str() != self.uid);
        let conversation_id = other.map(|user| conversation_between(user.as_str(), &self.uid));
        UserRecord { conversation_id, ..self }
    }
}

impl MembershipRecord {
    /// The membership; `muted_until` is the end of the mute that the reader is told of, Unix milliseconds.
    pub(super) fn of(member: &Member, muted_until: Option<i64>) -> MembershipRecord {
        MembershipRecord {
            scope: scope(member.scope),
            is_owner: is_owner(member.scope),
            joined_at: member.joined_at,
            muted_until: muted_until.map(rfc3339),
            scope_until: member.temporary().map(|end| rfc3339(end.until)),
        }
    }
}

impl HostMember {
    /// A member of whom the rest is known; `muted_until` as for [`MembershipRecord::of`].
    pub(super) fn of(user: UserRecord, member: &Member, muted_until: Option<i64>) -> HostMember {
        HostMember { user, membership: MembershipRecord::of(member, muted_until) }
    }
}

impl<'a> MemberLine<'a> {
    /// A member; `muted_until` as for [`MembershipRecord::of`].
    pub(super) fn of(member: &'a Member, status: Status, muted_until: Option<i64>) -> MemberLine<'a> {
        MemberLine {
            uid: member.uid(),
            name: member.name(),
            avatar: member.avatar(),
            status: self::status(status),
            membership: MembershipRecord::of(member, muted_until),
        }
    }
}

impl HostGroup {
    /// The group. Who is online is for its members and the host; who owns a private group as well.
    pub(super) fn of(state: &GroupState, details: GroupDetails, caller: &Caller) -> HostGroup {
        let roster = state.roster();
        let member = caller.user.as_ref().and_then(|user| roster.get(user.as_str()));
        let is_inside = caller.user.is_none() || member.is_some();
        let may_see_owner = is_inside || roster.group().group_type != GroupType::Private;
        let owner = may_see_owner.then(|| roster.owner().map(|owner| owner.uid()));
        let listed = HostGroup::listed(roster.group(), details, roster.len() as u64, owner);
        HostGroup {
            online_members_count: is_inside.then(|| roster.online_len()),
            ..listed.joined(caller, member.map(|member| (member.scope, member.joined_at)))
        }
    }

    /// The group as an entry of a list. `owner`: `None` leaves it out, `Some(None)` is the host.
    pub(super) fn listed(group: &Group, details: GroupDetails, members: u64, owner: Option<Option<&str>>) -> HostGroup {
        HostGroup {
            guid: group.guid.clone(),
            name: group.name.as_str().to_owned(),
            description: group.description.clone(),
            icon: group.icon.clone(),
            group_type: group.group_type.as_str(),
            owner: owner.map(|uid| uid.unwrap_or(HOST_UID).to_owned()),
            metadata: details.metadata.as_deref().and_then(|text| serde_json::from_str(text).ok()),
            tags: Some(details.tags).filter(|tags| !tags.is_empty()),
            members_count: members,
            online_members_count: None,
            conversation_id: format!("group_{}", group.guid),
            created_at: details.created_at / 1000,
            updated_at: (details.updated_at != details.created_at).then_some(details.updated_at / 1000),
            has_joined: None,
            scope: None,
            is_owner: None,
            joined_at: None,
        }
    }

    /// Adds the scope of the caller's user, and when they joined.
    pub(super) fn joined(self, caller: &Caller, membership: Option<(Scope, i64)>) -> HostGroup {
        HostGroup {
            has_joined: caller.user.as_ref().map(|_| membership.is_some()),
            scope: membership.map(|(of, _)| scope(of)),
            is_owner: membership.and_then(|(of, _)| is_owner(of)),
            joined_at: membership.map(|(_, at)| at),
            ..self
        }
    }
}

/// A scope as the original has it, where the owner is an admin.
fn scope(scope: Scope) -> &'static str {
    match scope {
        Scope::Owner | Scope::Admin => Scope::Admin.as_str(),
        Scope::Moderator | Scope::Participant => scope.as_str(),
    }
}

/// The field that tells the owner from admins, who have the same `scope` here; left out for everybody else.
fn is_owner(scope: Scope) -> Option<bool> {
    (scope == Scope::Owner).then_some(true)
}

/// A status as the original has it, where whoever is away is available.
pub(super) fn status(status: Status) -> &'static str {
    if status.counts_as_online() { "available" } else { "offline" }
}

//! A member as programs read one.

use serde::Serialize;

use super::{Member, Scope, Status, TouchedMember, rfc3339};

/// The public fields of a member. JSON for viewers and streams serialise it; CSV and the context of templates name
/// each of its fields, so that they do not compile without a new one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MemberRecord<'a> {
    /// The id.
    pub uid: &'a str,
    /// The name as it was given.
    pub name: &'a str,
    /// Picture, an https URL.
    pub avatar: Option<&'a str>,
    /// `owner`, `admin`, `moderator` or `participant`.
    pub scope: Option<&'static str>,
    /// `online`, `away` or `offline`; `None` where statuses are not shown.
    pub status: Option<&'static str>,
    /// When they became a member, Unix seconds; `None` of somebody who is none any more.
    pub joined_at: Option<i64>,
    /// Until when they may not speak, RFC 3339; for those who may know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub muted_until: Option<String>,
    /// When their scope ends, RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope_until: Option<String>,
}

impl<'a> MemberRecord<'a> {
    /// The record of a member with this status.
    pub fn new(member: &'a Member, status: impl Into<Option<Status>>) -> MemberRecord<'a> {
        MemberRecord {
            uid: member.uid(),
            name: member.name(),
            avatar: member.avatar(),
            scope: Some(member.scope.as_str()),
            status: status.into().map(Status::as_str),
            joined_at: Some(member.joined_at),
            muted_until: None,
            scope_until: None,
        }
    }

    /// The same record with the ends of a temporary scope and of a mute that the reader may know of, Unix milliseconds.
    pub fn with_ends(self, member: &Member, muted_until: Option<i64>) -> MemberRecord<'a> {
        MemberRecord {
            muted_until: muted_until.map(rfc3339),
            scope_until: member.temporary().map(|end| rfc3339(end.until)),
            ..self
        }
    }

    /// The record of somebody whom an event is about, as they were left by it.
    pub fn of_touched(touched: &'a TouchedMember, status: Status) -> MemberRecord<'a> {
        let scope = touched.new.or(touched.old).map(Scope::as_str);
        match touched.member.as_deref() {
            Some(member) => MemberRecord { scope, ..MemberRecord::new(member, status) },
            None => MemberRecord {
                uid: touched.uid.as_str(),
                name: touched.name.as_deref().unwrap_or(touched.uid.as_str()),
                avatar: None,
                scope,
                status: Some(status.as_str()),
                joined_at: None,
                muted_until: None,
                scope_until: None,
            },
        }
    }
}

//! The payload of an event, for webhooks and for the host's reading of the log.

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::domain::{Cause, EventKind, Guid, Scope, rfc3339};
use crate::store::{Feed, FeedActor, FeedCounts, FeedEvent, FeedGroup, FeedPerson, OutboxEvent};

/// Most bytes of JSON that the people of a synchronisation take in one payload, so that a body stays below a megabyte, at which
/// receivers commonly end.
pub(super) const MAX_MEMBERS_JSON: usize = 512 * 1024;

/// An event as it is delivered (<https://www.standardwebhooks.com>).
#[derive(Debug, Clone, Serialize)]
pub struct Payload {
    /// What happened, such as `member.joined`.
    pub r#type: String,
    /// When, RFC 3339.
    pub timestamp: String,
    /// The event.
    pub data: PayloadData,
}

/// The data of an event.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum PayloadData {
    /// Of a group.
    Group(Box<GroupEvent>),
    /// Of no group.
    Other(Value),
}

/// An event of a group. Scopes and membership are as of the event; names, pictures and the group are as of now.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({"group": {"guid": "harbour", "name": "Harbour", "type": "public", "icon": null, "description": null, "owner": "ada", "membersCount": 41}, "epoch": "8c1d2e4f5a6b7c8d", "seq": 412, "at": "2026-05-02T14:03:09.512Z", "member": {"uid": "dee", "name": "Dee Ferreira", "avatar": null, "scope": null, "joinedAt": 1714608000}, "by": {"uid": "ben", "name": "Ben Okafor"}, "old": "participant", "new": null, "reason": null, "until": null, "cause": "viewer"}))]
pub struct GroupEvent {
    /// The group.
    pub group: GroupRecord,
    /// The history of events that `seq` counts.
    pub epoch: String,
    /// The group's gapless event number.
    pub seq: u64,
    /// When, RFC 3339.
    pub at: String,
    /// Whom it is about: the new owner of a group that has another one; `null` where it is about nobody, and where
    /// the host is the new owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub member: Option<Option<PersonRecord>>,
    /// Everybody it touched, where that may be several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub members: Option<Vec<PersonRecord>>,
    /// How many a synchronisation touched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts: Option<CountsRecord>,
    /// Where the host's back end reads whom a synchronisation touched, in place of `members`: where they are more than 500, or
    /// take more than 512 kB of JSON. The part from `/v3` on holds wherever it asks for `/v3`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub members_url: Option<String>,
    /// Who did it; `null` for the host and for bans that ran out.
    #[schema(required)]
    pub by: Option<ActorRecord>,
    /// The scope of `member` before; `null` of somebody who was not in the group.
    #[schema(required)]
    pub old: Option<&'static str>,
    /// The scope of `member` after; `null` of somebody who is not in the group.
    #[schema(required)]
    pub new: Option<&'static str>,
    /// Why, for bans and mutes.
    #[schema(required)]
    pub reason: Option<String>,
    /// Until when, for bans, mutes and scopes that end, RFC 3339.
    #[schema(required)]
    pub until: Option<String>,
    /// What the person was told, for kicks, bans, mutes and scopes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// How it came about: `viewer`, `host`, `ended` (by itself), `sync` or `undo`; missing in events of an older version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<&'static str>,
    /// The number of the event that it puts back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undoes: Option<u64>,
    /// The number of the first of the events that were made by one request about several people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch: Option<u64>,
}

/// The group of an event.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = EventGroup)]
pub struct GroupRecord {
    /// The id.
    pub guid: String,
    /// The name.
    pub name: String,
    /// `public`, `private` or `password`.
    pub r#type: &'static str,
    /// Picture, a URL.
    #[schema(required)]
    pub icon: Option<String>,
    /// What it is about.
    #[schema(required)]
    pub description: Option<String>,
    /// The owner's uid; `null` when the host owns it.
    #[schema(required)]
    pub owner: Option<String>,
    /// How many members it has.
    pub members_count: u64,
}

/// Somebody whom an event touched.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = EventPerson)]
pub struct PersonRecord {
    /// The id.
    pub uid: String,
    /// The name.
    pub name: String,
    /// Picture, a URL.
    #[schema(required)]
    pub avatar: Option<String>,
    /// The scope after the event; `null` of somebody who is not in the group.
    #[schema(required)]
    pub scope: Option<&'static str>,
    /// When they became a member, Unix seconds.
    #[schema(required)]
    pub joined_at: Option<i64>,
    /// The scope before and after; in lists only.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub change: Option<ScopeChangeRecord>,
}

/// The scope of somebody before and after an event; `null` of somebody who is not in the group.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = EventScopeChange)]
pub struct ScopeChangeRecord {
    /// Before.
    pub old: Option<&'static str>,
    /// After.
    pub new: Option<&'static str>,
}

/// Who did something.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = EventActor)]
pub struct ActorRecord {
    /// The id.
    pub uid: String,
    /// The name.
    pub name: String,
}

/// How many people a synchronisation touched.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = EventCounts)]
pub struct CountsRecord {
    /// All.
    pub touched: u64,
    /// Who came in.
    pub joined: u64,
    /// Who was removed.
    pub left: u64,
    /// Whose scope changed.
    pub changed: u64,
}

impl Payload {
    /// An event of the group that `feed` is about. `base` begins the URLs of the service.
    pub fn of_event(feed: &Feed, event: &FeedEvent, base: &str) -> Payload {
        let data = GroupEvent::of(feed, event, base);
        Payload {
            r#type: event.kind.event_type(),
            timestamp: data.at.clone(),
            data: PayloadData::Group(Box::new(data)),
        }
    }

    /// An event of the outbox.
    pub fn of_outbox(event: &OutboxEvent) -> Payload {
        let data = serde_json::from_str(&event.data).unwrap_or(Value::Null);
        Payload { r#type: event.kind.clone(), timestamp: rfc3339(event.at), data: PayloadData::Other(data) }
    }

    /// An event about no group that is not stored.
    pub fn unstored(kind: &str, at: i64, data: Value) -> Payload {
        Payload { r#type: kind.to_owned(), timestamp: rfc3339(at), data: PayloadData::Other(data) }
    }

    /// The body of a request.
    pub fn to_body(&self) -> String {
        serde_json::to_string(self).expect("a payload has nothing that JSON has not")
    }
}

impl GroupEvent {
    /// An event of the group that `feed` is about. `base` begins the URLs of the service.
    pub fn of(feed: &Feed, event: &FeedEvent, base: &str) -> GroupEvent {
        let lists = event.kind.lists_members();
        let first = event.people.first().filter(|person| event.kind.has_subject(person.new));
        let members: Option<Vec<_>> = lists.then(|| event.people.iter().map(PersonRecord::in_list).collect());
        let is_large = event.counts.is_some_and(|counts| counts.touched > 0)
            && members.as_deref().is_some_and(|members| members.is_empty() || json_len(members) > MAX_MEMBERS_JSON);
        GroupEvent {
            group: GroupRecord::of(&feed.group),
            epoch: feed.epoch.clone(),
            seq: event.seq,
            at: rfc3339(event.at),
            member: (event.kind != EventKind::MembersSynced).then(|| first.map(PersonRecord::alone)),
            members: members.filter(|_| !is_large),
            counts: event.counts.map(CountsRecord::from),
            members_url: is_large.then(|| members_url(base, &feed.group.group.guid, event.seq)),
            by: event.by.as_ref().map(ActorRecord::of),
            old: first.and_then(|person| word(person.old)),
            new: first.and_then(|person| word(person.new)),
            reason: event.reason.clone(),
            until: event.until.map(rfc3339),
            message: event.message.clone(),
            cause: event.cause.map(Cause::as_str),
            undoes: event.undoes,
            batch: event.batch,
        }
    }
}

impl GroupRecord {
    fn of(feed: &FeedGroup) -> GroupRecord {
        let group = &feed.group;
        GroupRecord {
            guid: group.guid.to_string(),
            name: group.name.as_str().to_owned(),
            r#type: group.group_type.as_str(),
            icon: group.icon.clone(),
            description: group.description.clone(),
            owner: feed.owner.as_ref().map(ToString::to_string),
            members_count: feed.members,
        }
    }
}

impl PersonRecord {
    fn alone(person: &FeedPerson) -> PersonRecord {
        PersonRecord {
            uid: person.uid.to_string(),
            name: person.name.clone(),
            avatar: person.avatar.clone(),
            scope: word(person.new),
            joined_at: person.joined_at,
            change: None,
        }
    }

    /// Somebody in a list, with what changed for them.
    pub fn in_list(person: &FeedPerson) -> PersonRecord {
        let change = ScopeChangeRecord { old: word(person.old), new: word(person.new) };
        PersonRecord { change: Some(change), ..PersonRecord::alone(person) }
    }
}

impl ActorRecord {
    fn of(actor: &FeedActor) -> ActorRecord {
        ActorRecord { uid: actor.uid.to_string(), name: actor.name.clone() }
    }
}

impl From<FeedCounts> for CountsRecord {
    fn from(FeedCounts { touched, joined, left, changed }: FeedCounts) -> CountsRecord {
        CountsRecord { touched, joined, left, changed }
    }
}

/// The bytes that these people take in a payload.
fn json_len(people: &[PersonRecord]) -> usize {
    serde_json::to_vec(people).expect("people have nothing that JSON has not").len()
}

fn word(scope: Option<Scope>) -> Option<&'static str> {
    scope.map(Scope::as_str)
}

fn members_url(base: &str, guid: &Guid, seq: u64) -> String {
    format!("{base}/v3/groups/{guid}/events/{seq}/members")
}

//! Examples of what is sent to the host. The code that makes deliveries makes them too, so an example has every field of a
//! delivery and no other.

use serde_json::{Value, json};

use crate::domain::{Cause, DAY, EventKind, Group, GroupType, Name, Scope, Uid};
use crate::store::{Feed, FeedActor, FeedCounts, FeedEvent, FeedGroup, FeedPerson};
use crate::webhooks::Payload;

/// When it happened, Unix milliseconds: 2026-05-02T14:03:09.512Z.
const AT: i64 = 1_777_730_589_512;
/// When people who were members before became so, Unix seconds.
const JOINED_AT: i64 = 1_714_608_000;
/// The history of events that `seq` counts.
pub(super) const EPOCH: &str = "8c1d2e4f5a6b7c8d";
/// The number of the event.
const SEQ: u64 = 412;
/// The id under which it is delivered.
const ID: &str = "evt_5f0f3a27c0e14b0c9d54cf1d6a3f2b7e";

/// The delivery of an event of a group.
pub(super) fn of_group(kind: EventKind) -> Value {
    value(&Payload::of_event(&feed(kind), &event(kind), ""))
}

/// The delivery of an event that belongs to no group.
pub(super) fn of_no_group(kind: &str, data: Value) -> Value {
    value(&Payload::unstored(kind, AT, data))
}

/// An entry of the log: a delivery and its id.
pub(in crate::http) fn log_entry() -> Value {
    let mut entry = of_group(EventKind::MemberKicked);
    entry["id"] = json!(ID);
    entry
}

fn value(payload: &Payload) -> Value {
    serde_json::to_value(payload).expect("a payload has nothing that JSON has not")
}

/// The group as of the delivery.
fn feed(kind: EventKind) -> Feed {
    let (owner, members) = match kind {
        EventKind::GroupCreated => (Some("ada"), 1),
        EventKind::GroupDeleted => (None, 0),
        EventKind::OwnerTransferred => (Some("ben"), 41),
        EventKind::MemberJoined
        | EventKind::MemberAdded
        | EventKind::MemberLeft
        | EventKind::MemberKicked
        | EventKind::MemberBanned
        | EventKind::MemberUnbanned
        | EventKind::MemberMuted
        | EventKind::MemberUnmuted
        | EventKind::MemberScopeChanged
        | EventKind::MemberUpdated
        | EventKind::MembersSynced
        | EventKind::NoteAdded
        | EventKind::NoteRemoved
        | EventKind::GroupUpdated => (Some("ada"), 41),
    };
    let group = Group {
        guid: "harbour".parse().expect("letters are a guid"),
        name: Name::parse("Harbour").expect("letters are a name"),
        group_type: GroupType::Public,
        icon: None,
        description: None,
    };
    let group = FeedGroup { group, owner: owner.map(uid), members, created_at: AT, updated_at: AT };
    Feed { epoch: EPOCH.to_owned(), group, head: SEQ, rewritten: 0, first: 1, previous: None, events: Vec::new() }
}

/// An event of this kind with the actor, the people and the terms that such events have.
fn event(kind: EventKind) -> FeedEvent {
    let (member, text) = (Some(Scope::Participant), |words: &str| Some(words.to_owned()));
    let dee = |old, new| vec![person("dee", "Dee Ferreira", old, new)];
    let by_ben = FeedEvent {
        id: ID.to_owned(),
        seq: SEQ,
        kind,
        at: AT,
        by: actor("ben", "Ben Okafor"),
        reason: None,
        until: None,
        cause: Some(Cause::Viewer),
        undoes: None,
        batch: None,
        message: None,
        people: Vec::new(),
        counts: None,
    };
    let by_dee = FeedEvent { by: actor("dee", "Dee Ferreira"), ..by_ben.clone() };
    let by_host = FeedEvent { by: None, cause: Some(Cause::Host), ..by_ben.clone() };
    match kind {
        EventKind::MemberJoined => FeedEvent { people: dee(None, member), ..by_dee },
        EventKind::MemberAdded => FeedEvent { people: dee(None, member), ..by_host },
        EventKind::MemberLeft => FeedEvent { people: dee(member, None), ..by_dee },
        EventKind::MemberKicked => {
            FeedEvent { message: text("Please read the rules."), people: dee(member, None), ..by_ben }
        }
        EventKind::MemberBanned => FeedEvent {
            reason: text("spam"),
            until: Some(AT + DAY),
            message: text("Come back tomorrow."),
            people: dee(member, None),
            ..by_ben
        },
        // The ban has run out.
        EventKind::MemberUnbanned => FeedEvent { cause: Some(Cause::Ended), people: dee(None, None), ..by_host },
        EventKind::MemberMuted => FeedEvent {
            reason: text("noise"),
            until: Some(AT + DAY),
            message: text("Until tomorrow."),
            people: dee(member, member),
            ..by_ben
        },
        // Ben undoes the mute.
        EventKind::MemberUnmuted => {
            FeedEvent { cause: Some(Cause::Undo), undoes: Some(SEQ - 1), people: dee(member, member), ..by_ben }
        }
        // The first of several by one request.
        EventKind::MemberScopeChanged => {
            FeedEvent { batch: Some(SEQ), people: dee(member, Some(Scope::Moderator)), ..by_ben }
        }
        EventKind::OwnerTransferred => FeedEvent {
            by: actor("ada", "Ada Lindqvist"),
            people: vec![
                person("ben", "Ben Okafor", Some(Scope::Admin), Some(Scope::Owner)),
                person("ada", "Ada Lindqvist", Some(Scope::Owner), Some(Scope::Admin)),
            ],
            ..by_ben
        },
        EventKind::MemberUpdated => FeedEvent { people: dee(member, member), ..by_host },
        EventKind::MembersSynced => FeedEvent {
            cause: Some(Cause::Sync),
            people: vec![person("dee", "Dee Ferreira", None, member), person("eve", "Eve Novak", member, None)],
            counts: Some(FeedCounts { touched: 2, joined: 1, left: 1, changed: 0 }),
            ..by_host
        },
        EventKind::NoteAdded | EventKind::NoteRemoved => FeedEvent { people: dee(member, member), ..by_ben },
        EventKind::GroupCreated => {
            FeedEvent { seq: 1, people: vec![person("ada", "Ada Lindqvist", None, Some(Scope::Owner))], ..by_host }
        }
        EventKind::GroupUpdated | EventKind::GroupDeleted => by_host,
    }
}

fn actor(uid: &str, name: &str) -> Option<FeedActor> {
    Some(FeedActor { uid: self::uid(uid), name: name.to_owned(), avatar: None, role: "default".to_owned() })
}

fn person(uid: &str, name: &str, old: Option<Scope>, new: Option<Scope>) -> FeedPerson {
    let joined_at = match (old, new) {
        (None, None) => None,
        (None, Some(_)) => Some(AT / 1000),
        (Some(_), _) => Some(JOINED_AT),
    };
    let (uid, name, role) = (self::uid(uid), name.to_owned(), "default".to_owned());
    FeedPerson { uid, name, avatar: None, role, old, new, joined_at }
}

fn uid(text: &str) -> Uid {
    text.parse().expect("letters are a uid")
}

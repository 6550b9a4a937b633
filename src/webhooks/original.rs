//! The triggers and payloads of the original, for receivers that were written for it.

use serde_json::{Map, Value, json};

use crate::domain::{EventKind, HOST_UID, Scope, Status, conversation_between};
use crate::live::Presences;
use crate::store::{Feed, FeedEvent, FeedPerson, User};

/// Builds the payloads of one endpoint.
pub(super) struct Original<'a> {
    /// The endpoint's id, which stands in every payload.
    pub(super) webhook: &'a str,
    /// The number of members online now.
    pub(super) online: usize,
    /// The number of members after the event.
    pub(super) members: u64,
    /// The presence of everybody.
    pub(super) presences: &'a Presences,
}

impl Original<'_> {
    /// Whether the original has events of this kind.
    pub(super) fn has(kind: EventKind) -> bool {
        match kind {
            EventKind::MemberJoined
            | EventKind::MemberLeft
            | EventKind::MemberAdded
            | EventKind::MemberKicked
            | EventKind::MemberBanned
            | EventKind::MemberUnbanned
            | EventKind::MemberScopeChanged
            | EventKind::OwnerTransferred
            | EventKind::GroupCreated
            | EventKind::GroupUpdated
            | EventKind::GroupDeleted
            | EventKind::MembersSynced => true,
            // It knows no mutes of members by others, and no notes.
            EventKind::MemberUpdated
            | EventKind::MemberMuted
            | EventKind::MemberUnmuted
            | EventKind::NoteAdded
            | EventKind::NoteRemoved => false,
        }
    }

    /// The payloads of an event as far as it touches these people; none for an event that the original does not have.
    /// A synchronisation becomes a payload for all who came in, one for all who were removed, and one for all whose scope
    /// changed; [`Original::owner_synced`] comes before these.
    pub(super) fn messages(&self, feed: &Feed, event: &FeedEvent, people: &[FeedPerson]) -> Vec<Value> {
        let all: Vec<&FeedPerson> = people.iter().collect();
        match event.kind {
            EventKind::MemberJoined => vec![self.by_themselves("group_member_joined", feed, &all)],
            EventKind::MemberLeft => vec![self.by_themselves("group_member_left", feed, &all)],
            EventKind::MemberAdded => vec![self.by_somebody("group_member_added", feed, event, &all)],
            EventKind::MemberKicked => vec![self.by_somebody("group_member_kicked", feed, event, &all)],
            EventKind::MemberBanned => vec![self.by_somebody("group_member_banned", feed, event, &all)],
            EventKind::MemberUnbanned => vec![self.by_somebody("group_member_unbanned", feed, event, &all)],
            EventKind::MemberScopeChanged => self.scope_changed(feed, event, people),
            EventKind::OwnerTransferred => self.owner_changed(feed, event, people),
            EventKind::GroupCreated => vec![self.created(feed, event)],
            EventKind::GroupUpdated => vec![self.changed("group_updated", feed, event)],
            EventKind::GroupDeleted => vec![self.changed("group_deleted", feed, event)],
            EventKind::MembersSynced => self.synced(feed, event, people),
            EventKind::MemberUpdated
            | EventKind::MemberMuted
            | EventKind::MemberUnmuted
            | EventKind::NoteAdded
            | EventKind::NoteRemoved => Vec::new(),
        }
    }

    /// The payload of a person's status. The original reports connections, of which only the action is known here.
    pub(super) fn status_changed(&self, user: &User, status: Status, at: i64) -> Value {
        let role = user.details.role.as_deref().unwrap_or("default");
        let mut shown = self.user(user.uid.as_str(), &user.name, user.avatar.as_deref(), role);
        shown["status"] = json!(availability(status));
        shown["lastActiveAt"] = json!(at / 1000);
        let action = if status.counts_as_online() { "connected" } else { "disconnected" };
        let data = json!({
            "timestamp": at,
            "user": shown,
            "status": availability(status),
            "currentConnection": {"action": action},
            "userPresenceChanged": true,
        });
        self.enveloped("user_connection_status_changed", data)
    }

    /// The payload of a test.
    pub(super) fn test(&self) -> Value {
        self.enveloped("test", json!({}))
    }

    fn enveloped(&self, trigger: &str, data: Value) -> Value {
        json!({
            "trigger": trigger,
            "data": data,
            "appId": "chat-group-members",
            "region": "local",
            "webhook": self.webhook,
        })
    }

    fn by_themselves(&self, trigger: &str, feed: &Feed, people: &[&FeedPerson]) -> Value {
        let members: Map<_, _> = people.iter().map(|person| (person.uid.to_string(), self.person(person))).collect();
        self.enveloped(trigger, json!({"members": members, "group": self.group(feed)}))
    }

    fn by_somebody(&self, trigger: &str, feed: &Feed, event: &FeedEvent, people: &[&FeedPerson]) -> Value {
        let members: Map<_, _> =
            people.iter().map(|person| (person.uid.to_string(), self.member(event, person))).collect();
        self.enveloped(trigger, json!({"group": self.group(feed), "members": members, "by": self.by(event)}))
    }

    fn member(&self, event: &FeedEvent, person: &FeedPerson) -> Value {
        let by = event.by.as_ref().map_or(HOST_UID, |by| by.uid.as_str());
        let mut member = self.person(person);
        if by != person.uid.as_str() {
            member["conversationId"] = json!(conversation_between(by, person.uid.as_str()));
        }
        if let (Some(old), Some(new)) = (person.old, person.new)
            && old != new
        {
            member["scope"] = json!(word(new));
            member["oldScope"] = json!(word(old));
        }
        member
    }

    fn by(&self, event: &FeedEvent) -> Value {
        match &event.by {
            Some(by) => self.user(by.uid.as_str(), &by.name, by.avatar.as_deref(), &by.role),
            None => self.user(HOST_UID, "System", None, "default"),
        }
    }

    fn person(&self, person: &FeedPerson) -> Value {
        self.user(person.uid.as_str(), &person.name, person.avatar.as_deref(), &person.role)
    }

    fn user(&self, uid: &str, name: &str, avatar: Option<&str>, role: &str) -> Value {
        let presence = uid.parse().ok().and_then(|uid| self.presences.last_sent_of(&uid));
        let status = presence.map_or(Status::Offline, |presence| presence.status);
        let mut user = json!({
            "uid": uid,
            "name": name,
            "status": availability(status),
            "role": role,
        });
        if let Some(avatar) = avatar {
            user["avatar"] = json!(avatar);
        }
        if let Some(presence) = presence {
            user["lastActiveAt"] = json!(presence.at / 1000);
        }
        user
    }

    fn group(&self, feed: &Feed) -> Value {
        let (group, now) = (&feed.group.group, &feed.group);
        let mut value = json!({
            "guid": group.guid.as_str(),
            "name": group.name.as_str(),
            "type": group.group_type.as_str(),
            "membersCount": self.members,
            "conversationId": format!("group_{}", group.guid),
            "createdAt": now.created_at / 1000,
            "owner": now.owner.as_ref().map_or(HOST_UID, |owner| owner.as_str()),
            "onlineMembersCount": self.online,
        });
        if now.updated_at != now.created_at {
            value["updatedAt"] = json!(now.updated_at / 1000);
        }
        value
    }

    /// The payload of another scope; none where the original has the same word for both, as when a scope only became lasting.
    fn scope_changed(&self, feed: &Feed, event: &FeedEvent, people: &[FeedPerson]) -> Vec<Value> {
        let changed: Vec<&FeedPerson> = people.iter().filter(|person| has_another_word(person)).collect();
        if changed.is_empty() {
            return Vec::new();
        }
        vec![self.by_somebody("group_member_scope_changed", feed, event, &changed)]
    }

    /// The payloads of another owner: that they came in, unless they were a member or it is the host, and the transfer.
    fn owner_changed(&self, feed: &Feed, event: &FeedEvent, people: &[FeedPerson]) -> Vec<Value> {
        let came_in = people.iter().find(|person| person.new == Some(Scope::Owner) && person.old.is_none());
        let added = came_in.map(|owner| self.by_somebody("group_member_added", feed, event, &[owner]));
        added.into_iter().chain([self.transferred(feed, event, people)]).collect()
    }

    fn transferred(&self, feed: &Feed, event: &FeedEvent, people: &[FeedPerson]) -> Value {
        let owner = |is_owner: fn(&FeedPerson) -> bool| {
            people.iter().find(|person| is_owner(person)).map_or(HOST_UID, |person| person.uid.as_str())
        };
        let mut group = self.updated_by(feed, event);
        group["owner"] = json!(owner(|person| person.new == Some(Scope::Owner)));
        let old = owner(|person| person.old == Some(Scope::Owner));
        self.enveloped("group_owner_transferred", json!({"group": group, "oldOwner": old}))
    }

    fn changed(&self, trigger: &str, feed: &Feed, event: &FeedEvent) -> Value {
        self.enveloped(trigger, json!({"group": self.updated_by(feed, event)}))
    }

    fn updated_by(&self, feed: &Feed, event: &FeedEvent) -> Value {
        let mut group = self.group(feed);
        group["updatedBy"] = json!(event.by.as_ref().map_or(HOST_UID, |by| by.uid.as_str()));
        group
    }

    fn created(&self, feed: &Feed, event: &FeedEvent) -> Value {
        let mut group = self.group(feed);
        if let Value::Object(group) = &mut group {
            group.remove("updatedAt");
            group.remove("onlineMembersCount");
        }
        let mut members = Map::new();
        let creator = event.people.first();
        group["hasJoined"] = json!(creator.is_some());
        if let Some(creator) = creator {
            group["scope"] = json!(creator.new.map(word));
            group["joinedAt"] = json!(creator.joined_at);
            members.insert(creator.uid.to_string(), self.person(creator));
        }
        self.enveloped("group_created", json!({"group": group, "members": members}))
    }

    /// The payloads of another owner by a synchronisation; `owners` are those before and after it. They come first: a
    /// transfer makes the old owner an admin in the original, and what else the synchronisation makes of them is sent
    /// later.
    pub(super) fn owner_synced(&self, feed: &Feed, event: &FeedEvent, owners: &[FeedPerson]) -> Vec<Value> {
        let is_another = owners.iter().any(|person| person.new == Some(Scope::Owner) && person.old != person.new);
        if is_another { self.owner_changed(feed, event, owners) } else { Vec::new() }
    }

    fn synced(&self, feed: &Feed, event: &FeedEvent, people: &[FeedPerson]) -> Vec<Value> {
        /// A trigger, and which people of a synchronisation it is about.
        type Part = (&'static str, fn(&FeedPerson) -> bool);
        let parts: [Part; 3] = [
            ("group_member_added", |person| person.old.is_none() && person.new.is_some_and(|new| new != Scope::Owner)),
            ("group_member_kicked", |person| person.old.is_some() && person.new.is_none()),
            ("group_member_scope_changed", |person| person.new != Some(Scope::Owner) && has_another_word(person)),
        ];
        let message = |(trigger, belongs): &Part| {
            let part: Vec<&FeedPerson> = people.iter().filter(|person| belongs(person)).collect();
            (!part.is_empty()).then(|| self.by_somebody(trigger, feed, event, &part))
        };
        parts.iter().filter_map(message).collect()
    }
}

/// Whether a member's scope is another one in the original, where the owner is an admin.
fn has_another_word(person: &FeedPerson) -> bool {
    matches!((person.old, person.new), (Some(old), Some(new)) if word(old) != word(new))
}

/// The original's word for a status: somebody who is away is available.
fn availability(status: Status) -> &'static str {
    if status.counts_as_online() { "available" } else { "offline" }
}

/// The original has no scope of an owner, who is an admin.
fn word(scope: Scope) -> &'static str {
    match scope {
        Scope::Owner => Scope::Admin.as_str(),
        Scope::Admin | Scope::Moderator | Scope::Participant => scope.as_str(),
    }
}

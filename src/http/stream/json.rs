//! The stream for programs (`?format=json`): one message per event.

use bytes::Bytes;
use serde_json::json;

use super::html::retry;
use super::sse::Frame;
use super::swaps::{event_for, streamed_event};
use crate::domain::{Ending, EventKind, LoggedEvent, PresenceMode, Scope, Status, Uid, rfc3339};
use crate::live::{GroupState, Pending, Replay, StreamRenderer};

/// Events as data, the same for every view; statuses unless they are hidden.
pub(super) struct JsonRenderer {
    statuses: bool,
}

impl JsonRenderer {
    /// A renderer with or without `presence` messages.
    pub(super) fn new(statuses: bool) -> JsonRenderer {
        JsonRenderer { statuses }
    }

    /// The statuses that changed, and the number of people online. Where they are too many to name, the number alone; once they are
    /// fewer again, everybody who is online or away, since changes were left out: all others are offline.
    fn presence(&self, state: &GroupState, pending: &Pending) -> Option<Frame> {
        let (roster, mode) = (state.roster(), state.presence_mode());
        let is_count = mode == PresenceMode::Counts;
        let was_count = pending.mode_was == Some(PresenceMode::Counts);
        let has_turned = was_count || (is_count && pending.mode_was.is_some());
        if !self.statuses || (pending.statuses.is_empty() && !has_turned) {
            return None;
        }
        let of = |uid: &str| {
            let presence = roster.presence(uid);
            json!({"uid": uid, "status": presence.status.as_str(), "at": rfc3339(presence.at)})
        };
        let members: Vec<_> = if is_count {
            Vec::new()
        } else if was_count {
            roster.online().map(|member| of(member.uid())).collect()
        } else {
            let changed = pending.statuses.iter().map(Uid::as_str);
            changed.filter(|uid| roster.get(uid).is_some()).map(of).collect()
        };
        let mut data = json!({"group": state.guid().as_str(), "online": roster.online_len(), "members": members});
        if was_count && !is_count {
            data["others"] = json!(Status::Offline.as_str());
        }
        Some(Frame::named("presence", None, &data.to_string()))
    }
}

impl StreamRenderer for JsonRenderer {
    fn key(&self) -> &str {
        if self.statuses { "json" } else { "json without statuses" }
    }

    fn render_update(
        &self,
        state: &GroupState,
        scope: Scope,
        own: Option<&Uid>,
        pending: &Pending,
        _renewed: bool,
    ) -> Option<Bytes> {
        let mut frame = Frame::default();
        let has_gap = pending.truncated || (pending.resync && pending.events.is_empty());
        if has_gap || lacks_some(scope, own, pending) {
            frame = frame.then(resync(state));
        } else {
            let mut next = pending.hidden_from;
            for event in &pending.events {
                // A dropped event is sent as its number, like one that this viewer may not see.
                let hidden = next.map_or(event.seq..event.seq, |next| next..event.seq);
                frame = hidden.fold(frame, |frame, seq| frame.then(Frame::silent(&state.id(seq))));
                frame = frame.then(message(state, scope, own, event));
                next = next.map(|_| event.seq + 1);
            }
        }
        if let Some(presence) = self.presence(state, pending) {
            frame = frame.then(presence);
        }
        (!frame.is_empty()).then(|| frame.finish())
    }

    fn open(&self, state: &GroupState, scope: Scope, own: &Uid, replay: &Replay) -> Bytes {
        let id = state.last_id();
        let ready = json!({"group": state.guid().as_str(), "id": id.to_string(), "scope": scope.as_str()}).to_string();
        let mut frame = Frame::named("ready", None, &ready).retry(retry(own));
        match replay {
            Replay::FromNow => {}
            Replay::Events(events) => {
                for event in events {
                    frame = frame.then(message(state, scope, Some(own), event));
                }
            }
            Replay::Resync => frame = frame.then(resync(state)),
        }
        frame.finish()
    }

    /// None is sent: programs read the members by a request.
    fn online_snapshot(&self, _state: &GroupState) -> Option<Bytes> {
        None
    }

    /// Sent as a comment: programs see from the numbers of events whether they miss one.
    fn live(&self, live: bool) -> Bytes {
        Frame::comment(if live { "live" } else { "reconnecting" }).finish()
    }

    fn end(&self, state: &GroupState, why: &Ending) -> Bytes {
        let revoked = |reason: &str| {
            let mut data = json!({"group": state.guid().as_str(), "reason": reason});
            if let Ending::Banned { until, .. } = why {
                data["until"] = json!(until.map(rfc3339));
            }
            if let Ending::Kicked { message: Some(message) } | Ending::Banned { message: Some(message), .. } = why {
                data["message"] = json!(message);
            }
            Frame::named("revoked", None, &data.to_string())
        };
        let frame = match why {
            Ending::Left | Ending::Out => revoked("left"),
            Ending::Kicked { .. } => revoked("kicked"),
            Ending::Banned { .. } => revoked("banned"),
            Ending::Deleted => {
                let event = state.last_event().filter(|event| event.kind == EventKind::GroupDeleted);
                let seen = event.and_then(|event| event_for(Scope::Participant, None, event, state));
                // A group that was read as a whole after its end has no last event.
                let unread = json!({"group": state.guid().as_str(), "seq": state.roster().seq(), "at": null, "member": null, "by": null, "old": null, "new": null});
                let data = seen.unwrap_or(unread).to_string();
                Frame::named(EventKind::GroupDeleted.as_str(), Some(&state.last_id()), &data).then(revoked("deleted"))
            }
            Ending::Expired => Frame::named("expired", None, "{}"),
            Ending::ServerDraining | Ending::NewEpoch => Frame::named("bye", None, "{}"),
        };
        frame.finish()
    }
}

/// An event, or only its id for those who do not get it, so that numbers stay dense.
fn message(state: &GroupState, scope: Scope, own: Option<&Uid>, event: &LoggedEvent) -> Frame {
    let id = state.id(event.seq);
    match streamed_event(scope, own, event, state) {
        Some(data) => Frame::named(event.kind.as_str(), Some(&id), &data.to_string()),
        None => Frame::silent(&id),
    }
}

/// Whether events may be missing that this viewer may see, and participants may not. The person whom such an event
/// mutes is among those whose component is rendered again.
fn lacks_some(scope: Scope, own: Option<&Uid>, pending: &Pending) -> bool {
    pending.hidden_from.is_some() && (scope.is_staff() || own.is_some_and(|own| pending.renewed.contains(own)))
}

fn resync(state: &GroupState) -> Frame {
    let id = state.last_id();
    Frame::named("resync", Some(&id), &json!({"group": state.guid().as_str(), "id": id.to_string()}).to_string())
}

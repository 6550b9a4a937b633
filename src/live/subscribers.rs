//! The streams of a group, in classes that share rendered bytes.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::mpsc;

use super::group_state::GroupState;
use super::pending::{Pending, Replay};
use crate::domain::{Ending, Scope, Uid};

/// Most messages that wait for one slow reader; with one more it is cut, and resumes by its last id.
const QUEUE_LENGTH: usize = 32;

/// Renders the messages of a stream. Viewers of one scope with the same key get the same bytes.
pub trait StreamRenderer: Send + Sync {
    /// A key of everything that the bytes depend on besides the scope.
    fn key(&self) -> &str;

    /// Renders the pending changes for viewers of this scope; `None` when there is nothing to send. `own` is the one
    /// viewer that the bytes are for, when their own row is among them; `renewed` when their rights changed.
    fn render_update(
        &self,
        state: &GroupState,
        scope: Scope,
        own: Option<&Uid>,
        pending: &Pending,
        renewed: bool,
    ) -> Option<Bytes>;

    /// The first message of a stream.
    fn open(&self, state: &GroupState, scope: Scope, own: &Uid, replay: &Replay) -> Bytes;

    /// The people who are online, when they are too many for a row each; shared by every stream that begins before it
    /// changes.
    fn online_snapshot(&self, state: &GroupState) -> Option<Bytes>;

    /// A message that says whether this node is up to date.
    fn live(&self, live: bool) -> Bytes;

    /// The last message of a stream.
    fn end(&self, state: &GroupState, why: &Ending) -> Bytes;
}

/// The receiving end of a stream; it closes when the stream ends.
pub struct Subscription {
    /// The messages.
    pub frames: mpsc::Receiver<Bytes>,
    /// What renders the stream: that of its class, so that it is in memory once for all its streams.
    pub renderer: Arc<dyn StreamRenderer>,
    pub(super) number: u64,
}

/// The streams of one group.
#[derive(Default)]
pub(super) struct Subscribers {
    classes: HashMap<(Scope, Box<str>), RenderClass>,
    last_number: u64,
    /// Whether the group's broadcast task runs.
    pub(super) is_broadcasting: bool,
    /// Whether the group has left memory: a new stream has to load it again.
    pub(super) retired: bool,
}

struct RenderClass {
    renderer: Arc<dyn StreamRenderer>,
    /// The people online as of the last broadcast of statuses or later; rendered when a stream begins.
    online_snapshot: Option<Bytes>,
    streams: Vec<Stream>,
}

struct Stream {
    number: u64,
    uid: Uid,
    /// Whether the viewer's temporary scope ended before the roster says so: their component is rendered again once it does.
    is_ahead: bool,
    frames: mpsc::Sender<Bytes>,
}

impl Subscribers {
    /// The number of streams.
    pub(super) fn len(&self) -> usize {
        self.classes.values().map(|class| class.streams.len()).sum()
    }

    /// Adds a stream whose first message is `first`.
    pub(super) fn add(
        &mut self,
        renderer: Arc<dyn StreamRenderer>,
        state: &GroupState,
        scope: Scope,
        uid: Uid,
        first: Bytes,
    ) -> Subscription {
        self.last_number += 1;
        let number = self.last_number;
        let (frames, receiver) = mpsc::channel(QUEUE_LENGTH);
        let is_ahead = state.roster().get(uid.as_str()).is_some_and(|member| member.scope != scope);
        let stream = Stream { number, uid, is_ahead, frames };
        let class = self.class(renderer, scope);
        stream.send(first);
        class.online_snapshot = class.online_snapshot.take().or_else(|| class.renderer.online_snapshot(state));
        if let Some(snapshot) = &class.online_snapshot {
            stream.send(snapshot.clone());
        }
        class.streams.push(stream);
        Subscription { frames: receiver, renderer: class.renderer.clone(), number }
    }

    /// Forgets a stream that was closed from outside.
    pub(super) fn remove(&mut self, number: u64) {
        for class in self.classes.values_mut() {
            class.streams.retain(|stream| stream.number != number);
        }
        self.classes.retain(|_, class| !class.streams.is_empty());
    }

    /// Sends pending changes: first the last message to those who were put out, then to those whose rights changed,
    /// then to the rest, the same bytes within a class. Each viewer's scope is that at `now`, Unix milliseconds.
    pub(super) fn broadcast(&mut self, state: &GroupState, pending: &Pending, now: i64) {
        self.end_streams_of_departed(state, pending);
        let renewed = self.take_renewed(state, pending, now);
        for ((scope, _), class) in &mut self.classes {
            // A new member may be online.
            let may_differ = !pending.statuses.is_empty() || !pending.dirty.is_empty() || pending.resync;
            if may_differ || pending.mode_was.is_some() {
                class.online_snapshot = None;
            }
            let shared = class.renderer.render_update(state, *scope, None, pending, false);
            let renderer = &class.renderer;
            class.streams.retain(|stream| {
                if state.is_deleted() && is_of_unknown_scope(state, pending, &stream.uid) {
                    return true;
                }
                let bytes = if pending.is_about(&stream.uid) {
                    renderer.render_update(state, *scope, Some(&stream.uid), pending, false)
                } else {
                    shared.clone()
                };
                bytes.is_none_or(|bytes| stream.send(bytes))
            });
        }
        for (renderer, scope, stream) in renewed {
            let sent = renderer
                .render_update(state, scope, Some(&stream.uid), pending, true)
                .is_none_or(|bytes| stream.send(bytes));
            if sent {
                self.class(renderer, scope).streams.push(stream);
            }
        }
        self.classes.retain(|_, class| !class.streams.is_empty());
    }

    /// Sends every viewer whether this node is up to date.
    pub(super) fn send_live(&mut self, live: bool) {
        for class in self.classes.values_mut() {
            let sent = class.renderer.live(live);
            class.streams.retain(|stream| stream.send(sent.clone()));
        }
    }

    /// The people who have a stream open.
    pub(super) fn viewers(&self) -> HashSet<Uid> {
        self.classes.values().flat_map(|class| &class.streams).map(|stream| stream.uid.clone()).collect()
    }

    /// Sends what happened before the group was deleted, and ends every stream: of those who were put out before that, with the reason.
    pub(super) fn end_with_group(&mut self, state: &GroupState, pending: Pending, now: i64) {
        self.end_streams_of_departed(state, &pending);
        if let Some(pending) = pending.before_deletion() {
            self.broadcast(state, &pending, now);
        }
        self.end_all(state, Ending::Deleted);
    }

    /// Ends every stream, each with its last message.
    pub(super) fn end_all(&mut self, state: &GroupState, why: Ending) {
        self.end_some(usize::MAX, state, why);
    }

    /// Like [`Self::end_all`], for at most `most` streams; returns the number.
    pub(super) fn end_some(&mut self, most: usize, state: &GroupState, why: Ending) -> usize {
        let mut ended = 0;
        for class in self.classes.values_mut() {
            let share = class.streams.len().min(most - ended);
            if share == 0 {
                continue;
            }
            let last = class.renderer.end(state, &why);
            for stream in class.streams.drain(..share) {
                stream.send(last.clone());
            }
            ended += share;
            count_ended(why.reason(), share as u64);
        }
        self.classes.retain(|_, class| !class.streams.is_empty());
        ended
    }

    /// Ends the streams of those who were put out, also of those whom a later event of the same broadcast made members again:
    /// their page was rendered for the membership that ended.
    fn end_streams_of_departed(&mut self, state: &GroupState, pending: &Pending) {
        for class in self.classes.values_mut() {
            let renderer = &class.renderer;
            class.streams.retain(|stream| {
                // Nobody is in a deleted group.
                let looked_at = !state.is_deleted() && (pending.resync || pending.dirty.contains(&stream.uid));
                let is_out = looked_at && state.roster().get(stream.uid.as_str()).is_none();
                if !is_out && !pending.departed.contains_key(&stream.uid) {
                    return true;
                }
                let why = pending.departed.get(&stream.uid).cloned().unwrap_or(Ending::Out);
                stream.send(renderer.end(state, &why));
                count_ended(why.reason(), 1);
                false
            });
        }
    }

    fn take_renewed(
        &mut self,
        state: &GroupState,
        pending: &Pending,
        now: i64,
    ) -> Vec<(Arc<dyn StreamRenderer>, Scope, Stream)> {
        let mut renewed = Vec::new();
        for ((scope, _), class) in &mut self.classes {
            let renderer = &class.renderer;
            for at in (0..class.streams.len()).rev() {
                let Stream { uid, is_ahead, .. } = &class.streams[at];
                let is_touched = pending.resync || pending.dirty.contains(uid);
                // Scopes above the lowest may have ended without an event.
                if !is_touched && *scope == Scope::Participant {
                    continue;
                }
                let Some(member) = state.roster().get(uid.as_str()) else { continue };
                let current = member.scope_at(now);
                let is_renewed = pending.renewed.contains(uid) || (*is_ahead && member.scope == current);
                if current != *scope || (is_touched && is_renewed) {
                    let mut stream = class.streams.swap_remove(at);
                    stream.is_ahead = member.scope != current;
                    renewed.push((renderer.clone(), current, stream));
                }
            }
        }
        renewed
    }

    fn class(&mut self, renderer: Arc<dyn StreamRenderer>, scope: Scope) -> &mut RenderClass {
        self.classes.entry((scope, renderer.key().into())).or_insert_with(|| RenderClass {
            renderer,
            online_snapshot: None,
            streams: Vec::new(),
        })
    }
}

impl Stream {
    /// `false` when the reader is too slow or gone, and the stream is cut.
    fn send(&self, bytes: Bytes) -> bool {
        let sent = self.frames.try_send(bytes);
        if let Err(mpsc::error::TrySendError::Full(_)) = sent {
            metrics::counter!("chat_group_members_streams_cut_total").increment(1);
            count_ended("slow", 1);
        }
        sent.is_ok()
    }
}

/// Whether a change of this person and the deletion of the group were read together: their last scope is unknown then, and with it
/// what else they may see.
fn is_of_unknown_scope(state: &GroupState, pending: &Pending, uid: &Uid) -> bool {
    pending.dirty.contains(uid) && state.roster().get(uid.as_str()).is_none()
}

fn count_ended(reason: &'static str, streams: u64) {
    metrics::counter!("chat_group_members_streams_ended_total", "reason" => reason).increment(streams);
}

//! The streams of a group, in classes that are rendered once.

use std::collections::HashMap;
use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::mpsc;

use super::news::{Backlog, News};
use super::state::State;
use crate::domain::{Ending, Scope, Uid};

/// Messages that wait for one slow reader; one more, and it is cut. It resumes by its last id.
const WAITING: usize = 32;

/// Makes what a stream says. One for every kind of view; viewers of one scope and one view get
/// the same bytes.
pub trait View: Send + Sync {
    /// Everything the bytes depend on, but the scope.
    fn key(&self) -> &str;

    /// The news for viewers of this scope; `None` when there is nothing to say. `own` is the one
    /// viewer the bytes are for, when the news touch their own row; `renewed` when their rights
    /// are others than before.
    fn tell(&self, state: &State, scope: Scope, own: Option<&Uid>, news: &News, renewed: bool) -> Option<Bytes>;

    /// The first message of a stream.
    fn open(&self, state: &State, scope: Scope, own: &Uid, backlog: &Backlog) -> Bytes;

    /// Who is there, when so many are that a message of its own says it: the same for whoever comes
    /// before that changes.
    fn present(&self, state: &State) -> Option<Bytes>;

    /// Says whether what the viewer sees is the present, as far as this node knows.
    fn live(&self, live: bool) -> Bytes;

    /// The last message of a stream.
    fn end(&self, state: &State, why: Ending) -> Bytes;
}

/// What a stream's connection reads from; ends when the stream is to end.
pub struct Listener {
    /// The messages.
    pub frames: mpsc::Receiver<Bytes>,
    pub(super) number: u64,
}

/// The streams of one group.
#[derive(Default)]
pub struct Audience {
    classes: HashMap<(Scope, Box<str>), Class>,
    last_number: u64,
    /// The task that tells this audience is running.
    pub(super) served: bool,
    /// The group left memory: whoever comes now must ask for it again.
    pub(super) retired: bool,
}

struct Class {
    view: Arc<dyn View>,
    /// Who was there when statuses were told last, or later; made when somebody comes.
    present: Option<Bytes>,
    streams: Vec<Stream>,
}

struct Stream {
    number: u64,
    uid: Uid,
    frames: mpsc::Sender<Bytes>,
}

impl Audience {
    /// How many streams there are.
    pub fn len(&self) -> usize {
        self.classes.values().map(|class| class.streams.len()).sum()
    }

    /// Adds a stream whose first message is `first`.
    pub(super) fn add(&mut self, view: Arc<dyn View>, state: &State, scope: Scope, uid: Uid, first: Bytes) -> Listener {
        self.last_number += 1;
        let number = self.last_number;
        let (frames, listener) = mpsc::channel(WAITING);
        let stream = Stream { number, uid, frames };
        let class = self.class(view, scope);
        stream.say(first);
        class.present = class.present.take().or_else(|| class.view.present(state));
        if let Some(present) = &class.present {
            stream.say(present.clone());
        }
        class.streams.push(stream);
        Listener { frames: listener, number }
    }

    /// Forgets a stream that was closed from outside.
    pub(super) fn remove(&mut self, number: u64) {
        for class in self.classes.values_mut() {
            class.streams.retain(|stream| stream.number != number);
        }
        self.classes.retain(|_, class| !class.streams.is_empty());
    }

    /// Tells everybody: first those who are out, then those whose rights are others now, then the
    /// rest, each class with the same bytes.
    pub(super) fn tell(&mut self, state: &State, news: &News) {
        self.end_streams_of_former_members(state, news);
        let renewed = self.take_renewed(state, news);
        for ((scope, _), class) in &mut self.classes {
            if !news.statuses.is_empty() || news.mode_was.is_some() {
                class.present = None;
            }
            let shared = class.view.tell(state, *scope, None, news, false);
            let view = &class.view;
            class.streams.retain(|stream| {
                let bytes = if news.is_about(&stream.uid) {
                    view.tell(state, *scope, Some(&stream.uid), news, false)
                } else {
                    shared.clone()
                };
                bytes.is_none_or(|bytes| stream.say(bytes))
            });
        }
        for (view, scope, stream) in renewed {
            let said = view.tell(state, scope, Some(&stream.uid), news, true).is_none_or(|bytes| stream.say(bytes));
            if said {
                self.class(view, scope).streams.push(stream);
            }
        }
        self.classes.retain(|_, class| !class.streams.is_empty());
    }

    /// Says to everybody whether what they see is the present.
    pub(super) fn say_live(&mut self, live: bool) {
        for class in self.classes.values_mut() {
            let said = class.view.live(live);
            class.streams.retain(|stream| stream.say(said.clone()));
        }
    }

    /// Ends every stream, each with its last message.
    pub(super) fn end_all(&mut self, state: &State, why: Ending) {
        self.end_some(usize::MAX, state, why);
    }

    /// The same for so many streams at `most`; how many it were.
    pub(super) fn end_some(&mut self, most: usize, state: &State, why: Ending) -> usize {
        let mut ended = 0;
        for class in self.classes.values_mut() {
            let share = class.streams.len().min(most - ended);
            if share == 0 {
                continue;
            }
            let last = class.view.end(state, why);
            for stream in class.streams.drain(..share) {
                stream.say(last.clone());
            }
            ended += share;
        }
        self.classes.retain(|_, class| !class.streams.is_empty());
        ended
    }

    fn end_streams_of_former_members(&mut self, state: &State, news: &News) {
        for class in self.classes.values_mut() {
            let view = &class.view;
            class.streams.retain(|stream| {
                let looked_at = news.everything || news.touched.contains(&stream.uid);
                if !looked_at || state.roster().get(stream.uid.as_str()).is_some() {
                    return true;
                }
                stream.say(view.end(state, why_gone(&stream.uid, news)));
                false
            });
        }
    }

    fn take_renewed(&mut self, state: &State, news: &News) -> Vec<(Arc<dyn View>, Scope, Stream)> {
        let mut renewed = Vec::new();
        for ((scope, _), class) in &mut self.classes {
            let view = &class.view;
            for at in (0..class.streams.len()).rev() {
                let uid = &class.streams[at].uid;
                if !news.everything && !news.touched.contains(uid) {
                    continue;
                }
                let Some(now) = state.roster().get(uid.as_str()).map(|member| member.scope) else { continue };
                if now != *scope {
                    renewed.push((view.clone(), now, class.streams.swap_remove(at)));
                }
            }
        }
        renewed
    }

    fn class(&mut self, view: Arc<dyn View>, scope: Scope) -> &mut Class {
        self.classes.entry((scope, view.key().into())).or_insert_with(|| Class {
            view,
            present: None,
            streams: Vec::new(),
        })
    }
}

impl Stream {
    /// `false` when the reader is too slow or gone: then it is cut.
    fn say(&self, bytes: Bytes) -> bool {
        let said = self.frames.try_send(bytes);
        if let Err(mpsc::error::TrySendError::Full(_)) = said {
            metrics::counter!("streams_cut_total").increment(1);
        }
        said.is_ok()
    }
}

/// The last event that put this person out.
fn why_gone(uid: &Uid, news: &News) -> Ending {
    use crate::domain::Kind;
    let last = news
        .events
        .iter()
        .rev()
        .find(|event| event.touched.iter().any(|touched| touched.uid == *uid && touched.new.is_none()));
    match last.map(|event| (event.kind, event.until)) {
        Some((Kind::MemberBanned, until)) => Ending::Banned { until },
        Some((Kind::MemberKicked, _)) => Ending::Kicked,
        Some((Kind::MemberLeft, _)) => Ending::Left,
        _ => Ending::Out,
    }
}

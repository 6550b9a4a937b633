//! The chat beside the list: messages in memory, and their stream. Part of the demo only; a host application has a chat of
//! its own.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use askama::Template;
use jiff::Timestamp;
use tokio::sync::broadcast;

use crate::domain::{Uid, hue, initials, rfc3339};
use crate::i18n::Lang;
use crate::live::LiveGroup;

/// Most messages in memory.
const MAX_MESSAGES: usize = 200;
/// Most characters of a message.
pub(super) const MAX_MESSAGE: usize = 2000;
/// Consecutive messages of one person within this time are shown under one name, in milliseconds.
const GROUPING: i64 = 5 * 60_000;

/// The messages at the start: age in minutes, uid, text.
const SEED: [(i64, &str, &str); 11] = [
    (74, "ada", "Morning! The tide tables for the week are pinned. High water at 11:52 today."),
    (71, "chen", "谢谢 — the north pier is closed until noon, please pass it on."),
    (70, "noor", "Passed on. Two boats were already waiting there."),
    (69, "noor", "أخبرتهم أيضًا بالعربية، وسيعودون بعد الظهر."),
    (52, "theodora", "Καλημέρα! The crane inspector comes at two, berth 4 has to be empty by then."),
    (51, "cy", "Berth 4 is mine. I will be gone by one."),
    (33, "dee", "Does anyone have a spare bilge pump? Ours gave up somewhere past the lighthouse."),
    (31, "eve", "Red toolbox in the boathouse, second shelf. The key is with Ben."),
    (30, "ben", "Key is on the hook. Bring coffee."),
    (12, "seoyeon", "오늘 저녁 회의는 7시예요. Meeting at seven tonight, upstairs."),
    (4, "mariana", "Até logo! I will bring the charts."),
];

/// The messages, and the channel to their streams.
pub(super) struct Chat {
    messages: Mutex<VecDeque<Arc<ChatMessage>>>,
    events: broadcast::Sender<ChatEvent>,
}

/// One message.
pub(super) struct ChatMessage {
    pub(super) number: u64,
    uid: Uid,
    name: String,
    avatar: Option<String>,
    /// Unix time, in milliseconds.
    at: i64,
    text: String,
    /// Whether it is shown under the name of the message before.
    is_continuation: bool,
}

/// An event of the stream.
#[derive(Clone)]
pub(super) enum ChatEvent {
    /// A new message.
    Message(Arc<ChatMessage>),
    /// A caption of the simulation, and whether it is the last one.
    Caption(&'static str, bool),
}

/// A message for one viewer.
#[derive(Template)]
#[template(path = "demo/message.html")]
pub(super) struct Bubble {
    message: Arc<ChatMessage>,
    own: bool,
}

impl askama::filters::HtmlSafe for Bubble {}

impl Chat {
    /// The chat at the start. `now` is in Unix milliseconds.
    pub(super) fn seeded(group: &LiveGroup, now: i64) -> Chat {
        let chat = Chat { messages: Mutex::default(), events: broadcast::channel(256).0 };
        for (minutes, uid, text) in SEED {
            chat.add(group, &uid.parse().expect("uids written here are well formed"), text, now - minutes * 60_000);
        }
        chat
    }

    /// Adds a message; `None` when its author is not a member, or muted. `at` is in Unix milliseconds.
    pub(super) fn add(&self, group: &LiveGroup, uid: &Uid, text: &str, at: i64) -> Option<Arc<ChatMessage>> {
        let member =
            group.state().roster().get(uid.as_str()).filter(|member| member.muted_at(at).is_none()).cloned()?;
        let mut messages = self.messages();
        let last = messages.back();
        let message = Arc::new(ChatMessage {
            number: last.map_or(1, |last| last.number + 1),
            uid: uid.clone(),
            name: member.shown_name().into(),
            avatar: member.avatar().map(str::to_owned),
            at,
            text: text.into(),
            is_continuation: last.is_some_and(|last| last.uid == *uid && at - last.at < GROUPING),
        });
        if messages.len() == MAX_MESSAGES {
            messages.pop_front();
        }
        messages.push_back(message.clone());
        // Sent under the lock, so that streams receive messages in order. An error only means that there are no streams.
        let _ = self.events.send(ChatEvent::Message(message.clone()));
        Some(message)
    }

    /// Sends a caption of the simulation to every stream.
    pub(super) fn caption(&self, caption: &'static str, is_last: bool) {
        let _ = self.events.send(ChatEvent::Caption(caption, is_last));
    }

    /// The messages for this viewer, and the number of the last one.
    pub(super) fn bubbles(&self, viewer: &Uid) -> (Vec<Bubble>, u64) {
        let messages = self.messages();
        let last = messages.back().map_or(0, |last| last.number);
        (messages.iter().map(|message| Bubble::new(message, viewer)).collect(), last)
    }

    /// The messages after `number`, and a receiver of all events after those.
    pub(super) fn since(&self, number: u64) -> (Vec<Arc<ChatMessage>>, broadcast::Receiver<ChatEvent>) {
        let messages = self.messages();
        (messages.iter().filter(|message| message.number > number).cloned().collect(), self.events.subscribe())
    }

    fn messages(&self) -> MutexGuard<'_, VecDeque<Arc<ChatMessage>>> {
        self.messages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Bubble {
    pub(super) fn new(message: &Arc<ChatMessage>, viewer: &Uid) -> Bubble {
        Bubble { message: message.clone(), own: message.uid == *viewer }
    }

    fn initials(&self) -> String {
        initials(&self.message.name)
    }

    fn hue(&self) -> u8 {
        hue(self.message.uid.as_str())
    }

    /// The time in RFC 3339. The script shows it in the browser's time zone.
    fn at(&self) -> String {
        rfc3339(self.message.at)
    }

    fn time(&self) -> String {
        Timestamp::from_millisecond(self.message.at).map(|at| at.strftime("%H:%M").to_string()).unwrap_or_default()
    }
}

/// Until when somebody may not write, in a sentence with the date: a mute may last for weeks.
pub(super) fn muted_until(until: Timestamp) -> String {
    format!("You cannot write here until {}.", Lang::EN_US.date_time(until.as_millisecond()))
}

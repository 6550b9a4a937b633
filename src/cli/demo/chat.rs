//! The chat beside the list: messages in memory, and a small stream that carries them to the other
//! browsers. Scenery of the demo; a host application has a chat of its own.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use askama::Template;
use jiff::Timestamp;
use tokio::sync::broadcast;

use crate::domain::{Uid, hue, initials};
use crate::live::LiveGroup;

/// Messages kept.
const KEPT: usize = 200;
/// Longest message, in characters.
pub(super) const LONGEST: usize = 2000;
/// Messages of one person within so long stand under one name, milliseconds.
const TOGETHER: i64 = 5 * 60_000;

/// What was said before the curtain rises: minutes ago, who, what.
const BEFORE: [(i64, &str, &str); 11] = [
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

/// Everything that was said, and who wants to hear more.
pub(super) struct Chat {
    messages: Mutex<VecDeque<Arc<Message>>>,
    news: broadcast::Sender<News>,
}

/// One message.
pub(super) struct Message {
    pub(super) number: u64,
    uid: Uid,
    name: String,
    avatar: Option<String>,
    at: i64,
    text: String,
    /// Said by the same person as the one before, a moment later.
    goes_on: bool,
}

/// What the stream carries.
#[derive(Clone)]
pub(super) enum News {
    /// Somebody said something.
    Said(Arc<Message>),
    /// A line of the play; the last one says that it is over.
    Stage(&'static str, bool),
}

/// A message as one viewer sees it.
#[derive(Template)]
#[template(path = "demo/message.html")]
pub(super) struct Bubble {
    message: Arc<Message>,
    own: bool,
}

impl askama::filters::HtmlSafe for Bubble {}

impl Chat {
    /// The chat as it stands when the curtain rises. `now` in milliseconds since the epoch.
    pub(super) fn seeded(group: &LiveGroup, now: i64) -> Chat {
        let chat = Chat { messages: Mutex::default(), news: broadcast::channel(256).0 };
        for (minutes, uid, text) in BEFORE {
            chat.add(group, &uid.parse().expect("uids written here are well formed"), text, now - minutes * 60_000);
        }
        chat
    }

    /// Says something as this member; `None` when they are none. `at` in milliseconds.
    pub(super) fn add(&self, group: &LiveGroup, uid: &Uid, text: &str, at: i64) -> Option<Arc<Message>> {
        let member = group.state().roster().get(uid.as_str()).cloned()?;
        let mut messages = self.messages();
        let last = messages.back();
        let message = Arc::new(Message {
            number: last.map_or(1, |last| last.number + 1),
            uid: uid.clone(),
            name: member.shown_name().into(),
            avatar: member.avatar().map(str::to_owned),
            at,
            text: text.into(),
            goes_on: last.is_some_and(|last| last.uid == *uid && at - last.at < TOGETHER),
        });
        if messages.len() == KEPT {
            messages.pop_front();
        }
        messages.push_back(message.clone());
        // Told under the lock, so that nobody hears numbers out of order; nobody listening is fine.
        let _ = self.news.send(News::Said(message.clone()));
        Some(message)
    }

    /// Tells everybody what the play does; `over` with its last line.
    pub(super) fn tell(&self, line: &'static str, over: bool) {
        let _ = self.news.send(News::Stage(line, over));
    }

    /// Everything kept, as this viewer sees it, and the number of the last message.
    pub(super) fn bubbles(&self, viewer: &Uid) -> (Vec<Bubble>, u64) {
        let messages = self.messages();
        let last = messages.back().map_or(0, |last| last.number);
        (messages.iter().map(|message| Bubble::new(message, viewer)).collect(), last)
    }

    /// What came after `number`, and everything from now on: nothing is lost in between.
    pub(super) fn since(&self, number: u64) -> (Vec<Arc<Message>>, broadcast::Receiver<News>) {
        let messages = self.messages();
        (messages.iter().filter(|message| message.number > number).cloned().collect(), self.news.subscribe())
    }

    fn messages(&self) -> MutexGuard<'_, VecDeque<Arc<Message>>> {
        self.messages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Bubble {
    pub(super) fn new(message: &Arc<Message>, viewer: &Uid) -> Bubble {
        Bubble { message: message.clone(), own: message.uid == *viewer }
    }

    fn initials(&self) -> String {
        initials(&self.message.name)
    }

    fn hue(&self) -> u8 {
        hue(self.message.uid.as_str())
    }

    /// The moment, for machines; the script shows it as the browser's own time of day.
    fn at(&self) -> String {
        Timestamp::from_millisecond(self.message.at).map(|at| at.to_string()).unwrap_or_default()
    }

    fn time(&self) -> String {
        Timestamp::from_millisecond(self.message.at).map(|at| at.strftime("%H:%M").to_string()).unwrap_or_default()
    }
}

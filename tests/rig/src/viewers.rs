//! Viewers who read the stream as data: every event once, in order, and nothing after they are out.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::{mpsc::UnboundedSender, watch};

use super::notes::{Notes, wall};
use super::stream::{Asked, Stream, seq};
use super::support::sse::Message;
use super::support::token;

/// The phases of a run.
#[derive(Clone, Default)]
pub enum Phase {
    /// Faults happen.
    #[default]
    Run,
    /// All is well again: everybody is to reach these numbers, by group.
    Settle(Arc<HashMap<String, u64>>),
    /// Screens are compared.
    Compare,
    /// Everybody returns what they have seen.
    End,
}

/// A viewer: who it is, which group it watches, and how it connects.
#[derive(Clone)]
pub struct ViewerSpec {
    pub uid: String,
    pub guid: &'static str,
    /// Where they connect.
    pub port: u16,
    /// Whether nobody ever removes them from the group.
    pub stable: bool,
    /// Whether their connections are cut all the time.
    pub bad_network: bool,
    /// Milliseconds they take for a message.
    pub slow: u64,
    pub query: String,
}

/// An event that a viewer received.
pub struct ReceivedEvent {
    pub seq: u64,
    /// `None` where only the number was received.
    pub kind: Option<String>,
    pub uid: Option<String>,
    /// When, in milliseconds since the epoch.
    pub at: i64,
}

/// What a viewer has at the end.
pub struct Seen {
    pub spec: ViewerSpec,
    pub received: Vec<ReceivedEvent>,
    /// Whether they were in when all was well again.
    pub inside: bool,
    /// The last number they knew.
    pub last: u64,
}

/// A viewer of the stream as data.
pub struct Viewer {
    spec: ViewerSpec,
    notes: Arc<Notes>,
    phase: watch::Receiver<Phase>,
    last: Option<String>,
    received: Vec<ReceivedEvent>,
    inside: bool,
    said_present: bool,
}

impl Viewer {
    pub fn new(spec: ViewerSpec, notes: Arc<Notes>, phase: watch::Receiver<Phase>) -> Viewer {
        Viewer { spec, notes, phase, last: None, received: Vec::new(), inside: false, said_present: false }
    }

    /// Reads the stream until the run ends. Sends to `present` once the head is reached.
    pub async fn run(mut self, present: UnboundedSender<()>) -> Seen {
        let path = format!("/groups/{}/events?format=json{}", self.spec.guid, self.spec.query);
        let token = token(&self.spec.uid);
        while !self.is_over() {
            self.report_if_present(&present);
            match Stream::ask(self.spec.port, &path, &token, self.last.as_deref(), self.is_slow()).await {
                Asked::Open(stream) => {
                    self.inside = true;
                    self.notes.second(|second| second.connected += 1);
                    self.read(*stream, &present).await;
                }
                Asked::Refused(404) => {
                    if self.spec.stable {
                        self.notes
                            .violation("reads", format!("{} was told that the group is not there", self.spec.uid));
                    }
                    (self.inside, self.last) = (false, None);
                }
                Asked::Refused(503) => self.notes.count("streams answered 503", 1),
                // The front answers 502 when a node is killed during the request; the service itself never does.
                Asked::Lost | Asked::Refused(502) => self.notes.count("streams that got no answer", 1),
                Asked::Refused(status) => {
                    self.notes.violation("reads", format!("{} was answered {status} for a stream", self.spec.uid));
                }
            }
            self.pause().await;
        }
        let last = self.last.as_deref().map_or(0, seq);
        Seen { spec: self.spec, received: self.received, inside: self.inside, last }
    }

    async fn read(&mut self, mut stream: Stream, present: &UnboundedSender<()>) {
        let _open = self.notes.clone().opened();
        loop {
            let message = tokio::select! {
                message = stream.next() => message,
                changed = self.phase.changed() => {
                    // A slow viewer reconnects: its connection has the small buffers of slow readers.
                    if changed.is_err() || self.is_over() || self.spec.slow > 0 { return }
                    self.report_if_present(present);
                    continue;
                }
            };
            let Some(message) = message else { return };
            match message.name() {
                "revoked" => {
                    self.notes.count("streams revoked", 1);
                    self.after_the_end(stream).await;
                    (self.inside, self.last) = (false, None);
                    return;
                }
                "bye" => self.notes.count("goodbyes", 1),
                "ready" => self.begin(&message),
                "presence" => {}
                _ => self.take(&message),
            }
            self.report_if_present(present);
            if self.is_slow() {
                tokio::time::sleep(Duration::from_millis(self.spec.slow)).await;
            }
        }
    }

    fn begin(&mut self, ready: &Message) {
        if self.last.is_none() {
            let data: Value = serde_json::from_str(ready.data.as_deref().unwrap_or_default()).unwrap_or_default();
            self.last = data["id"].as_str().map(str::to_owned);
        }
    }

    fn take(&mut self, message: &Message) {
        let Some(id) = message.id.clone() else {
            self.notes.violation("order", format!("{}: a message without a number: {message:?}", self.spec.uid));
            return;
        };
        let (before, now) = (self.last.as_deref().map_or(0, seq), seq(&id));
        if message.name() == "resync" {
            self.notes.count("resyncs of data streams", 1);
            self.notes.violation("resyncs", format!("{} from {before} to {now}", self.spec.uid));
        } else if now != before + 1 {
            self.notes
                .violation("order", format!("{} was told {now} after {before} in {}", self.spec.uid, self.spec.guid));
        }
        let data: Option<Value> = message.data.as_deref().and_then(|data| serde_json::from_str(data).ok());
        let at = wall();
        if let Some(data) = &data {
            if data["seq"].as_u64() != Some(now) && message.name() != "resync" {
                self.notes.violation("order", format!("{}: the event {now} says {}", self.spec.uid, data["seq"]));
            }
            let good = self.spec.slow == 0 && self.spec.stable && !self.spec.bad_network;
            if let Some(happened) =
                data["at"].as_str().and_then(|at| at.parse::<jiff::Timestamp>().ok()).filter(|_| good)
            {
                let age = (at - happened.as_millisecond()).max(0) as f32 / 1000.0;
                self.notes.second(|second| second.staleness = second.staleness.max(age));
            }
        }
        let uid = data.as_ref().and_then(|data| data["member"]["uid"].as_str()).map(str::to_owned);
        self.received.push(ReceivedEvent { seq: now, kind: message.event.clone(), uid, at });
        self.last = Some(id);
        self.notes.count("messages of data streams", 1);
    }

    /// No message may follow; the connection ends soon.
    async fn after_the_end(&self, mut stream: Stream) {
        let rest = tokio::time::timeout(Duration::from_secs(5), stream.next()).await;
        if let Ok(Some(message)) = rest {
            self.notes.violation("revoked", format!("{} was told more after the end: {message:?}", self.spec.uid));
        }
    }

    fn report_if_present(&mut self, present: &UnboundedSender<()>) {
        let Phase::Settle(heads) = &*self.phase.borrow() else { return };
        let head = heads.get(self.spec.guid).copied().unwrap_or(0);
        let there = !self.inside || self.last.as_deref().map_or(0, seq) >= head;
        if there && !std::mem::replace(&mut self.said_present, true) {
            let _ = present.send(());
        }
    }

    fn is_slow(&self) -> bool {
        self.spec.slow > 0 && matches!(*self.phase.borrow(), Phase::Run)
    }

    fn is_over(&self) -> bool {
        matches!(*self.phase.borrow(), Phase::End)
    }

    /// Clients reconnect after a while, and not all at once.
    async fn pause(&mut self) {
        let pause = Duration::from_millis(fastrand::u64(200..900));
        let _ = tokio::time::timeout(pause, self.phase.changed()).await;
    }
}

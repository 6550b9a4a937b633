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

/// What everybody does at the moment.
#[derive(Clone, Default)]
pub enum Phase {
    /// Faults happen.
    #[default]
    Run,
    /// All is well again: everybody is to reach these numbers, by group.
    Settle(Arc<HashMap<String, u64>>),
    /// Screens are compared.
    Compare,
    /// Everybody is to say what they have.
    End,
}

/// Who looks, at what, and how.
#[derive(Clone)]
pub struct Seat {
    pub uid: String,
    pub guid: &'static str,
    /// Where they connect.
    pub port: u16,
    /// Whether nobody ever puts them out.
    pub stable: bool,
    /// Whether their connections are cut all the time.
    pub bad_network: bool,
    /// Milliseconds they take for a message.
    pub slow: u64,
    pub query: String,
}

/// Something they were told.
pub struct Told {
    pub seq: u64,
    /// `None` where only the number was told.
    pub kind: Option<String>,
    pub uid: Option<String>,
    /// When, in milliseconds since the epoch.
    pub at: i64,
}

/// What a viewer has at the end.
pub struct Seen {
    pub seat: Seat,
    pub told: Vec<Told>,
    /// Whether they were in when all was well again.
    pub inside: bool,
    /// The last number they knew.
    pub last: u64,
}

/// A viewer of the stream as data.
pub struct Viewer {
    seat: Seat,
    notes: Arc<Notes>,
    phase: watch::Receiver<Phase>,
    last: Option<String>,
    told: Vec<Told>,
    inside: bool,
    said_present: bool,
}

impl Viewer {
    pub fn new(seat: Seat, notes: Arc<Notes>, phase: watch::Receiver<Phase>) -> Viewer {
        Viewer { seat, notes, phase, last: None, told: Vec::new(), inside: false, said_present: false }
    }

    /// Looks until everybody is to say what they have. `present` is told once the head is reached.
    pub async fn look(mut self, present: UnboundedSender<()>) -> Seen {
        let path = format!("/groups/{}/events?format=json{}", self.seat.guid, self.seat.query);
        let token = token(&self.seat.uid);
        while !self.is_over() {
            self.report_if_present(&present);
            match Stream::ask(self.seat.port, &path, &token, self.last.as_deref(), self.is_slow()).await {
                Asked::Open(stream) => {
                    self.inside = true;
                    self.notes.second(|second| second.connected += 1);
                    self.read(*stream, &present).await;
                }
                Asked::Refused(404) => {
                    if self.seat.stable {
                        self.notes.complain("reads", format!("{} was told that the group is not there", self.seat.uid));
                    }
                    (self.inside, self.last) = (false, None);
                }
                Asked::Refused(503) => self.notes.count("streams answered 503", 1),
                // The front says so of a node that was killed under the request; the service itself never does.
                Asked::Lost | Asked::Refused(502) => self.notes.count("streams that got no answer", 1),
                Asked::Refused(status) => {
                    self.notes.complain("reads", format!("{} was answered {status} for a stream", self.seat.uid));
                }
            }
            self.pause().await;
        }
        let last = self.last.as_deref().map_or(0, seq);
        Seen { seat: self.seat, told: self.told, inside: self.inside, last }
    }

    async fn read(&mut self, mut stream: Stream, present: &UnboundedSender<()>) {
        let _open = self.notes.clone().opened();
        loop {
            let message = tokio::select! {
                message = stream.next() => message,
                changed = self.phase.changed() => {
                    // Whoever was slow comes back in a hurry: its connection is one for slow readers.
                    if changed.is_err() || self.is_over() || self.seat.slow > 0 { return }
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
                tokio::time::sleep(Duration::from_millis(self.seat.slow)).await;
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
            self.notes.complain("order", format!("{}: a message without a number: {message:?}", self.seat.uid));
            return;
        };
        let (before, now) = (self.last.as_deref().map_or(0, seq), seq(&id));
        if message.name() == "resync" {
            self.notes.count("resyncs of data streams", 1);
            self.notes.complain("resyncs", format!("{} from {before} to {now}", self.seat.uid));
        } else if now != before + 1 {
            self.notes
                .complain("order", format!("{} was told {now} after {before} in {}", self.seat.uid, self.seat.guid));
        }
        let data: Option<Value> = message.data.as_deref().and_then(|data| serde_json::from_str(data).ok());
        let at = wall();
        if let Some(data) = &data {
            if data["seq"].as_u64() != Some(now) && message.name() != "resync" {
                self.notes.complain("order", format!("{}: the event {now} says {}", self.seat.uid, data["seq"]));
            }
            let good = self.seat.slow == 0 && self.seat.stable && !self.seat.bad_network;
            if let Some(happened) =
                data["at"].as_str().and_then(|at| at.parse::<jiff::Timestamp>().ok()).filter(|_| good)
            {
                let age = (at - happened.as_millisecond()).max(0) as f32 / 1000.0;
                self.notes.second(|second| second.staleness = second.staleness.max(age));
            }
        }
        let uid = data.as_ref().and_then(|data| data["member"]["uid"].as_str()).map(str::to_owned);
        self.told.push(Told { seq: now, kind: message.event.clone(), uid, at });
        self.last = Some(id);
        self.notes.count("messages of data streams", 1);
    }

    /// Nothing may come any more; the connection ends soon.
    async fn after_the_end(&self, mut stream: Stream) {
        let rest = tokio::time::timeout(Duration::from_secs(5), stream.next()).await;
        if let Ok(Some(message)) = rest {
            self.notes.complain("revoked", format!("{} was told more after the end: {message:?}", self.seat.uid));
        }
    }

    fn report_if_present(&mut self, present: &UnboundedSender<()>) {
        let Phase::Settle(heads) = &*self.phase.borrow() else { return };
        let head = heads.get(self.seat.guid).copied().unwrap_or(0);
        let there = !self.inside || self.last.as_deref().map_or(0, seq) >= head;
        if there && !std::mem::replace(&mut self.said_present, true) {
            let _ = present.send(());
        }
    }

    fn is_slow(&self) -> bool {
        self.seat.slow > 0 && matches!(*self.phase.borrow(), Phase::Run)
    }

    fn is_over(&self) -> bool {
        matches!(*self.phase.borrow(), Phase::End)
    }

    /// Clients come back after a while, and not all at once.
    async fn pause(&mut self) {
        let pause = Duration::from_millis(fastrand::u64(200..900));
        let _ = tokio::time::timeout(pause, self.phase.changed()).await;
    }
}

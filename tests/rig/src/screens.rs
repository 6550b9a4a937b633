//! Viewers with a screen: the component, and the swaps that keep it what a fresh one would be.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::{mpsc::UnboundedSender, watch};

use super::notes::{Notes, wall};
use super::shown::{Applied, Screen};
use super::stream::{Asked, Stream, seq};
use super::support::sse::Message;
use super::support::token;
use super::viewers::{Phase, ReceivedEvent, Seen, ViewerSpec};

/// Longest until a screen equals a fresh `GET`.
const SETTLED: Duration = Duration::from_secs(15);

/// What a reload got.
enum ReloadResult {
    Screen(Box<Screen>),
    /// The group is not there for the viewer.
    NotThere,
    /// No answer, or none with a component.
    None,
}

/// A viewer of the component.
pub struct Viewer {
    spec: ViewerSpec,
    notes: Arc<Notes>,
    phase: watch::Receiver<Phase>,
    http: reqwest::Client,
    token: String,
    screen: Option<Screen>,
    received: Vec<ReceivedEvent>,
    inside: bool,
    said_present: bool,
}

impl Viewer {
    pub fn new(spec: ViewerSpec, notes: Arc<Notes>, phase: watch::Receiver<Phase>, http: reqwest::Client) -> Viewer {
        let token = token(&spec.uid);
        Viewer {
            spec,
            notes,
            phase,
            http,
            token,
            screen: None,
            received: Vec::new(),
            inside: false,
            said_present: false,
        }
    }

    /// Keeps the screen up to date until screens are compared, and compares it. Sends to `present` once the head is
    /// reached, and again after the comparison.
    pub async fn run(mut self, present: UnboundedSender<()>) -> Seen {
        let stream = loop {
            self.report_if_present(&present);
            if self.screen.is_none() {
                self.load().await;
            }
            if let Some(stream) = self.connect().await
                && let Some(open) = self.read(stream, &present).await
            {
                break Some(open);
            }
            if self.is_over() {
                break None;
            }
            let _ = tokio::time::timeout(Duration::from_millis(fastrand::u64(200..900)), self.phase.changed()).await;
        };
        let _open = self.compare(stream).await;
        let _ = present.send(());
        // A viewer who disconnects changes the status that others see of them.
        let _ = self.phase.wait_for(|phase| matches!(phase, Phase::End)).await;
        let last = self.screen.as_ref().map_or(0, |screen| seq(&screen.last));
        Seen { spec: self.spec, received: self.received, inside: self.inside, last }
    }

    /// Loads the page.
    async fn load(&mut self) {
        match self.get("", None).await {
            Some((200, page)) => match Screen::of(&page) {
                Some(screen) => (self.screen, self.inside) = (Some(screen), true),
                None => self.notes.violation("reads", format!("{}: a list without a component", self.spec.uid)),
            },
            Some((404, _)) if self.spec.stable => {
                self.notes.violation("reads", format!("{} was told that the group is not there", self.spec.uid));
            }
            Some((404, _)) => self.inside = false,
            Some((503, _)) => self.notes.count("pages answered 503", 1),
            Some((status, _)) => self.notes.violation("reads", format!("{} got a page {status}", self.spec.uid)),
            None => self.notes.count("pages that got no answer", 1),
        }
    }

    async fn connect(&mut self) -> Option<Stream> {
        let screen = self.screen.as_ref()?;
        let (path, last) = (screen.connect.clone(), screen.last.clone());
        match Stream::ask(self.spec.port, &path, &self.token, Some(&last), self.spec.slow > 0).await {
            Asked::Open(stream) => {
                self.notes.second(|second| second.connected += 1);
                self.notes.count("screens that came back", 1);
                return Some(*stream);
            }
            Asked::Refused(404) => self.screen = None,
            Asked::Refused(503) => self.notes.count("streams answered 503", 1),
            // The front answers 502 when a node is killed during the request; the service itself never does.
            Asked::Lost | Asked::Refused(502) => self.notes.count("streams that got no answer", 1),
            Asked::Refused(status) => {
                self.notes.violation("reads", format!("{} was answered {status} for a stream", self.spec.uid));
            }
        }
        None
    }

    /// Applies messages. Returns the stream when it is still open once screens are compared.
    async fn read(&mut self, mut stream: Stream, present: &UnboundedSender<()>) -> Option<Stream> {
        let _open = self.notes.clone().opened();
        loop {
            self.report_if_present(present);
            if self.is_over() {
                return Some(stream);
            }
            let message = tokio::select! {
                message = stream.next() => message?,
                changed = self.phase.changed() => { changed.ok()?; continue }
            };
            if !self.take(&message).await {
                let rest = tokio::time::timeout(Duration::from_secs(5), stream.next()).await;
                if let Ok(Some(message)) = rest {
                    self.notes
                        .violation("revoked", format!("{} was told more after the end: {message:?}", self.spec.uid));
                }
                self.notes.count("streams revoked", 1);
                (self.screen, self.inside) = (None, false);
                return None;
            }
            self.screen.as_ref()?;
            if self.spec.slow > 0 && matches!(*self.phase.borrow(), Phase::Run) {
                tokio::time::sleep(Duration::from_millis(self.spec.slow)).await;
            }
        }
    }

    /// Applies one message: `false` when the viewer is out. Without a screen afterwards the page must be loaded again.
    async fn take(&mut self, message: &Message) -> bool {
        let Some(screen) = &mut self.screen else { return true };
        if message.name() == "bye" {
            self.notes.count("goodbyes", 1);
            return true;
        }
        self.notes.count("messages of screens", 1);
        let before = screen.last.clone();
        let Applied { ended, renewed, resync } = screen.apply(message);
        if ended {
            return false;
        }
        if let Some(id) = &message.id {
            if seq(id) < seq(&screen.last) {
                let example = format!("the screen of {} went back from {} to {id}", self.spec.uid, screen.last);
                self.notes.violation("order", example);
            }
            screen.last = id.clone();
            self.received.push(ReceivedEvent { seq: seq(id), kind: None, uid: None, at: wall() });
        }
        if resync {
            let example = format!("the screen of {} began anew at {}, after {before}", self.spec.uid, screen.last);
            self.notes.violation("resyncs", example);
        }
        if renewed {
            self.notes.count("screens that were renewed", 1);
        }
        if renewed || resync {
            self.notes.count("screens that looked again", 1);
            self.reload().await;
        }
        true
    }

    /// Fetches the loaded window again, until there is an answer.
    async fn reload(&mut self) {
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(20) {
            match self.fresh().await {
                ReloadResult::Screen(fresh) => {
                    if let Some(screen) = &mut self.screen {
                        let end = screen.window.end.take();
                        screen.statuses.extend(fresh.statuses);
                        screen.window = fresh.window;
                        screen.window.end = end;
                        screen.answered = fresh.answered;
                    }
                    return;
                }
                // The viewer is out, and the stream is about to end for it.
                ReloadResult::NotThere => return,
                ReloadResult::None => {}
            }
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
        // Without a screen the page is loaded again, as a person would do it.
        self.screen = None;
    }

    /// The loaded window as a fresh page shows it.
    async fn fresh(&self) -> ReloadResult {
        let Some(screen) = &self.screen else { return ReloadResult::None };
        let until = screen.window.end.as_deref().unwrap_or("~");
        match self.get(&format!("&part=component&until={until}"), Some(&screen.last)).await {
            Some((200, page)) => match Screen::of(&page) {
                Some(screen) => ReloadResult::Screen(Box::new(screen)),
                None => ReloadResult::None,
            },
            Some((404, _)) => ReloadResult::NotThere,
            _ => ReloadResult::None,
        }
    }

    async fn get(&self, more: &str, last: Option<&str>) -> Option<(u16, String)> {
        let ViewerSpec { port, guid, query, .. } = &self.spec;
        let url = format!("http://127.0.0.1:{port}/groups/{guid}/members?{query}{more}");
        let mut request = self.http.get(url).bearer_auth(&self.token);
        if let Some(last) = last {
            request = request.header("last-event-id", last);
        }
        let answer = request.send().await.ok()?;
        Some((answer.status().as_u16(), answer.text().await.ok()?))
    }

    /// Compares the screen with a fresh one until both are equal: messages may still be on their way.
    async fn compare(&mut self, mut stream: Option<Stream>) -> Option<Stream> {
        if !self.inside {
            return None;
        }
        let begun = Instant::now();
        let mut differs = String::from("there was no page");
        let mut only_statuses = false;
        while begun.elapsed() < SETTLED {
            if let ReloadResult::Screen(fresh) = self.fresh().await
                && let Some(screen) = &self.screen
            {
                let rows = screen.rows_unlike(&fresh);
                let statuses = self.statuses_unlike(&fresh);
                if rows.is_none() && statuses.is_none() {
                    self.notes.count("screens compared", 1);
                    return stream;
                }
                only_statuses = rows.is_none();
                differs = rows.or(statuses).unwrap_or_default();
            }
            let wait = Duration::from_millis(500);
            match &mut stream {
                Some(open) => match tokio::time::timeout(wait, open.next()).await {
                    Ok(Some(message)) => drop(self.take(&message).await),
                    Ok(None) => stream = None,
                    Err(_) => {}
                },
                None => {
                    tokio::time::sleep(wait).await;
                    stream = self.connect().await;
                }
            }
        }
        let checker = if only_statuses { "statuses" } else { "screens" };
        self.notes
            .violation(checker, format!("{} ({}) in {}: {differs}", self.spec.uid, self.spec.query, self.spec.guid));
        stream
    }

    fn statuses_unlike(&self, fresh: &Screen) -> Option<String> {
        if self.spec.query.contains("hideUserStatus=true") {
            return None;
        }
        let screen = self.screen.as_ref()?;
        let unlike = fresh.statuses.iter().find(|(uid, status)| screen.statuses.get(*uid) != Some(status));
        unlike.map(|(uid, status)| format!("{uid} is {status}, on the screen {:?}", screen.statuses.get(uid)))
    }

    fn report_if_present(&mut self, present: &UnboundedSender<()>) {
        let Phase::Settle(heads) = &*self.phase.borrow() else { return };
        let head = heads.get(self.spec.guid).copied().unwrap_or(0);
        let there = self.screen.as_ref().map_or(!self.inside, |screen| seq(&screen.last) >= head);
        if there && !std::mem::replace(&mut self.said_present, true) {
            let _ = present.send(());
        }
    }

    fn is_over(&self) -> bool {
        matches!(*self.phase.borrow(), Phase::Compare | Phase::End)
    }
}

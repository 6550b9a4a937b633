//! Viewers with a screen: the component, and the swaps that keep it what a fresh one would be.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::{mpsc::UnboundedSender, watch};

use super::notes::{Notes, wall};
use super::shown::{Applied, Screen};
use super::stream::{Asked, Stream, seq};
use super::support::sse::Message;
use super::support::token;
use super::viewers::{Phase, Seat, Seen, Told};

/// A screen is what a fresh `GET` is by then.
const SETTLED: Duration = Duration::from_secs(15);

/// The answer to whoever looks again.
enum Fresh {
    Screen(Box<Screen>),
    NotThere,
    None,
}

/// A viewer of the component.
pub struct Viewer {
    seat: Seat,
    notes: Arc<Notes>,
    phase: watch::Receiver<Phase>,
    http: reqwest::Client,
    token: String,
    screen: Option<Screen>,
    told: Vec<Told>,
    inside: bool,
    said_present: bool,
}

impl Viewer {
    pub fn new(seat: Seat, notes: Arc<Notes>, phase: watch::Receiver<Phase>, http: reqwest::Client) -> Viewer {
        let token = token(&seat.uid);
        Viewer { seat, notes, phase, http, token, screen: None, told: Vec::new(), inside: false, said_present: false }
    }

    /// Looks until everybody is to say what they have, and then compares.
    pub async fn look(mut self, present: UnboundedSender<()>) -> Seen {
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
        // Whoever goes away changes what others see of them.
        let _ = self.phase.wait_for(|phase| matches!(phase, Phase::End)).await;
        let last = self.screen.as_ref().map_or(0, |screen| seq(&screen.last));
        Seen { seat: self.seat, told: self.told, inside: self.inside, last }
    }

    /// The page, anew.
    async fn load(&mut self) {
        match self.get("", None).await {
            Some((200, page)) => match Screen::of(&page) {
                Some(screen) => (self.screen, self.inside) = (Some(screen), true),
                None => self.notes.complain("reads", format!("{}: a list without a component", self.seat.uid)),
            },
            Some((404, _)) if self.seat.stable => {
                self.notes.complain("reads", format!("{} was told that the group is not there", self.seat.uid));
            }
            Some((404, _)) => self.inside = false,
            Some((503, _)) => self.notes.count("pages answered 503", 1),
            Some((status, _)) => self.notes.complain("reads", format!("{} got a page {status}", self.seat.uid)),
            None => self.notes.count("pages that got no answer", 1),
        }
    }

    async fn connect(&mut self) -> Option<Stream> {
        let screen = self.screen.as_ref()?;
        let (path, last) = (screen.connect.clone(), screen.last.clone());
        match Stream::ask(self.seat.port, &path, &self.token, Some(&last), self.seat.slow > 0).await {
            Asked::Open(stream) => {
                self.notes.second(|second| second.connected += 1);
                self.notes.count("screens that came back", 1);
                return Some(*stream);
            }
            Asked::Refused(404) => self.screen = None,
            Asked::Refused(503) => self.notes.count("streams answered 503", 1),
            // The front says so of a node that was killed under the request; the service itself never does.
            Asked::Lost | Asked::Refused(502) => self.notes.count("streams that got no answer", 1),
            Asked::Refused(status) => {
                self.notes.complain("reads", format!("{} was answered {status} for a stream", self.seat.uid));
            }
        }
        None
    }

    /// Applies what comes. The stream comes back when it is open and everybody is to compare.
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
                        .complain("revoked", format!("{} was told more after the end: {message:?}", self.seat.uid));
                }
                self.notes.count("streams revoked", 1);
                (self.screen, self.inside) = (None, false);
                return None;
            }
            self.screen.as_ref()?;
            if self.seat.slow > 0 && matches!(*self.phase.borrow(), Phase::Run) {
                tokio::time::sleep(Duration::from_millis(self.seat.slow)).await;
            }
        }
    }

    /// `false` when the viewer is out. Without a screen afterwards the page is to be loaded anew.
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
                let complaint = format!("the screen of {} went back from {} to {id}", self.seat.uid, screen.last);
                self.notes.complain("order", complaint);
            }
            screen.last = id.clone();
            self.told.push(Told { seq: seq(id), kind: None, uid: None, at: wall() });
        }
        if resync {
            let complaint = format!("the screen of {} began anew at {}, after {before}", self.seat.uid, screen.last);
            self.notes.complain("resyncs", complaint);
        }
        if renewed {
            self.notes.count("screens that were renewed", 1);
        }
        if renewed || resync {
            self.notes.count("screens that looked again", 1);
            self.look_again().await;
        }
        true
    }

    /// The same window, anew: asked until it is answered.
    async fn look_again(&mut self) {
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(20) {
            match self.fresh().await {
                Fresh::Screen(fresh) => {
                    if let Some(screen) = &mut self.screen {
                        let end = screen.window.end.take();
                        screen.statuses.extend(fresh.statuses);
                        screen.window = fresh.window;
                        screen.window.end = end;
                        screen.answered = fresh.answered;
                    }
                    return;
                }
                // Out since; the stream is about to say so.
                Fresh::NotThere => return,
                Fresh::None => {}
            }
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
        // As somebody would: the page is loaded anew.
        self.screen = None;
    }

    async fn fresh(&self) -> Fresh {
        let Some(screen) = &self.screen else { return Fresh::None };
        let until = screen.window.end.as_deref().unwrap_or("~");
        match self.get(&format!("&part=component&until={until}"), Some(&screen.last)).await {
            Some((200, page)) => Screen::of(&page).map_or(Fresh::None, |screen| Fresh::Screen(Box::new(screen))),
            Some((404, _)) => Fresh::NotThere,
            _ => Fresh::None,
        }
    }

    async fn get(&self, more: &str, last: Option<&str>) -> Option<(u16, String)> {
        let Seat { port, guid, query, .. } = &self.seat;
        let url = format!("http://127.0.0.1:{port}/groups/{guid}/members?{query}{more}");
        let mut request = self.http.get(url).bearer_auth(&self.token);
        if let Some(last) = last {
            request = request.header("last-event-id", last);
        }
        let answer = request.send().await.ok()?;
        Some((answer.status().as_u16(), answer.text().await.ok()?))
    }

    /// The screen against a fresh one; what is on its way may still come.
    async fn compare(&mut self, mut stream: Option<Stream>) -> Option<Stream> {
        if !self.inside {
            return None;
        }
        let begun = Instant::now();
        let mut differs = String::from("there was no page");
        let mut only_statuses = false;
        while begun.elapsed() < SETTLED {
            if let Fresh::Screen(fresh) = self.fresh().await
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
            .complain(checker, format!("{} ({}) in {}: {differs}", self.seat.uid, self.seat.query, self.seat.guid));
        stream
    }

    fn statuses_unlike(&self, fresh: &Screen) -> Option<String> {
        if self.seat.query.contains("hideUserStatus=true") {
            return None;
        }
        let screen = self.screen.as_ref()?;
        let unlike = fresh.statuses.iter().find(|(uid, status)| screen.statuses.get(*uid) != Some(status));
        unlike.map(|(uid, status)| format!("{uid} is {status}, on the screen {:?}", screen.statuses.get(uid)))
    }

    fn report_if_present(&mut self, present: &UnboundedSender<()>) {
        let Phase::Settle(heads) = &*self.phase.borrow() else { return };
        let head = heads.get(self.seat.guid).copied().unwrap_or(0);
        let there = self.screen.as_ref().map_or(!self.inside, |screen| seq(&screen.last) >= head);
        if there && !std::mem::replace(&mut self.said_present, true) {
            let _ = present.send(());
        }
    }

    fn is_over(&self) -> bool {
        matches!(*self.phase.borrow(), Phase::Compare | Phase::End)
    }
}

//! What a person has on the screen: a window of the list that live messages change, by the rules
//! that every client follows. Written apart from the script, so that server and script are held
//! to the same words.
//!
//! Elements carry no numbers: messages and answers do. An answer is applied when it comes; of the
//! messages, those older than the last answer are left out.

use std::collections::BTreeMap;

use scraper::{ElementRef, Html};

use super::actor::Actor;
use super::answer::{Answer, fragment, select};
use super::soon;
use super::sse::{Message, Raw};

/// The live component of one viewer.
pub struct Screen {
    actor: Actor,
    path: String,
    query: String,
    stream: Raw,
    window: Window,
    /// The id of the last message that was received.
    last_id: String,
    /// The number of the last answer: older messages say nothing new.
    answered: u64,
    /// Whether the stream took the component away.
    pub ended: bool,
}

/// Elements of the list by their place, and where the loaded part ends.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Window {
    /// Markup by `data-order`: rows, and in [`Window::shown`] headings.
    pub elements: BTreeMap<String, String>,
    /// What the component says of the whole filtered list.
    pub count: String,
    /// Places by uid.
    places: BTreeMap<String, String>,
    /// Every section's heading as it was last told, by its place; one is shown above rows only.
    headings: BTreeMap<String, String>,
    /// The last place that is loaded; `None` when there is nothing beyond.
    pub end: Option<String>,
}

impl Screen {
    /// Loads the component and connects its stream, as the component itself says where.
    pub async fn open(actor: &Actor, guid: &str, query: &str) -> Screen {
        let path = format!("/groups/{guid}/members");
        let answer = actor.get(&format!("{path}?{query}")).await.ok();
        let connect = answer.attribute("[data-connect]", "data-connect").unwrap();
        let stream = actor.raw(&connect, &[]).await;
        assert_eq!(stream.status, 200);
        let last_id = connect.rsplit_once("lastEventId=").unwrap().1.to_owned();
        assert_eq!(answer.header("last-event-id"), last_id, "what an answer is as of");
        let (window, answered) = (Window::of(&answer.html()), seq_of(&last_id));
        Screen { actor: actor.clone(), path, query: query.into(), stream, window, last_id, answered, ended: false }
    }

    /// Applies messages until the group's event of this number.
    pub async fn up_to(&mut self, seq: u64) {
        while !self.ended && seq_of(&self.last_id) < seq {
            let Some(message) = self.stream.next().await else { panic!("the stream ended before {seq}") };
            self.apply(&message).await;
        }
    }

    /// Applies messages until it is what a fresh one is.
    pub async fn until_fresh(&mut self) {
        loop {
            let (live, fresh) = self.compared().await;
            if live == fresh {
                return;
            }
            let what = format!("a message that makes {live:#?} {fresh:#?}");
            let message = soon(&what, self.stream.next()).await.expect("a stream that goes on");
            self.apply(&message).await;
        }
    }

    /// Loses the connection, and comes back with the last id.
    pub async fn reconnect(&mut self) {
        let path = format!("{}?{}", self.path.replace("/members", "/events"), self.query);
        self.stream = self.actor.raw(&path, &[("Last-Event-ID", &self.last_id.clone())]).await;
    }

    /// The window as it is on the screen, and as a fresh `GET` renders it.
    pub async fn compared(&mut self) -> (Window, Window) {
        let fresh = self.ask().await;
        (self.window.shown(), Window::of(&fresh.html()).shown())
    }

    async fn apply(&mut self, message: &Message) {
        let html = message.html();
        self.ended |= html.select(&select("section.chat-group-members--ended")).next().is_some();
        if let Some(id) = &message.id {
            self.last_id = id.clone();
            if seq_of(id) < self.answered {
                return;
            }
        }
        let looks_again = html.select(&select("[data-note=resync], [data-note=renew]")).next().is_some();
        if looks_again {
            let answer = self.ask().await;
            self.answered = seq_of(answer.header("last-event-id"));
            self.window = Window { end: self.window.end.clone(), ..Window::of(&answer.html()) };
            if message.id.as_deref().is_some_and(|id| seq_of(id) < self.answered) {
                return;
            }
        }
        self.window.apply(&html);
    }

    async fn ask(&self) -> Answer {
        let until = self.window.end.as_deref().unwrap_or("~");
        let path = format!("{}?{}&part=component&until={until}", self.path, self.query);
        self.actor.get_with(&path, &[("last-event-id", &self.last_id)]).await.ok()
    }
}

impl Window {
    /// The window of a component.
    pub fn of(html: &Html) -> Window {
        let mut window = Window::default();
        let root = html.select(&select("section.chat-group-members")).next().expect("a component");
        window.count = root.attr("data-count").unwrap().to_owned();
        let sentinel = html.select(&select("li.chat-group-members__next")).next();
        window.end = sentinel.map(|element| element.attr("data-order").unwrap().to_owned());
        for element in html.select(&select("ul.chat-group-members__list > li:not(.chat-group-members__next)")) {
            window.place(element);
        }
        window
    }

    /// What a message does to it.
    pub fn apply(&mut self, html: &Html) {
        for element in html.select(&select("ul[data-hx-swap-oob] > li")) {
            self.place(element);
        }
    }

    fn place(&mut self, element: ElementRef<'_>) {
        let attr = |name: &str| element.attr(name).map(str::to_owned);
        let numbers = ["data-seq", "data-status-at", "data-at"];
        assert!(numbers.iter().all(|name| element.attr(name).is_none()), "a number: {}", element.html());
        if attr("data-note").as_deref() == Some("count") {
            self.count = attr("data-count").unwrap();
        }
        if let Some(sections) = attr("data-sections") {
            self.headings =
                sections.split(' ').enumerate().filter_map(|(section, count)| heading(section, count)).collect();
        }
        if attr("data-note").as_deref() == Some("statuses") {
            self.take_statuses(&attr);
        }
        let place = attr("data-order").filter(|_| attr("data-gone").is_none());
        if let Some(scope) = attr("data-heading") {
            self.headings.retain(|_, markup| !markup.contains(&format!("data-heading=\"{scope}\"")));
            self.headings.extend(place.map(|place| (place, element.html())));
        } else if let Some(uid) = attr("data-uid") {
            if let Some(place) = self.places.remove(&uid) {
                self.elements.remove(&place);
            }
            if let Some(place) = place.filter(|place| self.end.as_ref().is_none_or(|end| place <= end)) {
                self.places.insert(uid, place.clone());
                self.elements.insert(place, element.html());
            }
        }
    }

    /// Whoever is not named is as before, or as all others are.
    fn take_statuses(&mut self, note: &impl Fn(&str) -> Option<String>) {
        for (uid, place) in &self.places {
            let is_named = |status: &&str| {
                note(&format!("data-{status}")).is_some_and(|uids| uids.split_whitespace().any(|named| named == uid))
            };
            let named = ["online", "away", "offline"].into_iter().find(is_named).map(str::to_owned);
            if let (Some(status), Some(row)) = (named.or_else(|| note("data-others")), self.elements.get_mut(place)) {
                let word = format!("{}{}", status[..1].to_uppercase(), &status[1..]);
                for old in ["online", "away", "offline"] {
                    let old_word = format!("{}{}", old[..1].to_uppercase(), &old[1..]);
                    *row = row
                        .replace(&format!(" data-status=\"{old}\""), &format!(" data-status=\"{status}\""))
                        .replace(&format!("<i>{old_word}</i>"), &format!("<i>{word}</i>"));
                }
            }
        }
    }

    /// What somebody sees of it: the rows, and the headings of sections that have rows here.
    pub fn shown(&self) -> Window {
        let has_rows = |section: &str| self.elements.keys().any(|place| place.starts_with(section));
        let headings = self.headings.iter().filter(|(place, _)| has_rows(place));
        let elements = self.elements.iter().chain(headings).map(|(place, markup)| (place.clone(), markup.clone()));
        Window { elements: elements.collect(), count: self.count.clone(), ..Window::default() }
    }
}

/// The heading of a section that has members, by its place.
fn heading(section: usize, count: &str) -> Option<(String, String)> {
    let names = [("owner", "Owner"), ("admin", "Admins"), ("moderator", "Moderators"), ("participant", "Participants")];
    let (name, title) = names[section];
    let markup = format!(
        "<li class=\"chat-group-members__heading\" data-order=\"{section}\" data-heading=\"{name}\"><h3>{title} <span>{count}</span></h3></li>"
    );
    // Written as every other element is.
    let markup = fragment(&markup).select(&select("li")).next()?.html();
    (!count.is_empty()).then(|| (section.to_string(), markup))
}

fn seq_of(id: &str) -> u64 {
    id.rsplit_once('.').unwrap().1.parse().unwrap()
}

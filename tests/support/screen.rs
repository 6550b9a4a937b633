//! What a person has on the screen: a window of the list that live messages change, by the rules
//! that every client follows. Written apart from the script, so that server and script are held
//! to the same words.

use std::collections::BTreeMap;

use scraper::{ElementRef, Html};

use super::actor::Actor;
use super::answer::select;
use super::sse::{Message, Raw};

/// The live component of one viewer.
pub struct Screen {
    actor: Actor,
    path: String,
    query: String,
    stream: Raw,
    window: Window,
    /// The id of the last message that was applied.
    last_id: String,
    /// Whether the stream took the component away.
    pub ended: bool,
}

/// Elements of the list by their place, and where the loaded part ends.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Window {
    /// Markup by `data-order`.
    pub elements: BTreeMap<String, String>,
    /// What the component says of the whole filtered list.
    pub count: String,
    places: BTreeMap<String, (String, u64)>,
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
        let window = Window::of(&answer.html());
        let last_id = connect.rsplit_once("lastEventId=").unwrap().1.to_owned();
        Screen { actor: actor.clone(), path, query: query.into(), stream, window, last_id, ended: false }
    }

    /// Applies messages until the group's event of this number.
    pub async fn up_to(&mut self, seq: u64) {
        while !self.ended && seq_of(&self.last_id) < seq {
            let Some(message) = self.stream.next().await else { panic!("the stream ended before {seq}") };
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
        let fresh = self.fetch().await;
        (self.window.shown(), fresh.shown())
    }

    async fn apply(&mut self, message: &Message) {
        let html = message.html();
        self.ended |= html.select(&select("section.chat-group-members--ended")).next().is_some();
        let looks_again = html.select(&select("[data-note=resync], [data-note=renew]")).next().is_some();
        if looks_again {
            self.window = self.fetch().await;
        }
        self.window.apply(&html);
        if let Some(id) = &message.id {
            self.last_id = id.clone();
        }
    }

    async fn fetch(&self) -> Window {
        let until = self.window.end.as_deref().unwrap_or("~");
        let path = format!("{}?{}&part=component&until={until}", self.path, self.query);
        let answer = self.actor.get_with(&path, &[("last-event-id", &self.last_id)]).await.ok();
        Window { end: self.window.end.clone(), ..Window::of(&answer.html()) }
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
        let number = |name: &str| attr(name).and_then(|text| text.parse::<u64>().ok()).unwrap_or_default();
        if attr("data-note").as_deref() == Some("count") {
            self.count = attr("data-count").unwrap();
        }
        let Some(who) = attr("data-uid").or_else(|| attr("data-heading").map(|scope| format!("heading {scope}")))
        else {
            return;
        };
        if self.places.get(&who).is_some_and(|(_, seq)| *seq > number("data-seq")) {
            return;
        }
        if let Some((place, _)) = self.places.remove(&who) {
            self.elements.remove(&place);
        }
        let place = attr("data-order").filter(|_| attr("data-gone").is_none());
        if let Some(place) = place.filter(|place| self.end.as_ref().is_none_or(|end| place <= end)) {
            self.places.insert(who, (place.clone(), number("data-seq")));
            self.elements.insert(place, markup(element));
        }
    }

    /// What somebody sees of it.
    pub fn shown(&self) -> Window {
        Window { elements: self.elements.clone(), count: self.count.clone(), ..Window::default() }
    }
}

/// The element's markup. A heading is stamped with the event it was told by, which says nothing
/// about what it shows.
fn markup(element: ElementRef<'_>) -> String {
    let html = element.html();
    match (element.attr("data-heading"), element.attr("data-seq")) {
        (Some(_), Some(seq)) => html.replace(&format!(" data-seq=\"{seq}\""), ""),
        _ => html,
    }
}

fn seq_of(id: &str) -> u64 {
    id.rsplit_once('.').unwrap().1.parse().unwrap()
}

//! What is on a screen: rows by place, who is there, and how messages change it.

use std::collections::{BTreeMap, HashMap};

use scraper::Html;

use super::stream::seq;
use super::support::screen::Window;
use super::support::sse::Message;
use super::support::{fragment, select};

/// What is on it.
pub struct Screen {
    pub window: Window,
    /// Who is there, by rows and messages.
    pub statuses: HashMap<String, String>,
    pub connect: String,
    pub last: String,
    /// The number of the last answer: older messages change nothing.
    pub answered: u64,
}

/// What a message asks for beyond its swaps.
pub struct Applied {
    pub ended: bool,
    /// The viewer's rights have changed.
    pub renewed: bool,
    /// The missed events cannot be replayed.
    pub resync: bool,
}

impl Screen {
    /// The screen that a page makes; `None` when the page has no component.
    pub fn of(page: &str) -> Option<Screen> {
        let html = fragment(page);
        let root = html.select(&select("section.chat-group-members[data-count]")).next()?;
        let connect = html.select(&select("[data-connect]")).next().and_then(|element| element.attr("data-connect"));
        let connect = connect.or(root.attr("data-connect"))?.to_owned();
        let last = connect.rsplit_once("lastEventId=")?.1.to_owned();
        let answered = seq(&last);
        Some(Screen { window: Window::of(&html), statuses: statuses(&html), connect, last, answered })
    }

    /// What a message does to it.
    pub fn apply(&mut self, message: &Message) -> Applied {
        let html = message.html();
        let has = |selector: &str| html.select(&select(selector)).next().is_some();
        let ended = has("section.chat-group-members--ended");
        if message.id.as_deref().is_some_and(|id| seq(id) < self.answered) {
            return Applied { ended, renewed: false, resync: false };
        }
        let (renewed, resync) = (has("[data-note=renew]"), has("[data-note=resync]"));
        self.window.apply(&html);
        if let Some(note) = html.select(&select("[data-note=statuses]")).next() {
            // Whoever is not named is as before, or as all others are.
            if let Some(others) = note.attr("data-others") {
                self.statuses.values_mut().for_each(|status| *status = others.into());
            }
            for status in ["online", "away", "offline"] {
                for uid in note.attr(&format!("data-{status}")).unwrap_or_default().split_whitespace() {
                    self.statuses.insert(uid.into(), status.into());
                }
            }
        }
        self.statuses.extend(statuses(&html));
        Applied { ended, renewed, resync }
    }

    /// The first difference, in words.
    pub fn rows_unlike(&self, fresh: &Screen) -> Option<String> {
        let (live, fresh) = (self.window.shown(), fresh.window.shown());
        if live.count != fresh.count {
            return Some(format!("{} are counted, on the screen {}", fresh.count, live.count));
        }
        let (live, fresh) = (named(&live.elements), named(&fresh.elements));
        let missing = fresh.iter().find(|(place, row)| live.get(*place) != Some(row));
        let surplus = live.iter().find(|(place, _)| !fresh.contains_key(*place));
        missing
            .map(|(place, row)| format!("{row} belongs at {place}, on the screen {:?}", live.get(place)))
            .or(surplus.map(|(place, row)| format!("{row} is on the screen at {place}, and belongs nowhere")))
    }
}

/// Who is where, and as what.
fn named(elements: &BTreeMap<String, String>) -> BTreeMap<&str, String> {
    let attribute = |html: &str, name: &str| {
        let (_, rest) = html.split_once(&format!(" {name}=\""))?;
        rest.split_once('"').map(|(value, _)| value.to_owned())
    };
    let row = |html: &str| match attribute(html, "data-uid") {
        Some(uid) => format!("{uid} ({})", attribute(html, "data-scope").unwrap_or_default()),
        None => format!("heading {}", attribute(html, "data-heading").unwrap_or_default()),
    };
    elements.iter().map(|(place, html)| (place.as_str(), row(html))).collect()
}

fn statuses(html: &Html) -> HashMap<String, String> {
    let rows = select("li[data-uid][data-status]");
    let found =
        html.select(&rows).filter_map(|row| Some((row.attr("data-uid")?.into(), row.attr("data-status")?.into())));
    found.collect()
}

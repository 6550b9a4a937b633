//! The Atom feed of a group's changes.

use std::borrow::Cow;

use askama::Template;

/// The changes of a group as an Atom feed (RFC 4287).
#[derive(Template)]
#[template(path = "feed.xml")]
pub struct AtomFeed<'a> {
    /// The permanent id of the feed (RFC 4151).
    pub id: String,
    /// The title.
    pub title: String,
    /// The time of the newest change, RFC 3339.
    pub updated: String,
    /// The URL of the feed.
    pub own: String,
    /// The URL of the list.
    pub list: String,
    /// The changes, newest first.
    pub entries: Vec<AtomEntry<'a>>,
}

/// One change.
pub struct AtomEntry<'a> {
    /// The permanent id of the change (RFC 4151).
    pub id: String,
    /// The change in words.
    pub title: String,
    /// What it says to the reader themselves, whom the change is about.
    pub summary: Option<String>,
    /// The time of the change, RFC 3339.
    pub updated: String,
    /// The name of the actor.
    pub author: Cow<'a, str>,
    /// The URL of the member that the change is about, or of the list.
    pub href: String,
}

impl AtomFeed<'_> {
    /// The feed as XML 1.0, without the characters that XML 1.0, section 2.2, forbids even when escaped.
    ///
    /// # Errors
    /// When the template cannot be rendered.
    pub fn to_xml(&self) -> askama::Result<String> {
        let mut text = self.render()?;
        text.retain(is_char);
        Ok(text)
    }
}

/// Whether XML 1.0 allows the character.
fn is_char(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

use std::borrow::Cow;

use askama::Template;

/// What happened in a group, for feed readers: Atom, RFC 4287.
#[derive(Template)]
#[template(path = "feed.xml")]
pub struct Feed<'a> {
    /// Stands for this feed for ever (RFC 4151).
    pub id: String,
    /// What it is called.
    pub title: String,
    /// When the newest change was made, RFC 3339.
    pub updated: String,
    /// Its own URL.
    pub own: String,
    /// The list it tells of.
    pub list: String,
    /// The changes, newest first.
    pub entries: Vec<Entry<'a>>,
}

/// One change.
pub struct Entry<'a> {
    /// Stands for this change for ever (RFC 4151).
    pub id: String,
    /// The change in words.
    pub title: String,
    /// When it was made, RFC 3339.
    pub updated: String,
    /// Who made it.
    pub author: Cow<'a, str>,
    /// The member it is about, or the list.
    pub href: String,
}

impl Feed<'_> {
    /// The feed as XML 1.0, without the characters that its section 2.2 forbids even escaped.
    pub fn written(&self) -> askama::Result<String> {
        let mut text = self.render()?;
        text.retain(is_char);
        Ok(text)
    }
}

fn is_char(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

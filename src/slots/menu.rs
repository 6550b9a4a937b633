//! The context menu of one's own: entries that raise an event, entries that lead somewhere, and
//! the built-in acts among them, or not.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::escaped;
use crate::domain::{Group, Member, Scope, Status, Uid};

/// For the context menu of one member, as one viewer gets it.
#[derive(Debug, Clone)]
pub struct MenuFacts<'a> {
    /// The group.
    pub group: &'a Group,
    /// How many members it has.
    pub members: usize,
    /// How many of them are there; `None` when the view hides statuses.
    pub online: Option<usize>,
    /// What the viewer is in the group.
    pub viewer: Scope,
    /// Who looks.
    pub uid: &'a Uid,
    /// Whose menu it is.
    pub member: &'a Member,
    /// Whether they are there; `None` when the view hides statuses.
    pub status: Option<Status>,
    /// Whether it is the viewer's own menu.
    pub own: bool,
    /// The language of the view.
    pub lang: &'a str,
    pub(crate) entries: Entries,
}

impl MenuFacts<'_> {
    /// An entry that raises the DOM event `chat-group-members:option` with this id in its detail.
    /// On a page without scripts: nothing.
    pub fn option(&self, id: &str, label: &str) -> String {
        self.entries.option(id, label)
    }

    /// An entry that leads to another page.
    ///
    /// # Errors
    /// When the address is neither http, https nor relative.
    pub fn link(&self, url: &str, label: &str) -> Result<String, BadLink> {
        self.entries.link(url, label)
    }

    /// The built-in acts. A menu that does not place them goes without them.
    pub fn acts(&self) -> &str {
        self.entries.acts()
    }

    /// Whether the drawing placed the built-in acts.
    pub(crate) fn has_acts(&self) -> bool {
        self.entries.placed.load(Ordering::Relaxed)
    }
}

/// An address that no entry may lead to.
#[derive(Debug, thiserror::Error)]
#[error("link: only http, https and relative addresses, not {0:?}")]
pub struct BadLink(String);

/// What makes entries. A template's functions hold a copy.
#[derive(Debug, Clone)]
pub(crate) struct Entries {
    acts: Option<Arc<str>>,
    placed: Arc<AtomicBool>,
}

impl Entries {
    /// `acts` are the built-in entries as HTML; `None` on a page without scripts, where they are
    /// forms below the links.
    pub(crate) fn new(acts: Option<String>) -> Entries {
        Entries { acts: acts.map(Arc::from), placed: Arc::default() }
    }

    pub(super) fn option(&self, id: &str, label: &str) -> String {
        let (id, label) = (escaped(id), escaped(label));
        match self.acts {
            Some(_) => format!(
                "<button type=\"button\" class=\"chat-group-members__act\" data-option=\"{id}\">{label}</button>"
            ),
            None => String::new(),
        }
    }

    /// An entry that leads to another page.
    ///
    /// # Errors
    /// [`BadLink`] when the address is neither http, https nor relative.
    pub(super) fn link(&self, url: &str, label: &str) -> Result<String, BadLink> {
        if !leads_to_a_page(url) {
            return Err(BadLink(url.into()));
        }
        Ok(format!("<a class=\"chat-group-members__act\" href=\"{}\">{}</a>", escaped(url), escaped(label)))
    }

    pub(super) fn acts(&self) -> &str {
        self.placed.store(true, Ordering::Relaxed);
        self.acts.as_deref().unwrap_or_default()
    }
}

/// http, https, or relative: no scheme before the first `/`, `?` or `#`. Browsers skip control
/// characters and spaces around and inside a scheme, so there are none.
fn leads_to_a_page(url: &str) -> bool {
    let start = url.split(['/', '?', '#']).next().unwrap_or_default();
    let scheme = start.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
    !url.is_empty()
        && !url.contains(|c: char| c.is_control())
        && url.trim() == url
        && scheme.is_none_or(|scheme| scheme == "http" || scheme == "https")
}

#[cfg(test)]
mod tests {
    use super::leads_to_a_page;

    #[test]
    fn an_entry_leads_to_pages_only() {
        for url in
            ["https://x.example/u/1?a=b:c", "HTTP://x", "/profiles/dee", "profile?u=1:2", "//cdn.example/x", "#a:b"]
        {
            assert!(leads_to_a_page(url), "{url}");
        }
        for url in [
            "",
            "javascript:alert(1)",
            " javascript:alert(1)",
            "java\nscript:x",
            "data:text/html,x",
            "vbscript:x",
            "mailto:a@b",
        ] {
            assert!(!leads_to_a_page(url), "{url}");
        }
    }
}

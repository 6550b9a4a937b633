//! The custom context menu: entries that dispatch an event, links, and the built-in acts where the template places them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::escaped;
use crate::domain::{Group, Member, Scope, Status, Uid};

/// The facts for the context menu of one member, for one viewer.
#[derive(Debug, Clone)]
pub struct MenuFacts<'a> {
    /// The group.
    pub group: &'a Group,
    /// The number of its members.
    pub members: usize,
    /// The number of its members who are online or away; `None` when the props hide statuses.
    pub online: Option<usize>,
    /// The viewer's scope.
    pub viewer: Scope,
    /// The viewer.
    pub uid: &'a Uid,
    /// The member.
    pub member: &'a Member,
    /// The status; `None` when the props hide statuses.
    pub status: Option<Status>,
    /// Whether it is the viewer's own menu.
    pub own: bool,
    /// The language.
    pub lang: &'a str,
    pub(crate) entries: Entries,
}

impl MenuFacts<'_> {
    /// An entry that dispatches the DOM event `chat-group-members:option` with this id in its detail. Empty on a page
    /// without scripts.
    pub fn option(&self, id: &str, label: &str) -> String {
        self.entries.option(id, label)
    }

    /// A link to another page.
    ///
    /// # Errors
    /// When the URL is neither http, https nor relative.
    pub fn link(&self, url: &str, label: &str) -> Result<String, BadLink> {
        self.entries.link(url, label)
    }

    /// The built-in acts. A menu contains them only where the template places them.
    pub fn acts(&self) -> &str {
        self.entries.acts()
    }

    /// Whether the template placed the built-in acts.
    pub(crate) fn has_acts(&self) -> bool {
        self.entries.placed.load(Ordering::Relaxed)
    }
}

/// A URL that no entry may link to. It is not told: it may be what somebody calls themselves, which the log may not hold.
#[derive(Debug, thiserror::Error)]
#[error("link: only http, https and relative addresses")]
pub struct BadLink;

/// Renders entries. Each function of a template holds a copy.
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
        if !is_page_url(url) {
            return Err(BadLink);
        }
        Ok(format!("<a class=\"chat-group-members__act\" href=\"{}\">{}</a>", escaped(url), escaped(label)))
    }

    pub(super) fn acts(&self) -> &str {
        self.placed.store(true, Ordering::Relaxed);
        self.acts.as_deref().unwrap_or_default()
    }
}

/// Whether a URL is http, https or relative, which means no scheme before the first `/`, `?` or `#`. Control characters
/// and surrounding spaces are refused, because browsers ignore them when they read the scheme.
fn is_page_url(url: &str) -> bool {
    let start = url.split(['/', '?', '#']).next().unwrap_or_default();
    let scheme = start.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
    !url.is_empty()
        && !url.contains(|c: char| c.is_control())
        && url.trim() == url
        && scheme.is_none_or(|scheme| scheme == "http" || scheme == "https")
}

#[cfg(test)]
mod tests {
    use super::is_page_url;

    #[test]
    fn an_entry_leads_to_pages_only() {
        for url in
            ["https://x.example/u/1?a=b:c", "HTTP://x", "/profiles/dee", "profile?u=1:2", "//cdn.example/x", "#a:b"]
        {
            assert!(is_page_url(url), "{url}");
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
            assert!(!is_page_url(url), "{url}");
        }
    }
}

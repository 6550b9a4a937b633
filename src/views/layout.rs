//! What every page has around its content.

use std::sync::Arc;

use super::urls::asset;

/// The URLs of a page's assets.
#[derive(Debug, Clone)]
pub struct Layout {
    /// The start of every URL.
    pub base: Arc<str>,
    /// The style sheet.
    pub style: String,
    /// The style sheet of every page except the list's.
    pub pages_style: String,
    /// The style sheet of the page that shows the OpenAPI document.
    pub reference_style: String,
    /// Scripts, in order.
    pub scripts: Vec<String>,
}

impl Layout {
    /// The assets below this base path or public URL.
    pub fn new(base: Arc<str>) -> Layout {
        Layout {
            style: asset(&base, "page.css"),
            pages_style: asset(&base, "pages.css"),
            reference_style: asset(&base, "reference.css"),
            scripts: vec![asset(&base, "chat-group-members-page.js")],
            base,
        }
    }
}

//! What is sent to the host (`webhooks:` of the document). An event is a path item under its type, whose `post` says the body; the
//! schemas it refers to are added to the components.

use utoipa::openapi::{Components, Paths};

/// Every webhook, by its type.
pub(super) fn all(_components: &mut Components) -> Paths {
    Paths::new()
}

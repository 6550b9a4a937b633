//! Requests that change a group: each parses its input, calls one verb, and responds with the same swaps that the live stream
//! sends.
//!
//! # Errors
//! Each handler fails with 404 when the viewer may not know of the group; 400 or 422 when the body, a field or a parameter is not allowed;
//! the status of the refusal (`problem.rs`) when the rules refuse the act; and 503 when the database cannot be used. Joining also fails
//! with 429 after wrong passwords, and with 503 when too many passwords wait to be hashed.
//!
//! Not here: reads (`pages`) and the host's back end (`v3`).

mod bans;
pub(super) mod batch;
mod batch_response;
mod dry_run;
mod input;
pub(super) mod member;
mod mutes;
pub(super) mod notes;
mod owner;
mod refusal;
mod response;
mod scope;
pub(super) mod undo;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::pages;
use crate::app::App;

/// The routes of acts on one person, and of the lists of the banned and the muted. The document has them in this order.
pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(scope::set_scope, scope::post_scope))
        .routes(routes!(owner::transfer, owner::post_owner))
        .routes(routes!(pages::restrictions::list_banned))
        .routes(routes!(bans::ban, bans::unban, bans::post_ban))
        .routes(routes!(pages::restrictions::list_muted))
        .routes(routes!(mutes::mute, mutes::unmute, mutes::post_mute))
}

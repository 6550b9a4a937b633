//! The interface for the host's back end, `/v3`: users, groups, members and bans as data, with the paths, payloads and codes
//! of the original. Server to server only, with an API key.
//!
//! Not here: anything for browsers.

mod auth;
mod banned;
mod body;
mod error;
mod events;
mod groups;
mod lists;
mod member;
mod members;
mod openapi;
mod owner;
mod paging;
mod users;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, patch, post};
use tower_http::catch_panic::CatchPanicLayer;

use crate::app::App;

pub(super) use error::Failure;

/// Largest body of a request, in bytes: about 20,000 members of a full sync.
const BODY: usize = 1024 * 1024;

/// Every route of the host's back end, and the document that describes all of them.
pub(super) fn router(app: &App) -> Router<App> {
    let host = Router::new()
        .route("/users", get(users::list).post(users::create))
        .route("/users/{uid}", get(users::show).put(users::update).delete(users::delete))
        .route("/groups", get(groups::list).post(groups::create))
        .route("/groups/{guid}", get(groups::show).put(groups::update).delete(groups::delete))
        .route("/groups/{guid}/members", get(members::list).post(members::add).put(members::replace))
        .route("/groups/{guid}/members/{uid}", get(member::show).put(member::set_scope).delete(member::remove))
        .route("/groups/{guid}/bannedusers", get(banned::list))
        .route("/groups/{guid}/bannedusers/{uid}", post(banned::ban).delete(banned::unban))
        .route("/groups/{guid}/events", get(events::list))
        .route("/groups/{guid}/events/{seq}/members", get(events::members))
        .route("/groups/{guid}/owner", patch(owner::transfer))
        .fallback(error::nothing_here)
        .method_not_allowed_fallback(error::wrong_method)
        .layer(DefaultBodyLimit::max(BODY))
        .layer(CatchPanicLayer::custom(error::panicked))
        .layer(from_fn_with_state(app.clone(), auth::keep));
    Router::new().nest("/v3", host).route("/openapi.json", get(openapi::document))
}

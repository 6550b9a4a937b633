//! The interface for the host's back end, `/v3`: users, groups, members, bans and mutes as data. Server to server
//! only, with an API key.
//!
//! "The original" is the chat vendor's React component for group members (UI kit, version 6) that this service
//! re-implements, with its REST interface, version 3. Paths, payloads and codes here follow that interface, so that a
//! back end written for it works unchanged.
//!
//! Not here: anything for browsers.

mod action;
mod answer;
mod auth;
mod auth_tokens;
mod banned;
mod body;
mod error;
mod events;
mod export;
mod fields;
mod groups;
mod lists;
mod member;
mod members;
mod muted;
mod near_miss;
mod owner;
mod paging;
mod path;
mod presence;
mod records;
mod restrictions;
mod snapshot;
mod spool;
mod sync;
mod tokens;
mod unoffered;
mod user_groups;
mod users;
mod webhooks;

use axum::Router;
use axum::middleware::from_fn_with_state;
use tower_http::catch_panic::CatchPanicLayer;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;

pub(super) use error::V3Error;

/// Every route of the host's back end, relative to `/v3`.
pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(users::list, users::create))
        .routes(routes!(users::show, users::update, users::delete))
        .routes(routes!(tokens::create, auth_tokens::flush))
        .routes(routes!(user_groups::list))
        .routes(routes!(presence::report))
        .routes(routes!(export::show))
        .routes(routes!(presence::counts))
        .routes(routes!(groups::list, groups::create))
        .routes(routes!(groups::show, groups::update, groups::delete))
        .routes(routes!(owner::transfer))
        .routes(routes!(members::list, members::add, sync::replace, members::leave))
        .routes(routes!(member::show, member::set_scope, member::remove))
        .routes(routes!(events::list))
        .routes(routes!(events::members))
        .routes(routes!(banned::list))
        .routes(routes!(banned::ban, banned::unban))
        .routes(routes!(muted::list))
        .routes(routes!(muted::mute, muted::unmute))
        .routes(routes!(webhooks::list))
        .routes(routes!(webhooks::test))
        .routes(routes!(webhooks::replay))
        .routes(routes!(webhooks::pause))
        .routes(routes!(webhooks::resume_endpoint))
}

/// The routes, behind authentication.
pub(super) fn guarded(routes: Router<App>, app: &App) -> Router<App> {
    routes
        .fallback(error::nothing_here)
        .method_not_allowed_fallback(error::nothing_here)
        .layer(CatchPanicLayer::custom(error::panicked))
        .layer(from_fn_with_state(app.clone(), auth::authenticate))
}

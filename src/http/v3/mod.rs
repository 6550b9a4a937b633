//! The interface for the host's back end, `/v3`: users, groups, members, bans and mutes as data. Server to server
//! only, with an API key.
//!
//! "The original" is the chat vendor's React component for group members (UI kit, version 6) that this service
//! re-implements, with its REST interface, version 3. Paths, payloads and codes here follow that interface, so that a
//! back end written for it works unchanged.
//!
//! `users/`, `groups/`, `members/`, `restrictions/`, `presence.rs` and `webhooks.rs` are the handlers. `request/` reads what a
//! request holds, `lists/` the lists of people in it; `answer.rs`, `records.rs` and `error.rs` are what it is answered with, and
//! `unoffered.rs` has the answers to calls of the original that are not offered.
//!
//! # Errors
//! Handlers fail with a `V3Error`, whose codes are in `error.rs`. Common to most are 400 with the fields or parameters that are not
//! allowed; 401 on behalf of a user who is not a member, and 403 for one who may not do it; 404 when the user, group, member or endpoint
//! is not there; the status of the refusal when the rules refuse the act; and 503 when the database cannot be used.
//!
//! Not here: anything for browsers.

mod answer;
mod error;
mod groups;
mod lists;
mod members;
mod presence;
mod records;
mod request;
mod restrictions;
mod unoffered;
mod users;
mod webhooks;

use axum::Router;
use axum::extract::Request;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use tower_http::catch_panic::CatchPanicLayer;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use self::error::V3Error;
use super::middleware::{has_token_in_url, token_in_url};
use crate::app::App;

/// Every route of the host's back end, relative to `/v3`.
pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(users::list, users::create))
        .routes(routes!(users::show, users::update, users::delete))
        .routes(routes!(users::tokens::create, users::tokens::flush))
        .routes(routes!(users::groups::list))
        .routes(routes!(presence::report))
        .routes(routes!(users::export::show))
        .routes(routes!(presence::counts))
        .routes(routes!(groups::list, groups::create))
        .routes(routes!(groups::show, groups::update, groups::delete))
        .routes(routes!(groups::owner::transfer))
        .routes(routes!(members::list, members::add, members::sync::replace, members::leave))
        .routes(routes!(members::member::show, members::member::set_scope, members::member::remove))
        .routes(routes!(groups::events::list))
        .routes(routes!(groups::events::members))
        .routes(routes!(restrictions::banned::list))
        .routes(routes!(restrictions::banned::ban, restrictions::banned::unban))
        .routes(routes!(restrictions::muted::list))
        .routes(routes!(restrictions::muted::mute, restrictions::muted::unmute))
        .routes(routes!(webhooks::list))
        .routes(routes!(webhooks::test))
        .routes(routes!(webhooks::replay))
        .routes(routes!(webhooks::pause))
        .routes(routes!(webhooks::resume_endpoint))
}

/// The answer to a request that was meant for `/v3` and that no route takes, such as `//v3/users`. It is the same for whoever asks: a
/// proxy that keeps `/v3` from the public may let `//v3` pass, where keys are not to be tried out.
pub(super) fn beside_every_route(request: &Request) -> Response {
    if has_token_in_url(request) {
        return V3Error::from(token_in_url()).into_response();
    }
    V3Error::no_path(request.method(), request.uri().path()).into_response()
}

/// The routes, behind authentication.
pub(super) fn guarded(routes: Router<App>, app: &App) -> Router<App> {
    routes
        .fallback(error::nothing_here)
        .method_not_allowed_fallback(error::nothing_here)
        .layer(CatchPanicLayer::custom(error::panicked))
        .layer(from_fn_with_state(app.clone(), request::auth::authenticate))
}

//! The outside: one table of routes. A handler extracts, calls one verb, renders.

mod acts;
pub mod assets;
mod bans;
mod bodies;
mod events;
mod face;
mod feed;
mod fields;
mod frame;
mod groups;
mod guard;
mod health;
mod json;
mod live_html;
mod live_json;
mod member;
mod members;
mod notice;
mod part;
mod path;
mod problem;
mod reply;
mod seat;
mod selection;
mod session;
mod swaps;
mod v3;
mod viewer;
mod way_back;
mod words;

pub use bodies::Bodies;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{delete, get, post, put};
use tower::util::option_layer;
use tower_http::catch_panic::CatchPanicLayer;

use crate::app::App;

/// Largest body of a request, in bytes.
const BODY: usize = 64 * 1024;

/// Every route, relative to the mount.
pub fn router(app: App) -> Router {
    let component = Router::new()
        .route("/groups/{guid}", get(groups::show))
        .route("/left", get(groups::after_leaving))
        .route("/groups/{guid}/members", get(members::list).post(acts::join))
        .route("/groups/{guid}/members/{uid}", get(member::show).delete(acts::remove).post(acts::post_member))
        .route("/groups/{guid}/members/{uid}/scope", put(acts::set_scope).post(acts::post_scope))
        .route("/groups/{guid}/owner", put(acts::transfer).post(acts::post_owner))
        .route("/groups/{guid}/bans", get(bans::list))
        .route("/groups/{guid}/bans/{uid}", put(acts::ban).delete(acts::unban).post(acts::post_ban))
        .route("/groups/{guid}/events", get(events::stream))
        .route("/groups/{guid}/selection", post(selection::show).get(selection::list).layer(selection::limit()))
        .route("/static/words.json", get(words::show))
        .route("/session", post(session::begin).merge(delete(session::end)))
        .layer(from_fn(guard::tag));
    let operation = Router::new()
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .route("/metrics", get(health::metrics));
    component
        .merge(operation)
        .merge(assets::router())
        .merge(v3::router(&app))
        .fallback(guard::nothing_here)
        .method_not_allowed_fallback(guard::wrong_method)
        .layer(DefaultBodyLimit::max(BODY))
        .layer(from_fn_with_state(app.clone(), problem::give_faces))
        .layer(CatchPanicLayer::custom(problem::panicked))
        .layer(from_fn_with_state(app.clone(), guard::protect))
        .layer(option_layer(guard::cors(&app)))
        .layer(from_fn(guard::trace))
        .with_state(app)
}

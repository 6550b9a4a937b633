//! HTTP: one table of routes. A handler extracts, calls one verb or reads, and renders.
//!
//! Not here: rules (`domain`), changes (`membership`), and markup (`views`).

mod acts;
mod assets;
mod extract;
mod health;
mod middleware;
mod pages;
mod problem;
mod respond;
mod session;
mod stream;
mod v3;
mod words;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{delete, get, post, put};
use tower::util::option_layer;
use tower_http::catch_panic::CatchPanicLayer;

use self::pages::{bans, groups, member, members, selection};
use self::respond::render_problems;
use self::stream::events;
use crate::app::App;

/// Largest body of a request, in bytes.
const BODY: usize = 64 * 1024;

impl App {
    /// Every route, mounted at the configured base path. Nests in any axum application.
    pub fn router(&self) -> Router {
        let router = router(self.clone());
        match self.config().base_path.as_str() {
            "" => router,
            base => Router::new().nest(base, router),
        }
    }
}

/// Every route, relative to the mount.
fn router(app: App) -> Router {
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
        .layer(from_fn(middleware::tag));
    let operation = Router::new()
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .route("/metrics", get(health::metrics));
    component
        .merge(operation)
        .merge(assets::router())
        .merge(v3::router(&app))
        .fallback(middleware::nothing_here)
        .method_not_allowed_fallback(middleware::wrong_method)
        .layer(DefaultBodyLimit::max(BODY))
        .layer(from_fn_with_state(app.clone(), render_problems::render_problems))
        .layer(CatchPanicLayer::custom(render_problems::panicked))
        .layer(from_fn_with_state(app.clone(), middleware::protect))
        .layer(option_layer(middleware::cors(&app)))
        .layer(from_fn(middleware::trace))
        .with_state(app)
}

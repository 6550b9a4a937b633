//! HTTP: one table of routes. A handler extracts, calls one verb or reads, and renders.
//!
//! # Errors
//! A handler fails with a `Problem` (`problem.rs`), and one of `/v3` with a `V3Error` (`v3/error.rs`). The modules `acts`, `pages` and
//! `v3` list the statuses. Handlers do not: their doc comments are published in `/openapi.json`, which lists the refusals of each
//! operation (`openapi/errors.rs`). Before a handler runs, its request is refused without a valid token or key (401) and over the rate
//! limit (429). `session::begin` fails with 400 for a token that no cookie can hold; `events::stream` as the handlers of `pages`, and
//! with 503 when no further stream may be open. Every handler fails with 500 when its template or text cannot be written.
//!
//! Not here: rules (`domain`), changes (`membership`), and markup (`views`).

mod acts;
mod assets;
mod body_progress;
mod compression;
mod detail;
mod docs;
mod extract;
mod health;
mod middleware;
mod openapi;
mod pages;
mod problem;
pub(crate) mod request_id;
mod respond;
mod script_words;
mod session;
mod stream;
mod trace_context;
#[cfg(feature = "otlp")]
mod traces;
mod v3;

use std::sync::LazyLock;

use axum::extract::{DefaultBodyLimit, FromRequestParts, Request, State};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::Response;
use axum::{Extension, Router};
use tower::util::option_layer;
use tower_http::catch_panic::CatchPanicLayer;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt as _};
use utoipa_axum::routes;

use self::extract::Viewer;
#[cfg(feature = "testing")]
#[doc(hidden)]
pub use self::extract::read_body;
pub(crate) use self::middleware::{is_of_host, trace_early_rejection};
use self::openapi::{Audience, Document, LazyDocument};
use self::pages::{groups, member, members, notes, selection};
use self::respond::render_problems;
use self::stream::events;
use crate::app::App;

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

impl App {
    /// The measurements alone, without a key: for a listener that only the operator reaches.
    pub fn metrics_router(&self) -> Router {
        health::alone(self)
    }
}

/// The routes. They are made once: an app is mounted by cloning them.
struct Surface {
    component: Router<App>,
    operation: Router<App>,
    host: Router<App>,
}

static SURFACE: LazyLock<Surface> = LazyLock::new(|| Surface {
    component: component().into(),
    operation: operation().into(),
    host: v3::routes().into(),
});

/// The document that the routes describe themselves with, made when it is first asked for: it is several megabytes of memory.
static DOCUMENT: LazyLock<Document> = LazyLock::new(|| {
    let (_, mut seen) = component().split_for_parts();
    let (_, operated) = operation().split_for_parts();
    let (_, hosted) = v3::routes().split_for_parts();
    seen.merge(operated);
    Audience::Viewer.describe(&mut seen, &openapi::viewer_security());
    let mut document = utoipa::openapi::OpenApi::default().nest("/v3", hosted);
    Audience::Host.describe(&mut document, &openapi::host_security());
    document.merge(seen);
    Document::of(document)
});

/// The routes for viewers.
fn component() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(groups::show))
        .routes(routes!(groups::after_leaving).layer(from_fn(middleware::check_shape)))
        .routes(routes!(members::list, acts::member::join))
        .routes(routes!(member::show, acts::member::remove, acts::member::post_member))
        .merge(acts::routes())
        .routes(routes!(notes::list, acts::notes::add))
        .routes(routes!(acts::notes::remove, acts::notes::post))
        .routes(routes!(events::stream))
        .routes(routes!(acts::undo::undo))
        .routes(routes!(acts::batch::post).layer(selection::limit()))
        .routes(routes!(selection::show, selection::list).layer(selection::limit()))
        .routes(routes!(script_words::show))
        .routes(routes!(script_words::digest))
        .routes(routes!(session::begin, session::end))
}

/// The routes for operators and programs.
fn operation() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(health::alive))
        .routes(routes!(health::ready))
        .routes(routes!(health::metrics))
        .routes(routes!(openapi::document).layer(from_fn(middleware::tag)))
        .routes(routes!(docs::show).layer(from_fn(middleware::tag)))
        .routes(routes!(assets::serve))
}

/// Every route, relative to the mount.
fn router(app: App) -> Router {
    let Surface { component, operation, host } = &*SURFACE;
    let document: LazyDocument = &DOCUMENT;
    let outermost = from_fn(request_id::identify);
    #[cfg(feature = "otlp")]
    let outermost = (outermost, option_layer(app.config().otlp_endpoint.as_ref().map(|_| from_fn(traces::record))));
    // Outermost first, and as one layer: a router clones everything below each separate layer for every request.
    let layers = (
        outermost,
        from_fn(middleware::trace),
        from_fn(body_progress::watch),
        option_layer(middleware::cors(&app)),
        from_fn_with_state(app.clone(), compression::negotiate),
        from_fn_with_state(app.clone(), middleware::protect),
        // For panics while a problem is rendered; those of handlers have become problems by then.
        CatchPanicLayer::custom(render_problems::panicked),
        from_fn_with_state(app.clone(), render_problems::render_problems),
        DefaultBodyLimit::max(extract::LARGEST_BODY),
        Extension(document),
    );
    component
        .clone()
        .layer(from_fn(middleware::tag))
        .merge(operation.clone())
        .nest("/v3", v3::guarded(host.clone(), &app))
        .fallback(nothing_here)
        .method_not_allowed_fallback(middleware::wrong_method)
        .layer(layers)
        .with_state(app)
}

/// No such path, in the form of the part of the interface that it was meant for.
async fn nothing_here(State(app): State<App>, request: Request) -> Response {
    if is_of_host(request.uri().path()) {
        return v3::beside_every_route(&request);
    }
    let (mut parts, _) = request.into_parts();
    middleware::nothing_here(Viewer::from_request_parts(&mut parts, &app).await)
}

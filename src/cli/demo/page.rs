//! The page of the host application. The component is in its first response, fetched from the service as any back end
//! would fetch it.

use askama::Template;
use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, Method, Request, StatusCode, header};
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt as _;
use jiff::Timestamp;
use tower::ServiceExt as _;

use super::chat::{Bubble, MAX_MESSAGE, muted_until};
use super::host::{Demo, GUID, TTL, uid};
use crate::assets::url;
use crate::domain::Uid;
use crate::identity::cookie::NewCookie;
use crate::identity::origin::same_origin;

/// The viewers to choose from: initially the owner, an admin, a moderator and a participant.
const VIEWERS: [(&str, &str); 4] =
    [("ada", "Ada Lindqvist"), ("ben", "Ben Adeyemi"), ("cy", "Cy Marlowe"), ("dee", "Dee Okafor")];

/// The chat page.
#[derive(Template)]
#[template(path = "demo/page.html")]
struct DemoPage {
    styles: [&'static str; 2],
    scripts: [&'static str; 2],
    viewer: Uid,
    choices: Vec<ViewerChoice>,
    /// The URL of the same page under this machine's other host name, which has cookies of its own.
    other: Option<String>,
    caption: Option<&'static str>,
    /// The group's line for the header, from the service.
    line: String,
    messages: Vec<Bubble>,
    last: u64,
    /// The end of the viewer's mute.
    muted_until: Option<Timestamp>,
    /// The component from the service, or why the viewer may not see it.
    component: Result<String, Outside>,
}

/// A viewer to choose.
struct ViewerChoice {
    uid: &'static str,
    name: &'static str,
    scope: &'static str,
    chosen: bool,
}

/// Why the viewer may not see the members.
#[derive(Clone, Copy, PartialEq)]
enum Outside {
    Banned,
    NotAMember,
}

impl DemoPage {
    fn muted(&self, until: &Timestamp) -> String {
        muted_until(*until)
    }

    fn inside(&self) -> bool {
        self.component.is_ok()
    }
}

/// `GET /`: the page, with the component's props as its query.
pub(super) async fn show(State(demo): State<Demo>, headers: HeaderMap, RawQuery(query): RawQuery) -> Response {
    let viewer = match demo.viewer(&headers).await {
        Some(viewer) => viewer,
        None => uid(if host(&headers).starts_with("localhost") { "dee" } else { "ada" }),
    };
    let token = demo.token(&viewer);
    let props = query.map(|query| format!("&{query}")).unwrap_or_default();
    let list = fetch(&demo, &format!("/groups/{GUID}/members?part=component{props}"), &token).await;
    let line = fetch(&demo, &format!("/groups/{GUID}"), &token).await;
    let component = match (list.0, line.0) {
        (StatusCode::NOT_FOUND, StatusCode::CONFLICT) => Err(Outside::Banned),
        (StatusCode::NOT_FOUND, _) => Err(Outside::NotAMember),
        // For an invalid prop, the service responds with a message made for this place.
        _ => Ok(list.1),
    };
    let (messages, last) = if component.is_ok() { demo.0.chat.bubbles(&viewer) } else { Default::default() };
    let page = DemoPage {
        styles: ["css-variables.css", "demo.css"].map(url),
        scripts: ["chat-group-members.js", "demo.js"].map(url),
        choices: choices(&demo, &viewer),
        other: demo.has_two_names().then(|| other_name(host(&headers))).flatten(),
        caption: demo.0.simulation.caption(),
        line: if line.0 == StatusCode::OK { line.1 } else { String::new() },
        muted_until: demo.muted_until(&viewer),
        viewer,
        messages,
        last,
        component,
    };
    let mut response = html(StatusCode::OK, page.render());
    set_cookie(&demo, &mut response, &token);
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, demo.app().content_security_policy().clone());
    response
}

/// `POST /demo/look`: makes this browser another viewer's.
pub(super) async fn switch_viewer(State(demo): State<Demo>, headers: HeaderMap, body: String) -> Response {
    let asked = form_urlencoded::parse(body.as_bytes()).find(|(name, _)| name == "uid");
    let chosen = asked.and_then(|(_, uid)| uid.parse::<Uid>().ok());
    let Some(chosen) = chosen.filter(|_| same_origin(&Method::POST, &headers, None)) else {
        return (StatusCode::BAD_REQUEST, "uid: somebody of this group, from this page.\n").into_response();
    };
    let mut response = see_other("/");
    set_cookie(&demo, &mut response, &demo.token(&chosen));
    response
}

/// Whether a browser navigates, so that it needs a page as the response.
pub(super) fn navigates(headers: &HeaderMap) -> bool {
    headers
        .get(header::ACCEPT)
        .and_then(|accept| accept.to_str().ok())
        .is_some_and(|accept| accept.contains("text/html"))
}

pub(super) fn see_other(path: &'static str) -> Response {
    (StatusCode::SEE_OTHER, [(header::LOCATION, path)]).into_response()
}

/// A response with a rendered template, not to be cached.
pub(super) fn html(status: StatusCode, text: askama::Result<String>) -> Response {
    match text {
        Ok(text) => {
            let headers = [
                (header::CONTENT_TYPE, "text/html; charset=utf-8"),
                (header::CACHE_CONTROL, "no-store"),
                (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
                (header::REFERRER_POLICY, "same-origin"),
            ];
            (status, headers, text).into_response()
        }
        Err(error) => {
            tracing::error!(%error, "cannot render the demo's page");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

/// Requests a path of the service with the viewer's bearer token, without a network.
async fn fetch(demo: &Demo, path: &str, token: &str) -> (StatusCode, String) {
    let request = Request::get(path).header(header::AUTHORIZATION, format!("Bearer {token}")).body(Body::empty());
    let Ok(request) = request else { return (StatusCode::BAD_REQUEST, String::new()) };
    let Ok(response) = demo.app().router().oneshot(request).await;
    let status = response.status();
    let body = response.into_body().collect().await.map(|body| body.to_bytes()).unwrap_or_default();
    (status, String::from_utf8_lossy(&body).into_owned())
}

fn choices(demo: &Demo, viewer: &Uid) -> Vec<ViewerChoice> {
    let scope = |uid| demo.member(uid).map_or("outside", |member| member.scope.as_str());
    VIEWERS.map(|(uid, name)| ViewerChoice { uid, name, scope: scope(uid), chosen: viewer.as_str() == uid }).into()
}

fn set_cookie(demo: &Demo, response: &mut Response, token: &str) {
    let name = &demo.app().config().viewer_cookie;
    let cookie = NewCookie { name, value: token, base_path: "", cross_site: false, secure: false, max_age: TTL };
    let header = cookie.header().expect("a token is letters, digits, hyphens, underscores and full stops");
    response.headers_mut().append(header::SET_COOKIE, header);
}

fn host(headers: &HeaderMap) -> &str {
    headers.get(header::HOST).map(HeaderValue::to_str).and_then(Result::ok).unwrap_or_default()
}

/// This page under the machine's other host name.
fn other_name(host: &str) -> Option<String> {
    let (name, port) = host.rsplit_once(':').unwrap_or((host, "80"));
    let port: u16 = port.parse().ok()?;
    match name {
        "127.0.0.1" => Some(format!("http://localhost:{port}/")),
        "localhost" => Some(format!("http://127.0.0.1:{port}/")),
        _ => None,
    }
}

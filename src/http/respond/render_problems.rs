//! Renders every problem in the format that its request asks for: fragment, page or
//! `application/problem+json` (RFC 9457).

use std::any::Any;
use std::panic::AssertUnwindSafe;

use askama::Template;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;

use super::placeholder;
use super::reply::{as_of, html};
use crate::app::App;
use crate::domain::Guid;
use crate::http::extract::{Format, RequestInfo, text};
use crate::http::problem::Problem;
use crate::http::request_id;
use crate::i18n::Lang;
use crate::views::{Alert, ErrorPage, Props, WayBack, component_id};

/// Reads the request's information once, for handlers too, and renders every problem in its format. A handler that panics has a
/// problem like every other.
pub(in crate::http) async fn render_problems(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let info = RequestInfo::of(request.headers(), request.uri().query().unwrap_or_default());
    request.extensions_mut().insert(info.clone());
    let (method, uri, version) = (request.method().clone(), request.uri().clone(), request.version());
    let response = match AssertUnwindSafe(next.run(request)).catch_unwind().await {
        Ok(response) => response,
        Err(cause) => Problem::panicked(&*cause).into_response(),
    };
    match response.extensions().get::<Problem>() {
        Some(problem) => {
            let mut response = problem.render(&app, &info, placeholder::list_url(&app, &info, &method, &uri));
            // Refused without its component: the form that was sent says by its URL where it stands.
            if info.format == Format::Fragment
                && problem.component.is_none()
                && is_for_error_place(problem.status)
                && let Some(id) = acting_component(&info, &method, &uri)
            {
                in_error_place(response.headers_mut(), &id);
            }
            // HTTP/2 has no such header.
            if problem.closes_connection && version <= Version::HTTP_11 {
                set(response.headers_mut(), "connection", "close");
            }
            response
        }
        None => in_language(response, &info),
    }
}

/// A bug in what renders problems: logged, and answered in plain text.
pub(in crate::http) fn panicked(cause: Box<dyn Any + Send>) -> Response {
    let problem = Problem::panicked(&*cause);
    (problem.status, [(header::CACHE_CONTROL, "no-store")], problem.detail.text(Lang::EN_US)).into_response()
}

impl Problem {
    /// The answer in the format of this request. `list`: the URL of the list in whose place it is shown.
    pub(in crate::http) fn render(&self, app: &App, info: &RequestInfo, list: Option<String>) -> Response {
        let (detail, plain) = (self.detail.html(info.lang).to_string(), self.detail.text(info.lang));
        let title = info.lang.text(self.title);
        let is_line = list.is_some() && self.component.is_none();
        // A "not found" response echoes nothing.
        let list = list.filter(|_| is_line && self.status != StatusCode::NOT_FOUND);
        let mut alert =
            Alert { lang: info.lang, code: self.code, title, detail: &detail, plain: &plain, custom: None, list };
        let mut response = match info.format {
            Format::Json | Format::Csv | Format::Atom => json(self, info.lang),
            Format::Fragment if is_line => placeholder::refused(&alert, self.status),
            Format::Fragment => {
                alert.custom = self.component.as_ref().and_then(|context| context.error(&alert));
                let alert = alert.render().unwrap_or_default();
                match self.fresh.as_deref() {
                    Some((fresh, id)) => as_of(html(alert + fresh), id),
                    None => html(alert),
                }
            }
            Format::Page => {
                let list = || self.component.as_ref().map(|context| WayBack::Page(context.href_with("")));
                let back = self.back.as_deref().cloned().or_else(list);
                html(ErrorPage { layout: app.layout(), alert, back, lang: info.lang }.render().unwrap_or_default())
            }
        };
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        set(headers, "content-language", info.lang.tag());
        if let (Format::Fragment, Some(context)) = (info.format, self.component.as_deref()) {
            in_error_place(headers, &context.id);
        }
        if let Some(seconds) = self.retry_after {
            set(headers, "retry-after", &seconds.to_string());
        }
        if self.status == StatusCode::UNAUTHORIZED {
            set(headers, "www-authenticate", "Bearer");
        }
        response
    }
}

/// Whether a problem of this status is shown in the error place of its component. For 401 the script asks the host for a token; 404 and
/// 405 must not reveal whether the group exists, and echo nothing.
fn is_for_error_place(status: StatusCode) -> bool {
    !matches!(status, StatusCode::UNAUTHORIZED | StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED)
}

/// The id of the component whose form sent this act; nothing for any other request.
fn acting_component(info: &RequestInfo, method: &Method, uri: &Uri) -> Option<String> {
    let mut path = uri.path().split('/').skip(1);
    let guid: Guid = path.next().filter(|&first| first == "groups").and(path.next())?.parse().ok()?;
    let props = Props::parse(info.pairs(), 0).ok()?;
    (!method.is_safe()).then(|| component_id(&guid, props.instance.as_deref()))
}

/// Has htmx put the answer where the component shows what went wrong.
fn in_error_place(headers: &mut HeaderMap, component: &str) {
    set(headers, "hx-retarget", &format!("#{component}-error"));
    set(headers, "hx-reswap", "innerHTML");
}

/// Says in which language an answer is, if it says anything.
fn in_language(mut response: Response, info: &RequestInfo) -> Response {
    let kind = text(response.headers(), header::CONTENT_TYPE.as_str()).unwrap_or_default();
    let speaks = kind.starts_with("text/html") || kind.starts_with("text/event-stream") && info.format != Format::Json;
    if speaks {
        set(response.headers_mut(), "content-language", info.lang.tag());
    }
    response
}

fn json(problem: &Problem, lang: Lang) -> Response {
    let mut body = serde_json::json!({
        "type": format!("about:blank#{}", problem.code),
        "title": lang.text(problem.title),
        "status": problem.status.as_u16(),
        "detail": problem.detail.for_programs(lang),
        "code": problem.code,
    });
    // A "not found" response is the same for everybody, byte for byte.
    if problem.code != Problem::not_there().code {
        body["requestId"] = serde_json::json!(request_id::current());
    }
    ([(header::CONTENT_TYPE, "application/problem+json")], Body::from(body.to_string())).into_response()
}

fn set(headers: &mut HeaderMap, name: &'static str, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}

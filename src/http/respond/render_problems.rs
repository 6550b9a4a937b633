//! Renders every problem in the format that its request asks for: fragment, page or
//! `application/problem+json` (RFC 9457).

use std::any::Any;

use askama::Template;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::reply::{as_of, html};
use crate::app::App;
use crate::http::extract::{Ask, Face, text};
use crate::http::problem::Problem;
use crate::lang::Lang;
use crate::views::{Alert, ErrorPage};

/// Reads what is asked, for handlers too, and gives every problem the face its request wants.
pub async fn give_faces(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let ask = Ask::of(request.headers(), request.uri().query().unwrap_or_default());
    request.extensions_mut().insert(ask.clone());
    let response = next.run(request).await;
    match response.extensions().get::<Problem>() {
        Some(problem) => problem.faced(&app, &ask),
        None => in_language(response, &ask),
    }
}

/// A bug: logged, and answered like every other failure of ours.
pub fn panicked(cause: Box<dyn Any + Send>) -> Response {
    let problem = Problem::panicked(&*cause);
    (problem.status, [(header::CACHE_CONTROL, "no-store")], problem.detail.text(Lang::EN_US)).into_response()
}

impl Problem {
    /// The answer with the face this request wants.
    pub fn faced(&self, app: &App, ask: &Ask) -> Response {
        let (detail, plain) = (self.detail.html(ask.lang).to_string(), self.detail.text(ask.lang));
        let title = ask.lang.text(self.title);
        let mut alert = Alert { code: self.code, title, detail: &detail, plain: &plain, drawn: None };
        let mut response = match ask.face {
            Face::Json | Face::Csv | Face::Atom => json(self, ask.lang),
            Face::Fragment => {
                alert.drawn = self.component.as_ref().and_then(|look| look.error(&alert));
                let alert = alert.render().unwrap_or_default();
                match &self.fresh {
                    Some((fresh, id)) => as_of(html(alert + fresh), id),
                    None => html(alert),
                }
            }
            Face::Page => {
                let back = self.component.as_ref().map(|look| look.href_with(""));
                html(ErrorPage { layout: app.layout(), alert, back, lang: ask.lang }.render().unwrap_or_default())
            }
        };
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        set(headers, "content-language", ask.lang.tag());
        if let (Face::Fragment, Some(look)) = (ask.face, self.component.as_deref()) {
            set(headers, "hx-retarget", &format!("#{}-error", look.id));
            set(headers, "hx-reswap", "innerHTML");
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

/// Says in which language an answer is, if it says anything.
fn in_language(mut response: Response, ask: &Ask) -> Response {
    let kind = text(response.headers(), header::CONTENT_TYPE.as_str()).unwrap_or_default();
    let speaks = kind.starts_with("text/html") || kind.starts_with("text/event-stream") && ask.face != Face::Json;
    if speaks {
        set(response.headers_mut(), "content-language", ask.lang.tag());
    }
    response
}

fn json(problem: &Problem, lang: Lang) -> Response {
    let body = serde_json::json!({
        "type": format!("about:blank#{}", problem.code),
        "title": lang.text(problem.title),
        "status": problem.status.as_u16(),
        "detail": problem.detail.text(lang),
        "code": problem.code,
    });
    ([(header::CONTENT_TYPE, "application/problem+json")], Body::from(body.to_string())).into_response()
}

fn set(headers: &mut HeaderMap, name: &'static str, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}

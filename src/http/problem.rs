//! One meaning, three faces: a refusal or failure as fragment, page or `application/problem+json`
//! (RFC 9457). Internals are logged once and never shown.

use std::any::Any;

use askama::Template;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::face::{Ask, Face};
use super::reply::html;
use crate::app::App;
use crate::domain::Refusal;
use crate::identity::TokenError;
use crate::live::JoinError;
use crate::membership::ActError;
use crate::store::StoreError;
use crate::views::{Alert, BadProp, ErrorPage, Look};

/// What went wrong, before it has a face.
#[derive(Debug, Clone)]
pub struct Problem {
    /// The HTTP status.
    pub status: StatusCode,
    /// The contract's code.
    pub code: &'static str,
    /// What happened, in a few words.
    pub title: &'static str,
    /// Why, and what to do.
    pub detail: String,
    /// Seconds after which trying again may work.
    pub retry_after: Option<u32>,
    /// Markup behind the alert of a fragment: the fresh row of a refused act.
    pub fresh: Option<String>,
    /// The component that asked: there the alert lands, and there its page leads back.
    pub component: Option<Box<Look>>,
}

impl Problem {
    fn new(status: StatusCode, code: &'static str, title: &'static str, detail: impl Into<String>) -> Problem {
        Problem { status, code, title, detail: detail.into(), retry_after: None, fresh: None, component: None }
    }

    /// The one answer for what is not there and for what is not yours to see.
    pub fn not_there() -> Problem {
        Problem::new(
            StatusCode::NOT_FOUND,
            "ERR_GUID_NOT_FOUND",
            "Not found",
            "There is no such group, or it is not yours to see.",
        )
    }

    /// The group is there and this person is not in it.
    pub fn not_a_member() -> Problem {
        Problem::new(StatusCode::NOT_FOUND, "ERR_NOT_A_MEMBER", "Not a member", "They are not a member of this group.")
    }

    /// Cannot be read.
    pub fn bad_request(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, "ERR_BAD_REQUEST", "This request cannot be read", detail)
    }

    /// A value is not allowed; `detail` names it.
    pub fn invalid(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "ERR_VALIDATION", "A value is not allowed", detail)
    }

    /// Nobody said who is asking.
    pub fn no_token() -> Problem {
        Problem::new(
            StatusCode::UNAUTHORIZED,
            "AUTH_ERR_AUTH_TOKEN_NOT_FOUND",
            "Please sign in",
            "This needs a viewer token, as a bearer or in the session cookie.",
        )
    }

    /// Too large.
    pub fn too_large() -> Problem {
        Problem::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "ERR_TOO_LARGE",
            "Too large",
            "The body of this request is too large.",
        )
    }

    /// Too fast.
    pub fn too_fast(seconds: u32) -> Problem {
        let problem = Problem::new(
            StatusCode::TOO_MANY_REQUESTS,
            "ERR_TOO_MANY_REQUESTS",
            "Too fast",
            format!("Try again in {seconds} s."),
        );
        Problem { retry_after: Some(seconds), ..problem }
    }

    /// Cannot now.
    pub fn unavailable() -> Problem {
        let problem = Problem::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "ERR_UNAVAILABLE",
            "Not possible at the moment",
            "Nothing was changed. Try again in a moment.",
        );
        Problem { retry_after: Some(2), ..problem }
    }

    /// Ours; says only a number that is in the log too.
    pub fn internal(cause: &dyn std::fmt::Display) -> Problem {
        let mut bytes = [0u8; 6];
        let _ = getrandom::fill(&mut bytes);
        let number: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        tracing::error!(request = %number, %cause, "internal error");
        Problem::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "ERR_INTERNAL",
            "Something is wrong on our side",
            format!("Say this number when you report it: {number}"),
        )
    }

    /// A refusal by the law.
    pub fn refused(refusal: Refusal) -> Problem {
        use StatusCode as S;
        let (status, code, title) = match refusal {
            Refusal::NotThere => return Problem::not_there(),
            Refusal::NotAMember => return Problem::not_a_member(),
            Refusal::GrantsTooMuch(_) => (S::FORBIDDEN, "ERR_GROUP_NO_SCOPE_CLEARANCE", "Not allowed"),
            Refusal::BansThemselves => (S::FORBIDDEN, "ERR_GROUP_NO_SELF_ACTION", "Not allowed"),
            Refusal::OwnerMustTransfer => (S::CONFLICT, "ERR_OWNER_MUST_TRANSFER", "The owner must stay"),
            Refusal::Banned => (S::CONFLICT, "ERR_BANNED_GROUPMEMBER", "Banned"),
            Refusal::ParticipantsActOnNobody
            | Refusal::Equal(_)
            | Refusal::Above(_)
            | Refusal::OwnerOnly
            | Refusal::WrongPassword => (S::FORBIDDEN, "ERR_GROUP_NO_CLEARANCE", "Not allowed"),
        };
        Problem::new(status, code, title, refusal.to_string())
    }

    /// What the screen offered is not so any more.
    pub fn out_of_date() -> Problem {
        Problem::new(
            StatusCode::FORBIDDEN,
            "ERR_GROUP_NO_CLEARANCE",
            "Not possible any more",
            "Their scope or yours has changed since this was shown.",
        )
    }

    /// The same, to land in the component that asked.
    pub fn in_component(self, look: &Look) -> Problem {
        Problem { component: Some(Box::new(look.clone())), ..self }
    }
}

impl From<TokenError> for Problem {
    fn from(error: TokenError) -> Self {
        Problem::new(StatusCode::UNAUTHORIZED, "AUTH_ERR_NO_ACCESS", "Please sign in again", error.to_string())
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable(cause) => {
                tracing::warn!(%cause, "the database cannot be used");
                Problem::unavailable()
            }
            StoreError::Inconsistent(_) => Problem::internal(&error),
        }
    }
}

impl From<ActError> for Problem {
    fn from(error: ActError) -> Self {
        match error {
            ActError::Refused { refusal, .. } => Problem::refused(refusal),
            ActError::NoSuchGroup => Problem::not_there(),
            ActError::NoSuchUser(_) => Problem::not_a_member(),
            ActError::KeyReused | ActError::Invalid(_) => Problem::invalid(error.to_string()),
            ActError::Store(error) => error.into(),
        }
    }
}

impl From<JoinError> for Problem {
    fn from(error: JoinError) -> Self {
        match error {
            JoinError::NotThere => Problem::not_there(),
            JoinError::Store(error) => error.into(),
        }
    }
}

impl From<BadProp> for Problem {
    fn from(bad: BadProp) -> Self {
        Problem::invalid(bad.to_string())
    }
}

impl From<askama::Error> for Problem {
    fn from(error: askama::Error) -> Self {
        Problem::internal(&error)
    }
}

impl IntoResponse for Problem {
    /// Without a face yet: [`give_faces`] knows who asks.
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

/// Gives every problem the face its request wants.
pub async fn give_faces(State(app): State<App>, request: Request, next: Next) -> Response {
    let ask = Ask::of(request.headers(), request.uri().query().unwrap_or_default());
    let response = next.run(request).await;
    match response.extensions().get::<Problem>() {
        Some(problem) => problem.faced(&app, &ask),
        None => response,
    }
}

/// A bug: logged, and answered like every other failure of ours.
pub fn panicked(cause: Box<dyn Any + Send>) -> Response {
    let words = cause
        .downcast_ref::<String>()
        .map(String::as_str)
        .or(cause.downcast_ref::<&str>().copied())
        .unwrap_or("a panic");
    let problem = Problem::internal(&words);
    (problem.status, [(header::CACHE_CONTROL, "no-store")], problem.detail).into_response()
}

impl Problem {
    /// The answer with the face this request wants.
    pub fn faced(&self, app: &App, ask: &Ask) -> Response {
        let mut alert = Alert { code: self.code, title: self.title, detail: &self.detail, drawn: None };
        let mut response = match ask.face {
            Face::Json | Face::Csv => json(self),
            Face::Fragment => {
                alert.drawn = self.component.as_ref().and_then(|look| look.error(&alert));
                html(alert.render().unwrap_or_default() + self.fresh.as_deref().unwrap_or_default())
            }
            Face::Page => {
                let back = self.component.as_ref().map(|look| look.href_with(""));
                html(ErrorPage { layout: app.layout(), alert, back }.render().unwrap_or_default())
            }
        };
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
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

fn json(problem: &Problem) -> Response {
    let body = serde_json::json!({
        "type": format!("about:blank#{}", problem.code),
        "title": problem.title,
        "status": problem.status.as_u16(),
        "detail": problem.detail,
        "code": problem.code,
    });
    ([(header::CONTENT_TYPE, "application/problem+json")], Body::from(body.to_string())).into_response()
}

fn set(headers: &mut HeaderMap, name: &'static str, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}

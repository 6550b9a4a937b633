//! One meaning, three faces: a refusal or failure as fragment, page or `application/problem+json`
//! (RFC 9457). Internals are logged once and never shown.

use std::any::Any;

use askama::Template;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::face::{Ask, Face, text};
use super::reply::{as_of, html};
use crate::app::App;
use crate::domain::Refusal;
use crate::identity::TokenError;
use crate::lang::{Html, Key, Lang, Said, key};
use crate::live::{EventId, JoinError};
use crate::membership::ActError;
use crate::store::StoreError;
use crate::views::{self, Alert, BadProp, ErrorPage, Look};

/// What went wrong, before it has a face.
#[derive(Debug, Clone)]
pub struct Problem {
    /// The HTTP status.
    pub status: StatusCode,
    /// The contract's code.
    pub code: &'static str,
    /// What happened, in a few words.
    pub title: Key,
    /// Why, and what to do.
    pub detail: Detail,
    /// Seconds after which trying again may work.
    pub retry_after: Option<u32>,
    /// Markup behind the alert of a fragment, and the event it is as of: the fresh row of a refused act.
    pub fresh: Option<(String, EventId)>,
    /// The component that asked: there the alert lands, and there its page leads back.
    pub component: Option<Box<Look>>,
}

/// Why, and what to do.
#[derive(Debug, Clone)]
pub enum Detail {
    /// Sentences for people, in whatever language they read.
    Said(Vec<Said>),
    /// For whoever wrote the request: names of parameters and what they may be, in English.
    Plain(String),
}

impl Detail {
    /// As plain text.
    pub fn text(&self, lang: Lang) -> String {
        match self {
            Detail::Said(all) => all.iter().map(|said| said.text(lang)).collect::<Vec<_>>().join(" "),
            Detail::Plain(text) => text.clone(),
        }
    }

    /// As HTML.
    fn html(&self, lang: Lang) -> Html {
        match self {
            Detail::Said(all) => Html::join(all.iter().map(|said| said.html(lang))),
            Detail::Plain(text) => Html::of(text),
        }
    }
}

impl From<Key> for Detail {
    fn from(key: Key) -> Detail {
        Detail::Said(vec![key.into()])
    }
}

impl From<Said> for Detail {
    fn from(said: Said) -> Detail {
        Detail::Said(vec![said])
    }
}

impl Problem {
    fn new(status: StatusCode, code: &'static str, title: Key, detail: impl Into<Detail>) -> Problem {
        Problem { status, code, title, detail: detail.into(), retry_after: None, fresh: None, component: None }
    }

    /// The one answer for what is not there and for what is not yours to see.
    pub fn not_there() -> Problem {
        Problem::new(StatusCode::NOT_FOUND, "ERR_GUID_NOT_FOUND", key::ERROR_NOT_FOUND, key::ERROR_NOT_FOUND_HINT)
    }

    /// The group is there and this person is not in it.
    pub fn not_a_member() -> Problem {
        Problem::new(StatusCode::NOT_FOUND, "ERR_NOT_A_MEMBER", key::ERROR_NOT_A_MEMBER, key::REFUSED_NOT_A_MEMBER)
    }

    /// Cannot be read.
    pub fn bad_request(detail: impl Into<String>) -> Problem {
        let detail = Detail::Plain(detail.into());
        Problem::new(StatusCode::BAD_REQUEST, "ERR_BAD_REQUEST", key::ERROR_BAD_REQUEST, detail)
    }

    /// A value is not allowed; `detail` names it.
    pub fn invalid(detail: impl Into<String>) -> Problem {
        let detail = Detail::Plain(detail.into());
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "ERR_VALIDATION", key::ERROR_INVALID, detail)
    }

    /// Only the list of members has a feed.
    pub fn no_feed() -> Problem {
        Problem::invalid("format: only the list of members has a feed (atom)")
    }

    /// Nobody said who is asking.
    pub fn no_token() -> Problem {
        let (title, detail) = (key::ERROR_SIGN_IN, key::ERROR_SIGN_IN_HINT);
        Problem::new(StatusCode::UNAUTHORIZED, "AUTH_ERR_AUTH_TOKEN_NOT_FOUND", title, detail)
    }

    /// Too large.
    pub fn too_large() -> Problem {
        let (title, detail) = (key::ERROR_TOO_LARGE, key::ERROR_TOO_LARGE_HINT);
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "ERR_TOO_LARGE", title, detail)
    }

    /// Too fast.
    pub fn too_fast(seconds: u32) -> Problem {
        let detail = Said::from(key::ERROR_TOO_FAST_HINT).count(seconds as usize);
        let problem = Problem::new(StatusCode::TOO_MANY_REQUESTS, "ERR_TOO_MANY_REQUESTS", key::ERROR_TOO_FAST, detail);
        Problem { retry_after: Some(seconds), ..problem }
    }

    /// Cannot now.
    pub fn unavailable() -> Problem {
        let (title, detail) = (key::ERROR_UNAVAILABLE, key::ERROR_UNAVAILABLE_HINT);
        let problem = Problem::new(StatusCode::SERVICE_UNAVAILABLE, "ERR_UNAVAILABLE", title, detail);
        Problem { retry_after: Some(2), ..problem }
    }

    /// Cannot say whether it was done.
    pub fn unsure() -> Problem {
        let (title, detail) = (key::ERROR_UNSURE, key::ERROR_UNSURE_HINT);
        Problem { title, detail: detail.into(), ..Problem::unavailable() }
    }

    /// Ours; says only a number that is in the log too.
    pub fn internal(cause: &dyn std::fmt::Display) -> Problem {
        let mut bytes = [0u8; 6];
        let _ = getrandom::fill(&mut bytes);
        let number: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        tracing::error!(request = %number, %cause, "internal error");
        let detail = Said::from(key::ERROR_INTERNAL_HINT).with("number", number);
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "ERR_INTERNAL", key::ERROR_INTERNAL, detail)
    }

    /// A refusal by the law.
    pub fn refused(refusal: Refusal) -> Problem {
        use StatusCode as S;
        let (status, code, title) = match refusal {
            Refusal::NotThere => return Problem::not_there(),
            Refusal::NotAMember => return Problem::not_a_member(),
            Refusal::GrantsTooMuch(_) => (S::FORBIDDEN, "ERR_GROUP_NO_SCOPE_CLEARANCE", key::ERROR_NOT_ALLOWED),
            Refusal::BansThemselves => (S::FORBIDDEN, "ERR_GROUP_NO_SELF_ACTION", key::ERROR_NOT_ALLOWED),
            Refusal::OwnerMustTransfer => (S::CONFLICT, "ERR_OWNER_MUST_TRANSFER", key::ERROR_OWNER_MUST_STAY),
            Refusal::Banned => (S::CONFLICT, "ERR_BANNED_GROUPMEMBER", key::ERROR_BANNED),
            Refusal::ParticipantsActOnNobody
            | Refusal::Equal(_)
            | Refusal::Above(_)
            | Refusal::OwnerOnly
            | Refusal::WrongPassword => (S::FORBIDDEN, "ERR_GROUP_NO_CLEARANCE", key::ERROR_NOT_ALLOWED),
        };
        Problem::new(status, code, title, views::refused(refusal))
    }

    /// Banned, and until when: milliseconds since the epoch, `None` until lifted.
    pub fn banned(until: Option<i64>) -> Problem {
        let detail = Detail::Said(vec![key::REFUSED_BANNED.into(), views::banned_until(until)]);
        Problem { detail, ..Problem::refused(Refusal::Banned) }
    }

    /// What the screen offered is not so any more.
    pub fn out_of_date() -> Problem {
        let (title, detail) = (key::ERROR_NOT_ANY_MORE, key::REFUSED_OUTDATED);
        Problem::new(StatusCode::FORBIDDEN, "ERR_GROUP_NO_CLEARANCE", title, detail)
    }

    /// The same, to land in the component that asked.
    pub fn in_component(self, look: &Look) -> Problem {
        Problem { component: Some(Box::new(look.clone())), ..self }
    }
}

impl From<TokenError> for Problem {
    fn from(error: TokenError) -> Self {
        // Whatever else is wrong with a token is for whoever made it.
        let detail = match error {
            TokenError::Expired => key::ERROR_TOKEN_EXPIRED.into(),
            error => Detail::Plain(error.to_string()),
        };
        Problem::new(StatusCode::UNAUTHORIZED, "AUTH_ERR_NO_ACCESS", key::ERROR_SIGN_IN_AGAIN, detail)
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable(cause) => {
                tracing::warn!(%cause, "the database cannot be used");
                Problem::unavailable()
            }
            // Told once, by whoever moves it: not at every act.
            StoreError::Moving => {
                tracing::debug!("an act was refused: the database moves");
                Problem::unavailable()
            }
            StoreError::Away => Problem::unavailable(),
            StoreError::Unsure => Problem::unsure(),
            StoreError::Inconsistent(_) => Problem::internal(&error),
        }
    }
}

impl From<ActError> for Problem {
    fn from(error: ActError) -> Self {
        match error {
            ActError::Refused { refusal, target, .. } => match target.and_then(|target| target.ban) {
                Some(ban) if refusal == Refusal::Banned => Problem::banned(ban.until),
                _ => Problem::refused(refusal),
            },
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
    let words = cause
        .downcast_ref::<String>()
        .map(String::as_str)
        .or(cause.downcast_ref::<&str>().copied())
        .unwrap_or("a panic");
    let problem = Problem::internal(&words);
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

//! One meaning, three representations: a refusal or failure as fragment, page or `application/problem+json`
//! (RFC 9457). Internals are logged once and never shown.

use std::any::Any;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use tokio::time::Instant;

use super::detail::Detail;
use crate::domain::{EventId, Refusal, Restriction};
use crate::i18n::{Message, TextKey, key};
use crate::identity::TokenError;
use crate::live::SubscribeError;
use crate::membership::{ActError, UndoError};
use crate::random;
use crate::store::{FailureLog, StoreError};
use crate::views::{self, BadProp, ViewContext, WayBack};

/// A problem, before it is rendered.
#[derive(Debug, Clone)]
pub(super) struct Problem {
    /// The HTTP status.
    pub status: StatusCode,
    /// The contract's code.
    pub code: &'static str,
    /// The problem in a few words.
    pub title: TextKey,
    /// Why, and what to do.
    pub detail: Detail,
    /// Seconds after which trying again may work.
    pub retry_after: Option<u32>,
    /// Markup behind the alert of a fragment, and the event it is as of: the fresh row of a refused act.
    pub fresh: Option<Box<(String, EventId)>>,
    /// The component that asked: there the alert lands, and there its page leads back.
    pub component: Option<Box<ViewContext>>,
    /// Where its page leads back to instead of the list of its component: where the form was that was sent.
    pub back: Option<Box<WayBack>>,
    /// Whether the answer over HTTP/1.1 ends its connection: an idle one would go on to use a file.
    pub closes_connection: bool,
}

impl Problem {
    fn new(status: StatusCode, code: &'static str, title: TextKey, detail: impl Into<Detail>) -> Problem {
        let detail = detail.into();
        let (retry_after, fresh, component, back, closes_connection) = (None, None, None, None, false);
        Problem { status, code, title, detail, retry_after, fresh, component, back, closes_connection }
    }

    /// The one response both for missing things and for things that the viewer may not see.
    pub(super) fn not_there() -> Problem {
        Problem::new(StatusCode::NOT_FOUND, "ERR_GUID_NOT_FOUND", key::ERROR_NOT_FOUND, key::ERROR_NOT_FOUND_HINT)
    }

    /// The group is there and this person is not in it.
    pub(super) fn not_a_member() -> Problem {
        Problem::new(StatusCode::NOT_FOUND, "ERR_NOT_A_MEMBER", key::ERROR_NOT_A_MEMBER, key::REFUSED_NOT_A_MEMBER)
    }

    /// The log has no such event that could be undone.
    pub(super) fn no_event() -> Problem {
        let detail = Detail::Plain("The log has no event of this number that is about one person.".into());
        Problem::new(StatusCode::NOT_FOUND, "ERR_EVENT_NOT_FOUND", key::ERROR_NOT_FOUND, detail)
    }

    /// Cannot be read.
    pub(super) fn bad_request(detail: impl Into<String>) -> Problem {
        let detail = Detail::Plain(detail.into());
        Problem::new(StatusCode::BAD_REQUEST, "ERR_BAD_REQUEST", key::ERROR_BAD_REQUEST, detail)
    }

    /// A value is not allowed; `detail` names it.
    pub(super) fn invalid(detail: impl Into<String>) -> Problem {
        let detail = Detail::Plain(detail.into());
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "ERR_VALIDATION", key::ERROR_INVALID, detail)
    }

    /// A field of a form cannot be taken as it is: `people` says what to do, `program` names the field.
    pub(super) fn field(people: impl Into<Message>, program: impl Into<String>) -> Problem {
        let detail = Detail::Field { people: Box::new(people.into()), program: program.into() };
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "ERR_VALIDATION", key::ERROR_INVALID, detail)
    }

    /// The parameter of this name is no place of a list.
    pub(super) fn no_place(name: &str) -> Problem {
        Problem::invalid(format!("{name}: a place as answers give it"))
    }

    /// Only the list of members has a feed.
    pub(super) fn no_feed() -> Problem {
        Problem::invalid("format: only the list of members has a feed (atom)")
    }

    /// The request names no viewer.
    pub(super) fn no_token() -> Problem {
        let (title, detail) = (key::ERROR_SIGN_IN, key::ERROR_SIGN_IN_HINT);
        Problem::new(StatusCode::UNAUTHORIZED, "AUTH_ERR_AUTH_TOKEN_NOT_FOUND", title, detail)
    }

    /// The request has the cookie, which does not count: it is not from our own origin.
    pub(super) fn other_origin() -> Problem {
        let program = "The cookie does not count: the request does not come from a page of this service. Its Origin \
                       has to be the Host that arrives here, or --public-url. A program sends a bearer token.";
        let detail = Detail::Field { people: Box::new(key::ERROR_SIGN_IN_HINT.into()), program: program.into() };
        Problem { detail, ..Problem::no_token() }
    }

    /// The body did not arrive in time.
    pub(super) fn stalled() -> Problem {
        let problem = Problem::bad_request("The body did not arrive in time: each kilobyte of it within ten seconds.");
        Problem { status: StatusCode::REQUEST_TIMEOUT, ..problem }
    }

    /// Compressed, which no body is read as.
    pub(super) fn encoded() -> Problem {
        let problem = Problem::bad_request("Send the body as it is, without a Content-Encoding.");
        Problem { status: StatusCode::UNSUPPORTED_MEDIA_TYPE, ..problem }
    }

    /// Coded for the transfer in a way that is not decoded.
    pub(super) fn encoded_for_transfer() -> Problem {
        Problem::bad_request("Send the body as it is: the only Transfer-Encoding that is read is chunked.")
    }

    /// Too large.
    pub(super) fn too_large() -> Problem {
        let (title, detail) = (key::ERROR_TOO_LARGE, key::ERROR_TOO_LARGE_HINT);
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "ERR_TOO_LARGE", title, detail)
    }

    /// Too fast.
    pub(super) fn too_fast(seconds: u32) -> Problem {
        let detail = Message::plural(key::ERROR_TOO_FAST_HINT, seconds as usize);
        let problem = Problem::new(StatusCode::TOO_MANY_REQUESTS, "ERR_TOO_MANY_REQUESTS", key::ERROR_TOO_FAST, detail);
        Problem { retry_after: Some(seconds), ..problem }
    }

    /// Cannot now.
    pub(super) fn unavailable() -> Problem {
        let (title, detail) = (key::ERROR_UNAVAILABLE, key::ERROR_UNAVAILABLE_HINT);
        let problem = Problem::new(StatusCode::SERVICE_UNAVAILABLE, "ERR_UNAVAILABLE", title, detail);
        Problem { retry_after: Some(2), ..problem }
    }

    /// No further stream may be open.
    pub(super) fn no_stream_slot() -> Problem {
        Problem { closes_connection: true, ..Problem::unavailable() }
    }

    /// Whether the act was done is unknown.
    pub(super) fn commit_unknown() -> Problem {
        let (title, detail) = (key::ERROR_UNSURE, key::ERROR_UNSURE_HINT);
        Problem { title, detail: detail.into(), ..Problem::unavailable() }
    }

    /// A bug: the panic's words go to the log.
    pub(super) fn panicked(cause: &(dyn Any + Send)) -> Problem {
        let words = cause.downcast_ref::<String>().map(String::as_str).or(cause.downcast_ref::<&str>().copied());
        Problem::internal(&words.unwrap_or("a panic"))
    }

    /// A failure of ours. The response has only a number, by which the log names the cause.
    pub(super) fn internal(cause: &dyn std::fmt::Display) -> Problem {
        let number = random::hex::<6>();
        tracing::error!(request = %number, %cause, "internal error");
        let detail = Message::from(key::ERROR_INTERNAL_HINT).with("number", number);
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "ERR_INTERNAL", key::ERROR_INTERNAL, detail)
    }

    /// A refusal by the rules.
    pub(super) fn refused(refusal: Refusal) -> Problem {
        use StatusCode as S;
        let (status, code, title) = match refusal {
            Refusal::NotThere => return Problem::not_there(),
            Refusal::NotAMember => return Problem::not_a_member(),
            Refusal::GrantsTooMuch(_) => (S::FORBIDDEN, "ERR_GROUP_NO_SCOPE_CLEARANCE", key::ERROR_NOT_ALLOWED),
            Refusal::BansThemselves | Refusal::MutesThemselves | Refusal::Oneself => {
                (S::FORBIDDEN, "ERR_GROUP_NO_SELF_ACTION", key::ERROR_NOT_ALLOWED)
            }
            Refusal::OwnerMustTransfer => (S::CONFLICT, "ERR_OWNER_MUST_TRANSFER", key::ERROR_OWNER_MUST_STAY),
            Refusal::Outdated => (S::CONFLICT, "ERR_OUTDATED", key::ERROR_NOT_ANY_MORE),
            Refusal::EndsAtLasting => (S::UNPROCESSABLE_ENTITY, "ERR_VALIDATION", key::ERROR_INVALID),
            Refusal::Banned => (S::CONFLICT, "ERR_BANNED_GROUPMEMBER", key::ERROR_BANNED),
            Refusal::ParticipantsActOnNobody
            | Refusal::Equal(_)
            | Refusal::Above(_)
            | Refusal::OwnerOnly
            | Refusal::NotUndoable
            | Refusal::NotTheirsToUndo
            | Refusal::NotTheirsToRemove
            | Refusal::AdminsOnly
            | Refusal::WrongPassword => (S::FORBIDDEN, "ERR_GROUP_NO_CLEARANCE", key::ERROR_NOT_ALLOWED),
        };
        Problem::new(status, code, title, views::refused(refusal))
    }

    /// The refusal of a banned person: the ban's end and the moderator's message.
    pub(super) fn banned(ban: &Restriction) -> Problem {
        let mut sentences = vec![key::REFUSED_BANNED.into(), views::banned_until(ban.until)];
        sentences.extend(ban.message.as_deref().map(views::moderator_message));
        let detail = Detail::Messages(sentences);
        Problem { detail, ..Problem::refused(Refusal::Banned) }
    }

    /// The screen offered something that is no longer possible.
    pub(super) fn stale_form() -> Problem {
        let (title, detail) = (key::ERROR_NOT_ANY_MORE, key::REFUSED_RIGHTS_CHANGED);
        Problem::new(StatusCode::FORBIDDEN, "ERR_GROUP_NO_CLEARANCE", title, detail)
    }

    /// The same problem, rendered inside the component that sent the request.
    pub(super) fn in_component(self, context: &ViewContext) -> Problem {
        Problem { component: Some(Box::new(context.clone())), ..self }
    }

    /// The same problem, whose page leads back there.
    pub(super) fn leading_back(self, back: WayBack) -> Problem {
        Problem { back: Some(Box::new(back)), ..self }
    }
}

impl From<TokenError> for Problem {
    fn from(error: TokenError) -> Self {
        // Other errors of a token are for its issuer.
        let detail = match error {
            TokenError::Expired => key::ERROR_TOKEN_EXPIRED.into(),
            TokenError::LoggedOut => key::ERROR_SIGNED_OUT.into(),
            error => Detail::Plain(error.to_string()),
        };
        Problem::new(StatusCode::UNAUTHORIZED, "AUTH_ERR_NO_ACCESS", key::ERROR_SIGN_IN_AGAIN, detail)
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable(cause) => {
                // Logged once per outage; where acts are tried, its end is logged.
                static FAILURES: FailureLog = FailureLog::new();
                if FAILURES.failed(&cause, Instant::now()) {
                    tracing::warn!(%cause, "the database cannot be used");
                }
                Problem::unavailable()
            }
            // Not logged for every act: the command that moves the database logs it once.
            StoreError::ReadOnly => {
                tracing::debug!("an act was refused: the database is being moved");
                Problem::unavailable()
            }
            StoreError::KnownOutage | StoreError::LoggedOutage(_) => Problem::unavailable(),
            StoreError::CommitUnknown => Problem::commit_unknown(),
            StoreError::CopyUnwritable(_) | StoreError::Inconsistent(_) => Problem::internal(&error),
        }
    }
}

impl From<ActError> for Problem {
    fn from(error: ActError) -> Self {
        match error {
            ActError::Refused { refusal, target, .. } => match target.and_then(|target| target.ban) {
                Some(ban) if refusal == Refusal::Banned => Problem::banned(&ban),
                _ => Problem::refused(refusal),
            },
            ActError::OwnsGroups(_) => Problem::refused(Refusal::OwnerMustTransfer),
            ActError::NoSuchGroup => Problem::not_there(),
            ActError::NoSuchUser(_) | ActError::Nameless { .. } => Problem::not_a_member(),
            ActError::StaleSync { .. } => {
                let detail = Detail::Plain(format!("{error}."));
                Problem::new(StatusCode::CONFLICT, "ERR_STALE_SYNC", key::ERROR_NOT_ALLOWED, detail)
            }
            ActError::NoSuchEvent => Problem::no_event(),
            ActError::Undo { why, .. } => why.into(),
            ActError::TooManyNotes => Problem::field(key::NOTES_FULL, error.to_string()),
            ActError::Busy => Problem::unavailable(),
            ActError::TooManyTries { seconds } => Problem::too_fast(seconds),
            ActError::KeyReused | ActError::AlreadySo(_) | ActError::Invalid(_) | ActError::UnfitOwner { .. } => {
                Problem::invalid(error.to_string())
            }
            ActError::Store(error) => error.into(),
        }
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        Problem::refused(refusal)
    }
}

/// Why an act is not undone, for people.
fn not_undone(why: UndoError) -> TextKey {
    match why {
        UndoError::Refused(refusal) => views::refused(refusal),
        UndoError::TooLate => key::UNDO_TOO_LATE,
        UndoError::Overtaken => key::UNDO_OVERTAKEN,
    }
}

impl From<UndoError> for Problem {
    fn from(why: UndoError) -> Self {
        let code = match why {
            UndoError::Refused(refusal) => return Problem::refused(refusal),
            UndoError::TooLate => "ERR_UNDO_TOO_LATE",
            UndoError::Overtaken => "ERR_UNDO_OVERTAKEN",
        };
        Problem::new(StatusCode::CONFLICT, code, key::ERROR_NOT_UNDONE, not_undone(why))
    }
}

impl From<SubscribeError> for Problem {
    fn from(error: SubscribeError) -> Self {
        match error {
            SubscribeError::NotThere => Problem::not_there(),
            SubscribeError::Store(error) => error.into(),
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
    /// The problem is rendered later, by the middleware `respond::render_problems`, which knows the requested format.
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

//! What goes wrong, in the original's shape: `{"error":{"code","message","details"}}`. The one
//! place where meanings become codes of `/v3`.

use std::any::Any;

use axum::body::Body;
use axum::http::{HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

use super::unoffered;
use crate::domain::{AlreadySo, Guid, InvalidId, Refusal, Standing};
use crate::http::problem::Problem;
use crate::i18n::Lang;
use crate::membership::{ActError, ListError};
use crate::store::StoreError;

/// A refusal or failure in the format of `/v3`.
#[derive(Debug)]
pub(super) struct V3Error {
    status: StatusCode,
    code: &'static str,
    message: String,
    /// The problem of each invalid field.
    details: Map<String, Value>,
    retry_after: Option<u32>,
}

impl V3Error {
    fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> V3Error {
        V3Error { status, code, message: message.into(), details: Map::new(), retry_after: None }
    }

    /// No API key was given.
    pub(super) fn no_key() -> V3Error {
        V3Error::new(StatusCode::UNAUTHORIZED, "AUTH_ERR_EMPTY_APIKEY", "This needs the header apikey.")
    }

    /// The API key is none of ours.
    pub(super) fn wrong_key() -> V3Error {
        V3Error::new(
            StatusCode::UNAUTHORIZED,
            "AUTH_ERR_APIKEY_NOT_FOUND",
            "This API key is not one of those configured with --api-key.",
        )
    }

    /// A page of a browser asks.
    pub(super) fn from_a_browser() -> V3Error {
        V3Error::new(
            StatusCode::FORBIDDEN,
            "ERR_BAD_REQUEST",
            "This is for servers: a request with an Origin header comes from a browser, where no API key belongs.",
        )
    }

    /// A user asks for what only the host itself may.
    pub(super) fn host_only() -> V3Error {
        V3Error::new(
            StatusCode::FORBIDDEN,
            "ERR_GROUP_NO_CLEARANCE",
            "Only the host itself may do this: ask without onBehalfOf.",
        )
    }

    /// There is no such group.
    pub(super) fn no_group() -> V3Error {
        Problem::not_there().into()
    }

    /// There is no such user.
    pub(super) fn no_user() -> V3Error {
        V3Error::new(StatusCode::NOT_FOUND, "ERR_UID_NOT_FOUND", "There is no such user.")
    }

    /// Nobody can have this uid.
    pub(super) fn nobodys_uid(why: InvalidId) -> V3Error {
        V3Error { message: format!("There is no such user: {why}."), ..V3Error::no_user() }
    }

    /// The user of onBehalfOf is not in the group.
    pub(super) fn not_joined() -> V3Error {
        let words = "The user of onBehalfOf is not a member of this group.";
        V3Error::new(StatusCode::UNAUTHORIZED, "ERR_GROUP_NOT_JOINED", words)
    }

    /// A private group lets nobody in by themselves.
    pub(super) fn join_not_allowed() -> V3Error {
        let words = "This group is private: its staff or the host puts people in.";
        V3Error::new(StatusCode::FORBIDDEN, "ERR_GROUP_JOIN_NOT_ALLOWED", words)
    }

    /// A password group, and no password.
    pub(super) fn empty_password() -> V3Error {
        V3Error::new(StatusCode::FORBIDDEN, "ERR_EMPTY_GROUP_PASS", "A group of the type password needs its password.")
    }

    /// A password group, and another password.
    pub(super) fn wrong_password() -> V3Error {
        V3Error::new(StatusCode::FORBIDDEN, "ERR_WRONG_GROUP_PASS", "That is not the group's password.")
    }

    /// They have this scope already.
    pub(super) fn same_scope() -> V3Error {
        V3Error::new(StatusCode::CONFLICT, "ERR_SAME_SCOPE", "They have this scope already.")
    }

    /// Nothing was to be lifted.
    pub(super) fn not_banned() -> V3Error {
        V3Error::new(StatusCode::CONFLICT, "ERR_NOT_A_BANNED_USER", "They are not banned from this group.")
    }

    /// There is nothing to sign tokens with.
    pub(super) fn no_secret() -> V3Error {
        let words = "No viewer secret is configured here (--viewer-secret): make tokens with the key of the JWKS.";
        V3Error::new(StatusCode::CONFLICT, "ERR_OPERATION_FAILED", words)
    }

    /// Over the limit of a body, in bytes.
    pub(super) fn too_large(most: usize) -> V3Error {
        let words = format!("The body is too large: at most {} kB.", most / 1024);
        V3Error::new(StatusCode::PAYLOAD_TOO_LARGE, "ERR_TOO_LARGE", words)
    }

    /// They are not in the group.
    pub(super) fn no_member() -> V3Error {
        Problem::not_a_member().into()
    }

    /// Another group has this id.
    pub(super) fn other_group() -> V3Error {
        V3Error::new(StatusCode::BAD_REQUEST, "ERR_GUID_ALREADY_EXISTS", "There is a group under this guid already.")
    }

    /// Another user has this id.
    pub(super) fn other_user() -> V3Error {
        V3Error::new(StatusCode::BAD_REQUEST, "ERR_UID_ALREADY_EXISTS", "There is a user under this uid already.")
    }

    /// The log does not have what was asked for.
    pub(super) fn events_gone() -> V3Error {
        V3Error::new(
            StatusCode::GONE,
            "ERR_EVENTS_GONE",
            "The log does not keep events since then, or has another epoch: take a snapshot and go on from its number.",
        )
    }

    /// The group has no event of this number yet.
    pub(super) fn no_event() -> V3Error {
        let words = "The group has no event of this number: its log counts from 1 to `meta.seq` of GET …/events.";
        V3Error::new(StatusCode::NOT_FOUND, "ERR_API_NOT_FOUND", words)
    }

    /// There is no such path, relative to `/v3`, or it does not take this method.
    pub(super) fn no_path(method: &Method, path: &str) -> V3Error {
        let words = "There is no such path, or it does not take this method; /openapi.json lists all there are.";
        let words = unoffered::words(method, path).unwrap_or(words);
        V3Error::new(StatusCode::NOT_FOUND, "ERR_API_NOT_FOUND", words)
    }

    /// No endpoint of webhooks has this id.
    pub(super) fn no_webhook() -> V3Error {
        V3Error::new(
            StatusCode::NOT_FOUND,
            "ERR_API_NOT_FOUND",
            "There is no such webhook; GET /v3/webhooks lists them.",
        )
    }

    /// A field is not as it must be.
    pub(super) fn invalid(field: &str, words: impl Into<String>) -> V3Error {
        V3Error::invalid_all([(field.to_owned(), words.into())])
    }

    /// Fields are not as they must be, each with its sentence.
    pub(super) fn invalid_all(fields: impl IntoIterator<Item = (String, String)>) -> V3Error {
        let fields: Vec<(String, String)> = fields.into_iter().collect();
        let message = fields.iter().map(|(field, words)| format!("{field}: {words}")).collect::<Vec<_>>().join("; ");
        let details = fields.into_iter().map(|(field, words)| (field, json!([words]))).collect();
        V3Error { details, ..V3Error::unreadable(message) }
    }

    /// A line of an upload is not as it must be.
    pub(super) fn bad_line(line: u64, words: impl Into<String>) -> V3Error {
        let (at, words) = (format!("line {line}"), words.into());
        let message = format!("{at}: {words}");
        let details = [(at, json!([words]))].into_iter().collect();
        V3Error { details, ..V3Error::new(StatusCode::UNPROCESSABLE_ENTITY, "ERR_VALIDATION", message) }
    }

    /// The error of a change to a group itself: for participants the original has a code of its own.
    pub(super) fn of_group_change(error: ActError) -> V3Error {
        match error {
            ActError::Refused { refusal: Refusal::ParticipantsActOnNobody, .. } => {
                let words = "Only moderators, admins and the owner can change the group.";
                V3Error::new(StatusCode::FORBIDDEN, "ERR_GROUP_NO_MODERATOR_SCOPE", words)
            }
            error => error.into(),
        }
    }

    /// The body cannot be read.
    pub(super) fn unreadable(words: impl Into<String>) -> V3Error {
        Problem::bad_request(words).into()
    }

    /// The body does not get on.
    pub(super) fn stalled(words: impl Into<String>) -> V3Error {
        V3Error { message: words.into(), ..Problem::stalled().into() }
    }

    /// The same failure where a change was committed before it: that nothing was changed must not be said.
    pub(super) fn after_commit(self) -> V3Error {
        if self.status == StatusCode::SERVICE_UNAVAILABLE { Problem::commit_unknown().into() } else { self }
    }

    /// `{"code","message","details"}`, also inside the results of a list.
    pub(super) fn value(&self) -> Value {
        json!({"code": self.code, "message": self.message, "details": self.details})
    }
}

impl From<Problem> for V3Error {
    fn from(problem: Problem) -> Self {
        let words = problem.detail.for_programs(Lang::EN_US);
        if problem.status == StatusCode::UNPROCESSABLE_ENTITY {
            // The original has one status for whatever fails validation.
            return match words.split_once(": ").filter(|(field, _)| !field.contains(' ')) {
                Some((field, words)) => V3Error::invalid(field, words),
                None => V3Error::unreadable(words),
            };
        }
        V3Error { retry_after: problem.retry_after, ..V3Error::new(problem.status, problem.code, words) }
    }
}

impl From<ActError> for V3Error {
    fn from(error: ActError) -> Self {
        match error {
            ActError::NoSuchUser(uid) => V3Error { message: format!("There is no user {uid}."), ..V3Error::no_user() },
            ActError::OwnsGroups(guids) => {
                let named: Vec<_> = guids.iter().take(100).map(Guid::as_str).collect();
                V3Error {
                    message: format!("They own groups; hand those over first: {}.", named.join(", ")),
                    details: Map::from_iter([("groups".to_owned(), json!(named))]),
                    ..Problem::refused(Refusal::OwnerMustTransfer).into()
                }
            }
            ActError::Refused { refusal: Refusal::NotAMember, target: Some(target), .. }
                if target.profile.is_none() && target.standing() == Standing::Outside =>
            {
                V3Error::no_user()
            }
            ActError::Nameless { uid, .. } => ActError::NoSuchUser(uid).into(),
            ActError::StaleSync { last } => {
                let details = [("last".to_owned(), last.into())].into_iter().collect();
                V3Error { details, ..Problem::from(ActError::StaleSync { last }).into() }
            }
            // The host acts for somebody who is banned.
            ActError::Refused { refusal: Refusal::Banned, actor: None, .. } => ListError::Banned.into(),
            ActError::Refused { refusal: Refusal::EndsAtLasting, .. } => {
                V3Error::invalid("until", Problem::refused(Refusal::EndsAtLasting).detail.for_programs(Lang::EN_US))
            }
            ActError::KeyReused => {
                V3Error::invalid("Idempotency-Key", Problem::from(ActError::KeyReused).detail.for_programs(Lang::EN_US))
            }
            ActError::Refused { refusal: Refusal::AdminsOnly, .. } => {
                let words = Refusal::AdminsOnly.to_string();
                V3Error::new(StatusCode::FORBIDDEN, "ERR_GROUP_NO_ADMIN_SCOPE", words)
            }
            ActError::AlreadySo(kind) => match kind.already_so() {
                Some(AlreadySo::Scope) => V3Error::same_scope(),
                Some(AlreadySo::Banned) => ListError::AlreadyBanned.into(),
                Some(AlreadySo::NotBanned) => V3Error::not_banned(),
                Some(AlreadySo::Member) => ListError::AlreadyMember.into(),
                None => Problem::from(error).into(),
            },
            error => Problem::from(error).into(),
        }
    }
}

impl From<StoreError> for V3Error {
    fn from(error: StoreError) -> Self {
        Problem::from(error).into()
    }
}

impl From<ListError> for V3Error {
    fn from(error: ListError) -> Self {
        match error {
            ListError::NoSuchUser => V3Error::no_user(),
            ListError::Banned => V3Error::new(
                StatusCode::CONFLICT,
                "ERR_BANNED_GROUPMEMBER",
                "They are banned from this group: lift the ban first.",
            ),
            ListError::AlreadyMember => {
                V3Error::new(StatusCode::CONFLICT, "ERR_ALREADY_JOINED", "They are a member of this group already.")
            }
            ListError::AlreadyBanned => {
                V3Error::new(StatusCode::CONFLICT, "ERR_ALREADY_BANNED", "They are banned from this group already.")
            }
            ListError::NoMember => V3Error::no_member(),
            ListError::NoBan => V3Error::not_banned(),
            ListError::Refused(refusal) => Problem::refused(refusal).into(),
        }
    }
}

impl IntoResponse for V3Error {
    fn into_response(self) -> Response {
        let body = Body::from(json!({"error": self.value()}).to_string());
        let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
        let mut response = (self.status, headers, body).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

/// No such path or method.
pub(super) async fn nothing_here(method: Method, uri: Uri) -> V3Error {
    V3Error::no_path(&method, uri.path())
}

/// A bug: logged, and answered like every other failure of ours.
pub(super) fn panicked(cause: Box<dyn Any + Send>) -> Response {
    V3Error::from(Problem::panicked(&*cause)).into_response()
}

//! Authentication of the host's back end by an API key, for itself or on behalf of a user.

use std::sync::Arc;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::near_miss::{no_near_miss, no_parameters};
use crate::app::App;
use crate::domain::{Guid, Member, Scope, Uid};
use crate::http::extract::{encoding, idempotency_key, text};
use crate::http::middleware::{has_token_in_url, token_in_url};
use crate::http::problem::Problem;
use crate::http::v3::error::V3Error;
use crate::live::{GroupState, LiveGroup};
use crate::membership::{ActError, ActRequest, Actor, GlobalRequest, IdempotencyKey};

/// An authenticated back end.
#[derive(Debug, Clone)]
pub(in crate::http::v3) struct Caller {
    /// With whose rights; `None` for the host itself.
    pub user: Option<Uid>,
    key: Option<String>,
    /// Whether the request changes nothing.
    is_reading: bool,
}

/// Middleware: refuses requests without a key and requests of browsers, and reports how many requests are left.
pub(in crate::http::v3) async fn authenticate(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let key = key(&app, request.headers());
    // Not a well-formed uid, so that it is nobody's. Requests without a right key share an allowance: guesses
    // are limited, and take nothing from whoever has a key.
    let counted_as = key.as_ref().map_or_else(|_| "*host*".to_owned(), |key| format!("*host* {key}"));
    let allowance = app.count_request(&counted_as);
    let has_token = has_token_in_url(&request);
    let admitted = match &allowance {
        Some(Err(seconds)) => Err(Problem::too_fast(*seconds).into()),
        None | Some(Ok(_)) => match key {
            _ if has_token => Err(token_in_url().into()),
            Ok(_) => Caller::of(&app, request.headers(), request.method().is_safe()).await.and_then(|caller| {
                no_parameters(&request)?;
                Ok(caller)
            }),
            Err(failure) => Err(failure),
        },
    };
    let mut response = match admitted {
        Ok(caller) => {
            request.extensions_mut().insert(caller);
            next.run(request).await
        }
        Err(failure) => failure.into_response(),
    };
    if let (Some(limit), Some(allowance)) = (app.config().rate_limit, allowance) {
        report_allowance(&mut response, limit.count.get(), allowance.unwrap_or(0), app.clock().now());
    }
    response
}

/// Says in the headers how many requests are allowed and left, and when the next one is after a refusal (also of wrong passwords of a
/// group, which have a limit of their own); `now` in Unix milliseconds.
fn report_allowance(response: &mut Response, allowed: u32, left: u32, now: i64) {
    let wait = text(response.headers(), header::RETRY_AFTER.as_str()).and_then(|seconds| seconds.parse::<i64>().ok());
    let wait = wait.filter(|_| response.status() == StatusCode::TOO_MANY_REQUESTS);
    let mut set =
        |name: &'static str, number: i64| drop(response.headers_mut().insert(name, HeaderValue::from(number)));
    set("x-rate-limit", allowed.into());
    set("x-rate-limit-remaining", left.into());
    if let Some(seconds) = wait {
        set("x-rate-limit-reset", now / 1000 + seconds);
    }
}

/// Which of the configured keys was given.
fn key(app: &App, headers: &HeaderMap) -> Result<usize, V3Error> {
    let given = headers
        .get("apikey")
        .map(|value| value.to_str().unwrap_or("\u{fffd}"))
        .filter(|key| !key.is_empty())
        .ok_or_else(V3Error::no_key)?;
    app.credentials().api_key_number(given).ok_or_else(V3Error::wrong_key)
}

impl Caller {
    async fn of(app: &App, headers: &HeaderMap, is_reading: bool) -> Result<Caller, V3Error> {
        if headers.contains_key("origin") {
            return Err(V3Error::from_a_browser());
        }
        no_near_miss(headers)?;
        given_once(headers)?;
        encoding::refuse_encoded(headers)?;
        Ok(Caller { user: user(app, headers).await?, key: idempotency_key(headers)?, is_reading })
    }

    /// Whether the caller may act on anybody in a group at all; the host always may.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(in crate::http::v3) async fn may_moderate(&self, app: &App, guid: &Guid) -> Result<bool, V3Error> {
        let Some(user) = &self.user else { return Ok(true) };
        let standing = app.store().read().await?.person(guid, user).await?.standing();
        Ok(standing.scope().is_some_and(Scope::is_staff))
    }

    /// The end of a member's mute, while it is not over at `now` and if the caller may know of it: the host, moderators and up, and
    /// the member. Both in Unix milliseconds.
    pub(in crate::http::v3) fn visible_mute(&self, group: &GroupState, member: &Member, now: i64) -> Option<i64> {
        let muted = member.muted_at(now)?;
        let is_own = self.user.as_ref().is_some_and(|user| user.as_str() == member.uid());
        (is_own || self.sees_mutes(group, now)).then_some(muted.until)
    }

    /// Whether the caller may know of all mutes at `now`, Unix milliseconds.
    pub(in crate::http::v3) fn sees_mutes(&self, group: &GroupState, now: i64) -> bool {
        let Some(user) = &self.user else { return true };
        group.roster().get(user.as_str()).is_some_and(|viewer| viewer.scope_at(now).is_staff())
    }

    /// Checks that the host acts for itself.
    ///
    /// # Errors
    /// When it acts on behalf of a user.
    pub(in crate::http::v3) fn must_be_host(&self) -> Result<(), V3Error> {
        if self.user.is_none() { Ok(()) } else { Err(V3Error::host_only()) }
    }

    /// The request for an act in a group that its path describes in full.
    pub(in crate::http::v3) fn act_request(&self, guid: &Guid) -> ActRequest {
        let key = self.key.clone().map(IdempotencyKey::of_act);
        ActRequest { key, refuse_unchanged: true, ..ActRequest::new(guid.clone(), self.actor()) }
    }

    /// The request for an act in a group that is described by its body, `content`.
    pub(in crate::http::v3) fn act_request_with_content(&self, app: &App, guid: &Guid, content: &str) -> ActRequest {
        ActRequest { key: self.key_with_content(app, content), ..self.act_request(guid) }
    }

    /// The request for a change that belongs to no existing group; `content` is its body.
    pub(in crate::http::v3) fn global_request(&self, app: &App, content: &str) -> GlobalRequest {
        GlobalRequest { actor: self.actor(), key: self.key_with_content(app, content) }
    }

    /// Whether the request has an Idempotency-Key.
    pub(in crate::http::v3) fn has_key(&self) -> bool {
        self.key.is_some()
    }

    fn actor(&self) -> Actor {
        self.user.clone().map_or(Actor::Host, Actor::Viewer)
    }

    fn key_with_content(&self, app: &App, content: &str) -> Option<IdempotencyKey> {
        let text = self.key.clone()?;
        Some(IdempotencyKey { text, content: app.store().pseudonyms().content(content) })
    }

    /// The group, as far as the caller may know of it. An id that nobody can have is a group that is not there. What is read, or done
    /// with a user's rights, is as of now: the host may have written through another node. Its own writes are decided in the database.
    ///
    /// # Errors
    /// `ERR_GUID_NOT_FOUND` when it is not there; when the database cannot be read.
    pub(in crate::http::v3) async fn group(&self, app: &App, guid: &str) -> Result<Arc<LiveGroup>, V3Error> {
        let guid: Guid = guid.parse().map_err(|_| V3Error::no_group())?;
        let is_current = self.is_reading || self.user.is_some();
        let group = if is_current { app.hub().current_group(&guid).await? } else { app.hub().group(&guid).await? };
        group.ok_or_else(V3Error::no_group)
    }

    /// The group, for the host and for its members only.
    ///
    /// # Errors
    /// As [`Caller::group`], and `ERR_GROUP_NOT_JOINED` for users who are no members of it.
    pub(in crate::http::v3) async fn member_group(&self, app: &App, guid: &str) -> Result<Arc<LiveGroup>, V3Error> {
        let group = self.group(app, guid).await?;
        self.must_be_inside(app, &group).await?;
        Ok(group)
    }

    /// Checks that the caller is the host or a member of the group.
    ///
    /// # Errors
    /// `ERR_GROUP_NOT_JOINED` for everybody else; when the database cannot be read.
    pub(in crate::http::v3) async fn must_be_inside(&self, app: &App, group: &LiveGroup) -> Result<(), V3Error> {
        let Some(user) = &self.user else { return Ok(()) };
        // This node may not have read the join yet.
        app.hub().refresh_unless_members(group, [user.as_str()]).await?;
        let is_member = group.state().roster().get(user.as_str()).is_some();
        if is_member { Ok(()) } else { Err(V3Error::not_joined()) }
    }
}

/// Refuses a repeated header: one of two values would win silently.
fn given_once(headers: &HeaderMap) -> Result<(), V3Error> {
    for name in ["apikey", "onBehalfOf", "Idempotency-Key"] {
        if headers.get_all(name).iter().count() > 1 {
            return Err(V3Error::invalid(name, "this header is given more than once"));
        }
    }
    Ok(())
}

/// The result of an act by which its caller may lose access to the group, and what `access` gives if they still have it.
/// Repeated under its key the act is confirmed; anything else without access gets the refusal of the group.
///
/// # Errors
/// The error of the act, or without access that of the group.
pub(in crate::http::v3) fn confirmed<T, A>(
    access: Result<A, V3Error>,
    done: Result<T, ActError>,
) -> Result<(T, Option<A>), V3Error> {
    match (access, done) {
        (Ok(given), done) => Ok((done?, Some(given))),
        (Err(_), Ok(done)) => Ok((done, None)),
        (Err(_), Err(error @ (ActError::KeyReused | ActError::Store(_)))) => Err(error.into()),
        (Err(failure), Err(_)) => Err(failure),
    }
}

/// A user's id, parsed; whether there is such a user is not looked up.
///
/// # Errors
/// `ERR_UID_NOT_FOUND` when it is not a uid: nobody can have it.
pub(in crate::http::v3) fn parse_uid_or_404(uid: &str) -> Result<Uid, V3Error> {
    uid.parse().map_err(|_| V3Error::no_user())
}

async fn user(app: &App, headers: &HeaderMap) -> Result<Option<Uid>, V3Error> {
    if !headers.contains_key("onbehalfof") {
        return Ok(None);
    }
    let uid: Uid = text(headers, "onbehalfof")
        .unwrap_or_default()
        .parse()
        .map_err(|error| V3Error::invalid("onBehalfOf", format!("{error}")))?;
    match app.store().read().await?.user(&uid).await? {
        Some(_) => Ok(Some(uid)),
        None => Err(V3Error::no_user()),
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Caller {
    type Rejection = V3Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, V3Error> {
        // Inserted by `authenticate`; a route without that middleware refuses every request.
        parts.extensions.get::<Caller>().cloned().ok_or_else(V3Error::no_key)
    }
}

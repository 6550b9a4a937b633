//! Who may ask: servers that know an API key, for themselves or on behalf of a user.

use std::sync::Arc;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::error::Failure;
use super::near_miss::{no_near_miss, no_parameters};
use crate::app::App;
use crate::domain::{Guid, Uid, rules};
use crate::http::extract::input::idempotency_key;
use crate::http::extract::{encoding, text};
use crate::http::problem::Problem;
use crate::live::LiveGroup;
use crate::membership::{ActError, Actor, Call, Key, Request as Act};

/// Whoever came through the gate.
#[derive(Debug, Clone)]
pub(super) struct Caller {
    /// With whose rights; `None` for the host itself.
    pub user: Option<Uid>,
    key: Option<String>,
}

/// Lets nobody through without a key, and no browser at all; and says how many requests are left.
pub(super) async fn keep(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let key = match key(&app, request.headers()) {
        Ok(key) => key,
        Err(failure) => return failure.into_response(),
    };
    // Not a well-formed uid, so that it is nobody's.
    let allowance = app.count_request(&format!("*host* {key}"));
    let mut response = match &allowance {
        Some(Err(seconds)) => Failure::from(Problem::too_fast(*seconds)).into_response(),
        None | Some(Ok(_)) => match Caller::of(&app, request.headers()).await {
            Ok(caller) => match no_parameters(&request) {
                Ok(()) => {
                    request.extensions_mut().insert(caller);
                    next.run(request).await
                }
                Err(failure) => failure.into_response(),
            },
            Err(failure) => failure.into_response(),
        },
    };
    if let (Some(limit), Some(allowance)) = (app.config().rate_limit, allowance) {
        let mut say =
            |name: &'static str, number: i64| drop(response.headers_mut().insert(name, HeaderValue::from(number)));
        say("x-rate-limit", limit.count.get().into());
        say("x-rate-limit-remaining", allowance.unwrap_or(0).into());
        if let Err(seconds) = allowance {
            say("x-rate-limit-reset", app.clock().now() / 1000 + i64::from(seconds));
        }
    }
    response
}

/// Which of the configured keys was given.
fn key(app: &App, headers: &HeaderMap) -> Result<usize, Failure> {
    let given = headers
        .get("apikey")
        .map(|value| value.to_str().unwrap_or("\u{fffd}"))
        .filter(|key| !key.is_empty())
        .ok_or_else(Failure::no_key)?;
    app.credentials().api_key_number(given).ok_or_else(Failure::wrong_key)
}

impl Caller {
    async fn of(app: &App, headers: &HeaderMap) -> Result<Caller, Failure> {
        if headers.contains_key("origin") {
            return Err(Failure::from_a_browser());
        }
        no_near_miss(headers)?;
        given_once(headers)?;
        encoding::is_plain(headers)?;
        Ok(Caller { user: user(app, headers).await?, key: idempotency_key(headers)? })
    }

    /// Whether the caller may act on anybody in a group at all; the host always may.
    pub(super) async fn may_moderate(&self, app: &App, guid: &Guid) -> Result<bool, Failure> {
        let Some(user) = &self.user else { return Ok(true) };
        let standing = app.store().read().await?.person(guid, user).await?.standing();
        Ok(rules::see_bans(standing).is_ok())
    }

    /// Ends it here for users: this is for the host itself.
    pub(super) fn must_be_host(&self) -> Result<(), Failure> {
        if self.user.is_none() { Ok(()) } else { Err(Failure::host_only()) }
    }

    /// An act in a group.
    pub(super) fn act(&self, guid: &Guid) -> Act {
        let key = self.key.clone().map(Key::of_act);
        Act { guid: guid.clone(), actor: self.actor(), key, strict: true }
    }

    /// The same for an act that its body tells.
    pub(super) fn act_saying(&self, app: &App, guid: &Guid, content: &str) -> Act {
        Act { key: self.key_saying(app, content), ..self.act(guid) }
    }

    /// What belongs to no group; `content` is what its body says.
    pub(super) fn call(&self, app: &App, content: &str) -> Call {
        Call { actor: self.actor(), key: self.key_saying(app, content) }
    }

    /// Whether a request is remembered.
    pub(super) fn has_key(&self) -> bool {
        self.key.is_some()
    }

    fn actor(&self) -> Actor {
        self.user.clone().map_or(Actor::Host, Actor::Viewer)
    }

    fn key_saying(&self, app: &App, content: &str) -> Option<Key> {
        let text = self.key.clone()?;
        Some(Key { text, content: app.store().pseudonyms().content(content) })
    }

    /// The group, as far as the caller may know of it. An id that nobody can have is a group that
    /// is not there.
    pub(super) async fn group(&self, app: &App, guid: &str) -> Result<Arc<LiveGroup>, Failure> {
        let guid: Guid = guid.parse().map_err(|_| Failure::no_group())?;
        app.hub().group(&guid).await?.ok_or_else(Failure::no_group)
    }

    /// The group with everybody in it: for the host, and for its members.
    pub(super) async fn inside(&self, app: &App, guid: &str) -> Result<Arc<LiveGroup>, Failure> {
        let group = self.group(app, guid).await?;
        if let Some(user) = &self.user {
            let is_in = |group: &LiveGroup| group.state().roster().get(user.as_str()).is_some();
            if !is_in(&group) {
                // A no is asked of the database before it is said.
                app.hub().refresh(&group).await?;
            }
            if !is_in(&group) {
                return Err(Failure::not_joined());
            }
        }
        Ok(group)
    }
}

/// Of two values one would win unseen.
fn given_once(headers: &HeaderMap) -> Result<(), Failure> {
    for name in ["apikey", "onBehalfOf", "Idempotency-Key"] {
        if headers.get_all(name).iter().count() > 1 {
            return Err(Failure::invalid(name, "this header is given more than once"));
        }
    }
    Ok(())
}

/// What came of an act that ends its own caller's way in, and the group where the gate still knows it. Repeated under
/// its key it is confirmed; everything else that comes behind a closed gate is what the gate says.
pub(super) fn confirmed<T>(
    inside: Result<Arc<LiveGroup>, Failure>,
    done: Result<T, ActError>,
) -> Result<(T, Option<Arc<LiveGroup>>), Failure> {
    match (inside, done) {
        (Ok(group), done) => Ok((done?, Some(group))),
        (Err(_), Ok(done)) => Ok((done, None)),
        (Err(_), Err(error @ (ActError::KeyReused | ActError::Store(_)))) => Err(error.into()),
        (Err(failure), Err(_)) => Err(failure),
    }
}

/// An id that nobody can have is a user who is not there.
pub(super) fn known(uid: &str) -> Result<Uid, Failure> {
    uid.parse().map_err(|_| Failure::no_user())
}

async fn user(app: &App, headers: &HeaderMap) -> Result<Option<Uid>, Failure> {
    if !headers.contains_key("onbehalfof") {
        return Ok(None);
    }
    let uid: Uid = text(headers, "onbehalfof")
        .unwrap_or_default()
        .parse()
        .map_err(|error| Failure::invalid("onBehalfOf", format!("{error}")))?;
    match app.store().read().await?.user(&uid).await? {
        Some(_) => Ok(Some(uid)),
        None => Err(Failure::no_user()),
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Caller {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        // The gate put it there; without a gate nobody is let in.
        parts.extensions.get::<Caller>().cloned().ok_or_else(Failure::no_key)
    }
}

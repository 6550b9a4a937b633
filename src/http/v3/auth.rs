//! Who may ask: servers that know an API key, for themselves or on behalf of a user.

use std::sync::Arc;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::error::Failure;
use crate::app::App;
use crate::domain::{Guid, Uid};
use crate::http::extract::input::idempotency_key;
use crate::http::extract::text;
use crate::live::LiveGroup;
use crate::membership::{Actor, Request as Act};

/// Whoever came through the gate.
#[derive(Debug, Clone)]
pub(super) struct Caller {
    /// With whose rights; `None` for the host itself.
    pub user: Option<Uid>,
    key: Option<String>,
}

/// Lets nobody through without a key, and no browser at all.
pub(super) async fn keep(State(app): State<App>, mut request: Request, next: Next) -> Response {
    match Caller::of(&app, request.headers()).await {
        Ok(caller) => {
            request.extensions_mut().insert(caller);
            next.run(request).await
        }
        Err(failure) => failure.into_response(),
    }
}

impl Caller {
    async fn of(app: &App, headers: &HeaderMap) -> Result<Caller, Failure> {
        let given = headers
            .get("apikey")
            .map(|value| value.to_str().unwrap_or("\u{fffd}"))
            .filter(|key| !key.is_empty())
            .ok_or_else(Failure::no_key)?;
        // Every key is compared, so that the time tells nothing about which one was nearly right.
        let matches = |(number, key): (usize, &crate::config::Secret)| key.matches(given).then_some(number);
        let known = app
            .config()
            .api_keys
            .iter()
            .enumerate()
            .map(matches)
            .fold(None, |found, this| this.or(found))
            .ok_or_else(Failure::wrong_key)?;
        if headers.contains_key("origin") {
            return Err(Failure::from_a_browser());
        }
        // Not a well-formed uid, so that it is nobody's.
        app.check_rate_limit(&format!("*host* {known}")).map_err(crate::http::problem::Problem::too_fast)?;
        Ok(Caller { user: user(app, headers).await?, key: idempotency_key(headers)? })
    }

    /// Ends it here for users: this is for the host itself.
    pub(super) fn must_be_host(&self) -> Result<(), Failure> {
        if self.user.is_none() { Ok(()) } else { Err(Failure::host_only()) }
    }

    /// An act in a group.
    pub(super) fn act(&self, guid: &Guid) -> Act {
        let actor = self.user.clone().map_or(Actor::Host, Actor::Viewer);
        Act { guid: guid.clone(), actor, key: self.key.clone() }
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
                return Err(Failure::no_group());
            }
        }
        Ok(group)
    }
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

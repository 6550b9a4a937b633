//! The acts: each one parses what it needs, calls one verb, and answers with the same swaps that
//! the live stream sends.

mod answer;
pub(super) mod input;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;

use super::face::Ask;
use super::fields::Fields;
use super::path::Path;
use super::problem::Problem;
use super::seat::{self, Seat};
use super::viewer::Viewer;
use crate::app::App;
use crate::domain::GroupType;
use crate::membership::{self, Actor, Request};
use crate::views::{Look, Props};
use answer::Answer;

/// Who acts, where, and how the answer is to look.
pub struct Doing {
    app: App,
    viewer: Viewer,
    seat: Seat,
    look: Look,
    ask: Ask,
    /// The fields of the body.
    fields: std::collections::HashMap<String, String>,
    key: Option<String>,
    plain_form: bool,
}

impl Doing {
    /// Looks at who asks, then at the group, then at the body: in the order of answers.
    async fn begin(
        app: App,
        viewer: Viewer,
        guid: &str,
        ask: Ask,
        headers: &HeaderMap,
        fields: Fields,
    ) -> Result<Doing, Problem> {
        let seat = Seat::of(&app, &viewer, guid, &ask).await?;
        Doing::with(app, viewer, seat, ask, headers, fields)
    }

    fn with(
        app: App,
        viewer: Viewer,
        seat: Seat,
        ask: Ask,
        headers: &HeaderMap,
        fields: Fields,
    ) -> Result<Doing, Problem> {
        let look = seat.look(&app, Props::parse(ask.pairs())?);
        let plain_form = fields.method().is_some() && !ask.htmx;
        let key = input::idempotency_key(headers)?;
        let fields = fields.read().map_err(|problem| problem.in_component(&look))?;
        Ok(Doing { app, viewer, seat, look, ask, fields, key, plain_form })
    }

    fn request(&self) -> Request {
        Request {
            guid: self.seat.room.guid().clone(),
            actor: Actor::Viewer(self.viewer.uid().clone()),
            key: self.key.clone(),
        }
    }

    /// A value of the body is not allowed.
    fn invalid(&self, problem: Problem) -> Problem {
        problem.in_component(&self.look)
    }
}

type At<T> = (State<App>, Viewer, Path<T>, Ask, HeaderMap, Fields);

/// `DELETE /groups/{guid}/members/{uid}`: kick; of oneself, leave.
pub async fn remove(
    State(app): State<App>,
    viewer: Viewer,
    Path((guid, uid)): Path<(String, String)>,
    ask: Ask,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Response, Problem> {
    let doing = Doing::begin(app, viewer, &guid, ask, &headers, fields).await?;
    let uid = input::uid(&uid).map_err(|problem| doing.invalid(problem))?;
    let own = uid == *doing.viewer.uid();
    let (request, store) = (doing.request(), doing.app.store().clone());
    let done = if own {
        membership::leave(&store, request, uid.clone()).await
    } else {
        membership::kick(&store, request, uid.clone()).await
    };
    Answer::new(doing, if own { "leave" } else { "kick" }, uid).give(done).await
}

/// `PUT /groups/{guid}/members/{uid}/scope`.
pub async fn set_scope(
    State(app): State<App>,
    viewer: Viewer,
    Path((guid, uid)): Path<(String, String)>,
    ask: Ask,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Response, Problem> {
    let doing = Doing::begin(app, viewer, &guid, ask, &headers, fields).await?;
    let uid = input::uid(&uid).map_err(|problem| doing.invalid(problem))?;
    let scope = input::scope(&doing.fields).map_err(|problem| doing.invalid(problem))?;
    let done = membership::set_scope(doing.app.store(), doing.request(), uid.clone(), scope).await;
    Answer::new(doing, "scope", uid).give(done).await
}

/// `PUT /groups/{guid}/owner`.
pub async fn transfer(
    State(app): State<App>,
    viewer: Viewer,
    Path(guid): Path<String>,
    ask: Ask,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Response, Problem> {
    let doing = Doing::begin(app, viewer, &guid, ask, &headers, fields).await?;
    let uid =
        input::uid(doing.fields.get("uid").map_or("", String::as_str)).map_err(|problem| doing.invalid(problem))?;
    let done = membership::transfer(doing.app.store(), doing.request(), uid.clone()).await;
    Answer::new(doing, "transfer", uid).give(done).await
}

/// `PUT /groups/{guid}/bans/{uid}`.
pub async fn ban(
    State(app): State<App>,
    viewer: Viewer,
    Path((guid, uid)): Path<(String, String)>,
    ask: Ask,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Response, Problem> {
    let doing = Doing::begin(app, viewer, &guid, ask, &headers, fields).await?;
    let uid = input::uid(&uid).map_err(|problem| doing.invalid(problem))?;
    let terms = input::terms(&doing.fields, doing.app.clock().now()).map_err(|problem| doing.invalid(problem))?;
    let done = membership::ban(doing.app.store(), doing.request(), uid.clone(), terms).await;
    Answer::new(doing, "ban", uid).give(done).await
}

/// `DELETE /groups/{guid}/bans/{uid}`.
pub async fn unban(
    State(app): State<App>,
    viewer: Viewer,
    Path((guid, uid)): Path<(String, String)>,
    ask: Ask,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Response, Problem> {
    let doing = Doing::begin(app, viewer, &guid, ask, &headers, fields).await?;
    let uid = input::uid(&uid).map_err(|problem| doing.invalid(problem))?;
    let done = membership::unban(doing.app.store(), doing.request(), uid.clone()).await;
    Answer::new(doing, "unban", uid).give(done).await
}

/// `POST /groups/{guid}/members`: join oneself.
pub async fn join(
    State(app): State<App>,
    viewer: Viewer,
    Path(guid): Path<String>,
    ask: Ask,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Response, Problem> {
    let room = seat::room(&app, &guid).await?;
    if fields.method().is_some_and(|method| method != "POST") {
        return unknown_method(State(app), viewer, &guid, ask).await;
    }
    let private = room.state().roster().group().group_type == GroupType::Private;
    let member = Seat::of(&app, &viewer, &guid, &ask).await;
    if private && let Err(problem) = member {
        return Err(problem);
    }
    let scope = member.map_or(crate::domain::Scope::Participant, |seat| seat.scope);
    let doing = Doing::with(app, viewer, Seat { room, scope }, ask, &headers, fields)?;
    let (uid, claims) = (doing.viewer.uid().clone(), doing.viewer.0.clone());
    let name = claims.name.map(|name| name.as_str().to_owned());
    let password = doing.fields.get("password").filter(|password| !password.is_empty()).cloned();
    let asks_password = doing.seat.room.state().roster().group().group_type == GroupType::Password;
    let in_already = doing.seat.room.state().roster().get(uid.as_str()).is_some();
    if asks_password && password.is_none() && !in_already {
        input::not_banned(&doing, &uid).await?;
        return Err(doing.invalid(Problem::invalid("password: this group asks for its password")));
    }
    let done = membership::join(doing.app.store(), doing.request(), uid.clone(), name, claims.avatar, password).await;
    Answer::new(doing, "join", uid).give(done).await
}

/// A plain form to `/members/{uid}`: what its field `_method` says.
pub async fn post_member(
    (state, viewer, path, ask, headers, fields): At<(String, String)>,
) -> Result<Response, Problem> {
    match fields.method().as_deref() {
        Some("DELETE") => remove(state, viewer, path, ask, headers, fields).await,
        _ => unknown_method(state, viewer, &path.0.0, ask).await,
    }
}

/// A plain form to `/members/{uid}/scope`.
pub async fn post_scope(
    (state, viewer, path, ask, headers, fields): At<(String, String)>,
) -> Result<Response, Problem> {
    match fields.method().as_deref() {
        Some("PUT") => set_scope(state, viewer, path, ask, headers, fields).await,
        _ => unknown_method(state, viewer, &path.0.0, ask).await,
    }
}

/// A plain form to `/owner`.
pub async fn post_owner((state, viewer, path, ask, headers, fields): At<String>) -> Result<Response, Problem> {
    match fields.method().as_deref() {
        Some("PUT") => transfer(state, viewer, path, ask, headers, fields).await,
        _ => unknown_method(state, viewer, &path.0, ask).await,
    }
}

/// A plain form to `/bans/{uid}`.
pub async fn post_ban((state, viewer, path, ask, headers, fields): At<(String, String)>) -> Result<Response, Problem> {
    match fields.method().as_deref() {
        Some("PUT") => ban(state, viewer, path, ask, headers, fields).await,
        Some("DELETE") => unban(state, viewer, path, ask, headers, fields).await,
        _ => unknown_method(state, viewer, &path.0.0, ask).await,
    }
}

async fn unknown_method(State(app): State<App>, viewer: Viewer, guid: &str, ask: Ask) -> Result<Response, Problem> {
    Seat::of(&app, &viewer, guid, &ask).await?;
    Err(Problem::bad_request("A form says in its field _method what it means: PUT, DELETE, or POST to join."))
}

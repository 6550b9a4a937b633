//! The acts: each one parses what it needs, calls one verb, and answers with the same swaps that
//! the live stream sends.

pub(super) mod answer;
pub(super) mod input;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;

use super::face::{Ask, Face};
use super::fields::Fields;
use super::groups;
use super::path::Path;
use super::problem::Problem;
use super::seat::{self, Seat};
use super::viewer::Viewer;
use super::way_back;
use crate::app::App;
use crate::domain::{GroupType, Refusal, Scope, Uid};
use crate::lang::{Key, key};
use crate::membership::{self, ActError, Actor, Request};
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
    async fn begin<P: InGroup>(
        (State(app), viewer, Path(path), ask, headers, fields): At<P>,
    ) -> Result<(Doing, P), Problem> {
        let seat = match Seat::of(&app, &viewer, path.guid(), &ask).await {
            Ok(seat) => seat,
            Err(refused) => again(&app, &viewer, path.guid(), &ask, &headers).await?.ok_or(refused)?,
        };
        Ok((Doing::with(app, viewer, seat, ask, &headers, fields)?, path))
    }

    fn with(
        app: App,
        viewer: Viewer,
        seat: Seat,
        ask: Ask,
        headers: &HeaderMap,
        fields: Fields,
    ) -> Result<Doing, Problem> {
        let look = seat.look(&app, &viewer, Props::parse(ask.pairs())?)?;
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

    /// Whom a path or field names.
    fn uid(&self, value: &str) -> Result<Uid, Problem> {
        input::uid(value).map_err(|problem| self.invalid(problem))
    }

    /// The password opens nothing: a plain form comes back with the reason beside its field.
    fn not_opened(&self, problem: Problem, why: Key) -> Result<Response, Problem> {
        if !self.plain_form || !matches!(self.ask.face, Face::Page | Face::Fragment) {
            return Err(self.invalid(problem));
        }
        let back = self.fields.get("return").filter(|url| way_back::is_allowed(&self.app, url)).cloned();
        groups::not_opened(&self.app, &self.seat.room.state(), &self.ask, &problem, why, back)
    }

    /// A value of the body is not allowed.
    fn invalid(&self, problem: Problem) -> Problem {
        problem.in_component(&self.look)
    }
}

/// The place of somebody who has none any more and asks again for what they did when they had one,
/// under the same Idempotency-Key: they left, or the answer was lost.
async fn again(
    app: &App,
    viewer: &Viewer,
    guid: &str,
    ask: &Ask,
    headers: &HeaderMap,
) -> Result<Option<Seat>, Problem> {
    let Ok(key @ Some(_)) = input::idempotency_key(headers) else { return Ok(None) };
    let room = seat::room(app, guid).await?;
    let request = Request { guid: room.guid().clone(), actor: Actor::Viewer(viewer.uid().clone()), key };
    let done = membership::was_done(app.store(), &request).await?;
    Ok(done.then(|| Seat { room, scope: Scope::Participant, lang: ask.lang }))
}

/// Everything an act is asked with.
type At<P> = (State<App>, Viewer, Path<P>, Ask, HeaderMap, Fields);

/// A path below a group.
trait InGroup {
    fn guid(&self) -> &str;
}

impl InGroup for String {
    fn guid(&self) -> &str {
        self
    }
}

impl InGroup for (String, String) {
    fn guid(&self) -> &str {
        &self.0
    }
}

/// `DELETE /groups/{guid}/members/{uid}`: kick; of oneself, leave.
pub async fn remove(at: At<(String, String)>) -> Result<Response, Problem> {
    let (doing, (_, uid)) = Doing::begin(at).await?;
    let uid = doing.uid(&uid)?;
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
pub async fn set_scope(at: At<(String, String)>) -> Result<Response, Problem> {
    let (doing, (_, uid)) = Doing::begin(at).await?;
    let uid = doing.uid(&uid)?;
    let scope = input::scope(&doing.fields).map_err(|problem| doing.invalid(problem))?;
    let done = membership::set_scope(doing.app.store(), doing.request(), uid.clone(), scope).await;
    Answer::new(doing, "scope", uid).give(done).await
}

/// `PUT /groups/{guid}/owner`.
pub async fn transfer(at: At<String>) -> Result<Response, Problem> {
    let (doing, _) = Doing::begin(at).await?;
    let uid = doing.uid(doing.fields.get("uid").map_or("", String::as_str))?;
    let done = membership::transfer(doing.app.store(), doing.request(), uid.clone()).await;
    Answer::new(doing, "transfer", uid).give(done).await
}

/// `PUT /groups/{guid}/bans/{uid}`.
pub async fn ban(at: At<(String, String)>) -> Result<Response, Problem> {
    let (doing, (_, uid)) = Doing::begin(at).await?;
    let uid = doing.uid(&uid)?;
    let terms = input::terms(&doing.fields, doing.app.clock().now()).map_err(|problem| doing.invalid(problem))?;
    let done = membership::ban(doing.app.store(), doing.request(), uid.clone(), terms).await;
    Answer::new(doing, "ban", uid).give(done).await
}

/// `DELETE /groups/{guid}/bans/{uid}`.
pub async fn unban(at: At<(String, String)>) -> Result<Response, Problem> {
    let (doing, (_, uid)) = Doing::begin(at).await?;
    let uid = doing.uid(&uid)?;
    let done = membership::unban(doing.app.store(), doing.request(), uid.clone()).await;
    Answer::new(doing, "unban", uid).give(done).await
}

/// `POST /groups/{guid}/members`: join oneself.
pub async fn join((State(app), viewer, Path(guid), ask, headers, fields): At<String>) -> Result<Response, Problem> {
    let room = seat::room(&app, &guid).await?;
    if fields.method().is_some_and(|method| method != "POST") {
        return unknown_method((State(app), viewer, Path(guid), ask, headers, fields)).await;
    }
    let private = room.state().roster().group().group_type == GroupType::Private;
    let member = Seat::of(&app, &viewer, &guid, &ask).await;
    if private && let Err(problem) = member {
        return Err(problem);
    }
    let scope = member.map_or(Scope::Participant, |seat| seat.scope);
    let doing = Doing::with(app, viewer, Seat { room, scope, lang: ask.lang }, ask, &headers, fields)?;
    let (uid, claims) = (doing.viewer.uid().clone(), doing.viewer.0.clone());
    let name = claims.name.map(|name| name.as_str().to_owned());
    let password = doing.fields.get("password").filter(|password| !password.is_empty()).cloned();
    let asks_password = doing.seat.room.state().roster().group().group_type == GroupType::Password;
    let in_already = doing.seat.room.state().roster().get(uid.as_str()).is_some();
    if asks_password && password.is_none() && !in_already {
        input::not_banned(&doing.app, doing.seat.room.guid(), &uid).await?;
        let problem = Problem::invalid("password: this group asks for its password");
        return doing.not_opened(problem, key::GROUP_PASSWORD_MISSING);
    }
    let done = membership::join(doing.app.store(), doing.request(), uid.clone(), name, claims.avatar, password).await;
    match done {
        Err(ActError::Refused { refusal: refusal @ Refusal::WrongPassword, .. }) => {
            doing.not_opened(Problem::refused(refusal), key::REFUSED_PASSWORD)
        }
        done => Answer::new(doing, "join", uid).give(done).await,
    }
}

/// A plain form to `/members/{uid}`: what its field `_method` says.
pub async fn post_member(at: At<(String, String)>) -> Result<Response, Problem> {
    match at.5.method().as_deref() {
        Some("DELETE") => remove(at).await,
        _ => unknown_method(at).await,
    }
}

/// A plain form to `/members/{uid}/scope`.
pub async fn post_scope(at: At<(String, String)>) -> Result<Response, Problem> {
    match at.5.method().as_deref() {
        Some("PUT") => set_scope(at).await,
        _ => unknown_method(at).await,
    }
}

/// A plain form to `/owner`.
pub async fn post_owner(at: At<String>) -> Result<Response, Problem> {
    match at.5.method().as_deref() {
        Some("PUT") => transfer(at).await,
        _ => unknown_method(at).await,
    }
}

/// A plain form to `/bans/{uid}`.
pub async fn post_ban(at: At<(String, String)>) -> Result<Response, Problem> {
    match at.5.method().as_deref() {
        Some("PUT") => ban(at).await,
        Some("DELETE") => unban(at).await,
        _ => unknown_method(at).await,
    }
}

async fn unknown_method<P: InGroup>((State(app), viewer, Path(path), ask, ..): At<P>) -> Result<Response, Problem> {
    Seat::of(&app, &viewer, path.guid(), &ask).await?;
    Err(Problem::bad_request("A form says in its field _method what it means: PUT, DELETE, or POST to join."))
}

//! `GET /groups/{guid}`: the group itself, for a chat's header and for people at its door.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::app::App;
use crate::domain::{GroupType, Kind, Scope};
use crate::http::extract::group_access::{self, Seat};
use crate::http::extract::{Ask, Face, Path, Viewer, input};
use crate::http::problem::Problem;
use crate::http::respond::reply::{json, rendered};
use crate::http::respond::{json, return_to};
use crate::lang::{Html, Key, Said, key};
use crate::live::{Room, State as Group};
use crate::views::{GroupLine, GroupPage, LeftPage};

/// The group, to members; its face, to others when it is not private.
pub async fn show(
    State(app): State<App>,
    viewer: Viewer,
    Path(guid): Path<String>,
    ask: Ask,
) -> Result<Response, Problem> {
    let room = group_access::room(&app, &guid).await?;
    let scope = match Seat::of(&app, &viewer, &guid, &ask).await {
        Ok(seat) => Some(seat.scope),
        Err(problem) if room.state().roster().group().group_type == GroupType::Private => return Err(problem),
        Err(_) => None,
    };
    let mut notice = None;
    if scope.is_none() {
        input::not_banned(&app, room.guid(), viewer.uid()).await?;
        notice = left(&app, &room, &viewer, &ask).await?;
    }
    face(&app, &room.state(), scope, &ask, notice)
}

/// "You have left", to whoever has, and has come here by leaving.
async fn left(app: &App, room: &Room, viewer: &Viewer, ask: &Ask) -> Result<Option<Html>, Problem> {
    if ask.face != Face::Page || ask.value("done").as_deref() != Some("leave") {
        return Ok(None);
    }
    let last = app.store().read().await?.last_event_of(room.guid(), viewer.uid()).await?;
    let state = room.state();
    let said = || Said::from(key::LEFT_TITLE).with("group", state.roster().group().shown_name());
    Ok(last.filter(|event| event.kind == Kind::MemberLeft).map(|_| said().html(ask.lang)))
}

fn face(app: &App, state: &Group, scope: Option<Scope>, ask: &Ask, notice: Option<Html>) -> Result<Response, Problem> {
    let roster = state.roster();
    let online = scope.map(|_| roster.online_len());
    let base = app.base();
    let line = GroupLine { base: &base, group: roster.group(), members: roster.len(), online, scope, lang: ask.lang };
    match ask.face {
        Face::Json | Face::Csv => {
            let owner = roster.owner().filter(|_| scope.is_some()).map(|owner| owner.uid());
            json(&serde_json::json!({"data": json::group(roster.group(), roster.len(), owner, online, scope)}))
        }
        Face::Atom => Err(Problem::no_feed()),
        Face::Fragment => rendered(&line),
        Face::Page => rendered(&GroupPage { notice, ..page(app, line, ask) }),
    }
}

/// The page that a browser shows in place of a list that is not for its reader: how to get in. It is
/// still an answer of 404. A private group keeps the one answer.
pub async fn at_the_door(app: &App, guid: &str, ask: &Ask, problem: Problem) -> Result<Response, Problem> {
    if problem.status != StatusCode::NOT_FOUND {
        return Err(problem);
    }
    let room = group_access::room(app, guid).await?;
    let state = room.state();
    if state.is_deleted() || state.roster().group().group_type == GroupType::Private {
        return Err(problem);
    }
    outside(app, &state, ask, problem.status, None, return_to::asked(app, ask))
}

/// The form to join again, with what is wrong beside its field.
pub fn not_opened(
    app: &App,
    state: &Group,
    ask: &Ask,
    problem: &Problem,
    why: Key,
    back: Option<String>,
) -> Result<Response, Problem> {
    outside(app, state, ask, problem.status, Some((problem.code, why)), back)
}

fn outside(
    app: &App,
    state: &Group,
    ask: &Ask,
    status: StatusCode,
    wrong: Option<(&'static str, Key)>,
    back: Option<String>,
) -> Result<Response, Problem> {
    let (base, roster) = (app.base(), state.roster());
    let (members, lang) = (roster.len(), ask.lang);
    let line = GroupLine { base: &base, group: roster.group(), members, online: None, scope: None, lang };
    let mut response = rendered(&GroupPage { wrong, back, ..page(app, line, ask) })?;
    *response.status_mut() = status;
    Ok(response)
}

fn page<'a>(app: &'a App, line: GroupLine<'a>, ask: &Ask) -> GroupPage<'a> {
    let (back, in_language) = (return_to::asked(app, ask), ask.value("lang").is_some());
    GroupPage { layout: app.layout(), line, notice: None, wrong: None, back, in_language, lang: ask.lang }
}

/// `GET /left`: where a form that leaves a private group leads, since of the group nothing can be said
/// any more, not even to whoever was in it a moment ago.
pub async fn after_leaving(State(app): State<App>, ask: Ask) -> Result<Response, Problem> {
    rendered(&LeftPage { layout: app.layout(), lang: ask.lang })
}

//! `GET /groups/{guid}`: the group itself, for a chat's header.

use axum::extract::State;
use axum::response::Response;

use super::acts::input;
use super::face::{Ask, Face};
use super::json;
use super::path::Path;
use super::problem::Problem;
use super::reply::{json, rendered};
use super::seat::{self, Seat};
use super::viewer::Viewer;
use crate::app::App;
use crate::domain::{GroupType, Scope};
use crate::views::{GroupLine, GroupPage};

/// The group, to members; its face, to others when it is not private.
pub async fn show(
    State(app): State<App>,
    viewer: Viewer,
    Path(guid): Path<String>,
    ask: Ask,
) -> Result<Response, Problem> {
    let room = seat::room(&app, &guid).await?;
    let scope = match Seat::of(&app, &viewer, &guid, &ask).await {
        Ok(seat) => Some(seat.scope),
        Err(problem) if room.state().roster().group().group_type == GroupType::Private => return Err(problem),
        Err(_) => None,
    };
    if scope.is_none() {
        input::not_banned(&app, room.guid(), viewer.uid()).await?;
    }
    face(&app, &room.state(), scope, &ask)
}

fn face(app: &App, state: &crate::live::State, scope: Option<Scope>, ask: &Ask) -> Result<Response, Problem> {
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
        Face::Page => rendered(&GroupPage { layout: app.layout(), line, lang: ask.lang }),
    }
}

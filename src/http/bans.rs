//! `GET /groups/{guid}/bans`: who is banned, until when, why, by whom.

use axum::extract::State;
use axum::response::Response;

use super::face::{Ask, Face};
use super::json::{self, moment};
use super::path::Path;
use super::problem::Problem;
use super::reply::{json, rendered};
use super::seat::Seat;
use super::viewer::Viewer;
use crate::app::App;
use crate::domain::{Ban, Standing, Uid, fold, rules};
use crate::roster::Roster;
use crate::views::{BanRow, BansList, BansPage, Look, Props};

/// The banned, searched and paged.
pub async fn list(
    State(app): State<App>,
    viewer: Viewer,
    Path(guid): Path<String>,
    ask: Ask,
) -> Result<Response, Problem> {
    let seat = Seat::of(&app, &viewer, &guid, &ask).await?;
    let props = Props::parse(ask.pairs())?;
    let from: usize = match ask.value("cursor") {
        None => 0,
        Some(cursor) => cursor.parse().map_err(|_| Problem::invalid("cursor: a place as answers give it"))?,
    };
    let look = seat.look(&app, &viewer, props)?;
    rules::see_bans(Standing::Member(seat.scope)).map_err(Problem::refused)?;
    let bans = app.store().read().await?.bans(seat.room.guid()).await?;
    let needle = fold(look.props.search.trim());
    let found: Vec<&Ban> = bans.iter().filter(|ban| matches(ban, &needle)).collect();
    let limit = look.props.limit();
    let shown: Vec<&Ban> = found.iter().skip(from).take(limit).copied().collect();
    let next = (from + limit < found.len()).then(|| (from + limit).to_string());
    if matches!(ask.face, Face::Json | Face::Csv) {
        let data: Vec<_> = shown.iter().map(|ban| json::ban(ban)).collect();
        return json(&serde_json::json!({"data": data, "meta": {"count": found.len(), "next": next}}));
    }
    let next = next.map(|next| format!("{}?{}cursor={next}", href(&look), ampersand(&look.query)));
    let list = BansList {
        look: &look,
        search: &look.props.search,
        count: found.len(),
        bans: shown.into_iter().map(|ban| row(&look, seat.room.state().roster(), ban)).collect(),
        next,
    };
    if ask.face == Face::Page {
        let group = seat.room.state().roster().group().name.as_str().to_owned();
        return rendered(&BansPage { layout: app.layout(), look: &look, group: &group, list });
    }
    rendered(&list)
}

fn matches(ban: &Ban, needle: &str) -> bool {
    let has = |text: &str| fold(text).contains(needle);
    has(ban.uid.as_str()) || ban.name.as_deref().is_some_and(has)
}

fn row(look: &Look, roster: &Roster, ban: &Ban) -> BanRow {
    // Who banned may have left since; then only the uid is known here.
    let by = |uid: &Uid| roster.get(uid.as_str()).map_or_else(|| uid.to_string(), |member| member.name().to_owned());
    let day =
        |ms: i64| moment(ms).replace('T', " ").split('.').next().unwrap_or_default().trim_end_matches('Z').to_owned();
    BanRow {
        uid: ban.uid.to_string(),
        name: ban.name.clone().unwrap_or_else(|| ban.uid.to_string()),
        reason: ban.reason.clone(),
        until: ban.until.map_or("Until lifted.".into(), |until| format!("Until {} UTC.", day(until))),
        by: format!("By {} on {} UTC.", ban.by.as_ref().map_or_else(|| "the host".to_owned(), by), day(ban.at)),
        action: format!("{}/{}", href(look), ban.uid),
    }
}

fn href(look: &Look) -> String {
    format!("{}/groups/{}/bans", look.base, look.guid)
}

fn ampersand(query: &str) -> String {
    if query.is_empty() { String::new() } else { format!("{query}&") }
}

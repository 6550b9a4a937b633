//! `GET /groups/{guid}/members`: the component, a page, rows, or the same members as data.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::face::{Ask, Face, text};
use super::json::MemberData;
use super::problem::Problem;
use super::reply::{json, rendered};
use super::seat::Seat;
use super::viewer::Viewer;
use crate::app::App;
use crate::domain::{OrderKey, Uid};
use crate::live::State as Group;
use crate::roster::Span;
use crate::views::{Look, MembersPage, Panel, PanelView, Props, Rows};

/// Rows of a window that a place bounds.
const UNTIL: usize = 1000;

/// The members, as this viewer sees them.
pub async fn list(State(app): State<App>, viewer: Viewer, Path(guid): Path<String>, ask: Ask, headers: HeaderMap) -> Result<Response, Problem> {
    let seat = Seat::of(&app, &viewer, &guid, &ask).await?;
    let props = Props::parse(ask.pairs())?;
    let span = span(&ask, &props)?;
    let look = seat.look(&app, props);
    let notice = if ask.face == Face::Page { notice(&app, &seat, &viewer, &ask).await? } else { None };
    let state = seat.room.state();
    let etag = etag(&app, &seat, &state, &viewer, &ask);
    if text(&headers, header::IF_NONE_MATCH.as_str()).is_some_and(|known| known.contains(&etag)) {
        return Ok((StatusCode::NOT_MODIFIED, [(header::ETAG, etag)]).into_response());
    }
    let mut response = match ask.face {
        Face::Json => data(&look, &seat, &state, &span)?,
        Face::Csv => csv(&look, &state, &ask, span)?,
        Face::Page => page(&app, &look, &seat, &state, &span, &viewer, notice)?,
        Face::Fragment => drawn(&look, &seat, &state, &span, &viewer, &ask)?,
    };
    if let Ok(etag) = HeaderValue::from_str(&etag) {
        response.headers_mut().insert(header::ETAG, etag);
    }
    Ok(response)
}

/// Which part of the list: after `cursor`, or up to `until`.
fn span(ask: &Ask, props: &Props) -> Result<Span, Problem> {
    let place = |name: &str| match ask.value(name) {
        None => Ok(None),
        Some(text) => OrderKey::parse(&text).map(Some).ok_or_else(|| Problem::invalid(format!("{name}: a place as answers give it"))),
    };
    let (after, until) = (place("cursor")?, place("until")?);
    let limit = if until.is_some() { UNTIL } else { props.limit() };
    Ok(Span { after, until, limit })
}

fn page(app: &App, look: &Look, seat: &Seat, state: &Group, span: &Span, viewer: &Viewer, notice: Option<String>) -> Result<Response, Problem> {
    let roster = state.roster();
    let window = roster.window(&look.props.filter(), span);
    let panel = Panel::new(look, &seat.room, state, &window, span, viewer.uid(), true);
    let group = roster.group().name.as_str();
    rendered(&MembersPage { layout: app.layout(), group, panel, theme: look.props.theme, notice })
}

fn drawn(look: &Look, seat: &Seat, state: &Group, span: &Span, viewer: &Viewer, ask: &Ask) -> Result<Response, Problem> {
    let roster = state.roster();
    let window = roster.window(&look.props.filter(), span);
    let part = ask.value("part").unwrap_or_default();
    match part.as_str() {
        "rows" => rendered(&Rows::new(look, state, &window, span, &roster.counts(&look.props.filter()), viewer.uid())),
        "view" => rendered(&PanelView::new(look, &seat.room, state, &window, span, viewer.uid())),
        "" | "component" => rendered(&Panel::new(look, &seat.room, state, &window, span, viewer.uid(), false)),
        _ => Err(Problem::invalid("part: one of component, view, rows")),
    }
}

/// What came of an act that a plain form did.
async fn notice(app: &App, seat: &Seat, viewer: &Viewer, ask: &Ask) -> Result<Option<String>, Problem> {
    let words = match ask.value("done").as_deref() {
        Some("kick") => "was removed from the group.",
        Some("ban") => "was banned.",
        Some("unban") => "may come in again.",
        Some("scope") => "has another scope now.",
        Some("transfer") => "owns the group now.",
        Some("join") => return Ok(Some("You are a member now.".into())),
        _ => return Ok(None),
    };
    let Some(uid) = ask.value("uid").and_then(|uid| uid.parse::<Uid>().ok()) else { return Ok(None) };
    Ok(Some(format!("{} {words}", name(app, seat, viewer, &uid).await?)))
}

/// The name of a member, or of somebody whom this viewer was the last to act on. Of others only the
/// uid: anybody can write it into an address.
async fn name(app: &App, seat: &Seat, viewer: &Viewer, uid: &Uid) -> Result<String, Problem> {
    if let Some(member) = seat.room.state().roster().get(uid.as_str()) {
        return Ok(member.name().to_owned());
    }
    let event = app.store().read().await?.last_event_of(seat.room.guid(), uid).await?;
    let own = event.filter(|event| event.by.as_ref().is_some_and(|by| by.uid == *viewer.uid()));
    Ok(own.and_then(|event| event.touched.into_iter().next()?.name).unwrap_or_else(|| uid.to_string()))
}

fn data(look: &Look, seat: &Seat, state: &Group, span: &Span) -> Result<Response, Problem> {
    let roster = state.roster();
    let filter = look.props.filter();
    let window = roster.window(&filter, span);
    let members: Vec<_> = window.members.iter().map(|member| MemberData::new(member, roster.presence(member.uid()).status)).collect();
    let count: usize = roster.counts(&filter).iter().sum();
    let next = window.end.as_ref().map(OrderKey::as_str);
    json(&serde_json::json!({"data": members, "meta": {"count": count, "next": next, "id": seat.room.id(roster.seq()).to_string()}}))
}

/// What `import` reads: everybody who matches, or the part that is asked for.
fn csv(look: &Look, state: &Group, ask: &Ask, mut span: Span) -> Result<Response, Problem> {
    if ask.value("limit").is_none() && span.after.is_none() && span.until.is_none() {
        span.limit = usize::MAX;
    }
    let window = state.roster().window(&look.props.filter(), &span);
    let mut writer = csv::Writer::from_writer(Vec::with_capacity(window.members.len() * 64));
    let failed = |error: csv::Error| Problem::internal(&error);
    writer.write_record(["uid", "name", "scope", "avatar", "joinedAt"]).map_err(failed)?;
    for member in &window.members {
        let joined_at = member.joined_at.to_string();
        writer.write_record([member.uid(), member.name(), member.scope.as_str(), member.avatar().unwrap_or_default(), &joined_at]).map_err(failed)?;
    }
    let bytes = writer.into_inner().map_err(|error| Problem::internal(&error))?;
    Ok(([(header::CONTENT_TYPE, "text/csv; charset=utf-8")], bytes).into_response())
}

/// Names everything the answer depends on, without making the answer.
fn etag(app: &App, seat: &Seat, state: &Group, viewer: &Viewer, ask: &Ask) -> String {
    let mut hasher = DefaultHasher::new();
    (app.run(), seat.room.guid(), state.roster().seq(), state.roster().statuses_version()).hash(&mut hasher);
    (viewer.uid(), ask.face as u8, &ask.query, ask.htmx).hash(&mut hasher);
    format!("W/\"{:016x}\"", hasher.finish())
}

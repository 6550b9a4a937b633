//! `GET /groups/{guid}/members`: the component, a page, rows, the same members as data, or a feed.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::bodies::Body;
use super::face::{Ask, Face, text};
use super::feed;
use super::groups;
use super::json::MemberData;
use super::notice::notice;
use super::part;
use super::path::Path;
use super::problem::Problem;
use super::reply::{as_of, html, json};
use super::seat::Seat;
use super::viewer::Viewer;
use crate::app::App;
use crate::domain::{Member, OrderKey};
use crate::lang::Html;
use crate::live::State as Group;
use crate::roster::{Part, Span};
use crate::views::{Look, MembersPage, Panel, PanelView, Props, Rows};

/// The members, as this viewer sees them.
pub async fn list(
    State(app): State<App>,
    viewer: Viewer,
    Path(guid): Path<String>,
    ask: Ask,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let seat = match Seat::of(&app, &viewer, &guid, &ask).await {
        Err(problem) if ask.face == Face::Page => return groups::at_the_door(&app, &guid, &ask, problem).await,
        seat => seat?,
    };
    if ask.face == Face::Atom {
        return feed::show(&app, &seat, &viewer, &ask, &headers).await;
    }
    let notice = notice(&app, &seat, &viewer, &ask).await?;
    let state = seat.room.state();
    let name = name(&app, &seat, &state, &viewer, &ask);
    let etag = etag(&app, &viewer, &ask, &name);
    let known = is_known(&headers, &etag);
    let kept = if known { None } else { app.bodies().get(&name, own_place(&state, &viewer)) };
    let response = match kept {
        _ if known => StatusCode::NOT_MODIFIED.into_response(),
        Some(body) => html(body),
        None => {
            let props = Props::parse(ask.pairs())?;
            let span = part::asked(&ask, &props)?;
            let look = seat.look(&app, &viewer, props)?;
            let span = part::around_named(span, &ask, state.roster(), &look.props.filter());
            match ask.face {
                Face::Json => data(&look, &seat, &state, &span)?,
                Face::Csv => csv(&look, &state, &ask, span)?,
                _ => {
                    let place = Place { app: &app, seat: &seat, state: &state, viewer: &viewer, ask: &ask };
                    place.drawn(&look, &span, name, notice)?
                }
            }
        }
    };
    Ok(as_of(tagged(response, &etag), &seat.room.id(state.roster().seq())))
}

/// Everything that a rendered window depends on. Rows and views are shared by all viewers of a
/// scope, but for the row that is the viewer's own; components and pages name their viewer.
fn name(app: &App, seat: &Seat, state: &Group, viewer: &Viewer, ask: &Ask) -> String {
    let (guid, roster, scope) = (seat.room.guid(), state.roster(), seat.scope.section());
    let part = ask.value("part").unwrap_or_default();
    let whose =
        if ask.face == Face::Fragment && matches!(part.as_str(), "rows" | "view") { "" } else { viewer.uid().as_str() };
    let (seq, statuses, views) = (roster.seq(), roster.statuses_version(), app.slots().version());
    let (face, lang) = (ask.face as u8, ask.lang.tag());
    format!("{guid} {seq} {statuses} {views:x} {scope} {face} {whose} {lang} {}", ask.query)
}

/// The viewer's own place in display order.
fn own_place<'s>(state: &'s Group, viewer: &Viewer) -> &'s str {
    state.roster().get(viewer.uid().as_str()).map_or("", |member| member.order())
}

/// Where a window is drawn, and for whom.
struct Place<'a> {
    app: &'a App,
    seat: &'a Seat,
    state: &'a Group,
    viewer: &'a Viewer,
    ask: &'a Ask,
}

impl Place<'_> {
    fn drawn(&self, look: &Look, span: &Span, name: String, notice: Option<Html>) -> Result<Response, Problem> {
        let Place { app, seat, state, viewer, ask } = self;
        let (roster, own) = (state.roster(), viewer.uid());
        let window = roster.window(&look.props.filter(), span);
        let part = ask.value("part").unwrap_or_default();
        // Room for most windows at once: growing copies what is there.
        let mut text = String::with_capacity(4096 + 1200 * window.members.len());
        if ask.face == Face::Page {
            let panel = Panel::new(look, &seat.room, state, &window, own);
            let group = &roster.group().shown_name();
            MembersPage { layout: app.layout(), group, panel, theme: look.props.theme, notice, lang: look.lang }
                .render_into(&mut text)?;
        } else {
            match part.as_str() {
                "rows" => {
                    Rows::new(look, state, &window, &roster.counts(&look.props.filter()), own).render_into(&mut text)?
                }
                "view" => PanelView::new(look, &seat.room, state, &window, own).render_into(&mut text)?,
                "" | "component" => Panel::new(look, &seat.room, state, &window, own).render_into(&mut text)?,
                _ => return Err(Problem::invalid("part: one of component, view, rows")),
            }
        }
        let place = |member: Option<&Arc<Member>>| member.map_or("", |member| member.order()).into();
        let body = Body { bytes: text.into(), rows: (place(window.members.first()), place(window.members.last())) };
        app.bodies().keep(name, body.clone(), own_place(state, viewer));
        Ok(html(body.bytes))
    }
}

fn data(look: &Look, seat: &Seat, state: &Group, span: &Span) -> Result<Response, Problem> {
    let roster = state.roster();
    let filter = look.props.filter();
    let window = roster.window(&filter, span);
    let members: Vec<_> =
        window.members.iter().map(|member| MemberData::new(member, roster.presence(member.uid()).status)).collect();
    let count: usize = roster.counts(&filter).iter().sum();
    let (previous, next) = (window.previous.as_ref().map(OrderKey::as_str), window.next.as_ref().map(OrderKey::as_str));
    let id = seat.room.id(roster.seq()).to_string();
    json(&serde_json::json!({
        "data": members,
        "meta": {"count": count, "previous": previous, "next": next, "id": id},
    }))
}

/// What `import` reads: everybody who matches, or the part that is asked for.
fn csv(look: &Look, state: &Group, ask: &Ask, mut span: Span) -> Result<Response, Problem> {
    if ask.value("limit").is_none() && span.part == Part::First {
        span.limit = usize::MAX;
    }
    let window = state.roster().window(&look.props.filter(), &span);
    let mut writer = csv::Writer::from_writer(Vec::with_capacity(window.members.len() * 64));
    let failed = |error: csv::Error| Problem::internal(&error);
    writer.write_record(["uid", "name", "scope", "avatar", "joinedAt"]).map_err(failed)?;
    for member in &window.members {
        let joined_at = member.joined_at.to_string();
        writer
            .write_record([
                member.uid(),
                member.name(),
                member.scope.as_str(),
                member.avatar().unwrap_or_default(),
                &joined_at,
            ])
            .map_err(failed)?;
    }
    let bytes = writer.into_inner().map_err(|error| Problem::internal(&error))?;
    Ok(([(header::CONTENT_TYPE, "text/csv; charset=utf-8")], bytes).into_response())
}

/// Stands for everything the answer depends on, without making the answer.
pub(super) fn etag(app: &App, viewer: &Viewer, ask: &Ask, name: &str) -> String {
    let mut hasher = DefaultHasher::new();
    (app.run(), name, viewer.uid(), ask.htmx).hash(&mut hasher);
    format!("W/\"{:016x}\"", hasher.finish())
}

/// Whether the client has the answer of this tag already.
pub(super) fn is_known(headers: &HeaderMap, etag: &str) -> bool {
    text(headers, header::IF_NONE_MATCH.as_str()).is_some_and(|known| known.contains(etag))
}

/// The answer with its tag.
pub(super) fn tagged(mut response: Response, etag: &str) -> Response {
    if let Ok(etag) = HeaderValue::from_str(etag) {
        response.headers_mut().insert(header::ETAG, etag);
    }
    response
}

//! `GET /groups/{guid}/members`: the component, a page, rows, the same members as data, or a feed.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;

use super::members_window::WindowRenderer;
use super::{feed, groups};
use crate::app::App;
use crate::http::extract::group_access::{VisibleGroup, visible_group};
use crate::http::extract::{Format, Path, RequestInfo, Viewer};
use crate::http::openapi::{GroupPath, ListAnswer, ListFilter, ListFormat, ListPart, WindowQuery};
use crate::http::problem::Problem;
use crate::http::respond::flash::Flash;
use crate::live::LiveGroup;

/// The members, as this viewer sees them.
#[utoipa::path(get, path = "/groups/{guid}/members", operation_id = "component", tag = "Component", params(GroupPath, WindowQuery, ListFilter, ListFormat, ListPart),
    summary = "The members: page, component, rows, JSON or CSV; or an Atom feed of the group's changes.",
    responses((status = 200, description = "As the request wants it.",
        headers(("Last-Event-ID" = String, description = "The event that the answer is as of.")),
        content((ListAnswer = "application/json"), (String = "text/html"), (String = "text/csv"), (String = "application/atom+xml")))))]
pub(in crate::http) async fn list(
    State(app): State<App>,
    viewer: Viewer,
    Path(guid): Path<String>,
    info: RequestInfo,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let access = match visible_group(&app, &viewer, &guid, &info).await? {
        VisibleGroup::Member(access) => access,
        VisibleGroup::NonMember(group) => return for_non_member(&app, &group, &viewer, &info).await,
    };
    info.check_shape()?;
    info.one_of("part", &["component", "view", "rows"])?;
    if info.format == Format::Atom {
        return feed::show(&app, &access, &viewer, &info, &headers).await;
    }
    let flash = Flash::read(&app, &access, &viewer, &info).await?;
    let (state, now) = (access.group.state(), app.clock().now());
    let renderer = WindowRenderer { app: &app, access: &access, state: &state, viewer: &viewer, info: &info, now };
    renderer.respond(flash, &headers)
}

/// Responds to a viewer who is not a member: 404. A page or a component also says why, as the group's page does: they may join, or
/// are banned.
async fn for_non_member(
    app: &App,
    group: &LiveGroup,
    viewer: &Viewer,
    info: &RequestInfo,
) -> Result<Response, Problem> {
    if info.format != Format::Page && !asks_for_component(info) {
        return Err(Problem::not_there());
    }
    let status = Problem::not_there().status;
    let banned = groups::refuse_banned(app, group.guid(), viewer.uid()).await;
    banned.map_err(|problem| Problem { status, ..problem })?;
    match info.format {
        Format::Page => groups::join_page(app, group, info),
        _ => Err(Problem::not_there()),
    }
}

/// Whether the component is requested. The script on the screen of somebody who was put out requests it too.
fn asks_for_component(info: &RequestInfo) -> bool {
    info.format == Format::Fragment && info.value("part").as_deref() == Some("component")
}

//! `GET /groups/{guid}`: the group itself, for a chat's header, and for people who may join it.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::app::App;
use crate::domain::{EventKind, Guid, Scope, Uid};
use crate::http::extract::group_access::{VisibleGroup, visible_group};
use crate::http::extract::{Format, Path, RequestInfo, Viewer};
use crate::http::openapi::{GroupAnswer, GroupPath};
use crate::http::problem::Problem;
use crate::http::respond::reply::{json, rendered};
use crate::http::respond::{json, return_to};
use crate::i18n::{Message, SafeHtml, TextKey, key};
use crate::live::{GroupState, LiveGroup};
use crate::views::{GroupLine, GroupPage, LeftPage};

/// The group, to members; what others may see of it, when it is not private.
#[utoipa::path(get, path = "/groups/{guid}", operation_id = "showGroup", tag = "Component", params(GroupPath),
    summary = "The group, for a chat's header.",
    responses((status = 200, description = "As the request wants it.", content((GroupAnswer = "application/json"), (String = "text/html")))))]
pub(in crate::http) async fn show(
    State(app): State<App>,
    viewer: Viewer,
    Path(guid): Path<String>,
    info: RequestInfo,
) -> Result<Response, Problem> {
    let (group, scope) = match visible_group(&app, &viewer, &guid, &info).await? {
        VisibleGroup::Member(access) => (access.group, Some(access.scope)),
        VisibleGroup::NonMember(group) => (group, None),
    };
    info.check_shape()?;
    if info.format == Format::Atom {
        return Err(Problem::no_feed());
    }
    let mut notice = None;
    if scope.is_none() {
        refuse_banned(&app, group.guid(), viewer.uid()).await?;
        notice = left(&app, &group, &viewer, &info).await?;
    }
    format(&app, &group.state(), scope, &info, notice)
}

/// Refuses a banned person before anything else about joining.
///
/// # Errors
/// 409 with the end of the ban; when the database cannot be read.
pub(in crate::http) async fn refuse_banned(app: &App, guid: &Guid, uid: &Uid) -> Result<(), Problem> {
    let person = app.store().read().await?.person(guid, uid).await?;
    match person.ban {
        Some(ban) if person.membership.is_none() => Err(Problem::banned(&ban)),
        _ => Ok(()),
    }
}

/// The notice "You have left", for somebody who came here by leaving.
async fn left(app: &App, group: &LiveGroup, viewer: &Viewer, info: &RequestInfo) -> Result<Option<SafeHtml>, Problem> {
    if info.format != Format::Page || info.value("done").as_deref() != Some("leave") {
        return Ok(None);
    }
    let last = app.store().read().await?.last_membership_event_of(group.guid(), viewer.uid()).await?;
    let state = group.state();
    let message = || Message::from(key::LEFT_TITLE).with("group", state.roster().group().shown_name());
    Ok(last.filter(|event| event.kind == EventKind::MemberLeft).map(|_| message().html(info.lang)))
}

fn format(
    app: &App,
    state: &GroupState,
    scope: Option<Scope>,
    info: &RequestInfo,
    notice: Option<SafeHtml>,
) -> Result<Response, Problem> {
    let roster = state.roster();
    let online = scope.map(|_| roster.online_len());
    let base = app.base();
    let line = GroupLine { base: &base, group: roster.group(), members: roster.len(), online, scope, lang: info.lang };
    match info.format {
        Format::Json | Format::Csv | Format::Atom => {
            let owner = roster.owner().filter(|_| scope.is_some()).map(|owner| owner.uid());
            json(&serde_json::json!({"data": json::group(roster.group(), roster.len(), owner, online, scope)}))
        }
        Format::Fragment => rendered(&line),
        Format::Page => rendered(&GroupPage { notice, ..page(app, line, info) }),
    }
}

/// The page in place of the list, for people who may join the group: how to join. Its status is still 404.
///
/// # Errors
/// When the template fails.
pub(in crate::http) fn join_page(app: &App, group: &LiveGroup, info: &RequestInfo) -> Result<Response, Problem> {
    let status = Problem::not_there().status;
    join_page_with(app, &group.state(), info, status, None, return_to::parse(app, info))
}

/// The form for joining again, with the problem beside its field.
///
/// # Errors
/// When the template fails.
pub(in crate::http) fn join_refused(
    app: &App,
    state: &GroupState,
    info: &RequestInfo,
    problem: &Problem,
    why: TextKey,
    back: Option<String>,
) -> Result<Response, Problem> {
    join_page_with(app, state, info, problem.status, Some((problem.code, why)), back)
}

fn join_page_with(
    app: &App,
    state: &GroupState,
    info: &RequestInfo,
    status: StatusCode,
    wrong: Option<(&'static str, TextKey)>,
    back: Option<String>,
) -> Result<Response, Problem> {
    let (base, roster) = (app.base(), state.roster());
    let (members, lang) = (roster.len(), info.lang);
    let line = GroupLine { base: &base, group: roster.group(), members, online: None, scope: None, lang };
    let mut response = rendered(&GroupPage { wrong, back, ..page(app, line, info) })?;
    *response.status_mut() = status;
    Ok(response)
}

fn page<'a>(app: &'a App, line: GroupLine<'a>, info: &RequestInfo) -> GroupPage<'a> {
    let (back, in_language) = (return_to::parse(app, info), info.value("lang").is_some());
    GroupPage { layout: app.layout(), line, notice: None, wrong: None, back, in_language, lang: info.lang }
}

/// `GET /left`: where a form that leaves a private group leads, since nothing can be shown of the group
/// any more, not even to whoever was in it a moment ago.
#[utoipa::path(get, path = "/left", operation_id = "left", tag = "Component", security(()),
    summary = "Where a form that leaves a private group leads: that one is out of it.",
    responses((status = 200, description = "The same page for everybody.", content_type = "text/html")))]
pub(in crate::http) async fn after_leaving(State(app): State<App>, info: RequestInfo) -> Result<Response, Problem> {
    rendered(&LeftPage { layout: app.layout(), lang: info.lang })
}

//! `POST /groups/{guid}/selection`: the people somebody selected, as they are now. Nothing changes.

use std::collections::HashSet;
use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::response::Response;

use crate::app::App;
use crate::domain::{Member, MemberRecord, Uid};
use crate::http::extract::{Format, GroupRequest, MultiValueBody, Viewer, act_fields};
use crate::http::openapi::{GroupPath, SelectedAnswer, SelectionForm};
use crate::http::problem::Problem;
use crate::http::respond::reply::{as_of, json, rendered, see_other};
use crate::http::respond::{list_window, panel, return_to};
use crate::i18n::key;
use crate::live::GroupState;
use crate::roster::PageRange;
use crate::views::urls::with_parameters;
use crate::views::{MembersPage, Props, Selected, SelectedMember, SelectionPage, ViewContext};

/// Largest body, in bytes: the most uids at a hundred characters each, and a URL to return to.
const BODY: usize = 128 * 1024;
/// Longest address that answers carry, in bytes: what servers and proxies take in a request line.
const MAX_URL: usize = 8000;

/// Bounds the body.
pub(in crate::http) fn limit() -> DefaultBodyLimit {
    DefaultBodyLimit::max(BODY)
}

/// The selected people: who is a member, and who no longer is.
#[utoipa::path(post, path = "/groups/{guid}/selection", operation_id = "showSelected", tag = "Component", params(GroupPath),
    summary = "The selected people as they are now; changes nothing.",
    request_body(content((SelectionForm = "application/json"), (SelectionForm = "application/x-www-form-urlencoded"))),
    responses((status = 200, description = "Who of them is a member now, and who is not any more; as the request wants it.",
        content((SelectedAnswer = "application/json"), (String = "text/html"))),
        (status = 303, description = "To the field `return`, with the members in its query as `uid`.")))]
pub(in crate::http) async fn show(request: GroupRequest, fields: MultiValueBody) -> Result<Response, Problem> {
    let GroupRequest { app, viewer, access, info } = &request;
    let context = request.context()?;
    let Wanted { uids, back, list, all } = Wanted::of(fields).map_err(|problem| problem.in_component(&context))?;
    access.refresh_unless_members(app, &uids).await?;
    let state = access.group.state();
    let (mut members, gone) = found(&state, uids);
    let first = all.then(|| add_all(&state, &context, &mut members));
    let back = back.filter(|url| return_to::is_allowed(app, url));
    let response = match (info.format, back) {
        (Format::Page, _) if list || all => {
            still_selected(app, &state, viewer, context.selecting(&members), &members, first)
        }
        (Format::Json | Format::Csv, _) => data(&context, viewer.uid(), &state, &members, &gone, app.clock().now()),
        (_, Some(back)) if !info.htmx => Ok(see_other(&with_uids(&back, &members)?)),
        (format, _) => people(app, &context, format, &members, gone.len()),
    }?;
    Ok(as_of(response, &state.last_id()))
}

/// `GET`, as when the address of a page that [`show`] gave is entered again: the list.
#[utoipa::path(get, path = "/groups/{guid}/selection", operation_id = "listOfSelection", tag = "Component", params(GroupPath),
    summary = "The address of a page that POST gave, entered again: the list.",
    responses((status = 303, description = "To the list.")))]
pub(in crate::http) async fn list(request: GroupRequest) -> Result<Response, Problem> {
    Ok(see_other(&request.context()?.href_with("")))
}

/// The list of the selected people, for review before the next step.
fn people(
    app: &App,
    context: &ViewContext,
    format: Format,
    members: &[Arc<Member>],
    gone: usize,
) -> Result<Response, Problem> {
    let members = members.iter().map(|member| SelectedMember::new(context, member)).collect();
    let list = Selected { context, members, gone };
    if format == Format::Page {
        return rendered(&SelectionPage { layout: app.layout(), context, list, lang: context.lang });
    }
    rendered(&list)
}

/// The list with these people selected, wherever in it they are; `first` of them are among those who match.
fn still_selected(
    app: &App,
    state: &GroupState,
    viewer: &Viewer,
    context: ViewContext,
    members: &[Arc<Member>],
    first: Option<usize>,
) -> Result<Response, Problem> {
    let filter = context.props.filter();
    let window = state.roster().window(&filter, &PageRange::first(context.props.limit()));
    let list = list_window(state, &filter, &window);
    let panel = panel(&context, state, &list, viewer.uid(), app.clock().now())
        .with_selected(members, &state.roster().statuses(members));
    let panel = match first {
        Some(first) => panel.with_first_of_all(first),
        None => panel,
    };
    let (layout, theme, lang) = (app.layout(), context.props.theme, context.lang);
    rendered(&MembersPage { layout, group: &state.roster().group().shown_name(), panel, theme, notice: None, lang })
}

/// The parsed body.
struct Wanted {
    uids: Vec<Uid>,
    back: Option<String>,
    /// The list with them selected, instead of who they are.
    list: bool,
    /// The same, with all who match the query as well.
    all: bool,
}

impl Wanted {
    fn of(fields: MultiValueBody) -> Result<Wanted, Problem> {
        let (mut uids, mut seen, mut back, mut list, mut all) = (Vec::new(), HashSet::new(), None, false, false);
        let fields = fields.into_fields()?;
        act_fields::check_count(fields.iter().filter(|(name, _)| name == "uid").count(), Props::MAX_SELECTED)?;
        for (name, value) in fields {
            match name.as_str() {
                "uid" => {
                    let uid = act_fields::uid(&value)?;
                    if seen.insert(uid.clone()) {
                        uids.push(uid);
                    }
                }
                "return" => back = Some(value),
                "list" => list = value == "true",
                "all" => all = value == "true",
                _ => {}
            }
        }
        Ok(Wanted { uids, back, list, all })
    }
}

/// The members among them in display order, and the others as they came.
fn found(state: &GroupState, uids: Vec<Uid>) -> (Vec<Arc<Member>>, Vec<Uid>) {
    let (mut members, mut gone) = (Vec::new(), Vec::new());
    for uid in uids {
        match state.roster().get(uid.as_str()) {
            Some(member) => members.push(member.clone()),
            None => gone.push(uid),
        }
    }
    members.sort_by(|one, other| one.order().cmp(other.order()));
    (members, gone)
}

/// Adds those who match the query, up to the most who can be selected. Answers how many of them are selected.
fn add_all(state: &GroupState, context: &ViewContext, members: &mut Vec<Arc<Member>>) -> usize {
    let matching = state.roster().page(&context.props.filter(), 0, Props::MAX_SELECTED);
    let selected: HashSet<String> = members.iter().map(|member| member.uid().to_owned()).collect();
    let (there, others): (Vec<_>, Vec<_>) = matching.into_iter().partition(|member| selected.contains(member.uid()));
    let before = members.len();
    members.extend(others.into_iter().take(Props::MAX_SELECTED.saturating_sub(before)));
    let first = there.len() + members.len() - before;
    members.sort_by(|one, other| one.order().cmp(other.order()));
    first
}

fn data(
    context: &ViewContext,
    own: &Uid,
    state: &GroupState,
    members: &[Arc<Member>],
    gone: &[Uid],
    now: i64,
) -> Result<Response, Problem> {
    let roster = state.roster();
    let record = |member: &Arc<Member>| {
        let status = roster.presence(member.uid()).status;
        serde_json::json!(MemberRecord::new(member, status).with_ends(member, context.visible_mute(member, own, now)))
    };
    let data: Vec<_> = members.iter().map(record).collect();
    let gone: Vec<_> = gone.iter().map(Uid::as_str).collect();
    json(&serde_json::json!({"data": data, "meta": {"count": data.len(), "gone": gone}}))
}

/// The address with the members' uids in its query.
fn with_uids(back: &str, members: &[Arc<Member>]) -> Result<String, Problem> {
    let uids: Vec<String> = members.iter().map(|member| format!("uid={}", member.uid())).collect();
    let url = with_parameters(back, &uids.join("&"));
    if url.len() > MAX_URL {
        let program =
            format!("return: so many people do not fit into an address of {MAX_URL} bytes; send the form there");
        return Err(Problem::field(key::SELECTION_FEWER, program));
    }
    Ok(url)
}

//! `GET /groups/{guid}/members/{uid}`: one member, their menu, one act's form.

use std::slice;

use askama::Template;
use axum::response::Response;
use strum::VariantArray;

use crate::domain::{ActKind, Member, MemberRecord, Scope, Standing, Status, Uid, rules};
use crate::http::extract::{Format, GroupRequest, Path, Viewer};
use crate::http::openapi::{DataFormat, MemberAnswer, MemberPart, MemberPath};
use crate::http::pages::notes::AboutPerson;
use crate::http::problem::Problem;
use crate::http::respond::reply::{as_of, json, rendered};
use crate::http::respond::{group_totals, return_to};
use crate::live::GroupState;
use crate::views::{
    ActForm, ActWords, MemberPage, Menu, MenuActs, MenuItem, NoteList, OptionsMenu, ViewContext, offered,
};

/// One member: a page with the acts as forms, the row, the menu, a form, or data.
#[utoipa::path(get, path = "/groups/{guid}/members/{uid}", operation_id = "showMember", tag = "Component", params(MemberPath, DataFormat, MemberPart),
    summary = "One member: page, row, menu or JSON.",
    responses((status = 200, description = "As the request wants it.", content((MemberAnswer = "application/json"), (String = "text/html")))))]
pub(crate) async fn show(asked: GroupRequest, Path((_, uid)): Path<(String, String)>) -> Result<Response, Problem> {
    let GroupRequest { app, access, info, .. } = &asked;
    info.one_of("part", &["menu", "dialog"])?;
    let context = asked.context()?;
    let uid: Uid = uid.parse().map_err(|_| Problem::not_a_member())?;
    access.refresh_unless_members(app, slice::from_ref(&uid)).await?;
    let noted = noted(&asked, &uid).await?;
    let state = access.group.state();
    let member = state.roster().get(uid.as_str()).ok_or_else(|| Problem::not_a_member().in_component(&context))?;
    let response = respond(&asked, &context, &state, member, &uid, noted.as_ref())?;
    Ok(as_of(response, &access.group.id(state.roster().seq())))
}

/// The member in the format, and as the part, that the request asks for.
fn respond(
    asked: &GroupRequest,
    context: &ViewContext,
    state: &GroupState,
    member: &Member,
    uid: &Uid,
    noted: Option<&AboutPerson>,
) -> Result<Response, Problem> {
    let GroupRequest { viewer, info, .. } = asked;
    let (status, own) = (status(state, member), uid == viewer.uid());
    match (info.format, info.value("part").as_deref()) {
        (Format::Json | Format::Csv, _) => {
            let record = MemberRecord::new(member, status).with_ends(member, context.sees_mute(own));
            json(&serde_json::json!({"data": record}))
        }
        (Format::Atom, _) => Err(Problem::no_feed()),
        (Format::Page, _) => page(asked, context, state, member, noted),
        (Format::Fragment, Some("menu")) => menu(context, state, member, uid, viewer),
        (Format::Fragment, Some("dialog")) => {
            let form = form(asked, context, state, member, uid)?.in_dialog(context);
            rendered(&form.noting(noted.map(|about| NoteList::new(context, &about.notes))))
        }
        (Format::Fragment, _) => rendered(&context.row(member, status, own)),
    }
}

/// The notes about this member, where they are shown: on their page, and in the dialog of an act of somebody above them.
async fn noted(asked: &GroupRequest, uid: &Uid) -> Result<Option<AboutPerson>, Problem> {
    let GroupRequest { app, viewer, access, info } = asked;
    let is_shown = match info.format {
        Format::Page => true,
        Format::Fragment => info.value("part").as_deref() == Some("dialog"),
        Format::Json | Format::Csv | Format::Atom => false,
    };
    if !is_shown || !may_see_notes(access.scope, access.group.state().standing(uid), uid == viewer.uid()) {
        return Ok(None);
    }
    AboutPerson::load(app.store(), &access.group, uid).await.map(Some)
}

fn may_see_notes(scope: Scope, target: Standing, own: bool) -> bool {
    rules::see_notes(Standing::Member(scope), target, own).is_ok()
}

fn menu(
    context: &ViewContext,
    state: &GroupState,
    member: &Member,
    uid: &Uid,
    viewer: &Viewer,
) -> Result<Response, Problem> {
    let own = uid == viewer.uid();
    // A viewer who may not know of a mute is not offered an act that reveals it.
    let muted = member.muted().is_some() && context.sees_mute(own);
    let acts = offered(context, Standing::Member(member.scope), own, is_alone(state), muted);
    let with_notes = !acts.is_empty() && may_see_notes(context.scope, Standing::Member(member.scope), own);
    let items = acts.into_iter().map(|(kind, answer)| MenuItem::new(context, uid, own, kind, answer));
    let mut items: Vec<_> = items.collect();
    if with_notes {
        items.insert(items.iter().take_while(|item| !item.is_dangerous()).count(), MenuItem::notes(context, uid));
    }
    let acts = MenuActs { items: &items }.render()?;
    match context.options(group_totals(state), member, status(state, member), viewer.uid(), Some(acts)) {
        Some((entries, _)) => {
            rendered(&OptionsMenu { style: context.acts_style(), name: member.shown_name(), entries })
        }
        None => rendered(&Menu { style: context.acts_style(), name: member.shown_name(), items }),
    }
}

fn form<'a>(
    asked: &GroupRequest,
    context: &'a ViewContext,
    state: &GroupState,
    member: &'a Member,
    uid: &'a Uid,
) -> Result<ActForm<'a>, Problem> {
    let GroupRequest { app, viewer, access, info } = asked;
    let own = uid == viewer.uid();
    let wanted = info.value("act").unwrap_or_default();
    // Joining has a page of its own.
    let with_a_form = || ActKind::VARIANTS.iter().filter(|kind| **kind != ActKind::Join);
    let kind = *with_a_form().find(|kind| kind.as_str() == wanted).ok_or_else(|| {
        let words: Vec<_> = with_a_form().map(|kind| kind.as_str()).collect();
        Problem::invalid(format!("act: one of {}", words.join(", ")))
    })?;
    let standing = Standing::Member(member.scope);
    // A viewer who may not know of a mute is not offered an act that reveals it.
    let muted = member.muted().is_some() && context.sees_mute(own);
    let acts = offered(context, standing, own, is_alone(state), muted);
    match acts.into_iter().find(|(offered, _)| *offered == kind) {
        Some((_, Ok(()))) => {
            let as_of = access.group.id(state.roster().seq());
            Ok(ActForm::new(context, uid, member, own, kind, as_of, app.clock().now()))
        }
        Some((_, Err(refusal))) => Err(Problem::refused(refusal).in_component(context)),
        // The row on screen offered it: since then somebody's scope has changed.
        None => Err(Problem::stale_form().in_component(context)),
    }
}

fn page(
    asked: &GroupRequest,
    context: &ViewContext,
    state: &GroupState,
    member: &Member,
    noted: Option<&AboutPerson>,
) -> Result<Response, Problem> {
    let GroupRequest { app, viewer, access, info } = asked;
    let back = return_to::parse(app, info);
    let uid: &Uid = &member.uid().parse().map_err(|_| Problem::not_a_member())?;
    let (standing, own) = (Standing::Member(member.scope), uid == viewer.uid());
    // A viewer who may not know of a mute is not offered an act that reveals it.
    let muted = member.muted().is_some() && context.sees_mute(own);
    let (links, with_acts) = context
        .options(group_totals(state), member, status(state, member), viewer.uid(), None)
        .unwrap_or((String::new(), true));
    let as_of = access.group.id(state.roster().seq());
    let (mut forms, mut refused) = (Vec::new(), Vec::new());
    for (kind, answer) in offered(context, standing, own, is_alone(state), muted).into_iter().filter(|_| with_acts) {
        match answer {
            Ok(()) => {
                let form = ActForm::new(context, uid, member, own, kind, as_of.clone(), app.clock().now());
                forms.push(form.back_to(back.as_ref()));
            }
            Err(refusal) => refused.push((ActWords::of(kind, own).label, crate::views::refused(refusal))),
        }
    }
    let row = Some(context.row(member, status(state, member), own).alone());
    // A page that offers no acts is to be read only.
    let noted = noted.filter(|_| !forms.is_empty());
    let notes_back = || back.clone().unwrap_or_else(|| context.notes_href(uid));
    let notes = noted.map(|about| about.panel(context, state, viewer.uid(), notes_back()));
    let (layout, name, lang) = (app.layout(), member.shown_name(), context.lang);
    rendered(&MemberPage { layout, context, name, row, links, forms, refused, notes, back, lang })
}

/// Whether the viewer is the only member.
fn is_alone(state: &GroupState) -> bool {
    state.roster().len() == 1
}

fn status(state: &GroupState, member: &Member) -> Status {
    state.roster().presence(member.uid()).status
}

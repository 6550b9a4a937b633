//! `GET /groups/{guid}/members/{uid}`: one member, their menu, one act's form.

use std::slice;

use askama::Template;
use axum::response::Response;
use strum::VariantArray;

use crate::domain::rules::ActorAndTarget;
use crate::domain::{ActKind, Member, MemberRecord, Refusal, Status, Uid};
use crate::http::extract::{Format, GroupRequest, Path, RequestInfo};
use crate::http::openapi::{DataFormat, MemberAnswer, MemberPart, MemberPath};
use crate::http::pages::notes::{AboutPerson, may_read};
use crate::http::problem::Problem;
use crate::http::respond::flash::Flash;
use crate::http::respond::reply::{as_of, json, rendered};
use crate::http::respond::{group_totals, return_to};
use crate::i18n::TextKey;
use crate::live::GroupState;
use crate::views::{
    ActForm, ActWords, MemberPage, Menu, MenuActs, MenuItem, NoteList, OptionsMenu, Row, ViewContext, offered, refused,
};

/// One member: a page with the acts as forms, the row, the menu, a form, or data.
#[utoipa::path(get, path = "/groups/{guid}/members/{uid}", operation_id = "showMember", tag = "Component", params(MemberPath, DataFormat, MemberPart),
    summary = "One member: page, row, menu or JSON.",
    responses((status = 200, description = "As the request wants it.", content((MemberAnswer = "application/json"), (String = "text/html")))))]
pub(in crate::http) async fn show(
    request: GroupRequest,
    Path((_, uid)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let GroupRequest { app, viewer, access, info } = &request;
    if info.format == Format::Atom {
        return Err(Problem::no_feed());
    }
    info.one_of("part", &["menu", "dialog"])?;
    let wanted = if asks_for_dialog(info) { Some(wanted_act(info)?) } else { None };
    let context = request.context()?;
    let uid: Uid = uid.parse().map_err(|_| Problem::not_a_member())?;
    access.refresh_unless_members(app, slice::from_ref(&uid)).await?;
    let noted = noted(&request, &uid).await?;
    let flash = Flash::read(app, access, viewer, info).await?;
    let state = access.group.state();
    let member = state.roster().get(uid.as_str()).ok_or_else(|| Problem::not_a_member().in_component(&context))?;
    let shown = ShownMember { request: &request, context: &context, state: &state, member, uid: &uid };
    let response = shown.respond(wanted, noted.as_ref(), flash)?;
    Ok(as_of(response, &state.last_id()))
}

/// The notes about this member, where they are shown: on their page, and in the dialog of an act of somebody above them.
async fn noted(request: &GroupRequest, uid: &Uid) -> Result<Option<AboutPerson>, Problem> {
    let GroupRequest { app, viewer, access, info } = request;
    let is_shown = match info.format {
        Format::Page => true,
        Format::Fragment => asks_for_dialog(info),
        Format::Json | Format::Csv | Format::Atom => false,
    };
    let viewer = (viewer.uid(), access.scope);
    if !is_shown || may_read(viewer, uid, &access.group.state(), app.clock().now()).is_err() {
        return Ok(None);
    }
    AboutPerson::load(app.store(), &access.group, uid).await.map(Some)
}

/// Whether the form of an act is requested, for the component's dialog.
fn asks_for_dialog(info: &RequestInfo) -> bool {
    info.format == Format::Fragment && info.value("part").as_deref() == Some("dialog")
}

/// The act whose form is requested.
fn wanted_act(info: &RequestInfo) -> Result<ActKind, Problem> {
    let wanted = info.value("act").unwrap_or_default();
    // Joining has a page of its own.
    let with_a_form = || ActKind::VARIANTS.iter().filter(|kind| **kind != ActKind::Join);
    with_a_form().find(|kind| kind.as_str() == wanted).copied().ok_or_else(|| {
        let words: Vec<_> = with_a_form().map(|kind| kind.as_str()).collect();
        Problem::invalid(format!("act: one of {}", words.join(", ")))
    })
}

/// A member as the viewer of a request sees them.
struct ShownMember<'a> {
    request: &'a GroupRequest,
    context: &'a ViewContext,
    state: &'a GroupState,
    member: &'a Member,
    uid: &'a Uid,
}

impl<'a> ShownMember<'a> {
    /// The member in the format, and as the part, that the request asks for; `wanted` is the act of a dialog, `flash` the result of an
    /// act that a page reports.
    fn respond(
        &self,
        wanted: Option<ActKind>,
        noted: Option<&AboutPerson>,
        flash: Option<Flash>,
    ) -> Result<Response, Problem> {
        let info = &self.request.info;
        match (info.format, wanted) {
            (Format::Json | Format::Csv | Format::Atom, _) => self.data(),
            (Format::Page, _) => self.page(noted, flash),
            (Format::Fragment, Some(wanted)) => {
                let notes = noted.map(|about| NoteList::new(self.context, &about.notes));
                rendered(&self.form(wanted)?.in_dialog(self.context).noting(notes))
            }
            (Format::Fragment, None) if info.value("part").as_deref() == Some("menu") => self.menu(),
            (Format::Fragment, None) => rendered(&self.row()),
        }
    }

    fn data(&self) -> Result<Response, Problem> {
        let record = MemberRecord::new(self.member, self.status());
        let GroupRequest { app, viewer, .. } = self.request;
        let muted_until = self.context.visible_mute(self.member, viewer.uid(), app.clock().now());
        json(&serde_json::json!({"data": record.with_ends(self.member, muted_until)}))
    }

    /// The member's page, with a form for each act, and the notes about them.
    fn page(&self, noted: Option<&AboutPerson>, flash: Option<Flash>) -> Result<Response, Problem> {
        let GroupRequest { app, viewer, info, .. } = self.request;
        let (context, back) = (self.context, return_to::parse(app, info));
        let (links, with_acts) = self.options(None).unwrap_or((String::new(), true));
        let (forms, refused) = if with_acts { self.forms(back.as_ref()) } else { (Vec::new(), Vec::new()) };
        let notice = flash.map(|flash| flash.notice(context));
        // The focus of a page is in one place: in the notice, when there is one.
        let forms = if notice.is_some() { forms.into_iter().map(ActForm::without_focus).collect() } else { forms };
        // A page that offers no acts is to be read only.
        let noted = noted.filter(|_| !forms.is_empty());
        let notes_back = || back.clone().unwrap_or_else(|| context.notes_href(self.uid));
        let now = app.clock().now();
        let notes = noted.map(|about| about.panel(context, self.state, viewer.uid(), now, notes_back()));
        let row = Some(self.row().alone());
        let (layout, name, lang) = (app.layout(), self.member.shown_name(), context.lang);
        rendered(&MemberPage { layout, context, name, row, links, forms, refused, notes, back, notice, lang })
    }

    fn menu(&self) -> Result<Response, Problem> {
        let items = self.menu_items();
        let acts = MenuActs { items: &items }.render()?;
        let (style, name) = (self.context.acts_style(), self.member.shown_name());
        match self.options(Some(acts)) {
            Some((entries, _)) => rendered(&OptionsMenu { style, name, entries }),
            None => rendered(&Menu { style, name, items }),
        }
    }

    /// The acts, with the notes before those that are dangerous.
    fn menu_items(&self) -> Vec<MenuItem> {
        let (context, own, acts) = (self.context, self.own(), self.offered());
        let (viewer, now) = ((self.request.viewer.uid(), context.scope), self.request.app.clock().now());
        let with_notes = !acts.is_empty() && may_read(viewer, self.uid, self.state, now).is_ok();
        let items = acts.into_iter().map(|(kind, answer)| MenuItem::new(context, self.uid, own, kind, answer));
        let mut items: Vec<_> = items.collect();
        if with_notes {
            let place = items.iter().take_while(|item| !item.is_dangerous()).count();
            items.insert(place, MenuItem::notes(context, self.uid));
        }
        items
    }

    /// The form of this act.
    fn form(&self, wanted: ActKind) -> Result<ActForm<'a>, Problem> {
        let offered = self.offered();
        let was_muted = wanted == ActKind::Unmute && offered.iter().any(|(kind, _)| *kind == ActKind::Mute);
        match offered.iter().copied().find(|(kind, _)| *kind == wanted) {
            Some((_, Ok(()))) => Ok(self.form_of(wanted)),
            Some((_, Err(refusal))) => Err(Problem::refused(refusal).in_component(self.context)),
            // The row on screen offered it. Since then their mute has ended,
            None if was_muted => Err(Problem::refused(Refusal::Outdated).in_component(self.context)),
            // or somebody's scope has changed.
            None => Err(Problem::stale_form().in_component(self.context)),
        }
    }

    fn form_of(&self, kind: ActKind) -> ActForm<'a> {
        let as_of = self.state.last_id();
        ActForm::new(self.context, self.uid, self.member, self.own(), kind, as_of, self.request.app.clock().now())
    }

    /// The forms of all acts that are offered, which lead `back`, and the labels of those that are refused, with the reason.
    fn forms(&self, back: Option<&String>) -> (Vec<ActForm<'a>>, Vec<(TextKey, TextKey)>) {
        let (mut forms, mut refusals) = (Vec::new(), Vec::new());
        for (kind, answer) in self.offered() {
            match answer {
                Ok(()) => forms.push(self.form_of(kind).back_to(back)),
                Err(refusal) => refusals.push((ActWords::of(kind, self.own()).label, refused(refusal))),
            }
        }
        (forms, refusals)
    }

    /// The viewer's acts on this member, each with the reason when it is refused.
    fn offered(&self) -> Vec<(ActKind, Result<(), Refusal>)> {
        let own = self.own();
        // A viewer who may not know of a mute is not offered an act that reveals it.
        let muted = self.member.muted().is_some() && self.context.sees_mute(own);
        let alone = self.state.roster().len() == 1;
        let scope = self.member.scope_at(self.request.app.clock().now());
        let between = ActorAndTarget::members(self.context.scope, scope);
        offered(self.context, ActorAndTarget { own, alone, muted, ..between })
    }

    /// The custom context menu, with these acts, and whether it contains them.
    fn options(&self, acts: Option<String>) -> Option<(String, bool)> {
        let viewer = self.request.viewer.uid();
        self.context.options(group_totals(self.state), self.member, self.status(), viewer, acts)
    }

    fn row(&self) -> Row<'a> {
        self.context.row(self.member, self.status(), self.own())
    }

    /// Whether the viewer is this member.
    fn own(&self) -> bool {
        self.uid == self.request.viewer.uid()
    }

    fn status(&self) -> Status {
        self.state.roster().presence(self.member.uid()).status
    }
}

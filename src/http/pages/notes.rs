//! `GET /groups/{guid}/members/{uid}/notes`: what staff wrote about somebody, who may have left.

use axum::response::Response;

use crate::domain::{PersonNote, Refusal, Scope, Standing, Uid, rules};
use crate::http::extract::{Format, GroupRequest, Path};
use crate::http::openapi::{DataFormat, MemberPath, NotesAnswer};
use crate::http::problem::Problem;
use crate::http::respond::flash::Flash;
use crate::http::respond::reply::{self, as_of, rendered};
use crate::http::respond::{json, return_to};
use crate::live::{GroupState, LiveGroup};
use crate::store::Store;
use crate::views::{NotesPage, NotesPanel, ViewContext};

/// The notes about somebody.
#[utoipa::path(get, path = "/groups/{guid}/members/{uid}/notes", operation_id = "showNotes", tag = "Component", params(MemberPath, DataFormat),
    summary = "Notes about somebody, who may have left: for staff above them.",
    responses((status = 200, description = "As the request wants it.", content((NotesAnswer = "application/json"), (String = "text/html")))))]
pub(in crate::http) async fn list(
    request: GroupRequest,
    Path((_, uid)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let GroupRequest { app, viewer, access, info } = &request;
    if info.format == Format::Atom {
        return Err(Problem::no_feed());
    }
    info.one_of("part", &["dialog"])?;
    let context = request.context()?;
    let Ok(uid) = uid.parse::<Uid>() else {
        rules::see_restrictions(Standing::Member(access.scope)).map_err(Problem::refused)?;
        return Err(Problem::not_a_member());
    };
    may_read((viewer.uid(), access.scope), &uid, &access.group.state(), app.clock().now())
        .map_err(|refusal| Problem::refused(refusal).in_component(&context))?;
    let id = access.group.state().last_id();
    let about = AboutPerson::load(app.store(), &access.group, &uid).await?;
    let response = match info.format {
        Format::Json | Format::Csv => data(&about.notes),
        Format::Page => page(&request, &context, &about).await,
        _ => rendered(&about.in_dialog(&context, &access.group.state(), viewer.uid(), app.clock().now())),
    }?;
    Ok(as_of(response, &id))
}

/// Whether this viewer, of this scope, may read notes about somebody, by the scope that they have at `now`, Unix milliseconds:
/// from its end on, also before the sweep, a scope for a time is the lasting one.
///
/// # Errors
/// As [`rules::see_notes`].
pub(in crate::http) fn may_read(
    (viewer, scope): (&Uid, Scope),
    about: &Uid,
    state: &GroupState,
    now: i64,
) -> Result<(), Refusal> {
    rules::see_notes(Standing::Member(scope), state.standing_at(about, now), viewer == about)
}

fn data(notes: &[PersonNote]) -> Result<Response, Problem> {
    let data: Vec<_> = notes.iter().map(json::note).collect();
    reply::json(&serde_json::json!({"data": data, "meta": {"count": data.len()}}))
}

async fn page(request: &GroupRequest, context: &ViewContext, about: &AboutPerson) -> Result<Response, Problem> {
    let GroupRequest { app, viewer, access, info } = request;
    let notice = Flash::read(app, access, viewer, info).await?.map(|flash| flash.notice(context));
    let state = access.group.state();
    let uid = &about.uid;
    let person = state.roster().get(uid.as_str()).map(|_| context.member_page(uid.as_str()));
    let back = return_to::parse(app, info);
    let own = return_to::with_parameter(&context.notes_href(uid), "return", back.as_deref().unwrap_or_default());
    let panel = about.panel(context, &state, viewer.uid(), app.clock().now(), own);
    let (layout, name, lang) = (app.layout(), about.name.as_str().into(), info.lang);
    rendered(&NotesPage { layout, context, name, back, person, panel, notice, lang })
}

/// A person and the notes about them.
pub(in crate::http) struct AboutPerson {
    uid: Uid,
    /// Their name as people read it.
    pub name: String,
    /// The notes, newest first.
    pub notes: Vec<PersonNote>,
}

impl AboutPerson {
    /// Reads the notes; the caller has checked that the viewer may read them.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(in crate::http) async fn load(store: &Store, group: &LiveGroup, uid: &Uid) -> Result<AboutPerson, Problem> {
        let mut reader = store.read().await?;
        let notes = reader.notes(group.guid(), uid).await?;
        let name = group.state().roster().get(uid.as_str()).map(|member| member.shown_name().into_owned());
        let name = match name {
            Some(name) => name,
            // Anybody can write a uid into a URL: only people who are in the log have a name.
            None => {
                let last = reader.last_event_of(group.guid(), uid).await?;
                let name = last.as_ref().and_then(|event| event.touched.first()).map(|touched| touched.shown_name());
                name.map_or_else(|| uid.to_string(), std::borrow::Cow::into_owned)
            }
        };
        Ok(AboutPerson { uid: uid.clone(), name, notes })
    }

    /// Their notes as this viewer sees them at `now`, Unix milliseconds. Without JavaScript its forms lead `back`.
    pub(in crate::http) fn panel<'a>(
        &self,
        context: &'a ViewContext,
        state: &GroupState,
        viewer: &Uid,
        now: i64,
        back: String,
    ) -> NotesPanel<'a> {
        let actor = Standing::Member(context.scope);
        let author = |note: &PersonNote| state.standing_at(&note.by, now);
        let may_remove = |note: &PersonNote| rules::remove_note(actor, author(note), note.by == *viewer).is_ok();
        NotesPanel::new(context, &self.uid, &self.name, &self.notes, may_remove, back)
    }

    /// Their notes for the component's dialog; `now` as for [`AboutPerson::panel`].
    pub(in crate::http) fn in_dialog<'a>(
        &self,
        context: &'a ViewContext,
        state: &GroupState,
        viewer: &Uid,
        now: i64,
    ) -> NotesPanel<'a> {
        self.panel(context, state, viewer, now, context.notes_href(&self.uid)).in_dialog()
    }
}

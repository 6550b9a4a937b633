//! Adding and removing notes about people.

use std::ops::ControlFlow;

use axum::response::Response;
use utoipa::ToSchema;

use super::input::{ActInput, ActParts, InGroup, unknown_method};
use super::response::ActResponse;
use crate::domain::{LoggedEvent, PersonNote, Uid};
use crate::http::extract::act_fields;
use crate::http::openapi::{IdempotencyHeader, MemberPath, NoteAnswer, NotePath, Nothing};
use crate::http::pages::notes::{AboutPerson, may_read};
use crate::http::problem::Problem;
use crate::http::respond::json;
use crate::http::respond::operation::Operation;
use crate::http::respond::reply::{self, as_of, html, rendered};
use crate::i18n::{Message, key};
use crate::membership::{self, ActError, Outcome};

/// A path below a person of a group.
pub(in crate::http) type NoteAddress = (String, String, String);

impl InGroup for NoteAddress {
    fn guid(&self) -> &str {
        &self.0
    }
}

/// A note.
#[derive(ToSchema)]
#[schema(example = json!({"text": "Asked twice to stop."}))]
#[expect(dead_code, reason = "only described: handlers read them")]
struct NoteForm {
    /// What it says.
    #[schema(min_length = 1, max_length = 2000)]
    text: String,
    /// For plain forms.
    #[schema(rename = "_method", pattern = "^POST$", nullable = false)]
    method: Option<String>,
    /// Where it leads back to, on an allowed origin.
    #[schema(rename = "return")]
    back: Option<String>,
}

/// `POST /groups/{guid}/members/{uid}/notes`.
#[utoipa::path(post, path = "/groups/{guid}/members/{uid}/notes", operation_id = "addNote", tag = "Acts", params(MemberPath, IdempotencyHeader),
    summary = "Write a note about somebody, who may have left: for staff above them.", request_body(content((NoteForm = "application/json"), (NoteForm = "application/x-www-form-urlencoded"))),
    responses((status = 200, description = "Added; as the request wants it.",
        content((NoteAnswer = "application/json"), (String = "text/html"))),
        (status = 303, description = "To a plain form: back to where it was.")))]
pub(in crate::http) async fn add(parts: ActParts<(String, String)>) -> Result<Response, Problem> {
    if parts.fields.method().is_some_and(|method| method != "POST") {
        return unknown_method(parts).await;
    }
    let (input, (_, uid)) = ActInput::begin(parts).await?;
    let uid = input.uid(&uid)?;
    let text = act_fields::note(&input.fields)
        .map_err(|problem| input.invalid_on(&input.context.notes_href(&uid), problem))?;
    let result = membership::add_note(input.app.store(), input.request(), uid.clone(), text.clone()).await;
    respond(input, uid, Operation::NoteAdded, result, Some(&text)).await
}

/// `DELETE /groups/{guid}/members/{uid}/notes/{id}`.
#[utoipa::path(delete, path = "/groups/{guid}/members/{uid}/notes/{id}", operation_id = "removeNote", tag = "Acts", params(NotePath, IdempotencyHeader),
    summary = "Remove a note: for its author, and whoever is above them.",
    responses((status = 200, description = "Removed, or already so; as the request wants it.",
        content((Nothing = "application/json"), (String = "text/html")))))]
pub(in crate::http) async fn remove(parts: ActParts<NoteAddress>) -> Result<Response, Problem> {
    let (input, (_, uid, id)) = ActInput::begin(parts).await?;
    let uid = input.uid(&uid)?;
    let number = id.parse::<u64>().ok().filter(|number| i64::try_from(*number).is_ok());
    let id = number.ok_or_else(|| input.invalid(Problem::invalid("id: the number of a note, as answers give it")))?;
    let result = membership::remove_note(input.app.store(), input.request(), uid.clone(), id).await;
    respond(input, uid, Operation::NoteRemoved, result, None).await
}

/// The removal of a note as a form without JavaScript.
#[derive(ToSchema)]
#[schema(example = json!({"_method": "DELETE"}))]
#[expect(dead_code, reason = "only described")]
struct PlainRemoval {
    /// The method that it stands for.
    #[schema(rename = "_method", pattern = "^DELETE$")]
    method: String,
    /// Where it leads back to, on an allowed origin.
    #[schema(rename = "return")]
    back: Option<String>,
}

/// A plain form to `…/notes/{id}`.
#[utoipa::path(post, path = "/groups/{guid}/members/{uid}/notes/{id}", operation_id = "formNote", tag = "Acts", params(NotePath, IdempotencyHeader),
    summary = "The same as a plain form: the field _method says which.", request_body(content((PlainRemoval = "application/json"), (PlainRemoval = "application/x-www-form-urlencoded"))),
    responses((status = 200, description = "Done; to JSON, as the method named.", body = Nothing),
        (status = 303, description = "Back to where the form was.")))]
pub(in crate::http) async fn post(parts: ActParts<NoteAddress>) -> Result<Response, Problem> {
    match parts.fields.method().as_deref() {
        Some("DELETE") => remove(parts).await,
        _ => unknown_method(parts).await,
    }
}

/// The notes as they are now, or the one that was added; neither in answer to a repeated request of somebody who may not read them
/// any more.
async fn respond(
    input: ActInput,
    uid: Uid,
    operation: Operation,
    result: Result<Outcome, ActError>,
    added: Option<&str>,
) -> Result<Response, Problem> {
    let response = ActResponse::new(input, operation, uid.clone());
    let outcome = match response.settle(result).await? {
        ControlFlow::Break(answer) => return Ok(answer),
        ControlFlow::Continue(outcome) => outcome,
    };
    let (input, group) = (&response.input, &response.input.access.group);
    let wants_data = input.info.format.is_data();
    let answer = if may_still_read(input, &uid) {
        let about = AboutPerson::load(input.app.store(), group, &uid).await?;
        let event = outcome.logged.as_deref();
        if wants_data { data(input, &about, event, added)? } else { panel(&response, &about, event, added.is_some())? }
    } else if wants_data {
        reply::json(&serde_json::json!({"data": {}}))?
    } else {
        html(String::new())
    };
    let id = group.state().last_id();
    Ok(as_of(answer, &id))
}

/// Whether the viewer may read notes about this person, by the scope that they have themselves now: a repeated request is done
/// without asking the rules again.
fn may_still_read(input: &ActInput, uid: &Uid) -> bool {
    let (state, now, viewer) = (input.access.group.state(), input.app.clock().now(), input.viewer.uid());
    let me = state.roster().get(viewer.as_str());
    me.is_some_and(|me| may_read((viewer, me.scope_at(now)), uid, &state, now).is_ok())
}

/// The note that was added, as data.
fn data(
    input: &ActInput,
    about: &AboutPerson,
    event: Option<&LoggedEvent>,
    added: Option<&str>,
) -> Result<Response, Problem> {
    // A repeated request finds the note by its text; that note may have been removed since.
    let is_meant = |note: &&PersonNote| match event {
        Some(event) => note.id == event.seq,
        None => note.by == *input.viewer.uid() && Some(note.text.as_str()) == added,
    };
    let note = added.and_then(|_| about.notes.iter().find(is_meant));
    reply::json(&serde_json::json!({"data": note.map_or_else(|| serde_json::json!({}), json::note)}))
}

/// The notes in the dialog, which says what was done, with the event for the host's page.
fn panel(
    response: &ActResponse,
    about: &AboutPerson,
    event: Option<&LoggedEvent>,
    is_added: bool,
) -> Result<Response, Problem> {
    let (input, state) = (&response.input, response.input.access.group.state());
    let notice = if is_added { key::DONE_NOTE_ADDED } else { key::DONE_NOTE_REMOVED };
    let notice = Message::from(notice).with("name", about.name.as_str()).html(input.context.lang);
    let now = input.app.clock().now();
    let panel = rendered(&about.in_dialog(&input.context, &state, input.viewer.uid(), now).with_notice(notice))?;
    Ok(response.with_events(panel, event, &state))
}

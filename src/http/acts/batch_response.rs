//! The response to an act on several people, and to the undoing of one: the result for each person.

use askama::Template;
use axum::response::Response;
use serde_json::{Value, json};

use super::input::ActInput;
use super::response::ActResponse;
use crate::domain::{LoggedEvent, Refusal, shown};
use crate::http::extract::Format;
use crate::http::problem::Problem;
use crate::http::respond::flash;
use crate::http::respond::operation::Operation;
use crate::http::respond::reply::{as_of, json as json_response, see_other};
use crate::i18n::{Lang, SafeHtml, TextKey, key};
use crate::membership::{ActError, BatchItem, BatchOutcome, UndoError};
use crate::views::{self, Instruction, LeftOut, SwapItem, UndoForm, Undoable, ViewContext};

/// Most people who are named under one reason.
const MOST_NAMED: usize = 50;

/// Why something was not done to one of several people.
pub(super) trait Reason: Into<Problem> {
    /// The reason as a label over the names of all whom it concerns.
    fn label(&self) -> TextKey;
}

impl Reason for Refusal {
    fn label(&self) -> TextKey {
        views::refused_of_several(*self)
    }
}

impl Reason for UndoError {
    fn label(&self) -> TextKey {
        match self {
            UndoError::Refused(refusal) => refusal.label(),
            UndoError::TooLate => key::BATCH_REFUSED_TOO_LATE,
            UndoError::Overtaken => key::BATCH_REFUSED_OVERTAKEN,
        }
    }
}

/// Answers with the result of each person, or why nothing was done.
///
/// # Errors
/// The refusal, when nothing was done; when the log cannot be read, or a template fails.
pub(super) async fn respond<E: Reason>(
    input: ActInput,
    operation: Operation,
    outcome: Result<BatchOutcome<E>, ActError>,
) -> Result<Response, Problem> {
    let own = input.viewer.uid().clone();
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(error) => {
            let uid = if let ActError::Undo { uid, .. } = &error { uid.clone() } else { own };
            return ActResponse::new(input, operation, uid).into_response(Err(error)).await;
        }
    };
    let hub = input.app.hub();
    if outcome.changed() > 0 && !outcome.is_repeat {
        hub.catch_up_after_commit(&input.access.group, outcome.seq).await?;
    } else {
        hub.catch_up_to(&input.access.group, outcome.seq).await?;
    }
    let group = input.access.group.clone();
    let response = if input.info.format.is_data() {
        json_response(&data(outcome, input.access.lang))?
    } else {
        let first = if operation.act().is_some() { first_event(&input, &outcome).await? } else { None };
        let undoable = first.and_then(|event| flash::undoable(&input.app, &event));
        ActResponse::new(input, operation, own).for_people(outcome, undoable.as_ref())?
    };
    Ok(as_of(response, &group.state().last_id()))
}

/// The first event of the act. Of one that is repeated under its key it is read from the log, unless its person was changed again since:
/// whoever did not get the first answer can undo the act after the second.
async fn first_event<E>(input: &ActInput, outcome: &BatchOutcome<E>) -> Result<Option<LoggedEvent>, Problem> {
    let Some(batch) = outcome.batch else { return Ok(None) };
    let is_it = |event: &LoggedEvent| event.seq == batch;
    if !outcome.is_repeat {
        return Ok(outcome.logged.iter().find(|event| is_it(event)).cloned());
    }
    let is_first = |item: &&BatchItem<E>| matches!(item.result, Ok(Some(seq)) if seq == batch);
    let Some(first) = outcome.items.iter().find(is_first) else { return Ok(None) };
    Ok(input.app.store().read().await?.last_event_of(input.access.group.guid(), &first.uid).await?.filter(is_it))
}

impl ActResponse {
    /// The rows of those whom it was done to, the undo, and who was left out. To how many it was done is said in one place: beside the
    /// button that undoes it, or else in the alert.
    fn for_people<E: Reason>(
        &self,
        outcome: BatchOutcome<E>,
        undoable: Option<&Undoable>,
    ) -> Result<Response, Problem> {
        let (input, changed, batch) = (&self.input, outcome.changed(), outcome.batch);
        let is_act = self.operation.act().is_some();
        let left_out = left_out(&outcome, input.context.lang);
        if input.plain_form || input.info.format == Format::Page {
            let id = input.access.group.id(outcome.seq);
            let query = flash::of_batch_in_url(self.operation.act(), changed, batch, &left_out);
            return Ok(see_other(&self.return_url_with(&query, &id.to_string())));
        }
        // Of a repeated request whose events are pruned, it is not known what was done.
        let is_known = changed > 0 || !outcome.is_repeat;
        let has_alert = !left_out.is_empty() || (is_act && undoable.is_none() && is_known);
        let done = self.sentence(changed).filter(|_| undoable.is_none());
        let alert = if has_alert { Some(left_out.of_outcome(done).render()?) } else { None };
        let is_done = |item: &BatchItem<E>| matches!(item.result, Ok(Some(_)));
        let done_to = outcome.items.into_iter().filter(is_done).map(|item| item.uid).collect();
        let response = self.swaps_about(done_to, None, |context| {
            let alert = alert.clone().map(|html| SwapItem::from(Instruction::left_out(html)));
            self.result(context, changed, undoable).into_iter().chain(alert).collect()
        })?;
        if self.is_out() {
            return Ok(response);
        }
        // A header holds one event of a name.
        Ok(self.with_events(response, &outcome.logged, &input.access.group.state()))
    }

    /// The number of people it was done to, with the button that undoes all of it; without one, only of an undo.
    fn result(&self, context: &ViewContext, changed: usize, undoable: Option<&Undoable>) -> Option<SwapItem<'static>> {
        let text = self.sentence(changed)?;
        if self.operation.act().is_none() {
            return Some(Instruction::undone(text.to_string()).into());
        }
        Some(SwapItem::Undo(UndoForm::new(context, text, undoable?)))
    }

    /// To how many people it was done.
    fn sentence(&self, changed: usize) -> Option<SafeHtml> {
        flash::done_to(self.input.context.lang, self.operation.act(), changed)
    }
}

/// Those whom it was not done to, by reason; last those whom it changed nothing about.
fn left_out<E: Reason>(outcome: &BatchOutcome<E>, lang: Lang) -> LeftOut {
    let mut left_out = LeftOut::new(lang);
    let refused = outcome.left_out().map(|(uid, person, why)| (uid, person, why.label()));
    let unchanged = outcome.unchanged().map(|(uid, person)| (uid, person, key::BATCH_UNCHANGED));
    for (uid, person, why) in refused.chain(unchanged) {
        left_out.add(why, uid.clone(), shown(&person.name, uid.as_str()).into_owned(), MOST_NAMED);
    }
    left_out
}

/// The results as data.
fn data<E: Reason>(outcome: BatchOutcome<E>, lang: Lang) -> Value {
    let batch = outcome.batch;
    let results: Vec<Value> = outcome.items.into_iter().map(|item| result(item, lang)).collect();
    json!({"data": results, "meta": {"batch": batch}})
}

fn result<E: Reason>(BatchItem { uid, result, .. }: BatchItem<E>, lang: Lang) -> Value {
    match result {
        Ok(seq) => json!({"uid": uid.as_str(), "ok": true, "seq": seq}),
        Err(why) => {
            let problem: Problem = why.into();
            json!({"uid": uid.as_str(), "code": problem.code, "detail": problem.detail.for_programs(lang)})
        }
    }
}

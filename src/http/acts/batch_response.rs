//! The response to an act on several people, and to the undoing of one: the result for each person.

use axum::response::Response;
use serde_json::{Value, json};

use super::input::ActInput;
use super::response::{ActResponse, Done, undone};
use crate::domain::{Uid, shown};
use crate::http::extract::Format;
use crate::http::problem::Problem;
use crate::http::respond::flash::{self, LeftOut};
use crate::http::respond::reply::{as_of, json as json_response, see_other};
use crate::http::stream::swaps::instruction;
use crate::i18n::Lang;
use crate::membership::{ActError, BatchOutcome, Item};
use crate::views::{SwapItem, UndoForm, Undoable, ViewContext};

/// Answers with the result of each person, or why nothing was done.
pub(super) async fn respond<E: Into<Problem>>(
    asked: ActInput,
    done: Done,
    outcome: Result<BatchOutcome<E>, ActError>,
) -> Result<Response, Problem> {
    let own = asked.viewer.uid().clone();
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(error) => return ActResponse::new(asked, done, own).into_response(Err(error)).await,
    };
    asked.app.hub().catch_up_to(&asked.access.group, outcome.seq).await?;
    let group = asked.access.group.clone();
    let response = match asked.info.format {
        Format::Json | Format::Csv | Format::Atom => json_response(&data(outcome, asked.access.lang))?,
        _ => ActResponse::new(asked, done, own).for_people(outcome)?,
    };
    Ok(as_of(response, &group.id(group.state().roster().seq())))
}

impl ActResponse {
    /// The rows of those whom it was done to, the undo, and who was left out.
    ///
    /// # Errors
    /// The first reason, when it was done to nobody.
    fn for_people<E: Into<Problem>>(&self, outcome: BatchOutcome<E>) -> Result<Response, Problem> {
        let (act, changed, batch) = (&self.act, outcome.changed(), outcome.batch);
        let named = outcome.left_out().take(LeftOut::MOST_NAMED);
        let (uids, names): (Vec<Uid>, Vec<String>) =
            named.map(|(uid, person)| (uid.clone(), shown(&person.name, uid.as_str()).into_owned())).unzip();
        let left_out = LeftOut { count: outcome.left_out().count(), names };
        let is_repeat = outcome.is_repeat;
        let is_for_nobody = outcome.items.iter().all(|item| item.result.is_err());
        let (mut done_to, mut refused) = (Vec::with_capacity(changed), None);
        for Item { uid, result } in outcome.items {
            match result {
                Ok(Some(_)) => done_to.push(uid),
                Ok(None) => {}
                Err(why) => refused = refused.or(Some(why)),
            }
        }
        if let Some(why) = refused.filter(|_| is_for_nobody) {
            return Err(self.refused(why.into()));
        }
        if act.plain_form || act.info.format == Format::Page {
            let id = act.access.group.id(outcome.seq);
            let done = flash::of_batch_in_url(changed, batch, &left_out, &uids);
            return Ok(see_other(&self.return_url_with(&done, &id.to_string())));
        }
        self.swaps_about(done_to.into_iter().collect(), None, |context| {
            let alert = left_out.alert(context).map(|html| instruction("left-out", vec![("html", html)]));
            self.undo_of_batch(context, changed, batch.filter(|_| !is_repeat)).into_iter().chain(alert).collect()
        })
    }

    /// The number of people it was done to, with the button that undoes all of it. A repeated request does not know how much of
    /// the undo window is left.
    fn undo_of_batch(&self, context: &ViewContext, changed: usize, batch: Option<u64>) -> Option<SwapItem<'static>> {
        let seconds = self.act.app.config().undo_window.as_secs();
        let Done::Act(kind) = self.done else {
            return Some(undone(flash::done_to(context.lang, None, changed).to_string()));
        };
        let seq = batch.filter(|_| seconds > 0)?;
        let text = flash::done_to(context.lang, Some(kind), changed);
        Some(SwapItem::Undo(UndoForm::new(context, text, &Undoable { seq, seconds, batch: true })))
    }
}

/// The results as data.
fn data<E: Into<Problem>>(outcome: BatchOutcome<E>, lang: Lang) -> Value {
    let batch = outcome.batch;
    let results: Vec<Value> = outcome.items.into_iter().map(|item| result(item, lang)).collect();
    json!({"data": results, "meta": {"batch": batch}})
}

fn result<E: Into<Problem>>(Item { uid, result }: Item<E>, lang: Lang) -> Value {
    match result {
        Ok(seq) => json!({"uid": uid.as_str(), "ok": true, "seq": seq}),
        Err(why) => {
            let problem: Problem = why.into();
            json!({"uid": uid.as_str(), "code": problem.code, "detail": problem.detail.text(lang)})
        }
    }
}

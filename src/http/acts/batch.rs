//! The response to a bulk request: the result for each person.

use axum::response::Response;
use serde_json::{Value, json};

use super::input::ActInput;
use super::response::{ActResponse, Done};
use crate::http::extract::Format;
use crate::http::problem::Problem;
use crate::http::respond::reply::{as_of, json as json_response};
use crate::i18n::Lang;
use crate::membership::{ActError, BatchOutcome, Item};

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
        _ => ActResponse::new(asked, done, own).of_batch(&outcome)?,
    };
    Ok(as_of(response, &group.id(group.state().roster().seq())))
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

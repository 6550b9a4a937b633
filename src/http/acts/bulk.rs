//! One act on several people: what would come of it, and then that it is done.

use std::collections::HashSet;

use axum::response::Response;

use super::batch;
use super::input::{ActInput, ActParts};
use super::response::Done;
use crate::domain::{Act, ActKind, Uid};
use crate::http::extract::act_fields;
use crate::http::openapi::{BatchAnswer, BulkForm, GroupPath, IdempotencyHeader};
use crate::http::problem::Problem;
use crate::membership;
use crate::views::Props;

/// `POST /groups/{guid}/bulk`.
#[utoipa::path(post, path = "/groups/{guid}/bulk", operation_id = "bulk", tag = "Acts", params(GroupPath, IdempotencyHeader),
    summary = "One act on up to 1,000 people, in one transaction; with dryRun=true only what would come of it.",
    request_body(content((BulkForm = "application/json"), (BulkForm = "application/x-www-form-urlencoded"))),
    responses((status = 200, description = "What came of each person; as the request wants it.",
        content((BatchAnswer = "application/json"), (String = "text/html")))))]
pub(in crate::http) async fn bulk(parts: ActParts<String, true>) -> Result<Response, Problem> {
    let (asked, _) = ActInput::begin(parts).await?;
    let act = act(&asked).map_err(|problem| asked.invalid(problem))?;
    let uids = uids(&asked).map_err(|problem| asked.invalid(problem))?;
    let dry_run = asked.flag("dryRun")?;
    let kind = act.kind();
    let done = membership::bulk_act(asked.app.store(), asked.request(), act, uids, dry_run).await;
    batch::respond(asked, Done::Act(kind), done).await
}

/// The act that the fields name, on their terms.
fn act(asked: &ActInput) -> Result<Act, Problem> {
    let word = asked.fields.get("act").map_or("", String::as_str);
    match word.parse::<ActKind>() {
        Ok(ActKind::Kick) => Ok(Act::Kick),
        Ok(ActKind::Ban) => Ok(Act::Ban(act_fields::terms(&asked.fields, asked.app.clock().now())?)),
        Ok(ActKind::Scope) => Ok(Act::SetScope(act_fields::scope(&asked.fields)?)),
        Ok(ActKind::Transfer | ActKind::Unban | ActKind::Leave | ActKind::Join) | Err(_) => {
            Err(Problem::invalid("act: one of kick, ban, scope"))
        }
    }
}

/// The people, each once.
fn uids(asked: &ActInput) -> Result<Vec<Uid>, Problem> {
    let mut seen = HashSet::new();
    let uids = asked.uids.iter().map(|uid| act_fields::uid(uid)).collect::<Result<Vec<_>, _>>()?;
    let uids: Vec<Uid> = uids.into_iter().filter(|uid| seen.insert(uid.clone())).collect();
    if uids.is_empty() {
        return Err(Problem::invalid("uid: at least one person"));
    }
    if uids.len() > Props::MAX_SELECTED {
        return Err(Problem::invalid(format!("uid: at most {} people", Props::MAX_SELECTED)));
    }
    Ok(uids)
}

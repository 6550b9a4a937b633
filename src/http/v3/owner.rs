//! `/v3/groups/{guid}/owner`: who owns a group.

use axum::extract::{Path, State};
use axum::response::Response;
use serde_json::json;

use super::auth::Caller;
use super::body::Sent;
use super::error::Failure;
use super::paging::data;
use crate::app::App;
use crate::domain::Act;
use crate::membership;

/// `PATCH /v3/groups/{guid}/owner`: `owner`, a member; the old owner becomes admin.
pub(super) async fn transfer(
    State(app): State<App>,
    caller: Caller,
    Path(guid): Path<String>,
    sent: Sent,
) -> Result<Response, Failure> {
    let group = caller.inside(&app, &guid).await?;
    let mut fields = sent.read()?;
    let owner = fields.uid("owner")?;
    let owner = fields.required("owner", owner)?;
    fields.end()?;
    let outcome = membership::act(app.store(), caller.act(group.guid()), owner.clone(), Act::Transfer).await?;
    app.hub().catch_up_to(&group, outcome.seq).await?;
    data(
        json!({"success": true, "message": format!("{owner} owns group {guid}."), "guid": guid, "owner": owner.as_str()}),
    )
}

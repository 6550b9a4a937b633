//! `/v3/groups/{guid}/owner`: who owns a group.

use axum::extract::{Path, State};
use axum::response::Response;
use serde_json::json;

use super::auth::Caller;
use super::body::Sent;
use super::error::Failure;
use super::paging::data;
use crate::app::App;
use crate::domain::{Act, HOST_UID};
use crate::membership;

/// `PATCH /v3/groups/{guid}/owner`: `owner`, who comes in by it if the host asks; the old owner becomes admin.
/// `null`, from the host alone, gives the group to the host.
pub(super) async fn transfer(
    State(app): State<App>,
    caller: Caller,
    Path(guid): Path<String>,
    sent: Sent,
) -> Result<Response, Failure> {
    let group = caller.inside(&app, &guid).await?;
    let mut fields = sent.read()?;
    if fields.take_null("owner") {
        fields.end()?;
        caller.must_be_host()?;
        let outcome = membership::release(app.store(), caller.act(group.guid())).await?;
        app.hub().catch_up_to(&group, outcome.seq).await?;
        return transferred(&guid, HOST_UID);
    }
    let owner = fields.uid("owner")?;
    let owner = fields.required("owner", owner)?;
    fields.end()?;
    let outcome = membership::act(app.store(), caller.act(group.guid()), owner.clone(), Act::Transfer).await?;
    app.hub().catch_up_to(&group, outcome.seq).await?;
    transferred(&guid, owner.as_str())
}

fn transferred(guid: &str, owner: &str) -> Result<Response, Failure> {
    data(json!({"success": true, "message": format!("{owner} owns group {guid}."), "guid": guid, "owner": owner}))
}

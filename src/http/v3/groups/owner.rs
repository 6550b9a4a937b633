//! `/v3/groups/{guid}/owner`: who owns a group.

use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::draft::OwnerName;
use crate::app::App;
use crate::domain::{Guid, HOST_UID, Uid};
use crate::http::openapi::{GroupPath, IdempotencyHeader, OnBehalfOf};
use crate::http::v3::answer::{Data, data};
use crate::http::v3::error::V3Error;
use crate::http::v3::request::auth::Caller;
use crate::http::v3::request::body::Sent;
use crate::http::v3::request::path::Path;
use crate::membership::{self, Outcome};

/// Who is to own a group.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"owner": "ben"}))]
pub(in crate::http::v3) struct NewOwner {
    /// null or `app_system`, from the host alone, gives the group to the host.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(required, value_type = Option<Uid>)]
    owner: Option<OwnerName>,
}

/// What a transfer did.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({"success": true, "message": "ben owns group park.", "guid": "park", "owner": "ben"}))]
pub(in crate::http::v3) struct Transferred {
    success: bool,
    message: String,
    guid: Guid,
    /// `app_system` stands for the host.
    owner: String,
}

/// Hand a group over; the old owner becomes admin.
///
/// Who is no member comes in by it. On behalf of a user: for the owner.
#[utoipa::path(patch, path = "/groups/{guid}/owner", operation_id = "transferOwnership", tag = "Groups",
    params(GroupPath, OnBehalfOf, IdempotencyHeader), request_body = NewOwner,
    responses((status = 200, description = "Done.", body = Data<Transferred>)))]
pub(in crate::http::v3) async fn transfer(
    State(app): State<App>,
    caller: Caller,
    Path(guid): Path<String>,
    sent: Sent<NewOwner>,
) -> Result<Response, V3Error> {
    let group = caller.member_group(&app, &guid).await?;
    let new_owner = sent.read()?.owner.and_then(|owner| owner.0);
    let owner = new_owner.as_ref().map_or(HOST_UID, Uid::as_str).to_owned();
    let outcome = hand_over(&app, &caller, group.guid(), new_owner).await?;
    app.hub().catch_up_after_commit(&group, outcome.seq).await?;
    // A repetition is answered with the current owner.
    let now = || group.state().roster().owner().map_or(HOST_UID.to_owned(), |owner| owner.uid().to_owned());
    let owner = if outcome.is_repeat { now() } else { owner };
    let message = format!("{owner} owns group {guid}.");
    data(Transferred { success: true, message, guid: group.guid().clone(), owner })
}

/// Makes somebody the owner, or the host when `owner` is `None`, which only the host itself may do.
async fn hand_over(app: &App, caller: &Caller, guid: &Guid, owner: Option<Uid>) -> Result<Outcome, V3Error> {
    let request = caller.act_request(guid);
    match owner {
        None => {
            caller.must_be_host()?;
            Ok(membership::release(app.store(), request).await?)
        }
        Some(owner) => Ok(membership::hand_over(app.store(), request, owner).await?),
    }
}

//! `/v3/users/{uid}/auth_tokens`: viewer tokens of a person.

use axum::extract::State;
use axum::response::Response;

use super::answer::{Data, Success};
use super::auth::{Caller, known};
use super::error::V3Error;
use super::paging::success;
use super::path::Path;
use crate::app::App;
use crate::http::openapi::{IdempotencyHeader, UserPath};
use crate::membership;

/// Log somebody out everywhere. Viewer tokens that were issued until now (`iat`, in whole seconds; without one: all) are
/// refused from now on, and their streams end. Also for somebody who is not known: a token may be out there.
#[utoipa::path(delete, path = "/users/{uid}/auth_tokens", operation_id = "logOut", tag = "Users", params(UserPath, IdempotencyHeader),
    responses((status = 200, description = "Done.", body = Data<Success>)))]
pub(super) async fn flush(
    State(app): State<App>,
    caller: Caller,
    Path(uid): Path<String>,
) -> Result<Response, V3Error> {
    caller.must_be_host()?;
    let uid = known(&uid)?;
    let clock_ahead = app.hub().logouts().clock_ahead();
    membership::log_out(app.store(), caller.global_request(&app, ""), uid.clone(), clock_ahead).await?;
    app.hub().logged_out().await?;
    success(format!("User {uid} is logged out everywhere."))
}

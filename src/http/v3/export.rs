//! `/v3/users/{uid}/export`: everything that is stored about a person.

use axum::body::Body;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use serde_json::{Value, json};
use strum::VariantArray;
use tokio_stream::Stream;
use utoipa::ToSchema;

use super::auth::{Caller, known};
use super::error::V3Error;
use super::path::Path;
use super::records::UserRecord;
use crate::app::App;
use crate::domain::{Status, Uid};
use crate::http::openapi::UserPath;
use crate::http::respond::json::rfc3339;
use crate::store::{ExportTable, StoreError};

/// Everything that is stored about a person.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", example = json!({"data": {"uid": "dee", "user": null, "presence": null, "presenceReport": null, "presenceTold": null, "loggedOutAt": null, "memberships": [], "bans": [], "mutes": [], "notes": [], "events": [], "acts": [], "idempotencyKeys": []}}))]
#[expect(dead_code, reason = "only described: it is written piece by piece")]
pub(super) struct Export {
    data: ExportedPerson,
}

/// The tables of an export.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "only described: it is written piece by piece")]
struct ExportedPerson {
    uid: Uid,
    user: Option<UserRecord>,
    presence: Option<Value>,
    /// What the host has reported, and until when.
    presence_report: Option<Value>,
    /// The status that webhooks were told last, unless that was offline.
    presence_told: Option<String>,
    /// RFC 3339.
    logged_out_at: Option<String>,
    memberships: Vec<Value>,
    /// Of them and by them.
    bans: Vec<Value>,
    /// Of them and by them.
    mutes: Vec<Value>,
    /// About them and by them.
    notes: Vec<Value>,
    /// That touched them.
    events: Vec<Value>,
    /// Events that they did.
    acts: Vec<Value>,
    idempotency_keys: Vec<Value>,
}

/// Everything that is stored about a person. Written as it is read, and cut short when the database fails meanwhile.
#[utoipa::path(get, path = "/users/{uid}/export", operation_id = "exportUser", tag = "Users", params(UserPath),
    responses((status = 200, description = "All of it.", body = Export)))]
pub(super) async fn show(State(app): State<App>, caller: Caller, Path(uid): Path<String>) -> Result<Response, V3Error> {
    caller.must_be_host()?;
    let uid = known(&uid)?;
    let mut reader = app.store().read().await?;
    if !reader.is_known(&uid).await? {
        return Err(V3Error::no_user());
    }
    let presence = app.hub().presences().of(&uid);
    let report = app.hub().presences().host_report(&uid);
    let head = json!({
        "uid": uid.as_str(),
        "user": reader.user(&uid).await?.map(|user| UserRecord::with_tags(&app, user)),
        "presence": presence.map(|presence| json!({"status": presence.status.as_str(), "at": rfc3339(presence.at)})),
        "presenceReport": report.map(|report| json!({"status": report.status.as_str(), "until": report.until.map(rfc3339)})),
        "presenceTold": reader.last_reported_status(&uid).await?.map(Status::as_str),
        "loggedOutAt": reader.logged_out_at(&uid).await?.map(rfc3339),
    });
    drop(reader);
    let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    Ok((headers, Body::from_stream(document(app, uid, head))).into_response())
}

/// The document, each page of it read in a transaction of its own. An error cuts it short, so that it cannot be taken
/// for a whole one.
fn document(app: App, uid: Uid, head: Value) -> impl Stream<Item = Result<Bytes, StoreError>> {
    async_stream::try_stream! {
        let mut text = json!({"data": head}).to_string();
        // The lists are further fields of the inner object.
        text.truncate(text.len() - 2);
        for table in ExportTable::VARIANTS {
            text.push_str(&format!(",{}:[", json!(name(*table))));
            let (mut after, mut separator) = Default::default();
            loop {
                let page = app.store().read().await?.exported(*table, &uid, &after).await?;
                if page.rows.is_empty() {
                    break;
                }
                text.push_str(std::mem::replace(&mut separator, ","));
                text.push_str(&page.rows.join(","));
                after = page.last;
                yield Bytes::from(std::mem::take(&mut text));
            }
            text.push(']');
        }
        text.push_str("}}");
        yield Bytes::from(text);
    }
}

fn name(table: ExportTable) -> &'static str {
    match table {
        ExportTable::Memberships => "memberships",
        ExportTable::Bans => "bans",
        ExportTable::Mutes => "mutes",
        ExportTable::Notes => "notes",
        ExportTable::Events => "events",
        ExportTable::Acts => "acts",
        ExportTable::IdempotencyKeys => "idempotencyKeys",
    }
}

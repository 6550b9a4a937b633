//! `/v3/users/{uid}/export`: everything that is stored about a person.

use axum::body::Body;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use serde::Serialize;
use serde_json::json;
use strum::VariantArray;
use tokio_stream::Stream;
use utoipa::ToSchema;

use crate::app::App;
use crate::domain::{Status, Uid, rfc3339};
use crate::http::openapi::UserPath;
use crate::http::v3::error::V3Error;
use crate::http::v3::records::UserRecord;
use crate::http::v3::request::auth::{Caller, parse_uid_or_404};
use crate::http::v3::request::paging::Query;
use crate::http::v3::request::path::Path;
use crate::store::{
    ExportTable, ExportedEvent, ExportedKey, ExportedMembership, ExportedNote, ExportedOutboxEvent,
    ExportedRestriction, ExportedTouch, StoreError,
};

/// Everything that is stored about a person.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", example = json!({"data": {"uid": "dee", "user": null, "presence": null, "presenceReport": null, "presenceTold": null, "loggedOutAt": null, "memberships": [], "bans": [], "mutes": [], "notes": [], "events": [], "acts": [], "idempotencyKeys": [], "outbox": []}}))]
#[expect(dead_code, reason = "only described: it is written piece by piece")]
pub(in crate::http::v3) struct Export {
    data: ExportedPerson,
}

/// The parts of an export.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "only described: it is written piece by piece")]
struct ExportedPerson {
    #[serde(flatten)]
    head: ExportedProfile,
    memberships: Vec<ExportedMembership>,
    /// Of them and by them.
    bans: Vec<ExportedRestriction>,
    /// Of them and by them.
    mutes: Vec<ExportedRestriction>,
    /// About them and by them.
    notes: Vec<ExportedNote>,
    /// That touched them.
    events: Vec<ExportedTouch>,
    /// Events that they did.
    acts: Vec<ExportedEvent>,
    idempotency_keys: Vec<ExportedKey<'static>>,
    /// Statuses of them that are kept for webhooks until every endpoint has them.
    outbox: Vec<ExportedOutboxEvent>,
}

/// Who they are.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ExportedProfile {
    uid: Uid,
    user: Option<UserRecord>,
    presence: Option<ExportedPresence>,
    /// What the host has reported, and until when.
    presence_report: Option<ExportedReport>,
    /// The status that webhooks were told last, unless that was offline.
    presence_told: Option<&'static str>,
    /// RFC 3339.
    logged_out_at: Option<String>,
}

/// Whether they are there.
#[derive(Serialize, ToSchema)]
struct ExportedPresence {
    status: &'static str,
    /// Since when, RFC 3339.
    at: String,
}

/// What the host has reported of their presence.
#[derive(Serialize, ToSchema)]
struct ExportedReport {
    status: &'static str,
    /// RFC 3339; null until the host reports otherwise.
    until: Option<String>,
}

/// Everything that is stored about a person. Written as it is read, and cut short when the database fails meanwhile.
#[utoipa::path(get, path = "/users/{uid}/export", operation_id = "exportUser", tag = "Users", params(UserPath),
    responses((status = 200, description = "All of it.", body = Export)))]
pub(in crate::http::v3) async fn show(
    State(app): State<App>,
    caller: Caller,
    Path(uid): Path<String>,
    query: Query,
) -> Result<Response, V3Error> {
    caller.must_be_host()?;
    let uid = parse_uid_or_404(&uid)?;
    let profile = profile(&app, &uid).await?;
    query.end()?;
    let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    Ok((headers, Body::from_stream(document(app, uid, profile))).into_response())
}

/// Who they are.
///
/// # Errors
/// `ERR_UID_NOT_FOUND` when nothing is stored about them; when the database cannot be read.
async fn profile(app: &App, uid: &Uid) -> Result<ExportedProfile, V3Error> {
    let mut reader = app.store().read().await?;
    if !reader.is_known(uid).await? {
        return Err(V3Error::no_user());
    }
    let presence = app.hub().presences().last_sent_of(uid);
    let report = app.hub().presences().host_report(uid);
    Ok(ExportedProfile {
        user: reader.user(uid).await?.map(|user| UserRecord::with_tags(app, user)),
        presence: presence
            .map(|presence| ExportedPresence { status: presence.status.as_str(), at: rfc3339(presence.at) }),
        presence_report: report
            .map(|report| ExportedReport { status: report.status.as_str(), until: report.until.map(rfc3339) }),
        presence_told: reader.status_sent_to_webhooks(uid).await?.map(Status::as_str),
        logged_out_at: reader.logged_out_at(uid).await?.map(rfc3339),
        uid: uid.clone(),
    })
}

/// The document, each page of it read in a transaction of its own. An error cuts it short, so that it cannot be taken
/// for a whole one.
fn document(app: App, uid: Uid, profile: ExportedProfile) -> impl Stream<Item = Result<Bytes, StoreError>> {
    async_stream::try_stream! {
        let mut text = json!({"data": profile}).to_string();
        // The lists are further fields of the inner object.
        text.truncate(text.len() - 2);
        for table in ExportTable::VARIANTS {
            text.push_str(&format!(",{}:[", json!(table.name())));
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

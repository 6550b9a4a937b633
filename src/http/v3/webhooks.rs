//! `/v3/webhooks`: the state of each endpoint, and what operators do to one.

use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::answer::{Data, data};
use super::error::V3Error;
use super::request::auth::Caller;
use super::request::body::{NoFields, Sent};
use super::request::paging::Query;
use super::request::path::Path;
use crate::app::App;
use crate::domain::{parse_moment, rfc3339};
use crate::http::openapi::IdempotencyHeader;
use crate::membership;
use crate::store::{Backlog, EndpointState, StoredEndpoint};

/// The endpoint of a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "only described: handlers read the path themselves")]
pub(super) struct EndpointPath {
    /// The endpoint, as the list names it.
    #[param(example = "0d3f5a1be8c94f27")]
    id: String,
}

/// The state of an endpoint.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({"id": "0d3f5a1be8c94f27", "url": "https://host.example/hooks/members", "state": "active", "configured": true, "backlog": 0, "oldest": null, "lastAnswer": "200", "lastAnswerAt": "2026-05-02T12:00:00Z", "failing": 0, "failingSince": null, "backingOff": false, "nextTry": null, "dead": 0}))]
pub(super) struct EndpointRecord {
    /// A hash of the URL without user and password.
    id: String,
    /// The URL without user, password and query.
    url: String,
    /// `active`, `paused`, or `gone` after the answer 410.
    state: &'static str,
    /// Whether the node that answers has it in its configuration.
    configured: bool,
    /// Events that are not delivered yet.
    backlog: u64,
    /// When the oldest of them happened, RFC 3339.
    oldest: Option<String>,
    /// A status, or why there was none.
    last_answer: Option<String>,
    /// When that came, RFC 3339.
    last_answer_at: Option<String>,
    /// Groups and people whose next event fails.
    failing: u64,
    /// Since when the first of them fails, RFC 3339.
    failing_since: Option<String>,
    /// Whether it fails for one group after the other, so that everything waits for it.
    backing_off: bool,
    /// When something is tried again, RFC 3339.
    next_try: Option<String>,
    /// Events that were given up after three days and not replayed since.
    dead: u64,
}

/// The result of a test.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({"id": "evt_4f0c1a6d2b7e4d1f9a3c5e8b7d6f0a12", "delivered": true, "answer": "204"}))]
pub(super) struct Tested {
    /// The `webhook-id` it was sent under.
    id: String,
    /// Whether it was taken.
    delivered: bool,
    /// A status, or why there was none.
    answer: String,
}

/// From when on events are delivered again.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"from": "2026-05-02T12:00:00Z"}))]
pub(super) struct ReplayFrom {
    /// RFC 3339.
    #[schema(format = DateTime)]
    from: String,
}

/// What will be delivered again.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({"events": 12}))]
pub(super) struct Replayed {
    /// How many events; repeated under the same key: 0, since no more are.
    events: u64,
}

/// Whether an endpoint gets events now.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({"state": "paused"}))]
pub(super) struct EndpointStateRecord {
    /// `active` or `paused`; of a request repeated under its key, the present state.
    state: &'static str,
}

/// The state of each endpoint.
///
/// Also of those that were taken out of the configuration in the last three days.
#[utoipa::path(get, path = "/webhooks", operation_id = "listWebhooks", tag = "Webhooks",
    responses((status = 200, description = "Endpoints.", body = Data<Vec<EndpointRecord>>)))]
pub(super) async fn list(State(app): State<App>, caller: Caller, query: Query) -> Result<Response, V3Error> {
    caller.must_be_host()?;
    query.end()?;
    let mut reader = app.store().read().await?;
    let mut list = Vec::new();
    for endpoint in reader.endpoints().await? {
        let backlog = reader.backlog(&endpoint.id).await?;
        list.push(record(endpoint, &backlog, &app));
    }
    data(list)
}

/// Send an event of the type `test` now.
///
/// Also to an endpoint that is paused. The answer has the result.
#[utoipa::path(post, path = "/webhooks/{id}/test", operation_id = "testWebhook", tag = "Webhooks",
    params(EndpointPath), responses((status = 200, description = "It was sent.", body = Data<Tested>)))]
pub(super) async fn test(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    sent: Sent<NoFields>,
) -> Result<Response, V3Error> {
    caller.must_be_host()?;
    sent.must_be_empty()?;
    let result = app.webhooks().test(&id).await.ok_or_else(V3Error::no_webhook)?;
    data(Tested { id: result.id, delivered: result.delivered, answer: result.answer })
}

/// Deliver again what happened since a time, as far as the log keeps it.
///
/// Groups are moved back some at a time, and the answer comes when all are. After an error some have been: ask again.
#[utoipa::path(post, path = "/webhooks/{id}/replay", operation_id = "replayWebhook", tag = "Webhooks",
    params(EndpointPath, IdempotencyHeader), request_body = ReplayFrom,
    responses((status = 200, description = "It will be.", body = Data<Replayed>)))]
pub(super) async fn replay(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    sent: Sent<ReplayFrom>,
) -> Result<Response, V3Error> {
    caller.must_be_host()?;
    let from = parse_moment(&sent.read()?.from)
        .ok_or_else(|| V3Error::invalid("from", "a time in the form of RFC 3339, such as 2026-05-02T14:00:00Z"))?;
    let request = caller.global_request(&app, "");
    let events = membership::replay_endpoint(app.store(), request, id, from).await?;
    let events = events.ok_or_else(V3Error::no_webhook)?;
    app.webhooks().poll();
    data(Replayed { events })
}

/// Send nothing until it is resumed.
#[utoipa::path(post, path = "/webhooks/{id}/pause", operation_id = "pauseWebhook", tag = "Webhooks",
    params(EndpointPath, IdempotencyHeader),
    responses((status = 200, description = "It is paused.", body = Data<EndpointStateRecord>)))]
pub(super) async fn pause(
    app: State<App>,
    caller: Caller,
    id: Path<String>,
    sent: Sent<NoFields>,
) -> Result<Response, V3Error> {
    set(app, caller, id, sent, EndpointState::Paused).await
}

/// Send what it missed, and go on.
#[utoipa::path(post, path = "/webhooks/{id}/resume", operation_id = "resumeWebhook", tag = "Webhooks",
    params(EndpointPath, IdempotencyHeader),
    responses((status = 200, description = "It is active.", body = Data<EndpointStateRecord>)))]
pub(super) async fn resume_endpoint(
    app: State<App>,
    caller: Caller,
    id: Path<String>,
    sent: Sent<NoFields>,
) -> Result<Response, V3Error> {
    set(app, caller, id, sent, EndpointState::Active).await
}

async fn set(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    sent: Sent<NoFields>,
    state: EndpointState,
) -> Result<Response, V3Error> {
    caller.must_be_host()?;
    sent.must_be_empty()?;
    let state = membership::set_endpoint_state(app.store(), caller.global_request(&app, ""), id, state).await?;
    let state = state.ok_or_else(V3Error::no_webhook)?;
    app.webhooks().poll();
    data(EndpointStateRecord { state: state.as_str() })
}

fn record(endpoint: StoredEndpoint, backlog: &Backlog, app: &App) -> EndpointRecord {
    let time = |at: i64| (at > 0).then(|| rfc3339(at));
    let failing_since = [backlog.failing_since, Some(endpoint.failing_since).filter(|since| *since > 0)];
    EndpointRecord {
        configured: app.webhooks().knows(&endpoint.id),
        state: endpoint.state.as_str(),
        backlog: backlog.events,
        oldest: backlog.oldest.map(rfc3339),
        last_answer: Some(endpoint.answer).filter(|_| endpoint.answered_at > 0),
        last_answer_at: time(endpoint.answered_at),
        failing: backlog.failing,
        failing_since: failing_since.into_iter().flatten().min().map(rfc3339),
        backing_off: endpoint.attempts > 0,
        next_try: backlog.next_try.map(|due_at| rfc3339(due_at.max(endpoint.due_at))),
        dead: backlog.dead,
        id: endpoint.id,
        url: endpoint.location,
    }
}

//! `PUT /v3/groups/{guid}/members`: a group in step with the host's own data, by a list in JSON or by NDJSON of any
//! length.

use std::convert::Infallible;
use std::io::{BufRead, BufReader};
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{FromRequest, Request, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{OneOfBuilder, Schema};
use utoipa::{IntoParams, PartialSchema, ToSchema};

use super::lines::{NDJSON, add, line, named, text_of};
use super::snapshot::SnapshotHead;
use super::spool::{Spooled, spool};
use crate::app::App;
use crate::domain::{Guid, Uid};
use crate::http::extract::{JSON, media_type};
use crate::http::openapi::{ErrorValue, GroupPath, IdempotencyHeader};
use crate::http::v3::answer::{Data, data};
use crate::http::v3::error::V3Error;
use crate::http::v3::lists::{LARGEST_LIST, Listed, ListedPerson, Lists, one_owner};
use crate::http::v3::request::auth::Caller;
use crate::http::v3::request::body::Sent;
use crate::http::v3::request::paging::Query;
use crate::http::v3::request::path::Path;
use crate::live::LiveGroup;
use crate::member_lines::{RowError, StrictLine, is_snapshot, ndjson, sync_rows};
use crate::membership::{self, ActError, OnProgress, StagedSync, SyncMode, SyncTerms, Synced};

/// Banned people who are named in a result; all are counted.
const NAMED: usize = 1000;
/// The line of somebody in a list that has none.
const NO_LINE: u64 = 0;
/// An export that failed is often an empty file.
const NOBODY: &str = "nobody is listed; to end every membership but the owner's, send {\"members\":[]} as JSON";
/// Lines of progress that wait for a slow reader; further ones are left out.
const WAITING: usize = 64;

/// All who are to be members. A list that is null counts as absent. A body with neither an owner nor a list is refused, unless `mode`
/// is `partial`: then it changes nothing. `{"members": []}` ends every membership but the owner's.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"owner": "ada", "admins": ["ben"], "participants": ["dee", "eve"]}))]
pub(in crate::http::v3) struct FullSync {
    owner: Option<Uid>,
    admins: Option<Vec<Uid>>,
    moderators: Option<Vec<Uid>>,
    participants: Option<Vec<Uid>>,
    members: Option<Vec<ListedPerson>>,
}

/// What a sync did.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({"success": true, "guid": "park", "applied": true, "version": 42, "membersCount": 4, "changed": 1, "removed": 2, "banned": [], "bannedCount": 0}))]
pub(in crate::http::v3) struct SyncResult {
    success: bool,
    guid: Guid,
    /// false when this version was applied before, or this request under its key; then nothing is said of members.
    applied: bool,
    version: Option<i64>,
    /// Of the group afterwards. This and what follows is not said of what was applied before.
    #[serde(skip_serializing_if = "Option::is_none")]
    members_count: Option<u64>,
    /// Who came in, or is something else now.
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    removed: Option<u64>,
    /// Listed, and kept out by a ban: the first 1,000.
    #[serde(skip_serializing_if = "Option::is_none")]
    banned: Option<Vec<Uid>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    banned_count: Option<usize>,
}

impl SyncResult {
    fn before(guid: &Guid, terms: SyncTerms) -> SyncResult {
        SyncResult {
            success: true,
            guid: guid.clone(),
            applied: false,
            version: terms.version,
            members_count: None,
            changed: None,
            removed: None,
            banned: None,
            banned_count: None,
        }
    }
}

/// The body of an upload, which is only described.
pub(in crate::http::v3) struct SyncLines;

impl PartialSchema for SyncLines {
    fn schema() -> RefOr<Schema> {
        let line = OneOfBuilder::new().item(named::<SnapshotHead<'static>>()).item(named::<StrictLine>());
        text_of(line, "A line `SyncLine` for each person; of a snapshot its `SnapshotHead` before them.")
    }
}

impl ToSchema for SyncLines {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        add::<SnapshotHead<'static>>(schemas);
        add::<StrictLine>(schemas);
    }
}

/// The answer to an upload, which is only described.
pub(in crate::http::v3) struct SyncAnswerLines;

impl PartialSchema for SyncAnswerLines {
    fn schema() -> RefOr<Schema> {
        text_of(named::<AnswerLine>(), "Lines `SyncAnswerLine`; the last one says what was done.")
    }
}

impl ToSchema for SyncAnswerLines {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        add::<AnswerLine>(schemas);
    }
}

/// A line of the answer to an upload. It has one field: `progress`, or in the last line `result` or `error`.
#[derive(Default, Serialize, ToSchema)]
#[schema(as = SyncAnswerLine, example = json!({"progress": {"applied": 20000, "rows": 1000000}}))]
struct AnswerLine {
    #[serde(skip_serializing_if = "Option::is_none")]
    progress: Option<Progress>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<SyncResult>,
    /// Why it failed. Where the outcome is unknown it says so: send the same again, with its `version` or `Idempotency-Key`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<ErrorValue>)]
    error: Option<Value>,
}

/// How far an upload has come.
#[derive(Serialize, ToSchema)]
#[schema(as = SyncProgress)]
struct Progress {
    /// Rows that were compared with the group so far. All of them take effect at once, before the last line.
    applied: u64,
    /// Rows of the upload.
    rows: u64,
}

/// How a list is applied.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only described: `Query` reads them")]
pub(in crate::http::v3) struct SyncQuery {
    /// `full` (the default): who is missing leaves. `partial`: who is missing stays.
    #[param(pattern = "^(full|partial)$")]
    mode: Option<String>,
    /// An integer that grows with the host's data. Below the last one: 409 `ERR_STALE_SYNC`. The same again does nothing.
    version: Option<i64>,
}

/// Bring the members into step with the host's data, in one event.
///
/// At most one owner may be listed, as `owner` or in `members`; without one the owner stays. Who is not listed is put out, unless
/// `mode` is `partial`. Bans stay: the banned stay out and are named. Again with the same list nothing happens. A list in JSON has
/// at most 1 MB.
///
/// As `application/x-ndjson` of any length, a line `{"uid","name","scope","avatar","joinedAt"}` for each person, or a snapshot as it is: it is read aside and
/// checked, then applied while the answer streams lines `{"progress":{"applied","rows"}}` and at last `{"result"}` or `{"error"}`.
#[utoipa::path(put, path = "/groups/{guid}/members", operation_id = "replaceMembers", tag = "Members",
    params(GroupPath, SyncQuery, IdempotencyHeader),
    request_body(content((FullSync = "application/json"), (SyncLines = "application/x-ndjson"))),
    responses(
        (status = 200, description = "What was done.",
            content((Data<SyncResult> = "application/json"), (SyncAnswerLines = "application/x-ndjson"))),
        (status = 422, description = "A line of an upload is not as it must be; nothing of it was applied.",
            body = ref("#/components/schemas/ErrorAnswer"),
            example = json!({"error": {"code": "ERR_VALIDATION", "message": "line 3: this person is listed twice", "details": {"line 3": ["this person is listed twice"]}}}))))]
pub(in crate::http::v3) async fn replace(
    State(app): State<App>,
    caller: Caller,
    Path(guid): Path<String>,
    mut query: Query,
    request: Request,
) -> Result<Response, V3Error> {
    let group = caller.member_group(&app, &guid).await?;
    let terms = terms(&mut query)?;
    query.end()?;
    let kind = media_type(request.headers());
    if kind == NDJSON {
        caller.must_be_host()?;
        return upload(app, caller, group, terms, request.into_body()).await;
    }
    if !kind.is_empty() && kind != JSON {
        return Err(V3Error::unreadable(format!("Send the list as {JSON}, or as {NDJSON}.")));
    }
    let Ok(sent) = Sent::<FullSync, LARGEST_LIST>::from_request(request, &app).await;
    sync_list(&app, &caller, &group, terms, sent).await
}

/// Applies a list in JSON.
async fn sync_list(
    app: &App,
    caller: &Caller,
    group: &LiveGroup,
    terms: SyncTerms,
    sent: Sent<FullSync, LARGEST_LIST>,
) -> Result<Response, V3Error> {
    let (FullSync { owner, admins, moderators, participants, members }, content) = sent.read_with_content()?;
    one_owner(owner.as_ref(), members.as_deref().unwrap_or_default())?;
    let lists_nobody = admins.is_none() && moderators.is_none() && participants.is_none() && members.is_none();
    let lists = Lists::of(Listed { members, admins, moderators, participants, users_to_ban: None })?;
    if lists_nobody && owner.is_none() && terms.mode == SyncMode::Full {
        return Err(V3Error::invalid("members", NOBODY));
    }
    caller.must_be_host()?;
    let request = caller.act_request_with_content(app, group.guid(), &content_with(terms, &content));
    if membership::was_synced(app.store(), &request).await? {
        return data(SyncResult::before(group.guid(), terms));
    }
    let rows = lists.rows(owner).into_iter().map(|row| Ok::<_, ActError>((NO_LINE, row)));
    let staged = StagedSync::of(app.store(), rows).await?;
    data(apply(app, group, staged, request, terms, None).await?)
}

/// Reads the upload aside and checks all of it, then answers while it is applied.
async fn upload(
    app: App,
    caller: Caller,
    group: Arc<LiveGroup>,
    terms: SyncTerms,
    body: Body,
) -> Result<Response, V3Error> {
    // People who are erased during the upload are left out of it.
    let staged = StagedSync::begin(app.store()).await?;
    let Spooled { file, hash } = tokio::select! {
        spooled = spool(body, caller.has_key()) => spooled?,
        never = staged.keep_alive() => match never {},
    };
    let request = caller.act_request_with_content(&app, group.guid(), &content_with(terms, &hash.unwrap_or_default()));
    if membership::was_synced(app.store(), &request).await? {
        let result = Some(SyncResult::before(group.guid(), terms));
        return Ok(answered_by(Body::from(line(&AnswerLine { result, ..AnswerLine::default() }))));
    }
    let mut file = BufReader::with_capacity(1 << 16, file);
    let may_be_empty = terms.mode == SyncMode::Partial || file.fill_buf().is_ok_and(is_snapshot);
    let staged = staged.stage::<_, V3Error>(sync_rows(ndjson::<StrictLine>(file))).await?;
    if staged.rows() == 0 && !may_be_empty {
        return Err(V3Error::bad_line(1, NOBODY));
    }
    staged.check(group.guid(), terms).await.map_err(by_line)?;
    let (lines, answer) = mpsc::channel(WAITING);
    // Applied to its end, also when nobody reads the answer.
    tokio::spawn(async move {
        let applied = apply(&app, &group, staged, request, terms, Some(progress(lines.clone()))).await;
        let last = match applied {
            Ok(result) => AnswerLine { result: Some(result), ..AnswerLine::default() },
            Err(failure) => AnswerLine { error: Some(failure.value()), ..AnswerLine::default() },
        };
        let _ = lines.send(line(&last)).await;
    });
    Ok(answered_by(Body::from_stream(ReceiverStream::new(answer).map(Ok::<_, Infallible>))))
}

fn answered_by(lines: Body) -> Response {
    ([(header::CONTENT_TYPE, NDJSON), (header::CACHE_CONTROL, "no-store, no-transform")], lines).into_response()
}

async fn apply(
    app: &App,
    group: &LiveGroup,
    staged: StagedSync,
    request: membership::ActRequest,
    terms: SyncTerms,
    on_progress: Option<OnProgress>,
) -> Result<SyncResult, V3Error> {
    let (guid, version) = (group.guid().clone(), terms.version);
    match staged.replace(request, terms, on_progress).await.map_err(by_line)? {
        Synced::AlreadyApplied => Ok(SyncResult::before(&guid, terms)),
        Synced::Applied(seq, report) => {
            app.hub().catch_up_after_commit(group, seq).await?;
            Ok(SyncResult {
                success: true,
                guid,
                applied: true,
                version,
                members_count: Some(report.members),
                changed: Some(report.changed),
                removed: Some(report.removed),
                banned_count: Some(report.banned.len()),
                banned: Some(report.banned.into_iter().take(NAMED).collect()),
            })
        }
    }
}

fn progress(lines: mpsc::Sender<Bytes>) -> OnProgress {
    Arc::new(move |applied, rows| {
        // The transaction waits for no reader.
        let progress = Some(Progress { applied, rows });
        let _ = lines.try_send(line(&AnswerLine { progress, ..AnswerLine::default() }));
    })
}

fn terms(query: &mut Query) -> Result<SyncTerms, V3Error> {
    let mode = match query.take_nonempty("mode")?.as_deref() {
        None | Some("full") => SyncMode::Full,
        Some("partial") => SyncMode::Partial,
        Some(_) => return Err(V3Error::invalid("mode", "full or partial")),
    };
    let version = query.take_nonempty("version")?.map(|text| text.parse());
    let version = version.transpose().map_err(|_| V3Error::invalid("version", "an integer of 64 bits"))?;
    Ok(SyncTerms { mode, version })
}

/// What a sync says: its list, and how that is applied.
fn content_with(SyncTerms { mode, version }: SyncTerms, list: &str) -> String {
    let mode = match mode {
        SyncMode::Full => "full",
        SyncMode::Partial => "partial",
    };
    json!([mode, version, list]).to_string()
}

fn by_line(error: ActError) -> V3Error {
    match error {
        ActError::Nameless { uid, line } if line != NO_LINE => {
            V3Error::bad_line(line, format!("{uid} is not known and has no name here"))
        }
        ActError::UnfitOwner { line, .. } if line != NO_LINE => V3Error::bad_line(line, error.to_string()),
        error => error.into(),
    }
}

impl From<RowError> for V3Error {
    fn from(RowError { line, problem }: RowError) -> V3Error {
        V3Error::bad_line(line, problem)
    }
}

//! Presence as the host reports it, and counts of who is online.

use std::collections::{BTreeMap, HashSet};

use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answer::{Data, data};
use super::error::V3Error;
use super::records::{self, HostGroup};
use super::request::auth::{Caller, parse_uid_or_404};
use super::request::body::Sent;
use super::request::path::Path;
use crate::app::App;
use crate::domain::{Guid, Status, Uid, rfc3339};
use crate::http::openapi::UserPath;
use crate::live::HostReport;
use crate::store::StoreError;

/// Longest time for which a report holds, in seconds; also when none is given.
const MAX_TTL: i64 = 3600;
/// Most groups that are counted in one call.
const MAX_GROUPS: usize = 100;
/// Most members whom a list of groups reads, to count who of them is online.
const MOST_READ: u64 = 20_000;
/// Most people online whom a list of groups looks for in its large groups.
const MOST_SOUGHT: usize = 500;

/// What the host reports about somebody.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"status": "online", "ttl": 60}))]
pub(super) struct PresenceReport {
    status: ReportedStatus,
    /// For so many seconds; then it ends by itself.
    #[schema(minimum = 1, maximum = 3600, default = 3600)]
    ttl: Option<i64>,
}

/// A status in the words of either vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum ReportedStatus {
    Online,
    Available,
    Away,
    Offline,
}

impl From<ReportedStatus> for Status {
    fn from(status: ReportedStatus) -> Status {
        match status {
            ReportedStatus::Online | ReportedStatus::Available => Status::Online,
            ReportedStatus::Away => Status::Away,
            ReportedStatus::Offline => Status::Offline,
        }
    }
}

/// Somebody's presence.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Presence, example = json!({"uid": "dee", "status": "available", "until": "2026-07-01T12:00:00Z"}))]
pub(super) struct PresenceAnswer {
    uid: Uid,
    /// `available` or `offline`, by this report and by open streams: the most present counts, and whoever is away is available.
    status: &'static str,
    /// When the report ends; null for `offline`.
    until: Option<String>,
}

/// Report that somebody is there. Merged with open streams: the most present counts.
#[utoipa::path(put, path = "/users/{uid}/presence", operation_id = "reportPresence", tag = "Users", params(UserPath),
    request_body = PresenceReport,
    responses((status = 200, description = "Their presence now.", body = Data<PresenceAnswer>)))]
pub(super) async fn report(
    State(app): State<App>,
    caller: Caller,
    Path(uid): Path<String>,
    sent: Sent<PresenceReport>,
) -> Result<Response, V3Error> {
    caller.must_be_host()?;
    let uid = parse_uid_or_404(&uid)?;
    app.store().read().await?.user(&uid).await?.ok_or_else(V3Error::no_user)?;
    let PresenceReport { status, ttl } = sent.read()?;
    let (status, ttl) = (Status::from(status), ttl.unwrap_or(MAX_TTL));
    if !(1..=MAX_TTL).contains(&ttl) {
        return Err(V3Error::invalid("ttl", format!("whole seconds from 1 to {MAX_TTL}")));
    }
    let until = (status != Status::Offline).then(|| app.clock().now() + ttl * 1000);
    app.hub().set_host_report(&uid, HostReport { status, until });
    let now = app.hub().presences().last_sent_of(&uid).map_or(Status::Offline, |presence| presence.status);
    data(PresenceAnswer { uid, status: records::status(now), until: until.map(rfc3339) })
}

/// Groups whose online members are to be counted.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"guids": ["park", "den"]}))]
pub(super) struct Counted {
    /// Ids of groups.
    #[schema(max_items = 100)]
    guids: Vec<String>,
}

/// How many members of each group are online or away. Groups that are not there are left out.
#[utoipa::path(post, path = "/groups/online-counts", operation_id = "countOnline", tag = "Groups", request_body = Counted,
    responses((status = 200, description = "A number for each group.", body = Data<BTreeMap<String, usize>>,
        example = json!({"data": {"harbour": 7}}))))]
pub(super) async fn counts(State(app): State<App>, caller: Caller, sent: Sent<Counted>) -> Result<Response, V3Error> {
    caller.must_be_host()?;
    let Counted { guids } = sent.read()?;
    if guids.len() > MAX_GROUPS {
        return Err(V3Error::invalid("guids", format!("a list of at most {MAX_GROUPS} guids")));
    }
    // An id that nobody can have is a group that is not there.
    let guids: Vec<Guid> = guids.into_iter().filter_map(|guid| guid.parse().ok()).collect();
    data(online_counts(&app, guids).await?)
}

/// The groups of a list with how many of their members are online or away, as far as the caller may know: the host, and who is in them.
/// Of large groups that are not in memory it is left out when many people are online: it would cost more than the list.
///
/// # Errors
/// When the database cannot be read.
pub(super) async fn with_online_counts(
    app: &App,
    caller: &Caller,
    groups: Vec<HostGroup>,
) -> Result<Vec<HostGroup>, V3Error> {
    let may_know = |group: &&HostGroup| caller.user.is_none() || group.has_joined == Some(true);
    let sizes = groups.iter().filter(may_know).map(|group| (group.guid.clone(), group.members_count)).collect();
    // Boxed: inlined in the handlers of lists, the queries would exceed the compiler's limit of nested types.
    let counts = Box::pin(affordable_counts(app, sizes)).await?;
    let counted = |group: HostGroup| {
        let online_members_count = counts.get(&group.guid).copied();
        HostGroup { online_members_count, ..group }
    };
    Ok(groups.into_iter().map(counted).collect())
}

/// Like [`online_counts`], for groups with these numbers of members. Of a small group that is not in memory all members are read; of a
/// large one only people who are online are looked up, if they are few.
async fn affordable_counts(app: &App, sizes: Vec<(Guid, u64)>) -> Result<BTreeMap<Guid, usize>, V3Error> {
    let guids = sizes.iter().map(|(guid, _)| guid.clone()).collect();
    let (mut counts, unloaded) = counts_in_memory(app, guids).await?;
    if unloaded.is_empty() {
        return Ok(counts);
    }
    let unloaded: HashSet<Guid> = unloaded.into_iter().collect();
    let mut read = 0;
    let (small, large): (Vec<_>, Vec<_>) =
        sizes.into_iter().filter(|(guid, _)| unloaded.contains(guid)).partition(|(_, members)| {
            read += members;
            read <= MOST_READ
        });
    let guids = |groups: Vec<(Guid, u64)>| groups.into_iter().map(|(guid, _)| guid).collect::<Vec<_>>();
    let (small, large) = (guids(small), guids(large));
    let mut reader = app.store().read().await?;
    if !small.is_empty() {
        let is_online = |uid: &Uid| {
            app.hub().presences().last_sent_of(uid).is_some_and(|presence| presence.status.counts_as_online())
        };
        counts.extend(small.iter().map(|guid| (guid.clone(), 0)));
        for (guid, _) in reader.members_of(&small).await?.into_iter().filter(|(_, uid)| is_online(uid)) {
            *counts.entry(guid).or_default() += 1;
        }
    }
    if !large.is_empty()
        && let Some(online) = app.hub().presences().online_at_most(MOST_SOUGHT)
    {
        counts.extend(reader.count_among(&large, &online).await?);
    }
    Ok(counts)
}

/// How many members of each of these groups are online or away; of those groups that are there.
async fn online_counts(app: &App, guids: Vec<Guid>) -> Result<BTreeMap<Guid, usize>, V3Error> {
    let (mut counts, unloaded) = counts_in_memory(app, guids).await?;
    if !unloaded.is_empty() {
        // Loading a group of a million for one number would cost more than asking where those who are online are.
        let online = app.hub().presences().online();
        counts.extend(app.store().read().await?.count_among(&unloaded, &online).await?);
    }
    Ok(counts)
}

/// The counts of the groups that are in memory, and the groups that are not.
async fn counts_in_memory(app: &App, guids: Vec<Guid>) -> Result<(BTreeMap<Guid, usize>, Vec<Guid>), V3Error> {
    let mut counts = BTreeMap::new();
    let mut unloaded: Vec<Guid> = Vec::new();
    match app.hub().refresh_in_memory(&guids).await {
        // While the database is away, what is in memory is the latest that is known.
        Err(StoreError::KnownOutage) => {}
        refreshed => refreshed?,
    }
    for guid in guids {
        match app.hub().online_in_memory(&guid) {
            Some(count) => drop(counts.insert(guid, count)),
            None => unloaded.push(guid),
        }
    }
    Ok((counts, unloaded))
}

//! The one transaction of a sync: who is staged becomes a member, who is missing leaves, and the group has one owner
//! or is the host's.

use std::sync::Arc;

use crate::domain::{EventKind, Group, Guid, Scope, Uid};
use crate::membership::ActError;
use crate::membership::apply::host_event;
use crate::membership::request::fingerprint::sync_fingerprint;
use crate::membership::request::idempotency::{is_repeat, unchanged};
use crate::membership::request::{ActRequest, IdempotencyKey};
use crate::store::{Decision, GroupDetails, PreparedFrom, StagingId, StoredGroup, SyncReport, Tx, UidRange};

/// Whether a list is the whole group or a part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyncMode {
    /// The whole group: members who are not listed are removed, and may come back.
    Full,
    /// A part of the group: members who are not listed stay.
    Partial,
}

/// How a list is applied.
#[derive(Debug, Clone, Copy)]
pub struct SyncTerms {
    /// Whether the list is the whole group or a part of it.
    pub mode: SyncMode,
    /// The version of the host's data that it holds: an older one is never applied after a newer one.
    pub version: Option<i64>,
}

/// The result of a sync.
#[derive(Debug)]
pub enum Synced {
    /// The group is as listed, as of this event number.
    Applied(u64, SyncReport),
    /// The group was brought to this version before, or this was done before under its key: nothing was done.
    AlreadyApplied,
}

/// What came of a try to apply a list.
pub(in crate::membership) enum Attempt {
    /// It is done.
    Done(Synced),
    /// Nothing was done: a banned person was erased while the list was compared. It has to be compared with the bans again, from this
    /// state on.
    Outdated(PreparedFrom),
}

/// Called with the number of people compared so far and the number listed, before anything is applied.
pub type OnProgress = Arc<dyn Fn(u64, u64) + Send + Sync>;

/// The group that a list is for.
#[derive(Clone)]
pub(in crate::membership) enum SyncTarget {
    /// It is there. Without an owner in the list, the present one stays, also when that is the host.
    Existing(ActRequest),
    /// It is made if it is not there. It has an owner afterwards, unless it is said that the host owns it, and
    /// never another one than before.
    Imported { group: Group, password_hash: Option<String>, owner_is_host: bool },
}

impl SyncTarget {
    pub(in crate::membership) fn guid(&self) -> &Guid {
        match self {
            SyncTarget::Existing(request) => &request.guid,
            SyncTarget::Imported { group, .. } => &group.guid,
        }
    }

    fn request(&self) -> Option<&ActRequest> {
        match self {
            SyncTarget::Existing(request) => Some(request),
            SyncTarget::Imported { .. } => None,
        }
    }

    fn key(&self) -> Option<&IdempotencyKey> {
        self.request().and_then(|request| request.key.as_ref())
    }
}

/// The input of the transaction.
#[derive(Clone)]
pub(in crate::membership) struct SyncTransaction {
    pub id: StagingId,
    pub rows: u64,
    /// The listed owner, with the line that lists them.
    pub owner: Option<(u64, Uid)>,
    /// Whether everybody has a name in the list.
    pub all_named: bool,
    pub terms: SyncTerms,
    pub prepared: Prepared,
}

/// The part of a list that has been compared with the group.
#[derive(Clone)]
pub(in crate::membership) struct Prepared {
    /// The state of the group when the comparison began.
    pub from: PreparedFrom,
    /// The people left out because they are banned.
    pub banned: Vec<Uid>,
    /// The last range of the list.
    pub staged: UidRange,
    /// The last range of members.
    pub members: UidRange,
    /// Whether the whole list was compared before the last step, and that was reported.
    pub is_reported: bool,
}

impl Prepared {
    pub(in crate::membership) fn since(from: PreparedFrom) -> Prepared {
        let (staged, members) = (UidRange::start(), UidRange::start());
        Prepared { from, banned: Vec::new(), staged, members, is_reported: false }
    }

    /// Whether there is nothing more to compare.
    pub(in crate::membership) fn is_complete(&self, mode: SyncMode) -> bool {
        self.staged.is_last() && (mode == SyncMode::Partial || self.members.is_last())
    }
}

impl SyncTransaction {
    /// Applies the list.
    ///
    /// # Errors
    /// [`ActError::NoSuchGroup`], [`ActError::StaleSync`], [`ActError::KeyReused`], [`ActError::Nameless`],
    /// [`ActError::UnfitOwner`], [`ActError::Invalid`], [`ActError::Store`], as for
    /// [`StagedSync::replace`](super::StagedSync::replace).
    pub(in crate::membership) async fn run(
        self,
        tx: &mut Tx<'_>,
        target: SyncTarget,
    ) -> Result<Decision<Attempt>, ActError> {
        let (guid, seq, fresh) = lock_group(tx, &target).await?;
        if let Some(request) = target.request()
            && is_repeat(tx, request, &sync_fingerprint(request)).await?
        {
            return Ok(Decision::Rollback(Attempt::Done(Synced::AlreadyApplied)));
        }
        let last = tx.sync_version(&guid).await?;
        if is_same_version(last, self.terms.version)? {
            tx.return_seq(&guid).await?;
            return Ok(unchanged(target.key(), Attempt::Done(Synced::AlreadyApplied)));
        }
        if let Some(from) = tx.with_rewritten_bans(&guid, &self.prepared.from).await? {
            return Ok(Decision::Rollback(Attempt::Outdated(from)));
        }
        let before = tx.owner(&guid).await?;
        if let SyncTarget::Imported { owner_is_host, .. } = &target {
            self.check_import(tx, before.as_ref(), *owner_is_host).await?;
        }
        let full = self.terms.mode == SyncMode::Full;
        tx.keep_alive(self.id).await?;
        tx.review_prepared(&guid, seq, self.id, &self.prepared.from, full).await?;
        match (&self.owner, &before) {
            (None, Some(before)) => tx.restage(self.id, before, Scope::Owner).await?,
            // A member listed without a scope keeps theirs, but there is one owner.
            (Some((_, owner)), Some(before)) if owner != before && tx.keeps_scope(self.id, before).await? => {
                tx.restage(self.id, before, Scope::Admin).await?;
            }
            (Some(_), Some(before)) if full => tx.stage_leaving(self.id, before).await?,
            (Some(_) | None, Some(_) | None) => {}
        }
        let mut banned = tx.unstage_banned(&guid, self.id).await?;
        banned.extend(self.prepared.banned.iter().cloned());
        if let Some((line, owner)) = &self.owner
            && banned.contains(owner)
        {
            return Err(owner_is_banned(*line, owner));
        }
        if !self.all_named
            && let Some((line, uid)) = tx.first_nameless_to_apply(self.id).await?
        {
            return Err(ActError::Nameless { uid, line });
        }
        self.apply_rows(tx, &guid, seq).await?;
        // The owner may have been erased since the list was staged.
        if let Some((line, owner)) = &self.owner
            && tx.owner(&guid).await?.as_ref() != Some(owner)
        {
            return Err(owner_is_gone(*line, owner));
        }
        let (members, changed, removed) = tx.count_synced(&guid, seq).await?;
        let report = SyncReport { written: self.rows - banned.len() as u64, changed, removed, members, banned };
        self.finish(tx, &guid, seq, fresh || target.key().is_some(), report).await
    }

    /// An import neither makes another one the owner nor leaves it open who owns the group.
    async fn check_import(&self, tx: &mut Tx<'_>, before: Option<&Uid>, owner_is_host: bool) -> Result<(), ActError> {
        let listed = self.owner.as_ref().map(|(_, owner)| owner);
        let problem = match (before, listed) {
            (Some(before), Some(listed)) if before != listed => {
                format!("{listed} would be a second owner: {before} owns the group")
            }
            (Some(owner), _) | (_, Some(owner)) if owner_is_host => {
                format!("{owner} owns the group, which is to be the host's")
            }
            (None, None) if !owner_is_host => {
                "the group would have no owner: list one person with the scope owner, or give --owner-is-host".into()
            }
            (Some(before), None) => match tx.staged_scope(self.id, before).await? {
                Some(scope) => format!("the group would have no owner: {before} owns it and is listed as {scope}"),
                None => return Ok(()),
            },
            (Some(_) | None, Some(_)) | (None, None) => return Ok(()),
        };
        Err(ActError::Invalid(problem))
    }

    /// Applies everybody but the owner, then the owner, so that there are never two owners.
    async fn apply_rows(&self, tx: &mut Tx<'_>, guid: &Guid, seq: u64) -> Result<(), ActError> {
        let mut range = tx.next_to_apply(self.id, &UidRange::start()).await?;
        let many = tx.begin_ranges_of_many(self.id).await?;
        if self.terms.mode == SyncMode::Partial && self.owner.is_some() {
            tx.demote_unstaged_owner(guid, seq, self.id).await?;
        }
        tx.show_prepared(guid, seq, self.id).await?;
        loop {
            tx.apply_staged(guid, seq, self.id, &range).await?;
            tx.touch_leaving(guid, seq, self.id, &range).await?;
            tx.record_synced_restrictions(guid, seq, &range).await?;
            tx.remove_leaving(guid, self.id, &range).await?;
            if range.is_last() {
                break;
            }
            range = tx.next_to_apply(self.id, &range).await?;
        }
        tx.apply_staged_owner(guid, seq, self.id).await?;
        tx.forget_ends_of_other_scopes(guid).await?;
        if many {
            tx.end_ranges().await?;
        }
        Ok(())
    }

    /// A sync without changes makes no event. It is committed only for a new group (`keep`) or to record its key.
    async fn finish(
        &self,
        tx: &mut Tx<'_>,
        guid: &Guid,
        seq: u64,
        keep: bool,
        report: SyncReport,
    ) -> Result<Decision<Attempt>, ActError> {
        if let Some(version) = self.terms.version {
            tx.set_sync_version(guid, version).await?;
        }
        tx.record_applied(self.id).await?;
        if report.changed + report.removed > 0 {
            let logged = host_event(tx, guid, seq, EventKind::MembersSynced, Vec::new());
            tx.append_sync(logged).await?;
            return Ok(Decision::Commit(Attempt::Done(Synced::Applied(seq, report))));
        }
        let synced = Attempt::Done(Synced::Applied(seq - 1, report));
        if !keep && self.terms.version.is_none() {
            return Ok(Decision::Rollback(synced));
        }
        tx.return_seq(guid).await?;
        Ok(Decision::Commit(synced))
    }
}

/// Locks the group, and makes it if it is to be made: its id, the number of the event, and whether it is new.
async fn lock_group(tx: &mut Tx<'_>, target: &SyncTarget) -> Result<(Guid, u64, bool), ActError> {
    let guid = target.guid().clone();
    match (tx.lock_group(&guid).await?, target) {
        (Some(locked), _) => Ok((guid, locked.seq, false)),
        (None, SyncTarget::Existing(_)) => Err(ActError::NoSuchGroup),
        (None, SyncTarget::Imported { group, password_hash, .. }) => {
            let new = StoredGroup { group, password_hash: password_hash.as_deref() };
            let first = tx.create_group(new, &GroupDetails::default()).await?.ok_or(ActError::NoSuchGroup)?;
            tx.append(host_event(tx, &guid, first, EventKind::GroupCreated, Vec::new())).await?;
            let seq = tx.lock_group(&guid).await?.ok_or(ActError::NoSuchGroup)?.seq;
            Ok((guid, seq, true))
        }
    }
}

/// Whether this version was applied before.
///
/// # Errors
/// [`ActError::StaleSync`] when a newer one was.
pub(in crate::membership) fn is_same_version(last: Option<i64>, version: Option<i64>) -> Result<bool, ActError> {
    match (last, version) {
        (Some(last), Some(version)) if version < last => Err(ActError::StaleSync { last }),
        (Some(last), Some(version)) => Ok(version == last),
        (None, _) | (_, None) => Ok(false),
    }
}

pub(in crate::membership) fn owner_is_banned(line: u64, owner: &Uid) -> ActError {
    ActError::UnfitOwner { uid: owner.clone(), line, why: "is banned" }
}

fn owner_is_gone(line: u64, owner: &Uid) -> ActError {
    ActError::UnfitOwner { uid: owner.clone(), line, why: "was erased meanwhile" }
}

//! Many members at once: the host keeps a group in step with its own data.
//!
//! A list of any length is staged first, in small transactions, and then applied in one, as one event.

use std::sync::Arc;

use tokio::sync::mpsc;

use super::ActError;
use super::apply::host_event;
use super::renames::tell_renames;
use crate::domain::{Group, Guid, Kind, Scope, Uid};
use crate::store::{BulkReport, BulkRow, Decision, NewGroup, Reader, StagingId, Store, Tx, UidRange};

/// Rows that are staged in one transaction.
const BATCH: usize = 4000;

/// What a list is to the group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyncMode {
    /// All of its members: who is missing is put out, and may come back.
    Full,
    /// Some of its members: who is missing stays.
    Partial,
}

/// How a list is applied.
#[derive(Debug, Clone, Copy)]
pub struct SyncTerms {
    /// What the list is to the group.
    pub mode: SyncMode,
    /// The version of the host's data that it holds: an older one is never applied after a newer one.
    pub version: Option<i64>,
}

/// What came of a sync.
#[derive(Debug)]
pub enum Synced {
    /// The group is as listed, as of this event number.
    Applied(u64, BulkReport),
    /// The group was brought to this version before: nothing was done.
    SameVersion,
}

/// Called with the number of people applied and the number listed, while a sync is applied.
pub type OnProgress = Arc<dyn Fn(u64, u64) + Send + Sync>;

/// A list of people on its way into a group. What is not applied is forgotten.
pub struct StagedSync {
    store: Store,
    id: StagingId,
    rows: u64,
    owner: Option<Uid>,
    all_named: bool,
    forgotten: bool,
}

/// The group that a list is for.
enum Target {
    /// It is there. Without an owner in the list, who owns the group goes on owning it, be it the host.
    Existing(Guid),
    /// It is made if it is not there. It has an owner afterwards, unless it is said that the host owns it, and
    /// never another one than before.
    Imported { group: Group, password: Option<String>, owner_is_host: bool },
}

/// Upserts members into a group, made if it is not there, in one event; all of them or none.
///
/// `rows` are read one by one, so that a file of any size needs no memory. The first error ends
/// it and nothing is applied. Banned people stay out and are reported. `owner_is_host` says that the group
/// has no owner: then the host owns it.
///
/// # Errors
/// The first error of `rows`; [`ActError::Invalid`] when the group would have several owners afterwards, none
/// although it is not the host's, or one although it is.
pub async fn sync<I>(
    store: &Store,
    group: Group,
    password: Option<String>,
    owner_is_host: bool,
    rows: I,
) -> Result<BulkReport, ActError>
where
    I: Iterator<Item = Result<BulkRow, ActError>> + Send + 'static,
{
    let rows = (1u64..).zip(rows).map(|(line, row)| row.map(|row| (line, row)));
    let staged = StagedSync::of(store, rows).await?;
    let terms = SyncTerms { mode: SyncMode::Partial, version: None };
    let (staged, synced) = staged.apply(Target::Imported { group, password, owner_is_host }, terms, None).await;
    staged.forget().await;
    match synced? {
        Synced::Applied(_, report) => Ok(report),
        Synced::SameVersion => Ok(BulkReport::default()),
    }
}

impl StagedSync {
    /// Stages people, each with the line that names them. The first error ends it.
    ///
    /// # Errors
    /// The first error of `rows`; [`ActError::Invalid`] when there are several owners.
    pub async fn of<I, E>(store: &Store, rows: I) -> Result<StagedSync, E>
    where
        I: Iterator<Item = Result<(u64, BulkRow), E>> + Send + 'static,
        E: From<ActError> + Send + 'static,
    {
        let id = StagingId::new(store.clock().now());
        let mut staged =
            StagedSync { store: store.clone(), id, rows: 0, owner: None, all_named: true, forgotten: false };
        let (sender, mut batches) = mpsc::channel(1);
        // Rows are read and parsed on a thread that may wait for a disk.
        tokio::task::spawn_blocking(move || send_batches(rows, &sender));
        while let Some(batch) = batches.recv().await {
            let batch = batch?;
            staged.note_owner(&batch)?;
            staged.all_named &= batch.iter().all(|(_, row)| row.name.is_some());
            staged.rows += batch.len() as u64;
            stage(store, id, batch).await?;
        }
        Ok(staged)
    }

    /// How many people are listed.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// What can be known to be wrong before the list is applied, which decides again.
    ///
    /// # Errors
    /// [`ActError::StaleSync`], [`ActError::NoSuchUser`] and [`ActError::Invalid`] as [`StagedSync::replace`].
    pub async fn check(&self, guid: &Guid, terms: SyncTerms) -> Result<(), ActError> {
        let mut reader = self.store.read().await?;
        if is_same_version(reader.sync_version(guid).await?, terms.version)? {
            return Ok(());
        }
        self.check_names(&mut reader).await?;
        if let Some(owner) = &self.owner
            && reader.person(guid, owner).await?.ban.is_some()
        {
            return Err(owner_is_banned());
        }
        Ok(())
    }

    /// Brings a group into step with the list, in one event; all of it or nothing. The owner may be another one than
    /// before; when none is listed, who owns the group goes on owning it, be it the host.
    ///
    /// Again with the same list nothing happens. Banned people stay out and are reported.
    ///
    /// # Errors
    /// [`ActError::NoSuchGroup`]; [`ActError::StaleSync`] when a newer version was applied before;
    /// [`ActError::Nameless`] for somebody who is not known and has no name here; [`ActError::Invalid`] when the
    /// listed owner is banned.
    pub async fn replace(
        self,
        guid: Guid,
        terms: SyncTerms,
        on_progress: Option<OnProgress>,
    ) -> Result<Synced, ActError> {
        let (staged, synced) = self.apply(Target::Existing(guid), terms, on_progress).await;
        // Nobody waits for that.
        drop(staged);
        synced
    }

    async fn apply(
        self,
        target: Target,
        terms: SyncTerms,
        on_progress: Option<OnProgress>,
    ) -> (StagedSync, Result<Synced, ActError>) {
        if let Err(error) = self.names_are_known().await {
            return (self, Err(error));
        }
        let guid = target.guid().clone();
        let apply = Apply { id: self.id, rows: self.rows, owner: self.owner.clone(), terms, on_progress };
        let synced =
            self.store.write(Some(&guid), move |tx| Box::pin(async move { apply.run(tx, target).await })).await;
        if matches!(synced, Ok(Synced::Applied(..))) {
            tell_renames(&self.store).await;
        }
        (self, synced)
    }

    async fn names_are_known(&self) -> Result<(), ActError> {
        if self.all_named {
            return Ok(());
        }
        self.check_names(&mut self.store.read().await?).await
    }

    /// Whoever has no name in the list has a stored one.
    async fn check_names(&self, reader: &mut Reader) -> Result<(), ActError> {
        let (mut range, mut first) = (UidRange::start(), None::<(u64, Uid)>);
        while !self.all_named && !range.is_last() {
            range = reader.next_staged(self.id, &range).await?;
            let found = reader.first_nameless(self.id, &range).await?;
            first = [first, found].into_iter().flatten().min();
        }
        first.map_or(Ok(()), |(line, uid)| Err(ActError::Nameless { uid, line }))
    }

    fn note_owner(&mut self, batch: &[(u64, BulkRow)]) -> Result<(), ActError> {
        for (_, row) in batch.iter().filter(|(_, row)| row.scope == Scope::Owner) {
            if let Some(first) = self.owner.replace(row.uid.clone()) {
                return Err(ActError::Invalid(format!("the group would have 2 owners: {first} and {}", row.uid)));
            }
        }
        Ok(())
    }

    async fn forget(mut self) {
        self.forgotten = true;
        forget(&self.store, self.id).await;
    }
}

impl Drop for StagedSync {
    fn drop(&mut self) {
        if !std::mem::replace(&mut self.forgotten, true)
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            let (store, id) = (self.store.clone(), self.id);
            runtime.spawn(async move { forget(&store, id).await });
        }
    }
}

impl Target {
    fn guid(&self) -> &Guid {
        match self {
            Target::Existing(guid) => guid,
            Target::Imported { group, .. } => &group.guid,
        }
    }
}

/// Deletes the rows of a sync, a part at a time. What stays behind is deleted by the sweep.
pub(super) async fn forget(store: &Store, id: StagingId) {
    let mut more = Ok(true);
    while let Ok(true) = more {
        more = discard_some(store, id).await;
    }
}

async fn discard_some(store: &Store, id: StagingId) -> Result<bool, ActError> {
    store.write(None, move |tx| Box::pin(async move { Ok(Decision::Commit(tx.discard(id).await?)) })).await
}

async fn stage(store: &Store, id: StagingId, batch: Vec<(u64, BulkRow)>) -> Result<(), ActError> {
    store.write(None, move |tx| Box::pin(async move { Ok(Decision::Commit(tx.stage(id, &batch).await?)) })).await
}

/// Reads rows until they end, or an error, or nobody wants them.
fn send_batches<E>(
    mut rows: impl Iterator<Item = Result<(u64, BulkRow), E>>,
    batches: &mpsc::Sender<Result<Vec<(u64, BulkRow)>, E>>,
) {
    loop {
        let batch: Result<Vec<_>, E> = rows.by_ref().take(BATCH).collect();
        let ended = batch.as_ref().map_or(true, |batch| batch.len() < BATCH);
        if batch.as_ref().is_ok_and(Vec::is_empty) || batches.blocking_send(batch).is_err() || ended {
            return;
        }
    }
}

/// Whether this version was applied before.
fn is_same_version(last: Option<i64>, version: Option<i64>) -> Result<bool, ActError> {
    match (last, version) {
        (Some(last), Some(version)) if version < last => Err(ActError::StaleSync { last }),
        (Some(last), Some(version)) => Ok(version == last),
        (None, _) | (_, None) => Ok(false),
    }
}

fn owner_is_banned() -> ActError {
    ActError::Invalid("the group would have no owner: the one who is listed is banned".into())
}

/// The one transaction of a sync.
struct Apply {
    id: StagingId,
    rows: u64,
    /// Who is listed as the owner.
    owner: Option<Uid>,
    terms: SyncTerms,
    on_progress: Option<OnProgress>,
}

impl Apply {
    async fn run(self, tx: &mut Tx<'_>, target: Target) -> Result<Decision<Synced>, ActError> {
        let (guid, seq, fresh) = claim(tx, &target).await?;
        let last = tx.sync_version(&guid).await?;
        if is_same_version(last, self.terms.version)? {
            return Ok(Decision::Rollback(Synced::SameVersion));
        }
        let before = tx.owner(&guid).await?;
        if let Target::Imported { owner_is_host, .. } = target {
            self.check_import(tx, before.as_ref(), owner_is_host).await?;
        }
        if let (None, Some(before)) = (&self.owner, &before) {
            tx.restage(self.id, before, Scope::Owner).await?;
        }
        tx.begin_ranges().await?;
        let mut report = BulkReport { banned: tx.unstage_banned(&guid, self.id).await?, ..BulkReport::default() };
        if self.owner.as_ref().is_some_and(|owner| report.banned.contains(owner)) {
            return Err(owner_is_banned());
        }
        report.written = self.rows - report.banned.len() as u64;
        self.apply_rows(tx, &guid, seq, before.as_ref()).await?;
        (report.members, report.changed, report.removed) = tx.count_synced(&guid, seq).await?;
        self.finish(tx, &guid, seq, fresh, report).await
    }

    /// An import neither makes another one the owner nor leaves it open who owns the group.
    async fn check_import(&self, tx: &mut Tx<'_>, before: Option<&Uid>, owner_is_host: bool) -> Result<(), ActError> {
        let problem = match (before, &self.owner) {
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

    /// Everybody but the owner; who is missing; the owner. At no moment are there two.
    async fn apply_rows(&self, tx: &mut Tx<'_>, guid: &Guid, seq: u64, before: Option<&Uid>) -> Result<(), ActError> {
        let had_members = tx.has_members(guid).await?;
        let (mut range, mut applied) = (UidRange::start(), 0);
        while !range.is_last() {
            range = tx.next_staged(self.id, &range).await?;
            tx.apply_staged(guid, seq, self.id, &range).await?;
            applied = (applied + UidRange::SIZE).min(self.rows);
            if let Some(on_progress) = &self.on_progress {
                on_progress(applied, self.rows);
            }
        }
        match self.terms.mode {
            SyncMode::Full if had_members => {
                let kept = before.filter(|_| self.owner.is_none());
                let mut range = UidRange::start();
                while !range.is_last() {
                    range = tx.next_members(guid, &range).await?;
                    tx.remove_unstaged(guid, seq, self.id, &range, kept).await?;
                }
            }
            SyncMode::Partial if self.owner.is_some() => tx.demote_unstaged_owner(guid, seq, self.id).await?,
            SyncMode::Full | SyncMode::Partial => {}
        }
        tx.apply_staged_owner(guid, seq, self.id).await?;
        Ok(tx.end_ranges().await?)
    }

    /// What is already so makes no event.
    async fn finish(
        &self,
        tx: &mut Tx<'_>,
        guid: &Guid,
        seq: u64,
        fresh: bool,
        report: BulkReport,
    ) -> Result<Decision<Synced>, ActError> {
        if let Some(version) = self.terms.version {
            tx.set_sync_version(guid, version).await?;
        }
        if report.changed + report.removed > 0 {
            let logged = host_event(tx, guid, seq, Kind::MembersSynced, Vec::new());
            tx.append_sync(logged).await?;
            return Ok(Decision::Commit(Synced::Applied(seq, report)));
        }
        let synced = Synced::Applied(seq - 1, report);
        if !fresh && self.terms.version.is_none() {
            return Ok(Decision::Rollback(synced));
        }
        tx.unclaim(guid).await?;
        Ok(Decision::Commit(synced))
    }
}

/// Locks the group, and makes it if it is to be made: its id, the number of the event, and whether it is new.
async fn claim(tx: &mut Tx<'_>, target: &Target) -> Result<(Guid, u64, bool), ActError> {
    let guid = target.guid().clone();
    match (tx.claim(&guid).await?, target) {
        (Some(claimed), _) => Ok((guid, claimed.seq, false)),
        (None, Target::Existing(_)) => Err(ActError::NoSuchGroup),
        (None, Target::Imported { group, password, .. }) => {
            let new = NewGroup { group, password: password.as_deref() };
            let first = tx.create_group(new).await?.ok_or(ActError::NoSuchGroup)?;
            tx.append(host_event(tx, &guid, first, Kind::GroupCreated, Vec::new())).await?;
            let seq = tx.claim(&guid).await?.ok_or(ActError::NoSuchGroup)?.seq;
            Ok((guid, seq, true))
        }
    }
}

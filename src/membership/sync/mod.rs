//! Many members at once: the host keeps a group in step with its own data.
//!
//! A list of any length is staged first and compared with the group, in small transactions, and then applied in one, as
//! one event.
//!
//! `sorted_rows.rs` puts the list in order, `preparation.rs` compares it with the group, `transaction.rs` is the one transaction,
//! `renames.rs` announces to other groups that their members have another name or picture.
//!
//! Not here: SQL (`store`), and how an upload is read (`http`).

mod preparation;
pub(super) mod renames;
mod sorted_rows;
mod transaction;

use std::convert::Infallible;
use std::future::pending;
use std::ops::ControlFlow;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::sleep;

use self::preparation::{prepare, prepare_erased};
use self::renames::{announce_renames, record_missed_renames};
use self::sorted_rows::send_batches;
use self::transaction::{Attempt, Prepared, SyncTarget, SyncTransaction, is_same_version, owner_is_banned};
use super::ActError;
use super::request::ActRequest;
use super::request::fingerprint::sync_fingerprint;
use super::request::idempotency::is_same_request;
use crate::domain::{Group, Guid, Scope, Uid};
use crate::store::{Decision, Reader, StagingId, Store, SyncReport, SyncRow, UidRange};

pub use transaction::{OnProgress, SyncMode, SyncTerms, Synced};

/// Time between two signs of a list whose rows are awaited: much less than
/// [`SYNC_ABANDONED_AFTER`](crate::store::SYNC_ABANDONED_AFTER), so that a few may fail while the database is away.
const KEEP_ALIVE: Duration = Duration::from_secs(30);

/// A list of people on its way into a group. What is not applied is forgotten.
pub struct StagedSync {
    store: Store,
    id: StagingId,
    rows: u64,
    /// The listed owner, with the line that lists them.
    owner: Option<(u64, Uid)>,
    all_named: bool,
    forgotten: bool,
}

/// Upserts members into a group, made if it is not there, in one event; all of them or none.
///
/// `rows` are read one by one, so that a file of any size needs no memory. The first error ends
/// it and nothing is applied. Banned people stay out and are reported. `owner_is_host` says that the group
/// has no owner: then the host owns it.
///
/// # Errors
/// The first error of `rows`; [`ActError::Invalid`] when the group would have several owners afterwards, none
/// although it is not the host's, or one although it is; [`ActError::UnfitOwner`].
pub async fn sync<I>(
    store: &Store,
    group: Group,
    password_hash: Option<String>,
    owner_is_host: bool,
    rows: I,
) -> Result<SyncReport, ActError>
where
    I: Iterator<Item = Result<SyncRow, ActError>> + Send + 'static,
{
    let rows = (1u64..).zip(rows).map(|(line, row)| row.map(|row| (line, row)));
    let synced = sync_lines(store, group, password_hash, owner_is_host, rows, pending::<Infallible>()).await?;
    let ControlFlow::Continue(report) = synced;
    Ok(report)
}

/// Like [`sync`], of rows that each have the number of their line, by which errors name them. When `ended` comes first, what was
/// staged is forgotten, and its answer is the [`ControlFlow::Break`]; the list was applied all the same if its last transaction was
/// under way.
///
/// # Errors
/// As [`sync`].
pub async fn sync_lines<I, T>(
    store: &Store,
    group: Group,
    password_hash: Option<String>,
    owner_is_host: bool,
    rows: I,
    ended: impl Future<Output = T>,
) -> Result<ControlFlow<T, SyncReport>, ActError>
where
    I: Iterator<Item = Result<(u64, SyncRow), ActError>> + Send + 'static,
{
    let staged = StagedSync::begin(store).await?;
    let id = staged.id;
    let target = SyncTarget::Imported { group, password_hash, owner_is_host };
    tokio::select! {
        report = import(staged, target, rows) => report.map(ControlFlow::Continue),
        ended = ended => {
            // A process that ends now does not get to what `Drop` leaves to a task.
            forget(store, id).await;
            Ok(ControlFlow::Break(ended))
        }
    }
}

async fn import<I>(staged: StagedSync, target: SyncTarget, rows: I) -> Result<SyncReport, ActError>
where
    I: Iterator<Item = Result<(u64, SyncRow), ActError>> + Send + 'static,
{
    let terms = SyncTerms { mode: SyncMode::Partial, version: None };
    let (staged, synced) = staged.stage(rows).await?.apply(target, terms, None).await;
    staged.forget().await;
    match synced? {
        Synced::Applied(_, report) => Ok(report),
        Synced::AlreadyApplied => Ok(SyncReport::default()),
    }
}

/// Whether this sync was done before under the request's key: then its list need not be read.
///
/// # Errors
/// [`ActError::KeyReused`] when the key stands for something else; [`ActError::Store`].
pub async fn was_synced(store: &Store, request: &ActRequest) -> Result<bool, ActError> {
    is_same_request(store, request, &sync_fingerprint(request)).await
}

impl StagedSync {
    /// Begins an empty list. People who are erased from now on are left out of the rows that come.
    ///
    /// # Errors
    /// [`ActError::Store`].
    pub async fn begin(store: &Store) -> Result<StagedSync, ActError> {
        let id = StagingId::new(store.clock().now());
        let staged = StagedSync { store: store.clone(), id, rows: 0, owner: None, all_named: true, forgotten: false };
        begin(store, id).await?;
        Ok(staged)
    }

    /// [`StagedSync::begin`] with these rows, which are there already.
    ///
    /// # Errors
    /// As [`StagedSync::stage`]; [`ActError::Store`].
    pub async fn of<I, E>(store: &Store, rows: I) -> Result<StagedSync, E>
    where
        I: Iterator<Item = Result<(u64, SyncRow), E>> + Send + 'static,
        E: From<ActError> + Send + 'static,
    {
        StagedSync::begin(store).await?.stage(rows).await
    }

    /// Says again and again that the list is on its way still, while its rows are awaited: it would be given up otherwise.
    pub async fn keep_alive(&self) -> Infallible {
        loop {
            // Beginning it was the first sign.
            sleep(KEEP_ALIVE).await;
            if let Err(error) = keep_alive(&self.store, self.id).await {
                tracing::debug!(%error, "a list on its way could not be kept; trying again");
            }
        }
    }

    /// Stages people, each with the line that names them. The first error ends it, and then nothing is staged any more.
    ///
    /// # Errors
    /// The first error of `rows`; [`ActError::Invalid`] when there are several owners.
    pub async fn stage<I, E>(mut self, rows: I) -> Result<StagedSync, E>
    where
        I: Iterator<Item = Result<(u64, SyncRow), E>> + Send + 'static,
        E: From<ActError> + Send + 'static,
    {
        match self.stage_all(rows).await {
            Ok(()) => Ok(self),
            Err(error) => {
                // The process of an import ends with this error: it does not get to what `Drop` leaves to a task.
                self.forget().await;
                Err(error)
            }
        }
    }

    async fn stage_all<I, E>(&mut self, rows: I) -> Result<(), E>
    where
        I: Iterator<Item = Result<(u64, SyncRow), E>> + Send + 'static,
        E: From<ActError> + Send + 'static,
    {
        let (sender, mut batches) = mpsc::channel(1);
        // Rows are read and parsed on a thread that may wait for a disk.
        tokio::task::spawn_blocking(move || send_batches(rows, &sender));
        loop {
            // The first batch comes once all rows are read, and they may come slowly: those of an import out of a pipe.
            let batch = tokio::select! {
                batch = batches.recv() => batch,
                never = self.keep_alive() => match never {},
            };
            let Some(batch) = batch else { return Ok(()) };
            let batch = batch?;
            self.record_owner(&batch)?;
            self.all_named &= batch.iter().all(|(_, row)| row.name.is_some());
            self.rows += batch.len() as u64;
            stage(&self.store, self.id, batch).await?;
        }
    }

    /// The number of listed people.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Checks what can be known before the list is applied; applying it checks again.
    ///
    /// # Errors
    /// [`ActError::StaleSync`], [`ActError::Nameless`] and [`ActError::UnfitOwner`] as [`StagedSync::replace`].
    pub async fn check(&self, guid: &Guid, terms: SyncTerms) -> Result<(), ActError> {
        let mut reader = self.store.read().await?;
        if is_same_version(reader.sync_version(guid).await?, terms.version)? {
            return Ok(());
        }
        self.check_names(&mut reader).await?;
        if let Some((line, owner)) = &self.owner
            && reader.person(guid, owner).await?.ban.is_some()
        {
            return Err(owner_is_banned(*line, owner));
        }
        Ok(())
    }

    /// Brings a group into step with the list, in one event; all of it or nothing. The owner may be another one than
    /// before; when none is listed, the present one stays, also when that is the host.
    ///
    /// Again with the same list nothing happens, nor under the same key. Banned people stay out and are reported.
    ///
    /// # Errors
    /// [`ActError::NoSuchGroup`]; [`ActError::StaleSync`] when a newer version was applied before; [`ActError::KeyReused`];
    /// [`ActError::Nameless`] for somebody who is not known and has no name here; [`ActError::UnfitOwner`] when the
    /// listed owner is banned, or was erased meanwhile.
    pub async fn replace(
        self,
        request: ActRequest,
        terms: SyncTerms,
        on_progress: Option<OnProgress>,
    ) -> Result<Synced, ActError> {
        let (staged, synced) = self.apply(SyncTarget::Existing(request), terms, on_progress).await;
        // Deleting the staged rows need not be waited for.
        drop(staged);
        synced
    }

    async fn apply(
        self,
        target: SyncTarget,
        terms: SyncTerms,
        on_progress: Option<OnProgress>,
    ) -> (StagedSync, Result<Synced, ActError>) {
        if let Err(error) = self.names_are_known().await {
            return (self, Err(error));
        }
        let guid = target.guid().clone();
        let prepared = match prepare(&self.store, &guid, self.id, terms.mode, self.rows, on_progress).await {
            Ok(prepared) => prepared,
            Err(error) => return (self, Err(error)),
        };
        let StagedSync { id, rows, all_named, .. } = self;
        let owner = self.owner.clone();
        let transaction = SyncTransaction { id, rows, owner, all_named, terms, prepared };
        let synced = self.apply_prepared(target, transaction).await;
        if let Ok(Synced::Applied(_, report)) = &synced {
            if report.changed >= UidRange::SIZE
                && let Err(error) = analyze(&self.store).await
            {
                tracing::debug!(%error, "ANALYZE failed; the database repeats it later by itself");
            }
            announce_renames(&self.store).await;
        }
        (self, synced)
    }

    /// Applies the list, after it was compared again with the bans of people who were erased meanwhile.
    async fn apply_prepared(&self, target: SyncTarget, mut transaction: SyncTransaction) -> Result<Synced, ActError> {
        let guid = target.guid().clone();
        loop {
            let (target, attempt) = (target.clone(), transaction.clone());
            let attempted =
                self.store.write(Some(&guid), move |tx| Box::pin(async move { attempt.run(tx, target).await })).await?;
            match attempted {
                Attempt::Done(synced) => return Ok(synced),
                Attempt::Outdated(from) => {
                    let prepared = Prepared { from, ..transaction.prepared };
                    transaction.prepared = prepare_erased(&self.store, &guid, self.id, prepared).await?;
                }
            }
        }
    }

    async fn names_are_known(&self) -> Result<(), ActError> {
        if self.all_named {
            return Ok(());
        }
        self.check_names(&mut self.store.read().await?).await
    }

    /// A person without a name in the list must have a stored one.
    async fn check_names(&self, reader: &mut Reader) -> Result<(), ActError> {
        let (mut range, mut first) = (UidRange::start(), None::<(u64, Uid)>);
        while !self.all_named && !range.is_last() {
            range = reader.next_staged(self.id, &range).await?;
            let found = reader.first_nameless(self.id, &range).await?;
            first = [first, found].into_iter().flatten().min();
        }
        first.map_or(Ok(()), |(line, uid)| Err(ActError::Nameless { uid, line }))
    }

    fn record_owner(&mut self, batch: &[(u64, SyncRow)]) -> Result<(), ActError> {
        for (line, row) in batch.iter().filter(|(_, row)| row.scope == Some(Scope::Owner)) {
            if let Some((_, first)) = self.owner.replace((*line, row.uid.clone())) {
                return Err(ActError::Invalid(format!("the group would have 2 owners: {first} and {}", row.uid)));
            }
        }
        Ok(())
    }

    async fn forget(mut self) {
        forget(&self.store, self.id).await;
        // Only now: when this is given up half-way, `Drop` does the rest.
        self.forgotten = true;
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

/// Deletes the rows of a sync, a part at a time, once what else they say of an applied one is recorded. What stays behind is deleted by
/// the sweep.
pub(super) async fn forget(store: &Store, id: StagingId) {
    if let Err(error) = record_missed_renames(store, id).await {
        tracing::warn!(%error, "who came into a group while a sync gave them another name may have the old one there");
    }
    let mut more = Ok(true);
    while let Ok(true) = more {
        more = discard_some(store, id).await;
    }
}

async fn analyze(store: &Store) -> Result<(), ActError> {
    store.write(None, |tx| Box::pin(async move { Ok(Decision::Commit(tx.analyze().await?)) })).await
}

async fn discard_some(store: &Store, id: StagingId) -> Result<bool, ActError> {
    store.write(None, move |tx| Box::pin(async move { Ok(Decision::Commit(tx.discard(id).await?)) })).await
}

async fn begin(store: &Store, id: StagingId) -> Result<(), ActError> {
    store.write(None, move |tx| Box::pin(async move { Ok(Decision::Commit(tx.begin_sync(id).await?)) })).await
}

async fn keep_alive(store: &Store, id: StagingId) -> Result<(), ActError> {
    store.write(None, move |tx| Box::pin(async move { Ok(Decision::Commit(tx.keep_alive(id).await?)) })).await
}

async fn stage(store: &Store, id: StagingId, batch: Vec<(u64, SyncRow)>) -> Result<(), ActError> {
    store.write(None, move |tx| Box::pin(async move { Ok(Decision::Commit(tx.stage(id, &batch).await?)) })).await
}

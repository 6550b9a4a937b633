//! Compares a list with the group before it is applied, a range of people in each transaction.

use super::transaction::{OnProgress, Prepared, SyncMode};
use crate::domain::Guid;
use crate::membership::ActError;
use crate::store::{Decision, StagingId, Store, UidRange};

/// Compares a list with the group, a part at a time.
///
/// # Errors
/// [`ActError::Store`].
pub(super) async fn prepare(
    store: &Store,
    guid: &Guid,
    id: StagingId,
    mode: SyncMode,
    rows: u64,
    on_progress: Option<OnProgress>,
) -> Result<Prepared, ActError> {
    let (mut prepared, mut done) = (None, 0);
    loop {
        let step = prepare_some(store, guid.clone(), id, mode, prepared).await?;
        done = (done + UidRange::SIZE).min(rows);
        if let Some(on_progress) = on_progress.as_ref().filter(|_| !step.is_reported) {
            on_progress(done, rows);
        }
        if step.is_complete(mode) {
            return Ok(step);
        }
        prepared = Some(Prepared { is_reported: step.staged.is_last(), ..step });
    }
}

/// The next range of the list, and after the last one the next range of members.
async fn prepare_some(
    store: &Store,
    guid: Guid,
    id: StagingId,
    mode: SyncMode,
    prepared: Option<Prepared>,
) -> Result<Prepared, ActError> {
    store
        .write(None, move |tx| {
            Box::pin(async move {
                let mut prepared = match prepared {
                    Some(prepared) => prepared,
                    None => Prepared::since(tx.begin_preparation(&guid, id).await?),
                };
                tx.begin_ranges().await?;
                if !prepared.staged.is_last() {
                    prepared.staged = tx.next_staged(id, &prepared.staged).await?;
                    prepared.banned.extend(tx.prepare_staged(&guid, id, &prepared.staged).await?);
                }
                if prepared.staged.is_last() && !prepared.is_complete(mode) {
                    prepared.members = tx.next_members(&guid, &prepared.members).await?;
                    tx.prepare_leaving(&guid, id, &prepared.members).await?;
                }
                tx.end_ranges().await?;
                Ok(Decision::Commit(prepared))
            })
        })
        .await
}

/// Compares a list that was compared before with the bans of people who were erased since.
///
/// # Errors
/// [`ActError::Store`].
pub(super) async fn prepare_erased(
    store: &Store,
    guid: &Guid,
    id: StagingId,
    prepared: Prepared,
) -> Result<Prepared, ActError> {
    let mut prepared = Prepared { staged: UidRange::start(), ..prepared };
    while !prepared.staged.is_last() {
        let guid = guid.clone();
        prepared = store
            .write(None, move |tx| {
                Box::pin(async move {
                    tx.keep_alive(id).await?;
                    prepared.staged = tx.next_staged(id, &prepared.staged).await?;
                    prepared.banned.extend(tx.unstage_erased_and_banned(&guid, id, &prepared.staged).await?);
                    Ok::<_, ActError>(Decision::Commit(prepared))
                })
            })
            .await?;
    }
    Ok(prepared)
}

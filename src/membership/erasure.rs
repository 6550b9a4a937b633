//! Erasing a person for good.
//!
//! First they leave every group, by ordinary events that name them, so that every screen and every node learns it.
//! A moment later, when the nodes have had the time to read those events, the rows of the log that name them are
//! rewritten: from then on it holds a pseudonym.
//! Each group is a transaction of its own, and a row says what has begun: any node finishes it after a crash.

use std::time::Duration;

use futures_util::{TryStreamExt, stream};

use super::ActError;
use super::request::fingerprint::erasure_fingerprint;
use super::request::idempotency::done_before;
use super::request::{GlobalRequest, Idempotent};
use super::users::take_out;
use crate::clock::every;
use crate::domain::{Guid, Uid};
use crate::store::{Decision, Erasure, FailureLog, Store, Tx};

/// Interval of looking for erasures that can proceed.
const INTERVAL: Duration = Duration::from_millis(500);
/// Time for which the log still names somebody who has left, in milliseconds: nodes poll it every second. A node that
/// reads it later loads the group again.
const UNTIL_REWRITTEN: i64 = 1_500;
/// An erasure that is unfinished for this long, in milliseconds, was abandoned by its node: another node continues
/// it.
const ABANDONED: i64 = 15_000;
/// Groups that somebody leaves, or that are rewritten, at the same time.
const AT_A_TIME: usize = 16;
/// Least time between two scrubs of a SQLite file (`store/sqlite/scrub.rs`): erasures meanwhile share the next one.
const SCRUB_INTERVAL: Duration = Duration::from_secs(20);

/// Erases a person: they leave every group, and within seconds everything that names or describes them is deleted or
/// under their pseudonym.
///
/// # Errors
/// [`ActError::NoSuchUser`] when nothing is stored about them, and for a pseudonym, which is nobody: bans under it would
/// match nobody any more; [`ActError::OwnsGroups`]; [`ActError::KeyReused`];
/// [`ActError::Store`].
pub async fn erase_user(store: &Store, request: GlobalRequest, uid: Uid) -> Result<Idempotent<()>, ActError> {
    let fingerprint = erasure_fingerprint(store.pseudonyms(), &uid);
    let is_author =
        store.read().await?.user(&uid).await?.is_none() && !store.rows_naming(&uid).await?.groups.is_empty();
    let begun = store
        .write(None, move |tx| {
            Box::pin(async move {
                if let Some(done_at) = done_before(tx, &request, &fingerprint).await? {
                    return Ok(Decision::Rollback(Err(done_at)));
                }
                if uid.clone().of_a_person().is_err() || !(is_author || tx.is_known(&uid).await?) {
                    return Err(ActError::NoSuchUser(uid));
                }
                let owned = tx.groups_owned_by(&uid).await?;
                if !owned.is_empty() {
                    return Err(ActError::OwnsGroups(owned));
                }
                Ok(Decision::Commit(Ok(tx.begin_erasure(&uid).await?)))
            })
        })
        .await?;
    match begun {
        Ok(erasure) => {
            // Another try, or another node, finishes it.
            leave_every_group(store, &erasure).await.map_err(|error| match error {
                ActError::Store(error) => ActError::Store(error.after_commit()),
                error => error,
            })?;
            Ok(Idempotent { value: (), done_at: None })
        }
        Err(done_at) => Ok(Idempotent { value: (), done_at: Some(done_at) }),
    }
}

/// Finishes erasures, until the store is gone. The file is written anew beside that: it takes long while somebody reads an old state,
/// and other people are not to be found in the log meanwhile.
pub async fn finish_erasures_forever(store: Store) {
    tokio::join!(rewrite_forever(&store), scrub_forever(&store));
}

async fn rewrite_forever(store: &Store) {
    let (mut tick, failures) = (every(INTERVAL), FailureLog::new());
    loop {
        tick.tick().await;
        failures.observe(&finish_erasures(store).await, "erasing people");
    }
}

async fn scrub_forever(store: &Store) {
    let (mut tick, failures) = (every(INTERVAL), FailureLog::new());
    loop {
        tick.tick().await;
        let scrubbed = store.scrub().await;
        let is_due = !matches!(scrubbed, Ok(false));
        failures.observe(&scrubbed.map(drop), "writing the file anew after an erasure");
        if is_due {
            // Also after a failure, since each try writes as much as the file has.
            tokio::time::sleep(SCRUB_INTERVAL).await;
        }
    }
}

/// Each of them, also when another one cannot go on now: the first error is answered at the end.
async fn finish_erasures(store: &Store) -> Result<(), ActError> {
    let (mut outcome, mut rewritten) = (Ok(()), Vec::new());
    for erasure in store.read().await?.erasures().await? {
        match go_on(store, &erasure).await {
            Ok(Some(erasure)) => rewritten.push(erasure),
            Ok(None) => {}
            Err(error) => outcome = outcome.and(Err(error)),
        }
    }
    if rewritten.is_empty() { outcome } else { outcome.and(end(store, rewritten).await) }
}

/// Does the next step of an erasure when its time has come. Answers the erasure when no group names the person any more.
async fn go_on(store: &Store, erasure: &Erasure) -> Result<Option<Erasure>, ActError> {
    let now = store.clock().now();
    match erasure.left_at {
        Some(left_at) if now - left_at >= UNTIL_REWRITTEN => rewrite(store, erasure).await.map(Some),
        None if now - erasure.at >= ABANDONED => match leave_every_group(store, erasure).await {
            // They became an owner meanwhile: the erasure is cancelled.
            Err(ActError::OwnsGroups(_)) | Ok(()) => Ok(None),
            Err(error) => Err(error),
        },
        Some(_) | None => Ok(None),
    }
}

/// Removes the person from one group after the other, then deletes the profile. If they are added to a group
/// meanwhile, they are removed again.
async fn leave_every_group(store: &Store, erasure: &Erasure) -> Result<(), ActError> {
    loop {
        let guids = store.read().await?.guids_of(&erasure.uid).await?;
        for_each(guids, |guid| async move {
            let (left, erasure) = (guid.clone(), erasure.clone());
            let asked = erasure_fingerprint(store.pseudonyms(), &erasure.uid);
            let stays = store
                .write(Some(&guid), move |tx| Box::pin(async move { leave(tx, &left, &erasure, &asked).await }))
                .await?;
            if stays { Err(ActError::OwnsGroups(vec![guid])) } else { Ok(()) }
        })
        .await?;
        let (erasure, named) = (erasure.clone(), store.rows_naming(&erasure.uid).await?);
        let gone = store
            .write(None, move |tx| {
                Box::pin(async move {
                    if !tx.is_current(&erasure).await? {
                        return Ok(Decision::Rollback(true));
                    }
                    if !tx.groups_of(&erasure.uid).await?.is_empty() {
                        return Ok(Decision::Rollback(false));
                    }
                    tx.remove_user(&erasure.uid).await?;
                    tx.forget_staged(&erasure.uid).await?;
                    tx.record_left(&erasure, &named).await?;
                    Ok::<_, ActError>(Decision::Commit(true))
                })
            })
            .await?;
        if gone {
            return Ok(());
        }
    }
}

/// Rewrites every group's rows that name the person, and answers the erasure as it is stored then.
async fn rewrite(store: &Store, erasure: &Erasure) -> Result<Erasure, ActError> {
    let (recorded, named) = (erasure.clone(), store.rows_naming(&erasure.uid).await?);
    let erasure = store
        .write(None, move |tx| {
            Box::pin(
                async move { tx.extend_erasure(recorded, &named).await.map(Decision::Commit).map_err(ActError::from) },
            )
        })
        .await?;
    loop {
        let guids = store.read().await?.groups_to_rewrite(&erasure).await?;
        if guids.is_empty() {
            return Ok(erasure);
        }
        let current = &erasure;
        for_each(guids, |guid| async move {
            let (rewritten, erasure) = (guid.clone(), current.clone());
            store
                .write(Some(&guid), move |tx| {
                    Box::pin(async move {
                        tx.rewrite_group(&rewritten, &erasure).await.map(Decision::Commit).map_err(ActError::from)
                    })
                })
                .await
        })
        .await?;
    }
}

/// Forgets what names these people and belongs to no group, and ends their erasures.
async fn end(store: &Store, erasures: Vec<Erasure>) -> Result<(), ActError> {
    if let Some(presence) = store.presence_table() {
        for erasure in &erasures {
            if !is_somebody_new(store, erasure).await? {
                presence.forget(&erasure.uid).await?;
            }
        }
    }
    forget_keys(store, &erasures).await?;
    for erasure in erasures {
        store
            .write(None, move |tx| {
                Box::pin(async move {
                    if !tx.is_current(&erasure).await? {
                        return Ok(Decision::Rollback(()));
                    }
                    tx.forget_outbox_of(&erasure.uid).await?;
                    tx.end_erasure(&erasure.uid).await?;
                    Ok::<_, ActError>(Decision::Commit(()))
                })
            })
            .await?;
    }
    Ok(())
}

/// Deletes the Idempotency-Keys about these people, some in each transaction: acts go on between them. All keys are read once for
/// all of them, however many are erased together.
async fn forget_keys(store: &Store, erasures: &[Erasure]) -> Result<(), ActError> {
    // The uid of an erasure that another node has ended may be somebody else's.
    let current = store.read().await?.erasures().await?;
    let mut people = Vec::new();
    for erasure in current.into_iter().filter(|erasure| erasures.contains(erasure)) {
        let is_new = is_somebody_new(store, &erasure).await?;
        let until = erasure.left_at.filter(|_| is_new).unwrap_or(i64::MAX);
        people.push((erasure.uid, until));
    }
    let mut place = Some(Default::default());
    while let Some(after) = place {
        let people = people.clone();
        place = store
            .write(None, move |tx| {
                Box::pin(async move { Ok::<_, ActError>(Decision::Commit(tx.forget_keys_of(&people, &after).await?)) })
            })
            .await?;
    }
    Ok(())
}

/// Whether the uid belongs to a user who was made since the erased one was gone.
async fn is_somebody_new(store: &Store, erasure: &Erasure) -> Result<bool, ActError> {
    Ok(store.read().await?.user(&erasure.uid).await?.is_some())
}

/// Does something to every group, to some at the same time: their transactions share the commits of the database.
async fn for_each<F>(guids: Vec<Guid>, work: impl Fn(Guid) -> F) -> Result<(), ActError>
where
    F: Future<Output = Result<(), ActError>>,
{
    stream::iter(guids.into_iter().map(Ok)).try_for_each_concurrent(AT_A_TIME, work).await
}

/// Takes the person out of one group. `true` when they have become its owner: then the erasure is cancelled, and the keys that
/// stand for the call `asked` are forgotten. They stay out of the groups that they were taken out of.
async fn leave(tx: &mut Tx<'_>, guid: &Guid, erasure: &Erasure, asked: &str) -> Result<Decision<bool>, ActError> {
    if !tx.is_current(erasure).await? {
        return Ok(Decision::Rollback(false));
    }
    match take_out(tx, guid, &erasure.uid).await {
        Ok(()) => Ok(Decision::Commit(false)),
        Err(ActError::OwnsGroups(_)) => {
            tx.cancel_erasure(&erasure.uid).await?;
            tx.forget_keys_for(asked).await?;
            Ok(Decision::Commit(true))
        }
        Err(error) => Err(error),
    }
}

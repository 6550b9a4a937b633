//! Undoes acts, within a short time after them.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::batch;
use super::{lock_group, outcome_of, refused, repeated};
use crate::domain::rules::{self, Past};
use crate::domain::{Cause, Guid, LoggedEvent, Refusal, Standing, Uid};
use crate::membership::apply::{Restored, by, restore};
use crate::membership::request::ActRequest;
use crate::membership::request::fingerprint::undo_fingerprint;
use crate::membership::request::idempotency::{first_request, is_repeat, record_batch};
use crate::membership::request::list::{BatchItem, BatchOutcome, first_of_each_kind};
use crate::membership::{ActError, Actor, Outcome};
use crate::store::{Decision, PastAct, Person, Store, StoreError, Tx};

/// The reason why an act is not undone. Stored as [`Refusal`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum UndoError {
    /// The rules refuse it.
    #[error("{0}")]
    Refused(Refusal),
    /// It was too long ago.
    #[error("it was too long ago to be undone")]
    TooLate,
    /// The person has changed since, or is gone.
    #[error("something has happened to them since")]
    Overtaken,
}

/// Puts back what the act `seq` changed, at most `window` milliseconds after it. What was put back already stays so. Answers
/// whom it was about; `None` for a repeated request when the log no longer has the act.
///
/// # Errors
/// [`ActError::NoSuchEvent`], [`ActError::Refused`], [`ActError::Undo`]; [`ActError::NoSuchGroup`] also to actors who may
/// not know of it, [`ActError::KeyReused`], [`ActError::Store`].
pub async fn undo(
    store: &Store,
    request: ActRequest,
    seq: u64,
    window: i64,
) -> Result<(Option<Uid>, Outcome), ActError> {
    store
        .write(Some(&request.guid.clone()), move |tx| {
            Box::pin(async move {
                let locked = lock_group(tx, &request.guid).await?;
                if is_repeat(tx, &request, &undo_fingerprint(seq, false)).await? {
                    let act = tx.past_act(&request.guid, seq).await?;
                    let unchanged = act.as_ref().is_some_and(|act| !act.undone);
                    let uid = act.map(|act| act.uid);
                    return Ok(repeated(&locked).map(|outcome| (uid, Outcome { unchanged, ..outcome })));
                }
                let (actor, act) = actor_and_act(tx, &request, seq).await?;
                let author = author(tx, &request.guid, &act).await?;
                let undo = Undo { guid: &request.guid, actor: &actor, author, batch: None, window };
                let target = tx.person(&request.guid, &act.uid).await?;
                let put_back = undo.put_back(tx, &act, &target, locked.seq).await?;
                let logged = match put_back.map_err(|why| not_undone(why, &act, &actor))? {
                    Some(event) => Some(tx.append(event).await?),
                    None => None,
                };
                let unchanged = logged.is_none() && !act.undone;
                let outcome = outcome_of(tx, &request, &locked, logged).await?;
                Ok(outcome.map(|outcome| (Some(act.uid), Outcome { unchanged, ..outcome })))
            })
        })
        .await
}

/// Like [`undo`], for every act of the request that act `seq` belongs to: those that can be undone are, and the
/// others are listed.
///
/// # Errors
/// As [`undo`], when none could be put back.
pub async fn undo_batch(
    store: &Store,
    request: ActRequest,
    seq: u64,
    window: i64,
) -> Result<BatchOutcome<UndoError>, ActError> {
    store
        .write(Some(&request.guid.clone()), move |tx| {
            Box::pin(async move {
                let guid = &request.guid;
                let first = lock_group(tx, guid).await?.seq;
                if let Some(recorded) = first_request(tx, &request, &undo_fingerprint(seq, true)).await? {
                    let acts = match tx.past_act(guid, seq).await? {
                        Some(named) => acts_with(tx, guid, named).await?,
                        None => Vec::new(),
                    };
                    let numbered = acts.into_iter().map(|act| (act.seq, act.uid)).collect();
                    let outcome = batch::repeated(tx, &request, &recorded, numbered, first - 1).await?;
                    return Ok(Decision::Rollback(outcome));
                }
                let (actor, named) = actor_and_act(tx, &request, seq).await?;
                // The acts of one request are one person's, and about everybody once.
                let author = author(tx, guid, &named).await?;
                let acts = acts_with(tx, guid, named).await?;
                let undo = Undo { guid, actor: &actor, author, batch: Some(first), window };
                let uids: Vec<Uid> = acts.iter().map(|act| act.uid.clone()).collect();
                let (mut items, mut events) = (Vec::with_capacity(acts.len()), Vec::new());
                let mut people = Vec::with_capacity(acts.len());
                for (act, target) in acts.iter().zip(tx.people_of(guid, &uids).await?) {
                    let put_back = undo.put_back(tx, act, &target, first + events.len() as u64).await?;
                    people.push(batch::batch_person(Some(&actor), &target, &HashMap::new()));
                    items.push(BatchItem {
                        uid: act.uid.clone(),
                        unchanged: matches!(put_back, Ok(None)),
                        result: put_back.map(|logged| {
                            let seq = logged.as_ref().map(|logged| logged.seq);
                            events.extend(logged);
                            seq
                        }),
                    });
                }
                let next = first + events.len() as u64;
                if let Some((act, why)) = reason_of_all(&acts, &items) {
                    return Err(not_undone(why, act, &actor));
                }
                let logged = first_of_each_kind(&events);
                tx.append_all(events).await?;
                tx.advance_seq(guid, next - 1).await?;
                let outcome = BatchOutcome::new(items, people, logged, first..next);
                let left_out = outcome.reasons(acts.iter().map(|act| act.seq));
                record_batch(tx, &request, outcome.batch, &left_out).await?;
                Ok(outcome.decision(&request))
            })
        })
        .await
}

/// The actor and the act. Only moderators and up may know whether the act exists.
async fn actor_and_act(tx: &mut Tx<'_>, request: &ActRequest, seq: u64) -> Result<(Person, PastAct), ActError> {
    let Actor::Viewer(uid) = &request.actor else { return Err(ActError::refused(Refusal::NotUndoable)) };
    let actor = tx.person(&request.guid, uid).await?;
    rules::see_restrictions(actor.standing()).map_err(|refusal| refused(refusal, Some(&actor), &actor))?;
    if let Some(act) = tx.past_act(&request.guid, seq).await? {
        return Ok((actor, act));
    }
    // An event about nobody, such as a new name of the group, is no act on a person.
    let is_known = tx.has_event(&request.guid, seq).await?;
    Err(if is_known { refused(Refusal::NotUndoable, Some(&actor), &actor) } else { ActError::NoSuchEvent })
}

/// The acts of the request that this one belongs to, in their order.
async fn acts_with(tx: &mut Tx<'_>, guid: &Guid, named: PastAct) -> Result<Vec<PastAct>, StoreError> {
    match named.batch {
        Some(batch) => tx.past_acts_of(guid, batch).await,
        None => Ok(vec![named]),
    }
}

/// The current standing of an act's author; `None` for the host.
async fn author(tx: &mut Tx<'_>, guid: &Guid, act: &PastAct) -> Result<Option<Standing>, StoreError> {
    Ok(match &act.by {
        Some(author) => Some(tx.person(guid, author).await?.standing()),
        None => None,
    })
}

/// Why none of these acts could be put back, and the act that the answer is about; `None` when one could. That it is too late, or that
/// something has happened since, is said before a refusal, which concerns one person.
fn reason_of_all<'a>(acts: &'a [PastAct], items: &[BatchItem<UndoError>]) -> Option<(&'a PastAct, UndoError)> {
    let reasons: Vec<_> =
        acts.iter().zip(items).map(|(act, item)| Some((act, *item.result.as_ref().err()?))).collect::<Option<_>>()?;
    let by_state = reasons.iter().find(|(_, why)| !matches!(why, UndoError::Refused(_)));
    by_state.or(reasons.first()).copied()
}

fn not_undone(why: UndoError, act: &PastAct, actor: &Person) -> ActError {
    match why {
        UndoError::Refused(refusal) => refused(refusal, Some(actor), actor),
        UndoError::TooLate | UndoError::Overtaken => ActError::Undo { why, uid: act.uid.clone(), seq: act.seq },
    }
}

/// The undo of acts by one actor.
struct Undo<'a> {
    guid: &'a Guid,
    actor: &'a Person,
    /// The current standing of the author; `None` for the host.
    author: Option<Standing>,
    /// The first event of their request, when it is about several.
    batch: Option<u64>,
    /// Time after an act within which it can be undone, milliseconds.
    window: i64,
}

impl Undo<'_> {
    /// Puts an act on this person back as event `seq`, which is yet to be appended; no event where nothing is left to do.
    async fn put_back(
        &self,
        tx: &mut Tx<'_>,
        act: &PastAct,
        target: &Person,
        seq: u64,
    ) -> Result<Result<Option<LoggedEvent>, UndoError>, StoreError> {
        if let Err(why) = self.may_undo(tx, act, target).await? {
            return Ok(Err(why));
        }
        if act.undone {
            return Ok(Ok(None));
        }
        let guid = self.guid;
        let change = target.state().put_back(&act.before, tx.now());
        let Some(restored) = restore(tx, guid, target, change, seq).await? else { return Ok(Ok(None)) };
        let Restored { kind, touched, terms, until } = restored;
        let event = LoggedEvent::new(guid.clone(), seq, tx.event_time(), kind, Cause::Undo, vec![touched]);
        let logged = LoggedEvent {
            by: Some(by(self.actor)),
            undoes: Some(act.seq),
            batch: self.batch,
            reason: terms.as_ref().and_then(|terms| terms.reason.clone()),
            message: terms.and_then(|terms| terms.message),
            until,
            ..event
        };
        Ok(Ok(Some(logged)))
    }

    async fn may_undo(
        &self,
        tx: &mut Tx<'_>,
        act: &PastAct,
        target: &Person,
    ) -> Result<Result<(), UndoError>, StoreError> {
        let is_overtaken = !act.undone && (target.state() != act.after || tx.has_changed_since(self.guid, act).await?);
        let past = Past {
            kind: act.kind,
            cause: act.cause,
            author: self.author,
            by_actor: act.by.as_ref() == Some(&self.actor.uid),
            about_author: act.by.as_ref() == Some(&act.uid),
            before: act.before.standing_at(tx.now()),
        };
        if let Err(refusal) = rules::undo(self.actor.standing(), past) {
            return Ok(Err(UndoError::Refused(refusal)));
        }
        if act.undone {
            return Ok(Ok(()));
        }
        if tx.now() - act.at > self.window || self.window == 0 {
            return Ok(Err(UndoError::TooLate));
        }
        Ok(if is_overtaken { Err(UndoError::Overtaken) } else { Ok(()) })
    }
}

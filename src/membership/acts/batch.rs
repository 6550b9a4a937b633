//! One act on several people, in one transaction.

use std::collections::{BTreeMap, HashMap};

use super::strangers::strangers;
use super::{as_seen, lock_group, refused, states_seen};
use crate::domain::{Act, Change, PersonState, Refusal, Uid, rules};
use crate::membership::apply::{ActContext, apply, parties};
use crate::membership::request::ActRequest;
use crate::membership::request::fingerprint::batch_fingerprint;
use crate::membership::request::idempotency::{first_request, record_batch};
use crate::membership::request::list::{BatchItem, BatchOutcome, BatchPerson, first_of_each_kind};
use crate::membership::{ActError, Actor};
use crate::store::{Decision, Person, RecordedRequest, Store, Tx};

/// The outcome of a repeated request. It names only the people who changed when it was `first` made: the refusals of that time
/// are not stored.
///
/// # Errors
/// [`ActError::Store`].
pub(in crate::membership) async fn repeated<E>(
    tx: &mut Tx<'_>,
    request: &ActRequest,
    first: &RecordedRequest,
    seq: u64,
) -> Result<BatchOutcome<E>, ActError> {
    let by = match &request.actor {
        Actor::Viewer(uid) => Some(uid),
        Actor::Host => None,
    };
    let batch = match first.batch {
        Some(batch) => Some(batch as u64).filter(|&batch| batch > 0),
        None => tx.batch_at(&request.guid, by, first.at).await?,
    };
    let changed = match batch {
        Some(batch) => tx.people_of_batch(&request.guid, batch).await?,
        None => BTreeMap::new(),
    };
    Ok(BatchOutcome::repeated(changed, seq))
}

/// Does an act to each of these people whom it may be done to; the others are named. With `dry_run` nothing happens: the
/// answer says what would. Nobody is named twice.
///
/// # Errors
/// [`ActError::Refused`] when the actor may do it to nobody, [`ActError::NoSuchGroup`] also to actors who may not know of
/// it, [`ActError::KeyReused`], [`ActError::Invalid`] when the end of the act has passed, [`ActError::Store`].
pub async fn act_batch(
    store: &Store,
    request: ActRequest,
    act: Act,
    uids: Vec<Uid>,
    dry_run: bool,
) -> Result<BatchOutcome<Refusal>, ActError> {
    store
        .write(Some(&request.guid.clone()), move |tx| {
            Box::pin(async move { act_on_each(tx, &request, &act, &uids, dry_run).await })
        })
        .await
}

/// [`act_batch`] in its transaction.
async fn act_on_each(
    tx: &mut Tx<'_>,
    request: &ActRequest,
    act: &Act,
    uids: &[Uid],
    dry_run: bool,
) -> Result<Decision<BatchOutcome<Refusal>>, ActError> {
    let guid = &request.guid;
    let first = lock_group(tx, guid).await?.seq;
    // A request that changes nothing uses up no key.
    let fingerprint = batch_fingerprint(request, act, uids);
    if !dry_run && let Some(recorded) = first_request(tx, request, &fingerprint).await? {
        return Ok(Decision::Rollback(repeated(tx, request, &recorded, first - 1).await?));
    }
    let actor = match &request.actor {
        Actor::Viewer(uid) => Some(tx.person(guid, uid).await?),
        Actor::Host => None,
    };
    if let Some(actor) = &actor {
        rules::see_restrictions(actor.standing()).map_err(|refusal| refused(refusal, Some(actor), actor))?;
    }
    let (mut items, mut next) = (Vec::with_capacity(uids.len()), first);
    let (mut events, mut people) = (Vec::new(), Vec::new());
    let notes = if dry_run { tx.notes_counts(guid, uids).await? } else { HashMap::new() };
    let seen = states_seen(tx, request, uids).await?;
    let targets = tx.people_of(guid, uids).await?;
    let strangers = strangers(tx, guid, &targets).await?;
    for target in targets {
        let change = decide(act, actor.as_ref(), &target, &seen);
        let unchanged = change == Ok(Change::Nothing);
        let result = match change {
            Err(refusal) => Err(refusal),
            Ok(change) if dry_run || change == Change::Nothing => Ok(None),
            Ok(change) => {
                let (seq, actor, kind) = (next, actor.as_ref(), act.kind().event());
                let context =
                    ActContext { guid, seq, actor, target: &target, kind, act: Some(act), batch: Some(first) };
                events.extend(apply(tx, context, change).await?);
                next += 1;
                Ok(Some(seq))
            }
        };
        let person = batch_person(actor.as_ref(), &target, &notes);
        people.push(if strangers.contains(&target.uid) { person.without_name(&target.uid) } else { person });
        items.push(BatchItem { uid: target.uid, result, unchanged });
    }
    if dry_run {
        let (seq, logged) = (first - 1, Vec::new());
        return Ok(Decision::Rollback(BatchOutcome { items, batch: None, seq, is_repeat: false, people, logged }));
    }
    let logged = first_of_each_kind(&events);
    tx.append_all(events).await?;
    tx.advance_seq(guid, next - 1).await?;
    let outcome = BatchOutcome::new(items, people, logged, first..next);
    record_batch(tx, request, outcome.batch).await?;
    Ok(outcome.decision(request))
}

/// What the act changes about one person: by the rules, and only where they are as the actor has `seen` them.
fn decide(
    act: &Act,
    actor: Option<&Person>,
    target: &Person,
    seen: &HashMap<Uid, PersonState>,
) -> Result<Change, Refusal> {
    let same_terms = act.is_on_terms_of(&target.state());
    match rules::decide_of_several(act, parties(actor, target, same_terms, false))? {
        Change::Nothing => Ok(Change::Nothing),
        change => as_seen(act, seen, target).map(|()| change),
    }
}

/// What the actor reads of somebody before an act; the host reads no notes.
pub(in crate::membership) fn batch_person(
    actor: Option<&Person>,
    target: &Person,
    notes: &HashMap<Uid, usize>,
) -> BatchPerson {
    let sees_notes = actor
        .is_some_and(|actor| rules::see_notes(actor.standing(), target.standing(), actor.uid == target.uid).is_ok());
    BatchPerson {
        name: target.name().to_owned(),
        is_member: target.membership.is_some(),
        notes: notes.get(&target.uid).copied().filter(|_| sees_notes).unwrap_or_default(),
    }
}

//! One act on several people, in one transaction.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::de::DeserializeOwned;

use super::strangers::strangers;
use super::{as_seen, lock_group, refused, states_seen};
use crate::domain::{Act, Change, PersonState, Refusal, Uid, rules};
use crate::membership::apply::{ActContext, apply, parties};
use crate::membership::request::ActRequest;
use crate::membership::request::fingerprint::batch_fingerprint;
use crate::membership::request::idempotency::{first_request, record_batch};
use crate::membership::request::left_out;
use crate::membership::request::list::{BatchItem, BatchOutcome, BatchPerson, first_of_each_kind};
use crate::membership::{ActError, Actor};
use crate::store::{Decision, Person, RecordedRequest, Store, Tx};

/// The outcome of a repeated request, as it was when it was `first` made. The log has the events of that time, and with the key is stored
/// who was left out, and why, by number: `numbered` are all whom the request was about. Whoever changed by an event that the log has no
/// longer is not named.
///
/// # Errors
/// [`ActError::Store`].
pub(in crate::membership) async fn repeated<E: DeserializeOwned + Copy>(
    tx: &mut Tx<'_>,
    request: &ActRequest,
    first: &RecordedRequest,
    numbered: Vec<(u64, Uid)>,
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
    let left_out = first.left_out.as_deref().and_then(left_out::read::<E>);
    // The log loses its oldest events first: with the first one it has them all.
    let is_known = left_out.is_some() && batch.is_none_or(|batch| changed.contains_key(&batch));
    let (batch, left_out) = (changed.keys().next().copied(), left_out.unwrap_or_default());
    let mut events: HashMap<Uid, u64> = changed.into_iter().map(|(seq, uid)| (uid, seq)).collect();
    let mut items = Vec::with_capacity(numbered.len());
    for (number, uid) in numbered {
        let result = match (events.remove(&uid), left_out.get(&number)) {
            (Some(seq), _) => Some(Ok(Some(seq))),
            (None, Some(why)) => Some(Err(*why)),
            (None, None) => is_known.then_some(Ok(None)),
        };
        let Some(result) = result else { continue };
        items.push(BatchItem { uid, unchanged: matches!(result, Ok(None)), result });
    }
    // Whom an undo put back whose acts the log has no longer.
    let mut others: Vec<(Uid, u64)> = events.into_iter().collect();
    others.sort_by_key(|(_, seq)| *seq);
    items.extend(others.into_iter().map(|(uid, seq)| BatchItem { uid, result: Ok(Some(seq)), unchanged: false }));
    let uids: Vec<Uid> = items.iter().map(|item| item.uid.clone()).collect();
    let targets = tx.people_of(&request.guid, &uids).await?;
    let strangers = strangers(tx, &request.guid, &targets).await?;
    let people = targets.iter().map(|target| known_person(None, target, &HashMap::new(), &strangers)).collect();
    Ok(BatchOutcome { items, batch, seq, is_repeat: true, people, logged: Vec::new() })
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
        let numbered = (0..).zip(uids.iter().cloned()).collect();
        return Ok(Decision::Rollback(repeated(tx, request, &recorded, numbered, first - 1).await?));
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
        people.push(known_person(actor.as_ref(), &target, &notes, &strangers));
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
    record_batch(tx, request, outcome.batch, &outcome.reasons(0..)).await?;
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

/// What the actor reads of somebody whom the request names, unless they are a stranger: then it is what the request says.
fn known_person(
    actor: Option<&Person>,
    target: &Person,
    notes: &HashMap<Uid, usize>,
    strangers: &HashSet<Uid>,
) -> BatchPerson {
    let person = batch_person(actor, target, notes);
    if strangers.contains(&target.uid) { person.without_name(&target.uid) } else { person }
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

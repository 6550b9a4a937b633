//! Acts of people on each other and on themselves: one act, one act on several people, notes, and the undoing of acts.
//!
//! Not here: how a decision is written (`apply.rs`), and what the host alone does (`groups.rs`, `users.rs`, `owner.rs`).

mod batch;
mod notes;
mod strangers;
mod undo;

use std::collections::HashMap;
use std::sync::Arc;

use super::apply::{ActContext, apply, decide_between};
use super::password::try_password;
use super::request::ActRequest;
use super::request::fingerprint::{JOIN, act_fingerprint};
use super::request::idempotency::{first_request, is_repeat, record_unchanged};
use super::users::ensure_user;
use super::{ActError, Actor, Outcome};
use crate::domain::{Act, ActKind, Change, GroupType, Guid, LoggedEvent, PersonState, Refusal, Terms, Uid, rules};
use crate::store::{Decision, LockedGroup, LogAccess, Person, Store, StoreError, Tx};

pub use batch::act_batch;
pub use notes::{add_note, remove_note};
pub use undo::{UndoError, undo, undo_batch};

/// Does `act` to `target`, who is the actor where an act is about oneself.
///
/// # Errors
/// [`ActError::Refused`] with the reason of the rules, [`ActError::NoSuchGroup`] also to actors who may
/// not know of it, [`ActError::KeyReused`], [`ActError::Invalid`] when the end of the act has passed, [`ActError::Store`].
pub async fn act(store: &Store, request: ActRequest, target: Uid, act: Act) -> Result<Outcome, ActError> {
    // The state that the actor saw is read from the log, whose latest events may be of the same transaction.
    let log = if request.as_of.is_some() { LogAccess::ReadWrite } else { LogAccess::Append };
    store
        .write_act(&request.guid.clone(), log, move |tx| {
            Box::pin(async move {
                let fingerprint = act_fingerprint(&request, &act, &target);
                let (locked, actor, target) = lock_with_people(tx, &request, &target).await?;
                if let Some(recorded) = first_request(tx, &request, &fingerprint).await? {
                    let unchanged = recorded.changed_nothing();
                    return Ok(repeated(&locked).map(|outcome| Outcome { unchanged, ..outcome }));
                }
                let keeps_theirs =
                    request.refuse_unchanged && act == Act::Ban(Terms::default()) && target.ban.is_some();
                let same_terms = keeps_theirs || act.is_on_terms_of(&target.state());
                let alone = act == Act::Leave && tx.has_one_member(&request.guid).await?;
                let change = decide_between(&act, actor.as_ref(), &target, same_terms, alone)
                    .map_err(|refusal| refused(refusal, actor.as_ref(), &target))?;
                if change != Change::Nothing {
                    let seen = states_seen(tx, &request, std::slice::from_ref(&target.uid)).await?;
                    as_seen(&act, &seen, &target).map_err(|refusal| refused(refusal, actor.as_ref(), &target))?;
                }
                if change == Change::Transfer && target.profile.is_none() {
                    return Err(ActError::NoSuchUser(target.uid));
                }
                let context = ActContext {
                    guid: &request.guid,
                    seq: locked.seq,
                    actor: actor.as_ref(),
                    target: &target,
                    kind: act.kind().event(),
                    act: Some(&act),
                    batch: None,
                };
                let outcome = finish(tx, &request, &locked, context, act.kind(), change).await?;
                let unchanged = change == Change::Nothing;
                if unchanged {
                    record_unchanged(tx, &request).await?;
                }
                Ok(outcome.map(|outcome| Outcome { unchanged, ..outcome }))
            })
        })
        .await
}

/// Joins by oneself. `name` and `avatar` are used for a user the host has not named.
///
/// # Errors
/// [`ActError::Refused`] when the group does not let them join, [`ActError::NoSuchGroup`] also for private groups,
/// [`ActError::TooManyTries`] and [`ActError::Busy`] about the password, [`ActError::KeyReused`], [`ActError::Store`].
pub async fn join(
    store: &Store,
    request: ActRequest,
    uid: Uid,
    name: Option<String>,
    avatar: Option<String>,
    password: Option<String>,
) -> Result<Outcome, ActError> {
    // Hashing takes its time, so it happens before the group is locked; inside, only the hash
    // that was checked counts.
    let known = try_password(store, &request.guid, request.actor.caller(), password).await?;
    store
        .write_act(&request.guid.clone(), LogAccess::Append, move |tx| {
            Box::pin(async move {
                let locked = lock_group(tx, &request.guid).await?;
                if is_repeat(tx, &request, JOIN).await? {
                    return Ok(repeated(&locked));
                }
                let mut person = tx.person(&request.guid, &uid).await?;
                let opens = locked.group.group_type == GroupType::Public
                    || (locked.password_hash.is_some() && locked.password_hash == known);
                let change = rules::join(person.standing(), locked.group.group_type == GroupType::Private, opens)
                    .map_err(|refusal| refused(refusal, Some(&person), &person))?;
                if change == Change::Join {
                    ensure_user(tx, &mut person, name.as_deref(), avatar.as_deref()).await?;
                }
                let context = ActContext {
                    guid: &request.guid,
                    seq: locked.seq,
                    actor: Some(&person),
                    target: &person,
                    kind: ActKind::Join.event(),
                    act: None,
                    batch: None,
                };
                finish(tx, &request, &locked, context, ActKind::Join, change).await
            })
        })
        .await
}

/// Locks the group, as every act does first, and takes the next event number.
///
/// # Errors
/// [`ActError::NoSuchGroup`]; [`ActError::Store`].
pub(super) async fn lock_group(tx: &mut Tx<'_>, guid: &Guid) -> Result<LockedGroup, ActError> {
    tx.lock_group(guid).await?.ok_or(ActError::NoSuchGroup)
}

/// Like [`lock_group`], with the actor, unless it is the host, and the target.
async fn lock_with_people(
    tx: &mut Tx<'_>,
    request: &ActRequest,
    target: &Uid,
) -> Result<(LockedGroup, Option<Person>, Person), ActError> {
    let actor = match &request.actor {
        Actor::Viewer(uid) => Some(uid),
        Actor::Host => None,
    };
    let found = tx.lock_group_with(&request.guid, (actor.unwrap_or(target), target)).await?;
    let (locked, first, target) = found.ok_or(ActError::NoSuchGroup)?;
    Ok((locked, actor.map(|_| first), target))
}

/// How these people stood when the actor saw them, of those who have changed since.
///
/// # Errors
/// See [`Tx`].
pub(super) async fn states_seen(
    tx: &mut Tx<'_>,
    request: &ActRequest,
    uids: &[Uid],
) -> Result<HashMap<Uid, PersonState>, StoreError> {
    match request.as_of {
        Some(seq) => tx.states_at(&request.guid, uids, seq).await,
        None => Ok(HashMap::new()),
    }
}

/// Refuses an act that would replace what its actor has not seen.
///
/// # Errors
/// As [`rules::as_seen`].
pub(super) fn as_seen(act: &Act, seen: &HashMap<Uid, PersonState>, target: &Person) -> Result<(), Refusal> {
    seen.get(&target.uid).map_or(Ok(()), |seen| rules::as_seen(act, seen, &target.state()))
}

pub(super) fn refused(refusal: Refusal, actor: Option<&Person>, target: &Person) -> ActError {
    match refusal {
        Refusal::NotThere => ActError::NoSuchGroup,
        refusal => {
            ActError::Refused { refusal, actor: actor.cloned().map(Box::new), target: Some(Box::new(target.clone())) }
        }
    }
}

/// The answer to a request that was done before under the same key: yes, and nothing happens.
pub(super) fn repeated(locked: &LockedGroup) -> Decision<Outcome> {
    Decision::Rollback(Outcome { logged: None, seq: locked.seq - 1, is_repeat: true, unchanged: false })
}

async fn finish(
    tx: &mut Tx<'_>,
    request: &ActRequest,
    locked: &LockedGroup,
    context: ActContext<'_>,
    kind: ActKind,
    change: Change,
) -> Result<Decision<Outcome>, ActError> {
    if change == Change::Nothing && request.refuse_unchanged && kind.already_so().is_some() {
        return Err(ActError::AlreadySo(kind));
    }
    let logged = match apply(tx, context, change).await? {
        Some(event) => Some(tx.append(event).await?),
        None => None,
    };
    outcome_of(tx, request, locked, logged).await
}

/// Answers with the event, if there is one.
///
/// # Errors
/// [`ActError::Store`].
pub(super) async fn outcome_of(
    tx: &mut Tx<'_>,
    request: &ActRequest,
    locked: &LockedGroup,
    logged: Option<Arc<LoggedEvent>>,
) -> Result<Decision<Outcome>, ActError> {
    let seq = logged.as_ref().map_or(locked.seq - 1, |logged| logged.seq);
    let outcome = Outcome { seq, logged, is_repeat: false, unchanged: false };
    if outcome.logged.is_none() {
        if request.key.is_none() {
            return Ok(Decision::Rollback(outcome));
        }
        // A key stands for its answer also when nothing had to be done.
        tx.return_seq(&request.guid).await?;
    }
    Ok(Decision::Commit(outcome))
}

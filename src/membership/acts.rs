//! What people do to each other and to themselves.

use super::apply::{ActContext, apply, decide};
use super::groups::{check_password, ensure_user};
use super::idempotency::{self, repeated};
use super::request::Request;
use super::{ActError, Actor, Outcome};
use crate::domain::{Act, ActKind, Change, GroupType, Guid, Logged, Refusal, Uid, rules};
use crate::store::{Claimed, Decision, Person, Store, Tx};

/// Does what somebody asks to be done to `target`, who is the actor where an act is about oneself.
///
/// # Errors
/// [`ActError::Refused`] with the reason of the rules, [`ActError::NoSuchGroup`] also to actors who may
/// not know of it, [`ActError::KeyReused`], [`ActError::Store`].
pub async fn act(store: &Store, request: Request, target: Uid, act: Act) -> Result<Outcome, ActError> {
    store
        .write(Some(&request.guid.clone()), move |tx| {
            Box::pin(async move {
                let fingerprint = idempotency::act_fingerprint(&act, &target);
                let claimed = claim(tx, &request.guid).await?;
                if let Some(done) = repeated(tx, &request, &fingerprint).await? {
                    return Ok(done);
                }
                let (actor, target) = people(tx, &request, &target).await?;
                let terms = act.terms();
                let same_terms = terms
                    .zip(target.ban.as_ref())
                    .is_some_and(|(terms, ban)| ban.reason == terms.reason && ban.until == terms.until);
                let alone = act == Act::Leave && tx.has_one_member(&request.guid).await?;
                let change = decide(&act, actor.as_ref(), &target, same_terms, alone)
                    .map_err(|refusal| refused(refusal, actor.as_ref(), &target))?;
                if change == Change::Transfer && target.profile.is_none() {
                    return Err(ActError::NoSuchUser(target.uid));
                }
                let context = ActContext {
                    guid: &request.guid,
                    seq: claimed.seq,
                    actor: actor.as_ref(),
                    target: &target,
                    kind: act.kind(),
                    terms,
                };
                finish(tx, &request, &fingerprint, &claimed, context, change).await
            })
        })
        .await
}

/// Joins by oneself. `name` and `avatar` are used for a user the host has not named.
///
/// # Errors
/// [`ActError::Refused`] at the group's door, [`ActError::NoSuchGroup`] also for private groups,
/// [`ActError::KeyReused`], [`ActError::Store`].
pub async fn join(
    store: &Store,
    request: Request,
    uid: Uid,
    name: Option<String>,
    avatar: Option<String>,
    password: Option<String>,
) -> Result<Outcome, ActError> {
    // Hashing takes its time, so it happens before the group is claimed; inside, only the hash
    // that was checked counts.
    let known = check_password(store, &request.guid, password).await?;
    store
        .write(Some(&request.guid.clone()), move |tx| {
            Box::pin(async move {
                let claimed = claim(tx, &request.guid).await?;
                if let Some(done) = repeated(tx, &request, idempotency::JOIN).await? {
                    return Ok(done);
                }
                let mut person = tx.person(&request.guid, &uid).await?;
                let opens = claimed.group.group_type == GroupType::Public
                    || (claimed.password.is_some() && claimed.password == known);
                let change = rules::join(person.standing(), claimed.group.group_type == GroupType::Private, opens)
                    .map_err(|refusal| refused(refusal, Some(&person), &person))?;
                if change == Change::Join {
                    ensure_user(tx, &mut person, name.as_deref(), avatar.as_deref()).await?;
                }
                let context = ActContext {
                    guid: &request.guid,
                    seq: claimed.seq,
                    actor: Some(&person),
                    target: &person,
                    kind: ActKind::Join,
                    terms: None,
                };
                finish(tx, &request, idempotency::JOIN, &claimed, context, change).await
            })
        })
        .await
}

/// Takes a group over for the host: it has no owner afterwards, and its owner before is an admin.
///
/// # Errors
/// [`ActError::NoSuchGroup`], [`ActError::KeyReused`], [`ActError::Store`].
pub async fn release(store: &Store, request: Request) -> Result<Outcome, ActError> {
    store
        .write(Some(&request.guid.clone()), move |tx| {
            Box::pin(async move {
                let claimed = claim(tx, &request.guid).await?;
                if let Some(done) = repeated(tx, &request, idempotency::RELEASE).await? {
                    return Ok(done);
                }
                let Some(uid) = tx.owner(&request.guid).await? else {
                    return record(tx, &request, idempotency::RELEASE, &claimed, None).await;
                };
                let owner = tx.person(&request.guid, &uid).await?;
                let change = rules::host::release(owner.standing());
                let context = ActContext {
                    guid: &request.guid,
                    seq: claimed.seq,
                    actor: None,
                    target: &owner,
                    kind: ActKind::Transfer,
                    terms: None,
                };
                finish(tx, &request, idempotency::RELEASE, &claimed, context, change).await
            })
        })
        .await
}

async fn claim(tx: &mut Tx<'_>, guid: &Guid) -> Result<Claimed, ActError> {
    tx.claim(guid).await?.ok_or(ActError::NoSuchGroup)
}

async fn people(tx: &mut Tx<'_>, request: &Request, target: &Uid) -> Result<(Option<Person>, Person), ActError> {
    Ok(match &request.actor {
        Actor::Viewer(uid) => {
            let (actor, target) = tx.people(&request.guid, uid, target).await?;
            (Some(actor), target)
        }
        Actor::Host => (None, tx.person(&request.guid, target).await?),
    })
}

fn refused(refusal: Refusal, actor: Option<&Person>, target: &Person) -> ActError {
    match refusal {
        Refusal::NotThere => ActError::NoSuchGroup,
        refusal => {
            ActError::Refused { refusal, actor: actor.cloned().map(Box::new), target: Some(Box::new(target.clone())) }
        }
    }
}

async fn finish(
    tx: &mut Tx<'_>,
    request: &Request,
    fingerprint: &str,
    claimed: &Claimed,
    context: ActContext<'_>,
    change: Change,
) -> Result<Decision<Outcome>, ActError> {
    let logged = apply(tx, context, change).await?;
    record(tx, request, fingerprint, claimed, logged).await
}

/// Answers with the event, if there is one, and keeps what the request's key stands for.
async fn record(
    tx: &mut Tx<'_>,
    request: &Request,
    fingerprint: &str,
    claimed: &Claimed,
    logged: Option<Logged>,
) -> Result<Decision<Outcome>, ActError> {
    let seq = logged.as_ref().map_or(claimed.seq - 1, |logged| logged.seq);
    let outcome = Outcome { seq, logged };
    let Some(key) = &request.key else {
        return Ok(if outcome.logged.is_some() { Decision::Commit(outcome) } else { Decision::Rollback(outcome) });
    };
    // A key stands for its answer also when nothing had to be done: said again after somebody has
    // undone it, it is still no second act.
    tx.record_act(&request.guid, request.actor.caller(), key, fingerprint).await?;
    if outcome.logged.is_none() {
        tx.unclaim(&request.guid).await?;
    }
    Ok(Decision::Commit(outcome))
}

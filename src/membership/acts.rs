//! What people do to each other and to themselves.

use super::act::{Request, Verb};
use super::groups::{check_password, meet};
use super::idempotency::{self, repeated};
use super::perform::{Scene, perform};
use super::{ActError, Actor, Outcome, Terms};
use crate::domain::{Change, GroupType, Guid, Refusal, Scope, Uid, rules};
use crate::store::{Claimed, Decision, Person, Store, Tx};

/// Puts somebody out; they may come back.
pub async fn kick(store: &Store, request: Request, target: Uid) -> Result<Outcome, ActError> {
    act(store, request, target, Verb::Kick).await
}

/// Puts somebody out and keeps them out.
pub async fn ban(store: &Store, request: Request, target: Uid, terms: Terms) -> Result<Outcome, ActError> {
    act(store, request, target, Verb::Ban(terms)).await
}

/// Lifts a ban.
pub async fn unban(store: &Store, request: Request, target: Uid) -> Result<Outcome, ActError> {
    act(store, request, target, Verb::Unban).await
}

/// Makes somebody a participant, moderator or admin; oneself only a lower one.
pub async fn set_scope(store: &Store, request: Request, target: Uid, scope: Scope) -> Result<Outcome, ActError> {
    act(store, request, target, Verb::SetScope(scope)).await
}

/// Hands the group over.
pub async fn transfer(store: &Store, request: Request, target: Uid) -> Result<Outcome, ActError> {
    act(store, request, target, Verb::Transfer).await
}

/// Leaves by oneself.
pub async fn leave(store: &Store, request: Request, uid: Uid) -> Result<Outcome, ActError> {
    act(store, request, uid, Verb::Leave).await
}

/// Joins by oneself. `name` and `avatar` are used when nobody has told us of this user.
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
                    meet(tx, &mut person, name.as_deref(), avatar.as_deref()).await?;
                }
                let scene = Scene {
                    guid: &request.guid,
                    seq: claimed.seq,
                    actor: Some(&person),
                    target: &person,
                    terms: &Terms::default(),
                };
                finish(tx, &request, idempotency::JOIN, &claimed, scene, change).await
            })
        })
        .await
}

async fn act(store: &Store, request: Request, target: Uid, verb: Verb) -> Result<Outcome, ActError> {
    store
        .write(Some(&request.guid.clone()), move |tx| {
            Box::pin(async move {
                let fingerprint = idempotency::act(&verb, &target);
                let claimed = claim(tx, &request.guid).await?;
                if let Some(done) = repeated(tx, &request, &fingerprint).await? {
                    return Ok(done);
                }
                let (actor, target) = people(tx, &request, &target).await?;
                let change = decide(&verb, actor.as_ref(), &target)
                    .map_err(|refusal| refused(refusal, actor.as_ref(), &target))?;
                let terms = if let Verb::Ban(terms) = &verb { terms.clone() } else { Terms::default() };
                let scene = Scene {
                    guid: &request.guid,
                    seq: claimed.seq,
                    actor: actor.as_ref(),
                    target: &target,
                    terms: &terms,
                };
                finish(tx, &request, &fingerprint, &claimed, scene, change).await
            })
        })
        .await
}

/// Asks the law.
fn decide(verb: &Verb, actor: Option<&Person>, target: &Person) -> Result<Change, Refusal> {
    let to = target.standing();
    let same_terms =
        |terms: &Terms| target.ban.as_ref().is_some_and(|ban| ban.reason == terms.reason && ban.until == terms.until);
    let Some(actor) = actor else {
        return match verb {
            Verb::Kick | Verb::Leave => rules::host::kick(to),
            Verb::Ban(terms) => rules::host::ban(to, same_terms(terms)),
            Verb::Unban => rules::host::unban(to),
            Verb::SetScope(scope) => rules::host::set_scope(to, *scope),
            Verb::Transfer => rules::host::transfer(to),
        };
    };
    let (from, own) = (actor.standing(), actor.uid == target.uid);
    match verb {
        Verb::Kick => rules::kick(from, to),
        Verb::Ban(terms) => rules::ban(from, to, own, same_terms(terms)),
        Verb::Unban => rules::unban(from, to),
        Verb::SetScope(scope) => rules::set_scope(from, to, own, *scope),
        Verb::Transfer => rules::transfer(from, to, own),
        Verb::Leave => rules::leave(from),
    }
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
    scene: Scene<'_>,
    change: Change,
) -> Result<Decision<Outcome>, ActError> {
    let logged = perform(tx, scene, change).await?;
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

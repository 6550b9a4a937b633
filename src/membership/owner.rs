//! The owner of a group, as the host's back end sets it, for itself or on behalf of the owner.

use std::sync::Arc;

use super::acts::{lock_group, outcome_of, refused, repeated};
use super::apply::{ActContext, apply, decide_between};
use super::request::ActRequest;
use super::request::fingerprint::{RELEASE, act_fingerprint};
use super::request::idempotency::is_repeat;
use super::{ActError, Actor, Outcome};
use crate::domain::{Act, ActKind, Change, Guid, LoggedEvent, Uid, rules};
use crate::store::{LogAccess, Person, Store, Tx};

/// Makes a person the owner, who becomes a member by it if they are none; the owner before is an admin. The host may, and the owner.
///
/// # Errors
/// [`ActError::Refused`] when the actor is not the owner, or the person is banned; [`ActError::NoSuchUser`], [`ActError::NoSuchGroup`],
/// [`ActError::KeyReused`], [`ActError::Store`].
pub async fn hand_over(store: &Store, request: ActRequest, to: Uid) -> Result<Outcome, ActError> {
    store
        .write_act(&request.guid.clone(), LogAccess::Append, move |tx| {
            Box::pin(async move {
                let locked = lock_group(tx, &request.guid).await?;
                if is_repeat(tx, &request, &act_fingerprint(&request, &Act::Transfer, &to)).await? {
                    return Ok(repeated(&locked));
                }
                let actor = match &request.actor {
                    Actor::Host => None,
                    Actor::Viewer(uid) => Some(tx.person(&request.guid, uid).await?),
                };
                if let Some(actor) = &actor {
                    rules::hand_over(actor.standing()).map_err(|refusal| refused(refusal, Some(actor), actor))?;
                }
                let logged = give(tx, &request.guid, locked.seq, actor.as_ref(), Some(&to)).await?;
                outcome_of(tx, &request, &locked, logged).await
            })
        })
        .await
}

/// Takes a group over for the host: it has no owner afterwards, and its owner before is an admin.
///
/// # Errors
/// [`ActError::NoSuchGroup`], [`ActError::KeyReused`], [`ActError::Store`].
pub async fn release(store: &Store, request: ActRequest) -> Result<Outcome, ActError> {
    store
        .write(Some(&request.guid.clone()), move |tx| {
            Box::pin(async move {
                let locked = lock_group(tx, &request.guid).await?;
                if is_repeat(tx, &request, RELEASE).await? {
                    return Ok(repeated(&locked));
                }
                let logged = give(tx, &request.guid, locked.seq, None, None).await?;
                outcome_of(tx, &request, &locked, logged).await
            })
        })
        .await
}

/// Gives a locked group to a person, or to the host. `actor` hands it over; `None` for the host. Returns the event; `None` when the group
/// is theirs already.
///
/// # Errors
/// [`ActError::Refused`] when the person is banned; [`ActError::NoSuchUser`]; [`ActError::Store`].
pub(super) async fn give(
    tx: &mut Tx<'_>,
    guid: &Guid,
    seq: u64,
    actor: Option<&Person>,
    to: Option<&Uid>,
) -> Result<Option<Arc<LoggedEvent>>, ActError> {
    let (target, change) = match to {
        Some(uid) => {
            let target = tx.person(guid, uid).await?;
            let change = decide_between(&Act::Transfer, None, &target, false, false).map_err(|refusal| {
                ActError::Refused { refusal, actor: None, target: Some(Box::new(target.clone())) }
            })?;
            if change == Change::Transfer && tx.user(uid).await?.is_none() {
                return Err(ActError::NoSuchUser(target.uid));
            }
            (target, change)
        }
        None => {
            let Some(uid) = tx.owner(guid).await? else { return Ok(None) };
            let owner = tx.person(guid, &uid).await?;
            let change = rules::release(owner.standing());
            (owner, change)
        }
    };
    let kind = ActKind::Transfer.event();
    let context = ActContext { guid, seq, actor, target: &target, kind, act: None, batch: None };
    Ok(match apply(tx, context, change).await? {
        Some(event) => Some(tx.append(event).await?),
        None => None,
    })
}

//! The owner of a group, as the host sets it.

use std::sync::Arc;

use super::acts::{lock_group, outcome_of, repeated};
use super::apply::{ActContext, apply, decide_between};
use super::request::ActRequest;
use super::request::fingerprint::RELEASE;
use super::request::idempotency::is_repeat;
use super::{ActError, Outcome};
use crate::domain::{Act, ActKind, Change, Guid, LoggedEvent, Uid, rules};
use crate::store::{Store, Tx};

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
                let logged = give(tx, &request.guid, locked.seq, None).await?;
                outcome_of(tx, &request, &locked, logged).await
            })
        })
        .await
}

/// Gives a claimed group to a person, or to the host. Returns the event; `None` when the group is theirs already.
///
/// # Errors
/// [`ActError::Refused`] when the person is banned; [`ActError::NoSuchUser`]; [`ActError::Store`].
pub(super) async fn give(
    tx: &mut Tx<'_>,
    guid: &Guid,
    seq: u64,
    to: Option<&Uid>,
) -> Result<Option<Arc<LoggedEvent>>, ActError> {
    let (target, change) = match to {
        Some(uid) => {
            let target = tx.person(guid, uid).await?;
            let change = decide_between(&Act::Transfer, None, &target, false, false).map_err(|refusal| {
                ActError::Refused { refusal, actor: None, target: Some(Box::new(target.clone())) }
            })?;
            if change == Change::Transfer && target.profile.is_none() {
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
    let context = ActContext { guid, seq, actor: None, target: &target, kind, act: None, batch: None };
    Ok(match apply(tx, context, change).await? {
        Some(event) => Some(tx.append(event).await?),
        None => None,
    })
}

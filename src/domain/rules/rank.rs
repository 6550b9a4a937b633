//! The order of scopes: who is above whom, and which scopes they may grant.

use super::refusal::Refusal;
use crate::domain::{Change, NewScope, Scope, Standing, TemporaryScope};

pub(super) fn member(actor: Standing) -> Result<Scope, Refusal> {
    actor.scope().ok_or(Refusal::NotThere)
}

pub(super) fn may_moderate(actor: Standing) -> Result<Scope, Refusal> {
    match member(actor)? {
        Scope::Participant => Err(Refusal::ParticipantsActOnNobody),
        scope => Ok(scope),
    }
}

/// The actor's scope, if they may act on the target at all. Somebody who is not a member ranks
/// below everyone.
pub(super) fn outranks(actor: Standing, target: Standing) -> Result<Scope, Refusal> {
    let above = may_moderate(actor)?;
    match target.scope() {
        Some(below) if below == above => Err(Refusal::Equal(below)),
        Some(below) if below > above => Err(Refusal::Above(below)),
        _ => Ok(above),
    }
}

/// The owner is put out and made less by nobody, not even by the host: the group would have none.
pub(super) fn not_the_owner(target: Standing) -> Result<(), Refusal> {
    if target == Standing::Member(Scope::Owner) { Err(Refusal::OwnerMustTransfer) } else { Ok(()) }
}

/// A scope that is given to somebody: only a transfer makes an owner, or there would be two.
pub(super) fn given(to: Scope) -> Result<Change, Refusal> {
    if to == Scope::Owner { Err(Refusal::OwnerMustTransfer) } else { Ok(Change::SetScope(to, None)) }
}

pub(super) fn step_down(now: Scope, to: Scope) -> Result<Change, Refusal> {
    match now {
        Scope::Owner => Err(Refusal::OwnerMustTransfer),
        _ if to > now => Err(Refusal::GrantsTooMuch(now)),
        _ if to == now => Ok(Change::Nothing),
        _ => Ok(Change::SetScope(to, None)),
    }
}

/// The end of a scope that somebody may be given: `change` is what comes of it without an end. A scope that ends is above the
/// one that lasts, which is what they are otherwise, and takes its place again. Whoever steps down takes the end along: nobody
/// makes their own scope last, or last longer.
pub(super) fn with_end(
    change: Change,
    target: Standing,
    own: bool,
    temporary: Option<TemporaryScope>,
    new: &NewScope,
) -> Result<Change, Refusal> {
    let Some(now) = target.scope() else { return Ok(change) };
    let lasting = temporary.map_or(now, |temporary| temporary.lasting);
    let end = match new.until {
        Some(_) if new.scope <= lasting => return Err(Refusal::EndsAtLasting),
        Some(until) if own && temporary.is_none_or(|temporary| until > temporary.until) => {
            return Err(Refusal::GrantsTooMuch(now));
        }
        Some(until) => Some(TemporaryScope { lasting, until }),
        None => temporary.filter(|_| own && new.scope > lasting),
    };
    let is_so = (new.scope, end) == (now, temporary);
    Ok(if is_so { Change::Nothing } else { Change::SetScope(new.scope, end) })
}

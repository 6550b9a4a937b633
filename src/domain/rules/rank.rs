//! The order of scopes: who is above whom, and which scopes they may grant.

use super::refusal::Refusal;
use crate::domain::{Change, NewScope, Scope, Standing, TemporaryScope};

/// The actor's scope.
///
/// # Errors
/// [`Refusal::NotThere`] when they are not a member.
pub(super) fn member(actor: Standing) -> Result<Scope, Refusal> {
    actor.scope().ok_or(Refusal::NotThere)
}

/// The actor's scope, if it is one that may act on others.
///
/// # Errors
/// As [`member`]; [`Refusal::ParticipantsActOnNobody`].
pub(super) fn may_moderate(actor: Standing) -> Result<Scope, Refusal> {
    let scope = member(actor)?;
    if scope.is_staff() { Ok(scope) } else { Err(Refusal::ParticipantsActOnNobody) }
}

/// The actor's scope, if they may act on the target at all. Somebody who is not a member ranks
/// below everyone.
///
/// # Errors
/// As [`may_moderate`]; [`Refusal::Equal`] or [`Refusal::Above`] with the target's scope.
pub(super) fn outranks(actor: Standing, target: Standing) -> Result<Scope, Refusal> {
    let above = may_moderate(actor)?;
    match target.scope() {
        Some(below) if below == above => Err(Refusal::Equal(below)),
        Some(below) if below > above => Err(Refusal::Above(below)),
        _ => Ok(above),
    }
}

/// Nobody removes or lowers the owner, not even the host: the group would have no owner.
///
/// # Errors
/// [`Refusal::OwnerMustTransfer`] for the owner.
pub(super) fn not_the_owner(target: Standing) -> Result<(), Refusal> {
    if target == Standing::Member(Scope::Owner) { Err(Refusal::OwnerMustTransfer) } else { Ok(()) }
}

/// The change that gives somebody a scope. Only a transfer makes an owner, or there would be two.
///
/// # Errors
/// [`Refusal::OwnerMustTransfer`] for the scope of an owner.
pub(super) fn given(to: Scope) -> Result<Change, Refusal> {
    if to == Scope::Owner { Err(Refusal::OwnerMustTransfer) } else { Ok(Change::SetScope(to, None)) }
}

/// The change by which somebody lowers their own scope.
///
/// # Errors
/// [`Refusal::OwnerMustTransfer`] for the owner; [`Refusal::GrantsTooMuch`] for a higher scope.
pub(super) fn step_down(now: Scope, to: Scope) -> Result<Change, Refusal> {
    match now {
        Scope::Owner => Err(Refusal::OwnerMustTransfer),
        _ if to > now => Err(Refusal::GrantsTooMuch(now)),
        _ if to == now => Ok(Change::Nothing),
        _ => Ok(Change::SetScope(to, None)),
    }
}

/// The change to a `new` scope that may be temporary; `change` is the decision about that scope without an end. A temporary scope
/// is above the lasting one, which follows it. Somebody who lowers their own temporary scope (`own`) keeps its end: nobody makes
/// their own scope permanent, or extends it.
///
/// # Errors
/// [`Refusal::EndsAtLasting`] for a temporary scope that is not above the lasting one; [`Refusal::GrantsTooMuch`] when somebody
/// makes their own end later.
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

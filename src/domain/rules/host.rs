//! The host's own acts: above everybody, and still bound to exactly one owner, or the host.

use super::parties::Parties;
use super::rank::{given, with_end};
use super::refusal::Refusal;
use crate::domain::{Act, Change, Scope, Standing};

/// Decides an act of the host's.
pub(super) fn decide_for_host(act: &Act, parties: Parties) -> Result<Change, Refusal> {
    let Parties { target, same_terms, muted, temporary, .. } = parties;
    match act {
        Act::Kick { .. } => kick(target),
        Act::Ban(_) => ban(target, same_terms),
        Act::SetScope(new) => with_end(set_scope(target, new.scope)?, target, false, temporary, new),
        Act::Transfer => transfer(target),
        Act::Mute(_) => mute(target, same_terms),
        Act::Unmute => Ok(if muted { Change::Unmute } else { Change::Nothing }),
        Act::Unban => unban(target),
        // The host is no member who could go.
        Act::Leave => Err(Refusal::NotAMember),
    }
}

/// Take somebody out.
///
/// # Errors
/// The owner; whoever is no member.
pub fn kick(target: Standing) -> Result<Change, Refusal> {
    not_the_owner(target)?;
    target.scope().map(|_| Change::Remove).ok_or(Refusal::NotAMember)
}

/// Take somebody out and keep them out.
///
/// # Errors
/// The owner.
pub fn ban(target: Standing, same_terms: bool) -> Result<Change, Refusal> {
    not_the_owner(target)?;
    Ok(if target == Standing::Banned && same_terms { Change::Nothing } else { Change::Ban })
}

/// Lift a ban.
///
/// # Errors
/// None today.
pub fn unban(target: Standing) -> Result<Change, Refusal> {
    Ok(if target == Standing::Banned { Change::Unban } else { Change::Nothing })
}

/// Keep a member from speaking.
///
/// # Errors
/// The target is not a member.
pub fn mute(target: Standing, same_terms: bool) -> Result<Change, Refusal> {
    target.scope().ok_or(Refusal::NotAMember)?;
    Ok(if same_terms { Change::Nothing } else { Change::Mute })
}

/// Give somebody another scope.
///
/// # Errors
/// The owner; whoever is no member; making an owner, which is a transfer.
pub fn set_scope(target: Standing, to: Scope) -> Result<Change, Refusal> {
    not_the_owner(target)?;
    match target.scope() {
        None => Err(Refusal::NotAMember),
        Some(now) if now == to => Ok(Change::Nothing),
        Some(_) => given(to),
    }
}

/// Makes somebody the owner; a person outside becomes a member.
///
/// # Errors
/// The banned.
pub fn transfer(target: Standing) -> Result<Change, Refusal> {
    match target {
        Standing::Banned => Err(Refusal::Banned),
        Standing::Member(Scope::Owner) => Ok(Change::Nothing),
        Standing::Member(Scope::Admin | Scope::Moderator | Scope::Participant) | Standing::Outside => {
            Ok(Change::Transfer)
        }
    }
}

/// Take the group over from this person: its owner becomes admin.
pub fn release(owner: Standing) -> Change {
    if owner == Standing::Member(Scope::Owner) { Change::SetScope(Scope::Admin, None) } else { Change::Nothing }
}

fn not_the_owner(target: Standing) -> Result<(), Refusal> {
    if target == Standing::Member(Scope::Owner) { Err(Refusal::OwnerMustTransfer) } else { Ok(()) }
}

//! Rules about the group: who gets in, who sees its lists, and who changes, ends or takes it over.

use super::rank::{may_moderate, member};
use super::refusal::Refusal;
use crate::domain::{Change, Scope, Standing};

/// Sees who is banned or muted, and why.
///
/// # Errors
/// The actor is a participant, or not a member.
pub fn see_restrictions(actor: Standing) -> Result<(), Refusal> {
    may_moderate(actor).map(|_| ())
}

/// Changes the group's name and how people get in.
///
/// # Errors
/// The actor is a participant, or not a member.
pub fn update_group(actor: Standing) -> Result<(), Refusal> {
    may_moderate(actor).map(|_| ())
}

/// Ends the group.
///
/// # Errors
/// The actor is neither an admin nor the owner.
pub fn delete_group(actor: Standing) -> Result<(), Refusal> {
    if may_moderate(actor)? < Scope::Admin { Err(Refusal::AdminsOnly) } else { Ok(()) }
}

/// Joins by oneself. `opens` when the group lets this person in: it is public, or they know its password; `hidden`
/// when it is private, and so does not exist for people outside.
///
/// # Errors
/// The person is banned, or the password is wrong; outsiders learn nothing of a private group.
pub fn join(actor: Standing, hidden: bool, opens: bool) -> Result<Change, Refusal> {
    match actor {
        Standing::Member(_) => Ok(Change::Nothing),
        _ if hidden => Err(Refusal::NotThere),
        Standing::Banned => Err(Refusal::Banned),
        Standing::Outside if opens => Ok(Change::Join),
        Standing::Outside => Err(Refusal::WrongPassword),
    }
}

/// Adds somebody else with this scope: nobody grants more than their own.
///
/// # Errors
/// The actor is a participant; the scope is above the actor's.
pub fn add(actor: Standing, to: Scope) -> Result<(), Refusal> {
    let above = may_moderate(actor)?;
    if to > above { Err(Refusal::GrantsTooMuch(above)) } else { Ok(()) }
}

/// Hands the group over to somebody.
///
/// # Errors
/// The actor is not the owner.
pub fn hand_over(actor: Standing) -> Result<(), Refusal> {
    if member(actor)? == Scope::Owner { Ok(()) } else { Err(Refusal::OwnerOnly) }
}

/// Takes the group over from this person: its owner becomes admin.
pub fn release(owner: Standing) -> Change {
    if owner == Standing::Member(Scope::Owner) { Change::SetScope(Scope::Admin, None) } else { Change::Nothing }
}

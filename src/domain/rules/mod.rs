//! The rules: act only on people strictly below you; grant at most your own scope; participants act on nobody; a group has
//! exactly one owner, a member or the host.
//!
//! A group whose owner is the host has no member of scope owner, and only the host makes somebody its owner.
//!
//! Every function takes who asks and who is meant and returns a change or a refusal. Rights are
//! checked before the state of the target, so that a refusal reveals nothing that the actor may not see.
//!
//! Not here: reading the people from the database, and writing the change (`membership`).

pub mod host;
mod notes;
mod parties;
mod rank;
mod refusal;
mod seen;
mod undo;

use strum::VariantArray;

pub use notes::{remove_note, see_notes};
pub use parties::Parties;
pub use refusal::Refusal;
pub use seen::as_seen;
pub use undo::{Past, undo};

use super::{Act, ActKind, Change, Scope, Standing};
use rank::{given, may_moderate, member, outranks, step_down, with_end};

/// Decides an act.
///
/// # Errors
/// The reason of the refusal.
pub fn decide(act: &Act, parties: Parties) -> Result<Change, Refusal> {
    let Parties { actor: Some(actor), target, own, same_terms, muted, temporary, alone } = parties else {
        return host::decide_for_host(act, parties);
    };
    match act {
        Act::Kick { .. } => kick(actor, target),
        Act::Ban(_) => ban(actor, target, own, same_terms),
        Act::SetScope(new) => {
            let change = set_scope(actor, target, own, new.scope)?;
            with_end(change, target, own, temporary, new)
        }
        Act::Transfer => transfer(actor, target, own),
        Act::Mute(_) => mute(actor, target, own, same_terms),
        Act::Unmute => unmute(actor, target, own, muted),
        Act::Unban => unban(actor, target),
        Act::Leave => leave(actor, alone),
    }
}

/// Decides an act on one of several people. The actor is not among them.
///
/// # Errors
/// The reason of the refusal.
pub fn decide_of_several(act: &Act, parties: Parties) -> Result<Change, Refusal> {
    if parties.own { Err(Refusal::Oneself) } else { decide(act, parties) }
}

/// Removes a member, who may come back.
///
/// # Errors
/// The target is not below the actor, or not a member.
pub fn kick(actor: Standing, target: Standing) -> Result<Change, Refusal> {
    outranks(actor, target)?;
    target.scope().map(|_| Change::Remove).ok_or(Refusal::NotAMember)
}

/// Removes the target, if a member, and keeps them out. `own` when actor and target are one person; `same_terms` when
/// they are banned already with this reason and end.
///
/// # Errors
/// The target is not below the actor, or is the actor.
pub fn ban(actor: Standing, target: Standing, own: bool, same_terms: bool) -> Result<Change, Refusal> {
    if own {
        member(actor)?;
        return Err(Refusal::BansThemselves);
    }
    outranks(actor, target)?;
    Ok(if target == Standing::Banned && same_terms { Change::Nothing } else { Change::Ban })
}

/// Lifts a ban; membership does not come back by itself.
///
/// # Errors
/// The actor is a participant, or not a member.
pub fn unban(actor: Standing, target: Standing) -> Result<Change, Refusal> {
    may_moderate(actor)?;
    Ok(if target == Standing::Banned { Change::Unban } else { Change::Nothing })
}

/// Keeps a member from speaking. `same_terms` when they are muted already on these terms.
///
/// # Errors
/// The target is not below the actor, not a member, or is the actor.
pub fn mute(actor: Standing, target: Standing, own: bool, same_terms: bool) -> Result<Change, Refusal> {
    not_their_own_mute(actor, own)?;
    outranks(actor, target)?;
    host::mute(target, same_terms)
}

/// Lifts a mute of somebody who may have left. `muted` when there is one.
///
/// # Errors
/// The target is not below the actor, or is the actor.
pub fn unmute(actor: Standing, target: Standing, own: bool, muted: bool) -> Result<Change, Refusal> {
    not_their_own_mute(actor, own)?;
    outranks(actor, target)?;
    Ok(if muted { Change::Unmute } else { Change::Nothing })
}

fn not_their_own_mute(actor: Standing, own: bool) -> Result<(), Refusal> {
    if own { member(actor).and(Err(Refusal::MutesThemselves)) } else { Ok(()) }
}

/// Sees who is banned or muted, and why.
///
/// # Errors
/// The actor is a participant, or not a member.
pub fn see_bans(actor: Standing) -> Result<(), Refusal> {
    may_moderate(actor).map(|_| ())
}

/// Changes the group's name and how people get in.
///
/// # Errors
/// The actor is a participant, or not a member.
pub fn change_group(actor: Standing) -> Result<(), Refusal> {
    may_moderate(actor).map(|_| ())
}

/// Ends the group.
///
/// # Errors
/// The actor is neither an admin nor the owner.
pub fn delete_group(actor: Standing) -> Result<(), Refusal> {
    if may_moderate(actor)? < Scope::Admin { Err(Refusal::AdminsOnly) } else { Ok(()) }
}

/// Makes the target a participant, moderator or admin. `own` when actor and target are one person: everybody may step
/// down, and only down.
///
/// # Errors
/// The target is not below the actor, or not a member; the scope is above the actor's, or above one's own.
pub fn set_scope(actor: Standing, target: Standing, own: bool, to: Scope) -> Result<Change, Refusal> {
    if own {
        return step_down(member(actor)?, to);
    }
    let above = outranks(actor, target)?;
    if to > above {
        return Err(Refusal::GrantsTooMuch(above));
    }
    match target.scope() {
        None => Err(Refusal::NotAMember),
        Some(now) if now == to => Ok(Change::Nothing),
        Some(_) => given(to),
    }
}

/// Transfers the group; the old owner becomes admin.
///
/// # Errors
/// The actor is not the owner, or the target is not a member.
pub fn transfer(actor: Standing, target: Standing, own: bool) -> Result<Change, Refusal> {
    if member(actor)? != Scope::Owner {
        return Err(Refusal::OwnerOnly);
    }
    if own {
        return Ok(Change::Nothing);
    }
    target.scope().map(|_| Change::Transfer).ok_or(Refusal::NotAMember)
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

/// Leaves by oneself. `alone` when nobody else is in the group: its owner may leave then, and the group is the
/// host's.
///
/// # Errors
/// The actor owns a group that others are in, or is not a member.
pub fn leave(actor: Standing, alone: bool) -> Result<Change, Refusal> {
    match member(actor)? {
        Scope::Owner if !alone => Err(Refusal::OwnerMustTransfer),
        Scope::Owner | Scope::Admin | Scope::Moderator | Scope::Participant => Ok(Change::Remove),
    }
}

/// The acts that one member may consider doing to another, or to themselves when `own`: each act that makes sense
/// between the two, allowed or refused with the reason, by the same functions that decide when it is done. `alone`
/// when nobody else is in the group; `muted` when the target may not speak.
pub fn acts(
    actor: Standing,
    target: Standing,
    own: bool,
    alone: bool,
    muted: bool,
) -> Vec<(ActKind, Result<(), Refusal>)> {
    let answer = |kind| match kind {
        ActKind::Kick if !own => Some(kick(actor, target).map(drop)),
        ActKind::Ban if !own => Some(ban(actor, target, own, false).map(drop)),
        ActKind::Scope if !own => Some(outranks(actor, target).map(drop)),
        // Without a scope to step down to, there is no such act.
        ActKind::Scope => grantable(actor, target, own).iter().any(|&to| target.scope() > Some(to)).then_some(Ok(())),
        ActKind::Transfer if !own => Some(transfer(actor, target, own).map(drop)),
        ActKind::Mute if !own && !muted => Some(mute(actor, target, own, false).map(drop)),
        ActKind::Unmute if !own && muted => Some(unmute(actor, target, own, muted).map(drop)),
        ActKind::Unban => (target == Standing::Banned && unban(actor, target).is_ok()).then_some(Ok(())),
        ActKind::Leave if own => Some(leave(actor, alone).map(drop)),
        ActKind::Kick
        | ActKind::Ban
        | ActKind::Transfer
        | ActKind::Mute
        | ActKind::Unmute
        | ActKind::Leave
        | ActKind::Join => None,
    };
    ActKind::VARIANTS.iter().filter_map(|&kind| Some((kind, answer(kind)?))).collect()
}

/// The scopes that this actor may give to this target, highest first; empty when none.
pub fn grantable(actor: Standing, target: Standing, own: bool) -> Vec<Scope> {
    [Scope::Admin, Scope::Moderator, Scope::Participant]
        .into_iter()
        .filter(|&to| set_scope(actor, target, own, to).is_ok())
        .collect()
}

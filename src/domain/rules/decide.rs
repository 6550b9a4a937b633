//! Decides each act of one person on another: kick, ban, mute, scope, transfer, leave.

use strum::VariantArray;

use super::group::hand_over;
use super::rank::{given, may_moderate, member, not_the_owner, outranks, step_down, with_end};
use super::refusal::Refusal;
use crate::domain::{Act, ActKind, Change, Scope, Standing, TemporaryScope};

/// The two people of an act, as far as its decision depends on them.
#[derive(Debug, Clone, Copy)]
pub struct Parties {
    /// The actor's standing; `None` for the host, who is above everybody.
    pub actor: Option<Standing>,
    /// The target's standing.
    pub target: Standing,
    /// Actor and target are one person.
    pub own: bool,
    /// The target is banned or muted already, on the terms that are asked for.
    pub same_terms: bool,
    /// The target may not speak.
    pub muted: bool,
    /// When the target's scope ends.
    pub temporary: Option<TemporaryScope>,
    /// The actor is the group's only member.
    pub alone: bool,
}

/// Decides an act.
///
/// # Errors
/// The reason of the refusal.
pub fn decide(act: &Act, parties: Parties) -> Result<Change, Refusal> {
    let Parties { actor, target, own, same_terms, muted, temporary, alone } = parties;
    match (act, actor) {
        (Act::Kick { .. }, Some(actor)) => kick(actor, target),
        (Act::Kick { .. }, None) => not_the_owner(target).and_then(|()| removed(target)),
        (Act::Ban(_), Some(actor)) => ban(actor, target, own, same_terms),
        (Act::Ban(_), None) => not_the_owner(target).map(|()| banned(target, same_terms)),
        (Act::SetScope(new), Some(actor)) => {
            let change = set_scope(actor, target, own, new.scope)?;
            with_end(change, target, own, temporary, new)
        }
        (Act::SetScope(new), None) => {
            not_the_owner(target)?;
            with_end(rescoped(target, new.scope)?, target, false, temporary, new)
        }
        (Act::Transfer, Some(actor)) => transfer(actor, target, own),
        (Act::Transfer, None) => transfer_by_host(target),
        (Act::Mute(_), Some(actor)) => mute(actor, target, own, same_terms),
        (Act::Mute(_), None) => silenced(target, same_terms),
        (Act::Unmute, Some(actor)) => unmute(actor, target, own, muted),
        (Act::Unmute, None) => Ok(unmuted(muted)),
        (Act::Unban, Some(actor)) => unban(actor, target),
        (Act::Unban, None) => Ok(unbanned(target)),
        (Act::Leave, Some(actor)) => leave(actor, alone),
        // The host is no member who could go.
        (Act::Leave, None) => Err(Refusal::NotAMember),
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
    removed(target)
}

fn removed(target: Standing) -> Result<Change, Refusal> {
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
    Ok(banned(target, same_terms))
}

fn banned(target: Standing, same_terms: bool) -> Change {
    if target == Standing::Banned && same_terms { Change::Nothing } else { Change::Ban }
}

/// Lifts a ban; membership does not come back by itself.
///
/// # Errors
/// The actor is a participant, or not a member.
pub fn unban(actor: Standing, target: Standing) -> Result<Change, Refusal> {
    may_moderate(actor)?;
    Ok(unbanned(target))
}

fn unbanned(target: Standing) -> Change {
    if target == Standing::Banned { Change::Unban } else { Change::Nothing }
}

/// Keeps a member from speaking. `same_terms` when they are muted already on these terms.
///
/// # Errors
/// The target is not below the actor, not a member, or is the actor.
pub fn mute(actor: Standing, target: Standing, own: bool, same_terms: bool) -> Result<Change, Refusal> {
    not_their_own_mute(actor, own)?;
    outranks(actor, target)?;
    silenced(target, same_terms)
}

fn silenced(target: Standing, same_terms: bool) -> Result<Change, Refusal> {
    target.scope().ok_or(Refusal::NotAMember)?;
    Ok(if same_terms { Change::Nothing } else { Change::Mute })
}

/// Lifts a mute of somebody who may have left. `muted` when there is one.
///
/// # Errors
/// The target is not below the actor, or is the actor.
pub fn unmute(actor: Standing, target: Standing, own: bool, muted: bool) -> Result<Change, Refusal> {
    not_their_own_mute(actor, own)?;
    outranks(actor, target)?;
    Ok(unmuted(muted))
}

fn unmuted(muted: bool) -> Change {
    if muted { Change::Unmute } else { Change::Nothing }
}

fn not_their_own_mute(actor: Standing, own: bool) -> Result<(), Refusal> {
    if own { member(actor).and(Err(Refusal::MutesThemselves)) } else { Ok(()) }
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
    rescoped(target, to)
}

fn rescoped(target: Standing, to: Scope) -> Result<Change, Refusal> {
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
    hand_over(actor)?;
    if own {
        return Ok(Change::Nothing);
    }
    target.scope().map(|_| Change::Transfer).ok_or(Refusal::NotAMember)
}

/// Makes somebody the owner, as the host's back end does it; a person outside becomes a member, and the banned stay out.
fn transfer_by_host(target: Standing) -> Result<Change, Refusal> {
    match target {
        Standing::Banned => Err(Refusal::Banned),
        Standing::Member(Scope::Owner) => Ok(Change::Nothing),
        Standing::Member(Scope::Admin | Scope::Moderator | Scope::Participant) | Standing::Outside => {
            Ok(Change::Transfer)
        }
    }
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

/// A member and somebody whom they may act on, as far as the acts that are offered depend on them.
#[derive(Debug, Clone, Copy)]
pub struct ActorAndTarget {
    /// The actor's standing.
    pub actor: Standing,
    /// The target's standing.
    pub target: Standing,
    /// Actor and target are one person.
    pub own: bool,
    /// The actor is the group's only member.
    pub alone: bool,
    /// The target may not speak.
    pub muted: bool,
}

impl ActorAndTarget {
    /// Two members of these scopes, of whom the target may speak.
    pub fn members(actor: Scope, target: Scope) -> ActorAndTarget {
        let (actor, target) = (Standing::Member(actor), Standing::Member(target));
        ActorAndTarget { actor, target, own: false, alone: false, muted: false }
    }

    /// One member of this scope, who is both, in a group with others.
    pub fn oneself(scope: Scope) -> ActorAndTarget {
        ActorAndTarget { own: true, ..ActorAndTarget::members(scope, scope) }
    }
}

/// The acts that one member may consider doing to another, or to themselves: each act that makes sense between the two, allowed or
/// refused with the reason, by the same functions that decide when it is done.
pub fn acts(between: ActorAndTarget) -> Vec<(ActKind, Result<(), Refusal>)> {
    let ActorAndTarget { actor, target, own, alone, muted } = between;
    let answer = |kind| match kind {
        ActKind::Kick if !own => Some(kick(actor, target).map(drop)),
        ActKind::Ban if !own => Some(ban(actor, target, own, false).map(drop)),
        ActKind::Scope if !own => Some(outranks(actor, target).map(drop)),
        // Without a scope to step down to, there is no such act.
        ActKind::Scope => grantable(actor, target, own).iter().any(|&to| target.scope() > Some(to)).then_some(Ok(())),
        ActKind::Transfer if !own => Some(transfer(actor, target, own).map(drop)),
        // Whoever is muted is muted for longer or shorter without being unmuted first.
        ActKind::Mute if !own => Some(mute(actor, target, own, false).map(drop)),
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

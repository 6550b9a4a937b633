//! The one rule: act only on those strictly below you; grant at most what you are; participants
//! act on nobody; exactly one owner, always, or the host.
//!
//! A group whose owner is the host has no member of scope owner, and only the host makes somebody its owner.
//!
//! Every function takes who asks and who is meant and returns a change or a refusal. Rights are
//! looked at before the state of the target, so that a refusal tells nobody what they may not see.

use strum::VariantArray;

use super::{Act, ActKind, Cause, Change, EventKind, Scope, Standing};

/// A no, with its reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Refusal {
    /// The actor is not a member: to them the group is not there.
    #[error("There is no such group, or it is not yours to see.")]
    NotThere,
    /// Participants act on nobody.
    #[error("Participants cannot do this to anyone.")]
    ParticipantsActOnNobody,
    /// The target is not strictly below the actor.
    #[error("You can only do this to people below you, and you are both {0}s.")]
    Equal(Scope),
    /// The target is above the actor.
    #[error("You can only do this to people below you, and they are above you: {0}.")]
    Above(Scope),
    /// Only the owner may.
    #[error("Only the owner can hand the group over.")]
    OwnerOnly,
    /// Only admins and the owner may.
    #[error("Only admins and the owner can end the group.")]
    AdminsOnly,
    /// Nobody grants more than they are.
    #[error("You can make somebody at most what you are yourself: {0}.")]
    GrantsTooMuch(Scope),
    /// An act on several people leaves out whoever asks.
    #[error("This is you.")]
    Oneself,
    /// Nobody bans themselves.
    #[error("You cannot ban yourself. To go, leave the group.")]
    BansThemselves,
    /// The target is not a member.
    #[error("They are not a member of this group.")]
    NotAMember,
    /// The owner stays until somebody else owns the group.
    #[error("The owner stays until the group is handed to somebody else: do that first.")]
    OwnerMustTransfer,
    /// Banned people stay out.
    #[error("You are banned from this group.")]
    Banned,
    /// An act on oneself, the host's, or an ending: nobody's to put back.
    #[error("Only what somebody did to somebody else can be undone.")]
    NotUndoable,
    /// Only who did it, or somebody above them, may put it back.
    #[error("Only whoever did this, or somebody above them, can undo it.")]
    NotTheirsToUndo,
    /// A password group, and not its password.
    #[error("That is not the group's password.")]
    WrongPassword,
}

/// Between whom an act is decided.
#[derive(Debug, Clone, Copy)]
pub struct Parties {
    /// What the actor is to the group; `None` for the host, who is above everybody.
    pub actor: Option<Standing>,
    /// What the target is to the group.
    pub target: Standing,
    /// Actor and target are one person.
    pub own: bool,
    /// The target is banned already, on the terms that are asked for.
    pub same_terms: bool,
    /// The actor is the group's only member.
    pub alone: bool,
}

/// Decides an act.
///
/// # Errors
/// The reason why not.
pub fn decide(act: &Act, parties: Parties) -> Result<Change, Refusal> {
    let Parties { actor: Some(actor), target, own, same_terms, alone } = parties else {
        return host::decide(act, parties);
    };
    match act {
        Act::Kick { .. } => kick(actor, target),
        Act::Ban(_) => ban(actor, target, own, same_terms),
        Act::SetScope(scope) => set_scope(actor, target, own, *scope),
        Act::Transfer => transfer(actor, target, own),
        Act::Unban => unban(actor, target),
        Act::Leave => leave(actor, alone),
    }
}

/// Decides an act on one of several people. Whoever asks is not among them.
///
/// # Errors
/// The reason why not.
pub fn decide_of_several(act: &Act, parties: Parties) -> Result<Change, Refusal> {
    if parties.own { Err(Refusal::Oneself) } else { decide(act, parties) }
}

/// Put out; may come back.
///
/// # Errors
/// Who is not below the actor, or not a member.
pub fn kick(actor: Standing, target: Standing) -> Result<Change, Refusal> {
    outranks(actor, target)?;
    target.scope().map(|_| Change::Remove).ok_or(Refusal::NotAMember)
}

/// Put out, if a member, and keep out. `own` when actor and target are one person; `same_terms`
/// when they are banned already with this reason and end.
///
/// # Errors
/// Who is not below the actor; oneself.
pub fn ban(actor: Standing, target: Standing, own: bool, same_terms: bool) -> Result<Change, Refusal> {
    if own {
        member(actor)?;
        return Err(Refusal::BansThemselves);
    }
    outranks(actor, target)?;
    Ok(if target == Standing::Banned && same_terms { Change::Nothing } else { Change::Ban })
}

/// Lift a ban; membership does not come back by itself.
///
/// # Errors
/// Participants, and whoever is no member.
pub fn unban(actor: Standing, target: Standing) -> Result<Change, Refusal> {
    may_moderate(actor)?;
    Ok(if target == Standing::Banned { Change::Unban } else { Change::Nothing })
}

/// See who is banned, and why.
///
/// # Errors
/// Participants, and whoever is no member.
pub fn see_bans(actor: Standing) -> Result<(), Refusal> {
    may_moderate(actor).map(|_| ())
}

/// Change what the group is called and how one gets in.
///
/// # Errors
/// Participants, and whoever is no member.
pub fn change_group(actor: Standing) -> Result<(), Refusal> {
    may_moderate(actor).map(|_| ())
}

/// End the group.
///
/// # Errors
/// Whoever is not an admin or the owner.
pub fn delete_group(actor: Standing) -> Result<(), Refusal> {
    if may_moderate(actor)? < Scope::Admin { Err(Refusal::AdminsOnly) } else { Ok(()) }
}

/// Make the target a participant, moderator or admin. `own` when actor and target are one person:
/// anybody may step down, and only down.
///
/// # Errors
/// Who is not below the actor, or not a member; a scope above the actor's, or above one's own.
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

/// Hand the group over; the old owner becomes admin.
///
/// # Errors
/// Whoever is not the owner; a target that is no member.
pub fn transfer(actor: Standing, target: Standing, own: bool) -> Result<Change, Refusal> {
    if member(actor)? != Scope::Owner {
        return Err(Refusal::OwnerOnly);
    }
    if own {
        return Ok(Change::Nothing);
    }
    target.scope().map(|_| Change::Transfer).ok_or(Refusal::NotAMember)
}

/// Come in by oneself. `opens` when the group lets this person in: it is public, or they know its
/// password; `hidden` when it is private, and so not there for people outside.
///
/// # Errors
/// The banned, a wrong password; outsiders are told nothing of a private group.
pub fn join(actor: Standing, hidden: bool, opens: bool) -> Result<Change, Refusal> {
    match actor {
        Standing::Member(_) => Ok(Change::Nothing),
        _ if hidden => Err(Refusal::NotThere),
        Standing::Banned => Err(Refusal::Banned),
        Standing::Outside if opens => Ok(Change::Join),
        Standing::Outside => Err(Refusal::WrongPassword),
    }
}

/// Put somebody else in, as this scope: those who may act grant at most what they are.
///
/// # Errors
/// Participants; a scope above the actor's.
pub fn add(actor: Standing, to: Scope) -> Result<(), Refusal> {
    let above = may_moderate(actor)?;
    if to > above { Err(Refusal::GrantsTooMuch(above)) } else { Ok(()) }
}

/// Go by oneself. `alone` when nobody else is in the group: its owner may go then, and the group is the host's.
///
/// # Errors
/// The owner of a group that others are in, and whoever is no member.
pub fn leave(actor: Standing, alone: bool) -> Result<Change, Refusal> {
    match member(actor)? {
        Scope::Owner if !alone => Err(Refusal::OwnerMustTransfer),
        Scope::Owner | Scope::Admin | Scope::Moderator | Scope::Participant => Ok(Change::Remove),
    }
}

/// What one member may ask about another, or about themselves when `own`: each act that makes sense
/// between the two, allowed or refused with the reason, from the same functions that decide when it
/// is done. `alone` when nobody else is in the group.
pub fn acts(actor: Standing, target: Standing, own: bool, alone: bool) -> Vec<(ActKind, Result<(), Refusal>)> {
    let answer = |kind| match kind {
        ActKind::Kick if !own => Some(kick(actor, target).map(drop)),
        ActKind::Ban if !own => Some(ban(actor, target, own, false).map(drop)),
        ActKind::Scope if !own => Some(outranks(actor, target).map(drop)),
        // Where there is nothing to step down to, it is not an act.
        ActKind::Scope => grantable(actor, target, own).iter().any(|&to| target.scope() > Some(to)).then_some(Ok(())),
        ActKind::Transfer if !own => Some(transfer(actor, target, own).map(drop)),
        ActKind::Unban => (target == Standing::Banned && unban(actor, target).is_ok()).then_some(Ok(())),
        ActKind::Leave if own => Some(leave(actor, alone).map(drop)),
        ActKind::Kick | ActKind::Ban | ActKind::Transfer | ActKind::Leave | ActKind::Join => None,
    };
    ActKind::VARIANTS.iter().filter_map(|&kind| Some((kind, answer(kind)?))).collect()
}

/// An act of before, which somebody asks to put back.
#[derive(Debug, Clone, Copy)]
pub struct Past {
    /// What it was.
    pub kind: EventKind,
    /// How it came about; `None` when nobody knows.
    pub cause: Option<Cause>,
    /// What whoever did it is to the group now; `None` for the host.
    pub doer: Option<Standing>,
    /// Who asks is who did it.
    pub own: bool,
    /// It was done to oneself.
    pub about_doer: bool,
    /// What the person would be to the group again.
    pub before: Standing,
}

/// Put back what an act changed: whoever did it, or outranks who did, who may also act on the person as put back.
///
/// # Errors
/// Participants; acts on oneself, the host's and endings, which nobody puts back; who is not below the actor.
pub fn undo(actor: Standing, past: Past) -> Result<(), Refusal> {
    may_moderate(actor)?;
    let by_somebody = match past.cause {
        Some(Cause::Viewer | Cause::Undo) => true,
        Some(Cause::Host | Cause::Ended | Cause::Sync) | None => false,
    };
    let Some(doer) = past.doer.filter(|_| past.kind.can_be_undone() && by_somebody && !past.about_doer) else {
        return Err(Refusal::NotUndoable);
    };
    if !past.own && outranks(actor, doer).is_err() {
        return Err(Refusal::NotTheirsToUndo);
    }
    outranks(actor, past.before).map(|_| ())
}

/// The scopes that this actor may give to this target, highest first; empty when none.
pub fn grantable(actor: Standing, target: Standing, own: bool) -> Vec<Scope> {
    [Scope::Admin, Scope::Moderator, Scope::Participant]
        .into_iter()
        .filter(|&to| set_scope(actor, target, own, to).is_ok())
        .collect()
}

/// The host's own acts: above everybody, and still bound to exactly one owner, or the host.
pub mod host {
    use super::{Act, Change, Parties, Refusal, Scope, Standing};

    /// Decides an act of the host's.
    pub(super) fn decide(act: &Act, Parties { target, same_terms, .. }: Parties) -> Result<Change, Refusal> {
        match act {
            Act::Kick { .. } => kick(target),
            Act::Ban(_) => ban(target, same_terms),
            Act::SetScope(scope) => set_scope(target, *scope),
            Act::Transfer => transfer(target),
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

    /// Give somebody another scope.
    ///
    /// # Errors
    /// The owner; whoever is no member; making an owner, which is a transfer.
    pub fn set_scope(target: Standing, to: Scope) -> Result<Change, Refusal> {
        not_the_owner(target)?;
        match target.scope() {
            None => Err(Refusal::NotAMember),
            Some(now) if now == to => Ok(Change::Nothing),
            Some(_) => super::given(to),
        }
    }

    /// Make somebody the owner; whoever is no member comes in by it.
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
        if owner == Standing::Member(Scope::Owner) { Change::SetScope(Scope::Admin) } else { Change::Nothing }
    }

    fn not_the_owner(target: Standing) -> Result<(), Refusal> {
        if target == Standing::Member(Scope::Owner) { Err(Refusal::OwnerMustTransfer) } else { Ok(()) }
    }
}

fn member(actor: Standing) -> Result<Scope, Refusal> {
    actor.scope().ok_or(Refusal::NotThere)
}

fn may_moderate(actor: Standing) -> Result<Scope, Refusal> {
    match member(actor)? {
        Scope::Participant => Err(Refusal::ParticipantsActOnNobody),
        scope => Ok(scope),
    }
}

/// The actor's scope, if they may act on the target at all. Somebody who is not a member ranks
/// below everyone.
fn outranks(actor: Standing, target: Standing) -> Result<Scope, Refusal> {
    let above = may_moderate(actor)?;
    match target.scope() {
        Some(below) if below == above => Err(Refusal::Equal(below)),
        Some(below) if below > above => Err(Refusal::Above(below)),
        _ => Ok(above),
    }
}

/// A scope that is given to somebody: only a transfer makes an owner, or there would be two.
fn given(to: Scope) -> Result<Change, Refusal> {
    if to == Scope::Owner { Err(Refusal::OwnerMustTransfer) } else { Ok(Change::SetScope(to)) }
}

fn step_down(now: Scope, to: Scope) -> Result<Change, Refusal> {
    match now {
        Scope::Owner => Err(Refusal::OwnerMustTransfer),
        _ if to > now => Err(Refusal::GrantsTooMuch(now)),
        _ if to == now => Ok(Change::Nothing),
        _ => Ok(Change::SetScope(to)),
    }
}

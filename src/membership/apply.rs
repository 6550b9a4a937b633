//! Asks the rules about two people, and writes their decision as rows and one event; writes also what puts an earlier state
//! back.

use std::sync::Arc;

use crate::domain::rules::{self, Parties};
use crate::domain::{
    Act, By, Cause, Change, EventKind, Guid, LoggedEvent, Member, Membership, Muted, PutBack, Refusal, Restriction,
    Restrictions, RestrictionsChange, Scope, TemporaryScope, TouchedMember,
};
use crate::store::{Person, StoreError, Tx};

/// The context of an act, once its group is locked.
pub(super) struct ActContext<'a> {
    pub guid: &'a Guid,
    pub seq: u64,
    /// `None` for the host.
    pub actor: Option<&'a Person>,
    pub target: &'a Person,
    /// The event that reports it.
    pub kind: EventKind,
    /// The terms; `None` of joining, which has none.
    pub act: Option<&'a Act>,
    /// The first event of the request, when it is about several people.
    pub batch: Option<u64>,
}

/// Asks the rules. `same_terms` when the target is banned or muted already on the terms that are asked for.
/// `alone` when nobody but the actor is in the group.
///
/// # Errors
/// As [`rules::decide`].
pub(super) fn decide_between(
    act: &Act,
    actor: Option<&Person>,
    target: &Person,
    same_terms: bool,
    alone: bool,
) -> Result<Change, Refusal> {
    rules::decide(act, parties(actor, target, same_terms, alone))
}

/// The two people of an act, for its decision.
pub(super) fn parties(actor: Option<&Person>, target: &Person, same_terms: bool, alone: bool) -> Parties {
    Parties {
        actor: actor.map(Person::standing),
        target: target.standing(),
        own: actor.is_some_and(|actor| actor.uid == target.uid),
        same_terms,
        muted: target.mute.is_some(),
        temporary: target.temporary(),
        alone,
    }
}

/// Writes the change, and returns the event that is yet to be appended; `None` when there was nothing to do.
///
/// # Errors
/// As [`enter_as`] and [`rescope`].
pub(super) async fn apply(
    tx: &mut Tx<'_>,
    context: ActContext<'_>,
    change: Change,
) -> Result<Option<LoggedEvent>, StoreError> {
    let ActContext { guid, seq, target, .. } = context;
    let limited = target.restrictions();
    let touched = match change {
        Change::Nothing => return Ok(None),
        Change::Remove => {
            tx.remove_member(guid, &target.uid).await?;
            vec![gone(target, Restrictions { temporary: None, ..limited })]
        }
        Change::Ban => {
            let ban = restriction(&context, tx.event_time());
            tx.remove_member(guid, &target.uid).await?;
            tx.upsert_ban(guid, &ban).await?;
            vec![gone(target, Restrictions { ban: Some(ban), temporary: None, ..limited })]
        }
        Change::Unban => {
            tx.lift_ban(guid, &target.uid).await?;
            vec![gone(target, Restrictions { ban: None, ..limited })]
        }
        Change::Mute => vec![mute(tx, guid, target, Some(restriction(&context, tx.event_time())), seq).await?],
        Change::Unmute => vec![mute(tx, guid, target, None, seq).await?],
        Change::SetScope(scope, end) => vec![rescope(tx, guid, target, scope, end, seq).await?],
        Change::Transfer => {
            // The old owner first: at no moment are there two.
            let before = match tx.owner(guid).await? {
                Some(uid) => {
                    let owner = tx.person(guid, &uid).await?;
                    Some(rescope(tx, guid, &owner, Scope::Admin, None, seq).await?)
                }
                None => None,
            };
            let after = match target.membership {
                Some(_) => rescope(tx, guid, target, Scope::Owner, None, seq).await?,
                None => enter(tx, guid, target, Scope::Owner, seq).await?,
            };
            std::iter::once(after).chain(before).collect()
        }
        Change::Join => vec![enter(tx, guid, target, Scope::Participant, seq).await?],
    };
    let event = LoggedEvent::new(guid.clone(), seq, tx.event_time(), context.kind, cause(context.actor), touched);
    let is_own = context.actor.is_some_and(|actor| actor.uid == target.uid);
    Ok(Some(LoggedEvent {
        by: context.actor.map(by),
        reason: context.act.and_then(Act::reason).map(str::to_owned),
        // Whoever steps down would read their own words as what the team says. They stay in the fingerprint of the request.
        message: context.act.and_then(Act::message).filter(|_| !is_own).map(str::to_owned),
        until: context.act.and_then(Act::until),
        batch: context.batch,
        ..event
    }))
}

/// A state that was put back, once it is written, for the event that reports it.
pub(super) struct Restored {
    pub kind: EventKind,
    pub touched: TouchedMember,
    /// The terms of a ban or of a mute that is back.
    pub terms: Option<Restriction>,
    /// The end of what is back, Unix milliseconds.
    pub until: Option<i64>,
}

/// Writes what puts somebody back, under the event `seq`; `None` when nothing is left to do.
///
/// # Errors
/// As [`enter_as`] and [`rescope`].
pub(super) async fn restore(
    tx: &mut Tx<'_>,
    guid: &Guid,
    target: &Person,
    change: PutBack,
    seq: u64,
) -> Result<Option<Restored>, StoreError> {
    let (kind, touched, terms, until) = match change {
        PutBack::Nothing => return Ok(None),
        PutBack::Readmit(held, temporary) => {
            let membership = Membership { temporary, ..Membership::new(held.scope, held.joined_at, seq) };
            let touched = enter_as(tx, guid, target, membership).await?;
            (EventKind::MemberAdded, touched, None, temporary.map(|end| end.until))
        }
        PutBack::Rescope(scope, end) => {
            let touched = rescope(tx, guid, target, scope, end, seq).await?;
            (EventKind::MemberScopeChanged, touched, None, end.map(|end| end.until))
        }
        PutBack::Ban(ban) => {
            tx.upsert_ban(guid, &ban).await?;
            let limited = Restrictions { ban: Some(ban.clone()), ..target.restrictions() };
            let until = ban.until;
            (EventKind::MemberBanned, gone(target, limited), Some(ban), until)
        }
        PutBack::Unban => {
            tx.lift_ban(guid, &target.uid).await?;
            let limited = Restrictions { ban: None, ..target.restrictions() };
            (EventKind::MemberUnbanned, gone(target, limited), None, None)
        }
        PutBack::Mute(terms) => {
            let touched = mute(tx, guid, target, Some(terms.clone()), seq).await?;
            let until = terms.until;
            (EventKind::MemberMuted, touched, Some(terms), until)
        }
        PutBack::Unmute => (EventKind::MemberUnmuted, mute(tx, guid, target, None, seq).await?, None, None),
    };
    Ok(Some(Restored { kind, touched, terms, until }))
}

/// The cause of a change that this person requested, or the host.
pub(super) fn cause(actor: Option<&Person>) -> Cause {
    if actor.is_some() { Cause::Viewer } else { Cause::Host }
}

/// A person as the log names who did it.
pub(super) fn by(actor: &Person) -> By {
    By { uid: actor.uid.clone(), name: actor.name().to_owned() }
}

/// Makes somebody a member. A ban that has run out but was not swept yet goes with it.
///
/// # Errors
/// As [`enter_as`].
pub(super) async fn enter(
    tx: &mut Tx<'_>,
    guid: &Guid,
    person: &Person,
    scope: Scope,
    seq: u64,
) -> Result<TouchedMember, StoreError> {
    let joined_at = tx.event_time() / 1000;
    enter_as(tx, guid, person, Membership::new(scope, joined_at, seq)).await
}

/// Like [`enter`], with this membership.
///
/// # Errors
/// See [`Tx`]; [`StoreError::Inconsistent`] for somebody without a name.
pub(super) async fn enter_as(
    tx: &mut Tx<'_>,
    guid: &Guid,
    person: &Person,
    membership: Membership,
) -> Result<TouchedMember, StoreError> {
    let mut joined = Person { membership: Some(membership), ..person.clone() };
    let nameless = || StoreError::Inconsistent(format!("member {} has no name", person.uid));
    let mut member = joined.member().ok_or_else(nameless)?;
    tx.upsert_member(guid, &member).await?;
    if let Some(profile) = tx.profile_committed_since(&person.uid).await? {
        joined.profile = Some(profile);
        member = joined.member().ok_or_else(nameless)?;
    }
    if membership.temporary.is_some() {
        tx.set_end_of_scope(guid, &person.uid, membership.scope, membership.temporary).await?;
    }
    tx.lift_ban(guid, &person.uid).await?;
    let limited = Restrictions { ban: None, ..joined.restrictions() };
    Ok(TouchedMember {
        uid: person.uid.clone(),
        name: Some(joined.name().to_owned()),
        old: None,
        new: Some(membership.scope),
        member: Some(Arc::new(member)),
        restrictions: RestrictionsChange::new(person.restrictions(), limited),
    })
}

/// Gives a member this scope, with this end.
///
/// # Errors
/// See [`Tx`]; [`StoreError::Inconsistent`] for somebody who is not a member.
pub(super) async fn rescope(
    tx: &mut Tx<'_>,
    guid: &Guid,
    person: &Person,
    scope: Scope,
    end: Option<TemporaryScope>,
    seq: u64,
) -> Result<TouchedMember, StoreError> {
    let old = person.member().ok_or_else(|| StoreError::Inconsistent(format!("{} is no member", person.uid)))?;
    let member = old.with_membership(Membership { scope, temporary: end, seq, ..old.membership() });
    tx.upsert_member(guid, &member).await?;
    if end.is_some() || person.has_end {
        tx.set_end_of_scope(guid, &person.uid, scope, end).await?;
    }
    let limited = Restrictions { temporary: end, ..person.restrictions() };
    Ok(remains(person, &old, member, limited))
}

/// Keeps somebody from speaking on these terms, or lets them speak again. They may have left.
///
/// # Errors
/// See [`Tx`].
pub(super) async fn mute(
    tx: &mut Tx<'_>,
    guid: &Guid,
    person: &Person,
    mute: Option<Restriction>,
    seq: u64,
) -> Result<TouchedMember, StoreError> {
    match &mute {
        Some(mute) => tx.upsert_mute(guid, mute).await?,
        None => tx.lift_mute(guid, &person.uid).await?,
    }
    let limited = Restrictions { mute: mute.clone(), ..person.restrictions() };
    let Some(old) = person.member() else { return Ok(gone(person, limited)) };
    let member = old.with_membership(Membership { seq, ..old.membership() });
    let muted = mute.as_ref().and_then(|mute| Some(Muted { until: mute.until?, message: mute.message.as_deref() }));
    let member = member.with_muted(muted);
    tx.upsert_member(guid, &member).await?;
    Ok(remains(person, &old, member, limited))
}

/// Describes somebody who is a member before and after.
fn remains(person: &Person, old: &Member, member: Member, limited: Restrictions) -> TouchedMember {
    TouchedMember {
        uid: person.uid.clone(),
        name: Some(person.name().to_owned()),
        old: Some(old.scope),
        new: Some(member.scope),
        member: Some(Arc::new(member)),
        restrictions: RestrictionsChange::new(person.restrictions(), limited),
    }
}

/// Describes somebody who is no member afterwards, and whom these restrictions limit.
pub(super) fn gone(person: &Person, restrictions: Restrictions) -> TouchedMember {
    let member = person.member();
    TouchedMember {
        uid: person.uid.clone(),
        name: person.profile.as_ref().map(|profile| profile.name.clone()),
        old: member.as_ref().map(|member| member.scope),
        new: None,
        member: member.map(Arc::new),
        restrictions: RestrictionsChange::new(person.restrictions(), restrictions),
    }
}

/// Describes somebody who did not change.
pub(super) fn untouched(person: &Person) -> TouchedMember {
    match person.member() {
        Some(member) => remains(person, &member, member.clone(), person.restrictions()),
        None => gone(person, person.restrictions()),
    }
}

/// The ban or mute that an act asks for.
fn restriction(context: &ActContext<'_>, at: i64) -> Restriction {
    let words = |words: Option<&str>| words.map(str::to_owned);
    Restriction {
        uid: context.target.uid.clone(),
        name: None,
        reason: words(context.act.and_then(Act::reason)),
        message: words(context.act.and_then(Act::message)),
        until: context.act.and_then(Act::until),
        by: context.actor.map(|actor| actor.uid.clone()),
        at,
    }
}

/// An event by the host.
pub(super) fn host_event(
    tx: &Tx<'_>,
    guid: &Guid,
    seq: u64,
    kind: EventKind,
    touched: Vec<TouchedMember>,
) -> LoggedEvent {
    let cause = if kind == EventKind::MembersSynced { Cause::Sync } else { Cause::Host };
    LoggedEvent::new(guid.clone(), seq, tx.event_time(), kind, cause, touched)
}

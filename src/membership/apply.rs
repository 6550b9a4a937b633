//! Asks the rules about two people, and turns what they decide into rows and one event.

use std::sync::Arc;

use crate::domain::rules::{self, Parties};
use crate::domain::{
    Act, ActKind, Ban, BanTerms, By, Cause, Change, EventKind, Guid, LoggedEvent, Member, Membership, Refusal,
    Restrictions, RestrictionsChange, Scope, TouchedMember,
};
use crate::store::{Person, StoreError, Tx};

/// What an act is about, once the group is claimed.
pub(super) struct ActContext<'a> {
    pub guid: &'a Guid,
    pub seq: u64,
    /// `None` for the host.
    pub actor: Option<&'a Person>,
    pub target: &'a Person,
    pub kind: ActKind,
    /// Of a ban.
    pub terms: Option<&'a BanTerms>,
    /// What the person is told.
    pub message: Option<&'a str>,
    /// The first event of the request, when it is about several people.
    pub batch: Option<u64>,
}

/// Asks the rules. `same_terms` when the target is banned already on the terms that are asked for.
/// `alone` when nobody but the actor is in the group.
pub(super) fn decide(
    act: &Act,
    actor: Option<&Person>,
    target: &Person,
    same_terms: bool,
    alone: bool,
) -> Result<Change, Refusal> {
    rules::decide(act, parties(actor, target, same_terms, alone))
}

/// Between whom an act is decided.
pub(super) fn parties(actor: Option<&Person>, target: &Person, same_terms: bool, alone: bool) -> Parties {
    let own = actor.is_some_and(|actor| actor.uid == target.uid);
    Parties { actor: actor.map(Person::standing), target: target.standing(), own, same_terms, alone }
}

/// Writes the change and its event; `None` when there was nothing to do.
pub(super) async fn apply(
    tx: &mut Tx<'_>,
    context: ActContext<'_>,
    change: Change,
) -> Result<Option<LoggedEvent>, StoreError> {
    let ActContext { guid, seq, target, terms, .. } = context;
    let touched = match change {
        Change::Nothing => return Ok(None),
        Change::Remove => {
            tx.remove_member(guid, &target.uid).await?;
            vec![gone(target, target.restrictions())]
        }
        Change::Ban => {
            let ban = ban(&context, tx.now());
            tx.remove_member(guid, &target.uid).await?;
            tx.upsert_ban(guid, &ban).await?;
            vec![gone(target, Restrictions { ban: Some(ban) })]
        }
        Change::Unban => {
            tx.lift_ban(guid, &target.uid).await?;
            vec![gone(target, Restrictions::default())]
        }
        Change::SetScope(scope) => vec![rescope(tx, guid, target, scope, seq).await?],
        Change::Transfer => {
            // The old owner first: at no moment are there two.
            let before = match tx.owner(guid).await? {
                Some(uid) => {
                    let owner = tx.person(guid, &uid).await?;
                    Some(rescope(tx, guid, &owner, Scope::Admin, seq).await?)
                }
                None => None,
            };
            let after = match target.membership {
                Some(_) => rescope(tx, guid, target, Scope::Owner, seq).await?,
                None => enter(tx, guid, target, Scope::Owner, seq).await?,
            };
            std::iter::once(after).chain(before).collect()
        }
        Change::Join => vec![enter(tx, guid, target, Scope::Participant, seq).await?],
    };
    let BanTerms { reason, until, .. } = terms.cloned().unwrap_or_default();
    let message = context.message.map(str::to_owned);
    let event = LoggedEvent::new(guid.clone(), seq, tx.now(), context.kind.event(), cause(context.actor), touched);
    let logged = LoggedEvent { by: context.actor.map(by), reason, message, until, batch: context.batch, ..event };
    tx.append(logged.clone()).await?;
    Ok(Some(logged))
}

/// How an act comes about that this person asked for, or the host.
pub(super) fn cause(actor: Option<&Person>) -> Cause {
    if actor.is_some() { Cause::Viewer } else { Cause::Host }
}

/// A person as the log names who did it.
pub(super) fn by(actor: &Person) -> By {
    By { uid: actor.uid.clone(), name: actor.name().to_owned() }
}

/// Makes somebody a member. A ban that has run out but was not swept yet goes with it.
pub(super) async fn enter(
    tx: &mut Tx<'_>,
    guid: &Guid,
    person: &Person,
    scope: Scope,
    seq: u64,
) -> Result<TouchedMember, StoreError> {
    let now = tx.now() / 1000;
    enter_since(tx, guid, person, scope, now, seq).await
}

/// The same for somebody who is a member since `joined_at`, seconds since the epoch.
pub(super) async fn enter_since(
    tx: &mut Tx<'_>,
    guid: &Guid,
    person: &Person,
    scope: Scope,
    joined_at: i64,
    seq: u64,
) -> Result<TouchedMember, StoreError> {
    let joined = Person { membership: Some(Membership { scope, joined_at, seq }), ..person.clone() };
    let member =
        joined.member().ok_or_else(|| StoreError::Inconsistent(format!("member {} has no name", person.uid)))?;
    tx.upsert_member(guid, &member).await?;
    tx.lift_ban(guid, &person.uid).await?;
    Ok(TouchedMember {
        uid: person.uid.clone(),
        name: Some(person.name().to_owned()),
        old: None,
        new: Some(scope),
        member: Some(Arc::new(member)),
        restrictions: RestrictionsChange::new(person.restrictions(), Restrictions::default()),
    })
}

pub(super) async fn rescope(
    tx: &mut Tx<'_>,
    guid: &Guid,
    person: &Person,
    scope: Scope,
    seq: u64,
) -> Result<TouchedMember, StoreError> {
    let old = person.member().ok_or_else(|| StoreError::Inconsistent(format!("{} is no member", person.uid)))?;
    let member: Member = old.with_scope(scope, seq);
    tx.upsert_member(guid, &member).await?;
    Ok(TouchedMember {
        uid: person.uid.clone(),
        name: Some(person.name().to_owned()),
        old: Some(old.scope),
        new: Some(scope),
        member: Some(Arc::new(member)),
        restrictions: RestrictionsChange::new(person.restrictions(), person.restrictions()),
    })
}

/// Somebody who is no member afterwards, and whom this keeps out.
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

fn ban(context: &ActContext<'_>, now: i64) -> Ban {
    let BanTerms { reason, message, until } = context.terms.cloned().unwrap_or_default();
    Ban {
        uid: context.target.uid.clone(),
        name: None,
        reason,
        message,
        until,
        by: context.actor.map(|actor| actor.uid.clone()),
        at: now,
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
    LoggedEvent::new(guid.clone(), seq, tx.now(), kind, cause, touched)
}

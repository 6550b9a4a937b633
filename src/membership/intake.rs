//! People put in, or kept out, as somebody lists them: each with an answer of their own.

use std::collections::BTreeMap;

use super::act::Request;
use super::idempotency::{self, repeated};
use super::list::{Answers, Entry, Intake, ItemError, Placement};
use super::perform::{Scene, enter_since, perform};
use super::users::tell;
use super::{ActError, Actor};
use crate::domain::rules::{self, Parties};
use crate::domain::{Act, ActKind, BanTerms, By, Change, Guid, Kind, Logged, Refusal, Scope, Standing};
use crate::store::{Decision, Person, Store, Tx};

/// What came of a list.
pub(super) struct Taken {
    pub answers: Answers,
    /// Whether anything is different since.
    pub changed: bool,
}

/// Adds people as the host lists them, each with its own answer and event.
pub async fn add_members(store: &Store, guid: Guid, people: Vec<Placement>) -> Result<Answers, ActError> {
    let entry = |placement| Entry { placement, name: None, avatar: None, joined_at: None };
    let intake = Intake { people: people.into_iter().map(entry).collect(), bans: Vec::new() };
    take_members(store, Request { guid, actor: Actor::Host, key: None }, intake).await
}

/// Adds and bans people as they are listed, each with their own answer and event. Somebody else
/// than the host adds with their own rights.
///
/// # Errors
/// [`ActError::Refused`] when the actor may not add anybody at all.
pub async fn take_members(store: &Store, request: Request, intake: Intake) -> Result<Answers, ActError> {
    store
        .write(Some(&request.guid.clone()), move |tx| {
            Box::pin(async move {
                let fingerprint = idempotency::list(&intake);
                let again = repeated(tx, &request, &fingerprint).await?.is_some();
                let guid = &request.guid;
                let mut told = false;
                if !again {
                    told = tell_all(tx, &intake.people).await?;
                }
                let actor = match &request.actor {
                    Actor::Host => None,
                    Actor::Viewer(uid) => Some(tx.person(guid, uid).await?),
                };
                let Taken { answers, changed } = take_in(tx, guid, actor.as_ref(), &intake, again).await?;
                if again || !(told || changed) {
                    return Ok(Decision::Rollback(answers));
                }
                if let Some(key) = &request.key {
                    tx.record_act(guid, request.actor.caller(), key, &fingerprint).await?;
                }
                Ok(Decision::Commit(answers))
            })
        })
        .await
}

/// Writes the names and pictures of a list; `false` when they are all known.
pub(super) async fn tell_all(tx: &mut Tx<'_>, people: &[Entry]) -> Result<bool, ActError> {
    let mut told = false;
    for Entry { placement, name, avatar, .. } in people {
        if name.is_some() || (avatar.is_some() && tx.user(&placement.uid).await?.is_some()) {
            told |= tell(tx, &placement.uid, name.as_ref(), avatar.as_ref().map(|url| Some(url.as_str()))).await?;
        }
    }
    Ok(told)
}

/// Puts in and keeps out. `again`: somebody who is in as listed is no error.
pub(super) async fn take_in(
    tx: &mut Tx<'_>,
    guid: &Guid,
    actor: Option<&Person>,
    intake: &Intake,
    again: bool,
) -> Result<Taken, ActError> {
    let mut taken = Taken { answers: BTreeMap::new(), changed: false };
    // The number is claimed before anybody is looked at, and used by the first who has an event.
    let mut seq = tx.claim(guid).await?.ok_or(ActError::NoSuchGroup)?.seq;
    if let Some(actor) = actor {
        rules::add(actor.standing(), Scope::Participant).map_err(|refusal| match refusal {
            Refusal::NotThere => ActError::NoSuchGroup,
            refusal => ActError::refused(refusal),
        })?;
    }
    for entry in &intake.people {
        let person = tx.person(guid, &entry.placement.uid).await?;
        let refused = refused(actor, &person, entry.placement.scope, again);
        if let Ok(true) = refused {
            let joined_at = entry.joined_at.unwrap_or(tx.now() / 1000);
            let touched = vec![enter_since(tx, guid, &person, entry.placement.scope, joined_at, seq).await?];
            let by = actor.map(|actor| By { uid: actor.uid.clone(), name: actor.name().to_owned() });
            tx.append(Logged {
                guid: guid.clone(),
                seq,
                at: tx.now(),
                kind: Kind::MemberAdded,
                by,
                touched,
                reason: None,
                until: None,
            })
            .await?;
            seq = next(tx, guid, &mut taken).await?;
        }
        taken.answers.insert(person.uid, refused.map(|_| ()));
    }
    for uid in &intake.bans {
        let target = tx.person(guid, uid).await?;
        let answer = match ban(actor, &target) {
            Ok(change) => {
                let scene = Scene { guid, seq, actor, target: &target, kind: ActKind::Ban, terms: None };
                if perform(tx, scene, change).await?.is_some() {
                    seq = next(tx, guid, &mut taken).await?;
                }
                Ok(())
            }
            Err(refusal) => Err(ItemError::Refused(refusal)),
        };
        taken.answers.insert(uid.clone(), answer);
    }
    tx.unclaim(guid).await?;
    Ok(taken)
}

/// Whether this person is to be put in (`true`), is in already (`false`), or why not.
fn refused(actor: Option<&Person>, person: &Person, scope: Scope, again: bool) -> Result<bool, ItemError> {
    if let Some(actor) = actor {
        rules::add(actor.standing(), scope).map_err(ItemError::Refused)?;
    }
    match person.standing() {
        Standing::Member(now) if again && now == scope => Ok(false),
        Standing::Member(_) => Err(ItemError::AlreadyMember),
        Standing::Banned => Err(ItemError::Banned),
        Standing::Outside if person.profile.is_none() => Err(ItemError::NoSuchUser),
        Standing::Outside => Ok(true),
    }
}

fn ban(actor: Option<&Person>, target: &Person) -> Result<Change, Refusal> {
    let parties = Parties {
        actor: actor.map(Person::standing),
        target: target.standing(),
        own: actor.is_some_and(|actor| actor.uid == target.uid),
        // In a list there is no room for terms: a ban that is there keeps those it has.
        same_terms: target.ban.is_some(),
    };
    rules::decide(&Act::Ban(BanTerms::default()), parties)
}

async fn next(tx: &mut Tx<'_>, guid: &Guid, taken: &mut Taken) -> Result<u64, ActError> {
    taken.changed = true;
    Ok(tx.claim(guid).await?.ok_or(ActError::NoSuchGroup)?.seq)
}

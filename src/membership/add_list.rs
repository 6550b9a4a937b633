//! Adds and bans people by a list, each with a result of their own.

use std::collections::{BTreeMap, BTreeSet};

use super::apply::{ActContext, apply, by, cause, decide_between, enter_as};
use super::request::ActRequest;
use super::request::fingerprint::add_list_fingerprint;
use super::request::idempotency::is_repeat;
use super::request::list::{AddList, AddListEntry, ListAnswers, ListError, Placement};
use super::sync::forget;
use super::users::upsert_user;
use super::{ActError, Actor};
use crate::domain::{Act, EventKind, Guid, LoggedEvent, Membership, Refusal, Scope, Standing, Terms, Uid, rules};
use crate::store::{Decision, Person, Store, Tx, User};

/// The outcome of a list.
pub(super) struct AddListOutcome {
    pub answers: ListAnswers,
    /// Whether anything is different since.
    pub changed: bool,
}

/// The author of a list.
#[derive(Clone, Copy, Default)]
pub(super) struct AddedBy<'a> {
    /// The person whose rights apply; `None` for the host's.
    pub rights: Option<&'a Person>,
    /// The person whom the events and bans name; `None` for the host.
    pub named: Option<&'a Person>,
}

/// Adds people as the host lists them, each with its own answer and event.
///
/// # Errors
/// [`ActError::NoSuchGroup`], [`ActError::Store`]; an error about one person is in their answer.
pub async fn add_members(store: &Store, guid: Guid, people: Vec<Placement>) -> Result<ListAnswers, ActError> {
    let entry = |placement| AddListEntry { placement, name: None, avatar: None, joined_at: None };
    let list = AddList { people: people.into_iter().map(entry).collect(), bans: Vec::new() };
    add_list(store, ActRequest::new(guid, Actor::Host), list).await
}

/// Adds and bans people as they are listed, each with their own answer and event. Somebody else
/// than the host adds with their own rights.
///
/// # Errors
/// [`ActError::Refused`] when the actor may not add anybody at all.
pub async fn add_list(store: &Store, request: ActRequest, list: AddList) -> Result<ListAnswers, ActError> {
    let fingerprint = add_list_fingerprint(store.pseudonyms(), &list);
    // With names or pictures, the transaction may lock other groups too, and before this one: so it does not use the group's
    // queue, where acts before it may have locked the group already.
    let queue = if list.people.iter().any(has_name_or_avatar) { None } else { Some(request.guid.clone()) };
    let (answers, recorded) = store
        .write(queue.as_ref(), move |tx| {
            Box::pin(async move {
                let guid = &request.guid;
                lock_groups(tx, guid, &list.people).await?;
                let again = is_repeat(tx, &request, &fingerprint).await?;
                let since = tx.now();
                let actor = match &request.actor {
                    Actor::Host => None,
                    Actor::Viewer(uid) => Some(tx.person(guid, uid).await?),
                };
                let by = AddedBy { rights: actor.as_ref(), named: actor.as_ref() };
                let renamed = if again { Vec::new() } else { upsert_users(tx, guid, by, &list.people).await? };
                let AddListOutcome { answers, changed } = add_listed(tx, guid, by, &list, again).await?;
                if again || (renamed.is_empty() && !changed) {
                    return Ok(Decision::Rollback((answers, None)));
                }
                let recorded = tx.record_renamed(guid, since, &renamed).await?;
                Ok::<_, ActError>(Decision::Commit((answers, recorded)))
            })
        })
        .await?;
    if let Some(id) = recorded {
        // Whoever came into another group meanwhile has the old name there. This waits for them, and the answer need not.
        let store = store.clone();
        tokio::spawn(async move { forget(&store, id).await });
    }
    Ok(answers)
}

/// Whether the entry has a name or a picture.
fn has_name_or_avatar(entry: &AddListEntry) -> bool {
    entry.name.is_some() || entry.avatar.is_some()
}

/// Locks the group, as every act does first, and those of everybody who gets another name or picture, where that is announced:
/// in one order, so that two lists that name members of each other's group do not wait for each other on PostgreSQL.
///
/// # Errors
/// [`ActError::NoSuchGroup`]; [`ActError::Store`].
async fn lock_groups(tx: &mut Tx<'_>, guid: &Guid, people: &[AddListEntry]) -> Result<(), ActError> {
    let mut guids = BTreeSet::from([guid.clone()]);
    for entry in people.iter().filter(|entry| has_name_or_avatar(entry)) {
        if let Some(user) = tx.user(&entry.placement.uid).await?
            && differs_from_stored(entry, &user)
        {
            guids.extend(tx.groups_of(&user.uid).await?);
        }
    }
    for locked in guids {
        match tx.lock_group(&locked).await? {
            Some(_) => tx.return_seq(&locked).await?,
            None if locked == *guid => return Err(ActError::NoSuchGroup),
            // It ended meanwhile.
            None => {}
        }
    }
    Ok(())
}

/// Whether the entry has another name or picture than is stored.
fn differs_from_stored(entry: &AddListEntry, user: &User) -> bool {
    entry.name.as_ref().is_some_and(|name| name.as_str() != user.name)
        || entry.avatar.as_ref().is_some_and(|avatar| user.avatar.as_ref() != Some(avatar))
}

/// Writes the names and pictures of those who will be put in, in the order of uids, as syncs lock users; answers whose are other ones than
/// before. The group is locked: what is refused here is refused by [`add_listed`].
///
/// # Errors
/// [`ActError::NoSuchGroup`] when a group of theirs ends meanwhile; [`ActError::Store`].
async fn upsert_users(
    tx: &mut Tx<'_>,
    guid: &Guid,
    by: AddedBy<'_>,
    people: &[AddListEntry],
) -> Result<Vec<Uid>, ActError> {
    let mut changed = Vec::new();
    let mut people: Vec<&AddListEntry> = people.iter().filter(|entry| has_name_or_avatar(entry)).collect();
    people.sort_by(|one, other| one.placement.uid.cmp(&other.placement.uid));
    for AddListEntry { placement, name, avatar, .. } in people {
        let person = tx.person(guid, &placement.uid).await?;
        // Who is not known yet will be, by their name.
        let comes_in =
            matches!(refused(by.rights, &person, placement.scope, false), Ok(true) | Err(ListError::NoSuchUser));
        if comes_in && (name.is_some() || tx.user(&placement.uid).await?.is_some()) {
            let avatar = avatar.as_ref().map(|url| Some(url.as_str()));
            if upsert_user(tx, &placement.uid, name.as_ref(), avatar, false).await? {
                changed.push(placement.uid.clone());
            }
        }
    }
    Ok(changed)
}

/// Adds and bans people. With `again` nobody is added or banned: somebody who is in or banned as listed is no error,
/// and somebody who no longer is, is one.
///
/// # Errors
/// [`ActError::NoSuchGroup`] also to actors who may not know of it; [`ActError::Refused`] when the actor may add nobody;
/// [`ActError::Store`].
pub(super) async fn add_listed(
    tx: &mut Tx<'_>,
    guid: &Guid,
    AddedBy { rights, named }: AddedBy<'_>,
    list: &AddList,
    again: bool,
) -> Result<AddListOutcome, ActError> {
    let mut outcome = AddListOutcome { answers: BTreeMap::new(), changed: false };
    // Claiming a number locks the group; the first event uses it.
    let mut seq = tx.lock_group(guid).await?.ok_or(ActError::NoSuchGroup)?.seq;
    if let Some(actor) = rights {
        rules::add(actor.standing(), Scope::Participant).map_err(|refusal| match refusal {
            Refusal::NotThere => ActError::NoSuchGroup,
            refusal => ActError::refused(refusal),
        })?;
    }
    for entry in &list.people {
        let person = tx.person(guid, &entry.placement.uid).await?;
        let mut refused = refused(rights, &person, entry.placement.scope, again);
        // Nobody is a user by a list that is not applied; only where members of such lists are hidden are there any.
        if refused == Ok(true) && tx.hides_members() && tx.user(&person.uid).await?.is_none() {
            refused = Err(ListError::NoSuchUser);
        }
        let number = (refused == Ok(true)).then_some(seq);
        if number.is_some() {
            let joined_at = entry.joined_at.unwrap_or(tx.event_time() / 1000);
            let membership = Membership::new(entry.placement.scope, joined_at, seq);
            let touched = vec![enter_as(tx, guid, &person, membership).await?];
            let event =
                LoggedEvent::new(guid.clone(), seq, tx.event_time(), EventKind::MemberAdded, cause(named), touched);
            tx.append(LoggedEvent { by: named.map(by), ..event }).await?;
            seq = next(tx, guid, &mut outcome).await?;
        }
        outcome.answers.insert(person.uid, refused.map(|_| number));
    }
    for uid in &list.bans {
        let target = tx.person(guid, uid).await?;
        if again && target.ban.is_none() {
            outcome.answers.insert(uid.clone(), Err(ListError::NoBan));
            continue;
        }
        // A list has no terms: an existing ban keeps its own.
        let act = Act::Ban(Terms::default());
        let answer = match decide_between(&act, rights, &target, target.ban.is_some(), false) {
            Ok(change) => {
                let kind = act.kind().event();
                let context =
                    ActContext { guid, seq, actor: named, target: &target, kind, act: Some(&act), batch: None };
                let logged = apply(tx, context, change).await?;
                let number = logged.as_ref().map(|logged| logged.seq);
                if let Some(logged) = logged {
                    tx.append(logged).await?;
                    seq = next(tx, guid, &mut outcome).await?;
                }
                if number.is_some() || again { Ok(number) } else { Err(ListError::AlreadyBanned) }
            }
            Err(refusal) => Err(ListError::Refused(refusal)),
        };
        outcome.answers.insert(uid.clone(), answer);
    }
    tx.return_seq(guid).await?;
    Ok(outcome)
}

/// Whether this person is to be put in (`true`), is in already (`false`), or why not.
fn refused(actor: Option<&Person>, person: &Person, scope: Scope, again: bool) -> Result<bool, ListError> {
    if let Some(actor) = actor {
        rules::add(actor.standing(), scope).map_err(ListError::Refused)?;
    }
    match person.standing() {
        Standing::Member(now) if again && now == scope => Ok(false),
        Standing::Member(_) => Err(ListError::AlreadyMember),
        Standing::Banned => Err(ListError::Banned),
        Standing::Outside if person.profile.is_none() => Err(ListError::NoSuchUser),
        Standing::Outside if again => Err(ListError::NoMember),
        Standing::Outside => Ok(true),
    }
}

async fn next(tx: &mut Tx<'_>, guid: &Guid, outcome: &mut AddListOutcome) -> Result<u64, ActError> {
    outcome.changed = true;
    Ok(tx.lock_group(guid).await?.ok_or(ActError::NoSuchGroup)?.seq)
}

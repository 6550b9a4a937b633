//! Users, as the host names them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::ActError;
use super::apply::{gone, host_event};
use super::request::fingerprint::person_fingerprint;
use super::request::idempotency::{done_before, unchanged};
use super::request::{GlobalRequest, Idempotent};
use crate::domain::{EventKind, Guid, Name, Restrictions, RestrictionsChange, Scope, TouchedMember, Uid};
use crate::store::{Decision, Person, Profile, Store, StoreError, Tx, User, UserDetails};

/// Changes to a user; `None` leaves a field as it is, `Some(None)` removes it.
#[derive(Debug, Clone, Default)]
pub struct UserPatch {
    /// Another name.
    pub name: Option<Name>,
    /// Another picture.
    pub avatar: Option<Option<String>>,
    /// Another role in the host's application.
    pub role: Option<Option<String>>,
    /// Another page.
    pub link: Option<Option<String>>,
    /// Another thing they say of themselves.
    pub status_message: Option<Option<String>>,
    /// Another JSON object.
    pub metadata: Option<Option<String>>,
    /// Other tags.
    pub tags: Option<Vec<String>>,
}

impl UserPatch {
    fn details(&self, before: UserDetails) -> UserDetails {
        UserDetails {
            role: self.role.clone().unwrap_or(before.role),
            link: self.link.clone().unwrap_or(before.link),
            status_message: self.status_message.clone().unwrap_or(before.status_message),
            metadata: self.metadata.clone().unwrap_or(before.metadata),
            tags: self.tags.clone().unwrap_or(before.tags),
        }
    }
}

/// Makes a user known; `None` when one of that id is.
///
/// # Errors
/// [`ActError::NoSuchUser`] without a name, or when it was done before and they are gone since;
/// [`ActError::KeyReused`]; [`ActError::Store`].
pub async fn create_user(
    store: &Store,
    request: GlobalRequest,
    uid: Uid,
    user: UserPatch,
) -> Result<Option<Idempotent<User>>, ActError> {
    let fingerprint = person_fingerprint("create-user", store.pseudonyms(), &uid, &request);
    store
        .write(None, move |tx| {
            Box::pin(async move {
                if let Some(done_at) = done_before(tx, &request, &fingerprint).await? {
                    let value = tx.user(&uid).await?.ok_or(ActError::NoSuchUser(uid))?;
                    return Ok(Decision::Rollback(Some(Idempotent { value, done_at: Some(done_at) })));
                }
                let name = user.name.as_ref().ok_or_else(|| ActError::NoSuchUser(uid.clone()))?;
                let avatar = user.avatar.as_ref().and_then(Option::as_deref);
                // The insert decides: of two calls at once, each would find nobody of that id.
                if !tx.insert_user(&uid, name, avatar).await? && !tx.adopt_prepared_user(&uid).await? {
                    return Ok(Decision::Rollback(None));
                }
                change(tx, &uid, &user).await?;
                let value = tx.user(&uid).await?.ok_or(ActError::NoSuchUser(uid))?;
                Ok(Decision::Commit(Some(Idempotent { value, done_at: None })))
            })
        })
        .await
}

/// Makes a user known, or gives them another name and picture, in every group they are in.
/// `avatar`: `None` leaves it, `Some(None)` takes it away.
///
/// # Errors
/// [`ActError::NoSuchUser`] when they are new and have no name, [`ActError::Store`].
pub async fn put_user(
    store: &Store,
    uid: Uid,
    name: Option<Name>,
    avatar: Option<Option<String>>,
) -> Result<User, ActError> {
    let patch = UserPatch { name, avatar, ..UserPatch::default() };
    Ok(write_user(store, GlobalRequest::by_host(), uid, patch, false).await?.value)
}

/// Changes a user who is known.
///
/// # Errors
/// [`ActError::NoSuchUser`] when nobody has named them; [`ActError::KeyReused`]; [`ActError::Store`].
pub async fn update_user(
    store: &Store,
    request: GlobalRequest,
    uid: Uid,
    patch: UserPatch,
) -> Result<Idempotent<User>, ActError> {
    write_user(store, request, uid, patch, true).await
}

/// Forgets a user and takes them out of every group; not while they own one.
///
/// # Errors
/// [`ActError::NoSuchUser`]; [`ActError::OwnsGroups`]; [`ActError::KeyReused`]; [`ActError::Store`].
pub async fn delete_user(store: &Store, request: GlobalRequest, uid: Uid) -> Result<Idempotent<()>, ActError> {
    let fingerprint = person_fingerprint("delete-user", store.pseudonyms(), &uid, &request);
    store
        .write(None, move |tx| {
            Box::pin(async move {
                if let Some(done_at) = done_before(tx, &request, &fingerprint).await? {
                    return Ok(Decision::Rollback(Idempotent { value: (), done_at: Some(done_at) }));
                }
                if tx.user(&uid).await?.is_none() {
                    return Err(ActError::NoSuchUser(uid));
                }
                let owned = tx.groups_owned_by(&uid).await?;
                if !owned.is_empty() {
                    return Err(ActError::OwnsGroups(owned));
                }
                for guid in tx.groups_of(&uid).await? {
                    take_out(tx, &guid, &uid).await?;
                }
                tx.remove_user(&uid).await?;
                Ok(Decision::Commit(Idempotent { value: (), done_at: None }))
            })
        })
        .await
}

/// Takes somebody out of a group, as if they had left; nothing happens when they are not in it.
///
/// # Errors
/// [`ActError::OwnsGroups`] when they own it: then the group is as it was.
pub(super) async fn take_out(tx: &mut Tx<'_>, guid: &Guid, uid: &Uid) -> Result<(), ActError> {
    let Some(locked) = tx.lock_group(guid).await? else { return Ok(()) };
    let person = tx.person(guid, uid).await?;
    let scope = person.membership.map(|membership| membership.scope);
    if scope.is_none_or(|scope| scope == Scope::Owner) {
        tx.return_seq(guid).await?;
        return if scope.is_some() { Err(ActError::OwnsGroups(vec![guid.clone()])) } else { Ok(()) };
    }
    let touched = gone(&person, Restrictions { temporary: None, ..person.restrictions() });
    tx.remove_member(guid, uid).await?;
    tx.append(host_event(tx, guid, locked.seq, EventKind::MemberLeft, vec![touched])).await?;
    Ok(())
}

/// Inserts a user who does not exist yet, with the name of their token, or else their uid.
///
/// # Errors
/// [`ActError::Store`].
pub(super) async fn ensure_user(
    tx: &mut Tx<'_>,
    person: &mut Person,
    name: Option<&str>,
    avatar: Option<&str>,
) -> Result<(), ActError> {
    if person.profile.is_some() {
        return Ok(());
    }
    let name = name
        .and_then(|name| Name::parse(name).ok())
        .unwrap_or_else(|| Name::parse(person.uid.as_str()).expect("a uid is a name"));
    let is_new = tx.insert_user(&person.uid, &name, avatar).await?;
    // Somebody else may have made them known since they were read, perhaps the host.
    let known = if is_new { None } else { tx.user(&person.uid).await? };
    let (name, avatar) = match known {
        Some(user) => (user.name, user.avatar),
        None => (name.as_str().to_owned(), avatar.map(str::to_owned)),
    };
    let sort_key = crate::domain::sort_key(&name);
    person.profile = Some(Profile { name, avatar, sort_key });
    Ok(())
}

async fn write_user(
    store: &Store,
    request: GlobalRequest,
    uid: Uid,
    patch: UserPatch,
    only_known: bool,
) -> Result<Idempotent<User>, ActError> {
    let fingerprint = person_fingerprint("update-user", store.pseudonyms(), &uid, &request);
    store
        .write(None, move |tx| {
            Box::pin(async move {
                let done_at = done_before(tx, &request, &fingerprint).await?;
                if only_known && tx.user(&uid).await?.is_none() {
                    return Err(ActError::NoSuchUser(uid));
                }
                let changed = done_at.is_none() && change(tx, &uid, &patch).await?;
                let value = tx.user(&uid).await?.ok_or(ActError::NoSuchUser(uid))?;
                let once = Idempotent { value, done_at };
                Ok(if changed { Decision::Commit(once) } else { unchanged(request.key.as_ref(), once) })
            })
        })
        .await
}

/// Writes the changes; `false` when there are none.
async fn change(tx: &mut Tx<'_>, uid: &Uid, patch: &UserPatch) -> Result<bool, ActError> {
    let avatar = patch.avatar.as_ref().map(Option::as_deref);
    let shown = upsert_user(tx, uid, patch.name.as_ref(), avatar, true).await?;
    let known = tx.user(uid).await?.map(|user| user.details).unwrap_or_default();
    let adopted = tx.adopt_prepared_user(uid).await?;
    if patch.details(known.clone()) == known {
        return Ok(shown || adopted);
    }
    // Read again under a lock: what the patch leaves as it is may have been changed since.
    let before = tx.user_to_change(uid).await?.map(|user| user.details).unwrap_or_default();
    tx.set_user_details(uid, &patch.details(before)).await?;
    Ok(true)
}

/// Writes a name and picture, and appends an event to every group they are in; `false` when both are stored already. `alone` when the
/// transaction writes nobody else: only then it waits for transactions that make this person a member. Several that wait could deadlock.
///
/// # Errors
/// [`ActError::NoSuchUser`] for somebody new without a name; [`ActError::NoSuchGroup`] when a group of theirs ends meanwhile;
/// [`ActError::Store`].
pub(super) async fn upsert_user(
    tx: &mut Tx<'_>,
    uid: &Uid,
    name: Option<&Name>,
    avatar: Option<Option<&str>>,
    alone: bool,
) -> Result<bool, ActError> {
    let known = tx.user(uid).await?;
    let (new_name, new_avatar) = changed_profile(uid, known.as_ref(), name, avatar)?;
    if known.as_ref().is_some_and(|user| user.name == new_name.as_str() && user.avatar.as_deref() == new_avatar) {
        return Ok(false);
    }
    // Groups first, in order, then the user, as joins and syncs lock them: in another order two would wait for each
    // other on PostgreSQL.
    let mut claims = BTreeMap::new();
    for guid in tx.groups_of(uid).await? {
        if let Some(locked) = tx.lock_group(&guid).await? {
            claims.insert(guid, locked.seq);
        }
    }
    if alone {
        tx.lock_user(uid).await?;
    }
    if known.is_some() || !tx.insert_user(uid, &new_name, new_avatar).await? {
        // Read again under a lock: a field that the request leaves out may have changed since.
        let before = tx.user_to_change(uid).await?;
        let (name, avatar) = changed_profile(uid, before.as_ref(), name, avatar)?;
        tx.upsert_user(uid, &name, avatar).await?;
        // Only a list that is not applied had named them: now the host has.
        if before.is_none() {
            tx.adopt_prepared_user(uid).await?;
        }
    }
    for guid in tx.groups_of(uid).await? {
        match claims.remove(&guid) {
            Some(seq) => append_profile_event(tx, &guid, uid, seq).await?,
            // They came in meanwhile.
            None => claim_for_profile_event(tx, &guid, uid).await?,
        }
    }
    // They left meanwhile.
    for guid in claims.keys() {
        tx.return_seq(guid).await?;
    }
    Ok(true)
}

/// The name and picture of a user once they are changed; `None` leaves one as it is.
///
/// # Errors
/// [`ActError::NoSuchUser`] for somebody new without a name; [`StoreError::Inconsistent`] when the stored name is not a name.
fn changed_profile<'a>(
    uid: &Uid,
    user: Option<&'a User>,
    name: Option<&Name>,
    avatar: Option<Option<&'a str>>,
) -> Result<(Name, Option<&'a str>), ActError> {
    let name = match (name, user) {
        (Some(name), _) => name.clone(),
        (None, Some(user)) => {
            Name::parse(&user.name).map_err(|_| StoreError::Inconsistent(format!("name of {uid}")))?
        }
        (None, None) => return Err(ActError::NoSuchUser(uid.clone())),
    };
    Ok((name, avatar.unwrap_or_else(|| user.and_then(|user| user.avatar.as_deref()))))
}

/// Tells one group that this member has another name or picture.
///
/// # Errors
/// [`ActError::NoSuchGroup`]; [`ActError::Store`].
pub(super) async fn claim_for_profile_event(tx: &mut Tx<'_>, guid: &Guid, uid: &Uid) -> Result<(), ActError> {
    let locked = tx.lock_group(guid).await?.ok_or(ActError::NoSuchGroup)?;
    append_profile_event(tx, guid, uid, locked.seq).await
}

async fn append_profile_event(tx: &mut Tx<'_>, guid: &Guid, uid: &Uid, seq: u64) -> Result<(), ActError> {
    let person = tx.touch_member(guid, uid, seq).await?;
    tx.append(host_event(tx, guid, seq, EventKind::MemberUpdated, vec![unmoved(&person)])).await?;
    Ok(())
}

/// A member touched without another scope.
fn unmoved(person: &Person) -> TouchedMember {
    let scope = person.membership.map(|membership| membership.scope);
    TouchedMember {
        uid: person.uid.clone(),
        name: Some(person.name().to_owned()),
        old: scope,
        new: scope,
        member: person.member().map(Arc::new),
        restrictions: RestrictionsChange::new(person.restrictions(), person.restrictions()),
    }
}

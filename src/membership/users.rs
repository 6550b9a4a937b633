//! People, as the host tells of them.

use std::sync::Arc;

use super::ActError;
use super::apply::host_event;
use crate::domain::{Guid, Kind, Name, Scope, Touched, Uid};
use crate::store::{Decision, Person, Store, StoreError, Tx, User, UserDetails};

/// What is to be different about a user; `None` leaves it, `Some(None)` takes it away.
#[derive(Debug, Clone, Default)]
pub struct UserPatch {
    /// Another name.
    pub name: Option<Name>,
    /// Another picture.
    pub avatar: Option<Option<String>>,
    /// Another role.
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
/// [`ActError::NoSuchUser`] without a name, [`ActError::Store`].
pub async fn create_user(store: &Store, uid: Uid, user: UserPatch) -> Result<Option<User>, ActError> {
    store
        .write(None, move |tx| {
            Box::pin(async move {
                if tx.user(&uid).await?.is_some() {
                    return Ok(Decision::Rollback(None));
                }
                change(tx, &uid, &user).await?;
                Ok(Decision::Commit(tx.user(&uid).await?))
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
    write_user(store, uid, UserPatch { name, avatar, ..UserPatch::default() }, false).await
}

/// Changes a user who is known.
///
/// # Errors
/// [`ActError::NoSuchUser`] when nobody has named them.
pub async fn update_user(store: &Store, uid: Uid, patch: UserPatch) -> Result<User, ActError> {
    write_user(store, uid, patch, true).await
}

/// Forgets a user and takes them out of every group; not while they own one.
///
/// # Errors
/// [`ActError::NoSuchUser`]; [`ActError::OwnsGroups`]; [`ActError::Store`].
pub async fn delete_user(store: &Store, uid: Uid) -> Result<(), ActError> {
    store
        .write(None, move |tx| {
            Box::pin(async move {
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
                Ok(Decision::Commit(()))
            })
        })
        .await
}

/// Takes somebody out of a group, as if they had left; nothing happens when they are not in it.
///
/// # Errors
/// [`ActError::OwnsGroups`] when they own it: then the group is as it was.
pub(super) async fn take_out(tx: &mut Tx<'_>, guid: &Guid, uid: &Uid) -> Result<(), ActError> {
    let Some(claimed) = tx.claim(guid).await? else { return Ok(()) };
    let person = tx.person(guid, uid).await?;
    let scope = person.membership.map(|membership| membership.scope);
    let Some(scope) = scope.filter(|scope| *scope != Scope::Owner) else {
        tx.unclaim(guid).await?;
        return if scope.is_some() { Err(ActError::OwnsGroups(vec![guid.clone()])) } else { Ok(()) };
    };
    let touched = Touched {
        uid: uid.clone(),
        name: Some(person.name().to_owned()),
        old: Some(scope),
        new: None,
        member: person.member().map(Arc::new),
    };
    tx.remove_member(guid, uid).await?;
    tx.append(host_event(tx, guid, claimed.seq, Kind::MemberLeft, vec![touched])).await?;
    Ok(())
}

async fn write_user(store: &Store, uid: Uid, patch: UserPatch, only_known: bool) -> Result<User, ActError> {
    store
        .write(None, move |tx| {
            Box::pin(async move {
                if only_known && tx.user(&uid).await?.is_none() {
                    return Err(ActError::NoSuchUser(uid));
                }
                let changed = change(tx, &uid, &patch).await?;
                let user = tx.user(&uid).await?.ok_or(ActError::NoSuchUser(uid))?;
                Ok(if changed { Decision::Commit(user) } else { Decision::Rollback(user) })
            })
        })
        .await
}

/// Writes what is different; `false` when it is already so.
async fn change(tx: &mut Tx<'_>, uid: &Uid, patch: &UserPatch) -> Result<bool, ActError> {
    let shown = upsert_user(tx, uid, patch.name.as_ref(), patch.avatar.as_ref().map(Option::as_deref)).await?;
    let before = tx.user(uid).await?.map(|user| user.details).unwrap_or_default();
    let details = patch.details(before.clone());
    if details == before {
        return Ok(shown);
    }
    tx.set_user_details(uid, &details).await?;
    Ok(true)
}

/// Writes a name and picture, and tells every group they are in; `false` when it is already so.
pub(super) async fn upsert_user(
    tx: &mut Tx<'_>,
    uid: &Uid,
    name: Option<&Name>,
    avatar: Option<Option<&str>>,
) -> Result<bool, ActError> {
    let before = tx.user(uid).await?;
    let name = match (name, &before) {
        (Some(name), _) => name.clone(),
        (None, Some(user)) => {
            Name::parse(&user.name).map_err(|_| StoreError::Inconsistent(format!("name of {uid}")))?
        }
        (None, None) => return Err(ActError::NoSuchUser(uid.clone())),
    };
    let avatar = avatar.unwrap_or_else(|| before.as_ref().and_then(|user| user.avatar.as_deref()));
    if before.as_ref().is_some_and(|user| user.name == name.as_str() && user.avatar.as_deref() == avatar) {
        return Ok(false);
    }
    tx.upsert_user(uid, &name, avatar).await?;
    append_profile_events(tx, uid).await?;
    Ok(true)
}

/// Tells every group this person is in that they have another name or picture.
async fn append_profile_events(tx: &mut Tx<'_>, uid: &Uid) -> Result<(), ActError> {
    for guid in tx.groups_of(uid).await? {
        append_profile_event(tx, &guid, uid).await?;
    }
    Ok(())
}

/// Tells one group that this member has another name or picture.
pub(super) async fn append_profile_event(tx: &mut Tx<'_>, guid: &Guid, uid: &Uid) -> Result<(), ActError> {
    let claimed = tx.claim(guid).await?.ok_or(ActError::NoSuchGroup)?;
    let person = tx.touch_member(guid, uid, claimed.seq).await?;
    tx.append(host_event(tx, guid, claimed.seq, Kind::MemberUpdated, vec![unmoved(&person)])).await?;
    Ok(())
}

/// A member touched without another scope.
fn unmoved(person: &Person) -> Touched {
    let scope = person.membership.map(|membership| membership.scope);
    Touched {
        uid: person.uid.clone(),
        name: Some(person.name().to_owned()),
        old: scope,
        new: scope,
        member: person.member().map(Arc::new),
    }
}

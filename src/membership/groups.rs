//! Groups, as the host keeps them; passwords of password groups.

use argon2::Argon2;
use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};

use super::apply::{enter, host_event};
use super::bulk_add::{add_listed, upsert_users};
use super::list::{Answers, BulkAdd};
use super::{ActError, Created, Outcome};
use crate::domain::{Group, GroupType, Guid, Kind, Logged, Name, Scope, Uid};
use crate::random;
use crate::store::{Decision, NewGroup, Person, Profile, Store, StoreError, Tx};

/// A group to be made.
#[derive(Debug, Clone)]
pub struct GroupDraft {
    /// The group.
    pub group: Group,
    /// The password of a password group, in clear; it is kept hashed.
    pub password: Option<String>,
    /// Who owns it, a user the host has named; `None` for the host.
    pub owner: Option<Uid>,
}

/// What is to be different about a group; `None` leaves it.
#[derive(Debug, Clone, Default)]
pub struct GroupPatch {
    /// Another name.
    pub name: Option<Name>,
    /// Another way in.
    pub group_type: Option<GroupType>,
    /// Another password, in clear.
    pub password: Option<String>,
    /// Another picture; `Some(None)` takes it away.
    pub icon: Option<Option<String>>,
    /// Another description; `Some(None)` takes it away.
    pub description: Option<Option<String>>,
}

/// Whether there is such a group.
///
/// # Errors
/// When the database cannot be read.
pub async fn group_exists(store: &Store, guid: &Guid) -> Result<bool, StoreError> {
    Ok(store.read().await?.group(guid).await?.is_some())
}

/// Makes a group with its owner in it, if it has one; `None` when there is one of that id.
///
/// # Errors
/// [`ActError::NoSuchUser`] for the owner, [`ActError::Invalid`] about the password, [`ActError::Store`].
pub async fn create_group(store: &Store, draft: GroupDraft) -> Result<Option<Outcome>, ActError> {
    let hash = hashed(draft.group.group_type, draft.password.clone()).await?;
    store
        .write(Some(&draft.group.guid.clone()), move |tx| {
            Box::pin(async move {
                let logged = insert_group(tx, &draft, hash.as_deref()).await?;
                Ok(match logged {
                    None => Decision::Rollback(None),
                    Some(logged) => Decision::Commit(Some(Outcome { seq: logged.seq, logged: Some(logged) })),
                })
            })
        })
        .await
}

/// The same, with people in it from the start. Again with the same terms it is answered like the
/// first time, and only who is missing is put in.
///
/// # Errors
/// [`ActError::NoSuchUser`] for the owner, [`ActError::Invalid`] about the password, [`ActError::Store`].
pub async fn create_group_with(store: &Store, draft: GroupDraft, list: BulkAdd) -> Result<Created<Answers>, ActError> {
    let hash = hashed(draft.group.group_type, draft.password.clone()).await?;
    let known = check_password(store, &draft.group.guid, draft.password.clone()).await?;
    store
        .write(Some(&draft.group.guid.clone()), move |tx| {
            Box::pin(async move {
                let guid = &draft.group.guid;
                upsert_users(tx, &list.people).await?;
                if insert_group(tx, &draft, hash.as_deref()).await?.is_some() {
                    return Ok(Decision::Commit(Created::New(add_listed(tx, guid, None, &list, true).await?.answers)));
                }
                let claimed = tx.claim(guid).await?.ok_or(ActError::NoSuchGroup)?;
                tx.unclaim(guid).await?;
                let same_password = draft.group.group_type != GroupType::Password || claimed.password == known;
                if claimed.group != draft.group || !same_password || tx.owner(guid).await? != draft.owner {
                    return Ok(Decision::Rollback(Created::Other));
                }
                Ok(Decision::Commit(Created::Same(add_listed(tx, guid, None, &list, true).await?.answers)))
            })
        })
        .await
}

/// The group with its owner, if any, and its first event; `None` when there is one of that id.
async fn insert_group(tx: &mut Tx<'_>, draft: &GroupDraft, hash: Option<&str>) -> Result<Option<Logged>, ActError> {
    let new = NewGroup { group: &draft.group, password: hash };
    let Some(seq) = tx.create_group(new).await? else { return Ok(None) };
    let touched = match &draft.owner {
        Some(owner) => {
            let owner = tx.person(&draft.group.guid, owner).await?;
            if owner.profile.is_none() {
                return Err(ActError::NoSuchUser(owner.uid));
            }
            vec![enter(tx, &draft.group.guid, &owner, Scope::Owner, seq).await?]
        }
        None => Vec::new(),
    };
    let logged = host_event(tx, &draft.group.guid, seq, Kind::GroupCreated, touched);
    tx.append(logged.clone()).await?;
    Ok(Some(logged))
}

/// Changes what a group is called and how one gets in.
///
/// # Errors
/// [`ActError::NoSuchGroup`], [`ActError::Invalid`] about the password, [`ActError::Store`].
pub async fn update_group(store: &Store, guid: Guid, patch: GroupPatch) -> Result<Group, ActError> {
    let known = check_password(store, &guid, patch.password.clone()).await?;
    let hash = match (known, patch.password.clone()) {
        // The same password again keeps its hash: nothing is different.
        (Some(known), _) => Some(known),
        (None, Some(password)) => Some(hash_password(password).await?),
        (None, None) => None,
    };
    store
        .write(Some(&guid.clone()), move |tx| {
            Box::pin(async move {
                let claimed = tx.claim(&guid).await?.ok_or(ActError::NoSuchGroup)?;
                let before = claimed.group;
                let group = Group {
                    guid: guid.clone(),
                    name: patch.name.unwrap_or_else(|| before.name.clone()),
                    group_type: patch.group_type.unwrap_or(before.group_type),
                    icon: patch.icon.unwrap_or_else(|| before.icon.clone()),
                    description: patch.description.unwrap_or_else(|| before.description.clone()),
                };
                if hash.is_some() && group.group_type != GroupType::Password {
                    return Err(ActError::Invalid("password: only a group of the type password has one".into()));
                }
                let password = hash.or(claimed.password.clone()).filter(|_| group.group_type == GroupType::Password);
                if group.group_type == GroupType::Password && password.is_none() {
                    return Err(ActError::Invalid("a password group needs a password".into()));
                }
                if group == before && password == claimed.password {
                    return Ok(Decision::Rollback(group));
                }
                tx.update_group(NewGroup { group: &group, password: password.as_deref() }).await?;
                tx.append(host_event(tx, &guid, claimed.seq, Kind::GroupUpdated, Vec::new())).await?;
                Ok(Decision::Commit(group))
            })
        })
        .await
}

/// Ends a group: nobody is in it any more, and to everybody it is not there.
///
/// # Errors
/// [`ActError::NoSuchGroup`], [`ActError::Store`].
pub async fn delete_group(store: &Store, guid: Guid) -> Result<(), ActError> {
    store
        .write(Some(&guid.clone()), move |tx| {
            Box::pin(async move {
                let claimed = tx.claim(&guid).await?.ok_or(ActError::NoSuchGroup)?;
                tx.delete_group(&guid).await?;
                tx.append(host_event(tx, &guid, claimed.seq, Kind::GroupDeleted, Vec::new())).await?;
                Ok(Decision::Commit(()))
            })
        })
        .await
}

/// Hashes a password (Argon2id, PHC string) off the asynchronous threads.
///
/// # Errors
/// [`ActError::Invalid`] when it cannot be hashed.
pub async fn hash_password(password: String) -> Result<String, ActError> {
    let salt = random::bytes::<16>();
    let hashed = tokio::task::spawn_blocking(move || {
        let salt = SaltString::encode_b64(&salt)?;
        Argon2::default().hash_password(password.as_bytes(), &salt).map(|hash| hash.to_string())
    });
    hashed
        .await
        .expect("hashing does not panic")
        .map_err(|error| ActError::Invalid(format!("this password cannot be hashed: {error}")))
}

/// The stored hash that this password opens, if it does.
pub(super) async fn check_password(
    store: &Store,
    guid: &Guid,
    password: Option<String>,
) -> Result<Option<String>, ActError> {
    let Some(password) = password else { return Ok(None) };
    let Some(stored) = store.read().await?.password(guid).await? else { return Ok(None) };
    let checked = tokio::task::spawn_blocking(move || {
        let fits = PasswordHash::new(&stored)
            .is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok());
        fits.then_some(stored)
    });
    Ok(checked.await.expect("checking does not panic"))
}

/// Makes somebody known who is not, under the name their token tells, or their uid.
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
    tx.upsert_user(&person.uid, &name, avatar).await?;
    let sort_key = crate::domain::sort_key(name.as_str());
    person.profile = Some(Profile { name: name.as_str().to_owned(), avatar: avatar.map(str::to_owned), sort_key });
    Ok(())
}

async fn hashed(group_type: GroupType, password: Option<String>) -> Result<Option<String>, ActError> {
    match (group_type, password) {
        (GroupType::Password, Some(password)) => Ok(Some(hash_password(password).await?)),
        (GroupType::Password, None) => Err(ActError::Invalid("a password group needs a password".into())),
        _ => Ok(None),
    }
}

//! Groups and users, as the host keeps them; passwords of password groups.

use std::sync::Arc;

use argon2::Argon2;
use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};

use super::perform::enter;
use super::{ActError, Outcome};
use crate::domain::{By, Group, GroupType, Guid, Kind, Logged, Name, Refusal, Scope, Touched, Uid};
use crate::store::{Done, NewGroup, Person, Store, StoreError, Tx, User};

/// A group to be made.
#[derive(Debug, Clone)]
pub struct GroupDraft {
    /// The group.
    pub group: Group,
    /// The password of a password group, in clear; it is kept hashed.
    pub password: Option<String>,
    /// Who owns it; a user the host has told us of.
    pub owner: Uid,
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
pub async fn group_exists(store: &Store, guid: &Guid) -> Result<bool, StoreError> {
    Ok(store.read().await?.group(guid).await?.is_some())
}

/// Makes a group with its owner in it; `None` when there is one of that id.
pub async fn create_group(store: &Store, draft: GroupDraft) -> Result<Option<Outcome>, ActError> {
    let hash = hashed(draft.group.group_type, draft.password.clone()).await?;
    store
        .write(move |tx| {
            Box::pin(async move {
                let new = NewGroup { group: &draft.group, password: hash.as_deref() };
                let Some(seq) = tx.create_group(new).await? else { return Ok(Done::Undo(None)) };
                let owner = tx.person(&draft.group.guid, &draft.owner).await?;
                if owner.profile.is_none() {
                    return Err(ActError::NoSuchUser(draft.owner));
                }
                let touched = vec![enter(tx, &draft.group.guid, &owner, Scope::Owner, seq).await?];
                let logged = host_event(tx, &draft.group.guid, seq, Kind::MemberAdded, touched);
                tx.append(logged.clone()).await?;
                Ok(Done::Keep(Some(Outcome { logged: Some(logged), seq })))
            })
        })
        .await
}

/// Changes what a group is called and how one gets in.
pub async fn update_group(store: &Store, guid: Guid, patch: GroupPatch) -> Result<Group, ActError> {
    let hash = match patch.password.clone() {
        Some(password) => Some(hash_password(password).await?),
        None => None,
    };
    store
        .write(move |tx| {
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
                let password = hash.or(claimed.password).filter(|_| group.group_type == GroupType::Password);
                if group.group_type == GroupType::Password && password.is_none() {
                    return Err(ActError::Invalid("a password group needs a password".into()));
                }
                tx.put_group(NewGroup { group: &group, password: password.as_deref() }).await?;
                tx.append(host_event(tx, &guid, claimed.seq, Kind::GroupUpdated, Vec::new())).await?;
                Ok(Done::Keep(group))
            })
        })
        .await
}

/// Ends a group: nobody is in it any more, and to everybody it is not there.
pub async fn delete_group(store: &Store, guid: Guid) -> Result<(), ActError> {
    store
        .write(move |tx| {
            Box::pin(async move {
                let claimed = tx.claim(&guid).await?.ok_or(ActError::NoSuchGroup)?;
                tx.delete_group(&guid).await?;
                tx.append(host_event(tx, &guid, claimed.seq, Kind::GroupDeleted, Vec::new())).await?;
                Ok(Done::Keep(()))
            })
        })
        .await
}

/// Makes a user known, or gives them another name and picture, in every group they are in.
/// `avatar`: `None` leaves it, `Some(None)` takes it away.
pub async fn put_user(store: &Store, uid: Uid, name: Option<Name>, avatar: Option<Option<String>>) -> Result<User, ActError> {
    store
        .write(move |tx| {
            Box::pin(async move {
                let before = tx.user(&uid).await?;
                let name = match (&name, &before) {
                    (Some(name), _) => name.clone(),
                    (None, Some(user)) => Name::parse(&user.name).map_err(|_| StoreError::Inconsistent(format!("name of {uid}")))?,
                    (None, None) => return Err(ActError::NoSuchUser(uid)),
                };
                let avatar = avatar.unwrap_or_else(|| before.as_ref().and_then(|user| user.avatar.clone()));
                if let Some(user) = before.as_ref().filter(|user| user.name == name.as_str() && user.avatar == avatar) {
                    return Ok(Done::Undo(user.clone()));
                }
                let groups = tx.groups_of(&uid).await?;
                tx.put_user(&uid, &name, avatar.as_deref()).await?;
                for guid in groups {
                    let claimed = tx.claim(&guid).await?.ok_or(ActError::NoSuchGroup)?;
                    let person = tx.touch_member(&guid, &uid, claimed.seq).await?;
                    let touched = vec![unmoved(&person)];
                    tx.append(host_event(tx, &guid, claimed.seq, Kind::MemberUpdated, touched)).await?;
                }
                let user = tx.user(&uid).await?.ok_or(ActError::NoSuchUser(uid))?;
                Ok(Done::Keep(user))
            })
        })
        .await
}

/// Forgets a user and takes them out of every group; not while they own one.
pub async fn delete_user(store: &Store, uid: Uid) -> Result<(), ActError> {
    store
        .write(move |tx| {
            Box::pin(async move {
                if tx.user(&uid).await?.is_none() {
                    return Err(ActError::NoSuchUser(uid));
                }
                for guid in tx.groups_of(&uid).await? {
                    let claimed = tx.claim(&guid).await?.ok_or(ActError::NoSuchGroup)?;
                    let person = tx.person(&guid, &uid).await?;
                    if person.membership.is_some_and(|(scope, ..)| scope == Scope::Owner) {
                        return Err(ActError::refused(Refusal::OwnerMustTransfer));
                    }
                    let old = person.membership.map(|(scope, ..)| scope);
                    let touched = Touched { uid: uid.clone(), name: Some(person.name().to_owned()), old, new: None, member: person.member().map(Arc::new) };
                    tx.remove_member(&guid, &uid).await?;
                    tx.append(host_event(tx, &guid, claimed.seq, Kind::MemberLeft, vec![touched])).await?;
                }
                tx.remove_user(&uid).await?;
                Ok(Done::Keep(()))
            })
        })
        .await
}

/// Hashes a password (Argon2id, PHC string) off the asynchronous threads.
pub async fn hash_password(password: String) -> Result<String, ActError> {
    let mut salt = [0u8; 16];
    getrandom::fill(&mut salt).expect("the operating system gives randomness");
    let hashed = tokio::task::spawn_blocking(move || {
        let salt = SaltString::encode_b64(&salt)?;
        Argon2::default().hash_password(password.as_bytes(), &salt).map(|hash| hash.to_string())
    });
    hashed.await.expect("hashing does not panic").map_err(|error| ActError::Invalid(format!("this password cannot be hashed: {error}")))
}

/// The stored hash that this password opens, if it does.
pub(super) async fn check_password(store: &Store, guid: &Guid, password: Option<String>) -> Result<Option<String>, ActError> {
    let Some(password) = password else { return Ok(None) };
    let Some(stored) = store.read().await?.password(guid).await? else { return Ok(None) };
    let checked = tokio::task::spawn_blocking(move || {
        let fits = PasswordHash::new(&stored).is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok());
        fits.then_some(stored)
    });
    Ok(checked.await.expect("checking does not panic"))
}

/// Makes somebody known who is not, under the name their token tells, or their uid.
pub(super) async fn meet(tx: &mut Tx<'_>, person: &mut Person, name: Option<&str>, avatar: Option<&str>) -> Result<(), ActError> {
    if person.profile.is_some() {
        return Ok(());
    }
    let name = name.and_then(|name| Name::parse(name).ok()).unwrap_or_else(|| Name::parse(person.uid.as_str()).expect("a uid is a name"));
    tx.put_user(&person.uid, &name, avatar).await?;
    person.profile = Some((name.as_str().to_owned(), avatar.map(str::to_owned), crate::domain::sort_key(name.as_str())));
    Ok(())
}

/// An event by the host.
pub(super) fn host_event(tx: &Tx<'_>, guid: &Guid, seq: u64, kind: Kind, touched: Vec<Touched>) -> Logged {
    Logged { guid: guid.clone(), seq, at: tx.now(), kind, by: None::<By>, touched, reason: None, until: None }
}

/// A member touched without another scope.
fn unmoved(person: &Person) -> Touched {
    let scope = person.membership.map(|(scope, ..)| scope);
    Touched { uid: person.uid.clone(), name: Some(person.name().to_owned()), old: scope, new: scope, member: person.member().map(Arc::new) }
}

async fn hashed(group_type: GroupType, password: Option<String>) -> Result<Option<String>, ActError> {
    match (group_type, password) {
        (GroupType::Password, Some(password)) => Ok(Some(hash_password(password).await?)),
        (GroupType::Password, None) => Err(ActError::Invalid("a password group needs a password".into())),
        _ => Ok(None),
    }
}


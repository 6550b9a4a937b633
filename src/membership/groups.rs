//! Groups, as the host keeps them.

use super::acts::lock_group;
use super::add_list::{AddedBy, add_listed};
use super::apply::{by, cause, enter, host_event};
use super::owner::give;
use super::password::{check_password, hash_password, hashed};
use super::request::fingerprint::{DELETE_GROUP, create_group_fingerprint, update_group_fingerprint};
use super::request::idempotency::{done_before, is_recorded, is_repeat, unchanged};
use super::request::list::{AddList, ListAnswers};
use super::request::{ActRequest, GlobalRequest};
use super::{ActError, Actor};
use crate::domain::{By, Cause, EventKind, Group, GroupType, LoggedEvent, Name, Refusal, Scope, Standing, Uid, rules};
use crate::store::{Decision, GroupDetails, Person, Store, StoredGroup, Tx};

/// A group to be made.
#[derive(Debug, Clone)]
pub struct GroupDraft {
    /// The group.
    pub group: Group,
    /// The password of a password group, in clear; it is kept hashed.
    pub password: Option<String>,
    /// A JSON object of the host's.
    pub metadata: Option<String>,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// The owner, a user the host has named; `None` for the host.
    pub owner: Option<Uid>,
}

/// Changes to a group; `None` leaves a field as it is.
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
    /// Another JSON object of the host's; `Some(None)` takes it away.
    pub metadata: Option<Option<String>>,
    /// Other tags.
    pub tags: Option<Vec<String>>,
    /// Another owner, made by the host; `Some(None)` gives the group to the host.
    pub owner: Option<Option<Uid>>,
}

impl GroupPatch {
    /// A group and its details with these changes, but for password and owner.
    fn applied_to(self, group: &Group, details: &GroupDetails) -> (Group, GroupDetails) {
        let changed = Group {
            guid: group.guid.clone(),
            name: self.name.unwrap_or_else(|| group.name.clone()),
            group_type: self.group_type.unwrap_or(group.group_type),
            icon: self.icon.unwrap_or_else(|| group.icon.clone()),
            description: self.description.unwrap_or_else(|| group.description.clone()),
        };
        let kept = GroupDetails {
            metadata: self.metadata.unwrap_or_else(|| details.metadata.clone()),
            tags: self.tags.unwrap_or_else(|| details.tags.clone()),
            ..details.clone()
        };
        (changed, kept)
    }
}

/// Makes a group with its owner in it, if it has one, and people from the start, each with a result of their own; `None` when there is
/// one of that id. On behalf of somebody it is done with the host's rights, and the events and bans name them.
///
/// # Errors
/// [`ActError::NoSuchUser`] for the owner, [`ActError::Invalid`] about the password, [`ActError::NoSuchGroup`] when it
/// was made before under the same key and is gone since, [`ActError::KeyReused`], [`ActError::Store`].
pub async fn create_group(
    store: &Store,
    request: GlobalRequest,
    draft: GroupDraft,
    list: AddList,
) -> Result<Option<ListAnswers>, ActError> {
    let hash = hashed(draft.group.group_type, draft.password.clone()).await?;
    // With a key, the transaction does not use the group's queue and locks the key before the group, so that no two
    // wait for each other.
    let queue = if request.key.is_some() { None } else { Some(draft.group.guid.clone()) };
    store
        .write(queue.as_ref(), move |tx| {
            Box::pin(async move {
                let guid = &draft.group.guid;
                if done_before(tx, &request, &create_group_fingerprint(guid, &request)).await?.is_some() {
                    let answers = add_listed(tx, guid, AddedBy::default(), &list, true).await?.answers;
                    return Ok(Decision::Rollback(Some(answers)));
                }
                let actor = match &request.actor {
                    Actor::Host => None,
                    Actor::Viewer(uid) => Some(tx.person(guid, uid).await?),
                };
                if !insert_group(tx, &draft, hash.as_deref(), actor.as_ref()).await? {
                    return Ok(Decision::Rollback(None));
                }
                let by = AddedBy { rights: None, named: actor.as_ref() };
                let answers = add_listed(tx, guid, by, &list, false).await?.answers;
                Ok(Decision::Commit(Some(answers)))
            })
        })
        .await
}

/// Inserts the group with its owner, if any, and its first event, which names `actor` (`None` for the host); false when there is one of
/// that id.
async fn insert_group(
    tx: &mut Tx<'_>,
    draft: &GroupDraft,
    hash: Option<&str>,
    actor: Option<&Person>,
) -> Result<bool, ActError> {
    let new = StoredGroup { group: &draft.group, password_hash: hash };
    let (metadata, tags) = (draft.metadata.clone(), draft.tags.clone());
    let details = GroupDetails { metadata, tags, ..GroupDetails::default() };
    let Some(seq) = tx.create_group(new, &details).await? else { return Ok(false) };
    let touched = match &draft.owner {
        Some(owner) => {
            if tx.user(owner).await?.is_none() {
                return Err(ActError::NoSuchUser(owner.clone()));
            }
            let owner = tx.person(&draft.group.guid, owner).await?;
            vec![enter(tx, &draft.group.guid, &owner, Scope::Owner, seq).await?]
        }
        None => Vec::new(),
    };
    let guid = draft.group.guid.clone();
    let event = LoggedEvent::new(guid, seq, tx.event_time(), EventKind::GroupCreated, cause(actor), touched);
    tx.append(LoggedEvent { by: actor.map(by), ..event }).await?;
    Ok(true)
}

/// Changes a group; only the host may change the owner.
///
/// # Errors
/// [`ActError::NoSuchGroup`], [`ActError::Refused`], [`ActError::Invalid`] about the password,
/// [`ActError::NoSuchUser`] for the owner, [`ActError::KeyReused`], [`ActError::Store`]. Then nothing is different.
pub async fn update_group(store: &Store, request: ActRequest, patch: GroupPatch) -> Result<Group, ActError> {
    let guid = request.guid.clone();
    let known = check_password(store, &guid, patch.password.clone()).await?;
    let hash = match (known, patch.password.clone()) {
        // The same password keeps its hash, so that nothing changes.
        (Some(known), _) => Some(known),
        (None, Some(password)) => Some(hash_password(password).await?),
        (None, None) => None,
    };
    store
        .write(Some(&guid.clone()), move |tx| {
            Box::pin(async move {
                let mut locked = lock_group(tx, &guid).await?;
                if is_repeat(tx, &request, &update_group_fingerprint(&request)).await? {
                    return Ok(Decision::Rollback(locked.group));
                }
                let by = allowed(tx, &request, rules::update_group).await?;
                let mut has_written = false;
                if let Some(owner) = &patch.owner
                    && give(tx, &guid, locked.seq, None, owner.as_ref()).await?.is_some()
                {
                    has_written = true;
                    locked = lock_group(tx, &guid).await?;
                }
                let (before, details) = (locked.group, tx.group_details(&guid).await?.unwrap_or_default());
                let (group, kept) = patch.applied_to(&before, &details);
                let hash = hash_for(group.group_type, hash, &locked.password_hash)?;
                if group == before && hash == locked.password_hash && kept == details {
                    tx.return_seq(&guid).await?;
                    return Ok(if has_written {
                        Decision::Commit(group)
                    } else {
                        unchanged(request.key.as_ref(), group)
                    });
                }
                tx.update_group(StoredGroup { group: &group, password_hash: hash.as_deref() }).await?;
                tx.set_group_details(&guid, &kept).await?;
                let event = host_event(tx, &guid, locked.seq, EventKind::GroupUpdated, Vec::new());
                tx.append(LoggedEvent { cause: by.as_ref().map_or(event.cause, |_| Some(Cause::Viewer)), by, ..event })
                    .await?;
                Ok(Decision::Commit(group))
            })
        })
        .await
}

/// The hash that a group of this type keeps: the new one, or else the present one.
///
/// # Errors
/// [`ActError::Invalid`] when only a group of another type has a password, or one of this type needs one.
fn hash_for(group_type: GroupType, new: Option<String>, present: &Option<String>) -> Result<Option<String>, ActError> {
    match (group_type, new) {
        (GroupType::Password, new) => match new.or_else(|| present.clone()) {
            None => Err(ActError::Invalid("password: a group of this type needs one".into())),
            hash => Ok(hash),
        },
        (GroupType::Public | GroupType::Private, None) => Ok(None),
        (GroupType::Public | GroupType::Private, Some(_)) => {
            Err(ActError::Invalid("password: only a group of the type password has one".into()))
        }
    }
}

/// Ends a group: nobody is in it any more, and to everybody it is not there. Repeated under its key, it deletes no group that was created
/// since under the same id.
///
/// # Errors
/// [`ActError::NoSuchGroup`], [`ActError::Refused`], [`ActError::KeyReused`], [`ActError::Store`].
pub async fn delete_group(store: &Store, request: ActRequest) -> Result<(), ActError> {
    store
        .write(Some(&request.guid.clone()), move |tx| {
            Box::pin(async move {
                let guid = &request.guid;
                let locked = tx.lock_group(guid).await?;
                if is_recorded(tx, &request, DELETE_GROUP).await? {
                    return Ok(Decision::Rollback(()));
                }
                let locked = locked.ok_or(ActError::NoSuchGroup)?;
                let by = allowed(tx, &request, rules::delete_group).await?;
                tx.delete_group(guid, locked.seq).await?;
                let event = host_event(tx, guid, locked.seq, EventKind::GroupDeleted, Vec::new());
                tx.append(LoggedEvent { cause: by.as_ref().map_or(event.cause, |_| Some(Cause::Viewer)), by, ..event })
                    .await?;
                Ok(Decision::Commit(()))
            })
        })
        .await
}

/// The actor, if they may; the host always may.
async fn allowed(
    tx: &mut Tx<'_>,
    request: &ActRequest,
    rule: fn(Standing) -> Result<(), Refusal>,
) -> Result<Option<By>, ActError> {
    let Actor::Viewer(uid) = &request.actor else { return Ok(None) };
    let actor = tx.person(&request.guid, uid).await?;
    rule(actor.standing()).map_err(|refusal| match refusal {
        Refusal::NotThere => ActError::NoSuchGroup,
        refusal => ActError::refused(refusal),
    })?;
    Ok(Some(By { uid: actor.uid.clone(), name: actor.name().to_owned() }))
}

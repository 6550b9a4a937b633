//! Many members at once: the host keeps a group in step with its own data.

use std::collections::BTreeMap;

use super::groups::host_event;
use super::perform::enter;
use super::ActError;
use crate::domain::{Guid, Group, Kind, Scope, Standing, Uid};
use crate::store::{BulkReport, BulkRow, Done, NewGroup, Store, Tx};

/// What one person of a list is to become.
#[derive(Debug, Clone)]
pub struct Placement {
    /// Who.
    pub uid: Uid,
    /// As what: participant, moderator or admin.
    pub scope: Scope,
}

/// Why one person of a list was not put in; the others were.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemError {
    /// Nobody has told us of this user.
    NoSuchUser,
    /// They are banned.
    Banned,
    /// They are a member already.
    AlreadyMember,
}

/// Adds people as the host lists them, each with its own answer, in one event of their own.
pub async fn add_members(store: &Store, guid: Guid, people: Vec<Placement>) -> Result<BTreeMap<Uid, Result<(), ItemError>>, ActError> {
    store
        .write(move |tx| {
            Box::pin(async move {
                let mut answers = BTreeMap::new();
                for Placement { uid, scope } in people {
                    let person = tx.person(&guid, &uid).await?;
                    let refused = match person.standing() {
                        Standing::Member(_) => Some(ItemError::AlreadyMember),
                        Standing::Banned => Some(ItemError::Banned),
                        Standing::Outside if person.profile.is_none() => Some(ItemError::NoSuchUser),
                        Standing::Outside => None,
                    };
                    if refused.is_none() {
                        let claimed = tx.claim(&guid).await?.ok_or(ActError::NoSuchGroup)?;
                        let touched = vec![enter(tx, &guid, &person, scope, claimed.seq).await?];
                        tx.append(host_event(tx, &guid, claimed.seq, Kind::MemberAdded, touched)).await?;
                    }
                    answers.insert(uid, refused.map_or(Ok(()), Err));
                }
                Ok(Done::Keep(answers))
            })
        })
        .await
}

/// Upserts members into a group, made if it is not there, in one event; all of them or none.
///
/// `rows` are taken one by one, so that a file of any size needs no memory. The first error ends
/// it and nothing is applied. Banned people stay out and are reported.
///
/// # Errors
/// The first error of `rows`; [`ActError::Invalid`] when the group would not have exactly one
/// owner afterwards.
pub async fn sync<I>(store: &Store, group: Group, password: Option<String>, rows: I) -> Result<BulkReport, ActError>
where
    I: Iterator<Item = Result<BulkRow, ActError>> + Send + 'static,
{
    store.write(move |tx| Box::pin(async move { Ok(Done::Keep(sync_in(tx, group, password, rows).await?)) })).await
}

async fn sync_in(tx: &mut Tx<'_>, group: Group, password: Option<String>, rows: impl Iterator<Item = Result<BulkRow, ActError>> + Send) -> Result<BulkReport, ActError> {
    let guid = group.guid.clone();
    let seq = match tx.claim(&guid).await? {
        Some(claimed) => claimed.seq,
        None => tx.create_group(NewGroup { group: &group, password: password.as_deref() }).await?.ok_or(ActError::NoSuchGroup)?,
    };
    let blank = tx.is_blank(&guid).await?;
    let mut owner = tx.owner(&guid).await?;
    let mut report = BulkReport::default();
    let mut chunk = Vec::with_capacity(Tx::CHUNK);
    for row in rows {
        let row = row?;
        match (&owner, row.scope == Scope::Owner) {
            (Some(owner), true) if *owner != row.uid => {
                return Err(ActError::Invalid(format!("{} would be a second owner: {owner} owns the group", row.uid)));
            }
            (Some(owner), false) if *owner == row.uid => {
                return Err(ActError::Invalid(format!("the group would have no owner: {owner} owns it and is listed as {}", row.scope)));
            }
            (_, true) => owner = Some(row.uid.clone()),
            _ => {}
        }
        chunk.push(row);
        if chunk.len() == Tx::CHUNK {
            tx.sync_chunk(&guid, seq, &mut chunk, blank, &mut report).await?;
            chunk.clear();
        }
    }
    tx.sync_chunk(&guid, seq, &mut chunk, blank, &mut report).await?;
    if tx.owner(&guid).await?.is_none() {
        return Err(ActError::Invalid("the group would have no owner: list one person with the scope owner".into()));
    }
    tx.append_sync(host_event(tx, &guid, seq, Kind::MembersSynced, Vec::new())).await?;
    Ok(report)
}

//! Many members at once: the host keeps a group in step with its own data.

use std::collections::HashSet;

use super::apply::host_event;
use super::users::append_profile_events;
use super::{ActError, Outcome};
use crate::domain::{Group, Guid, Kind, Scope, Uid};
use crate::store::{BulkReport, BulkRow, Decision, NewGroup, Store, Tx};

/// Upserts members into a group, made if it is not there, in one event; all of them or none.
///
/// `rows` are read one by one, so that a file of any size needs no memory. The first error ends
/// it and nothing is applied. Banned people stay out and are reported. `owner_is_host` says that the group
/// has no owner: then the host owns it.
///
/// # Errors
/// The first error of `rows`; [`ActError::Invalid`] when the group would have several owners afterwards, none
/// although it is not the host's, or one although it is.
pub async fn sync<I>(
    store: &Store,
    group: Group,
    password: Option<String>,
    owner_is_host: bool,
    rows: I,
) -> Result<BulkReport, ActError>
where
    I: Iterator<Item = Result<BulkRow, ActError>> + Send + 'static,
{
    store
        .write(Some(&group.guid.clone()), move |tx| {
            Box::pin(async move {
                let (report, fresh) = sync_in(tx, group, password, owner_is_host, rows).await?;
                // What is already so makes no event; a group made just now has one in any case.
                Ok(if fresh || report.changed > 0 { Decision::Commit(report) } else { Decision::Rollback(report) })
            })
        })
        .await
}

/// Makes the members of a group exactly these, in one event; all of it or nothing. Who is not
/// listed is put out and may come back. The owner may be another one than before; when none is listed, who owns
/// the group goes on owning it, be it the host.
///
/// Again with the same list nothing happens. Banned people stay out and are reported.
///
/// # Errors
/// [`ActError::Invalid`] when the group would have several owners afterwards, or somebody is listed twice; [`ActError::NoSuchUser`] for somebody who is not known and has no name here.
pub async fn replace(store: &Store, guid: Guid, rows: Vec<BulkRow>) -> Result<(Outcome, BulkReport), ActError> {
    store
        .write(Some(&guid.clone()), move |tx| {
            Box::pin(async move {
                let seq = tx.claim(&guid).await?.ok_or(ActError::NoSuchGroup)?.seq;
                let report = replace_in(tx, &guid, seq, rows).await?;
                if report.changed + report.removed == 0 {
                    return Ok(Decision::Rollback((Outcome { logged: None, seq: seq - 1 }, report)));
                }
                let logged = host_event(tx, &guid, seq, Kind::MembersSynced, Vec::new());
                tx.append_sync(logged.clone()).await?;
                Ok(Decision::Commit((Outcome { logged: Some(logged), seq }, report)))
            })
        })
        .await
}

async fn replace_in(tx: &mut Tx<'_>, guid: &Guid, seq: u64, mut rows: Vec<BulkRow>) -> Result<BulkReport, ActError> {
    let listed: HashSet<Uid> = rows.iter().map(|row| row.uid.clone()).collect();
    if listed.len() != rows.len() {
        return Err(ActError::Invalid("members: somebody is listed twice".into()));
    }
    let owners = rows.iter().filter(|row| row.scope == Scope::Owner).count();
    if owners > 1 {
        return Err(ActError::Invalid(format!("the group would have {owners} owners: list at most one")));
    }
    let owner = tx.owner(guid).await?.filter(|_| owners == 0);
    rows.iter_mut().filter(|row| Some(&row.uid) == owner.as_ref()).for_each(|row| row.scope = Scope::Owner);
    let mut report = BulkReport::default();
    let stays = |uid: &Uid| listed.contains(uid) || Some(uid) == owner.as_ref();
    let gone: Vec<(Uid, Scope)> = tx.scopes(guid).await?.into_iter().filter(|(uid, _)| !stays(uid)).collect();
    for chunk in gone.chunks(Tx::CHUNK) {
        tx.remove_chunk(guid, seq, chunk).await?;
    }
    report.removed = gone.len() as u64;
    // The owner last: at no moment are there two.
    rows.sort_by_key(|row| row.scope == Scope::Owner);
    let owner_rows = rows.split_off(rows.partition_point(|row| row.scope != Scope::Owner));
    for chunk in rows.chunks(Tx::CHUNK).chain([owner_rows.as_slice()]) {
        put(tx, guid, seq, &mut chunk.to_vec(), false, &mut report).await?;
    }
    if owners == 1 && tx.owner(guid).await?.is_none() {
        return Err(ActError::Invalid("the group would have no owner: the one who is listed is banned".into()));
    }
    Ok(report)
}

/// Writes a few rows, and tells the other groups of those who have another name now.
async fn put(
    tx: &mut Tx<'_>,
    guid: &Guid,
    seq: u64,
    rows: &mut Vec<BulkRow>,
    blank: bool,
    report: &mut BulkReport,
) -> Result<(), ActError> {
    let renamed = tx.sync_chunk(guid, seq, rows, blank, report).await?.map_err(ActError::NoSuchUser)?;
    for uid in renamed {
        append_profile_events(tx, &uid, Some(guid)).await?;
    }
    Ok(())
}

async fn sync_in(
    tx: &mut Tx<'_>,
    group: Group,
    password: Option<String>,
    owner_is_host: bool,
    rows: impl Iterator<Item = Result<BulkRow, ActError>> + Send,
) -> Result<(BulkReport, bool), ActError> {
    let guid = group.guid.clone();
    tx.extend_timeout().await?;
    let (seq, fresh) = match tx.claim(&guid).await? {
        Some(claimed) => (claimed.seq, false),
        None => {
            let new = NewGroup { group: &group, password: password.as_deref() };
            let first = tx.create_group(new).await?.ok_or(ActError::NoSuchGroup)?;
            tx.append(host_event(tx, &guid, first, Kind::GroupCreated, Vec::new())).await?;
            (tx.claim(&guid).await?.ok_or(ActError::NoSuchGroup)?.seq, true)
        }
    };
    let blank = tx.is_initial_load(&guid).await?;
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
                return Err(ActError::Invalid(format!(
                    "the group would have no owner: {owner} owns it and is listed as {}",
                    row.scope
                )));
            }
            (_, true) => owner = Some(row.uid.clone()),
            _ => {}
        }
        chunk.push(row);
        if chunk.len() == Tx::CHUNK {
            put(tx, &guid, seq, &mut chunk, blank, &mut report).await?;
            chunk.clear();
        }
    }
    put(tx, &guid, seq, &mut chunk, blank, &mut report).await?;
    match tx.owner(&guid).await? {
        None if !owner_is_host => {
            return Err(ActError::Invalid(
                "the group would have no owner: list one person with the scope owner, or give --owner-is-host".into(),
            ));
        }
        Some(owner) if owner_is_host => {
            return Err(ActError::Invalid(format!("{owner} owns the group, which is to be the host's")));
        }
        None | Some(_) => {}
    }
    tx.append_sync(host_event(tx, &guid, seq, Kind::MembersSynced, Vec::new())).await?;
    Ok((report, fresh))
}

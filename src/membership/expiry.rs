//! Ends bans, mutes and scopes that ran out. They have no effect from their end on (`store/people/memberships.rs`,
//! `person_rows.rs`, `Member::scope_at`); this removes them and announces it.

use std::collections::BTreeSet;

use futures_util::{StreamExt, stream};

use super::ActError;
use super::apply::{gone, mute, rescope};
use crate::domain::{Cause, EventKind, Guid, LoggedEvent, Restrictions, Scope, TouchedMember, Uid};
use crate::store::{Decision, Person, Store, Tx};

/// Groups in which they are ended at the same time: not as many as there are connections for acts.
const GROUPS_AT_ONCE: usize = 4;

/// Ends restrictions and scopes that ran out, as long as there are any.
///
/// # Errors
/// The last error of a group or an id, after all other groups.
pub(super) async fn end_all(store: &Store) -> Result<(), ActError> {
    while store.read().await?.any_ended().await? {
        end_group_by_group(store).await?;
    }
    Ok(())
}

/// Ends those that ran out, each group in a transaction of its own: a group that somebody holds, a row that cannot be read, or an
/// invalid group id, does not hold other groups up.
///
/// # Errors
/// The last error of a group or an id, after all other groups.
async fn end_group_by_group(store: &Store) -> Result<(), ActError> {
    let (mut after, mut failed) = (None::<String>, None::<ActError>);
    loop {
        let groups = store
            .write(None, move |tx| {
                Box::pin(async move {
                    let groups = tx.groups_with_ended(after.as_deref()).await?;
                    Ok::<_, ActError>(Decision::Rollback(groups))
                })
            })
            .await?;
        failed = groups.unread.map(ActError::Store).or(failed);
        let ending = groups.guids.into_iter().map(|guid| end_one_group(store, guid));
        let mut ending = stream::iter(ending).buffer_unordered(GROUPS_AT_ONCE);
        while let Some(ended) = ending.next().await {
            failed = ended.err().or(failed);
        }
        if groups.next.is_none() {
            return failed.map_or(Ok(()), Err);
        }
        after = groups.next;
    }
}

async fn end_one_group(store: &Store, guid: Guid) -> Result<(), ActError> {
    store
        .write(Some(&guid.clone()), move |tx| {
            Box::pin(async move { end_in_group(tx, &guid).await.map(Decision::Commit) })
        })
        .await
}

/// Ends those that ran out in a group, as many as fit into one transaction.
async fn end_in_group(tx: &mut Tx<'_>, guid: &Guid) -> Result<(), ActError> {
    let locked = tx.lock_group(guid).await?;
    // Another node may have been here first.
    let ended = tx.lift_ended(guid).await?;
    let Some(locked) = locked else {
        // A missing group has no members: leftover rows are a fault, and are deleted so that they are not found
        // again.
        for uid in &ended.scopes {
            tx.set_end_of_scope(guid, uid, Scope::Participant, None).await?;
        }
        return Ok(());
    };
    let lifted = ended.bans.iter().chain(&ended.mutes).map(|restriction| restriction.uid.clone());
    let uids: BTreeSet<Uid> = lifted.chain(ended.scopes.iter().cloned()).collect();
    let mut people = tx.people_of(guid, &uids.into_iter().collect::<Vec<_>>()).await?;
    people.sort_by(|one, other| one.uid.cmp(&other.uid));
    // The log has each person's whole state before and after each event: what ended at once is taken back one after the other.
    for ban in &ended.bans {
        person_mut(&mut people, &ban.uid).ban = Some(ban.clone());
    }
    for lifted in &ended.mutes {
        person_mut(&mut people, &lifted.uid).mute = Some(lifted.clone());
    }
    let (mut seq, mut events) = (locked.seq, Vec::new());
    for ban in ended.bans {
        let person = person_mut(&mut people, &ban.uid);
        let touched = gone(person, Restrictions { ban: None, ..person.restrictions() });
        person.ban = None;
        events.push(ended_event(tx, guid, &mut seq, EventKind::MemberUnbanned, touched));
    }
    for lifted in ended.mutes {
        let person = person_mut(&mut people, &lifted.uid);
        let touched = mute(tx, guid, person, None, seq).await?;
        person.mute = None;
        events.push(ended_event(tx, guid, &mut seq, EventKind::MemberUnmuted, touched));
    }
    for uid in ended.scopes {
        let person = person_mut(&mut people, &uid);
        let Some(end) = person.membership.and_then(|membership| membership.temporary) else {
            // A node of the previous version gave them another scope.
            tx.set_end_of_scope(guid, &uid, Scope::Participant, None).await?;
            continue;
        };
        let touched = rescope(tx, guid, person, end.lasting, None, seq).await?;
        events.push(ended_event(tx, guid, &mut seq, EventKind::MemberScopeChanged, touched));
    }
    tx.append_all(events).await?;
    Ok(tx.advance_seq(guid, seq - 1).await?)
}

/// The person of this uid among people who are sorted by it, all of whom were looked up.
fn person_mut<'a>(people: &'a mut [Person], uid: &Uid) -> &'a mut Person {
    let at = people.binary_search_by(|person| person.uid.cmp(uid));
    &mut people[at.expect("everybody was looked up")]
}

/// An event without an actor, under the next number.
fn ended_event(tx: &Tx<'_>, guid: &Guid, seq: &mut u64, kind: EventKind, touched: TouchedMember) -> LoggedEvent {
    let event = LoggedEvent::new(guid.clone(), *seq, tx.event_time(), kind, Cause::Ended, vec![touched]);
    *seq += 1;
    event
}

//! Notes of staff about people. A note changes nothing about whom it is about, and its event does not hold its text.

use std::sync::Arc;

use super::strangers::strangers;
use super::{lock_group, outcome_of, refused, repeated};
use crate::domain::{EventKind, Guid, LoggedEvent, MAX_NOTES, PersonNote, Refusal, Uid, rules};
use crate::membership::apply::{by, cause, untouched};
use crate::membership::request::ActRequest;
use crate::membership::request::fingerprint::{note_fingerprint, note_removal_fingerprint};
use crate::membership::request::idempotency::is_repeat;
use crate::membership::{ActError, Actor, Outcome};
use crate::store::{Person, Store, StoreError, Tx};

/// Adds a note about somebody, who may have left. Its number is that of the event.
///
/// # Errors
/// [`ActError::Refused`], [`ActError::NoSuchGroup`] also to actors who may not know of it, [`ActError::TooManyNotes`] when there are
/// [`MAX_NOTES`] about them, [`ActError::KeyReused`], [`ActError::Store`].
pub async fn add_note(store: &Store, request: ActRequest, target: Uid, text: String) -> Result<Outcome, ActError> {
    let fingerprint = note_fingerprint(store.pseudonyms(), &target, &text);
    store
        .write(Some(&request.guid.clone()), move |tx| {
            Box::pin(async move {
                let guid = &request.guid;
                let locked = lock_group(tx, guid).await?;
                if is_repeat(tx, &request, &fingerprint).await? {
                    return Ok(repeated(&locked));
                }
                let (actor, target) = actor_and_target(tx, &request, &target).await?;
                if tx.notes_count(guid, &target.uid).await? >= MAX_NOTES {
                    return Err(ActError::TooManyNotes);
                }
                let note =
                    PersonNote { id: locked.seq, text, by: actor.uid.clone(), by_name: None, at: tx.event_time() };
                tx.insert_note(guid, &target.uid, &note).await?;
                let logged = append(tx, guid, locked.seq, EventKind::NoteAdded, &actor, &target).await?;
                outcome_of(tx, &request, &locked, Some(logged)).await
            })
        })
        .await
}

/// Removes a note; nothing happens when it is not there.
///
/// # Errors
/// As [`add_note`].
pub async fn remove_note(store: &Store, request: ActRequest, target: Uid, id: u64) -> Result<Outcome, ActError> {
    let fingerprint = note_removal_fingerprint(store.pseudonyms(), &target, id);
    store
        .write(Some(&request.guid.clone()), move |tx| {
            Box::pin(async move {
                let guid = &request.guid;
                let locked = lock_group(tx, guid).await?;
                if is_repeat(tx, &request, &fingerprint).await? {
                    return Ok(repeated(&locked));
                }
                let (actor, target) = actor_and_target(tx, &request, &target).await?;
                let Some(author) = tx.author_of_note(guid, &target.uid, id).await? else {
                    return outcome_of(tx, &request, &locked, None).await;
                };
                let author = tx.person(guid, &author).await?;
                rules::remove_note(actor.standing(), author.standing(), author.uid == actor.uid)
                    .map_err(|refusal| refused(refusal, Some(&actor), &target))?;
                tx.delete_note(guid, &target.uid, id).await?;
                let logged = append(tx, guid, locked.seq, EventKind::NoteRemoved, &actor, &target).await?;
                outcome_of(tx, &request, &locked, Some(logged)).await
            })
        })
        .await
}

/// The actor and the subject, if the actor may have notes about them. The host writes none.
async fn actor_and_target(tx: &mut Tx<'_>, request: &ActRequest, target: &Uid) -> Result<(Person, Person), ActError> {
    let Actor::Viewer(uid) = &request.actor else { return Err(ActError::refused(Refusal::NotThere)) };
    let (actor, target) = tx.people(&request.guid, uid, target).await?;
    rules::see_notes(actor.standing(), target.standing(), actor.uid == target.uid)
        .map_err(|refusal| refused(refusal, Some(&actor), &target))?;
    Ok((actor, target))
}

async fn append(
    tx: &mut Tx<'_>,
    guid: &Guid,
    seq: u64,
    kind: EventKind,
    actor: &Person,
    target: &Person,
) -> Result<Arc<LoggedEvent>, StoreError> {
    let mut touched = untouched(target);
    if !strangers(tx, guid, std::slice::from_ref(target)).await?.is_empty() {
        touched.name = None;
    }
    let event = LoggedEvent::new(guid.clone(), seq, tx.event_time(), kind, cause(Some(actor)), vec![touched]);
    let logged = LoggedEvent { by: Some(by(actor)), ..event };
    tx.append(logged).await
}

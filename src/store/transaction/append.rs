//! Writing events to the log, with the members they touched.

use std::sync::{Arc, LazyLock};

use super::delivery_id::new_delivery_id;
use crate::domain::{Cause, LoggedEvent, Member, RestrictionsChange, Scope, TouchedMember};
use crate::store::error::StoreError;
use crate::store::sql::connection::Connection;
use crate::store::sql::insert::{insert, insert_both};
use crate::store::sql::restrictions_text::restrictions_text;
use crate::store::sql::tables::{EVENTS, EventValues, TOUCHED, TouchedValues};

/// Most rows of one statement, a power of two.
const MOST_AT_ONCE: usize = 64;

/// The statements that insert parts of the log.
static INSERT_EVENTS: LazyLock<Vec<String>> = LazyLock::new(|| statements(|rows| EVENTS.insert(rows)));
static INSERT_TOUCHED: LazyLock<Vec<String>> = LazyLock::new(|| statements(|rows| TOUCHED.insert(rows)));

/// An event, and a member whom it touched.
type Touched<'e> = (&'e LoggedEvent, &'e TouchedMember);

/// Inserts these events, in their order, with the members they touched: a part of both tables at a time, since each statement
/// is a message to the database and back.
///
/// # Errors
/// [`StoreError::Unavailable`] when the database cannot be written now or refuses a row,
/// [`StoreError::ReadOnly`] when it is a file that is read-only.
pub(in crate::store) async fn insert_log(
    mut on: Connection<'_>,
    events: &[Arc<LoggedEvent>],
) -> Result<(), StoreError> {
    let touched = touched_by(events);
    let (mut events, mut touched) = (parts(events), parts(&touched));
    loop {
        match (events.next(), touched.next()) {
            (Some(events), Some(touched)) => {
                let (ids, texts) = (new_ids(events), texts_of(touched));
                let first = (statement(&INSERT_EVENTS, events), event_rows(events, &ids));
                let second = (statement(&INSERT_TOUCHED, touched), touched_rows(touched, &texts));
                insert_both(on.reborrow(), first, second).await?;
            }
            (Some(events), None) => insert_events(on.reborrow(), events).await?,
            (None, Some(touched)) => insert_part_of_touched(on.reborrow(), touched).await?,
            (None, None) => return Ok(()),
        }
    }
}

/// Inserts these events without the members they touched.
///
/// # Errors
/// As [`insert_log`].
pub(in crate::store) async fn insert_events(
    mut on: Connection<'_>,
    events: &[Arc<LoggedEvent>],
) -> Result<(), StoreError> {
    for events in parts(events) {
        let ids = new_ids(events);
        insert(on.reborrow(), statement(&INSERT_EVENTS, events), event_rows(events, &ids)).await?;
    }
    Ok(())
}

/// Inserts the members that these events touched.
///
/// # Errors
/// As [`insert_log`].
pub(in crate::store) async fn insert_touched(
    mut on: Connection<'_>,
    events: &[Arc<LoggedEvent>],
) -> Result<(), StoreError> {
    for touched in parts(&touched_by(events)) {
        insert_part_of_touched(on.reborrow(), touched).await?;
    }
    Ok(())
}

async fn insert_part_of_touched(on: Connection<'_>, touched: &[Touched<'_>]) -> Result<(), StoreError> {
    let texts = texts_of(touched);
    insert(on, statement(&INSERT_TOUCHED, touched), touched_rows(touched, &texts)).await
}

/// The members that these events touched, each with its event.
fn touched_by(events: &[Arc<LoggedEvent>]) -> Vec<Touched<'_>> {
    events.iter().flat_map(|event| event.touched.iter().map(move |touched| (&**event, touched))).collect()
}

/// The statement for a part of these rows.
fn statement<'s, T>(statements: &'s [String], part: &[T]) -> &'s str {
    &statements[part.len().ilog2() as usize]
}

fn new_ids(events: &[Arc<LoggedEvent>]) -> Vec<String> {
    events.iter().map(|_| new_delivery_id()).collect()
}

fn event_rows<'r>(events: &'r [Arc<LoggedEvent>], ids: &'r [String]) -> Vec<EventValues<'r>> {
    events.iter().zip(ids).map(|(event, id)| event_values(event, id)).collect()
}

fn texts_of(touched: &[Touched<'_>]) -> Vec<[Option<String>; 2]> {
    touched.iter().map(|(_, touched)| restrictions_texts(&touched.restrictions)).collect()
}

fn touched_rows<'r>(touched: &'r [Touched<'r>], texts: &'r [[Option<String>; 2]]) -> Vec<TouchedValues<'r>> {
    touched.iter().zip(texts).map(|((event, touched), texts)| touched_values(event, touched, texts)).collect()
}

/// The parts in which rows are inserted: their sizes are powers of two, so that there are few statements, each prepared once.
fn parts<T>(mut rows: &[T]) -> impl Iterator<Item = &[T]> {
    std::iter::from_fn(move || {
        let size = MOST_AT_ONCE.min(1 << rows.len().checked_ilog2()?);
        let (part, rest) = rows.split_at(size);
        rows = rest;
        Some(part)
    })
}

/// The statements for parts of 1, 2, 4 … rows.
fn statements(of: impl Fn(usize) -> String) -> Vec<String> {
    (0..=MOST_AT_ONCE.ilog2()).map(|power| of(1 << power)).collect()
}

/// An event as it is stored, under this id for deliveries.
fn event_values<'r>(event: &'r LoggedEvent, id: &'r str) -> EventValues<'r> {
    EventValues {
        guid: event.guid.as_str(),
        seq: event.seq as i64,
        kind: event.kind.as_str(),
        at: event.at,
        by_uid: event.by.as_ref().map(|by| by.uid.as_str()),
        by_name: event.by.as_ref().map(|by| by.name.as_str()),
        reason: event.reason.as_deref(),
        until_at: event.until,
        id,
        cause: event.cause.map(Cause::as_str),
        undoes: event.undoes.map(|seq| seq as i64),
        batch: event.batch.map(|seq| seq as i64),
        message: event.message.as_deref(),
    }
}

/// The stored form of a person whom an event touched; `restrictions` limited them before and after.
fn touched_values<'r>(
    event: &'r LoggedEvent,
    touched: &'r TouchedMember,
    restrictions: &'r [Option<String>; 2],
) -> TouchedValues<'r> {
    let joined_at = touched.member.as_deref().map(|member| member.joined_at);
    TouchedValues {
        guid: event.guid.as_str(),
        seq: event.seq as i64,
        uid: touched.uid.as_str(),
        old_scope: touched.old.map(Scope::number),
        new_scope: touched.new.map(Scope::number),
        name: touched.name.as_deref(),
        avatar: touched.member.as_deref().and_then(Member::avatar),
        joined_at,
        // No event but a sync gives a member another date.
        old_joined_at: touched.old.and(joined_at),
        old_restrictions: restrictions[0].as_deref(),
        new_restrictions: restrictions[1].as_deref(),
    }
}

/// The stored form of a person's restrictions before and after.
fn restrictions_texts(change: &RestrictionsChange) -> [Option<String>; 2] {
    [&change.old, &change.new].map(|restrictions| restrictions.as_deref().map(restrictions_text))
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn rows_are_inserted_in_parts_of_powers_of_two() {
        let sizes = |count: usize| parts(&vec![(); count]).map(<[()]>::len).collect::<Vec<_>>();
        assert!(sizes(0).is_empty());
        assert_eq!(sizes(1), [1]);
        assert_eq!(sizes(7), [4, 2, 1]);
        assert_eq!(sizes(200), [64, 64, 64, 8]);
    }
}

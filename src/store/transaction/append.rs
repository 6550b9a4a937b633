//! Writing events to the log, with the members they touched.

use std::sync::{Arc, LazyLock};

use super::delivery_id::new_delivery_id;
use crate::domain::{Cause, LoggedEvent, Member, RestrictionsChange, Scope, TouchedMember};
use crate::store::error::StoreError;
use crate::store::sql::connection::Connection;
use crate::store::sql::insert::insert;
use crate::store::sql::restrictions_text::restrictions_text;
use crate::store::sql::tables::{EVENTS, EventValues, TOUCHED, TouchedValues};

/// Most rows of one statement, a power of two.
const MOST_AT_ONCE: usize = 64;

/// Inserts these events, in their order, with the members they touched.
///
/// # Errors
/// [`StoreError::Unavailable`] when the database cannot be written now or refuses a row,
/// [`StoreError::ReadOnly`] when it is a file that is read-only.
pub(in crate::store) async fn insert_log(
    mut on: Connection<'_>,
    events: &[Arc<LoggedEvent>],
) -> Result<(), StoreError> {
    insert_events(on.reborrow(), events).await?;
    insert_touched(on, events).await
}

/// Inserts these events without the members they touched.
///
/// # Errors
/// As [`insert_log`].
pub(in crate::store) async fn insert_events(
    mut on: Connection<'_>,
    events: &[Arc<LoggedEvent>],
) -> Result<(), StoreError> {
    static INSERT: LazyLock<Vec<String>> = LazyLock::new(|| statements(|rows| EVENTS.insert(rows)));
    for events in parts(events) {
        let ids: Vec<String> = events.iter().map(|_| new_delivery_id()).collect();
        let rows = events.iter().zip(&ids).map(|(event, id)| event_values(event, id));
        insert(on.reborrow(), &INSERT[events.len().ilog2() as usize], rows).await?;
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
    static INSERT: LazyLock<Vec<String>> = LazyLock::new(|| statements(|rows| TOUCHED.insert(rows)));
    let touched: Vec<_> =
        events.iter().flat_map(|event| event.touched.iter().map(move |touched| (event, touched))).collect();
    for touched in parts(&touched) {
        let texts: Vec<_> = touched.iter().map(|(_, touched)| restrictions_texts(&touched.restrictions)).collect();
        let rows = touched.iter().zip(&texts).map(|((event, touched), texts)| touched_values(event, touched, texts));
        insert(on.reborrow(), &INSERT[touched.len().ilog2() as usize], rows).await?;
    }
    Ok(())
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

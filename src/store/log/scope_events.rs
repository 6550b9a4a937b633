//! Reading what decides which messages about scopes are shown.

use super::events::{EventRow, event_rows, fold_readable};
use crate::domain::{EventKind, Guid, LoggedEvent};
use crate::store::database::reader::Reader;
use crate::store::error::StoreError;
use crate::store::sql::event_kinds::listed;
use crate::store::sql::query::fetch;

/// Events that are searched for messages, the last ones: as many as the log keeps at least.
const MAX_EVENTS: u64 = 10_000;

impl Reader {
    /// What happened in the last `within` milliseconds, up to event `until`, to everybody who was given a scope with a message in that
    /// time: the events in their order, each with these people alone. Messages before the last 10,000 events are not found. Events that
    /// cannot be read are left out and logged: a group is loaded without their messages, where an error would keep everybody out.
    ///
    /// `rewritten_seq` may stay the same when somebody who is out is erased, so a group in memory would keep their message. Of people who
    /// are out, only messages after `rewritten_seq` are read.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn scope_events(&mut self, guid: &Guid, until: u64, within: i64) -> Result<Vec<LoggedEvent>, StoreError> {
        // The innermost query goes back from the newest event to the first that is too old. CROSS JOIN: SQLite keeps to this order of the
        // tables, so that of a large sync nothing is read but these people.
        let rows: sqlx::Result<Vec<EventRow>> = fetch!(
            fetch_all,
            self.tx,
            event_rows!(
                "FROM (SELECT DISTINCT told.uid FROM events m CROSS JOIN touched told
                       WHERE m.guid = $1 AND m.seq <= $3 AND m.message IS NOT NULL AND $5 LIKE '%,' || m.kind || ',%'
                         AND m.seq > COALESCE(
                           (SELECT o.seq FROM events o WHERE o.guid = $1 AND o.seq > $2 AND o.seq <= $3 AND o.at <= $4
                            ORDER BY o.seq DESC LIMIT 1), $2)
                         AND told.guid = m.guid AND told.seq = m.seq
                         AND (m.seq > (SELECT g.rewritten_seq FROM groups g WHERE g.guid = $1) OR EXISTS (
                           SELECT 1 FROM members b WHERE b.guid = $1 AND b.uid = told.uid AND b.scope >= 0))) AS p
                 CROSS JOIN touched t CROSS JOIN events e
                 WHERE t.uid = p.uid AND t.guid = $1 AND t.seq > $2 AND t.seq <= $3
                   AND e.guid = t.guid AND e.seq = t.seq AND e.at > $4
                 ORDER BY e.seq, t.uid"
            ),
            guid.as_str(),
            until.saturating_sub(MAX_EVENTS) as i64,
            until as i64,
            self.now - within,
            &listed(EventKind::gives_scope)
        );
        match rows.map_err(StoreError::from) {
            Ok(rows) => Ok(fold_readable(guid, &rows)),
            // A column holds another type than it is made for, which only SQLite allows.
            Err(error @ StoreError::Inconsistent(_)) => {
                tracing::error!(group = %guid, until, %error, "events cannot be read; their messages are not shown");
                Ok(Vec::new())
            }
            Err(error) => Err(error),
        }
    }
}

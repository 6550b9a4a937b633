//! The repairs: for each check of `doctor`, the rows that break it, as an SQL condition, and what mends them.
//!
//! Not here: the checks (`inspect/rules.rs`), and the statements that repair (`mod.rs`).

/// A repair of the rows that break an invariant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repair {
    /// The name of the check that finds them.
    pub check: &'static str,
    pub(super) table: &'static str,
    /// The SQL condition of the broken rows.
    pub(super) broken: &'static str,
    pub(super) how: How,
}

/// The change that repairs a row. Rows that nodes keep in memory are repaired with an event of their group, which they follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// The row is deleted. No node keeps it in memory.
    Delete,
    /// The row is set. No node keeps the value in memory; the number of a group is polled.
    Set(&'static str),
    /// The member's row is deleted, and the group has an event that says so.
    Leave,
    /// The member's row is set, with the number of an event of the group.
    Touch(&'static str),
    /// The end of a member's scope is deleted, and the member has the number of an event of the group.
    DeleteEnd,
    /// The group's row is set, and the group has an event.
    SetGroup(&'static str),
}

macro_rules! repairs {
    ($($check:literal $table:literal $how:expr, $broken:literal;)+) => {
        /// Every repair, in the order in which they are done: numbers of groups before those of members.
        const REPAIRS: &[Repair] =
            &[$(Repair { check: $check, table: $table, broken: $broken, how: $how }),+];
    };
}

repairs! {
    "groups-number" "groups" How::Set("seq = (SELECT max(e.seq) FROM events e WHERE e.guid = groups.guid)"),
        "seq < (SELECT COALESCE(max(e.seq), 0) FROM events e WHERE e.guid = groups.guid)";
    "events-number" "groups" How::Set("seq = (SELECT max(e.seq) FROM events e WHERE e.guid = groups.guid)"),
        "seq < (SELECT COALESCE(max(e.seq), 0) FROM events e WHERE e.guid = groups.guid)";
    "groups-rewritten" "groups" How::SetGroup("rewritten_seq = seq"), "rewritten_seq < 0 OR rewritten_seq > seq";
    "members-without-group" "members" How::Delete, "NOT EXISTS (SELECT 1 FROM groups g WHERE g.guid = members.guid)";
    "members-of-deleted-group" "members" How::Delete, "scope >= 0 AND EXISTS
        (SELECT 1 FROM groups g WHERE g.guid = members.guid AND g.deleted_at IS NOT NULL)";
    "members-hidden" "members" How::Delete, "scope BETWEEN -4 AND -1
        AND NOT EXISTS (SELECT 1 FROM syncs s WHERE s.sync = -members.seq)";
    "members-without-user" "members" How::Leave, "NOT EXISTS (SELECT 1 FROM users u WHERE u.uid = members.uid)";
    "members-scope" "members" How::Touch("scope = 0"), "scope > 3 OR scope < -4";
    "members-joined" "members" How::Touch("joined_at = $NOW / 1000"), "joined_at < 0 OR joined_at > 253402300799";
    "members-number" "members" How::Touch("scope = scope"), "scope >= 0 AND (seq < 1
        OR seq > (SELECT g.seq FROM groups g WHERE g.guid = members.guid))";
    "members-touched" "members" How::Touch("scope = scope"), "scope >= 0
        AND seq > (SELECT g.seq - 10000 FROM groups g WHERE g.guid = members.guid)
        AND EXISTS (SELECT 1 FROM events e WHERE e.guid = members.guid AND e.seq = members.seq)
        AND NOT EXISTS (SELECT 1 FROM touched t WHERE t.guid = members.guid AND t.seq = members.seq AND t.uid = members.uid)";
    "bans-without-group" "bans" How::Delete, "NOT EXISTS (SELECT 1 FROM groups g WHERE g.guid = bans.guid)";
    "bans-of-deleted-group" "bans" How::Delete, "EXISTS
        (SELECT 1 FROM groups g WHERE g.guid = bans.guid AND g.deleted_at IS NOT NULL)";
    // A row with a malformed id belongs to nobody, and no request can name it. A row whose author is malformed cannot be read.
    "bans-uid" "bans" How::Delete, "MALFORMED(uid)";
    "bans-uid" "bans" How::Set("by_uid = NULL"), "MALFORMED(by_uid)";
    "mutes-without-group" "mutes" How::Delete, "NOT EXISTS (SELECT 1 FROM groups g WHERE g.guid = mutes.guid)";
    "mutes-of-deleted-group" "mutes" How::Delete, "EXISTS
        (SELECT 1 FROM groups g WHERE g.guid = mutes.guid AND g.deleted_at IS NOT NULL)";
    "mutes-uid" "mutes" How::Delete, "MALFORMED(uid)";
    "mutes-uid" "mutes" How::Set("by_uid = NULL"), "MALFORMED(by_uid)";
    "notes-without-group" "notes" How::Delete, "NOT EXISTS (SELECT 1 FROM groups g WHERE g.guid = notes.guid)";
    "notes-of-deleted-group" "notes" How::Delete, "EXISTS
        (SELECT 1 FROM groups g WHERE g.guid = notes.guid AND g.deleted_at IS NOT NULL)";
    "temporary-scopes-member" "temporary_scopes" How::Delete, "NOT EXISTS
        (SELECT 1 FROM members m WHERE m.guid = temporary_scopes.guid AND m.uid = temporary_scopes.uid)";
    "temporary-scopes-scope" "temporary_scopes" How::DeleteEnd, "scope NOT IN (1, 2) OR lasting_scope < 0 OR lasting_scope >= scope";
    "events-id" "events" How::Set("id = ''"), "id <> '' AND NO_EVENT_ID(id)";
    "events-id-twice" "events" How::Set("id = ''"), "id IN (SELECT e.id FROM events e WHERE e.id <> '' GROUP BY e.id HAVING count(*) > 1)";
    "touched-without-event" "touched" How::Delete, "NOT EXISTS
        (SELECT 1 FROM events e WHERE e.guid = touched.guid AND e.seq = touched.seq)
        AND seq >= (SELECT COALESCE(min(f.seq), 0) FROM events f WHERE f.guid = touched.guid)";
    "idempotency-group" "idempotency" How::Delete,
        "guid <> '*' AND NOT EXISTS (SELECT 1 FROM groups g WHERE g.guid = idempotency.guid)";
    "idempotency-caller" "idempotency" How::Delete, "(MALFORMED(caller) AND caller <> '*host*') OR act = '' OR key = ''";
    "idempotency-times" "idempotency" How::Delete, "IMPOSSIBLE(at)";
    "syncs-phase" "syncs" How::Set("phase = 2"), "phase NOT IN (0, 1, 2)";
    "sync-rows-state" "syncs" How::Set("phase = 2"), "phase = 0 AND sync IN (SELECT r.sync FROM sync_rows r
        WHERE r.state NOT IN (0, 1, 2, 3, 4) OR r.scope NOT IN (-1, 0, 1, 2, 3))";
    // The sync is not applied any more. The sweep of a running service removes the rest that it prepared.
    "sync-rows-state" "sync_rows" How::Delete, "state NOT IN (0, 1, 2, 3, 4) OR scope NOT IN (-1, 0, 1, 2, 3)";
    "sync-rows-without-sync" "sync_rows" How::Delete,
        "NOT EXISTS (SELECT 1 FROM syncs s WHERE s.sync = sync_rows.sync)";
    "sync-renames-group" "sync_renames" How::Delete,
        "NOT EXISTS (SELECT 1 FROM groups g WHERE g.guid = sync_renames.guid)";
    "outbox-lanes" "outbox_lanes" How::Delete, "substr(lane, 1, 1) <> '@' OR seq < 1";
    "outbox-number" "outbox_lanes" How::Set("seq = (SELECT max(o.seq) FROM outbox o WHERE o.lane = outbox_lanes.lane)"),
        "seq < (SELECT COALESCE(max(o.seq), 0) FROM outbox o WHERE o.lane = outbox_lanes.lane)";
    "outbox-number" "outbox" How::Delete,
        "seq < 1 OR NOT EXISTS (SELECT 1 FROM outbox_lanes l WHERE l.lane = outbox.lane)";
    "outbox-kind" "outbox" How::Delete, "kind NOT IN ($OUTBOX)";
    "webhook-endpoint-numbers" "webhook_endpoints" How::Set("attempts = 0, due_at = 0, failing_since = 0,
        seen_at = CASE WHEN seen_at < 0 THEN 0 ELSE seen_at END,
        answered_at = CASE WHEN answered_at < 0 THEN 0 ELSE answered_at END"),
        "seen_at < 0 OR attempts < 0 OR due_at < 0 OR failing_since < 0 OR answered_at < 0";
    "webhook-positions-endpoint" "webhook_positions" How::Delete,
        "NOT EXISTS (SELECT 1 FROM webhook_endpoints w WHERE w.id = webhook_positions.endpoint)";
    "webhook-positions-group" "webhook_positions" How::Delete, "substr(lane, 1, 1) <> '@'
        AND NOT EXISTS (SELECT 1 FROM groups g WHERE g.guid = webhook_positions.lane)";
    // As in the check, not in lanes of erasures, which the service sweeps, and not while a node holds the position.
    "webhook-positions-lane" "webhook_positions" How::Delete, "substr(lane, 1, 1) = '@' AND substr(lane, 1, 8) <> '@erased-'
        AND (token = '' OR lease_until < $NOW)
        AND NOT EXISTS (SELECT 1 FROM outbox_lanes l WHERE l.lane = webhook_positions.lane)";
    "webhook-positions-number" "webhook_positions" How::Set("token = '', lease_until = 0, replay_seq = 0, seq =
        (SELECT l.seq FROM (SELECT guid AS lane, seq FROM groups UNION ALL SELECT lane, seq FROM outbox_lanes) l
         WHERE l.lane = webhook_positions.lane)"), "EXISTS
        (SELECT 1 FROM (SELECT guid AS lane, seq FROM groups UNION ALL SELECT lane, seq FROM outbox_lanes) l
         WHERE l.lane = webhook_positions.lane AND (webhook_positions.seq > l.seq OR webhook_positions.seq < 0
           OR webhook_positions.replay_seq > l.seq OR webhook_positions.replay_seq < 0))";
    "webhook-positions-numbers" "webhook_positions" How::Set(
        "lease_until = 0, attempts = 0, due_at = 0, failing_since = 0, dead = 0, replay_at = 0"),
        "lease_until < 0 OR attempts < 0 OR due_at < 0 OR failing_since < 0 OR dead < 0 OR replay_at < 0";
    "erasure-positions" "erasure_positions" How::Set(
        "seq = (SELECT g.seq FROM groups g WHERE g.guid = erasure_positions.guid)"),
        "EXISTS (SELECT 1 FROM groups g WHERE g.guid = erasure_positions.guid
                 AND (erasure_positions.seq < 0 OR erasure_positions.seq > g.seq))";
    "erasure-positions-without-erasure" "erasure_positions" How::Delete,
        "NOT EXISTS (SELECT 1 FROM erasures e WHERE e.uid = erasure_positions.uid)";
    "erasure-positions-without-group" "erasure_positions" How::Delete,
        "NOT EXISTS (SELECT 1 FROM groups g WHERE g.guid = erasure_positions.guid)";
    "reported-presence" "reported_presence" How::Delete, "status NOT IN ('online', 'away')";
}

/// The repairs of what a check found.
pub fn repairs(check: &str) -> Vec<Repair> {
    REPAIRS.iter().filter(|repair| repair.check == check).copied().collect()
}

impl Repair {
    /// Whether it changes what nodes keep in memory, so that the group has an event.
    pub fn emits_event(&self) -> bool {
        match self.how {
            How::Leave | How::Touch(_) | How::DeleteEnd | How::SetGroup(_) => true,
            How::Delete | How::Set(_) => false,
        }
    }

    /// The tables with rows that it changes, each with the SQL condition of these rows.
    pub(super) fn changes(&self) -> impl Iterator<Item = (&'static str, String)> {
        let members = (self.how == How::DeleteEnd).then(|| {
            let whose = format!("(guid, uid) IN (SELECT guid, uid FROM {} WHERE {})", self.table, self.broken);
            ("members", whose)
        });
        std::iter::once((self.table, self.broken.to_owned())).chain(members)
    }
}

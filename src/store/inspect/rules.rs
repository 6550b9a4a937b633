//! The invariants of rows that SQL can check. Each rule selects `guid`, `uid` and `detail` of the rows that break it.
//!
//! Both databases read the same text. `MALFORMED(column)` is what is no id, `NO_EVENT_ID(column)` what is no id of an
//! event, `IMPOSSIBLE(column)` a time in milliseconds that is before 1973 or after tomorrow, `$NOW` now, `$KINDS`,
//! `$TYPES` and `$OUTBOX` the words that are known.

use strum::VariantArray;

use super::finding::Check;
use crate::domain::EventKind;
use crate::domain::event_type::{LOG_RESTARTED, TEST, USER_DELETED, USER_PRESENCE};

/// A rule, and the statement that selects what breaks it.
pub(super) struct Rule {
    pub(super) check: Check,
    sql: &'static str,
}

macro_rules! rules {
    ($($name:literal, $mend:literal: $sql:literal;)+) => {
        /// Every rule, in the order of `docs/doctor.md`.
        pub(super) const RULES: &[Rule] =
            &[$(Rule { check: Check { name: $name, mend: $mend }, sql: $sql }),+];
    };
}

rules! {
    "facts", "start the service once: it makes what is missing; `migrate --new-epoch` makes another epoch":
        "SELECT '' AS guid, '' AS uid, 'the fact ' || n.name || ' is missing or malformed' AS detail
         FROM (SELECT 'epoch' AS name UNION ALL SELECT 'pseudonym_key') n
         LEFT JOIN facts f ON f.name = n.name WHERE f.value IS NULL OR MALFORMED(f.value)";
    "users-uid", "restore a backup; no request can name this user":
        "SELECT '' AS guid, uid, 'this is no uid' AS detail FROM users WHERE MALFORMED(uid) OR uid = 'app_system'";
    "users-times", "`PUT /v3/users/UID` sets updated_at; created_at by hand: UPDATE users SET created_at = updated_at WHERE uid = …":
        "SELECT '' AS guid, uid, 'created_at ' || created_at || ', updated_at ' || updated_at || ': an impossible time' AS detail
         FROM users WHERE IMPOSSIBLE(created_at) OR IMPOSSIBLE(updated_at)";
    "groups-guid", "restore a backup; no request can name this group":
        "SELECT guid, '' AS uid, 'this is no guid' AS detail FROM groups WHERE MALFORMED(guid)";
    "groups-type", "by hand, with every node stopped: UPDATE groups SET type = 'private' WHERE guid = …; then set the right one: PUT /v3/groups/GUID":
        "SELECT guid, '' AS uid, 'the type ' || type || ' is unknown' AS detail FROM groups WHERE type NOT IN ($TYPES)";
    "groups-number", "`doctor --mend` raises a number that is behind its log; else restore a backup":
        "SELECT g.guid, '' AS uid, 'its number is ' || g.seq || ', and the last event of its log is '
           || COALESCE(CAST(e.last AS TEXT), 'missing') AS detail
         FROM groups g LEFT JOIN (SELECT guid, max(seq) AS last FROM events GROUP BY guid) e ON e.guid = g.guid
         WHERE g.seq < 0 OR g.seq <> COALESCE(e.last, 0)";
    "groups-rewritten", "`doctor --mend` sets it to the group's number":
        "SELECT guid, '' AS uid, 'rewritten_seq ' || rewritten_seq || ' is beyond its number ' || seq AS detail
         FROM groups WHERE rewritten_seq < 0 OR rewritten_seq > seq";
    "groups-times", "`PUT /v3/groups/GUID` sets updated_at; created_at by hand: UPDATE groups SET created_at = updated_at WHERE guid = …":
        "SELECT guid, '' AS uid, 'created_at ' || created_at || ', updated_at ' || updated_at || ', deleted_at '
           || COALESCE(CAST(deleted_at AS TEXT), 'none') || ': an impossible time' AS detail
         FROM groups WHERE IMPOSSIBLE(created_at) OR IMPOSSIBLE(updated_at) OR IMPOSSIBLE(deleted_at)";
    "members-without-user", "`doctor --mend` removes the row, which nobody is shown":
        "SELECT m.guid, m.uid, 'a member, and there is no such user' AS detail
         FROM members m LEFT JOIN users u ON u.uid = m.uid WHERE u.uid IS NULL";
    "members-without-group", "`doctor --mend` removes the row, which nobody is shown":
        "SELECT m.guid, m.uid, 'a member, and there is no such group' AS detail
         FROM members m LEFT JOIN groups g ON g.guid = m.guid WHERE g.guid IS NULL";
    "members-of-deleted-group", "`doctor --mend` removes the row, which nobody is shown":
        "SELECT m.guid, m.uid, 'a member of a deleted group' AS detail
         FROM members m JOIN groups g ON g.guid = m.guid WHERE g.deleted_at IS NOT NULL AND m.scope >= 0";
    "members-scope", "`doctor --mend` makes them a participant, the least there is":
        "SELECT guid, uid, 'the scope ' || scope || ' is unknown: the group cannot be read' AS detail
         FROM members WHERE scope > 3 OR scope < -4";
    "members-hidden", "`doctor --mend` removes the row, which nobody is shown":
        "SELECT m.guid, m.uid, 'hidden, as by a sync that is not on its way' AS detail
         FROM members m WHERE m.scope BETWEEN -4 AND -1
           AND NOT EXISTS (SELECT 1 FROM syncs s WHERE s.sync = -m.seq)";
    "members-number", "`doctor --mend` gives the member the number of a new event":
        "SELECT m.guid, m.uid, 'changed by event ' || m.seq || ', and the number of the group is ' || g.seq AS detail
         FROM members m JOIN groups g ON g.guid = m.guid WHERE m.scope >= 0 AND (m.seq < 1 OR m.seq > g.seq)";
    "members-joined", "`doctor --mend` sets it to now":
        "SELECT guid, uid, 'joined_at ' || joined_at || ' is no time in seconds' AS detail
         FROM members WHERE joined_at < 0 OR joined_at > 253402300799";
    "members-banned", "ban them again, which puts them out: POST /v3/groups/GUID/bannedusers/UID":
        "SELECT m.guid, m.uid, 'a member and banned at once' AS detail
         FROM members m JOIN bans b ON b.guid = m.guid AND b.uid = m.uid
         WHERE m.scope >= 0 AND (b.until_at IS NULL OR b.until_at > $NOW)";
    "members-touched", "`doctor --mend` gives the member a new event":
        "SELECT m.guid, m.uid, 'changed by event ' || m.seq || ', which does not name them' AS detail
         FROM members m JOIN groups g ON g.guid = m.guid JOIN events e ON e.guid = m.guid AND e.seq = m.seq
         LEFT JOIN touched t ON t.guid = m.guid AND t.seq = m.seq AND t.uid = m.uid
         WHERE m.scope >= 0 AND t.uid IS NULL AND m.seq > g.seq - 10000";
    // Ordered by number instead, SQLite walks the group's log backwards for each member: quadratic after an import, which touches all
    // of them in one event.
    "members-logged", "give them the right scope, from another one: PUT /v3/groups/GUID/members/UID":
        "SELECT guid, uid, 'the scope ' || scope || ', and the last event about them says '
           || CASE told WHEN -1 THEN 'that they are out' ELSE CAST(told AS TEXT) END AS detail
         FROM (SELECT m.guid, m.uid, m.scope, (SELECT COALESCE(t.new_scope, -1) FROM touched t
                 WHERE t.uid = m.uid AND t.guid = m.guid
                   AND t.seq = (SELECT max(l.seq) FROM touched l WHERE l.uid = m.uid AND l.guid = m.guid)) AS told
               FROM members m WHERE m.scope BETWEEN 0 AND 3) l
         WHERE told <> scope";
    "owners", "take the group over, then give it to one: PATCH /v3/groups/GUID/owner with `{\"owner\": null}`, then with a uid":
        "SELECT guid, min(uid) AS uid, count(*) || ' owners instead of one, among them ' || min(uid) || ' and ' || max(uid) AS detail
         FROM members WHERE scope = 3 GROUP BY guid HAVING count(*) > 1";
    "bans-without-group", "`doctor --mend` removes the row":
        "SELECT b.guid, b.uid, 'banned, and there is no such group' AS detail
         FROM bans b LEFT JOIN groups g ON g.guid = b.guid WHERE g.guid IS NULL";
    "bans-of-deleted-group", "`doctor --mend` removes the row":
        "SELECT b.guid, b.uid, 'banned from a deleted group' AS detail
         FROM bans b JOIN groups g ON g.guid = b.guid WHERE g.deleted_at IS NOT NULL";
    "bans-uid", "`doctor --mend` removes a ban of nobody, and makes one by nobody the host's":
        "SELECT guid, uid, 'banned ' || uid || ' by ' || COALESCE(by_uid, 'the host') || ': not both are uids' AS detail
         FROM bans WHERE MALFORMED(uid) OR MALFORMED(by_uid)";
    "bans-times", "lift the ban and ban again: /v3/groups/GUID/bannedusers/UID":
        "SELECT guid, uid, 'banned at ' || at || ' until ' || COALESCE(CAST(until_at AS TEXT), 'lifted') || ': an impossible time' AS detail
         FROM bans WHERE IMPOSSIBLE(at) OR until_at < 100000000000";
    "mutes-without-group", "`doctor --mend` removes the row":
        "SELECT m.guid, m.uid, 'muted, and there is no such group' AS detail
         FROM mutes m LEFT JOIN groups g ON g.guid = m.guid WHERE g.guid IS NULL";
    "mutes-of-deleted-group", "`doctor --mend` removes the row":
        "SELECT m.guid, m.uid, 'muted in a deleted group' AS detail
         FROM mutes m JOIN groups g ON g.guid = m.guid WHERE g.deleted_at IS NOT NULL";
    "mutes-uid", "`doctor --mend` removes a mute of nobody, and makes one by nobody the host's":
        "SELECT guid, uid, 'muted ' || uid || ' by ' || COALESCE(by_uid, 'the host') || ': not both are uids' AS detail
         FROM mutes WHERE MALFORMED(uid) OR MALFORMED(by_uid)";
    "mutes-times", "lift the mute and mute again: /v3/groups/GUID/mutedusers/UID":
        "SELECT guid, uid, 'muted at ' || at || ' until ' || until_at || ': an impossible time' AS detail
         FROM mutes WHERE IMPOSSIBLE(at) OR until_at < 100000000000";
    "temporary-scopes-member", "`doctor --mend` removes the row: their scope lasts":
        "SELECT t.guid, t.uid, 'has a scope for a time, and is no member' AS detail
         FROM temporary_scopes t LEFT JOIN members m ON m.guid = t.guid AND m.uid = t.uid WHERE m.uid IS NULL";
    "temporary-scopes-scope", "`doctor --mend` removes the row: their scope lasts":
        "SELECT guid, uid, 'the scope ' || scope || ' ends, and ' || lasting_scope || ' is not below it' AS detail
         FROM temporary_scopes WHERE scope NOT IN (1, 2) OR lasting_scope < 0 OR lasting_scope >= scope";
    "temporary-scopes-times", "set their scope again: PUT /v3/groups/GUID/members/UID":
        "SELECT guid, uid, 'a scope until ' || until_at || ': an impossible time' AS detail
         FROM temporary_scopes WHERE until_at < 100000000000";
    "notes-without-group", "`doctor --mend` removes the row":
        "SELECT n.guid, n.uid, 'a note about them, and there is no such group' AS detail
         FROM notes n LEFT JOIN groups g ON g.guid = n.guid WHERE g.guid IS NULL";
    "notes-of-deleted-group", "`doctor --mend` removes the row":
        "SELECT n.guid, n.uid, 'a note about them in a deleted group' AS detail
         FROM notes n JOIN groups g ON g.guid = n.guid WHERE g.deleted_at IS NOT NULL";
    "notes-uid", "delete the row by hand: DELETE FROM notes WHERE guid = … AND uid = … AND seq = …":
        "SELECT guid, uid, 'note ' || seq || ' about ' || uid || ' by ' || by_uid || ': not both are uids' AS detail
         FROM notes WHERE MALFORMED(uid) OR MALFORMED(by_uid)";
    "notes-number", "remove the note: DELETE /groups/GUID/members/UID/notes/SEQ":
        "SELECT n.guid, n.uid, 'note ' || n.seq || ', and the number of the group is ' || g.seq AS detail
         FROM notes n JOIN groups g ON g.guid = n.guid WHERE n.seq < 1 OR n.seq > g.seq";
    "notes-text", "remove the note: DELETE /groups/GUID/members/UID/notes/SEQ":
        "SELECT guid, uid, 'note ' || seq || ' has no text' AS detail FROM notes WHERE text = ''";
    "notes-times", "nothing has to be done: the time is only shown":
        "SELECT guid, uid, 'note ' || seq || ' was written at ' || at || ', an impossible time' AS detail
         FROM notes WHERE IMPOSSIBLE(at)";
    "events-without-group", "restore a backup; nobody reads these events":
        "SELECT e.guid, '' AS uid, count(*) || ' events, and there is no such group' AS detail
         FROM events e LEFT JOIN groups g ON g.guid = e.guid WHERE g.guid IS NULL GROUP BY e.guid";
    "events-kind", "restore a backup, or run the version that wrote it":
        "SELECT guid, '' AS uid, 'event ' || seq || ' is of the unknown kind ' || kind AS detail
         FROM events WHERE kind NOT IN ($KINDS)";
    "events-cause", "restore a backup, or run the version that wrote it":
        "SELECT guid, '' AS uid, 'event ' || seq || ' came about by the unknown cause ' || cause AS detail
         FROM events WHERE cause NOT IN ('viewer', 'host', 'ended', 'sync', 'undo')";
    "events-undo", "restore a backup; the event cannot be undone":
        "SELECT guid, '' AS uid, 'event ' || seq || ' names event ' || COALESCE(undoes, batch) || ' as an earlier one' AS detail
         FROM events WHERE undoes >= seq OR batch > seq OR undoes < 1 OR batch < 1";
    "events-number", "`doctor --mend` raises the number of the group":
        "SELECT e.guid, '' AS uid, 'event ' || e.seq || ', and the number of the group is ' || g.seq AS detail
         FROM events e JOIN groups g ON g.guid = e.guid WHERE e.seq < 1 OR e.seq > g.seq";
    "events-gap", "restore a backup, or run `migrate --new-epoch`: everybody reads the groups anew, and the gap stays reported until it is older than the events that are kept":
        "SELECT guid, '' AS uid, 'its log has no events from ' || (seq + 1) || ' to ' || (next - 1) AS detail
         FROM (SELECT guid, seq, lead(seq) OVER (PARTITION BY guid ORDER BY seq) AS next FROM events
           UNION ALL SELECT g.guid, 0 AS seq, min(e.seq) AS next FROM groups g JOIN events e ON e.guid = g.guid
             GROUP BY g.guid, g.seq HAVING min(e.seq) > g.seq - 9999) l
         WHERE next > seq + 1";
    "events-touched", "restore a backup, or `migrate --new-epoch`, after which everybody reads the groups anew":
        "SELECT e.guid, '' AS uid, 'event ' || e.seq || ' (' || e.kind || ') names nobody' AS detail
         FROM events e WHERE substr(e.kind, 1, 7) = 'member_'
           AND NOT EXISTS (SELECT 1 FROM touched t WHERE t.guid = e.guid AND t.seq = e.seq)";
    "events-times", "nothing has to be done: the time is only shown":
        "SELECT guid, '' AS uid, 'event ' || seq || ' happened at ' || at || ', an impossible time' AS detail
         FROM events WHERE IMPOSSIBLE(at)";
    "events-order", "nothing has to be done: the times are only shown":
        "SELECT e.guid, '' AS uid, 'event ' || e.seq || ' happened at ' || e.at || ', and the one before it at ' || p.at AS detail
         FROM events e JOIN events p ON p.guid = e.guid AND p.seq = e.seq - 1 WHERE e.at < p.at";
    "events-actor", "restore a backup: the log cannot be read beyond this event":
        "SELECT guid, by_uid AS uid, 'event ' || seq || ' is by ' || by_uid || ', which is no uid' AS detail
         FROM events WHERE MALFORMED(by_uid)";
    "events-id", "`doctor --mend` empties it: the id is then made from epoch, group and number":
        "SELECT guid, '' AS uid, 'event ' || seq || ' has the malformed id ' || id AS detail
         FROM events WHERE id <> '' AND NO_EVENT_ID(id)";
    "events-id-twice", "`doctor --mend` empties them: the ids are then made from epoch, group and number":
        "SELECT guid, '' AS uid, 'more than one event has the id ' || id || ': ' || count(*) || ' in this group' AS detail
         FROM events WHERE id IN (SELECT e.id FROM events e WHERE e.id <> '' GROUP BY e.id HAVING count(*) > 1)
         GROUP BY guid, id";
    "touched-without-event", "`doctor --mend` removes the row":
        "SELECT t.guid, t.uid, 'touched by event ' || t.seq || ', which is not in the log' AS detail
         FROM touched t LEFT JOIN events e ON e.guid = t.guid AND e.seq = t.seq
         WHERE e.seq IS NULL AND t.seq >= (SELECT COALESCE(min(f.seq), 0) FROM events f WHERE f.guid = t.guid)";
    "touched-scope", "restore a backup: the log cannot be read beyond this event":
        "SELECT guid, uid, 'event ' || seq || ' tells of an unknown scope' AS detail
         FROM touched WHERE old_scope NOT IN (0, 1, 2, 3) OR new_scope NOT IN (0, 1, 2, 3)";
    "touched-uid", "restore a backup: the log cannot be read beyond this event":
        "SELECT guid, uid, 'event ' || seq || ' touched this, which is no uid' AS detail FROM touched WHERE MALFORMED(uid)";
    "idempotency-group", "`doctor --mend` removes the key":
        "SELECT i.guid, '' AS uid, 'the key ' || i.key || ' of ' || i.caller || ' is for no group' AS detail
         FROM idempotency i LEFT JOIN groups g ON g.guid = i.guid WHERE g.guid IS NULL AND i.guid <> '*'";
    "idempotency-caller", "`doctor --mend` removes the key":
        "SELECT guid, caller AS uid, 'the key ' || key || ' is of nobody, or for nothing' AS detail
         FROM idempotency WHERE (MALFORMED(caller) AND caller <> '*host*') OR act = '' OR key = ''";
    "idempotency-times", "`doctor --mend` removes the key":
        "SELECT guid, caller AS uid, 'the key ' || key || ' was used at ' || at || ', an impossible time' AS detail
         FROM idempotency WHERE IMPOSSIBLE(at)";
    "syncs-phase", "`doctor --mend` gives the sync up: what it prepared is removed":
        "SELECT guid, '' AS uid, 'sync ' || sync || ' is in the unknown phase ' || phase AS detail
         FROM syncs WHERE phase NOT IN (0, 1, 2)";
    // The row that is missing is the one that names the group.
    "sync-rows-without-sync", "`doctor --mend` removes the row":
        "SELECT '' AS guid, r.uid, 'staged by sync ' || r.sync || ', which is not on its way' AS detail
         FROM sync_rows r LEFT JOIN syncs s ON s.sync = r.sync WHERE s.sync IS NULL";
    "sync-rows-state", "`doctor --mend` gives the sync up: what it prepared is removed":
        "SELECT COALESCE(s.guid, '') AS guid, r.uid, 'staged by sync ' || r.sync || ' with the scope ' || r.scope
           || ' in state ' || r.state AS detail
         FROM sync_rows r LEFT JOIN syncs s ON s.sync = r.sync
         WHERE r.state NOT IN (0, 1, 2, 3, 4) OR r.scope NOT IN (-1, 0, 1, 2, 3)";
    "sync-renames-group", "`doctor --mend` removes the row":
        "SELECT r.guid, r.uid, 'to be told of a new name, and there is no such group' AS detail
         FROM sync_renames r LEFT JOIN groups g ON g.guid = r.guid WHERE g.guid IS NULL";
    "outbox-lanes", "`doctor --mend` removes the lane":
        "SELECT '' AS guid, '' AS uid, 'the lane ' || lane || ' at ' || seq || ' is none' AS detail
         FROM outbox_lanes WHERE substr(lane, 1, 1) <> '@' OR seq < 1";
    "outbox-number", "`doctor --mend` raises the number of the lane":
        "SELECT '' AS guid, substr(o.lane, 2) AS uid, 'event ' || o.seq || ' of lane ' || o.lane || ' is beyond its number '
           || COALESCE(CAST(l.seq AS TEXT), '(missing)') AS detail
         FROM outbox o LEFT JOIN outbox_lanes l ON l.lane = o.lane WHERE l.seq IS NULL OR o.seq > l.seq OR o.seq < 1";
    "outbox-kind", "`doctor --mend` deletes the event, which no receiver knows":
        "SELECT '' AS guid, substr(lane, 2) AS uid, 'event ' || seq || ' of lane ' || lane || ' is of the unknown kind ' || kind AS detail
         FROM outbox WHERE kind NOT IN ($OUTBOX)";
    "outbox-times", "nothing has to be done: the event is deleted after three days, or at once":
        "SELECT '' AS guid, substr(lane, 2) AS uid, 'event ' || seq || ' of lane ' || lane || ' happened at ' || at
           || ', an impossible time' AS detail FROM outbox WHERE IMPOSSIBLE(at)";
    "webhook-state", "`chat-group-members webhooks resume ID`, or `pause`":
        "SELECT '' AS guid, '' AS uid, 'endpoint ' || id || ' is in the unknown state ' || state AS detail
         FROM webhook_endpoints WHERE state NOT IN ('active', 'paused', 'gone')";
    "webhook-endpoint-numbers", "`doctor --mend` sets them to 0":
        "SELECT '' AS guid, '' AS uid, 'endpoint ' || id || ' has a negative time or number' AS detail
         FROM webhook_endpoints WHERE seen_at < 0 OR attempts < 0 OR due_at < 0 OR failing_since < 0 OR answered_at < 0";
    "webhook-positions-endpoint", "`doctor --mend` removes the position":
        "SELECT p.lane AS guid, '' AS uid, 'a position of endpoint ' || p.endpoint || ', which is not there' AS detail
         FROM webhook_positions p LEFT JOIN webhook_endpoints w ON w.id = p.endpoint WHERE w.id IS NULL";
    "webhook-positions-group", "`doctor --mend` removes the position":
        "SELECT p.lane AS guid, '' AS uid, 'endpoint ' || p.endpoint || ' stands in a group that is not there' AS detail
         FROM webhook_positions p LEFT JOIN groups g ON g.guid = p.lane
         WHERE g.guid IS NULL AND substr(p.lane, 1, 1) <> '@'";
    // A running service removes positions in lanes of erasures itself, with its next sweep (`webhooks/erased_lanes.rs`).
    "webhook-positions-lane", "`doctor --mend` removes the position":
        "SELECT '' AS guid, substr(p.lane, 2) AS uid, 'endpoint ' || p.endpoint || ' stands in the lane ' || p.lane
           || ', which is not there' AS detail
         FROM webhook_positions p LEFT JOIN outbox_lanes l ON l.lane = p.lane
         WHERE l.lane IS NULL AND substr(p.lane, 1, 1) = '@' AND substr(p.lane, 1, 8) <> '@erased-'
           AND (p.token = '' OR p.lease_until < $NOW)";
    "webhook-positions-number", "`doctor --mend` sets the position to the end of the log":
        "SELECT p.lane AS guid, '' AS uid, 'endpoint ' || p.endpoint || ' has event ' || p.seq || ' (again until ' || p.replay_seq
           || '), and the log ends at ' || l.seq AS detail
         FROM webhook_positions p
         JOIN (SELECT guid AS lane, seq FROM groups UNION ALL SELECT lane, seq FROM outbox_lanes) l ON l.lane = p.lane
         WHERE p.seq > l.seq OR p.seq < 0 OR p.replay_seq > l.seq OR p.replay_seq < 0";
    "webhook-positions-numbers", "`doctor --mend` sets them to 0":
        "SELECT lane AS guid, '' AS uid, 'endpoint ' || endpoint || ' has a negative time or number there' AS detail
         FROM webhook_positions
         WHERE lease_until < 0 OR attempts < 0 OR due_at < 0 OR failing_since < 0 OR dead < 0 OR replay_at < 0";
    "logouts", "have the host log the person out again: DELETE /v3/users/UID/auth_tokens":
        "SELECT '' AS guid, person AS uid, 'logged out at ' || at || ' as number ' || version || ': not all of it is possible' AS detail
         FROM logouts WHERE MALFORMED(person) OR substr(person, 1, 7) <> 'erased-' OR IMPOSSIBLE(at) OR version < 1";
    "erasures", "have the host erase the person again: DELETE /v3/users/UID":
        "SELECT '' AS guid, uid, 'erased as ' || pseudonym || ' since ' || at || ': not all of it is possible' AS detail
         FROM erasures WHERE MALFORMED(uid) OR MALFORMED(pseudonym) OR substr(pseudonym, 1, 7) <> 'erased-'
           OR IMPOSSIBLE(at) OR IMPOSSIBLE(left_at)";
    "erasure-positions", "`doctor --mend` sets it to the group's number":
        "SELECT p.guid, p.uid, 'left at event ' || p.seq || ', and the number of the group is ' || g.seq AS detail
         FROM erasure_positions p JOIN groups g ON g.guid = p.guid WHERE p.seq < 0 OR p.seq > g.seq";
    "erasure-positions-without-erasure", "`doctor --mend` removes the row":
        "SELECT p.guid, p.uid, 'to be erased up to event ' || p.seq || ', and no erasure of them is on its way' AS detail
         FROM erasure_positions p LEFT JOIN erasures e ON e.uid = p.uid WHERE e.uid IS NULL";
    "erasure-positions-without-group", "`doctor --mend` removes the row":
        "SELECT p.guid, p.uid, 'to be erased up to event ' || p.seq || ', and there is no such group' AS detail
         FROM erasure_positions p LEFT JOIN groups g ON g.guid = p.guid WHERE g.guid IS NULL";
    "reported-presence", "`doctor --mend` removes the row: the status is told anew":
        "SELECT '' AS guid, uid, 'webhooks were told the unknown status ' || status AS detail
         FROM reported_presence WHERE status NOT IN ('online', 'away')";
    "presence-reporter", "`doctor --mend` makes the row again":
        "SELECT '' AS guid, '' AS uid, 'the row that says which node tells webhooks of presence is missing' AS detail
         FROM (SELECT count(*) AS rows_of_1 FROM presence_reporter WHERE id = 1) c WHERE c.rows_of_1 <> 1";
}

/// The words that stand for a test in a rule, each with what SQLite and PostgreSQL make of it.
const PLACEHOLDERS: [(&str, &str, &str); 3] = [
    ("MALFORMED(", "(@ GLOB '*[^-A-Za-z0-9_]*' OR length(@) NOT BETWEEN 1 AND 100)", "(@ !~ '^[A-Za-z0-9_-]{1,100}$')"),
    (
        "NO_EVENT_ID(",
        "(length(@) <> 36 OR substr(@, 1, 4) <> 'evt_' OR substr(@, 5) GLOB '*[^0-9a-f]*')",
        "(@ !~ '^evt_[0-9a-f]{32}$')",
    ),
    ("IMPOSSIBLE(", "(@ < 100000000000 OR @ > $NOW + 86400000)", "(@ < 100000000000 OR @ > $NOW + 86400000)"),
];

/// The tables of which PostgreSQL keeps no log.
const UNLOGGED: [&str; 2] = ["syncs", "sync_rows"];

impl Rule {
    /// Its statement for one of the databases. `now` in Unix milliseconds.
    pub(super) fn sql(&self, is_postgres: bool, now: i64) -> String {
        expand(self.sql, is_postgres, now)
    }

    /// Whether it reads what only a primary has: the tables of syncs that are on their way.
    pub(super) fn reads_unlogged(&self) -> bool {
        UNLOGGED.iter().any(|table| self.sql.split_whitespace().any(|word| word == *table))
    }
}

/// A statement with its placeholders replaced for one of the databases. `now` in Unix milliseconds.
pub(in crate::store) fn expand(sql: &str, is_postgres: bool, now: i64) -> String {
    let words =
        |words: &mut dyn Iterator<Item = &str>| words.map(|word| format!("'{word}'")).collect::<Vec<_>>().join(", ");
    let mut sql = sql.to_owned();
    for (word, sqlite, postgres) in PLACEHOLDERS {
        while let Some(at) = sql.find(word) {
            let from = at + word.len();
            let until = from + sql[from..].find(')').expect("a placeholder ends");
            let test = if is_postgres { postgres } else { sqlite };
            let test = test.replace('@', &sql[from..until]);
            sql.replace_range(at..=until, &test);
        }
    }
    sql.replace("$KINDS", &words(&mut EventKind::VARIANTS.iter().map(|kind| kind.as_str())))
        .replace("$TYPES", &words(&mut ["public", "private", "password"].into_iter()))
        .replace("$OUTBOX", &words(&mut [LOG_RESTARTED, USER_DELETED, USER_PRESENCE, TEST].into_iter()))
        .replace("$NOW", &now.to_string())
}

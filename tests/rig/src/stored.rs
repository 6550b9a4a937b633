//! Reads what was stored, past the service.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::checks::{Event, Stored};
use super::database::Database;

const EVENTS: &str = "SELECT guid, seq, kind, coalesce(by_uid, ''), at FROM events ORDER BY guid, seq";
const TOUCHED: &str = "SELECT t.guid, t.seq, t.uid, coalesce(t.new_scope, -1) FROM touched t";
const MEMBERS: &str = "SELECT guid, uid, scope FROM members";
const MUTES: &str = "SELECT guid, uid, until_at / 1000 FROM mutes";
const HEADS: &str = "SELECT guid, seq FROM groups";

/// Bans, mutes and scopes whose end comes within a minute, or is not written yet, with the milliseconds until then.
const ENDING: &str = "SELECT what, guid, uid, CAST(until_at - extract(epoch FROM now()) * 1000 AS bigint) \
     FROM (SELECT 'ban' AS what, guid, uid, until_at FROM bans \
     UNION ALL SELECT 'mute', guid, uid, until_at FROM mutes \
     UNION ALL SELECT 'scope', guid, uid, until_at FROM temporary_scopes) AS ends \
     WHERE until_at < extract(epoch FROM now()) * 1000 + 60000";

/// By then the last bans, mutes and scopes with an end are over, also after a database that has just come back.
const QUIET: Duration = Duration::from_secs(60);
/// An end that is not written so long after it, in milliseconds, is not to come.
const OVERDUE: i64 = 10_000;

/// Groups that have several owners, or none and are not the host's.
pub const NOT_ONE_OWNER: &str = "SELECT g.guid, count(m.uid) FROM groups g \
     LEFT JOIN members m ON m.guid = g.guid AND m.scope = 3 GROUP BY g.guid \
     HAVING count(m.uid) > 1 OR (count(m.uid) = 0 AND g.guid NOT IN ('jetty', 'pier', 'quay'))";

/// Everything, at a moment when nothing happens: bans, mutes and scopes end by themselves, also when nobody acts any more. For an end
/// that does not come nobody waits for ever: what has not ended by then is named.
///
/// # Errors
/// When the database does not answer, a row cannot be read, or events still happen long after the last act.
pub async fn read(database: &Database) -> Result<Stored, String> {
    let begun = Instant::now();
    loop {
        let before = heads(database).await?;
        let (stored, ending) = (read_once(database).await, patiently(database, ENDING).await?);
        let (is_quiet, is_late) = (before == heads(database).await?, begun.elapsed() > QUIET);
        if is_quiet && (ending.is_empty() || is_late) {
            return Ok(Stored { overdue: overdue(ending)?, ..stored? });
        }
        if is_late {
            return Err(format!("events go on for {QUIET:?} after the last act"));
        }
    }
}

/// What should have ended long ago, in words.
fn overdue(ending: Vec<Vec<String>>) -> Result<Vec<String>, String> {
    let mut overdue = Vec::new();
    for row in ending {
        let [what, guid, uid, left] = columns(row)?;
        let left = number(&left)?;
        if left < -OVERDUE {
            overdue.push(format!("the {what} of {uid} in {guid} is there {} ms after its end", -left));
        }
    }
    Ok(overdue)
}

async fn heads(database: &Database) -> Result<HashMap<String, u64>, String> {
    let mut heads = HashMap::new();
    for row in patiently(database, HEADS).await? {
        let [guid, seq] = columns(row)?;
        heads.insert(guid, number(&seq)? as u64);
    }
    Ok(heads)
}

async fn read_once(database: &Database) -> Result<Stored, String> {
    let mut stored = Stored { heads: heads(database).await?, ..Stored::default() };
    for row in patiently(database, EVENTS).await? {
        let [guid, seq, kind, by, at] = columns(row)?;
        let event = Event { kind, by, at: number(&at)?, touched: Vec::new() };
        stored.events.entry(guid).or_default().insert(number(&seq)? as u64, event);
    }
    for row in patiently(database, TOUCHED).await? {
        let [guid, seq, uid, scope] = columns(row)?;
        let event =
            stored.events.get_mut(&guid).and_then(|events| seq.parse().ok().and_then(|seq| events.get_mut(&seq)));
        let event =
            event.ok_or_else(|| format!("{uid} is touched by the event {seq} of {guid}, which is not there"))?;
        event.touched.push((uid, number(&scope)?));
    }
    for row in patiently(database, MEMBERS).await? {
        let [guid, uid, scope] = columns(row)?;
        stored.members.entry(guid).or_default().insert(uid, number(&scope)?);
    }
    for row in patiently(database, MUTES).await? {
        let [guid, uid, until] = columns(row)?;
        stored.mutes.entry(guid).or_default().insert(uid, number(&until)?);
    }
    Ok(stored)
}

/// Asks until the database answers: it may be starting still.
async fn patiently(database: &Database, statement: &str) -> Result<Vec<Vec<String>>, String> {
    let begun = Instant::now();
    loop {
        match database.ask(statement).await {
            Err(_) if begun.elapsed() < Duration::from_secs(30) => tokio::time::sleep(Duration::from_millis(200)).await,
            answered => return answered,
        }
    }
}

fn columns<const N: usize>(row: Vec<String>) -> Result<[String; N], String> {
    row.try_into().map_err(|row| format!("a row with other columns: {row:?}"))
}

fn number(text: &str) -> Result<i64, String> {
    text.parse().map_err(|_| format!("{text} is no number"))
}

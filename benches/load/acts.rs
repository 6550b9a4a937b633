//! Durable acts over HTTP, against what the disk and SQLite do.

use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::str::FromStr;
use std::time::{Duration, Instant};

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};
use tokio::runtime::Runtime;

use crate::client::{Connection, send};
use crate::machine::appends_per_second;
use crate::people;
use crate::report::{Goal, Report, median, per_second, quantile, time};
use crate::service::{ADMINS, token, url};

/// Turns of the actors and of sqlx, one after the other, so that what else the machine does hits both.
const ROUNDS: u32 = 5;
/// How many are banned by one request.
pub const RAIDERS: usize = 1000;
/// Longest that banning them may take on SQLite, seconds.
const RAID_LIMIT: f64 = 0.3;

/// Acts by 64 actors and by one, each answered when it is on the disk.
pub fn measure(report: &mut Report, client: &Runtime, address: SocketAddr, folder: &Path, length: Duration) {
    let turn = length / ROUNDS;
    let before = appends_per_second(folder, length / 4);
    let (mut many, mut sqlx, mut waits) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        sqlx.push(client.block_on(sqlx_commits(&folder.join(format!("sqlx-{round}.db")), turn)));
        let (rate, mut times) = client.block_on(act(address, ADMINS, turn, 1));
        many.push(rate);
        waits.append(&mut times);
    }
    report.hand_over("acts.many.rate", &many);
    report.hand_over("acts.sqlx.rate", &sqlx);
    let (many, sqlx) = (median(&mut many), median(&mut sqlx));
    let raw = cli_commits(folder);
    let (one, mut alone) = client.block_on(act(address, 1, length / 2, 1));
    let disk = (before + appends_per_second(folder, length / 4)) / 2.0;

    report
        .section(&format!("Durable acts over HTTP (fdatasync of 4 kB appends: {} in the same run)", per_second(disk)));
    report.line(
        "64 actors vs sqlx, one act per transaction",
        per_second(many),
        per_second(sqlx),
        many / sqlx,
        Goal::AtLeast(3.0),
    );
    match raw {
        Some(raw) => report.line(
            "64 actors vs SQLite's own one-by-one commits (sqlite3)",
            per_second(many),
            per_second(raw),
            many / raw,
            Goal::AtLeast(1.0),
        ),
        None => report.note("SQLite's own one-by-one commits: n/a, no sqlite3 on this machine"),
    }
    report.line("64 actors vs fdatasync appends", per_second(many), per_second(disk), many / disk, Goal::None);
    let (p50, p99) = (quantile(&mut waits, 0.5), quantile(&mut waits, 0.99));
    report.line("64 actors: p99 vs p50", time(p99), time(p50), p99 / p50, Goal::AtMost(2.5));
    let own = quantile(&mut alone, 0.5);
    report.line(
        "one actor: time of an act vs one fdatasync append",
        format!("{} {}", time(own), per_second(one)),
        time(1.0 / disk),
        own * disk,
        Goal::AtMost(3.0),
    );
}

/// A thousand bans by one request, as an owner sees them answered, and their undoing, in the group `raided`.
pub fn measure_raid(report: &mut Report, client: &Runtime, address: SocketAddr, folder: &Path) {
    let [mut bans, mut undos, mut bare] = client.block_on(ban_and_undo(address, &folder.join("raid.db")));
    report.hand_over("acts.raid.bans", &bans);
    report.hand_over("acts.raid.sqlx", &bare);
    let (ban, undo, bare) = (median(&mut bans), median(&mut undos), median(&mut bare));
    report.section("One act on a thousand people, in one transaction");
    report.line("a thousand bans", time(ban), time(RAID_LIMIT), ban / RAID_LIMIT, Goal::AtMost(1.0));
    report.line("a thousand bans vs sqlx, a row and an event each", time(ban), time(bare), ban / bare, Goal::None);
    report.line("a thousand bans, undone at once", time(undo), time(ban), undo / ban, Goal::None);
}

/// Seconds that the bans, their undoing and the same number of changes by sqlx took, of each round.
async fn ban_and_undo(address: SocketAddr, database: &Path) -> [Vec<f64>; 3] {
    let uids: Vec<_> = (ADMINS + 1..=ADMINS + RAIDERS).map(people::uid).collect();
    let pool = sqlx_pool(database).await;
    let mut tx = pool.begin().await.expect("nobody else writes");
    for uid in &uids {
        let insert = sqlx::query("INSERT INTO m VALUES ('g', $1, 0, 0)").bind(uid.as_str());
        insert.execute(&mut *tx).await.expect("the table is there");
    }
    tx.commit().await.expect("the disk takes it");
    let body = serde_json::json!({"act": "ban", "uid": uids}).to_string();
    let ban = send("POST", "/groups/raided/bulk", &token(0), &body);
    let mut connection = Connection::open(address).await;
    let (mut bans, mut undos, mut bare) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        bare.push(sqlx_raid(&pool, &uids, i64::from(round)).await);
        let asked = Instant::now();
        let answer = connection.ask(&ban).await;
        bans.push(asked.elapsed().as_secs_f64());
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(answer.body));
        let done: serde_json::Value = serde_json::from_slice(answer.body).expect("the answer is JSON");
        let path = format!("/groups/raided/events/{}/undo", done["meta"]["batch"]);
        let undo = send("POST", &path, &token(0), "{\"batch\":true}");
        let asked = Instant::now();
        assert_eq!(connection.ask(&undo).await.status, 200);
        undos.push(asked.elapsed().as_secs_f64());
    }
    pool.close().await;
    [bans, undos, bare]
}

/// Seconds of one transaction with an update and an event of each of these people.
async fn sqlx_raid(pool: &SqlitePool, uids: &[String], round: i64) -> f64 {
    let begun = Instant::now();
    let mut tx = pool.begin_with("BEGIN IMMEDIATE").await.expect("nobody else writes");
    for (seq, uid) in (round * RAIDERS as i64..).zip(uids) {
        let update = sqlx::query("UPDATE m SET scope = 1 - scope, seq = $1 WHERE g = 'g' AND uid = $2").bind(seq);
        update.bind(uid.as_str()).execute(&mut *tx).await.expect("the table is there");
        let event = sqlx::query("INSERT INTO e VALUES ('g', $1, 'member_banned', $2, $3)").bind(seq).bind(seq);
        event.bind(uid.as_str()).execute(&mut *tx).await.expect("the table is there");
    }
    tx.commit().await.expect("the disk takes it");
    begun.elapsed().as_secs_f64()
}

/// So many actors, each changing the scope of somebody of their own and back, one act after the
/// other, spread over so many groups; answers acts a second and how long each took.
pub async fn act(address: SocketAddr, actors: usize, length: Duration, in_groups: usize) -> (f64, Vec<f64>) {
    let begun = Instant::now();
    let tasks: Vec<_> = (0..actors)
        .map(|actor| {
            tokio::spawn(async move {
                let target = people::uid(ADMINS + 1 + actor);
                let path = format!("/groups/{}/members/{target}/scope", group(actor % in_groups));
                let request = |scope: &str| send("PUT", &path, &token(actor), &format!("{{\"scope\":\"{scope}\"}}"));
                let requests = [request("moderator"), request("participant")];
                let mut connection = Connection::open(address).await;
                // Where a run before this one left off does not matter: the first act may be none.
                connection.ask(&requests[1]).await;
                let mut times = Vec::new();
                while begun.elapsed() < length || times.len() % 2 == 1 {
                    let asked = Instant::now();
                    let answer = connection.ask(&requests[times.len() % 2]).await;
                    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(answer.body));
                    times.push(asked.elapsed().as_secs_f64());
                }
                times
            })
        })
        .collect();
    let mut times = Vec::new();
    for task in tasks {
        times.extend(task.await.expect("an actor's task ends"));
    }
    (times.len() as f64 / begun.elapsed().as_secs_f64(), times)
}

/// The group of this number that is acted in.
pub fn group(number: usize) -> String {
    if number == 0 { "small".into() } else { format!("small-{number}") }
}

const TABLES: &str = "CREATE TABLE m (g TEXT, uid TEXT, scope INT, seq INT, PRIMARY KEY (g, uid)) WITHOUT ROWID;
    CREATE TABLE e (g TEXT, seq INT, kind TEXT, at INT, uid TEXT, PRIMARY KEY (g, seq)) WITHOUT ROWID;
    INSERT INTO m VALUES ('g', 'u', 0, 0);";

/// A new database with these tables, each of whose commits is on the disk.
async fn sqlx_pool(database: &Path) -> SqlitePool {
    let options = SqliteConnectOptions::from_str(&url(database))
        .expect("a path is a URL")
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full);
    let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options).await.expect("the folder is writable");
    sqlx::raw_sql(TABLES).execute(&pool).await.expect("the database is new");
    pool
}

/// The usual way: a pool, and for each act a transaction with one update and one event.
async fn sqlx_commits(database: &Path, length: Duration) -> f64 {
    let pool = sqlx_pool(database).await;
    let (begun, mut done) = (Instant::now(), 0i64);
    while begun.elapsed() < length {
        done += 1;
        let mut tx = pool.begin_with("BEGIN IMMEDIATE").await.expect("nobody else writes");
        let update = sqlx::query("UPDATE m SET scope = 1 - scope, seq = $1 WHERE g = 'g' AND uid = 'u'").bind(done);
        update.execute(&mut *tx).await.expect("the table is there");
        let event =
            sqlx::query("INSERT INTO e VALUES ('g', $1, 'member_scope_changed', $2, 'u')").bind(done).bind(done);
        event.execute(&mut *tx).await.expect("the table is there");
        tx.commit().await.expect("the disk takes it");
    }
    let rate = done as f64 / begun.elapsed().as_secs_f64();
    pool.close().await;
    rate
}

/// The same acts, one transaction each, by SQLite's own program; `None` when it is not here.
fn cli_commits(folder: &Path) -> Option<f64> {
    const ACTS: usize = 5000;
    let mut script = format!("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; {TABLES}");
    let setup = script.clone();
    for act in 1..=ACTS {
        script += &format!(
            "BEGIN IMMEDIATE; UPDATE m SET scope = 1 - scope, seq = {act} WHERE g = 'g' AND uid = 'u';
             INSERT INTO e VALUES ('g', {act}, 'member_scope_changed', {act}, 'u'); COMMIT;\n"
        );
    }
    let idle = sqlite3(&folder.join("idle.db"), &setup)?;
    let busy = sqlite3(&folder.join("busy.db"), &script)?;
    Some(ACTS as f64 / (busy - idle).max(1e-9))
}

/// Runs a script with SQLite's own program; answers the seconds it took.
pub fn sqlite3(database: &Path, script: &str) -> Option<f64> {
    let begun = Instant::now();
    let mut child = Command::new("sqlite3").arg(database).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().ok()?;
    child.stdin.take()?.write_all(script.as_bytes()).ok()?;
    child.wait().ok()?.success().then(|| begun.elapsed().as_secs_f64())
}

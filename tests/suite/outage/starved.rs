//! A server that is there and does not do everything: no connections, no locks, no writes.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use chat_group_members::domain::{GroupType, Scope};
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::json;
use tokio::task::JoinHandle;

use super::{alarms_see, kick, measured, refused_for_now, until_yes, world};
use crate::support::cluster::{Cluster, Setup};
use crate::support::program::bare;
use crate::support::{SECRET, eventually, within};

/// Somebody else runs these statements, which lock something and then sleep; answers once they sleep.
async fn hold(cluster: &Arc<Cluster>, statements: &'static str) -> JoinHandle<()> {
    let theirs = cluster.clone();
    let holding = tokio::task::spawn_blocking(move || {
        theirs.sql("chat", statements);
    });
    eventually("somebody holds it", async || {
        cluster.sql("chat", "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'") == "1"
    })
    .await;
    holding
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn out_of_connections_it_says_so_and_recovers() {
    let cluster = Cluster::start();
    cluster.create_database("chat");
    cluster.sql("postgres", "CREATE ROLE app LOGIN; ALTER DATABASE chat OWNER TO app");
    let world = world(&format!("postgres://app@127.0.0.1:{}/chat", cluster.port)).await;
    let seen = world.eve.sees().await;
    // One is left to them, and that is not enough for anything.
    cluster.sql(
        "postgres",
        "ALTER ROLE app CONNECTION LIMIT 1;
         SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = 'app'",
    );
    // Those who were refused it try again more and more rarely.
    within(Duration::from_secs(30), "the last one to be taken", async {
        while cluster.sql("postgres", "SELECT count(*) FROM pg_stat_activity WHERE usename = 'app'") != "1" {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
    let (act, read) = (kick(&world.ben, "dee", "k1"), world.ben.data("/groups/den/bans"));
    tokio::join!(refused_for_now("an act", act), refused_for_now("a read", read));
    assert_eq!(world.eve.sees().await, seen);
    eventually("the operator is told why", async || {
        let ready = world.ben.get("/readyz").await;
        assert_ne!(ready.body, "the database cannot be used\n", "no refusal is without its cause");
        ready.status == 503 && ready.body.contains("too many connections")
    })
    .await;
    let for_reads = world.ben.get("/readyz?for=reads").await;
    assert_eq!(for_reads.status, 200, "lists are served from memory: {}", for_reads.body);
    alarms_see(&world, false).await;
    cluster.sql("postgres", "ALTER ROLE app CONNECTION LIMIT -1");
    until_yes("an act", || kick(&world.ben, "dee", "k1")).await;
    eventually("it is ready", async || world.ben.get("/readyz").await.status == 200).await;
    alarms_see(&world, true).await;
    until_yes("a read", || world.ben.data("/groups/den/bans")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_connection_for_reads_and_a_group_in_memory_it_is_not_ready_for_reads_and_says_why() {
    let cluster = Cluster::start();
    cluster.create_database("chat");
    cluster.sql("postgres", "CREATE ROLE app LOGIN; ALTER DATABASE chat OWNER TO app");
    let world = world(&format!("postgres://app@127.0.0.1:{}/chat", cluster.port)).await;
    let for_reads = async || world.ben.get("/readyz?for=reads").await;
    for_reads().await.ok();
    cluster.sql("postgres", "ALTER ROLE app CONNECTION LIMIT 1");
    // The connection that asks the server for its status is left.
    cluster.sql(
        "postgres",
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
         WHERE usename = 'app' AND query NOT LIKE '%SELECT pg_is_in_recovery(), NOT%'",
    );
    eventually("the balancer is told why", async || {
        let ready = for_reads().await;
        ready.status == 503 && ready.body.contains("too many connections")
    })
    .await;
    refused_for_now("a list", world.eve.data("/groups/den/members")).await;
    cluster.sql("postgres", "ALTER ROLE app CONNECTION LIMIT -1");
    eventually("it is ready for reads", async || for_reads().await.status == 200).await;
    until_yes("a list", || world.eve.data("/groups/den/members")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_group_that_somebody_holds_is_refused_and_the_others_are_not() {
    let cluster = Arc::new(Cluster::start());
    let world = world(&cluster.create_database("chat")).await;
    let holding =
        hold(&cluster, "BEGIN; SELECT FROM groups WHERE guid = 'den' FOR UPDATE; SELECT pg_sleep(7); COMMIT").await;
    let (others, _) = tokio::join!(
        until_yes("an act on another group", || world.gus.join()),
        // However many there are, nobody waits for those before.
        join_all((0..12).map(|_| refused_for_now("an act on the held group", kick(&world.ben, "dee", "k1")))),
    );
    assert!(others < Duration::from_secs(4), "{others:?}");
    assert_eq!(world.ben.get("/readyz").await.status, 200, "acts on other groups are done");
    assert_eq!(measured(&world, "chat_group_members_store_writable"), 1.0);
    until_yes("the act once it is let go", || kick(&world.ben, "dee", "k1")).await;
    holding.await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_act_waits_for_a_held_group_longer_than_its_role_may_wait() {
    let cluster = Arc::new(Cluster::start());
    cluster.create_database("chat");
    cluster.sql(
        "postgres",
        "CREATE ROLE app LOGIN; ALTER DATABASE chat OWNER TO app; ALTER ROLE app SET statement_timeout = '1s';
         ALTER ROLE app SET lock_timeout = '1s'; ALTER ROLE app SET idle_in_transaction_session_timeout = '1s'",
    );
    let world = world(&format!("postgres://app@127.0.0.1:{}/chat", cluster.port)).await;
    let holding =
        hold(&cluster, "BEGIN; SELECT FROM groups WHERE guid = 'den' FOR UPDATE; SELECT pg_sleep(3); COMMIT").await;
    kick(&world.ben, "dee", "k1").await.ok();
    holding.await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mutes_end_in_other_groups_while_somebody_holds_one() {
    let cluster = Arc::new(Cluster::start());
    let world = world(&cluster.create_database("chat")).await;
    for group in ["den", "park", "vault"] {
        let mute = json!({"until": 60});
        world.cy.act(Method::PUT, &format!("/groups/{group}/mutes/dee"), mute).await.ok();
    }
    let holding =
        hold(&cluster, "BEGIN; SELECT FROM groups WHERE guid = 'park' FOR UPDATE; SELECT pg_sleep(7); COMMIT").await;
    world.clock.advance(61_000);
    eventually("two of three have ended", async || cluster.sql("chat", "SELECT guid FROM mutes") == "park").await;
    assert!(!holding.is_finished(), "while the third is held");
    world.cy.ban("dee", json!({})).await.ok();
    holding.await.unwrap();
    eventually("all have ended", async || cluster.sql("chat", "SELECT guid FROM mutes").is_empty()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn when_every_connection_waits_for_somebody_else_the_operator_is_told_so() {
    let cluster = Arc::new(Cluster::start());
    let world = world(&cluster.create_database("chat")).await;
    // One more than there are connections for acts.
    let rooms: Vec<String> = (0..9).map(|number| format!("room{number}")).collect();
    for room in &rooms {
        let people = [("ada", "Ada", Scope::Owner), ("dee", "Dee", Scope::Participant)];
        world.seed(room, GroupType::Private, people).await;
    }
    let holding = hold(&cluster, "BEGIN; SELECT FROM groups FOR UPDATE; SELECT pg_sleep(12); COMMIT").await;
    let ada = &world.ada;
    let paths: Vec<String> = rooms.iter().map(|room| format!("/groups/{room}/members/dee")).collect();
    let act = |path| until_yes("an act once it is let go", move || ada.act(Method::DELETE, path, json!({})));
    let acts = paths.iter().map(|path| act(path.as_str()));
    tokio::join!(
        join_all(acts),
        eventually("the operator is told why", async || {
            let ready = world.ben.get("/readyz").await;
            ready.status == 503 && ready.body.contains("every connection for acts is busy")
        }),
    );
    holding.await.unwrap();
    eventually("it is ready", async || world.ben.get("/readyz").await.status == 200).await;
    alarms_see(&world, true).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_stops_in_the_middle_of_a_try_keeps_no_other_from_being_ready() {
    let cluster = Arc::new(Cluster::start());
    let world = world(&cluster.create_database("chat")).await;
    let failed = measured(&world, "chat_group_members_store_failed_commits_total");
    let theirs = cluster.clone();
    // Longer than any statement of an act waits for a lock.
    let holding = tokio::task::spawn_blocking(move || {
        theirs.sql(
            "chat",
            "BEGIN; UPDATE facts SET value = value WHERE name = 'write_probe'; SELECT pg_sleep(9); COMMIT",
        );
    });
    eventually("somebody holds the row of the try", async || {
        cluster.sql("chat", "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'") == "1"
    })
    .await;
    while !holding.is_finished() {
        let ready = world.ben.get("/readyz").await;
        assert_eq!(ready.status, 200, "{}", ready.body);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    holding.await.unwrap();
    assert_eq!(measured(&world, "chat_group_members_store_failed_commits_total"), failed);
    kick(&world.ben, "dee", "k1").await.ok();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn made_read_only_it_is_read_from() {
    let cluster = Cluster::start();
    let world = world(&cluster.create_database("chat")).await;
    cluster.set("default_transaction_read_only", "on");
    refused_for_now("an act", kick(&world.ben, "dee", "k1")).await;
    world.ben.data("/groups/den/bans").await.ok();
    alarms_see(&world, false).await;
    world.ben.data("/groups/den/bans").await.ok();
    eventually("the balancer sees it", async || {
        let ready = world.ben.get("/readyz").await;
        ready.status == 503 && ready.body.contains("read-only")
    })
    .await;
    assert_eq!(world.ben.get("/readyz?for=reads").await.status, 200, "it answers");
    cluster.set("default_transaction_read_only", "off");
    until_yes("an act", || kick(&world.ben, "dee", "k1")).await;
}

/// The exit code of the doctor for this database, and what it says.
fn doctor(folder: &Path, url: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let mut doctor = bare(folder);
    doctor.env("CGM_VIEWER_SECRET", SECRET).env("CGM_DATABASE_URL", url).arg("doctor").args(arguments);
    let output = doctor.output().unwrap();
    let bytes = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&bytes).into_owned())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn made_read_only_or_a_standby_it_is_inspected_by_the_doctor_and_not_mended() {
    let cluster = Cluster::start();
    let _world = world(&cluster.create_database("chat")).await;
    let standby = Cluster::standby_of(&cluster, "second", &Setup::default());
    let (code, output) = doctor(tempfile::tempdir().unwrap().path(), &standby.url("chat"), &[]);
    assert_eq!(code, Some(0), "nothing is wrong with a standby: {output}");
    cluster.sql("chat", "UPDATE members SET joined_at = -1 WHERE guid = 'den' AND uid = 'dee'");
    eventually("the standby has the fault", async || {
        standby.sql("chat", "SELECT count(*) FROM members WHERE joined_at = -1") == "1"
    })
    .await;
    cluster.set("default_transaction_read_only", "on");
    eventually("it is read-only", async || cluster.sql("chat", "SHOW default_transaction_read_only") == "on").await;
    let folder = tempfile::tempdir().unwrap();
    for (server, why) in [(&cluster, "it is read-only"), (&standby, "is a standby")] {
        let (code, output) = doctor(folder.path(), &server.url("chat"), &[]);
        assert!(code == Some(1) && output.contains("WRONG  members-joined: group den, user dee"), "{output}");
        assert_eq!(output.contains("a standby was inspected"), server.port == standby.port, "{output}");
        let (code, output) = doctor(folder.path(), &server.url("chat"), &["--mend"]);
        assert!(code == Some(1) && output.contains(why), "{output}");
        assert!(output.contains("WRONG  members-joined: group den, user dee"), "nothing was mended: {output}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "there was nothing to keep");
}

//! One server that is not there for a while.

use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use chat_group_members::config::Secret;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::json;

use super::{Crowd, kick, nothing_is_lost, refused_for_now, until_yes, world};
use crate::support::actor::send;
use crate::support::cluster::{Cluster, Stop};
use crate::support::program::bare;
use crate::support::proxy::Proxy;
use crate::support::sse::Message;
use crate::support::{SECRET, World, eventually};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_it_is_away_lists_and_streams_go_on_and_acts_say_when_to_come_back() {
    let cluster = Cluster::start();
    let world = World::with(|config| {
        config.database_url = cluster.create_database("chat");
        config.api_keys = vec![Secret::new("a-key-of-the-host")];
    })
    .await;
    let (mut events, mut statuses) = (world.eve.events().await, world.eve.events().await);
    assert_eq!(events.next().await.unwrap().name(), "ready");
    let head = world.head("den").await;
    for (how, comer) in [(Stop::Fast, &world.cy), (Stop::Immediate, &world.ada)] {
        let seen = world.eve.sees().await;
        cluster.stop(how);
        let (answer, _) = refused_for_now("the first act", kick(&world.ben, "dee", "k1")).await;
        assert!(answer.body.contains("Nothing was changed"), "{}", answer.body);
        for _ in 0..5 {
            refused_for_now("an act", kick(&world.ben, "dee", "k1")).await;
        }
        let host = |method, path| world.ben.anonymous(method, path).header("apikey", "a-key-of-the-host");
        for asked in [
            host(Method::POST, "/v3/users").json(&json!({"uid": "ida", "name": "Ida"})),
            host(Method::DELETE, "/v3/groups/den/members/dee"),
            host(Method::GET, "/v3/groups/den/bannedusers"),
        ] {
            let answer = send(asked).await;
            assert_eq!((answer.status.as_u16(), answer.header("retry-after")), (503, "2"), "{}", answer.body);
            assert_eq!(answer.json()["error"]["code"], "ERR_UNAVAILABLE", "{}", answer.body);
        }
        // What is read from the database itself is refused as quickly.
        refused_for_now("the banned", world.ben.data("/groups/den/bans")).await;
        assert_eq!(world.eve.anonymous(Method::GET, "/readyz").send().await.unwrap().status(), 503);
        let for_reads = send(world.eve.anonymous(Method::GET, "/readyz?for=reads")).await;
        assert_eq!(for_reads.status, 200, "its lists are served: {}", for_reads.body);

        assert_eq!(world.eve.sees().await, seen);
        let found = comer.get("/groups/den/members?searchKeyword=love").await.ok();
        assert_eq!(found.uids(), ["ada"]);
        let mut new = comer.events().await;
        assert_eq!(new.next().await.unwrap().name(), "ready");
        let comes = |message: &Message| message.name() == "presence" && message.json().to_string().contains(&comer.uid);
        statuses.until("somebody comes", comes).await;
        drop(new);

        cluster.start_again();
        until_yes("an act that comes back", || kick(&world.ben, "dee", "k1")).await;
    }
    assert_eq!(world.head("den").await, head + 1, "it was done once");
    let messages = events.up_to(head + 1).await;
    assert_eq!(messages.iter().filter(|message| message.id.is_some()).count(), 1, "{messages:?}");
    assert_eq!(messages.last().unwrap().name(), "member_kicked");
    assert!(!world.eve.sees().await.contains(&"dee".to_owned()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_in_the_middle_of_acts_it_has_all_that_was_answered() {
    let cluster = Cluster::start();
    let world = world(&cluster.create_database("chat")).await;
    let crowd = Crowd::comes(&world, 16);
    for _ in 0..2 {
        crowd.grows(100).await;
        cluster.kill9();
        cluster.start_again();
    }
    crowd.grows(100).await;
    nothing_is_lost(&world, &crowd.ends().await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_network_that_swallows_everything_hangs_nobody() {
    let cluster = Arc::new(Cluster::start());
    cluster.create_database("chat");
    let proxy = Proxy::to_port(cluster.port).await;
    let world = world(&format!("postgres://tester@127.0.0.1:{}/chat", proxy.port())).await;
    let (seen, head) = (world.eve.sees().await, world.head("den").await);
    falls_silent(&cluster, &world, &proxy, true).await;
    assert_eq!(world.eve.sees().await, seen);
    refused_for_now("a later act", kick(&world.ben, "dee", "k1")).await;
    refused_for_now("a later read", world.ben.data("/groups/den/bans")).await;
    proxy.heal();
    works(&world, head).await;
    eventually("nobody holds anything", async || {
        cluster.sql("chat", "SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in%'") == "0"
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_way_that_is_silent_for_good_is_left_for_another() {
    let cluster = Arc::new(Cluster::start());
    cluster.create_database("chat");
    let (one, other) = (Proxy::to_port(cluster.port).await, Proxy::to_port(cluster.port).await);
    let url = format!("postgres://tester@127.0.0.1:{},127.0.0.1:{}/chat", one.port(), other.port());
    let world = world(&url).await;
    let head = world.head("den").await;
    falls_silent(&cluster, &world, &one, false).await;
    works(&world, head).await;
    // Whoever waited on the silent way holds no place in the pools.
    for answer in join_all((0..12).map(|_| world.ben.data("/groups/den/bans"))).await {
        answer.ok();
    }
}

/// The network falls silent while some are in the middle of something and others have not begun.
async fn falls_silent(cluster: &Arc<Cluster>, world: &World, proxy: &Proxy, alone: bool) {
    world.ben.data("/groups/den/bans").await.ok();
    let theirs = cluster.clone();
    let holding = tokio::task::spawn_blocking(move || {
        theirs.try_sql("chat", "BEGIN; LOCK TABLE bans; SELECT pg_sleep(60); COMMIT")
    });
    let asked = |what: &str| cluster.sql("chat", &format!("SELECT count(*) FROM pg_stat_activity WHERE {what}"));
    eventually("somebody holds the bans", async || asked("wait_event = 'PgSleep'") == "1").await;
    let acts = || refused_for_now("an act in the silence", kick(&world.ben, "dee", "k1"));
    let reads = || refused_for_now("a read in the silence", world.ben.data("/groups/den/bans"));
    let begun = async { tokio::join!(join_all((0..12).map(|_| acts())), join_all((0..12).map(|_| reads()))) };
    let silence = async {
        eventually("they wait", async || asked("wait_event_type = 'Lock'").parse::<u32>().unwrap() > 2).await;
        proxy.stall();
        if alone {
            tokio::join!(join_all((0..12).map(|_| acts())), join_all((0..12).map(|_| reads())));
        }
    };
    tokio::join!(begun, silence);
    cluster.sql("chat", "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'");
    assert!(holding.await.unwrap().is_err(), "it held them all the time");
}

/// The act that was asked for in the silence is done, once.
async fn works(world: &World, head: u64) {
    until_yes("an act after the silence", || kick(&world.ben, "dee", "k1")).await;
    until_yes("a read after the silence", || world.ben.data("/groups/den/bans")).await;
    assert_eq!(world.head("den").await, head + 1, "it was done once");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commands_wait_for_a_server_that_does_not_answer_for_seconds() {
    let cluster = Cluster::start();
    let url = cluster.create_database("chat");
    let _world = world(&url).await;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("people.csv"), "uid,name,scope,avatar,joinedAt\nada,Ada,owner,,\n").unwrap();
    // Of several hosts `backup` looks for the primary itself, before pg_dump begins.
    let several = format!("postgres://tester@127.0.0.1:{port},127.0.0.1:{port}/chat", port = cluster.port);
    let commands = [
        (&url, &["doctor"][..]),
        (&url, &["migrate"]),
        (&url, &["webhooks", "list"]),
        (&url, &["import", "--group", "eyrie", "people.csv"]),
        (&several, &["backup", "copy.backup"]),
    ];
    let server = cluster.pid().expect("it runs");
    let send = |signal: &str| assert!(Command::new("kill").args([signal, &server]).status().unwrap().success());
    // It takes connections and answers none.
    send("-STOP");
    let running = commands.map(|(url, arguments)| {
        let mut command = bare(folder.path());
        command.env("CGM_VIEWER_SECRET", SECRET).env("CGM_DATABASE_URL", url).args(arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    });
    tokio::time::sleep(Duration::from_secs(4)).await;
    send("-CONT");
    for ((_, arguments), command) in commands.iter().zip(running) {
        let output = tokio::task::block_in_place(|| command.wait_with_output()).unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

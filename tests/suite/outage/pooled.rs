//! PgBouncer before the database, in both of its modes.

use std::collections::HashSet;
use std::path::Path;
use std::str::FromStr as _;

use chat_group_members::app::App;
use chat_group_members::config::Wake;
use chat_group_members::domain::{GroupType, Scope};
use chat_group_members::store::Pooler as Mode;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::json;
use sqlx::ConnectOptions as _;
use sqlx::postgres::PgConnectOptions;

use super::{Crowd, EVENTS, LongerMutes, kick, nothing_is_lost, refused_for_now, until_yes};
use crate::support::cluster::{Cluster, Setup};
use crate::support::pooler::Pooler;
use crate::support::program::{Program, bare, run, run_with};
use crate::support::{SECRET, World, eventually, soon};

/// The cast beside a server that a pooler in transaction mode stands before.
async fn behind(pooler: &Pooler, direct: String) -> World {
    World::with(|config| {
        config.database_url = pooler.url("chat");
        config.direct_database_url = Some(direct);
        config.pooler = Mode::Transaction;
    })
    .await
}

/// Another node like that of this world.
async fn another(world: &World) -> World {
    let app = App::open(world.app.config().clone()).await.unwrap();
    World::of(app, world.clock.clone(), tempfile::tempdir().unwrap()).await
}

/// The processes of the server whose last statement was to listen: a connection that listens is used for nothing else.
fn listening(cluster: &Cluster) -> HashSet<i32> {
    let pids = cluster.sql("chat", "SELECT pid FROM pg_stat_activity WHERE query LIKE 'LISTEN %'");
    pids.lines().map(|pid| pid.parse().unwrap()).collect()
}

/// The processes of so many server connections of a pooler, and how many statements are prepared in each under a name.
/// As many transactions are open at once, so that each is on a connection of its own.
async fn prepared_statements(pooler: &Pooler, connections: usize) -> Vec<(i32, i64)> {
    let options = PgConnectOptions::from_str(&pooler.url("chat")).unwrap().extra_float_digits(None::<i8>);
    let begin = || async {
        let mut connection = options.connect().await.unwrap();
        sqlx::raw_sql("BEGIN").execute(&mut connection).await.unwrap();
        connection
    };
    let mut open = soon("the connections", join_all((0..connections).map(|_| begin()))).await;
    let mut found = Vec::new();
    for connection in &mut open {
        let sql = "SELECT pg_backend_pid(), (SELECT count(*) FROM pg_prepared_statements)";
        found.push(sqlx::FromRow::from_row(&sqlx::raw_sql(sql).fetch_one(connection).await.unwrap()).unwrap());
    }
    for connection in &mut open {
        sqlx::raw_sql("COMMIT").execute(connection).await.unwrap();
    }
    found
}

/// The statements of the extended protocol on these server connections: how many there were, and those outside a transaction. Of those a
/// pooler may give one client the answer of another, since `sqlx` sends two `Sync` messages.
fn extended_statements(log: &str, servers: &HashSet<i32>) -> (usize, Vec<String>) {
    let (mut open, mut inside, mut outside, mut last) = (HashSet::new(), 0, Vec::new(), 0);
    for line in log.lines() {
        let Some((pid, said)) = line.strip_prefix("pid=").and_then(|rest| rest.split_once(" LOG:  ")) else {
            // The rest of a statement of several lines, which may end the transaction that it began.
            if line.ends_with("; COMMIT") {
                open.remove(&last);
            }
            continue;
        };
        last = pid.parse().unwrap_or(0);
        let Some(pid) = servers.get(&last).copied() else { continue };
        let Some((way, text)) = said.split_once(": ") else { continue };
        match way {
            "statement" if text.starts_with("BEGIN") => _ = open.insert(pid),
            way if way.starts_with("execute") => match open.contains(&pid) {
                true => inside += 1,
                false => outside.push(text.to_owned()),
            },
            _ => {}
        }
        if text.starts_with("COMMIT") || (text.starts_with("ROLLBACK") && !text.starts_with("ROLLBACK TO")) {
            open.remove(&pid);
        }
    }
    (inside, outside)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pooler_in_session_mode_needs_no_setting_on_either_side() {
    let cluster = Cluster::start();
    cluster.create_database("chat");
    let pooler = Pooler::before(cluster.port, "session", 60);
    let world = World::with(|config| config.database_url = pooler.url("chat")).await;
    let second = another(&world).await;
    let mut stream = second.ada.raw("/groups/den/events?format=json", &[]).await;
    stream.next().await.unwrap();
    kick(&world.ben, "dee", "k1").await.ok();
    stream.up_to(world.head("den").await).await;
    let crowd = Crowd::comes(&world, 8);
    crowd.grows(60).await;
    nothing_is_lost(&second, &crowd.ends().await).await;
    assert_eq!(world.ben.get("/readyz").await.status, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn eight_clients_over_four_connections_of_a_pooler_in_transaction_mode_get_their_own_values() {
    let cluster = Cluster::start();
    let direct = cluster.create_database("chat");
    cluster.set("log_line_prefix", "pid=%p ");
    cluster.set("log_statement", "all");
    let pooler = Pooler::before(cluster.port, "transaction", 4);
    let world = behind(&pooler, direct).await;
    let second = another(&world).await;
    let clients: Vec<_> = (0..8)
        .map(|number| {
            let world = if number % 2 == 0 { &world } else { &second };
            (number, format!("room{number}"), world.ada.clone())
        })
        .collect();
    for (number, room, _) in &clients {
        let (dee, name) = (format!("dee{number}"), format!("Dee of {room}"));
        world.seed(room, GroupType::Public, [("ada", "Ada", Scope::Owner), (&dee, &name, Scope::Participant)]).await;
    }
    let work = clients.into_iter().map(|(number, room, ada)| {
        tokio::spawn(async move {
            for round in 0..25 {
                let (dee, reason) = (format!("dee{number}"), format!("reason {round} of {room}"));
                let path = format!("/groups/{room}/bans/{dee}");
                ada.act(Method::PUT, &path, json!({"reason": reason})).await.ok();
                let bans = ada.data(&format!("/groups/{room}/bans")).await.ok().json();
                assert_eq!(bans["data"].as_array().map(Vec::len), Some(1), "{bans}");
                assert_eq!(bans["data"][0]["uid"], *dee, "{bans}");
                assert_eq!(bans["data"][0]["name"], format!("Dee of {room}"), "{bans}");
                assert_eq!(bans["data"][0]["reason"], *reason, "{bans}");
                ada.act(Method::DELETE, &path, json!({})).await.ok();
                let bans = ada.data(&format!("/groups/{room}/bans")).await.ok().json();
                assert_eq!(bans["data"].as_array().map(Vec::len), Some(0), "{bans}");
            }
        })
    });
    for client in work.collect::<Vec<_>>() {
        client.await.unwrap();
    }
    // Everything that nodes tell each other goes on meanwhile: acts, and who is there.
    let mut stream = second.ada.raw("/groups/den/events?format=json", &[]).await;
    stream.next().await.unwrap();
    let _there = world.actor("eve").events().await;
    let online = |message: &crate::support::sse::Message| {
        message.name() == "presence" && message.data.as_ref().is_some_and(|data| data.contains("eve"))
    };
    stream.until("eve is there on the other node", online).await;
    kick(&world.ben, "dee", "k1").await.ok();
    stream.up_to(world.head("den").await).await;
    // So do mutes, notes, acts on several people, undos and roles for a time.
    world.ben.mute("eve", json!({"until": 3600})).await.ok();
    world.ben.act(Method::POST, "/groups/den/members/eve/notes", json!({"text": "Loud."})).await.ok();
    let ban = json!({"act": "ban", "uid": ["eve"], "reason": "spam"});
    let batch = world.ben.act(Method::POST, "/groups/den/bulk", ban).await.ok().json()["meta"]["batch"].clone();
    let undo = format!("/groups/den/events/{batch}/undo");
    world.ben.act(Method::POST, &undo, json!({"batch": true})).await.ok();
    world.ada.grant("eve", json!({"scope": "moderator", "until": 3600})).await.ok();
    assert_eq!(crate::support::faults(&world.app).await, Vec::<String>::new());
    let prepared = prepared_statements(&pooler, 4).await;
    let servers: HashSet<i32> = prepared.iter().map(|(server, _)| *server).collect();
    assert_eq!(servers.len(), 4, "each connection to the server was asked: {prepared:?}");
    assert!(prepared.iter().all(|(_, named)| *named == 0), "{prepared:?}");
    let (inside, outside) = extended_statements(&cluster.log(), &servers);
    assert!(inside > 1_000 && outside.is_empty(), "{inside} in transactions, and outside of them: {outside:?}");
    // Each node listens past the pooler, which would give the connection to another client.
    let nodes_listen = world.app.config().wake != Wake::None;
    let listeners = if nodes_listen { 2 } else { 0 };
    eventually("each node listens", async || listening(&cluster).len() == listeners).await;
    assert!(listening(&cluster).is_disjoint(&servers), "{servers:?}");
    assert_eq!(world.ben.get("/readyz").await.status, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commands_beside_a_service_behind_a_pooler_in_transaction_mode_go_past_it() {
    let cluster = Cluster::start();
    let direct = cluster.create_database("chat");
    let pooler = Pooler::before(cluster.port, "transaction", 4);
    let folder = tempfile::tempdir().unwrap();
    let program = |arguments: &[&str]| {
        let mut program = bare(folder.path());
        program.env("CGM_VIEWER_SECRET", SECRET).env("CGM_DATABASE_URL", pooler.url("chat"));
        program.args(arguments).args(["--pooler", "transaction", "--direct-database-url", &direct]);
        program
    };
    let import = |people: &str| {
        let csv = format!("uid,name,scope,avatar,joinedAt\nada,Ada,owner,,\n{people}");
        let (done, output) = run_with(&mut program(&["import", "--group", "den", "-"]), &csv);
        assert!(done, "{output}");
    };
    import("dee,Dee,participant,,\n");
    let service = Program::start(&mut program(&["serve", "--listen", "127.0.0.1:0"]));
    let ada = service.actor("ada");
    assert_eq!(ada.sees().await, ["ada", "dee"]);
    import("cy,Cy,moderator,,\n");
    eventually("the service follows", async || ada.sees().await == ["ada", "cy", "dee"]).await;
    kick(&ada, "dee", "k1").await.ok();
    let (sound, output) = run(&mut program(&["doctor"]));
    let past = format!("127.0.0.1:{}/chat: groups: 1", cluster.port);
    assert!(sound && output.contains(&past) && output.contains("members: 2"), "{output}");
}

/// A node with this database and these options ends at once and says why, since waiting for the database does not help.
#[track_caller]
fn refuses_to_start(folder: &Path, url: &str, options: &[&str], why: &str) {
    let mut serve = bare(folder);
    serve.env("CGM_VIEWER_SECRET", SECRET).env("CGM_DATABASE_URL", url);
    serve.args(["serve", "--listen", "127.0.0.1:0"]).args(options);
    let (done, output) = run(&mut serve);
    assert!(!done && output.contains(why), "{options:?}: {output}");
    assert!(!output.contains("waiting for the database"), "{options:?}: it does not help: {output}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_that_sets_what_the_pooler_refuses_ends_the_start_at_once_in_its_words() {
    let cluster = Cluster::start();
    let direct = cluster.create_database("chat");
    let folder = tempfile::tempdir().unwrap();
    for mode in ["session", "transaction"] {
        let pooler = Pooler::before(cluster.port, mode, 20);
        let url = format!("{}?options=-c%20geqo%3Doff", pooler.url("chat"));
        let options = ["--pooler", mode, "--direct-database-url", &direct];
        refuses_to_start(folder.path(), &url, &options, "unsupported startup parameter: options");
    }
}

/// A node that was not told of the pooler in this mode before its database ends at once and says why, also where it was told the way past it.
#[track_caller]
fn refuses_an_unnamed_pooler(mode: &'static str, why: &str) {
    let cluster = Cluster::start();
    let direct = cluster.create_database("chat");
    let pooler = Pooler::before(cluster.port, mode, 20);
    let folder = tempfile::tempdir().unwrap();
    for options in [vec![], vec!["--direct-database-url", &direct]] {
        refuses_to_start(folder.path(), &pooler.url("chat"), &options, why);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pooler_in_transaction_mode_that_nobody_named_ends_the_start_at_once_and_says_what_to_set() {
    refuses_an_unnamed_pooler("transaction", "the node needs --pooler transaction");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_a_pooler_in_statement_mode_it_is_said_that_it_cannot_be_used() {
    refuses_an_unnamed_pooler("statement", "a pooler in statement mode is at this address, which cannot be used");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_moves_past_a_pooler_in_transaction_mode() {
    let cluster = Cluster::start();
    let direct = cluster.create_database("chat");
    let pooler = Pooler::before(cluster.port, "transaction", 4);
    let folder = tempfile::tempdir().unwrap();
    let file = format!("sqlite://{}", folder.path().join("town.db").display());
    let program = |database: &str, arguments: &[&str]| {
        let mut program = bare(folder.path());
        program.env("CGM_VIEWER_SECRET", SECRET).env("CGM_DATABASE_URL", database).args(arguments);
        program
    };
    let past = ["--pooler", "transaction", "--direct-database-url", &direct];
    let people = "uid,name,scope,avatar,joinedAt\nada,Ada,owner,,\ndee,Dee,participant,,\n";
    let (done, output) = run_with(&mut program(&file, &["import", "--group", "den", "-"]), people);
    assert!(done, "{output}");
    let (sound, output) = run(program(&file, &["doctor"]).args(past));
    assert!(!sound && output.contains("--database-url is a SQLite file"), "{output}");
    let (done, output) = run(program(&file, &["move", "--to", &pooler.url("chat")]).args(past));
    assert!(done && output.contains(&format!("moved to 127.0.0.1:{}/chat", cluster.port)), "{output}");
    let serve = ["serve", "--listen", "127.0.0.1:0"];
    let service = Program::start(program(&pooler.url("chat"), &serve).args(past));
    assert_eq!(service.actor("ada").sees().await, ["ada", "dee"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failover_behind_a_pooler_is_noticed_and_nothing_answered_is_lost() {
    let old = Cluster::start();
    old.create_database("chat");
    let new = Cluster::standby_of(&old, "second", &Setup::default());
    old.make_synchronous("second");
    let pooler = Pooler::before(old.port, "transaction", 8);
    let direct = format!("postgres://tester@127.0.0.1:{},127.0.0.1:{}/chat", old.port, new.port);
    let world = behind(&pooler, direct).await;
    let crowd = Crowd::comes(&world, 4);
    crowd.grows(40).await;
    let reconnects = world.app.store().reconnects();
    old.kill9();
    new.promote();
    pooler.leads_to(new.port);
    crowd.grows(40).await;
    nothing_is_lost(&world, &crowd.ends().await).await;
    assert!(world.app.store().reconnects() > reconnects);
    until_yes("an act on the new primary", || kick(&world.ben, "dee", "k1")).await;
    let dee = "SELECT count(*) FROM members WHERE guid = 'den' AND uid = 'dee'";
    assert_eq!(new.sql("chat", dee), "0");
    eventually("it is ready", async || world.ben.get("/readyz").await.status == 200).await;

    // The same without an outage: the server is restarted so quickly that the pooler hides it.
    let reconnects = world.app.store().reconnects();
    new.kill9();
    new.start_again();
    eventually("another start is noticed", async || world.app.store().reconnects() > reconnects).await;
    until_yes("an act afterwards", || kick(&world.ben, "eve", "k2")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_old_primary_to_which_a_pooler_in_session_mode_leads_back_is_written_by_nobody() {
    let old = Cluster::start();
    old.create_database("chat");
    let new = Cluster::standby_of(&old, "second", &Setup::default());
    old.make_synchronous("second");
    let pooler = Pooler::before(old.port, "session", 60);
    let world = World::with(|config| {
        config.database_url = pooler.url("chat");
        config.direct_database_url =
            Some(format!("postgres://tester@127.0.0.1:{},127.0.0.1:{}/chat", old.port, new.port));
    })
    .await;
    // The old one goes on, and takes writes for as long as anybody sends some.
    new.promote();
    old.make_alone();
    pooler.leads_to(new.port);
    let mutes = LongerMutes::by(&world.ben);
    mutes.until_they_reach(&new).await;
    pooler.leads_to(old.port);
    eventually("the old one is recognised", async || {
        let ready = world.ben.get("/readyz").await;
        ready.status == 503 && ready.body.contains("was the primary before")
    })
    .await;
    let left = old.sql("chat", EVENTS);
    for _ in 0..20 {
        refused_for_now("an act beside the old primary", mutes.another()).await;
    }
    assert_eq!(old.sql("chat", EVENTS), left, "nobody writes to it");
    pooler.leads_to(new.port);
    until_yes("an act on the new one", || kick(&world.ben, "dee", "k1")).await;
    let dee = "SELECT count(*) FROM members WHERE guid = 'den' AND uid = 'dee'";
    assert_eq!((old.sql("chat", dee), new.sql("chat", dee)), ("1".into(), "0".into()));
}

//! Several nodes beside a PostgreSQL of this benchmark's own: what an act costs whom, how soon the
//! other nodes show it, what it costs to know who is there.

#[allow(dead_code)]
#[path = "../../tests/suite/support/cluster.rs"]
mod cluster;
#[allow(dead_code)]
#[path = "../../tests/suite/support/wake_servers.rs"]
mod wake_servers;

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use chat_group_members::clock::Clock;
use chat_group_members::store::{NodePresence, Store};
use sqlx::postgres::PgPoolOptions;
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio::runtime::Runtime;

use crate::acts::{act, group};
use crate::client::{Connection, get, send};
use crate::machine::{cpu, cpu_of_family};
use crate::people;
use crate::report::{Goal, Report, per_second, quantile, time};
use crate::service::{ADMINS, Program, Service, fill, token};
use cluster::{Cluster, Setup};

/// Groups that acts are spread over.
const GROUPS: usize = 64;
/// Connections of a node that write.
const WRITERS: u32 = 8;
/// People who come or go between two messages about them.
const CHANGES: usize = 1000;

/// Statements that are shown when the profile is asked for, the most expensive first.
const PROFILED: usize = 25;

/// Whether the profile is asked for. Counting statements costs the database a little.
fn is_profiled() -> bool {
    std::env::var("CGM_BENCH_STATEMENTS").is_ok()
}

pub fn measure(report: &mut Report, client: &Runtime, length: Duration) {
    let mut options = Vec::new();
    if is_profiled() {
        options.push(("shared_preload_libraries", "pg_stat_statements".to_owned()));
        options.push(("pg_stat_statements.track_planning", "on".to_owned()));
    }
    let cluster = Cluster::with(&Setup { durable: true, options, ..Setup::default() });
    let database = cluster.create_database("chat");
    if is_profiled() {
        cluster.sql("chat", "CREATE EXTENSION pg_stat_statements");
    }
    let service = Service::at(&database);
    (0..GROUPS).for_each(|number| fill(&service, &group(number), 1000));
    drop(service);

    acts(report, client, &cluster, &database, length);
    report.section("From an act's sending on one node to its message on a stream of another");
    let server = wake_servers::Nats::start();
    let url = server.url();
    for (wake, nats, most) in [("postgres", None, 0.1), ("nats", Some(url.as_str()), 0.1), ("none", None, 1.5)] {
        let (here, there) = (Program::node(&database, wake, nats), Program::node(&database, wake, nats));
        let count = if wake == "none" { 60 } else { 400 };
        let mut waits = client.block_on(seen_after(here.address, there.address, count));
        let p50 = quantile(&mut waits, 0.5);
        let p99 = quantile(&mut waits, 0.99);
        let what = format!("transport {wake}: p99 (p50 {})", time(p50));
        report.line(&what, time(p99), time(most), p99 / most, Goal::AtMost(1.0));
    }
    client.block_on(presence(report, &cluster, &database));
}

/// Acts of 64 people in one group and in many, and what they cost the database and the nodes.
fn acts(report: &mut Report, client: &Runtime, cluster: &Cluster, database: &str, length: Duration) {
    let raw = client.block_on(commits(database, length / 2));
    report.section(&format!(
        "Durable acts on PostgreSQL (one-row commits of {WRITERS} connections: {}/s in the same run)",
        raw as u64
    ));
    let server = cluster.pid().expect("it runs").parse().expect("a number");
    let mut nodes = vec![Program::node(database, "postgres", None)];
    for (watching, groups) in [(0, 1), (0, GROUPS), (2, GROUPS)] {
        while nodes.len() <= watching {
            nodes.push(Program::node(database, "postgres", None));
        }
        let _streams = client.block_on(watch(&nodes[1..], groups));
        let used = |nodes: &[Program]| nodes.iter().map(|node| cpu(node.pid())).collect::<Vec<_>>();
        if is_profiled() {
            cluster.sql("chat", "SELECT pg_stat_statements_reset()");
        }
        let (before, on_nodes) = (cpu_of_family(server), used(&nodes));
        let (rate, mut waits) = client.block_on(act(nodes[0].address, ADMINS, length, groups));
        if watching == 2 {
            report.hand_over("postgres.acts.rate", &[rate]);
            report.hand_over("postgres.commits.rate", &[raw]);
        }
        let each = 1.0 / (rate * length.as_secs_f64());
        let spent: Vec<f64> = used(&nodes).iter().zip(&on_nodes).map(|(after, before)| after - before).collect();
        let what = format!("64 actors, {groups} groups, {watching} other nodes with a stream of each");
        report.line(&what, per_second(rate), per_second(raw), rate / raw, Goal::None);
        let others = spent[1..].iter().sum::<f64>() / watching.max(1) as f64;
        report.note(&format!(
            "  p50 {}, p99 {}; processor time of an act: database {}, its node {}, each other node {}",
            time(quantile(&mut waits, 0.5)),
            time(quantile(&mut waits, 0.99)),
            time((cpu_of_family(server) - before) * each),
            time(spent[0] * each),
            time(others * each),
        ));
        if is_profiled() {
            report.note(&statements(cluster, rate * length.as_secs_f64()));
        }
    }
}

/// What the database did for each act, by statement: calls, planning and execution in milliseconds, and the text.
fn statements(cluster: &Cluster, acts: f64) -> String {
    let sql = format!(
        "SELECT round((calls / {acts})::numeric, 2), round((total_plan_time / {acts})::numeric, 4),
                round((total_exec_time / {acts})::numeric, 4), left(regexp_replace(query, '\\s+', ' ', 'g'), 150)
         FROM pg_stat_statements ORDER BY total_plan_time + total_exec_time DESC LIMIT {PROFILED}"
    );
    let table = cluster.sql("chat", &sql);
    format!("  of an act: calls|planning, ms|execution, ms|statement\n{table}")
}

/// A stream of each of so many groups on each of these nodes, read by nobody in particular.
async fn watch(nodes: &[Program], groups: usize) -> Vec<tokio::task::JoinHandle<()>> {
    let mut readers = Vec::new();
    for (node, number) in nodes.iter().flat_map(|node| (0..groups).map(move |number| (node, number))) {
        let mut stream = stream(node.address, &group(number)).await;
        readers.push(tokio::spawn(async move {
            let mut buffer = vec![0u8; 16 * 1024];
            while let Ok(1..) = stream.read(&mut buffer).await {}
        }));
    }
    readers
}

/// A stream of data of one of the members.
async fn stream(address: SocketAddr, group: &str) -> TcpStream {
    let path = format!("/groups/{group}/events?format=json&hideUserStatus=true");
    Connection::open(address).await.into_stream(&get(&path, &token(ADMINS + 500), "")).await
}

/// The rate of the smallest durable transaction, of rows that are in nobody's way.
async fn commits(database: &str, length: Duration) -> f64 {
    let pool = PgPoolOptions::new().max_connections(WRITERS).connect(database).await.expect("the server is there");
    sqlx::query("CREATE TABLE one (id BIGINT PRIMARY KEY, n BIGINT)").execute(&pool).await.expect("it is new");
    let begun = Instant::now();
    let tasks: Vec<_> = (0..i64::from(WRITERS))
        .map(|id| {
            let pool = pool.clone();
            tokio::spawn(async move {
                let mut connection = pool.acquire().await.expect("there is one for each");
                let insert = sqlx::query("INSERT INTO one VALUES ($1, 0)").bind(id);
                insert.execute(&mut *connection).await.expect("the table is there");
                let mut done = 0u64;
                while begun.elapsed() < length {
                    let update = sqlx::query("UPDATE one SET n = n + 1 WHERE id = $1").bind(id);
                    update.execute(&mut *connection).await.expect("the row is there");
                    done += 1;
                }
                done
            })
        })
        .collect();
    let mut done = 0;
    for task in tasks {
        done += task.await.expect("it ends");
    }
    done as f64 / begun.elapsed().as_secs_f64()
}

/// Acts on one node, one after the other with uneven pauses; how long each took to be on a stream
/// of the other.
async fn seen_after(here: SocketAddr, there: SocketAddr, count: usize) -> Vec<f64> {
    let mut seen = stream(there, "small").await;
    let mut actor = Connection::open(here).await;
    let path = format!("/groups/small/members/{}/scope", people::uid(ADMINS + 1));
    let act = |scope: &str| send("PUT", &path, &token(1), &format!("{{\"scope\":\"{scope}\"}}"));
    let acts = [act("moderator"), act("participant")];
    actor.ask(&acts[1]).await;
    let mut buffer = vec![0u8; 16 * 1024];
    tokio::time::sleep(Duration::from_secs(2)).await;
    let _ = seen.try_read(&mut buffer);
    let mut waits = Vec::with_capacity(count);
    for number in 0..count {
        tokio::time::sleep(Duration::from_millis(40 + (number * 37 % 50) as u64)).await;
        let asked = Instant::now();
        assert_eq!(actor.ask(&acts[number % 2]).await.status, 200);
        loop {
            let length = seen.read(&mut buffer).await.expect("the stream is open");
            assert!(length > 0, "the stream ended");
            if memchr::memmem::find(&buffer[..length], b"member_scope_changed").is_some() {
                break;
            }
        }
        waits.push(asked.elapsed().as_secs_f64());
    }
    waits
}

/// The time to write that a thousand people came or went, and the time in which another node reads it.
async fn presence(report: &mut Report, cluster: &Cluster, database: &str) {
    const ROUNDS: usize = 20;
    let server = cluster.pid().expect("it runs").parse().expect("a number");
    let store = Store::open(database, Clock::default()).await.expect("it is there");
    let table = store.presence_table().expect("PostgreSQL has one");
    let now = store.clock().now();
    let mut version = table.register("bench", &[], now).await.expect("it can be written");
    let (before, begun, mut reading) = (cpu_of_family(server), Instant::now(), 0.0);
    for round in 0..ROUNDS {
        let word = |number: usize| NodePresence {
            uid: people::uid(round * CHANGES / 2 + number).parse().expect("made to be one"),
            open: round % 2 == 0,
            away: false,
            until: None,
            closed_at: now,
            reported_at: 0,
        };
        let changed: Vec<_> = (0..CHANGES).map(word).collect();
        let known = version;
        version = table.heartbeat("bench", version, &changed, now).await.expect("it answers").expect("as it was left");
        let asked = Instant::now();
        assert_eq!(table.changes_since("bench", known).await.expect("it answers").len(), CHANGES);
        reading += asked.elapsed().as_secs_f64();
    }
    let (took, rounds) = (begun.elapsed().as_secs_f64(), ROUNDS as f64);
    report.section(&format!("Who is there: a word about {CHANGES} people, and one node that hears it"));
    report.note(&format!(
        "  said in {}, heard in {}, processor time of the database {} ({} a person)",
        time((took - reading) / rounds),
        time(reading / rounds),
        time((cpu_of_family(server) - before) / rounds),
        time((cpu_of_family(server) - before) / rounds / CHANGES as f64),
    ));
    let guids: Vec<_> = (0..1000).map(|n| group(n % GROUPS).parse().expect("made to be one")).collect();
    let (before, begun) = (cpu_of_family(server), Instant::now());
    for _ in 0..ROUNDS {
        store.read().await.expect("it answers").heads(&guids).await.expect("it answers");
    }
    report.note(&format!(
        "  the look at the numbers of {} groups: {}, processor time of the database {}",
        guids.len(),
        time(begun.elapsed().as_secs_f64() / rounds),
        time((cpu_of_family(server) - before) / rounds),
    ));
}

//! Roles as administrators make them: with defaults of their own, without a right.

use chat_group_members::app::App;
use chat_group_members::config::{Config, Wake};
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::json;

use super::{alarms_see, kick, measured, refused_for_now, until_yes, world};
use crate::support::cluster::Cluster;
use crate::support::program::{bare, run};
use crate::support::{SECRET, World, eventually};

/// A database that belongs to a role without rights beyond it.
fn owned_by_app(cluster: &Cluster) -> String {
    cluster.create_database("chat");
    cluster.sql("postgres", "CREATE ROLE app LOGIN; ALTER DATABASE chat OWNER TO app");
    url_of("app", cluster)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_the_defaults_of_the_role_acts_of_two_nodes_at_once_are_done() {
    let cluster = Cluster::start();
    let url = owned_by_app(&cluster);
    cluster.sql(
        "postgres",
        "ALTER ROLE app SET default_transaction_isolation = 'serializable';
         ALTER ROLE app SET default_transaction_read_only = on",
    );
    let world = world(&url).await;
    let app = App::open(world.app.config().clone()).await.unwrap();
    let second = World::of(app, world.clock.clone(), tempfile::tempdir().unwrap()).await;
    let joins = |node: usize, world: &World| {
        let people: Vec<_> = (0..60).map(|number| world.actor(&format!("n{node}p{number}"))).collect();
        async move { join_all(people.iter().map(|person| person.join())).await }
    };
    let (one, other) = tokio::join!(joins(1, &world), joins(2, &second));
    let refused: Vec<_> = one.into_iter().chain(other).filter(|answer| answer.status != 200).collect();
    assert!(refused.is_empty(), "{} of 120 acts: {:?}", refused.len(), refused.first());
    assert_eq!(world.ben.get("/readyz").await.status, 200);
    eventually("each node sees who is on the other", async || {
        cluster.sql("chat", "SELECT count(*) >= 2 FROM nodes") == "t"
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn doctor_waits_for_a_table_longer_than_the_statements_of_its_role_may_take() {
    let cluster = Cluster::start();
    let url = owned_by_app(&cluster);
    drop(world(&url).await);
    cluster.sql(
        "postgres",
        "ALTER ROLE app SET statement_timeout = '1s';
         DO $$ BEGIN
             -- From PostgreSQL 17 on.
             IF EXISTS (SELECT FROM pg_settings WHERE name = 'transaction_timeout') THEN
                 ALTER ROLE app SET transaction_timeout = '1s';
             END IF;
         END $$",
    );
    std::thread::scope(|scope| {
        let lock = "BEGIN; LOCK TABLE events IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(6); COMMIT";
        scope.spawn(|| cluster.sql("chat", lock));
        let is_locked = "SELECT count(*) > 0 FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND relation = 'events'::regclass AND granted";
        while cluster.sql("chat", is_locked) != "t" {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let folder = tempfile::tempdir().unwrap();
        let mut doctor = bare(folder.path());
        let (sound, output) = run(doctor.args(["doctor", "--viewer-secret", SECRET, "--database-url", &url]));
        assert!(sound, "{output}");
    });
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_query_of_a_connection_may_take_longer_than_the_statements_of_its_role() {
    let cluster = Cluster::start();
    let url = owned_by_app(&cluster);
    let world = world(&url).await;
    let config = world.app.config().clone();
    drop(world);
    // The state of a server is asked for by this function, which takes its time here.
    cluster.sql(
        "chat",
        "CREATE FUNCTION public.pg_postmaster_start_time() RETURNS timestamptz LANGUAGE plpgsql AS
           $$ BEGIN PERFORM pg_sleep(0.3); RETURN pg_catalog.pg_postmaster_start_time(); END $$;
         ALTER ROLE app SET search_path = public, pg_catalog;
         ALTER ROLE app SET statement_timeout = '100ms'",
    );
    let folder = tempfile::tempdir().unwrap();
    for arguments in [&["doctor"][..], &["migrate"], &["webhooks", "list"]] {
        let mut command = bare(folder.path());
        command.args(arguments).args(["--viewer-secret", SECRET, "--database-url", &url]);
        let (done, output) = tokio::task::block_in_place(|| run(&mut command));
        assert!(done, "{arguments:?}: {output}");
    }
    App::open(config).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn doctor_finds_a_sound_schema_sound_where_the_role_has_every_name_quoted() {
    let cluster = Cluster::start();
    let url = owned_by_app(&cluster);
    drop(world(&url).await);
    cluster.sql("postgres", "ALTER ROLE app SET quote_all_identifiers = on");
    let folder = tempfile::tempdir().unwrap();
    let mut doctor = bare(folder.path());
    doctor.args(["doctor", "--viewer-secret", SECRET, "--database-url", &url]);
    let (sound, output) = tokio::task::block_in_place(|| run(&mut doctor));
    assert!(sound, "{output}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn doctor_mends_for_longer_than_an_act_may_take() {
    let cluster = Cluster::start();
    let url = owned_by_app(&cluster);
    drop(world(&url).await);
    // As a statement about many millions of rows.
    cluster.sql(
        "chat",
        "ALTER ROLE app SET statement_timeout = '1s';
         CREATE FUNCTION takes_long() RETURNS trigger LANGUAGE plpgsql AS
           $$ BEGIN PERFORM pg_sleep(8); RETURN OLD; END $$;
         CREATE TRIGGER takes_long BEFORE DELETE ON reported_presence FOR EACH ROW EXECUTE FUNCTION takes_long();
         INSERT INTO reported_presence (uid, status) VALUES ('dee', 'asleep')",
    );
    let folder = tempfile::tempdir().unwrap();
    let mut doctor = bare(folder.path());
    let arguments = ["doctor", "--mend", "--viewer-secret", SECRET, "--database-url", &url];
    let (sound, output) = tokio::task::block_in_place(|| run(doctor.args(arguments)));
    assert!(sound && output.contains("reported-presence: mended"), "{output}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_limit_of_idle_sessions_does_not_end_the_connection_that_listens() {
    let cluster = Cluster::start();
    let url = owned_by_app(&cluster);
    cluster.sql("postgres", "ALTER ROLE app SET idle_session_timeout = '1s'");
    let _world = World::with(|config| {
        config.database_url = url;
        config.wake = Wake::Postgres;
    })
    .await;
    let listens = "SELECT count(*) > 0 FROM pg_stat_activity WHERE usename = 'app' AND state = 'idle'
        AND query LIKE 'LISTEN%' AND now() - state_change > '3s'";
    eventually("it listens for longer", async || cluster.sql("chat", listens) == "t").await;
}

/// Has nobody but the superuser create tables in a database.
fn forbid_tables(cluster: &Cluster) {
    cluster.sql("chat", "REVOKE CREATE ON SCHEMA public FROM PUBLIC, pg_database_owner");
}

/// Where the database of these tests is for a role.
fn url_of(role: &str, cluster: &Cluster) -> String {
    format!("postgres://{role}@127.0.0.1:{}/chat", cluster.port)
}

/// What `migrate` says as this role, and whether it succeeded.
fn migrate_as(role: &str, cluster: &Cluster) -> (bool, String) {
    let folder = tempfile::tempdir().unwrap();
    let mut migrate = bare(folder.path());
    migrate.args(["migrate", "--viewer-secret", SECRET, "--database-url", &url_of(role, cluster)]);
    tokio::task::block_in_place(|| run(&mut migrate))
}

/// Another node like that of this world, as this role.
async fn node_as(role: &str, cluster: &Cluster, world: &World) -> World {
    let config = Config { database_url: url_of(role, cluster), ..world.app.config().clone() };
    World::of(App::open(config).await.unwrap(), world.clock.clone(), tempfile::tempdir().unwrap()).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn beside_the_newest_schema_a_role_needs_no_right_to_create_tables() {
    let cluster = Cluster::start();
    let world = world(&owned_by_app(&cluster)).await;
    cluster.sql("chat", "CREATE ROLE worker LOGIN");
    cluster.sql("chat", "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO worker");
    forbid_tables(&cluster);
    for (role, uid) in [("app", "dee"), ("worker", "eve")] {
        let second = node_as(role, &cluster, &world).await;
        kick(&second.ben, uid, uid).await.ok();
        let (done, output) = migrate_as(role, &cluster);
        assert!(done && output.contains("the schema is the newest"), "{role}: {output}");
        assert!(!output.contains("already exists"), "it makes nothing: {output}");
    }
    // A start itself writes nothing either.
    cluster.sql("chat", "REVOKE INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public FROM worker");
    let third = node_as("worker", &cluster, &world).await;
    let seen = third.ada.sees().await;
    assert!(seen.iter().any(|uid| uid == "ada") && seen.iter().all(|uid| uid != "eve"), "{seen:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn beside_the_newest_schema_a_database_may_be_read_only() {
    let cluster = Cluster::start();
    let world = world(&owned_by_app(&cluster)).await;
    forbid_tables(&cluster);
    cluster.sql("postgres", "ALTER DATABASE chat SET default_transaction_read_only = on");
    let (done, output) = migrate_as("app", &cluster);
    assert!(done && output.contains("the schema is the newest"), "{output}");
    let second = node_as("app", &cluster, &world).await;
    assert_eq!(second.eve.sees().await, world.eve.sees().await);
    refused_for_now("an act", kick(&second.ben, "dee", "k1")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_step_of_the_schema_that_the_role_may_not_take_is_refused_with_the_right_that_it_needs() {
    let cluster = Cluster::start();
    owned_by_app(&cluster);
    forbid_tables(&cluster);
    let (done, output) = migrate_as("app", &cluster);
    assert!(!done && output.contains("GRANT CREATE ON SCHEMA public TO app"), "{output}");
    cluster.sql("chat", "GRANT CREATE ON SCHEMA public TO app");
    let (done, output) = migrate_as("app", &cluster);
    assert!(done, "{output}");
    // A step that was applied with another text is refused in the same words, whatever the rights.
    forbid_tables(&cluster);
    cluster.sql("chat", "REVOKE CREATE ON SCHEMA public FROM app");
    cluster.sql("chat", "UPDATE _sqlx_migrations SET checksum = '' WHERE version = 1");
    let (done, output) = migrate_as("app", &cluster);
    assert!(!done && output.contains("migration 1 was previously applied but has been modified"), "{output}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_the_right_to_write_it_is_ready_for_reads_alone_and_says_why() {
    let cluster = Cluster::start();
    let world = world(&owned_by_app(&cluster)).await;
    assert_eq!(world.ben.get("/readyz").await.status, 200);
    cluster.sql("chat", "REVOKE INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public FROM app");
    refused_for_now("an act", kick(&world.ben, "dee", "k1")).await;
    eventually("the operator is told why", async || {
        let ready = world.ben.get("/readyz").await;
        ready.status == 503 && ready.body.contains("permission denied")
    })
    .await;
    alarms_see(&world, false).await;
    let count = |what: &str| measured(&world, &format!("chat_group_members_store_{what}_total"));
    let (commits, acts, failed) = (count("commits"), count("acts"), count("failed_commits"));
    refused_for_now("another act", kick(&world.ben, "dee", "k1")).await;
    assert_eq!((count("commits"), count("acts")), (commits, acts), "nothing was committed");
    assert!(count("failed_commits") > failed, "a refused act is a failure");
    assert_eq!(world.ben.get("/readyz?for=reads").await.status, 200);
    assert_eq!(world.ben.get("/readyz?for=zzz").await.status, 422);
    world.ben.data("/groups/den/bans").await.ok();
    cluster.sql("chat", "GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO app");
    until_yes("an act", || kick(&world.ben, "dee", "k1")).await;
    eventually("it is ready", async || world.ben.get("/readyz").await.status == 200).await;
    alarms_see(&world, true).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_the_right_to_read_members_only_a_node_with_a_group_in_memory_is_ready_for_reads() {
    let cluster = Cluster::start();
    let world = world(&owned_by_app(&cluster)).await;
    let seen = world.eve.sees().await;
    let second = world.beside().await;
    second.ben.get("/readyz?for=reads").await.ok();
    cluster.sql("chat", "REVOKE SELECT ON members FROM app");
    eventually("the operator is told why", async || {
        let ready = second.ben.get("/readyz?for=reads").await;
        ready.status == 503 && ready.body.contains("permission denied for table members")
    })
    .await;
    refused_for_now("a list", second.eve.data("/groups/den/members")).await;
    assert_eq!(world.eve.sees().await, seen, "the other node has it in memory");
    assert_eq!(world.eve.get("/readyz?for=reads").await.status, 200);
    cluster.sql("chat", "GRANT SELECT ON members TO app");
    eventually("it is ready for reads", async || second.ben.get("/readyz?for=reads").await.status == 200).await;
    assert_eq!(second.eve.sees().await, seen);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_the_right_to_one_table_of_acts_it_is_not_ready_once_one_was_refused() {
    let cluster = Cluster::start();
    let world = world(&owned_by_app(&cluster)).await;
    let all = "INSERT, UPDATE, DELETE";
    world.ada.mute("eve", json!({"until": 3600})).await.ok();
    for (rights, table) in
        [(all, "members"), (all, "events"), ("INSERT", "temporary_scopes"), ("DELETE", "bans"), ("DELETE", "mutes")]
    {
        cluster.sql("chat", &format!("REVOKE {rights} ON {table} FROM app"));
        refused_for_now("an act", async {
            match table {
                "temporary_scopes" => world.ada.grant("eve", json!({"scope": "moderator", "until": 3600})).await,
                "bans" => world.ada.unban("flo").await,
                "mutes" => world.ada.unmute("eve").await,
                _ => kick(&world.ben, "dee", "k1").await,
            }
        })
        .await;
        let why = format!("permission denied for table {table}");
        eventually("the operator is told why", async || {
            let ready = world.ben.get("/readyz").await;
            ready.status == 503 && ready.body.contains(&why)
        })
        .await;
        alarms_see(&world, false).await;
        assert_eq!(world.ben.get("/readyz?for=reads").await.status, 200);
        cluster.sql("chat", &format!("GRANT {rights} ON {table} TO app"));
        eventually("it is ready", async || world.ben.get("/readyz").await.status == 200).await;
        alarms_see(&world, true).await;
    }
    until_yes("an act", || kick(&world.ben, "dee", "k1")).await;
    assert_eq!(cluster.sql("chat", "SELECT count(*) FROM groups WHERE guid LIKE 'probe-%'"), "0", "no try stays");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn started_while_the_server_is_read_only_a_node_serves_lists_and_acts_when_it_can() {
    let cluster = Cluster::start();
    let world = world(&cluster.create_database("chat")).await;
    let empty = cluster.create_database("empty");
    cluster.set("default_transaction_read_only", "on");
    let config = world.app.config().clone();
    let app = App::open(config.clone()).await.unwrap();
    let second = World::of(app, world.clock.clone(), tempfile::tempdir().unwrap()).await;
    assert_eq!(second.eve.sees().await, world.eve.sees().await);
    second.ben.data("/groups/den/bans").await.ok();
    let mut stream = second.eve.events().await;
    assert_eq!(stream.next().await.unwrap().name(), "ready");
    refused_for_now("an act", kick(&second.ben, "dee", "k1")).await;
    let ready = second.ben.get("/readyz").await;
    assert!(ready.status == 503 && ready.body.contains("read-only"), "{ready:?}");
    assert_eq!(second.ben.get("/readyz?for=reads").await.status, 200);

    let Err(refused) = App::open(Config { database_url: empty, ..config }).await else {
        panic!("there is nothing to serve");
    };
    assert!(refused.to_string().contains("read-only"), "{refused}");

    cluster.set("default_transaction_read_only", "off");
    until_yes("an act", || second.ben.act(Method::DELETE, "/groups/den/members/dee", json!({}))).await;
    eventually("it is ready", async || second.ben.get("/readyz").await.status == 200).await;
}

//! How the program starts beside a database that is not there, not there yet, or ahead of it.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use sqlx::{AssertSqlSafe, Connection, SqliteConnection};

use crate::support::cluster::{Cluster, Stop};
use crate::support::database::write_by_hand;
use crate::support::program::{ON_DATABASE, Program, bare, command, import, run};
use crate::support::{SECRET, now};

fn serve_at(folder: &std::path::Path, url: &str) -> Command {
    let mut serve = bare(folder);
    serve.env("CGM_VIEWER_SECRET", SECRET).env("CGM_DATABASE_URL", url).args(["serve", "--listen", "127.0.0.1:0"]);
    serve
}

#[test]
fn whoever_starts_before_its_database_waits_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let cluster = Cluster::start();
    let url = cluster.create_database("members").replace("tester@", "tester:hush@");
    cluster.stop(Stop::Fast);
    let mut child = serve_at(folder.path(), &url).stderr(Stdio::piped()).spawn().unwrap();
    let mut output = Vec::new();
    for line in BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok) {
        output.push(line);
        let last = output.last().unwrap();
        if last.contains("waiting for the database") && !cluster.runs() {
            cluster.start_again();
        }
        if last.contains("listening on") {
            break;
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let place = format!("127.0.0.1:{}/members", cluster.port);
    assert!(output[0].contains("waiting for the database") && output[0].contains(&place), "{output:#?}");
    assert!(output.last().unwrap().contains("listening on"), "{output:#?}");
    assert!(!output.concat().contains("hush"), "{output:#?}");
}

#[test]
fn what_waiting_does_not_mend_is_said_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let cluster = Cluster::start();
    let begun = Instant::now();
    let no_file = format!("sqlite://{}/no/such/folder/members.db", folder.path().display());
    for (url, expected) in [
        (cluster.url("nowhere"), "database \"nowhere\" does not exist"),
        (cluster.url("postgres").replace("tester", "stranger"), "role \"stranger\" does not exist"),
        (no_file, "/no/such/folder/members.db: there is no folder"),
    ] {
        let (started, output) = run(&mut serve_at(folder.path(), &url));
        assert!(!started && output.contains(expected) && !output.contains("waiting"), "{url}: {output}");
        assert!(!output.contains(" at line "), "a line of PostgreSQL's own source: {output}");
    }
    assert!(begun.elapsed() < Duration::from_secs(20), "none of them waited half a minute");
}

#[test]
fn an_address_with_a_parameter_that_is_wrong_is_refused_by_the_name_of_it_and_its_value_is_written_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty.pem");
    fs::write(&empty, "").unwrap();
    for (parameter, told) in [
        ("sslpassword=KEYSECRET".to_owned(), "`sslpassword` is not a parameter"),
        ("ssl_rootcert=KEYSECRET".to_owned(), "did you mean sslrootcert?"),
        ("sslmode=KEYSECRET".to_owned(), "sslmode of this database address must be disable, allow, prefer, require"),
        ("sslrootcert=/no/such.pem".to_owned(), "sslrootcert of this database address names the file /no/such.pem"),
        (format!("sslrootcert={}", empty.display()), "holds no certificate in PEM"),
    ] {
        let url = format!("postgres://tester@127.0.0.1:1/members?{parameter}");
        let (started, output) = run(&mut serve_at(folder.path(), &url));
        assert!(!started && output.contains("CGM_DATABASE_URL: ") && output.contains(told), "{parameter}: {output}");
        assert!(!output.contains("KEYSECRET") && !output.contains("waiting"), "{parameter}: {output}");
    }
}

#[test]
fn a_file_of_a_database_is_its_owners_and_under_systemd_in_the_state_directory() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let mut serve = bare(folder.path());
    serve.env("CGM_VIEWER_SECRET", SECRET).env("STATE_DIRECTORY", folder.path());
    let _program = Program::start(serve.args(["serve", "--listen", "127.0.0.1:0"]));
    for beside in ["", "-wal", "-shm"] {
        let file = folder.path().join(format!("chat-group-members.db{beside}"));
        let mode = file.metadata().unwrap_or_else(|error| panic!("{}: {error}", file.display())).permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{}", file.display());
    }
    let is_a_folder = format!("sqlite://{}", folder.path().display());
    let (started, output) = run(&mut serve_at(folder.path(), &is_a_folder));
    let named = format!("{}: it is a folder", folder.path().display());
    assert!(!started && output.contains(&named) && output.contains("--database-url"), "{output}");
}

#[tokio::test]
async fn a_database_that_a_newer_version_has_expanded_is_served() {
    let folder = tempfile::tempdir().unwrap();
    let people = "uid,name,scope,avatar,joinedAt\nada,Ada,owner,,\ndee,Dee,participant,,\n";
    assert!(import(folder.path(), "den", people).0);
    // What the version after us may do: docs/migrations.md.
    for step in [
        "ALTER TABLE members ADD COLUMN note TEXT",
        "ALTER TABLE events ADD COLUMN place BIGINT NOT NULL DEFAULT 0",
        "CREATE TABLE pins (guid TEXT NOT NULL, uid TEXT NOT NULL, PRIMARY KEY (guid, uid))",
        "INSERT INTO _sqlx_migrations (version, description, installed_on, success, checksum, execution_time)
         SELECT 9999, 'a step of the next version', installed_on, success, checksum, execution_time
         FROM _sqlx_migrations WHERE version = 1",
    ] {
        write_by_hand(folder.path(), step).await;
    }
    let program = Program::serve(folder.path());
    let ada = program.actor("ada");
    ada.set_scope("dee", "moderator").await.ok();
    assert_eq!(ada.sees().await, ["ada", "dee"]);
    ada.ban("dee", serde_json::json!({"until": now() + 3600})).await.ok();
    let (sound, output) = run(command(folder.path()).arg("doctor"));
    let wrong: Vec<_> = output.lines().filter(|line| line.starts_with("WRONG")).collect();
    assert!(!sound && wrong.len() == 1 && wrong[0].contains("step 9999 is of a newer version"), "{output}");
}

#[tokio::test]
async fn a_file_of_another_program_is_named_and_left_as_it_is() {
    let steps = "CREATE TABLE _sqlx_migrations (version BIGINT PRIMARY KEY, description TEXT NOT NULL);
        INSERT INTO _sqlx_migrations VALUES (20240501120000, 'orders'); CREATE TABLE orders (id INTEGER)";
    for (made, told) in [
        ("CREATE TABLE users (id INTEGER); CREATE TABLE orders (id INTEGER)", "it has the tables orders, users)"),
        ("CREATE TABLE d (x); CREATE TABLE c (x); CREATE VIEW b AS SELECT 1; CREATE TABLE a (x)", "a, b, c, …)"),
        (steps, "it has the table orders)"),
        ("PRAGMA application_id = 4711", "its application id is 0x1267)"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("other.db");
        let url = format!("sqlite://{}", file.display());
        let mut connection = SqliteConnection::connect(&format!("{url}?mode=rwc")).await.unwrap();
        sqlx::raw_sql(AssertSqlSafe(made.to_owned())).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        let content = fs::read(&file).unwrap();
        let others: [&[&str]; 2] = [&["doctor", "--mend"], &["webhooks", "pause", "x"]];
        for arguments in ON_DATABASE.into_iter().chain(others) {
            let mut command = bare(folder.path());
            command.env("CGM_VIEWER_SECRET", SECRET).env("CGM_DATABASE_URL", &url).args(arguments);
            let (done, output) = run(&mut command);
            let is_said = output.contains("another program's database (") && output.contains(told);
            assert!(!done && is_said && output.contains("name another file"), "{arguments:?}: {output}");
            assert!(!output.contains("run `chat-group-members migrate`"), "{arguments:?}: {output}");
            assert!(fs::read(&file).unwrap() == content, "{arguments:?} has written to it");
            let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
            assert_eq!(left, ["other.db"], "{arguments:?} has left something beside it");
        }
    }
}

#[test]
fn of_an_empty_file_it_is_said_that_it_is_no_database_of_this_program() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("empty.db"), "").unwrap();
    for arguments in [&["backup", "copy.db"][..], &["webhooks", "list"]] {
        let mut command = bare(folder.path());
        command.env("CGM_VIEWER_SECRET", SECRET).env("CGM_DATABASE_URL", "sqlite://empty.db").args(arguments);
        let (done, output) = run(&mut command);
        assert!(!done && output.contains("empty.db is no database of this program"), "{arguments:?}: {output}");
    }
}

#[test]
fn a_migration_that_is_told_to_end_ends_at_once_and_leaves_nothing_half_done() {
    let folder = tempfile::tempdir().unwrap();
    let cluster = Cluster::start();
    let url = cluster.create_database("members");
    let command = |name: &str| {
        let mut command = bare(folder.path());
        command.env("CGM_VIEWER_SECRET", SECRET).env("CGM_DATABASE_URL", &url).arg(name);
        command
    };
    let wait_until = |sessions: &str| {
        let begun = Instant::now();
        let count = format!("SELECT count(*) FROM pg_stat_activity WHERE datname = 'members' AND {sessions}");
        while cluster.sql("postgres", &count) == "0" {
            assert!(begun.elapsed() < Duration::from_secs(20), "waited in vain: {sessions}");
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    std::thread::scope(|scope| {
        // Somebody else makes a table of the first step, and takes their time.
        scope.spawn(|| cluster.try_sql("members", "BEGIN; CREATE TABLE groups (); SELECT pg_sleep(60)"));
        wait_until("wait_event = 'PgSleep'");
        let mut migrate = command("migrate").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        wait_until("application_name = 'chat-group-members' AND wait_event_type = 'Lock'");
        let told = Instant::now();
        let sent = Command::new("kill").args(["-TERM", &migrate.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let status = loop {
            if let Some(status) = migrate.try_wait().unwrap() {
                break status;
            }
            assert!(told.elapsed() < Duration::from_secs(5), "it does not end");
            std::thread::sleep(Duration::from_millis(10));
        };
        // By itself: the first process of a container is not ended by a signal that it does not handle.
        assert_eq!(status.code(), Some(143));
        let sleeper = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
        cluster.sql("postgres", sleeper);
    });
    for name in ["migrate", "doctor"] {
        let (done, output) = run(&mut command(name));
        assert!(done, "{name}: {output}");
    }
}

//! Moves that are refused, fail, are killed or are cancelled: what is there afterwards, and whether the file is writable.

use std::process::Command;
use std::time::{Duration, Instant};

use sqlx::{Connection, SqliteConnection};
use tokio::task::block_in_place;

use super::fixture::{Fixture, on_insert, sql};
use super::{head, refuses_acts};
use crate::support::{Actor, eventually};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_is_not_empty_is_refused_by_name_and_the_file_stays_writable() {
    let fixture = Fixture::new().await;
    let old = fixture.serve(&fixture.file);
    let full = fixture.database("full").await;
    let csv = fixture.folder().join("other.csv");
    std::fs::write(&csv, "uid,name,scope\nada,Ada,owner\nzoe,Zoe,participant\n").unwrap();
    assert!(fixture.run(&full, &["import", "--group", "other", csv.to_str().unwrap()]).0);
    let strange = fixture.database("strange").await;
    sql(&strange, "CREATE TABLE users (id int)").await;
    let served = fixture.database("served").await;
    let node = fixture.serve(&served);

    let output = fixture.cannot_move_to(&full);
    assert!(output.contains("_full is not empty: users 2, groups 1, members 2"), "{output}");
    let output = fixture.cannot_move_to(&strange);
    assert!(output.contains("_strange holds tables of something else: users"), "{output}");
    let latin = fixture.database_with("latin", "ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0").await;
    let output = fixture.cannot_move_to(&latin);
    assert!(output.contains("ENCODING 'UTF8'") && output.contains("LATIN1"), "{output}");
    let output = fixture.cannot_move_to(&served);
    assert!(output.contains("a service runs beside") && output.contains("_served"), "{output}");
    let output = fixture.cannot_move_to(&format!("{full}_that_is_not_there"));
    assert!(output.contains("does not exist"), "{output}");
    assert!(fixture.cannot_move_to("sqlite://other.db").contains("postgres://"));
    old.actor("ada").kick("dee").await.ok();
    assert_eq!(sql(&full, "SELECT uid FROM members ORDER BY uid").await, ["ada", "zoe"]);
    drop(node);
    let newer = "INSERT INTO _sqlx_migrations VALUES (9999, 'later', now(), true, '', 0)";
    sql(&served, newer).await;
    let output = fixture.cannot_move_to(&served);
    assert!(output.contains("newer schema") && output.contains("_served"), "{output}");
    sql(&served, "DELETE FROM _sqlx_migrations WHERE version = 9999").await;
    fixture.in_file(newer.replace("now()", "datetime()")).await;
    let output = fixture.cannot_move_to(&served);
    assert!(output.contains("the file was brought to a newer schema"), "{output}");
    old.actor("ada").kick("eve").await.ok();
    fixture.in_file("DELETE FROM _sqlx_migrations WHERE version = 9999".into()).await;
    fixture.moves_to(&served);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_move_that_fails_leaves_nothing_there_and_the_file_writable() {
    let fixture = Fixture::new().await;
    let old = fixture.serve(&fixture.file);
    let target = fixture.database("fails").await;
    let scopes = ["moderator", "participant"].iter().cycle();
    let nothing_happened = async |scope: &str| {
        old.actor("ada").set_scope("dee", scope).await.ok();
        assert_eq!(sql(&target, "SELECT uid FROM users").await, [""; 0]);
    };
    let mut scopes = scopes.copied();
    let mut scope = || scopes.next().unwrap();

    let moving = fixture.stalled_move_to(&target).await;
    eventually("the file is read-only", async || refuses_acts(&old).await).await;
    let (done, output) = moving.terminate().await;
    assert!(!done && output.contains("interrupted") && output.contains("writable again"), "{output}");
    nothing_happened(scope()).await;

    let moving = fixture.stalled_move_to(&target).await;
    eventually("the file is read-only", async || refuses_acts(&old).await).await;
    let cut = "SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity
               WHERE datname = current_database() AND application_name = 'chat-group-members move'";
    assert_eq!(sql(&target, cut).await, ["true"]);
    let (done, output) = moving.wait();
    assert!(!done && output.contains("writable again"), "{output}");
    nothing_happened(scope()).await;

    // Whatever makes a copy differ, it is seen before it counts.
    on_insert(&target, "touched", "").await;
    on_insert(&target, "users", "IF NEW.uid = 'cy' THEN NEW.avatar := 'https://elsewhere.example/'; END IF;").await;
    let output = fixture.cannot_move_to(&target);
    assert!(output.contains("users differs") && output.contains("writable again"), "{output}");
    nothing_happened(scope()).await;

    on_insert(&target, "users", "").await;
    fixture.moves_to(&target);
}

/// Whether a process handles SIGTERM, the 15th signal of its mask.
fn handles_sigterm(process: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
    (u64::from_str_radix(mask.trim(), 16).unwrap() >> 14) & 1 == 1
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_move_that_is_told_to_end_before_its_copy_says_so_and_leaves_the_file_as_it_was() {
    let fixture = Fixture::new().await;
    let old = fixture.serve(&fixture.file);
    let target = fixture.database("waits").await;
    let (done, output) = fixture.waiting_move_to(&target).await.terminate().await;
    assert!(!done && output.contains("interrupted. Nothing was changed"), "{output}");
    old.actor("ada").kick("dee").await.ok();

    // Somebody else writes to the file, and takes their time.
    let mut writer = SqliteConnection::connect(&fixture.file).await.unwrap();
    let held = writer.begin_with("BEGIN IMMEDIATE").await.unwrap();
    for arguments in [&["move", "--to", target.as_str()][..], &["move", "--cancel"]] {
        let waiting = fixture.begin(arguments);
        let process = waiting.id();
        eventually("it handles the signal", async || handles_sigterm(process)).await;
        let told = Instant::now();
        let sent = Command::new("kill").args(["-TERM", &process.to_string()]).status().unwrap();
        assert!(sent.success());
        let ended = block_in_place(|| waiting.wait_with_output()).unwrap();
        assert!(told.elapsed() < Duration::from_secs(20), "{arguments:?} waited for whoever writes");
        // By itself, as the first process of a container has to.
        assert!(ended.status.code().is_some_and(|code| code != 0), "{arguments:?}: {:?}", ended.status);
    }
    held.rollback().await.unwrap();
    old.actor("ada").kick("eve").await.ok();
    fixture.moves_to(&target);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_move_that_was_killed_is_cancelled_or_done_again() {
    let fixture = Fixture::new().await;
    let old = fixture.serve(&fixture.file);
    let target = fixture.database("killed").await;
    for again in [false, true] {
        let moving = fixture.stalled_move_to(&target).await;
        eventually("the file is read-only", async || refuses_acts(&old).await).await;
        moving.kill().await;
        assert!(refuses_acts(&old).await, "nobody is there who could make it writable");
        let output = fixture.doctor_is_happy(&fixture.file);
        assert!(output.contains("read-only") && output.contains("has begun and not ended"), "{output}");
        if !again {
            let (done, output) = fixture.run(&fixture.file, &["move", "--cancel"]);
            assert!(done && output.contains("writable again"), "{output}");
            old.actor("ada").kick("dee").await.ok();
        }
    }
    let id = old.actor("eve").data("/groups/den/members").await.ok().json()["meta"]["id"].clone();
    fixture.moves_to(&target);
    let output = fixture.moves_to(&target);
    assert!(output.contains("an earlier move has brought everything"), "once more does no harm: {output}");
    let new = fixture.serve(&target);
    assert_eq!(new.actor("eve").data("/groups/den/members").await.ok().json()["meta"]["id"], id);
    assert_eq!(new.actor("ada").sees().await, ["ada", "ben", "cy", "eve"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_restored_from_a_backup_of_a_moved_file_takes_acts_in_a_history_of_its_own() {
    let fixture = Fixture::new().await;
    let target = fixture.database("kept").await;
    fixture.moves_to(&target);
    let epoch = async |ada: &Actor| {
        let list = ada.data("/groups/den/members?limit=1").await.ok().json();
        list["meta"]["id"].as_str().unwrap().rsplit_once('.').unwrap().0.to_owned()
    };
    let old = fixture.serve(&fixture.file);
    let before = epoch(&old.actor("ada")).await;
    let (copy, restored) = (fixture.folder().join("town.backup"), fixture.folder().join("restored.db"));
    let (done, output) = fixture.run(&fixture.file, &["backup", copy.to_str().unwrap()]);
    assert!(done, "{output}");
    assert!(refuses_acts(&old).await, "the file itself stays read-only");
    std::fs::copy(&copy, &restored).unwrap();
    let restored = format!("sqlite://{}", restored.display());
    let again = fixture.serve(&restored);
    let ada = again.actor("ada");
    assert_ne!(epoch(&ada).await, before);
    ada.kick("dee").await.ok();
    assert_eq!(ada.sees().await, ["ada", "ben", "cy", "eve"]);
    let output = fixture.doctor_is_happy(&restored);
    assert!(!output.contains("read-only"), "{output}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_moved_file_is_served_read_only_until_the_move_is_cancelled() {
    let fixture = Fixture::new().await;
    let (target, other) = (fixture.database("first").await, fixture.database("second").await);
    let (done, output) = fixture.run(&fixture.file, &["move", "--cancel"]);
    assert!(done && output.contains("writable already"), "{output}");
    fixture.moves_to(&target);
    let old = fixture.serve(&fixture.file);
    let warning = old.startup_log.iter().find(|line| line.contains("WARN") && line.contains("it was moved to"));
    assert!(warning.is_some_and(|line| line.contains("_first")), "{:?}", old.startup_log);
    assert_eq!(old.actor("ada").sees().await, ["ada", "ben", "cy", "dee", "eve"]);
    assert!(refuses_acts(&old).await);
    assert!(fixture.doctor_is_happy(&fixture.file).contains("it was moved to"));
    let output = fixture.cannot_move_to(&other);
    assert!(
        output.contains("it was moved to") && output.contains("--cancel"),
        "no second copy of one history: {output}"
    );

    let new = fixture.serve(&target);
    let now = head(&new.actor("ada"), "den").await;
    new.actor("ben").kick("dee").await.ok();
    let output = fixture.cannot_move_to(&target);
    assert!(output.contains("goes on by itself") && !output.contains("writable again"), "{output}");
    let mut stream = new.actor("eve").events().await;
    stream.until("it begins", |message| message.name() == "ready").await;
    new.actor("ben").kick("cy").await.ok();
    let id = stream.up_to(now + 2).await.pop().unwrap().id.unwrap();

    let (done, output) = fixture.run(&fixture.file, &["move", "--cancel"]);
    assert!(done && output.contains("writable again") && output.contains("start the service again"), "{output}");
    drop((old, new));
    let old = fixture.serve(&fixture.file);
    for scope in ["moderator", "participant", "moderator"] {
        old.actor("ada").set_scope("eve", scope).await.ok();
    }
    // The same number was another event at the nodes.
    let mut stream = old.actor("eve").raw("/groups/den/events?format=json", &[("Last-Event-ID", &id)]).await;
    stream.until("they look again", |message| message.name() == "resync").await;
    assert_eq!(old.actor("ada").sees().await, ["ada", "ben", "cy", "eve", "dee"]);
    let output = fixture.cannot_move_to(&target);
    assert!(output.contains("_first is not empty"), "{output}");
    fixture.moves_to(&other);
}

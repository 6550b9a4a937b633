//! A disk without room. Here a file that may not grow: that needs no disk of its own.

use std::os::unix::fs::MetadataExt;
use std::process::Command;

use reqwest::Method;
use serde_json::json;

use super::{kick, not_ready, refused_for_now, until_yes, world};
use crate::support::actor::{send, with};
use crate::support::cluster::Cluster;
use crate::support::program::{Program, bare, path, run, run_with};
use crate::support::{Actor, SECRET, token};

/// Says how large files of this process may be. Only its owner may.
fn limit_files(pid: &str, bytes: &str) {
    let owner = |pid: &str| std::fs::metadata(format!("/proc/{pid}")).unwrap().uid();
    let mut limit = Command::new("prlimit");
    if owner(pid) != owner("self") {
        limit = Command::new("runuser");
        limit.args(["-u", "postgres", "--", "prlimit"]);
    }
    let done = limit.args(["--pid", pid, &format!("--fsize={bytes}:unlimited")]).status().unwrap();
    assert!(done.success(), "prlimit of util-linux");
}

/// Acts until one is refused for want of room: who was let in.
async fn fill(actor: &Actor) -> Vec<String> {
    let mut joined = Vec::new();
    for turn in 0..4000 {
        let uid = format!("p{turn}");
        let request = actor.anonymous(Method::POST, "/groups/park/members").bearer_auth(token(&uid));
        let answer = send(with(request, &[("accept", "application/json")])).await;
        if answer.status == 503 {
            assert!(!answer.header("retry-after").is_empty());
            return joined;
        }
        answer.ok();
        joined.push(uid);
    }
    panic!("it does not become full");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_under_sqlite_takes_no_half_acts_and_heals() {
    let folder = tempfile::tempdir().unwrap();
    let program = || {
        let mut program = bare(folder.path());
        program.env("CGM_VIEWER_SECRET", SECRET).env("CGM_DATABASE_URL", "sqlite://test.db");
        program
    };
    for (guid, people) in [("den", "ben,Ben,admin,,\ndee,Dee,participant,,\n"), ("park", "")] {
        let csv = format!("uid,name,scope,avatar,joinedAt\nada,Ada,owner,,\n{people}");
        let (done, output) = run_with(program().args(["import", "--type", "public", "--group", guid, "-"]), &csv);
        assert!(done, "{output}");
    }
    let service = Program::start(program().args(["serve", "--listen", "127.0.0.1:0"]));
    let (ada, ben) = (service.actor("ada"), service.actor("ben"));
    let mut stream = ada.raw("/groups/park/events?format=json", &[]).await;
    stream.next().await.unwrap();
    // The room ends at one write after the other of what an act writes.
    let (mut joined, mut refused) = (Vec::new(), 0);
    let log = folder.path().join("test.db-wal");
    for point in 0..60 {
        let size = std::fs::metadata(&log).map_or(0, |meta| meta.len()).max(4096);
        limit_files(&service.pid(), &(size - 4096 + point * 700).to_string());
        let uid = format!("q{point}");
        let request = ada.anonymous(Method::POST, "/groups/park/members").bearer_auth(token(&uid));
        let answer = send(with(request, &[("accept", "application/json")])).await;
        match answer.status.as_u16() {
            200 => joined.push(uid),
            503 => refused += 1,
            _ => panic!("{answer:?}"),
        }
        if point % 10 == 9 {
            limit_files(&service.pid(), "unlimited");
            until_yes("an act with room again", || ben.join()).await;
            until_yes("and its contrary", || ben.act(Method::DELETE, "/groups/park/members/ben", json!({}))).await;
        }
    }
    assert!(refused > 0, "never full");
    limit_files(&service.pid(), "1024");
    refused_for_now("an act without room", kick(&ben, "dee", "k1")).await;
    not_ready(&ada, "acts are refused").await;
    not_ready(&ada, "the limit of the size of files (`ulimit -f`) is reached").await;
    not_ready(&ada, "(the file test.db)").await;
    assert_eq!(ada.sees().await, ["ada", "ben", "dee"]);
    let mut new = ben.events().await;
    assert_eq!(new.next().await.unwrap().name(), "ready");
    limit_files(&service.pid(), "unlimited");
    until_yes("the act with room again", || kick(&ben, "dee", "k1")).await;
    assert_eq!(ada.sees().await, ["ada", "ben"]);
    let there = ada.data("/groups/park/members?limit=100").await.ok().json();
    let there: Vec<&str> =
        there["data"].as_array().unwrap().iter().map(|member| member["uid"].as_str().unwrap()).collect();
    assert!(joined.iter().all(|uid| there.contains(&uid.as_str())), "{joined:?} {there:?}");
    service.kill();
    let (sound, output) = run(program().arg("doctor"));
    assert!(sound && !output.contains("WRONG"), "{output}");
}

#[test]
fn a_command_that_finds_no_room_while_no_service_runs_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let people = "uid,name,scope,avatar,joinedAt\nada,Ada,owner,,\n";
    let with_database = |mut command: Command| {
        command.env_clear().env("CGM_DATABASE_URL", "sqlite://test.db").current_dir(folder.path());
        command
    };
    let import = ["import", "--group", "den", "-"];
    let (done, output) = run_with(with_database(Command::new(path())).args(import), people);
    assert!(done, "{output}");
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["test.db"], "the index of the write-ahead log has to be made anew");
    for arguments in [&import[..], &["backup", "copy"]] {
        // No file may have a page.
        let mut limited = Command::new("prlimit");
        limited.arg("--fsize=1024:unlimited").arg(path()).args(arguments);
        let (done, output) = run_with(&mut with_database(limited), people);
        let told = "the disk is full, a quota or the limit of the size of files (`ulimit -f`) is reached";
        assert!(!done && output.contains(told), "{arguments:?}: {output}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_under_postgresql_takes_no_half_acts_and_heals() {
    const ROOM: &str = "16777216";
    let cluster = Cluster::start();
    let world = world(&cluster.create_database("chat")).await;
    let server = cluster.pid().unwrap();
    let backends = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";
    // Whoever connects from now on has the limit, and the log of events is as large as that.
    limit_files(&server, ROOM);
    cluster.sql("chat", &format!("SELECT count(pg_terminate_backend(pid)) FROM ({backends}) AS others"));
    let junk = "INSERT INTO events (guid, seq, kind, at) SELECT 'junk', n, '', 0 FROM generate_series(1, 400000) n";
    assert!(cluster.try_sql("chat", junk).unwrap_err().contains("too large"));
    let seen = world.eve.sees().await;
    let joined = fill(&world.gus).await;
    refused_for_now("an act without room", kick(&world.ben, "dee", "k1")).await;
    assert_eq!(world.eve.sees().await, seen);
    world.ben.data("/groups/den/bans").await.ok();
    limit_files(&server, "unlimited");
    for backend in cluster.sql("chat", backends).lines() {
        limit_files(backend, "unlimited");
    }
    until_yes("the act with room again", || kick(&world.ben, "dee", "k1")).await;
    super::nothing_is_lost(&world, &joined).await;
}

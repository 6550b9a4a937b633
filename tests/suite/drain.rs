//! How the program ends: as `rolling` shows it from in front of a load balancer, here seen
//! by whoever is connected.

use std::path::Path;
use std::time::Duration;

use reqwest::Method;

use crate::support::actor::send;
use crate::support::database::read_by_hand;
use crate::support::program::{Program, command, import, run};
use crate::support::sse::Raw;
use crate::support::{self, client, eventually};

const PEOPLE: &str = "uid,name,scope,avatar,joinedAt\nada,Ada,owner,,\ndee,Dee,participant,,\n";

fn program(folder: &Path) -> Program {
    assert!(import(folder, "den", PEOPLE).0);
    Program::serve(folder)
}

async fn gone(program: Program) -> Duration {
    let (status, took) = tokio::task::spawn_blocking(move || program.wait()).await.unwrap();
    assert!(status.success() && took < Duration::from_secs(5), "{status} after {took:?}");
    took
}

/// How a service is ended.
type End = fn(&Program);

#[tokio::test]
async fn whoever_comes_while_it_says_that_it_ends_is_answered() {
    let folder = tempfile::tempdir().unwrap();
    let program = program(folder.path());
    let (ada, dee) = (program.actor("ada"), program.actor("dee"));
    assert!(ada.get("/readyz").await.ok().header("connection").is_empty());
    program.terminate();
    eventually("it is not ready", async || ada.get("/readyz").await.status == 503).await;
    // On a new connection, and as the last request of each.
    let newcomer = support::Actor::new("dee", &support::token("dee"), &program.url, client());
    for actor in [&newcomer, &dee] {
        let list = actor.data("/groups/den/members").await.ok();
        assert_eq!(list.header("connection"), "close");
    }
    ada.set_scope("dee", "moderator").await.ok();
    let mut stream = newcomer.events().await;
    assert_eq!((stream.status, stream.rest().await.last().unwrap().name()), (200, "bye"));
    gone(program).await;
}

#[tokio::test]
async fn goodbyes_are_spread_over_the_streams_of_a_group() {
    let folder = tempfile::tempdir().unwrap();
    let program = program(folder.path());
    let dee = program.actor("dee");
    let (sender, mut receiver) = tokio::sync::mpsc::unbounded_channel();
    for _ in 0..20 {
        let (mut stream, sender) = (dee.events().await, sender.clone());
        tokio::spawn(async move {
            let last = stream.rest().await.pop().unwrap();
            sender.send((last.name().to_owned(), tokio::time::Instant::now())).unwrap();
        });
    }
    drop(sender);
    program.terminate();
    let mut goodbyes = Vec::new();
    while let Some((name, at)) = support::soon("a goodbye", receiver.recv()).await {
        assert_eq!(name, "bye");
        goodbyes.push(at);
    }
    assert_eq!(goodbyes.len(), 20);
    let spread = goodbyes[19] - goodbyes[0];
    assert!(spread > Duration::from_secs(1), "they do not come back in one moment: {spread:?}");
    gone(program).await;
}

/// So many that goodbyes take a while.
async fn streams(program: &Program) -> Vec<Raw> {
    let dee = program.actor("dee");
    futures_util::future::join_all((0..20).map(|_| dee.events())).await
}

#[tokio::test]
async fn at_a_terminal_it_ends_at_once_and_says_goodbye() {
    let folder = tempfile::tempdir().unwrap();
    let program = program(folder.path());
    let streams = streams(&program).await;
    program.interrupt();
    for mut stream in streams {
        assert_eq!(stream.rest().await.last().unwrap().name(), "bye");
    }
    let took = gone(program).await;
    assert!(took < Duration::from_secs(2), "a supervisor's end takes more than three seconds: {took:?}");
}

#[tokio::test]
async fn told_twice_it_does_not_go_on_draining() {
    let folder = tempfile::tempdir().unwrap();
    let program = program(folder.path());
    let ada = program.actor("ada");
    let _streams = streams(&program).await;
    program.terminate();
    eventually("it drains", async || send(ada.anonymous(Method::GET, "/readyz")).await.status == 503).await;
    program.terminate();
    let took = gone(program).await;
    assert!(took < Duration::from_secs(2), "told once, it takes more than three seconds: {took:?}");
}

#[tokio::test]
async fn a_thread_that_hangs_does_not_keep_it_from_ending() {
    let folder = tempfile::tempdir().unwrap();
    assert!(import(folder.path(), "den", PEOPLE).0);
    let keys = folder.path().join("jwks.json");
    std::fs::write(&keys, include_str!("../../src/identity/testkeys/jwks.json")).unwrap();
    let mut serve = command(folder.path());
    let program = Program::start(serve.env("CGM_VIEWER_JWKS", &keys).args(["serve", "--listen", "127.0.0.1:0"]));
    // Whoever opens a pipe to read it waits for somebody who writes.
    std::fs::remove_file(&keys).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&keys).status().unwrap().success());
    program.hang_up();
    program.terminate();
    gone(program).await;
}

/// The files of a SQLite database.
fn files(folder: &Path) -> Vec<String> {
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.filter(|name| name.starts_with("test.db")).collect();
    names.sort();
    names
}

#[tokio::test]
async fn what_has_ended_by_itself_leaves_the_file_with_everything_in_it_and_no_write_ahead_log() {
    if std::env::var("CGM_TEST_POSTGRES").is_ok() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    assert!(run(command(folder.path()).arg("migrate")).0);
    assert_eq!(files(folder.path()), ["test.db"], "after a migration");
    assert!(import(folder.path(), "den", PEOPLE).0);
    assert_eq!(files(folder.path()), ["test.db"], "after an import");
    let ends: [(End, &str, &str); 2] = [(Program::terminate, "moderator", "1"), (Program::interrupt, "admin", "2")];
    for (end, scope, stored) in ends {
        let program = Program::serve(folder.path());
        program.actor("ada").set_scope("dee", scope).await.ok();
        end(&program);
        gone(program).await;
        assert_eq!(files(folder.path()), ["test.db"], "after the service");
        let alone = tempfile::tempdir().unwrap();
        std::fs::copy(folder.path().join("test.db"), alone.path().join("test.db")).unwrap();
        let found = read_by_hand(alone.path(), "SELECT CAST(scope AS TEXT) FROM members WHERE uid = 'dee'").await;
        assert_eq!(found.as_deref(), Some(stored), "the file alone has the last act");
    }
}

#[tokio::test]
async fn an_import_beside_the_service_leaves_the_service_its_write_ahead_log() {
    if std::env::var("CGM_TEST_POSTGRES").is_ok() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = program(folder.path());
    assert!(import(folder.path(), "park", PEOPLE).0);
    assert_eq!(files(folder.path()), ["test.db", "test.db-shm", "test.db-wal"]);
    program.actor("ada").set_scope("dee", "moderator").await.ok();
    program.terminate();
    gone(program).await;
    assert_eq!(files(folder.path()), ["test.db"]);
}

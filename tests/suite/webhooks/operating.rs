//! What operators do: endpoints in the file, the commands, secrets that change, a second start by mistake.

use std::path::Path;
use std::time::Duration;

use chat_group_members::app::App;
use chat_group_members::clock::Clock;
use chat_group_members::config::Config;

use super::receiver::{Receiver, Reply, SECRET};
use super::webhook;
use crate::support::database::database;
use crate::support::eventually;
use crate::support::program::{Program, command, import, run};

/// Another secret.
const OTHER: &str = "whsec_bmV3LXNlY3JldC1uZXctc2VjcmV0LW5ldy1zZWNyZXQ=";
const PEOPLE: &str = "uid,name,scope,avatar,joinedAt\nada,Ada,owner,,\nben,Ben,admin,,\ndee,Dee,participant,,\n";

/// The program with this as its file.
fn with_file(folder: &Path, file: &str) -> std::process::Command {
    let path = folder.join("members.toml");
    std::fs::write(&path, file).unwrap();
    let mut command = command(folder);
    command.args(["--config", path.to_str().unwrap()]);
    command
}

async fn serve(folder: &Path, file: &str) -> Program {
    let mut serve = with_file(folder, file);
    serve.args(["serve", "--listen", "127.0.0.1:0"]);
    tokio::task::spawn_blocking(move || Program::start(&mut serve)).await.unwrap()
}

/// Ends it as a supervisor does, so that every position is written.
async fn ends(program: Program) {
    program.terminate();
    let (ended, _) = tokio::task::spawn_blocking(move || program.wait()).await.unwrap();
    assert!(ended.success());
}

/// An entry of the file.
fn entry(receiver: &Receiver, secret: &str, more: &str) -> String {
    format!("[[webhooks]]\nurl = {:?}\nsecret = [{secret:?}]\n{more}\n", receiver.url)
}

async fn changes_dee(program: &Program, scopes: &[&str]) {
    for scope in scopes {
        program.actor("ben").set_scope("dee", scope).await.ok();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_endpoints_of_the_file_are_told_and_may_change_from_start_to_start() {
    let folder = tempfile::tempdir().unwrap();
    assert!(import(folder.path(), "den", PEOPLE).0);
    let (all, kicks, late) = (Receiver::new().await, Receiver::new().await, Receiver::new().await);
    let first = entry(&all, SECRET, "");
    let second = entry(&kicks, OTHER, "events = [\"member.scope_changed\", \"member.kicked\"]\nformat = \"original\"");
    let program = serve(folder.path(), &(first.clone() + &second)).await;
    changes_dee(&program, &["moderator"]).await;
    all.has_event("den", 3).await;
    let calls = kicks.has(1).await;
    assert_eq!(calls[0].json()["trigger"], "group_member_scope_changed");
    assert!(calls[0].is_signed_by(OTHER) && !calls[0].is_signed_by(SECRET), "each has secrets of its own");
    assert!(all.calls().iter().all(|call| call.is_signed_by(SECRET) && !call.is_signed_by(OTHER)));
    ends(program).await;

    // One is taken out, and another one comes: it begins now.
    let program = serve(folder.path(), &(first.clone() + &entry(&late, SECRET, ""))).await;
    changes_dee(&program, &["participant"]).await;
    late.has_event("den", 4).await;
    all.has_event("den", 4).await;
    assert_eq!((late.seqs("den"), kicks.calls().len()), (vec![4], 1));
    ends(program).await;

    // The first one is back, with other types, and has missed nothing of them.
    let second = entry(&kicks, OTHER, "events = [\"member.scope_changed\"]");
    let program = serve(folder.path(), &(second + &entry(&late, SECRET, ""))).await;
    program.actor("ben").kick("dee").await.ok();
    late.has_event("den", 5).await;
    assert_eq!(kicks.has(2).await[1].data()["seq"], 4);
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    assert_eq!((kicks.calls().len(), all.seqs("den")), (2, vec![3, 4]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_commands_list_pause_resume_and_replay() {
    let folder = tempfile::tempdir().unwrap();
    assert!(import(folder.path(), "den", PEOPLE).0);
    let receiver = Receiver::new().await;
    let file = entry(&receiver, SECRET, "");
    let program = serve(folder.path(), &file).await;
    let cli = |arguments: &[&str]| {
        let mut command = command(folder.path());
        command.arg("webhooks").args(arguments);
        tokio::task::block_in_place(|| run(&mut command))
    };
    let (done, output) = cli(&["list"]);
    assert!(
        done && output.contains(&receiver.url) && output.contains("active") && output.contains("waiting: 0"),
        "{output}"
    );
    let id = output.split_whitespace().next().unwrap().to_owned();
    assert_eq!(id.len(), 16, "{output}");
    changes_dee(&program, &["moderator"]).await;
    receiver.has_event("den", 3).await;

    let (done, output) = cli(&["pause", &id]);
    assert!(done && output.starts_with("paused\n"), "{output}");
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    changes_dee(&program, &["participant"]).await;
    eventually("one waits", || async { cli(&["list"]).1.contains("waiting: 1 events, the oldest of 2") }).await;
    let output = cli(&["list"]).1;
    assert!(output.contains(" paused ") && output.contains("last answer: 200, 2"), "{output}");
    assert_eq!(receiver.seqs("den"), [3]);
    let (done, output) = cli(&["resume", &id]);
    assert!(done && output.starts_with("active\n"), "{output}");
    receiver.has_event("den", 4).await;
    eventually("nothing waits", || async { cli(&["list"]).1.contains("waiting: 0 events") }).await;

    let (done, output) = cli(&["replay", &id, "--from", "2026-01-01T00:00:00Z"]);
    assert!(done && output.starts_with("4 events will be delivered again\n"), "{output}");
    eventually("the log comes again", || async { receiver.calls().len() == 6 }).await;
    assert_eq!(receiver.seqs("den"), [3, 4, 1, 2], "those of before it was configured as well");
    for (arguments, expected) in [
        (["replay", "0000000000000000", "--from", "2026-01-01T00:00:00Z"].as_slice(), "no such endpoint"),
        (&["replay", &id, "--from", "yesterday"], "\"yesterday\" is not a time"),
        (&["pause", "0000000000000000"], "no such endpoint"),
        (&["resume", "0000000000000000"], "no such endpoint"),
    ] {
        let (done, output) = cli(arguments);
        assert!(!done && output.contains(expected), "{output}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_secret_is_replaced_from_start_to_start_without_a_lost_delivery() {
    let folder = tempfile::tempdir().unwrap();
    assert!(import(folder.path(), "den", PEOPLE).0);
    let receiver = Receiver::new().await;
    // The receiver takes what is signed by the secret it knows.
    let knows = |secret: &'static str| {
        receiver.answers(move |call, _| Reply::Status(if call.is_signed_by(secret) { 204 } else { 401 }));
    };
    let secrets = |list: &str| format!("[[webhooks]]\nurl = {:?}\nsecret = [{list}]\n", receiver.url);
    knows(SECRET);
    let program = serve(folder.path(), &secrets(&format!("{SECRET:?}"))).await;
    changes_dee(&program, &["moderator"]).await;
    receiver.has_event("den", 3).await;
    program.kill();
    let program = serve(folder.path(), &secrets(&format!("{OTHER:?}, {SECRET:?}"))).await;
    changes_dee(&program, &["participant"]).await;
    receiver.has_event("den", 4).await;
    knows(OTHER);
    changes_dee(&program, &["moderator"]).await;
    receiver.has_event("den", 5).await;
    program.kill();
    let program = serve(folder.path(), &secrets(&format!("{OTHER:?}"))).await;
    changes_dee(&program, &["participant"]).await;
    receiver.has_event("den", 6).await;
    drop(program);
    assert!(receiver.calls().iter().filter(|call| call.data()["seq"] == 6).all(|call| !call.is_signed_by(SECRET)));
    let ids: std::collections::HashSet<_> = receiver.calls().iter().map(|call| call.id().to_owned()).collect();
    assert_eq!((receiver.seqs("den"), ids.len()), (vec![3, 4, 5, 6], 4), "each was taken at its first try or repeated");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn there_may_be_ten_endpoints_and_no_inside_addresses() {
    let folder = tempfile::tempdir().unwrap();
    let many = |count: usize| {
        let entry = |number| format!("[[webhooks]]\nurl = \"https://hooks.example/{number}\"\nsecret = [{SECRET:?}]\n");
        (0..count).map(entry).collect::<String>()
    };
    let refused = |file: &str| {
        let mut command = with_file(folder.path(), file);
        command.args(["serve", "--listen", "127.0.0.1:0"]);
        let (started, output) = tokio::task::block_in_place(|| run(&mut command));
        assert!(!started, "{output}");
        output
    };
    let output = refused(&many(11));
    assert!(output.contains("11 endpoints") && output.contains("at most 10"), "{output}");
    drop(serve(folder.path(), &many(10)).await);
    for inside in ["10.0.0.1", "169.254.169.254", "[fd00::1]", "[::ffff:192.168.0.1]", "0.0.0.0"] {
        let file = format!("[[webhooks]]\nurl = \"https://{inside}/x\"\nsecret = [{SECRET:?}]\n");
        let output = refused(&file);
        assert!(output.contains("number 1 in ") && output.contains("allow-private"), "{inside}: {output}");
        drop(serve(folder.path(), &(file + "allow-private = true\n")).await);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_start_that_cannot_listen_takes_no_delivery_over() {
    let folder = tempfile::tempdir().unwrap();
    assert!(import(folder.path(), "den", PEOPLE).0);
    let receiver = Receiver::new().await;
    receiver.answers(|_, _| Reply::Late(Duration::from_millis(150), 200));
    let file = entry(&receiver, SECRET, "");
    let program = serve(folder.path(), &file).await;
    let address = program.url.strip_prefix("http://").unwrap().to_owned();
    for turn in 0..30 {
        changes_dee(&program, &[if turn % 2 == 0 { "moderator" } else { "participant" }]).await;
    }
    let mut second = with_file(folder.path(), &file);
    second.args(["serve", "--listen", &address]);
    for _ in 0..3 {
        let (started, output) = tokio::task::block_in_place(|| run(&mut second));
        assert!(!started && output.contains("cannot listen on"), "{output}");
    }
    receiver.has_event("den", 32).await;
    let ids: std::collections::HashSet<_> = receiver.calls().iter().map(|call| call.id().to_owned()).collect();
    assert_eq!((ids.len(), receiver.calls().len()), (30, 30), "each once");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_endpoint_begins_with_the_start_and_is_measured_from_the_first_look() {
    let folder = tempfile::tempdir().unwrap();
    let receiver = Receiver::new().await;
    for turn in 0..5 {
        let endpoint = webhook(&format!("{}?{turn}", receiver.url));
        let config = Config {
            database_url: database(folder.path()),
            viewer_secrets: vec![chat_group_members::config::Secret::new(crate::support::SECRET)],
            webhooks: vec![endpoint.clone()],
            ..Config::default()
        };
        let app = App::open_at(config, Clock::default()).await.unwrap();
        let known = app.store().read().await.unwrap().endpoints().await.unwrap();
        assert!(known.iter().any(|known| known.id == endpoint.id()), "before the first act");
        app.stop();
    }
    let program = {
        let mut serve = with_file(folder.path(), &entry(&receiver, SECRET, ""));
        serve.env("CGM_API_KEY", super::KEY).args(["serve", "--listen", "127.0.0.1:0"]);
        tokio::task::spawn_blocking(move || Program::start(&mut serve)).await.unwrap()
    };
    let answer = reqwest::Client::new().get(format!("{}/metrics", program.url)).header("apikey", super::KEY);
    let text = answer.send().await.unwrap().text().await.unwrap();
    let id = webhook(&receiver.url).id();
    for name in [
        "chat_group_members_webhook_deliveries_total",
        "chat_group_members_webhook_failures_total",
        "chat_group_members_webhook_dead_total",
        "chat_group_members_webhook_backlog",
        "chat_group_members_webhook_oldest_seconds",
    ] {
        assert!(text.contains(&format!("{name}{{endpoint=\"{id}\"}} 0")), "{name}: {text}");
    }
}

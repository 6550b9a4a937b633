//! An upload over a connection of its own: what is read of it while it is applied, and what is there when the service or its client
//! ends meanwhile.

use std::path::Path;
use std::time::Duration;

use reqwest::Method;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::KEY;
use super::upload::world;
use crate::support::program::{Program, command, import, run};
use crate::support::{World, faults, soon, within};

/// What an upload of this size may take, where much else runs beside.
const LONG: Duration = Duration::from_secs(60);
/// The cast in the group `den`.
const CAST: usize = 5;

/// So many people whom nobody knows yet.
fn people(count: usize) -> String {
    (0..count).map(|number| format!("{{\"uid\":\"p{number:05}\",\"name\":\"Somebody\"}}\n")).collect()
}

/// Sends these rows to `den`, all of them, and leaves the answer to be read.
async fn upload(url: &str, rows: &str) -> TcpStream {
    let host = url.strip_prefix("http://").unwrap();
    let mut socket = soon("a connection", TcpStream::connect(host)).await.unwrap();
    let head = format!(
        "PUT /v3/groups/den/members?mode=partial HTTP/1.1\r\nHost: {host}\r\napikey: {KEY}\r\nConnection: close\r\n\
         Content-Type: application/x-ndjson\r\nContent-Length: {}\r\n\r\n{rows}",
        rows.len()
    );
    within(LONG, "the upload", socket.write_all(head.as_bytes())).await.unwrap();
    socket
}

/// Reads on until this stands in what was read, which is answered.
async fn read_up_to(socket: &mut TcpStream, word: &str) -> String {
    let (mut read, mut bytes) = (Vec::new(), [0; 4096]);
    loop {
        let text = String::from_utf8_lossy(&read).into_owned();
        if text.contains(word) {
            return text;
        }
        let count = within(LONG, word, socket.read(&mut bytes)).await.unwrap();
        assert!(count > 0, "the answer ends without {word}: {text}");
        read.extend_from_slice(&bytes[..count]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_progress_of_an_upload_is_read_before_its_result() {
    let world = world().await;
    let rows = people(20_000);
    // A reader that is held up for as long as the rest takes reads both at once: then it tries again.
    for _ in 0..5 {
        let mut socket = upload(&world.url, &rows).await;
        let early = read_up_to(&mut socket, "{\"progress\":{").await;
        assert!(early.starts_with("HTTP/1.1 200"), "{early}");
        if !early.contains("\"result\"") {
            read_up_to(&mut socket, "{\"result\":{").await;
            assert_eq!(world.members("den").await.len(), CAST + 20_000);
            return;
        }
    }
    panic!("no progress is read before the result");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_upload_is_applied_to_its_end_when_its_client_hangs_up_while_it_reads_the_answer() {
    let world = world().await;
    let head = world.head("den").await;
    let mut socket = upload(&world.url, &people(20_000)).await;
    read_up_to(&mut socket, "{\"progress\":{").await;
    drop(socket);
    within(LONG, "the list is applied", async {
        while world.head("den").await == head || is_staged(&world).await {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    })
    .await;
    assert_eq!((world.head("den").await, world.members("den").await.len()), (head + 1, CAST + 20_000));
    world.ben.kick("dee").await.ok();
    assert_eq!(faults(&world.app).await, Vec::<String>::new());
}

/// Whether rows of an upload are still staged.
async fn is_staged(world: &World) -> bool {
    let store = world.app.store();
    let later = store.clock().now() + 1;
    store.read().await.unwrap().abandoned_sync(later).await.unwrap().is_some()
}

/// A service in a process of its own, with a key for the host.
fn serve(folder: &Path) -> Program {
    Program::start(command(folder).env("CGM_API_KEY", KEY).args(["serve", "--listen", "127.0.0.1:0"]))
}

/// Everybody in `den`, and the number of its last event.
async fn snapshot(program: &Program) -> String {
    let request = program.actor("ada").anonymous(Method::GET, "/v3/groups/den/members");
    let answer = request.header("apikey", KEY).header("accept", "application/x-ndjson").send().await.unwrap();
    assert_eq!(answer.status(), 200);
    answer.text().await.unwrap()
}

/// How many users there are, and the first of them.
async fn users(program: &Program) -> (u64, Vec<String>) {
    let request = program.actor("ada").anonymous(Method::GET, "/v3/users?perPage=10").header("apikey", KEY);
    let answer: serde_json::Value = request.send().await.unwrap().json().await.unwrap();
    let uids = answer["data"].as_array().unwrap().iter().map(|user| user["uid"].as_str().unwrap().to_owned()).collect();
    (answer["meta"]["pagination"]["total"].as_u64().unwrap(), uids)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_there_of_an_upload_that_a_power_cut_ends_while_it_is_applied() {
    let folder = tempfile::tempdir().unwrap();
    let csv = "uid,name,scope,avatar,joinedAt\nada,Ada,owner,,\nben,Ben,admin,,\ndee,Dee,participant,,\n";
    let (done, output) = import(folder.path(), "den", csv);
    assert!(done, "{output}");
    let program = serve(folder.path());
    let before = snapshot(&program).await;
    // Of three parts that are prepared, the first one is told; then the power is cut.
    let rows = people(30_000);
    let mut socket = upload(&program.url, &rows).await;
    let early = read_up_to(&mut socket, "{\"progress\":{").await;
    program.kill();
    assert!(!early.contains("\"result\""), "{early}");

    let (sound, output) = run(command(folder.path()).arg("doctor"));
    assert!(sound && !output.contains("WRONG"), "{output}");
    let program = serve(folder.path());
    assert_eq!(snapshot(&program).await, before, "the same members, and the same last event");
    let (total, uids) = users(&program).await;
    assert_eq!((total, uids), (3, vec!["ada".to_owned(), "ben".to_owned(), "dee".to_owned()]), "the same users");
    let mut socket = upload(&program.url, &rows).await;
    let answer = read_up_to(&mut socket, "{\"result\":{").await;
    assert!(answer.contains("\"progress\""), "{answer}");
    let after = snapshot(&program).await;
    assert_eq!(after.lines().count(), before.lines().count() + 30_000, "the next upload is applied");
    program.kill();
    let (sound, output) = run(command(folder.path()).arg("doctor"));
    assert!(sound && !output.contains("WRONG"), "{output}");
}

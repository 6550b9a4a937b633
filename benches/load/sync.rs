//! A sync of a million rows over HTTP: how long acts of another group wait meanwhile, and the memory it takes.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::runtime::Runtime;

use crate::client::Connection;
use crate::machine::memory;
use crate::people;
use crate::report::{Goal, Report, quantile, time};
use crate::service::{API_KEY, Program};

/// Pause between two acts of the other group.
const PAUSE: Duration = Duration::from_millis(10);
/// What waits of other acts are printed beside, seconds. It is no goal: `docs/api.md` says how long they wait.
const LIMIT: f64 = 1.0;
/// Memory that a sync may take beside the group's own place, bytes.
const MEMORY: f64 = 100e6;
/// What a member takes in the memory of the service (`docs/scale.md`), bytes.
const MEMBER: f64 = 206.0;
/// Rows of the second list that differ from the first.
const DIFFERENT: usize = 100;

/// A first sync of so many rows, the same with few differences, and one that puts nearly everybody out.
pub fn measure(report: &mut Report, client: &Runtime, program: &Program, folder: &Path, size: usize) {
    client.block_on(async {
        for guid in ["synced", "other"] {
            let body = format!("{{\"guid\":\"{guid}\",\"name\":\"{guid}\",\"type\":\"public\"}}");
            ask(program.address, "POST", "/v3/groups", &body).await;
        }
        ask(program.address, "POST", "/v3/users", "{\"uid\":\"to-and-fro\",\"name\":\"To and fro\"}").await;
    });
    let quiet = client.block_on(async {
        let stop = Arc::new(AtomicBool::new(false));
        let acts = tokio::spawn(act_until(program.address, stop.clone()));
        tokio::time::sleep(Duration::from_secs(3)).await;
        stop.store(true, Ordering::Relaxed);
        acts.await.expect("acts end")
    });
    report.section(&format!("Syncs of {size} rows (NDJSON), while another group is acted in"));
    report.note(&format!("without a sync an act took {} at most", time(quiet.into_iter().fold(0.0, f64::max))));
    for (what, rows, different) in
        [("first", size, 0), ("again, 100 differ", size, DIFFERENT), ("all but 1 leave", 1, 0)]
    {
        let file = write(folder, rows, different);
        let last = client.block_on(last_event(program.address));
        let outcome = client.block_on(sync(program, &file));
        let Outcome { seconds, mut waits, before, most } = outcome;
        assert_eq!(client.block_on(last_event(program.address)), last + 1, "{what}: one event for everybody");
        let longest = waits.iter().copied().fold(0.0, f64::max);
        report.line(
            &format!("{what}: longest act of another group"),
            time(longest),
            time(LIMIT),
            longest / LIMIT,
            Goal::None,
        );
        let p99 = quantile(&mut waits, 0.99);
        report.line(&format!("{what}: p99 of {} acts", waits.len()), time(p99), time(LIMIT), p99 / LIMIT, Goal::None);
        let own = (most as f64 - before as f64 - if different == 0 { rows as f64 * MEMBER } else { 0.0 }).max(0.0);
        report.line(
            &format!("{what}: memory beside the group's place"),
            format!("{:.0} MB", own / 1e6),
            format!("{:.0} MB", MEMORY / 1e6),
            own / MEMORY,
            Goal::AtMost(1.0),
        );
        report.note(&format!("{what}: {}", time(seconds)));
    }
}

struct Outcome {
    seconds: f64,
    /// How long each act of the other group took, seconds.
    waits: Vec<f64>,
    /// Memory of the program's own before the sync, and the most meanwhile, bytes.
    before: u64,
    most: u64,
}

async fn sync(program: &Program, file: &Path) -> Outcome {
    let (pid, before) = (program.pid(), memory(program.pid()));
    let stop = Arc::new(AtomicBool::new(false));
    let acts = tokio::spawn(act_until(program.address, stop.clone()));
    let stopped = stop.clone();
    let watch = tokio::spawn(async move {
        let mut most = 0;
        while !stopped.load(Ordering::Relaxed) {
            most = most.max(memory(pid));
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        most
    });
    let begun = Instant::now();
    upload(program.address, file).await;
    let seconds = begun.elapsed().as_secs_f64();
    stop.store(true, Ordering::Relaxed);
    Outcome { seconds, waits: acts.await.expect("acts end"), before, most: watch.await.expect("the watch ends") }
}

/// Sends the file, and reads the answer to its end.
async fn upload(address: SocketAddr, file: &Path) {
    let mut file = tokio::fs::File::open(file).await.expect("it was written");
    let length = file.metadata().await.expect("it was written").len();
    let mut stream = TcpStream::connect(address).await.expect("the server listens");
    let head = format!(
        "PUT /v3/groups/synced/members HTTP/1.1\r\nHost: localhost\r\napikey: {API_KEY}\r\nConnection: close\r\n\
         Content-Type: application/x-ndjson\r\nContent-Length: {length}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.expect("the server reads");
    tokio::io::copy(&mut file, &mut stream).await.expect("the server reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("the server answers");
    assert!(answer.contains("\"progress\""), "no progress: {}", &answer[answer.len().saturating_sub(1000)..]);
    assert!(answer.contains("\"result\""), "{}", &answer[answer.len().saturating_sub(1000)..]);
}

/// The number of the last event of the group that is synced.
async fn last_event(address: SocketAddr) -> u64 {
    let request =
        format!("GET /v3/groups/synced/events?limit=1 HTTP/1.1\r\nHost: localhost\r\napikey: {API_KEY}\r\n\r\n");
    let mut connection = Connection::open(address).await;
    let answer = connection.ask(request.as_bytes()).await;
    let page: serde_json::Value = serde_json::from_slice(answer.body).expect("the answer is JSON");
    page["meta"]["seq"].as_u64().unwrap_or_else(|| panic!("no number of an event: {page}"))
}

/// One person joins the other group and leaves it, again and again; how long each act took, in seconds.
async fn act_until(address: SocketAddr, stop: Arc<AtomicBool>) -> Vec<f64> {
    let mut times = Vec::new();
    while !stop.load(Ordering::Relaxed) {
        for (method, path, body) in [
            ("POST", "/v3/groups/other/members", "{\"participants\":[\"to-and-fro\"]}"),
            ("DELETE", "/v3/groups/other/members/to-and-fro", ""),
        ] {
            let begun = Instant::now();
            ask(address, method, path, body).await;
            times.push(begun.elapsed().as_secs_f64());
        }
        tokio::time::sleep(PAUSE).await;
    }
    times
}

/// One request of the host, on a connection of its own.
async fn ask(address: SocketAddr, method: &str, path: &str, body: &str) {
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\napikey: {API_KEY}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut connection = Connection::open(address).await;
    let answer = connection.ask(request.as_bytes()).await;
    assert_eq!(answer.status, 200, "{method} {path}: {}", String::from_utf8_lossy(answer.body));
}

/// A list of so many people, in no order; the first `different` of them have another scope than in a list without.
fn write(folder: &Path, rows: usize, different: usize) -> PathBuf {
    let path = folder.join("members.ndjson");
    let mut file = BufWriter::new(File::create(&path).expect("the folder is writable"));
    for number in 0..rows {
        // 7919 is a prime that divides no size in use.
        let number = number * 7919 % rows;
        let scope = if number < different { "moderator" } else { "participant" };
        let (uid, name, at) = (people::uid(number), people::name(number), people::joined_at(number));
        writeln!(file, "{{\"uid\":\"{uid}\",\"name\":\"{name}\",\"scope\":\"{scope}\",\"joinedAt\":{at}}}")
            .expect("the disk takes it");
    }
    file.flush().expect("the disk takes it");
    path
}

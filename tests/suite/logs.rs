//! What the log says of people, which is nothing, and what people are told of the log, which is a number.

use std::fs::{File, Metadata};
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};

use crate::support::database::write_by_hand;
use crate::support::program::{bare, command, import, run};
use crate::support::{Actor, PATIENCE, client, eventually, token};

const PEOPLE: &str = "uid,name,scope,avatar,joinedAt\nquince,Ada Quillfeather,owner,,\n\
                      medlar,Dee Quillfeather,participant,https://pictures.example/loganberry.png,\n";
const KEY: &str = "the-key-of-a-host-elderberry";

/// A service that logs everything it has to say into a file; killed when dropped.
struct TracedService {
    child: Child,
    url: String,
    log: std::path::PathBuf,
}

impl TracedService {
    async fn start(folder: &Path) -> TracedService {
        let log = folder.join("log");
        let mut serve = command(folder);
        serve.args(["serve", "--listen", "127.0.0.1:0", "--api-key", KEY, "--log", "trace"]);
        let child = serve.stderr(File::create(&log).unwrap()).spawn().unwrap();
        let mut service = TracedService { child, url: String::new(), log };
        let url = |log: String| {
            let whole = log.split_inclusive('\n').filter(|line| line.ends_with('\n'));
            whole.filter_map(|line| line.split_once("listening on ")).map(|(_, url)| url.trim().to_owned()).next()
        };
        eventually("it listens", async || url(service.read_log()).is_some()).await;
        service.url = url(service.read_log()).unwrap();
        service
    }

    fn read_log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap()
    }

    fn actor(&self, uid: &str) -> Actor {
        Actor::new(uid, &token(uid), &self.url, client())
    }
}

impl Drop for TracedService {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn the_log_names_nobody_and_holds_nothing_that_opens_a_door() {
    let folder = tempfile::tempdir().unwrap();
    assert!(import(folder.path(), "den", PEOPLE).0);
    let service = TracedService::start(folder.path()).await;
    let (ada, dee) = (service.actor("quince"), service.actor("medlar"));
    let mut stream = dee.events().await;
    stream.next().await;
    // Everything that people say, in every place where they say it, done and refused.
    ada.data("/groups/den/members?searchKeyword=gooseberry").await.ok();
    ada.data(&format!("/groups/den/members?token={}", ada.token)).await.refused(400, "ERR_BAD_REQUEST");
    dee.data("/groups/den/members?limit=gooseberry").await.refused(422, "ERR_VALIDATION");
    service.actor("tayberry").data("/groups/den/members").await.refused(404, "ERR_GUID_NOT_FOUND");
    ada.act(Method::POST, "/groups/den/members/medlar/notes", json!({"text": "boysenberry"})).await.ok();
    ada.act(Method::PUT, "/groups/den/bans/medlar", json!({"reason": "cloudberry", "message": "dewberry"})).await.ok();
    dee.act(Method::PUT, "/groups/den/bans/quince", json!({"reason": "cloudberry"})).await;
    let bad = Actor::new("bad", "huckleberry.huckleberry.huckleberry", &service.url, client());
    bad.data("/groups/den/members").await.refused(401, "AUTH_ERR_NO_ACCESS");
    let host = async |key: &str, method: Method, path: &str, body| {
        let request = Client::new().request(method, format!("{}/v3{path}", service.url)).header("apikey", key);
        request.header("onBehalfOf", "quince").json(&body).send().await.unwrap().status()
    };
    let vault = json!({"guid": "vault", "name": "Salmonberry", "type": "password", "password": "thimbleberry"});
    assert_eq!(host(KEY, Method::POST, "/groups", vault).await, StatusCode::OK);
    assert_eq!(host("a-wrong-key-of-a-host-mulberry", Method::GET, "/groups", json!({})).await, 401);
    let cookie =
        dee.anonymous(Method::POST, "/groups/vault/members").header("cookie", format!("chat_token={}", dee.token));
    cookie.header("sec-fetch-site", "same-origin").form(&[("password", "serviceberry")]).send().await.unwrap();

    let last = client().get(format!("{}/healthz", service.url)).header("x-request-id", "the-last-one").send().await;
    assert_eq!(last.unwrap().status(), StatusCode::OK);
    eventually("the log has all of it", async || service.read_log().contains("the-last-one")).await;
    let log = service.read_log();
    assert!(log.contains("/groups/{guid}/members"), "requests are logged by their route: {log}");
    let signature = |actor: &Actor| actor.token.rsplit_once('.').unwrap().1.to_owned();
    for secret in [signature(&ada), signature(&dee), "Quillfeather".into(), "berry".into()] {
        let found = log.lines().find(|line| line.contains(&secret));
        assert_eq!(found, None, "{secret}");
    }
    // By the uid nobody is named either.
    let own = log.lines().filter(|line| line.contains("chat_group_members"));
    let found = own.clone().find(|line| ["quince", "medlar"].iter().any(|uid| line.contains(uid)));
    assert_eq!(found, None);
}

/// A NATS server that greets, and takes what the first one who connects says of themselves.
fn nats_that_listens() -> (String, std::thread::JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    listener.set_nonblocking(true).unwrap();
    let heard = std::thread::spawn(move || {
        let begun = Instant::now();
        let mut stream = loop {
            match listener.accept() {
                Ok((stream, _)) => break stream,
                Err(error) => assert!(begun.elapsed() < PATIENCE, "nobody connects: {error}"),
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        stream.set_nonblocking(false).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
            .write_all(b"INFO {\"server_id\":\"x\",\"version\":\"2.10.0\",\"max_payload\":1048576,\"proto\":1,\"auth_required\":true}\r\n")
            .unwrap();
        let mut line = String::new();
        BufReader::new(stream).read_line(&mut line).unwrap();
        line
    });
    (address, heard)
}

#[test]
fn no_filter_shows_the_password_of_a_nats_server() {
    let folder = tempfile::tempdir().unwrap();
    let (address, heard) = nats_that_listens();
    let path = folder.path().join("log");
    let mut serve = command(folder.path());
    serve.env("CGM_NATS_URL", format!("nats://nuser:nsecret@{address}")).args(["serve", "--listen", "127.0.0.1:0"]);
    serve.args(["--log", "trace,async_nats=trace,async_nats::connection=trace,async_nats::connector=trace"]);
    let child = serve.stderr(File::create(&path).unwrap()).spawn().unwrap();
    // It logs what it sends before it sends it.
    let sent = heard.join();
    // The server ends the connection, which is logged after all that was sent.
    let log = logged_until(child, &path, "async_nats");
    assert!(sent.unwrap().contains("nsecret"), "the server needs it");
    let found = log.lines().find(|line| line.contains("nsecret"));
    assert!(found.is_none(), "{found:?}");
}

/// The log of a service in this file, once these words stand in it; then the service is killed.
fn logged_until(mut service: Child, path: &Path, words: &str) -> String {
    let read_log = || std::fs::read_to_string(path).unwrap();
    let begun = Instant::now();
    while !read_log().contains(words) {
        assert!(begun.elapsed() < PATIENCE, "{}", read_log());
        std::thread::sleep(Duration::from_millis(20));
    }
    service.kill().unwrap();
    service.wait().unwrap();
    read_log()
}

/// What a warning of the configuration looks like in a log that is this stream, as systemd names it to the program.
fn warned(folder: &Path, names_it: impl Fn(&Metadata) -> String) -> String {
    let path = folder.join("log");
    let log = File::create(&path).unwrap();
    let stream = names_it(&log.metadata().unwrap());
    let mut serve = command(folder);
    serve.args(["serve", "--listen", "127.0.0.1:0", "--public-url", "http://chat.example"]);
    let child = serve.env("JOURNAL_STREAM", stream).stderr(log).spawn().unwrap();
    logged_until(child, &path, "listening on ").lines().find(|line| line.contains(" WARN ")).unwrap().to_owned()
}

#[test]
fn the_journal_of_systemd_is_told_how_urgent_a_line_is_and_nobody_else() {
    let folder = tempfile::tempdir().unwrap();
    assert!(import(folder.path(), "den", PEOPLE).0);
    let journal = warned(folder.path(), |log| format!("{}:{}", log.dev(), log.ino()));
    assert!(journal.starts_with("<4>"), "{journal}");
    let file = warned(folder.path(), |log| format!("{}:{}", log.dev(), log.ino() + 1));
    assert!(!file.starts_with('<'), "the journal has another stream: {file}");
}

/// The lines of a log, each of which must be JSON as the log writes it.
#[track_caller]
fn json_lines(log: &str) -> Vec<Value> {
    let read = |line: &str| serde_json::from_str::<Value>(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    let lines: Vec<Value> = log.lines().map(read).collect();
    for line in &lines {
        let text = |name: &str| line[name].as_str().unwrap_or_else(|| panic!("no {name}: {line}"));
        assert!(text("timestamp").parse::<Timestamp>().is_ok(), "{line}");
        assert!(!text("level").is_empty() && text("target").starts_with("chat_group_members"), "{line}");
        assert!(line["fields"].is_object(), "{line}");
    }
    lines
}

#[test]
fn a_log_in_json_is_json_from_the_first_address_to_the_last_error_whatever_its_filter() {
    let folder = tempfile::tempdir().unwrap();
    assert!(import(folder.path(), "den", PEOPLE).0);
    let path = folder.path().join("log");
    for filter in ["chat_group_members=info", "error"] {
        let mut serve = command(folder.path());
        serve.args(["serve", "--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0", "--log", filter]);
        let log = File::create(&path).unwrap();
        let mut child = serve.args(["--log-format", "json"]).stderr(log).spawn().unwrap();
        let read_log = || std::fs::read_to_string(&path).unwrap();
        let begun = Instant::now();
        while !read_log().contains("listening on ") {
            assert!(begun.elapsed() < PATIENCE, "{}", read_log());
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        assert!(child.wait().unwrap().success());
        let lines = json_lines(&read_log());
        for sentence in ["listening on http://", "metrics on http://"] {
            let is_it = |line: &&Value| line["fields"]["message"].as_str().is_some_and(|text| text.contains(sentence));
            let line = lines.iter().find(is_it).unwrap_or_else(|| panic!("no {sentence}: {lines:#?}"));
            assert_eq!(line["level"], "INFO", "{line}");
        }
        let drains = lines.iter().any(|line| line["fields"]["message"] == "draining");
        assert_eq!(drains, filter != "error", "the filter is that of the log: {lines:#?}");
    }
    // It has several lines as text.
    let (started, output) = run(bare(folder.path()).args(["serve", "--log-format", "json"]));
    let lines = json_lines(&output);
    assert!(!started && lines.len() == 1, "{output}");
    let told = lines[0]["fields"]["message"].as_str().unwrap();
    assert!(lines[0]["level"] == "ERROR" && told.contains("openssl rand"), "{told}");
}

#[tokio::test]
async fn a_failure_of_ours_tells_a_number_that_the_log_has_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    assert!(import(folder.path(), "den", PEOPLE).0);
    write_by_hand(folder.path(), "UPDATE members SET scope = 7654321 WHERE uid = 'medlar'").await;
    let service = TracedService::start(folder.path()).await;
    let dee = service.actor("medlar");
    for answer in [
        dee.data("/groups/den/members").await,
        dee.page("/groups/den/members").await,
        dee.htmx("/groups/den/members").await,
    ] {
        assert_eq!((answer.status.as_u16(), answer.code().as_str()), (500, "ERR_INTERNAL"), "{}", answer.body);
        for internal in ["7654321", "scope", "medlar", "SELECT", "src/", "sqlx"] {
            assert!(!answer.body.contains(internal), "{internal}: {}", answer.body);
        }
        let numbers = answer.body.split(|c: char| !c.is_ascii_hexdigit()).filter(|word| word.len() == 12);
        let log = service.read_log();
        let lines: Vec<_> = log.lines().filter(|line| line.contains("internal error")).collect();
        assert!(numbers.clone().any(|number| lines.iter().any(|line| line.contains(number))), "{lines:?}");
        assert!(lines.iter().any(|line| line.contains("7654321")), "the log says what is wrong: {lines:?}");
    }
}

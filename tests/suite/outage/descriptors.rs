//! A process that may open few files.

use std::process::{Command, Stdio};
use std::time::Duration;

use reqwest::Method;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::kick;
use crate::support::actor::send;
use crate::support::program::{Program, import, path};
use crate::support::{SECRET, database, eventually, soon, within};

const PEOPLE: &str = "uid,name,scope,avatar,joinedAt\nada,Ada,owner,,\nben,Ben,admin,,\ndee,Dee,participant,,\n";

/// The service with limits of open files, soft and hard.
fn limited(folder: &std::path::Path, limits: &str) -> Program {
    let mut command = Command::new("/usr/bin/prlimit");
    command.arg(format!("--nofile={limits}")).arg(path()).args(["serve", "--listen", "127.0.0.1:0"]);
    command.env_clear().current_dir(folder).stdin(Stdio::null());
    command.env("CGM_VIEWER_SECRET", SECRET).env("CGM_DATABASE_URL", database::database(folder));
    Program::start(&mut command)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn streams_leave_room_for_acts_and_health_checks_and_the_log_says_what_to_set() {
    let folder = tempfile::tempdir().unwrap();
    assert!(import(folder.path(), "den", PEOPLE).0);
    let service = limited(folder.path(), "64:240");
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", service.pid())).unwrap();
    let files = limits.lines().find(|line| line.starts_with("Max open files")).unwrap();
    assert_eq!(files.split_whitespace().nth(3), Some("240"), "raised to the hard limit: {files}");

    let (ada, ben) = (service.actor("ada"), service.actor("ben"));
    let mut streams = Vec::new();
    let refused = loop {
        let answer = ada.request(Method::GET, "/groups/den/events?format=json").send().await.unwrap();
        match answer.status().as_u16() {
            200 => streams.push(answer),
            _ => break answer,
        }
        assert!(streams.len() < 240, "one file each");
    };
    assert_eq!(refused.status(), 503);
    assert!(refused.headers().contains_key("retry-after"));
    assert!(streams.len() >= 100, "{}", streams.len());
    service.wait_for_line("LimitNOFILE");
    for _ in 0..5 {
        let answer = ada.request(Method::GET, "/groups/den/events?format=json").send().await.unwrap();
        assert_eq!(answer.status(), 503);
    }
    // Over HTTP/1.1, which keeps connections: those of streams that are refused are ended by the server.
    let address = service.url.strip_prefix("http://").unwrap();
    for _ in 0..100 {
        let mut socket = TcpStream::connect(address).await.unwrap();
        let head = format!(
            "GET /groups/den/events?format=json HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\n\r\n",
            ada.token
        );
        socket.write_all(head.as_bytes()).await.unwrap();
        let mut answer = String::new();
        soon("the end of the connection", socket.read_to_string(&mut answer)).await.unwrap();
        let answer = answer.to_ascii_lowercase();
        assert!(answer.starts_with("http/1.1 503") && answer.contains("\r\nconnection: close"), "{answer}");
    }
    for path in ["/healthz", "/readyz"] {
        assert_eq!(send(ada.anonymous(Method::GET, path)).await.status, 200, "{path}");
    }
    kick(&ben, "dee", "k1").await.ok();
    let log = service.lines_since();
    assert!(!log.iter().any(|line| line.contains("LimitNOFILE")), "said once a minute: {log:#?}");
    streams.clear();
    eventually("there is room again", async || {
        let answer = ada.request(Method::GET, "/groups/den/events?format=json").send().await.unwrap();
        answer.status() == 200
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_that_are_kept_without_a_request_leave_room_for_whoever_has_one() {
    let folder = tempfile::tempdir().unwrap();
    assert!(import(folder.path(), "den", PEOPLE).0);
    let service = limited(folder.path(), "240:240");
    let address = service.url.strip_prefix("http://").unwrap();
    let newcomer = || service.actor("ada");
    let request = format!("GET /healthz HTTP/1.1\r\nHost: {address}\r\n\r\n");
    // As many as there are files, which ask once, never begin a request, or never end its head.
    for (sent, answered) in [(request.as_str(), "HTTP/1.1 200"), ("", ""), (&request[..20], "")] {
        let mut kept = Vec::new();
        for _ in 0..240 {
            let mut socket = TcpStream::connect(address).await.unwrap();
            socket.write_all(sent.as_bytes()).await.unwrap();
            kept.push(socket);
        }
        // Without a first head, a connection is closed after ten seconds in any case.
        within(Duration::from_secs(8), "answers to newcomers", async {
            for path in ["/healthz", "/readyz"] {
                eventually(path, async || send(newcomer().anonymous(Method::GET, path)).await.status == 200).await;
            }
            for scope in ["moderator", "participant"] {
                newcomer().set_scope("dee", scope).await.ok();
            }
        })
        .await;
        let mut answer = String::new();
        soon("the end of the first connection", kept[0].read_to_string(&mut answer)).await.unwrap();
        assert!(answer.starts_with(answered), "{answer}");
    }
    service.wait_for_line("connections are closed after their answers");
}

//! Where the program listens, and what it tells systemd.

use std::net::{TcpListener, ToSocketAddrs};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::os::unix::net::{UnixDatagram, UnixListener};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use reqwest::Method;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;

use crate::support::actor::send;
use crate::support::program::{Program, bare, command, import, path, run};
use crate::support::{SECRET, token};

const PEOPLE: &str = "uid,name,scope,avatar,joinedAt\nada,Ada,owner,,\ndee,Dee,participant,,\n";

/// What Dee gets of the list, over a unix socket.
async fn list_over(socket: &Path) -> String {
    let mut stream = UnixStream::connect(socket).await.unwrap();
    let token = token("dee");
    let head = format!(
        "GET /groups/den/members HTTP/1.1\r\nHost: chat.example\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

fn health(folder: &Path, listen: &str) -> (bool, String) {
    run(bare(folder).args(["health", "--listen", listen]))
}

#[tokio::test]
async fn over_a_unix_socket_its_owner_and_group_are_served_and_it_goes_with_the_process() {
    let folder = tempfile::tempdir().unwrap();
    assert!(import(folder.path(), "den", PEOPLE).0);
    let socket = folder.path().join("http.sock");
    let listen = format!("unix:{}", socket.display());
    assert!(health(folder.path(), &listen).1.contains("does not answer"));
    let program = Program::start(command(folder.path()).args(["serve", "--listen", &listen]));
    assert_eq!(program.url, listen);
    let answer = list_over(&socket).await;
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("Ada"), "{answer}");
    assert_eq!(health(folder.path(), &listen), (true, "ok\n".into()));
    assert_eq!(socket.metadata().unwrap().permissions().mode() & 0o777, 0o660);
    program.terminate();
    let (status, _) = tokio::task::spawn_blocking(move || program.wait()).await.unwrap();
    assert!(status.success() && !socket.exists());
}

#[tokio::test]
async fn the_socket_of_a_process_that_was_killed_is_replaced_and_nothing_else_is() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    assert!(import(at, "den", PEOPLE).0);
    let socket = at.join("http.sock");
    let listen = format!("unix:{}", socket.display());
    let serve = |listen: &str| {
        let mut command = command(at);
        command.args(["serve", "--listen", listen]);
        command
    };
    Program::start(&mut serve(&listen)).kill();
    assert!(socket.metadata().unwrap().file_type().is_socket());
    let program = Program::start(&mut serve(&listen));
    assert!(list_over(&socket).await.contains("Ada"));
    let refused = |listen: &str, word: &str| {
        let (started, output) = run(&mut serve(listen));
        assert!(
            !started && output.contains(&format!("cannot listen on {listen}")) && output.contains(word),
            "{output}"
        );
    };
    refused(&listen, "another process listens there");
    assert!(list_over(&socket).await.contains("Ada"), "and the first one still does");
    drop(program);
    std::fs::write(at.join("notes.txt"), "mine").unwrap();
    refused(&format!("unix:{}", at.join("notes.txt").display()), "something else than a socket");
    assert_eq!(std::fs::read_to_string(at.join("notes.txt")).unwrap(), "mine");
    let nowhere = at.join("none").display().to_string();
    refused(&format!("unix:{nowhere}/http.sock"), &format!("there is no folder {nowhere}"));
}

#[tokio::test]
async fn a_name_is_listened_on_and_a_port_that_is_taken_is_named() {
    let folder = tempfile::tempdir().unwrap();
    assert!(import(folder.path(), "den", PEOPLE).0);
    let program = Program::start(command(folder.path()).args(["serve", "--listen", "localhost:0"]));
    assert_eq!(program.actor("dee").sees().await, ["ada", "dee"]);
    let port = program.url.rsplit_once(':').unwrap().1.to_owned();
    let name = format!("localhost:{port}");
    assert_eq!(health(folder.path(), &name), (true, "ok\n".into()));
    // Clients take any address of the name: where it has two, that of IPv6 first. A machine may lack one.
    for address in name.to_socket_addrs().unwrap().filter(|address| TcpListener::bind((address.ip(), 0)).is_ok()) {
        assert_eq!(health(folder.path(), &address.to_string()), (true, "ok\n".into()), "{address}");
    }
    let taken = program.url.strip_prefix("http://").unwrap();
    let (started, output) = run(command(folder.path()).args(["serve", "--listen", taken]));
    assert!(!started && output.contains(&format!("cannot listen on {taken}")) && output.contains("in use"), "{output}");
}

/// The program with sockets passed as systemd passes them: from the third descriptor on.
fn activated(folder: &Path, socket: impl Into<OwnedFd>, count: &str) -> Command {
    let mut shell = Command::new("/bin/sh");
    let script = r#"LISTEN_PID=$$ exec "$0" serve --listen systemd 3<&0 </dev/null"#;
    shell.args(["-c", script]).arg(path()).env_clear().current_dir(folder).stdin(Stdio::from(socket.into()));
    shell.env("CGM_VIEWER_SECRET", SECRET).env("CGM_DATABASE_URL", crate::support::database::database(folder));
    shell.env("LISTEN_FDS", count);
    shell
}

#[tokio::test]
async fn a_socket_that_systemd_passes_is_served_and_stays_systemds() {
    let folder = tempfile::tempdir().unwrap();
    assert!(import(folder.path(), "den", PEOPLE).0);
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = tcp.local_addr().unwrap();
    let program = Program::start(&mut activated(folder.path(), tcp.try_clone().unwrap(), "1"));
    assert_eq!(program.url, format!("http://{address}"));
    assert_eq!(send(program.actor("dee").anonymous(Method::GET, "/readyz")).await.status, 200);
    drop(program);
    let socket = folder.path().join("passed.sock");
    let unix = UnixListener::bind(&socket).unwrap();
    let program = Program::start(&mut activated(folder.path(), unix.try_clone().unwrap(), "1"));
    assert_eq!(program.url, format!("unix:{}", socket.display()));
    assert!(list_over(&socket).await.contains("Ada"));
    program.stop().await;
    assert!(socket.exists(), "systemd listens on, and starts the service again when somebody comes");
}

#[test]
fn without_exactly_one_socket_from_systemd_it_says_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let (started, output) = run(command(folder.path()).args(["serve", "--listen", "systemd"]));
    assert!(!started && output.contains("systemd has passed no socket"), "{output}");
    let (started, output) = run(command(folder.path()).args(["health", "--listen", "systemd"]));
    assert!(!started && output.contains("ListenStream="), "{output}");
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let (started, output) = run(&mut activated(folder.path(), tcp, "2"));
    assert!(!started && output.contains("systemd has passed 2 sockets"), "{output}");
    let datagrams = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    let (started, output) = run(&mut activated(folder.path(), datagrams, "1"));
    assert!(!started && output.contains("not a stream socket"), "{output}");
}

#[tokio::test]
async fn systemd_is_told_when_it_is_ready_reloads_lives_and_stops() {
    let folder = tempfile::tempdir().unwrap();
    assert!(import(folder.path(), "den", PEOPLE).0);
    let socket = UnixDatagram::bind(folder.path().join("notify")).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let until = |word: &str| {
        let mut before = Vec::new();
        loop {
            let mut buffer = [0; 512];
            let length = socket.recv(&mut buffer).unwrap_or_else(|error| panic!("no {word}: {error}; {before:?}"));
            let message = String::from_utf8_lossy(&buffer[..length]).into_owned();
            if message.contains(word) {
                return (message, before);
            }
            before.push(message);
        }
    };
    let mut serve = command(folder.path());
    serve.env("NOTIFY_SOCKET", folder.path().join("notify")).env("WATCHDOG_USEC", "200000");
    let program = Program::start(serve.args(["serve", "--listen", "127.0.0.1:0"]));
    let (_, before) = until("READY=1");
    assert!(before.is_empty(), "{before:?}");
    for _ in 0..3 {
        until("WATCHDOG=1");
    }
    program.hang_up();
    let (reloading, _) = until("RELOADING=1");
    assert!(reloading.contains("MONOTONIC_USEC="), "{reloading}");
    until("READY=1");
    program.terminate();
    until("STOPPING=1");
    // A drain takes longer than the supervisor would wait for the next word.
    until("WATCHDOG=1");
    // Nobody reads any more, and the socket takes only a few messages: that keeps nobody from ending.
    let (status, _) = tokio::task::spawn_blocking(move || program.wait()).await.unwrap();
    assert!(status.success());
}

#[test]
fn an_address_that_others_reach_without_a_public_url_is_warned_of_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    // It warns, and ends for want of a database.
    let output = |listen: &str, more: &[&str]| {
        let mut serve = command(folder.path());
        serve.args(["serve", "--listen", listen, "--database-url", "sqlite://no/such/folder/members.db"]).args(more);
        let (started, output) = run(&mut serve);
        assert!(!started, "{output}");
        output
    };
    for reachable in ["0.0.0.0:0", "[::]:0"] {
        let output = output(reachable, &[]);
        let warning = output.lines().find(|line| line.contains("WARN") && line.contains("without --public-url"));
        assert!(warning.is_some_and(|line| line.contains(reachable) && line.contains("plain http")), "{output}");
    }
    let socket = format!("unix:{}", folder.path().join("http.sock").display());
    for quiet in ["127.0.0.1:0", "localhost:0", &socket] {
        assert!(!output(quiet, &[]).contains("--public-url"), "{quiet}");
    }
    assert!(!output("0.0.0.0:0", &["--public-url", "https://chat.example"]).contains("--public-url"));
    // The address of a socket that systemd passes is known once it is there.
    let passed = |address: &str| {
        let tcp = TcpListener::bind(address).unwrap();
        let bound = tcp.local_addr().unwrap();
        let mut serve = activated(folder.path(), tcp, "1");
        let (started, output) = run(serve.env("CGM_DATABASE_URL", "sqlite://no/such/folder/members.db"));
        assert!(!started, "{output}");
        (bound, output)
    };
    let (bound, output) = passed("0.0.0.0:0");
    assert!(output.contains(&format!("listening on {bound} by plain http without --public-url")), "{output}");
    assert!(!passed("127.0.0.1:0").1.contains("--public-url"));
}

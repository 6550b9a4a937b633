//! Byte by byte, over a connection of the test's own: what is refused early, what is no HTTP/1.1, and what does not arrive.

use std::time::Duration;

use chat_group_members::app::App;
use chat_group_members::config::Secret;
use chat_group_members::serve::{Shutdown, serve};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::support::{World, soon};

/// The program's own listener before the service of a world.
async fn front(world: &World) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = listener.local_addr().unwrap().to_string();
    let app: App = world.app.clone();
    tokio::spawn(async move { serve(app, listener, std::future::pending::<Shutdown>()).await });
    at
}

/// One connection to a service, as a back end keeps it.
struct Line(TcpStream);

/// An answer, and whether the connection is to close.
#[derive(Debug)]
struct Reply {
    status: u16,
    head: String,
    body: String,
}

impl Reply {
    fn closes(&self) -> bool {
        self.head.to_ascii_lowercase().contains("\r\nconnection: close")
    }
}

impl Line {
    async fn to(at: &str) -> Line {
        Line(TcpStream::connect(at).await.unwrap())
    }

    async fn send(&mut self, text: impl AsRef<[u8]>) {
        self.0.write_all(text.as_ref()).await.unwrap();
    }

    /// The next answer with a length; `None` when the connection ends before it.
    async fn reply(&mut self) -> Option<Reply> {
        let mut text = Vec::new();
        let end = loop {
            if let Some(end) = text.windows(4).position(|part| part == b"\r\n\r\n") {
                break end + 4;
            }
            let mut buffer = [0; 1];
            match soon("an answer", self.0.read(&mut buffer)).await {
                Ok(1) => text.push(buffer[0]),
                _ => return None,
            }
        };
        let head = String::from_utf8(text[..end].to_vec()).unwrap();
        let length = head
            .to_ascii_lowercase()
            .split_once("\r\ncontent-length: ")
            .map_or(0, |(_, rest)| rest.split("\r\n").next().unwrap().parse().unwrap());
        let mut body = vec![0; length];
        soon("the body", self.0.read_exact(&mut body)).await.ok()?;
        let status = head[9..12].parse().unwrap();
        Some(Reply { status, head, body: String::from_utf8(body).unwrap() })
    }

    /// Whether the other side has ended it.
    async fn has_ended(&mut self) -> bool {
        matches!(soon("the end", self.0.read(&mut [0; 1])).await, Ok(0) | Err(_))
    }
}

#[tokio::test]
async fn a_request_that_is_refused_before_its_body_is_read_loses_no_other() {
    let world = World::new().await;
    for at in [front(&world).await, world.url.trim_start_matches("http://").to_owned()] {
        let refused = [
            ("POST /v3/groups", 401),
            ("PUT /v3/groups/den/members", 401),
            ("POST /groups/den/members?token=x", 400),
            ("POST /groups/den/members", 401),
            ("POST /nothing", 401),
            ("PATCH /groups/den/members", 401),
        ];
        for (line, status) in refused {
            for how in ["at once", "in parts", "in chunks"] {
                let mut connection = Line::to(&at).await;
                let body = "x".repeat(20_000);
                let head = format!("{line} HTTP/1.1\r\nHost: chat.example\r\nContent-Type: application/json\r\n");
                match how {
                    "at once" => connection.send(format!("{head}Content-Length: 20000\r\n\r\n{body}")).await,
                    "in parts" => {
                        connection.send(format!("{head}Content-Length: 20000\r\n\r\n{}", &body[..1])).await;
                        tokio::time::sleep(Duration::from_millis(30)).await;
                        connection.send(&body[1..]).await;
                    }
                    _ => {
                        connection.send(format!("{head}Transfer-Encoding: chunked\r\n\r\n4e20\r\n{body}\r\n")).await;
                        tokio::time::sleep(Duration::from_millis(30)).await;
                        connection.send("0\r\n\r\n").await;
                    }
                }
                let reply = connection.reply().await.unwrap();
                assert!(reply.status == status || reply.status == 405, "{line} {how}: {reply:?}");
                assert!(!reply.closes(), "{line} {how}: {reply:?}");
                connection.send("GET /healthz HTTP/1.1\r\nHost: chat.example\r\n\r\n").await;
                let next = connection.reply().await;
                assert_eq!(next.map(|next| next.status), Some(200), "{line} {how}");
            }
        }
    }
}

#[tokio::test]
async fn where_a_body_is_not_read_to_its_end_the_connection_says_that_it_closes() {
    let world = World::new().await;
    let at = front(&world).await;
    let head = "POST /v3/groups HTTP/1.1\r\nHost: chat.example\r\n";
    let unread = [
        format!("{head}Content-Length: 10000000\r\n\r\n{}", "x".repeat(100_000)),
        format!("{head}Content-Length: 10\r\n\r\nx"),
        format!("{head}Content-Length: 10\r\nExpect: 100-continue\r\n\r\n"),
    ];
    for request in unread {
        let mut connection = Line::to(&at).await;
        connection.send(request).await;
        let reply = connection.reply().await.unwrap();
        assert!(reply.status == 401 && reply.closes(), "{reply:?}");
        assert!(connection.has_ended().await);
    }
    // What is too large is answered, although its sender goes on sending.
    let token = &world.ada.token;
    let head = "PUT /groups/den/bans/eve HTTP/1.1\r\nHost: chat.example\r\nContent-Type: application/json\r\n";
    let mut connection = Line::to(&at).await;
    let body = "x".repeat(400_000);
    connection
        .send(format!(
            "{head}Accept: application/json\r\nAuthorization: Bearer {token}\r\nContent-Length: 400000\r\n\r\n{body}"
        ))
        .await;
    let reply = connection.reply().await.unwrap();
    assert!(reply.status == 413 && reply.closes() && reply.body.contains("ERR_TOO_LARGE"), "{reply:?}");
}

#[tokio::test]
async fn a_body_that_does_not_arrive_is_waited_for_no_longer_than_that() {
    let key = "0123456789abcdef";
    let world = World::with(|config| config.api_keys = vec![Secret::new(key)]).await;
    let at = front(&world).await;
    let before = world.members("den").await;
    let act = format!("Authorization: Bearer {}\r\nAccept: application/json", world.ada.token);
    let (json, lines) = ("Content-Type: application/json", "Content-Type: application/x-ndjson");
    let (silent, dripping) = (false, true);
    let requests = [
        (format!("PUT /groups/den/bans/eve HTTP/1.1\r\n{act}\r\n{json}"), "{\"reason\"", dripping),
        (format!("PUT /groups/den/bans/dee HTTP/1.0\r\n{act}\r\n{json}"), "{\"reason\"", silent),
        (format!("PUT /v3/groups/den/members HTTP/1.1\r\napikey: {key}\r\n{json}"), "{\"owner\"", silent),
        (
            format!("PUT /v3/groups/den/members HTTP/1.1\r\napikey: {key}\r\n{lines}"),
            "{\"uid\":\"ada\"}\n{\"uid\"",
            silent,
        ),
    ];
    let waits = requests.map(|(head, begin, drips)| {
        let at = at.clone();
        async move {
            let mut connection = Line::to(&at).await;
            connection.send(format!("{head}\r\nHost: chat.example\r\nContent-Length: 100\r\n\r\n{begin}")).await;
            let mut begin = [0; 1];
            let answered = async {
                loop {
                    tokio::select! {
                        _ = connection.0.peek(&mut begin) => return,
                        // A byte now and then is no progress.
                        () = tokio::time::sleep(Duration::from_secs(9)), if drips => connection.send("r").await,
                    }
                }
            };
            // Ten seconds are the limit; the test waits for the answer, not for the time.
            let waited = tokio::time::timeout(Duration::from_secs(30), answered).await;
            assert!(waited.is_ok(), "it is answered");
            let reply = connection.reply().await.unwrap();
            assert!(reply.status == 408 && reply.closes() && reply.body.contains("in time"), "{reply:?}");
            assert!(connection.has_ended().await);
        }
    });
    futures_util::future::join_all(waits).await;
    assert_eq!(world.members("den").await, before);
}

#[tokio::test]
async fn a_request_that_tells_its_length_twice_is_refused_and_the_connection_closes() {
    let world = World::new().await;
    let at = front(&world).await;
    let token = &world.cy.token;
    let kick = |lengths: [&str; 2]| {
        let head = "DELETE /groups/den/members/dee HTTP/1.1\r\nHost: chat.example\r\nAccept: application/json";
        format!("{head}\r\nAuthorization: Bearer {token}\r\n{}\r\n{}\r\n\r\n0\r\n\r\n", lengths[0], lengths[1])
    };
    let chunked = "Transfer-Encoding: chunked";
    let before = "GET /healthz HTTP/1.1\r\nHost: chat.example\r\n\r\n";
    for lengths in [["Content-Length: 5", chunked], [chunked, "content-length: 0"], [chunked, "Content-Length: x"]] {
        for begin in ["", before] {
            let mut connection = Line::to(&at).await;
            connection.send(format!("{begin}{}{before}", kick(lengths))).await;
            if !begin.is_empty() {
                assert_eq!(connection.reply().await.unwrap().status, 200, "what came before is answered");
            }
            let refused = connection.reply().await.unwrap();
            assert!(refused.status == 400 && refused.closes(), "{lengths:?}: {refused:?}");
            assert!(refused.body.contains("not both"), "{lengths:?}: {refused:?}");
            assert!(connection.has_ended().await, "nothing after it is read as a request");
        }
    }
    assert_eq!(world.scope("den", "dee").await.map(|scope| scope.as_str()), Some("participant"));
    let mut connection = Line::to(&at).await;
    connection.send(kick([chunked, "X-Length: 5"])).await;
    assert_eq!(connection.reply().await.unwrap().status, 200, "told once it is done");
}

#[tokio::test]
async fn a_body_that_is_coded_for_the_transfer_otherwise_than_in_chunks_is_refused_and_nothing_is_done() {
    let key = "0123456789abcdef";
    let world = World::with(|config| config.api_keys = vec![Secret::new(key)]).await;
    let at = front(&world).await;
    let kick = format!("DELETE /groups/den/members/dee HTTP/1.1\r\nAuthorization: Bearer {}", world.cy.token);
    let kick_by_host = format!("DELETE /v3/groups/den/members/dee HTTP/1.1\r\napikey: {key}");
    let send = async |head: &str, coding: &str| {
        let mut connection = Line::to(&at).await;
        let headers = format!("Host: chat.example\r\nAccept: application/json\r\nTransfer-Encoding: {coding}");
        connection.send(format!("{head}\r\n{headers}\r\n\r\n0\r\n\r\n")).await;
        connection.reply().await.unwrap()
    };
    for head in [&kick, &kick_by_host] {
        for coding in ["gzip, chunked", "identity, chunked"] {
            let refused = send(head, coding).await;
            assert!(refused.status == 400 && refused.body.contains("Transfer-Encoding"), "{coding}: {refused:?}");
        }
    }
    assert_eq!(world.scope("den", "dee").await.map(|scope| scope.as_str()), Some("participant"));
    assert_eq!(send(&kick, "Chunked").await.status, 200);
}

#[tokio::test]
async fn a_request_names_one_valid_host() {
    let world = World::new().await;
    let at = front(&world).await;
    let asked = async |version: &str, hosts: &[&str]| {
        let mut connection = Line::to(&at).await;
        let hosts: String = hosts.iter().map(|host| format!("Host: {host}\r\n")).collect();
        connection.send(format!("GET /healthz HTTP/{version}\r\n{hosts}\r\n")).await;
        connection.reply().await.unwrap()
    };
    for host in ["chat.example", "chat.example:8080", "127.0.0.1:80", "[::1]:8080", ""] {
        assert_eq!(asked("1.1", &[host]).await.status, 200, "{host:?}");
        assert_eq!(asked("1.0", &[host]).await.status, 200, "{host:?}");
    }
    assert_eq!(asked("1.0", &[]).await.status, 200, "as the health checks of HAProxy");
    let missing = asked("1.1", &[]).await;
    assert!(missing.status == 400 && missing.closes() && missing.body.contains("Host"), "{missing:?}");
    for version in ["1.1", "1.0"] {
        for hosts in [&["a.example", "b.example"] as &[&str], &["a.example", "a.example"]] {
            assert_eq!(asked(version, hosts).await.status, 400, "{hosts:?}");
        }
        for host in ["a b", "a/b", "a@b", "http://a.example", "a:b", "a:65536", "[::1", "[x]", "a?b", "a\\b"] {
            let refused = asked(version, &[host]).await;
            assert!(refused.status == 400 && refused.body.contains("ERR_BAD_REQUEST"), "{host:?}: {refused:?}");
        }
    }
}

#[tokio::test]
async fn a_request_with_a_bad_host_is_refused_in_the_form_of_the_interface_that_its_path_is_of() {
    let world = World::new().await;
    let at = front(&world).await;
    for (path, kind, code) in [
        ("/v3/users", "application/json", "/error/code"),
        ("//v3/users", "application/json", "/error/code"),
        ("/groups/den", "application/problem+json", "/code"),
        ("/v3x", "application/problem+json", "/code"),
    ] {
        let mut connection = Line::to(&at).await;
        connection.send(format!("GET {path} HTTP/1.1\r\nHost: a/b\r\n\r\n")).await;
        let refused = connection.reply().await.unwrap();
        assert!(refused.status == 400 && refused.closes(), "{path}: {refused:?}");
        assert!(refused.head.contains(&format!("\r\ncontent-type: {kind}\r\n")), "{path}: {refused:?}");
        let body: serde_json::Value = serde_json::from_str(&refused.body).unwrap();
        assert_eq!(body.pointer(code).and_then(serde_json::Value::as_str), Some("ERR_BAD_REQUEST"), "{path}: {body}");
    }
}

#[tokio::test]
async fn a_head_may_be_sixteen_kilobytes_and_what_is_larger_is_answered_in_words() {
    let world = World::new().await;
    let at = front(&world).await;
    let asked = async |head: String| {
        let mut connection = Line::to(&at).await;
        connection.send(head).await;
        connection.reply().await.unwrap()
    };
    let of = |size: usize| {
        let head = "GET /healthz HTTP/1.1\r\nHost: chat.example\r\nX-Long: ";
        format!("{head}{}\r\n\r\n", "x".repeat(size - head.len() - 4))
    };
    assert_eq!(asked(of(16 * 1024)).await.status, 200);
    for size in [20 * 1024, 60 * 1024, 300 * 1024] {
        let refused = asked(of(size)).await;
        assert!(refused.status == 431 && refused.closes(), "{refused:?}");
        assert!(refused.body.contains("16 KiB") && refused.body.contains("ERR_TOO_LARGE"), "{refused:?}");
    }
    let many: String = (0..200).map(|n| format!("X-{n}: x\r\n")).collect();
    let refused = asked(format!("GET /healthz HTTP/1.1\r\nHost: chat.example\r\n{many}\r\n")).await;
    assert!(refused.status == 431 && refused.body.contains("100 headers"), "{refused:?}");
    let refused = asked("GET /healthz\r\n\r\n".into()).await;
    assert!(refused.status == 400 && refused.body.contains("HTTP/1.1"), "{refused:?}");
}

#[tokio::test]
async fn what_is_refused_before_any_route_has_the_id_of_its_request_and_is_counted() {
    let world = World::new().await;
    let at = front(&world).await;
    let many: String = (0..200).map(|n| format!("X-{n}: x\r\n")).collect();
    let given = "X-Request-Id: of-the-host\r\n";
    for (headers, status, id) in [
        (format!("Host: a.example\r\nHost: b.example\r\n{given}"), 400, Some("of-the-host")),
        ("Host: a/b\r\n".into(), 400, None),
        (format!("Host: a.example\r\n{given}{many}"), 431, None),
    ] {
        let mut connection = Line::to(&at).await;
        connection.send(format!("GET /healthz HTTP/1.1\r\n{headers}\r\n")).await;
        let refused = connection.reply().await.unwrap();
        assert_eq!(refused.status, status, "{refused:?}");
        let problem: serde_json::Value = serde_json::from_str(&refused.body).unwrap();
        let named = problem["requestId"].as_str().unwrap();
        assert!(refused.head.contains(&format!("\r\nx-request-id: {named}\r\n")), "{refused:?}");
        assert!(id.is_none_or(|id| named == id) && !named.is_empty(), "{refused:?}");
        let (metrics, status) = (world.app.metrics_text(), format!("status=\"{status}\""));
        let requests = metrics.lines().filter(|line| line.starts_with("chat_group_members_http_requests_total{"));
        let mut early = requests.filter(|line| line.contains("route=\"none\"") && line.contains(&status));
        assert!(early.next().is_some(), "{status}: {metrics}");
    }
}

#[tokio::test]
async fn a_head_that_has_begun_is_waited_for_ten_seconds_and_an_idle_connection_longer() {
    let world = World::new().await;
    let at = front(&world).await;
    let health = "GET /healthz HTTP/1.1\r\nHost: chat.example\r\n\r\n";
    let mut idle = Line::to(&at).await;
    idle.send(health).await;
    assert_eq!(idle.reply().await.unwrap().status, 200);
    // What begins afterwards is over before the idle one has waited for less.
    let ended = async |begin: &str, is_second: bool| {
        let mut connection = Line::to(&at).await;
        if is_second {
            connection.send(health).await;
            assert_eq!(connection.reply().await.unwrap().status, 200);
        }
        connection.send(begin).await;
        let mut end = [0; 1];
        let ended = async {
            loop {
                tokio::select! {
                    read = connection.0.read(&mut end) => return matches!(read, Ok(0) | Err(_)),
                    // A byte now and then is no progress. The other side may have ended meanwhile.
                    () = tokio::time::sleep(Duration::from_secs(3)), if !begin.is_empty() => {
                        let _ = connection.0.write_all(b"x").await;
                    }
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(30), ended).await.unwrap_or(false)
    };
    let large = format!("GET /healthz HTTP/1.1\r\nX-Long: {}", "x".repeat(16 * 1024));
    let (silent, first, second, oversized) =
        tokio::join!(ended("", false), ended("GET /he", false), ended("GET /he", true), ended(&large, true));
    assert!(silent && first && second && oversized, "{silent} {first} {second} {oversized}");
    idle.send(health).await;
    assert_eq!(idle.reply().await.map(|reply| reply.status), Some(200), "this one was only idle");
}

#[tokio::test]
async fn a_connection_on_which_nothing_is_asked_for_so_long_ends() {
    let world = World::with(|config| config.keep_alive = Duration::from_secs(1)).await;
    let mut connection = Line::to(&front(&world).await).await;
    connection.send("GET /healthz HTTP/1.1\r\nHost: chat.example\r\n\r\n").await;
    assert!(!connection.reply().await.unwrap().closes());
    assert!(connection.has_ended().await);
}

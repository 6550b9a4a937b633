//! Receivers that lie: what they send is no answer, or not the one that its head announces.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use chat_group_members::config::Secret;
use reqwest::Method;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};

use super::receiver::Receiver;
use super::{KEY, ask, webhook};
use crate::support::{World, eventually};

/// Longest wait for what comes of each lie: a head may take 15 seconds.
const PATIENCE: Duration = Duration::from_secs(40);
/// What a body without an end announces, in bytes.
const ENDLESS: usize = 1 << 30;
/// More of an answer than the service and the buffers of two sockets take, in bytes.
const FAR_TOO_MUCH: usize = 32 << 20;

/// What a receiver sends in place of an honest answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lie {
    /// 200, and less of a body than is announced.
    ShortBody,
    /// 200, and a body without an end.
    EndlessBody,
    /// A head of megabytes.
    HugeHead,
    /// A head of a thousand fields.
    ManyFields,
    /// Bytes that are no HTTP.
    Garbage,
    /// A head that comes a byte at a time.
    DrippingHead,
}

impl Lie {
    const ALL: [Lie; 6] =
        [Lie::ShortBody, Lie::EndlessBody, Lie::HugeHead, Lie::ManyFields, Lie::Garbage, Lie::DrippingHead];

    /// What comes at first.
    fn beginning(self) -> String {
        match self {
            Lie::ShortBody => "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nshort".into(),
            Lie::EndlessBody => format!("HTTP/1.1 200 OK\r\nContent-Length: {ENDLESS}\r\n\r\n"),
            Lie::HugeHead | Lie::DrippingHead => "HTTP/1.1 200 OK\r\nX-Filler: ".into(),
            Lie::ManyFields => format!("HTTP/1.1 200 OK\r\n{}\r\n", "X-Filler: x\r\n".repeat(1_000)),
            Lie::Garbage => "\u{16}\u{3}\u{1} this is no HTTP\r\n\r\n".into(),
        }
    }

    /// What comes again and again after it.
    fn filler(self) -> Vec<u8> {
        let size = match self {
            Lie::EndlessBody | Lie::HugeHead => 64 * 1024,
            Lie::DrippingHead => 1,
            Lie::ShortBody | Lie::ManyFields | Lie::Garbage => 0,
        };
        vec![b'x'; size]
    }

    /// Whether this is the state of an endpoint that lies so, once it was asked.
    fn has_come_to(self, endpoint: &Value) -> bool {
        let (answer, is_delivered) = (endpoint["lastAnswer"].as_str().unwrap_or_default(), endpoint["backlog"] == 0);
        match self {
            // The status counts, and nothing waits for the rest of the body.
            Lie::ShortBody | Lie::EndlessBody => answer == "200" && is_delivered,
            Lie::DrippingHead => answer == "no answer within 15 s" && !is_delivered,
            Lie::HugeHead | Lie::ManyFields | Lie::Garbage => {
                let is_status = answer.parse::<u16>().is_ok();
                !answer.is_empty() && !is_status && !answer.starts_with("no answer") && !is_delivered
            }
        }
    }
}

/// A receiver that lies to everybody who asks.
struct Liar {
    lie: Lie,
    url: String,
    /// The requests that came.
    asked: Arc<AtomicUsize>,
    /// The most bytes of one answer that could be sent.
    sent: Arc<AtomicUsize>,
}

impl Liar {
    async fn new(lie: Lie) -> Liar {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        let liar = Liar { lie, url, asked: Arc::default(), sent: Arc::default() };
        let (asked, sent) = (liar.asked.clone(), liar.sent.clone());
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                tokio::spawn(answer(socket, lie, asked.clone(), sent.clone()));
            }
        });
        liar
    }

    /// The state of its endpoint.
    async fn endpoint(&self, world: &World) -> Value {
        let id = webhook(&self.url).id();
        let listed = ask(world, Method::GET, "/v3/webhooks", None).await.ok().json();
        let endpoints = listed["data"].as_array().unwrap();
        endpoints.iter().find(|endpoint| endpoint["id"] == id.as_str()).cloned().unwrap_or_default()
    }
}

/// Waits for a request and lies until nobody listens any more.
async fn answer(mut socket: TcpStream, lie: Lie, asked: Arc<AtomicUsize>, sent: Arc<AtomicUsize>) {
    let mut request = vec![0; 16 * 1024];
    if !socket.read(&mut request).await.is_ok_and(|bytes| bytes > 0) {
        return;
    }
    asked.fetch_add(1, Ordering::AcqRel);
    if socket.write_all(lie.beginning().as_bytes()).await.is_err() {
        return;
    }
    let (filler, mut taken) = (lie.filler(), 0);
    while !filler.is_empty() && taken < ENDLESS {
        let Ok(bytes) = socket.write(&filler).await else { return };
        taken += bytes;
        sent.fetch_max(taken, Ordering::AcqRel);
        if lie == Lie::DrippingHead {
            sleep(Duration::from_millis(100)).await;
        }
    }
    // The connection stays open: what is announced may still come.
    while socket.read(&mut request).await.is_ok_and(|bytes| bytes > 0) {}
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_receiver_that_lies_is_asked_no_longer_than_the_limits_allow_and_nobody_waits_for_it() {
    let honest = Receiver::new().await;
    let mut liars = Vec::new();
    for lie in Lie::ALL {
        liars.push(Liar::new(lie).await);
    }
    let world = World::with(|config| {
        config.webhooks = liars.iter().map(|liar| webhook(&liar.url)).chain([webhook(&honest.url)]).collect();
        config.api_keys = vec![Secret::new(KEY)];
    })
    .await;
    for turn in 0..5 {
        world.ada.set_scope("dee", if turn % 2 == 0 { "moderator" } else { "participant" }).await.ok();
    }
    for guid in ["den", "park", "vault"] {
        honest.has_event(guid, world.head(guid).await).await;
    }
    honest.is_in_order();
    for liar in &liars {
        // Each of the three groups is tried, although the one before has not got its answer.
        let is_tried = || async { liar.asked.load(Ordering::Acquire) >= 3 };
        eventually(&format!("{:?} is asked for every group", liar.lie), is_tried).await;
    }
    for liar in &liars {
        let met = async {
            while !liar.lie.has_come_to(&liar.endpoint(&world).await) {
                sleep(Duration::from_millis(100)).await;
            }
        };
        if timeout(PATIENCE, met).await.is_err() {
            panic!("{:?}: {}", liar.lie, liar.endpoint(&world).await);
        }
        let sent = liar.sent.load(Ordering::Acquire);
        assert!(sent < FAR_TOO_MUCH, "{:?}: {sent} bytes were taken", liar.lie);
    }
    world.app.stop();
}

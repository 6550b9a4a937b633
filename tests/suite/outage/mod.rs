//! The database goes away, comes back, is another one, is full: lists and streams go on, acts say that
//! they were not done, and nothing that was answered is lost.

mod away;
mod damage;
mod descriptors;
mod disk;
mod failover;
mod file;
mod pooled;
mod roles;
mod starved;

use std::cell::Cell;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::json;
use tokio::task::JoinHandle;

use crate::support::actor::{send, with};
use crate::support::cluster::Cluster;
use crate::support::{Actor, Answer, World, eventually, soon, token};

/// So long nobody waits for anything while the database is away, however busy this machine is. What it
/// takes where nothing else runs is printed (`--nocapture`).
const QUICKLY: Duration = Duration::from_secs(8);

/// The cast beside this database.
async fn world(url: &str) -> World {
    World::with(|config| config.database_url = url.into()).await
}

/// A kick that may be repeated.
async fn kick(actor: &Actor, uid: &str, key: &str) -> Answer {
    let request = actor.request(Method::DELETE, &format!("/groups/den/members/{uid}"));
    send(with(request, &[("accept", "application/json"), ("idempotency-key", key)])).await
}

/// How many events a database has.
const EVENTS: &str = "SELECT count(*) FROM events";

/// Mutes of Eve, each for longer: the same again is no act.
struct LongerMutes<'a> {
    actor: &'a Actor,
    minutes: Cell<u32>,
}

impl LongerMutes<'_> {
    fn by(actor: &Actor) -> LongerMutes<'_> {
        LongerMutes { actor, minutes: Cell::new(1) }
    }

    async fn another(&self) -> Answer {
        let minutes = self.minutes.replace(self.minutes.get() + 1);
        self.actor.mute("eve", json!({"until": minutes * 60})).await
    }

    /// Mutes again and again, until this server has an event of it.
    async fn until_they_reach(&self, cluster: &Cluster) {
        let events = || cluster.sql("chat", EVENTS).parse::<u32>().unwrap();
        let before = events();
        eventually("acts reach the new one", async || {
            self.another().await;
            events() > before
        })
        .await;
    }
}

/// A no that says when to come back, and that came quickly; how quickly.
async fn refused_for_now(what: &str, work: impl Future<Output = Answer>) -> (Answer, Duration) {
    let begun = Instant::now();
    let answer = work.await.refused(503, "ERR_UNAVAILABLE");
    let took = begun.elapsed();
    assert!(answer.header("retry-after").parse::<u32>().is_ok_and(|seconds| seconds > 0), "{:?}", answer.headers);
    assert!(took < QUICKLY, "{what}: {took:?}");
    eprintln!("{what}: 503 after {took:?}");
    (answer, took)
}

/// That `/readyz` refuses with these words, without waiting for the next try, and lists are served.
async fn not_ready(anybody: &Actor, words: &str) {
    let ready = send(anybody.anonymous(Method::GET, "/readyz")).await;
    assert!(ready.status == 503 && ready.body.contains(words), "{} {}", ready.status, ready.body);
    assert_eq!(send(anybody.anonymous(Method::GET, "/readyz?for=reads")).await.status, 200);
}

/// What is measured under this name, without labels.
fn measured(world: &World, name: &str) -> f64 {
    let text = world.app.metrics_text();
    let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok());
    value.unwrap_or_else(|| panic!("no {name}: {text}"))
}

/// Waits until the gauge that alarms read says whether acts can be done.
async fn alarms_see(world: &World, writable: bool) {
    let value = f64::from(u8::from(writable));
    eventually("alarms see it", async || measured(world, "chat_group_members_store_writable") == value).await;
}

/// Asks until the answer is yes, as a client does; how long that took.
async fn until_yes<F: Future<Output = Answer>>(what: &str, mut ask: impl FnMut() -> F) -> Duration {
    let begun = Instant::now();
    let work = async {
        loop {
            let answer = ask().await;
            if answer.status == 200 {
                return;
            }
            assert_eq!(answer.status, 503, "{}", answer.body);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), work).await.unwrap_or_else(|_| panic!("waited in vain: {what}"));
    eprintln!("{what}: yes after {:?}", begun.elapsed());
    begun.elapsed()
}

/// Many people who come into the public group, one after the other, and note who was let in.
struct Crowd {
    writers: Vec<JoinHandle<Vec<String>>>,
    joined: Arc<AtomicUsize>,
    enough: Arc<AtomicBool>,
}

impl Crowd {
    fn comes(world: &World, writers: usize) -> Crowd {
        let (joined, enough) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        let writer = |number: usize| {
            let (actor, joined, enough) = (world.gus.clone(), joined.clone(), enough.clone());
            tokio::spawn(async move {
                let mut there = Vec::new();
                for turn in 0.. {
                    if enough.load(Ordering::Relaxed) {
                        break;
                    }
                    let uid = format!("w{number}t{turn}");
                    let request = actor.anonymous(Method::POST, "/groups/park/members").bearer_auth(token(&uid));
                    let answer = send(with(request, &[("accept", "application/json")])).await;
                    match answer.status.as_u16() {
                        200 => {
                            there.push(uid);
                            joined.fetch_add(1, Ordering::Relaxed);
                        }
                        // Done or not: they do not come again.
                        503 => tokio::time::sleep(Duration::from_millis(20)).await,
                        _ => panic!("{answer:?}"),
                    }
                }
                there
            })
        };
        Crowd { writers: (0..writers).map(writer).collect(), joined, enough }
    }

    /// Waits until so many more are in.
    async fn grows(&self, by: usize) {
        let goal = self.joined.load(Ordering::Relaxed) + by;
        let work = async {
            while self.joined.load(Ordering::Relaxed) < goal {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(40), work).await.expect("people come in");
    }

    /// No more come; whoever was told that they are in.
    async fn ends(self) -> Vec<String> {
        self.enough.store(true, Ordering::Relaxed);
        let mut there = Vec::new();
        for writer in self.writers {
            there.extend(soon("a writer", writer).await.unwrap());
        }
        there
    }
}

/// Whoever was told that they are in is in, there is one owner, and the log has no gaps.
async fn nothing_is_lost(world: &World, joined: &[String]) {
    let there: HashSet<String> = world.members("park").await.into_iter().map(|(uid, _)| uid).collect();
    let lost: Vec<_> = joined.iter().filter(|uid| !there.contains(*uid)).collect();
    assert!(lost.is_empty(), "answered with yes and not there: {lost:?}");
    assert_eq!(crate::support::faults(&world.app).await, Vec::<String>::new());
}

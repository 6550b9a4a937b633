//! A rolling deploy: three nodes beside one database, HAProxy in front as `examples/nodes` shows it,
//! people who act, read and watch. One node after the other is told to end and started again, and
//! nobody notices.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::join_all;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use crate::proxies::{Balancer, free_address};
use crate::support::program::{self, Program, command, command_of, run, run_with};
use crate::support::sse::Foreign;
use crate::support::{Actor, client, eventually, soon, token};

const ROUNDS: usize = 2;
const WRITERS: usize = 4;
const READERS: usize = 4;
const STREAMS: usize = 40;

async fn node(program: &Path, folder: &Path, listen: SocketAddr) -> Program {
    let mut serve = command_of(program, folder);
    serve.args(["serve", "--listen", &listen.to_string()]);
    tokio::task::spawn_blocking(move || Program::start(&mut serve)).await.unwrap()
}

/// Everybody who uses the service meanwhile, and what went wrong for them.
#[derive(Default)]
struct Crowd {
    done: AtomicBool,
    reads: AtomicU64,
    acts: AtomicU64,
    failures: Mutex<Vec<String>>,
}

impl Crowd {
    fn goes_on(&self) -> bool {
        !self.done.load(Ordering::Relaxed)
    }

    fn failed(&self, what: String) {
        self.failures.lock().unwrap().push(what);
    }

    /// The answer, if it is the one that everybody expects.
    async fn ask(&self, what: &str, request: RequestBuilder) -> Option<Value> {
        match request.header("accept", "application/json").send().await {
            Ok(response) if response.status() == 200 => match response.json().await {
                Ok(answer) => return Some(answer),
                Err(error) => self.failed(format!("{what}: {error:?}")),
            },
            Ok(response) => {
                let status = response.status();
                self.failed(format!("{what}: {status} {}", response.text().await.unwrap_or_default()));
            }
            Err(error) => self.failed(format!("{what}: {error:?}")),
        }
        None
    }

    /// People join, become moderators and are put out again; what was answered with yes, for each.
    async fn write(&self, ada: Actor, writer: usize) -> BTreeMap<String, Vec<&'static str>> {
        let mut answered = BTreeMap::<String, Vec<&str>>::new();
        for turn in (0..).take_while(|_| self.goes_on()) {
            let uid = format!("w{writer}t{turn}");
            let member = format!("/groups/den/members/{uid}");
            let acts = [
                (ada.anonymous(Method::POST, "/groups/den/members").bearer_auth(token(&uid)), "member_joined"),
                (
                    ada.request(Method::PUT, &format!("{member}/scope")).json(&json!({"scope": "moderator"})),
                    "member_scope_changed",
                ),
                (ada.request(Method::DELETE, &member), "member_kicked"),
            ];
            for (request, event) in acts {
                if self.ask(&format!("{event} of {uid}"), request).await.is_some() {
                    answered.entry(uid.clone()).or_default().push(event);
                }
                self.acts.fetch_add(1, Ordering::Relaxed);
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        }
        answered
    }

    /// Reads the list again and again, now and then on a new connection.
    async fn read(&self, url: &str, uid: &str) {
        while self.goes_on() {
            let reader = Actor::new(uid, &token(uid), url, client());
            for _ in 0..10 {
                self.ask("a list", reader.request(Method::GET, "/groups/den/members?limit=20")).await;
                self.reads.fetch_add(1, Ordering::Relaxed);
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
    }

    /// Watches until the event of this number, coming back with the last id whenever a stream ends;
    /// what was told, in order, and how often it came back.
    async fn watch(&self, actor: Actor, head: &AtomicU64) -> (Vec<(u64, String)>, usize) {
        let (mut events, mut last, mut ends) = (Vec::<(u64, String)>::new(), String::new(), 0);
        while events.last().is_none_or(|(seq, _)| *seq < head.load(Ordering::Relaxed)) {
            let request = actor.request(Method::GET, "/groups/den/events?format=json").header("last-event-id", &last);
            let mut stream = match request.send().await {
                Ok(response) if response.status() == 200 => Foreign::of(response),
                other => {
                    self.failed(format!("a stream: {other:?}"));
                    return (events, ends);
                }
            };
            let mut name = String::new();
            while let Some(event) = stream.next().await {
                name = event.event;
                if let Some((_, seq)) = event.id.rsplit_once('.').filter(|_| event.id != last) {
                    events.push((seq.parse().unwrap(), format!("{name} {}", event.data)));
                    last = event.id;
                }
                if events.last().is_some_and(|(seq, _)| *seq >= head.load(Ordering::Relaxed)) {
                    return (events, ends);
                }
            }
            ends += 1;
            if name != "bye" {
                self.failed(format!("a stream was cut after {name:?}"));
            }
        }
        (events, ends)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rolling_deploy_drops_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let watchers = (0..STREAMS).map(|n| format!("s{n},Watcher {n},participant,,\n")).collect::<String>();
    let people = format!("uid,name,scope,avatar,joinedAt\nada,Ada,owner,,\n{watchers}");
    let import = ["import", "--type", "public", "--group", "den", "-"];
    // CGM_TEST_ROLL_FROM: the program of the version before.
    let before = std::env::var_os("CGM_TEST_ROLL_FROM").map_or_else(program::path, Into::into);
    let (done, output) = run_with(command_of(&before, folder.path()).args(import), &people);
    assert!(done, "{output}");

    let (listen, addresses) = (free_address(), [free_address(), free_address(), free_address()]);
    let mut nodes = Vec::new();
    for address in addresses {
        nodes.push(Some(node(&before, folder.path(), address).await));
    }
    let _balancer = Balancer::start(listen, free_address(), &addresses);
    let url = format!("http://{listen}");
    let ada = Actor::new("ada", &token("ada"), &url, client());
    eventually("the balancer is there", async || {
        ada.request(Method::GET, "/healthz").send().await.is_ok_and(|response| response.status() == 200)
    })
    .await;
    let first = ada.data("/groups/den/members?limit=1").await.ok().json()["meta"]["id"].as_str().unwrap().to_owned();

    let (crowd, head) = (Arc::new(Crowd::default()), Arc::new(AtomicU64::new(u64::MAX)));
    let watching: Vec<_> = (0..STREAMS)
        .map(|n| {
            let uid = format!("s{n}");
            let actor = Actor::new(&uid, &token(&uid), &url, client());
            let (crowd, head) = (crowd.clone(), head.clone());
            tokio::spawn(async move { crowd.watch(actor, &head).await })
        })
        .collect();
    let reading: Vec<_> = (0..READERS)
        .map(|n| {
            let (crowd, url) = (crowd.clone(), url.clone());
            tokio::spawn(async move { crowd.read(&url, &format!("s{n}")).await })
        })
        .collect();
    let writing: Vec<_> = (0..WRITERS)
        .map(|n| {
            let (crowd, ada) = (crowd.clone(), ada.clone());
            tokio::spawn(async move { crowd.write(ada, n).await })
        })
        .collect();
    let busy = async |more: u64| {
        let acts = crowd.acts.load(Ordering::Relaxed) + more;
        eventually("they act", async || crowd.acts.load(Ordering::Relaxed) >= acts).await;
    };
    busy(20).await;

    let mut exits = Vec::new();
    for at in (0..3).cycle().take(3 * ROUNDS) {
        let running = nodes[at].take().unwrap();
        running.terminate();
        exits.push(tokio::task::spawn_blocking(move || running.wait()).await.unwrap());
        nodes[at] = Some(node(&program::path(), folder.path(), addresses[at]).await);
    }

    busy(20).await;
    crowd.done.store(true, Ordering::Relaxed);
    soon("readers", join_all(reading)).await;
    let answered: BTreeMap<_, _> =
        soon("writers", join_all(writing)).await.into_iter().flat_map(|answered| answered.unwrap()).collect();
    // One act, one event: the last of them has this number.
    let before: u64 = first.rsplit_once('.').unwrap().1.parse().unwrap();
    let last = before + answered.values().map(Vec::len).sum::<usize>() as u64;
    head.store(last, Ordering::Relaxed);
    // Whoever heard the last event already waits for one more.
    let one_more = ada.request(Method::PUT, "/groups/den/members/s0/scope").json(&json!({"scope": "admin"}));
    assert!(crowd.ask("one more", one_more).await.is_some());
    let watched = soon("watchers", join_all(watching)).await;

    let failures = std::mem::take(&mut *crowd.failures.lock().unwrap());
    let (acts, reads) = (crowd.acts.load(Ordering::Relaxed), crowd.reads.load(Ordering::Relaxed));
    println!("{acts} acts, {reads} reads, {} failed; exits: {exits:?}", failures.len());
    assert!(failures.is_empty(), "{} failed, first {:#?}", failures.len(), &failures[..failures.len().min(10)]);
    for (status, took) in exits {
        assert!(status.success() && took < Duration::from_secs(5), "{status} after {took:?}");
    }
    let mut ends = 0;
    for watcher in watched {
        let (events, ended) = watcher.unwrap();
        ends += ended;
        let odd: Vec<_> = events.windows(2).filter(|pair| pair[1].0 != pair[0].0 + 1).collect();
        assert!(odd.is_empty(), "something was lost, or told twice: {odd:#?}");
        assert!(events[1..].iter().all(|(_, what)| !what.starts_with("resync")), "nobody has to look again");
    }
    assert!(ends >= STREAMS, "every node said goodbye to its own: {ends}");
    // Every act that was answered with yes is one event, in its place, and there are no others.
    let since = [("last-event-id", first.as_str())];
    let mut log = ada.raw("/groups/den/events?format=json", &since).await;
    let mut stored = BTreeMap::<String, Vec<String>>::new();
    for message in log.up_to(last).await.into_iter().filter(|message| message.id.is_some()) {
        let uid = message.json()["member"]["uid"].as_str().unwrap().to_owned();
        if uid.starts_with('w') {
            stored.entry(uid).or_default().push(message.name().to_owned());
        }
    }
    let lost: Vec<_> =
        answered.iter().filter(|(uid, events)| stored.get(*uid).is_none_or(|is| is != *events)).collect();
    assert!(lost.is_empty() && stored.len() == answered.len(), "answered with yes, and not stored so: {lost:?}");
    drop(nodes);
    let (sound, output) = run(command(folder.path()).arg("doctor"));
    assert!(sound, "{output}");
}

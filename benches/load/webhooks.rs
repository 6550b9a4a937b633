//! Webhooks: how many a second reach a fast receiver on this machine, and what they cost those who act.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::http::StatusCode;
use axum::routing::post;
use chat_group_members::config::{SigningKey, Webhook, WebhookFormat};
use chat_group_members::domain::event_type::{USER_PRESENCE, event_types};
use chat_group_members::domain::{Act, Scope, Uid};
use chat_group_members::membership::{self, ActRequest, Actor};
use chat_group_members::store::Store;
use tokio::runtime::Runtime;

use crate::people;
use crate::report::{Goal, Report, per_second, quantile, time};
use crate::service::{ADMINS, Service, fill, guid_of};

/// Groups that are acted in.
const GROUPS: usize = 100;
/// Events of a group that is made: one of the group, one of its members.
const FIRST_EVENTS: usize = 2;
/// Longest wait for the deliveries of the groups that are made.
const PATIENCE: Duration = Duration::from_secs(60);
/// Acts a second while the time of each is measured.
const PACE: usize = 500;

/// Deliveries a second over a hundred groups; the p99 of paced acts with a receiver and without.
pub fn measure(report: &mut Report, client: &Runtime, folder: &Path, length: Duration) {
    let (address, received) = client.block_on(receiver());
    let endpoint = Webhook {
        url: format!("http://{address}/").parse().expect("an address is a URL"),
        keys: vec![SigningKey::parse("whsec_dGhpcnR5LXR3byBieXRlcyBvbmx5IGZvciB0aGUgcmlnIQ==").expect("34 bytes")],
        // What an endpoint gets by default. An empty list would want nothing.
        events: event_types().into_iter().filter(|kind| kind != USER_PRESENCE).collect(),
        format: WebhookFormat::Standard,
        allow_private: true,
    };
    let notified = Service::with_webhooks(&folder.join("told.db"), vec![endpoint]);
    let quiet = Service::with_webhooks(&folder.join("quiet.db"), Vec::new());
    for service in [&notified, &quiet] {
        (0..GROUPS).for_each(|group| fill(service, &name(group), ADMINS + 2));
    }
    // Otherwise the groups would be counted among the acts.
    let before = wait_for(&received, GROUPS * FIRST_EVENTS, PATIENCE);
    assert!(before >= GROUPS * FIRST_EVENTS, "only {before} deliveries of {GROUPS} groups arrived");
    let store = notified.app.store().clone();
    let acts = 200 * length.as_secs().max(1) as usize * 10;
    let begun = Instant::now();
    notified.runtime().block_on(act_at_once(&store, acts));
    let acted = begun.elapsed();
    let delivered = wait_for(&received, before + acts, (length * 30).saturating_sub(acted)) - before;
    // Where the time was too short, the rate is of what arrived in it.
    let rate = delivered as f64 / begun.elapsed().as_secs_f64();
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..3 {
        for (service, times) in [&notified, &quiet].into_iter().zip(&mut times) {
            times.extend(service.runtime().block_on(act_paced(service.app.store(), length)));
        }
    }
    let [with, without] = times.map(|mut times| quantile(&mut times, 0.99));

    report.section(&format!(
        "Webhooks to one receiver ({GROUPS} groups, {acts} acts committed in {acted:.1?}, {delivered} delivered)"
    ));
    report.line(
        "deliveries vs a thousand a second",
        per_second(rate),
        per_second(1000.0),
        rate / 1000.0,
        Goal::AtLeast(1.0),
    );
    report.line(
        &format!("p99 of {PACE} acts a second: with a receiver vs without"),
        time(with),
        time(without),
        with / without,
        Goal::AtMost(1.1),
    );
}

/// A receiver that confirms at once, and how many webhooks it has received.
async fn receiver() -> (std::net::SocketAddr, Arc<AtomicUsize>) {
    let received = Arc::new(AtomicUsize::new(0));
    let count = received.clone();
    let confirm = move || {
        count.fetch_add(1, Ordering::Relaxed);
        std::future::ready(StatusCode::NO_CONTENT)
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let address = listener.local_addr().expect("it was bound");
    let router = Router::new().route("/", post(confirm));
    tokio::spawn(async move { axum::serve(listener, router).await });
    (address, received)
}

/// Waits until `count` webhooks were received, or `patience` is over; how many were received by then.
fn wait_for(received: &AtomicUsize, count: usize, patience: Duration) -> usize {
    let begun = Instant::now();
    loop {
        let now = received.load(Ordering::Relaxed);
        if now >= count || begun.elapsed() >= patience {
            return now;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// So many acts as fast as the store takes them, one after the other in each group.
async fn act_at_once(store: &Store, acts: usize) {
    let tasks: Vec<_> = (0..GROUPS)
        .map(|group| {
            let store = store.clone();
            tokio::spawn(async move {
                for number in 0..acts / GROUPS {
                    act(&store, group, number).await;
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.expect("an actor's task ends");
    }
}

/// Acts in even intervals, each begun whether the one before has ended or not; how long each took, in seconds.
async fn act_paced(store: &Store, length: Duration) -> Vec<f64> {
    let mut tick = tokio::time::interval(Duration::from_secs(1) / PACE as u32);
    let mut tasks = Vec::new();
    for number in 0..PACE * length.as_secs().max(1) as usize {
        tick.tick().await;
        let store = store.clone();
        tasks.push(tokio::spawn(async move {
            let begun = Instant::now();
            act(&store, number % GROUPS, number / GROUPS).await;
            begun.elapsed().as_secs_f64()
        }));
    }
    let mut times = Vec::new();
    for task in tasks {
        times.push(task.await.expect("an act ends"));
    }
    times
}

/// The host changes the scope of one person in the group, to and fro.
async fn act(store: &Store, group: usize, number: usize) {
    let target: Uid = people::uid(ADMINS + 1).parse().expect("made to be one");
    let scope = if number.is_multiple_of(2) { Scope::Moderator } else { Scope::Participant };
    let request = ActRequest::new(guid_of(&name(group)), Actor::Host);
    membership::act(store, request, target, Act::SetScope(scope.into())).await.expect("the host may");
}

fn name(group: usize) -> String {
    format!("told-{group}")
}

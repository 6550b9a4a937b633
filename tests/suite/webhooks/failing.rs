//! Receivers that fail, hang, lie and lead elsewhere.

use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use chat_group_members::app::App;
use chat_group_members::config::{Config, Webhook};
use chat_group_members::domain::Scope;
use chat_group_members::membership::sweep;
use serde_json::json;

use super::receiver::{Receiver, Reply};
use super::{operate, state, webhook, while_time_passes, world_sending_to, world_sending_to_with};
use crate::support::{World, eventually};

/// Waits until the failure of the last try is written.
async fn next_try_is_later(world: &World) {
    eventually("the failure is written", || async {
        let next = state(world).await["nextTry"].as_str().map(|at| at.parse::<jiff::Timestamp>().unwrap());
        next.is_some_and(|next| next.as_millisecond() > world.clock.now())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failed_delivery_is_tried_again_by_the_schedule_and_later_events_wait_behind() {
    let receiver = Receiver::new().await;
    let world = world_sending_to(&receiver).await;
    receiver.answers_with(503);
    let before = receiver.calls().len();
    world.cy.kick("dee").await.ok();
    world.ben.kick("eve").await.ok();
    receiver.has(before + 1).await;
    next_try_is_later(&world).await;
    for (tries, seconds) in [(2, 5), (3, 30), (4, 120), (5, 600), (6, 1800), (7, 3600), (8, 3600)] {
        // The real time goes on as well.
        world.clock.advance((seconds - 3) * 1000);
        tokio::time::sleep(Duration::from_millis(1_200)).await;
        assert_eq!(receiver.calls().len(), before + tries - 1, "not before {seconds} s");
        world.clock.advance(3_000 + seconds * 110);
        receiver.has(before + tries).await;
        next_try_is_later(&world).await;
    }
    let calls = receiver.calls();
    assert!(calls[before..].iter().all(|call| call.id() == calls[before].id()), "the first one, again and again");
    let shown = state(&world).await;
    assert_eq!((&shown["backlog"], &shown["lastAnswer"]), (&json!(2), &json!("503")));
    assert!(shown["failingSince"].is_string() && shown["oldest"].is_string(), "{shown}");
    receiver.answers_with(200);
    while_time_passes(&world, receiver.has_event("den", world.head("den").await)).await;
    receiver.is_in_order();
    eventually("nothing fails any more", || async {
        let shown = state(&world).await;
        shown["failing"] == 0 && shown["backlog"] == 0 && shown["failingSince"].is_null()
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_try_that_was_on_its_way_when_the_endpoint_was_resumed_puts_nothing_off() {
    let receiver = Receiver::new().await;
    let world = world_sending_to(&receiver).await;
    receiver.answers_with(503);
    let before = receiver.calls().len();
    world.cy.kick("dee").await.ok();
    receiver.has(before + 1).await;
    next_try_is_later(&world).await;
    world.clock.advance(6_000);
    receiver.has(before + 2).await;
    next_try_is_later(&world).await;
    // The third one fails when the receiver has long been mended; after it the schedule has two minutes.
    receiver.answers(|_, _| Reply::Late(Duration::from_secs(2), 503));
    world.clock.advance(34_000);
    receiver.has(before + 3).await;
    receiver.answers_with(200);
    operate(&world, "resume", json!({})).await;
    receiver.has(before + 4).await;
    let calls = receiver.calls();
    assert_eq!(calls[before + 3].id(), calls[before].id());
    eventually("nothing fails", || async {
        let shown = state(&world).await;
        shown["failing"] == 0 && shown["backlog"] == 0
    })
    .await;
}

/// A world with a receiver that has been sent an event, and answered so with this `Retry-After`; and its calls before.
async fn asking_for_time(status: u16, retry_after: &'static str) -> (World, Receiver, usize) {
    let receiver = Receiver::new().await;
    let world = world_sending_to(&receiver).await;
    receiver.answers(move |_, _| Reply::Headers(status, vec![("retry-after", retry_after.into())]));
    let before = receiver.calls().len();
    world.cy.kick("dee").await.ok();
    receiver.has(before + 1).await;
    eventually("the failure is written", || async { state(&world).await["failing"] == 1 }).await;
    (world, receiver, before)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_receiver_may_ask_for_more_time() {
    let (world, receiver, before) = asking_for_time(429, "60").await;
    world.clock.advance(30_000);
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    assert_eq!(receiver.calls().len(), before + 1);
    receiver.answers_with(200);
    while_time_passes(&world, receiver.has(before + 2)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_receiver_that_asks_for_more_than_a_day_has_a_day() {
    let (world, receiver, before) = asking_for_time(503, "99999999999").await;
    world.clock.advance(23 * 3_600_000);
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    assert_eq!(receiver.calls().len(), before + 1);
    receiver.answers_with(200);
    world.clock.advance(3_600_000);
    receiver.has(before + 2).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_endpoint_that_is_gone_gets_nothing_until_it_is_resumed() {
    let receiver = Receiver::new().await;
    let world = world_sending_to(&receiver).await;
    receiver.answers_with(410);
    let before = receiver.calls().len();
    world.cy.kick("dee").await.ok();
    eventually("it is stopped", || async { state(&world).await["state"] == "gone" }).await;
    world.clock.advance(3_600_000);
    world.gus.join().await.ok();
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    assert_eq!(receiver.calls().len(), before + 1);
    receiver.answers_with(200);
    operate(&world, "resume", json!({})).await;
    receiver.has_event("den", world.head("den").await).await;
    receiver.has_event("park", world.head("park").await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_five_groups_in_a_row_the_endpoint_waits_as_one() {
    let receiver = Receiver::new().await;
    let world = world_sending_to(&receiver).await;
    receiver.answers_with(500);
    for number in 0..8 {
        let people = [("ada", "Ada", chat_group_members::domain::Scope::Owner)];
        world.seed(&format!("g{number}"), chat_group_members::domain::GroupType::Public, people).await;
    }
    eventually("it waits", || async { state(&world).await["backingOff"] == true }).await;
    let before = receiver.calls().len();
    world.gus.join().await.ok();
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    assert_eq!(receiver.calls().len(), before, "not even another group is tried");
    receiver.answers_with(200);
    while_time_passes(&world, async {
        for number in 0..8 {
            receiver.has_event(&format!("g{number}"), 2).await;
        }
        receiver.has_event("park", world.head("park").await).await;
    })
    .await;
    eventually("it is well", || async { state(&world).await["backingOff"] == false }).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_three_days_an_event_is_dead_and_can_be_replayed() {
    let receiver = Receiver::new().await;
    let world = world_sending_to(&receiver).await;
    receiver.answers_with(500);
    let from = jiff::Timestamp::from_millisecond(world.clock.now()).unwrap();
    world.cy.kick("dee").await.ok();
    eventually("it fails", || async { state(&world).await["failing"] == 1 }).await;
    world.clock.advance(3 * 24 * 3_600_000 + 1);
    receiver.answers_with(200);
    let before = receiver.calls().len();
    world.ben.kick("eve").await.ok();
    receiver.has_event("den", world.head("den").await).await;
    assert_eq!(receiver.calls().len(), before + 1, "the dead one was skipped");
    assert_eq!(receiver.calls().pop().unwrap().data()["member"]["uid"], "eve");
    eventually("it is counted", || async { state(&world).await["dead"] == 1 }).await;
    operate(&world, "replay", json!({"from": from.to_string()})).await;
    let calls = receiver.has(before + 3).await;
    let again: Vec<_> = calls[before + 1..].iter().map(|call| call.data()["member"]["uid"].clone()).collect();
    assert_eq!(again, ["dee", "eve"], "as long as the log keeps it");
    assert_eq!(state(&world).await["dead"], 0, "it is delivered");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn undelivered_events_outlive_the_retention_and_those_of_an_endpoint_that_left_do_not() {
    let receiver = Receiver::new().await;
    let world = world_sending_to_with(&receiver, |config| config.retention = 2).await;
    receiver.answers_with(500);
    let since = world.head("den").await;
    for turn in 0..10 {
        world.ada.set_scope("dee", if turn % 2 == 0 { "moderator" } else { "participant" }).await.ok();
    }
    let first = async || {
        let body =
            super::ask(&world, reqwest::Method::GET, &format!("/v3/groups/den/events?after={since}"), None).await;
        body.status.as_u16()
    };
    sweep(world.app.store(), 2).await.unwrap();
    assert_eq!(first().await, 200, "nobody has them yet");
    receiver.answers_with(200);
    while_time_passes(&world, receiver.has_event("den", world.head("den").await)).await;
    receiver.is_in_order();
    eventually("it is written", || async { state(&world).await["backlog"] == 0 }).await;
    sweep(world.app.store(), 2).await.unwrap();
    assert_eq!(first().await, 410, "everybody has them");

    let receiver = Receiver::new().await;
    let world = world_sending_to_with(&receiver, |config| config.retention = 2).await;
    receiver.answers_with(500);
    let since = world.head("den").await;
    for turn in 0..10 {
        world.ada.set_scope("dee", if turn % 2 == 0 { "moderator" } else { "participant" }).await.ok();
    }
    world.app.drain().await;
    world.clock.advance(11 * 60_000);
    sweep(world.app.store(), 2).await.unwrap();
    let answer = super::ask(&world, reqwest::Method::GET, &format!("/v3/groups/den/events?after={since}"), None).await;
    assert_eq!(answer.status, 410, "it is configured nowhere");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_receiver_that_is_away_for_a_day_and_longer_than_the_log_is_kept_misses_nothing() {
    let receiver = Receiver::new().await;
    let world = world_sending_to_with(&receiver, |config| config.retention = 3).await;
    let first = world.head("den").await + 1;
    receiver.answers_with(503);
    let mut app = world.app.clone();
    for hour in 0..24 {
        for turn in 0..2 {
            let scope = if turn == 0 { Scope::Moderator } else { Scope::Participant };
            world.host_sets_scope("den", "dee", scope).await;
        }
        if hour == 12 {
            // Another node goes on.
            app.drain().await;
            app.stop();
            app = App::open_at(world.app.config().clone(), world.clock.clone()).await.unwrap();
        }
        world.clock.advance(3_600_000);
        eventually("the node says that it knows the endpoint", || async {
            let known = app.store().read().await.unwrap().endpoints().await.unwrap();
            world.clock.now() - known[0].seen_at < 60_000
        })
        .await;
        sweep(world.app.store(), 3).await.unwrap();
    }
    receiver.answers_with(200);
    while_time_passes(&world, receiver.has_event("den", world.head("den").await)).await;
    receiver.is_in_order();
    let seqs = receiver.seqs("den");
    assert!(seqs.ends_with(&(first..first + 48).collect::<Vec<_>>()), "{seqs:?}");
    app.stop();
}

/// Two endpoints: one that behaves so, and one that takes everything.
async fn two(bad: &Receiver, good: &Receiver) -> World {
    let (bad, good) = (webhook(&bad.url), webhook(&good.url));
    World::with(move |config: &mut Config| config.webhooks = vec![bad, good]).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn receivers_that_hang_drip_and_answer_megabytes_harm_nobody() {
    for kind in ["hangs", "drips", "floods"] {
        let (bad, good) = (Receiver::new().await, Receiver::new().await);
        bad.answers(move |_, _| match kind {
            "hangs" => Reply::Late(Duration::from_secs(600), 200),
            "drips" => Reply::Other(Response::new(Body::from_stream(async_stream::stream! {
                loop {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    yield Ok::<_, std::io::Error>("x");
                }
            }))),
            _ => Reply::Other(Response::new(Body::from_stream(async_stream::stream! {
                for _ in 0..1_000 {
                    yield Ok::<_, std::io::Error>("x".repeat(1 << 20));
                }
            }))),
        });
        let world = two(&bad, &good).await;
        bad.has(1).await;
        for turn in 0..5 {
            world.ada.set_scope("dee", if turn % 2 == 0 { "moderator" } else { "participant" }).await.ok();
        }
        good.has_event("den", world.head("den").await).await;
        good.is_in_order();
        world.app.stop();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redirect_is_a_failure_and_nobody_is_asked_there() {
    let (receiver, elsewhere) = (Receiver::new().await, Receiver::new().await);
    let world = world_sending_to(&receiver).await;
    let to = elsewhere.url.clone();
    receiver.answers(move |_, _| Reply::Headers(307, vec![("location", to.clone())]));
    world.cy.kick("dee").await.ok();
    eventually("it failed", || async { state(&world).await["lastAnswer"] == "307" }).await;
    assert!(elsewhere.calls().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_inside_address_is_refused_however_it_is_written() {
    for url in [
        "https://127.0.0.1:1/hook",
        "https://10.0.0.1/hook",
        "https://169.254.169.254/latest",
        "https://[::ffff:10.0.0.1]/hook",
        "https://[64:ff9b::a9fe:a9fe]/hook",
        "https://0x7f.1/hook",
        "https://2130706433/hook",
    ] {
        let world = World::with(|config| {
            config.webhooks = vec![Webhook { ..webhook(url) }];
            config.api_keys = vec![chat_group_members::config::Secret::new(super::KEY)];
        })
        .await;
        eventually("it is registered", || async { state(&world).await["id"].is_string() }).await;
        let result = operate(&world, "test", json!({})).await;
        let answer = result["answer"].as_str().unwrap();
        // A loopback URL that is given as such may be asked; nobody listens there.
        let refused = answer.contains("private")
            || url.contains("127.0.0.1")
            || url.contains("0x7f")
            || url.contains("2130706433");
        assert!(result["delivered"] == false && refused, "{url}: {answer}");
        world.app.stop();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_that_resolves_to_this_machine_is_refused_though_somebody_listens_there() {
    // The machine's own name leads to itself, and is not a loopback URL given as such.
    let name = std::fs::read_to_string("/etc/hostname").unwrap().trim().to_owned();
    let found = tokio::net::lookup_host((name.as_str(), 0)).await.expect("the machine knows its own name").next();
    // On Debian this is 127.0.1.1, in a container the address of its network.
    let receiver = Receiver::at(found.expect("the name has an address").ip()).await;
    let port = reqwest::Url::parse(&receiver.url).unwrap().port().unwrap();
    for private in [false, true] {
        let world = World::with(|config| {
            let url = format!("http://{name}:{port}/hook");
            config.webhooks = vec![Webhook { allow_private: private, ..webhook(&url) }];
            config.api_keys = vec![chat_group_members::config::Secret::new(super::KEY)];
        })
        .await;
        eventually("it is registered", || async { state(&world).await["id"].is_string() }).await;
        let result = operate(&world, "test", json!({})).await;
        let refusal = "the address is private, and refused without --webhook-allow-private";
        let expected = if private { json!("200") } else { json!(refusal) };
        assert_eq!((&result["delivered"], &result["answer"]), (&json!(private), &expected));
        assert_eq!(receiver.calls().is_empty(), !private, "nobody is asked before it is allowed");
        world.app.stop();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_waits_for_a_receiver_that_was_away_for_days_is_delivered_when_it_is_replayed() {
    let receiver = Receiver::new().await;
    let world = world_sending_to(&receiver).await;
    world.cy.mute("dee", json!({"until": 60})).await.ok();
    receiver.has_event("den", world.head("den").await).await;
    operate(&world, "pause", json!({})).await;
    let from = jiff::Timestamp::from_millisecond(world.clock.now()).unwrap();
    world.cy.kick("dee").await.ok();
    world.clock.advance(4 * 24 * 3_600_000);
    operate(&world, "replay", json!({"from": from.to_string()})).await;
    operate(&world, "resume", json!({})).await;
    receiver.has_event("den", world.head("den").await).await;
    let is_kick = |data: &serde_json::Value| {
        data["member"]["uid"] == "dee" && data["old"] == "participant" && data["new"].is_null()
    };
    let kicks = receiver.calls().iter().filter(|call| is_kick(&call.data())).count();
    assert_eq!((kicks, &state(&world).await["dead"]), (1, &json!(0)));
}

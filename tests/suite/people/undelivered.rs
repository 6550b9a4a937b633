//! Erasing a person while webhooks wait that name them.

use std::time::{Duration, Instant};

use chat_group_members::config::Secret;
use chat_group_members::domain::{GroupType, Name, Scope};
use chat_group_members::membership;
use reqwest::Method;
use serde_json::json;

use super::host;
use super::zora::{NAME, UID, bring_zora, dump, erase, traces};
use crate::support::{World, eventually, uid};
use crate::v3::KEY;
use crate::webhooks::receiver::{Receiver, Reply};
use crate::webhooks::{state, webhook, while_time_passes};

/// Longest time for which a file may hold what was deleted.
const SCRUBBED: Duration = Duration::from_secs(60);
/// How long an event is tried, in milliseconds, and a little more.
const THREE_DAYS: i64 = 3 * 24 * 3_600_000 + 1;

/// The cast, and a host with this receiver.
async fn world_with_webhook(receiver: &Receiver) -> World {
    let url = receiver.url.clone();
    World::with(|config| {
        config.api_keys = vec![Secret::new(KEY)];
        config.webhooks = vec![webhook(&url)];
    })
    .await
}

/// Waits until the database holds these traces of Zora and no others.
async fn holds(world: &World, expected: &[&str]) {
    let begun = Instant::now();
    loop {
        let found = traces(&dump(world).await);
        if found == expected {
            return;
        }
        assert!(begun.elapsed() < SCRUBBED, "{found:?}, not {expected:?}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// Zora was erased, and nothing about her has reached the host: neither what happened to her nor that she is erased.
async fn with_zora_erased_and_untold(receiver: &Receiver) -> World {
    receiver.answers_with(500);
    let world = world_with_webhook(receiver).await;
    bring_zora(&world).await;
    erase(&world, UID).await.ok();
    // `user.deleted` names her by her uid, so that the host finds her.
    holds(&world, &[UID]).await;
    world
}

async fn is_left_out_when_it_is_delivered() {
    let receiver = Receiver::new().await;
    let world = with_zora_erased_and_untold(&receiver).await;
    let before = receiver.calls().len();
    receiver.answers_with(200);
    let all = eventually("nothing waits", || async { state(&world).await["backlog"] == 0 });
    while_time_passes(&world, all).await;
    for call in &receiver.calls()[before..] {
        let expected: &[&str] = if call.kind() == "user.deleted" { &[UID] } else { &[] };
        assert_eq!(traces(&call.body), expected, "{}", call.body);
    }
    membership::sweep(world.app.store(), 10_000).await.unwrap();
    holds(&world, &[]).await;
}

async fn is_left_out_when_it_is_given_up() {
    let receiver = Receiver::new().await;
    let world = with_zora_erased_and_untold(&receiver).await;
    world.clock.advance(THREE_DAYS);
    eventually("the node says that it knows the endpoint", || async {
        let known = world.app.store().read().await.unwrap().endpoints().await.unwrap();
        known.first().is_some_and(|endpoint| world.clock.now() - endpoint.seen_at < 60_000)
    })
    .await;
    membership::sweep(world.app.store(), 10_000).await.unwrap();
    holds(&world, &[]).await;
}

// Between two times that a file is written anew 20 seconds pass: both are waited for at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_names_somebody_who_was_erased_once_the_host_was_told_or_three_days_are_over() {
    tokio::join!(is_left_out_when_it_is_delivered(), is_left_out_when_it_is_given_up());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn webhooks_tell_who_was_erased_under_which_pseudonym() {
    let receiver = Receiver::new().await;
    let world = world_with_webhook(&receiver).await;
    let name = Name::parse(NAME).unwrap();
    membership::put_user(world.app.store(), uid(UID), Some(name), None).await.unwrap();
    world.seed("den", GroupType::Private, [(UID, NAME, Scope::Participant)]).await;
    erase(&world, UID).await.ok();
    let delivered = || receiver.calls().into_iter().find(|call| call.kind() == "user.deleted");
    eventually("the host is told", || async { delivered().is_some() }).await;
    let pseudonym = world.app.store().pseudonyms().of(&uid(UID)).to_string();
    let positions = json!({"den": world.head("den").await});
    let expected = json!({"uid": UID, "pseudonym": pseudonym, "groups": ["den"], "positions": positions});
    assert_eq!(delivered().unwrap().data(), expected);
}

/// An operator does this to the only endpoint.
async fn operate(world: &World, verb: &str) {
    let id = state(world).await["id"].as_str().unwrap().to_owned();
    host(world, Method::POST, &format!("/v3/webhooks/{id}/{verb}"), None).await.ok();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_receiver_gets_no_name_of_somebody_who_was_erased_while_it_answered() {
    let receiver = Receiver::new().await;
    let world = world_with_webhook(&receiver).await;
    operate(&world, "pause").await;
    bring_zora(&world).await;
    for scope in [Scope::Admin, Scope::Moderator, Scope::Participant].repeat(3) {
        world.host_sets_scope("den", UID, scope).await;
    }
    // Longer than a batch of events is sent from memory.
    receiver.answers(|_, _| Reply::Late(Duration::from_millis(1_100), 200));
    operate(&world, "resume").await;
    let of_den = |from: usize| -> Vec<String> {
        let calls = receiver.calls().into_iter().skip(from);
        calls.filter(|call| call.data()["group"]["guid"] == "den").map(|call| call.body).collect()
    };
    eventually("the host reads of her", || async { of_den(0).iter().any(|body| body.contains(UID)) }).await;
    erase(&world, UID).await.ok();
    eventually("the log does not name her", || async {
        world.app.store().read().await.unwrap().erasures().await.unwrap().is_empty()
    })
    .await;
    let told = receiver.calls().len();
    receiver.answers_with(200);
    eventually("nothing waits", || async { state(&world).await["backlog"] == 0 }).await;
    // One request may have been on its way.
    let later: Vec<String> = of_den(told).into_iter().skip(1).collect();
    assert!(later.len() > 2, "{later:?}");
    for body in later {
        assert_eq!(traces(&body), Vec::<&str>::new(), "{body}");
    }
}

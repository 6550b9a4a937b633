//! Passwords of groups that are guessed: whoever guesses waits, and nobody else does.

use chat_group_members::domain::{GroupType, Scope};
use reqwest::Method;
use serde_json::json;

use crate::support::{self, World};

#[tokio::test]
async fn whoever_tries_passwords_waits_longer_and_longer_for_this_group() {
    let world = World::new().await;
    world.seed("cellar", GroupType::Password, support::CAST).await;
    let tried_for = async |group: &str, actor: &support::Actor, password: &str| {
        actor.act(Method::POST, &format!("/groups/{group}/members"), json!({"password": password})).await
    };
    let tried = async |actor: &support::Actor, password: &str| tried_for("vault", actor, password).await;
    for _ in 0..5 {
        tried(&world.gus, "guess").await.refused(403, "ERR_GROUP_NO_CLEARANCE");
    }
    // Time passes on a slow machine too: only waits of a minute and more are still on when the next try arrives.
    for waited in [1_000, 2_000, 4_000, 8_000, 16_000, 32_000] {
        world.clock.advance(waited);
        tried(&world.gus, "guess").await.refused(403, "ERR_GROUP_NO_CLEARANCE");
    }
    let slowed = tried(&world.gus, "sesame").await.refused(429, "ERR_TOO_MANY_REQUESTS");
    assert!(slowed.header("retry-after").parse::<u64>().unwrap() <= 64);
    tried(&world.hal, "sesame").await.ok();
    tried_for("cellar", &world.gus, "guess").await.refused(403, "ERR_GROUP_NO_CLEARANCE");
    tried_for("cellar", &world.gus, "sesame").await.ok();
    tried(&world.gus, "sesame").await.refused(429, "ERR_TOO_MANY_REQUESTS");
    world.clock.advance(64_000);
    tried(&world.gus, "guess").await.refused(403, "ERR_GROUP_NO_CLEARANCE");
    world.clock.advance(64_000);
    tried(&world.gus, "sesame").await.refused(429, "ERR_TOO_MANY_REQUESTS");
    world.clock.advance(64_000);
    tried(&world.gus, "sesame").await.ok();
    assert_eq!(world.scope("vault", "gus").await, Some(Scope::Participant));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rush_of_passwords_is_turned_away_and_whoever_gives_none_is_served() {
    let world = World::new().await;
    let people: Vec<_> = (0..120).map(|n| world.actor(&format!("rush{n}"))).collect();
    let rush = people.into_iter().map(|actor| async move {
        actor.act(Method::POST, "/groups/vault/members", json!({"password": "guess"})).await
    });
    let rush = tokio::spawn(futures_util::future::join_all(rush));
    let mut served = 0;
    while !rush.is_finished() {
        world.actor(&format!("calm{served}")).join().await.ok();
        world.dee.data("/groups/vault/members").await.ok();
        world.gus.act(Method::POST, "/groups/vault/members", json!({})).await.refused(422, "ERR_VALIDATION");
        served += 1;
    }
    assert!(served > 1, "nobody waits until the rush is over");
    let answers = rush.await.unwrap();
    let of = |status: u16| answers.iter().filter(|answer| answer.status == status).collect::<Vec<_>>();
    assert_eq!(of(403).len() + of(503).len(), answers.len());
    assert!(!of(503).is_empty() && !of(403).is_empty(), "some are looked at, and some turned away");
    for answer in of(503) {
        assert_eq!(answer.code(), "ERR_UNAVAILABLE");
        assert!(!answer.header("retry-after").is_empty());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_knows_a_password_and_gives_it_by_the_dozen_keeps_nobody_out() {
    let world = World::new().await;
    let crowd: Vec<_> = (0..60).map(|_| world.actor("dee")).collect();
    let rush = crowd
        .into_iter()
        .map(|dee| async move { dee.act(Method::POST, "/groups/vault/members", json!({"password": "sesame"})).await });
    let rush = tokio::spawn(futures_util::future::join_all(rush));
    let mut joined = 0;
    while !rush.is_finished() {
        let guest = world.actor(&format!("guest{joined}"));
        guest.act(Method::POST, "/groups/vault/members", json!({"password": "sesame"})).await.ok();
        joined += 1;
    }
    assert!(joined > 1, "nobody waits until the rush is over");
    assert!(rush.await.unwrap().iter().all(|answer| answer.status == 200), "and Dee is in");
}

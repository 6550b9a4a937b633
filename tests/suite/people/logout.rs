//! Logging out everywhere.

use std::time::{Duration, Instant};

use chat_group_members::config::{Secret, Wake};
use chat_group_members::identity::{NewToken, mint};
use reqwest::Method;

use super::{host, is_shared, world};
use crate::support::{Actor, SECRET, World, eventually, now};

/// Streams end within a second on every node: a promise to hosts.
const STREAMS_END: Duration = Duration::from_secs(1);
/// Nodes that nothing wakes read logouts a second after the end of the last reading, which takes a moment itself.
const STREAMS_END_UNWOKEN: Duration = Duration::from_millis(1_250);
/// How late timers of this length are shows how busy the machine is with other tests.
const TICK: Duration = Duration::from_millis(50);

/// What comes of this in the promised time, not counting the time by which this machine lets timers be late.
async fn as_promised<T>(world: &World, work: impl Future<Output = T>) -> T {
    let promised = if world.app.config().wake == Wake::None { STREAMS_END_UNWOKEN } else { STREAMS_END };
    let begun = Instant::now();
    let (mut set, mut late) = (begun, Duration::ZERO);
    let timers = async {
        loop {
            tokio::time::sleep(TICK).await;
            late += set.elapsed().saturating_sub(TICK);
            set = Instant::now();
        }
    };
    let value = tokio::select! {
        value = work => value,
        () = timers => unreachable!("time goes on"),
    };
    late += set.elapsed().saturating_sub(TICK);
    let took = begun.elapsed();
    assert!(took < promised + late, "{took:?}, and timers were {late:?} late");
    value
}

/// Dee with a token that was issued in this second.
fn dee_since(world: &World, issued_at: i64) -> Actor {
    let new = NewToken {
        uid: "dee",
        audience: "chat-group-members",
        issued_at,
        expires_at: now() + 3600,
        name: None,
        avatar: None,
    };
    world.bearer(&mint(&Secret::new(SECRET), &new))
}

async fn log_out(world: &World, uid: &str) {
    host(world, Method::DELETE, &format!("/v3/users/{uid}/auth_tokens"), None).await.ok();
}

#[tokio::test]
async fn whoever_is_logged_out_is_refused_with_every_token_of_before_and_let_in_with_one_of_later() {
    let world = world().await;
    let mut html = world.dee.stream().await;
    let mut json = world.dee.events().await;
    let before = dee_since(&world, now());
    log_out(&world, "dee").await;
    let (data, mut page) = as_promised(&world, async { (json.rest().await, html.rest().await) }).await;
    assert_eq!(data.last().unwrap().name(), "expired");
    let last = page.pop().unwrap();
    assert!(last.data.unwrap().contains("expired"), "the page asks its host for another token");
    for token in [&world.dee, &before, &dee_since(&world, now() - 3600)] {
        let refused = token.data("/groups/den/members").await;
        assert_eq!(refused.json()["detail"], "You were signed out everywhere.");
        refused.refused(401, "AUTH_ERR_NO_ACCESS");
    }

    dee_since(&world, now() + 1).data("/groups/den/members").await.ok();
    world.eve.data("/groups/den/members").await.ok();
    let session = world.dee.request(Method::POST, "/session").send().await.unwrap();
    assert_eq!(session.status(), 401, "nor does it become a cookie");
}

#[tokio::test]
async fn a_token_that_the_host_asks_for_right_after_the_logout_lets_them_in() {
    let world = world().await;
    log_out(&world, "dee").await;
    let made = host(&world, Method::POST, "/v3/users/dee/auth_tokens", Some(serde_json::json!({}))).await.ok();
    let token = made.json()["data"]["authToken"].as_str().expect("the token is a text").to_owned();
    world.bearer(&token).data("/groups/den/members").await.ok();
}

#[tokio::test]
async fn a_second_logout_in_the_same_second_refuses_what_was_issued_between_them() {
    let world = world().await;
    log_out(&world, "dee").await;
    for _ in 0..2 {
        let made = host(&world, Method::POST, "/v3/users/dee/auth_tokens", Some(serde_json::json!({}))).await.ok();
        let token = made.json()["data"]["authToken"].as_str().expect("the token is a text").to_owned();
        let dee = world.bearer(&token);
        dee.data("/groups/den/members").await.ok();
        log_out(&world, "dee").await;
        dee.data("/groups/den/members").await.refused(401, "AUTH_ERR_NO_ACCESS");
    }
}

#[tokio::test]
async fn a_token_that_does_not_say_when_it_was_issued_is_refused_for_good() {
    let world = world().await;
    let claims = serde_json::json!({"sub": "dee", "aud": "chat-group-members", "exp": now() + 3600});
    let key = jsonwebtoken::EncodingKey::from_secret(SECRET.as_bytes());
    let token = jsonwebtoken::encode(&jsonwebtoken::Header::default(), &claims, &key).unwrap();
    let dee = world.bearer(&token);
    dee.data("/groups/den/members").await.ok();
    log_out(&world, "dee").await;
    world.clock.advance(60_000);
    dee.data("/groups/den/members").await.refused(401, "AUTH_ERR_NO_ACCESS");
}

/// Dee with a token of any issue time.
fn dee_dated(world: &World, iat: serde_json::Value) -> Actor {
    let key = jsonwebtoken::EncodingKey::from_secret(SECRET.as_bytes());
    let claims = serde_json::json!({"sub": "dee", "aud": "chat-group-members", "exp": 1e11, "iat": iat});
    world.bearer(&jsonwebtoken::encode(&jsonwebtoken::Header::default(), &claims, &key).unwrap())
}

#[tokio::test]
async fn a_token_that_is_dated_further_ahead_than_clocks_differ_is_refused_and_told_why() {
    let world = world().await;
    for iat in [serde_json::json!(now() + 20), serde_json::json!(now() + 86_400), serde_json::json!(1e300)] {
        let refused = dee_dated(&world, iat).data("/groups/den/members").await.refused(401, "AUTH_ERR_NO_ACCESS");
        let why = refused.json()["detail"].as_str().unwrap().to_owned();
        assert!(why.contains("\"iat\" is in the future"), "{why}");
    }
}

#[tokio::test]
async fn a_token_of_a_clock_that_is_ahead_does_not_outlive_the_logout() {
    let world = world().await;
    let shown = dee_dated(&world, serde_json::json!(now() + 4));
    shown.data("/groups/den/members").await.ok();
    let mut stream = shown.events().await;
    log_out(&world, "dee").await;
    // Of the same clock, made before the logout and never shown: its host's clock is known to be ahead.
    let kept = dee_dated(&world, serde_json::json!(now() + 3));
    assert_eq!(stream.rest().await.last().unwrap().name(), "expired");
    shown.data("/groups/den/members").await.refused(401, "AUTH_ERR_NO_ACCESS");
    for seconds in [0, 3, 60] {
        world.clock.advance(seconds * 1000);
        for dee in [&shown, &kept] {
            dee.data("/groups/den/members").await.refused(401, "AUTH_ERR_NO_ACCESS");
        }
        let made = host(&world, Method::POST, "/v3/users/dee/auth_tokens", Some(serde_json::json!({}))).await.ok();
        let token = made.json()["data"]["authToken"].as_str().expect("the token is a text").to_owned();
        world.bearer(&token).data("/groups/den/members").await.ok();
    }
    // Neither on a node that has never seen it.
    if is_shared(&world) {
        world.beside().await.bearer(&shown.token).data("/groups/den/members").await.refused(401, "AUTH_ERR_NO_ACCESS");
    }
}

#[tokio::test]
async fn a_clock_that_was_set_right_is_trusted_again_after_a_day() {
    let world = world().await;
    dee_dated(&world, serde_json::json!(now() + 4)).data("/groups/den/members").await.ok();
    world.clock.advance(24 * 3_600_000);
    log_out(&world, "dee").await;
    world.clock.advance(1_000);
    // Of the second after the logout, as the service's own clock says.
    let issued_at = world.clock.now() / 1000;
    dee_dated(&world, serde_json::json!(issued_at)).data("/groups/den/members").await.ok();
}

#[tokio::test]
async fn a_token_dated_ahead_that_is_refused_once_is_not_good_again_at_its_date() {
    let world = world().await;
    let dee = dee_dated(&world, serde_json::json!(now() + 5));
    // A logout of this very second, or of a later one by less than the token is dated ahead.
    log_out(&world, "dee").await;
    let first = dee.data("/groups/den/members").await;
    world.clock.advance(60_000);
    let later = dee.data("/groups/den/members").await;
    assert!(first.status == 200 || later.status == 401, "{} {}", first.status, later.status);
    dee_since(&world, now() + 60).data("/groups/den/members").await.ok();
}

#[tokio::test]
async fn somebody_nobody_has_named_is_logged_out_as_well_and_only_the_host_does_it() {
    let world = world().await;
    log_out(&world, "stranger").await;
    world.actor("stranger").data("/groups/park").await.refused(401, "AUTH_ERR_NO_ACCESS");
    host(&world, Method::DELETE, "/v3/users/a%20b/auth_tokens", None).await;
    let path = "/v3/users/dee/auth_tokens";
    assert_eq!(host(&world, Method::DELETE, "/v3/users/a%20b/auth_tokens", None).await.status, 404);
    let on_behalf =
        world.ada.anonymous(Method::DELETE, path).header("apikey", crate::v3::KEY).header("onbehalfof", "ada");
    assert_eq!(on_behalf.send().await.unwrap().status(), 403);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_holds_on_the_other_node_and_after_a_restart() {
    let here = world().await;
    // Of before the logout, wherever it is shown: a world's own tokens are as old as that world.
    let before = now();
    if !is_shared(&here) {
        // A file has one node: the next start.
        log_out(&here, "dee").await;
        here.app.stop();
        let again = here.beside().await;
        dee_since(&again, before).data("/groups/den/members").await.refused(401, "AUTH_ERR_NO_ACCESS");
        return;
    }
    let there = here.beside().await;
    let mut stream = there.dee.events().await;
    assert_eq!(stream.next().await.unwrap().name(), "ready");
    log_out(&here, "dee").await;
    let messages = as_promised(&there, stream.rest()).await;
    assert_eq!(messages.last().unwrap().name(), "expired");
    let token = dee_since(&there, before);
    eventually("the other node refuses the token", async || token.data("/groups/den/members").await.status == 401)
        .await;
    let third = here.beside().await;
    dee_since(&third, before).data("/groups/den/members").await.refused(401, "AUTH_ERR_NO_ACCESS");
}

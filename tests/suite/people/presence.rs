//! Presence that the host reports, and counts of who is online.

use reqwest::Method;
use serde_json::json;

use super::{host, is_shared, world};
use crate::support::actor::{send, with};
use crate::support::{World, eventually};
use crate::v3::KEY;

async fn report(world: &World, uid: &str, body: serde_json::Value) -> crate::support::Answer {
    host(world, Method::PUT, &format!("/v3/users/{uid}/presence"), Some(body)).await
}

async fn status_of(world: &World, uid: &str) -> String {
    let answer = world.ada.data(&format!("/groups/den/members/{uid}")).await.ok().json();
    answer["data"]["status"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn what_the_host_reports_holds_for_its_time_and_a_stream_counts_for_more() {
    let world = world().await;
    let answer = report(&world, "dee", json!({"status": "available", "ttl": 60})).await.ok().json();
    assert_eq!(answer["data"]["status"], "available");
    report(&world, "eve", json!({"status": "away", "ttl": 60})).await.ok();
    assert_eq!((status_of(&world, "dee").await, status_of(&world, "eve").await), ("online".into(), "away".into()));

    let stream = world.eve.stream().await;
    eventually("the stream makes her online", async || status_of(&world, "eve").await == "online").await;
    report(&world, "eve", json!({"status": "offline"})).await.ok();
    assert_eq!(status_of(&world, "eve").await, "online", "she has a stream open");
    drop(stream);

    world.clock.advance(60_000);
    eventually("it ends by itself", async || status_of(&world, "dee").await == "offline").await;
    report(&world, "dee", json!({"status": "online"})).await.ok();
    report(&world, "dee", json!({"status": "offline"})).await.ok();
    assert_eq!(status_of(&world, "dee").await, "offline", "at once");
}

#[tokio::test]
async fn whoever_asks_for_the_headers_of_a_stream_alone_is_not_online() {
    let world = world().await;
    let answer = world.dee.request(Method::HEAD, "/groups/den/events").send().await.unwrap();
    assert_eq!(
        (answer.status().as_u16(), answer.headers()["content-type"].to_str().unwrap()),
        (200, "text/event-stream")
    );
    assert_eq!(status_of(&world, "dee").await, "offline");
}

#[tokio::test]
async fn a_status_that_was_lost_on_the_way_is_set_when_the_host_repeats_its_request() {
    let world = world().await;
    let offline = async || {
        let request =
            with(world.ada.anonymous(Method::PUT, "/v3/users/dee"), &[("apikey", KEY), ("idempotency-key", "k1")]);
        send(request.json(&json!({"status": "offline"}))).await.ok()
    };
    offline().await;
    // As if the node had ended before it was known.
    host(&world, Method::PUT, "/v3/users/dee", Some(json!({"status": "online"}))).await.ok();
    offline().await;
    assert_ne!(status_of(&world, "dee").await, "online");
}

#[tokio::test]
async fn a_report_that_cannot_be_is_refused_by_field() {
    let world = world().await;
    for (body, field) in [
        (json!({}), "status"),
        (json!({"status": "busy"}), "status"),
        (json!({"status": "online", "ttl": 3601}), "ttl"),
        (json!({"status": "online", "ttl": 0}), "ttl"),
        (json!({"status": "online", "ttl": "60"}), "ttl"),
        (json!({"status": "online", "mood": "good"}), "mood"),
    ] {
        let refused = report(&world, "dee", body).await;
        assert!(refused.status.is_client_error(), "{}", refused.body);
        assert!(refused.json()["error"]["details"][field].is_array(), "{}", refused.body);
    }
    assert_eq!(report(&world, "nobody", json!({"status": "online"})).await.status, 404);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_other_node_knows_it_and_ends_it_too() {
    let here = world().await;
    if !is_shared(&here) {
        return;
    }
    let there = here.beside().await;
    status_of(&there, "dee").await;
    report(&here, "dee", json!({"status": "away", "ttl": 2})).await.ok();
    eventually("the other node hears of it", async || status_of(&there, "dee").await == "away").await;
    eventually("and lets it end", async || status_of(&there, "dee").await == "offline").await;
}

#[tokio::test]
async fn who_is_online_is_counted_for_many_groups_whether_they_are_in_memory_or_not() {
    let world = world().await;
    for uid in ["ada", "dee", "stranger"] {
        world.app.hub().set_host_presence(&crate::support::uid(uid), true);
    }
    world.ada.data("/groups/den/members").await.ok();
    let guids = json!({"guids": ["den", "park", "vault", "nowhere", "not a guid"]});
    let counted = host(&world, Method::POST, "/v3/groups/online-counts", Some(guids)).await.ok().json();
    assert_eq!(counted["data"], json!({"den": 2, "park": 2, "vault": 2}));

    let none = host(&world, Method::POST, "/v3/groups/online-counts", Some(json!({"guids": []}))).await.ok().json();
    assert_eq!(none["data"], json!({}));
    let many: Vec<_> = (0..101).map(|number| format!("g{number}")).collect();
    for (bad, words) in
        [(json!({}), "guids"), (json!({"guids": many}), "at most 100 guids"), (json!({"guids": [7]}), "guids")]
    {
        let refused = host(&world, Method::POST, "/v3/groups/online-counts", Some(bad)).await;
        assert_eq!(refused.status, 400);
        assert!(refused.body.contains(words), "{}", refused.body);
    }
    let group = json!({"guid": "online-counts", "name": "Counts"});
    let refused = host(&world, Method::POST, "/v3/groups", Some(group)).await;
    assert!(refused.status == 400 && refused.body.contains("a path of its own"), "{}", refused.body);
}

#[tokio::test]
async fn the_groups_of_a_person_are_listed_with_their_scope_in_each() {
    let world = world().await;
    let listed = host(&world, Method::GET, "/v3/users/cy/groups?perPage=2&page=1", None).await.ok().json();
    let short: Vec<_> =
        listed["data"].as_array().unwrap().iter().map(|group| (&group["guid"], &group["scope"])).collect();
    assert_eq!(short, [(&json!("den"), &json!("moderator")), (&json!("park"), &json!("moderator"))]);
    assert_eq!(listed["meta"]["pagination"]["total"], 3);
    let group = &listed["data"][0];
    assert_eq!((&group["hasJoined"], &group["joinedAt"]), (&json!(true), &json!(1_700_000_000)));
    assert_eq!(
        (&group["name"], &group["owner"], &group["membersCount"]),
        (&json!("The den"), &json!("ada"), &json!(5))
    );

    let own = host(&world, Method::GET, "/v3/users/ada/groups", None).await.ok().json();
    assert_eq!((&own["data"][0]["scope"], &own["data"][0]["isOwner"]), (&json!("admin"), &json!(true)));
    let none = host(&world, Method::GET, "/v3/users/hal/groups", None).await.ok().json();
    assert_eq!(none["data"], json!([]));
    assert_eq!(host(&world, Method::GET, "/v3/users/nobody/groups", None).await.status, 404);
}

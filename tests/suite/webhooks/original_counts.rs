//! How many are in a group and online, as the original's payloads have it.

use reqwest::Method;
use serde_json::json;

use super::ask;
use super::original::{last, original};
use super::receiver::Receiver;
use crate::support::{eventually, guid};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_is_online_is_counted_without_loading_the_group() {
    let receiver = Receiver::new().await;
    let world = original(&receiver).await;
    let before = receiver.calls().len();
    ask(&world, Method::PUT, "/v3/users/eve/presence", Some(json!({"status": "online"}))).await.ok();
    eventually("Eve is online", || async {
        let counts = ask(&world, Method::POST, "/v3/groups/online-counts", Some(json!({"guids": ["den"]}))).await;
        counts.ok().json()["data"]["den"] == 1
    })
    .await;
    world.host_kicks("den", "dee").await;
    let group = last(&receiver.has(before + 1).await)["data"]["group"].clone();
    assert_eq!((&group["membersCount"], &group["onlineMembersCount"]), (&json!(4), &json!(1)));
    assert_eq!(world.app.hub().online_in_memory(&guid("den")), None, "it is not in memory");
}

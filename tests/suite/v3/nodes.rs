//! Two nodes beside one PostgreSQL that send each other nothing: what the host wrote through one, it reads on the other at once.

use chat_group_members::config::{Config, Secret, Wake};
use reqwest::Method;
use serde_json::{Value, json};

use crate::peer_nodes::{API_KEY, another, first, until_status};
use crate::support::actor::{send, with};
use crate::support::cluster::Cluster;
use crate::support::{Answer, World, uid};

const DEN: &str = "/v3/groups/den";
const MEMBERS: &str = "/v3/groups/den/members";
const DEE: &str = "/v3/groups/den/members/dee";
/// Each node reads the log every second: of so many rounds within less than that, one at least falls between.
const ROUNDS: usize = 3;

/// Two nodes without wake messages, the den in the memory of both.
async fn both() -> (Cluster, World, World) {
    let apart = |config: &mut Config| {
        config.wake = Wake::None;
        config.api_keys = vec![Secret::new(API_KEY)];
    };
    let (cluster, here) = first(apart).await;
    let there = another(&cluster, apart).await;
    there.ada.data("/groups/den/members").await.ok();
    (cluster, here, there)
}

/// The host writes.
async fn ask(node: &World, method: Method, path: &str, body: Value) -> Answer {
    send(node.ada.anonymous(method, path).header("apikey", API_KEY).json(&body)).await
}

/// The host reads.
async fn read(node: &World, path: &str) -> Answer {
    send(node.ada.anonymous(Method::GET, path).header("apikey", API_KEY)).await
}

/// The host asks on behalf of Dee.
async fn as_dee(node: &World, method: Method, path: &str) -> Answer {
    let headers = [("apikey", API_KEY), ("onBehalfOf", "dee")];
    send(with(node.ada.anonymous(method, path), &headers)).await
}

/// The host puts Dee out through this node.
async fn dee_goes(node: &World) {
    ask(node, Method::DELETE, DEE, json!({})).await.ok();
}

/// The host puts Dee in through this node.
async fn dee_comes(node: &World) {
    ask(node, Method::POST, MEMBERS, json!({"participants": ["dee"]})).await.ok();
}

/// The status and the code of a refusal.
fn refusal(answer: &Answer) -> (u16, String) {
    (answer.status.as_u16(), answer.json()["error"]["code"].as_str().unwrap_or_default().to_owned())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_scope_that_the_host_changed_through_one_node_is_in_what_it_reads_on_the_other() {
    let (_cluster, here, there) = both().await;
    let paths = [MEMBERS, "/v3/groups/den/members?affix=prepend", DEE].repeat(ROUNDS);
    for (path, scope) in paths.into_iter().zip(["moderator", "participant"].into_iter().cycle()) {
        ask(&here, Method::PUT, DEE, json!({"scope": scope})).await.ok();
        let answer = read(&there, path).await.ok().json();
        let dee = match &answer["data"] {
            Value::Array(members) => members.iter().find(|member| member["uid"] == "dee").unwrap(),
            member => member,
        };
        assert_eq!(dee["scope"], scope, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whom_the_host_put_out_through_one_node_has_no_rights_and_does_not_count_on_the_other() {
    let (_cluster, here, there) = both().await;
    here.app.hub().set_host_presence(&uid("dee"), true);
    until_status(&there, "dee", "online").await;
    for _ in 0..ROUNDS {
        for path in [DEN, MEMBERS, DEE] {
            dee_goes(&here).await;
            let refused = as_dee(&there, Method::GET, path).await;
            assert_eq!(refusal(&refused), (401, "ERR_GROUP_NOT_JOINED".to_owned()), "{path}");
            dee_comes(&here).await;
            as_dee(&there, Method::GET, path).await.ok();
        }
        dee_goes(&here).await;
        let refused = as_dee(&there, Method::DELETE, "/v3/groups/den/members/eve").await;
        assert_eq!(refusal(&refused), (401, "ERR_GROUP_NOT_JOINED".to_owned()));
        dee_comes(&here).await;
        // Whoever came is in the memory of both.
        as_dee(&there, Method::GET, DEN).await.ok();
        let counted = async || {
            let counts = ask(&there, Method::POST, "/v3/groups/online-counts", json!({"guids": ["den", "park"]})).await;
            counts.ok().json()["data"]["den"].clone()
        };
        dee_goes(&here).await;
        assert_eq!(counted().await, 0);
        dee_comes(&here).await;
        assert_eq!(counted().await, 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_group_that_the_host_changed_ended_or_made_again_through_one_node_is_so_on_the_other() {
    let (_cluster, here, there) = both().await;
    for name in ["The lair", "The cave", "The den"] {
        ask(&here, Method::PUT, DEN, json!({"name": name})).await.ok();
        assert_eq!(read(&there, DEN).await.ok().json()["data"]["name"], name);
    }
    for _ in 0..ROUNDS {
        ask(&here, Method::DELETE, DEN, json!({})).await.ok();
        assert_eq!(refusal(&read(&there, DEN).await), (404, "ERR_GUID_NOT_FOUND".to_owned()));
        let again = json!({"guid": "den", "name": "Den", "type": "private", "owner": "ada"});
        ask(&here, Method::POST, "/v3/groups", again).await.ok();
        assert_eq!(read(&there, DEN).await.ok().json()["data"]["membersCount"], 1);
    }
}

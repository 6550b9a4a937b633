//! Every writing call of the interface, once under a key and again, or twice at once.

use std::collections::BTreeMap;

use chat_group_members::config::{SigningKey, Webhook, WebhookFormat};
use serde_json::{Value, json};

use crate::support::eventually;
use crate::v3::{Answer, Host};
use crate::webhooks::receiver::SECRET;

/// Writing calls that take no key, each with its reason.
const WITHOUT_KEY: [(&str, &str); 3] = [
    ("reportPresence", "what it writes is in memory, is of the moment and ends by itself"),
    ("countOnline", "it reads: it is a POST for the length of its list"),
    ("testWebhook", "it writes nothing, and answers what came of a delivery just now"),
];

/// Method, path, with whose rights, and body.
type Call = (&'static str, &'static str, Option<&'static str>, Value);

/// A call that is done, what others do about it afterwards, and another call.
struct Case {
    call: Call,
    undone_by: Vec<Call>,
    other: Call,
}

/// For every operation.
fn cases() -> BTreeMap<&'static str, Case> {
    let host = |method, path, body| (method, path, None, body);
    let case = |call: Call, undone_by: Vec<Call>, other: Call| Case { call, undone_by, other };
    let (none, dee) = (Value::Null, json!({"participants": ["dee"]}));
    let (park, members) = ("/v3/groups/park", "/v3/groups/park/members");
    let (of_dee, ban_dee, ban_flo) =
        ("/v3/groups/park/members/dee", "/v3/groups/park/bannedusers/dee", "/v3/groups/park/bannedusers/flo");
    let mute_eve = "/v3/groups/park/mutedusers/eve";
    let (pause, resume) = ("/v3/webhooks/ENDPOINT/pause", "/v3/webhooks/ENDPOINT/resume");
    let new_park = json!({"guid": "park", "name": "Another", "owner": "eve"});
    BTreeMap::from([
        (
            "createUser",
            case(
                host("POST", "/v3/users", json!({"uid": "zoe", "name": "Zoe"})),
                vec![host("PUT", "/v3/users/zoe", json!({"name": "Zora"}))],
                host("POST", "/v3/users", json!({"uid": "zoe", "name": "Zoey"})),
            ),
        ),
        (
            "updateUser",
            case(
                host("PUT", "/v3/users/dee", json!({"name": "Deirdre", "metadata": {"b": 1, "a": 2}})),
                vec![host("PUT", "/v3/users/dee", json!({"name": "Dee"}))],
                host("PUT", "/v3/users/eve", json!({"name": "Deirdre", "metadata": {"b": 1, "a": 2}})),
            ),
        ),
        (
            "deleteUser",
            case(
                host("DELETE", "/v3/users/dee", none.clone()),
                vec![
                    host("POST", "/v3/users", json!({"uid": "dee", "name": "Dee again"})),
                    host("POST", members, dee.clone()),
                ],
                host("DELETE", "/v3/users/dee", json!({"permanent": true})),
            ),
        ),
        (
            "createAuthToken",
            case(
                host("POST", "/v3/users/dee/auth_tokens", none.clone()),
                vec![host("DELETE", "/v3/users/dee/auth_tokens", none.clone())],
                host("POST", "/v3/users/dee/auth_tokens", json!({"ttl": 60})),
            ),
        ),
        (
            "logOut",
            case(
                host("DELETE", "/v3/users/dee/auth_tokens", none.clone()),
                vec![],
                host("DELETE", "/v3/users/eve/auth_tokens", none.clone()),
            ),
        ),
        (
            "createGroup",
            case(
                host("POST", "/v3/groups", json!({"guid": "den", "name": "Den", "members": dee.clone()})),
                vec![
                    host("DELETE", "/v3/groups/den/members/dee", none.clone()),
                    host("PUT", "/v3/groups/den", json!({"name": "Cave", "owner": "ada"})),
                ],
                host("POST", "/v3/groups", json!({"guid": "pit", "name": "Pit"})),
            ),
        ),
        (
            "updateGroup",
            case(
                host("PUT", park, json!({"name": "Big park", "owner": "ben"})),
                vec![host("PUT", park, json!({"name": "Park", "owner": "ada"}))],
                host("PUT", park, json!({"name": "Small park"})),
            ),
        ),
        (
            "deleteGroup",
            case(
                host("DELETE", park, none.clone()),
                vec![host("POST", "/v3/groups", new_park)],
                host("PUT", park, json!({"name": "Big park"})),
            ),
        ),
        (
            "transferOwnership",
            case(
                host("PATCH", "/v3/groups/park/owner", json!({"owner": "ben"})),
                vec![host("PATCH", "/v3/groups/park/owner", json!({"owner": "ada"}))],
                host("PATCH", "/v3/groups/park/owner", json!({"owner": "cy"})),
            ),
        ),
        (
            "addMembers",
            case(
                host("POST", members, json!({"participants": ["gus"], "usersToBan": ["eve"]})),
                vec![
                    host("DELETE", "/v3/groups/park/members/gus", none.clone()),
                    host("DELETE", "/v3/groups/park/bannedusers/eve", none.clone()),
                ],
                host("POST", members, json!({"participants": ["gus"]})),
            ),
        ),
        (
            "replaceMembers",
            case(
                host("PUT", members, json!({"participants": ["gus"]})),
                vec![host("PUT", members, json!({"moderators": ["eve"]}))],
                host("PUT", "/v3/groups/park/members?mode=partial", json!({"participants": ["gus"]})),
            ),
        ),
        (
            "leaveGroup",
            case(
                ("DELETE", members, Some("dee"), none.clone()),
                vec![host("POST", members, dee.clone())],
                ("DELETE", ban_flo, Some("dee"), none.clone()),
            ),
        ),
        (
            "setScope",
            case(
                host("PUT", of_dee, json!({"scope": "moderator"})),
                vec![host("PUT", of_dee, json!({"scope": "participant"}))],
                host("PUT", of_dee, json!({"scope": "admin"})),
            ),
        ),
        (
            "removeMember",
            case(
                host("DELETE", of_dee, none.clone()),
                vec![host("POST", members, dee.clone())],
                host("DELETE", "/v3/groups/park/members/eve", none.clone()),
            ),
        ),
        (
            "ban",
            case(
                host("POST", ban_dee, json!({"reason": "rude"})),
                vec![host("DELETE", ban_dee, none.clone()), host("POST", members, dee)],
                host("POST", ban_dee, json!({"reason": "loud"})),
            ),
        ),
        (
            "unban",
            case(
                host("DELETE", ban_flo, none.clone()),
                vec![host("POST", ban_flo, none.clone())],
                host("DELETE", ban_dee, none.clone()),
            ),
        ),
        (
            "mute",
            case(
                host("POST", mute_eve, json!({"until": 3600})),
                vec![host("DELETE", mute_eve, none.clone())],
                host("POST", mute_eve, json!({"until": 3600, "reason": "loud"})),
            ),
        ),
        (
            "unmute",
            case(
                host("DELETE", mute_eve, none.clone()),
                vec![host("POST", mute_eve, json!({"until": 3600}))],
                host("DELETE", "/v3/groups/park/mutedusers/cy", none.clone()),
            ),
        ),
        (
            "pauseWebhook",
            case(
                host("POST", pause, none.clone()),
                vec![host("POST", resume, none.clone())],
                host("POST", resume, none.clone()),
            ),
        ),
        (
            "resumeWebhook",
            case(
                host("POST", resume, none.clone()),
                vec![host("POST", pause, none.clone())],
                host("POST", pause, none),
            ),
        ),
        (
            "replayWebhook",
            case(
                host("POST", "/v3/webhooks/ENDPOINT/replay", json!({"from": "2026-05-02T12:00:00Z"})),
                vec![],
                host("POST", "/v3/webhooks/ENDPOINT/replay", json!({"from": "2026-05-03T12:00:00Z"})),
            ),
        ),
    ])
}

#[tokio::test]
async fn every_writing_call_takes_a_key_unless_there_is_a_reason() {
    let document = Host::new().await.get("/openapi.json").await.is(200).body;
    let (cases, mut unkeyed) = (cases(), Vec::new());
    for (path, item) in document["paths"].as_object().unwrap().iter().filter(|(path, _)| path.starts_with("/v3/")) {
        for (method, operation) in item.as_object().unwrap().iter().filter(|(method, _)| *method != "get") {
            let id = operation["operationId"].as_str().unwrap();
            let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
            let takes_key = parameters.iter().any(|one| one["name"] == "Idempotency-Key" && one["in"] == "header");
            assert_eq!(takes_key, cases.contains_key(id), "{method} {path} ({id}): a case for each that takes a key");
            if !takes_key {
                unkeyed.push(id.to_owned());
            }
        }
    }
    unkeyed.sort();
    let mut listed = WITHOUT_KEY.map(|(id, _)| id.to_owned());
    listed.sort();
    assert_eq!(unkeyed, listed);
}

#[tokio::test]
async fn every_writing_call_is_done_once_for_its_key() {
    for (id, Case { call, undone_by, other }) in cases() {
        let host = host_with_webhook().await;
        host.call(&call, Some("k1")).await.is(200);
        for other in &undone_by {
            host.call(other, None).await.is(200);
        }
        host.app.clock().advance(5_000);
        let since = host.state().await;
        host.call(&call, Some("k1")).await.is(200);
        assert_eq!(host.state().await, since, "{id}: repeated under its key it changes nothing");
        host.call(&other, Some("k1")).await.refuses(400, "ERR_BAD_REQUEST").saying("Idempotency-Key");
        assert_eq!(host.state().await, since, "{id}: its key does nothing else");
        assert_eq!(host.faults().await, Vec::<String>::new());
    }
}

#[tokio::test]
async fn of_two_at_once_under_one_key_one_is_done_and_the_other_is_a_repetition() {
    for (id, Case { call, .. }) in cases() {
        let (once, twice) = (host_with_webhook().await, host_with_webhook().await);
        once.call(&call, None).await.is(200);
        let (first, second) = tokio::join!(twice.call(&call, Some("k1")), twice.call(&call, Some("k1")));
        assert_eq!((first.status.as_u16(), second.status.as_u16()), (200, 200), "{id}: {} {}", first.body, second.body);
        assert_eq!(twice.heads().await, once.heads().await, "{id}");
    }
}

/// The cast, and an endpoint of webhooks that takes nothing.
async fn host_with_webhook() -> Host {
    let host = Host::with_cast_and(|config| {
        config.webhooks = vec![Webhook {
            url: "http://127.0.0.1:9/".parse().unwrap(),
            keys: vec![SigningKey::parse(SECRET).unwrap()],
            events: vec!["test".into()],
            format: WebhookFormat::Standard,
            allow_private: false,
        }];
    })
    .await;
    eventually("the endpoint is registered", async || !host.get("/v3/webhooks").await.body["data"][0]["id"].is_null())
        .await;
    host
}

impl Host {
    /// Asks, perhaps under a key.
    async fn call(&self, (method, path, user, body): &Call, key: Option<&str>) -> Answer {
        let mut path = (*path).to_owned();
        if path.contains("ENDPOINT") {
            let webhooks = self.get("/v3/webhooks").await.is(200).body;
            path = path.replace("ENDPOINT", webhooks["data"][0]["id"].as_str().unwrap());
        }
        let user = user.map(|uid| ("onBehalfOf", uid));
        let headers: Vec<_> = key.map(|key| ("idempotency-key", key)).into_iter().chain(user).collect();
        self.ask(method, &path, &headers, Some(body.clone()).filter(|body| !body.is_null())).await
    }

    /// What is stored, as far as the interface tells it.
    async fn state(&self) -> Value {
        let mut state = json!({
            "users": self.get("/v3/users?perPage=1000&withTags=true").await.is(200).body,
            "groups": self.get("/v3/groups?perPage=1000").await.is(200).body,
            "heads": self.heads().await,
            "webhook": self.get("/v3/webhooks").await.is(200).body["data"][0]["state"],
        });
        for (guid, _) in self.heads().await {
            for list in ["members", "bannedusers"] {
                let path = format!("/v3/groups/{guid}/{list}?perPage=1000");
                state[format!("{guid}/{list}")] = self.get(&path).await.body;
            }
        }
        for uid in ["dee", "eve"] {
            let export = self.get(&format!("/v3/users/{uid}/export")).await.is(200).body;
            state[format!("{uid} logged out")] = export["data"]["loggedOutAt"].clone();
        }
        state
    }

    /// The number of the last event of each group.
    async fn heads(&self) -> BTreeMap<&'static str, u64> {
        let mut heads = BTreeMap::new();
        for guid in ["park", "den", "pit"] {
            let known = self.app.store().read().await.unwrap().group(&guid.parse().unwrap()).await.unwrap();
            heads.extend(known.map(|(_, head)| (guid, head)));
        }
        heads
    }
}

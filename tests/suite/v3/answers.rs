//! Answers, held against the schemas of `/openapi.json`: each has the fields that its schema names, and no other.

use serde_json::{Value, json};

use super::Host;
use crate::support::schema::mismatches;

/// The path of a request as the document has it.
fn described(uri: &str) -> String {
    let path = uri.split('?').next().unwrap();
    let before = [""].into_iter().chain(path.split('/'));
    let named = before.zip(path.split('/')).map(|(before, part)| match (before, part) {
        ("groups", "online-counts") => part,
        ("groups", _) => "{guid}",
        ("users" | "members" | "bannedusers" | "mutedusers", _) => "{uid}",
        _ => part,
    });
    named.collect::<Vec<_>>().join("/")
}

/// Asks on behalf of nobody, or of a user, and holds the answer against its schema.
async fn ask(host: &Host, document: &Value, user: Option<&str>, method: &str, uri: &str, body: Value) {
    let headers: Vec<(&str, &str)> = user.iter().map(|user| ("onBehalfOf", *user)).collect();
    let answer = host.ask(method, uri, &headers, Some(body).filter(|body| !body.is_null())).await.is(200).body;
    let operation = &document["paths"][described(uri)][method.to_lowercase()];
    let schema = &operation["responses"]["200"]["content"]["application/json"]["schema"];
    assert!(schema.is_object(), "{method} {uri} is not described");
    assert_eq!(mismatches(document, schema, &answer, uri), [""; 0], "{method} {answer}");
}

#[tokio::test]
async fn every_answer_about_users_groups_and_members_has_exactly_the_fields_of_its_schema() {
    let host = Host::with_cast().await;
    let document = host.get("/openapi.json").await.is(200).body;
    let zoe = json!({"uid": "zoe", "name": "Zoe", "metadata": {"team": "red"}, "tags": ["new"], "withAuthToken": true});
    let change = json!({"link": "https://zoe.example", "statusMessage": "Here."});
    let den = json!({
        "guid": "den", "name": "Den", "type": "private", "owner": "ada", "tags": ["quiet"], "metadata": {"floor": 1},
        "members": {"participants": ["dee", "nobody"], "usersToBan": ["eve"]},
    });
    let lists = json!({"moderators": ["zoe"], "participants": ["nobody"], "usersToBan": ["hal"]});
    for (user, method, uri, body) in [
        (None, "POST", "/v3/users", zoe),
        (None, "PUT", "/v3/users/zoe", change),
        (None, "GET", "/v3/users/zoe", Value::Null),
        (Some("dee"), "GET", "/v3/users/zoe", Value::Null),
        (None, "GET", "/v3/users", Value::Null),
        (None, "PUT", "/v3/users/zoe/presence", json!({"status": "online", "ttl": 60})),
        (None, "POST", "/v3/users/zoe/auth_tokens", json!({})),
        (None, "DELETE", "/v3/users/zoe/auth_tokens", Value::Null),
        (None, "POST", "/v3/groups", den),
        (None, "PUT", "/v3/groups/park", json!({"description": "Under trees."})),
        (None, "GET", "/v3/groups", Value::Null),
        (Some("dee"), "GET", "/v3/groups?hasJoined=true", Value::Null),
        (Some("gus"), "GET", "/v3/groups/park", Value::Null),
        (None, "GET", "/v3/users/ada/groups", Value::Null),
        (None, "POST", "/v3/groups/park/members", lists),
        (Some("gus"), "POST", "/v3/groups/park/members", json!({})),
        (Some("gus"), "DELETE", "/v3/groups/park/members", Value::Null),
        (Some("cy"), "POST", "/v3/groups/park/members", json!({"participants": ["gus", "g u s"]})),
        (None, "POST", "/v3/groups/park/mutedusers/dee", json!({"reason": "noise", "until": 3600})),
        (None, "GET", "/v3/groups/park/mutedusers", Value::Null),
        (None, "GET", "/v3/groups/park/members", Value::Null),
        (Some("cy"), "GET", "/v3/groups/park/members/dee", Value::Null),
        (None, "DELETE", "/v3/groups/park/mutedusers/dee", Value::Null),
        (None, "PUT", "/v3/groups/park/members/dee", json!({"scope": "moderator", "until": 3600})),
        (None, "POST", "/v3/groups/park/bannedusers/gus", json!({"message": "Goodbye.", "until": 3600})),
        (None, "GET", "/v3/groups/park/bannedusers", Value::Null),
        (None, "DELETE", "/v3/groups/park/bannedusers/gus", Value::Null),
        (None, "DELETE", "/v3/groups/park/members/zoe", Value::Null),
        (None, "PATCH", "/v3/groups/park/owner", json!({"owner": "ben"})),
        (None, "POST", "/v3/groups/online-counts", json!({"guids": ["park", "den"]})),
        (None, "GET", "/v3/users/dee/export", Value::Null),
        (None, "PUT", "/v3/groups/park/members", json!({"owner": "ben", "participants": ["dee", "flo"]})),
        (None, "DELETE", "/v3/groups/park", Value::Null),
        (None, "DELETE", "/v3/users/zoe", json!({"permanent": true})),
    ] {
        ask(&host, &document, user, method, uri, body).await;
    }
}

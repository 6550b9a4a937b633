//! How large a body may be: the last byte that is taken, and the first one that is not; bodies of calls that take no fields; empty
//! arrays; and numbers.

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

use super::{Answer, Host, KEY};

/// Sends this as a body of so many bytes: blanks behind the JSON fill it.
async fn send(host: &Host, (method, path): (&str, &str), body: &Value, bytes: usize) -> Answer {
    let text = body.to_string();
    let text = format!("{text}{}", " ".repeat(bytes - text.len()));
    let request = Request::builder().method(method).uri(path);
    let request = request.header("apikey", KEY).header("content-type", "application/json");
    host.send(request.body(Body::from(text)).unwrap()).await
}

#[tokio::test]
async fn a_body_has_64_kb_and_one_with_a_list_of_people_1_mb_and_no_byte_more() {
    let host = Host::with_cast().await;
    for (method, path, body, kilobytes) in [
        ("POST", "/v3/users", json!({"uid": "zoe", "name": "Zoe"}), 64),
        ("PUT", "/v3/groups/park", json!({"name": "Big park"}), 64),
        ("POST", "/v3/groups", json!({"guid": "den", "name": "Den", "members": {"participants": ["dee"]}}), 1_024),
        ("POST", "/v3/groups/park/members", json!({"participants": ["gus"]}), 1_024),
        ("PUT", "/v3/groups/park/members", json!({"participants": ["dee", "gus"]}), 1_024),
    ] {
        let largest = kilobytes * 1_024;
        send(&host, (method, path), &body, largest + 1)
            .await
            .refuses(413, "ERR_TOO_LARGE")
            .saying(&format!("at most {kilobytes} kB"));
        send(&host, (method, path), &body, largest).await.is(200);
    }
    assert_eq!(host.members("park").await, ["ada:owner", "dee:participant", "gus:participant"]);
}

#[tokio::test]
async fn a_call_that_takes_no_fields_refuses_each_by_its_name_and_does_nothing() {
    let host = Host::with_cast().await;
    host.post("/v3/groups/park/mutedusers/eve", json!({"until": 3600})).await.is(200);
    let (members, head) = (host.members("park").await, host.head("park").await);
    let uids = || Some(json!({"uids": ["dee"]}));
    for (method, path) in [
        ("DELETE", "/v3/groups/park"),
        ("DELETE", "/v3/groups/park/bannedusers/flo"),
        ("DELETE", "/v3/groups/park/mutedusers/eve"),
        ("DELETE", "/v3/users/dee/auth_tokens"),
        ("POST", "/v3/webhooks/none/test"),
        ("POST", "/v3/webhooks/none/pause"),
        ("POST", "/v3/webhooks/none/resume"),
    ] {
        let refused = host.ask(method, path, &[], uids()).await.refuses(400, "ERR_BAD_REQUEST").saying("uids: ");
        assert!(refused.body["error"]["details"]["uids"].is_array(), "{method} {path}: {}", refused.body);
    }
    for path in ["/v3/groups/park/members", "/v3/groups/park/members/ben"] {
        host.as_user("ben", "DELETE", path, uids()).await.refuses(400, "ERR_BAD_REQUEST").saying("uids");
    }
    assert_eq!((host.members("park").await, host.head("park").await), (members, head));
    for (uid, body) in [("ben", None), ("dee", Some(json!({}))), ("eve", Some(Value::Null))] {
        host.as_user(uid, "DELETE", "/v3/groups/park/members", body).await.is(200);
    }
    // A message is for whoever is put out; somebody who leaves may send it along.
    let farewell = Some(json!({"message": "Goodbye."}));
    host.as_user("cy", "DELETE", "/v3/groups/park/members/cy", farewell).await.is(200);
}

#[tokio::test]
async fn a_number_in_metadata_comes_back_as_it_was_sent_or_is_refused_by_name() {
    let host = Host::with_cast().await;
    let send = async |number: &str| {
        let body = format!(r#"{{"metadata":{{"scores":[7,{number}]}}}}"#);
        let request = Request::put("/v3/users/dee").header("apikey", KEY).header("content-type", "application/json");
        host.send(request.body(Body::from(body)).unwrap()).await
    };
    for number in ["18446744073709551616", "-12345678901234567890", "3.141592653589793238", "1e-400"] {
        let refused = send(number).await.refuses(400, "ERR_BAD_REQUEST").saying("send it as a text");
        assert!(refused.body["error"]["details"]["metadata.scores"].is_array(), "{number}: {}", refused.body);
    }
    assert_eq!(host.get("/v3/users/dee").await.is(200).body["data"].get("metadata"), None);
    for number in ["18446744073709551615", "-9223372036854775808", "0.1", "0.30000000000000004", "2.5e300"] {
        let kept = send(number).await.is(200).body["data"]["metadata"]["scores"][1].clone();
        assert_eq!(kept, serde_json::from_str::<Value>(number).unwrap());
    }
}

#[tokio::test]
async fn an_empty_array_is_an_empty_object_as_php_writes_it_and_one_with_entries_is_none() {
    let host = Host::with_cast().await;
    let (park, eve) = ("/v3/groups/park/members", "/v3/groups/park/bannedusers/eve");
    for method in ["POST", "DELETE"] {
        host.ask(method, eve, &[], Some(json!([]))).await.is(200);
    }
    for method in ["POST", "DELETE"] {
        host.as_user("gus", method, park, Some(json!([]))).await.is(200);
    }
    let den = json!({"guid": "den", "name": "Den", "metadata": [], "members": []});
    let made = host.post("/v3/groups", den).await.is(200).body["data"].clone();
    assert_eq!((&made["metadata"], &made["members"]), (&json!({}), &Value::Null), "{made}");
    for path in ["/v3/users/dee", "/v3/groups/park"] {
        assert_eq!(host.put(path, json!({"metadata": []})).await.is(200).body["data"]["metadata"], json!({}), "{path}");
    }

    let pit = |field: &str, value: Value| json!({"guid": "pit", "name": "Pit", field: value});
    for (method, path, body, words) in [
        ("POST", eve, json!(["spam"]), "object"),
        ("POST", "/v3/groups", pit("metadata", json!(["x"])), "metadata"),
        ("POST", "/v3/groups", pit("members", json!([[]])), "members"),
        ("POST", park, json!({"members": [[]]}), "members[0].uid"),
        ("PUT", park, json!([]), "nobody is listed"),
    ] {
        host.ask(method, path, &[], Some(body)).await.refuses(400, "ERR_BAD_REQUEST").saying(words);
    }
    assert_eq!(host.members("park").await.len(), 4, "Eve was banned, and Gus has left");
}

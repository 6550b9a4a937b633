//! `GET /v3/groups/{guid}/members` as NDJSON: everybody, as of one event.

use serde_json::{Value, json};

use super::Host;

const PARK: &str = "/v3/groups/park/members";
const NDJSON: [(&str, &str); 1] = [("accept", "application/x-ndjson")];

#[tokio::test]
async fn a_snapshot_names_where_it_stands_and_lists_everybody() {
    let host = Host::with_cast().await;
    let answer = host.ask("GET", PARK, &NDJSON, None).await.is(200);
    assert_eq!(answer.headers["content-type"], "application/x-ndjson");
    let lines = answer.lines();
    let epoch = host.app.store().epoch();
    assert_eq!(lines[0], json!({"epoch": &*epoch, "seq": host.head("park").await, "count": 5}));
    let mut listed = host.get(PARK).await.is(200).body["data"].clone();
    for member in listed.as_array_mut().unwrap() {
        member.as_object_mut().unwrap().retain(|name, _| name != "role" && name != "createdAt");
    }
    assert_eq!(Value::from(lines[1..].to_vec()), listed, "each line is a member as the list has them");
    host.get(PARK).await.is(200).body["meta"]["pagination"].as_object().expect("JSON unless asked otherwise");
    host.ask("GET", &format!("{PARK}?page=2"), &NDJSON, None).await.refuses(400, "ERR_BAD_REQUEST").saying("page");
}

#[tokio::test]
async fn a_snapshot_is_for_members_and_the_host() {
    let host = Host::with_cast().await;
    let by = |uid: &'static str| [NDJSON[0], ("onBehalfOf", uid)];
    assert_eq!(host.ask("GET", PARK, &by("eve"), None).await.is(200).lines().len(), 6);
    host.ask("GET", PARK, &by("gus"), None).await.refuses(401, "ERR_GROUP_NOT_JOINED");
    host.ask("GET", "/v3/groups/none/members", &NDJSON, None).await.refuses(404, "ERR_GUID_NOT_FOUND");
}

#[tokio::test]
async fn a_snapshot_stands_still_while_it_is_read() {
    use axum::body::Body;
    use axum::http::Request;
    use futures_util::StreamExt;
    use tower::ServiceExt;

    let host = Host::with_cast().await;
    let people: Vec<Value> = (0..2000).map(|n| json!({"uid": format!("u{n}"), "name": format!("User {n}")})).collect();
    host.put(PARK, json!({"members": people})).await.is(200);
    let head = host.head("park").await;
    let request = Request::builder().uri(PARK).header("apikey", super::KEY).header(NDJSON[0].0, NDJSON[0].1);
    let response = host.app.router().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    let mut body = response.into_body().into_data_stream();
    let mut text = body.next().await.unwrap().unwrap().to_vec();
    // Everybody goes while the reader has read one line.
    host.put(PARK, json!({"participants": ["dee"]})).await.is(200);
    while let Some(chunk) = body.next().await {
        text.extend_from_slice(&chunk.unwrap());
    }
    let lines: Vec<Value> = text
        .split(|b| *b == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect();
    assert_eq!((&lines[0]["seq"], &lines[0]["count"], lines.len()), (&json!(head), &json!(2001), 2002));
    assert!(lines.iter().any(|line| line["uid"] == "u1999"));
}

#[tokio::test]
async fn a_snapshot_that_is_put_back_changes_nothing_or_undoes_what_came_since() {
    let host = Host::with_cast().await;
    host.put("/v3/users/dee", json!({"avatar": "http://pictures.example/dee.png"})).await.is(200);
    host.put("/v3/users/cy", json!({"avatar": "data:image/gif;base64,R0lGODlhAQABAAAAACw="})).await.is(200);
    let park = host.head("park").await;
    let Value::String(snapshot) = host.ask("GET", PARK, &NDJSON, None).await.is(200).body else { panic!("no lines") };
    let users = host.get("/v3/users").await.is(200).body;
    let put = |text: String| {
        let request = axum::http::Request::put(PARK).header("apikey", super::KEY);
        host.send(request.header("content-type", NDJSON[0].1).body(text.into()).unwrap())
    };
    let result = put(snapshot.clone()).await.is(200).lines().pop().unwrap()["result"].clone();
    assert_eq!((&result["changed"], &result["removed"], &result["membersCount"]), (&json!(0), &json!(0), &json!(5)));
    assert_eq!(host.head("park").await, park);
    assert_eq!(host.get("/v3/users").await.is(200).body, users);

    let members = host.members("park").await;
    host.put(PARK, json!({"owner": "gus", "moderators": ["ada"]})).await.is(200);
    put(snapshot.clone()).await.is(200);
    assert_eq!(host.members("park").await, members, "the owner too");

    let cut = snapshot.rsplit_once("\n{").unwrap().0.to_owned();
    put(cut).await.refuses(422, "ERR_VALIDATION").saying("the snapshot has 5 people and 4 are listed");
    assert_eq!(host.members("park").await, members);
}

#[tokio::test]
async fn a_snapshot_of_nobody_can_be_put_back_and_a_file_of_nothing_cannot() {
    let host = Host::with_cast().await;
    host.patch("/v3/groups/park/owner", json!({"owner": null})).await.is(200);
    host.put(PARK, json!({"members": []})).await.is(200);
    // One line of NDJSON is read as the JSON that it is.
    let snapshot = host.ask("GET", PARK, &NDJSON, None).await.is(200).body.to_string();
    host.put(PARK, json!({"participants": ["gus"]})).await.is(200);
    let put = |text: &str| {
        let request = axum::http::Request::put(PARK).header("apikey", super::KEY);
        host.send(request.header("content-type", NDJSON[0].1).body(text.to_owned().into()).unwrap())
    };
    put("\n").await.refuses(422, "ERR_VALIDATION").saying("nobody is listed");
    let result = put(&snapshot).await.is(200).lines().pop().unwrap()["result"].clone();
    assert_eq!((&result["removed"], &result["membersCount"]), (&json!(1), &json!(0)));
}

//! The same members as data, as JSON and as CSV.

use chat_group_members::domain::{GroupType, Scope};
use serde_json::json;

use super::LIST;
use crate::support::{self, World};

#[tokio::test]
async fn data_is_the_same_members() {
    let world = World::new().await;
    let answer = world.dee.data(&format!("{LIST}?limit=2")).await.ok().json();
    let ada = json!({"uid": "ada", "name": "Ada Lovelace", "avatar": null, "scope": "owner", "status": "offline", "joinedAt": 1_700_000_000});
    assert_eq!(answer["data"][0], ada);
    assert_eq!(answer["data"].as_array().unwrap().len(), 2);
    assert_eq!(answer["meta"]["count"], 5);
    assert!(answer["meta"]["id"].as_str().unwrap().ends_with(&format!(".{}", world.head("den").await)));
    let next = answer["meta"]["next"].as_str().unwrap();
    assert!(answer["meta"]["previous"].is_null());
    let more = world.dee.data(&format!("{LIST}?limit=100&cursor={next}")).await.ok().json();
    assert_eq!(more["data"][0]["uid"], "cy");
    assert!(more["meta"]["next"].is_null());
    let previous = more["meta"]["previous"].as_str().unwrap();
    let back = world.dee.data(&format!("{LIST}?limit=2&before={previous}")).await.ok().json();
    assert_eq!(back["data"], answer["data"]);
    let one = world.dee.data(&format!("{LIST}/ada")).await.ok().json();
    assert_eq!(one, json!({"data": ada}));
    world.dee.data(&format!("{LIST}/flo")).await.refused(404, "ERR_NOT_A_MEMBER");
}

#[tokio::test]
async fn csv_is_what_import_reads() {
    let world = World::new().await;
    world.host_adds("den", "quo", "Quo \"the, comma\" Te").await;
    let answer = world.dee.get(&format!("{LIST}?format=csv")).await.ok();
    let mut reader = csv::Reader::from_reader(answer.body.as_bytes());
    assert_eq!(reader.headers().unwrap(), ["uid", "name", "scope", "avatar", "joinedAt"].as_slice());
    let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 6);
    assert_eq!(&rows[0], ["ada", "Ada Lovelace", "owner", "", "1700000000"].as_slice());
    assert_eq!(&rows[5][1], "Quo \"the, comma\" Te");
}

#[tokio::test]
async fn csv_of_a_large_list_is_sent_as_it_is_written() {
    use http_body_util::BodyExt;
    use tower::ServiceExt;
    let world = World::empty(|_| {}).await;
    let scope = |n: usize| if n == 0 { Scope::Owner } else { Scope::Participant };
    let rows = (0..3000).map(|n| support::row(&format!("u{n:04}"), &format!("Person {n}"), scope(n), None));
    world.sync("crowd", GroupType::Private, rows.collect()).await;
    let request = axum::http::Request::get("/groups/crowd/members?format=csv");
    let request = request.header("authorization", format!("Bearer {}", support::token("u0000")));
    let response = world.app.router().oneshot(request.body(axum::body::Body::empty()).unwrap()).await.unwrap();
    let mut body = response.into_body();
    let (mut parts, mut text) = (0, Vec::new());
    while let Some(frame) = body.frame().await {
        let data = frame.unwrap().into_data().unwrap();
        assert!(data.len() < 32 << 10, "{} bytes at once", data.len());
        parts += 1;
        text.extend_from_slice(&data);
    }
    assert!(parts > 10, "{parts}");
    let uids: std::collections::BTreeSet<String> =
        csv::Reader::from_reader(&text[..]).records().map(|record| record.unwrap()[0].to_owned()).collect();
    assert_eq!(uids.len(), 3000);
}

#[tokio::test]
async fn csv_has_the_ends_of_roles_for_everybody_and_those_of_mutes_for_whoever_may_know() {
    let world = World::new().await;
    world.ada.grant("cy", json!({"scope": "admin", "until": 3600})).await.ok();
    world.ada.mute("dee", json!({"until": 3600})).await.ok();
    let ends = ["scopeUntil", "mutedUntil"];
    for (viewer, ends) in [(&world.ben, &ends[..]), (&world.dee, &ends[..]), (&world.eve, &ends[..1])] {
        let members = viewer.data(LIST).await.ok().json()["data"].clone();
        let file = viewer.get(&format!("{LIST}?format=csv")).await.ok().body;
        let mut reader = csv::Reader::from_reader(file.as_bytes());
        let header = reader.headers().unwrap().clone();
        assert_eq!(header.iter().skip(5).collect::<Vec<_>>(), ends, "{}", viewer.uid);
        for (row, member) in reader.records().map(Result::unwrap).zip(members.as_array().unwrap()) {
            for (column, end) in (5..).zip(ends) {
                assert_eq!(&row[column], member[*end].as_str().unwrap_or_default(), "{member}");
            }
        }
    }
}

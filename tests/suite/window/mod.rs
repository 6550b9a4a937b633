//! A part of the list: paged in both directions, between two places, and around one member.

mod between;
mod paging;

use chat_group_members::domain::{GroupType, Scope};

use crate::support::actor::with;
use crate::support::{self, Actor, World, row};

const LIST: &str = "/groups/big/members";

/// `size` participants beside the owner, named so that order is not the order of uids.
async fn crowd(size: usize) -> World {
    let world = World::empty(|_| {}).await;
    let mut people = vec![row("ada", "Ada", Scope::Owner, None)];
    people.extend(
        (0..size)
            .map(|n| row(&format!("p{n:04}"), &format!("Person {:04}", n * 7919 % size), Scope::Participant, None)),
    );
    world.sync("big", GroupType::Public, people).await;
    world
}

/// Everybody of this view, in order, as one file.
async fn everybody(viewer: &Actor, query: &str) -> Vec<String> {
    let file = viewer.get(&format!("{LIST}?format=csv&{query}")).await.ok().body;
    csv::Reader::from_reader(file.as_bytes()).records().map(|record| record.unwrap()[0].to_owned()).collect()
}

/// The uids of a page as data, and the places before and after it.
async fn page(viewer: &Actor, query: &str, place: &str) -> (Vec<String>, Option<String>, Option<String>) {
    let page = viewer.data(&format!("{LIST}?limit=100&{query}&{place}")).await.ok().json();
    let uids = page["data"].as_array().unwrap().iter().map(|member| member["uid"].as_str().unwrap().into()).collect();
    let place = |name: &str| page["meta"][name].as_str().map(str::to_owned);
    (uids, place("previous"), place("next"))
}

#[tokio::test]
async fn a_place_that_is_none_or_one_too_many_is_named() {
    let world = crowd(10).await;
    let place = page(&world.ada, "", "until=~").await.1.unwrap_or("3A.p".into());
    let named = async |query: &str, names: &[&str]| {
        let problem = world.ada.data(&format!("{LIST}?{query}")).await.refused(422, "ERR_VALIDATION");
        let detail = problem.json()["detail"].as_str().unwrap().to_owned();
        assert!(names.iter().all(|name| detail.contains(name)), "{query}: {detail}");
    };
    for name in ["cursor", "before", "from", "until"] {
        for wrong in ["a%20b", "%00", "next", "9.x", "3%2F", "-1", &"3".repeat(5000)] {
            named(&format!("{name}={wrong}"), &[name]).await;
        }
    }
    for name in ["cursor", "from", "until"] {
        named(&format!("{name}=end"), &[name]).await;
    }
    for (one, other) in
        [("cursor", "before"), ("cursor", "from"), ("cursor", "until"), ("before", "from"), ("before", "until")]
    {
        named(&format!("{one}={place}&{other}={place}"), &[one, other]).await;
        named(&format!("{other}={place}&{one}={place}"), &[one, other]).await;
    }
    named(&format!("before=end&until={place}"), &["before", "until"]).await;
    for fine in
        [format!("from={place}&until={place}"), "cursor=&before=&from=&until=".into(), "before=end&until=".into()]
    {
        world.ada.data(&format!("{LIST}?{fine}")).await.ok();
    }
}

#[tokio::test]
async fn a_page_opens_around_the_member_whom_its_address_names() {
    let world = crowd(1500).await;
    let all = everybody(&world.ada, "").await;
    let shown = async |query: &str| {
        let page = world.ada.page(&format!("{LIST}?limit=10&{query}")).await.ok();
        (page.uids(), page.has("#cgm-big-previous"), page.has("#cgm-big-next"))
    };
    for at in [10, 14, 400, 1300, 1490, 1500] {
        let (uids, previous, next) = shown(&format!("member={}", all[at])).await;
        assert_eq!(uids.len(), 30, "{at}");
        let start = all.iter().position(|uid| *uid == uids[0]).unwrap();
        assert_eq!(uids, all[start..start + 30], "{at}");
        assert!(at - start == 15 || start == 0 || start == 1471, "{at} is in the middle: {start}");
        assert_eq!((previous, next), (start > 0, start < 1471), "{at}");
    }
    let large = world.ada.page(&format!("{LIST}?limit=100&member={}", all[700])).await.ok();
    assert_eq!(large.uids(), all[650..750]);
    let (found, previous, next) = shown(&format!("searchKeyword=Person%20{}&member={}", 100, all[1009])).await;
    assert_eq!((found.len(), previous, next), (24, false, false), "of whom are found");
    for ignored in [
        format!("member={}", all[9]),
        format!("member={}&scopes=owner,participant&searchKeyword=Person%200", all[1400]),
        "member=nobody".into(),
        "member=%00".into(),
        "member=".into(),
    ] {
        let (uids, previous, next) = shown(&ignored).await;
        assert_eq!((uids.len(), previous, next), (10, false, true), "{ignored}");
    }
    let fragment = world.ada.get(&format!("{LIST}?limit=10&member={}", all[400])).await.ok();
    assert_eq!(fragment.uids(), all[..10], "a host's page has an address of its own");
}

#[tokio::test]
async fn an_answer_says_which_event_it_is_as_of() {
    let world = crowd(50).await;
    let asked = [
        ("", "text/html"),
        ("", "*/*"),
        ("?part=view", "*/*"),
        ("?part=rows&limit=5", "*/*"),
        ("?before=end", "application/json"),
        ("?format=csv", "*/*"),
        ("/p0001", "*/*"),
        ("/p0001", "text/html"),
        ("/p0001?part=menu", "*/*"),
        ("/p0001", "application/json"),
    ];
    for (number, (path, accept)) in asked.into_iter().enumerate() {
        for round in 0..4 {
            let id = format!("{}.{}", world.app.store().epoch(), world.head("big").await);
            // The same text is kept, and answered from there.
            for _ in 0..3 {
                let answer = world.ada.get_with(&format!("{LIST}{path}"), &[("accept", accept)]).await.ok();
                assert_eq!(answer.header("last-event-id"), id, "{accept} {path}");
                let etag = answer.header("etag").to_owned();
                let known = [("accept", accept), ("if-none-match", etag.as_str())];
                let same = world.ada.get_with(&format!("{LIST}{path}"), &known).await;
                assert_eq!((same.status.as_u16(), same.header("last-event-id")), (304, id.as_str()), "{accept} {path}");
            }
            world.host_adds("big", &format!("new{number}-{round}"), "Somebody New").await;
        }
    }
    let head = world.head("big").await;
    let put = world
        .ada
        .act(reqwest::Method::PUT, &format!("{LIST}/p0001/scope"), serde_json::json!({"scope": "admin"}))
        .await;
    assert!(put.ok().header("last-event-id").ends_with(&format!(".{}", head + 1)));
    let kick = world.ada.htmx_act(&format!("{LIST}/p0002"), &[("_method", "DELETE")]).await.ok();
    assert!(kick.header("last-event-id").ends_with(&format!(".{}", head + 2)));
    let refused = with(
        world.actor("p0003").request(reqwest::Method::DELETE, &format!("{LIST}/p0001")),
        &[("hx-request", "true")],
    );
    let refused = support::actor::send(refused).await;
    assert_eq!(refused.status, 403);
    assert!(refused.has("li[data-uid=p0001]"), "the fresh row");
    assert!(refused.header("last-event-id").ends_with(&format!(".{}", head + 2)));
}

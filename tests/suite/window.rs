//! A part of the list: paged in both directions, between two places, and around one member.

use std::collections::BTreeSet;

use chat_group_members::domain::{GroupType, Scope};

use crate::support::actor::with;
use crate::support::{self, Actor, Answer, World, eventually, row, select, texts, uid};

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

#[tokio::test]
async fn pages_show_everybody_once() {
    let world = crowd(250).await;
    let (mut seen, mut path) = (Vec::new(), "/groups/big/members?limit=40".to_owned());
    loop {
        let page = world.ada.page(&path).await.ok();
        seen.extend(page.uids());
        assert_eq!(page.attribute("section", "data-count").as_deref(), Some("251"));
        let Some(next) = page.attribute(".chat-group-members__next a", "href") else { break };
        path = next;
    }
    assert_eq!(seen.len(), 251);
    assert_eq!(seen.iter().collect::<BTreeSet<_>>().len(), 251);
    assert_eq!(seen[1], "p0000", "Person 0000");
}

#[tokio::test]
async fn pages_show_whoever_stays_once_while_others_come_and_go() {
    let world = crowd(120).await;
    let (mut seen, mut path, mut round) = (Vec::new(), "/groups/big/members?part=rows&limit=20".to_owned(), 0);
    loop {
        let page = world.ada.get(&path).await.ok();
        seen.extend(page.uids());
        // Between two pages: the last that was shown goes, somebody comes before and behind the place.
        if let Some(last) = page.uids().last().filter(|_| round < 5) {
            world.host_kicks("big", last).await;
            world.host_adds("big", &format!("early{round}"), &format!("Aaron {round}")).await;
            world.host_adds("big", &format!("late{round}"), &format!("Zz {round}")).await;
        }
        round += 1;
        let Some(next) = page.attribute(".chat-group-members__next a", "href") else { break };
        path = next;
    }
    let once: BTreeSet<_> = seen.iter().cloned().collect();
    assert_eq!(once.len(), seen.len(), "nobody twice");
    for (uid, _) in world.members("big").await {
        assert!(once.contains(&uid) || uid.starts_with("early"), "{uid} stayed and was not shown");
    }
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

/// Everybody who is seen by paging from one end to the other.
async fn walked(viewer: &Actor, query: &str, backward: bool) -> Vec<String> {
    let (mut seen, mut place) = (Vec::new(), if backward { "before=end".to_owned() } else { String::new() });
    loop {
        let (mut uids, previous, next) = page(viewer, query, &place).await;
        let (onward, parameter) = if backward { (previous, "before") } else { (next, "cursor") };
        assert!(uids.len() == 100 || onward.is_none(), "a page with more beyond it is full");
        if backward {
            uids.reverse();
        }
        seen.extend(uids);
        let Some(onward) = onward else { break };
        place = format!("{parameter}={onward}");
    }
    if backward {
        seen.reverse();
    }
    seen
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn paging_either_way_over_ten_thousand_visits_everybody_once_in_order() {
    let world = crowd(10_000).await;
    world.host_sets_scope("big", "p0007", Scope::Admin).await;
    world.host_sets_scope("big", "p9000", Scope::Moderator).await;
    (0..10_000).step_by(3).for_each(|n| world.app.hub().set_host_presence(&uid(&format!("p{n:04}")), true));
    let there = async || world.ada.data("/groups/big").await.ok().json()["data"]["onlineMembersCount"] == 3334;
    eventually("a third is there", there).await;
    let is_there = |n: usize| n.is_multiple_of(3);
    type Shown = fn(usize, &str, bool) -> bool;
    let views: [(&str, Shown); 9] = [
        ("", |_, _, _| true),
        ("searchKeyword=99", |n, name, _| name.contains("99") || format!("{n:04}").contains("99")),
        ("searchKeyword=P09", |n, _, _| format!("{n:04}").starts_with("09")),
        ("scopes=owner,moderator,participant", |n, _, _| n != 7),
        ("scopes=admin,moderator", |n, _, _| n == 7 || n == 9000),
        ("status=online", |_, _, there| there),
        ("status=offline", |_, _, there| !there),
        ("status=offline&searchKeyword=son%209&scopes=participant", |n, name, there| {
            !there && (name.contains('9') || format!("{n:04}").contains('9')) && n != 7 && n != 9000
        }),
        ("searchKeyword=nobody", |_, _, _| false),
    ];
    for (query, shows) in views {
        let mut expected: Vec<(u8, String, String)> = Vec::new();
        for n in 0..10_000 {
            let (uid, name) = (format!("p{n:04}"), format!("Person {:04}", n * 7919 % 10_000));
            let section = if n == 7 {
                1
            } else if n == 9000 {
                2
            } else {
                3
            };
            expected.extend(shows(n, &name, is_there(n)).then_some((section, name, uid)));
        }
        if ["", "scopes=owner,moderator,participant", "status=offline"].contains(&query) {
            expected.push((0, "Ada".into(), "ada".into()));
        }
        expected.sort();
        let expected: Vec<String> = expected.into_iter().map(|(.., uid)| uid).collect();
        assert!(everybody(&world.ada, query).await == expected, "{query}");
        let counted = world.ada.data(&format!("{LIST}?{query}")).await.ok().json()["meta"]["count"].as_u64();
        assert_eq!(counted, Some(expected.len() as u64), "{query}");
        for backward in [false, true] {
            assert!(walked(&world.ada, query, backward).await == expected, "{query}, backward: {backward}");
        }
    }
}

#[tokio::test]
async fn before_the_place_that_data_names_are_the_rows_before_it() {
    let world = crowd(500).await;
    let (first, none, second) = page(&world.ada, "", "").await;
    assert_eq!(none, None);
    let (next, previous, third) = page(&world.ada, "", &format!("cursor={}", second.unwrap())).await;
    let (back, none, forth) = page(&world.ada, "", &format!("before={}", previous.unwrap())).await;
    assert_eq!((back, none), (first, None));
    assert_eq!(page(&world.ada, "", &format!("cursor={}", forth.unwrap())).await.0, next);
    let (_, previous, _) = page(&world.ada, "", &format!("cursor={}", third.unwrap())).await;
    assert_eq!(page(&world.ada, "", &format!("before={}", previous.unwrap())).await.0, next);
    let (last, _, none) = page(&world.ada, "", "before=end").await;
    assert_eq!(
        (last.last().unwrap().as_str(), last.len(), none),
        (everybody(&world.ada, "").await[500].as_str(), 100, None)
    );
}

#[tokio::test]
async fn without_javascript_a_link_at_each_end_leads_on() {
    let world = crowd(100).await;
    let first = world.ada.page(&format!("{LIST}?limit=40&lang=en-GB")).await.ok();
    assert!(!first.has(".chat-group-members__previous"));
    assert_eq!(first.text("#cgm-big-next"), "More members");
    let link = |answer: &Answer, side: &str| answer.attribute(&format!("#cgm-big-{side} a"), "href");
    let second = world.ada.page(&link(&first, "next").unwrap()).await.ok();
    assert_eq!(second.text("#cgm-big-previous"), "Earlier in the list");
    let uids = second.uids();
    let html = second.html();
    let items = select(".chat-group-members__list > li");
    let items: Vec<_> = html.select(&items).map(|item| item.value().clone()).collect();
    let (start, end) = (items.first().unwrap(), items.last().unwrap());
    assert_eq!(start.attr("class"), Some("chat-group-members__previous"));
    assert_eq!(items[1].attr("data-heading"), Some("participant"), "the heading comes behind it");
    assert_eq!(end.attr("class"), Some("chat-group-members__next"));
    let place = |uid: &str| second.attribute(&format!("li[data-uid={uid}]"), "data-order");
    assert_eq!(start.attr("data-order").map(str::to_owned), place(&uids[0]));
    assert_eq!(end.attr("data-order").map(str::to_owned), place(&uids[39]));
    let third = world.ada.page(&link(&second, "next").unwrap()).await.ok();
    assert_eq!((third.uids().len(), link(&third, "next")), (21, None));
    let back = world.ada.page(&link(&third, "previous").unwrap()).await.ok();
    assert_eq!(back.uids(), uids);
    assert_eq!(world.ada.page(&link(&back, "previous").unwrap()).await.ok().uids(), first.uids());
}

#[tokio::test]
async fn the_script_alone_makes_requests_within_the_list() {
    let world = crowd(100).await;
    let page = world.ada.page(&format!("{LIST}?limit=10&cursor=3")).await.ok();
    for place in [".chat-group-members__previous", ".chat-group-members__next", "form", "nav"] {
        assert!(page.has(place), "{place}");
        let html = page.html();
        let of = select(&format!("{place}, {place} *"));
        let attributes = html.select(&of).flat_map(|element| element.value().attrs());
        let requests: Vec<_> = attributes.filter(|(name, _)| name.starts_with("data-hx-")).collect();
        assert!(requests.is_empty(), "{place}: {requests:?}");
    }
    let filters = texts(&page.html(), "nav a", Some("data-filter"));
    assert_eq!(filters, ["", "admins", "moderators", "online"]);
    assert_eq!(page.attribute("form[role~=search]", "action").as_deref(), Some(LIST));
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

/// Rows and headings of a fragment, without the sentinels.
fn items(answer: &Answer) -> Vec<String> {
    let html = answer.html();
    let items = select("li[data-uid], li[data-heading]");
    html.select(&items).map(|item| item.html()).collect()
}

#[tokio::test]
async fn a_window_between_two_places_is_the_pages_that_lie_between_them() {
    let world = crowd(300).await;
    for n in [3, 140, 141, 142] {
        world.host_sets_scope("big", &format!("p{n:04}"), Scope::Moderator).await;
    }
    for query in ["limit=7", "limit=7&searchKeyword=1", "limit=1&scopes=owner,moderator", "limit=50&status=offline"] {
        let (mut pages, mut place) = (Vec::new(), String::new());
        loop {
            let page = world.ada.get(&format!("{LIST}?part=rows&{query}{place}")).await.ok();
            let next = page.attribute(".chat-group-members__next", "data-order");
            pages.push(page);
            let Some(next) = next else { break };
            place = format!("&cursor={next}");
        }
        for (start, end) in
            [(0, 0), (1, 1), (0, pages.len() - 1), (1, pages.len() - 1), (pages.len() / 2, pages.len() - 2)]
        {
            let mut between: Vec<String> = Vec::new();
            for item in pages[start..=end].iter().flat_map(items) {
                // A page that begins inside a section begins with its heading.
                if !between.contains(&item) {
                    between.push(item);
                }
            }
            let of = |page: &Answer, which: fn(Vec<String>) -> Option<String>| {
                which(texts(&page.html(), "li[data-uid]", Some("data-order"))).unwrap()
            };
            let from = of(&pages[start], |places| places.into_iter().next());
            let until = of(&pages[end], |places| places.into_iter().next_back());
            let window = world.ada.get(&format!("{LIST}?part=rows&{query}&from={from}&until={until}")).await.ok();
            assert!(items(&window) == between, "{query}: pages {start} to {end}");
            let sentinels = (window.has("#cgm-big-previous"), window.has("#cgm-big-next"));
            assert_eq!(sentinels, (start > 0, end + 1 < pages.len()), "{query}: pages {start} to {end}");
            let page = world.ada.get(&format!("{LIST}?part=rows&{query}&from={from}")).await.ok();
            assert!(items(&page) == items(&pages[start]), "{query}: from alone, page {start}");
            let top = world.ada.get(&format!("{LIST}?part=rows&{query}&until={until}")).await.ok();
            assert_eq!(
                top.uids(),
                pages[..=end].iter().flat_map(Answer::uids).collect::<Vec<_>>(),
                "{query}: until {end}"
            );
        }
    }
}

#[tokio::test]
async fn a_window_between_two_places_has_a_thousand_rows_at_most_and_then_says_how_to_go_on() {
    let world = crowd(1300).await;
    let all = everybody(&world.ada, "").await;
    let order =
        async |uid: &str| world.ada.get(&format!("{LIST}/{uid}")).await.ok().attribute("li", "data-order").unwrap();
    let (from, last) = (order(&all[100]).await, order(&all[1300]).await);
    let window = world.ada.get(&format!("{LIST}?part=rows&from={from}&until={last}")).await.ok();
    assert_eq!(window.uids(), all[100..1100]);
    assert_eq!(window.attribute("#cgm-big-next", "data-order"), Some(order(&all[1099]).await));
    let top = world.ada.get(&format!("{LIST}?part=rows&until=~")).await.ok();
    assert_eq!(top.uids(), all[..1000]);
    assert!(top.has("#cgm-big-next") && !top.has("#cgm-big-previous"));
    assert_eq!(world.ada.get(&format!("{LIST}?part=rows&from={from}")).await.ok().uids(), all[100..130]);
}

#[tokio::test]
async fn a_place_whose_member_has_gone_is_still_a_place() {
    let world = crowd(20).await;
    let all = everybody(&world.ada, "").await;
    let row = world.ada.get(&format!("{LIST}/{}", all[10])).await.ok();
    let place = row.attribute("li", "data-order").unwrap();
    world.host_kicks("big", &all[10]).await;
    let seen = async |query: &str| {
        let (uids, previous, next) = page(&world.ada, "limit=3", query).await;
        (uids, previous.is_some(), next.is_some())
    };
    assert_eq!(seen(&format!("cursor={place}")).await.0, all[11..14]);
    assert_eq!(seen(&format!("before={place}")).await.0, all[7..10]);
    assert_eq!(seen(&format!("from={place}")).await.0, all[11..14]);
    assert_eq!(seen(&format!("until={place}")).await.0, all[..10]);
    // Nobody is between: what is asked for is where the empty window lies.
    let empty = world.ada.get(&format!("{LIST}?part=rows&from={place}&until={place}")).await.ok();
    for side in ["previous", "next"] {
        assert_eq!(empty.attribute(&format!("#cgm-big-{side}"), "data-order").as_ref(), Some(&place), "{side}");
    }
    assert!(items(&empty).is_empty(), "no heading without a row");
    assert_eq!(seen("cursor=~").await, (vec![], true, false));
    assert_eq!(seen("before=0").await, (vec![], false, true));
    assert_eq!(page(&world.ada, "searchKeyword=nobody", "before=end").await, (vec![], None, None));
}

#[tokio::test]
async fn a_heading_is_in_a_window_when_a_row_of_its_section_is() {
    let world = crowd(50).await;
    for n in 0..5 {
        world.host_sets_scope("big", &format!("p{n:04}"), Scope::Admin).await;
    }
    let headings = async |query: &str| {
        let rows = world.ada.get(&format!("{LIST}?part=rows&limit=3&{query}")).await.ok();
        let texts = |selector: &str| texts(&rows.html(), selector, None);
        let scopes = support::texts(&rows.html(), "[data-heading]", Some("data-heading"));
        (scopes, texts(".chat-group-members__heading span"))
    };
    let named = |all: &[(&str, &str)]| all.iter().map(|(scope, count)| (scope.to_string(), count.to_string())).unzip();
    assert_eq!(headings("").await, named(&[("owner", "1"), ("admin", "5")]));
    let third = world.ada.get(&format!("{LIST}?part=rows&limit=3")).await.ok();
    let place = third.attribute("#cgm-big-next", "data-order").unwrap();
    assert_eq!(headings(&format!("cursor={place}")).await, named(&[("admin", "5")]), "the page ends with the section");
    assert_eq!(headings(&format!("from={place}")).await, named(&[("admin", "5")]), "in the middle of it");
    assert_eq!(headings("before=3").await, named(&[("admin", "5")]));
    assert_eq!(headings("before=end").await, named(&[("participant", "45")]));
    assert_eq!(headings("from=0&until=1").await, named(&[("owner", "1")]));
    assert_eq!(headings("cursor=0&groupBy=none").await, named(&[]));
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

//! Pages in both directions: everybody once and in order, also while others come and go, and by links without JavaScript.

use std::collections::BTreeSet;

use chat_group_members::domain::Scope;

use super::{LIST, crowd, everybody, page};
use crate::support::{Actor, Answer, eventually, select, texts, uid};

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

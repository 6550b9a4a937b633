//! The rows between two places: which they are, how many at most, and the headings among them.

use chat_group_members::domain::Scope;

use super::{LIST, crowd, everybody, page};
use crate::support::{self, Answer, select, texts};

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

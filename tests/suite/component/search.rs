//! Searches and filters: people are found in any script, by words in any order.

use super::{LIST, url};
use crate::support::World;

#[tokio::test]
async fn people_are_found_in_any_script_with_or_without_accents() {
    let world = World::new().await;
    let people = [
        ("u1", "Zoë Ångström"),
        ("u2", "陈伟"),
        ("u3", "Θεοδώρα"),
        ("u4", "Straße Müller"),
        ("u5", "محمد علي"),
        ("u6", "Ｆｕｌｌ Width"),
        ("u7", "Łukasz 🦀"),
        ("u8", "ДМИТРИЙ"),
        ("u9", "İpek"),
        ("v1", "Ulla Sørensen"),
        ("v2", "Nguyễn Đức"),
    ];
    for (uid, name) in people {
        world.host_adds("den", uid, name).await;
    }
    let found = async |text: &str| {
        let query: String = url::form(text);
        world.dee.get(&format!("{LIST}?searchKeyword={query}")).await.ok().uids()
    };
    let cases = [
        ("zoe", "u1"),
        ("ANGSTROM", "u1"),
        ("Zoë", "u1"),
        ("伟", "u2"),
        ("θεοδωρα", "u3"),
        ("ΘΕΟΔΏΡΑ", "u3"),
        ("STRASSE", "u4"),
        ("muller", "u4"),
        ("علي", "u5"),
        ("full", "u6"),
        ("🦀", "u7"),
        ("дмитрий", "u8"),
        ("ipek", "u9"),
        ("lukasz", "u7"),
        ("ŁUKASZ", "u7"),
        ("sorensen", "v1"),
        ("Sørensen", "v1"),
        ("nguyen duc", "v2"),
        ("  lovelace ", "ada"),
        ("a lov", "ada"),
    ];
    for (text, uid) in cases {
        assert_eq!(found(text).await, [uid], "{text}");
    }
    assert_eq!(found("u7").await, ["u7"], "by uid");
    assert!(found("nobody at all").await.is_empty());
    assert!(found("ada\ndee").await.is_empty(), "a search never matches across two rows");
    let empty = world.dee.get(&format!("{LIST}?searchKeyword=nobody")).await.ok();
    assert!(empty.text(".chat-group-members__empty").contains("nobody"));
    assert_eq!(empty.attribute("section", "data-count").as_deref(), Some("0"));
}

#[tokio::test]
async fn people_are_found_by_words_in_any_order_and_what_cannot_be_seen_is_ignored() {
    let world = World::new().await;
    let people = [("ana", "Ana García"), ("u2", "García Pérez, Ana María"), ("u3", "Donau\u{ad}dampf \u{200b}Ewa")];
    for (uid, name) in people {
        world.host_adds("den", uid, name).await;
    }
    let list = async |query: String| world.dee.get(&format!("{LIST}?{query}")).await.ok();
    let found = async |text: &str| list(format!("searchKeyword={}", url::form(text))).await.uids();
    assert_eq!(found("García Ana").await, ["ana", "u2"]);
    assert_eq!(found(" maria\u{a0}  GARCIA ").await, ["u2"]);
    assert_eq!(found("perez u2").await, ["u2"], "a word of the name and one of the uid");
    assert_eq!(found("Donaudampf").await, ["u3"]);
    assert_eq!(found("Donau\u{ad}dampf").await, ["u3"]);
    assert_eq!(found("ewa don\u{200d}au").await, ["u3"]);
    assert!(found("García Eve").await.is_empty());
    for nothing in ["\u{200b}", "\u{ad} \u{2060}", "\u{3000}"] {
        assert_eq!(found(nothing).await.len(), 8, "{nothing:?} is no search");
        let online = list(format!("filter=online&searchKeyword={}", url::form(nothing))).await;
        assert!(!online.text(".chat-group-members__empty").contains('“'), "and is not said to have found nobody");
    }
    let counted = list("searchKeyword=garcia%20ana&limit=1".into()).await;
    assert_eq!(counted.attribute("section", "data-count").as_deref(), Some("2"), "of all who are found");
    world.cy.kick("ana").await.ok();
    let counted = list("searchKeyword=ana%20garcia&limit=1".into()).await;
    assert_eq!(counted.attribute("section", "data-count").as_deref(), Some("1"), "and kept right");
}

#[tokio::test]
async fn filters_are_combined() {
    let world = World::new().await;
    let found = async |query: &str| world.dee.get(&format!("{LIST}?{query}")).await.ok().uids();
    assert_eq!(found("scopes=owner,moderator").await, ["ada", "cy"]);
    assert_eq!(found("scopes=participant&searchKeyword=e%20a").await, ["eve"]);
    assert!(found("scopes=owner&searchKeyword=dee").await.is_empty());
    assert_eq!(found("status=offline").await.len(), 5);
    let _stream = world.eve.stream().await;
    assert_eq!(found("status=online").await, ["eve"]);
    assert_eq!(found("status=offline").await, ["ada", "ben", "cy", "dee"]);
    assert_eq!(found("status=online&scopes=owner").await.len(), 0);
    let counted = world.dee.get(&format!("{LIST}?scopes=participant&limit=1")).await.ok();
    assert_eq!(counted.attribute("section", "data-count").as_deref(), Some("2"), "of the whole filtered list");
}

//! The component: who gets which face, what is in it, and how it is searched and paged.

mod conditional;
mod data;
mod safety;
mod search;

use std::collections::BTreeSet;

use crate::support::{self, Answer, World, select};

const LIST: &str = "/groups/den/members";
const BROWSER: (&str, &str) = ("accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8");

/// What an answer is, in one word.
fn face(answer: &Answer) -> &'static str {
    assert_eq!(answer.status, 200, "{}", answer.body);
    match answer.header("content-type") {
        "application/json" => "json",
        "text/csv; charset=utf-8" => "csv",
        "text/html; charset=utf-8" if answer.body.trim_start().to_lowercase().starts_with("<!doctype html>") => "page",
        "text/html; charset=utf-8" => {
            let html = answer.html();
            let roots: Vec<_> =
                html.root_element().child_elements().map(|root| root.value().name().to_owned()).collect();
            match roots.as_slice() {
                [one] if one == "section" => "component",
                rows if rows.len() == 9 && rows.iter().all(|name| name == "li") => "rows",
                other => panic!("{other:?}: {}", answer.body),
            }
        }
        other => panic!("{other}: {}", answer.body),
    }
}

#[tokio::test]
async fn everybody_gets_the_face_they_ask_for() {
    let world = World::new().await;
    type Case = (&'static [(&'static str, &'static str)], &'static str, &'static str);
    let cases: [Case; 16] = [
        (&[BROWSER], "", "page"),
        (&[BROWSER, ("hx-request", "true")], "", "component"),
        (&[BROWSER, ("hx-request", "true"), ("hx-request-type", "partial")], "", "component"),
        (&[BROWSER, ("hx-request", "true"), ("hx-request-type", "full")], "", "page"),
        (&[BROWSER, ("hx-request", "true"), ("hx-boosted", "true")], "", "page"),
        (&[BROWSER, ("hx-request", "true"), ("hx-history-restore-request", "true")], "", "page"),
        (&[("accept", "*/*")], "", "component"),
        (&[], "", "component"),
        (&[BROWSER], "?part=component", "component"),
        (&[BROWSER], "?part=rows", "rows"),
        (&[], "?part=rows", "rows"),
        (&[("accept", "application/json")], "", "json"),
        (&[("accept", "text/csv")], "", "csv"),
        (&[BROWSER], "?format=json", "json"),
        (&[BROWSER], "?format=csv", "csv"),
        (&[("accept", "text/html;q=0.1, application/json")], "", "json"),
    ];
    for (headers, query, expected) in cases {
        let answer = world.dee.get_with(&format!("{LIST}{query}"), headers).await;
        assert_eq!(face(&answer), expected, "{headers:?} {query}");
        let vary = answer
            .headers
            .get_all("vary")
            .iter()
            .map(|value| value.to_str().unwrap().to_lowercase())
            .collect::<String>();
        for name in ["accept", "authorization", "cookie", "hx-request", "hx-boosted", "hx-history-restore-request"] {
            assert!(vary.contains(name), "it depends on {name}: {vary}");
        }
        assert_eq!(answer.header("cache-control"), "private, no-cache");
        assert!(!answer.header("etag").is_empty());
    }
}

#[tokio::test]
async fn the_root_says_whose_view_of_what_it_is() {
    let world = World::new().await;
    let answer = world.ben.get(LIST).await.ok();
    let root = "section.chat-group-members";
    assert_eq!(answer.count(root), 1);
    for (name, value) in
        [("data-group", "den"), ("data-count", "5"), ("data-scope", "admin"), ("data-live", "off"), ("id", "cgm-den")]
    {
        assert_eq!(answer.attribute(root, name).as_deref(), Some(value), "{name}");
    }
    assert!(!answer.text(".chat-group-members__live").is_empty(), "and says in words that it is not live");
    assert_eq!(answer.text(".chat-group-members__count").split(' ').next(), Some("5"));
}

#[tokio::test]
async fn a_row_says_who_it_is_and_what_may_be_done() {
    let world = World::new().await;
    let answer = world.cy.get(LIST).await.ok();
    assert_eq!(answer.uids(), ["ada", "ben", "cy", "dee", "eve"]);
    let attr = |uid: &str, name: &str| answer.attribute(&format!("li[data-uid={uid}]"), name);
    assert_eq!(attr("dee", "data-scope").as_deref(), Some("participant"));
    assert_eq!(attr("dee", "data-status").as_deref(), Some("offline"));
    assert_eq!(attr("dee", "data-joined-at").as_deref(), Some("1700000000"));
    assert_eq!(attr("dee", "data-acts").as_deref(), Some("kick ban scope mute"));
    for without in ["ada", "ben", "cy"] {
        assert_eq!(attr(without, "data-acts"), None, "{without}");
    }
    assert_eq!(answer.text("li[data-uid=dee] .chat-group-members__name"), "Dee Dee");
    let orders = support::texts(&answer.html(), "ul.chat-group-members__list > li", Some("data-order"));
    assert!(orders.is_sorted() && orders.len() == 9, "rows and headings in one order: {orders:?}");
    let headings = support::texts(&answer.html(), "li[data-heading]", Some("data-heading"));
    assert_eq!(headings, ["owner", "admin", "moderator", "participant"]);
    let acts = async |actor: &support::Actor, uid: &str| {
        actor.get(LIST).await.attribute(&format!("li[data-uid={uid}]"), "data-acts")
    };
    assert_eq!(acts(&world.ada, "ben").await.as_deref(), Some("kick ban scope transfer mute"));
    assert_eq!(acts(&world.ada, "ada").await, None, "never on the own row");
    assert_eq!(acts(&world.dee, "eve").await, None);
}

#[tokio::test]
async fn hide_props_hide_what_they_say() {
    let world = World::new().await;
    let seen = async |query: &str| world.ada.get(&format!("{LIST}?{query}")).await.ok();
    let acts = async |query: &str| seen(query).await.attribute("li[data-uid=dee]", "data-acts");
    assert_eq!(acts("hideKickMemberOption=true").await.as_deref(), Some("ban scope transfer mute"));
    assert_eq!(acts("hideBanMemberOption=true").await.as_deref(), Some("kick scope transfer mute"));
    assert_eq!(acts("hideScopeChangeOption=true").await.as_deref(), Some("kick ban mute"), "transfer too");
    assert_eq!(acts("hideKickMemberOption=1&hideBanMemberOption=1&hideScopeChangeOption=1").await, None);
    assert!(seen("").await.has("input[type=search]") && !seen("hideSearch=true").await.has("input[type=search]"));
    let without_status = seen("hideUserStatus=true").await;
    assert!(!without_status.has("[data-status]") && !without_status.has("[data-uid] i, .chat-group-members__online"));
    assert!(
        seen("").await.has(".chat-group-members__header")
            && !seen("hideHeader=true").await.has(".chat-group-members__header")
    );
    assert!(!seen("hideError=true").await.has(".chat-group-members__error-place:not([hidden])"));
    assert!(!seen("groupBy=none").await.has("li[data-heading]"));
    assert_eq!(seen("title=The%20crew").await.text("h2"), "The crew");
    let placeholder = seen("searchPlaceholder=Wen%3F").await;
    assert_eq!(placeholder.attribute("input[type=search]", "placeholder").as_deref(), Some("Wen?"));
    assert_eq!(seen("theme=dark").await.attribute("section", "data-theme").as_deref(), Some("dark"));
}

#[tokio::test]
async fn two_lists_of_one_group_share_no_id() {
    let world = World::new().await;
    let mut ids = BTreeSet::new();
    for query in ["", "?instance=two", "?instance=3", "?instance=list", "?instance=q"] {
        let answer = world.ada.get(&format!("{LIST}{query}")).await.ok();
        for id in support::texts(&answer.html(), "[id]", Some("id")) {
            assert!(ids.insert(id.clone()), "{id}");
        }
        let html = answer.html();
        for name in ["for", "form", "aria-labelledby", "aria-controls"] {
            // A dialog's title comes with what fills it.
            for target in support::texts(&html, &format!("[{name}]:not(dialog)"), Some(name)) {
                assert!(html.select(&select(&format!("[id={target:?}]"))).next().is_some(), "{name}={target}");
            }
        }
    }
}

#[tokio::test]
async fn a_bad_value_is_named_and_an_unknown_parameter_ignored() {
    let world = World::new().await;
    let bad = [
        "limit=0",
        "limit=101",
        "limit=-1",
        "limit=x",
        "scopes=king",
        "scopes=owner,king",
        "status=away",
        "hideSearch=maybe",
        "theme=blue",
        "groupBy=name",
        "selectionMode=all",
        "instance=A",
        "instance=123456789",
        "cursor=a%20b",
        "until=%00",
        "part=nothing",
        "format=xml",
    ];
    for query in bad {
        let name = query.split('=').next().unwrap();
        let problem =
            world.dee.data(&format!("{LIST}?{query}&part={}", if name == "part" { "nothing" } else { "" })).await;
        let problem = if name == "part" { world.dee.get(&format!("{LIST}?{query}")).await } else { problem };
        let problem = problem.refused(422, "ERR_VALIDATION");
        assert!(problem.body.contains(name), "{query}: {}", problem.body);
        assert_eq!(problem.header("cache-control"), "no-store");
    }
    for other in ["bans?format=xml", "members/dee?format=xml", "members/dee?part=nothing"] {
        world.ben.get(&format!("/groups/den/{other}")).await.refused(422, "ERR_VALIDATION");
    }
    for stream in ["limit=0", "scopes=king", "format=xml"] {
        assert_eq!(world.dee.get(&format!("/groups/den/events?{stream}")).await.status, 422);
    }
    let long = "x".repeat(101);
    world.dee.data(&format!("{LIST}?searchKeyword={long}")).await.refused(422, "ERR_VALIDATION");
    world.dee.data(&format!("{LIST}?searchKeyword={}", "x".repeat(100))).await.ok();
    assert_eq!(world.dee.get(&format!("{LIST}?unknown=1&limit=100&scopes=&status=&_=%00")).await.ok().uids().len(), 5);
}

mod url {
    /// A value as it travels in a query string.
    pub fn form(text: &str) -> String {
        form_urlencoded::byte_serialize(text.as_bytes()).collect()
    }
}

//! The component: who gets which face, what is in it, and how it is searched and paged.

use std::collections::BTreeSet;

use chat_group_members::config::Secret;
use chat_group_members::domain::{GroupType, Scope, shown};
use reqwest::Method;
use serde_json::json;

use crate::support::actor::{send, with};
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
    for query in ["", "?instance=two", "?instance=3"] {
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

mod url {
    /// A value as it travels in a query string.
    pub fn form(text: &str) -> String {
        form_urlencoded::byte_serialize(text.as_bytes()).collect()
    }
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

#[tokio::test]
async fn an_unchanged_list_is_not_sent_again() {
    let world = World::new().await;
    let first = world.dee.get(LIST).await.ok();
    let tag = first.header("etag").to_owned();
    let again = world.dee.get_with(LIST, &[("if-none-match", &tag)]).await;
    assert_eq!((again.status.as_u16(), again.body.as_str()), (304, ""));
    assert_eq!(again.header("etag"), tag);
    assert_eq!(again.header("cache-control"), "private, no-cache", "or the browser forgets what it has");
    for (actor, headers, path) in [
        (&world.eve, vec![], LIST),
        (&world.dee, vec![("hx-request", "true"), ("hx-boosted", "true")], LIST),
        (&world.dee, vec![], "/groups/den/members?limit=1"),
    ] {
        let headers: Vec<_> = headers.into_iter().chain([("if-none-match", tag.as_str())]).collect();
        assert_eq!(actor.get_with(path, &headers).await.status, 200, "another viewer, face or view has another tag");
    }
    world.cy.kick("eve").await.ok();
    assert_eq!(world.dee.get_with(LIST, &[("if-none-match", &tag)]).await.status, 200);
}

#[tokio::test]
async fn what_is_known_is_not_sent_again_wherever_it_comes_from() {
    let world = World::new().await;
    for path in [LIST, "/groups/den", "/static/css-variables.css"] {
        let tag = world.dee.data(path).await.ok().header("etag").to_owned();
        let list = format!("\"other\", {tag}");
        for known in [tag.as_str(), list.as_str(), "*"] {
            let headers = [("accept", "application/json"), ("if-none-match", known)];
            let again = world.dee.get_with(path, &headers).await;
            assert_eq!((again.status.as_u16(), again.body.as_str()), (304, ""), "{path} {known}");
        }
        let other = [("accept", "application/json"), ("if-none-match", "W/\"other\"")];
        assert_eq!(world.dee.get_with(path, &other).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn a_client_is_never_shown_less_than_it_has_seen() {
    let world = World::new().await;
    let seen = world.cy.kick("dee").await.ok();
    drop(seen);
    let id = world.ada.data(LIST).await.ok().json()["meta"]["id"].as_str().unwrap().to_owned();
    let answer = world.ada.get_with(LIST, &[("last-event-id", &id), ("accept", "application/json")]).await.ok().json();
    assert_eq!((&answer["meta"]["id"], &answer["meta"]["count"]), (&json!(id), &json!(4)));
}

#[tokio::test]
async fn every_answer_is_guarded() {
    let world = World::new().await;
    let paths = [
        LIST,
        "/groups/den/members/dee",
        "/groups/den/bans",
        "/groups/den",
        "/groups/nowhere/members",
        "/nothing",
        "/groups/den/members?limit=x",
        "/groups/den/members?token=x",
        "/healthz",
        "/readyz",
        "/metrics",
    ];
    for path in paths {
        for headers in [&[BROWSER][..], &[("accept", "application/json")], &[]] {
            let answer = world.ada.get_with(path, headers).await;
            let policy = answer.header("content-security-policy");
            for part in [
                "default-src 'none'",
                "script-src 'self'",
                "style-src 'self'",
                "base-uri 'none'",
                "form-action 'self'",
                "frame-ancestors 'none'",
            ] {
                assert!(policy.split("; ").any(|directive| directive == part), "{path}: {policy}");
            }
            assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
            let caching = if answer.status == 200 { "private, no-cache" } else { "no-store" };
            assert_eq!(answer.header("cache-control"), caching, "{path}");
            assert!(!answer.header("vary").is_empty(), "{path}");
            if answer.header("content-type").starts_with("text/html") {
                let html = answer.html();
                assert!(html.select(&select("script:not([src]), style, [style]")).next().is_none(), "{path}");
                let handler = html
                    .select(&select("*"))
                    .flat_map(|element| element.value().attrs())
                    .find(|(name, _)| name.starts_with("on"));
                assert_eq!(handler, None, "{path}");
            }
        }
    }
}

#[tokio::test]
async fn a_page_loads_hashed_files_that_are_there() {
    let world = World::new().await;
    let page = world.dee.page(LIST).await.ok();
    let html = page.html();
    let files = [
        support::texts(&html, "link[rel=stylesheet]", Some("href")),
        support::texts(&html, "script[src]", Some("src")),
    ]
    .concat();
    assert!(files.len() >= 2);
    for file in files {
        let answer = send(world.gus.anonymous(Method::GET, &file)).await.ok();
        assert!(answer.header("cache-control").contains("immutable"), "{file}");
    }
    for fixed in ["/static/css-variables.css", "/static/chat-group-members.js"] {
        let br = with(world.gus.anonymous(Method::GET, fixed), &[("accept-encoding", "gzip, br")]);
        let response = br.send().await.unwrap();
        assert_eq!(response.headers()["content-encoding"], "br");
        assert_eq!(response.headers()["cache-control"], "no-cache");
    }
}

/// The tree of elements and attribute names, without any text or value.
fn shape(answer: &Answer) -> String {
    let html = answer.html();
    let mut shape = String::new();
    for element in html.select(&select("*")) {
        let depth = element.ancestors().count();
        // Said only of a name that people read otherwise than it was given.
        let mut names: Vec<_> =
            element.value().attrs().map(|(name, _)| name).filter(|name| *name != "data-name").collect();
        names.sort();
        shape += &format!("{depth} {} {names:?}\n", element.value().name());
    }
    shape
}

#[tokio::test]
async fn no_name_changes_the_shape_of_the_page() {
    let names = [
        "Bob",
        "\"Bob\" 'x' `y` \\ &amp; &lt;b&gt;",
        "<script>alert(1)</script>",
        "</li></ul><img src=x onerror=alert(1)>",
        "js:alert(1)",
        "javascript:alert(1)",
        "\u{202e}\u{2066}evil\u{2069}",
        "<hx-x hx-get=/evil>",
        "{{ 7 * 7 }} {% if %} ${x}",
        "]]>--><!--",
        "a=1 data-uid=ada x",
    ];
    let paths = [
        LIST,
        "/groups/den/members?part=rows",
        "/groups/den/members/bob",
        "/groups/den/members/bob?part=menu&explain=true",
        "/groups/den/members/bob?part=dialog&act=ban",
        "/groups/den/members/bob?part=dialog&act=transfer",
    ];
    let mut shapes = Vec::new();
    for name in names {
        let world = World::empty(|_| {}).await;
        world.seed("den", GroupType::Private, [("ada", "Ada", Scope::Owner), ("bob", name, Scope::Participant)]).await;
        let mut rendered = String::new();
        for path in paths {
            for page in [true, false] {
                let answer = if page { world.ada.page(path).await } else { world.ada.htmx(path).await }.ok();
                rendered += &shape(&answer);
                if path == LIST {
                    assert_eq!(answer.text("li[data-uid=bob] .chat-group-members__name"), shown(name, "bob"));
                    assert!(
                        answer.has("li[data-uid=bob] .chat-group-members__name bdi"),
                        "isolated from the text around it"
                    );
                }
            }
        }
        world.ada.ban("bob", json!({"reason": name})).await.ok();
        rendered += &shape(&world.ada.page("/groups/den/bans").await.ok());
        let search =
            world.ada.page(&format!("{LIST}?searchKeyword={}&title={}", url::form(name), url::form(name))).await.ok();
        assert_eq!(search.attribute("input[type=search]", "value").as_deref(), Some(name));
        assert_eq!(search.text("h2"), name);
        assert!(!search.has("script:not([src]), img"));
        shapes.push((name, rendered));
    }
    for (name, rendered) in &shapes {
        assert!(*rendered == shapes[0].1, "{name:?} changes the shape:\n{rendered}\n\ninstead of\n{}", shapes[0].1);
    }
}

#[tokio::test]
async fn no_words_of_a_group_and_no_address_of_a_picture_change_the_shape_of_a_page() {
    const KEY: &str = "a-key-of-the-host-for-its-words";
    let world = World::empty(|config| config.api_keys = vec![Secret::new(KEY)]).await;
    let words = [
        "Bob",
        "\"Bob\" 'x' `y` \\ &amp; &lt;b&gt;",
        "</p></h1></title><script>alert(1)</script>",
        "\" onerror=\"alert(1)",
        "' onload='alert(1)' x='",
        "{{ 7 * 7 }} {% if %} ]]>--><!--",
    ];
    let mut shapes = Vec::new();
    for word in words {
        let picture = Some(format!("https://pictures.example/{word}"));
        let people = [("ada", Scope::Owner, None), ("bob", Scope::Participant, picture.clone())];
        let rows = people.map(|(uid, scope, picture)| support::row(uid, uid, scope, picture));
        world.sync("den", GroupType::Public, rows.into()).await;
        let group = json!({"name": word, "description": word});
        let put = world.ada.anonymous(Method::PUT, "/v3/groups/den").header("apikey", KEY);
        assert_eq!(send(put.json(&group)).await.status, 200, "{word}");
        let mut rendered = String::new();
        for (who, path) in [(&world.gus, "/groups/den"), (&world.ada, "/groups/den"), (&world.ada, LIST)] {
            let page = who.page(path).await.ok();
            rendered += &shape(&page);
            if path != LIST {
                assert_eq!((page.text("h1").as_str(), page.text("main p[dir=auto]").as_str()), (word, word), "{path}");
            }
        }
        let pictured = world.ada.htmx("/groups/den/members/bob").await.ok();
        rendered += &shape(&pictured);
        rendered += &shape(&world.ada.htmx(LIST).await.ok());
        let shown = world.ada.page(LIST).await.ok().attribute("li[data-uid=bob] img", "src");
        assert!(shown.is_none() || shown == picture, "{shown:?}");
        shapes.push((word, rendered));
    }
    for (word, rendered) in &shapes {
        assert!(*rendered == shapes[0].1, "{word:?} changes the shape:\n{rendered}\n\ninstead of\n{}", shapes[0].1);
    }
}

#[tokio::test]
async fn mounted_below_a_path_every_url_stays_below_it() {
    let world = World::with(|config| config.base_path = "/chat".into()).await;
    for (base, world) in [
        ("/chat/", world),
        (
            "https://chat.example/x/",
            World::with(|config| config.public_url = Some("https://chat.example/x".into())).await,
        ),
    ] {
        for answer in [
            world.ada.page(LIST).await.ok(),
            world.ada.page("/groups/den/members/dee").await.ok(),
            world.ada.page("/groups/den/bans").await.ok(),
        ] {
            let html = answer.html();
            for name in ["href", "src", "action", "data-hx-get", "data-hx-post", "data-connect", "data-href"] {
                for url in support::texts(&html, &format!("[{name}]"), Some(name)) {
                    assert!(
                        url.starts_with(base) || url.is_empty() || url.starts_with('#') || url.starts_with("data:"),
                        "{name}={url}"
                    );
                }
            }
        }
    }
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

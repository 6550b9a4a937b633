//! The safety of pages: their headers, their files, their URLs, and names that change no markup.

use chat_group_members::config::Secret;
use chat_group_members::domain::{GroupType, Scope, shown};
use reqwest::Method;
use serde_json::json;

use super::{BROWSER, LIST, url};
use crate::support::actor::{send, with};
use crate::support::{self, Answer, World, select};

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
async fn a_form_may_lead_back_to_the_pages_of_an_allowed_origin() {
    let world = World::with(|config| config.allow_origins = vec!["https://chat.example".into()]).await;
    let answer = world.ada.get_with(LIST, &[BROWSER]).await;
    let policy = answer.header("content-security-policy");
    assert!(policy.split("; ").any(|part| part == "form-action 'self' https://chat.example"), "{policy}");
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
        assert_eq!(answer.header("vary").to_ascii_lowercase(), "accept-encoding", "{file} is the same for everybody");
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

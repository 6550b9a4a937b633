//! Pages of other origins: exactly those that are configured may read answers, and frame our pages.

use reqwest::Method;

use crate::support::actor::{send, with};
use crate::support::{Answer, World};

const OURS: &str = "https://app.example";

async fn world() -> World {
    World::with(|config| {
        config.allow_origins = vec![OURS.into(), "http://localhost:3000".into()];
        config.frame_ancestors = vec![OURS.into()];
    })
    .await
}

/// Origins that look like one that is allowed, and are none.
const STRANGERS: [&str; 9] = [
    "https://evil.example",
    "https://app.example.evil",
    "https://evil-app.example",
    "https://sub.app.example",
    "http://app.example",
    "https://app.example:8443",
    "https://APP.example",
    "https://app.example/",
    "null",
];

/// What a browser asks before it sends the request itself.
async fn preflight(world: &World, origin: &str, path: &str, method: &str) -> Answer {
    let asked = [
        ("origin", origin),
        ("access-control-request-method", method),
        ("access-control-request-headers", "authorization,hx-current-url,hx-request,hx-request-type,last-event-id"),
    ];
    send(with(world.cy.anonymous(Method::OPTIONS, path), &asked)).await
}

fn has(answer: &Answer, name: &str) -> bool {
    answer.headers.contains_key(name)
}

#[tokio::test]
async fn a_page_of_an_allowed_origin_may_ask_everything_the_component_asks() {
    let world = world().await;
    for (path, method) in [
        ("/groups/den/members?part=component", "GET"),
        ("/groups/den/events", "GET"),
        ("/groups/den/members/dee?part=menu", "GET"),
        ("/groups/den/members/dee", "POST"),
        ("/groups/den/bans/dee", "PUT"),
        ("/groups/den/members/dee", "DELETE"),
        ("/session", "POST"),
    ] {
        let answer = preflight(&world, OURS, path, method).await;
        assert_eq!(answer.status, 200, "{method} {path}");
        assert_eq!(answer.header("access-control-allow-origin"), OURS);
        assert_eq!(answer.header("access-control-allow-credentials"), "true");
        assert!(answer.header("access-control-allow-methods").contains(method));
        let allowed = answer.header("access-control-allow-headers").to_owned();
        let needed = [
            "authorization",
            "content-type",
            "idempotency-key",
            "last-event-id",
            "hx-request",
            "hx-request-type",
            "hx-source",
            "hx-target",
            "hx-current-url",
        ];
        for name in needed {
            assert!(allowed.split(',').any(|one| one.trim() == name), "{name} is not in {allowed}");
        }
    }
}

#[tokio::test]
async fn it_may_read_answers_and_refusals_and_the_headers_that_say_where_they_belong() {
    let world = world().await;
    let from_ours = [("origin", OURS)];
    let answers = [
        world.cy.get_with("/groups/den/members", &from_ours).await,
        world.cy.get_with("/groups/nowhere/members", &from_ours).await,
        send(with(world.cy.anonymous(Method::GET, "/groups/den/members"), &from_ours)).await,
        send(with(world.cy.request(Method::POST, "/session"), &from_ours)).await,
    ];
    for (answer, status) in answers.iter().zip([200, 404, 401, 204]) {
        assert_eq!(answer.status, status);
        assert_eq!(answer.header("access-control-allow-origin"), OURS, "{status}");
        let exposed = answer.header("access-control-expose-headers");
        for name in ["hx-trigger", "hx-retarget", "hx-reswap", "retry-after"] {
            assert!(exposed.contains(name), "{name} is not in {exposed}");
        }
        assert!(varies_by_origin(answer), "{status}");
    }
}

fn varies_by_origin(answer: &Answer) -> bool {
    let lines = answer.headers.get_all("vary").iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).any(|name| name.trim().eq_ignore_ascii_case("origin"))
}

#[tokio::test]
async fn a_page_of_any_other_origin_may_read_nothing() {
    let world = world().await;
    for origin in STRANGERS {
        for (path, method) in [("/groups/den/members", "GET"), ("/groups/den/events", "GET"), ("/session", "POST")] {
            let asked = preflight(&world, origin, path, method).await;
            assert!(!has(&asked, "access-control-allow-origin"), "{origin} {path}");
        }
        let read = world.cy.get_with("/groups/den/members", &[("origin", origin)]).await;
        assert!(!has(&read, "access-control-allow-origin"), "{origin}");
        assert!(varies_by_origin(&read), "no cache may give this answer to an origin that is allowed");
    }
}

#[tokio::test]
async fn without_allowed_origins_there_is_no_word_of_any() {
    let world = World::new().await;
    let read = world.cy.get_with("/groups/den/members", &[("origin", OURS)]).await.ok();
    assert!(!read.headers.keys().any(|name| name.as_str().starts_with("access-control-")));
}

#[tokio::test]
async fn pages_are_framed_by_those_who_may_and_by_nobody_else() {
    let policy =
        async |world: World| world.cy.page("/groups/den/members").await.header("content-security-policy").to_owned();
    assert!(policy(world().await).await.contains("frame-ancestors https://app.example"));
    assert!(policy(World::new().await).await.contains("frame-ancestors 'none'"));
}

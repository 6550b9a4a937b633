//! Not yours = not there, and who is recognised at all.

mod tokens;

use axum::body::Body;
use axum::http::Request;
use chat_group_members::domain::GroupType;
use chat_group_members::store::counted;
use reqwest::{Method, StatusCode};
use tower::ServiceExt;

use crate::support::actor::{send, with};
use crate::support::group_routes::{ROUTES, Route};
use crate::support::routes;
use crate::support::{Actor, Answer, CAST, World};

/// What is asked of a group beside its routes: with a query, or about a person whose id cannot be.
const ODD: [(&str, &str); 6] = [
    ("GET", "/groups/{g}/members?limit=none&scopes=king"),
    ("GET", "/groups/{g}/members/ada?part=dialog&act=nonsense"),
    ("GET", "/groups/{g}/members/a%20b"),
    ("GET", "/groups/{g}/bans?cursor=x"),
    ("GET", "/groups/{g}/events?format=json&lastEventId=x"),
    ("POST", "/groups/{g}/bulk?dryRun=true"),
];

/// Every path of a group, with every method it takes, but for the [`forms`]; `{g}` is the group, `{u}` a person.
fn paths() -> impl Iterator<Item = (&'static str, &'static str)> {
    let others = ROUTES.iter().filter(|route| !is_form(route));
    others.map(|route| (route.method, route.path)).chain(ODD)
}

/// Plain forms, whose field `_method` says what they ask for, and what changes nothing.
fn forms() -> impl Iterator<Item = (&'static str, &'static str)> {
    ROUTES.iter().filter(|route| is_form(route)).map(|route| (route.method, route.path))
}

fn is_form(route: &Route) -> bool {
    route.fields.contains("_method") || route.path.ends_with("/selection")
}

/// A path in this group, about Ada.
fn at(path: &str, guid: &str) -> String {
    path.replace("{g}", guid).replace("{u}", "ada")
}

/// What requests say of themselves.
const FORMATS: [&[(&str, &str)]; 4] = [
    &[],
    &[("accept", "text/html")],
    &[("hx-request", "true"), ("accept", "text/html")],
    &[("accept", "application/json")],
];

/// Status, body and headers of an answer, without what tells the time or the request.
fn visible(answer: &Answer) -> (StatusCode, String, Vec<(String, String)>) {
    let mut headers: Vec<_> =
        answer.headers.iter().map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned())).collect();
    let id = headers.iter().find(|(name, _)| name == "x-request-id").map_or(String::new(), |(_, id)| id.clone());
    headers.retain(|(name, _)| name != "date" && name != "x-request-id");
    headers.sort();
    (answer.status, answer.body.replace(&format!("\"requestId\":\"{id}\""), ""), headers)
}

async fn ask(actor: &Actor, method: &str, path: &str, guid: &str, format: &[(&str, &str)]) -> Answer {
    let request = with(actor.request(method.parse().unwrap(), &at(path, guid)), format);
    if method == "GET" {
        return send(request).await;
    }
    let means = forms().any(|form| form == (method, path)).then_some(("_method", "DELETE"));
    let fields: Vec<_> = [("scope", "king"), ("uid", "{}")].into_iter().chain(means).collect();
    send(request.form(&fields)).await
}

#[tokio::test]
async fn no_route_of_a_group_is_missing_from_these_lists_and_from_that_of_the_times() {
    let world = World::new().await;
    let forgotten = routes::forgotten(&world, paths().chain(forms())).await;
    assert!(forgotten.is_empty(), "not asked for here: {forgotten:#?}");
    // cargo bench --bench timing takes minutes: here it is only looked at whether it has the same list.
    let bench = include_str!("../../../benches/timing.rs");
    assert!(bench.contains("../tests/suite/support/group_routes.rs") && bench.contains(" in &group_routes::ROUTES {"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn to_whoever_is_not_in_it_a_private_group_is_a_group_that_is_not_there() {
    let world = World::new().await;
    let malformed = ["den%20", "%C3%A4", "%FF", "a.b", &"x".repeat(101), "%00", "den%2F"];
    for (method, path) in paths().chain(forms()) {
        for format in FORMATS {
            let unknown = ask(&world.gus, method, path, "nowhere", format).await;
            assert_eq!(unknown.status, 404, "{method} {path}: {}", unknown.body);
            assert_eq!(unknown.code(), "ERR_GUID_NOT_FOUND");
            for somebody in [&world.gus, &world.hal, &world.flo] {
                let hidden = ask(somebody, method, path, "den", format).await;
                assert_eq!(visible(&hidden), visible(&unknown), "{} {method} {path}", somebody.uid);
            }
            for guid in malformed {
                let answer = ask(&world.ada, method, path, guid, format).await;
                assert_eq!(visible(&answer), visible(&unknown), "{method} {path} {guid}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_method_that_is_not_taken_tells_nobody_which_group_is_there() {
    let world = World::new().await;
    for method in ["PATCH", "OPTIONS", "PUT", "DELETE", "POST"] {
        for path in ["/groups/{g}", "/groups/{g}/events", "/groups/{g}/nothing", "/groups/{g}/members/ada/scope/more"] {
            let unknown = ask(&world.gus, method, path, "nowhere", &[]).await;
            assert!(unknown.status.is_client_error(), "{method} {path}");
            let hidden = ask(&world.gus, method, path, "den", &[]).await;
            assert_eq!(visible(&hidden), visible(&unknown), "{method} {path}");
        }
    }
}

#[tokio::test]
async fn after_a_kick_the_group_is_not_there_any_more() {
    let world = World::new().await;
    assert_eq!(world.dee.sees().await.len(), 5);
    world.cy.kick("dee").await.ok();
    world.dee.get("/groups/den/members").await.refused(404, "ERR_GUID_NOT_FOUND");
    let unknown = world.gus.get("/groups/nowhere/members").await;
    assert_eq!(visible(&world.dee.get("/groups/den/members").await), visible(&unknown));
}

#[tokio::test]
async fn a_public_group_shows_outsiders_its_face_and_nobody_in_it() {
    let world = World::new().await;
    for guid in ["park", "vault"] {
        for outsider in [&world.gus, &world.hal] {
            let public = outsider.data(&format!("/groups/{guid}")).await.ok().json();
            let group = &public["data"];
            assert_eq!(group["guid"], guid);
            assert_eq!(group["membersCount"], 5);
            for of_members in ["owner", "onlineMembersCount", "scope"] {
                assert!(group[of_members].is_null(), "{of_members}: {group}");
            }
            for (method, path) in paths().filter(|(method, path)| *method == "GET" && *path != "/groups/{g}") {
                let unknown = ask(outsider, method, path, "nowhere", &[]).await;
                assert_eq!(
                    visible(&ask(outsider, method, path, guid, &[]).await),
                    visible(&unknown),
                    "{method} {path}"
                );
            }
        }
        let page = world.gus.page(&format!("/groups/{guid}")).await.ok();
        assert!(page.has("[data-action=join]") && !page.has("[data-uid]"));
        assert_eq!(page.has("input[name=password]"), guid == "vault");
        world.flo.get(&format!("/groups/{guid}")).await.refused(409, "ERR_BANNED_GROUPMEMBER");
        let instead = world.flo.page(&format!("/groups/{guid}/members")).await;
        assert_eq!(instead.status.as_u16(), 404);
        assert!(
            instead.body.contains("ERR_BANNED_GROUPMEMBER") && !instead.has("[data-action=join]"),
            "{}",
            instead.body
        );
        let member = world.ben.data(&format!("/groups/{guid}")).await.ok().json();
        assert_eq!(member["data"]["owner"], "ada");
        assert_eq!(member["data"]["scope"], "admin");
    }
}

#[tokio::test]
async fn outsiders_are_told_no_name_of_a_member() {
    let world = World::new().await;
    let ban = "/groups/park/bans/gus";
    world.ben.act(Method::PUT, ban, serde_json::json!({"reason": "spam"})).await.ok();
    for format in FORMATS {
        let request = with(world.gus.request(Method::POST, "/groups/park/members"), format);
        let refused = send(request).await.refused(409, "ERR_BANNED_GROUPMEMBER");
        for secret in ["Ben", "spam", "ben"] {
            assert!(!refused.body.contains(secret), "{secret}: {}", refused.body);
        }
    }
}

#[tokio::test]
async fn whoever_was_put_out_is_not_told_that_what_they_keep_is_still_right() {
    let world = World::new().await;
    let faces = [
        ("/groups/den/members", "text/html"),
        ("/groups/den/members?part=rows", "text/html"),
        ("/groups/den/members", "application/json"),
        ("/groups/den/members?format=csv", "*/*"),
        ("/groups/den/members?format=atom", "*/*"),
        ("/groups/den", "application/json"),
        ("/groups/den/members/cy", "application/json"),
    ];
    let mut kept = Vec::new();
    for (path, accept) in faces {
        let answer = world.dee.get_with(path, &[("accept", accept)]).await.ok();
        kept.push(answer.headers.get("etag").map(|tag| tag.to_str().unwrap().to_owned()));
    }
    assert!(kept[0].is_some() && kept[2].is_some(), "lists have an ETag: {kept:?}");
    let tag = kept[0].clone().unwrap();
    let same = [("accept", "text/html"), ("if-none-match", tag.as_str())];
    assert_eq!(world.dee.get_with("/groups/den/members", &same).await.status, 304);
    world.ada.kick("dee").await.ok();
    for ((path, accept), tag) in faces.into_iter().zip(&kept) {
        for tag in [tag.as_deref().unwrap_or("*"), "*"] {
            let answer = world.dee.get_with(path, &[("accept", accept), ("if-none-match", tag)]).await;
            assert_eq!(answer.status, 404, "{path} {accept} {tag}");
            answer.refused(404, "ERR_GUID_NOT_FOUND");
        }
    }
}

/// How many statements, snapshots and transactions a request takes.
async fn queries(world: &World, actor: &Actor, method: &str, path: &str, headers: &[(&str, &str)]) -> (u16, u64) {
    let mut request = Request::builder().method(method).uri(path);
    request = request.header("authorization", format!("Bearer {}", actor.token));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let body = if method == "GET" { "" } else { "scope=admin&uid=dee&_method=PUT" };
    let request = request.header("content-type", "application/x-www-form-urlencoded").body(Body::from(body)).unwrap();
    let (response, count) = counted(world.app.router().oneshot(request)).await;
    (response.unwrap().status().as_u16(), count)
}

#[tokio::test]
async fn a_private_group_takes_the_same_queries_as_one_that_is_not_there() {
    let world = World::new().await;
    world.seed("cold", GroupType::Private, CAST).await;
    world.host_bans("cold", "flo", None).await;
    world.host_kicks("cold", "hal").await;
    world.ada.sees().await;
    let feed = ("GET", "/groups/{g}/members?format=atom");
    const MORE: [&[(&str, &str)]; 3] =
        [&[], &[("idempotency-key", "k1")], &[("last-event-id", "x.1"), ("accept", "application/json")]];
    for (method, path) in paths().chain(forms()).chain([feed]) {
        for headers in FORMATS.into_iter().chain(MORE) {
            for somebody in [&world.gus, &world.hal, &world.flo] {
                let of = |guid: &str| at(path, guid);
                let unknown = queries(&world, somebody, method, &of("nowhere"), headers).await;
                assert_eq!(unknown.0, 404, "{method} {path}");
                assert!(unknown.1 > 0, "{method} {path}: the database is asked");
                for guid in ["den", "cold"] {
                    let hidden = queries(&world, somebody, method, &of(guid), headers).await;
                    assert_eq!(hidden, unknown, "{guid} {method} {path} {headers:?}");
                }
            }
        }
    }
    // The count is not of nothing: a member of the cold group has it loaded.
    assert!(queries(&world, &world.eve, "GET", "/groups/cold/members", &[]).await.1 > 4);
    assert_eq!(queries(&world, &world.eve, "GET", "/groups/cold/members", &[]).await, (200, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_key_of_a_leave_opens_nothing_but_that_leave() {
    let world = World::new().await;
    let own = |guid: &str, query: &str, body: &'static str| {
        let path = format!("/groups/{guid}/members/eve{query}");
        let request = world.eve.request(Method::DELETE, &path).header("idempotency-key", "gone");
        send(request.header("accept", "application/json").header("content-type", "application/json").body(body))
    };
    own("den", "", "{}").await.ok();
    for (method, path) in paths().chain(forms()) {
        for format in FORMATS {
            let format = [format, &[("idempotency-key", "gone")]].concat();
            let unknown = ask(&world.eve, method, path, "nowhere", &format).await;
            let hidden = ask(&world.eve, method, path, "den", &format).await;
            assert_eq!(hidden.status, 404, "{method} {path}: {}", hidden.body);
            assert_eq!(visible(&hidden), visible(&unknown), "{method} {path}");
        }
    }
    let wrong = [
        ("?format=bad", "{}"),
        ("?limit=none", "{}"),
        ("?itemView=nothing", "{}"),
        ("", "{"),
        ("", r#"{"message": "a\u0000b"}"#),
        ("", r#"{"asOf": "x"}"#),
    ];
    for (query, body) in wrong {
        let (hidden, unknown) = (own("den", query, body).await, own("nowhere", query, body).await);
        assert_eq!(hidden.status, 404, "{query} {body}: {}", hidden.body);
        assert_eq!(visible(&hidden), visible(&unknown), "{query} {body}");
    }
    assert_eq!(own("den", "", "{}").await.ok().json(), serde_json::json!({"data": {}}));
}

//! What fails through no fault of the viewer's, and where a form shows why its act failed.

use std::io;
use std::task::Poll;

use axum::body::{Body, Bytes, to_bytes};
use axum::http::Request;
use futures_util::stream;
use reqwest::Method;
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::support::actor::{send, with};
use crate::support::{Actor, Answer, World, token};

/// The answer to Ben's ban of Dee, with these headers, by a handler that panics.
async fn panicking_ban(world: &World, headers: &[(&str, &str)]) -> Answer {
    // A body that panics while it is read stands for any bug behind the interface.
    let mut read = false;
    let body = stream::poll_fn(move |_| -> Poll<Option<io::Result<Bytes>>> {
        // What is left of a body is read after the answer.
        if std::mem::replace(&mut read, true) { Poll::Ready(None) } else { panic!("the name of a secret") }
    });
    let request = Request::put("/groups/den/bans/dee").header("authorization", format!("Bearer {}", token("ben")));
    let request = request.header("content-type", "application/json").header("accept-language", "de");
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    let response = world.app.router().oneshot(request.body(Body::from_stream(body)).unwrap()).await.unwrap();
    let (parts, body) = response.into_parts();
    let body = String::from_utf8(to_bytes(body, usize::MAX).await.unwrap().to_vec()).unwrap();
    Answer { status: parts.status, headers: parts.headers, body }
}

#[tokio::test]
async fn a_bug_is_told_to_ben_in_the_format_and_the_language_that_he_asked_for() {
    let world = World::new().await;
    let alert = "[role=alert].chat-group-members__error[data-code=ERR_INTERNAL]";
    let htmx = [("accept", "text/html"), ("hx-request", "true")];
    let faces = [&[("accept", "application/json")][..], &[("accept", "text/html")], &htmx];
    let [data, page, fragment] = faces.map(|headers| panicking_ban(&world, headers));
    let (data, page, fragment) = (data.await, page.await, fragment.await);
    for answer in [&data, &page, &fragment] {
        assert_eq!((answer.status.as_u16(), answer.header("content-language")), (500, "de"), "{}", answer.body);
        assert!(!answer.body.contains("secret"), "{}", answer.body);
    }
    assert_eq!(data.header("content-type"), "application/problem+json");
    assert_eq!(data.code(), "ERR_INTERNAL");
    assert!(page.body.starts_with("<!doctype") && page.has(alert), "{}", page.body);
    assert!(!fragment.body.starts_with("<!doctype") && fragment.has(alert), "{}", fragment.body);
    assert_eq!(fragment.header("hx-retarget"), "#cgm-den-error");
    world.ben.ban("dee", json!({})).await.ok();
}

/// An act of htmx with this body.
async fn act(actor: &Actor, path: &str, headers: &[(&str, &str)], body: impl Into<reqwest::Body>) -> Answer {
    let request = with(actor.request(Method::PUT, path), &[("hx-request", "true"), ("accept", "text/html")]);
    send(with(request, headers).body(body)).await
}

#[tokio::test]
async fn every_failure_of_an_act_but_a_missing_group_and_a_bad_token_names_its_error_place() {
    let world = World::new().await;
    let form = ("content-type", "application/x-www-form-urlencoded");
    let ban = "/groups/den/bans/dee?instance=two";
    let failures = [
        (400, act(&world.ben, ban, &[("content-type", "text/plain")], "reason=x").await),
        (413, act(&world.ben, ban, &[form], "x".repeat(70_000)).await),
        (415, act(&world.ben, ban, &[form, ("content-encoding", "gzip")], "reason=x").await),
        (422, act(&world.ben, "/groups/den/bans/a%20b?instance=two", &[form], "").await),
        (422, act(&world.ben, ban, &[form, ("idempotency-key", "a\tkey")], "").await),
        (422, act(&world.ben, &format!("{ban}&part=nothing"), &[form], "").await),
    ];
    for (status, answer) in failures {
        assert_eq!((answer.status.as_u16(), answer.header("hx-retarget")), (status, "#cgm-den-two-error"));
        assert_eq!(answer.header("hx-reswap"), "innerHTML", "{}", answer.body);
        assert!(answer.has("[role=alert].chat-group-members__error"), "{}", answer.body);
    }
    // The script takes these for an answer of somebody else's: it asks for a token, and shows nothing of a group.
    let unsigned = world.ben.anonymous(Method::PUT, ban).header("hx-request", "true");
    for (status, answer) in [(401, send(unsigned).await), (404, act(&world.gus, ban, &[form], "").await)] {
        assert_eq!((answer.status.as_u16(), answer.header("hx-retarget")), (status, ""), "{}", answer.body);
    }
}

/// Has the database refuse such a change (`DELETE`, `INSERT`) of a row of the table that is about Eve.
async fn refuse_of_eve(world: &World, change: &str, table: &str) {
    let row = if change == "DELETE" { "OLD" } else { "NEW" };
    let trigger = format!("CREATE TRIGGER refuse BEFORE {change} ON {table} FOR EACH ROW");
    let sql = if world.app.config().database_url.starts_with("postgres") {
        format!(
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not Eve'; END $$;
             {trigger} WHEN ({row}.uid = 'eve') EXECUTE FUNCTION refuse()"
        )
    } else {
        format!("{trigger} WHEN {row}.uid = 'eve' BEGIN SELECT RAISE(ABORT, 'not Eve'); END")
    };
    world.write_by_hand(&sql).await;
}

/// Has it refuse nothing of the table any more.
async fn allow_again(world: &World, table: &str) {
    let sql = if world.app.config().database_url.starts_with("postgres") {
        format!("DROP TRIGGER refuse ON {table}; DROP FUNCTION refuse()")
    } else {
        "DROP TRIGGER refuse".to_owned()
    };
    world.write_by_hand(&sql).await;
}

#[tokio::test]
async fn an_act_on_several_that_fails_half_way_is_done_to_nobody_and_later_under_the_same_key_to_all() {
    let world = World::new().await;
    let (members, head) = (world.members("den").await, world.head("den").await);
    let mut cy = world.cy.events().await;
    let ask = async |path: &str, key: &str, body: &Value| {
        let request = world.ben.request(Method::POST, path).header("accept", "application/json");
        send(request.header("idempotency-key", key).json(body)).await
    };
    let kick = json!({"act": "kick", "uid": ["dee", "eve"]});
    // Dee is out before it is Eve's turn, and both are before the log is written.
    for (change, table) in [("DELETE", "members"), ("INSERT", "touched")] {
        refuse_of_eve(&world, change, table).await;
        ask("/groups/den/bulk", "k1", &kick).await.refused(503, "ERR_UNAVAILABLE");
        assert_eq!((world.members("den").await, world.head("den").await), (members.clone(), head), "{table}");
        assert_eq!(world.ben.sees().await.len(), members.len(), "{table}");
        allow_again(&world, table).await;
    }
    let done = ask("/groups/den/bulk", "k1", &kick).await.ok().json();
    assert_eq!(done["meta"]["batch"], head + 1, "{done}");
    let others = world.members("den").await;
    assert_eq!(others.len(), members.len() - 2);

    let (undo, all) = (format!("/groups/den/events/{}/undo", head + 1), json!({"batch": true}));
    refuse_of_eve(&world, "INSERT", "members").await;
    ask(&undo, "k2", &all).await.refused(503, "ERR_UNAVAILABLE");
    assert_eq!((world.members("den").await, world.head("den").await), (others, head + 2), "Dee is not back either");
    allow_again(&world, "members").await;
    let undone = ask(&undo, "k2", &all).await.ok().json();
    assert_eq!(world.members("den").await, members);
    assert_eq!(ask("/groups/den/bulk", "k1", &kick).await.ok().json(), done);
    assert_eq!(ask(&undo, "k2", &all).await.ok().json(), undone);

    // Nobody was told of what failed.
    let told = cy.up_to(head + 4).await;
    let events: Vec<(u64, &str)> =
        told.iter().filter(|message| message.id.is_some()).map(|message| (message.seq(), message.name())).collect();
    let (out, back) = ("member_kicked", "member_added");
    assert_eq!(events, [(head + 1, out), (head + 2, out), (head + 3, back), (head + 4, back)]);
}

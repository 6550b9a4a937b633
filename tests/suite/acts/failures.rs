//! What fails through no fault of the viewer's, and where a form shows why its act failed.

use std::io;
use std::task::Poll;

use axum::body::{Body, Bytes, to_bytes};
use axum::http::Request;
use futures_util::stream;
use reqwest::Method;
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
    world.ben.ban("dee", serde_json::json!({})).await.ok();
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

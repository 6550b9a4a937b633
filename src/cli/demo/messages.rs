//! The chat's handlers.

use std::convert::Infallible;

use askama::Template;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use tokio::sync::broadcast::error::RecvError;

use super::chat::{Bubble, ChatEvent, MAX_MESSAGE, muted_until};
use super::host::Demo;
use super::page;
use crate::domain::Uid;
use crate::identity::origin::same_origin;

/// `POST /demo/messages`: the composer, with or without JavaScript.
pub(super) async fn post_message(State(demo): State<Demo>, headers: HeaderMap, body: String) -> Response {
    let Some(viewer) = demo.viewer(&headers).await.filter(|_| same_origin(&Method::POST, &headers, None)) else {
        return (StatusCode::UNAUTHORIZED, "Open the page first.\n").into_response();
    };
    let Some(text) = text(&body) else {
        return (StatusCode::UNPROCESSABLE_ENTITY, format!("A message has 1 to {MAX_MESSAGE} characters.\n"))
            .into_response();
    };
    if let Some(until) = demo.muted_until(&viewer) {
        return (StatusCode::FORBIDDEN, muted_until(until) + "\n").into_response();
    }
    let Some(message) = demo.0.chat.add(&demo.0.group, &viewer, &text, demo.app().clock().now()) else {
        return (StatusCode::FORBIDDEN, "Only members who are not muted write here.\n").into_response();
    };
    if page::navigates(&headers) {
        return page::see_other("/#composer");
    }
    page::html(StatusCode::OK, Bubble::new(&message, &viewer).render())
}

/// The field `text`, without control characters other than line breaks.
fn text(body: &str) -> Option<String> {
    let (_, raw) = form_urlencoded::parse(body.as_bytes()).find(|(name, _)| name == "text")?;
    let plain: String = raw.replace("\r\n", "\n").chars().filter(|c| *c == '\n' || !c.is_control()).collect();
    let text = plain.trim();
    (1..=MAX_MESSAGE).contains(&text.chars().count()).then(|| text.to_owned())
}

/// `GET /demo/messages/events`: the messages after number `after`, or after the last one that this browser received.
pub(super) async fn stream(State(demo): State<Demo>, headers: HeaderMap, RawQuery(query): RawQuery) -> Response {
    let Some(viewer) = demo.viewer(&headers).await else {
        return (StatusCode::UNAUTHORIZED, "Open the page first.\n").into_response();
    };
    let query = query.unwrap_or_default();
    let requested =
        form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "after").map(|(_, value)| value.into_owned());
    let received = headers.get("last-event-id").and_then(|id| id.to_str().ok()).map(str::to_owned);
    let after = received.or(requested).and_then(|number| number.parse().ok()).unwrap_or(u64::MAX);
    let stream = async_stream::stream! {
        let (missed, mut events) = demo.0.chat.since(after);
        for message in missed {
            yield event(&ChatEvent::Message(message), &viewer);
        }
        loop {
            let next = tokio::select! { next = events.recv() => next, () = demo.0.end.cancelled() => return };
            match next {
                // The viewer is no longer a member.
                _ if demo.member(viewer.as_str()).is_none() => return,
                Ok(next) => yield event(&next, &viewer),
                // The reader is too slow; the browser reconnects and requests what it missed.
                Err(RecvError::Lagged(_) | RecvError::Closed) => return,
            }
        }
    };
    ([(header::CACHE_CONTROL, "no-store")], Sse::new(stream).keep_alive(KeepAlive::default())).into_response()
}

fn event(chat_event: &ChatEvent, viewer: &Uid) -> Result<Event, Infallible> {
    Ok(match chat_event {
        ChatEvent::Message(message) => {
            let text = Bubble::new(message, viewer).render().unwrap_or_default();
            Event::default().id(message.number.to_string()).data(text)
        }
        ChatEvent::Caption(caption, is_last) => {
            Event::default().event(if *is_last { "finished" } else { "caption" }).data(*caption)
        }
    })
}

//! "A raid": three hundred accounts come in within seconds and shout, for a moderator to practise on.

use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};

use super::host::{Demo, guid};
use super::page;
use crate::domain::Uid;
use crate::identity::origin::same_origin;
use crate::membership::{self, ActRequest, Actor};

/// The number of people who join.
const RAIDERS: usize = 300;
/// Time between two of them.
const INTERVAL: Duration = Duration::from_millis(10);
/// One in this many people shouts.
const SHOUTS: usize = 10;
/// The view of the person who pressed the button: everybody who joined in the last hour, ready to be selected. The filter shows that, and can
/// be left.
const VIEW: &str = "/?selectionMode=multiple&filter=joined#members";

/// `POST /demo/raid`: begins a raid, unless one is on. Raiders who were banned stay out.
pub(super) async fn start(State(demo): State<Demo>, headers: HeaderMap) -> Response {
    if !same_origin(&Method::POST, &headers, None) {
        return (StatusCode::FORBIDDEN, "The button is on the page.\n").into_response();
    }
    if !demo.0.raid.swap(true, Ordering::AcqRel) {
        tokio::spawn(async move {
            run(&demo).await;
            demo.0.raid.store(false, Ordering::Release);
        });
    }
    page::see_other(VIEW)
}

async fn run(demo: &Demo) {
    for (place, (uid, name)) in raiders().enumerate() {
        tokio::select! {
            () = tokio::time::sleep(INTERVAL) => {}
            () = demo.0.end.cancelled() => return,
        }
        let request = ActRequest::new(guid(), Actor::Viewer(uid.clone()));
        let joined = membership::join(demo.app().store(), request, uid.clone(), Some(name), None, None).await;
        if let Ok(outcome) = joined
            && place % SHOUTS == 0
            && demo.app().hub().catch_up_to(&demo.0.group, outcome.seq).await.is_ok()
        {
            demo.0.chat.add(&demo.0.group, &uid, "FREE BOATS!!! FREE BOATS FOR EVERYBODY!!!", demo.app().clock().now());
        }
    }
}

/// Uids and names, different from all others.
fn raiders() -> impl Iterator<Item = (Uid, String)> {
    (1..=RAIDERS).map(|n| {
        (format!("raid-{n:03}").parse().expect("a uid of letters, digits and a hyphen"), format!("Free Boats {n:03}"))
    })
}

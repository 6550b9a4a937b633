//! "Make things happen": a play of about twenty seconds in which the people of the demo do to each
//! other what members do, through the same verbs as everybody; and the little that always happens.

use std::collections::VecDeque;
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};

use super::host::{Demo, guid, looks_away, uid};
use super::{page, people};
use crate::domain::{Act, BanTerms, Name, Scope, Uid};
use crate::identity::origin::same_origin;
use crate::membership::{self, ActError, Actor, Request};

/// How many come aboard at once, and how many milliseconds apart.
const PASSENGERS: (usize, u64) = (30, 50);
/// How long the play's ban lasts, in milliseconds.
const BAN: i64 = 10_000;
/// Between two small signs of life.
const BREATH: Duration = Duration::from_millis(3500);
/// Those whom a play moves, to be put back after it.
const MOVED: [&str; 5] = ["eve", "dee", "tomas", "junichi", "zed"];

/// One thing that happens. Names are uids.
enum Beat {
    Tell(&'static str),
    Say(&'static str, &'static str),
    Come(&'static str),
    Go(&'static str),
    Join(&'static str, &'static str),
    Leave(&'static str),
    Kick(&'static str, &'static str),
    Ban(&'static str, &'static str, &'static str),
    Scope(&'static str, &'static str, Scope),
    Rename(&'static str, &'static str),
    Board,
    GoAshore,
    PutBack,
}

use Beat::*;

/// What happens, and how many milliseconds pass before each.
const PLAY: [(u64, Beat); 39] = [
    (0, Tell("A newcomer arrives")),
    (500, Join("ines", "Inès Laurent")),
    (400, Come("ines")),
    (600, Say("ines", "Hello! Is this where one asks about a berth for the night?")),
    (800, Say("ada", "It is. Welcome, Inès! Berth 7 is free.")),
    (300, Tell("Some come, some look away")),
    (400, Come("tomas")),
    (300, Come("noor")),
    (300, Go("theodora")),
    (400, Come("crew-004")),
    (300, Go("crew-001")),
    (500, Tell("Eve is promoted")),
    (600, Scope("ben", "eve", Scope::Moderator)),
    (700, Say("eve", "Thank you! I will keep an eye on the market today.")),
    (500, Tell("Someone changes his name")),
    (600, Rename("tomas", "Tomás Herrera ⚓")),
    (600, Tell("Someone is banned for ten seconds")),
    (500, Say("zed", "GENUINE ANTIQUE ANCHORS, HALF PRICE, TODAY ONLY")),
    (800, Ban("cy", "zed", "Anchors again. Ten seconds to think about it.")),
    (500, Tell("The ferry is in: thirty people at once")),
    (500, Board),
    (400, Say("mariana", "The ferry is early, and full!")),
    (600, Join("bot", "Free Boats 4 U")),
    (500, Say("bot", "FREE BOATS!! just send your harbour password")),
    (300, Tell("A spammer is put out")),
    (700, Kick("eve", "bot")),
    (600, Tell("Someone leaves")),
    (500, Leave("junichi")),
    (400, Go("tomas")),
    (300, Tell("The ferry sails again")),
    (500, GoAshore),
    (500, Say("ines", "Thank you all, off to the lighthouse!")),
    (700, Leave("ines")),
    (500, Tell("And the ban has run out by itself")),
    (600, Scope("ben", "eve", Scope::Participant)),
    (400, Come("theodora")),
    (300, Go("noor")),
    (500, Tell("Everything goes back to where it was")),
    (500, PutBack),
];

/// `POST /demo/stage`: begins the play, unless one is on.
pub(super) async fn begin(State(demo): State<Demo>, headers: HeaderMap) -> Response {
    if !same_origin(&Method::POST, &headers, None) {
        return (StatusCode::FORBIDDEN, "The button is on the page.\n").into_response();
    }
    let begun = demo.0.stage.claim();
    if begun {
        tokio::spawn(play(demo));
    }
    match (page::navigates(&headers), begun) {
        (true, _) => page::see("/"),
        (false, true) => (StatusCode::ACCEPTED, "Curtain up").into_response(),
        (false, false) => "The play is on already; it takes twenty seconds".into_response(),
    }
}

async fn play(demo: Demo) {
    for (pause, beat) in &PLAY {
        tokio::select! {
            () = tokio::time::sleep(Duration::from_millis(*pause)) => {}
            () = demo.0.end.cancelled() => return,
        }
        // Visitors play too: whoever is out or has another scope by now cannot do his part.
        tried(happen(&demo, beat).await);
    }
    *demo.0.stage.now() = None;
    demo.0.chat.tell("Everything is where it was", true);
}

fn tried<T>(done: Result<T, ActError>) {
    if let Err(error) = done {
        tracing::debug!(%error, "a part of the play was left out");
    }
}

async fn happen(demo: &Demo, beat: &Beat) -> Result<(), ActError> {
    let (store, hub, now) = (demo.app().store(), demo.app().hub(), demo.app().clock().now());
    match *beat {
        Tell(line) => {
            *demo.0.stage.now() = Some(line);
            demo.0.chat.tell(line, false);
        }
        Say(who, text) => {
            demo.0.chat.add(&demo.0.group, &uid(who), text, now);
        }
        Come(who) => hub.host_says(&uid(who), true),
        Go(who) => hub.host_says(&uid(who), false),
        Join(who, name) => join(demo, uid(who), name.into()).await?,
        Leave(who) => {
            membership::act(store, by(who), uid(who), Act::Leave).await?;
        }
        Kick(who, whom) => {
            membership::act(store, by(who), uid(whom), Act::Kick).await?;
        }
        Ban(who, whom, reason) => {
            let terms = BanTerms { reason: Some(reason.into()), until: Some(now + BAN) };
            membership::act(store, by(who), uid(whom), Act::Ban(terms)).await?;
        }
        Scope(who, whom, scope) => {
            membership::act(store, by(who), uid(whom), Act::SetScope(scope)).await?;
        }
        Rename(who, name) => {
            membership::put_user(store, uid(who), Name::parse(name).ok(), None).await?;
        }
        Board => board(demo).await,
        GoAshore => go_ashore(demo).await,
        PutBack => put_back(demo, now / 1000).await?,
    }
    Ok(())
}

async fn board(demo: &Demo) {
    for (place, (guest, name)) in people::passengers(PASSENGERS.0).enumerate() {
        tokio::time::sleep(Duration::from_millis(PASSENGERS.1)).await;
        tried(join(demo, guest.clone(), name).await);
        if place % 3 == 0 {
            demo.app().hub().host_says(&guest, true);
        }
    }
}

async fn go_ashore(demo: &Demo) {
    for (guest, _) in people::passengers(PASSENGERS.0).filter(|(guest, _)| demo.member(guest.as_str()).is_some()) {
        tokio::time::sleep(Duration::from_millis(PASSENGERS.1)).await;
        demo.app().hub().host_says(&guest, false);
        tried(membership::act(demo.app().store(), by(guest.as_str()), guest, Act::Leave).await);
    }
}

async fn join(demo: &Demo, who: Uid, name: String) -> Result<(), ActError> {
    let request = by(who.as_str());
    membership::join(demo.app().store(), request, who, Some(name), None, None).await.map(drop)
}

/// Those whom the play moved get their names, scopes and dates again, in one event, as a host
/// that is in step with its own data would do it. Whoever a visitor banned stays out.
async fn put_back(demo: &Demo, now: i64) -> Result<(), ActError> {
    let (group, owner) = {
        let state = demo.0.group.state();
        (state.roster().group().clone(), state.roster().owner().map(|owner| owner.uid().to_owned()))
    };
    let guests = people::passengers(PASSENGERS.0).map(|(guest, _)| guest).chain(["ines", "bot"].map(uid));
    for guest in guests.filter(|guest| demo.member(guest.as_str()).is_some()) {
        let request = Request { guid: guid(), actor: Actor::Host, key: None };
        tried(membership::act(demo.app().store(), request, guest, Act::Kick).await);
    }
    // A visitor may have handed the group to one of them; there is one owner, always.
    let moved = MOVED.into_iter().filter(|who| owner.as_deref() != Some(who));
    let rows: Vec<_> = moved.filter_map(|who| people::as_seeded(who, now)).collect();
    membership::sync(demo.app().store(), group, None, rows.into_iter().map(Ok)).await.map(drop)
}

/// Something this person does.
fn by(who: &str) -> Request {
    Request { guid: guid(), actor: Actor::Viewer(uid(who)), key: None }
}

/// Every few seconds somebody looks away or comes back, until the demo ends.
pub(super) fn live_forever(demo: Demo) {
    let (mut here, mut away) = (VecDeque::new(), VecDeque::new());
    for (place, uid) in people::present(&demo.0.stage.uids).enumerate() {
        if looks_away(place) { away.push_back(uid.clone()) } else { here.push_back(uid.clone()) }
    }
    tokio::spawn(async move {
        let mut tick = tokio::time::interval(BREATH);
        for turn in 0u64.. {
            tokio::select! { _ = tick.tick() => {}, () = demo.0.end.cancelled() => return }
            let comes = turn.is_multiple_of(2);
            let (from, to) = if comes { (&mut away, &mut here) } else { (&mut here, &mut away) };
            if let Some(uid) = from.pop_front() {
                demo.app().hub().host_says(&uid, comes);
                to.push_back(uid);
            }
        }
    });
}

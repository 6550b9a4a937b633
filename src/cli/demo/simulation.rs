//! "Make things happen": a simulation of about twenty seconds in which the people of the demo join, leave, kick and ban
//! through the same verbs as everybody; and the changes of presence that go on all the time.

use std::collections::VecDeque;
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};

use super::host::{Demo, guid, is_away, uid};
use super::{page, people};
use crate::domain::{Act, Name, Scope, Terms, Uid};
use crate::identity::origin::same_origin;
use crate::membership::{self, ActError, ActRequest, Actor};

/// Number of passengers who join together.
const PASSENGERS: usize = 30;
/// Time between two of them.
const PASSENGER_INTERVAL: Duration = Duration::from_millis(50);
/// Length of the simulated ban, in milliseconds.
const BAN_LENGTH: i64 = 10_000;
/// Time between two changes of presence outside the simulation.
const PRESENCE_INTERVAL: Duration = Duration::from_millis(3500);
/// Members whom a simulation changes. They are reset at its end.
const CHANGED: [&str; 5] = ["eve", "dee", "tomas", "junichi", "zed"];

/// One step of the simulation. People are named by uid.
enum SimulationStep {
    Caption(&'static str),
    Say(&'static str, &'static str),
    GoOnline(&'static str),
    GoOffline(&'static str),
    Join(&'static str, &'static str),
    Leave(&'static str),
    Kick(&'static str, &'static str),
    Ban(&'static str, &'static str, &'static str),
    Scope(&'static str, &'static str, Scope),
    Rename(&'static str, &'static str),
    PassengersJoin,
    PassengersLeave,
    Reset,
}

use SimulationStep::*;

/// The steps, each with the milliseconds before it.
const STEPS: [(u64, SimulationStep); 39] = [
    (0, Caption("A newcomer arrives")),
    (500, Join("ines", "Inès Laurent")),
    (400, GoOnline("ines")),
    (600, Say("ines", "Hello! Is this where one asks about a berth for the night?")),
    (800, Say("ada", "It is. Welcome, Inès! Berth 7 is free.")),
    (300, Caption("Some come, some look away")),
    (400, GoOnline("tomas")),
    (300, GoOnline("noor")),
    (300, GoOffline("theodora")),
    (400, GoOnline("crew-004")),
    (300, GoOffline("crew-001")),
    (500, Caption("Eve is promoted")),
    (600, Scope("ben", "eve", Scope::Moderator)),
    (700, Say("eve", "Thank you! I will keep an eye on the market today.")),
    (500, Caption("Someone changes his name")),
    (600, Rename("tomas", "Tomás Herrera ⚓")),
    (600, Caption("Someone is banned for ten seconds")),
    (500, Say("zed", "GENUINE ANTIQUE ANCHORS, HALF PRICE, TODAY ONLY")),
    (800, Ban("cy", "zed", "Anchors again. Ten seconds to think about it.")),
    (500, Caption("The ferry is in: thirty people at once")),
    (500, PassengersJoin),
    (400, Say("mariana", "The ferry is early, and full!")),
    (600, Join("bot", "Free Boats 4 U")),
    (500, Say("bot", "FREE BOATS!! just send your harbour password")),
    (300, Caption("A spammer is put out")),
    (700, Kick("eve", "bot")),
    (600, Caption("Someone leaves")),
    (500, Leave("junichi")),
    (400, GoOffline("tomas")),
    (300, Caption("The ferry sails again")),
    (500, PassengersLeave),
    (500, Say("ines", "Thank you all, off to the lighthouse!")),
    (700, Leave("ines")),
    (500, Caption("And the ban has run out by itself")),
    (600, Scope("ben", "eve", Scope::Participant)),
    (400, GoOnline("theodora")),
    (300, GoOffline("noor")),
    (500, Caption("Everything goes back to where it was")),
    (500, Reset),
];

/// `POST /demo/simulation`: starts the simulation, unless it runs.
pub(super) async fn start(State(demo): State<Demo>, headers: HeaderMap) -> Response {
    if !same_origin(&Method::POST, &headers, None) {
        return (StatusCode::FORBIDDEN, "The button is on the page.\n").into_response();
    }
    let started = demo.0.simulation.try_start();
    if started {
        tokio::spawn(run(demo));
    }
    match (page::navigates(&headers), started) {
        (true, _) => page::see_other("/"),
        (false, true) => (StatusCode::ACCEPTED, "Curtain up").into_response(),
        (false, false) => "The play is on already; it takes twenty seconds".into_response(),
    }
}

async fn run(demo: Demo) {
    for (pause, step) in &STEPS {
        tokio::select! {
            () = tokio::time::sleep(Duration::from_millis(*pause)) => {}
            () = demo.0.end.cancelled() => return,
        }
        // A step fails when a visitor has removed its actor or changed their scope meanwhile.
        skip_failure(perform(&demo, step).await);
    }
    demo.0.simulation.set_caption(None);
    demo.0.chat.caption("Everything is where it was", true);
}

fn skip_failure<T>(done: Result<T, ActError>) {
    if let Err(error) = done {
        tracing::debug!(%error, "skipped a step of the simulation");
    }
}

async fn perform(demo: &Demo, step: &SimulationStep) -> Result<(), ActError> {
    let (store, hub, now) = (demo.app().store(), demo.app().hub(), demo.app().clock().now());
    match *step {
        Caption(caption) => {
            demo.0.simulation.set_caption(Some(caption));
            demo.0.chat.caption(caption, false);
        }
        Say(who, text) => {
            demo.0.chat.add(&demo.0.group, &uid(who), text, now);
        }
        GoOnline(who) => hub.set_host_presence(&uid(who), true),
        GoOffline(who) => hub.set_host_presence(&uid(who), false),
        Join(who, name) => join(demo, uid(who), name.into()).await?,
        Leave(who) => {
            membership::act(store, by(who), uid(who), Act::Leave).await?;
        }
        Kick(who, whom) => {
            membership::act(store, by(who), uid(whom), Act::Kick { message: None }).await?;
        }
        Ban(who, whom, reason) => {
            let terms = Terms { reason: Some(reason.into()), message: None, until: Some(now + BAN_LENGTH) };
            membership::act(store, by(who), uid(whom), Act::Ban(terms)).await?;
        }
        Scope(who, whom, scope) => {
            membership::act(store, by(who), uid(whom), Act::SetScope(scope.into())).await?;
        }
        Rename(who, name) => {
            membership::put_user(store, uid(who), Name::parse(name).ok(), None).await?;
        }
        PassengersJoin => passengers_join(demo).await,
        PassengersLeave => passengers_leave(demo).await,
        Reset => reset(demo, now / 1000).await?,
    }
    Ok(())
}

async fn passengers_join(demo: &Demo) {
    for (place, (guest, name)) in people::passengers(PASSENGERS).enumerate() {
        tokio::time::sleep(PASSENGER_INTERVAL).await;
        skip_failure(join(demo, guest.clone(), name).await);
        if place % 3 == 0 {
            demo.app().hub().set_host_presence(&guest, true);
        }
    }
}

async fn passengers_leave(demo: &Demo) {
    for (guest, _) in people::passengers(PASSENGERS).filter(|(guest, _)| demo.member(guest.as_str()).is_some()) {
        tokio::time::sleep(PASSENGER_INTERVAL).await;
        demo.app().hub().set_host_presence(&guest, false);
        skip_failure(membership::act(demo.app().store(), by(guest.as_str()), guest, Act::Leave).await);
    }
}

async fn join(demo: &Demo, who: Uid, name: String) -> Result<(), ActError> {
    let request = by(who.as_str());
    membership::join(demo.app().store(), request, who, Some(name), None, None).await.map(drop)
}

/// Resets the changed members' names, scopes and dates in one event, as a host syncs its own data. People whom a visitor
/// has banned stay out.
async fn reset(demo: &Demo, now: i64) -> Result<(), ActError> {
    let (group, owner) = {
        let state = demo.0.group.state();
        (state.roster().group().clone(), state.roster().owner().map(|owner| owner.uid().to_owned()))
    };
    let guests = people::passengers(PASSENGERS).map(|(guest, _)| guest).chain(["ines", "bot"].map(uid));
    for guest in guests.filter(|guest| demo.member(guest.as_str()).is_some()) {
        let request = ActRequest::new(guid(), Actor::Host);
        skip_failure(membership::act(demo.app().store(), request, guest, Act::Kick { message: None }).await);
    }
    // A visitor may have made one of them the owner, whose scope cannot be reset.
    let changed = CHANGED.into_iter().filter(|who| owner.as_deref() != Some(who));
    let rows: Vec<_> = changed.filter_map(|who| people::as_seeded(who, now)).collect();
    membership::sync(demo.app().store(), group, None, false, rows.into_iter().map(Ok)).await.map(drop)
}

/// A request of this person.
fn by(who: &str) -> ActRequest {
    ActRequest::new(guid(), Actor::Viewer(uid(who)))
}

/// Lets somebody go offline or online every few seconds, until the demo ends.
pub(super) fn simulate_presence(demo: Demo) {
    let (mut online, mut away) = (VecDeque::new(), VecDeque::new());
    for (place, uid) in people::online_at_start(&demo.0.simulation.uids).enumerate() {
        if is_away(place) { away.push_back(uid.clone()) } else { online.push_back(uid.clone()) }
    }
    tokio::spawn(async move {
        let mut tick = tokio::time::interval(PRESENCE_INTERVAL);
        for turn in 0u64.. {
            tokio::select! { _ = tick.tick() => {}, () = demo.0.end.cancelled() => return }
            let comes_online = turn.is_multiple_of(2);
            let (from, to) = if comes_online { (&mut away, &mut online) } else { (&mut online, &mut away) };
            if let Some(uid) = from.pop_front() {
                demo.app().hub().set_host_presence(&uid, comes_online);
                to.push_back(uid);
            }
        }
    });
}

//! What is delivered again, where it is more than is moved back at a time.

use chat_group_members::domain::{GroupType, Scope};
use chat_group_members::store::{Decision, StoreError};
use reqwest::Method;
use serde_json::{Value, json};

use super::receiver::Receiver;
use super::{KEY, operate, state, world_sending_to};
use crate::support::actor::{send, with};
use crate::support::{Answer, World, eventually};

/// Groups beside those of the cast; `vault` comes after them.
const GROUPS: usize = 120;

/// Before everything.
const FROM: &str = "2020-01-01T00:00:00Z";

/// The cast, and many groups of Ada's, which were all told of.
async fn world_of_many_groups(receiver: &Receiver) -> World {
    let world = world_sending_to(receiver).await;
    for number in 0..GROUPS {
        world.seed(&group(number), GroupType::Public, [("ada", "Ada Lovelace", Scope::Owner)]).await;
    }
    eventually("all is told", || async { state(&world).await["backlog"] == 0 }).await;
    world
}

fn group(number: usize) -> String {
    format!("g{number:03}")
}

/// The numbers of a group's events, in the order of every arrival.
fn arrivals(receiver: &Receiver, guid: &str) -> Vec<u64> {
    let data = receiver.calls().into_iter().map(|call| call.data());
    data.filter(|data| data["group"]["guid"] == guid).map(|data| data["seq"].as_u64().unwrap()).collect()
}

/// As many events, one after the other, and all of them again.
fn twice(head: u64) -> Vec<u64> {
    (1..=head).chain(1..=head).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replay_of_many_groups_says_how_many_events_come_again_and_each_group_s_come_in_order() {
    let receiver = Receiver::new().await;
    let world = world_of_many_groups(&receiver).await;
    let appended: Result<(), StoreError> = world
        .app
        .store()
        .write(None, |tx| {
            Box::pin(async move {
                tx.append_outbox("user.deleted", None, &json!({})).await?;
                Ok(Decision::Commit(()))
            })
        })
        .await;
    appended.unwrap();
    let guids: Vec<String> =
        ["den", "park", "vault"].into_iter().map(str::to_owned).chain((0..GROUPS).map(group)).collect();
    let mut heads = Vec::new();
    for guid in &guids {
        heads.push(world.head(guid).await);
    }
    let events = heads.iter().sum::<u64>() + 1;
    receiver.has(events as usize).await;
    eventually("all is written", || async { state(&world).await["backlog"] == 0 }).await;
    assert_eq!(operate(&world, "replay", json!({"from": FROM})).await, json!({"events": events}));
    receiver.has(2 * events as usize).await;
    for (guid, head) in guids.iter().zip(heads) {
        assert_eq!(arrivals(&receiver, guid), twice(head), "{guid}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replay_that_fails_half_way_has_begun_and_goes_on_when_it_is_asked_for_again() {
    let receiver = Receiver::new().await;
    let world = world_of_many_groups(&receiver).await;
    let id = state(&world).await["id"].as_str().unwrap().to_owned();
    refuse_the_vault(&world).await;
    assert_eq!(replay_once(&world, &id).await.status, 503);
    let first = group(0);
    let head = world.head(&first).await;
    eventually("the first groups come again", || async { arrivals(&receiver, &first) == twice(head) }).await;
    let head = world.head("vault").await;
    assert_eq!(arrivals(&receiver, "vault").len() as u64, head, "not those where it failed");

    refuse_nothing(&world).await;
    let done = replay_once(&world, &id).await.ok().json();
    assert!(done["data"]["events"].as_u64().unwrap() >= head, "{done}");
    eventually("the rest comes again", || async { arrivals(&receiver, "vault") == twice(head) }).await;
    assert_eq!(replay_once(&world, &id).await.ok().json()["data"], json!({"events": 0}), "it is done");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_given_up_is_dead_until_a_replay_delivers_it_again() {
    let receiver = Receiver::new().await;
    let world = world_sending_to(&receiver).await;
    receiver.answers_with(500);
    let mut moments = Vec::new();
    for (actor, uid) in [(&world.cy, "dee"), (&world.ben, "eve")] {
        moments.push(moment(&world));
        actor.kick(uid).await.ok();
    }
    eventually("the first kick fails", || async { state(&world).await["failing"] == 1 }).await;
    world.clock.advance(3 * 24 * 3_600_000 + 1);
    receiver.answers_with(200);
    moments.push(moment(&world));
    world.ada.set_scope("cy", "participant").await.ok();
    receiver.has_event("den", world.head("den").await).await;
    eventually("both kicks are given up", || async { state(&world).await["dead"] == 2 }).await;
    // From the change of scope on, which was delivered; from the second kick on; and from the first.
    for (from, dead) in moments.iter().rev().zip([2, 1, 0]) {
        operate(&world, "replay", json!({"from": from})).await;
        assert_eq!(state(&world).await["dead"], dead, "since {from}");
        eventually("it is delivered again", || async { state(&world).await["backlog"] == 0 }).await;
    }
    assert_eq!(state(&world).await["dead"], 0);
}

/// A moment that is later than everything before.
fn moment(world: &World) -> String {
    world.clock.advance(1_000);
    jiff::Timestamp::from_millisecond(world.clock.now()).unwrap().to_string()
}

/// Asks for it under one key.
async fn replay_once(world: &World, id: &str) -> Answer {
    let request = world.ada.anonymous(Method::POST, &format!("/v3/webhooks/{id}/replay"));
    let request = with(request, &[("apikey", KEY), ("idempotency-key", "replayed-once")]);
    let from: Value = json!({"from": FROM});
    send(request.json(&from)).await
}

fn is_shared(world: &World) -> bool {
    world.app.config().database_url.starts_with("postgres")
}

/// From now on the position in `vault` cannot be moved back.
async fn refuse_the_vault(world: &World) {
    let sql = if is_shared(world) {
        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
         CREATE TRIGGER refuse BEFORE UPDATE OF replay_at ON webhook_positions
           FOR EACH ROW WHEN (NEW.lane = 'vault') EXECUTE FUNCTION refuse()"
    } else {
        "CREATE TRIGGER refuse BEFORE UPDATE OF replay_at ON webhook_positions WHEN NEW.lane = 'vault'
         BEGIN SELECT RAISE(ABORT, 'refused'); END"
    };
    world.write_by_hand(sql).await;
}

async fn refuse_nothing(world: &World) {
    let sql = if is_shared(world) { "DROP TRIGGER refuse ON webhook_positions" } else { "DROP TRIGGER refuse" };
    world.write_by_hand(sql).await;
}

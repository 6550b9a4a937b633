//! A group that was deleted and made again under the same guid: its viewers learn nothing of the time before.

use chat_group_members::config::Secret;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::actor::{send, with};
use crate::support::sse::Message;
use crate::support::{Answer, World};
use crate::v3::KEY;

/// Whatever would tell of the time before.
const TELLTALES: [&str; 5] = ["OLDREASON", "member_banned", "member-banned", "member_muted", "member-muted"];

/// A world in which Ada's private club, of which Eve was none, was deleted and is Eve's public one now; with the number of
/// the last event of its earlier life.
async fn world() -> (World, u64) {
    let world = World::with(|config| config.api_keys = vec![Secret::new(KEY)]).await;
    let club = json!({
        "guid": "club", "name": "Club", "type": "private", "owner": "ada",
        "members": {"moderators": ["cy"], "participants": ["dee"]},
    });
    host(&world, Method::POST, "/v3/groups", &[], Some(club)).await.ok();
    // A stream has the club in the node's memory.
    let mut stream = world.cy.raw("/groups/club/events?format=json", &[]).await;
    stream.until("ready", |message| message.name() == "ready").await;
    world.ada.act(Method::PUT, "/groups/club/mutes/cy", json!({"reason": "OLDREASON", "until": 3600})).await.ok();
    world.ada.act(Method::PUT, "/groups/club/bans/dee", json!({"reason": "OLDREASON"})).await.ok();
    host(&world, Method::DELETE, "/v3/groups/club", &[], None).await.ok();
    let end = world.head("club").await;
    let again = json!({"guid": "club", "name": "Club", "type": "public"});
    host(&world, Method::POST, "/v3/groups", &[("onBehalfOf", "eve")], Some(again)).await.ok();
    (world, end)
}

/// The host asks.
async fn host(world: &World, method: Method, path: &str, headers: &[(&str, &str)], body: Option<Value>) -> Answer {
    let request = with(with(world.ada.anonymous(method, path), &[("apikey", KEY)]), headers);
    let request = if let Some(body) = body { request.json(&body) } else { request };
    send(request).await
}

/// The epoch of the log.
async fn epoch(world: &World) -> String {
    let list = world.eve.data("/groups/club/members").await.ok().json();
    list["meta"]["id"].as_str().unwrap().rsplit_once('.').unwrap().0.to_owned()
}

#[track_caller]
fn tells_nothing(text: &str) {
    for telltale in TELLTALES {
        assert!(!text.contains(telltale), "{telltale}: {text}");
    }
}

fn names(messages: &[Message]) -> Vec<&str> {
    messages.iter().map(Message::name).collect()
}

#[tokio::test]
async fn an_id_of_the_time_before_is_answered_with_a_resync_and_no_event() {
    let (world, end) = world().await;
    let (epoch, head) = (epoch(&world).await, world.head("club").await);
    let mut streams = Vec::new();
    for seq in [1, end - 1] {
        let id = format!("{epoch}.{seq}");
        let by_query = world.eve.raw(&format!("/groups/club/events?format=json&lastEventId={id}"), &[]).await;
        let by_header = world.eve.raw("/groups/club/events?format=json", &[("Last-Event-ID", &id)]).await;
        streams.extend([by_query, by_header]);
        let mut screen = world.eve.raw("/groups/club/events", &[("Last-Event-ID", &id)]).await;
        tells_nothing(&format!("{:?}", screen.next().await.unwrap()));
    }
    world.gus.act(Method::POST, "/groups/club/members", json!({})).await.ok();
    for stream in &mut streams {
        let messages = stream.up_to(head + 1).await;
        let events: Vec<_> = names(&messages).into_iter().filter(|name| *name != "presence").collect();
        assert_eq!(events, ["ready", "resync", "member_joined"], "{messages:?}");
        tells_nothing(&format!("{messages:?}"));
    }
}

#[tokio::test]
async fn whoever_heard_of_the_end_goes_on_with_the_beginning_of_the_new_life() {
    let (world, end) = world().await;
    let (id, head) = (format!("{}.{end}", epoch(&world).await), world.head("club").await);
    // The second is answered from what the first had read.
    for _ in 0..2 {
        let mut stream = world.eve.raw("/groups/club/events?format=json", &[("Last-Event-ID", &id)]).await;
        let messages = stream.up_to(head).await;
        assert_eq!(names(&messages)[..2], ["ready", "group_created"], "{messages:?}");
        assert_eq!(messages[1].seq(), end + 1);
        tells_nothing(&format!("{messages:?}"));
    }
}

#[tokio::test]
async fn the_feed_begins_with_the_new_life_and_the_host_reads_the_whole_log() {
    let (world, end) = world().await;
    let feed = world.eve.get("/groups/club/members?format=atom").await.ok();
    assert_eq!(feed.body.matches("<entry>").count() as u64, world.head("club").await - end, "{}", feed.body);
    assert!(feed.body.contains("The group was created"), "{}", feed.body);
    for name in ["Dee Dee", "Cy Marlowe", "Ada Lovelace"] {
        assert!(!feed.body.contains(name), "{name}: {}", feed.body);
    }
    let log = host(&world, Method::GET, "/v3/groups/club/events", &[], None).await.ok();
    assert!(log.body.contains("OLDREASON"), "{}", log.body);
    assert_eq!(log.json()["data"].as_array().unwrap().len() as u64, world.head("club").await);
}

#[tokio::test]
async fn the_new_owner_undoes_nothing_of_the_time_before_and_learns_nobodys_name_by_asking() {
    let (world, end) = world().await;
    for seq in 1..=end {
        let undo = world.eve.act(Method::POST, &format!("/groups/club/events/{seq}/undo"), json!({})).await;
        assert_eq!((undo.status.as_u16(), &*undo.code()), (404, "ERR_EVENT_NOT_FOUND"), "{seq}: {}", undo.body);
    }
    for path in ["/groups/club/members/dee/notes", "/groups/club/members?done=ban&uid=dee"] {
        let page = world.eve.page(path).await.ok();
        assert!(!page.body.contains("Dee Dee"), "{path}: {}", page.body);
    }
}

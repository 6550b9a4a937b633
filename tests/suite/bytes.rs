//! What travels: the bytes of a first list, of a row, and of the two commonest messages, to the byte, for a group of
//! the people that are measured with. Whoever changes markup sees here what it costs.

use chat_group_members::domain::{GroupType, Scope};
use chat_group_members::store::SyncRow;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::actor::with;
use crate::support::sse::Message;
use crate::support::{Actor, Answer, World, fragment, row, texts};

#[path = "../../benches/load/people.rs"]
#[expect(dead_code, reason = "benchmarks use more of it")]
mod people;

const GUID: &str = "big";
/// How many are in the group: the first is the owner, then come admins.
const MEMBERS: usize = 1_000;
const ADMINS: usize = 4;

/// Bytes of a first list of 30 people, pictures apart.
const FIRST_LIST: usize = 16_645;
/// Most bytes of it as browsers get it, which the number of the epoch moves by a few.
const FIRST_LIST_SENT: usize = 3_000;
/// Bytes of its largest row beyond the facts.
const LARGEST_ROW: usize = 358;
/// Bytes of the message about somebody's new scope.
const SCOPE_CHANGED: usize = 840;
/// Bytes of the message about somebody's new status, be it the viewer's own.
const STATUS_CHANGED: usize = 179;

async fn world() -> (World, Actor) {
    let world = World::empty(|_| ()).await;
    let scope = |number| match number {
        0 => Scope::Owner,
        1..=ADMINS => Scope::Admin,
        _ => Scope::Participant,
    };
    let member = |number| SyncRow {
        joined_at: Some(people::joined_at(number)),
        ..row(&people::uid(number), &people::name(number), scope(number), None)
    };
    world.sync(GUID, GroupType::Private, (0..MEMBERS).map(member).collect()).await;
    let admin = world.actor(&people::uid(1));
    (world, admin)
}

/// The rows of an answer as they travel, each without its line end.
fn rows(answer: &Answer) -> Vec<&str> {
    let ends = |start: usize| start + answer.body[start..].find("</li>").unwrap() + "</li>".len();
    let starts = answer.body.match_indices("<li").map(|(at, _)| at);
    let items = starts.map(|start| &answer.body[start..ends(start)]);
    items.filter(|item| item.contains(" data-uid=")).collect()
}

/// What a row takes beyond the person's uid, name, place and picture, each counted once.
fn beyond_facts(row: &str) -> usize {
    let html = fragment(row);
    let facts = [
        ("li", Some("data-uid")),
        ("li", Some("data-order")),
        (".chat-group-members__name", None),
        ("img", Some("src")),
    ];
    row.len()
        - facts
            .iter()
            .flat_map(|(selector, attribute)| texts(&html, selector, *attribute))
            .map(|fact| fact.len())
            .sum::<usize>()
}

#[tokio::test]
async fn a_first_list_and_its_rows_have_these_bytes() {
    let (_world, admin) = world().await;
    let list = admin.get(&format!("/groups/{GUID}/members?lang=en-US")).await.ok();
    assert_eq!(list.uids().len(), 30);
    let largest = rows(&list).into_iter().max_by_key(|row| beyond_facts(row)).unwrap();
    let bytes = (list.body.len(), beyond_facts(largest));
    assert_eq!(bytes, (FIRST_LIST, LARGEST_ROW), "{largest}");
}

#[tokio::test]
async fn a_first_list_is_sent_in_these_bytes_whether_it_is_kept_or_not() {
    let (_world, admin) = world().await;
    for round in 1..=3 {
        let path = format!("/groups/{GUID}/members?lang=en-US");
        let request = with(admin.request(Method::GET, &path), &[("accept-encoding", "br, gzip")]);
        let answer = request.send().await.unwrap();
        assert_eq!(answer.headers()["content-encoding"], "br");
        let size = answer.bytes().await.unwrap().len();
        assert!(size <= FIRST_LIST_SENT, "{size} bytes in round {round}");
    }
}

#[tokio::test]
async fn a_changed_scope_is_a_message_of_these_bytes() {
    let (world, admin) = world().await;
    let mut stream = admin.raw(&format!("/groups/{GUID}/events?lang=en-US"), &[]).await;
    let participant = people::uid(7);
    let owner = world.actor(&people::uid(0));
    let path = format!("/groups/{GUID}/members/{participant}/scope");
    owner.act(Method::PUT, &path, json!({"scope": "moderator"})).await.ok();
    let message = stream.until("the row", |message| message.shows(&participant)).await;
    let at = serde_json::from_str::<Value>(&message.attribute("[data-note=event]", "data-detail").unwrap()).unwrap();
    // A time that ends in zeros is shorter.
    let spared = "2026-11-23T09:00:00.123Z".len() - at["at"].as_str().unwrap().len();
    assert_eq!(message.size() + spared, SCOPE_CHANGED, "{message:?}");
}

#[tokio::test]
async fn a_changed_status_is_a_message_of_these_bytes() {
    let (world, admin) = world().await;
    let path = format!("/groups/{GUID}/events?lang=en-US");
    let own = admin.raw(&path, &[]).await.until("the own status", |message| tells_status(message, &admin.uid)).await;
    let mut stream = admin.raw(&path, &[]).await;
    let other = world.actor(&people::uid(7));
    let _watching = other.raw(&path, &[]).await;
    let message = stream.until("a status", |message| tells_status(message, &other.uid)).await;
    assert_eq!((own.size(), message.size()), (STATUS_CHANGED, STATUS_CHANGED), "{own:?} {message:?}");
}

/// Whether a message says how somebody's status is now, be it by their row or by a word; not to a stream that begins.
fn tells_status(message: &Message, uid: &str) -> bool {
    let by_word = ["online", "away", "offline"]
        .iter()
        .any(|word| message.has(&format!("[data-note=statuses][data-{word}~={uid:?}]")));
    message.retry.is_none() && (message.shows(uid) || by_word)
}

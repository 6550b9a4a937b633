//! Lists of the host, read by page number and by cursor: either way each entry is in them once.

use chat_group_members::membership::StagedSync;
use serde_json::{Value, json};

use super::Host;
use crate::support::eventually;

const BANNED: &str = "/v3/groups/park/bannedusers";
const MUTED: &str = "/v3/groups/park/mutedusers";
const GROUPS: &str = "/v3/users/dee/groups";

/// The ids of a page.
fn ids(page: &Value, id: &str) -> Vec<String> {
    page["data"].as_array().unwrap().iter().map(|one| one[id].as_str().unwrap().to_owned()).collect()
}

/// The whole list as one large page.
async fn at_once(host: &Host, path: &str, id: &str) -> Vec<String> {
    ids(&host.get(&format!("{path}?perPage=1000")).await.is(200).body, id)
}

/// The list by page number, two entries a page.
async fn by_number(host: &Host, path: &str, id: &str) -> Vec<String> {
    let mut seen = Vec::new();
    for number in 1..50 {
        let page = host.get(&format!("{path}?perPage=2&page={number}")).await.is(200).body;
        let found = ids(&page, id);
        assert!(found.len() <= 2, "{page}");
        if found.is_empty() {
            return seen;
        }
        seen.extend(found);
    }
    panic!("the pages of {path} do not end");
}

/// The query of the page that a page's cursor names.
fn after(page: &Value) -> String {
    let cursor = &page["cursor"];
    format!("affix={}&updatedAt={}", cursor["affix"].as_str().unwrap(), cursor["updatedAt"])
}

/// The list from the page of this query on, each further page by the cursor of the one before it.
async fn by_cursor(host: &Host, path: &str, id: &str, first: &str) -> Vec<String> {
    let (mut seen, mut query) = (Vec::new(), first.to_owned());
    for _ in 0..50 {
        let page = host.get(&format!("{path}?perPage=2&{query}")).await.is(200).body;
        let cursor = &page["cursor"];
        assert_eq!(cursor, &page["meta"]["cursor"]);
        let found = ids(&page, id);
        assert!(found.len() <= 2, "{page}");
        seen.extend(found);
        if cursor.is_null() {
            assert_eq!(page["data"], json!([]), "only an empty page has no cursor");
            return seen;
        }
        query = after(&page);
    }
    panic!("the pages of {path} after {first} do not end");
}

fn sorted(mut ids: Vec<String>) -> Vec<String> {
    ids.sort();
    ids
}

fn reversed(mut ids: Vec<String>) -> Vec<String> {
    ids.reverse();
    ids
}

#[tokio::test]
async fn the_banned_are_read_by_number_and_by_cursor_though_three_were_banned_in_one_second() {
    let host = Host::with_cast().await;
    for uid in ["hal", "ivy"] {
        host.post("/v3/users", json!({"uid": uid, "name": uid})).await.is(200);
    }
    let ban = |uid: &'static str| {
        let host = &host;
        async move { host.post(&format!("{BANNED}/{uid}"), json!({})).await.is(200) }
    };
    host.app.clock().advance(2_000);
    ban("zoe").await;
    host.app.clock().advance(2_000);
    host.post("/v3/groups/park/members", json!({"usersToBan": ["ivy", "gus", "hal"]})).await.is(200);
    host.app.clock().advance(2_000);
    ban("amy").await;
    host.app.clock().advance(2_000);

    let all = at_once(&host, BANNED, "uid").await;
    assert_eq!(sorted(all.clone()), ["amy", "flo", "gus", "hal", "ivy", "zoe"]);
    assert_eq!(by_number(&host, BANNED, "uid").await, all);
    let back = by_cursor(&host, BANNED, "uid", "affix=prepend").await;
    assert_eq!((&*back[0], &*back[5]), ("amy", "flo"), "the newest first");
    let forth = by_cursor(&host, BANNED, "uid", "affix=append").await;
    assert_eq!((&*forth[0], &*forth[5]), ("flo", "amy"), "the oldest first");
    assert_eq!((sorted(back), sorted(forth)), (sorted(all.clone()), sorted(all.clone())));

    // The first page by number ends within the second of the three, who all come after its cursor.
    let mut mixed = sorted(by_cursor(&host, BANNED, "uid", "page=1").await);
    mixed.dedup();
    assert_eq!(mixed, sorted(all));

    let found = host.get(&format!("{BANNED}?searchKey=i&affix=append")).await.is(200);
    assert_eq!(ids(&found.body, "uid"), ["ivy"]);
    host.get(&format!("{BANNED}?affix=sideways")).await.refuses(400, "ERR_BAD_REQUEST").saying("affix");
}

#[tokio::test]
async fn a_crowd_of_one_second_is_read_two_by_two_with_nothing_but_the_cursor_of_the_original() {
    let host = Host::with_cast().await;
    host.app.clock().advance(2_000);
    let crowd: Vec<_> = (0..30).map(|number| json!({"uid": format!("p{number:02}"), "name": "Somebody"})).collect();
    host.put("/v3/groups/park/members?mode=partial", json!({"members": crowd})).await.is(200);
    host.app.clock().advance(2_000);
    let all = sorted(at_once(&host, "/v3/users", "uid").await);
    assert_eq!(all.len(), 37);
    for first in ["affix=append", "affix=prepend"] {
        assert_eq!(sorted(by_cursor(&host, "/v3/users", "uid", first).await), all, "{first}");
    }
}

#[tokio::test]
async fn the_muted_are_read_by_number_and_by_cursor() {
    let host = Host::with_cast().await;
    for uid in ["eve", "ben", "dee", "cy"] {
        host.app.clock().advance(2_000);
        host.post(&format!("{MUTED}/{uid}"), json!({"until": 3600})).await.is(200);
    }
    host.app.clock().advance(2_000);
    let all = at_once(&host, MUTED, "uid").await;
    assert_eq!(all, ["cy", "dee", "ben", "eve"]);
    assert_eq!(by_number(&host, MUTED, "uid").await, all);
    assert_eq!(by_cursor(&host, MUTED, "uid", "affix=prepend").await, all);
    assert_eq!(by_cursor(&host, MUTED, "uid", "page=1").await, all);
    assert_eq!(by_cursor(&host, MUTED, "uid", "affix=append").await, reversed(all));
}

#[tokio::test]
async fn the_groups_of_a_person_are_read_by_number_and_in_the_order_of_their_changes() {
    let host = Host::with_cast().await;
    for guid in ["zoo", "den", "mill", "attic"] {
        host.app.clock().advance(2_000);
        let group = json!({"guid": guid, "name": guid, "members": {"participants": ["dee"]}});
        host.post("/v3/groups", group).await.is(200);
    }
    host.app.clock().advance(2_000);
    host.put("/v3/groups/mill", json!({"name": "The mill"})).await.is(200);
    host.app.clock().advance(2_000);
    let all = at_once(&host, GROUPS, "guid").await;
    assert_eq!(all, ["attic", "den", "mill", "park", "zoo"]);
    assert_eq!(by_number(&host, GROUPS, "guid").await, all);
    let forth = by_cursor(&host, GROUPS, "guid", "affix=append").await;
    assert_eq!(forth, ["park", "zoo", "den", "attic", "mill"]);
    assert_eq!(by_cursor(&host, GROUPS, "guid", "affix=prepend").await, reversed(forth));
    let first = host.get(&format!("{GROUPS}?affix=prepend&perPage=1")).await.is(200).body;
    assert_eq!((&first["data"][0]["guid"], &first["data"][0]["hasJoined"]), (&json!("mill"), &json!(true)));
    assert_eq!(first["meta"]["pagination"]["total"], 5);
    host.get(&format!("{GROUPS}?affix=sideways")).await.refuses(400, "ERR_BAD_REQUEST").saying("affix");
}

#[tokio::test]
async fn a_page_by_cursor_says_how_many_are_on_it_and_behind_it() {
    let host = Host::with_cast().await;
    let (mut query, mut left) = ("affix=prepend".to_owned(), 7_usize);
    loop {
        let page = host.get(&format!("/v3/users?perPage=3&{query}")).await.is(200).body;
        let pagination = &page["meta"]["pagination"];
        let numbers = (&pagination["total"], &pagination["total_pages"]);
        assert_eq!(numbers, (&json!(left), &json!(left.div_ceil(3))), "{page}");
        if left == 0 {
            break;
        }
        left -= ids(&page, "uid").len();
        query = after(&page);
    }
    let document = host.get("/openapi.json").await.is(200).body;
    let words = &document["components"]["schemas"]["Pagination"]["properties"]["total"]["description"];
    assert!(words.as_str().unwrap().contains("by a cursor"), "{words}");
}

#[tokio::test]
async fn whoever_begins_with_a_page_by_number_and_goes_on_by_its_cursor_misses_nobody() {
    let host = Host::with_cast().await;
    // Changed in another order than that of ids and of scopes.
    for uid in ["eve", "ada", "gus", "cy"] {
        host.app.clock().advance(2_000);
        host.put(&format!("/v3/users/{uid}"), json!({"statusMessage": "Here"})).await.is(200);
    }
    for guid in ["zoo", "attic", "den"] {
        host.app.clock().advance(2_000);
        let group = json!({"guid": guid, "name": guid, "members": {"participants": ["dee"]}});
        host.post("/v3/groups", group).await.is(200);
    }
    for (path, id) in
        [("/v3/users", "uid"), ("/v3/groups", "guid"), (GROUPS, "guid"), ("/v3/groups/park/members", "uid")]
    {
        let all = sorted(at_once(&host, path, id).await);
        for first in ["page=1", "page=2"] {
            let mut seen = sorted(by_cursor(&host, path, id, first).await);
            seen.dedup();
            assert_eq!(seen, all, "{path} from {first} on");
        }
        let whole = host.get(&format!("{path}?perPage=1000")).await.is(200).body;
        let rest = host.get(&format!("{path}?{}", after(&whole))).await.is(200).body;
        assert_eq!(rest["data"], json!([]), "{path}: nothing comes after the whole list");
    }
}

#[tokio::test]
async fn whoever_reads_backwards_begins_with_the_present_second_and_finds_by_append_who_changed_meanwhile() {
    let host = Host::with_cast().await;
    let clock = host.app.clock().clone();
    for path in ["/v3/users", "/v3/groups/park/members"] {
        // Everybody was changed before, and a second begins.
        clock.advance(6_000 - clock.now() % 1_000);
        let began = clock.now() / 1_000;
        host.put("/v3/users/dee", json!({"statusMessage": path})).await.is(200);
        let first = host.get(&format!("{path}?perPage=2&affix=prepend")).await.is(200).body;
        let mut seen = ids(&first, "uid");
        assert_eq!(seen[0], "dee", "{first}");
        let all = at_once(&host, path, "uid").await;
        let late = all.iter().find(|uid| !seen.contains(uid)).unwrap();
        host.put(&format!("/v3/users/{late}"), json!({"statusMessage": path})).await.is(200);
        seen.extend(by_cursor(&host, path, "uid", &after(&first)).await);
        let unchanged: Vec<String> = all.iter().filter(|uid| *uid != late).cloned().collect();
        assert_eq!(sorted(seen), sorted(unchanged), "{path}: {late} comes before the first page now");

        clock.advance(3_000);
        let changed = host.get(&format!("{path}?affix=append&updatedAt={}", began - 1)).await.is(200).body;
        assert_eq!(sorted(ids(&changed, "uid")), sorted(vec!["dee".to_owned(), late.clone()]), "{path}");
    }
}

#[tokio::test]
async fn whoever_polls_for_changes_while_a_list_is_on_its_way_reads_its_people_when_it_is_there() {
    let host = Host::with_cast().await;
    let (clock, store) = (host.app.clock().clone(), host.app.store());
    clock.advance(6_000 - clock.now() % 1_000);
    let since = clock.now() / 1_000 - 1;
    let staged = StagedSync::begin(store).await.unwrap();
    clock.advance(60_000);
    host.put("/v3/users/dee", json!({"statusMessage": "Here"})).await.is(200);
    clock.advance(3_000);
    let polled = host.get(&format!("/v3/users?affix=append&updatedAt={since}")).await.is(200).body;
    assert_eq!(polled["data"], json!([]), "what came since the list began waits for it: {polled}");
    drop(staged);
    eventually("what came since the list began is there", async || {
        let polled = host.get(&format!("/v3/users?affix=append&updatedAt={since}")).await.is(200).body;
        ids(&polled, "uid") == ["dee"]
    })
    .await;
}

#[tokio::test]
async fn whoever_polls_for_changes_reads_each_once_though_they_fall_into_one_second() {
    let host = Host::with_cast().await;
    let clock = host.app.clock().clone();
    // The cast was made before, and a second begins.
    clock.advance(6_000 - clock.now() % 1_000);
    let (mut seen, mut since) = (Vec::new(), clock.now() / 1_000 - 1);
    for uid in ["dee", "ada", "gus", "cy", ""] {
        if uid.is_empty() {
            clock.advance(2_000);
        } else {
            host.put(&format!("/v3/users/{uid}"), json!({"statusMessage": "Here"})).await.is(200);
        }
        let page = host.get(&format!("/v3/users?affix=append&updatedAt={since}")).await.is(200).body;
        seen.extend(ids(&page, "uid"));
        if let Some(next) = page["cursor"]["updatedAt"].as_i64() {
            assert!(next < clock.now() / 1_000, "a second that still runs is not read to its end: {page}");
            since = next;
        }
        clock.advance(200);
    }
    assert_eq!(sorted(seen), ["ada", "cy", "dee", "gus"]);
}

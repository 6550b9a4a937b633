//! On PostgreSQL somebody can come in while the host gives them another name: whichever is first, the list shows the new one. And two
//! lists with new names can come at once.

use chat_group_members::config::Secret;
use chat_group_members::domain::{Name, Scope};
use chat_group_members::membership::{self, AddList, AddListEntry, Placement};
use reqwest::{Method, RequestBuilder};
use serde_json::json;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use crate::peer_nodes::{API_KEY, first};
use crate::support::actor::send;
use crate::support::cluster::Cluster;
use crate::support::{self, World, by_host, eventually, soon};

/// The name of Hal in the public group.
async fn shown(world: &World) -> Option<String> {
    let page = world.ada.get("/groups/park/members").await.ok();
    Some(page.text("li[data-uid=hal] .chat-group-members__name")).filter(|name| !name.is_empty())
}

async fn until_shown(world: &World, name: &str) {
    soon("his name", async {
        while shown(world).await.as_deref() != Some(name) {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

/// A list for the den with another name for Hal.
fn list_with_halina(world: &World) -> RequestBuilder {
    let request = world.ada.anonymous(Method::PUT, "/v3/groups/den/members?mode=partial").header("apikey", API_KEY);
    request.json(&json!({"members": [{"uid": "hal", "name": "Halina"}]}))
}

/// Waits until a statement of the service waits for the other transaction.
pub(crate) async fn until_something_waits(cluster: &Cluster) {
    until_so_many_wait(cluster, 1).await;
}

/// Waits until so many statements of the service wait for other transactions.
pub(crate) async fn until_so_many_wait(cluster: &Cluster, count: u32) {
    let waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = 'chat' AND wait_event_type = 'Lock'";
    eventually("statements wait", async || cluster.sql("chat", waiting).trim() == count.to_string()).await;
}

/// A transaction that makes Hal a member of the park, not committed.
async fn hal_is_joining(cluster: &Cluster) -> PgConnection {
    let mut joining = PgConnection::connect(&cluster.url("chat")).await.unwrap();
    joining
        .execute("BEGIN; INSERT INTO members (guid, uid, scope, joined_at, seq) VALUES ('park', 'hal', 0, 1, 1)")
        .await
        .unwrap();
    joining
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_joins_before_a_new_name_is_committed_has_it() {
    let (cluster, world) = first(|_| {}).await;
    shown(&world).await;
    let mut renaming = PgConnection::connect(&cluster.url("chat")).await.unwrap();
    // As the service does it.
    renaming.execute("BEGIN; SELECT 1 FROM users WHERE uid = 'hal' FOR UPDATE").await.unwrap();
    renaming.execute("UPDATE users SET name = 'Halina', sort_key = 'halina' WHERE uid = 'hal'").await.unwrap();
    let hal = world.actor("hal");
    let joining = tokio::spawn(async move { hal.join().await });
    until_something_waits(&cluster).await;
    renaming.execute("COMMIT").await.unwrap();
    joining.await.unwrap().ok();
    assert_eq!(shown(&world).await.as_deref(), Some("Halina"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_lists_with_new_names_do_not_wait_for_each_other_whoever_owns_their_groups() {
    let (cluster, world) = first(|config| config.api_keys = vec![Secret::new(API_KEY)]).await;
    let mut other = PgConnection::connect(&cluster.url("chat")).await.unwrap();
    other.execute("BEGIN; SELECT 1 FROM users WHERE uid = 'ada' FOR UPDATE").await.unwrap();
    let list = json!({"members": [
        {"uid": "ada", "name": "Ada King", "scope": "owner"}, {"uid": "ben", "name": "Benedict", "scope": "admin"}]});
    let request = world.ada.anonymous(Method::PUT, "/v3/groups/den/members?mode=partial").header("apikey", API_KEY);
    let listing = tokio::spawn(send(request.json(&list)));
    until_something_waits(&cluster).await;
    // The other list has names for both, and takes them in the same order.
    other.execute("SELECT 1 FROM users WHERE uid = 'ben' FOR UPDATE NOWAIT").await.expect("nobody has locked Ben");
    other.execute("COMMIT").await.unwrap();
    listing.await.unwrap().ok();
    let names =
        cluster.sql("chat", "SELECT string_agg(name, ', ' ORDER BY uid) FROM users WHERE uid IN ('ada', 'ben')");
    assert_eq!(names, "Ada King, Benedict");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_of_people_to_add_locks_the_groups_in_which_it_renames_somebody_in_the_order_of_all() {
    let (cluster, world) = first(|config| config.api_keys = vec![Secret::new(API_KEY)]).await;
    // She comes in again by the list: who is refused is not renamed.
    world.host_kicks("vault", "dee").await;
    let mut other = PgConnection::connect(&cluster.url("chat")).await.unwrap();
    // Another list, for the den, which names somebody of the vault.
    other.execute("BEGIN; SELECT 1 FROM groups WHERE guid = 'den' FOR UPDATE").await.unwrap();
    let list = json!({"members": [{"uid": "dee", "name": "Deirdre"}, {"uid": "kim", "name": "Kim"}]});
    let request = world.ada.anonymous(Method::POST, "/v3/groups/vault/members").header("apikey", API_KEY);
    let adding = tokio::spawn(send(request.json(&list)));
    until_something_waits(&cluster).await;
    other
        .execute("SELECT 1 FROM groups WHERE guid = 'vault' FOR UPDATE NOWAIT")
        .await
        .expect("the vault is not locked");
    other.execute("COMMIT").await.unwrap();
    let answers = adding.await.unwrap().ok().json();
    assert_eq!(answers["data"]["members"]["kim"]["success"], true, "{answers}");
    let names =
        cluster.sql("chat", "SELECT string_agg(name, ', ' ORDER BY uid) FROM users WHERE uid IN ('dee', 'kim')");
    assert_eq!(names, "Deirdre, Kim");
    for guid in ["den", "park"] {
        let renamed = format!("SELECT count(*) FROM events WHERE guid = '{guid}' AND kind = 'member_updated'");
        assert_eq!(cluster.sql("chat", &renamed), "1", "{guid}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_of_people_to_add_makes_them_known_in_the_order_of_all_whatever_its_own_is() {
    let (cluster, world) = first(|_| {}).await;
    let mut other = PgConnection::connect(&cluster.url("chat")).await.unwrap();
    let known = |uid: &str| {
        format!(
            "INSERT INTO users (uid, name, sort_key, created_at, updated_at) VALUES ('{uid}', '{uid}', '{uid}', 1, 1)"
        )
    };
    other.execute(AssertSqlSafe(format!("BEGIN; SET LOCAL lock_timeout = '1s'; {}", known("kim")))).await.unwrap();
    let entry = |uid: &str, name: &str| AddListEntry {
        placement: Placement { uid: support::uid(uid), scope: Scope::Participant },
        name: Some(Name::parse(name).unwrap()),
        avatar: None,
        joined_at: None,
    };
    let list = AddList { people: vec![entry("zoe", "Zoe"), entry("kim", "Kim")], bans: Vec::new() };
    let store = world.app.store().clone();
    let adding = tokio::spawn(async move { membership::add_list(&store, by_host("park"), list).await });
    until_something_waits(&cluster).await;
    other.execute(AssertSqlSafe(known("zoe"))).await.expect("Zoe is not known yet");
    other.execute("COMMIT").await.unwrap();
    let answers = adding.await.unwrap().unwrap();
    assert!(answers.len() == 2 && answers.values().all(Result::is_ok), "{answers:?}");
    let names =
        cluster.sql("chat", "SELECT string_agg(name, ', ' ORDER BY uid) FROM users WHERE uid IN ('kim', 'zoe')");
    assert_eq!(names, "Kim, Zoe");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_gets_a_new_name_before_they_are_committed_as_a_member_has_it() {
    let (cluster, world) = first(|config| config.api_keys = vec![Secret::new(API_KEY)]).await;
    shown(&world).await;
    let mut joining = hal_is_joining(&cluster).await;
    let renamed = world.ada.anonymous(Method::PUT, "/v3/users/hal").header("apikey", API_KEY);
    let renaming = tokio::spawn(send(renamed.json(&json!({"name": "Halina"}))));
    until_something_waits(&cluster).await;
    joining.execute("COMMIT").await.unwrap();
    renaming.await.unwrap().ok();
    until_shown(&world, "Halina").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_joins_one_group_before_a_list_of_another_gives_them_a_new_name_has_it_in_both() {
    let (cluster, world) = first(|config| config.api_keys = vec![Secret::new(API_KEY)]).await;
    let mut other = PgConnection::connect(&cluster.url("chat")).await.unwrap();
    // Another change of Hal: a list waits for it, and whoever makes him a member does not.
    other.execute("BEGIN; SELECT 1 FROM users WHERE uid = 'hal' FOR NO KEY UPDATE").await.unwrap();
    let listing = tokio::spawn(send(list_with_halina(&world)));
    until_something_waits(&cluster).await;
    world.hal.join().await.ok();
    assert_eq!(shown(&world).await.as_deref(), Some("Hal Hart"));
    other.execute("COMMIT").await.unwrap();
    listing.await.unwrap().ok();
    until_shown(&world, "Halina").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_does_not_wait_for_whoever_is_joining_another_group_and_they_have_their_new_name_there() {
    let (cluster, world) = first(|config| config.api_keys = vec![Secret::new(API_KEY)]).await;
    shown(&world).await;
    let mut joining = hal_is_joining(&cluster).await;
    send(list_with_halina(&world)).await.ok();
    // The list is applied, and what comes after it waits.
    until_something_waits(&cluster).await;
    joining.execute("COMMIT").await.unwrap();
    until_shown(&world, "Halina").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_of_people_to_add_waits_for_nobody_who_joins_another_group_and_they_have_their_new_name_there() {
    let (cluster, world) = first(|config| config.api_keys = vec![Secret::new(API_KEY)]).await;
    shown(&world).await;
    let mut joining = hal_is_joining(&cluster).await;
    let request = world.ada.anonymous(Method::POST, "/v3/groups/den/members").header("apikey", API_KEY);
    let list = json!({"members": [{"uid": "hal", "name": "Halina"}, {"uid": "kim", "name": "Kim"}]});
    let answers = send(request.json(&list)).await.ok().json();
    assert_eq!(answers["data"]["members"]["hal"]["success"], true, "{answers}");
    // What comes after the answer waits.
    until_something_waits(&cluster).await;
    joining.execute("COMMIT").await.unwrap();
    until_shown(&world, "Halina").await;
    let left = "SELECT (SELECT count(*) FROM syncs) + (SELECT count(*) FROM sync_rows)";
    eventually("nothing of it is left", async || cluster.sql("chat", left).trim() == "0").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_takes_its_people_before_it_records_whom_to_tell_so_that_two_large_ones_do_not_wait_for_each_other() {
    let (cluster, world) = first(|config| config.api_keys = vec![Secret::new(API_KEY)]).await;
    let mut other = PgConnection::connect(&cluster.url("chat")).await.unwrap();
    // Another list, which takes its people in several parts: it has Ben, and goes on to Dee.
    let ben = "SELECT 1 FROM users WHERE uid = 'ben' FOR NO KEY UPDATE";
    other.execute(AssertSqlSafe(format!("BEGIN; SET LOCAL lock_timeout = '1s'; {ben}"))).await.unwrap();
    let list = json!({"members": [{"uid": "dee", "name": "Deirdre"}, {"uid": "ben", "name": "Benedict"}]});
    let request = world.ada.anonymous(Method::PUT, "/v3/groups/den/members?mode=partial").header("apikey", API_KEY);
    let listing = tokio::spawn(send(request.json(&list)));
    until_something_waits(&cluster).await;
    other.execute("SELECT 1 FROM users WHERE uid = 'dee' FOR NO KEY UPDATE").await.expect("Dee is not taken");
    let record = "INSERT INTO sync_renames (guid, uid) VALUES ('park', 'dee')
                  ON CONFLICT (guid, uid) DO UPDATE SET uid = excluded.uid";
    other.execute(record).await.expect("nothing about Dee is recorded");
    other.execute("COMMIT").await.unwrap();
    listing.await.unwrap().ok();
    let names =
        cluster.sql("chat", "SELECT string_agg(name, ', ' ORDER BY uid) FROM users WHERE uid IN ('ben', 'dee')");
    assert_eq!(names, "Benedict, Deirdre");
    for guid in ["park", "vault"] {
        let told = format!(
            "SELECT string_agg(DISTINCT t.name, ', ' ORDER BY t.name) FROM events e
             JOIN touched t ON t.guid = e.guid AND t.seq = e.seq
             WHERE e.guid = '{guid}' AND e.kind = 'member_updated' AND t.name IN ('Benedict', 'Deirdre')"
        );
        assert_eq!(cluster.sql("chat", &told), names, "{guid}");
    }
}

//! On PostgreSQL somebody can come in while the host gives them another name: whichever is first, the list shows the new one. And two
//! lists with new names can come at once.

use chat_group_members::config::Secret;
use reqwest::Method;
use serde_json::json;
use sqlx::{Connection, Executor, PgConnection};

use crate::peer_nodes::{API_KEY, first};
use crate::support::actor::send;
use crate::support::cluster::Cluster;
use crate::support::{World, eventually, soon};

/// The name of Hal in the public group.
async fn shown(world: &World) -> Option<String> {
    let page = world.ada.get("/groups/park/members").await.ok();
    Some(page.text("li[data-uid=hal] .chat-group-members__name")).filter(|name| !name.is_empty())
}

/// Waits until a statement of the service waits for the other transaction.
pub(crate) async fn until_something_waits(cluster: &Cluster) {
    let waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = 'chat' AND wait_event_type = 'Lock'";
    eventually("a statement waits", async || cluster.sql("chat", waiting).trim() == "1").await;
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
async fn who_gets_a_new_name_before_they_are_committed_as_a_member_has_it() {
    let (cluster, world) = first(|config| config.api_keys = vec![Secret::new(API_KEY)]).await;
    shown(&world).await;
    let mut joining = PgConnection::connect(&cluster.url("chat")).await.unwrap();
    joining
        .execute("BEGIN; INSERT INTO members (guid, uid, scope, joined_at, seq) VALUES ('park', 'hal', 0, 1, 1)")
        .await
        .unwrap();
    let renamed = world.ada.anonymous(Method::PUT, "/v3/users/hal").header("apikey", API_KEY);
    let renaming = tokio::spawn(send(renamed.json(&json!({"name": "Halina"}))));
    until_something_waits(&cluster).await;
    joining.execute("COMMIT").await.unwrap();
    renaming.await.unwrap().ok();
    soon("his name", async {
        while shown(&world).await.as_deref() != Some("Halina") {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

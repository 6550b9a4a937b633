//! On PostgreSQL the host can make or change one user twice at the same moment: what comes of it is what would have come of one call
//! after the other.

use chat_group_members::config::Secret;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use crate::join_and_rename::{until_so_many_wait, until_something_waits};
use crate::peer_nodes::{API_KEY, first};
use crate::support::World;
use crate::support::actor::send;
use crate::support::cluster::Cluster;

/// A world whose host has a key, and a connection that holds back what the host asks for.
async fn world() -> (Cluster, World, PgConnection) {
    let (cluster, world) = first(|config| config.api_keys = vec![Secret::new(API_KEY)]).await;
    let holding = PgConnection::connect(&cluster.url("chat")).await.unwrap();
    (cluster, world, holding)
}

/// The host asks.
fn host(world: &World, method: Method, path: &str) -> RequestBuilder {
    world.ada.anonymous(method, path).header("apikey", API_KEY)
}

/// Makes a user known, in a transaction that is not over.
async fn insert_user(holding: &mut PgConnection, uid: &str, name: &str) {
    let columns = "uid, name, sort_key, created_at, updated_at";
    let sql = format!("BEGIN; INSERT INTO users ({columns}) VALUES ('{uid}', '{name}', '{uid}', 1, 1)");
    holding.execute(AssertSqlSafe(sql)).await.unwrap();
}

/// Dee, after both changes were made at once.
async fn dee_after(changes: &[Value; 2]) -> Value {
    let (cluster, world, mut holding) = world().await;
    holding.execute("BEGIN; SELECT 1 FROM users WHERE uid = 'dee' FOR UPDATE").await.unwrap();
    let start = |change: &Value| tokio::spawn(send(host(&world, Method::PUT, "/v3/users/dee").json(change)));
    let changing = changes.each_ref().map(start);
    // Both wait for Dee's row.
    until_so_many_wait(&cluster, 2).await;
    holding.execute("COMMIT").await.unwrap();
    for change in changing {
        change.await.unwrap().ok();
    }
    send(host(&world, Method::GET, "/v3/users/dee")).await.ok().json()["data"].clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_changes_of_what_is_not_shown_both_hold() {
    let dee = dee_after(&[json!({"role": "artist"}), json!({"metadata": {"team": "red"}})]).await;
    assert_eq!((&dee["role"], &dee["metadata"]), (&json!("artist"), &json!({"team": "red"})));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_name_and_a_new_picture_both_hold() {
    let picture = json!("https://a.example/dee.png");
    let dee = dee_after(&[json!({"name": "Deirdre"}), json!({"avatar": picture})]).await;
    assert_eq!((&dee["name"], &dee["avatar"]), (&json!("Deirdre"), &picture));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_calls_that_make_the_same_user_one_is_refused() {
    let (cluster, world, mut holding) = world().await;
    insert_user(&mut holding, "zoe", "Zoe").await;
    let names = ["Zoe One", "Zoe Two"];
    let making = names.map(|name| {
        let user = json!({"uid": "zoe", "name": name});
        tokio::spawn(send(host(&world, Method::POST, "/v3/users").json(&user)))
    });
    // Each has found nobody of that id.
    until_so_many_wait(&cluster, 2).await;
    holding.execute("ROLLBACK").await.unwrap();
    let mut made = Vec::new();
    for (name, call) in names.into_iter().zip(making) {
        let answer = call.await.unwrap();
        match answer.status.as_u16() {
            200 => made.push(name),
            status => assert_eq!((status, &answer.json()["error"]["code"]), (400, &json!("ERR_UID_ALREADY_EXISTS"))),
        }
    }
    assert_eq!(made.len(), 1, "{made:?}");
    assert_eq!(cluster.sql("chat", "SELECT name FROM users WHERE uid = 'zoe'"), made[0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_joins_while_the_host_makes_them_known_has_the_name_that_the_host_gave() {
    let (cluster, world, mut holding) = world().await;
    insert_user(&mut holding, "gus", "Gustav").await;
    let gus = world.actor("gus");
    let joining = tokio::spawn(async move { gus.join().await });
    until_something_waits(&cluster).await;
    holding.execute("COMMIT").await.unwrap();
    joining.await.unwrap().ok();
    assert_eq!(cluster.sql("chat", "SELECT name FROM users WHERE uid = 'gus'"), "Gustav");
    assert_eq!(world.ada.data("/groups/park/members/gus").await.ok().json()["data"]["name"], "Gustav");
}

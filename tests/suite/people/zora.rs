//! Zora, whose data nobody else's resembles: what is stored of her, and where it is found.

use chat_group_members::domain::{GroupType, Name, Scope};
use chat_group_members::membership;
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, PgConnection};

use super::{host, world};
use crate::support::actor::send;
use crate::support::{Answer, World, uid};

/// Nobody else's data holds these.
pub(super) const UID: &str = "zora-4711";
pub(super) const NAME: &str = "Zora Quillfeather";
pub(super) const AVATAR: &str = "https://pictures.example/quillfeather.png";
pub(super) const REASON: &str = "she juggled pineapples";

/// What must not be found.
pub(super) const TRACES: [&str; 8] =
    [UID, "Quillfeather", "quillfeather", "pineapples", "marmalade", "axolotl", "trapeze", "lighthouses"];

/// What the host keeps of her besides.
pub(super) fn details() -> Value {
    json!({
        "link": "https://pages.example/marmalade",
        "metadata": {"pet": "axolotl"},
        "tags": ["trapeze"],
        "statusMessage": "counting lighthouses",
    })
}

/// A world with her in it.
pub(super) async fn with_zora() -> World {
    let world = world().await;
    bring_zora(&world).await;
    world
}

/// Zora is in `den` and `park`, was banned from `vault`, has acted and was acted on.
pub(super) async fn bring_zora(world: &World) {
    let name = Name::parse(NAME).unwrap();
    membership::put_user(world.app.store(), uid(UID), Some(name), Some(Some(AVATAR.into()))).await.unwrap();
    host(world, Method::PUT, &format!("/v3/users/{UID}"), Some(details())).await.ok();
    for guid in ["den", "park"] {
        world.seed(guid, GroupType::Private, [(UID, NAME, Scope::Participant)]).await;
    }
    world.host_sets_scope("den", UID, Scope::Moderator).await;
    world.host_bans("vault", UID, Some(REASON)).await;
    let zora = world.actor(UID);
    let ban = zora.request(Method::PUT, "/groups/den/bans/dee").header("idempotency-key", "by-zora");
    send(ban.json(&json!({"reason": "noise"}))).await.ok();
    zora.act(Method::POST, "/groups/den/members/eve/notes", json!({"text": "Loud at night."})).await.ok();
    let about = json!({"text": REASON});
    world.ada.act(Method::POST, &format!("/groups/park/members/{UID}/notes"), about).await.ok();
    zora.mute("eve", json!({"until": 3600, "reason": "noise"})).await.ok();
    let mute = json!({"until": 3600, "reason": REASON, "message": REASON});
    world.ada.act(Method::PUT, &format!("/groups/park/mutes/{UID}"), mute).await.ok();
    let act = world.ada.request(Method::PUT, &format!("/groups/den/members/{UID}/scope"));
    let act = act.header("idempotency-key", "about-zora").json(&json!({"scope": "participant"}));
    send(act).await.ok();
}

pub(super) async fn erase(world: &World, who: &str) -> Answer {
    host(world, Method::DELETE, &format!("/v3/users/{who}"), Some(json!({"permanent": true}))).await
}

/// Every row of every table, as text.
pub(super) async fn dump(world: &World) -> String {
    let url = world.app.config().database_url.clone();
    if let Some(file) = url.strip_prefix("sqlite://") {
        let mut bytes = std::fs::read(file).unwrap();
        bytes.extend(std::fs::read(format!("{file}-wal")).unwrap_or_default());
        return String::from_utf8_lossy(&bytes).into_owned();
    }
    let mut connection = PgConnection::connect(&url).await.unwrap();
    let tables: Vec<String> = sqlx::query_scalar("SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'")
        .fetch_all(&mut connection)
        .await
        .unwrap();
    let mut text = String::new();
    for table in tables {
        let sql = AssertSqlSafe(format!("SELECT t::text FROM {table} t"));
        let rows: Vec<String> = sqlx::query_scalar(sql).fetch_all(&mut connection).await.unwrap();
        text.push_str(&rows.join("\n"));
    }
    text
}

/// Which of the traces are in this text.
pub(super) fn traces(text: &str) -> Vec<&'static str> {
    TRACES.into_iter().filter(|trace| text.contains(trace)).collect()
}

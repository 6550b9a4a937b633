//! What happens in a group between the moment a sync compares its list with it and the moment it is applied.

use std::sync::Arc;

use chat_group_members::domain::Scope;
use chat_group_members::membership::{ActError, StagedSync, SyncMode, SyncTerms, Synced, sweep};
use chat_group_members::store::SyncRow;
use serde_json::json;
use tokio::runtime::Handle;
use tokio::task::block_in_place;

use super::Host;
use crate::support::{self, by_host};

/// Ada owns the park, Cy stays, Dee stays, Gus comes, Zoe is new to everybody; Ben and Eve are not listed.
fn list() -> Vec<SyncRow> {
    vec![
        row("ada", "Ada", Scope::Owner, None),
        row("cy", "Cy", Scope::Moderator, None),
        row("dee", "Dee", Scope::Participant, None),
        row("gus", "Gus", Scope::Participant, None),
        row("zoe", "Zoe", Scope::Participant, None),
    ]
}

fn row(uid: &str, name: &str, scope: Scope, avatar: Option<String>) -> SyncRow {
    SyncRow { joined_at: None, ..support::row(uid, name, scope, avatar) }
}

/// Syncs the park with the list; `meanwhile` happens when the list has been compared and nothing is applied.
async fn sync<F: Future<Output = ()>>(
    host: &Arc<Host>,
    version: Option<i64>,
    meanwhile: impl Fn(Arc<Host>) -> F + Send + Sync + 'static,
) -> Result<Synced, ActError> {
    sync_rows(host, list(), version, meanwhile).await
}

async fn sync_rows<F: Future<Output = ()>>(
    host: &Arc<Host>,
    rows: Vec<SyncRow>,
    version: Option<i64>,
    meanwhile: impl Fn(Arc<Host>) -> F + Send + Sync + 'static,
) -> Result<Synced, ActError> {
    let rows = (1..).zip(rows).map(Ok::<_, ActError>);
    let staged = StagedSync::of(host.app.store(), rows).await.unwrap();
    let host = host.clone();
    let on_progress = move |_, _| block_in_place(|| Handle::current().block_on(meanwhile(host.clone())));
    staged.replace(by_host("park"), SyncTerms { mode: SyncMode::Full, version }, Some(Arc::new(on_progress))).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_sees_a_sync_before_it_is_applied() {
    let host = Arc::new(Host::with_cast().await);
    let head = host.head("park").await;
    let synced = sync(&host, None, move |host| async move {
        assert_eq!(host.head("park").await, head);
        assert_eq!(host.members("park").await.len(), 5);
        assert_eq!(host.get("/v3/groups/park").await.is(200).body["data"]["membersCount"], 5);
        host.get("/v3/groups/park/members/gus").await.refuses(404, "ERR_NOT_A_MEMBER");
        assert_eq!(host.get("/v3/users/gus/groups").await.is(200).body["data"], json!([]));
        assert_eq!(host.get("/v3/users/gus/export").await.is(200).body["data"]["memberships"], json!([]));
        host.get("/v3/users/zoe").await.refuses(404, "ERR_UID_NOT_FOUND");
        host.post("/v3/users/zoe/auth_tokens", json!({})).await.refuses(404, "ERR_UID_NOT_FOUND");
        let users = host.get("/v3/users?perPage=100").await.is(200).body;
        let uids: Vec<_> = users["data"].as_array().unwrap().iter().map(|user| user["uid"].clone()).collect();
        assert!(!uids.contains(&json!("zoe")), "{uids:?}");
        assert_eq!(users["meta"]["pagination"]["total"], uids.len(), "{users}");
        assert_eq!(host.faults().await, Vec::<String>::new());
    })
    .await
    .unwrap();
    let Synced::Applied(seq, report) = synced else { panic!("{synced:?}") };
    assert_eq!((seq, report.members, report.changed, report.removed), (head + 1, 5, 2, 2));
    is_as_listed(&host).await;
    assert_eq!(host.get("/v3/users/gus/groups").await.is(200).body["data"][0]["guid"], "park");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whom_only_a_list_names_that_is_not_applied_no_other_group_takes_without_a_name() {
    let host = Arc::new(Host::with_cast().await);
    host.post("/v3/groups", json!({"guid": "den", "name": "Den", "owner": "ada"})).await.is(200);
    let synced = sync(&host, None, |host| async move {
        let added = host.post("/v3/groups/den/members", json!({"participants": ["zoe"]})).await.is(200).body;
        assert_eq!(added["data"]["participants"]["zoe"]["error"]["code"], "ERR_UID_NOT_FOUND", "{added}");
        host.patch("/v3/groups/den/owner", json!({"owner": "zoe"})).await.refuses(404, "ERR_UID_NOT_FOUND");
        let pit = json!({"guid": "pit", "name": "Pit", "owner": "zoe"});
        host.post("/v3/groups", pit).await.refuses(404, "ERR_UID_NOT_FOUND");
        host.put("/v3/groups/den/members?mode=partial", json!({"participants": ["zoe"]}))
            .await
            .refuses(404, "ERR_UID_NOT_FOUND");
        // The host names her.
        let zoe = json!({"members": [{"uid": "zoe", "name": "Zoe"}]});
        let added = host.post("/v3/groups/den/members", zoe).await.is(200).body;
        assert_eq!(added["data"]["members"]["zoe"]["success"], true, "{added}");
    })
    .await
    .unwrap();
    assert!(matches!(synced, Synced::Applied(..)), "{synced:?}");
    is_as_listed(&host).await;
    assert_eq!(host.members("den").await, ["ada:owner", "zoe:participant"]);
    assert_eq!(host.faults().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_acts_while_a_sync_is_compared_is_overtaken_by_it() {
    let host = Arc::new(Host::with_cast().await);
    let synced = sync(&host, None, |host| async move {
        // Listed, and as listed until now.
        host.delete("/v3/groups/park/members/dee").await.is(200);
        host.put("/v3/groups/park/members/cy", json!({"scope": "admin"})).await.is(200);
        // Listed, and new.
        host.post("/v3/groups/park/members", json!({"admins": ["gus"]})).await.is(200);
        // Not listed, and to leave.
        host.as_user("ben", "DELETE", "/v3/groups/park/members", None).await.is(200);
        host.put("/v3/groups/park/members/eve", json!({"scope": "admin"})).await.is(200);
        // Not listed, and new.
        host.post("/v3/users", json!({"uid": "kim", "name": "Kim"})).await.is(200);
        host.post("/v3/groups/park/members", json!({"moderators": ["kim"]})).await.is(200);
    })
    .await
    .unwrap();
    let Synced::Applied(seq, report) = synced else { panic!("{synced:?}") };
    is_as_listed(&host).await;
    assert_eq!((report.members, report.changed, report.removed), (5, 4, 2));
    let events = host.events("park", seq - 1).await;
    let touched =
        |uid: &str| events[0].touched.iter().find(|one| one.uid.as_str() == uid).map(|one| (one.old, one.new));
    assert_eq!(touched("gus"), Some((Some(Scope::Admin), Some(Scope::Participant))));
    assert_eq!(touched("zoe"), Some((None, Some(Scope::Participant))));
    assert_eq!(touched("kim"), Some((Some(Scope::Moderator), None)));
    assert_eq!(touched("ben"), None);
    assert_eq!(host.faults().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_is_banned_deleted_or_erased_while_a_sync_is_compared_is_as_if_it_was_before() {
    let host = Arc::new(Host::with_cast().await);
    let synced = sync(&host, None, |host| async move {
        host.post("/v3/groups/park/bannedusers/zoe", json!({})).await.is(200);
        host.delete("/v3/users/gus").await.is(200);
        host.patch("/v3/groups/park/owner", json!({"owner": "ben"})).await.is(200);
        erase(&host, "cy").await;
    })
    .await
    .unwrap();
    let Synced::Applied(_, report) = synced else { panic!("{synced:?}") };
    assert_eq!(report.banned, ["zoe".parse().unwrap()]);
    // Whoever was deleted can be listed again; whoever was erased is not brought back by a list of before.
    has_members(&host, &["ada:owner", "dee:participant", "gus:participant"]).await;
    host.get("/v3/users/cy").await.is(404);
    assert_eq!(host.faults().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_ban_keeps_out_whoever_was_erased_also_when_it_gets_its_pseudonym_while_a_sync_is_compared() {
    let host = Arc::new(Host::with_cast().await);
    for (uid, name) in [("kim", "Kim"), ("zoe", "Zoe")] {
        host.post("/v3/users", json!({"uid": uid, "name": name})).await.is(200);
        host.post(&format!("/v3/groups/park/bannedusers/{uid}"), json!({})).await.is(200);
    }
    // Kim's erasure has rewritten the log up to its end, so that Zoe's rewrites it up to the same number.
    erase(&host, "kim").await;
    erasures_end(&host).await;
    erase(&host, "zoe").await;
    let synced = sync(&host, None, |host| async move {
        // Somebody else on the list is erased to the end meanwhile.
        erase(&host, "dee").await;
        erasures_end(&host).await;
    })
    .await
    .unwrap();
    let Synced::Applied(_, report) = synced else { panic!("{synced:?}") };
    assert_eq!(report.banned, ["zoe".parse().unwrap()]);
    has_members(&host, &["ada:owner", "cy:moderator", "gus:participant"]).await;
    for uid in ["dee", "zoe"] {
        host.get(&format!("/v3/users/{uid}")).await.refuses(404, "ERR_UID_NOT_FOUND");
    }
    assert_eq!(host.faults().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_whose_owner_is_erased_while_it_is_compared_is_refused() {
    let host = Arc::new(Host::with_cast().await);
    let refused = sync(&host, None, |host| async move {
        host.patch("/v3/groups/park/owner", json!({"owner": "ben"})).await.is(200);
        erase(&host, "ada").await;
    })
    .await;
    let Err(ActError::UnfitOwner { line, why, .. }) = refused else { panic!("{refused:?}") };
    assert_eq!((line, why), (1, "was erased meanwhile"));
    has_members(&host, &["ben:owner", "cy:moderator", "dee:participant", "eve:participant"]).await;
    assert_eq!(host.faults().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn somebody_without_a_name_in_the_list_who_is_deleted_while_it_is_compared_is_named_with_their_line() {
    let host = Arc::new(Host::with_cast().await);
    let mut rows = list();
    rows[3].name = None;
    let refused = sync_rows(&host, rows, None, |host| async move {
        host.delete("/v3/users/gus").await.is(200);
    })
    .await;
    let Err(ActError::Nameless { uid, line }) = refused else { panic!("{refused:?}") };
    assert_eq!((uid.as_str(), line), ("gus", 4));
    assert_eq!(host.faults().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_group_that_is_made_again_while_a_sync_is_compared_is_as_listed() {
    let host = Arc::new(Host::with_cast().await);
    sync(&host, None, |host| async move {
        host.delete("/v3/groups/park").await.is(200);
        let group = json!({"guid": "park", "name": "Park", "type": "public", "owner": "eve",
            "members": {"participants": ["dee"]}});
        host.post("/v3/groups", group).await.is(200);
    })
    .await
    .unwrap();
    is_as_listed(&host).await;
    assert_eq!(host.faults().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sync_that_is_overtaken_by_a_newer_version_leaves_nothing_behind() {
    let host = Arc::new(Host::with_cast().await);
    let newer = sync(&host, Some(1), |host| async move {
        host.put("/v3/groups/park/members?version=2", json!({"owner": "ada", "participants": ["dee"]})).await.is(200);
    })
    .await;
    assert!(matches!(newer, Err(ActError::StaleSync { last: 2 })), "{newer:?}");
    has_members(&host, &["ada:owner", "dee:participant"]).await;
    nothing_is_left(&host).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sync_that_does_not_get_on_is_given_up_and_then_refused() {
    let host = Arc::new(Host::with_cast().await);
    let before = host.members("park").await;
    let refused = sync(&host, None, |host| async move {
        host.app.clock().advance(11 * 60 * 1000);
        sweep(host.app.store(), 10_000).await.unwrap();
    })
    .await;
    assert!(matches!(refused, Err(ActError::Store(_))), "{refused:?}");
    assert_eq!(host.members("park").await, before);
    nothing_is_left(&host).await;
}

async fn erase(host: &Host, uid: &str) {
    host.ask("DELETE", &format!("/v3/users/{uid}"), &[], Some(json!({"permanent": true}))).await.is(200);
}

/// Waits until every log and ban is rewritten.
async fn erasures_end(host: &Host) {
    host.app.clock().advance(2_000);
    support::eventually("the erasures have ended", async || {
        host.app.store().read().await.unwrap().erasures().await.unwrap().is_empty()
    })
    .await;
}

async fn is_as_listed(host: &Host) {
    has_members(host, &["ada:owner", "cy:moderator", "dee:participant", "gus:participant", "zoe:participant"]).await;
}

/// The group in memory reads the sync from the log.
async fn has_members(host: &Host, members: &[&str]) {
    support::eventually("the group is as synced", async || host.members("park").await == members).await;
}

async fn nothing_is_left(host: &Host) {
    support::eventually("what was prepared is removed", async || {
        let mut reader = host.app.store().read().await.unwrap();
        reader.abandoned_sync(i64::MAX).await.unwrap().is_none()
    })
    .await;
    host.get("/v3/users/zoe").await.refuses(404, "ERR_UID_NOT_FOUND");
    // They can be deleted: no row refers to them.
    host.delete("/v3/users/gus").await.is(200);
    assert_eq!(host.faults().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_is_listed_without_a_scope_keeps_the_one_they_have_when_the_sync_is_applied() {
    let host = Arc::new(Host::with_cast().await);
    let rows = ["ada", "ben", "cy", "dee", "gus", "zoe"]
        .map(|uid| SyncRow { scope: None, ..row(uid, uid, Scope::Owner, None) });
    let synced = sync_rows(&host, rows.into(), None, |host| async move {
        host.put("/v3/groups/park/members/dee", json!({"scope": "admin"})).await.is(200);
        host.delete("/v3/groups/park/members/cy").await.is(200);
        host.post("/v3/groups/park/members", json!({"moderators": ["gus"]})).await.is(200);
        host.ask("PATCH", "/v3/groups/park/owner", &[], Some(json!({"owner": "ben"}))).await.is(200);
    })
    .await
    .unwrap();
    assert!(matches!(synced, Synced::Applied(..)), "{synced:?}");
    let members = ["ben:owner", "ada:admin", "dee:admin", "gus:moderator", "cy:participant", "zoe:participant"];
    has_members(&host, &members).await;
    assert_eq!(host.faults().await, Vec::<String>::new());
}

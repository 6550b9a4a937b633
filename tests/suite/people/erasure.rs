//! Erasing a person: nothing names or describes them afterwards, anywhere.

use std::process::Command;
use std::time::{Duration, Instant};

use chat_group_members::config::Secret;
use chat_group_members::domain::{Act, GroupType, Name, Scope, Terms};
use chat_group_members::membership::{self, ActRequest, Actor as By};
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::{Connection, Executor, PgConnection};

use super::zora::{AVATAR, NAME, REASON, TRACES, UID, details, dump, erase, traces, with_zora};
use super::{host, is_shared, world};
use crate::join_and_rename::until_something_waits;
use crate::peer_nodes::first;
use crate::support::actor::{send, with};
use crate::support::database::database;
use crate::support::program::{Program, command, import, run};
use crate::support::{World, eventually, guid, row, uid};
use crate::v3::KEY;

/// Everything that a node answers about its groups.
async fn answers(world: &World) -> String {
    let mut all = String::new();
    for guid in ["den", "park", "vault"] {
        for path in [
            "members",
            "members?format=csv",
            "members?format=atom",
            "bans",
            "mutes",
            "members/eve/notes",
            "members?searchKeyword=noone",
        ] {
            all.push_str(&world.ada.get(&format!("/groups/{guid}/{path}")).await.body);
            all.push_str(&world.ada.data(&format!("/groups/{guid}/{path}")).await.body);
            all.push_str(&world.ada.page(&format!("/groups/{guid}/{path}")).await.body);
        }
        for path in ["members", "bannedusers", "mutedusers", "events?limit=1000"] {
            all.push_str(&host(world, Method::GET, &format!("/v3/groups/{guid}/{path}"), None).await.body);
        }
        let mut stream = world.ada.raw(&format!("/groups/{guid}/events?format=json"), &[]).await;
        let id = stream.next().await.unwrap().json()["id"].as_str().unwrap().to_owned();
        let epoch = id.rsplit_once('.').unwrap().0.to_owned();
        for seq in [0, 1, world.head(guid).await - 1] {
            for query in ["?format=json", ""] {
                let path = format!("/groups/{guid}/events{query}");
                let last = format!("{epoch}.{seq}");
                let mut stream = world.ada.raw(&path, &[("last-event-id", &last)]).await;
                let first = stream.next().await.unwrap();
                all.push_str(&format!("{first:?}"));
            }
        }
    }
    all.push_str(&host(world, Method::GET, "/v3/users?perPage=1000&withTags=true", None).await.body);
    for path in ["", "/groups"] {
        all.push_str(&host(world, Method::GET, &format!("/v3/users/{UID}{path}"), None).await.body);
    }
    all.push_str(&host(world, Method::GET, "/v3/users/ada/export", None).await.body);
    all.push_str(&host(world, Method::GET, "/v3/users/dee/export", None).await.body);
    all
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_set_a_ban_that_ended_long_ago_is_found_among_thousands_of_restrictions() {
    let world = world().await;
    let store = world.app.store();
    // Two thousand mutes in a group that is read first.
    let crowd: Vec<String> = (0..1_000).map(|n| format!("c{n}")).collect();
    let rows = crowd.iter().map(|name| row(name, name, Scope::Participant, None));
    world
        .sync("crowd", GroupType::Private, rows.chain([row("ada", "Ada Lovelace", Scope::Owner, None)]).collect())
        .await;
    for minutes in [10, 20, 30] {
        let until = Some(world.clock.now() + minutes * 60_000);
        let mute = Act::Mute(Terms { until, ..Terms::default() });
        let muted = crowd.iter().map(|name| uid(name)).collect();
        membership::act_batch(store, ActRequest::new(guid("crowd"), By::Host), mute, muted, false).await.unwrap();
    }
    membership::put_user(store, uid(UID), Name::parse(NAME).ok(), None).await.unwrap();
    world.seed("vault", GroupType::Private, [(UID, NAME, Scope::Moderator)]).await;
    let zora = world.actor(UID);
    zora.act(Method::PUT, "/groups/vault/bans/dee", json!({"reason": "noise"})).await.ok();
    zora.act(Method::DELETE, &format!("/groups/vault/members/{UID}"), json!({})).await.ok();
    membership::act(store, ActRequest::new(guid("vault"), By::Host), uid("dee"), Act::Unban).await.unwrap();
    host(&world, Method::DELETE, &format!("/v3/users/{UID}"), None).await.ok();
    // What happened before is forgotten: only the ban as it was when it was lifted names her.
    membership::sweep(store, 1).await.unwrap();
    assert!(dump(&world).await.contains(UID));
    erase(&world, UID).await.ok();
    eventually("nothing names her", async || traces(&dump(&world).await).is_empty()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_of_somebody_who_was_erased_is_left_anywhere() {
    let world = with_zora().await;
    let other = if is_shared(&world) { Some(world.beside().await) } else { None };
    let nodes: Vec<&World> = [&world].into_iter().chain(other.as_ref()).collect();
    for node in &nodes {
        assert!(!traces(&answers(node).await).is_empty(), "they are there at first");
    }
    assert_eq!(traces(&dump(&world).await), TRACES);
    let numbers = (world.head("den").await, world.head("park").await, world.head("vault").await);

    erase(&world, UID).await.ok();
    // They have left every group: the promised time begins.
    let begun = Instant::now();
    loop {
        let (looked_at, mut found) = (begun.elapsed(), vec![]);
        for node in &nodes {
            found.extend(traces(&answers(node).await));
        }
        // So are the rows of PostgreSQL. A file is written anew, for which there is a minute.
        if is_shared(&world) {
            found.extend(traces(&dump(&world).await));
        }
        if found.is_empty() {
            break;
        }
        // On a busy machine a look takes seconds: what counts is when it began.
        assert!(looked_at < Duration::from_secs(5), "{found:?} after {looked_at:?}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    eventually("no page and no log of the file holds it", async || traces(&dump(&world).await).is_empty()).await;

    let after = (world.head("den").await, world.head("park").await, world.head("vault").await);
    assert_eq!(after, (numbers.0 + 1, numbers.1 + 1, numbers.2), "they left, and no number is missing");
    assert_eq!(crate::support::faults(&world.app).await, Vec::<String>::new());
    assert_eq!(host(&world, Method::GET, &format!("/v3/users/{UID}/export"), None).await.status, 404);
    assert_eq!(erase(&world, UID).await.status, 404, "nothing is known any more");
}

#[tokio::test]
async fn neither_a_copy_that_is_made_later_nor_the_log_of_the_program_holds_them() {
    let folder = tempfile::tempdir().unwrap();
    let people = format!(
        "uid,name,scope,avatar,joinedAt\nada,Ada,owner,,\ndee,Dee,participant,,\n{UID},{NAME},moderator,{AVATAR},\n"
    );
    assert!(import(folder.path(), "den", &people).0);
    let program = Program::start(command(folder.path()).args([
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--api-key",
        KEY,
        "--log",
        "chat_group_members=debug",
    ]));
    let (ada, zora) = (program.actor("ada"), program.actor(UID));
    let host = async |method: Method, path: &str, body: Value| {
        send(with(ada.anonymous(method, path), &[("apikey", KEY)]).json(&body)).await
    };
    let path = format!("/v3/users/{UID}");
    host(Method::PUT, &path, details()).await.ok();
    zora.kick("dee").await.ok();
    zora.kick("ada").await.refused(403, "ERR_GROUP_NO_CLEARANCE");
    ada.ban(UID, json!({"reason": REASON})).await.ok();
    let copied = |name: &str| {
        let copy = folder.path().join(name);
        let (done, output) = run(command(folder.path()).arg("backup").arg(&copy));
        assert!(done, "{output}");
        if database(folder.path()).starts_with("sqlite:") {
            return String::from_utf8_lossy(&std::fs::read(&copy).unwrap()).into_owned();
        }
        let restored = Command::new("pg_restore").arg("--file=-").arg(&copy).output().unwrap();
        assert!(restored.status.success(), "{}", String::from_utf8_lossy(&restored.stderr));
        String::from_utf8_lossy(&restored.stdout).into_owned()
    };
    assert_eq!(traces(&copied("before.backup")), TRACES);
    host(Method::DELETE, &path, json!({"permanent": true})).await.ok();
    eventually("no copy holds it", async || traces(&copied("after.backup")).is_empty()).await;
    let log = [&program.startup_log[..], &program.lines_since()].concat().join("\n");
    assert!(log.contains("route="), "{log}");
    assert_eq!(traces(&log), Vec::<&str>::new());
}

#[tokio::test]
async fn acts_stay_countable_under_one_pseudonym_and_the_bans_they_set_stay() {
    let world = with_zora().await;
    erase(&world, UID).await.ok();
    let pseudonym = world.app.store().pseudonyms().of(&uid(UID)).to_string();
    assert!(pseudonym.starts_with("erased-"));
    eventually("the log is rewritten", async || dump_has(&world, "den").await == Some(pseudonym.clone())).await;
    let exported = host(&world, Method::GET, &format!("/v3/users/{pseudonym}/export"), None).await.ok().json();
    assert_eq!(exported["data"]["acts"].as_array().unwrap().len(), 3, "the ban, the note and the mute");
    assert_eq!(exported["data"]["acts"][0]["kind"], "member_banned");
    let mutes = world.ada.data("/groups/den/mutes").await.ok().json();
    assert_eq!((&mutes["data"][0]["uid"], &mutes["data"][0]["by"]), (&json!("eve"), &json!(pseudonym)));
    let notes = world.ada.data("/groups/den/members/eve/notes").await.ok().json();
    let by = json!({"uid": pseudonym, "name": null});
    assert_eq!((&notes["data"][0]["text"], &notes["data"][0]["by"]), (&json!("Loud at night."), &by));
    let notes = world.ada.data(&format!("/groups/park/members/{pseudonym}/notes")).await.ok().json();
    assert_eq!(notes["data"], json!([]), "what was written about them is gone");
    let kinds: Vec<_> =
        exported["data"]["events"].as_array().unwrap().iter().map(|event| event["kind"].as_str().unwrap()).collect();
    assert!(kinds.contains(&"member_left") && kinds.contains(&"member_scope_changed"), "{kinds:?}");
    let bans = world.ada.data("/groups/den/bans").await.ok().json();
    let dee = bans["data"].as_array().unwrap().iter().find(|ban| ban["uid"] == "dee").unwrap().clone();
    assert_eq!((&dee["reason"], &dee["by"]), (&json!("noise"), &json!(pseudonym)), "the reason is about Dee");
}

/// Who banned Dee, by the list of bans.
async fn dump_has(world: &World, guid: &str) -> Option<String> {
    let bans = world.ada.data(&format!("/groups/{guid}/bans")).await.ok().json();
    let dee = bans["data"].as_array()?.iter().find(|ban| ban["uid"] == "dee")?;
    dee["by"].as_str().map(str::to_owned)
}

#[tokio::test]
async fn a_pseudonym_is_nobody_who_could_be_erased() {
    let world = with_zora().await;
    erase(&world, UID).await.ok();
    eventually("they are forgotten", async || traces(&answers(&world).await).is_empty()).await;
    let bans = host(&world, Method::GET, "/v3/groups/vault/bannedusers", None).await.ok().json();
    let pseudonym = bans["data"][0]["uid"].as_str().unwrap().to_owned();
    assert!(pseudonym.starts_with("erased-"));
    assert_eq!(erase(&world, &pseudonym).await.status, 404);
    assert_eq!(host(&world, Method::GET, "/v3/groups/vault/bannedusers", None).await.ok().json(), bans);
}

#[tokio::test]
async fn a_ban_keeps_out_whoever_comes_back_after_they_were_erased() {
    let world = with_zora().await;
    world.host_bans("park", UID, Some(REASON)).await;
    erase(&world, UID).await.ok();
    eventually("the ban has a pseudonym", async || {
        let bans = world.ada.data("/groups/park/bans").await.ok().json();
        bans["data"].as_array().unwrap().iter().any(|ban| ban["uid"].as_str().unwrap().starts_with("erased-"))
    })
    .await;
    let zora = world.actor(UID);
    zora.join().await.refused(409, "ERR_BANNED_GROUPMEMBER");
    let name = Name::parse("Somebody Else").unwrap();
    membership::put_user(world.app.store(), uid(UID), Some(name), None).await.unwrap();
    zora.join().await.refused(409, "ERR_BANNED_GROUPMEMBER");
    let added =
        host(&world, Method::POST, "/v3/groups/park/members", Some(json!({"participants": [UID]}))).await.ok().json();
    assert_eq!(added["data"]["participants"][UID]["error"]["code"], "ERR_BANNED_GROUPMEMBER");
    world.sync("park", GroupType::Public, vec![row(UID, "Somebody Else", Scope::Participant, None)]).await;
    assert_eq!(world.scope("park", UID).await, None, "nor by a sync");

    // Lifted under the uid, or put on new terms, it is one ban.
    host(&world, Method::POST, &format!("/v3/groups/park/bannedusers/{UID}"), Some(json!({"reason": "again"})))
        .await
        .ok();
    let bans = world.ada.data("/groups/park/bans").await.ok().json();
    let uids: Vec<_> = bans["data"].as_array().unwrap().iter().map(|ban| ban["uid"].as_str().unwrap()).collect();
    assert_eq!(uids, [UID, "flo"]);
    host(&world, Method::DELETE, &format!("/v3/groups/vault/bannedusers/{UID}"), None).await.ok();
    assert_eq!(world.ada.data("/groups/vault/bans").await.ok().json()["meta"]["count"], 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn open_streams_end_as_for_leaving_and_ids_of_before_resync_once() {
    let world = with_zora().await;
    let other = if is_shared(&world) { world.beside().await } else { world };
    let mut own = other.actor(UID).raw("/groups/den/events?format=json", &[]).await;
    assert_eq!(own.next().await.unwrap().name(), "ready");
    let mut ada = other.ada.events().await;
    let before = ada.next().await.unwrap().json()["id"].as_str().unwrap().to_owned();
    erase(&other, UID).await.ok();
    let left = ada.until("she left", |message| message.name() == "member_left").await;
    assert_eq!(left.json()["member"]["uid"], UID, "while she leaves, screens hear whose row goes");
    let last = own.rest().await.pop().unwrap();
    assert_eq!((last.name(), last.json()["reason"].as_str()), ("revoked", Some("left")));

    eventually("an old id resyncs", async || {
        let mut stream = other.ada.raw("/groups/den/events?format=json", &[("last-event-id", &before)]).await;
        stream.next().await.unwrap();
        stream.next().await.unwrap().name() == "resync"
    })
    .await;
    let mut stream =
        other.ada.raw("/groups/den/events?format=json", &[("last-event-id", left.id.as_deref().unwrap())]).await;
    assert_eq!(stream.next().await.unwrap().name(), "ready");
    other.ada.set_scope("eve", "moderator").await.ok();
    assert_eq!(stream.next().await.unwrap().name(), "member_scope_changed", "one of after goes on");
}

#[tokio::test]
async fn an_owner_is_not_deleted_and_hears_what_they_own() {
    let world = world().await;
    for body in [json!({}), json!({"permanent": true})] {
        let refused = host(&world, Method::DELETE, "/v3/users/ada", Some(body)).await;
        assert_eq!(refused.status, 409, "{}", refused.body);
        let error = &refused.json()["error"];
        assert_eq!(
            (&error["code"], &error["details"]["groups"]),
            (&json!("ERR_OWNER_MUST_TRANSFER"), &json!(["den", "park", "vault"]))
        );
    }
    assert_eq!(world.scope("den", "ada").await, Some(Scope::Owner));
    let odd = host(&world, Method::DELETE, "/v3/users/dee", Some(json!({"permanent": "yes"}))).await;
    assert!(odd.status.is_client_error() && odd.body.contains("permanent"), "{}", odd.body);
    assert_eq!(erase(&world, "nobody").await.status, 404);
}

#[tokio::test]
async fn somebody_who_was_deleted_is_in_the_log_until_they_are_erased() {
    let world = with_zora().await;
    host(&world, Method::DELETE, &format!("/v3/users/{UID}"), None).await.ok();
    assert!(dump(&world).await.contains("Quillfeather"), "the log keeps their name");
    erase(&world, UID).await.ok();
    eventually("until they are erased", async || traces(&dump(&world).await).is_empty()).await;
}

#[tokio::test]
async fn an_erasure_that_a_crash_cut_short_is_finished() {
    let world = with_zora().await;
    // As a crash leaves it: begun a while ago, and nothing done.
    let pseudonym = world.app.store().pseudonyms().of(&uid(UID));
    let sql = format!("INSERT INTO erasures (uid, pseudonym, at) VALUES ('{UID}', '{pseudonym}', 0)");
    world.write_by_hand(&sql).await;
    eventually("she is in no group", async || world.scope("den", UID).await.is_none()).await;
    eventually("and nowhere else", async || traces(&dump(&world).await).is_empty()).await;
}

#[tokio::test]
async fn what_is_dated_later_than_the_clock_is_erased_too() {
    let world = with_zora().await;
    // The time of each group goes on where it was.
    world.clock.advance(-600_000);
    erase(&world, UID).await.ok();
    eventually("nothing of her is left", async || traces(&dump(&world).await).is_empty()).await;
    eventually("the erasure has ended", async || {
        world.app.store().read().await.unwrap().erasures().await.unwrap().is_empty()
    })
    .await;
}

#[tokio::test]
async fn whoever_comes_by_the_same_uid_while_the_log_is_rewritten_is_somebody_else() {
    let world = with_zora().await;
    erase(&world, UID).await.ok();
    world.host_adds("den", UID, "Somebody else").await;
    eventually("the erasure has ended", async || {
        world.app.store().read().await.unwrap().erasures().await.unwrap().is_empty()
    })
    .await;
    let pseudonym = world.app.store().pseudonyms().of(&uid(UID)).to_string();
    let log = host(&world, Method::GET, "/v3/groups/den/events?limit=1000", None).await.json();
    let events: Vec<_> = log["data"].as_array().unwrap().iter().map(|event| &event["data"]).collect();
    let [.., left, added] = &events[..] else { panic!("{log}") };
    assert_eq!((&left["member"]["uid"], &left["new"]), (&json!(pseudonym), &json!(null)));
    assert_eq!((&added["member"]["uid"], &added["new"]), (&json!(UID), &json!("participant")));
    assert_eq!(world.scope("den", UID).await, Some(Scope::Participant));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_ban_that_was_under_way_while_they_were_erased_names_them_no_more_either() {
    let (cluster, world) = first(|config| config.api_keys = vec![Secret::new(KEY)]).await;
    world.host_kicks("den", "dee").await;
    let mut holding = PgConnection::connect(&cluster.url("chat")).await.unwrap();
    holding.execute("BEGIN; INSERT INTO bans (guid, uid, at) VALUES ('den', 'dee', 1)").await.unwrap();
    let ben = world.actor("ben");
    let banning = tokio::spawn(async move { ben.ban("dee", json!({"reason": "threats"})).await });
    until_something_waits(&cluster).await;
    erase(&world, "dee").await.ok();
    holding.execute("ROLLBACK").await.unwrap();
    banning.await.unwrap().ok();
    let naming = "SELECT count(*) FROM events e LEFT JOIN touched t ON t.guid = e.guid AND t.seq = e.seq
                  WHERE t.uid = 'dee' OR e.reason = 'threats'";
    // Her ban may be rewritten in a later pass of the erasure than the log.
    let is_empty = |sql: &str| cluster.sql("chat", sql) == "0";
    let bans = "SELECT count(*) FROM bans WHERE uid = 'dee' OR reason = 'threats'";
    let over = async || is_empty(naming) && is_empty(bans) && is_empty("SELECT count(*) FROM erasures");
    eventually("nothing names her", over).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_that_was_being_stored_while_they_were_erased_does_not_bring_them_back() {
    let (cluster, world) = first(|config| config.api_keys = vec![Secret::new(KEY)]).await;
    // The list stands still at Cy, before it comes to Dee.
    for sql in [
        "CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql
         AS $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NEW; END $$",
        "CREATE TRIGGER wait BEFORE INSERT ON sync_rows FOR EACH ROW WHEN (NEW.uid = 'cy') EXECUTE FUNCTION wait()",
    ] {
        cluster.sql("chat", sql);
    }
    let mut holding = PgConnection::connect(&cluster.url("chat")).await.unwrap();
    holding.execute("SELECT pg_advisory_lock(1)").await.unwrap();
    let list = json!({"members": [{"uid": "cy", "scope": "moderator"}, {"uid": "dee", "name": "Dee Dee"}]});
    let request = with(world.ada.anonymous(Method::PUT, "/v3/groups/den/members"), &[("apikey", KEY)]);
    let listing = tokio::spawn(send(request.json(&list)));
    until_something_waits(&cluster).await;
    erase(&world, "dee").await.ok();
    holding.execute("SELECT pg_advisory_unlock(1)").await.unwrap();
    listing.await.unwrap().ok();
    let members = [("ada".to_owned(), Scope::Owner), ("cy".to_owned(), Scope::Moderator)];
    assert_eq!(world.members("den").await, members);
    assert_eq!(cluster.sql("chat", "SELECT count(*) FROM users WHERE uid = 'dee'"), "0");
}

#[tokio::test]
async fn nobody_becomes_somebody_who_was_erased() {
    let world = world().await;
    let uid = "erased-0291ad82ea41dc3f708e339f84030311";
    let made = host(&world, Method::POST, "/v3/users", Some(json!({"uid": uid, "name": "Mallory"}))).await;
    assert_eq!((made.status.as_u16(), made.json()["error"]["code"].as_str()), (400, Some("ERR_BAD_REQUEST")));
    let rows = json!({"members": [{"uid": "ada", "scope": "owner"}, {"uid": uid, "name": "Mallory"}]});
    assert_eq!(host(&world, Method::PUT, "/v3/groups/den/members", Some(rows)).await.status.as_u16(), 400);
    world.actor(uid).data("/groups/park/members").await.refused(401, "AUTH_ERR_NO_ACCESS");
}

//! Two servers, of which one follows the other and takes its place.

use std::net::Ipv4Addr;
use std::process::Command;
use std::time::Instant;

use chat_group_members::app::App;
use chat_group_members::config::Secret;
use jiff::Timestamp;
use reqwest::Method;

use super::{Crowd, EVENTS, LongerMutes, kick, nothing_is_lost, refused_for_now, until_yes, world};
use crate::peer_nodes::API_KEY;
use crate::support::actor::send;
use crate::support::cluster::{Cluster, Setup, Stop};
use crate::support::program::{bare, run};
use crate::support::proxy::Proxy;
use crate::support::{Actor, SECRET, World, eventually, soon};
use crate::webhooks::webhook;

/// A primary whose commits wait for a standby, and the address of both.
fn pair() -> (Cluster, Cluster, String) {
    let primary = Cluster::start();
    primary.create_database("chat");
    let standby = Cluster::standby_of(&primary, "second", &Setup::default());
    primary.make_synchronous("second");
    let (one, other) = (primary.port, standby.port);
    let url = format!("postgres://tester@127.0.0.1:{one},127.0.0.1:{other}/chat?target_session_attrs=read-write");
    (primary, standby, url)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn failed_over_to_its_standby_nothing_answered_is_lost_and_streams_go_on() {
    let (old, new, url) = pair();
    let world = world(&url).await;
    let mut stream = world.ada.raw("/groups/park/events?format=json", &[]).await;
    stream.next().await.unwrap();
    let since = world.head("park").await;
    let crowd = Crowd::comes(&world, 16);
    crowd.grows(200).await;

    old.kill9();
    let begun = Instant::now();
    new.promote();
    eprintln!("promoted after {:?}", begun.elapsed());
    crowd.grows(1).await;
    eprintln!("the first act after the failover: {:?} after the kill", begun.elapsed());
    crowd.grows(200).await;
    let joined = crowd.ends().await;
    nothing_is_lost(&world, &joined).await;
    let head = world.head("park").await;
    let messages = stream.up_to(head).await;
    let seqs: Vec<u64> = messages.iter().filter(|message| message.id.is_some()).map(|message| message.seq()).collect();
    assert_eq!(seqs, (since + 1..=head).collect::<Vec<_>>(), "without a gap and without looking again");

    // Another node, which begins now, has the same history.
    let app = App::open(world.app.config().clone()).await.unwrap();
    let second = World::of(app, world.clock.clone(), tempfile::tempdir().unwrap()).await;
    let first = messages.into_iter().find_map(|message| message.id).unwrap();
    let mut again = second.ada.raw("/groups/park/events?format=json", &[("last-event-id", &first)]).await;
    let messages = again.up_to(head).await;
    let seqs: Vec<u64> = messages.iter().filter(|message| message.id.is_some()).map(|message| message.seq()).collect();
    assert_eq!(seqs, (since + 2..=head).collect::<Vec<_>>(), "resumed");

    // The old one comes back and takes itself for the primary: nobody asks it for anything.
    old.start_again();
    old.make_alone();
    let before = old.sql("chat", "SELECT count(*) FROM events");
    kick(&world.ben, "dee", "k1").await.ok();
    new.stop(Stop::Fast);
    refused_for_now("an act beside the old primary", kick(&world.ben, "eve", "k2")).await;
    refused_for_now("a read beside the old primary", world.ben.data("/groups/den/bans")).await;
    // The same when it comes back as a standby.
    old.stop(Stop::Fast);
    std::fs::write(old.data().join("standby.signal"), "").unwrap();
    old.start_again();
    assert_eq!(old.sql("chat", "SELECT pg_is_in_recovery()"), "t");
    refused_for_now("an act beside a standby", kick(&world.ben, "eve", "k2")).await;
    refused_for_now("a read beside a standby", world.ben.data("/groups/den/bans")).await;
    assert_eq!(old.sql("chat", "SELECT count(*) FROM events"), before, "nothing was written to it");
    new.start_again();
    until_yes("an act on the new primary", || kick(&world.ben, "eve", "k2")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn started_beside_a_standby_alone_a_node_serves_lists_and_acts_once_it_is_promoted() {
    let (old, new, url) = pair();
    let world = world(&url).await;
    let seen = world.eve.sees().await;
    has_everything(&old, &new).await;
    old.kill9();
    let mut config = world.app.config().clone();
    config.webhooks = vec![webhook("http://127.0.0.1:1/hook")];
    let app = soon("a node starts", App::open(config)).await.unwrap();
    let second = World::of(app, world.clock.clone(), tempfile::tempdir().unwrap()).await;
    assert_eq!(second.eve.sees().await, seen);
    second.ben.data("/groups/den/bans").await.ok();
    let mut stream = second.eve.events().await;
    assert_eq!(stream.next().await.unwrap().name(), "ready");
    refused_for_now("an act", kick(&second.ben, "dee", "k1")).await;
    let ready = second.ben.get("/readyz").await;
    assert!(ready.status == 503 && ready.body.contains("it is a standby"), "{ready:?}");
    assert_eq!(second.ben.get("/readyz?for=reads").await.status, 200);

    new.promote();
    until_yes("an act", || kick(&second.ben, "dee", "k1")).await;
    let messages = stream.up_to(second.head("den").await).await;
    assert_eq!(messages.last().unwrap().name(), "member_kicked");
    eventually("it is ready", async || second.ben.get("/readyz").await.status == 200).await;
    let registered = "SELECT count(*) FROM webhook_endpoints";
    eventually("its endpoint of webhooks is registered", async || new.sql("chat", registered) == "1").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn beside_a_standby_alone_a_cursor_goes_on_to_no_change_before_which_a_list_may_still_come() {
    let (old, new, url) = pair();
    let world = World::with(|config| {
        config.database_url = url;
        config.api_keys = vec![Secret::new(API_KEY)];
    })
    .await;
    old.sql("chat", "UPDATE users SET updated_at = updated_at - 3600000 WHERE uid = 'ada'");
    has_everything(&old, &new).await;
    old.kill9();
    let app = soon("a node starts", App::open(world.app.config().clone())).await.unwrap();
    let second = World::of(app, world.clock.clone(), tempfile::tempdir().unwrap()).await;
    let listed = async |query: &str| {
        let request = second.ada.anonymous(Method::GET, &format!("/v3/users?{query}")).header("apikey", API_KEY);
        let page = send(request).await.ok().json();
        page["data"].as_array().unwrap().iter().map(|user| user["uid"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(listed("affix=append").await, ["ada"], "nobody else has changed for ten minutes");
    assert!(listed("affix=prepend").await.len() > 1);
    new.promote();
    until_yes("an act", || kick(&second.ben, "dee", "k1")).await;
    eventually("the others are listed", async || listed("affix=append").await.len() > 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn beside_a_standby_alone_a_command_that_writes_is_refused_before_it_begins() {
    let (old, new, url) = pair();
    let _world = world(&url).await;
    has_everything(&old, &new).await;
    old.kill9();
    let folder = tempfile::tempdir().unwrap();
    for arguments in [
        &["import", "--group", "den", "no-such-file.csv"][..],
        &["webhooks", "pause", "no-such-endpoint"],
        &["webhooks", "replay", "no-such-endpoint", "--from", "2026-05-02T14:00:00Z"],
    ] {
        let mut command = bare(folder.path());
        command.env("CGM_VIEWER_SECRET", SECRET).env("CGM_DATABASE_URL", &url).args(arguments);
        let (succeeded, said) = run(&mut command);
        let is_refused = said.contains("it is a standby") && said.contains("This command writes");
        assert!(!succeeded && is_refused, "{arguments:?}: {said}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn beside_a_standby_alone_a_role_that_is_serializable_by_default_reads() {
    let (old, new, url) = pair();
    old.sql(
        "postgres",
        "CREATE ROLE app LOGIN SUPERUSER; ALTER ROLE app SET default_transaction_isolation = 'serializable'",
    );
    let url = url.replace("tester@", "app@");
    let world = world(&url).await;
    let seen = world.eve.sees().await;
    has_everything(&old, &new).await;
    old.kill9();
    let app = soon("a node starts", App::open(world.app.config().clone())).await.unwrap();
    let second = World::of(app, world.clock.clone(), tempfile::tempdir().unwrap()).await;
    assert_eq!(second.eve.sees().await, seen);
    let folder = tempfile::tempdir().unwrap();
    let mut doctor = bare(folder.path());
    doctor.args(["doctor", "--viewer-secret", SECRET, "--database-url", &url]);
    let (sound, output) = tokio::task::block_in_place(|| run(&mut doctor));
    assert!(sound && output.contains("a standby was inspected"), "{output}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn promoted_while_the_old_primary_lives_the_new_one_is_used() {
    let (old, new, url) = pair();
    let world = world(&url).await;
    let crowd = Crowd::comes(&world, 8);
    crowd.grows(100).await;
    new.promote();
    let begun = Instant::now();
    crowd.grows(50).await;
    eprintln!("acts go on {:?} after the promotion", begun.elapsed());
    nothing_is_lost(&world, &crowd.ends().await).await;
    kick(&world.ben, "dee", "k1").await.ok();
    let dee = "SELECT count(*) FROM members WHERE guid = 'den' AND uid = 'dee'";
    assert_eq!((old.sql("chat", dee), new.sql("chat", dee)), ("1".into(), "0".into()));
    // A backup is of the one whose history it is, which stands second in the address.
    let folder = tempfile::tempdir().unwrap();
    let mut backup = bare(folder.path());
    backup.env("CGM_VIEWER_SECRET", SECRET).env("CGM_DATABASE_URL", &url).args(["backup", "chat.dump"]);
    let output = backup.current_dir(folder.path()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let mut reading = Command::new("pg_restore");
    let reading = reading.args(["--data-only", "--table", "members", "--file", "-", "chat.dump"]);
    let members = String::from_utf8(reading.current_dir(folder.path()).output().unwrap().stdout).unwrap();
    assert!(members.contains("den\teve") && !members.contains("den\tdee"), "{members}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn replaced_behind_its_address_while_the_old_server_lives_it_is_used_by_nobody() {
    let (old, new, _) = pair();
    let way = Proxy::to_port(old.port).await;
    let world = world(&format!("postgres://tester@127.0.0.1:{}/chat", way.port())).await;
    kick(&world.ben, "dee", "k1").await.ok();
    // Connections to the old one stay open, and it takes writes for as long as anybody sends some.
    new.promote();
    old.make_alone();
    way.retarget((Ipv4Addr::LOCALHOST, new.port).into());
    let mutes = LongerMutes::by(&world.ben);
    mutes.until_they_reach(&new).await;
    let left = old.sql("chat", EVENTS);
    // As many as there are connections, and more.
    for _ in 0..40 {
        mutes.another().await.ok();
    }
    assert_eq!(old.sql("chat", EVENTS), left, "nobody writes to the old one");
    let muted = world.ben.data("/groups/den/mutes").await.ok().json()["data"][0]["until"].as_str().unwrap().to_owned();
    let stored = "SELECT until_at FROM mutes WHERE guid = 'den'";
    let stored = Timestamp::from_millisecond(new.sql("chat", stored).parse().unwrap()).unwrap();
    assert_eq!(muted[..19], stored.to_string()[..19], "and nobody reads from it");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_act_is_answered_with_yes_before_the_standby_has_it() {
    let (primary, standby, url) = pair();
    let world = world(&url).await;
    let (seen, head) = (world.eve.sees().await, world.head("den").await);
    standby.stop(Stop::Fast);
    let (answer, _) = refused_for_now("an act without the standby", kick(&world.ben, "dee", "k1")).await;
    assert!(answer.body.contains("See whether it was done"), "{}", answer.body);
    // From then on nobody waits, and what can be read is.
    for _ in 0..5 {
        let (answer, _) = refused_for_now("another act", kick(&world.ben, "dee", "k1")).await;
        assert!(answer.body.contains("Nothing was changed"), "{}", answer.body);
    }
    assert_eq!(world.eve.sees().await, seen);
    world.ben.data("/groups/den/bans").await.ok();
    let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    // Whether acts can be done may have been tried meanwhile.
    eventually("the act's commit waits, and one that shows when it is over", async || {
        ["2", "3"].contains(&primary.sql("chat", waiting).as_str())
    })
    .await;

    standby.start_again();
    until_yes("the act with the standby", || kick(&world.ben, "dee", "k1")).await;
    assert_eq!(world.head("den").await, head + 1, "it was done once");
    assert_eq!(primary.sql("chat", waiting), "0");
}

/// What a stream that resumed says first: it begins anew, under this name of the history.
async fn begins_anew(actor: &Actor, last: &str) -> String {
    let mut data = actor.raw("/groups/den/events?format=json", &[("last-event-id", last)]).await;
    let first = data.until("a resync", |message| message.id.is_some()).await;
    assert_eq!(first.name(), "resync", "{first:?}");
    let mut screen = actor.raw("/groups/den/events", &[("last-event-id", last)]).await;
    let note = screen.next().await.unwrap();
    assert!(note.has("[data-note=resync]"), "{note:?}");
    history(&first.id.unwrap()).to_owned()
}

fn history(id: &str) -> &str {
    id.rsplit_once('.').unwrap().0
}

/// A primary, a standby that is always a little behind and now hears nothing more, and ways to both.
async fn unequal_pair() -> (Cluster, Cluster, Proxy, [Proxy; 2], String) {
    let primary = Cluster::start();
    primary.create_database("chat");
    let link = Proxy::to_port(primary.port).await;
    let standby = tokio::task::block_in_place(|| Cluster::standby_through(link.port(), "second", &Setup::default()));
    let ways = [Proxy::to_port(primary.port).await, Proxy::to_port(standby.port).await];
    let url = format!("postgres://tester@127.0.0.1:{},127.0.0.1:{}/chat", ways[0].port(), ways[1].port());
    (primary, standby, link, ways, url)
}

/// Waits until the standby shows everything that its primary has.
async fn has_everything(primary: &Cluster, standby: &Cluster) {
    let at = primary.sql("chat", "SELECT pg_current_wal_lsn()");
    let there = format!("SELECT pg_last_wal_replay_lsn() >= '{at}'");
    eventually("the standby has everything", async || standby.sql("chat", &there) == "t").await;
}

/// Waits until the standby has everything, and takes its primary from it.
async fn part(primary: &Cluster, standby: &Cluster, link: &Proxy) {
    has_everything(primary, standby).await;
    link.refuse();
    link.cut_all();
    eventually("the standby hears nothing", async || {
        standby.sql("chat", "SELECT count(*) FROM pg_stat_wal_receiver") == "0"
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn failed_over_to_a_standby_that_has_not_everything_every_viewer_of_every_node_looks_again() {
    let (old, new, link, _ways, url) = unequal_pair().await;
    let world = world(&url).await;
    let app = App::open(world.app.config().clone()).await.unwrap();
    let second = World::of(app, world.clock.clone(), tempfile::tempdir().unwrap()).await;
    part(&old, &new, &link).await;
    let mut streams = Vec::new();
    for actor in [&world.ada, &second.ada] {
        let mut stream = actor.raw("/groups/den/events?format=json", &[]).await;
        stream.next().await.unwrap();
        streams.push(stream);
    }
    kick(&world.ben, "dee", "k1").await.ok();
    let lost = world.head("den").await;
    let mut last = String::new();
    for stream in &mut streams {
        last = stream.up_to(lost).await.into_iter().rev().find_map(|message| message.id).unwrap();
    }

    old.kill9();
    new.promote();
    // The same numbers tell of others now.
    until_yes("an act on the new primary", || kick(&second.ben, "eve", "k2")).await;
    kick(&second.ben, "cy", "k3").await.ok();
    for stream in &mut streams {
        let rest = stream.rest().await;
        assert!(rest.iter().all(|message| message.id.is_none()), "nothing is told under the old name: {rest:?}");
        assert_eq!(rest.last().unwrap().name(), "bye");
    }
    let now = [begins_anew(&world.ada, &last).await, begins_anew(&second.ada, &last).await];
    assert_eq!(now[0], now[1], "the nodes agree");
    assert_ne!(now[0], history(&last));
    for world in [&world, &second] {
        let seen = world.ada.sees().await;
        assert!(seen.contains(&"dee".into()) && !seen.contains(&"eve".into()), "{seen:?}");
    }
    kick(&world.ben, "dee", "k1").await.ok();
    assert!(!world.ada.sees().await.contains(&"dee".into()), "what was lost can be done again");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn numbers_that_others_have_used_again_meanwhile_are_noticed() {
    let (old, new, link, ways, url) = unequal_pair().await;
    let world = world(&url).await;
    part(&old, &new, &link).await;
    let mut stream = world.ada.raw("/groups/den/events?format=json", &[]).await;
    stream.next().await.unwrap();
    kick(&world.ben, "dee", "k1").await.ok();
    let last = stream.up_to(world.head("den").await).await.into_iter().rev().find_map(|message| message.id).unwrap();

    // This node sees nothing of it, and the next one has nothing in memory that could be missed.
    ways.iter().for_each(Proxy::refuse);
    ways.iter().for_each(Proxy::cut_all);
    old.kill9();
    new.promote();
    let mut config = world.app.config().clone();
    config.database_url = new.url("chat");
    let second = World::of(App::open(config).await.unwrap(), world.clock.clone(), tempfile::tempdir().unwrap()).await;
    for uid in ["eve", "cy"] {
        kick(&second.ada, uid, uid).await.ok();
    }
    ways.iter().for_each(Proxy::heal);
    let rest = stream.rest().await;
    assert!(rest.iter().all(|message| message.id.is_none()), "{rest:?}");
    assert_ne!(begins_anew(&world.ada, &last).await, history(&last));
    let seen = world.ada.sees().await;
    assert!(seen.contains(&"dee".into()) && !seen.contains(&"eve".into()), "{seen:?}");
}

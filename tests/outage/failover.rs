//! Two servers, of which one follows the other and takes its place.

use std::time::Instant;

use chat_group_members::app::App;

use super::support::cluster::{Cluster, Setup, Stop};
use super::support::{World, eventually};
use super::{Crowd, kick, nothing_is_lost, refused_for_now, until_yes, world};

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
    let told = stream.up_to(head).await;
    let seqs: Vec<u64> = told.iter().filter(|message| message.id.is_some()).map(|message| message.seq()).collect();
    assert_eq!(seqs, (since + 1..=head).collect::<Vec<_>>(), "without a gap and without looking again");

    // Another node, which begins now, has the same history.
    let app = App::open(world.app.config().clone()).await.unwrap();
    let second = World::of(app, world.clock.clone(), tempfile::tempdir().unwrap()).await;
    let first = told.into_iter().find_map(|message| message.id).unwrap();
    let mut again = second.ada.raw("/groups/park/events?format=json", &[("last-event-id", &first)]).await;
    let told = again.up_to(head).await;
    let seqs: Vec<u64> = told.iter().filter(|message| message.id.is_some()).map(|message| message.seq()).collect();
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
    eventually("the act's commit waits, and one that shows when it is over", async || {
        primary.sql("chat", waiting) == "2"
    })
    .await;

    standby.start_again();
    until_yes("the act with the standby", || kick(&world.ben, "dee", "k1")).await;
    assert_eq!(world.head("den").await, head + 1, "it was done once");
    assert_eq!(primary.sql("chat", waiting), "0");
}

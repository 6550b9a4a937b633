//! Streams that begin, break or fall behind while others write: each event is told once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use chat_group_members::domain::{Act, GroupType, Scope};
use chat_group_members::membership;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::json;
use socket2::{Domain, Socket, Type};

use super::{DATA, flip, id_now, numbers};
use crate::support::sse::{Message, Raw};
use crate::support::{self, Actor, World, by_host, eventually, row, soon, token, uid, within};

/// A reader that loses its connection again and again, and comes back with its last id.
async fn restless(actor: Actor, group: &str, mut last: String, until: u64, patience: usize) -> Vec<Message> {
    let path = format!("/groups/{group}/events?format=json");
    let mut all: Vec<Message> = Vec::new();
    for round in 0.. {
        let mut stream = actor.raw(&path, &[("Last-Event-ID", &last)]).await;
        for _ in 0..1 + (round * 7 + patience) % 23 {
            let Some(message) = stream.next().await else { break };
            if let Some(id) = message.id.clone() {
                last = id;
                all.push(message);
            }
            if all.last().is_some_and(|message| message.seq() >= until) {
                return all;
            }
        }
    }
    all
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_32_writers_and_broken_connections_nothing_is_lost_or_told_twice() {
    const WRITERS: u64 = 32;
    const ROUNDS: u64 = 8;
    let world = World::new().await;
    let since = world.head("park").await;
    // Every writer joins and leaves: two events a round.
    let until = since + WRITERS * ROUNDS * 2;
    let park = world.ada.data("/groups/park/members?limit=1").await.ok().json();
    let first = park["meta"]["id"].as_str().unwrap().to_owned();
    let readers = [(world.ada.clone(), 0), (world.cy.clone(), 5), (world.dee.clone(), 11)];
    let readers: Vec<_> = readers
        .into_iter()
        .map(|(actor, patience)| (actor, first.clone(), patience))
        .map(|(actor, first, patience)| {
            tokio::spawn(async move { restless(actor, "park", first, until, patience).await })
        })
        .collect();
    let mut screen = support::screen::Screen::open(&world.ben, "park", "hideUserStatus=true&limit=10").await;
    eventually("the readers have begun", async || world.app.hub().streams() >= 2).await;
    let writers = (0..WRITERS).map(|n| {
        let writer = world.actor(&format!("w{n}"));
        tokio::spawn(async move {
            for _ in 0..ROUNDS {
                writer.join().await.ok();
                writer.act(Method::DELETE, &format!("/groups/park/members/{}", writer.uid), json!({})).await.ok();
            }
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.unwrap();
    }
    assert_eq!(world.head("park").await, until);
    for reader in readers {
        let messages = reader.await.unwrap();
        assert!(messages.iter().all(|message| message.name() != "resync"));
        assert_eq!(numbers(&messages), (since + 1..=until).collect::<Vec<_>>());
    }
    screen.up_to(until).await;
    let (live, fresh) = screen.compared().await;
    assert_eq!(live, fresh);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_that_does_not_read_is_cut_and_comes_back() {
    let world = World::empty(|_| {}).await;
    let avatar = Some(format!("https://a.example/{}", "x".repeat(2000)));
    let mut people = vec![row("ada", "Ada", Scope::Owner, None), row("dee", "Dee", Scope::Participant, None)];
    people.extend((0..100).map(|n| row(&format!("p{n}"), "Somebody", Scope::Participant, avatar.clone())));
    world.sync("den", GroupType::Private, people).await;
    let (since, id) = (world.head("den").await, id_now(&world.dee).await);

    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    let address: std::net::SocketAddr = world.url.strip_prefix("http://").unwrap().parse().unwrap();
    socket.connect(&address.into()).unwrap();
    socket.set_nonblocking(true).unwrap();
    let socket = tokio::net::TcpStream::from_std(socket.into()).unwrap();
    let mut slow = Raw::on(socket, DATA, &token("dee"), &[("Last-Event-ID", &id)]).await;
    let mut quick = world.ada.raw(DATA, &[("Last-Event-ID", &id)]).await;
    eventually("both streams are open", async || world.app.hub().streams() == 2).await;

    let cut = Arc::new(AtomicBool::new(false));
    let (writing, app) = (cut.clone(), world.app.clone());
    let writer = tokio::spawn(async move {
        let mut scope = Scope::Moderator;
        while !writing.load(Ordering::Relaxed) {
            let changes = (0..100).map(|n| {
                membership::act(app.store(), by_host("den"), uid(&format!("p{n}")), Act::SetScope(scope.into()))
            });
            join_all(changes).await.into_iter().for_each(|done| drop(done.unwrap()));
            scope = if scope == Scope::Moderator { Scope::Participant } else { Scope::Moderator };
        }
    });
    let reading = tokio::spawn({
        let cut = cut.clone();
        async move {
            let mut messages = Vec::new();
            while !cut.load(Ordering::Relaxed) {
                messages.extend(quick.next().await);
            }
            (quick, messages)
        }
    });
    // On a busy machine it takes its time until all queues in between are full.
    within(Duration::from_secs(30), "the slow one is cut", async {
        while world.app.hub().streams() != 1 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
    cut.store(true, Ordering::Relaxed);
    writer.await.unwrap();
    world.host_sets_scope("den", "dee", Scope::Moderator).await;
    let head = world.head("den").await;
    let (mut quick, mut messages) = soon("the quick reader", reading).await.unwrap();
    if numbers(&messages).last() != Some(&head) {
        messages.extend(quick.up_to(head).await);
    }
    assert_eq!(numbers(&messages), (since + 1..=head).collect::<Vec<_>>(), "nobody waited for the slow one");

    let mut messages = slow.rest().await;
    let last = messages.iter().rev().find_map(|message| message.id.clone()).unwrap();
    assert!(numbers(&messages).last() < Some(&head));
    messages.extend(world.dee.raw(DATA, &[("Last-Event-ID", &last)]).await.up_to(head).await);
    assert_eq!(numbers(&messages), (since + 1..=head).collect::<Vec<_>>(), "and it has lost nothing");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_happens_while_a_stream_begins_is_told_once() {
    let world = Arc::new(World::new().await);
    // Many views to be told, so that there is time for something to happen while they are.
    let mut others = Vec::new();
    for limit in 1..=40 {
        others.push(world.ben.raw(&format!("/groups/den/events?limit={limit}"), &[]).await);
    }
    let done = Arc::new(AtomicBool::new(false));
    let acting = tokio::spawn({
        let (world, done) = (world.clone(), done.clone());
        async move {
            while !done.load(Ordering::Relaxed) {
                flip(&world, 1).await;
            }
        }
    });
    let reading =
        others.into_iter().map(|mut other| tokio::spawn(async move { while other.next().await.is_some() {} }));
    let reading: Vec<_> = reading.collect();
    for _ in 0..40 {
        let id = id_now(&world.dee).await;
        let since: u64 = id.rsplit_once('.').unwrap().1.parse().unwrap();
        let mut stream = world.dee.raw(DATA, &[("Last-Event-ID", &id)]).await;
        let seqs = numbers(&stream.up_to(since + 4).await);
        assert_eq!(seqs, (since + 1..=*seqs.last().unwrap()).collect::<Vec<_>>());
    }
    done.store(true, Ordering::Relaxed);
    acting.await.unwrap();
    reading.iter().for_each(|reading| reading.abort());
}

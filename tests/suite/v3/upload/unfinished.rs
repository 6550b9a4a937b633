//! An upload that is not there to its end: acts go on beside it, and nothing of it is left when it is cut short or its service is
//! killed.

use std::time::Duration;

use chat_group_members::domain::Scope;
use chat_group_members::membership::{self, ActError, GlobalRequest, StagedSync};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::{text, world};
use crate::support::{World, eventually, row, soon, uid};
use crate::v3::{Host, KEY};

/// The head of an upload to `den`, over a connection of its own.
async fn put(world: &World, headers: &str) -> TcpStream {
    let host = world.url.strip_prefix("http://").unwrap();
    let mut socket = soon("a connection", TcpStream::connect(host)).await.unwrap();
    let head = format!(
        "PUT /v3/groups/den/members HTTP/1.1\r\nHost: {host}\r\napikey: {KEY}\r\n\
         Content-Type: application/x-ndjson\r\n{headers}\r\n\r\n"
    );
    tokio::time::timeout(Duration::from_secs(5), socket.write_all(head.as_bytes())).await.unwrap().unwrap();
    socket
}

#[tokio::test]
async fn an_upload_that_is_cut_short_leaves_nothing_of_it() {
    let world = world().await;
    let before = world.members("den").await;
    let rows = text(&[json!({"uid": "ada", "scope": "owner"}), json!({"uid": "dee"})]);
    let chunk = format!("{:x}\r\n{rows}\r\n", rows.len());
    for (headers, body) in [
        ("Transfer-Encoding: chunked", chunk.clone()),
        ("Transfer-Encoding: chunked", chunk[..chunk.len() - 9].to_owned()),
        ("Content-Length: 1000", rows.clone()),
    ] {
        let mut socket = put(&world, headers).await;
        socket.write_all(body.as_bytes()).await.unwrap();
        socket.shutdown().await.unwrap();
        let mut answer = String::new();
        soon("the end of the connection", socket.read_to_string(&mut answer)).await.unwrap();
        assert!(!answer.contains("200 OK") && !answer.contains("result"), "{headers}: {answer}");
        assert_eq!(world.members("den").await, before, "{headers}");
    }
}

#[tokio::test]
async fn who_is_erased_while_an_upload_is_on_its_way_is_left_out_of_it() {
    let world = world().await;
    let mut socket = put(&world, "Transfer-Encoding: chunked\r\nConnection: close").await;
    let rows = text(&[json!({"uid": "ada", "scope": "owner"}), json!({"uid": "dee", "name": "Dee Dee"})]);
    socket.write_all(format!("{:x}\r\n{rows}\r\n", rows.len()).as_bytes()).await.unwrap();
    let begun = "SELECT CAST(sync AS TEXT) FROM syncs WHERE phase = 0";
    eventually("the upload has begun", async || world.read_by_hand(begun).await.is_some()).await;
    membership::erase_user(world.app.store(), GlobalRequest::by_host(), uid("dee")).await.unwrap();
    socket.write_all(b"0\r\n\r\n").await.unwrap();
    let mut answer = String::new();
    soon("the answer", socket.read_to_string(&mut answer)).await.unwrap();
    assert!(answer.contains("\"success\":true"), "{answer}");
    assert_eq!(world.members("den").await, [("ada".to_owned(), Scope::Owner)]);
    assert_eq!(world.read_by_hand("SELECT uid FROM users WHERE uid = 'dee'").await, None);
}

#[tokio::test]
async fn while_an_upload_is_slow_acts_go_on() {
    let world = world().await;
    let mut socket = put(&world, "Transfer-Encoding: chunked").await;
    let rows: Vec<String> = ["ada", "ben", "cy", "eve"].map(|uid| format!("{{\"uid\":\"{uid}\"}}\n")).into();
    for (row, act) in rows.iter().zip(0..) {
        let half = row.len() / 2;
        socket.write_all(format!("{half:x}\r\n{}\r\n", &row[..half]).as_bytes()).await.unwrap();
        match act {
            0 => drop(soon("a kick", world.ben.kick("dee")).await.ok()),
            1 => drop(soon("a ban", world.ben.ban("eve", json!({}))).await.ok()),
            2 => drop(soon("joining another group", world.gus.join()).await.ok()),
            _ => drop(soon("an unban", world.ben.unban("eve")).await.ok()),
        }
        let rest = &row[half..];
        socket.write_all(format!("{:x}\r\n{rest}\r\n", rest.len()).as_bytes()).await.unwrap();
    }
    let head = world.head("den").await;
    socket.write_all(b"0\r\n\r\n").await.unwrap();
    let mut answer = String::new();
    while !answer.contains("result") {
        let mut bytes = [0; 4096];
        let read = soon("the answer", socket.read(&mut bytes)).await.unwrap();
        assert!(read > 0, "{answer}");
        answer.push_str(std::str::from_utf8(&bytes[..read]).unwrap());
    }
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let uids: Vec<String> = world.members("den").await.into_iter().map(|(uid, _)| uid).collect();
    assert_eq!(uids, ["ada", "ben", "cy", "eve"]);
    assert_eq!(world.head("den").await, head + 1);
}

#[tokio::test]
async fn of_a_list_with_a_bad_row_nothing_is_staged_when_it_is_refused() {
    let host = Host::with_cast().await;
    let store = host.app.store();
    let rows = [Ok((1, row("zoe", "Zoe", Scope::Admin, None))), Err(ActError::NoSuchGroup)];
    assert!(StagedSync::of(store, rows.into_iter()).await.is_err());
    assert!(store.read().await.unwrap().abandoned_sync(i64::MAX).await.unwrap().is_none());
}

#[tokio::test]
async fn all_that_killed_services_left_behind_is_swept_in_one_round() {
    let host = Host::with_cast().await;
    let store = host.app.store();
    for who in ["zoe", "zora"] {
        let rows = [Ok::<_, ActError>((1, row(who, "Zoe", Scope::Admin, None)))];
        std::mem::forget(StagedSync::of(store, rows.into_iter()).await.unwrap());
    }
    let since = store.clock().now() / 1_000;
    host.app.clock().advance(120_000);
    membership::sweep(store, 10_000).await.unwrap();
    host.put("/v3/users/dee", json!({"statusMessage": "Here"})).await.is(200);
    assert!(store.read().await.unwrap().abandoned_sync(i64::MAX).await.unwrap().is_some(), "they may go on");

    host.app.clock().advance(120_000);
    membership::sweep(store, 10_000).await.unwrap();
    assert!(store.read().await.unwrap().abandoned_sync(i64::MAX).await.unwrap().is_none());
    let polled = host.get(&format!("/v3/users?affix=append&updatedAt={}", since + 1)).await.is(200).body;
    assert_eq!(polled["data"][0]["uid"], "dee", "{polled}");
}

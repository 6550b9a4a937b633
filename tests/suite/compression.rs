//! What is compressed, for whom, and what is not. The bytes are read by the decompressors of others.

use std::io::Read;

use bytes::Bytes;
use chat_group_members::config::Secret;
use chat_group_members::domain::{GroupType, Scope};
use reqwest::header::HeaderMap;
use reqwest::{Method, RequestBuilder};

use crate::support::actor::{Actor, with};
use crate::support::{World, row};

const LIST: &str = "/groups/den/members";

/// Ada's den of fifty.
async fn world() -> World {
    let world = World::empty(|config| config.api_keys = vec![Secret::new(API_KEY)]).await;
    let mut people =
        vec![row("ada", "Ada Lindqvist", Scope::Owner, None), row("ben", "Ben Okafor", Scope::Admin, None)];
    people.extend((0..48).map(|n| row(&format!("p{n}"), "Somebody", Scope::Participant, None)));
    world.sync("den", GroupType::Private, people).await;
    world
}

const API_KEY: &str = "a-key-of-the-host-s-back-end";

struct Sent {
    headers: HeaderMap,
    bytes: Bytes,
}

impl Sent {
    async fn of(request: RequestBuilder) -> Sent {
        let response = request.send().await.unwrap();
        let headers = response.headers().clone();
        Sent { headers, bytes: response.bytes().await.unwrap() }
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// What the bytes say, whatever they are compressed in.
    fn text(&self) -> String {
        let mut text = String::new();
        match self.header("content-encoding") {
            "br" => brotli::Decompressor::new(&*self.bytes, 4096).read_to_string(&mut text),
            "gzip" => flate2::read::GzDecoder::new(&*self.bytes).read_to_string(&mut text),
            "" => (&*self.bytes).read_to_string(&mut text),
            other => panic!("nobody accepts {other}"),
        }
        .unwrap();
        text
    }
}

async fn get(actor: &Actor, path: &str, headers: &[(&str, &str)]) -> Sent {
    Sent::of(with(actor.request(Method::GET, path), headers)).await
}

#[tokio::test]
async fn a_text_is_sent_in_the_coding_that_the_client_prefers_and_says_the_same() {
    let world = world().await;
    for path in [
        LIST,
        "/groups/den/members?part=rows",
        "/groups/den/members?format=json",
        "/groups/den/members?format=csv",
        "/groups/den/members/p1?part=menu&lang=en",
        "/openapi.json",
        "/docs",
    ] {
        let plain = get(&world.ada, path, &[]).await;
        assert_eq!(plain.header("content-encoding"), "", "{path}");
        assert!(plain.header("vary").to_lowercase().contains("accept-encoding"), "{path}: {}", plain.header("vary"));
        // The first is rendered, the second makes the window one of the cache, and the third comes from there.
        for round in 1..=3 {
            for (accepted, coding) in [
                ("gzip, deflate, br, zstd", "br"),
                ("gzip", "gzip"),
                ("br;q=0.1, gzip;q=0.9", "gzip"),
                ("identity", ""),
                ("*;q=0", ""),
            ] {
                let sent = get(&world.ada, path, &[("accept-encoding", accepted)]).await;
                let coding = if plain.bytes.len() < 1024 { "" } else { coding };
                assert_eq!(sent.header("content-encoding"), coding, "{path} for {accepted} in round {round}");
                assert_eq!(sent.text(), plain.text(), "{path} for {accepted} in round {round}");
                assert_eq!(sent.header("etag"), plain.header("etag"), "{path} for {accepted}");
            }
        }
        println!("{path}: {} bytes", plain.bytes.len());
    }
}

#[tokio::test]
async fn a_page_of_the_cache_says_how_long_it_is() {
    let world = world().await;
    let accepted = [("accept-encoding", "br"), ("accept", "text/html")];
    let plain = get(&world.ada, LIST, &[]).await;
    let mut sent = plain.header("content-length").to_owned();
    for _ in 0..3 {
        sent = get(&world.ada, LIST, &accepted).await.header("content-length").to_owned();
    }
    let head = Sent::of(with(world.ada.request(Method::HEAD, LIST), &accepted)).await;
    assert_eq!((head.header("content-encoding"), head.header("content-length")), ("br", &*sent));
    assert!(head.bytes.is_empty());
}

#[tokio::test]
async fn a_head_claims_no_length_that_a_get_would_not_have() {
    let world = world().await;
    let path = "/groups/den/members?format=json";
    let request = with(world.ada.request(Method::HEAD, path), &[("accept-encoding", "gzip")]);
    assert_eq!(Sent::of(request).await.header("content-length"), "");
    let plain = Sent::of(world.ada.request(Method::HEAD, path)).await.header("content-length").to_owned();
    assert_eq!(plain, get(&world.ada, path, &[]).await.header("content-length"));
}

#[tokio::test]
async fn what_is_known_is_not_sent_again_in_any_coding() {
    let world = world().await;
    let tag = get(&world.ada, LIST, &[]).await.header("etag").to_owned();
    let request = world.ada.request(Method::GET, LIST).header("if-none-match", tag).header("accept-encoding", "br");
    let again = request.send().await.unwrap();
    assert_eq!((again.status().as_u16(), again.headers().get("content-encoding")), (304, None));
}

#[tokio::test]
async fn another_site_learns_nothing_from_the_length_of_what_it_made_the_browser_fetch() {
    let world = world().await;
    let cookie = format!("theirs=1; chat_token={}", world.ada.token);
    for (site, coding) in [
        (Some("cross-site"), ""),
        (None, ""),
        (Some("same-origin"), "gzip"),
        (Some("same-site"), "gzip"),
        (Some("none"), "gzip"),
    ] {
        for path in [LIST, "/groups/den/members?searchKeyword=s&part=rows", "/groups/den/members?format=json"] {
            for _ in 0..3 {
                let headers = [("cookie", &*cookie), ("accept-encoding", "gzip")];
                let headers = headers.into_iter().chain(site.map(|site| ("sec-fetch-site", site))).collect::<Vec<_>>();
                let sent = Sent::of(with(world.ada.anonymous(Method::GET, path), &headers)).await;
                assert_eq!(sent.header("content-encoding"), coding, "{path} from {site:?}");
                assert!(sent.header("vary").to_lowercase().contains("sec-fetch-site"));
            }
        }
    }
    // Scripts and styles are the same for everybody, and whoever sends a token by themselves is no other site.
    let headers = [("cookie", &*cookie), ("accept-encoding", "gzip"), ("sec-fetch-site", "cross-site")];
    let file = Sent::of(with(world.ada.anonymous(Method::GET, "/static/chat-group-members.js"), &headers)).await;
    assert_eq!(file.header("content-encoding"), "gzip");
    let bearer = get(&world.ada, LIST, &[("accept-encoding", "gzip"), ("sec-fetch-site", "cross-site")]).await;
    assert_eq!(bearer.header("content-encoding"), "gzip");
}

#[tokio::test]
async fn a_refusal_of_every_coding_is_answered_in_plain_text_after_an_act_too() {
    let world = world().await;
    let request =
        world.ada.request(Method::DELETE, "/groups/den/members/p1").header("accept-encoding", "identity;q=0, *;q=0");
    assert_eq!(request.send().await.unwrap().status(), 200);
}

#[tokio::test]
async fn streams_and_what_reports_progress_stay_as_they_are() {
    let world = world().await;
    let stream = world.ada.request(Method::GET, "/groups/den/events").header("accept-encoding", "br, gzip");
    let stream = stream.send().await.unwrap();
    assert_eq!((stream.status().as_u16(), stream.headers().get("content-encoding")), (200, None));
    let list = "{\"uid\":\"ada\",\"scope\":\"owner\"}\n";
    let sync = world.ada.anonymous(Method::PUT, "/v3/groups/den/members").header("apikey", API_KEY);
    let sync = sync.header("content-type", "application/x-ndjson").header("accept-encoding", "br, gzip").body(list);
    let answer = Sent::of(sync).await;
    assert_eq!(answer.header("content-encoding"), "");
    assert!(answer.text().contains("result"), "{}", answer.text());
}

#[tokio::test]
async fn a_snapshot_is_compressed_as_it_is_read() {
    let world = world().await;
    let ask = |coding: &str| {
        let request = world.ada.anonymous(Method::GET, "/v3/groups/den/members").header("apikey", API_KEY);
        Sent::of(request.header("accept", "application/x-ndjson").header("accept-encoding", coding))
    };
    let (plain, small) = (ask("identity").await, ask("gzip").await);
    assert_eq!(small.header("content-encoding"), "gzip");
    assert_eq!(small.text(), plain.text());
    assert!(small.bytes.len() * 3 < plain.bytes.len(), "{} of {}", small.bytes.len(), plain.bytes.len());
}

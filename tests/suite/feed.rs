//! The feed of changes, read by an XML parser that is not ours and held to RFC 4287.

use std::collections::BTreeSet;

use chat_group_members::domain::{GroupType, Scope};
use reqwest::Method;
use roxmltree::{Document, Node};
use serde_json::json;

use crate::support::{self, Answer, World, row};

const FEED: &str = "/groups/den/members?format=atom";
const ATOM: &str = "http://www.w3.org/2005/Atom";

/// One entry, as a reader shows it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    id: String,
    title: String,
    updated: String,
    author: String,
    link: String,
}

/// The entries of a feed that has all that RFC 4287 (4.1.1, 4.1.2) asks of a feed and its entries.
#[track_caller]
fn entries(answer: &Answer) -> Vec<Entry> {
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(answer.header("content-type"), "application/atom+xml; charset=utf-8");
    let document = Document::parse(&answer.body).unwrap_or_else(|error| panic!("{error}: {}", answer.body));
    let feed = document.root_element();
    assert!(feed.has_tag_name((ATOM, "feed")), "{}", answer.body);
    assert!(is_iri(&text(feed, "id")) && !text(feed, "title").is_empty());
    let own = link(feed, "self");
    assert!(own.contains("format=atom"), "{own}");
    let entries: Vec<_> = children(feed, "entry").map(entry).collect();
    assert_eq!(
        moment(&text(feed, "updated")),
        entries.iter().map(|entry| moment(&entry.updated)).max().unwrap_or_default()
    );
    let ids: BTreeSet<_> = entries.iter().map(|entry| &entry.id).collect();
    assert_eq!(ids.len(), entries.len(), "every entry has an id of its own");
    assert!(entries.iter().map(|entry| moment(&entry.updated)).rev().is_sorted(), "newest first");
    entries
}

#[track_caller]
fn entry(node: Node<'_, '_>) -> Entry {
    let id = text(node, "id");
    assert!(is_iri(&id), "{id}");
    let author = children(node, "author").next().expect("an author");
    Entry {
        id,
        title: text(node, "title"),
        updated: text(node, "updated"),
        author: text(author, "name"),
        link: link(node, "alternate"),
    }
}

fn children<'a, 'i>(node: Node<'a, 'i>, name: &'static str) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(move |child| child.has_tag_name((ATOM, name)))
}

/// The text of the child of this name, of which there is exactly one.
#[track_caller]
fn text(node: Node<'_, '_>, name: &'static str) -> String {
    let found: Vec<_> = children(node, name).map(|child| child.text().unwrap_or_default().to_owned()).collect();
    assert_eq!(found.len(), 1, "{name}: {found:?}");
    found[0].clone()
}

#[track_caller]
fn link(node: Node<'_, '_>, rel: &str) -> String {
    let found: Vec<_> = children(node, "link").filter(|link| link.attribute("rel") == Some(rel)).collect();
    assert_eq!(found.len(), 1, "one link {rel}");
    found[0].attribute("href").expect("a link leads somewhere").to_owned()
}

/// RFC 3339, as RFC 4287 (3.3) wants it.
#[track_caller]
fn moment(text: &str) -> jiff::Timestamp {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Absolute: a scheme, a colon and something (RFC 4287, 4.2.6).
fn is_iri(text: &str) -> bool {
    text.split_once(':').is_some_and(|(scheme, rest)| scheme.chars().all(char::is_alphabetic) && !rest.is_empty())
}

fn titles(entries: &[Entry]) -> Vec<&str> {
    entries.iter().map(|entry| entry.title.as_str()).collect()
}

#[tokio::test]
async fn the_feed_tells_who_did_what_to_whom_newest_first() {
    let world = World::new().await;
    world.cy.kick("dee").await.ok();
    world.ben.ban("eve", json!({"reason": "told nobody"})).await.ok();
    world.ada.set_scope("cy", "participant").await.ok();
    world.ben.unban("eve").await.ok();
    world.ada.transfer("ben").await.ok();
    world.ada.leave().await.ok();
    world.host_adds("den", "dee", "Dee Again").await;
    let entries = entries(&world.ben.get_with("/groups/den/members", &[("accept", "application/atom+xml")]).await);
    assert_eq!(
        titles(&entries),
        [
            "The host added Dee Again",
            "Ada Lovelace left",
            "Ben Okri owns the group now",
            "Ben Okri lifted the ban on Eve Adams",
            "Ada Lovelace made Cy Marlowe participant",
            "Ben Okri banned Eve Adams",
            "Cy Marlowe removed Dee Dee",
            "The host removed Hal Hart",
            "The host banned Flo Banks",
            "The members were synchronized with the host",
            "The group was created",
        ]
    );
    let of = |title: &str| entries.iter().find(|entry| entry.title == title).unwrap();
    assert_eq!(of("Ben Okri owns the group now").author, "Ada Lovelace");
    assert_eq!(of("The host removed Hal Hart").author, "The host");
    assert_eq!(of("Ben Okri owns the group now").link, "/groups/den/members/ben");
    assert_eq!(of("Ada Lovelace left").link, "/groups/den/members", "who is not there has no page");
    world.ben.page(&of("The host added Dee Again").link).await.ok();
}

#[tokio::test]
async fn what_ends_by_itself_is_nobodys_act() {
    let world = World::new().await;
    world.ben.ban("eve", json!({"until": 60})).await.ok();
    world.cy.mute("dee", json!({"until": 60})).await.ok();
    // Whoever streams a group has it watched for what ends.
    let mut cy = world.cy.events().await;
    world.clock.advance(61_000);
    let ended = std::cell::Cell::new(0);
    cy.until("both ends", |message| {
        ended.set(ended.get() + i32::from(["member_unbanned", "member_unmuted"].contains(&message.name())));
        ended.get() == 2
    })
    .await;
    let entries = entries(&world.ben.get_with("/groups/den/members", &[("accept", "application/atom+xml")]).await);
    let mut ended = titles(&entries[..2]);
    ended.sort_unstable();
    assert_eq!(ended, ["Dee Dee can write again.", "Eve Adams may come in again."]);
}

#[tokio::test]
async fn every_way_to_ask_gives_the_same_feed_and_every_entry_keeps_its_id() {
    let world = World::new().await;
    let first = entries(&world.dee.get(FEED).await);
    let accepted = world.dee.get_with("/groups/den/members", &[("accept", "application/atom+xml;q=0.9, */*;q=0.1")]);
    assert_eq!(entries(&accepted.await), first);
    world.cy.kick("eve").await.ok();
    let now = entries(&world.dee.get(FEED).await);
    assert_eq!(now[1..], first[..], "what was read is not new again");
    let page = world.dee.page("/groups/den/members").await.ok();
    let href = page.attribute("head link[rel=alternate][type='application/atom+xml']", "href").unwrap();
    assert_eq!(entries(&world.dee.get(&href).await), now, "readers find it from the page");
}

#[tokio::test]
async fn what_is_for_moderators_is_left_out_for_participants() {
    let world = World::new().await;
    world.ben.ban("gus", json!({"reason": "a secret reason"})).await.ok();
    world.ben.unban("gus").await.ok();
    let (theirs, ours) = (world.cy.get(FEED).await, world.dee.get(FEED).await);
    assert_eq!(titles(&entries(&theirs))[..2], ["Ben Okri lifted the ban on gus", "Ben Okri banned gus"]);
    assert_eq!(titles(&entries(&ours))[0], "The team banned gus", "who took something from somebody is for the team");
    assert!(!ours.body.contains("lifted"));
    for feed in [theirs, ours] {
        assert!(!feed.body.contains("secret") && !feed.body.contains("spam"), "{}", feed.body);
    }
    let two = entries(&world.dee.get(&format!("{FEED}&limit=2")).await);
    assert_eq!(titles(&two), ["The team banned gus", "The host removed Hal Hart"], "filled up with what they may see");
}

/// What a feed says beside its titles: the title and the summary of each entry that has one.
#[track_caller]
fn summaries(answer: &Answer) -> Vec<(String, String)> {
    let document = Document::parse(&answer.body).unwrap_or_else(|error| panic!("{error}: {}", answer.body));
    let mut found = Vec::new();
    for entry in children(document.root_element(), "entry") {
        found.extend(children(entry, "summary").map(|_| (text(entry, "title"), text(entry, "summary"))));
    }
    found
}

#[tokio::test]
async fn whoever_was_muted_reads_so_in_their_feed_with_the_end_and_what_they_were_told_and_nobody_else_does() {
    let world = World::new().await;
    let terms = json!({"until": 3600, "reason": "a secret reason", "message": "An hour of quiet, please."});
    world.cy.mute("dee", terms).await.ok();
    world.cy.mute("eve", json!({"until": 60})).await.ok();
    world.cy.unmute("dee").await.ok();
    let (dee, eve) = (world.dee.get(FEED).await, world.eve.get(FEED).await);
    let muted = ["Cy Marlowe lifted the mute on Dee Dee", "The team muted Dee Dee", "The host removed Hal Hart"];
    assert_eq!(titles(&entries(&dee))[..3], muted);
    assert_eq!(titles(&entries(&eve))[..2], ["The team muted Eve Adams", "The host removed Hal Hart"]);
    let said = summaries(&dee);
    let [(title, told)] = &said[..] else { panic!("{}", dee.body) };
    assert_eq!(title, "The team muted Dee Dee");
    assert!(told.starts_with("You cannot write in this group until ") && told.contains("An hour of quiet"), "{told}");
    assert!(!eve.body.contains("quiet") && !eve.body.contains("Dee Dee"), "{}", eve.body);
    assert!(!dee.body.contains("secret") && !dee.body.contains("Eve Adams"), "{}", dee.body);
    assert_eq!(titles(&entries(&world.dee.get(&format!("{FEED}&limit=1")).await)), muted[..1]);
    let staff = world.ben.get(FEED).await;
    assert_eq!(titles(&entries(&staff))[1..3], ["Cy Marlowe muted Eve Adams", "Cy Marlowe muted Dee Dee"]);
    assert!(summaries(&staff).is_empty(), "{}", staff.body);
    world.ada.grant("dee", json!({"scope": "moderator", "message": "Welcome to the team."})).await.ok();
    let said = summaries(&world.dee.get(FEED).await);
    let [(_, told), _] = &said[..] else { panic!("her role, and her mute: {said:?}") };
    assert!(told.contains("Welcome to the team."), "{told}");
    assert_eq!(summaries(&world.eve.get(FEED).await).len(), 1, "her own mute");
}

#[tokio::test]
async fn a_feed_has_fifty_changes_or_as_many_as_are_asked_for() {
    let world = World::new().await;
    for turn in 0..60 {
        world.ben.set_scope("dee", if turn % 2 == 0 { "moderator" } else { "participant" }).await.ok();
    }
    for (query, count) in [("", 50), ("&limit=3", 3), ("&limit=100", 64)] {
        assert_eq!(entries(&world.eve.get(&format!("{FEED}{query}")).await).len(), count, "{query}");
    }
    world.eve.get(&format!("{FEED}&limit=101")).await.refused(422, "ERR_VALIDATION");
}

#[tokio::test]
async fn changes_that_are_not_for_a_viewer_take_no_place_of_those_that_are() {
    let world = World::new().await;
    world.ben.kick("dee").await.ok();
    for number in 0..60 {
        let text = json!({"text": format!("Note {number} about an admin.")});
        world.ada.act(Method::POST, "/groups/den/members/ben/notes", text).await.ok();
    }
    let by_cy = entries(&world.cy.get(&format!("{FEED}&limit=3")).await);
    assert!(by_cy.iter().any(|entry| entry.title.contains("Dee")), "{by_cy:#?}");
    let by_ada = entries(&world.ada.get(&format!("{FEED}&limit=3")).await);
    assert_eq!(by_ada.len(), 3);
    assert!(by_ada.iter().all(|entry| !entry.title.contains("Dee")), "{by_ada:#?}");
}

#[tokio::test]
async fn a_bulk_sync_is_one_entry() {
    let world = World::empty(|_| {}).await;
    let mut people = vec![row("ada", "Ada", Scope::Owner, None)];
    people.extend((0..300).map(|n| row(&format!("p{n}"), "Somebody", Scope::Participant, None)));
    world.sync("big", GroupType::Public, people).await;
    let entries = entries(&world.ada.get("/groups/big/members?format=atom").await);
    assert_eq!(titles(&entries), ["The members were synchronized with the host", "The group was created"]);
    assert_eq!(entries[0].link, "/groups/big/members");
}

#[tokio::test]
async fn any_name_comes_through_and_what_xml_forbids_is_dropped() {
    let names = [
        ("<b>\"Bob\" & 'x'</b>", "<b>\"Bob\" & 'x'</b>"),
        ("]]>--><!-- &amp; &#0;", "]]>--><!-- &amp; &#0;"),
        ("<![CDATA[x]]><?pi?>", "<![CDATA[x]]><?pi?>"),
        ("nothing\u{fffe} at\u{ffff} all", "nothing at all"),
        ("🦀 עברית 田中", "🦀 עברית 田中"),
    ];
    for (given, shown) in names {
        let world = World::empty(|_| {}).await;
        world.seed("den", GroupType::Private, [("ada", given, Scope::Owner), ("bob", given, Scope::Participant)]).await;
        world.ada.kick("bob").await.ok();
        let newest = entries(&world.ada.get(FEED).await).remove(0);
        assert_eq!((newest.title, newest.author), (format!("{shown} removed {shown}"), shown.to_owned()));
    }
}

#[tokio::test]
async fn an_unchanged_feed_is_not_sent_again() {
    let world = World::new().await;
    let first = world.dee.get(FEED).await.ok();
    let tag = first.header("etag").to_owned();
    let again = async || world.dee.get_with(FEED, &[("if-none-match", &tag)]).await;
    assert_eq!((again().await.status.as_u16(), again().await.body.as_str()), (304, ""));
    let stream = world.eve.stream().await;
    let came = async || world.dee.data("/groups/den/members?status=online").await.ok().json()["meta"]["count"] == 1;
    support::eventually("Eve is online", came).await;
    assert_eq!(again().await.status, 304, "who comes online is no news of a feed");
    drop(stream);
    world.cy.kick("eve").await.ok();
    assert_eq!(entries(&again().await)[0].title, "The team removed Eve Adams");
}

#[tokio::test]
async fn to_outsiders_there_is_no_feed() {
    let world = World::new().await;
    let nowhere = world.gus.get("/groups/nowhere/members?format=atom").await;
    for outsider in [&world.gus, &world.flo, &world.hal] {
        let answer = outsider.get(FEED).await;
        assert_eq!((answer.status.as_u16(), answer.words()), (404, nowhere.words()));
    }
    assert_eq!(nowhere.header("content-type"), "application/problem+json");
    let anonymous = support::actor::send(world.gus.anonymous(reqwest::Method::GET, FEED)).await;
    assert_eq!(anonymous.status, 401);
}

#[tokio::test]
async fn only_the_list_has_a_feed() {
    let world = World::new().await;
    for path in ["/groups/den", "/groups/den/members/dee", "/groups/den/bans", "/groups/den/events"] {
        let answer = world.ada.get(&format!("{path}?format=atom")).await.refused(422, "ERR_VALIDATION");
        assert!(answer.body.contains("format"), "{path}: {}", answer.body);
    }
}

#[tokio::test]
async fn behind_a_public_url_every_link_is_absolute() {
    let world = World::with(|config| config.public_url = Some("https://chat.example/x".into())).await;
    world.cy.kick("dee").await.ok();
    let answer = world.ada.get("/groups/den/members?format=atom&limit=2").await.ok();
    entries(&answer);
    let document = Document::parse(&answer.body).unwrap();
    for link in document.descendants().filter_map(|node| node.attribute("href")) {
        assert!(link.starts_with("https://chat.example/x/groups/den/members"), "{link}");
    }
}

#[tokio::test]
async fn a_transfer_read_from_the_log_names_the_new_owner_first() {
    let world = World::new().await;
    world.ada.transfer("ben").await.ok();
    let (guid, head) = (support::guid("den"), world.head("den").await);
    let read = world.app.store().read().await.unwrap().events(&guid, head - 1, head, 1).await.unwrap().unwrap();
    let touched: Vec<_> = read[0].touched.iter().map(|touched| (touched.uid.as_str(), touched.new)).collect();
    assert_eq!(touched, [("ben", Some(Scope::Owner)), ("ada", Some(Scope::Admin))]);
}

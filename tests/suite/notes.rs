//! What staff write about people, for the staff above them.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::actor::send;
use crate::support::sse::Raw;
use crate::support::{Actor, Answer, World, by_host, guid};

const TEXT: &str = "Asked twice to stop.\nPromised to.";

/// The notes about somebody in `den` as this viewer reads them.
async fn notes(viewer: &Actor, uid: &str) -> Vec<Value> {
    viewer.data(&format!("/groups/den/members/{uid}/notes")).await.ok().json()["data"].as_array().unwrap().clone()
}

async fn note(actor: &Actor, uid: &str, text: &str) -> Answer {
    actor.act(Method::POST, &format!("/groups/den/members/{uid}/notes"), json!({"text": text})).await
}

async fn remove(actor: &Actor, uid: &str, id: &Value) -> Answer {
    actor.act(Method::DELETE, &format!("/groups/den/members/{uid}/notes/{id}"), json!({})).await
}

async fn named(stream: &mut Raw, name: &str) -> Value {
    stream.until(name, |message| message.name() == name).await.json()
}

#[tokio::test]
async fn a_note_has_its_author_and_date_and_is_read_by_all_staff_above_the_person() {
    let world = World::new().await;
    let added = note(&world.cy, "dee", &format!("  {}  ", TEXT.replace('\n', "\r\n"))).await.ok().json();
    assert_eq!((&added["data"]["id"], &added["data"]["text"]), (&json!(world.head("den").await), &json!(TEXT)));
    note(&world.ben, "dee", "And again.").await.ok();
    for reader in [&world.ada, &world.ben, &world.cy] {
        let notes = notes(reader, "dee").await;
        let texts_and_authors: Vec<_> = notes.iter().map(|note| (&note["text"], &note["by"])).collect();
        let by = |uid, name| json!({"uid": uid, "name": name});
        assert_eq!(
            texts_and_authors,
            [(&json!("And again."), &by("ben", "Ben Okri")), (&json!(TEXT), &by("cy", "Cy Marlowe"))],
            "{}",
            reader.uid
        );
        assert!(notes[0]["at"].as_str().unwrap().ends_with('Z'));
    }
}

#[tokio::test]
async fn nobody_reads_or_writes_notes_about_themselves_their_equals_or_those_above() {
    let world = World::new().await;
    note(&world.ben, "dee", TEXT).await.ok();
    note(&world.ada, "ben", TEXT).await.ok();
    let head = world.head("den").await;
    for (actor, uid, status, code) in [
        (&world.dee, "dee", 403, "ERR_GROUP_NO_CLEARANCE"),
        (&world.dee, "eve", 403, "ERR_GROUP_NO_CLEARANCE"),
        (&world.dee, "gus", 403, "ERR_GROUP_NO_CLEARANCE"),
        (&world.cy, "cy", 403, "ERR_GROUP_NO_SELF_ACTION"),
        (&world.cy, "ben", 403, "ERR_GROUP_NO_CLEARANCE"),
        (&world.ben, "ada", 403, "ERR_GROUP_NO_CLEARANCE"),
        (&world.ada, "ada", 403, "ERR_GROUP_NO_SELF_ACTION"),
        (&world.gus, "dee", 404, "ERR_GUID_NOT_FOUND"),
    ] {
        let path = format!("/groups/den/members/{uid}/notes");
        actor.data(&path).await.refused(status, code);
        note(actor, uid, "x").await.refused(status, code);
        remove(actor, uid, &json!(head)).await.refused(status, code);
        assert!(!actor.page(&path).await.body.contains("Asked twice"), "{} {uid}", actor.uid);
    }
    world.ben.set_scope("dee", "moderator").await.ok();
    world.cy.data("/groups/den/members/dee/notes").await.refused(403, "ERR_GROUP_NO_CLEARANCE");
    world.dee.data("/groups/den/members/dee/notes").await.refused(403, "ERR_GROUP_NO_SELF_ACTION");
    assert_eq!(notes(&world.ben, "dee").await.len(), 1);
}

#[tokio::test]
async fn staff_above_the_person_are_told_of_a_note_without_its_text_and_nobody_else_is() {
    let world = World::new().await;
    let mut streams = vec![];
    for actor in [&world.ada, &world.ben, &world.cy, &world.dee, &world.eve] {
        streams.push((actor, actor.events().await, actor.stream().await));
    }
    note(&world.ada, "cy", TEXT).await.ok();
    let about_cy = world.head("den").await;
    note(&world.cy, "dee", TEXT).await.ok();
    let id = world.head("den").await;
    remove(&world.ada, "dee", &json!(id)).await.ok();
    let last = world.head("den").await;
    for (actor, events, screen) in &mut streams {
        let messages = events.up_to(last).await;
        let note_messages: Vec<_> = messages.iter().filter(|message| message.name().starts_with("note")).collect();
        let seqs: Vec<u64> = note_messages.iter().map(|message| message.seq()).collect();
        let expected = match actor.uid.as_str() {
            "ada" | "ben" => vec![about_cy, id, id + 1],
            "cy" => vec![id, id + 1],
            _ => vec![],
        };
        assert_eq!(seqs, expected, "{}", actor.uid);
        for message in note_messages {
            let data = message.json();
            assert!(data["member"]["uid"].is_string() && data["by"]["uid"].is_string(), "{data}");
            assert!(!data.to_string().contains("Asked"), "{data}");
        }
        let seen = screen.up_to(last).await;
        let rows = seen.iter().any(|message| message.shows("dee") || message.shows("cy"));
        assert!(!rows, "a note changes no row: {} {seen:?}", actor.uid);
        let is_notified = seen.iter().any(|message| message.has("[data-name=note-added]"));
        assert_eq!(is_notified, !expected.is_empty(), "{}", actor.uid);
    }
    // Whoever comes back reads the same of what they missed.
    for (actor, count) in [(&world.ben, 3), (&world.cy, 2), (&world.dee, 0)] {
        let epoch = world.app.hub().group(&guid("den")).await.unwrap().unwrap().id(about_cy - 1);
        let seen = [("last-event-id", epoch.to_string())];
        let seen: Vec<_> = seen.iter().map(|(name, id)| (*name, id.as_str())).collect();
        let mut stream = actor.raw("/groups/den/events?format=json", &seen).await;
        let messages = stream.up_to(last).await;
        assert_eq!(
            messages.iter().filter(|message| message.name().starts_with("note")).count(),
            count,
            "{}",
            actor.uid
        );
        let feed = actor.get("/groups/den/members?format=atom").await.ok();
        assert_eq!(feed.body.matches("a note about").count(), count, "{}", feed.body);
    }
}

#[tokio::test]
async fn a_note_is_removed_by_its_author_or_whoever_outranks_them_and_is_gone_only_once() {
    let world = World::new().await;
    world.ada.set_scope("eve", "moderator").await.ok();
    let by_cy = note(&world.cy, "dee", "one").await.ok().json()["data"]["id"].clone();
    let by_eve = note(&world.eve, "dee", "two").await.ok().json()["data"]["id"].clone();
    let by_ben = note(&world.ben, "dee", "three").await.ok().json()["data"]["id"].clone();
    remove(&world.eve, "dee", &by_cy).await.refused(403, "ERR_GROUP_NO_CLEARANCE");
    remove(&world.cy, "dee", &by_ben).await.refused(403, "ERR_GROUP_NO_CLEARANCE");
    remove(&world.cy, "dee", &by_cy).await.ok();
    remove(&world.ben, "dee", &by_eve).await.ok();
    let head = world.head("den").await;
    remove(&world.cy, "dee", &by_cy).await.ok();
    remove(&world.cy, "dee", &json!(999)).await.ok();
    remove(&world.ada, "eve", &by_ben).await.ok();
    assert_eq!(world.head("den").await, head, "what is not there, or is about somebody else, is no event");
    assert_eq!(notes(&world.cy, "dee").await.len(), 1);
    remove(&world.cy, "dee", &json!("x")).await.refused(422, "ERR_VALIDATION");
    // Whoever has left is below everybody who is there.
    world.ben.leave().await.ok();
    remove(&world.cy, "dee", &by_ben).await.ok();
    assert_eq!(notes(&world.cy, "dee").await, Vec::<Value>::new());
}

#[tokio::test]
async fn notes_outlive_their_person_s_leaving_and_go_with_the_group() {
    let world = World::new().await;
    note(&world.cy, "dee", TEXT).await.ok();
    world.cy.ban("dee", json!({"reason": "again"})).await.ok();
    note(&world.cy, "dee", "Banned now.").await.ok();
    assert_eq!(notes(&world.cy, "dee").await.len(), 2);
    let page = world.cy.page("/groups/den/members/dee/notes").await.ok();
    assert!(page.text("h1").contains("Dee Dee") && page.text(".chat-group-members__note").contains("Banned now."));
    let banned = world.cy.page("/groups/den/bans").await.ok();
    let link = banned.attribute("li[data-uid=dee] a", "href").unwrap();
    assert!(world.cy.page(&link).await.ok().body.contains("Banned now."));
    world.cy.unban("dee").await.ok();
    world.host_adds("den", "dee", "Dee Dee").await;
    assert_eq!(notes(&world.cy, "dee").await.len(), 2);
    chat_group_members::membership::delete_group(world.app.store(), by_host("den")).await.unwrap();
    let again = [("ada", "Ada", chat_group_members::domain::Scope::Owner)];
    world.seed("den", chat_group_members::domain::GroupType::Private, again).await;
    assert_eq!(notes(&world.ada, "dee").await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_note_has_bounds_and_says_so() {
    let world = World::new().await;
    let head = world.head("den").await;
    let long = "é".repeat(2_001);
    let odd = ["a\u{0}b", "a\u{7f}b", "a\u{85}b", "a\u{9f}b", "a\u{fffd}b", "a\u{fdd0}b", "a\u{ffff}b", "a\u{10fffe}b"];
    for text in ["", "  \n ", long.as_str(), "\u{200b} \u{2060}\u{ad}"].into_iter().chain(odd) {
        let refused = note(&world.cy, "dee", text).await;
        let is_long = text.len() > 2_000;
        assert_eq!(refused.body.contains("at most 2000 characters"), is_long, "{text:?}: {}", refused.body);
        assert_eq!(refused.body.contains("control characters"), text.starts_with('a'), "{text:?}: {}", refused.body);
        refused.refused(422, "ERR_VALIDATION");
    }
    world.cy.act(Method::POST, "/groups/den/members/dee/notes", json!({})).await.refused(422, "ERR_VALIDATION");
    note(&world.cy, "d.e", "x").await.refused(422, "ERR_VALIDATION");
    for field in ["reason", "message"] {
        world.cy.ban("dee", json!({field: "a\u{85}b"})).await.refused(422, "ERR_VALIDATION");
    }
    assert_eq!(world.head("den").await, head);
    note(&world.cy, "dee", &"é".repeat(2_000)).await.ok();
    for number in 1..100 {
        note(&world.cy, "dee", &number.to_string()).await.ok();
    }
    let refused = note(&world.cy, "dee", "one more").await;
    assert!(refused.body.contains("remove one first"), "{}", refused.body);
    refused.refused(422, "ERR_VALIDATION");
    assert_eq!(notes(&world.cy, "dee").await.len(), 100);
}

#[tokio::test]
async fn the_same_request_under_its_key_is_one_note() {
    let world = World::new().await;
    let ask = |text: &'static str| {
        let request = world.cy.request(Method::POST, "/groups/den/members/dee/notes");
        send(request.header("idempotency-key", "n1").header("accept", "application/json").json(&json!({"text": text})))
    };
    let first = ask("one").await.ok().json();
    let head = world.head("den").await;
    assert_eq!(ask("one").await.ok().json(), first);
    ask("two").await.refused(422, "ERR_VALIDATION");
    assert_eq!((world.head("den").await, notes(&world.cy, "dee").await.len()), (head, 1));
    remove(&world.cy, "dee", &first["data"]["id"]).await.ok();
    assert_eq!(ask("one").await.ok().json(), json!({"data": {}}), "as it is now");
}

#[tokio::test]
async fn a_request_repeated_under_its_key_shows_no_notes_to_whom_may_not_read_them_any_more() {
    let world = World::new().await;
    let ask = async |method: &Method, path: &str, key: &str, accept: &str| {
        let request = world.cy.request(method.clone(), path).header("idempotency-key", key).header("accept", accept);
        send(request.form(&[("text", "one")])).await.ok()
    };
    let (of_dee, of_eve) = ("/groups/den/members/dee/notes", "/groups/den/members/eve/notes");
    let (post, delete) = (Method::POST, Method::DELETE);
    let added = ask(&post, of_dee, "n1", "application/json").await.json();
    let removal = format!("{of_dee}/{}", added["data"]["id"]);
    ask(&delete, &removal, "n2", "*/*").await;
    ask(&post, of_eve, "n3", "*/*").await;
    for uid in ["dee", "eve"] {
        note(&world.ben, uid, TEXT).await.ok();
    }
    for (method, path, key) in [(&post, of_dee, "n1"), (&delete, removal.as_str(), "n2"), (&post, of_eve, "n3")] {
        let again = ask(method, path, key, "*/*").await;
        assert!(again.body.contains("Asked twice"), "a moderator reads them: {}", again.body);
    }
    let is_told_nothing = async |method: &Method, path: &str, key: &str| {
        for (accept, nothing) in [("*/*", ""), ("application/json", r#"{"data":{}}"#)] {
            assert_eq!(ask(method, path, key, accept).await.body, nothing, "{method} {path}");
        }
    };
    world.ben.set_scope("eve", "moderator").await.ok();
    is_told_nothing(&post, of_eve, "n3").await;
    world.ada.set_scope("cy", "participant").await.ok();
    let head = world.head("den").await;
    is_told_nothing(&post, of_dee, "n1").await;
    is_told_nothing(&delete, &removal, "n2").await;
    assert_eq!((world.head("den").await, notes(&world.ben, "dee").await.len()), (head, 1));
}

#[tokio::test]
async fn a_note_neither_overtakes_an_undo_nor_hides_who_changed_somebody_or_why_they_are_out() {
    let world = World::new().await;
    world.ben.mute("dee", json!({"until": 3600})).await.ok();
    let muted = world.head("den").await;
    note(&world.ada, "dee", TEXT).await.ok();
    let note_seq = world.head("den").await;
    world
        .ben
        .act(Method::POST, &format!("/groups/den/events/{note_seq}/undo"), json!({}))
        .await
        .refused(403, "ERR_GROUP_NO_CLEARANCE");
    world.ben.act(Method::POST, &format!("/groups/den/events/{muted}/undo"), json!({})).await.ok();
    world.ada.set_scope("dee", "admin").await.ok();
    note(&world.ada, "dee", TEXT).await.ok();
    let refused = world.ben.kick("dee").await;
    assert!(refused.body.contains("Ada Lovelace made Dee Dee admin"), "{}", refused.body);
    let mut eve = world.eve.events().await;
    world.cy.act(Method::DELETE, "/groups/den/members/eve", json!({"message": "Bye."})).await.ok();
    note(&world.cy, "eve", TEXT).await.ok();
    let ended = named(&mut eve, "revoked").await;
    assert_eq!((&ended["reason"], &ended["message"]), (&json!("kicked"), &json!("Bye.")));
}

#[tokio::test]
async fn without_javascript_a_note_is_written_and_removed_on_the_person_s_page() {
    let world = World::new().await;
    let page = world.cy.page("/groups/den/members/dee").await.ok();
    assert_eq!(page.text(".chat-group-members__note-none"), "No notes yet");
    let action = page.attribute(".chat-group-members__notes form", "action").unwrap();
    let back = page.attribute(".chat-group-members__notes [name=return]", "value").unwrap();
    let fields = [("_method", "POST"), ("return", back.as_str()), ("text", "<b>Loud</b>\nand late.")];
    let done = world.cy.form(&action, &fields).await;
    let page = world.cy.page(done.header("location")).await.ok();
    assert_eq!(page.text("[role=status]"), "Your note about Dee Dee was added.");
    assert!(
        page.body.contains("&#60;b&#62;Loud") && page.text(".chat-group-members__note small").contains("Cy Marlowe")
    );
    let removal = page.attribute(".chat-group-members__note form", "action").unwrap();
    let done = world.cy.form(&removal, &[("_method", "DELETE"), ("return", back.as_str())]).await;
    let page = world.cy.page(done.header("location")).await.ok();
    assert_eq!(page.text("[role=status]"), "The note about Dee Dee was removed.");
    assert_eq!(page.text(".chat-group-members__note-none"), "No notes yet");
    for (viewer, path) in [(&world.dee, "dee"), (&world.eve, "dee"), (&world.cy, "ben"), (&world.cy, "cy")] {
        let page = viewer.page(&format!("/groups/den/members/{path}?explain=true")).await.ok();
        assert!(!page.has(".chat-group-members__notes"), "{} {path}", viewer.uid);
    }
    let read_only = "hideKickMemberOption=true&hideBanMemberOption=true&hideScopeChangeOption=true";
    assert!(
        !world.cy.page(&format!("/groups/den/members/dee?{read_only}")).await.ok().has(".chat-group-members__notes")
    );
}

#[tokio::test]
async fn whose_role_has_ended_has_notes_that_cy_reads_before_the_sweep_as_after_it() {
    let world = World::new().await;
    note(&world.ben, "dee", TEXT).await.ok();
    world.ada.grant("dee", json!({"scope": "moderator", "until": 60})).await.ok();
    world.cy.data("/groups/den/members/dee/notes").await.refused(403, "ERR_GROUP_NO_CLEARANCE");
    world.clock.advance(61_000);
    assert_eq!(notes(&world.cy, "dee").await.len(), 1);
}

#[tokio::test]
async fn the_dialog_of_an_act_shows_the_notes_and_the_menu_leads_to_them() {
    let world = World::new().await;
    let dialog = |act: &'static str| format!("/groups/den/members/dee?part=dialog&act={act}");
    assert!(!world.cy.get(&dialog("ban")).await.ok().has(".chat-group-members__noted"));
    note(&world.ben, "dee", TEXT).await.ok();
    note(&world.cy, "dee", "Again.").await.ok();
    for act in ["kick", "ban", "mute", "scope"] {
        let shown = world.cy.get(&dialog(act)).await.ok();
        assert_eq!(shown.text(".chat-group-members__noted summary"), "Notes: 2", "{act}");
        assert!(shown.text(".chat-group-members__noted").contains("Asked twice to stop."), "{act}");
        assert!(!shown.has("[data-action=remove-note]"), "{act}");
    }
    let menu = world.cy.get("/groups/den/members/dee?part=menu").await.ok();
    let href = menu.attribute("[data-action=notes]", "href").unwrap();
    let panel = world.cy.get(&format!("{href}{}part=dialog", if href.contains('?') { '&' } else { '?' })).await.ok();
    assert!(panel.has("#cgm-den-dialog-title") || panel.has("h2[id$=-dialog-title]"), "{}", panel.body);
    assert_eq!(panel.body.matches("data-action=\"remove-note\"").count(), 1, "only on their own: {}", panel.body);
    assert!(!world.eve.get("/groups/den/members/dee?part=menu&explain=true").await.ok().has("[data-action=notes]"));
}

#[tokio::test]
async fn a_note_about_a_user_who_has_nothing_to_do_with_the_group_does_not_tell_their_name() {
    let world = World::new().await;
    world.host_adds("park", "zoe", "Zoe Zander").await;
    let mut stream = world.cy.events().await;
    let id = note(&world.cy, "zoe", TEXT).await.ok().json()["data"]["id"].clone();
    remove(&world.cy, "zoe", &id).await.ok();
    for name in ["note_added", "note_removed"] {
        let event = named(&mut stream, name).await;
        assert_eq!((&event["member"]["uid"], &event["member"]["name"]), (&json!("zoe"), &json!("zoe")), "{event}");
    }
    let feed = world.cy.get("/groups/den/members?format=atom").await.ok();
    assert!(feed.body.contains("zoe") && !feed.body.contains("Zander"), "{}", feed.body);
    note(&world.cy, "dee", TEXT).await.ok();
    assert_eq!(named(&mut stream, "note_added").await["member"]["name"], "Dee Dee", "of whom they know they do");
}

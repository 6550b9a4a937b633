//! The pages around the list: the group's door, what somebody reads who has left or is banned, the way
//! back from a selection, and names of every shape wherever people read them.

use chat_group_members::domain::{GroupType, Scope};
use chat_group_members::membership::{self, GroupPatch};
use reqwest::Method;
use serde_json::json;

use crate::support::actor::{send, with};
use crate::support::{self, Actor, Answer, World, texts};

const BROWSER: (&str, &str) = ("accept", "text/html,application/xhtml+xml,*/*;q=0.8");
const JOIN: &str = "[data-action=join]";

/// The form of a page to join a group, filled in with this password.
async fn join(actor: &Actor, path: &str, password: &str) -> Answer {
    actor.form(path, &[("_method", "POST"), ("password", password)]).await
}

#[tokio::test]
async fn at_the_door_gus_reads_what_the_group_is_and_how_to_get_in() {
    let world = World::new().await;
    for (guid, asks) in [("park", false), ("vault", true)] {
        let patch = GroupPatch { description: Some(Some("Boats & <ropes>".into())), ..GroupPatch::default() };
        membership::update_group(world.app.store(), support::by_host(guid), patch).await.unwrap();
        for (path, status) in [(format!("/groups/{guid}"), 200), (format!("/groups/{guid}/members?limit=5"), 404)] {
            let page = world.gus.page(&path).await;
            assert_eq!(page.status, status, "{path}: {}", page.body);
            assert_eq!(page.text("h1"), format!("The {guid}"));
            let text = page.text("main");
            assert!(text.contains("5 members") && text.contains("Boats & <ropes>"), "{}", page.body);
            assert!(page.text("form").contains("You are not in this group."), "{}", page.body);
            assert_eq!(page.has("input[name=password][required]"), asks);
            assert!(page.has(JOIN) && !page.has("[data-uid]") && !page.body.contains("Ada"), "{}", page.body);
            assert_eq!(page.attribute("form", "action"), Some(format!("/groups/{guid}/members")));
        }
    }
    let german = world.gus.page("/groups/park/members?lang=de").await;
    assert_eq!(german.attribute("form", "action").as_deref(), Some("/groups/park/members?lang=de"));
    for path in ["/groups/den/members", "/groups/den"] {
        let (hidden, unknown) = (world.gus.page(path).await, world.gus.page("/groups/nowhere").await);
        assert_eq!((hidden.status, hidden.body), (unknown.status, unknown.body), "{path}");
    }
    let fragment = world.gus.get("/groups/park/members").await.refused(404, "ERR_GUID_NOT_FOUND");
    assert!(!fragment.has("form"), "{}", fragment.body);
}

#[tokio::test]
async fn whoever_leaves_without_a_script_reads_that_they_have_and_may_join_again() {
    let world = World::new().await;
    for guid in ["park", "vault"] {
        let left = world.eve.form(&format!("/groups/{guid}/members/eve?lang=sv"), &[("_method", "DELETE")]).await;
        assert_eq!(left.status, 303, "{}", left.body);
        let page = world.eve.page(left.header("location")).await.ok();
        assert_eq!(page.text("[role=status]"), format!("Du har lämnat The {guid}"));
        assert_eq!(page.text(JOIN), "Gå med igen");
        let forged = world.gus.page(&format!("/groups/{guid}?done=leave")).await.ok();
        assert!(!forged.has("[role=status]"), "who was never in it has not left: {}", forged.body);
    }
}

#[tokio::test]
async fn whoever_leaves_a_private_group_is_told_nothing_of_it_any_more() {
    let world = World::new().await;
    let left = world.eve.form("/groups/den/members/eve", &[("_method", "DELETE")]).await;
    let to = left.header("location").to_owned();
    let page = world.eve.page(&to).await.ok();
    assert_eq!(page.text("h1"), "You have left the group");
    assert!(page.text("main").contains("ask to be added") && !page.body.contains("den"), "{to}: {}", page.body);
    assert_eq!(page.body, world.gus.page(&to).await.ok().body, "it is the same for everybody");
}

#[tokio::test]
async fn whoever_leaves_by_htmx_reads_the_same_in_place_of_the_list() {
    let world = World::new().await;
    let ended = ".chat-group-members--ended";
    let left = world.eve.htmx_act("/groups/park/members/eve", &[("_method", "DELETE")]).await.ok();
    assert!(left.text(ended).contains("You have left The park"), "{}", left.body);
    assert_eq!(left.attribute(&format!("{ended} a"), "href").as_deref(), Some("/groups/park?lang=en-US"));
    let left = world.eve.htmx_act("/groups/den/members/eve", &[("_method", "DELETE")]).await.ok();
    assert!(left.text(ended).contains("You have left the group"), "{}", left.body);
    assert!(!left.has(&format!("{ended} a")) && !left.body.contains("The den"), "{}", left.body);
}

#[tokio::test]
async fn a_wrong_password_comes_back_beside_its_field_and_nothing_else_is_lost() {
    let world = World::new().await;
    let group_page = world.gus.page("/groups/vault?lang=de&return=/room/7").await.ok();
    let path = group_page.attribute("form", "action").unwrap();
    assert_eq!(group_page.attribute("[name=return]", "value").as_deref(), Some("/room/7"));
    for (password, status, code) in [
        ("opensesame", 403, "ERR_GROUP_NO_CLEARANCE"),
        ("", 422, "ERR_VALIDATION"),
        ("x'\"<", 403, "ERR_GROUP_NO_CLEARANCE"),
    ] {
        let fields = [("_method", "POST"), ("password", password), ("return", "/room/7")];
        let again = world.gus.form(&path, &fields).await.refused(status, code);
        assert_eq!(again.text("h1"), "The vault");
        let field = "form input[type=password][autofocus][aria-invalid=true]";
        assert!(again.has(field) && again.attribute(field, "value").is_none(), "{}", again.body);
        let described = again.attribute(field, "aria-describedby").unwrap();
        assert!(!again.text(&format!("form #{described}[role=alert]")).is_empty());
        assert_eq!(again.attribute("form [name=return]", "value").as_deref(), Some("/room/7"));
        assert_eq!(again.attribute("form", "action").as_deref(), Some(path.as_str()), "in the same language");
        assert_eq!(again.header("cache-control"), "no-store");
    }
    world
        .gus
        .act(Method::POST, "/groups/vault/members", json!({"password": "x"}))
        .await
        .refused(403, "ERR_GROUP_NO_CLEARANCE");
    world.gus.htmx_act("/groups/vault/members", &[("password", "x")]).await.refused(403, "ERR_GROUP_NO_CLEARANCE");
    let done = world.gus.form(&path, &[("_method", "POST"), ("password", "sesame"), ("return", "/room/7")]).await;
    assert_eq!((done.status.as_u16(), done.header("location")), (303, "/room/7"));
}

#[tokio::test]
async fn a_banned_person_is_told_until_when_wherever_they_may_be_told() {
    let world = World::new().await;
    let (end, words) = ("2099-01-31T12:00:00Z", "until Jan 31, 2099, 12:00\u{202f}PM UTC");
    for guid in ["park", "vault"] {
        let ban = format!("/groups/{guid}/bans/flo");
        let (group_page, path) = (format!("/groups/{guid}"), format!("/groups/{guid}/members"));
        for (terms, expected) in [(json!({}), "The ban has no end"), (json!({"until": end}), words)] {
            world.cy.act(Method::PUT, &ban, terms).await.ok();
            for answer in [
                world.flo.page(&group_page).await,
                world.flo.get(&group_page).await,
                world.flo.data(&group_page).await,
                join(&world.flo, &path, "sesame").await,
                join(&world.flo, &path, "").await,
                world.flo.act(Method::POST, &path, json!({"password": "sesame"})).await,
            ] {
                let answer = answer.refused(409, "ERR_BANNED_GROUPMEMBER");
                let json = answer.header("content-type").contains("json");
                let detail = if json { answer.json()["detail"].to_string() } else { answer.text("[role=alert]") };
                assert!(detail.contains(expected), "{guid}: {}", answer.body);
            }
        }
    }
    let german = world.flo.page("/groups/park?lang=de").await;
    assert!(german.text("[role=alert]").contains("31.01.2099"), "{}", german.body);
    world.flo.get("/groups/park/members").await.refused(404, "ERR_GUID_NOT_FOUND");
}

#[tokio::test]
async fn the_last_message_to_a_banned_person_says_until_when() {
    let world = World::new().await;
    for (terms, expected, until) in [
        (json!({"until": "2099-01-31T12:00:00Z"}), "until Jan 31, 2099", json!("2099-01-31T12:00:00Z")),
        (json!({}), "The ban has no end", json!(null)),
    ] {
        let world_stream = world.dee.raw("/groups/park/events", &[]).await;
        let json_stream = world.dee.raw("/groups/park/events?format=json", &[]).await;
        world.cy.act(Method::PUT, "/groups/park/bans/dee", terms).await.ok();
        let (shown, data) = (last(world_stream).await, last(json_stream).await);
        let text = texts(&shown.html(), ".chat-group-members--ended", None).concat();
        assert!(text.contains(expected), "{text}");
        assert_eq!((&data.json()["reason"], &data.json()["until"]), (&json!("banned"), &until));
        world.cy.act(Method::DELETE, "/groups/park/bans/dee", json!({})).await.ok();
        world.dee.join().await.ok();
    }
}

/// The last message of a stream that the service ends.
async fn last(mut stream: support::sse::Raw) -> support::sse::Message {
    let mut last = None;
    while let Some(message) = stream.next().await {
        last = Some(message);
    }
    last.expect("a last message")
}

#[tokio::test]
async fn a_selection_leads_back_to_the_list_with_its_query_and_everybody_still_ticked() {
    let world = World::new().await;
    let query = "limit=2&selectionMode=multiple&lang=en-US";
    let path = format!("/groups/den/selection?{query}");
    let page = world.dee.form(&path, &[("uid", "ada"), ("uid", "eve"), ("uid", "hal")]).await.ok();
    let html = page.html();
    let (names, values) =
        (texts(&html, "main form input", Some("name")), texts(&html, "main form input", Some("value")));
    let fields: Vec<_> = names.iter().map(String::as_str).zip(values.iter().map(String::as_str)).collect();
    let action = page.attribute("main form", "action").unwrap();
    assert_eq!(action, path, "the view is kept");
    let list = world.dee.form(&action, &fields).await.ok();
    assert_eq!(list.uids(), ["ada", "ben"]);
    let ticked = texts(&list.html(), "input[name=uid][checked]", Some("value"));
    assert_eq!(ticked, ["ada", "eve"], "in the rows and beyond them; hal is no member");
    let clear = list.attribute(".chat-group-members__selection a", "href").unwrap();
    let cleared = world.dee.page(&clear).await.ok();
    assert!(!cleared.has("input[name=uid][checked]") && cleared.uids() == ["ada", "ben"], "{clear}");
    let again = world.dee.page(&path).await;
    assert_eq!(
        (again.status.as_u16(), again.header("location")),
        (303, clear.as_str()),
        "its address leads to the list"
    );
    world.gus.page(&path).await.refused(404, "ERR_GUID_NOT_FOUND");
    world.gus.form(&path, &fields).await.refused(404, "ERR_GUID_NOT_FOUND");
}

#[tokio::test]
async fn a_thousand_selected_people_come_back_with_the_list() {
    let world = World::new().await;
    let uids: Vec<String> = (0..999).map(|number| format!("{number:0>100}")).collect();
    let people = uids.iter().map(|uid| (uid.as_str(), "Somebody", Scope::Participant));
    world.seed("big", GroupType::Public, people.chain([("ada", "Ada", Scope::Owner)])).await;
    let mut fields = vec![("list", "true"), ("uid", "ada")];
    fields.extend(uids.iter().map(|uid| ("uid", uid.as_str())));
    let list = world.ada.form("/groups/big/selection?selectionMode=multiple", &fields).await.ok();
    assert_eq!(list.count("input[name=uid][checked]"), 1000);
}

/// Names that would mislead, and how people read them.
const ODD: [(&str, &str, &str); 5] = [
    ("unseen", "\u{200b}\u{3164}", "\u{fffd} (unseen)"),
    ("turned", "\u{202e}nimdA", "\u{fffd}nimdA"),
    ("broken", "Ann\u{2069}\u{2029}Owner", "Ann\u{fffd}\u{fffd}Owner"),
    ("tagged", "Ben Okri\u{e0041}", "Ben Okri\u{fffd}"),
    ("sung", "Cy\u{1d173}\u{1bca0} Marlowe", "Cy\u{fffd}\u{fffd} Marlowe"),
];
/// Names that must stay as they are.
const ORDINARY: [(&str, &str); 6] = [
    ("fa", "نمی\u{200c}دانم"),
    ("he", "אברהם (C++\u{200e})"),
    ("emoji", "Zoë 👩\u{200d}💻"),
    ("hi", "क्\u{200d}षमा"),
    ("soft", "Donau\u{ad}dampf"),
    ("flag", "Ines 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}"),
];

#[tokio::test]
async fn no_name_is_invisible_or_turns_text_around_wherever_people_read_it_and_data_keep_it() {
    let world = World::new().await;
    for (uid, name, _) in ODD {
        world.host_adds("den", uid, name).await;
    }
    let (list, own) = ("/groups/den/members", "selectionMode=multiple");
    for (uid, name, shown) in ODD {
        let row = world.ada.get(&format!("{list}/{uid}?{own}")).await.ok();
        assert_eq!(row.text(".chat-group-members__name"), shown);
        assert_eq!(row.attribute("li", "data-name").as_deref(), Some(name), "for scripts");
        let label = row.attribute(".chat-group-members__select", "aria-label").unwrap();
        assert!(label.contains(shown), "{label:?}");
        assert_eq!(row.text("a.chat-group-members__name[href]"), shown, "what leads to the acts");
        let selected = world.ada.form("/groups/den/selection", &[("uid", uid)]).await.ok();
        let mut read = vec![
            world.ada.page(&format!("{list}/{uid}")).await.ok().body,
            world.ada.get(&format!("{list}/{uid}?part=menu")).await.ok().body,
            world.ada.get(&format!("{list}/{uid}?part=dialog&act=ban")).await.ok().body,
            selected.body,
        ];
        let data = world.ada.data(&format!("{list}/{uid}")).await.ok().json();
        assert_eq!(data["data"]["name"], name, "data keep names as given");
        let answer = world.cy.form(&format!("/groups/den/bans/{uid}?lang=en-US"), &[("_method", "PUT")]).await;
        read.push(world.cy.page(answer.header("location")).await.ok().text("[role=status]"));
        read.push(world.cy.page("/groups/den/bans").await.ok().body);
        read.push(
            send(with(world.cy.request(Method::GET, list), &[("accept", "application/atom+xml")])).await.ok().body,
        );
        for text in read.into_iter().map(|text| text.replace(&format!("data-name=\"{name}\""), "")) {
            assert!(text.contains(shown), "{uid}: {text}");
            assert!(!text.contains(name), "{uid}: {text}");
        }
    }
    let bans = world.cy.data("/groups/den/bans").await.ok().json();
    assert!(bans["data"].as_array().unwrap().iter().any(|ban| ban["name"] == "\u{202e}nimdA"), "{bans}");
}

#[tokio::test]
async fn ordinary_names_of_every_script_are_shown_as_given() {
    let world = World::new().await;
    for (uid, name) in ORDINARY {
        world.host_adds("den", uid, name).await;
        let row =
            send(with(world.ada.request(Method::GET, &format!("/groups/den/members/{uid}")), &[("accept", "*/*")]))
                .await
                .ok();
        assert_eq!(row.text(".chat-group-members__name"), name);
        assert_eq!(row.attribute("li", "data-name"), None);
    }
    let page = world.ada.get_with("/groups/den/members", &[BROWSER]).await.ok();
    assert!(ORDINARY.iter().all(|(_, name)| page.body.contains(name)));
}

//! Selecting people: a control in every row, and what becomes of the selected.

use chat_group_members::domain::{GroupType, Scope};
use chat_group_members::membership;
use reqwest::Method;
use serde_json::json;

use crate::support::actor::{send, with};
use crate::support::{self, Actor, Answer, World, row, uid};

const SELECTION: &str = "/groups/den/selection";

/// What a program sends and gets.
async fn selected(actor: &Actor, uids: &[&str]) -> Answer {
    actor.act(Method::POST, SELECTION, json!({"uid": uids})).await
}

fn uids(of: &serde_json::Value) -> Vec<&str> {
    of.as_array().unwrap().iter().map(|member| member["uid"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn every_row_has_a_native_control_of_the_mode_and_none_without() {
    let world = World::new().await;
    for (mode, kind) in [("single", "radio"), ("multiple", "checkbox")] {
        let answer = world.dee.get(&format!("/groups/den/members?selectionMode={mode}&instance=a")).await.ok();
        assert_eq!(answer.count(&format!("li input[type={kind}][name=uid][form=cgm-den-a-selection]")), 5, "{mode}");
        let of = |name: &str| answer.attribute("#cgm-den-a-s-ada", name).unwrap_or_default();
        assert_eq!((of("value").as_str(), of("aria-label").as_str()), ("ada", "Select \u{2068}Ada Lovelace\u{2069}"));
        assert_eq!(of("checked"), "", "nobody is selected by the server");
        assert!(!answer.has("form form, [data-uid] form"), "forms do not nest");
        let action = answer.attribute("form#cgm-den-a-selection[method=post]", "action").unwrap();
        assert_eq!(action, format!("/groups/den/selection?selectionMode={mode}&instance=a"));
        assert!(answer.has("#cgm-den-a-selection button[type=reset]"));
    }
    for query in ["", "?selectionMode=none"] {
        let answer = world.dee.get(&format!("/groups/den/members{query}")).await.ok();
        assert!(!answer.has("li input, form[id$=-selection], [data-word-selection-count]"));
    }
    let ben = world.ben.get("/groups/den/members?selectionMode=multiple").await.ok();
    assert!(ben.has("[data-uid=dee] a[href]"), "the acts stay");
    assert!(ben.has("[data-uid=cy] small"), "the badge stays");
    let page = world.ben.page("/groups/den/members/dee?selectionMode=multiple").await.ok();
    assert!(!page.has("input[name=uid]"), "a member's own page selects nobody");
}

#[tokio::test]
async fn dee_is_told_who_of_the_selected_is_a_member_in_display_order_and_who_is_not() {
    let world = World::new().await;
    let before = world.head("den").await;
    let answer = selected(&world.dee, &["eve", "hal", "ada", "eve", "nobody", "cy"]).await.ok().json();
    assert_eq!(uids(&answer["data"]), ["ada", "cy", "eve"]);
    assert_eq!(answer["data"][0]["name"], "Ada Lovelace");
    assert_eq!(answer["meta"], json!({"count": 3, "gone": ["hal", "nobody"]}));
    world.ben.kick("eve").await.ok();
    let answer = selected(&world.dee, &["eve"]).await.ok().json();
    assert_eq!((&answer["data"], &answer["meta"]["gone"]), (&json!([]), &json!(["eve"])));
    assert_eq!(world.head("den").await, before + 1, "only the kick was an event");
}

#[tokio::test]
async fn a_form_gets_a_page_with_the_way_to_each() {
    let world = World::new().await;
    let path = format!("{SELECTION}?selectionMode=multiple");
    let page = world.dee.form(&path, &[("uid", "eve"), ("uid", "ada"), ("uid", "hal")]).await.ok();
    assert!(page.body.starts_with("<!doctype html>"));
    assert_eq!(support::texts(&page.html(), "main li a", None), ["Ada Lovelace", "Eve Adams"]);
    let link = page.attribute("main li[data-uid=ada] a", "href").unwrap();
    assert_eq!(link, "/groups/den/members/ada?selectionMode=multiple");
    world.dee.page(&link).await.ok();
    assert!(page.text("main").contains("2 selected") && page.text("main").contains("1 of them is not a member"));
    let none = world.dee.form(&path, &[]).await.ok();
    assert!(none.text("main").contains("No one is selected"));
    let fragment = world.dee.htmx_act(SELECTION, &[("uid", "ada"), ("return", "/elsewhere")]).await.ok();
    assert!(!fragment.body.contains("<html") && fragment.has("li[data-uid=ada]"));
}

#[tokio::test]
async fn the_field_return_leads_to_allowed_places_only_with_the_members_in_its_query() {
    let world = World::with(|config| config.allow_origins = vec!["https://chat.example".into()]).await;
    let to = async |back: &str| {
        world.dee.form(SELECTION, &[("uid", "eve"), ("return", back), ("uid", "hal"), ("uid", "ada")]).await
    };
    for (back, there) in [
        ("/invite", "/invite?uid=ada&uid=eve"),
        ("/invite?to=7#form", "/invite?to=7&uid=ada&uid=eve#form"),
        ("https://chat.example/invite", "https://chat.example/invite?uid=ada&uid=eve"),
    ] {
        let answer = to(back).await;
        assert_eq!((answer.status.as_u16(), answer.header("location")), (303, there));
    }
    for back in ["https://evil.example/", "//evil.example", "/\\evil.example", "https://chat.example.evil/"] {
        assert!(to(back).await.ok().has("li[data-uid=eve]"), "{back}");
    }
}

#[tokio::test]
async fn so_many_that_no_address_holds_them_are_refused_with_the_reason() {
    let world = World::new().await;
    let many: Vec<String> = (0..200).map(|i| format!("{i:050}")).collect();
    let people = many.iter().map(|uid| (uid.as_str(), "Somebody", chat_group_members::domain::Scope::Participant));
    world.seed("den", chat_group_members::domain::GroupType::Private, people).await;
    let mut fields: Vec<_> = many.iter().map(|uid| ("uid", uid.as_str())).collect();
    fields.push(("return", "/invite"));
    let answer = world.dee.form(SELECTION, &fields).await.refused(422, "ERR_VALIDATION");
    assert!(answer.text("main").contains("Select fewer."), "{}", answer.body);
}

#[tokio::test]
async fn a_thousand_may_be_selected_and_no_more() {
    let world = World::new().await;
    let long: Vec<String> = (0..1001).map(|i| format!("{i:0100}")).collect();
    let names: Vec<&str> = long.iter().map(String::as_str).collect();
    let answer = selected(&world.dee, &names[..1000]).await.ok().json();
    assert_eq!(answer["meta"]["gone"].as_array().unwrap().len(), 1000);
    let form: Vec<_> = names.iter().map(|uid| ("uid", *uid)).collect();
    world.dee.form(SELECTION, &form[..1000]).await.ok();
    for answer in [selected(&world.dee, &names).await, world.dee.form(SELECTION, &form).await] {
        answer.refused(422, "ERR_VALIDATION");
    }
    let huge = format!("uid={}", "x".repeat(130 * 1024));
    let request = world.dee.request(Method::POST, SELECTION).body(huge);
    let request = with(request, &[("content-type", "application/x-www-form-urlencoded")]);
    send(request).await.refused(413, "ERR_TOO_LARGE");
}

#[tokio::test]
async fn without_a_script_the_first_thousand_who_match_are_selected_beside_those_who_were_and_it_is_said_that_there_are_more()
 {
    let world = World::new().await;
    let staff = [("ada", Scope::Owner), ("ben", Scope::Admin), ("dee", Scope::Participant)];
    let raiders = (0..1_002).map(|number| (format!("p{number:04}"), format!("Raider {number:04}"), Scope::Participant));
    let people = staff.map(|(uid, scope)| (uid.to_owned(), uid.to_owned(), scope)).into_iter().chain(raiders);
    let rows = people.map(|(uid, name, scope)| row(&uid, &name, scope, None));
    world.sync("den", GroupType::Private, rows.collect()).await;
    let matching = format!("{SELECTION}?selectionMode=multiple&searchKeyword=raider&limit=5");
    let page = world.ben.form(&matching, &[("uid", "dee"), ("all", "true")]).await.ok();
    assert_eq!(page.count("input[name=uid][checked]"), 1_000, "of whom Dee is one");
    assert!(page.has("input[value=dee][checked]") && page.has("input[value=p0998][checked]"));
    assert!(!page.has("input[value=p0999]"), "the last who has no place");
    assert_eq!(page.text("[id$=-count]"), "The first 999 of 1,002 are selected.");
    let few = format!("{SELECTION}?selectionMode=multiple&searchKeyword=p000");
    let page = world.ben.form(&few, &[("all", "true")]).await.ok();
    assert_eq!((page.count("input[name=uid][checked]"), page.text("[id$=-count]").as_str()), (10, ""));
    assert!(world.ben.form(&few, &[("all", "nonsense")]).await.ok().text("main").contains("No one is selected"));
}

#[tokio::test]
async fn bad_input_is_named_and_strangers_find_nothing() {
    let world = World::new().await;
    for body in [json!({"uid": ["a b"]}), json!({"uid": [["ada"]]}), json!({"uid": ""}), json!({"uid": {"a": 1}})] {
        world.dee.act(Method::POST, SELECTION, body.clone()).await.refused(422, "ERR_VALIDATION");
    }
    assert_eq!(uids(&world.dee.act(Method::POST, SELECTION, json!({"uid": "ada"})).await.ok().json()["data"]), ["ada"]);
    world.dee.act(Method::POST, SELECTION, json!(["ada"])).await.refused(400, "ERR_BAD_REQUEST");
    for stranger in [&world.gus, &world.flo, &world.hal] {
        selected(stranger, &["a b"]).await.refused(404, "ERR_GUID_NOT_FOUND");
    }
    let anonymous = with(world.dee.anonymous(Method::POST, SELECTION), &[("accept", "application/json")]);
    send(anonymous.json(&json!({"uid": "ada"}))).await.refused(401, "AUTH_ERR_AUTH_TOKEN_NOT_FOUND");
    let cookie = format!("chat_token={}", world.dee.token);
    for (site, status) in [("same-origin", 200), ("cross-site", 401)] {
        let headers = [("cookie", cookie.as_str()), ("sec-fetch-site", site), ("accept", "application/json")];
        let answer =
            send(with(world.dee.anonymous(Method::POST, SELECTION), &headers).json(&json!({"uid": "ada"}))).await;
        assert_eq!(answer.status.as_u16(), status, "{site}");
    }
}

#[tokio::test]
async fn before_an_act_on_several_a_user_of_the_host_who_was_never_here_has_no_name() {
    let world = World::new().await;
    let name = |text: &str| chat_group_members::domain::Name::parse(text).ok();
    membership::put_user(world.app.store(), uid("secret"), name("Sam Secretperson"), None).await.unwrap();
    for act in ["ban", "kick"] {
        let fields =
            [("act", act), ("uid", "dee"), ("uid", "flo"), ("uid", "hal"), ("uid", "secret"), ("dryRun", "true")];
        let form = world.cy.htmx_act("/groups/den/bulk", &fields).await.ok();
        let named = support::texts(&form.html(), "li bdi", None);
        assert!(!form.body.contains("Secretperson"), "{}", form.body);
        for known in ["Dee Dee", "Flo Banks", "Hal Hart", "secret"] {
            assert!(named.iter().any(|name| name == known), "{act}: {known}: {named:?}");
        }
    }
    let fields = [("_method", "POST"), ("act", "kick"), ("uid", "dee"), ("uid", "secret")];
    let done = world.cy.htmx_act("/groups/den/bulk", &fields).await.ok();
    let left_out = done.attribute("[data-note=left-out]", "data-html").unwrap();
    assert!(left_out.contains("<bdi>secret</bdi>"), "{left_out}");
}

#[tokio::test]
async fn people_are_counted_as_they_are_sent_also_when_they_are_the_same() {
    let world = World::new().await;
    let dee = vec!["dee"; 1001];
    for path in [SELECTION, "/groups/den/bulk"] {
        let many = json!({"act": "kick", "uid": dee});
        let answer = world.cy.act(Method::POST, path, many).await.refused(422, "ERR_VALIDATION");
        let detail = answer.json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.starts_with("uid: at most 1000 people") && detail.ends_with("it has 1001"), "{path}: {detail}");
        let mut fields = vec![("act", "kick"), ("_method", "POST")];
        fields.extend(dee.iter().map(|uid| ("uid", *uid)));
        let page = world.cy.form(path, &fields).await.refused(422, "ERR_VALIDATION");
        assert_eq!(page.text("[role=alert] p"), "At most 1,000 people can be selected.", "{path}");
    }
    let thousand = json!({"act": "mute", "until": 60, "uid": dee[..1000]});
    let done = world.cy.act(Method::POST, "/groups/den/bulk", thousand).await.ok().json();
    assert_eq!(uids(&done["data"]), ["dee"], "each is done once");
}

#[tokio::test]
async fn before_an_act_on_several_those_about_whom_it_changes_nothing_are_not_counted() {
    let world = World::new().await;
    world.cy.ban("gus", json!({"reason": "Spam"})).await.ok();
    type Field = (&'static str, &'static str);
    let form = async |act: &'static str, people: &'static [&'static str], given: Option<Field>| {
        let people = people.iter().map(|uid| ("uid", *uid));
        let fields: Vec<Field> = [("act", act)].into_iter().chain(people).chain(given).collect();
        world.ben.htmx_act("/groups/den/bulk?dryRun=true", &fields).await.ok()
    };
    let summaries = |form: &Answer| support::texts(&form.html(), "summary", None);
    let sent = |form: &Answer| form.count("input[name=uid]");
    let same = Some(("reason", "Spam"));
    let ban = form("ban", &["dee", "gus", "ada"], same).await;
    assert_eq!(summaries(&ban)[0], "1 person will be banned.");
    assert!(summaries(&ban).contains(&"Nothing to change".to_owned()), "{}", ban.body);
    assert_eq!((ban.text(".chat-group-members__preview > p"), sent(&ban)), ("Not possible for 1:".to_owned(), 1));
    // For an hour it changes something.
    assert_eq!(summaries(&form("ban", &["dee", "gus"], Some(("until", "3600"))).await)[0], "2 people will be banned.");
    let nothing = form("ban", &["gus"], same).await;
    assert_eq!(nothing.text(".chat-group-members__preview > p"), "0 people will be banned.");
    assert_eq!(summaries(&nothing), ["Nothing to change"]);
    assert_eq!((sent(&nothing), nothing.has("[data-action=ban]")), (0, false), "{}", nothing.body);
    // Before its terms are given, a ban may have others; and before a role is chosen, nobody has it.
    assert_eq!(summaries(&form("ban", &["dee", "gus"], None).await)[0], "2 people will be banned.");
    assert_eq!(summaries(&form("scope", &["cy", "dee", "eve"], None).await)[0], "3 people will get the new role.");
    let chosen = form("scope", &["cy", "dee", "eve"], Some(("scope", "moderator"))).await;
    assert_eq!(summaries(&chosen)[0], "2 people will get the new role.");
    let would = json!({"act": "scope", "scope": "moderator", "uid": ["cy", "dee"], "dryRun": true});
    let would = world.ben.act(Method::POST, "/groups/den/bulk", would).await.ok().json();
    let same = |uid: &str| json!({"uid": uid, "ok": true, "seq": null});
    assert_eq!(would["data"], json!([same("cy"), same("dee")]), "the data has no other fields");
}

#[tokio::test]
async fn before_an_act_on_several_the_form_says_what_it_does_to_them() {
    let world = World::new().await;
    for (act, says) in [
        ("kick", "They leave the group now. They may come back."),
        ("ban", "They leave the group now and cannot come back until the ban ends."),
        ("mute", "They stay in the group and cannot write until the mute ends."),
        ("scope", "What they may do changes at once."),
    ] {
        let fields = [("act", act), ("uid", "dee"), ("uid", "eve")];
        let form = world.cy.htmx_act("/groups/den/bulk?dryRun=true", &fields).await.ok();
        assert!(form.text("h2 + p").starts_with(says), "{act}: {}", form.body);
        let nobody = [("act", act), ("uid", "ada")];
        let form = world.cy.htmx_act("/groups/den/bulk?dryRun=true", &nobody).await.ok();
        assert!(!form.has("h2 + p"), "{act} is done to nobody: {}", form.body);
    }
}

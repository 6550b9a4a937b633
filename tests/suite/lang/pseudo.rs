//! Debug builds speak `en-XA`: every message between ⟦ and ⟧. Whatever else stands on a screen is
//! data, or was never written down as a message.

use scraper::{Html, Node};
use serde_json::json;

use crate::support::{Answer, World, fragment};

/// What is on the screens besides messages.
const DATA: [&str; 12] = [
    "Ada Lovelace",
    "Ben Okri",
    "Cy Marlowe",
    "Dee Dee",
    "Eve Adams",
    "Flo Banks",
    "Hal Hart",
    "The den",
    "The park",
    "The vault",
    "spam",
    "flo",
];
/// Attributes that people hear or see.
const READ: [&str; 4] = ["aria-label", "placeholder", "title", "alt"];

/// Words that are in no message.
fn unsaid(html: &Html) -> Vec<String> {
    let (mut outside, mut depth, mut found) = (String::new(), 0, Vec::new());
    for node in html.root_element().descendants() {
        match node.value() {
            Node::Text(text) => {
                outside += &out(text, &mut depth);
                outside.push('\n');
            }
            Node::Element(element) => {
                for (name, value) in element.attrs() {
                    if name.starts_with("data-word-") {
                        let forms = value.split('|').map(|form| form.trim_start_matches(char::is_alphanumeric));
                        found.extend(forms.filter_map(|form| words(&out(form, &mut 0))));
                    } else if READ.contains(&name) {
                        found.extend(words(&out(value, &mut 0)));
                    }
                }
            }
            _ => {}
        }
    }
    assert_eq!(depth, 0, "a message that does not end");
    found.extend(outside.lines().filter_map(words));
    found
}

/// The part of a text that is outside of every message.
fn out(text: &str, depth: &mut usize) -> String {
    let mut outside = String::new();
    for c in text.chars() {
        match c {
            '⟦' => *depth += 1,
            '⟧' => *depth -= 1,
            c if *depth == 0 => outside.push(c),
            _ => {}
        }
    }
    outside
}

fn words(text: &str) -> Option<String> {
    let rest = DATA.iter().fold(text.to_owned(), |text, data| text.replace(data, ""));
    rest.contains(char::is_alphabetic).then(|| text.trim().to_owned())
}

#[track_caller]
fn check(what: &str, answer: &Answer) {
    check_markup(what, &answer.body, &answer.html());
}

/// The same of markup that is in an attribute, for the script: of the first instruction of this name.
#[track_caller]
fn check_instruction(what: &str, answer: &Answer, name: &str) {
    let markup = answer.attribute(&format!("li[data-note={name}]"), "data-html");
    let markup = markup.unwrap_or_else(|| panic!("{what} has no {name}: {}", answer.body));
    check_markup(what, &markup, &fragment(&markup));
}

#[track_caller]
fn check_markup(what: &str, markup: &str, html: &Html) {
    assert!(markup.contains('⟦'), "{what} says nothing: {markup}");
    let unsaid = unsaid(html);
    assert!(unsaid.is_empty(), "{what} says {unsaid:#?}");
}

#[tokio::test]
async fn nothing_on_any_screen_is_said_past_the_messages() {
    let world = World::new().await;
    let den = "/groups/den";
    for query in ["", "explain=true", "selectionMode=multiple", "searchKeyword=nobody", "filter=online", "limit=2"] {
        for actor in [&world.ada, &world.cy, &world.eve] {
            let path = format!("{den}/members?lang=en-XA&{query}");
            check(&path, &actor.get(&path).await.ok());
            check(&path, &actor.page(&path).await.ok());
        }
    }
    for (actor, uid) in [(&world.ada, "eve"), (&world.cy, "ada"), (&world.eve, "eve"), (&world.ada, "ada")] {
        let path = format!("{den}/members/{uid}?lang=en-XA&explain=true");
        check(&path, &actor.page(&path).await.ok());
        check(&path, &actor.get(&path).await.ok());
        check(&path, &actor.htmx(&format!("{path}&part=menu")).await.ok());
    }
    for act in ["kick", "ban", "mute", "scope", "transfer"] {
        check(act, &world.ada.htmx(&format!("{den}/members/eve?lang=en-XA&part=dialog&act={act}")).await.ok());
    }
    for act in ["kick", "ban", "mute", "scope"] {
        let fields = [("act", act), ("uid", "eve"), ("uid", "ada")];
        check(act, &world.cy.htmx_act(&format!("{den}/bulk?lang=en-XA&dryRun=true"), &fields).await.ok());
    }
    for act in ["scope", "leave"] {
        check(act, &world.cy.htmx(&format!("{den}/members/cy?lang=en-XA&part=dialog&act={act}")).await.ok());
    }
}

#[tokio::test]
async fn the_banned_the_group_and_refusals_are_said_by_messages() {
    let world = World::new().await;
    world.ben.ban("hal", json!({"until": "3600"})).await.ok();
    for query in ["", "&searchKeyword=nobody", "&limit=1"] {
        let path = format!("/groups/den/bans?lang=en-XA{query}");
        check(&path, &world.ada.get(&path).await.ok());
        check(&path, &world.ada.page(&path).await.ok());
    }
    for (actor, guid) in [(&world.ada, "den"), (&world.gus, "park"), (&world.gus, "vault")] {
        let path = format!("/groups/{guid}?lang=en-XA");
        check(&path, &actor.get(&path).await.ok());
        check(&path, &actor.page(&path).await.ok());
    }
    let kick = "/groups/den/members/ben?lang=en-XA";
    for refused in [
        world.dee.htmx_act(kick, &[("_method", "DELETE")]).await,
        world.dee.form(kick, &[("_method", "DELETE")]).await,
        world.cy.form("/groups/den/bulk?lang=en-XA", &[("_method", "POST"), ("act", "kick")]).await,
        world.cy.form("/groups/den/mutes/eve?lang=en-XA", &[("_method", "PUT")]).await,
        world.gus.page("/groups/den?lang=en-XA").await,
        world.flo.page("/groups/park?lang=en-XA").await,
        world.gus.htmx("/groups/nowhere/members?lang=en-XA").await,
        world.ada.page("/groups/den/members/gus?lang=en-XA").await,
        world.dee.page("/groups/den/bans?lang=en-XA").await,
        world.bearer(&crate::support::token_until("eve", 1)).page("/groups/den?lang=en-XA").await,
    ] {
        assert!(refused.status.is_client_error());
        check("a refusal", &refused);
    }
    world.ben.set_scope("eve", "moderator").await.ok();
    let race = world.cy.htmx_act("/groups/den/members/eve?lang=en-XA", &[("_method", "DELETE")]).await;
    check("a lost race", &race.refused(403, "ERR_GROUP_NO_CLEARANCE"));
}

#[tokio::test]
async fn what_a_stream_tells_is_said_by_messages() {
    let world = World::new().await;
    let mut eve = world.eve.raw("/groups/den/events?lang=en-XA", &[]).await;
    world.host_adds("den", "hal", "Hal Hart").await;
    let message = eve.until("hal", |message| message.shows("hal")).await;
    assert!(unsaid(&message.html()).is_empty(), "{:?}", message.data);
    world.ben.kick("eve").await.ok();
    let out = eve.until("eve is out", |message| message.has("section")).await;
    assert!(unsaid(&out.html()).is_empty(), "{:?}", out.data);
    assert!(out.data.unwrap().contains("⟦You were removed"));
}

#[tokio::test]
async fn the_muted_and_what_they_read_of_that_are_said_by_messages() {
    let world = World::new().await;
    let list_of_muted = async || {
        for query in ["", "&searchKeyword=nobody", "&limit=1"] {
            let path = format!("/groups/den/mutes?lang=en-XA{query}");
            check(&path, &world.ada.get(&path).await.ok());
            check(&path, &world.ada.page(&path).await.ok());
        }
    };
    list_of_muted().await;
    world.ada.grant("eve", json!({"scope": "moderator", "until": 86_400, "message": "spam"})).await.ok();
    for uid in ["cy", "dee", "eve"] {
        world.ben.mute(uid, json!({"until": 3600, "reason": "spam", "message": "spam"})).await.ok();
    }
    list_of_muted().await;
    let path = "/groups/den/members?lang=en-XA";
    for viewer in [&world.ada, &world.cy, &world.dee, &world.eve] {
        let list = viewer.get(path).await.ok();
        check(&format!("{} of {path}", viewer.uid), &list);
        check(&format!("{} of {path}", viewer.uid), &viewer.page(path).await.ok());
        assert_eq!(list.has(".chat-group-members__notice"), viewer.uid != "ada", "{}", list.body);
        assert!(list.has("[data-muted]"), "{}", list.body);
    }
    let eve = "/groups/den/members/eve?lang=en-XA";
    check(eve, &world.ada.page(eve).await.ok());
    for part in ["menu", "dialog&act=mute", "dialog&act=unmute", "dialog&act=scope"] {
        check(part, &world.ada.htmx(&format!("{eve}&part={part}")).await.ok());
    }
}

#[tokio::test]
async fn notes_are_said_by_messages_apart_from_their_text() {
    let world = World::new().await;
    let path = "/groups/den/members/dee/notes?lang=en-XA";
    let write = [("_method", "POST"), ("text", "spam")];
    let read = async |what: &str| {
        check(what, &world.cy.get(path).await.ok());
        check(what, &world.cy.page(path).await.ok());
        check(what, &world.cy.htmx(&format!("{path}&part=dialog")).await.ok());
    };
    read("no note").await;
    check("a note is added", &world.cy.htmx_act(path, &write).await.ok());
    let added = world.cy.form(path, &write).await;
    check("a note is added by a form", &world.cy.page(added.header("location")).await.ok());
    read("two notes").await;
    check("an act", &world.cy.htmx("/groups/den/members/dee?lang=en-XA&part=dialog&act=ban").await.ok());
    check("a person", &world.cy.page("/groups/den/members/dee?lang=en-XA").await.ok());
    world.dee.leave().await.ok();
    read("notes about somebody who has left").await;
    let notes = world.cy.htmx(path).await.ok();
    let removal = notes.attribute(".chat-group-members__note form", "action").unwrap();
    check("a note is removed", &world.cy.htmx_act(&removal, &[("_method", "DELETE")]).await.ok());
}

#[tokio::test]
async fn the_page_that_a_form_leads_to_says_by_a_message_what_was_done() {
    let world = World::new().await;
    let acts: [(&str, &[(&str, &str)]); 9] = [
        ("den/mutes/eve", &[("_method", "PUT"), ("until", "300")]),
        ("den/mutes/eve", &[("_method", "DELETE")]),
        ("den/members/eve/scope", &[("_method", "PUT"), ("scope", "moderator")]),
        ("den/members/eve/notes", &[("_method", "POST"), ("text", "spam")]),
        ("den/members/eve/notes/{head}", &[("_method", "DELETE")]),
        ("den/members/eve", &[("_method", "DELETE")]),
        ("den/bans/eve", &[("_method", "PUT"), ("reason", "spam")]),
        ("den/bans/eve", &[("_method", "DELETE")]),
        ("den/owner", &[("_method", "PUT"), ("uid", "ben")]),
    ];
    for (path, fields) in acts {
        let path = path.replace("{head}", &world.head("den").await.to_string());
        let done = world.ada.form(&format!("/groups/{path}?lang=en-XA"), fields).await;
        let page = world.ada.page(done.header("location")).await.ok();
        check(&path, &page);
        assert!(page.text("main > [role=status]").starts_with('⟦'), "{path}: {}", page.body);
    }
    world.dee.form("/groups/park/members/dee", &[("_method", "DELETE")]).await;
    let joined = world.dee.form("/groups/park/members?lang=en-XA", &[("_method", "POST")]).await;
    let page = world.dee.page(joined.header("location")).await.ok();
    check("joined", &page);
    assert!(page.text("main > [role=status]").starts_with('⟦'), "{}", page.body);
}

#[tokio::test]
async fn what_came_of_an_act_and_of_its_undo_is_said_by_messages() {
    let world = World::new().await;
    world.ben.mute("dee", json!({"until": 3600})).await.ok();
    let undo = "li[data-note=undo] form";
    let acts: [(&str, &[(&str, &str)]); 6] = [
        ("members/eve", &[("_method", "DELETE")]),
        ("bans/eve", &[("_method", "PUT"), ("reason", "spam")]),
        ("bans/flo", &[("_method", "DELETE")]),
        ("mutes/eve", &[("_method", "PUT"), ("until", "300")]),
        ("mutes/dee", &[("_method", "DELETE")]),
        ("members/eve/scope", &[("_method", "PUT"), ("scope", "moderator")]),
    ];
    for (path, fields) in acts {
        let path = format!("/groups/den/{path}?lang=en-XA");
        let done = world.ben.htmx_act(&path, fields).await.ok();
        check(&path, &done);
        let action = done.attribute(undo, "action").unwrap_or_else(|| panic!("{path}: {}", done.body));
        let undone = world.ben.htmx_act(&action, &[("_method", "POST")]).await.ok();
        check_instruction(&path, &undone, "undone");
        let page = world.ben.page(world.ben.form(&path, fields).await.header("location")).await.ok();
        check(&path, &page);
        assert!(page.has(".chat-group-members__undo"), "{path}: {}", page.body);
        undo_by_form(&world, &page).await;
    }
    let several = "/groups/den/bulk?lang=en-XA";
    let mut fields = vec![("_method", "POST"), ("act", "scope"), ("scope", "moderator")];
    fields.extend(["ada", "cy", "dee", "eve"].map(|uid| ("uid", uid)));
    let done = world.ben.htmx_act(several, &fields).await.ok();
    check("an act on several", &done);
    check_instruction("an act on several", &done, "left-out");
    let action = done.attribute(undo, "action").unwrap();
    let undone = world.ben.htmx_act(&action, &[("_method", "POST"), ("batch", "true")]).await.ok();
    check_instruction("the undo of an act on several", &undone, "undone");
    let again = world.ben.htmx_act(&action, &[("_method", "POST"), ("batch", "true")]).await.ok();
    check_instruction("the same again", &again, "left-out");
    let page = world.ben.page(world.ben.form(several, &fields).await.header("location")).await.ok();
    check("an act on several by a form", &page);
    assert!(page.has(".chat-group-members__undo") && page.has(".chat-group-members__notice summary"), "{}", page.body);
    undo_by_form(&world, &page).await;
    let nobody = [("_method", "POST"), ("act", "kick"), ("uid", "ada")];
    check("an act on nobody", &world.ben.htmx_act(several, &nobody).await.ok());
}

/// Ben presses the button of a page, and reads what came of it.
async fn undo_by_form(world: &World, page: &Answer) {
    let batch = page.has(".chat-group-members__undo [name=batch]").then_some(("batch", "true"));
    let fields: Vec<_> = [("_method", "POST")].into_iter().chain(batch).collect();
    let action = page.attribute(".chat-group-members__undo", "action").unwrap();
    let undone = world.ben.page(world.ben.form(&action, &fields).await.header("location")).await.ok();
    check("an undo by a form", &undone);
    assert!(undone.text("[role=status]").starts_with('⟦'), "{}", undone.body);
}

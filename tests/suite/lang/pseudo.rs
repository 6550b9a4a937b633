//! Debug builds speak `en-XA`: every message between ⟦ and ⟧. Whatever else stands on a screen is
//! data, or was never written down as a message.

use scraper::{Html, Node};

use crate::support::{Answer, World};

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
    assert!(answer.body.contains('⟦'), "{what} says nothing: {}", answer.body);
    let unsaid = unsaid(&answer.html());
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
    for done in ["kick", "ban", "unban", "scope", "transfer", "join"] {
        let path = format!("{den}/members?lang=en-XA&done={done}&uid=eve");
        let answer = world.ada.page(&path).await.ok();
        check(&path, &answer);
        assert!(answer.text("[role=status]").starts_with('⟦'));
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
    world.ben.ban("hal", serde_json::json!({"until": "3600"})).await.ok();
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

//! What the page that a plain form leads to says was done: only what is true.

use reqwest::Method;
use serde_json::json;

use crate::support::{Actor, Answer, World};

/// What the page that a form leads to says was done.
const NOTICE: &str = "main > .chat-group-members__notice";
/// The button that undoes it.
const UNDO: &str = "main > .chat-group-members__notice .chat-group-members__undo";

/// The fields of a form.
type Fields<'a> = &'a [(&'a str, &'a str)];

#[tokio::test]
async fn a_link_does_not_make_a_page_say_what_never_happened() {
    let world = World::new().await;
    let words =
        ["kick", "ban", "unban", "mute", "unmute", "scope", "transfer", "join", "undo", "note-added", "note-removed"];
    for done in words {
        for (viewer, uid) in
            [(&world.ada, "ada"), (&world.ada, "ben"), (&world.ben, "dee"), (&world.dee, "dee"), (&world.cy, "gus")]
        {
            for path in ["members", "bans", "mutes"] {
                let page = shown_or_refused(viewer, &format!("/groups/den/{path}?done={done}&uid={uid}")).await;
                assert!(!page.has(NOTICE), "{done} {uid}: {}", page.body);
            }
        }
    }
    world.host_kicks("den", "eve").await;
    let page = world.cy.page("/groups/den/members?done=kick&uid=eve").await.ok();
    assert!(!page.has(NOTICE), "it was not Cy who did it: {}", page.body);
    world.ada.transfer("ben").await.ok();
    let page = world.ada.page("/groups/den/members?done=transfer&uid=ada").await.ok();
    assert!(!page.has(NOTICE), "Ada owns the group no more: {}", page.body);
}

/// A page that is shown, or refused to participants.
async fn shown_or_refused(viewer: &Actor, path: &str) -> Answer {
    let page = viewer.page(path).await;
    assert!([200, 403].contains(&page.status.as_u16()), "{path}: {}", page.body);
    page
}

#[tokio::test]
async fn every_act_is_said_on_the_page_that_its_form_leads_to() {
    let world = World::new().await;
    let (put, delete) = (("_method", "PUT"), ("_method", "DELETE"));
    let acts: [(&Actor, &str, Fields<'_>, &str); 10] = [
        (&world.cy, "den/mutes/dee", &[put, ("until", "300")], "Dee Dee was muted."),
        (&world.cy, "den/mutes/dee", &[delete], "Dee Dee can write again."),
        (&world.ada, "den/members/dee/scope", &[put, ("scope", "moderator")], "Dee Dee has another role now."),
        (&world.ada, "den/members/dee/notes", &[("text", "Asked twice.")], "Your note about Dee Dee was added."),
        (&world.ada, "den/members/dee/notes/{head}", &[delete], "The note about Dee Dee was removed."),
        (&world.ada, "den/members/dee", &[delete], "Dee Dee was removed from the group."),
        (&world.cy, "den/bans/dee", &[put], "Dee Dee was banned."),
        (&world.cy, "den/bans/dee", &[delete], "Dee Dee may come in again."),
        (&world.ada, "den/owner", &[put, ("uid", "ben")], "Ben Okri owns the group now."),
        (&world.gus, "park/members", &[("_method", "POST")], "You are a member now."),
    ];
    for (actor, path, fields, says) in acts {
        let path = path.replace("{head}", &world.head("den").await.to_string());
        let done = actor.form(&format!("/groups/{path}"), fields).await;
        assert_eq!(done.status, 303, "{path}: {}", done.body);
        let page = actor.page(done.header("location")).await.ok();
        assert!(page.text(NOTICE).starts_with(says), "{path}: {}", page.text(NOTICE));
    }
}

#[tokio::test]
async fn of_what_was_so_already_it_is_said_that_there_was_nothing_to_change_and_no_button_is_offered() {
    let world = World::new().await;
    world.ben.kick("eve").await.ok();
    let kicked = format!("/groups/den/events/{}/undo", world.head("den").await);
    world.ben.act(Method::POST, &kicked, json!({})).await.ok();
    let note = world.ben.act(Method::POST, "/groups/den/members/dee/notes", json!({"text": "Twice."})).await.ok();
    let note = format!("/groups/den/members/dee/notes/{}", note.json()["data"]["id"]);
    world.ben.act(Method::DELETE, &note, json!({})).await.ok();
    let head = world.head("den").await;
    let says = async |actor: &Actor, path: &str, fields: &[(&str, &str)]| {
        let done = actor.form(path, fields).await;
        assert_eq!(done.status, 303, "{path}: {}", done.body);
        let page = actor.page(done.header("location")).await.ok();
        assert!(!page.has(UNDO), "{path}: {}", page.body);
        page.text(NOTICE)
    };
    // The host has banned Flo, for spam.
    let flo = "/groups/den/bans/flo";
    let banned = says(&world.cy, flo, &[("_method", "PUT"), ("reason", "spam")]).await;
    assert_eq!(banned, "0 people were banned.Nothing to changeFlo Banks");
    assert_eq!(says(&world.cy, &note, &[("_method", "DELETE")]).await, "The note about Dee Dee was removed.");
    let undone = says(&world.ada, &kicked, &[("_method", "POST")]).await;
    assert_eq!(undone, "What was done to Eve Adams has been undone.");
    let role = [("_method", "PUT"), ("scope", "participant")];
    let same = says(&world.cy, "/groups/den/members/dee/scope", &role).await;
    assert!(same.ends_with("Nothing to changeDee Dee"), "{same}");
    assert_eq!(world.head("den").await, head, "nothing was done");
    world.ben.unban("flo").await.ok();
    let lifted = says(&world.cy, flo, &[("_method", "DELETE")]).await;
    assert_eq!(lifted, "Nothing to changeFlo Banks");
}

#[tokio::test]
async fn the_address_of_an_act_says_nothing_any_more_once_it_was_undone() {
    let world = World::new().await;
    let one = ("/groups/den/members/dee", vec![("_method", "DELETE")]);
    let several = ("/groups/den/bulk", vec![("_method", "POST"), ("act", "kick"), ("uid", "dee"), ("uid", "eve")]);
    for (path, fields) in [one, several] {
        let done = world.cy.form(path, &fields).await;
        let page = world.cy.page(done.header("location")).await.ok();
        let batch = page.has(&format!("{UNDO} [name=batch]")).then_some(("batch", "true"));
        let undo: Vec<_> = [("_method", "POST")].into_iter().chain(batch).collect();
        let undone = world.cy.form(&page.attribute(UNDO, "action").unwrap(), &undo).await;
        assert!(world.cy.page(undone.header("location")).await.ok().has(NOTICE), "{path}: of the undo it is said");
        let page = world.cy.page(done.header("location")).await.ok();
        assert!(!page.has(NOTICE), "{path}: {}", page.body);
    }
}

#[tokio::test]
async fn to_how_many_an_act_was_done_is_read_from_the_log_and_not_from_the_address() {
    let world = World::new().await;
    let fields = [("_method", "POST"), ("act", "mute"), ("until", "300"), ("uid", "dee"), ("uid", "eve")];
    let done = world.cy.form("/groups/den/bulk", &fields).await;
    let address = done.header("location");
    assert!(address.contains("count=2") && address.contains("of=mute"), "{address}");
    let forged = address.replace("count=2", "count=77").replace("of=mute", "of=ban");
    let page = world.cy.page(&forged).await.ok();
    assert_eq!(page.text(&format!("{UNDO} span")), "2 people were muted.");
}

#[tokio::test]
async fn an_act_on_the_page_of_a_member_is_said_there_with_the_button_that_undoes_it() {
    let world = World::new().await;
    let member = "/groups/den/members/dee?theme=dark";
    let (put, delete) = (("_method", "PUT"), ("_method", "DELETE"));
    let acts: [(&str, Fields<'_>, &str, bool); 4] = [
        ("mutes/dee", &[put, ("until", "300")], "Dee Dee was muted.", true),
        ("mutes/dee", &[delete], "Dee Dee can write again.", true),
        ("members/dee/notes", &[("_method", "POST"), ("text", "Twice.")], "Your note about Dee Dee was added.", false),
        ("members/dee/scope", &[put, ("scope", "moderator")], "Dee Dee has another role now.", true),
    ];
    for (path, fields, says, can_be_undone) in acts {
        let done = world.ben.form(&format!("/groups/den/{path}"), &[fields, &[("return", member)]].concat()).await;
        let page = world.ben.page(done.header("location")).await.ok();
        assert_eq!((page.text("h1"), page.has("html[data-theme=dark]")), ("Dee Dee".to_owned(), true), "{path}");
        assert!(page.text(NOTICE).starts_with(says), "{path}: {}", page.body);
        assert_eq!(page.has(UNDO), can_be_undone, "{path}");
        let focused = (page.count("[autofocus]"), page.count("[name=scope][checked]"));
        assert_eq!(focused, (1, 1), "{path}: the focus is in one place");
    }
    let page = world.ben.page(member).await.ok();
    assert!(!page.has(NOTICE) && page.has("[name=scope][checked][autofocus]"), "{}", page.body);
}

#[tokio::test]
async fn whoever_is_put_out_on_their_own_page_has_none_any_more_and_the_list_says_so() {
    let world = World::new().await;
    let (member, notes) = ("/groups/den/members/dee", "/groups/den/members/dee/notes");
    for to in [member, "/groups/den/members/dee?limit=5", "/groups/den/members/dee#act"] {
        let kicked = world.ben.form(member, &[("_method", "DELETE"), ("return", to)]).await;
        assert!(kicked.header("location").starts_with("/groups/den/members?done=kick"), "{to}");
        let page = world.ben.page(kicked.header("location")).await.ok();
        assert!(page.text(NOTICE).starts_with("Dee Dee was removed from the group."), "{to}: {}", page.body);
        let undone = world.ben.form(&page.attribute(UNDO, "action").unwrap(), &[("_method", "POST")]).await;
        assert_eq!(undone.status, 303, "{}", undone.body);
    }
    let banned = world.ben.form("/groups/den/bans/dee", &[("_method", "PUT"), ("return", notes)]).await;
    let page = world.ben.page(banned.header("location")).await.ok();
    assert!(page.text("h2").starts_with("Notes about"), "of whoever has left there are notes: {}", page.body);
    assert!(page.text(NOTICE).starts_with("Dee Dee was banned."), "{}", page.body);
}

//! Acts by plain forms, without JavaScript, and where they lead back to.

use chat_group_members::domain::Scope;

use crate::support::{self, Actor, World, select};

#[tokio::test]
async fn a_plain_form_goes_back_to_the_list_which_says_what_was_done() {
    let world = World::new().await;
    let answer = world.cy.form("/groups/den/members/dee?limit=50", &[("_method", "DELETE")]).await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    let back = answer.header("location").to_owned();
    assert!(back.starts_with("/groups/den/members?limit=50"), "{back}");
    let page = world.cy.page(&back).await.ok();
    assert!(page.text("[role=status].chat-group-members__notice").contains("Dee Dee was removed"), "{}", page.body);
    assert_eq!(page.uids(), ["ada", "ben", "cy", "eve"]);
    let refused = world
        .eve
        .form("/groups/den/members/ada", &[("_method", "DELETE")])
        .await
        .refused(403, "ERR_GROUP_NO_CLEARANCE");
    assert!(refused.has("html body [role=alert]"));
    world.cy.form("/groups/den/members/eve", &[("_method", "PATCH")]).await.refused(400, "ERR_BAD_REQUEST");
    world.cy.form("/groups/den/members/eve", &[]).await.refused(400, "ERR_BAD_REQUEST");
    world.gus.form("/groups/den/members/eve", &[]).await.refused(404, "ERR_GUID_NOT_FOUND");
}

#[tokio::test]
async fn a_form_that_changes_nothing_says_so_of_whom_and_makes_no_event() {
    let world = World::new().await;
    let head = world.head("den").await;
    type Fields = &'static [(&'static str, &'static str)];
    let forms: [(&str, Fields, &str, &str); 6] = [
        (
            "members/dee/scope",
            &[("_method", "PUT"), ("scope", "participant")],
            "0 people have another role now.",
            "Dee Dee",
        ),
        ("bans/flo", &[("_method", "PUT"), ("reason", "spam")], "0 people were banned.", "Flo Banks"),
        ("bans/dee", &[("_method", "DELETE")], "", "Dee Dee"),
        ("bans/dee", &[("_method", "DELETE"), ("return", "/groups/den/bans")], "", "Dee Dee"),
        ("mutes/dee", &[("_method", "DELETE")], "", "Dee Dee"),
        ("owner", &[("_method", "PUT"), ("uid", "ada")], "", "Ada Lovelace"),
    ];
    for (path, fields, says, name) in forms {
        let done = world.ada.form(&format!("/groups/den/{path}"), fields).await;
        assert_eq!(done.status, 303, "{path}: {}", done.body);
        let page = world.ada.page(done.header("location")).await.ok();
        assert!(page.has("[role=status].chat-group-members__notice"), "{path}: {}", page.body);
        let parts = ["p", "summary", "li"].map(|part| page.text(&format!(".chat-group-members__notice {part}")));
        assert_eq!(parts, [says, "Nothing to change", name], "{path}");
        assert!(!page.has(".chat-group-members__undo"), "{path}: there is nothing to undo");
    }
    assert_eq!(world.head("den").await, head);
}

#[tokio::test]
async fn every_form_does_what_its_button_says() {
    let outcomes = [("kick", None), ("ban", None), ("scope", Some(Scope::Moderator)), ("transfer", Some(Scope::Owner))];
    for (action, expected) in outcomes {
        let world = World::new().await;
        press(&world.ada, "/groups/den/members/eve", action).await;
        assert_eq!(world.scope("den", "eve").await, expected, "{action}");
    }
    let world = World::new().await;
    press(&world.eve, "/groups/den/members/eve", "leave").await;
    assert_eq!(world.scope("den", "eve").await, None);
    press(&world.cy, "/groups/den/bans", "unban").await;
    assert_eq!(world.cy.data("/groups/den/bans").await.ok().json()["meta"]["count"], 0);
    press(&world.gus, "/groups/park", "join").await;
    assert_eq!(world.scope("park", "gus").await, Some(Scope::Participant));
}

/// Sends the form of a page that has this button, as it was filled in by the page.
async fn press(actor: &Actor, page: &str, action: &str) {
    let (path, fields) = {
        let html = actor.page(page).await.ok().html();
        let (button, hidden) = (select(&format!("button[data-action={action}]")), select("input[type=hidden]"));
        let (forms, attr) =
            (select("form"), |element: scraper::ElementRef<'_>, name| element.attr(name).unwrap().to_owned());
        let mut forms = html.select(&forms);
        let form =
            forms.find(|form| form.select(&button).next().is_some()).unwrap_or_else(|| panic!("no {action} on {page}"));
        let fields: Vec<_> = form.select(&hidden).map(|input| (attr(input, "name"), attr(input, "value"))).collect();
        (attr(form, "action"), fields)
    };
    let mut fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    if action == "scope" {
        fields.push(("scope", "moderator"));
    }
    let done = actor.form(&path, &fields).await;
    assert_eq!(done.status, 303, "{action}: {}", done.body);
}

#[tokio::test]
async fn a_form_returns_only_to_where_it_may() {
    let world = World::with(|config| {
        config.allow_origins = vec!["https://app.example".into()];
        config.public_url = Some("https://chat.example".into());
    })
    .await;
    let back = async |url: &str| {
        let answer =
            world.cy.form("/groups/den/bans/flo", &[("_method", "PUT"), ("reason", url), ("return", url)]).await;
        assert_eq!(answer.status, 303);
        answer.header("location").to_owned()
    };
    for good in [
        "/somewhere?x=../y",
        "/a.b/..c/%C3%A9",
        "https://app.example/room/5",
        "https://app.example",
        "https://chat.example/x",
    ] {
        assert_eq!(back(good).await, good);
    }
    let evil = [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "https://app.example.evil/",
        "https://app.example@evil.example/",
        "javascript:alert(1)",
        "http://app.example/",
        "/a\r\nset-cookie: x=1",
        "/room/../../admin",
        "/room/./5",
        "/..",
        "/room/%2e%2E/admin",
        "/room/.%2e;x/admin",
        "/room/%252e%252e/admin",
        "/room%2f..%2fadmin",
        "/room/..%5cadmin",
        "/%2fevil.example",
        "/%5Cevil.example",
        "/room\\..\\admin",
        "/room?back=\\x",
        "/a%0d%0aset-cookie: x=1",
        "/a%00",
        "https://app.example/../admin",
        "https://chat.example/x/%2e%2e/y",
        "\\\\evil.example",
        "/\t/evil.example",
    ];
    for url in evil {
        let list = "https://chat.example/groups/den/members";
        assert!(back(url).await.starts_with(list), "{url:?}");
    }
    let answer = world.eve.form("/groups/den/members/eve", &[("_method", "DELETE"), ("return", "/lobby")]).await;
    assert_eq!(answer.header("location"), "/lobby", "also whoever leaves");
}

#[tokio::test]
async fn what_was_done_is_said_before_the_fragment_of_the_list_that_a_form_leads_back_to() {
    let world = World::new().await;
    for (back, begins, ends) in [
        ("/groups/den/members#m-eve", "/groups/den/members?done=", "#m-eve"),
        ("/groups/den/members?lang=de#m-eve", "/groups/den/members?lang=de&done=", "#m-eve"),
    ] {
        let answer =
            world.ben.form("/groups/den/mutes/dee", &[("_method", "PUT"), ("until", "60"), ("return", back)]).await;
        let location = answer.header("location");
        assert!(location.starts_with(begins) && location.ends_with(ends), "{location}");
    }
}

#[tokio::test]
async fn the_pages_beside_the_list_lead_back_to_where_the_reader_comes_from() {
    let world = World::with(|config| config.allow_origins = vec!["https://app.example".into()]).await;
    let (member, bans) = ("/groups/den/members/dee", "/groups/den/bans");
    let led_back = async |path: &str, back: &str| {
        let back: String = form_urlencoded::byte_serialize(back.as_bytes()).collect();
        let page = world.ben.page(&format!("{path}?return={back}&searchKeyword=flo")).await.ok();
        (page.attribute(".chat-page__back a", "href").unwrap(), page)
    };
    for good in ["/room/5?a=1&b=2", "https://app.example/room/5"] {
        let (href, page) = led_back(member, good).await;
        assert_eq!(href, good);
        assert_eq!(
            support::texts(&page.html(), "form [data-close]", Some("href")),
            [good; 4],
            "to cancel leads there, too"
        );
        let fields = [("_method", "PUT"), ("scope", "moderator"), ("return", &href)];
        let done = world.ben.form("/groups/den/members/dee/scope", &fields).await;
        assert_eq!((done.status.as_u16(), done.header("location")), (303, good));
        let returns = support::texts(&page.html(), "form input[name=return]", Some("value"));
        assert_eq!(returns, [good; 5], "and every form");
        let (href, page) = led_back(bans, good).await;
        assert_eq!(href, good);
        let kept = page.attribute("form[role~=search] input[name=return]", "value");
        assert_eq!(kept.as_deref(), Some(good), "a search keeps it");
    }
    for evil in ["https://evil.example/", "//evil.example", "javascript:alert(1)", "/\\evil.example", ""] {
        assert_eq!(led_back(member, evil).await.0, "/groups/den/members?searchKeyword=flo", "{evil:?}");
        assert_eq!(led_back(bans, evil).await.0, "/groups/den/members", "{evil:?}");
    }
}

#[tokio::test]
async fn what_was_done_is_said_on_our_own_pages_however_their_address_is_written() {
    for (public_url, base) in [("https://chat.example", ""), ("https://chat.example/x", "/x")] {
        let world = World::with(|config| config.public_url = Some(public_url.into())).await;
        let back = async |url: &str| {
            let fields = [("_method", "PUT"), ("reason", url), ("return", url)];
            let answer = world.cy.form("/groups/den/bans/flo", &fields).await;
            assert_eq!(answer.status, 303, "{url}");
            answer.header("location").to_owned()
        };
        for path in ["members", "members?limit=5", "members#m-dee", "members/dee", "bans", "mutes"] {
            for start in [base, public_url] {
                let location = back(&format!("{start}/groups/den/{path}")).await;
                assert!(location.contains("done=ban&uid=flo&lastEventId="), "{location}");
            }
        }
        for path in ["members-of-old", "bansai", "mutes2?x=/members"] {
            for start in [base, public_url] {
                let elsewhere = format!("{start}/groups/den/{path}");
                assert_eq!(back(&elsewhere).await, elsewhere);
            }
        }
    }
}

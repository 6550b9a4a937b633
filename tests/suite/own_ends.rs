//! Ends of one's own: the forms of a ban, a mute and a role take a day beside a number of hours.

use chat_group_members::domain::rfc3339;
use jiff::Timestamp;
use jiff::civil::Date;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::actor::{send, with};
use crate::support::{Actor, Answer, World, texts};

/// The date in UTC so many days from now, as a field for a date sends it.
fn day(world: &World, days: i64) -> String {
    let moment = Timestamp::from_millisecond(world.clock.now() + days * 24 * 3600 * 1000).unwrap();
    moment.to_string()[..10].to_owned()
}

/// A member as this viewer reads them as data.
async fn member(viewer: &Actor, uid: &str) -> Value {
    let list = viewer.data("/groups/den/members").await.ok().json();
    list["data"].as_array().unwrap().iter().find(|member| member["uid"] == uid).cloned().unwrap_or_default()
}

/// Ben does this to Dee until the end of a day.
async fn until_the_end_of(world: &World, act: &str, day: &str) -> Answer {
    match act {
        "mute" => world.ben.mute("dee", json!({"day": day})).await,
        "ban" => world.ben.ban("dee", json!({"day": day})).await,
        _ => world.ben.grant("dee", json!({"scope": "moderator", "day": day})).await,
    }
}

#[tokio::test]
async fn without_javascript_a_mute_a_role_and_a_ban_last_until_the_end_of_a_day() {
    let world = World::new().await;
    let friday = day(&world, 3);
    let end = json!(format!("{friday}T23:59:59Z"));
    // A browser sends what is offered too: something of it is always chosen.
    let form = |scope: &'static str| {
        [("_method", "PUT"), ("scope", scope), ("until", "300"), ("hours", ""), ("day", friday.as_str())]
    };
    world.cy.form("/groups/den/mutes/dee", &form("")).await;
    assert_eq!(member(&world.cy, "dee").await["mutedUntil"], end);
    let page = world.cy.page("/groups/den/mutes").await.ok();
    assert!(page.text("li[data-uid=dee] small").contains("11:59\u{202f}PM UTC"), "on that day: {}", page.body);
    world.ada.form("/groups/den/members/eve/scope", &form("moderator")).await;
    let eve = member(&world.ada, "eve").await;
    assert_eq!((&eve["scope"], &eve["scopeUntil"]), (&json!("moderator"), &end));
    world.cy.form("/groups/den/bans/dee", &form("")).await;
    let bans = world.cy.data("/groups/den/bans").await.ok().json();
    let dee = bans["data"].as_array().unwrap().iter().find(|ban| ban["uid"] == "dee").unwrap();
    assert_eq!(dee["until"], end);
}

#[tokio::test]
async fn a_day_that_is_over_too_far_away_or_none_is_refused_and_so_are_two_ends() {
    let world = World::new().await;
    let head = world.head("den").await;
    for terms in [
        json!({"day": day(&world, -1)}),
        json!({"day": day(&world, 29)}),
        json!({"day": "Friday"}),
        json!({"day": "2027-02-30"}),
        json!({"day": day(&world, 3), "hours": 2}),
    ] {
        let answer = world.cy.mute("dee", terms.clone()).await;
        assert!(answer.body.contains("day: "), "{terms}: {}", answer.body);
        answer.refused(422, "ERR_VALIDATION");
    }
    assert_eq!(world.head("den").await, head);
}

#[tokio::test]
async fn the_field_for_a_day_offers_the_days_that_are_taken() {
    let world = World::new().await;
    for act in ["scope", "mute", "ban"] {
        let before = day(&world, 0);
        let form = world.ben.htmx(&format!("/groups/den/members/dee?part=dialog&act={act}")).await.ok();
        let [first, last] = ["min", "max"].map(|name| form.attribute("[name=day]", name).unwrap());
        assert!([before, day(&world, 0)].contains(&first), "{act}: {first}");
        let too_late = last.parse::<Date>().unwrap().tomorrow().unwrap().to_string();
        until_the_end_of(&world, act, &too_late).await.refused(422, "ERR_VALIDATION");
        until_the_end_of(&world, act, &last).await.ok();
    }
}

#[tokio::test]
async fn several_are_muted_until_the_end_of_a_day() {
    let world = World::new().await;
    let fields = [("act", "mute"), ("uid", "dee"), ("uid", "eve")];
    let question = world.cy.htmx_act("/groups/den/bulk?dryRun=true", &fields).await.ok();
    assert!(question.has("[name=day][min][max]"), "{}", question.body);
    let friday = day(&world, 3);
    let body = json!({"act": "mute", "uid": ["dee", "eve"], "until": 300, "day": friday});
    world.cy.act(Method::POST, "/groups/den/bulk", body).await.ok();
    for uid in ["dee", "eve"] {
        assert_eq!(member(&world.cy, uid).await["mutedUntil"], format!("{friday}T23:59:59Z"), "{uid}");
    }
}

#[tokio::test]
async fn the_fields_of_a_dialog_have_plain_labels() {
    let world = World::new().await;
    let own = ["Number of hours", "Or until the end of a day (UTC)"];
    for (act, offered) in
        [("mute", ["5 minutes", "1 hour", "1 day", "7 days"]), ("ban", ["1 hour", "1 day", "7 days", "Until lifted"])]
    {
        let form = world.cy.htmx(&format!("/groups/den/members/dee?part=dialog&act={act}")).await.ok();
        let labels = texts(&form.html(), "label", None);
        assert_eq!(labels, [&["For the team", "Tell them"][..], &offered, &own].concat(), "{act}");
    }
    // A kick and a role keep no reason for the team.
    for act in ["kick", "scope"] {
        let form = world.cy.htmx(&format!("/groups/den/members/dee?part=dialog&act={act}")).await.ok();
        let labels = texts(&form.html(), "label", None);
        assert_eq!(labels.last().map(String::as_str), Some("Tell them"), "{act}: {labels:?}");
        assert!(!labels.iter().any(|label| label == "For the team"), "{act}: {labels:?}");
    }
}

#[tokio::test]
async fn an_end_is_read_in_the_documented_forms_alone() {
    let world = World::new().await;
    let head = world.head("den").await;
    let tomorrow = day(&world, 1);
    for until in [
        format!("{tomorrow} 12:00:00Z"),
        format!("{tomorrow}T12:00Z"),
        format!("{tomorrow}T12:00:00"),
        format!("{tomorrow}T12:00:00Z and more"),
        format!("{tomorrow}T12:00:00Z[UTC]"),
        format!("{tomorrow}T12:00:00+25:00"),
        format!("{tomorrow}T24:00:00Z"),
        format!("{tomorrow}T12:00:60Z"),
        tomorrow.clone(),
        "2027-02-30T12:00:00Z".into(),
        "+3600".into(),
        "3600s".into(),
        "3600.5".into(),
        "1e3".into(),
        "PT1H".into(),
        "tomorrow".into(),
        " ".into(),
        " 60".into(),
        "60\n".into(),
        "\u{a0}60".into(),
        "\u{3000}60".into(),
        format!("{tomorrow}T12:00:00Z "),
    ] {
        let answer = world.cy.mute("dee", json!({"until": until})).await;
        assert!(answer.body.contains("until: a moment in the next 28 days, as RFC 3339"), "{until}: {}", answer.body);
        answer.refused(422, "ERR_VALIDATION");
    }
    let padded = format!(" {tomorrow}");
    for (field, value) in [
        ("hours", "+2"),
        ("hours", "2.5"),
        ("hours", " 5"),
        ("hours", "\t"),
        ("day", "2027-1-5"),
        ("day", "20270105"),
        ("day", padded.as_str()),
    ] {
        let refused = world.cy.mute("dee", json!({"until": 60, (field): value})).await.refused(422, "ERR_VALIDATION");
        assert!(refused.body.contains(&format!("{field}: ")), "{field}={value:?}: {}", refused.body);
    }
    assert_eq!(world.head("den").await, head);
    for until in [format!("{tomorrow}T12:00:00Z"), format!("{tomorrow}t14:00:00.5+02:00"), "3600".into()] {
        world.cy.mute("dee", json!({"until": until})).await.ok();
    }
}

#[tokio::test]
async fn a_blank_end_is_refused_by_name_and_an_empty_one_is_no_end_as_forms_send_it() {
    let world = World::new().await;
    let head = world.head("den").await;
    for blank in [" ", "\t", "\u{a0}", "\u{3000}"] {
        for (method, path, body) in [
            (Method::PUT, "bans/dee", json!({"until": blank})),
            (Method::PUT, "members/dee/scope", json!({"scope": "moderator", "until": blank})),
            (Method::POST, "bulk", json!({"act": "ban", "uid": ["dee"], "until": blank})),
            (Method::POST, "bulk", json!({"act": "scope", "scope": "moderator", "uid": ["dee"], "until": blank})),
        ] {
            let refused = world.ada.act(method, &format!("/groups/den/{path}"), body).await;
            let detail = refused.refused(422, "ERR_VALIDATION").json()["detail"].as_str().unwrap().to_owned();
            assert!(detail.starts_with("until: "), "{path} {blank:?}: {detail}");
        }
    }
    assert_eq!(world.head("den").await, head, "nothing is done");
    let form = [("_method", "PUT"), ("scope", "moderator"), ("until", ""), ("hours", ""), ("day", "")];
    assert_eq!(world.ada.form("/groups/den/members/eve/scope", &form).await.status, 303);
    let eve = member(&world.ada, "eve").await;
    assert_eq!((&eve["scope"], eve.get("scopeUntil")), (&json!("moderator"), None));
    assert_eq!(world.ada.form("/groups/den/bans/dee", &form).await.status, 303);
    let bans = world.cy.data("/groups/den/bans").await.ok().json();
    let dee = bans["data"].as_array().unwrap().iter().find(|ban| ban["uid"] == "dee").unwrap();
    assert_eq!(dee["until"], Value::Null);
}

#[tokio::test]
async fn a_refusal_states_the_longest_end_as_it_is() {
    let world = World::new().await;
    let seconds = |days: u64| days * 24 * 3600;
    let scope = |days| json!({"scope": "moderator", "until": seconds(days)});
    world.ada.grant("dee", scope(366)).await.ok();
    let refused = world.ada.grant("eve", scope(367)).await.refused(422, "ERR_VALIDATION");
    assert!(refused.body.contains("in the next 366 days"), "{}", refused.body);
    world.ada.ban("dee", json!({"until": seconds(36_600)})).await.ok();
    let refused = world.ada.ban("eve", json!({"until": seconds(36_601)})).await.refused(422, "ERR_VALIDATION");
    assert!(refused.body.contains("in the next 36600 days"), "{}", refused.body);
}

#[tokio::test]
async fn whoever_fills_in_a_form_wrongly_reads_what_to_do_and_a_program_reads_which_field() {
    let world = World::new().await;
    let long = "x".repeat(513);
    let put = "PUT";
    type Fields<'a> = Vec<(&'a str, &'a str)>;
    let forms: [(&str, Fields<'_>, &str, &str); 8] = [
        ("bulk", vec![("act", "kick")], "Select at least one person.", "uid: "),
        ("bulk", vec![("act", "scope"), ("uid", "dee")], "Choose a role.", "scope: "),
        ("members/dee/scope", vec![("_method", put)], "Choose a role.", "scope: "),
        ("mutes/dee", vec![("_method", put)], "Choose an end within the next 28 days.", "until: "),
        ("mutes/dee", vec![("_method", put), ("hours", "9999")], "Choose an end within the next 28 days.", "hours: "),
        (
            "mutes/dee",
            vec![("_method", put), ("hours", "1"), ("day", "2027-01-05")],
            "Give a number of hours or a day, not both.",
            "day: ",
        ),
        (
            "bans/dee",
            vec![("_method", put), ("reason", long.as_str())],
            "This text is too long: at most 512 characters.",
            "reason: ",
        ),
        ("members/dee/notes", vec![("_method", "POST"), ("text", " ")], "Write the note first.", "text: "),
    ];
    for (path, mut fields, says, names) in forms {
        let path = format!("/groups/den/{path}");
        if path.ends_with("bulk") {
            fields.push(("_method", "POST"));
        }
        let page = world.cy.form(&path, &fields).await.refused(422, "ERR_VALIDATION");
        assert_eq!(page.text("[role=alert] p"), says, "{path}");
        let fragment = world.cy.htmx_act(&path, &fields).await.refused(422, "ERR_VALIDATION");
        assert_eq!(fragment.text("[role=alert] p"), says, "{path}");
        let german = world.cy.htmx_act(&format!("{path}?lang=de"), &fields).await.refused(422, "ERR_VALIDATION");
        let german = german.text("[role=alert] p");
        assert!(!german.is_empty() && german != says && !german.starts_with(names), "{path}: {german}");
        let request = world.cy.request(Method::POST, &path).header("accept", "application/json").form(&fields);
        let data = send(request).await.refused(422, "ERR_VALIDATION");
        assert!(data.json()["detail"].as_str().unwrap().starts_with(names), "{path}: {}", data.body);
    }
}

#[tokio::test]
async fn without_javascript_whoever_fills_in_a_form_wrongly_is_led_back_to_it() {
    let world = World::new().await;
    let past = rfc3339(world.clock.now() - 60_000);
    let wrong: [&[(&str, &str)]; 2] = [&[("hours", "1"), ("day", "2027-01-05")], &[("until", past.as_str())]];
    for (act, form) in [("mute", "mutes/dee"), ("ban", "bans/dee"), ("scope", "members/dee/scope")] {
        for (fields, after) in wrong.iter().flat_map(|fields| [(fields, None), (fields, Some("/room/5"))]) {
            let mut fields = [&[("_method", "PUT"), ("scope", "moderator")][..], *fields].concat();
            fields.extend(after.map(|url| ("return", url)));
            let sent = world.ben.form(&format!("/groups/den/{form}?theme=dark"), &fields).await;
            let back = sent.refused(422, "ERR_VALIDATION").attribute(".chat-page__back a", "href").unwrap();
            let page = format!("/groups/den/members/dee?theme=dark&act={act}");
            assert_eq!(back, after.map_or(page.clone(), |_| page + "&return=%2Froom%2F5"), "{fields:?}");
            let page = world.ben.page(&back).await.ok();
            assert!(page.has(&format!("form[action^='/groups/den/{form}'] [name=hours]")), "{act}: {}", page.body);
            let leads_on = page.attribute(".chat-page__back a", "href");
            assert_eq!(leads_on.as_deref(), Some(after.unwrap_or("/groups/den/members?theme=dark")));
        }
    }
    let note = world.ben.form("/groups/den/members/dee/notes", &[("_method", "POST"), ("text", " ")]).await;
    let back = note.refused(422, "ERR_VALIDATION").attribute(".chat-page__back a", "href");
    assert_eq!(back.as_deref(), Some("/groups/den/members/dee/notes"));
    // Who is no member has no page with forms.
    let fields = [("_method", "PUT"), ("hours", "1"), ("day", "2027-01-05")];
    let page = world.ben.form("/groups/den/bans/flo", &fields).await.refused(422, "ERR_VALIDATION");
    assert_eq!(page.attribute(".chat-page__back a", "href").as_deref(), Some("/groups/den/members"));
}

#[tokio::test]
async fn without_javascript_whoever_fills_in_the_form_of_an_act_on_several_wrongly_finds_them_selected() {
    let world = World::new().await;
    let past = rfc3339(world.clock.now() - 60_000);
    let people = [("_method", "POST"), ("uid", "dee"), ("uid", "eve"), ("uid", "no body")];
    let wrong: [&[(&str, &str)]; 4] = [
        &[("act", "mute"), ("until", "300"), ("hours", "1"), ("day", "2027-01-05")],
        &[("act", "ban"), ("hours", "0.5")],
        &[("act", "ban"), ("until", past.as_str())],
        &[("act", "scope")],
    ];
    let path = "/groups/den/bulk?selectionMode=multiple&searchKeyword=e&theme=dark";
    for fields in wrong {
        let page = world.ben.form(path, &[&people[..], fields].concat()).await.refused(422, "ERR_VALIDATION");
        let form = "main form[method=post]";
        assert_eq!(page.text(&format!("{form} button")), "Back", "{}", page.body);
        assert!(!page.has("main a"), "no other way leads away from them: {}", page.body);
        let action = page.attribute(form, "action").unwrap();
        let of = |attribute| texts(&page.html(), &format!("{form} input"), Some(attribute));
        let (names, values) = (of("name"), of("value"));
        let sent: Vec<_> = names.iter().map(String::as_str).zip(values.iter().map(String::as_str)).collect();
        assert_eq!(sent, [("list", "true"), ("uid", "dee"), ("uid", "eve")]);
        let list = world.ben.form(&action, &sent).await.ok();
        assert_eq!(texts(&list.html(), "input[name=uid][checked]", Some("value")), ["dee", "eve"]);
        assert_eq!(list.attribute("input[name=searchKeyword]", "value").as_deref(), Some("e"));
    }
    let nobody = [("_method", "POST"), ("act", "kick")];
    let page = world.ben.form(path, &nobody).await.refused(422, "ERR_VALIDATION");
    assert!(page.has(".chat-page__back a") && !page.has("main form"), "{}", page.body);
}

#[tokio::test]
async fn an_end_that_has_passed_is_refused_in_the_language_of_the_page_also_under_a_key() {
    let world = World::new().await;
    let past = rfc3339(world.clock.now() - 60_000);
    let until = ("until", past.as_str());
    for (path, fields) in [
        ("bans/dee", vec![("_method", "PUT"), until]),
        ("mutes/dee", vec![("_method", "PUT"), until]),
        ("members/dee/scope", vec![("_method", "PUT"), ("scope", "moderator"), until]),
        ("bulk", vec![("_method", "POST"), ("act", "ban"), ("uid", "dee"), until]),
    ] {
        let ask = async |accept: &str, key: Option<&str>| {
            let request = world.ada.request(Method::POST, &format!("/groups/den/{path}?lang=de"));
            let request = with(request, &[("accept", accept)]).form(&fields);
            let request = if let Some(key) = key { request.header("idempotency-key", key) } else { request };
            send(request).await.refused(422, "ERR_VALIDATION")
        };
        let [told, keyed] = [ask("text/html", None).await, ask("text/html", Some("k")).await];
        let says = keyed.text("[role=alert] p");
        assert!(!says.is_empty() && !says.contains("until: "), "{path}: {says}");
        assert_eq!(says, told.text("[role=alert] p"), "{path}");
        let data = ask("application/json", Some("k")).await.json();
        assert!(data["detail"].as_str().unwrap().starts_with("until: "), "{path}: {data}");
    }
}

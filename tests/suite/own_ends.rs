//! Ends of one's own: the forms of a ban, a mute and a role take a day beside a number of hours.

use jiff::Timestamp;
use jiff::civil::Date;
use reqwest::Method;
use serde_json::{Value, json};

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
}

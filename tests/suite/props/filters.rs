//! Props that choose who is in the list, and how many at a time.

use super::LIST;
use crate::support::{self, Actor, Answer, World, texts};

/// The list of these answers, page by page, following the links that they give.
async fn pages(viewer: &Actor, first: &str) -> Vec<Answer> {
    let mut answers = vec![viewer.page(first).await.ok()];
    while let Some(href) = answers.last().unwrap().attribute(".chat-group-members__next a", "href") {
        answers.push(viewer.page(&href).await.ok());
    }
    answers
}

#[tokio::test]
async fn a_limit_is_the_rows_of_every_page_and_further_pages_keep_every_prop() {
    let world = World::new().await;
    let others = "scopes=owner,admin,participant&hideUserStatus=true&hideKickMemberOption=true&groupBy=none&theme=dark&title=Crew&instance=x";
    for (limit, sizes) in [("1", vec![1, 1, 1, 1]), ("3", vec![3, 1]), ("4", vec![4]), ("100", vec![4])] {
        let answers = pages(&world.ada, &format!("{LIST}?limit={limit}&{others}")).await;
        assert_eq!(answers.iter().map(|answer| answer.uids().len()).collect::<Vec<_>>(), sizes, "limit={limit}");
        let all: Vec<_> = answers.iter().flat_map(Answer::uids).collect();
        assert_eq!(all, ["ada", "ben", "dee", "eve"]);
        for answer in &answers {
            assert_eq!(answer.text("h2"), "Crew");
            assert!(
                answer.has("html[data-theme=dark] section#cgm-den-x") && !answer.has("[data-status], [data-heading]")
            );
            assert!(!answer.has("[data-acts~=kick]"));
            assert_eq!(answer.attribute("section", "data-count").as_deref(), Some("4"));
        }
    }
    let rows = world.ada.get(&format!("{LIST}?limit=2")).await.ok();
    let href = rows.attribute(".chat-group-members__next a", "href").unwrap();
    assert_eq!(world.ada.htmx(&href).await.ok().uids(), ["cy", "dee"], "what the script loads, too");
    let connect = world.ada.get(LIST).await.ok().attribute("[data-connect]", "data-connect").unwrap();
    assert!(!connect.contains("limit"));
}

#[tokio::test]
async fn an_embedders_scopes_stay_whatever_is_typed_or_pressed() {
    let world = World::new().await;
    let list = world.eve.page(&format!("{LIST}?scopes=moderator,participant&searchKeyword=e")).await.ok();
    assert_eq!(list.uids(), ["cy", "dee", "eve"]);
    assert_eq!(list.attribute("section", "data-count").as_deref(), Some("3"));
    assert_eq!(texts(&list.html(), "[data-heading]", Some("data-heading")), ["moderator", "participant"]);
    assert_eq!(
        list.attribute("input[type=search]", "value").as_deref(),
        Some("e"),
        "what is searched stands in the box"
    );
    let kept = list.attribute("input[type=hidden][name=scopes][form=cgm-den-search]", "value");
    assert_eq!(kept.as_deref(), Some("moderator,participant"), "another search keeps them");
    let quicks = texts(&list.html(), ".chat-group-members__filters a", None);
    assert_eq!(quicks, ["All", "Moderators", "Online"], "and no filter offers what can never be there");
    for href in texts(&list.html(), ".chat-group-members__filters a", Some("href")) {
        let pressed = world.eve.page(&href).await.ok();
        assert!(pressed.uids().iter().all(|uid| ["cy", "dee", "eve"].contains(&uid.as_str())), "{href}");
    }
    let clear = world.eve.page(&format!("{LIST}?scopes=moderator&searchKeyword=nobody")).await.ok();
    let href = clear.attribute(".chat-group-members__empty a", "href").unwrap();
    assert_eq!(world.eve.page(&href).await.ok().uids(), ["cy"]);
}

#[tokio::test]
async fn a_quick_filter_is_marked_kept_by_a_search_and_followed_by_the_stream() {
    let world = World::new().await;
    for (filter, uids) in [
        ("admins", vec!["ada", "ben"]),
        ("moderators", vec!["cy"]),
        ("online", vec![]),
        ("all", vec!["ada", "ben", "cy", "dee", "eve"]),
    ] {
        let list = world.dee.page(&format!("{LIST}?filter={filter}")).await.ok();
        assert_eq!(list.uids(), uids, "{filter}");
        assert_eq!(
            texts(&list.html(), ".chat-group-members__filters [aria-current=true]", Some("id")),
            [format!("cgm-den-f-{filter}")]
        );
        let kept = list.attribute("input[type=hidden][name=filter]", "value");
        assert_eq!(kept.as_deref(), Some(filter).filter(|filter| *filter != "all"));
    }
    let both = world.dee.get(&format!("{LIST}?filter=admins&searchKeyword=okri&status=offline")).await.ok();
    assert_eq!(both.uids(), ["ben"]);
    let mut dee = world.dee.raw("/groups/den/events?filter=moderators", &[]).await;
    dee.next().await;
    world.ada.set_scope("eve", "moderator").await.ok();
    assert!(dee.until("Eve is a moderator", |message| message.shows("eve")).await.id.is_some());
    world.ada.set_scope("eve", "admin").await.ok();
    assert!(dee.until("Eve is none any more", |message| message.misses("eve")).await.id.is_some());
}

#[tokio::test]
async fn who_is_online_or_not_is_an_embedders_choice_that_no_quick_filter_undoes() {
    let world = World::new().await;
    let _stream = world.eve.stream().await;
    for (status, uids) in [("online", vec!["eve"]), ("offline", vec!["ada", "ben", "cy", "dee"])] {
        let list = world.dee.page(&format!("{LIST}?status={status}")).await.ok();
        assert_eq!(list.uids(), uids);
        assert!(!list.has("#cgm-den-f-online") && list.has("#cgm-den-f-all"), "{status}");
        assert_eq!(world.dee.get(&format!("{LIST}?status={status}&filter=online")).await.ok().uids(), uids);
        assert_eq!(world.dee.get(&format!("{LIST}?status={status}&hideUserStatus=true")).await.ok().uids(), uids);
    }
}

#[tokio::test]
async fn who_joined_since_is_one_view_on_pages_data_and_the_stream() {
    let world = World::new().await;
    let all = ["ada", "ben", "cy", "dee", "eve"];
    for (since, uids) in [("2023-11-14T22%3A13%3A20Z", &all[..]), ("2023-11-14T22%3A13%3A21Z", &[]), ("60", &[])] {
        assert_eq!(world.ada.get(&format!("{LIST}?joinedSince={since}")).await.ok().uids(), uids, "{since}");
    }
    let list = world.ada.get(&format!("{LIST}?joinedSince=60")).await.ok();
    let stream = list.attribute("[data-connect]", "data-connect").unwrap();
    assert!(stream.contains("joinedSince=20") && stream.contains('T'), "a moment: {stream}");
    let mut stream = world.ada.raw(&stream, &[]).await;
    stream.next().await;
    world.ada.set_scope("dee", "moderator").await.ok();
    world.host_adds("den", "gus", "Gus").await;
    let sent: String =
        stream.up_to(world.head("den").await).await.into_iter().filter_map(|message| message.data).collect();
    let sent = support::fragment(&sent);
    assert_eq!(texts(&sent, ".chat-group-members__row[data-uid]", Some("data-uid")), ["gus"]);
    let found = world.ada.data(&format!("{LIST}?joinedSince=60")).await.ok().json();
    assert_eq!((&found["meta"]["count"], &found["data"][0]["uid"]), (&1.into(), &"gus".into()));
    let again = format!("{LIST}?joinedSince=60&part=rows");
    assert_eq!(world.ada.get(&again).await.ok().uids(), ["gus"]);
    world.clock.advance(120_000);
    assert!(world.ada.get(&again).await.ok().uids().is_empty(), "the same address means a later moment");
    world.ada.data(&format!("{LIST}?joinedSince=soon")).await.refused(422, "ERR_VALIDATION");
}

#[tokio::test]
async fn staff_who_select_many_have_a_filter_of_who_joined_in_the_last_hour() {
    let world = World::new().await;
    let chip = "[data-filter=joined]";
    for (actor, query, has) in [
        (&world.ben, "selectionMode=multiple", true),
        (&world.ben, "selectionMode=multiple&hideBulkActions=true", false),
        (&world.ben, "", false),
        (&world.dee, "selectionMode=multiple", false),
        (&world.dee, "filter=joined", true),
    ] {
        assert_eq!(actor.get(&format!("{LIST}?{query}")).await.ok().has(chip), has, "{} {query}", actor.uid);
    }
    world.host_adds("den", "gus", "Gus").await;
    let list = world.ben.page(&format!("{LIST}?selectionMode=multiple")).await.ok();
    let href = list.attribute(chip, "href").unwrap();
    let shown = world.ben.page(&href).await.ok();
    assert_eq!((shown.uids(), shown.attribute(chip, "aria-current")), (vec!["gus".to_owned()], Some("true".into())));
    let stream = shown.attribute("[data-connect]", "data-connect").unwrap();
    let rows = format!("{LIST}?filter=joined&part=rows");
    assert_eq!(world.ben.get(&rows).await.ok().uids(), ["gus"]);
    // An open list follows those who have come like any other.
    let mut open = world.ben.raw(&stream, &[]).await;
    world.host_adds("den", "ivy", "Ivy").await;
    open.until("who came", |message| message.shows("ivy")).await;
    world.ada.set_scope("gus", "moderator").await.ok();
    open.until("the new role", |message| message.has("li[data-uid=gus][data-scope=moderator]")).await;
    world.ada.mute("gus", serde_json::json!({"until": 86_400})).await.ok();
    open.until("the mute", |message| message.has("li[data-uid=gus] [data-muted]")).await;
    world.ada.kick("ivy").await.ok();
    open.until("who went", |message| message.has("li[data-uid=ivy][data-gone]")).await;
    world.clock.advance(3_601_000);
    assert!(world.ben.get(&rows).await.ok().uids().is_empty(), "the same address means a later moment");
    world.host_adds("den", "hal", "Hal").await;
    let mut late = world.ben.raw(&stream, &[]).await;
    let message = late.until("the row", |message| message.shows("hal")).await;
    assert!(!message.shows("gus"));
}

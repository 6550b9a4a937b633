//! Props that hide parts of the component, or give them other words and another look.

use std::collections::BTreeSet;

use chat_group_members::domain::{GroupType, Scope};

use super::{LIST, has, surfaces};
use crate::support::{self, World, row, texts};

#[tokio::test]
async fn without_status_nobody_is_shown_as_there_or_not() {
    let world = World::new().await;
    let signs = "[data-status], [data-uid] i, .chat-group-members__online, \
                 [data-online], [data-note=statuses], #cgm-den-f-online, .chat-group-members__freshness";
    for (query, hidden) in
        [("", false), ("hideUserStatus=true", true), ("hideUserStatus=true&groupBy=none&explain=1", true)]
    {
        for (place, html) in surfaces(&world, &world.ada, query).await {
            if place.contains("menu") {
                continue;
            }
            assert_eq!(has(&html, signs), !hidden, "{place} with {query}: {}", html.html());
        }
    }
    let mut dee = world.dee.raw("/groups/den/events?hideUserStatus=true", &[]).await;
    let first = dee.next().await.unwrap();
    let _eve = world.eve.stream().await;
    let online = async || world.cy.data(&format!("{LIST}/eve")).await.ok().json()["data"]["status"] == "online";
    support::eventually("Eve is online", online).await;
    let seen = first.id.clone().unwrap();
    let mut messages = vec![first];
    world.cy.set_scope("eve", "participant").await.ok();
    world.ben.set_scope("cy", "participant").await.ok();
    messages.extend(dee.up_to(world.head("den").await).await);
    let mut late = world.dee.raw("/groups/den/events?hideUserStatus=true", &[("last-event-id", &seen)]).await;
    messages.extend(late.next().await);
    assert!(messages.iter().all(|message| !message.has(signs)), "{messages:#?}");
}

#[tokio::test]
async fn when_only_a_number_of_those_online_is_known_a_list_without_status_says_nothing_of_it() {
    let world = World::empty(|_| {}).await;
    let mut people = vec![row("ada", "Ada", Scope::Owner, None)];
    people.extend((0..501).map(|n| row(&format!("p{n}"), "Somebody", Scope::Participant, None)));
    world.sync("den", GroupType::Private, people).await;
    // Whoever goes counts as there for some seconds more: so many open streams are not everybody's to have.
    for n in 0..501 {
        world.actor(&format!("p{n}")).raw("/groups/den/events?hideUserStatus=true", &[]).await;
    }
    let freshness = ".chat-group-members__freshness";
    let states_freshness = async || world.ada.get(LIST).await.ok().has(freshness);
    support::eventually("the component states its freshness", states_freshness).await;
    assert!(!world.ada.get(&format!("{LIST}?hideUserStatus=true")).await.ok().has(freshness));
}

#[tokio::test]
async fn without_header_there_are_no_title_and_totals_and_the_empty_state_is_live_all_the_same() {
    let world = World::new().await;
    let header = ".chat-group-members__header, .chat-group-members__title, .chat-group-members__totals, .chat-group-members__bans-link";
    for (query, hidden) in
        [("", false), ("hideHeader=true", true), ("hideHeader=true&hideSearch=true&title=Crew", true)]
    {
        for (place, html) in surfaces(&world, &world.ada, query).await {
            if ["the component", "the page", "the stream", "the answer to an act"].contains(&place) {
                assert_eq!(has(&html, header), !hidden, "{place} with {query}: {}", html.html());
            }
        }
    }
    let hidden = world.ada.get(&format!("{LIST}?hideHeader=true&title=Crew")).await.ok();
    assert_eq!(hidden.attribute("section", "aria-label").as_deref(), Some("Crew"), "still named for who listens");
    let mut eve = world.eve.raw("/groups/den/events?hideHeader=true&scopes=moderator", &[]).await;
    eve.next().await;
    let empty = async |eve: &mut support::sse::Raw| {
        let message = eve.up_to(world.head("den").await).await.pop().unwrap();
        texts(&message.html(), "#cgm-den-empty[data-hx-swap-oob]", None)
    };
    world.ada.set_scope("cy", "participant").await.ok();
    assert!(empty(&mut eve).await[0].contains("No one here"), "the last moderator is gone");
    world.ada.set_scope("cy", "moderator").await.ok();
    assert_eq!(empty(&mut eve).await, [""], "and back");
}

#[tokio::test]
async fn without_search_there_is_nothing_to_type_or_press() {
    let world = World::new().await;
    let search = "input, form[role~=search], .chat-group-members__filters, [role~=search]";
    for (query, hidden) in [("", false), ("hideSearch=true", true), ("hideSearch=true&searchKeyword=dee", true)] {
        for (place, html) in surfaces(&world, &world.eve, query).await {
            let searches = ["the component", "the page", "the view"].contains(&place);
            if searches {
                assert_eq!(has(&html, search), !hidden, "{place} with {query}");
            }
        }
    }
    let found = world.eve.get(&format!("{LIST}?hideSearch=true&searchKeyword=dee")).await.ok();
    assert_eq!(found.uids(), ["dee"], "an embedder's own search box still works");
}

#[tokio::test]
async fn with_errors_hidden_the_place_for_them_is_and_refusals_still_go_there() {
    let world = World::new().await;
    for (query, hidden) in [("", false), ("hideError=true", true), ("hideError=true&hideHeader=1", true)] {
        for answer in [
            world.dee.get(&format!("{LIST}?{query}")).await.ok(),
            world.dee.page(&format!("{LIST}?{query}")).await.ok(),
        ] {
            assert_eq!(answer.count("#cgm-den-error"), 1);
            assert_eq!(answer.has("#cgm-den-error[hidden]"), hidden, "{query}");
        }
        let path = format!("{LIST}/ada?{query}");
        let refused = world.dee.htmx_act(&path, &[("_method", "DELETE")]).await.refused(403, "ERR_GROUP_NO_CLEARANCE");
        assert_eq!(refused.header("hx-retarget"), "#cgm-den-error", "{query}: the script tells the host from there");
        let page = world.dee.form(&path, &[("_method", "DELETE")]).await;
        assert!(page.has("[role=alert]:not([hidden])"), "{query}: a page of its own has nothing else to say");
    }
}

#[tokio::test]
async fn words_of_the_embedder_stand_where_ours_would() {
    let world = World::new().await;
    let ours = world.dee.page(LIST).await.ok();
    assert_eq!(
        (ours.text("h2"), ours.attribute("ul.chat-group-members__list", "aria-label").unwrap()),
        ("Members".into(), "Members".into())
    );
    let query = "title=%3Cb%3ECrew%20%26%20friends&searchPlaceholder=%22Who%3F%22&searchKeyword=%3Ci%3E";
    for answer in
        [world.dee.page(&format!("{LIST}?{query}")).await.ok(), world.dee.get(&format!("{LIST}?{query}")).await.ok()]
    {
        assert_eq!(answer.text("h2"), "<b>Crew & friends");
        for name in ["section", "ul.chat-group-members__list"] {
            assert_eq!(answer.attribute(name, "aria-label").as_deref(), Some("<b>Crew & friends"));
        }
        for name in ["placeholder", "aria-label"] {
            assert_eq!(answer.attribute("input[type=search]", name).as_deref(), Some("\"Who?\""));
        }
        assert_eq!(answer.attribute("input[type=search]", "value").as_deref(), Some("<i>"));
    }
    assert_eq!(
        world.dee.get(&format!("{LIST}?title=&searchPlaceholder=")).await.ok().text("h2"),
        "Members",
        "empty is ours"
    );
}

#[tokio::test]
async fn a_theme_holds_on_every_page_that_the_list_leads_to() {
    let world = World::new().await;
    for theme in ["light", "dark"] {
        let component = world.cy.get(&format!("{LIST}?theme={theme}")).await.ok();
        assert_eq!(component.attribute("section", "data-theme").as_deref(), Some(theme));
        for path in [LIST.to_owned(), format!("{LIST}/dee"), "/groups/den/bans".to_owned()] {
            let page = world.cy.page(&format!("{path}?theme={theme}")).await.ok();
            assert_eq!(page.attribute("html", "data-theme").as_deref(), Some(theme), "{path}");
        }
        let href = component.attribute("[data-uid=dee] a", "href").unwrap();
        assert!(world.cy.page(&href).await.ok().has(&format!("html[data-theme={theme}]")), "{href}");
        let href = component.attribute(".chat-group-members__bans-link", "href").unwrap();
        assert!(world.cy.page(&href).await.ok().has(&format!("html[data-theme={theme}]")), "{href}");
    }
    for query in ["", "?theme=auto"] {
        assert!(!world.cy.page(&format!("{LIST}{query}")).await.ok().has("[data-theme]"), "as the system says");
    }
}

#[tokio::test]
async fn without_groups_there_is_one_list_in_the_same_order() {
    let world = World::new().await;
    for (query, grouped) in
        [("", true), ("groupBy=scope", true), ("groupBy=none", false), ("groupBy=none&hideSearch=1", false)]
    {
        for (place, html) in surfaces(&world, &world.ada, query).await {
            if ["the component", "the page", "the rows", "the view", "the stream", "the answer to an act"]
                .contains(&place)
            {
                assert_eq!(has(&html, "[data-heading], [data-sections]"), grouped, "{place} with {query}");
            }
        }
        assert_eq!(world.ada.get(&format!("{LIST}?{query}")).await.ok().uids(), ["ada", "ben", "cy", "dee", "eve"]);
    }
}

#[tokio::test]
async fn two_lists_of_one_group_share_a_page_and_nothing_else() {
    let world = World::new().await;
    let mut ids = BTreeSet::new();
    for (instance, root) in [
        ("", "cgm-den"),
        ("instance=two&hideKickMemberOption=true", "cgm-den-two"),
        ("instance=3&scopes=participant", "cgm-den-3"),
    ] {
        let mut own = BTreeSet::new();
        for (place, html) in surfaces(&world, &world.ada, instance).await {
            let found = texts(&html, "section [id], section[id], li[id], p[id], div[id]", Some("id"));
            for id in &found {
                let rest = id.strip_prefix(root).unwrap_or_else(|| panic!("{place}: {id}"));
                assert!(
                    rest.is_empty() || !["-two", "-3"].iter().any(|other| rest.starts_with(other)),
                    "{place}: {id}"
                );
            }
            let swaps = texts(&html, "ul[data-hx-swap-oob]", Some("data-hx-swap-oob"));
            assert!(swaps.iter().all(|target| *target == format!("place:#{root}-list")), "{place}: {swaps:?}");
            if place == "the component" {
                assert_eq!(found.iter().collect::<BTreeSet<_>>().len(), found.len(), "no id twice");
                own.extend(found);
            }
        }
        assert!(ids.is_disjoint(&own), "no id of another list");
        ids.extend(own);
    }
}

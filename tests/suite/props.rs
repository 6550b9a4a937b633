//! Every prop, alone and with others, on every surface that it changes: the component, the page, what
//! a search and a next page bring, a member's row, menu and page, the live stream, the answer to an act.

use std::collections::BTreeSet;

use chat_group_members::domain::{GroupType, Scope};
use scraper::Html;

use crate::support::{self, Actor, Answer, World, row, select, texts};

const LIST: &str = "/groups/den/members";

/// What a viewer gets to see, by the name of the place.
type Surfaces = Vec<(&'static str, Html)>;

/// Everything that this viewer sees of the group and of Dee with these props, while Ada makes Eve a
/// moderator and a participant again.
async fn surfaces(world: &World, viewer: &Actor, query: &str) -> Surfaces {
    let mut stream = viewer.raw(&format!("/groups/den/events?{query}"), &[]).await;
    let first = stream.next().await.unwrap();
    let mut seen = Vec::new();
    for scope in ["moderator", "participant"] {
        let path = format!("{LIST}/eve/scope?{query}");
        let answer = world.ada.htmx_act(&path, &[("_method", "PUT"), ("scope", scope)]).await.ok();
        if viewer.uid == "ada" {
            seen.push(("the answer to an act", answer.html()));
        }
    }
    let rest = stream.up_to(world.head("den").await).await;
    let sent: String = [first].into_iter().chain(rest).filter_map(|message| message.data).collect();
    seen.push(("the stream", support::fragment(&sent)));
    let own = &viewer.uid;
    for (name, path) in [
        ("the component", LIST.to_owned()),
        ("the rows", format!("{LIST}?part=rows")),
        ("the view", format!("{LIST}?part=view")),
        ("Dee's row", format!("{LIST}/dee")),
        ("Dee's menu", format!("{LIST}/dee?part=menu")),
        ("the own menu", format!("{LIST}/{own}?part=menu")),
    ] {
        let between = if path.contains('?') { '&' } else { '?' };
        seen.push((name, viewer.get(&format!("{path}{between}{query}")).await.ok().html()));
    }
    for (name, path) in [
        ("the page", LIST.to_owned()),
        ("Dee's page", format!("{LIST}/dee")),
        ("the own page", format!("{LIST}/{own}")),
    ] {
        seen.push((name, viewer.page(&format!("{path}?{query}")).await.ok().html()));
    }
    seen
}

fn has(html: &Html, selector: &str) -> bool {
    html.select(&select(selector)).next().is_some()
}

/// Every act that can be done from here, by rows, menus and forms.
fn acts(html: &Html) -> BTreeSet<String> {
    let words = texts(html, "[data-acts]", Some("data-acts")).join(" ");
    let controls = texts(html, "[data-action]:not([aria-disabled])", Some("data-action"));
    words.split_whitespace().map(str::to_owned).chain(controls).collect()
}

/// The acts that are shown and not possible.
fn explained(html: &Html) -> BTreeSet<String> {
    texts(html, "[data-action][aria-disabled=true]", Some("data-action")).into_iter().collect()
}

/// What each of the five props takes away.
const HIDES: [(&str, &[&str]); 5] = [
    ("hideKickMemberOption", &["kick"]),
    ("hideBanMemberOption", &["ban", "unban"]),
    // The act that is answered is another scope: its undoing goes with it.
    ("hideScopeChangeOption", &["scope", "transfer", "undo"]),
    ("hideLeaveOption", &["leave"]),
    ("hideMuteMemberOption", &["mute", "unmute"]),
];

/// Every choice of them: the query, and all that it takes away.
fn choices() -> impl Iterator<Item = (String, BTreeSet<String>)> {
    (0..32).map(|bits| {
        let chosen = HIDES.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1).map(|(_, hide)| hide);
        let query: Vec<_> = chosen.clone().map(|(name, _)| format!("{name}=true")).collect();
        let mut hidden: BTreeSet<String> =
            chosen.flat_map(|(_, acts)| acts.iter().map(|&act| act.to_owned())).collect();
        // A list that showed no act to staff before there were mutes shows none now.
        if ["kick", "ban", "scope"].iter().all(|act| hidden.contains(*act)) {
            hidden.extend(["mute", "unmute"].map(str::to_owned));
        }
        (query.join("&"), hidden)
    })
}

#[tokio::test]
async fn each_hidden_act_is_gone_everywhere_and_no_other_act_with_it() {
    let world = World::new().await;
    for viewer in [&world.ada, &world.ben, &world.cy] {
        let all = surfaces(&world, viewer, "").await;
        let offered = all.iter().filter(|(_, html)| !acts(html).is_empty()).count();
        assert!(offered >= 7, "acts are offered nearly everywhere: {offered}");
        for (query, hidden) in choices() {
            let shown = surfaces(&world, viewer, &query).await;
            for ((place, html), (_, before)) in shown.iter().zip(&all) {
                let mut left: BTreeSet<_> = acts(before).difference(&hidden).cloned().collect();
                let with_acts =
                    left.iter().any(|act| ["kick", "ban", "scope", "transfer", "mute"].contains(&act.as_str()));
                // Notes are no act: they stand beside those that there are.
                left.retain(|act| with_acts || !act.ends_with("notes") && !act.ends_with("note"));
                assert_eq!(acts(html), left, "{} sees {place} with {query}", viewer.uid);
            }
        }
    }
}

#[tokio::test]
async fn with_every_act_hidden_the_list_is_read_and_nothing_else() {
    let world = World::new().await;
    let query = choices().last().unwrap().0;
    for viewer in [&world.ada, &world.ben, &world.cy, &world.dee] {
        for more in ["", "&explain=true"] {
            for (place, html) in surfaces(&world, viewer, &format!("{query}{more}")).await {
                let place = format!("{} sees {place} with {query}{more}", viewer.uid);
                assert!(acts(&html).is_empty() && explained(&html).is_empty(), "{place}: {}", html.html());
                assert!(
                    !has(&html, ".chat-group-members__row a[href]"),
                    "{place}: no button without a menu: {}",
                    html.html()
                );
                assert!(!has(&html, ".chat-group-members__bans-link"), "{place}: no way to lift a ban");
            }
        }
    }
    let others = query.replace("hideLeaveOption=true", "");
    let own = world.eve.page(&format!("{LIST}/eve?{others}")).await.ok();
    assert!(own.has("[data-action=leave]"), "the others keep nobody in");
    let row = world.eve.get(&format!("{LIST}/eve?{others}")).await.ok();
    assert!(row.has("a.chat-group-members__name[href]"), "whose name leads there");
    let bans = world.cy.page(&format!("/groups/den/bans?{query}")).await.ok();
    assert!(bans.has("[data-uid=flo]") && !bans.has("[data-action]"), "{}", bans.body);
    let searched = bans.attribute("form input[type=hidden][name=hideBanMemberOption]", "value");
    assert_eq!(searched.as_deref(), Some("true"), "a search there keeps it so");
}

#[tokio::test]
async fn a_hidden_act_has_no_form_even_for_who_knows_its_address() {
    let world = World::new().await;
    for (query, hidden) in choices() {
        for act in ["kick", "ban", "scope", "transfer", "mute"] {
            let path = format!("{LIST}/dee?part=dialog&act={act}&{query}");
            let found = world.ada.htmx(&path).await.status == 200;
            assert_eq!(found, !hidden.contains(act), "{path}");
        }
    }
}

#[tokio::test]
async fn what_is_not_possible_is_explained_only_on_request_and_never_offered() {
    let world = World::new().await;
    for (query, hidden) in choices() {
        let (plain, explaining) = (format!("?{query}"), format!("?explain=true&{query}"));
        let forbidden: BTreeSet<_> = ["kick", "ban", "scope", "transfer", "mute"]
            .map(str::to_owned)
            .into_iter()
            .filter(|act| !hidden.contains(act))
            .collect();
        let menu = async |query: &str| world.cy.htmx(&format!("{LIST}/ben{query}&part=menu")).await.ok();
        assert!(explained(&menu(&plain).await.html()).is_empty() && acts(&menu(&plain).await.html()).is_empty());
        let explained_menu = menu(&explaining).await;
        assert_eq!(explained(&explained_menu.html()), forbidden, "{query}");
        assert!(acts(&explained_menu.html()).is_empty(), "{query}: said, not offered");
        for reason in texts(&explained_menu.html(), "[data-action] small", None) {
            assert!(reason.contains("above you") || reason.contains("Only the owner"), "{reason}");
        }
        let page = async |query: &str| world.cy.page(&format!("{LIST}/ben{query}")).await.ok();
        assert!(!page(&plain).await.has(".chat-page__refused") && !page(&plain).await.has("form"));
        let explained_page = page(&explaining).await;
        assert_eq!(explained_page.count(".chat-page__refused li"), forbidden.len(), "{query}");
        assert_eq!(
            explained_page.text(".chat-page__refused").contains("above you"),
            forbidden.len() > usize::from(forbidden.contains("transfer"))
        );
        let list = world.cy.get(&format!("{LIST}{explaining}")).await.ok();
        assert!(!list.has("[data-uid=ben][data-acts]"), "{query}: not in data-acts");
        assert_eq!(
            list.has("[data-uid=ben] a[href]"),
            !forbidden.is_empty(),
            "{query}: a menu when there is something in it"
        );
    }
    let dees = world.dee.get(&format!("{LIST}?explain=true")).await.ok();
    assert!(dees.has("[data-uid=eve] a[href]"), "participants are told too");
    assert!(!world.dee.get(LIST).await.ok().has("[data-uid=eve] a[href]"));
    assert!(texts(&dees.html(), "[data-acts]", None).is_empty());
}

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

//! Every prop, alone and with others, on every surface that it changes: the component, the page, what
//! a search and a next page bring, a member's row, menu and page, the live stream, the answer to an act.

mod filters;
mod parts;

use std::collections::BTreeSet;

use scraper::Html;

use crate::support::{self, Actor, World, select, texts};

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

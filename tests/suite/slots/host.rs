//! A host's own drawing in Rust, without a folder of templates.

use chat_group_members::app::App;
use chat_group_members::config::{Config, Secret};
use chat_group_members::domain::{GroupType, Name};
use chat_group_members::membership;
use chat_group_members::slots::{HeaderFacts, MenuFacts, RowFacts, Slot, Slots};

use super::{LIST, inside};
use crate::support::{self, SECRET, World, uid};

/// A host that draws its own.
struct Host;

impl Slots for Host {
    fn names(&self) -> Vec<String> {
        vec!["broken".into(), "card".into(), "menu".into()]
    }

    fn row(&self, slot: Slot, name: &str, facts: &RowFacts<'_>) -> Option<String> {
        assert_ne!(name, "broken", "a fault of the host");
        (slot == Slot::Item && name == "card" && !facts.own).then(|| format!("<b>{}</b>", facts.member.uid()))
    }

    fn header(&self, _: &str, facts: &HeaderFacts<'_>) -> Option<String> {
        Some(format!("<h2>{} of {}</h2>", facts.members, facts.uid?))
    }

    fn options(&self, _: &str, facts: &MenuFacts<'_>) -> Option<String> {
        Some(facts.option("wave", "Wave") + &facts.link("/x", "X").ok()? + facts.acts())
    }
}

#[tokio::test]
async fn a_host_in_rust_draws_the_same_slots() {
    let folder = tempfile::tempdir().unwrap();
    let config = Config {
        database_url: format!("sqlite://{}", folder.path().join("test.db").display()),
        viewer_secrets: vec![Secret::new(SECRET)],
        ..Config::default()
    };
    let both = Config { views: Some(folder.path().into()), ..config.clone() };
    assert!(App::open_with_slots(both, Host).await.is_err(), "one of the two");
    let world = {
        let app = App::open_with_slots(config, Host).await.unwrap();
        World::of(app.clone(), app.clock().clone(), folder).await
    };
    world.seed("den", GroupType::Private, support::CAST).await;
    let answer = world.ada.get(&format!("{LIST}?itemView=card&headerView=card&subtitleView=menu")).await.ok();
    assert_eq!(inside(&answer, "li[data-uid=dee] > .chat-group-members__item"), "<b>dee</b>");
    assert_eq!(answer.text("li[data-uid=ada] .chat-group-members__name"), "Ada Lovelace", "None is the built-in view");
    assert_eq!(answer.text("header > h2"), "7 of ada");
    let menu = world.ada.htmx(&format!("{LIST}/dee?part=menu&options=menu")).await.ok();
    assert!(menu.has("button[data-option=wave]") && menu.has("a[href='/x']") && menu.has("a[data-action=kick]"));
    world.ada.data(&format!("{LIST}?itemView=other")).await.refused(422, "ERR_VALIDATION");
    // One that panics is the built-in part, for the others who watch the group too.
    let broken = world.ada.get(&format!("{LIST}?itemView=broken")).await.ok();
    assert_eq!(broken.text("li[data-uid=dee] .chat-group-members__name"), "Dee Dee");
    let (mut theirs, mut others) =
        (world.ben.raw("/groups/den/events?itemView=broken", &[]).await, world.eve.stream().await);
    for name in ["Deirdre", "Dee Winters"] {
        membership::put_user(world.app.store(), uid("dee"), Name::parse(name).ok(), None).await.unwrap();
        for stream in [&mut theirs, &mut others] {
            stream
                .until("the new name", |message| message.data.as_deref().is_some_and(|data| data.contains(name)))
                .await;
        }
    }
}

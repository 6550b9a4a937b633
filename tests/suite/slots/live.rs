//! Templates on open screens: a live row is that of a fresh page, and a changed template changes both.

use super::{LIST, world};
use crate::support::{self, eventually};

/// The markup of somebody's row.
fn row_of(html: &scraper::Html, uid: &str) -> String {
    let row = support::select(&format!("li.chat-group-members__row[data-uid={uid}]"));
    html.select(&row).next().unwrap_or_else(|| panic!("no row of {uid}")).html()
}

#[tokio::test]
async fn a_live_row_is_the_row_that_a_fresh_page_has() {
    let card =
        "\n\n{% if own %}<i>me</i>{% endif %}\r\n<b>{{ member.name }}</b>\n\n{{ viewer.scope }} {{ member.status }}\n";
    let (world, _folder) = world(&[("card", card), ("line", "since {{ member.joinedAt|isodate }}")]).await;
    for view in ["itemView=card", "subtitleView=line&trailingView=card", "itemView=card&hideUserStatus=true"] {
        for viewer in [&world.dee, &world.cy] {
            let mut stream = viewer.raw(&format!("/groups/den/events?{view}"), &[]).await;
            for scope in ["moderator", "participant"] {
                world.ada.set_scope("dee", scope).await.ok();
                let now = format!("ul [data-uid=dee][data-scope={scope}]");
                let message = stream.until("the change", |message| message.has(&now)).await;
                let fresh = viewer.get(&format!("{LIST}?part=rows&{view}")).await.ok();
                assert_eq!(row_of(&message.html(), "dee"), row_of(&fresh.html(), "dee"), "{view} for {}", viewer.uid);
                assert_eq!(
                    row_of(&fresh.html(), "dee").contains("<i>me</i>"),
                    viewer.uid == "dee" && view.contains("card")
                );
            }
        }
    }
}

#[tokio::test]
async fn a_changed_template_changes_pages_and_open_screens() {
    let (world, folder) = world(&[("card", "old {{ member.name }}"), ("wait", "w")]).await;
    let view = format!("{LIST}?part=rows&itemView=card");
    let first = world.dee.get(&view).await.ok();
    let connect =
        world.dee.get(&format!("{LIST}?itemView=card")).await.attribute("[data-connect]", "data-connect").unwrap();
    let mut stream = world.dee.raw(&connect, &[]).await;
    let mut menu_only = world.dee.raw("/groups/den/events?options=wait", &[]).await;
    let mut other = world.dee.raw("/groups/den/events", &[]).await;
    assert!(!stream.next().await.unwrap().has("[data-note=renew]"), "it is as the page has it");
    folder.put("card", "new {{ member.name }}");
    stream.until("the screen is told", |message| message.has("[data-note=renew]")).await;
    menu_only.until("so is one with other templates", |message| message.has("[data-note=renew]")).await;
    let second = world.dee.get(&view).await.ok();
    assert_eq!(second.text("li[data-uid=eve]"), "new Eve Adams");
    assert_ne!(first.header("etag"), second.header("etag"));
    assert_eq!(world.dee.get_with(&view, &[("if-none-match", first.header("etag"))]).await.status, 200);
    world.ada.set_scope("eve", "moderator").await.ok();
    let message = stream.until("a change", |message| message.shows("eve")).await;
    assert!(row_of(&message.html(), "eve").contains("new Eve Adams"));
    let head = world.head("den").await;
    let others = other.up_to(head).await;
    assert!(!others.iter().any(|message| message.has("[data-note=renew]")), "built-in views stay");
    // The page of before comes back: what it shows is old, although nothing happened in the group.
    let mut back = world.dee.raw(&connect, &[]).await;
    assert!(back.next().await.unwrap().has("[data-note=renew]"));
    folder.put("more", "more");
    eventually("a template that was added is there", async || {
        world.dee.get(&format!("{LIST}?itemView=more")).await.status == 200
    })
    .await;
    folder.remove("more");
    eventually("one that was removed is not", async || {
        world.dee.get(&format!("{LIST}?itemView=more")).await.status == 422
    })
    .await;
}

#[tokio::test]
async fn a_page_kept_for_many_is_not_kept_longer_than_its_template() {
    let (world, folder) = world(&[("card", "old")]).await;
    let view = format!("{LIST}?part=rows&itemView=card&scopes=moderator");
    let mut tags = Vec::new();
    for _ in 0..3 {
        tags.push(world.dee.get(&view).await.ok().header("etag").to_owned());
    }
    assert_eq!(tags[0], tags[2], "nothing happens in the group");
    folder.put("card", "new");
    eventually("the template is read", async || {
        world.dee.get_with(&view, &[("if-none-match", &tags[0])]).await.body.contains(">new<")
    })
    .await;
}

#[tokio::test]
async fn rows_that_say_a_status_are_asked_for_again_by_a_screen_that_comes_back() {
    let (world, _folder) = world(&[("says", "{{ member.status }}"), ("quiet", "{{ member.name }}")]).await;
    let first = async |view: &str| {
        let connect =
            world.dee.get(&format!("{LIST}?{view}")).await.attribute("[data-connect]", "data-connect").unwrap();
        world.dee.raw(&connect, &[]).await.next().await.unwrap().has("[data-note=resync]")
    };
    assert!(first("trailingView=says").await);
    assert!(!first("trailingView=quiet").await);
    assert!(!first("trailingView=says&hideUserStatus=true").await);
}

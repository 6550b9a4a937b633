//! Conditional requests: what a client has already is not sent again, and it is never shown less than it has seen.

use serde_json::json;

use super::LIST;
use crate::support::World;

#[tokio::test]
async fn an_unchanged_list_is_not_sent_again() {
    let world = World::new().await;
    let first = world.dee.get(LIST).await.ok();
    let tag = first.header("etag").to_owned();
    let again = world.dee.get_with(LIST, &[("if-none-match", &tag)]).await;
    assert_eq!((again.status.as_u16(), again.body.as_str()), (304, ""));
    assert_eq!(again.header("etag"), tag);
    assert_eq!(again.header("cache-control"), "private, no-cache", "or the browser forgets what it has");
    for (actor, headers, path) in [
        (&world.eve, vec![], LIST),
        (&world.dee, vec![("hx-request", "true"), ("hx-boosted", "true")], LIST),
        (&world.dee, vec![], "/groups/den/members?limit=1"),
    ] {
        let headers: Vec<_> = headers.into_iter().chain([("if-none-match", tag.as_str())]).collect();
        assert_eq!(actor.get_with(path, &headers).await.status, 200, "another viewer, face or view has another tag");
    }
    world.cy.kick("eve").await.ok();
    assert_eq!(world.dee.get_with(LIST, &[("if-none-match", &tag)]).await.status, 200);
}

#[tokio::test]
async fn what_is_known_is_not_sent_again_wherever_it_comes_from() {
    let world = World::new().await;
    for path in [LIST, "/groups/den", "/static/css-variables.css"] {
        let tag = world.dee.data(path).await.ok().header("etag").to_owned();
        let list = format!("\"other\", {tag}");
        for known in [tag.as_str(), list.as_str(), "*"] {
            let headers = [("accept", "application/json"), ("if-none-match", known)];
            let again = world.dee.get_with(path, &headers).await;
            assert_eq!((again.status.as_u16(), again.body.as_str()), (304, ""), "{path} {known}");
        }
        let other = [("accept", "application/json"), ("if-none-match", "W/\"other\"")];
        assert_eq!(world.dee.get_with(path, &other).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn data_for_staff_is_sent_again_once_a_mute_is_over_also_while_its_end_is_not_written() {
    let world = World::new().await;
    world.ben.mute("dee", json!({"until": 60})).await.ok();
    world.ben.mute("eve", json!({"until": 120})).await.ok();
    // The sweep finds nothing to end: only the node's memory knows of the mutes.
    world.write_by_hand("DELETE FROM mutes").await;
    for format in ["json", "csv"] {
        assert!(world.cy.get(&format!("{LIST}?format={format}")).await.ok().body.contains("mutedUntil"), "{format}");
    }
    for left in [1, 0] {
        let mut tags = Vec::new();
        for format in ["json", "csv"] {
            let path = format!("{LIST}?format={format}");
            let tag = world.cy.get(&path).await.ok().header("etag").to_owned();
            assert_eq!(world.cy.get_with(&path, &[("if-none-match", &tag)]).await.status, 304, "{format}");
            tags.push((path, tag));
        }
        world.clock.advance(61_000);
        for (path, tag) in tags {
            let again = world.cy.get_with(&path, &[("if-none-match", &tag)]).await.ok();
            assert_eq!(again.body.contains("mutedUntil"), left > 0, "{path}: {}", again.body);
        }
    }
}

#[tokio::test]
async fn a_star_hides_no_value_that_is_not_allowed() {
    let world = World::new().await;
    for query in ["scopes=king", "cursor=x", "cursor=x&before=end", "limit=none", "itemView=nothing"] {
        for format in ["", "format=json&", "format=atom&"] {
            let path = format!("{LIST}?{format}{query}");
            let answer = world.dee.get_with(&path, &[("if-none-match", "*")]).await;
            assert_eq!(answer.status, 422, "{path}: {}", answer.body);
        }
    }
}

#[tokio::test]
async fn a_client_is_never_shown_less_than_it_has_seen() {
    let world = World::new().await;
    let seen = world.cy.kick("dee").await.ok();
    drop(seen);
    let id = world.ada.data(LIST).await.ok().json()["meta"]["id"].as_str().unwrap().to_owned();
    let answer = world.ada.get_with(LIST, &[("last-event-id", &id), ("accept", "application/json")]).await.ok().json();
    assert_eq!((&answer["meta"]["id"], &answer["meta"]["count"]), (&json!(id), &json!(4)));
}

#[tokio::test]
async fn the_page_after_an_act_is_sent_again_once_the_act_cannot_be_undone_any_more() {
    let world = World::new().await;
    let done = world.cy.form("/groups/den/members/dee", &[("_method", "DELETE")]).await;
    let (address, undo) = (done.header("location"), ".chat-group-members__undo");
    let page = world.cy.page(address).await.ok();
    assert!(page.has(undo), "{}", page.body);
    world.clock.advance(31_000);
    let headers = [("accept", "text/html"), ("if-none-match", page.header("etag"))];
    let again = world.cy.get_with(address, &headers).await.ok();
    assert!(!again.has(undo), "{}", again.body);
    assert_eq!(again.text(".chat-group-members__notice"), "Dee Dee was removed from the group.");
    let headers = [("accept", "text/html"), ("if-none-match", again.header("etag"))];
    assert_eq!(world.cy.get_with(address, &headers).await.status, 304, "from now on it is the same");
}

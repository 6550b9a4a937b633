//! Two nodes beside one database: what happens on one is seen on the other, in order, without any
//! word between them.

use chat_group_members::config::Wake;
use chat_group_members::domain::Scope;
use reqwest::Method;
use serde_json::json;

use crate::support::sse::Message;
use crate::support::{self, World};

/// Two nodes without a word between them, the group in the memory of both.
async fn both() -> (World, World) {
    let here = World::with(|config| config.wake = Wake::None).await;
    let there = here.beside().await;
    there.ada.data("/groups/den/members").await.ok();
    (here, there)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_act_on_one_node_is_seen_on_every_other_in_order() {
    let here = World::new().await;
    let there = here.beside().await;
    let mut stream = there.eve.raw("/groups/den/events?format=json", &[]).await;
    assert_eq!(stream.next().await.unwrap().name(), "ready");
    let head = here.head("den").await;
    here.ben.kick("dee").await.ok();
    there.ada.set_scope("cy", "admin").await.ok();
    here.ben.leave().await.ok();
    let messages: Vec<Message> =
        stream.up_to(head + 3).await.into_iter().filter(|message| message.id.is_some()).collect();
    assert_eq!(messages.iter().map(Message::seq).collect::<Vec<_>>(), [head + 1, head + 2, head + 3]);
    assert_eq!(
        messages.iter().map(Message::name).collect::<Vec<_>>(),
        ["member_kicked", "member_scope_changed", "member_left"]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_acted_reads_it_on_any_node() {
    let (here, there) = both().await;
    for round in 0..5 {
        let scope = if round % 2 == 0 { "moderator" } else { "participant" };
        here.ada.set_scope("dee", scope).await.ok();
        let id = here.ada.data("/groups/den/members").await.ok().json()["meta"]["id"].as_str().unwrap().to_owned();
        let answer =
            there.ada.get_with("/groups/den/members?format=json", &[("last-event-id", id.as_str())]).await.ok().json();
        let dee = answer["data"].as_array().unwrap().iter().find(|member| member["uid"] == "dee").unwrap();
        assert_eq!(dee["scope"], scope, "round {round}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_acted_by_a_form_or_a_program_sees_it_on_the_node_they_are_led_to() {
    let (here, there) = both().await;
    for round in 0..5 {
        let scope = if round % 2 == 0 { "moderator" } else { "participant" };
        let fields = [("_method", "PUT"), ("scope", scope)];
        let done = here.ada.form("/groups/den/members/dee/scope", &fields).await;
        let page = there.ada.page(done.header("location")).await.ok();
        assert_eq!(page.attribute("li[data-uid=dee]", "data-scope").as_deref(), Some(scope), "round {round}");

        let done = here.ada.set_scope("eve", scope).await.ok();
        let seen = [("last-event-id", done.header("last-event-id")), ("accept", "application/json")];
        let eve = there.ada.get_with("/groups/den/members/eve", &seen).await.ok().json();
        assert_eq!(eve["data"]["scope"], scope, "round {round}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_is_put_out_on_one_node_is_out_on_the_other() {
    let here = World::new().await;
    let there = here.beside().await;
    let mut stream = there.dee.raw("/groups/den/events?format=json", &[]).await;
    assert_eq!(stream.next().await.unwrap().name(), "ready");
    here.cy.kick("dee").await.ok();
    here.ada.kick("eve").await.ok();
    let mut last = stream.next().await;
    while let Some(next) = stream.next().await {
        last = Some(next);
    }
    assert_eq!(last.unwrap().name(), "revoked", "and nothing later");
    there.dee.data("/groups/den/members").await.refused(404, "ERR_GUID_NOT_FOUND");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_never_make_two_owners() {
    let here = World::new().await;
    let there = here.beside().await;
    for _ in 0..10 {
        let before = here.members("den").await;
        let owner = before.iter().find(|(_, scope)| *scope == Scope::Owner).unwrap().0.clone();
        let heirs: Vec<_> = before.iter().filter(|(_, scope)| *scope != Scope::Owner).take(2).collect();
        let transfer = async |world: &World, heir: &str| {
            world.actor(&owner).act(Method::PUT, "/groups/den/owner", json!({"uid": heir})).await.status
        };
        let (one, other) = tokio::join!(transfer(&here, &heirs[0].0), transfer(&there, &heirs[1].0));
        let mut both = [one, other];
        both.sort();
        assert_eq!(both.map(|status| status.as_u16()), [200, 403], "one was faster");
        let after = here.members("den").await;
        assert_eq!(after.iter().filter(|(_, scope)| *scope == Scope::Owner).count(), 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_repeated_act_on_another_node_is_not_a_second_act() {
    let here = World::new().await;
    let there = here.beside().await;
    let head = here.head("park").await;
    let kick = async |world: &World| {
        let request = world.ben.request(Method::DELETE, "/groups/park/members/dee").header("idempotency-key", "k1");
        support::actor::send(request).await.status
    };
    let (one, other) = tokio::join!(kick(&here), kick(&there));
    assert_eq!((one.as_u16(), other.as_u16()), (200, 200));
    assert_eq!(here.head("park").await, head + 1, "one event");
}

//! Random walks: after any changes of the list, an open screen shows what a fresh one does.

use chat_group_members::domain::{Act, GroupType, Name, Scope};
use chat_group_members::membership;
use proptest::prelude::*;
use proptest::test_runner::{Config as Runs, TestRunner};

use crate::support::screen::Screen;
use crate::support::{self, Actor, World, guid, uid};

/// What changes the list, by the host or by people, in a walk.
#[derive(Debug, Clone)]
enum Turn {
    Add(usize),
    Kick(usize),
    Rename(usize, String),
    Scope(usize, Scope),
    Own(usize, Scope),
    Reconnect(usize),
}

fn turn() -> impl Strategy<Value = Turn> {
    let scope = || prop_oneof![Just(Scope::Admin), Just(Scope::Moderator), Just(Scope::Participant)];
    prop_oneof![
        4 => (0..12usize).prop_map(Turn::Add),
        3 => (0..12usize).prop_map(Turn::Kick),
        3 => (0..12usize, "[A-Fa-f]{1,3}").prop_map(|(who, name)| Turn::Rename(who, name)),
        3 => (0..12usize, scope()).prop_map(|(who, scope)| Turn::Scope(who, scope)),
        1 => (0..2usize, scope()).prop_map(|(who, scope)| Turn::Own(who, scope)),
        1 => (0..3usize).prop_map(Turn::Reconnect),
    ]
}

async fn take(world: &World, group: &str, turn: &Turn) {
    let (store, request) = (world.app.store(), support::by_host(group));
    // What is so already, or not possible now, is a turn in which nothing happens.
    match turn {
        Turn::Add(who) if world.scope(group, &format!("m{who}")).await.is_none() => {
            let placement = membership::Placement { uid: uid(&format!("m{who}")), scope: Scope::Participant };
            membership::add_members(store, guid(group), vec![placement]).await.unwrap();
        }
        Turn::Kick(who) => {
            drop(membership::act(store, request, uid(&format!("m{who}")), Act::Kick { message: None }).await);
        }
        Turn::Rename(who, name) => {
            let name = Name::parse(name).unwrap();
            membership::put_user(store, uid(&format!("m{who}")), Some(name), None).await.unwrap();
        }
        Turn::Scope(who, scope) => {
            drop(membership::act(store, request, uid(&format!("m{who}")), Act::SetScope((*scope).into())).await);
        }
        Turn::Own(who, scope) => {
            drop(membership::act(store, request, uid(["ben", "dee"][*who]), Act::SetScope((*scope).into())).await);
        }
        Turn::Add(_) | Turn::Reconnect(_) => {}
    }
}

async fn same(world: &World, group: &str, turns: &[Turn]) -> Result<(), TestCaseError> {
    let seeded = (0..12).map(|who| (format!("m{who}"), format!("Name {who}"))).collect::<Vec<_>>();
    let people = seeded.iter().map(|(uid, name)| (uid.as_str(), name.as_str(), Scope::Participant));
    let cast = [("ada", "Ada", Scope::Owner), ("ben", "Ben", Scope::Admin), ("dee", "Dee", Scope::Participant)];
    world.seed(group, GroupType::Private, cast.into_iter().chain(people)).await;
    let views: [(&Actor, &str); 3] = [
        (&world.ada, "hideUserStatus=true&limit=5"),
        (&world.ben, "hideUserStatus=true&searchKeyword=a"),
        (&world.dee, "hideUserStatus=true&scopes=owner,moderator,participant&groupBy=none&limit=7"),
    ];
    let mut screens = Vec::new();
    for (actor, query) in views {
        screens.push(Screen::open(actor, group, query).await);
    }
    for burst in turns.chunks(4) {
        for turn in burst {
            take(world, group, turn).await;
            if let Turn::Reconnect(who) = turn {
                screens[*who].reconnect().await;
            }
        }
        let head = world.head(group).await;
        for (screen, (actor, query)) in screens.iter_mut().zip(views) {
            screen.up_to(head).await;
            let (live, fresh) = screen.compared().await;
            prop_assert_eq!(live, fresh, "{} with {} after {:?}", actor.uid, query, burst);
        }
    }
    Ok(())
}

#[test]
fn the_live_component_is_what_a_fresh_one_would_be() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let world = runtime.block_on(World::empty(|_| {}));
    let number = std::cell::Cell::new(0);
    let mut runner =
        TestRunner::new(Runs { cases: 10, max_shrink_iters: 40, failure_persistence: None, ..Runs::default() });
    let walks = runner.run(&prop::collection::vec(turn(), 4..40), |turns| {
        number.set(number.get() + 1);
        runtime.block_on(same(&world, &format!("walk{}", number.get()), &turns))
    });
    walks.unwrap();
}

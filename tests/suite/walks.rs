//! Random walks of acts, undos, lists from the host and endings: nobody ever gets more than the rule would give them, or for longer,
//! there is one owner, and no ban is lifted that nobody lifted.

use std::collections::BTreeMap;

use chat_group_members::domain::{Act, EventKind, GroupType, NewScope, Scope, Standing, Terms};
use chat_group_members::membership::{self, ActRequest, Actor as By};
use chat_group_members::store::Person;
use proptest::prelude::*;
use proptest::test_runner::{Config as Runs, TestRunner};

use crate::support::{World, guid, row, uid};

const PEOPLE: [&str; 6] = ["ada", "ben", "cy", "dee", "eve", "fay"];
/// So long after an act it can be undone, milliseconds.
const WINDOW: i64 = 30 * 60_000;

#[derive(Debug, Clone)]
enum Step {
    /// What somebody does to somebody.
    Act(usize, usize, Verb),
    /// The same to everybody.
    ToAll(usize, Verb),
    Join(usize),
    /// Somebody undoes what happened so many events ago, or all of its request.
    Undo(usize, u64, bool),
    /// The host's list: who is in it, but for the owner, and as what.
    List([Option<Scope>; 6]),
    /// So many minutes pass.
    Wait(i64),
}

/// With how long it holds, in minutes.
#[derive(Debug, Clone, Copy)]
enum Verb {
    Kick,
    Ban(Option<i64>),
    Unban,
    Mute(i64),
    Unmute,
    Scope(Scope, Option<i64>),
    Transfer,
    Leave,
}

fn step() -> impl Strategy<Value = Step> {
    let below_owner = || prop_oneof![Just(Scope::Admin), Just(Scope::Moderator), Just(Scope::Participant)];
    let minutes = || prop_oneof![Just(None), (1..40i64).prop_map(Some)];
    let verb = move || {
        prop_oneof![
            3 => Just(Verb::Kick),
            3 => minutes().prop_map(Verb::Ban),
            2 => Just(Verb::Unban),
            2 => (1..40i64).prop_map(Verb::Mute),
            1 => Just(Verb::Unmute),
            6 => (below_owner(), minutes()).prop_map(|(scope, until)| Verb::Scope(scope, until)),
            1 => Just(Verb::Transfer),
            1 => Just(Verb::Leave),
        ]
    };
    // Whoever may do most acts most.
    let who = prop_oneof![0..3usize, 0..PEOPLE.len()].boxed();
    prop_oneof![
        10 => (who.clone(), 0..PEOPLE.len(), verb()).prop_map(|(actor, target, verb)| Step::Act(actor, target, verb)),
        2 => (who.clone(), verb()).prop_map(|(actor, verb)| Step::ToAll(actor, verb)),
        4 => who.clone().prop_map(Step::Join),
        10 => (who, 0..3u64, any::<bool>()).prop_map(|(actor, back, batch)| Step::Undo(actor, back, batch)),
        1 => prop::array::uniform6(prop_oneof![Just(None), below_owner().prop_map(Some)]).prop_map(Step::List),
        4 => (1..30i64).prop_map(Step::Wait),
    ]
}

/// Everybody as they are to the group now.
async fn everybody(world: &World, group: &str) -> BTreeMap<&'static str, Person> {
    let mut reader = world.app.store().read().await.unwrap();
    let mut people = BTreeMap::new();
    for name in PEOPLE {
        people.insert(name, reader.person(&guid(group), &uid(name)).await.unwrap());
    }
    people
}

fn act(verb: Verb, now: i64) -> Act {
    let at = |minutes: i64| now + minutes * 60_000;
    let terms = |until: Option<i64>| Terms { reason: None, message: None, until };
    match verb {
        Verb::Kick => Act::Kick { message: None },
        Verb::Ban(minutes) => Act::Ban(terms(minutes.map(at))),
        Verb::Unban => Act::Unban,
        Verb::Mute(minutes) => Act::Mute(terms(Some(at(minutes)))),
        Verb::Unmute => Act::Unmute,
        Verb::Scope(scope, minutes) => Act::SetScope(NewScope { scope, until: minutes.map(at), message: None }),
        Verb::Transfer => Act::Transfer,
        Verb::Leave => Act::Leave,
    }
}

/// Does it, if it may be done; whether it was is seen by what is so afterwards.
async fn take(world: &World, group: &str, step: &Step, before: &BTreeMap<&'static str, Person>) {
    let (store, now) = (world.app.store(), world.clock.now());
    let by = |who: usize| ActRequest::new(guid(group), By::Viewer(uid(PEOPLE[who])));
    match step {
        Step::Act(actor, target, verb) => {
            let target = if let Verb::Leave = verb { *actor } else { *target };
            drop(membership::act(store, by(*actor), uid(PEOPLE[target]), act(*verb, now)).await);
        }
        Step::ToAll(actor, verb) => {
            let all = PEOPLE.map(uid).to_vec();
            let several = matches!(verb, Verb::Kick | Verb::Ban(_) | Verb::Mute(_) | Verb::Scope(..));
            if several {
                drop(membership::act_batch(store, by(*actor), act(*verb, now), all, false).await);
            }
        }
        Step::Join(who) => drop(membership::join(store, by(*who), uid(PEOPLE[*who]), None, None, None).await),
        Step::Undo(actor, back, batch) => {
            let seq = world.head(group).await.saturating_sub(*back);
            if *batch {
                drop(membership::undo_batch(store, by(*actor), seq, WINDOW).await);
            } else {
                drop(membership::undo(store, by(*actor), seq, WINDOW).await);
            }
        }
        Step::List(scopes) => {
            let is_owner = |name: &str| before[name].standing() == Standing::Member(Scope::Owner);
            let listed = PEOPLE.iter().zip(scopes).filter_map(|(name, scope)| {
                let scope = if is_owner(name) { Some(Scope::Owner) } else { *scope };
                Some(row(name, name, scope?, None))
            });
            world.sync(group, GroupType::Public, listed.collect()).await;
        }
        Step::Wait(minutes) => world.clock.advance(minutes * 60_000),
    }
}

fn rank(person: &Person) -> i64 {
    person.standing().scope().map_or(-1, Scope::number)
}

/// Whether the last events put back a ban of this person.
async fn a_ban_was_undone(world: &World, group: &str, name: &str, since: u64) -> bool {
    let head = world.head(group).await;
    let mut reader = world.app.store().read().await.unwrap();
    let events = reader.events(&guid(group), 0, head, 10_000).await.unwrap().unwrap();
    let is_of = |seq: u64, kind: EventKind| {
        events.iter().any(|event| event.seq == seq && event.kind == kind && event.touched[0].uid.as_str() == name)
    };
    events.iter().filter(|event| event.seq > since).any(|event| {
        event.touched.first().is_some_and(|touched| touched.uid.as_str() == name)
            && event.undoes.is_some_and(|seq| is_of(seq, EventKind::MemberBanned))
    })
}

/// Holds what became of everybody against what the rule gives.
async fn check(
    world: &World,
    group: &str,
    step: &Step,
    before: &BTreeMap<&'static str, Person>,
    head: u64,
) -> Result<(), TestCaseError> {
    let after = everybody(world, group).await;
    let now = world.clock.now();
    let members = before.values().filter(|person| rank(person) >= 0).count();
    for (number, name) in PEOPLE.iter().enumerate() {
        let (old, new) = (&before[name], &after[name]);
        let (was, is) = (rank(old), rank(new));
        let above = |actor: usize| rank(&before[PEOPLE[actor]]);
        let description = || format!("{name} was {was} and is {is} after {step:?}");
        let may_rise = match step {
            Step::Act(actor, target, Verb::Scope(..)) if number == *target => {
                above(*actor) > was && is <= above(*actor)
            }
            Step::ToAll(actor, Verb::Scope(..)) => above(*actor) > was && is <= above(*actor),
            Step::Act(actor, target, Verb::Transfer) if number == *target => above(*actor) == 3,
            Step::Join(who) => number == *who && is == 0 && old.ban.is_none(),
            Step::Undo(actor, ..) => above(*actor) >= 1 && is < above(*actor),
            Step::List(scopes) => scopes[number].is_some_and(|scope| scope.number() == is) && old.ban.is_none(),
            Step::Act(..) | Step::ToAll(..) | Step::Wait(_) => false,
        };
        prop_assert!(is <= was || may_rise, "{}", description());
        let may_fall = match step {
            Step::Act(actor, _, Verb::Leave) => number == *actor && (was < 3 || members == 1),
            Step::Act(actor, target, Verb::Kick | Verb::Ban(_)) => number == *target && above(*actor) > was,
            Step::Act(actor, target, Verb::Scope(..)) => {
                number == *target && (above(*actor) > was || (actor == target && was < 3))
            }
            Step::Act(actor, _, Verb::Transfer) => number == *actor && was == 3 && is == 2,
            Step::ToAll(actor, _) => above(*actor) > was,
            Step::Undo(actor, ..) => above(*actor) >= 1 && was < 3,
            Step::List(_) => was < 3,
            Step::Wait(_) => old.temporary().is_some_and(|end| end.until <= now && end.lasting.number() == is),
            Step::Act(..) | Step::Join(_) => false,
        };
        prop_assert!(is >= was || may_fall, "{}", description());
        if let Some(end) = old.temporary().filter(|_| is == was) {
            let is_longer = new.temporary().is_none_or(|later| later.until > end.until);
            let may_be_longer = match step {
                Step::Act(actor, target, Verb::Scope(..)) => number == *target && above(*actor) > was,
                Step::ToAll(actor, Verb::Scope(..)) => above(*actor) > was,
                Step::Undo(actor, ..) => above(*actor) >= 1,
                Step::Act(..) | Step::ToAll(..) | Step::Join(_) | Step::List(_) | Step::Wait(_) => false,
            };
            prop_assert!(!is_longer || may_be_longer, "a role that nobody made longer: {}", description());
        }
        if let (Some(ban), None) = (&old.ban, &new.ban) {
            let lifted = match step {
                Step::Act(actor, target, Verb::Unban) => number == *target && above(*actor) >= 1,
                Step::Undo(..) => a_ban_was_undone(world, group, name, head).await,
                Step::Wait(_) => ban.until.is_some_and(|until| until <= now),
                Step::Act(..) | Step::ToAll(..) | Step::Join(_) | Step::List(_) => false,
            };
            prop_assert!(lifted, "a ban that nobody lifted: {}", description());
        }
        if let (Some(mute), None) = (&old.mute, &new.mute) {
            let lifted = match step {
                Step::Act(actor, target, Verb::Unmute) => number == *target && above(*actor) > was,
                Step::Undo(actor, ..) => above(*actor) >= 1,
                Step::Wait(_) => mute.until.is_some_and(|until| until <= now),
                Step::Act(..) | Step::ToAll(..) | Step::Join(_) | Step::List(_) => false,
            };
            prop_assert!(lifted, "a mute that nobody lifted: {}", description());
        }
        prop_assert!(new.ban.is_none() || new.membership.is_none(), "a member who is banned: {}", description());
    }
    let owners = |people: &BTreeMap<_, Person>| people.values().filter(|person| rank(person) == 3).count();
    // An owner who is alone may leave: then the group is the host's.
    let may_be_the_hosts = owners(before) == 0 || members == 1;
    prop_assert!(owners(&after) == 1 || (owners(&after) == 0 && may_be_the_hosts), "after {:?}", step);
    Ok(())
}

async fn walk(world: &World, group: &str, steps: &[Step]) -> Result<u64, TestCaseError> {
    let scopes =
        [Scope::Owner, Scope::Admin, Scope::Moderator, Scope::Participant, Scope::Participant, Scope::Participant];
    let people = PEOPLE.into_iter().zip(scopes).map(|(name, scope)| (name, name, scope));
    world.seed(group, GroupType::Public, people).await;
    for step in steps {
        let (before, head) = (everybody(world, group).await, world.head(group).await);
        take(world, group, step, &before).await;
        check(world, group, step, &before, head).await?;
    }
    let head = world.head(group).await;
    let mut reader = world.app.store().read().await.unwrap();
    let events = reader.events(&guid(group), 0, head, 10_000).await.unwrap().unwrap();
    Ok(events.iter().filter(|event| event.undoes.is_some()).count() as u64)
}

#[test]
fn no_walk_of_acts_undos_lists_and_endings_gives_anybody_more_than_the_rule_does() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let world = runtime.block_on(World::empty(|_| {}));
    let (number, undone) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
    let runs = Runs { cases: 150, failure_persistence: None, max_shrink_iters: 200, ..Runs::default() };
    let found = TestRunner::new(runs).run(&prop::collection::vec(step(), 10..40), |steps| {
        number.set(number.get() + 1);
        let walked = runtime.block_on(walk(&world, &format!("w{}", number.get()), &steps))?;
        undone.set(undone.get() + walked);
        Ok(())
    });
    if let Err(found) = found {
        panic!("{found}");
    }
    assert!(undone.get() > 100, "{} undos", undone.get());
    assert_eq!(runtime.block_on(crate::support::faults(&world.app)), Vec::<String>::new());
}

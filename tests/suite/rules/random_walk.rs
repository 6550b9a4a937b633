//! Random walks through a public group: after each step the database is what the model and the table say.

use std::collections::BTreeMap;

use chat_group_members::domain::{Act, Change, GroupType, Name, Scope, Standing, Terms, rules};
use chat_group_members::membership::{self, ActError, ActRequest, Actor as By};
use proptest::prelude::*;
use proptest::test_runner::{Config as Runs, TestRunner};

use super::{OWN_TABLE, TABLE, TARGETS, in_words};
use crate::support::{World, by_host, guid, uid};

/// One step of a random walk: who does what to whom.
#[derive(Debug, Clone)]
struct Step {
    actor: usize,
    target: usize,
    verb: Verb,
}

#[derive(Debug, Clone, Copy)]
enum Verb {
    Kick,
    Ban,
    Unban,
    SetScope(Scope),
    Transfer,
    Leave,
    Join,
    HostTransfer,
    HostRelease,
}

const WALKERS: [&str; 6] = ["ada", "ben", "cy", "dee", "eve", "gus"];

fn step() -> impl Strategy<Value = Step> {
    let verb = prop_oneof![
        2 => Just(Verb::Kick),
        2 => Just(Verb::Ban),
        2 => Just(Verb::Unban),
        5 => prop_oneof![Just(Scope::Admin), Just(Scope::Moderator), Just(Scope::Participant)].prop_map(Verb::SetScope),
        3 => Just(Verb::Transfer),
        1 => Just(Verb::Leave),
        5 => Just(Verb::Join),
        1 => Just(Verb::HostTransfer),
        1 => Just(Verb::HostRelease),
    ];
    (0..WALKERS.len(), 0..WALKERS.len(), verb).prop_map(|(actor, target, verb)| Step { actor, target, verb })
}

/// A plain model of a public group: what everybody is, in a map.
#[derive(Debug, Clone)]
struct Model(BTreeMap<&'static str, Standing>);

impl Model {
    fn new() -> Model {
        let scopes = [Scope::Owner, Scope::Admin, Scope::Moderator, Scope::Participant, Scope::Participant];
        let mut people: BTreeMap<_, _> = WALKERS.into_iter().zip(scopes.map(Standing::Member)).collect();
        people.insert("gus", Standing::Outside);
        Model(people)
    }

    /// Looks the verdict up in the table, and does what it says.
    fn walk(&mut self, step: &Step) -> &'static str {
        let (actor, target) = (WALKERS[step.actor], WALKERS[step.target]);
        let (from, to) = (self.0[actor], self.0[target]);
        let row = |act: &str| TABLE.iter().find(|(a, who, _)| *a == act && *who == name(from)).unwrap().2;
        let column = |word: &str| TARGETS.iter().position(|target| *target == word).unwrap();
        let meant = if actor == target { "self" } else { name(to) };
        let verdict = match step.verb {
            Verb::Kick if actor == target => in_words(rules::kick(from, to)),
            Verb::Kick => row("kick")[column(meant)],
            Verb::Leave if self.members().len() == 1 => row_of(OWN_TABLE, from)[5],
            Verb::Leave => row("kick")[column("self")],
            Verb::HostTransfer if to == Standing::Banned => "409b",
            Verb::HostTransfer if to == Standing::Member(Scope::Owner) => "same",
            Verb::HostTransfer => "done",
            Verb::HostRelease if self.owner().is_none() => "same",
            Verb::HostRelease => "done",
            Verb::Ban => row("ban")[column(meant)],
            Verb::Unban => row("unban")[column(meant)],
            Verb::Transfer => row("transfer")[column(meant)],
            Verb::SetScope(scope) => row(&format!("make {scope}"))[column(meant)],
            Verb::Join => row_of(OWN_TABLE, from)[0],
        };
        if verdict == "done" {
            match step.verb {
                Verb::Kick | Verb::Unban => drop(self.0.insert(target, Standing::Outside)),
                Verb::Leave => drop(self.0.insert(actor, Standing::Outside)),
                Verb::Ban => drop(self.0.insert(target, Standing::Banned)),
                Verb::SetScope(scope) => drop(self.0.insert(target, Standing::Member(scope))),
                Verb::Join => drop(self.0.insert(actor, Standing::Member(Scope::Participant))),
                Verb::Transfer => {
                    self.0.insert(actor, Standing::Member(Scope::Admin));
                    self.0.insert(target, Standing::Member(Scope::Owner));
                }
                Verb::HostTransfer | Verb::HostRelease => {
                    if let Some(owner) = self.owner() {
                        self.0.insert(owner, Standing::Member(Scope::Admin));
                    }
                    if let Verb::HostTransfer = step.verb {
                        self.0.insert(target, Standing::Member(Scope::Owner));
                    }
                }
            }
        }
        verdict
    }

    fn owner(&self) -> Option<&'static str> {
        self.0.iter().find(|(_, standing)| **standing == Standing::Member(Scope::Owner)).map(|(uid, _)| *uid)
    }

    fn members(&self) -> Vec<(String, Scope)> {
        self.0.iter().filter_map(|(uid, standing)| Some((uid.to_string(), standing.scope()?))).collect()
    }
}

fn row_of<'t, const N: usize>(table: &'t [(&str, [&'static str; N])], who: Standing) -> &'t [&'static str; N] {
    &table.iter().find(|(word, _)| *word == name(who)).unwrap().1
}

fn name(standing: Standing) -> &'static str {
    match standing {
        Standing::Member(scope) => scope.as_str(),
        Standing::Banned => "banned",
        Standing::Outside => "never",
    }
}

async fn do_it(world: &World, group: &str, step: &Step) -> &'static str {
    let (actor, target) = (uid(WALKERS[step.actor]), uid(WALKERS[step.target]));
    let request = ActRequest::new(guid(group), By::Viewer(actor.clone()));
    let store = world.app.store();
    let done = match step.verb {
        Verb::Kick => membership::act(store, request, target, Act::Kick { message: None }).await,
        Verb::Ban => membership::act(store, request, target, Act::Ban(Terms::default())).await,
        Verb::Unban => membership::act(store, request, target, Act::Unban).await,
        Verb::SetScope(scope) => membership::act(store, request, target, Act::SetScope(scope.into())).await,
        Verb::Transfer => membership::act(store, request, target, Act::Transfer).await,
        Verb::Leave => membership::act(store, request, actor, Act::Leave).await,
        Verb::Join => membership::join(store, request, actor, None, None, None).await,
        Verb::HostTransfer => membership::act(store, by_host(group), target, Act::Transfer).await,
        Verb::HostRelease => membership::release(store, by_host(group)).await,
    };
    match done {
        Ok(outcome) => in_words(Ok(outcome.logged.map_or(Change::Nothing, |_| Change::Remove))),
        Err(ActError::Refused { refusal, .. }) => in_words(Err(refusal)),
        Err(ActError::NoSuchGroup) => "404g",
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn after_any_walk_the_database_is_the_model_and_has_one_owner_or_is_the_hosts() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let world = runtime.block_on(World::empty(|_| {}));
    let gus = membership::put_user(world.app.store(), uid("gus"), Some(Name::parse("Gus").unwrap()), None);
    runtime.block_on(gus).unwrap();
    let number = std::cell::Cell::new(0);
    let mut runner = TestRunner::new(Runs { cases: 24, failure_persistence: None, ..Runs::default() });
    let walks = runner.run(&prop::collection::vec(step(), 1..30), |steps| {
        number.set(number.get() + 1);
        runtime.block_on(walk(&world, &format!("walk{}", number.get()), &steps))
    });
    walks.unwrap();
}

async fn walk(world: &World, group: &str, steps: &[Step]) -> Result<(), TestCaseError> {
    let mut model = Model::new();
    let people = model.members();
    let people = people.iter().map(|(uid, scope)| (uid.as_str(), uid.as_str(), *scope));
    world.seed(group, GroupType::Public, people).await;
    let first = world.head(group).await;
    let mut events = 0;
    for step in steps {
        let expected = model.walk(step);
        prop_assert_eq!(do_it(world, group, step).await, expected, "{:?} in {:?}", step, model);
        events += u64::from(expected == "done");
        prop_assert_eq!(world.members(group).await, model.members(), "after {:?}", step);
    }
    prop_assert_eq!(world.head(group).await - first, events, "one event for each change");
    let owners = world.members(group).await.into_iter().filter(|(_, scope)| *scope == Scope::Owner).count();
    prop_assert!(owners <= 1);
    let faults = crate::support::faults(&world.app).await;
    prop_assert_eq!(faults, Vec::<String>::new());
    Ok(())
}

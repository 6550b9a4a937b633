//! Synchronisations of people with long pictures, in the original's format.

use std::collections::HashSet;

use chat_group_members::domain::{GroupType, Scope};

use super::original::{keys, original};
use super::receiver::Receiver;
use super::state;
use crate::support::{eventually, row};

/// Receivers commonly take a megabyte.
const MOST: usize = 1_000_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_synchronisation_of_people_with_long_pictures_is_told_in_parts_that_receivers_take() {
    let receiver = Receiver::new().await;
    let world = original(&receiver).await;
    let before = receiver.calls().len();
    let picture = format!("https://pictures.example/{}.png", "x".repeat(2_900));
    let uid = |number: usize| format!("p{number:04}");
    let person = |number: usize| row(&uid(number), "Somebody", Scope::Participant, Some(picture.clone()));
    world.sync("den", GroupType::Private, (0..600).map(person).collect()).await;
    eventually("nothing waits", || async { receiver.calls().len() > before && state(&world).await["backlog"] == 0 })
        .await;
    let calls = receiver.calls().split_off(before);
    let mut named = Vec::new();
    for call in &calls {
        assert!(call.body.len() < MOST, "{} bytes", call.body.len());
        let event = call.json();
        assert_eq!(event["trigger"], "group_member_added");
        named.extend(keys(&event["data"]["members"]).into_iter().map(str::to_owned));
    }
    assert_eq!(named, (0..600).map(uid).collect::<Vec<_>>(), "everybody once");
    let ids: HashSet<&str> = calls.iter().map(|call| call.id()).collect();
    assert_eq!(ids.len(), calls.len(), "each under an id of its own");
}

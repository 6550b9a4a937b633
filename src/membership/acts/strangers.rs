//! People who have nothing to do with the group. Anybody can write a uid into a request, and whoever acts here need not learn the names
//! of all users of the host.

use std::collections::HashSet;

use crate::domain::{Guid, Uid};
use crate::store::{Person, StoreError, Tx};

/// Which of these people are no members, neither banned nor muted, and not in the group's log.
///
/// # Errors
/// When the database cannot be read.
pub(super) async fn strangers(tx: &mut Tx<'_>, guid: &Guid, people: &[Person]) -> Result<HashSet<Uid>, StoreError> {
    let is_known = |person: &Person| person.membership.is_some() || person.ban.is_some() || person.mute.is_some();
    let outside: Vec<Uid> = people.iter().filter(|person| !is_known(person)).map(|person| person.uid.clone()).collect();
    let in_log = tx.in_log(guid, &outside).await?;
    Ok(outside.into_iter().filter(|uid| !in_log.contains(uid)).collect())
}

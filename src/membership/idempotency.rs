//! Idempotency-Keys: what each stands for, and whether it was used before.
//!
//! A fingerprint is a stored form. During a rolling deploy a retry reaches another version of the
//! program than the first attempt, and a fingerprint that differs by one byte refuses it. The texts
//! are those of the first version, which wrote Rust's debug output; they no longer follow any name.

use super::list::BulkAdd;
use super::request::Request;
use super::{ActError, Outcome};
use crate::domain::{Act, Scope, Uid};
use crate::store::{Decision, Store, StoreError, Tx};

/// The fingerprint of joining.
pub(super) const JOIN: &str = "join";

/// The fingerprint of taking a group over for the host.
pub(super) const RELEASE: &str = "release";

/// The fingerprint of an act. The end of a ban is not part of it: "an hour from now" is another moment
/// in every retry.
pub(super) fn act_fingerprint(act: &Act, target: &Uid) -> String {
    match act {
        Act::Kick => format!("Kick {target}"),
        Act::Ban(terms) => match &terms.reason {
            Some(reason) => format!("Ban Some({reason:?}) {target}"),
            None => format!("Ban None {target}"),
        },
        Act::Unban => format!("Unban {target}"),
        Act::SetScope(scope) => {
            let scope = match scope {
                Scope::Participant => "Participant",
                Scope::Moderator => "Moderator",
                Scope::Admin => "Admin",
                Scope::Owner => "Owner",
            };
            format!("SetScope({scope}) {target}")
        }
        Act::Transfer => format!("Transfer {target}"),
        Act::Leave => format!("Leave {target}"),
    }
}

/// The fingerprint of adding a list of people.
pub(super) fn bulk_add_fingerprint(list: &BulkAdd) -> String {
    let mut text = String::from("add");
    for placement in list.people.iter().map(|entry| &entry.placement) {
        text += &format!(" {}:{}", placement.uid, placement.scope);
    }
    text + &list.bans.iter().map(|uid| format!(" {uid}:banned")).collect::<String>()
}

/// Whether something was done before under this request's key. Whoever left, or was put out since, is
/// still answered when they ask for it again.
///
/// # Errors
/// When the database cannot be read.
pub async fn was_done(store: &Store, request: &Request) -> Result<bool, StoreError> {
    let Some(key) = &request.key else { return Ok(false) };
    let done = store.read().await?.recorded_act(&request.guid, request.actor.caller(), key).await?;
    Ok(done.is_some())
}

/// The answer to a request that was done before under the same key: yes, and nothing happens.
pub(super) async fn repeated(
    tx: &mut Tx<'_>,
    request: &Request,
    fingerprint: &str,
) -> Result<Option<Decision<Outcome>>, ActError> {
    let Some(key) = &request.key else { return Ok(None) };
    match tx.recorded_act(&request.guid, request.actor.caller(), key).await? {
        None => Ok(None),
        Some(done) if done == fingerprint => {
            let seq = tx.claim(&request.guid).await?.map_or(0, |claimed| claimed.seq - 1);
            Ok(Some(Decision::Rollback(Outcome { logged: None, seq })))
        }
        Some(_) => Err(ActError::KeyReused),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Actor;
    use super::super::list::{Entry, Placement};
    use super::*;
    use crate::domain::BanTerms;

    #[test]
    fn the_fingerprint_of_every_act_is_what_the_first_version_stored() {
        let ban = |reason: Option<&str>| Act::Ban(BanTerms { reason: reason.map(str::to_owned), until: Some(7) });
        let stored = [
            (Act::Kick, "Kick dee"),
            (ban(None), "Ban None dee"),
            (ban(Some("rude")), r#"Ban Some("rude") dee"#),
            (
                ban(Some("a \"b\" 'c' \\ \n\t\r\0 é e\u{301} 👋 \u{200b}\u{7f}")),
                r#"Ban Some("a \"b\" 'c' \\ \n\t\r\0 é e\u{301} 👋 \u{200b}\u{7f}") dee"#,
            ),
            (Act::Unban, "Unban dee"),
            (Act::SetScope(Scope::Participant), "SetScope(Participant) dee"),
            (Act::SetScope(Scope::Moderator), "SetScope(Moderator) dee"),
            (Act::SetScope(Scope::Admin), "SetScope(Admin) dee"),
            (Act::SetScope(Scope::Owner), "SetScope(Owner) dee"),
            (Act::Transfer, "Transfer dee"),
            (Act::Leave, "Leave dee"),
        ];
        for (verb, text) in stored {
            assert_eq!(act_fingerprint(&verb, &"dee".parse().unwrap()), text);
        }
        assert_eq!((JOIN, RELEASE), ("join", "release"));
    }

    #[test]
    fn the_fingerprint_of_a_list_is_what_the_first_version_stored() {
        let entry = |uid: &str, scope| Entry {
            placement: Placement { uid: uid.parse().unwrap(), scope },
            name: None,
            avatar: None,
            joined_at: None,
        };
        let people = vec![
            entry("ben", Scope::Admin),
            entry("cy", Scope::Moderator),
            entry("dee", Scope::Participant),
            entry("ada", Scope::Owner),
        ];
        let list = BulkAdd { people, bans: vec!["flo".parse().unwrap()] };
        assert_eq!(bulk_add_fingerprint(&list), "add ben:admin cy:moderator dee:participant ada:owner flo:banned");
        assert_eq!(bulk_add_fingerprint(&BulkAdd::default()), "add");
    }

    #[test]
    fn keys_are_kept_under_the_uid_and_those_of_the_host_under_a_name_that_is_no_uid() {
        assert_eq!(Actor::Viewer("dee".parse().unwrap()).caller(), "dee");
        assert_eq!(Actor::Host.caller(), "*host*");
    }
}

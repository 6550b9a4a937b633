//! Idempotency-Keys: what each stands for, and whether it was used before.
//!
//! A fingerprint is a stored form. During a rolling deploy a retry reaches another version of the
//! program than the first attempt, and a fingerprint that differs by one byte refuses it. The texts of acts
//! are those of the first version, which wrote Rust's debug output; they no longer follow any name.
//! What came later is a word, whom it is about by pseudonym, and a hash of what the request says, so that
//! it names nobody. Passwords are not part of any fingerprint.

use super::list::{BulkAdd, BulkAddEntry};
use super::request::{ActRequest, GlobalRequest, IdempotencyKey};
use super::{ActError, Actor};
use crate::domain::{Act, Guid, Name, Scope, Uid};
use crate::store::{Decision, Pseudonyms, RecordedRequest, Store, StoreError, Tx};

/// The fingerprint of joining.
pub(super) const JOIN: &str = "join";

/// The fingerprint of taking a group over for the host.
pub(super) const RELEASE: &str = "release";

/// The fingerprint of an act. The end of a ban is not part of it: "an hour from now" is another moment
/// in every retry.
pub(super) fn act_fingerprint(act: &Act, target: &Uid) -> String {
    match act {
        Act::Kick { message } => format!("Kick {target}{}", message_suffix(message.as_deref())),
        Act::Ban(terms) => {
            let reason = terms.reason.as_ref().map_or_else(|| "None".to_owned(), |reason| format!("Some({reason:?})"));
            format!("Ban {reason} {target}{}", message_suffix(terms.message.as_deref()))
        }
        Act::Mute(terms) => {
            format!("Mute {:?} {target}{}", terms.reason, message_suffix(terms.message.as_deref()))
        }
        Act::Unmute => format!("Unmute {target}"),
        Act::Unban => format!("Unban {target}"),
        Act::SetScope(new) => {
            let scope = match new.scope {
                Scope::Participant => "Participant",
                Scope::Moderator => "Moderator",
                Scope::Admin => "Admin",
                Scope::Owner => "Owner",
            };
            let ends = if new.until.is_some() { " for a time" } else { "" };
            format!("SetScope({scope}) {target}{ends}{}", message_suffix(new.message.as_deref()))
        }
        Act::Transfer => format!("Transfer {target}"),
        Act::Leave => format!("Leave {target}"),
    }
}

/// The message for the person, at the end of a fingerprint; empty without one, as in the first version.
fn message_suffix(message: Option<&str>) -> String {
    message.map_or_else(String::new, |message| format!(" told {message:?}"))
}

/// The fingerprint of adding a list of people. What is told of them on the way is a hash at its end, which a list of
/// uids alone has not, as in the first version.
pub(super) fn bulk_add_fingerprint(pseudonyms: &Pseudonyms, list: &BulkAdd) -> String {
    let mut text = String::from("add");
    for placement in list.people.iter().map(|entry| &entry.placement) {
        text += &format!(" {}:{}", placement.uid, placement.scope);
    }
    text.extend(list.bans.iter().map(|uid| format!(" {uid}:banned")));
    let profiles: Vec<_> = list
        .people
        .iter()
        .filter(|entry| entry.has_profile())
        .map(|BulkAddEntry { placement, name, avatar, joined_at }| {
            (placement.uid.as_str(), name.as_ref().map(Name::as_str), avatar, joined_at)
        })
        .collect();
    if !profiles.is_empty() {
        let content = serde_json::to_string(&profiles).expect("texts and numbers are JSON");
        text += &format!(" {}", pseudonyms.content(&content));
    }
    text
}

/// The fingerprint of one act on several people: its terms once, with the first, and then the others.
pub(super) fn bulk_act_fingerprint(act: &Act, uids: &[Uid]) -> String {
    let Some((first, others)) = uids.split_first() else { return "bulk".into() };
    let others: String = others.iter().map(|uid| format!(" {uid}")).collect();
    format!("bulk {}{others}", act_fingerprint(act, first))
}

/// The fingerprint of putting an act back, or all of its batch.
pub(super) fn undo_fingerprint(seq: u64, batch: bool) -> String {
    format!("undo {seq}{}", if batch { " batch" } else { "" })
}

/// The fingerprint of adding a note, which names nobody and does not hold the text.
pub(super) fn note_fingerprint(pseudonyms: &Pseudonyms, about: &Uid, text: &str) -> String {
    format!("note {} {}", pseudonyms.of(about), pseudonyms.content(text))
}

/// The fingerprint of removing a note.
pub(super) fn note_removal_fingerprint(pseudonyms: &Pseudonyms, about: &Uid, id: u64) -> String {
    format!("remove-note {} {id}", pseudonyms.of(about))
}

/// The fingerprint of ending a group.
pub(super) const DELETE_GROUP: &str = "delete-group";

/// The fingerprint of making a group.
pub(super) fn create_group_fingerprint(guid: &Guid, request: &GlobalRequest) -> String {
    format!("create-group {guid} {}", request.content())
}

/// The fingerprint of changing a group.
pub(super) fn change_group_fingerprint(request: &ActRequest) -> String {
    format!("change-group {}", request.content())
}

/// The fingerprint of a sync.
pub(super) fn sync_fingerprint(request: &ActRequest) -> String {
    format!("sync {}", request.content())
}

/// The fingerprint of a request about a person.
pub(super) fn person_fingerprint(verb: &str, pseudonyms: &Pseudonyms, uid: &Uid, request: &GlobalRequest) -> String {
    format!("{verb} {} {}", pseudonyms.of(uid), request.content()).trim_end().to_owned()
}

/// The fingerprint of an erasure, which does not depend on the caller.
pub(super) fn erasure_fingerprint(pseudonyms: &Pseudonyms, uid: &Uid) -> String {
    format!("erase-user {}", pseudonyms.of(uid))
}

/// Whether the actor left the group under this request's key: the one thing that somebody who is out of it is confirmed.
///
/// # Errors
/// When the database cannot be read.
pub async fn has_left(store: &Store, request: &ActRequest) -> Result<bool, StoreError> {
    let (Some(key), Some(leave)) = (&request.key, own_leave(&request.actor)) else { return Ok(false) };
    let caller = request.actor.caller();
    let done = store.read().await?.recorded_request(Some(&request.guid), caller, &key.text).await?;
    Ok(done.is_some_and(|done| done.act == leave))
}

/// Whether this was done before under the request's key, as far as is known before its transaction.
///
/// # Errors
/// [`ActError::KeyReused`] when the key stands for something else; [`ActError::Store`].
pub(super) async fn is_same_request(store: &Store, request: &ActRequest, fingerprint: &str) -> Result<bool, ActError> {
    let Some(key) = &request.key else { return Ok(false) };
    let caller = request.actor.caller();
    let done = store.read().await?.recorded_request(Some(&request.guid), caller, &key.text).await?;
    Ok(same(done, fingerprint)?.is_some())
}

/// Records that the request's key stands for this from now on; answers whether it did already, so that it is not done
/// again. After the group is claimed, so that whoever uses the key at the same time waits.
///
/// # Errors
/// [`ActError::KeyReused`] when the key stands for something else; [`ActError::NoSuchGroup`] for whatever somebody repeats
/// who is out of the group by now, but their own leave: what it would be answered with is not theirs to see;
/// [`ActError::Store`].
pub(super) async fn is_repeat(tx: &mut Tx<'_>, request: &ActRequest, fingerprint: &str) -> Result<bool, ActError> {
    Ok(first_done_at(tx, request, fingerprint).await?.is_some())
}

/// Like [`is_repeat`]; returns when it was done first, milliseconds since the epoch.
///
/// # Errors
/// As [`is_repeat`].
pub(super) async fn first_done_at(
    tx: &mut Tx<'_>,
    request: &ActRequest,
    fingerprint: &str,
) -> Result<Option<i64>, ActError> {
    let repeated = use_key(tx, Some(&request.guid), &request.actor, request.key.as_ref(), fingerprint).await;
    let confirmed = own_leave(&request.actor).is_some_and(|leave| leave == fingerprint);
    match (&repeated, &request.actor) {
        (Ok(None) | Err(ActError::Store(_)), _) | (_, Actor::Host) => {}
        (Ok(Some(_)), Actor::Viewer(_)) if confirmed => {}
        (_, Actor::Viewer(uid)) => {
            if tx.person(&request.guid, uid).await?.membership.is_none() {
                return Err(ActError::NoSuchGroup);
            }
        }
    }
    repeated
}

/// Like [`is_repeat`], for acts that leave nobody in the group: a repetition is confirmed.
///
/// # Errors
/// [`ActError::KeyReused`] when the key stands for something else; [`ActError::Store`].
pub(super) async fn is_recorded(tx: &mut Tx<'_>, request: &ActRequest, fingerprint: &str) -> Result<bool, ActError> {
    let done_at = use_key(tx, Some(&request.guid), &request.actor, request.key.as_ref(), fingerprint).await?;
    Ok(done_at.is_some())
}

/// Like [`is_repeat`], for a call that belongs to no group: returns when it was done before, if it was. Runs first in
/// the transaction, so that concurrent uses of the key wait.
///
/// # Errors
/// As [`is_repeat`].
pub(super) async fn done_before(
    tx: &mut Tx<'_>,
    request: &GlobalRequest,
    fingerprint: &str,
) -> Result<Option<i64>, ActError> {
    use_key(tx, None, &request.actor, request.key.as_ref(), fingerprint).await
}

/// Whether to commit when there was nothing to do: a key stands for its result also then, and stays used after
/// somebody has undone the act.
pub(super) fn unchanged<T>(key: Option<&IdempotencyKey>, value: T) -> Decision<T> {
    if key.is_some() { Decision::Commit(value) } else { Decision::Rollback(value) }
}

/// The fingerprint of leaving, by somebody who can.
fn own_leave(actor: &Actor) -> Option<String> {
    match actor {
        Actor::Viewer(uid) => Some(act_fingerprint(&Act::Leave, uid)),
        Actor::Host => None,
    }
}

async fn use_key(
    tx: &mut Tx<'_>,
    guid: Option<&Guid>,
    actor: &Actor,
    key: Option<&IdempotencyKey>,
    fingerprint: &str,
) -> Result<Option<i64>, ActError> {
    let Some(key) = key else { return Ok(None) };
    same(tx.use_key(guid, actor.caller(), &key.text, fingerprint).await?, fingerprint)
}

/// When the request that a key stands for was done, if the key stands for one; it is this one, or the key is reused.
fn same(done: Option<RecordedRequest>, fingerprint: &str) -> Result<Option<i64>, ActError> {
    match done {
        None => Ok(None),
        Some(done) if done.act == fingerprint => Ok(Some(done.at)),
        Some(_) => Err(ActError::KeyReused),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Actor;
    use super::super::list::Placement;
    use super::*;
    use crate::domain::Terms;

    #[test]
    fn the_fingerprint_of_every_act_is_what_the_first_version_stored() {
        let ban =
            |reason: Option<&str>| Act::Ban(Terms { reason: reason.map(str::to_owned), message: None, until: Some(7) });
        let stored = [
            (Act::Kick { message: None }, "Kick dee"),
            (Act::Kick { message: Some("bye".into()) }, "Kick dee told \"bye\""),
            (ban(None), "Ban None dee"),
            (ban(Some("rude")), r#"Ban Some("rude") dee"#),
            (
                ban(Some("a \"b\" 'c' \\ \n\t\r\0 é e\u{301} 👋 \u{200b}\u{7f}")),
                r#"Ban Some("a \"b\" 'c' \\ \n\t\r\0 é e\u{301} 👋 \u{200b}\u{7f}") dee"#,
            ),
            (Act::Unban, "Unban dee"),
            (Act::SetScope(Scope::Participant.into()), "SetScope(Participant) dee"),
            (Act::SetScope(Scope::Moderator.into()), "SetScope(Moderator) dee"),
            (Act::SetScope(Scope::Admin.into()), "SetScope(Admin) dee"),
            (Act::SetScope(Scope::Owner.into()), "SetScope(Owner) dee"),
            (Act::Transfer, "Transfer dee"),
            (Act::Leave, "Leave dee"),
        ];
        for (verb, text) in stored {
            assert_eq!(act_fingerprint(&verb, &"dee".parse().unwrap()), text);
        }
        assert_eq!((JOIN, RELEASE), ("join", "release"));
    }

    #[test]
    fn the_fingerprint_of_an_undo_and_of_an_act_on_several_is_this() {
        let uids = ["dee", "eve"].map(|uid| uid.parse().unwrap());
        let kick = Act::Kick { message: Some("bye".into()) };
        assert_eq!(bulk_act_fingerprint(&kick, &uids), "bulk Kick dee told \"bye\" eve");
        assert_eq!((undo_fingerprint(7, false), undo_fingerprint(7, true)), ("undo 7".into(), "undo 7 batch".into()));
    }

    #[test]
    fn the_fingerprint_of_a_list_is_what_the_first_version_stored() {
        let entry = |uid: &str, scope| BulkAddEntry {
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
        let pseudonyms = Pseudonyms::new("key");
        let fingerprint = |list: &BulkAdd| bulk_add_fingerprint(&pseudonyms, list);
        assert_eq!(fingerprint(&list), "add ben:admin cy:moderator dee:participant ada:owner flo:banned");
        assert_eq!(fingerprint(&BulkAdd::default()), "add");

        let with = |name: Option<&str>, avatar: Option<&str>, joined_at| {
            let name = name.map(|name| Name::parse(name).unwrap());
            let entry =
                BulkAddEntry { name, avatar: avatar.map(str::to_owned), joined_at, ..entry("dee", Scope::Participant) };
            fingerprint(&BulkAdd { people: vec![entry], bans: vec![] })
        };
        let told = [
            with(Some("Dee"), None, None),
            with(Some("Deirdre"), None, None),
            with(None, Some("https://a.example/d.png"), None),
            with(None, None, Some(7)),
        ];
        // HMAC-SHA-256 by another program: `printf 'content\n[["dee","Dee",null,null]]' | openssl dgst -sha256 -hmac key`.
        assert_eq!(told[0], "add dee:participant 1d02ec1f88101f0758e24d4b9e1637a8");
        assert!((1..4).all(|later| !told[..later].contains(&told[later])), "{told:?}");
    }

    #[test]
    fn the_fingerprint_of_every_other_call_is_what_was_stored_first() {
        let key = Some(IdempotencyKey { text: "k".into(), content: "c0ffee".into() });
        let global = GlobalRequest { actor: Actor::Host, key: key.clone() };
        let request = ActRequest { key, ..ActRequest::new("park".parse().unwrap(), Actor::Host) };
        assert_eq!(DELETE_GROUP, "delete-group");
        assert_eq!(create_group_fingerprint(&request.guid, &global), "create-group park c0ffee");
        assert_eq!(change_group_fingerprint(&request), "change-group c0ffee");
        assert_eq!(sync_fingerprint(&request), "sync c0ffee");
    }

    #[test]
    fn keys_are_kept_under_the_uid_and_those_of_the_host_under_a_name_that_is_no_uid() {
        assert_eq!(Actor::Viewer("dee".parse().unwrap()).caller(), "dee");
        assert_eq!(Actor::Host.caller(), "*host*");
    }
}

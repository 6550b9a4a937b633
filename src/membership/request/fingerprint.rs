//! Fingerprints: what an Idempotency-Key stands for.
//!
//! A fingerprint is a stored form. During a rolling deploy a retry reaches another version of the program than the first
//! attempt, and a fingerprint that differs refuses it. The texts of acts (`Act::fingerprint`) are those of the first
//! version, which wrote Rust's debug output; they no longer follow any name. What people write is still in them as the debug
//! output of a text, which escapes the characters that the standard library takes for unprintable, and the next version of
//! Unicode changes which those are: [`is_same_fingerprint`] reads every escape as its character. The end of an act follows that
//! text. Older versions recorded none: such a fingerprint matches any end. Later fingerprints are a
//! word, the pseudonym of the person whom the request is about, and a hash of what it says, so that they name nobody.
//! Passwords are not part of any fingerprint.

use super::list::{AddList, AddListEntry};
use super::{ActRequest, GlobalRequest};
use crate::domain::{Act, GivenEnd, Guid, Name, Terms, Uid};
use crate::store::Pseudonyms;

/// The fingerprint of joining.
pub(in crate::membership) const JOIN: &str = "join";

/// The fingerprint of taking a group over for the host.
pub(in crate::membership) const RELEASE: &str = "release";

/// The fingerprint of adding a list of people. Names, pictures and dates, where there are any, follow as a hash; a list of
/// uids alone has none, as in the first version.
pub(in crate::membership) fn add_list_fingerprint(pseudonyms: &Pseudonyms, list: &AddList) -> String {
    let mut text = String::from("add");
    for placement in list.people.iter().map(|entry| &entry.placement) {
        text += &format!(" {}:{}", placement.uid, placement.scope);
    }
    text.extend(list.bans.iter().map(|uid| format!(" {uid}:banned")));
    let profiles: Vec<_> = list
        .people
        .iter()
        .filter(|entry| entry.has_profile())
        .map(|AddListEntry { placement, name, avatar, joined_at }| {
            (placement.uid.as_str(), name.as_ref().map(Name::as_str), avatar, joined_at)
        })
        .collect();
    if !profiles.is_empty() {
        let content = serde_json::to_string(&profiles).expect("texts and numbers are JSON");
        text += &format!(" {}", pseudonyms.content(&content));
    }
    text
}

/// The fingerprint of an act on one person, with its end.
pub(in crate::membership) fn act_fingerprint(request: &ActRequest, act: &Act, target: &Uid) -> String {
    act.fingerprint(target) + &end_suffix(request, act)
}

/// The fingerprint of one act on several people: its terms once, with the first, then the others, and its end.
pub(in crate::membership) fn batch_fingerprint(request: &ActRequest, act: &Act, uids: &[Uid]) -> String {
    let Some((first, others)) = uids.split_first() else { return "bulk".into() };
    let others: String = others.iter().map(|uid| format!(" {uid}")).collect();
    format!("bulk {}{others}{}", act.fingerprint(first), end_suffix(request, act))
}

/// Begins the end of an act, in a fingerprint.
const END: &str = " end=";

/// The end of an act, at the end of a fingerprint. A ban without one says so: its text as the first version stored it is that of
/// bans with and without an end. The other acts' say whether there is one.
fn end_suffix(request: &ActRequest, act: &Act) -> String {
    let without = match act {
        Act::Ban(Terms { until: None, .. }) => Some("none"),
        Act::Ban(_) | Act::Mute(_) | Act::SetScope(_) => None,
        Act::Kick { .. } | Act::Transfer | Act::Unmute | Act::Unban | Act::Leave => return String::new(),
    };
    match request.end {
        Some(GivenEnd::After(time)) => format!("{END}{time}ms-later"),
        Some(GivenEnd::At(moment)) => format!("{END}{moment}ms"),
        None => without.map_or_else(String::new, |word| format!("{END}{word}")),
    }
}

/// The fingerprint of putting an act back, or all of its batch.
pub(in crate::membership) fn undo_fingerprint(seq: u64, batch: bool) -> String {
    format!("undo {seq}{}", if batch { " batch" } else { "" })
}

/// The fingerprint of adding a note, which names nobody and does not hold the text.
pub(in crate::membership) fn note_fingerprint(pseudonyms: &Pseudonyms, about: &Uid, text: &str) -> String {
    format!("note {} {}", pseudonyms.of(about), pseudonyms.content(text))
}

/// The fingerprint of removing a note.
pub(in crate::membership) fn note_removal_fingerprint(pseudonyms: &Pseudonyms, about: &Uid, id: u64) -> String {
    format!("remove-note {} {id}", pseudonyms.of(about))
}

/// The fingerprint of ending a group.
pub(in crate::membership) const DELETE_GROUP: &str = "delete-group";

/// The fingerprint of making a group.
pub(in crate::membership) fn create_group_fingerprint(guid: &Guid, request: &GlobalRequest) -> String {
    format!("create-group {guid} {}", request.content())
}

/// The fingerprint of changing a group.
pub(in crate::membership) fn update_group_fingerprint(request: &ActRequest) -> String {
    format!("change-group {}", request.content())
}

/// The fingerprint of a sync.
pub(in crate::membership) fn sync_fingerprint(request: &ActRequest) -> String {
    format!("sync {}", request.content())
}

/// The fingerprint of a request about a person.
pub(in crate::membership) fn person_fingerprint(
    verb: &str,
    pseudonyms: &Pseudonyms,
    uid: &Uid,
    request: &GlobalRequest,
) -> String {
    format!("{verb} {} {}", pseudonyms.of(uid), request.content()).trim_end().to_owned()
}

/// The fingerprint of an erasure, which does not depend on the caller.
pub(in crate::membership) fn erasure_fingerprint(pseudonyms: &Pseudonyms, uid: &Uid) -> String {
    format!("erase-user {}", pseudonyms.of(uid))
}

/// Whether a recorded fingerprint is of the same request as this one, whichever characters either of them escapes. Versions before
/// ends were compared recorded none.
pub(super) fn is_same_fingerprint(recorded: &str, now: &str) -> bool {
    let is_same = |one: &str, other: &str| one == other || unescaped(one) == unescaped(other);
    let unmarked = without_mark(recorded).zip(without_mark(now));
    is_same(recorded, now)
        || without_end(now).is_some_and(|now| is_same(recorded, now))
        || unmarked.is_some_and(|(recorded, now)| is_same(&recorded, &now))
}

/// Says in the fingerprint of a change of scope that the scope has an end (`Act::fingerprint`).
const MARK: &str = " for a time";

/// The fingerprint of a change of scope for which an end was sent, without the mark. Beside a scope that cannot end, the present end
/// that a form sends on is dropped (`http/acts/scope.rs`), and the mark with it. A repeated request finds another present end, or none,
/// and has the mark.
fn without_mark(fingerprint: &str) -> Option<String> {
    without_end(fingerprint).filter(|act| act.starts_with("SetScope("))?;
    // What people write is in quotes.
    let (act, rest) = fingerprint.split_at(fingerprint.find('"').unwrap_or(fingerprint.len()));
    Some(act.replacen(MARK, "", 1) + rest)
}

/// The fingerprint without the end of the act; `None` when it has none. What people write is in quotes, and never last without them.
fn without_end(fingerprint: &str) -> Option<&str> {
    let (act, end) = fingerprint.rsplit_once(END)?;
    (!end.contains([' ', '"'])).then_some(act)
}

/// A fingerprint with the character itself for each `\u{…}`. Other escapes stay, so that different texts stay different: a
/// backslash that somebody wrote is always escaped by another.
fn unescaped(fingerprint: &str) -> String {
    let mut text = String::with_capacity(fingerprint.len());
    let mut rest = fingerprint;
    while let Some((before, escape)) = rest.split_once('\\') {
        text += before;
        if let Some((digits, after)) = escape.strip_prefix("u{").and_then(|digits| digits.split_once('}'))
            && let Some(character) = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)
        {
            text.push(character);
            rest = after;
        } else {
            let mut after = escape.chars();
            text.push('\\');
            text.extend(after.next());
            rest = after.as_str();
        }
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use strum::VariantArray;

    use super::super::IdempotencyKey;
    use super::super::list::Placement;
    use super::*;
    use crate::domain::{ActKind, NewScope, Scope};
    use crate::membership::Actor;

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
            // Later ones.
            (Act::Mute(Terms { until: Some(7), ..Terms::default() }), "Mute None dee"),
            (
                Act::Mute(Terms { reason: Some("rude".into()), message: Some("hush".into()), until: Some(7) }),
                r#"Mute Some("rude") dee told "hush""#,
            ),
            (Act::Unmute, "Unmute dee"),
            (
                Act::SetScope(NewScope { until: Some(7), ..Scope::Moderator.into() }),
                "SetScope(Moderator) dee for a time",
            ),
        ];
        for (verb, text) in stored {
            assert_eq!(verb.fingerprint(&"dee".parse().unwrap()), text);
        }
        assert_eq!((JOIN, RELEASE), ("join", "release"));
    }

    #[test]
    fn the_end_of_an_act_is_compared_as_it_was_given_unless_an_earlier_version_recorded_the_act() {
        let dee: Uid = "dee".parse().unwrap();
        let of = |act: &Act, end| {
            let request = ActRequest { end, ..ActRequest::new("park".parse().unwrap(), Actor::Host) };
            act_fingerprint(&request, act, &dee)
        };
        let until = |until| Terms { until, ..Terms::default() };
        let hour = Some(GivenEnd::After(3_600_000));
        let ban = [
            (of(&Act::Ban(until(Some(7))), hour), "Ban None dee end=3600000ms-later"),
            (of(&Act::Ban(until(Some(7))), Some(GivenEnd::At(7))), "Ban None dee end=7ms"),
            (of(&Act::Ban(until(None)), None), "Ban None dee end=none"),
        ];
        for (one, text) in &ban {
            assert_eq!(one, text);
            assert!(ban.iter().all(|(other, _)| is_same_fingerprint(one, other) == (one == other)), "{one}");
            assert!(is_same_fingerprint("Ban None dee", one) && !is_same_fingerprint("Ban None eve", one), "{one}");
        }
        let uids = [dee.clone(), "eve".parse().unwrap()];
        let request = ActRequest { end: hour, ..ActRequest::new("park".parse().unwrap(), Actor::Host) };
        let mute = batch_fingerprint(&request, &Act::Mute(until(Some(7))), &uids);
        assert_eq!(mute, "bulk Mute None dee eve end=3600000ms-later");
        assert!(is_same_fingerprint("bulk Mute None dee eve", &mute));
        let scope = |until| Act::SetScope(NewScope { until, ..Scope::Moderator.into() });
        assert_eq!(of(&scope(Some(7)), hour), "SetScope(Moderator) dee for a time end=3600000ms-later");
        assert_eq!(of(&scope(None), None), "SetScope(Moderator) dee");
        assert!(!is_same_fingerprint("SetScope(Moderator) dee", &of(&scope(Some(7)), hour)));
        // An end that was dropped is compared as well, and what somebody writes is no mark.
        let (kept, dropped) = (of(&scope(Some(7)), hour), of(&scope(None), hour));
        assert!(is_same_fingerprint(&dropped, &kept) && is_same_fingerprint(&kept, &dropped), "{dropped}");
        assert!(!is_same_fingerprint(&dropped, &of(&scope(Some(7)), Some(GivenEnd::At(7)))), "{dropped}");
        let told = |told: &str| format!("SetScope(Moderator) dee told \"{told}\" end=7ms");
        assert!(!is_same_fingerprint(&told("away"), &told("away for a time")));
        // What somebody writes is no end, and an act that has none is not given one.
        assert_eq!(without_end(r#"Kick dee told "x end=none""#), None);
        assert_eq!(of(&Act::Unban, hour), "Unban dee");
        // Each act that has an end is compared with it.
        for kind in ActKind::VARIANTS {
            let act = match kind {
                ActKind::Kick => Act::Kick { message: None },
                ActKind::Ban => Act::Ban(until(Some(7))),
                ActKind::Scope => scope(Some(7)),
                ActKind::Transfer => Act::Transfer,
                ActKind::Mute => Act::Mute(until(Some(7))),
                ActKind::Unmute => Act::Unmute,
                ActKind::Unban => Act::Unban,
                ActKind::Leave => Act::Leave,
                ActKind::Join => continue,
            };
            assert_eq!(without_end(&of(&act, hour)).is_some(), act.until().is_some(), "{act:?}");
        }
    }

    #[test]
    fn a_fingerprint_is_the_same_whichever_characters_are_escaped() {
        let same = [
            (r#"Ban Some("e\u{301} \u{1fae9}\n") dee"#, "Ban Some(\"e\u{301} \u{1fae9}\\n\") dee"),
            (r#"Kick dee told "\\\u{301}""#, "Kick dee told \"\\\\\u{301}\""),
        ];
        for (escaped, plain) in same {
            assert!(is_same_fingerprint(escaped, plain) && is_same_fingerprint(plain, escaped), "{escaped}");
        }
        // Somebody wrote the escape, or a backslash before the character; an accent, or none; a line feed, or its escape.
        let different = [
            (r#"Kick dee told "\\u{301}""#, r#"Kick dee told "\\\u{301}""#),
            (r#"Kick dee told "e\u{301}""#, r#"Kick dee told "e""#),
            (r#"Kick dee told "\n""#, r#"Kick dee told "\\n""#),
        ];
        for (one, other) in different {
            assert!(!is_same_fingerprint(one, other), "{one}");
        }
        let broken = r"Kick dee \u{d800} \u{ \é \";
        assert_eq!(unescaped(broken), broken);
    }

    #[test]
    fn the_fingerprint_of_an_undo_and_of_an_act_on_several_is_this() {
        let uids = ["dee", "eve"].map(|uid| uid.parse().unwrap());
        let kick = Act::Kick { message: Some("bye".into()) };
        let request = ActRequest::new("park".parse().unwrap(), Actor::Host);
        assert_eq!(batch_fingerprint(&request, &kick, &uids), "bulk Kick dee told \"bye\" eve");
        assert_eq!((undo_fingerprint(7, false), undo_fingerprint(7, true)), ("undo 7".into(), "undo 7 batch".into()));
    }

    #[test]
    fn the_fingerprint_of_a_list_is_what_the_first_version_stored() {
        let entry = |uid: &str, scope| AddListEntry {
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
        let list = AddList { people, bans: vec!["flo".parse().unwrap()] };
        let pseudonyms = Pseudonyms::new("key");
        let fingerprint = |list: &AddList| add_list_fingerprint(&pseudonyms, list);
        assert_eq!(fingerprint(&list), "add ben:admin cy:moderator dee:participant ada:owner flo:banned");
        assert_eq!(fingerprint(&AddList::default()), "add");

        let with = |name: Option<&str>, avatar: Option<&str>, joined_at| {
            let name = name.map(|name| Name::parse(name).unwrap());
            let entry =
                AddListEntry { name, avatar: avatar.map(str::to_owned), joined_at, ..entry("dee", Scope::Participant) };
            fingerprint(&AddList { people: vec![entry], bans: vec![] })
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
        assert_eq!(update_group_fingerprint(&request), "change-group c0ffee");
        assert_eq!(sync_fingerprint(&request), "sync c0ffee");
    }
}

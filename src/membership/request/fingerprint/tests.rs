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
        (Act::SetScope(NewScope { until: Some(7), ..Scope::Moderator.into() }), "SetScope(Moderator) dee for a time"),
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
    // A written text is not read as an end, and an act without one is given none.
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

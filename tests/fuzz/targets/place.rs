//! Places: in a list (order keys of rows and cursors) and in a history (event ids). What is read prints as it was, needs no
//! escaping anywhere, and people's own keys are read.
#![no_main]

use chat_group_members::domain::{EventId, Member, Membership, OrderKey, RestrictionPlace, Scope, sort_key};
use libfuzzer_sys::fuzz_target;

/// Characters that stand in URLs, attributes and streams as they are.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-~.".contains(&b))
}

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Some(key) = OrderKey::parse(text) {
        assert_eq!(key.as_str(), text);
        assert!(is_plain(text));
    }
    if let Ok(place) = text.parse::<RestrictionPlace>() {
        assert_eq!(place.to_string(), text);
        assert!(is_plain(text));
    }
    if let Ok(id) = text.parse::<EventId>() {
        let printed = id.to_string();
        assert!(is_plain(&printed) && printed.len() <= 64, "{printed}");
        assert_eq!(printed.parse::<EventId>().as_ref(), Ok(&id));
    }
    // Of two names, the one that sorts first has the smaller key, and its place can be asked for.
    let (one, other) = text.split_once('\n').unwrap_or((text, ""));
    let uid = "u1".parse().expect("a letter and a digit");
    let order = |name: &str| {
        let membership = Membership::new(Scope::Participant, 0, 1);
        OrderKey::of(&Member::new(&uid, name, &sort_key(name), None, membership))
    };
    let (one_key, other_key) = (order(one), order(other));
    for key in [&one_key, &other_key] {
        // Names of members have at most 100 characters.
        if text.chars().count() <= 100 {
            assert_eq!(OrderKey::parse(key.as_str()).as_ref(), Some(key));
        }
    }
    assert_eq!(sort_key(one).cmp(&sort_key(other)), one_key.cmp(&other_key));
});

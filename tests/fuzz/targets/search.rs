//! Search: folding twice is folding once, everybody is found by their own name, and a name is found by what a part of it
//! folds to. The input is a name and a needle, a line each.
#![no_main]

use chat_group_members::domain::{Search, fold};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (name, needle) = text.split_once('\n').unwrap_or((text, ""));
    let folded = fold(name);
    assert_eq!(fold(&folded), folded, "{name:?}");
    assert!(Search::new(name).finds(name, "u1"), "{name:?} is not found by its own name");
    assert!(Search::new(&folded).finds(name, "u1"), "{name:?} is not found by what it folds to");
    let search = Search::new(needle);
    assert_eq!(search.finds(name, "u1"), search.is_empty() || search.finds_folded(&folded, "u1"));
    if let Some(word) = folded.split_whitespace().last() {
        assert!(Search::new(word).finds(name, "u1"), "{name:?} is not found by {word:?}");
    }
});

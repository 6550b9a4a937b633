//! Whom a request about several people left out, and why, as it is stored with the request's Idempotency-Key.
//!
//! The people have numbers in place of their names, so that an erasure finds nothing here: an act counts them from 0 in the order of the
//! request, and an undo has the numbers of the events that it was to undo. The reasons are words of the domain (serde's), which stay
//! what they are for as long as keys are kept.

use std::collections::HashMap;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The stored form.
pub(in crate::membership) fn written<E: Serialize>(left_out: &[(u64, E)]) -> String {
    serde_json::to_string(left_out).expect("numbers and words are JSON")
}

/// The reasons by number; `None` when there is one that only another version of the program knows.
pub(in crate::membership) fn read<E: DeserializeOwned>(stored: &str) -> Option<HashMap<u64, E>> {
    let left_out: Vec<(u64, E)> = serde_json::from_str(stored).ok()?;
    Some(left_out.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Refusal, Scope};
    use crate::membership::UndoError;

    #[test]
    fn reasons_are_stored_in_the_words_in_which_they_were() {
        let of_act = [(0, Refusal::Oneself), (3, Refusal::Above(Scope::Owner))];
        let stored = r#"[[0,"oneself"],[3,{"above":"owner"}]]"#;
        assert_eq!((written(&of_act), read::<Refusal>(stored)), (stored.to_owned(), Some(HashMap::from(of_act))));
        let of_undo = [(12, UndoError::TooLate), (13, UndoError::Refused(Refusal::Equal(Scope::Admin)))];
        let stored = r#"[[12,"too_late"],[13,{"refused":{"equal":"admin"}}]]"#;
        assert_eq!((written(&of_undo), read::<UndoError>(stored)), (stored.to_owned(), Some(HashMap::from(of_undo))));
    }

    #[test]
    fn a_reason_of_another_version_is_unknown_and_no_error() {
        assert_eq!(read::<Refusal>(r#"[[0,"on_leave"]]"#), None);
    }
}

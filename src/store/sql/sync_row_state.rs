//! The states of a row of a sync (`sync_rows.state`), by name. The numbers are stored.

/// The number of a state, as a literal: it stands in the text of statements, as partial indexes need it.
///
/// - `Staged`: nothing is known yet.
/// - `ToApply`: the sync changes something about this person.
/// - `Unchanged`: the member is as listed.
/// - `MemberInserted`: the member was inserted, hidden (`scope` < 0).
/// - `UserInserted`: the member was inserted, hidden, and the user as well.
macro_rules! state {
    (Staged) => {
        0
    };
    (ToApply) => {
        1
    };
    (Unchanged) => {
        2
    };
    (MemberInserted) => {
        3
    };
    (UserInserted) => {
        4
    };
}

pub(in crate::store) use state;

#[cfg(test)]
mod tests {
    #[test]
    fn the_number_of_every_state_is_what_the_first_version_stored() {
        let stored = [state!(Staged), state!(ToApply), state!(Unchanged), state!(MemberInserted), state!(UserInserted)];
        assert_eq!(stored, [0, 1, 2, 3, 4]);
    }
}

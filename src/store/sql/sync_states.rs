//! The phases of a sync (`syncs.phase`) and the states of its rows (`sync_rows.state`), by name. The numbers are stored.

/// The number of a phase, as a literal: it stands in the text of statements.
///
/// - `Staged`: it is being uploaded, prepared or applied.
/// - `Applied`: what it prepared stays.
/// - `GivenUp`: what it prepared is removed.
macro_rules! phase {
    (Staged) => {
        0
    };
    (Applied) => {
        1
    };
    (GivenUp) => {
        2
    };
}

/// The number of a row's state, as a literal: it stands in the text of statements, as partial indexes need it.
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

/// The `line` of the row that keeps the place of somebody who was erased, as a literal. Rows of an upload have their line, from 1, and
/// rows of members whom it does not list have 0.
macro_rules! erased_line {
    () => {
        -1
    };
}

pub(in crate::store) use {erased_line, phase, state};

#[cfg(test)]
mod tests {
    #[test]
    fn the_number_of_every_phase_is_what_the_first_version_stored() {
        assert_eq!([phase!(Staged), phase!(Applied), phase!(GivenUp)], [0, 1, 2]);
    }

    #[test]
    fn the_number_of_every_state_is_what_the_first_version_stored() {
        let stored = [state!(Staged), state!(ToApply), state!(Unchanged), state!(MemberInserted), state!(UserInserted)];
        assert_eq!(stored, [0, 1, 2, 3, 4]);
    }
}

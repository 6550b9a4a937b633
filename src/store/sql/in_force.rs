//! Whether a ban is in force, as a condition of statements.

/// Whether the ban whose end is the column `$until` (NULL for one that does not end) is in force at `$now`.
macro_rules! in_force {
    ($until:literal, $now:literal) => {
        concat!("(", $until, " IS NULL OR ", $until, " > ", $now, ")")
    };
}

pub(in crate::store) use in_force;

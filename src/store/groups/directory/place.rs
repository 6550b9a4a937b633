//! Places in the order of last changes, and the numbers (`updatedAt`) by which cursors name them.
//!
//! The original's cursor names a second, and in one second a sync may change a million people. So each entry has a place of its
//! second: one of a million, drawn from its id. A page that ends within a second is followed by a cursor that names the place of its
//! last entry, in Unix microseconds. All other cursors name whole seconds. A client that sends back the number reads on
//! from there, without having to know which of them it is.

/// The places of a second.
const PLACES: i64 = 1_000_000;
/// Numbers from here on name places: those of 1973 and later. As a second it is three million years away.
const FIRST_PLACE: i64 = 100_000_000_000_000;
/// The constants of the hash FNV-1a of 64 bits.
const FNV_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0000_0100_0000_01b3;

/// The place of an entry that was changed in this Unix second.
pub(super) fn place_of(second: i64, id: &str) -> i64 {
    // FNV-1a: the same on every node and in every version, since clients keep cursors.
    let hash = id.bytes().fold(FNV_BASIS, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(FNV_PRIME));
    second.saturating_mul(PLACES).saturating_add((hash % PLACES as u64) as i64)
}

/// The first place that the number of a cursor names.
pub(super) fn first_named(number: i64) -> i64 {
    if number < FIRST_PLACE { number.saturating_mul(PLACES) } else { number }
}

/// The last place that the number of a cursor names.
pub(super) fn last_named(number: i64) -> i64 {
    if number < FIRST_PLACE { first_named(number).saturating_add(PLACES - 1) } else { number }
}

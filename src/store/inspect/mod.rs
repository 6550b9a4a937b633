//! Looking at a database without changing it: opens it for reading alone, and holds what is stored against every
//! invariant that `docs/doctor.md` lists.
//!
//! `schema.rs` has the tables, keys and indexes there must be, `rules.rs` the invariants that SQL can tell,
//! `values.rs` those that only the domain can. `run.rs` goes through all of them. Nothing here writes: what is mended is
//! mended by `mend.rs` of the folder above.

mod database;
mod finding;
mod rules;
mod run;
mod schema;
mod values;

pub use database::Inspection;
pub use finding::{Check, Finding, Findings};
pub(super) use rules::expand;
pub use run::Counts;
pub(super) use schema::indexes;

//! Inspection of a database without changing it: opens it read-only and checks what is stored against every invariant
//! that `docs/doctor.md` lists.
//!
//! `schema.rs` has the required tables, keys and indexes, `defaults.rs` the defaults of columns, `rules.rs` the invariants that SQL can check, `values.rs`
//! those that only the domain can. `run.rs` goes through all of them.
//!
//! Not here: anything that writes. `mend/` in the folder above does the repairs.

mod database;
mod defaults;
mod finding;
mod rules;
mod run;
mod schema;
mod values;

pub use database::Inspection;
pub use finding::{Check, Finding, Findings};
pub(super) use rules::expand;
pub use run::RowCounts;
pub(super) use schema::indexes;

//! Statements: what sends them to either database, the macros that make them from lists of columns, conditions that many of them have,
//! and how values are stored.
//!
//! Not here: any statement of its own. Those stand beside what they are about.

pub(super) mod connection;
pub(super) mod decode;
pub(super) mod event_kinds;
pub(super) mod in_force;
pub(super) mod insert;
pub(super) mod query;
pub(super) mod query_count;
pub(super) mod restrictions_text;
pub(super) mod sync_states;
pub(super) mod table;
pub(super) mod tables;

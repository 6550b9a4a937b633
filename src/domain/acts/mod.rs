//! Acts: what somebody wants done to a person or to many, and on which terms.
//!
//! Not here: who may do it (`rules/`), and what came of it (`log/`).

mod act;
mod terms;

pub use act::{Act, ActKind, AlreadySo, BatchAct, MAX_BAN, MAX_MUTE, MAX_SCOPE};
pub use terms::{GivenEnd, MAX_WORDS, NewScope, Terms};

//! The messages of a stream: rows, totals and instructions, each with its place in the page.
//!
//! Not here: when a message is sent, and to whom (`live`, `http/stream`).

mod instruction;
mod swap;

pub use instruction::{Instruction, InstructionName};
pub use swap::{Swap, SwapItem};

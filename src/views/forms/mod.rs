//! Forms and what answers them: of one act, of an act on many people, of notes; undo, and who an act left out.
//!
//! Not here: the words of acts (`acts.rs`), menus and rows (`list/`).

mod act_form;
mod batch;
mod left_out;
mod notes;
mod undo;

pub use act_form::ActForm;
pub use batch::{BatchForm, BatchPage, BatchPreview};
pub use left_out::{LeftOut, RefusedPeople};
pub use notes::{NoteList, NotesPanel};
pub use undo::{Notice, UndoForm, Undoable};

//! The kinds of events that a statement is about, made from what the domain says of each.

use strum::VariantArray;

use crate::domain::EventKind;

/// The kinds of events for which `is_meant` is true, each between commas: the form in which statements take a list
/// (`$1 LIKE '%,' || kind || ',%'`).
pub(in crate::store) fn listed(is_meant: impl Fn(EventKind) -> bool) -> String {
    let kinds = EventKind::VARIANTS.iter().filter(|kind| is_meant(**kind));
    kinds.fold(String::from(","), |list, kind| list + kind.as_str() + ",")
}

//! Slots whose panics end nothing: the built-in part is shown in place of one that panics. A group's viewers share what renders their
//! messages, which must go on.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::fault::{Failures, count_from_zero};
use super::{EmptyFacts, ErrorFacts, Fact, HeaderFacts, LoadingFacts, MenuFacts, RowFacts, Slot, Slots};

/// A host's slots.
pub(super) struct PanicSafe<S> {
    slots: S,
    failures: Failures,
}

impl<S: Slots> PanicSafe<S> {
    pub(super) fn new(slots: S) -> PanicSafe<S> {
        let safe = PanicSafe { slots, failures: Failures::default() };
        count_from_zero(&safe.names());
        safe
    }

    /// What it renders; `None` when it panics.
    fn render(&self, name: &str, render: impl FnOnce(&S) -> Option<String>) -> Option<String> {
        self.call(render).unwrap_or_else(|| {
            self.failures.note(name, Some(format_args!("{name} panics")));
            None
        })
    }

    /// The answer; `None` when it panics. The message and the place of the panic are printed when it happens.
    fn call<T>(&self, ask: impl FnOnce(&S) -> T) -> Option<T> {
        catch_unwind(AssertUnwindSafe(|| ask(&self.slots))).ok()
    }
}

impl<S: Slots> Slots for PanicSafe<S> {
    fn names(&self) -> Vec<String> {
        self.call(S::names).unwrap_or_default()
    }

    fn version(&self) -> u64 {
        self.call(S::version).unwrap_or_default()
    }

    fn refresh(&self) {
        // Its caller expects a panic, and says so in the log.
        self.slots.refresh();
    }

    fn unreadable(&self) -> Option<String> {
        self.call(S::unreadable).unwrap_or_else(|| Some("reading them panicked".into()))
    }

    fn uses(&self, name: &str, fact: Fact) -> bool {
        self.call(|slots| slots.uses(name, fact)).unwrap_or(true)
    }

    fn row(&self, slot: Slot, name: &str, facts: &RowFacts<'_>) -> Option<String> {
        self.render(name, |slots| slots.row(slot, name, facts))
    }

    fn header(&self, name: &str, facts: &HeaderFacts<'_>) -> Option<String> {
        self.render(name, |slots| slots.header(name, facts))
    }

    fn empty(&self, name: &str, facts: &EmptyFacts<'_>) -> Option<String> {
        self.render(name, |slots| slots.empty(name, facts))
    }

    fn error(&self, name: &str, facts: &ErrorFacts<'_>) -> Option<String> {
        self.render(name, |slots| slots.error(name, facts))
    }

    fn loading(&self, name: &str, facts: &LoadingFacts<'_>) -> Option<String> {
        self.render(name, |slots| slots.loading(name, facts))
    }

    fn options(&self, name: &str, facts: &MenuFacts<'_>) -> Option<String> {
        self.render(name, |slots| slots.options(name, facts))
    }
}

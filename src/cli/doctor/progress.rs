//! What `doctor --mend` has done so far: its report has it at the end, and a signal prints it before the process ends.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::report::DoctorReport;

/// The steps of `--mend`; cheap to clone. Empty before it starts and once its report is printed.
#[derive(Clone, Default)]
pub(super) struct MendProgress(Arc<Mutex<Option<Steps>>>);

#[derive(Clone, Default)]
struct Steps {
    /// The file, or the hosts and the name of the database.
    location: String,
    notes: Vec<String>,
    /// The checks whose repairs were made.
    mended: Vec<&'static str>,
    /// The check whose repairs are being made.
    begun: Option<&'static str>,
    /// The checks whose repairs have not begun.
    waiting: Vec<&'static str>,
}

impl MendProgress {
    /// Begins: from now on a signal prints what was done.
    pub(super) fn start(&self) {
        *self.steps() = Some(Steps::default());
    }

    /// Records the database, and the checks that are to be mended, in this order.
    pub(super) fn plan(&self, location: &str, checks: &[&'static str]) {
        self.update(|steps| (steps.location, steps.waiting) = (location.to_owned(), checks.to_vec()));
    }

    /// Records that the repairs of this check begin.
    pub(super) fn begin(&self, check: &'static str) {
        self.update(|steps| {
            steps.waiting.retain(|waiting| *waiting != check);
            steps.begun = Some(check);
        });
    }

    /// Records the end of the repairs that have begun, and whether one of them was made everywhere.
    pub(super) fn end(&self, is_mended: bool) {
        self.update(|steps| steps.mended.extend(steps.begun.take().filter(|_| is_mended)));
    }

    /// Adds what an operator should know.
    pub(super) fn note(&self, words: impl Into<String>) {
        self.update(|steps| steps.notes.push(words.into()));
    }

    /// What an operator should know.
    pub(super) fn notes(&self) -> Vec<String> {
        self.steps().as_ref().map(|steps| steps.notes.clone()).unwrap_or_default()
    }

    /// The checks whose repairs were made.
    pub(super) fn mended(&self) -> Vec<&'static str> {
        self.steps().as_ref().map(|steps| steps.mended.clone()).unwrap_or_default()
    }

    /// Ends: the report says everything.
    pub(super) fn finish(&self) {
        *self.steps() = None;
    }

    /// Prints what was done, and what was not, by the time of a signal that ends the process.
    pub(super) fn print_interrupted(&self, as_json: bool) {
        let steps = self.steps().take();
        if let Some(steps) = steps {
            steps.into_report().print(as_json, Some("ended by a signal before the data was checked again"));
        }
    }

    fn update(&self, change: impl FnOnce(&mut Steps)) {
        if let Some(steps) = self.steps().as_mut() {
            change(steps);
        }
    }

    fn steps(&self) -> MutexGuard<'_, Option<Steps>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Steps {
    fn into_report(self) -> DoctorReport {
        let Steps { location, notes, mended, begun, waiting } = self;
        let mut words = "ended by a signal".to_owned();
        match begun {
            Some(check) => words += &format!("; {check} may be mended in part"),
            None if mended.is_empty() => words += "; nothing was mended",
            None => {}
        }
        if !waiting.is_empty() {
            words += &format!("; not begun: {}", waiting.join(", "));
        }
        let mut report = DoctorReport::default();
        notes.into_iter().for_each(|words| report.note(words));
        for check in mended {
            report.note(format!("{check}: mended, and not checked again"));
        }
        report.location = location;
        report.wrong("mend", format!("{words}. Run `doctor --mend` again"));
        report
    }
}

//! What happened, second by second, for the checkers and the report.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How many examples of one violation are kept.
const EXAMPLES: usize = 12;

/// Clears a line of the terminal that was not ended.
pub const CLEAR: &str = "\r\x1b[K";

/// What everybody writes down. Seconds count from the beginning of the run.
pub struct Notes {
    begun: Instant,
    open: AtomicU32,
    pages: Mutex<Pages>,
}

/// What was written down.
#[derive(Default, Clone)]
pub struct Pages {
    pub seconds: Vec<Second>,
    pub faults: Vec<Past>,
    pub figures: BTreeMap<&'static str, u64>,
    pub violations: BTreeMap<&'static str, Violation>,
    /// When acts were acknowledged, and how long their successful attempt took.
    pub acknowledged: Vec<(f64, f64)>,
    /// When acts were answered 503 or not at all, and how long that took.
    pub refused: Vec<(f64, f64)>,
}

impl Pages {
    /// What was counted under this name.
    pub fn figure(&self, name: &str) -> u64 {
        self.figures.get(name).copied().unwrap_or(0)
    }
}

/// One second of the run.
#[derive(Default, Clone, Copy)]
pub struct Second {
    pub acknowledged: u32,
    pub unavailable: u32,
    pub lost: u32,
    pub reads: u32,
    pub failed_reads: u32,
    pub connected: u32,
    pub streams: u32,
    /// How old the oldest event was when it was received, in seconds.
    pub staleness: f32,
}

/// A fault of the run.
#[derive(Clone)]
pub struct Past {
    pub name: &'static str,
    pub what: String,
    pub from: f64,
    pub to: Option<f64>,
    /// Whether writes cannot succeed meanwhile.
    pub away: bool,
}

/// A promise that did not hold, by its checker: how often, and examples.
#[derive(Default, Clone)]
pub struct Violation {
    pub count: u64,
    pub examples: Vec<String>,
}

impl Pages {
    /// How many acts were answered with yes.
    pub fn acts(&self) -> u64 {
        self.acknowledged.len() as u64 + self.figures.get("acts of the host").copied().unwrap_or(0)
    }
}

impl Notes {
    pub fn new() -> Notes {
        Notes { begun: Instant::now(), open: AtomicU32::new(0), pages: Mutex::default() }
    }

    /// Seconds since the beginning.
    pub fn now(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }

    /// Writes into the present second.
    pub fn second(&self, write: impl FnOnce(&mut Second)) {
        let at = self.now() as usize;
        let mut pages = self.pages();
        if pages.seconds.len() <= at {
            pages.seconds.resize(at + 1, Second::default());
        }
        write(&mut pages.seconds[at]);
    }

    /// An act was acknowledged.
    pub fn acknowledged(&self, took: Duration) {
        self.second(|second| second.acknowledged += 1);
        let now = self.now();
        self.pages().acknowledged.push((now, took.as_secs_f64()));
    }

    /// An act was answered 503.
    pub fn refused(&self, took: Duration) {
        self.second(|second| second.unavailable += 1);
        let now = self.now();
        self.pages().refused.push((now, took.as_secs_f64()));
    }

    /// An act was not answered as long as its writer waited.
    pub fn unanswered(&self, took: Duration) {
        let now = self.now();
        self.pages().refused.push((now, took.as_secs_f64()));
    }

    /// A stream is open as long as the answer lives.
    pub fn opened(self: Arc<Notes>) -> Open {
        self.open.fetch_add(1, Ordering::Relaxed);
        Open(self)
    }

    /// How many streams are open.
    pub fn open(&self) -> u32 {
        self.open.load(Ordering::Relaxed)
    }

    /// Counts something.
    pub fn count(&self, what: &'static str, by: u64) {
        *self.pages().figures.entry(what).or_default() += by;
    }

    /// What was counted so far.
    pub fn figure(&self, what: &'static str) -> u64 {
        self.pages().figures.get(what).copied().unwrap_or(0)
    }

    /// Remembers the largest.
    pub fn highest(&self, what: &'static str, value: u64) {
        let mut pages = self.pages();
        let kept = pages.figures.entry(what).or_default();
        *kept = value.max(*kept);
    }

    /// A checker found a promise broken.
    pub fn violation(&self, checker: &'static str, example: impl Into<String>) {
        let now = self.now();
        let mut pages = self.pages();
        let violation = pages.violations.entry(checker).or_default();
        violation.count += 1;
        if violation.examples.len() < EXAMPLES {
            violation.examples.push(format!("{now:.1} s: {}", example.into()));
        }
    }

    /// A fault begins: its number.
    pub fn begins(&self, name: &'static str, what: &str, away: bool) -> usize {
        let from = self.now();
        println!("{CLEAR}{from:7.1} s  {name} begins: {what}");
        let mut pages = self.pages();
        pages.faults.push(Past { name, what: what.into(), from, to: None, away });
        pages.faults.len() - 1
    }

    /// A fault is over.
    pub fn ends(&self, number: usize) {
        let to = self.now();
        let mut pages = self.pages();
        let fault = &mut pages.faults[number];
        fault.to = Some(to);
        println!("{CLEAR}{to:7.1} s  {} ends", fault.name);
    }

    /// What was written down so far.
    pub fn pages(&self) -> MutexGuard<'_, Pages> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Milliseconds since the epoch, as the database counts them.
pub fn wall() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}

/// An open stream.
pub struct Open(Arc<Notes>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::Relaxed);
    }
}

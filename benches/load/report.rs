//! Lines of what was measured, against what, and what was wanted; and samples for `benches/run`, whose report shows them.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// Where `benches/run` reads samples.
const HANDOVER_FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/target/bench-load.json");

/// What a ratio is to be.
#[derive(Clone, Copy)]
pub enum Goal {
    AtLeast(f64),
    AtMost(f64),
    /// No goal: for the reader's information.
    None,
}

#[derive(Default)]
pub struct Report {
    met: usize,
    missed: Vec<String>,
    samples: BTreeMap<String, Vec<f64>>,
}

/// The file that is handed over. Figures that this run did not measure stay in it.
#[derive(Default, Deserialize, Serialize)]
struct Handover {
    /// RFC 3339.
    date: String,
    /// Seconds, bytes, or a second, by the name of the figure.
    samples: BTreeMap<String, Vec<f64>>,
}

impl Report {
    pub fn section(&self, title: &str) {
        println!("\n{title}");
        println!("  {:<58} {:>22} {:>26} {:>8} {:>9}  met", "what", "measured", "limit or peer", "ratio", "goal");
    }

    /// One line; `ratio` is measured to peer unless the text says otherwise.
    pub fn line(&mut self, what: &str, measured: impl ToString, peer: impl ToString, ratio: f64, goal: Goal) {
        let (wanted, met) = match goal {
            Goal::AtLeast(least) => (format!("≥ {least}"), ratio >= least),
            Goal::AtMost(most) => (format!("≤ {most}"), ratio <= most),
            Goal::None => ("–".to_owned(), true),
        };
        let word = match goal {
            Goal::None => "–",
            _ if met => "met",
            _ => "NOT MET",
        };
        println!("  {what:<58} {:>22} {:>26} {ratio:>8.3} {wanted:>9}  {word}", measured.to_string(), peer.to_string());
        match goal {
            Goal::None => {}
            _ if met => self.met += 1,
            _ => self.missed.push(what.to_owned()),
        }
    }

    /// A remark, or a goal that has no figure here.
    pub fn note(&self, text: &str) {
        println!("  {text}");
    }

    /// Samples of a figure for the report of `benches/run`, one of each round.
    pub fn hand_over(&mut self, figure: &str, samples: &[f64]) {
        self.samples.insert(figure.to_owned(), samples.to_owned());
    }

    /// Prints the sum, and answers whether every goal was met. Samples are handed over unless this was a `quick` run, whose figures
    /// say little.
    pub fn end(self, quick: bool) -> bool {
        println!("\n{} goals met, {} not met: {}", self.met, self.missed.len(), self.missed.join("; "));
        let all_met = self.missed.is_empty();
        if quick || self.samples.is_empty() {
            return all_met;
        }
        let path = Path::new(HANDOVER_FILE);
        let before = std::fs::read(path).ok().and_then(|text| serde_json::from_slice::<Handover>(&text).ok());
        let mut samples = before.unwrap_or_default().samples;
        samples.extend(self.samples);
        let date = jiff::Timestamp::now().to_string();
        let text = serde_json::to_vec_pretty(&Handover { date, samples }).expect("numbers and names can be written");
        std::fs::write(path, text).expect("the target folder is writable");
        all_met
    }
}

/// The value that as many are below as above.
pub fn median(values: &mut [f64]) -> f64 {
    quantile(values, 0.5)
}

/// The value that this part of all is below.
pub fn quantile(values: &mut [f64], part: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let at = ((values.len() as f64 * part) as usize).min(values.len().saturating_sub(1));
    values.get(at).copied().unwrap_or(f64::NAN)
}

/// A rate in words.
pub fn per_second(rate: f64) -> String {
    format!("{rate:.0}/s")
}

/// A time in words; `seconds`.
pub fn time(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.1} µs", s * 1e6),
        s if s < 1.0 => format!("{:.2} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}

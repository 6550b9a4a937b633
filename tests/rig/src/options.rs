//! What a run is asked for.

use std::path::PathBuf;

use clap::Parser;

/// People of the host's largest uploads unless given: more than a webhook lists.
const CROWD: u64 = 700;

/// Three nodes, two databases, a proxy, many viewers, and everything that can go wrong.
#[derive(Parser, Debug, Clone)]
#[command(name = "tests/chaos")]
pub struct Options {
    /// What faults, lengths and acts are drawn from; a run says its own
    #[arg(long)]
    pub seed: Option<u64>,
    /// How long faults happen; with --acts at most, an hour unless given
    #[arg(long, default_value_t = 60, default_value_if("acts", clap::builder::ArgPredicate::IsPresent, "3600"))]
    pub seconds: u64,
    /// Ends when so many acts were answered with yes
    #[arg(long)]
    pub acts: Option<u64>,
    /// How many times as fast as usual everybody acts
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=100))]
    pub pace: u64,
    /// People of the host's largest uploads. Up to 500 webhooks list all of them, and the mirror of webhooks makes no request
    #[arg(long, default_value_t = CROWD, value_parser = clap::value_parser!(u64).range(1..))]
    pub crowd: u64,
    /// What wakes the other nodes: none, postgres or nats
    #[arg(long, default_value = "postgres")]
    pub wake: String,
    /// Streams of all kinds
    #[arg(long, default_value_t = 300)]
    pub streams: usize,
    /// Only these faults, by name, separated by commas; `none` for a calm run. `db-lost-tail` happens only when it is
    /// named: acts that were answered with yes are gone after it, so only the host acts then
    #[arg(long, value_delimiter = ',')]
    pub faults: Vec<String>,
    /// Where the report is written
    #[arg(long, default_value = "target/chaos.html")]
    pub report: PathBuf,
    /// Where the logs of everything are kept; dropped after the run when not given
    #[arg(long)]
    pub logs: Option<PathBuf>,
    /// Only print what would happen
    #[arg(long)]
    pub plan: bool,
}

impl Options {
    /// The command that makes this run again.
    pub fn command(&self, seed: u64) -> String {
        let mut command = format!(
            "tests/chaos --seed {seed} --seconds {} --wake {} --streams {}",
            self.seconds, self.wake, self.streams
        );
        if let Some(acts) = self.acts {
            command += &format!(" --acts {acts}");
        }
        if self.pace != 1 {
            command += &format!(" --pace {}", self.pace);
        }
        if self.crowd != CROWD {
            command += &format!(" --crowd {}", self.crowd);
        }
        if !self.faults.is_empty() {
            command += &format!(" --faults {}", self.faults.join(","));
        }
        if !cfg!(debug_assertions) {
            command += " --release";
        }
        command
    }
}

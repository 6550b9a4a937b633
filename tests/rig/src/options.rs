//! What a run is asked for.

use std::path::PathBuf;

use clap::Parser;

/// Three nodes, two databases, a proxy, many viewers, and everything that can go wrong.
#[derive(Parser, Debug, Clone)]
#[command(name = "tests/chaos")]
pub struct Options {
    /// What faults, lengths and acts are drawn from; a run says its own
    #[arg(long)]
    pub seed: Option<u64>,
    /// How long faults happen
    #[arg(long, default_value_t = 60)]
    pub seconds: u64,
    /// What wakes the other nodes: none, postgres or nats
    #[arg(long, default_value = "postgres")]
    pub wake: String,
    /// Streams of all kinds
    #[arg(long, default_value_t = 300)]
    pub streams: usize,
    /// Only these faults, by name, separated by commas; `none` for a calm run
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
        if !self.faults.is_empty() {
            command += &format!(" --faults {}", self.faults.join(","));
        }
        if !cfg!(debug_assertions) {
            command += " --release";
        }
        command
    }
}

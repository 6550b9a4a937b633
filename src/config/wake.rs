//! The options of the transport of wake messages.

use super::Config;
use super::error::ConfigError;
use super::options::Options;
use super::value::Parsed;

/// The transport of wake messages, which tell other nodes that a group has changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Wake {
    /// NATS when `--nats-url` is given, else PostgreSQL when that is the database, else none.
    #[default]
    Auto,
    /// `LISTEN`/`NOTIFY` of the PostgreSQL database.
    Postgres,
    /// A NATS server, `--nats-url`.
    Nats,
    /// No transport: a single node, or nodes that only poll.
    None,
}

/// Reads the value of `--wake`.
///
/// # Errors
/// A sentence for the operator when it names no transport.
pub(super) fn parse(text: &str) -> Parsed<Wake> {
    match text {
        "auto" => Ok(Wake::Auto),
        "postgres" => Ok(Wake::Postgres),
        "nats" => Ok(Wake::Nats),
        "none" => Ok(Wake::None),
        _ => Err(format!("{text:?} is not a wake transport; give auto, postgres, nats or none")),
    }
}

impl Options {
    /// The flags of the transport, and whether each is given.
    pub(crate) fn transport(&self) -> [(&'static str, bool); 2] {
        [("--wake", self.wake.is_some()), ("--nats-url", self.nats_url.is_some())]
    }
}

impl Config {
    /// Checks that the transport has the server it needs.
    ///
    /// # Errors
    /// When it has none, or another one is named.
    pub(super) fn check_transport(&self) -> Result<(), ConfigError> {
        let problem = match self.wake {
            Wake::Nats if self.nats_url.is_none() => "nats needs the address of a server; give --nats-url",
            Wake::Postgres if self.database_url.starts_with("sqlite:") => {
                "postgres needs a PostgreSQL database; give --database-url postgres://…, or another transport"
            }
            Wake::Postgres | Wake::None if self.nats_url.is_some() => {
                "the server of --nats-url is used by nats and auto alone; leave it out"
            }
            Wake::Nats | Wake::Postgres | Wake::Auto | Wake::None => return Ok(()),
        };
        Err(ConfigError::Value { place: self.places.of("wake"), problem: problem.into() })
    }

    /// The options of the transport, and whether `new` has another value.
    pub(super) fn transport_changes(&self, new: &Config) -> [(&'static str, bool); 2] {
        [("wake", self.wake != new.wake), ("nats-url", self.nats_url != new.nats_url)]
    }
}

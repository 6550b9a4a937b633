//! The options of the database, and of a pooler before it.

use super::Config;
use super::error::ConfigError;
use crate::store::{DatabaseAddress, Pooler};

impl Config {
    /// Checks that there is a way past a pooler that gives every transaction another session.
    ///
    /// # Errors
    /// When there is none, or the options are those of another database.
    pub(super) fn check_pooler(&self) -> Result<(), ConfigError> {
        let wrong = |name: &str, problem: &str| {
            Err(ConfigError::Value { place: self.places.of(name), problem: problem.into() })
        };
        if self.database_url.starts_with("sqlite:") {
            if self.direct_database_url.is_some() {
                return wrong("direct-database-url", "it is for a PostgreSQL; --database-url is a SQLite file");
            }
            if self.pooler != Pooler::Session {
                return wrong("pooler", "it is for a PostgreSQL; --database-url is a SQLite file");
            }
        }
        if self.pooler == Pooler::Session || self.direct_database_url.is_some() {
            return Ok(());
        }
        wrong(
            "pooler",
            "transaction needs an address past the pooler for migrations and wakes; give --direct-database-url",
        )
    }

    /// The database, and how the service reaches it.
    pub fn database(&self) -> DatabaseAddress {
        let (url, direct_url) = (self.database_url.clone(), self.direct_database_url.clone());
        DatabaseAddress { url, direct_url, pooler: self.pooler }
    }

    /// The address of the database past a pooler, for commands.
    pub fn direct_database_url(&self) -> &str {
        self.direct_database_url.as_deref().unwrap_or(&self.database_url)
    }
}

//! The address of a database, and whether it is reached through a pooler (PgBouncer, also in transaction mode).

/// Whether something between this service and PostgreSQL shares the server's connections (PgBouncer).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Pooler {
    /// No pooler, or one that gives every connection a server connection of its own (session mode).
    #[default]
    Session,
    /// A pooler that gives every transaction any server connection (transaction mode).
    Transaction,
}

/// The address of a database, and how it is reached.
#[derive(Clone, PartialEq, Eq)]
pub struct DatabaseAddress {
    /// `sqlite://…` or `postgres://…`; may contain a password.
    pub url: String,
    /// The URL of the same database without the pooler, for what needs a session: the schema, and messages between
    /// nodes.
    pub direct_url: Option<String>,
    /// The pooler at `url`.
    pub pooler: Pooler,
}

impl DatabaseAddress {
    /// The address past a pooler.
    pub(super) fn direct(&self) -> &str {
        self.direct_url.as_deref().unwrap_or(&self.url)
    }
}

impl<T: AsRef<str> + ?Sized> From<&T> for DatabaseAddress {
    fn from(url: &T) -> DatabaseAddress {
        DatabaseAddress { url: url.as_ref().into(), direct_url: None, pooler: Pooler::Session }
    }
}

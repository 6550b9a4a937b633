//! Which of the hosts takes writes: every one of them is asked, over a connection that is kept for
//! that alone.

use std::time::{Duration, Instant};

use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, PgConnection};
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::clock::Clock;

/// A host that does not answer a question for so long is away.
const ANSWER: Duration = Duration::from_secs(1);

/// What a host is, and its time in milliseconds since the epoch.
const QUESTION: &str = "SELECT pg_is_in_recovery(), current_setting('transaction_read_only') = 'off',
    CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT), ''";
/// The same with the history it writes, which a promotion begins anew under a higher number: of two
/// that both take themselves for the primary, the older one is not.
const QUESTION_OF_SEVERAL: &str = "SELECT pg_is_in_recovery(), current_setting('transaction_read_only') = 'off',
    CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT),
    CASE WHEN pg_is_in_recovery() THEN '' ELSE left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END";

/// The hosts of an address.
pub(super) struct Hosts {
    hosts: Vec<Host>,
    /// The history of the primary that was found last.
    history: String,
}

struct Host {
    place: usize,
    options: PgConnectOptions,
    connection: Option<PgConnection>,
    /// Its last answer came over another connection than the one before.
    anew: bool,
}

/// The host that takes writes, or would.
#[derive(Debug, Clone)]
pub(super) struct Found {
    /// Which of the hosts it is.
    pub(super) place: usize,
    /// How to connect to it.
    pub(super) options: PgConnectOptions,
    /// Whether it takes writes: an operator or a full disk may have made it read-only.
    pub(super) writable: bool,
    /// By how many milliseconds its clock is before this machine's, and how exact that is.
    pub(super) ahead: (i64, i64),
    history: String,
    /// Whether it was found over a new connection: it may be another server than before.
    pub(super) anew: bool,
}

type Answer = (bool, bool, i64, String);

impl Hosts {
    pub(super) fn new(hosts: Vec<PgConnectOptions>) -> Hosts {
        let host = |(place, options)| Host { place, options, connection: None, anew: true };
        Hosts { hosts: hosts.into_iter().enumerate().map(host).collect(), history: String::new() }
    }

    /// Asks all of them.
    ///
    /// # Errors
    /// What each of them said, when none is the primary.
    pub(super) async fn primary(&mut self) -> Result<Found, String> {
        let question = if self.hosts.len() > 1 { QUESTION_OF_SEVERAL } else { QUESTION };
        let mut asking = JoinSet::new();
        for mut host in self.hosts.drain(..) {
            asking.spawn(async move {
                let said = host.ask(question).await;
                (host, said)
            });
        }
        let mut answers = asking.join_all().await;
        answers.sort_by_key(|(host, _)| host.place);
        let (mut found, mut reasons): (Option<Found>, _) = (None, Vec::new());
        for (host, said) in answers {
            match said.and_then(|said| self.judge(&host, said)) {
                Ok(primary) if found.as_ref().is_none_or(|other| other.history < primary.history) => {
                    found = Some(primary);
                }
                Ok(_) => reasons.push(format!("{}: writes an old history", host.name())),
                Err(reason) => reasons.push(format!("{}: {reason}", host.name())),
            }
            self.hosts.push(host);
        }
        let found = found.ok_or_else(|| reasons.join("; "))?;
        self.history.clone_from(&found.history);
        Ok(found)
    }

    fn judge(&self, host: &Host, (said, asked, answered): (Answer, i64, i64)) -> Result<Found, String> {
        let (standby, writable, time, history) = said;
        if standby {
            return Err("is a standby".into());
        }
        if history < self.history {
            return Err("was the primary before".into());
        }
        let ahead = (time - (asked + answered) / 2, (answered - asked + 1) / 2);
        Ok(Found { place: host.place, options: host.options.clone(), writable, ahead, history, anew: host.anew })
    }
}

impl Host {
    /// What it says, and when it was asked and has answered by this machine's clock.
    async fn ask(&mut self, question: &'static str) -> Result<(Answer, i64, i64), String> {
        if let Some(mut connection) = self.connection.take()
            && let Ok(Ok(said)) = timeout(ANSWER, put(&mut connection, question)).await
        {
            self.connection = Some(connection);
            self.anew = false;
            return Ok(said);
        }
        // It may have been the connection alone.
        self.anew = true;
        let anew = async {
            let mut connection = self.options.connect().await?;
            let said = put(&mut connection, question).await?;
            Ok((connection, said))
        };
        match timeout(ANSWER, anew).await {
            Ok(Ok((connection, said))) => {
                self.connection = Some(connection);
                Ok(said)
            }
            Ok(Err(error)) => Err(sqlx::Error::to_string(&error)),
            Err(_) => Err("does not answer".into()),
        }
    }

    fn name(&self) -> String {
        format!("{}:{}", self.options.get_host(), self.options.get_port())
    }
}

async fn put(connection: &mut PgConnection, question: &'static str) -> sqlx::Result<(Answer, i64, i64)> {
    let (asked, begun) = (Clock::default().own(), Instant::now());
    let said = sqlx::query_as(question).fetch_one(connection).await?;
    Ok((said, asked, asked + begun.elapsed().as_millis() as i64))
}

//! Finding the primary, or a standby to read from: every host is asked for its role, over a connection kept for that alone.

use std::time::{Duration, Instant};

use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, PgConnection};
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::transaction::{FROZEN, STANDBY, is_frozen};
use crate::clock::Clock;
use crate::store::error::in_words;

/// Time that a host has to answer a node before it counts as unavailable.
const NODE_TIMEOUT: Duration = Duration::from_secs(1);
/// The same for a command, at each of its attempts. The first is short, since another host may be the primary.
const COMMAND_TIMEOUTS: [Duration; 4] =
    [Duration::from_secs(1), Duration::from_secs(2), Duration::from_secs(4), Duration::from_secs(8)];
/// Why a host is not used that has not answered in time.
const NO_ANSWER: &str = "does not answer";

/// How long a host is asked over the same connection: a server that was replaced behind its address may live on, and answer.
const SAME_CONNECTION: Duration = Duration::from_secs(5);

/// Reads the status of a server, with this expression for its timeline. It does so in a transaction that sets what it needs, since
/// behind a pooler no setting of the session is to be relied on: a role may be serializable by default, which a standby refuses,
/// and limit statements to a moment.
macro_rules! status {
    ($timeline:literal) => {
        concat!(
            "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY; SET LOCAL statement_timeout = 0;
            SELECT pg_is_in_recovery(), NOT ",
            is_frozen!(),
            ", CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT),
            CAST(extract(epoch FROM pg_postmaster_start_time()) * 1000000 AS BIGINT), ",
            $timeline,
            "; COMMIT"
        )
    };
}

/// Whether the server is a standby, whether it takes writes, its time in Unix milliseconds, and when it was
/// started.
const STATUS: &str = status!("''");
/// Like [`STATUS`], with the timeline, which a promotion raises: when two servers both claim to be the primary, the
/// one with the lower timeline is not.
const STATUS_WITH_TIMELINE: &str =
    status!("CASE WHEN pg_is_in_recovery() THEN '' ELSE left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END");

/// How long hosts are waited for that do not answer. One that refuses the connection has answered.
#[derive(Debug, Clone, Copy)]
pub(in crate::store) enum Patience {
    /// A second: a node asks again by itself.
    Node,
    /// Fifteen seconds in all: a command is run once, and a busy server may need some of them.
    Command,
}

impl Patience {
    /// The time that hosts have at each attempt.
    fn timeouts(self) -> &'static [Duration] {
        match self {
            Patience::Node => &[NODE_TIMEOUT],
            Patience::Command => &COMMAND_TIMEOUTS,
        }
    }
}

/// The hosts of a database URL.
pub(super) struct Hosts {
    hosts: Vec<Host>,
    /// Whether they are behind a pooler: one address may then lead to different servers over time.
    is_pooled: bool,
    /// The timeline of the primary that was found last: eight hexadecimal digits.
    timeline: String,
    /// Whether a primary was found: from then on a standby is not read, since it may lack what viewers have seen.
    found_primary: bool,
}

struct Host {
    /// Its index among the URL's hosts.
    index: usize,
    options: PgConnectOptions,
    connection: Option<PgConnection>,
    /// When it was connected to.
    connected_at: Instant,
    /// When the server that answered last was started.
    started: i64,
    /// Whether its last answer came over a new connection, in place of one that was lost or led to another server.
    reconnected: bool,
}

/// The host that is the primary, or a standby to read from.
#[derive(Debug, Clone)]
pub(super) struct DiscoveredServer {
    /// Its index among the URL's hosts.
    pub(super) index: usize,
    /// The options to connect to it.
    pub(super) options: PgConnectOptions,
    /// Whether it is a standby.
    pub(super) standby: bool,
    /// Whether it takes writes: an operator or a full disk may have made a primary read-only.
    pub(super) writable: bool,
    /// The lead of its clock over this machine's.
    pub(super) clock_offset: ClockOffset,
    /// Its timeline, if that was asked for; empty for a standby.
    pub(super) timeline: String,
    /// When the server was started, Unix microseconds.
    pub(super) started: i64,
    /// Whether it was found over a new connection: it may be another server than before.
    pub(super) reconnected: bool,
}

/// The difference between two clocks, in milliseconds.
#[derive(Debug, Clone, Copy)]
pub(super) struct ClockOffset {
    pub(super) ahead: i64,
    /// The possible error: half of the round trip in which it was measured.
    pub(super) uncertainty: i64,
}

/// A row of [`STATUS`].
type StatusRow = (bool, bool, i64, i64, String);

/// A status, and this machine's time when it was asked for and when it came, Unix milliseconds.
struct TimedStatus {
    status: StatusRow,
    asked_at: i64,
    answered_at: i64,
}

impl DiscoveredServer {
    /// Why it takes no writes; `None` when it takes them.
    pub(super) fn why_unwritable(&self) -> Option<&'static str> {
        match (self.standby, self.writable) {
            (true, _) => Some(STANDBY),
            (false, false) => Some(FROZEN),
            (false, true) => None,
        }
    }
}

/// The name of a host, and what it answered.
type HostAnswer = (String, Result<DiscoveredServer, String>);

impl Hosts {
    pub(super) fn new(hosts: Vec<PgConnectOptions>, is_pooled: bool) -> Hosts {
        let connected_at = Instant::now();
        let host =
            |(index, options)| Host { index, options, connection: None, connected_at, started: 0, reconnected: true };
        let hosts = hosts.into_iter().enumerate().map(host).collect();
        Hosts { hosts, is_pooled, timeline: String::new(), found_primary: false }
    }

    /// Asks all hosts and answers the primary; as long as none was found, a standby to read from.
    ///
    /// # Errors
    /// The answers of all hosts, when none of them can be used.
    pub(super) async fn find_server(&mut self, patience: Patience) -> Result<DiscoveredServer, String> {
        if self.found_primary { self.find_primary(patience).await } else { self.find_readable(patience).await }
    }

    /// Asks all hosts and answers the primary.
    ///
    /// # Errors
    /// The answers of all hosts, when none is the primary.
    pub(super) async fn find_primary(&mut self, patience: Patience) -> Result<DiscoveredServer, String> {
        self.search(patience).await.0
    }

    /// Asks all hosts and answers one to read from: the primary, or a standby when no host is the primary.
    ///
    /// # Errors
    /// The answers of all hosts, when none of them can be read.
    pub(super) async fn find_readable(&mut self, patience: Patience) -> Result<DiscoveredServer, String> {
        let (primary, standby) = self.search(patience).await;
        primary.or_else(|reasons| standby.ok_or(reasons))
    }

    /// Asks all hosts for the primary, again while one that has not answered may be it; and a standby, if there is one.
    async fn search(&mut self, patience: Patience) -> (Result<DiscoveredServer, String>, Option<DiscoveredServer>) {
        let readable = |(_, answer): &HostAnswer| answer.as_ref().ok().filter(|server| server.standby).cloned();
        let (mut primary, mut standby) = (Err(String::new()), None);
        for &limit in patience.timeouts() {
            let answers = self.ask_all(limit).await;
            standby = answers.iter().find_map(readable);
            primary = self.choose_primary(answers);
            if !primary.as_ref().is_err_and(|reasons| reasons.contains(NO_ANSWER)) {
                break;
            }
        }
        (primary, standby)
    }

    /// The answers of all hosts within this time, in the order of the URL.
    async fn ask_all(&mut self, limit: Duration) -> Vec<HostAnswer> {
        let query = if self.hosts.len() > 1 || self.is_pooled { STATUS_WITH_TIMELINE } else { STATUS };
        let mut asked = JoinSet::new();
        for mut host in self.hosts.drain(..) {
            asked.spawn(async move {
                let answer = host.status(query, limit).await;
                (host, answer)
            });
        }
        let mut answers = asked.join_all().await;
        answers.sort_by_key(|(host, _)| host.index);
        let server = |(host, status): (Host, Result<TimedStatus, String>)| {
            let answer = (host.name(), status.map(|status| host.server(status)));
            self.hosts.push(host);
            answer
        };
        answers.into_iter().map(server).collect()
    }

    fn choose_primary(&mut self, answers: Vec<HostAnswer>) -> Result<DiscoveredServer, String> {
        let (mut found, mut reasons): (Option<DiscoveredServer>, _) = (None, Vec::new());
        for (name, answer) in answers {
            match answer {
                Ok(server) if server.standby => reasons.push(format!("{name}: is a standby")),
                Ok(server) if server.timeline < self.timeline => {
                    reasons.push(format!("{name}: was the primary before"));
                }
                Ok(primary) if found.as_ref().is_none_or(|other| other.timeline < primary.timeline) => {
                    found = Some(primary);
                }
                Ok(_) => reasons.push(format!("{name}: is on an old timeline")),
                Err(reason) => reasons.push(format!("{name}: {reason}")),
            }
        }
        let found = found.ok_or_else(|| reasons.join("; "))?;
        self.timeline.clone_from(&found.timeline);
        self.found_primary = true;
        Ok(found)
    }
}

impl Host {
    async fn status(&mut self, query: &'static str, limit: Duration) -> Result<TimedStatus, String> {
        let known = match self.connection.take() {
            Some(mut connection) => match timeout(limit, ask(&mut connection, query)).await {
                Ok(Ok(answer)) => Some((connection, answer)),
                // Perhaps only the connection is dead.
                Ok(Err(_)) | Err(_) => None,
            },
            None => None,
        };
        let was_lost = known.is_none();
        let (connection, answer) = match known {
            // Other programs may hold all connections that the server gives: then the old one stays.
            Some(known) if self.connected_at.elapsed() >= SAME_CONNECTION => {
                self.reconnect(query, limit).await.unwrap_or(known)
            }
            Some(known) => known,
            None => self.reconnect(query, limit).await?,
        };
        let (.., started, _) = answer.status;
        self.connection = Some(connection);
        self.reconnected = was_lost || started != self.started;
        self.started = started;
        Ok(answer)
    }

    /// Asks over a new connection.
    async fn reconnect(&mut self, query: &'static str, limit: Duration) -> Result<(PgConnection, TimedStatus), String> {
        let reconnect = async {
            let mut connection = self.options.connect().await?;
            let answer = ask(&mut connection, query).await?;
            Ok((connection, answer))
        };
        match timeout(limit, reconnect).await {
            Ok(Ok((connection, answer))) => {
                self.connected_at = Instant::now();
                Ok((connection, answer))
            }
            Ok(Err(error)) => Err(in_words(&error)),
            Err(_) => Err(NO_ANSWER.into()),
        }
    }

    /// The server that gave this answer.
    fn server(&self, answer: TimedStatus) -> DiscoveredServer {
        let TimedStatus { status: (standby, writable, time, started, timeline), asked_at, answered_at } = answer;
        let clock_offset =
            ClockOffset { ahead: time - (asked_at + answered_at) / 2, uncertainty: (answered_at - asked_at + 1) / 2 };
        let (index, options, reconnected) = (self.index, self.options.clone(), self.reconnected);
        let writable = writable && !standby;
        DiscoveredServer { index, options, standby, writable, clock_offset, timeline, started, reconnected }
    }

    fn name(&self) -> String {
        format!("{}:{}", self.options.get_host(), self.options.get_port())
    }
}

async fn ask(connection: &mut PgConnection, query: &'static str) -> sqlx::Result<TimedStatus> {
    let (asked_at, begun) = (Clock::default().own(), Instant::now());
    // Not prepared: behind a pooler, a prepared statement may be on another server connection.
    let status = sqlx::FromRow::from_row(&sqlx::raw_sql(query).fetch_one(connection).await?)?;
    Ok(TimedStatus { status, asked_at, answered_at: asked_at + begun.elapsed().as_millis() as i64 })
}

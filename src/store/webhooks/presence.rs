//! The statuses that webhooks were sent, and the lease of the node that reports them: one node at a time holds it, so
//! that every change is reported once.
//!
//! Statuses are compared with those of the outbox, so that changes made while no node ran are reported too.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::domain::event_type::USER_PRESENCE;
use crate::domain::{Status, Uid};
use crate::store::database::reader::Reader;
use crate::store::error::StoreError;
use crate::store::lane::Lane;
use crate::store::sql::decode::{inconsistent, parse_uid};
use crate::store::sql::insert::insert;
use crate::store::sql::query::{dynamic, execute, fetch, fetch_scalar, placeholders};
use crate::store::sql::table::OnConflict;
use crate::store::sql::tables::{OUTBOX, OUTBOX_LANES, OutboxValues, REPORTED_PRESENCE};
use crate::store::transaction::delivery_id::new_delivery_id;
use crate::store::transaction::tx::Tx;

/// The result of a request for the lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PresenceLease {
    /// It was held by this node, and still is.
    Renewed,
    /// Another node held it before.
    Taken,
    /// Another node holds it.
    HeldElsewhere,
}

/// A person's status differs from the one that webhooks were sent last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusChange {
    /// Who.
    pub uid: Uid,
    /// The reported status.
    pub old: Status,
    /// The current status.
    pub new: Status,
    /// The data of the event, JSON.
    pub data: String,
}

impl Reader {
    /// The last reported statuses, except of people who were reported offline.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn reported_presence(&mut self) -> Result<HashMap<Uid, Status>, StoreError> {
        let rows: Vec<(String, String)> = fetch!(fetch_all, self.tx, "SELECT uid, status FROM reported_presence")?;
        let decode = |(uid, status): (String, String)| {
            let known = status.parse().map_err(|_| inconsistent("status of a person", &status))?;
            Ok((parse_uid(&uid)?, known))
        };
        rows.into_iter().map(decode).collect()
    }

    /// The status of this person that webhooks were sent last; `None` when that was offline, or none was sent.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn status_sent_to_webhooks(&mut self, uid: &Uid) -> Result<Option<Status>, StoreError> {
        let sql = "SELECT status FROM reported_presence WHERE uid = $1";
        let status: Option<String> = fetch_scalar!(fetch_optional, self.tx, sql, uid.as_str())?;
        status.map(|status| status.parse().map_err(|_| inconsistent("status of a person", &status))).transpose()
    }
}

impl Tx<'_> {
    /// Takes or renews the lease of the node that reports presence to webhooks, until `lease_until`, Unix milliseconds.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn lease_presence(&mut self, token: &str, lease_until: i64) -> Result<PresenceLease, StoreError> {
        let renewed: Option<i64> = fetch_scalar!(
            fetch_optional,
            self.connection,
            "UPDATE presence_reporter SET lease_until = $2 WHERE token = $1 RETURNING id",
            token,
            lease_until
        )?;
        if renewed.is_some() {
            return Ok(PresenceLease::Renewed);
        }
        let taken: Option<i64> = fetch_scalar!(
            fetch_optional,
            self.connection,
            "UPDATE presence_reporter SET token = $1, lease_until = $2 WHERE lease_until < $3 RETURNING id",
            token,
            lease_until,
            self.now
        )?;
        Ok(if taken.is_some() { PresenceLease::Taken } else { PresenceLease::HeldElsewhere })
    }

    /// Gives the lease back, if this node holds it.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn release_presence(&mut self, token: &str) -> Result<(), StoreError> {
        let free = "UPDATE presence_reporter SET token = '', lease_until = 0 WHERE token = $1";
        execute!(self.connection, free, token)?;
        Ok(())
    }

    /// Appends these changes for webhooks, each of another person, in place of their undelivered ones; returns the people whose
    /// changes were appended. The others were or are being erased. Call it while this transaction holds the lease.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn report_presence(&mut self, changes: &[StatusChange]) -> Result<HashSet<Uid>, StoreError> {
        let reported = self.record_reported(changes).await?;
        let changes: Vec<&StatusChange> = changes.iter().filter(|change| reported.contains(&change.uid)).collect();
        if !changes.is_empty() {
            self.append_statuses(&changes).await?;
        }
        Ok(reported)
    }

    /// Records the new statuses of those who still have the old one.
    async fn record_reported(&mut self, changes: &[StatusChange]) -> Result<HashSet<Uid>, StoreError> {
        let erased: Vec<String> = fetch_scalar!(fetch_all, self.connection, "SELECT uid FROM erasures")?;
        let mut alike: BTreeMap<(Status, Status), Vec<&Uid>> = BTreeMap::new();
        for change in changes.iter().filter(|change| !erased.iter().any(|uid| uid == change.uid.as_str())) {
            alike.entry((change.old, change.new)).or_default().push(&change.uid);
        }
        let mut reported = HashSet::with_capacity(changes.len());
        for ((old, new), uids) in alike {
            let (sql, statuses) = match (old.counts_as_online(), new.counts_as_online()) {
                (true, true) => {
                    ("UPDATE reported_presence SET status = ? WHERE status = ? AND uid IN ", vec![new, old])
                }
                (true, false) => ("DELETE FROM reported_presence WHERE status = ? AND uid IN ", vec![old]),
                (false, _) => {
                    reported.extend(self.record_arrived(&uids, new).await?);
                    continue;
                }
            };
            let sql = format!("{sql}{} RETURNING uid", placeholders(1, uids.len()));
            let rows: Vec<(String,)> = dynamic!(fetch_all, self.connection, sql, query, {
                for status in statuses {
                    query = query.bind(status.as_str());
                }
                for uid in uids {
                    query = query.bind(uid.as_str());
                }
            })?;
            for (uid,) in rows {
                reported.insert(parse_uid(&uid)?);
            }
        }
        Ok(reported)
    }

    /// Records the status of those who were offline.
    async fn record_arrived(&mut self, uids: &[&Uid], status: Status) -> Result<Vec<Uid>, StoreError> {
        let sql = REPORTED_PRESENCE.insert(uids.len()) + " ON CONFLICT (uid) DO NOTHING RETURNING uid";
        let rows: Vec<(String,)> = dynamic!(fetch_all, self.connection, sql, query, {
            for uid in uids {
                query = query.bind(uid.as_str()).bind(status.as_str());
            }
        })?;
        rows.iter().map(|(uid,)| parse_uid(uid)).collect()
    }

    /// Appends an event for each of these, and deletes the undelivered one that it replaces.
    async fn append_statuses(&mut self, changes: &[&StatusChange]) -> Result<(), StoreError> {
        let sql = format!("DELETE FROM outbox WHERE person IN {}", placeholders(1, changes.len()));
        dynamic!(execute, self.connection, sql, query, {
            for change in changes {
                query = query.bind(change.uid.as_str());
            }
        })?;
        let mut lanes: BTreeMap<String, Vec<&StatusChange>> = BTreeMap::new();
        for change in changes {
            lanes.entry(Lane::of_presence(&change.uid).to_string()).or_default().push(change);
        }
        let count_on = OnConflict::Set("outbox_lanes.seq + excluded.seq");
        let sql = OUTBOX_LANES.upsert(lanes.len(), &[("seq", count_on)]) + " RETURNING lane, seq";
        let heads: Vec<(String, i64)> = dynamic!(fetch_all, self.connection, sql, query, {
            for (lane, changes) in &lanes {
                query = query.bind(lane).bind(changes.len() as i64);
            }
        })?;
        let heads: HashMap<String, i64> = heads.into_iter().collect();
        let now = self.now;
        let ids: Vec<String> = changes.iter().map(|_| new_delivery_id()).collect();
        let mut ids = ids.iter();
        let mut rows = Vec::with_capacity(changes.len());
        for (lane, changes) in &lanes {
            let first = heads.get(lane).copied().unwrap_or(0) - changes.len() as i64 + 1;
            for ((seq, change), id) in (first..).zip(changes).zip(&mut ids) {
                let (kind, data, person) = (USER_PRESENCE, change.data.as_str(), change.uid.as_str());
                rows.push(OutboxValues { lane, seq, id, kind, data, at: now, person });
            }
        }
        insert(self.connection.reborrow(), &OUTBOX.insert(rows.len()), rows).await?;
        self.outbox.extend(lanes.values().map(|changes| Lane::of_presence(&changes[0].uid)));
        Ok(())
    }
}

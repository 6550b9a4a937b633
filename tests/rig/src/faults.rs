//! Injects the faults.

use std::sync::Arc;
use std::time::Duration;

use sqlx::{Connection, PgConnection};
use tokio::sync::watch;

use super::database::Database;
use super::front::Nats;
use super::mirror::Mirror;
use super::nodes::Node;
use super::notes::Notes;
use super::schedule::{Fault, Planned};
use super::support::cluster::Stop;
use super::support::proxy::Proxy;

/// The nodes and everything around them into which faults are injected.
#[derive(Clone)]
pub struct Testbed {
    pub nodes: Vec<Arc<Node>>,
    pub database: Database,
    pub nats: Option<Arc<Nats>>,
    /// The host's receiver of webhooks.
    pub mirror: Arc<Mirror>,
    /// The proxy of those viewers whose network is bad.
    pub bad_network: Arc<Proxy>,
    pub notes: Arc<Notes>,
}

/// How many bytes a connection of the bad network carries, always; and while it is at its worst.
const BAD: std::ops::Range<u64> = 4_000..200_000;
const WORST: std::ops::Range<u64> = 300..6_000;

impl Testbed {
    /// Starts to cut the connections of the bad network.
    pub fn begin(&self) {
        self.bad_network.cut_after(BAD);
    }

    /// Injects a row of faults, one after the other. None begins once `enough` is true.
    pub async fn inject(self, planned: Vec<Planned>, mut enough: watch::Receiver<bool>) {
        let begun = self.notes.now();
        for plan in planned {
            let wait = (begun + plan.at - self.notes.now()).max(0.0);
            let is_enough = enough.wait_for(|enough| *enough);
            if tokio::time::timeout(Duration::from_secs_f64(wait), is_enough).await.is_ok() {
                return;
            }
            let number = self.notes.begins(plan.fault.name(), &plan.words(), plan.fault.is_away());
            self.cause(&plan).await;
            self.notes.ends(number);
            if matches!(plan.fault, Fault::DbFailover | Fault::DbSplit | Fault::DbLostTail) {
                let number = self.notes.begins("db-rebuild", "the old primary becomes the standby", false);
                self.database.rebuild().await;
                self.notes.ends(number);
            }
        }
    }

    async fn cause(&self, plan: &Planned) {
        let (node, lasts) = (&self.nodes[plan.node], Duration::from_secs_f64(plan.lasts));
        let (delay, address) = (Duration::from_millis(plan.by), &self.database.address);
        match plan.fault {
            Fault::NodeKill => node.kill(lasts).await,
            Fault::NodeFreeze | Fault::NodeFence => node.freeze(lasts).await,
            Fault::NodeDrain => node.drain(lasts, &self.notes).await,
            Fault::NodeCut => {
                node.way.refuse();
                node.way.cut_all();
                tokio::time::sleep(lasts).await;
                node.way.heal();
            }
            Fault::NodeSlow => slow(&node.way, delay, lasts).await,
            Fault::NodeStall => stall(&node.way, lasts).await,
            Fault::TransportDead => match &self.nats {
                Some(nats) => nats.kill(lasts).await,
                None => tokio::time::sleep(lasts).await,
            },
            Fault::StreamCuts => {
                self.bad_network.cut_after(WORST);
                tokio::time::sleep(lasts).await;
                self.bad_network.cut_after(BAD);
            }
            Fault::ReceiverKill => self.mirror.kill(lasts).await,
            Fault::DbRestart => self.away(Stop::Fast, lasts).await,
            Fault::DbKill => self.away(Stop::Immediate, lasts).await,
            Fault::DbFailover => self.database.fail_over().await,
            Fault::DbSplit => {
                // No act may be acknowledged that the standby does not have.
                self.database.partition();
                tokio::time::sleep(lasts).await;
                self.database.fail_over().await;
            }
            Fault::DbLostTail => {
                self.notes.count("tails that were lost", 1);
                self.database.wait_for_nobody().await;
                self.database.partition();
                tokio::time::sleep(lasts).await;
                self.database.fail_over().await;
            }
            Fault::DbConnections => self.take_all_connections(lasts).await,
            Fault::DbSlow => slow(address, delay, lasts).await,
            Fault::DbStall => stall(address, lasts).await,
            Fault::DiskFull => {
                self.database.fill_disk().await;
                tokio::time::sleep(lasts).await;
                self.database.free_disk().await;
                self.database.start_again().await;
            }
        }
    }

    async fn away(&self, how: Stop, lasts: Duration) {
        self.database.stop(how).await;
        tokio::time::sleep(lasts).await;
        self.database.start_again().await;
    }

    /// Takes every connection of the database and keeps it. Those of the nodes are cut once, so that
    /// they need new ones.
    async fn take_all_connections(&self, lasts: Duration) {
        let taking = async {
            let (mut taken, url) = (Vec::new(), self.database.direct());
            let mut cut = false;
            loop {
                match PgConnection::connect(&url).await {
                    Ok(connection) => taken.push(connection),
                    Err(_) => {
                        if !std::mem::replace(&mut cut, true) {
                            self.database.address.cut_all();
                        }
                        tokio::time::sleep(Duration::from_millis(20)).await;
                    }
                }
            }
        };
        let _: Result<std::convert::Infallible, _> = tokio::time::timeout(lasts, taking).await;
    }

    /// Ends every fault.
    pub async fn heal(&self) {
        self.bad_network.heal();
        self.database.address.heal();
        for node in &self.nodes {
            node.heal();
        }
        if self.database.has_disks() {
            self.database.free_disk().await;
        }
        self.database.start_again().await;
    }
}

async fn slow(way: &Proxy, delay: Duration, lasts: Duration) {
    way.delay(delay);
    tokio::time::sleep(lasts).await;
    way.heal();
}

async fn stall(way: &Proxy, lasts: Duration) {
    way.stall();
    tokio::time::sleep(lasts).await;
    way.heal();
}

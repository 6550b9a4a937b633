//! A node that is cut off from its database during a delivery, for longer than it holds the position.

use std::time::Duration;

use reqwest::Method;
use serde_json::json;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use super::receiver::{Call, Receiver, Reply};
use super::{webhook, world_sending_to_with};
use crate::support::cluster::Cluster;
use crate::support::proxy::Proxy;
use crate::support::{Answer, World, eventually};

/// Longer than a position is held without being renewed, in milliseconds.
const PAST_LEASE: i64 = 7_000;
/// The time that the receiver takes for an answer, during which the node is cut off.
const ANSWER_TIME: Duration = Duration::from_secs(3);

/// A node that reaches its database through a network of its own.
struct CutOff {
    cluster: Cluster,
    network: Proxy,
    receiver: Receiver,
    here: World,
    /// The last event of `den` that was delivered before the node is cut off.
    delivered: u64,
}

impl CutOff {
    /// The node, while it reaches its database.
    async fn new() -> CutOff {
        let cluster = spawn_blocking(Cluster::start).await.unwrap();
        let direct = cluster.create_database("chat");
        let network = Proxy::to_port(cluster.port).await;
        let through = direct.replace(&format!(":{}/", cluster.port), &format!(":{}/", network.port()));
        let receiver = Receiver::new().await;
        let here = world_sending_to_with(&receiver, |config| config.database_url = through).await;
        let delivered = here.head("den").await;
        let node = CutOff { cluster, network, receiver, here, delivered };
        node.position_is(delivered).await;
        node
    }

    /// Does an act in `den` on this node, and cuts the node off before the first event of the act is answered.
    async fn is_cut_off_during(&self, act: impl Future<Output = Answer>) {
        self.receiver.answers(|_, _| Reply::Late(ANSWER_TIME, 200));
        act.await.ok();
        self.receiver.has_event("den", self.delivered + 1).await;
        self.network.stall();
        self.receiver.answers_with(200);
        self.here.clock.advance(PAST_LEASE);
        assert_eq!(self.position(), self.delivered, "the answer is still to come");
    }

    /// Another node with the same endpoint and the same time, which reaches the database.
    async fn another(&self) -> World {
        let there = World::empty(|config| {
            config.database_url = self.cluster.url("chat");
            config.webhooks = vec![webhook(&self.receiver.url)];
        })
        .await;
        there.clock.advance(PAST_LEASE);
        there
    }

    /// The stored position of the endpoint in `den`.
    fn position(&self) -> u64 {
        self.cluster.sql("chat", "SELECT seq FROM webhook_positions WHERE lane = 'den'").parse().unwrap()
    }

    async fn position_is(&self, seq: u64) {
        eventually(&format!("position {seq} is stored"), async || self.position() == seq).await;
    }

    /// The events of `den` in the order of their arrival since the act, repeats included: 1 is its first.
    fn arrived(&self) -> Vec<u64> {
        let data: Vec<_> = self.receiver.calls().iter().map(Call::data).collect();
        let of_den = data.iter().filter(|data| data["group"]["guid"] == "den");
        of_den
            .filter_map(|data| data["seq"].as_u64()?.checked_sub(self.delivered))
            .filter(|number| *number > 0)
            .collect()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_comes_back_with_a_delivery_it_could_not_store_moves_no_position_back() {
    let node = CutOff::new().await;
    let (here, receiver, delivered) = (&node.here, &node.receiver, node.delivered);
    node.is_cut_off_during(here.ada.set_scope("dee", "moderator")).await;
    let there = node.another().await;
    there.ada.set_scope("eve", "moderator").await.ok();
    receiver.has_event("den", delivered + 2).await;
    node.position_is(delivered + 2).await;

    // By then the first node has its answer, and stores the position as soon as it can.
    sleep(ANSWER_TIME).await;
    node.network.heal();
    eventually("an act on the node that is back", async || {
        here.ada.set_scope("dee", "participant").await.status == 200
    })
    .await;
    receiver.has_event("den", delivered + 3).await;
    node.position_is(delivered + 3).await;

    // The node delivers alone again. It stores what it holds before it reads where to go on.
    there.app.drain().await;
    here.ada.set_scope("dee", "moderator").await.ok();
    receiver.has_event("den", delivered + 4).await;
    node.position_is(delivered + 4).await;
    assert_eq!(node.arrived(), [1, 1, 2, 3, 4], "only the event whose delivery was not stored comes twice");
    receiver.is_in_order();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_whose_lease_ends_during_a_delivery_does_not_send_the_next_event() {
    let node = CutOff::new().await;
    // Both events are read together, so that the second needs no database.
    let both = json!({"act": "kick", "uid": ["dee", "eve"]});
    node.is_cut_off_during(node.here.cy.act(Method::POST, "/groups/den/bulk", both)).await;
    let _there = node.another().await;
    node.receiver.has_event("den", node.delivered + 2).await;
    node.position_is(node.delivered + 2).await;
    sleep(ANSWER_TIME).await;
    assert_eq!(node.arrived(), [1, 1, 2], "the second event comes from the node that took over alone");
}

//! Readers: each asks one node, past the front, for a list that the node has in memory. A running
//! node answers it even without the database.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::cast::Place;
use super::nodes::Node;
use super::notes::Notes;
use super::support::token;

/// Longest that an answer from memory may take on a busy machine.
const ANSWER: Duration = Duration::from_secs(5);

/// Reads lists through the front, on whichever node answers. A read may fail when its node could not load the
/// group without the database, or died during the request.
pub async fn read_through(
    front: u16,
    nodes: Vec<Arc<Node>>,
    places: Vec<Place>,
    http: reqwest::Client,
    notes: Arc<Notes>,
    over: Arc<AtomicBool>,
) {
    while !over.load(Ordering::Relaxed) {
        for place in &places {
            tokio::time::sleep(Duration::from_millis(50)).await;
            let all_there = || nodes.iter().all(|node| node.undisturbed.load(Ordering::SeqCst));
            let before = all_there();
            let url = format!("http://127.0.0.1:{front}/groups/{}/members?part=rows", place.guid);
            let asked = http.get(url).bearer_auth(token(&place.observer(1))).timeout(ANSWER).send().await;
            notes.count("reads through the front", 1);
            let status = asked.map_or(0, |answer| answer.status().as_u16());
            if status != 200 {
                notes.count("reads through the front that failed", 1);
                notes.count(if status == 503 { "of these answered 503" } else { "of these not answered at all" }, 1);
                if before && all_there() {
                    notes.count("of these with all nodes there", 1);
                }
            }
        }
    }
}

/// Reads every group of this node, one after the other, until it is over.
pub async fn read(
    node: Arc<Node>,
    places: Vec<Place>,
    http: reqwest::Client,
    notes: Arc<Notes>,
    over: Arc<AtomicBool>,
) {
    let mut loaded = vec![0; places.len()];
    while !over.load(Ordering::Relaxed) {
        for (place, loaded) in places.iter().zip(&mut loaded) {
            tokio::time::sleep(Duration::from_millis(100)).await;
            let start = node.starts.load(Ordering::SeqCst);
            if !node.undisturbed.load(Ordering::SeqCst) {
                continue;
            }
            let begun = Instant::now();
            let url = format!("{}/groups/{}/members?part=rows", node.url(), place.guid);
            let asked = http.get(url).bearer_auth(token(&place.observer(1))).timeout(ANSWER).send().await;
            let status = asked.as_ref().map_or(0, |answer| answer.status().as_u16());
            // Whatever happened to the node meanwhile excuses it.
            let excused = !node.undisturbed.load(Ordering::SeqCst) || node.starts.load(Ordering::SeqCst) != start;
            notes.second(|second| second.reads += 1);
            if status == 200 {
                notes.highest("slowest read from memory, ms", begun.elapsed().as_millis() as u64);
                *loaded = start;
            } else if !excused && *loaded == start {
                notes.second(|second| second.failed_reads += 1);
                let what =
                    format!("node {} answered {status} for {} after {:?}", node.number, place.guid, begun.elapsed());
                notes.violation("reads", what);
            }
        }
    }
}

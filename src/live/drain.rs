//! Ends the streams of a node that drains.

use std::time::Duration;

use super::group::LiveGroup;
use super::hub::Hub;
use crate::domain::Ending;

/// Time between two batches of streams that are ended.
const STEP: Duration = Duration::from_millis(100);

impl Hub {
    /// Ends every stream, spread evenly over `within`, so that viewers do not all reconnect at the same
    /// moment.
    pub async fn drain_streams(&self, within: Duration) {
        self.begin_drain();
        let steps = (within.as_millis() / STEP.as_millis()) as usize + 1;
        for left in (1..=steps).rev() {
            let mut share = self.streams().div_ceil(left);
            if share == 0 {
                return;
            }
            for group in self.loaded() {
                share -= self.end_streams(&group, share);
            }
            if left > 1 {
                tokio::time::sleep(STEP).await;
            }
        }
    }

    fn end_streams(&self, group: &LiveGroup, most: usize) -> usize {
        let mut subscribers = group.subscribers();
        if most == 0 || subscribers.len() == 0 {
            return 0;
        }
        let state = self.flush(group, &mut subscribers, true);
        subscribers.end_some(most, &state, Ending::ServerDraining)
    }
}

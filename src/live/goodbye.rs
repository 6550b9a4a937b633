//! How a node takes leave of its viewers.

use std::time::Duration;

use super::hub::Hub;
use super::room::Room;
use crate::domain::Ending;

/// Between goodbyes.
const STEP: Duration = Duration::from_millis(100);

impl Hub {
    /// Ends every stream with a goodbye, spread over `within`, so that not everybody comes back
    /// in the same moment.
    pub async fn say_goodbye(&self, within: Duration) {
        self.leave();
        let steps = (within.as_millis() / STEP.as_millis()) as usize + 1;
        for left in (1..=steps).rev() {
            let mut share = self.streams().div_ceil(left);
            if share == 0 {
                return;
            }
            for room in self.loaded() {
                share -= self.end_streams(&room, share);
            }
            if left > 1 {
                tokio::time::sleep(STEP).await;
            }
        }
    }

    fn end_streams(&self, room: &Room, most: usize) -> usize {
        let mut audience = room.audience();
        if most == 0 || audience.len() == 0 {
            return 0;
        }
        let state = self.flush(room, &mut audience, true);
        audience.end_some(most, &state, Ending::Bye)
    }
}

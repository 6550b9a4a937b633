//! Counts the queries of one request, for tests that compare requests.

#[cfg(feature = "testing")]
use std::cell::Cell;

#[cfg(feature = "testing")]
tokio::task_local! {
    static COUNT: Cell<u64>;
}

/// Runs this, and returns the number of statements, snapshots and transactions that it used. The statements of a transaction
/// that writes, and of tasks that it starts, are not counted.
#[cfg(feature = "testing")]
pub async fn counted<T>(work: impl Future<Output = T>) -> (T, u64) {
    COUNT
        .scope(Cell::new(0), async {
            let value = work.await;
            (value, COUNT.with(Cell::get))
        })
        .await
}

/// Counts one more, inside `counted`.
#[inline]
pub(in crate::store) fn count() {
    #[cfg(feature = "testing")]
    let _ = COUNT.try_with(|count| count.set(count.get() + 1));
}

//! Uploads of any size, read into a temporary file first: while somebody sends slowly, nothing waits for them.

use std::fs::File;
use std::time::Duration;

use axum::body::Body;
use sha2::{Digest, Sha256};
use tokio::io::{AsyncSeekExt, AsyncWriteExt, BufWriter};
use tokio::time::{Instant, timeout_at};
use tokio_stream::StreamExt;

use crate::http::body_progress::has_stalled;
use crate::http::problem::Problem;
use crate::http::v3::error::V3Error;

/// In every interval of this length an upload makes progress, or is refused.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(30);
/// Fewer bytes in an interval are no progress.
const MIN_PROGRESS: usize = 16 * 1024;
/// Bytes that are written at once.
const BUFFER: usize = 256 * 1024;

/// A whole body.
#[derive(Debug)]
pub(super) struct Spooled {
    /// It, from its beginning.
    pub file: File,
    /// Its SHA-256 in hexadecimal digits, when that was asked for.
    pub hash: Option<String>,
}

/// The whole body, in a file of the system's temporary directory that has no name: it is gone when it is closed,
/// also by a crash.
///
/// # Errors
/// When the body ends before it is complete, does not get on, or does not fit on the disk.
pub(super) async fn spool(body: Body, hashed: bool) -> Result<Spooled, V3Error> {
    spool_within(body, hashed, PROGRESS_INTERVAL).await
}

async fn spool_within(body: Body, hashed: bool, interval: Duration) -> Result<Spooled, V3Error> {
    let mut hasher = hashed.then(Sha256::new);
    let file = tokio::task::spawn_blocking(tempfile::tempfile).await.expect("making a file does not panic");
    let mut file = BufWriter::with_capacity(BUFFER, tokio::fs::File::from_std(file.map_err(disk_full)?));
    let mut chunks = body.into_data_stream();
    let (mut until, mut received) = (Instant::now() + interval, 0);
    loop {
        match timeout_at(until, chunks.next()).await {
            Ok(Some(Ok(chunk))) => {
                received += chunk.len();
                if let Some(hasher) = &mut hasher {
                    hasher.update(&chunk);
                }
                file.write_all(&chunk).await.map_err(disk_full)?;
            }
            Ok(None) => break,
            Ok(Some(Err(error))) if has_stalled(&error) => return Err(Problem::stalled().into()),
            Ok(Some(Err(_))) => {
                return Err(V3Error::unreadable("The body ended before it was complete: nothing of it was applied."));
            }
            Err(_) if received >= MIN_PROGRESS => (until, received) = (Instant::now() + interval, 0),
            Err(_) => {
                let (seconds, least) = (interval.as_secs(), MIN_PROGRESS / 1024);
                return Err(V3Error::stalled(format!(
                    "The body did not get on: at least {least} kB in {seconds} seconds. Nothing of it was applied."
                )));
            }
        }
    }
    file.flush().await.map_err(disk_full)?;
    let mut file = file.into_inner();
    file.rewind().await.map_err(disk_full)?;
    let hex = |hasher: Sha256| hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Spooled { file: file.into_std().await, hash: hasher.map(hex) })
}

fn disk_full(error: std::io::Error) -> V3Error {
    tracing::warn!(%error, "an upload could not be written to the temporary directory (TMPDIR)");
    Problem::unavailable().into()
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::io::Read;

    use bytes::Bytes;
    use tokio_stream::iter;

    use super::*;

    const SHORT: Duration = Duration::from_millis(300);

    /// So many chunks of so many bytes, a third of an interval apart, and then what follows.
    fn chunks(count: usize, size: usize) -> impl tokio_stream::Stream<Item = Result<Bytes, Infallible>> + Send {
        iter(0..count).then(move |_| async move {
            tokio::time::sleep(SHORT / 3).await;
            Ok(Bytes::from(vec![b'x'; size]))
        })
    }

    #[tokio::test]
    async fn an_upload_that_stalls_is_refused_after_its_interval() {
        let stalls = Body::from_stream(chunks(1, 4 * MIN_PROGRESS).chain(tokio_stream::pending()));
        let begun = Instant::now();
        let refused = spool_within(stalls, false, SHORT).await.unwrap_err();
        assert!(refused.value().to_string().contains("did not get on"), "{}", refused.value());
        assert!(begun.elapsed() >= 2 * SHORT, "an interval with enough bytes is followed by another one");
    }

    #[tokio::test]
    async fn an_upload_that_drips_is_refused() {
        let refused = spool_within(Body::from_stream(chunks(100, 10)), false, SHORT).await.unwrap_err();
        assert!(refused.value().to_string().contains("16 kB"), "{}", refused.value());
    }

    #[tokio::test]
    async fn a_slow_upload_that_gets_on_is_read_to_its_end() {
        let mut file = spool_within(Body::from_stream(chunks(8, MIN_PROGRESS)), false, SHORT).await.unwrap().file;
        let mut text = Vec::new();
        file.read_to_end(&mut text).unwrap();
        assert_eq!(text.len(), 8 * MIN_PROGRESS);
    }
}

//! Uploads of any size, read aside into a temporary file: while somebody sends slowly, nothing waits for them.

use std::fs::File;
use std::time::Duration;

use axum::body::Body;
use tokio::io::{AsyncSeekExt, AsyncWriteExt, BufWriter};
use tokio::time::{Instant, timeout_at};
use tokio_stream::StreamExt;

use super::error::Failure;
use crate::http::problem::Problem;

/// In every window an upload brings [`LEAST`] bytes, or ends.
const WINDOW: Duration = Duration::from_secs(30);
/// Fewer bytes in a window are no progress.
const LEAST: usize = 16 * 1024;
/// Bytes that are written at once.
const BUFFER: usize = 256 * 1024;

/// The whole body, in a file of the system's temporary directory that has no name: it is gone when it is closed,
/// also by a crash.
///
/// # Errors
/// When the body ends before it is complete, does not get on, or does not fit on the disk.
pub(super) async fn spool(body: Body) -> Result<File, Failure> {
    let file = tokio::task::spawn_blocking(tempfile::tempfile).await.expect("making a file does not panic");
    let mut file = BufWriter::with_capacity(BUFFER, tokio::fs::File::from_std(file.map_err(no_room)?));
    let mut chunks = body.into_data_stream();
    let (mut until, mut received) = (Instant::now() + WINDOW, 0);
    loop {
        match timeout_at(until, chunks.next()).await {
            Ok(Some(Ok(chunk))) => {
                received += chunk.len();
                file.write_all(&chunk).await.map_err(no_room)?;
            }
            Ok(None) => break,
            Ok(Some(Err(_))) => {
                return Err(Failure::unreadable("The body ended before it was complete: nothing of it was applied."));
            }
            Err(_) if received >= LEAST => (until, received) = (Instant::now() + WINDOW, 0),
            Err(_) => {
                let (seconds, least) = (WINDOW.as_secs(), LEAST / 1024);
                return Err(Failure::unreadable(format!(
                    "The body did not get on: at least {least} kB in {seconds} seconds. Nothing of it was applied."
                )));
            }
        }
    }
    file.flush().await.map_err(no_room)?;
    let mut file = file.into_inner();
    file.rewind().await.map_err(no_room)?;
    Ok(file.into_std().await)
}

fn no_room(error: std::io::Error) -> Failure {
    tracing::warn!(%error, "an upload could not be written to the temporary directory (TMPDIR)");
    Problem::unavailable().into()
}

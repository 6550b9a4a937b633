//! Rows in the order of their uids, in batches. A table that is filled in its order is written once; filled in any other, each
//! page of it is written again and again: gigabytes for a million rows.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

use crate::domain::{Name, Scope, Uid};
use crate::membership::ActError;
use crate::store::{StoreError, SyncRow};

/// Rows of a batch, which is staged in one transaction.
const BATCH: usize = 4000;
/// Rows that are sorted in memory, a run. More of them are sorted on the disk.
const RUN: usize = 32_768;
/// Bytes that are read of a run at once.
const BUFFER: usize = 16 * 1024;

/// A row, with the line that names it.
type NumberedRow = (u64, SyncRow);

/// Reads all rows, and then gives them in the order of their uids.
///
/// # Errors
/// The first error of `rows`; [`ActError::Store`] when the temporary directory has no room.
fn sorted<E: From<ActError> + 'static>(
    mut rows: impl Iterator<Item = Result<NumberedRow, E>>,
) -> Result<Box<dyn Iterator<Item = Result<NumberedRow, E>>>, E> {
    let mut next_run = || -> Result<Vec<NumberedRow>, E> {
        let mut run: Vec<_> = rows.by_ref().take(RUN).collect::<Result<_, _>>()?;
        run.sort_unstable_by(|(_, one), (_, other)| one.uid.cmp(&other.uid));
        Ok(run)
    };
    let mut run = next_run()?;
    if run.len() < RUN {
        return Ok(Box::new(run.into_iter().map(Ok)));
    }
    let mut runs = Runs::new().map_err(disk_full)?;
    while !run.is_empty() {
        runs.add(&run).map_err(disk_full)?;
        run = next_run()?;
    }
    Ok(Box::new(runs.merge().map_err(disk_full)?.map(|row| row.map_err(|error| disk_full(error).into()))))
}

/// Reads rows until they end, or an error, then sends them in order until nobody wants them.
pub(super) fn send_batches<E: From<ActError> + 'static>(
    rows: impl Iterator<Item = Result<NumberedRow, E>>,
    batches: &mpsc::Sender<Result<Vec<NumberedRow>, E>>,
) {
    let mut rows = match sorted(rows) {
        Ok(rows) => rows,
        Err(error) => return drop(batches.blocking_send(Err(error))),
    };
    loop {
        let batch: Result<Vec<_>, E> = rows.by_ref().take(BATCH).collect();
        let ended = batch.as_ref().map_or(true, |batch| batch.len() < BATCH);
        if batch.as_ref().is_ok_and(Vec::is_empty) || batches.blocking_send(batch).is_err() || ended {
            return;
        }
    }
}

/// Sorted runs, one after the other in a file without a name.
struct Runs {
    file: BufWriter<File>,
    written: u64,
    ends: Vec<u64>,
}

impl Runs {
    fn new() -> io::Result<Runs> {
        Ok(Runs { file: BufWriter::new(tempfile::tempfile()?), written: 0, ends: Vec::new() })
    }

    fn add(&mut self, run: &[NumberedRow]) -> io::Result<()> {
        for (line, SyncRow { uid, name, avatar, scope, joined_at }) in run {
            let row = Stored {
                line: *line,
                uid: uid.clone(),
                name: name.as_ref().map(|name| name.as_str().into()),
                avatar: avatar.clone(),
                scope: scope.map(Scope::number),
                joined_at: *joined_at,
            };
            let mut text = serde_json::to_vec(&row)?;
            text.push(b'\n');
            self.file.write_all(&text)?;
            self.written += text.len() as u64;
        }
        self.ends.push(self.written);
        Ok(())
    }

    fn merge(self) -> io::Result<Merged> {
        let file = Arc::new(self.file.into_inner().map_err(io::IntoInnerError::into_error)?);
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        let mut merged = Merged { runs: Vec::new(), heads: BinaryHeap::new() };
        for (at, end) in starts.zip(self.ends.iter().copied()) {
            merged.runs.push(BufReader::with_capacity(BUFFER, FileRange { file: file.clone(), at, end }));
            merged.read_from(merged.runs.len() - 1)?;
        }
        Ok(merged)
    }
}

/// A part of a file that others read as well.
struct FileRange {
    file: Arc<File>,
    at: u64,
    end: u64,
}

impl Read for FileRange {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min((self.end - self.at) as usize);
        let read = self.file.read_at(&mut buffer[..length], self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

/// The rows of all runs; `heads` has the next one of each.
struct Merged {
    runs: Vec<BufReader<FileRange>>,
    heads: BinaryHeap<Reverse<(Uid, usize, Stored)>>,
}

impl Merged {
    fn read_from(&mut self, run: usize) -> io::Result<()> {
        let mut line = Vec::new();
        if self.runs[run].read_until(b'\n', &mut line)? > 0 {
            let row: Stored = serde_json::from_slice(&line)?;
            self.heads.push(Reverse((row.uid.clone(), run, row)));
        }
        Ok(())
    }
}

impl Iterator for Merged {
    type Item = io::Result<NumberedRow>;

    fn next(&mut self) -> Option<Self::Item> {
        let Reverse((_, run, row)) = self.heads.pop()?;
        Some(self.read_from(run).and_then(|()| row.listed()))
    }
}

/// A row on the disk.
#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Stored {
    line: u64,
    uid: Uid,
    name: Option<String>,
    avatar: Option<String>,
    scope: Option<i64>,
    /// Unix time, in seconds.
    joined_at: Option<i64>,
}

impl Stored {
    fn listed(self) -> io::Result<NumberedRow> {
        let other =
            || io::Error::new(io::ErrorKind::InvalidData, "a temporary file has other content than was written");
        let name = self.name.map(|name| Name::parse(&name).map_err(|_| other())).transpose()?;
        let scope = self.scope.map(|number| Scope::from_number(number).ok_or_else(other)).transpose()?;
        let Stored { line, uid, avatar, joined_at, .. } = self;
        Ok((line, SyncRow { uid, name, avatar, scope, joined_at }))
    }
}

fn disk_full(error: io::Error) -> ActError {
    ActError::Store(StoreError::Unavailable(format!("rows could not be sorted in the temporary directory: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(number: usize) -> NumberedRow {
        let uid = format!("u{:06}", number * 7919 % (3 * RUN));
        let name = Name::parse(&format!("\"N\" {number}\u{301}")).unwrap();
        let scope = if number == 0 { Scope::Owner } else { Scope::Participant };
        let (avatar, joined_at) =
            (number.is_multiple_of(2).then(|| "https://x.example/é".to_owned()), Some(number as i64));
        let scope = Some(scope).filter(|_| number % 3 != 1);
        (number as u64, SyncRow { uid: uid.parse().unwrap(), name: Some(name), avatar, scope, joined_at })
    }

    #[test]
    fn rows_come_in_the_order_of_their_uids_as_they_were_given() {
        for count in [0, 1, RUN - 1, RUN, 2 * RUN + 1] {
            let given: Vec<_> = (0..count).map(row).collect();
            let rows: Vec<_> =
                sorted(given.iter().cloned().map(Ok::<_, ActError>)).unwrap().collect::<Result<_, _>>().unwrap();
            let mut wanted = given;
            wanted.sort_by(|(_, one), (_, other)| one.uid.cmp(&other.uid));
            assert_eq!(format!("{rows:?}"), format!("{wanted:?}"));
        }
    }

    #[test]
    fn the_first_error_comes_before_any_row() {
        let rows =
            (0..RUN + 5).map(|number| if number == RUN + 3 { Err(ActError::NoSuchGroup) } else { Ok(row(number)) });
        assert!(matches!(sorted(rows).err(), Some(ActError::NoSuchGroup)));
    }
}

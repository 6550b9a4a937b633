//! The header of a database file: whether its content may be in a write-ahead log. SQLite does not ask: it reads whatever lies beside the
//! file as its log, also what another file has left there.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The files whose headers were read, by device and inode. They stay open: closing one would release the locks that SQLite's connections of
/// this process hold on it.
static OPENED: Mutex<BTreeMap<(u64, u64), File>> = Mutex::new(BTreeMap::new());

/// Whether the file is one that is written without a write-ahead log: its header says so (the version for reading of
/// <https://www.sqlite.org/fileformat2.html#file_format_version_numbers>). SQLite writes the other version before it makes a log, and this
/// one after it has removed it, so that a log beside such a file is another file's. Copies by `backup` are such files, and what `.recover` makes.
pub(super) fn has_no_log(path: &Path) -> bool {
    const READ_VERSION: u64 = 19;
    const WITHOUT_LOG: u8 = 1;
    read_byte(path, READ_VERSION) == Some(WITHOUT_LOG)
}

fn read_byte(path: &Path, at: u64) -> Option<u8> {
    let meta = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    let (identity, mut byte) = ((meta.dev(), meta.ino()), [0]);
    let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(file) = opened.get(&identity) {
        return file.read_exact_at(&mut byte, at).ok().map(|()| byte[0]);
    }
    // Nobody opens a file any more that is not there: its locks matter to nobody.
    opened.retain(|_, file| file.metadata().is_ok_and(|meta| meta.nlink() > 0));
    let file = File::open(path).ok()?;
    let read = file.read_exact_at(&mut byte, at);
    opened.insert(identity, file);
    read.ok().map(|()| byte[0])
}

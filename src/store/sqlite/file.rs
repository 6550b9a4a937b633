//! The file behind an open database, and whether it is still the one that was opened. A connection goes on with a file
//! that was deleted or replaced: what it writes is lost, or goes into a file that nobody reads.

use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection as _, SqlitePool};

use super::header::has_no_log;
use super::place::{beside, how_to_recover, move_log_away};
use crate::store::error::{StoreError, damage_met, is_damage};

/// The connections that read a file, and the file itself. Cheap to clone.
#[derive(Clone)]
pub(in crate::store) struct OpenFile {
    pub(in crate::store) readers: SqlitePool,
    watch: Arc<FileWatch>,
}

/// The watch over the database file.
pub(in crate::store) struct FileWatch {
    options: SqliteConnectOptions,
    path: PathBuf,
    /// Whether the file could not be written when it was opened. What SQLite shares between the connections of a process stays read-only then.
    is_opened_read_only: bool,
    /// Device and inode; `None` of a database in memory.
    identity: Option<(u64, u64)>,
    /// Whether its content may be in a write-ahead log, as its header says: another one that is copied over it says otherwise.
    has_log: bool,
    /// The files that SQLite keeps beside it as long as it is open, with device and inode.
    beside: OnceLock<Vec<(PathBuf, (u64, u64))>>,
    /// The damage found by a check; kept for good, since a damaged file is replaced by its operator.
    damage: OnceLock<String>,
    /// The amount of damage that this process had met when the file was last checked.
    checked: AtomicU64,
}

/// The result of looking at the path of the file.
enum Found {
    TheFile,
    Another,
    /// The file, without its content: something was copied over it, and failed.
    Emptied,
    /// The file, with the content of another one, such as a backup.
    Overwritten,
    Nothing,
    /// The file, without this one beside it.
    Without(PathBuf),
    Unknown(std::io::Error),
}

impl OpenFile {
    pub(super) fn new(readers: SqlitePool, watch: Arc<FileWatch>) -> OpenFile {
        OpenFile { readers, watch }
    }

    /// Refuses reads when a new connection would read another file, or would take an emptied one for a new database.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when there is another file in its place, or beside it, or its content is lost.
    pub(in crate::store) fn check_readable(&self) -> Result<(), StoreError> {
        match self.watch.found() {
            Found::Another | Found::Emptied | Found::Overwritten | Found::Without(_) => self.check_writable(),
            _ => Ok(()),
        }
    }

    /// Checks that writes still go to the file at the configured path.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when not: what the operator has to do.
    pub(in crate::store) fn check_writable(&self) -> Result<(), StoreError> {
        self.watch.check_writable()?;
        if self.watch.is_unchecked() {
            let path = self.watch.path.display();
            return Err(StoreError::Unavailable(format!("the file {path} may be damaged, and is being checked")));
        }
        Ok(())
    }

    /// Reads a row from the file that was opened. While all connections read, it can be read.
    ///
    /// # Errors
    /// As [`OpenFile::check_readable`], and [`StoreError::Unavailable`] when the row cannot be read.
    pub(in crate::store) async fn try_read(&self) -> Result<(), StoreError> {
        self.check_readable()?;
        let Some(mut connection) = self.readers.try_acquire() else { return Ok(()) };
        // Damage that this meets is counted where acts are tried.
        let read = sqlx::query("SELECT value FROM facts LIMIT 1").execute(&mut *connection).await;
        read.map(|_| ()).map_err(|error| StoreError::Unavailable(error.to_string()))
    }

    /// Why writes are refused, with the file, which SQLite does not name, and what an operator has to do beside removing the cause.
    pub(in crate::store) fn explain(&self, why: &str) -> String {
        const RESTART: &str = "; it could not be written when this service was started: start it again once it can be";
        let path = self.watch.path.display().to_string();
        let about = if why.contains(&path) { String::new() } else { format!(" (the file {path})") };
        let advice = if self.watch.is_opened_read_only { RESTART } else { "" };
        format!("{why}{about}{advice}")
    }

    /// Checks the file when a statement of this process has met damage in one.
    pub(in crate::store) async fn check_damage(&self) {
        self.watch.check_damage().await;
    }
}

impl FileWatch {
    /// The watch over the file that these options have just opened.
    pub(super) fn new(options: &SqliteConnectOptions, is_opened_read_only: bool) -> FileWatch {
        let path = options.get_filename().to_path_buf();
        FileWatch {
            options: options.clone(),
            is_opened_read_only,
            identity: fs::metadata(&path).ok().as_ref().map(identity),
            has_log: !has_no_log(&path),
            path,
            beside: OnceLock::new(),
            damage: OnceLock::new(),
            checked: AtomicU64::new(damage_met()),
        }
    }

    /// Watches the write-ahead log and its index from now on: both are there while there are connections.
    pub(super) fn watch_beside(&self) {
        let found = ["-wal", "-shm"].into_iter().filter_map(|suffix| {
            let path = beside(&self.path, suffix);
            let identity = identity(&fs::metadata(&path).ok()?);
            Some((path, identity))
        });
        let _ = self.beside.set(found.collect());
    }

    /// Checks that writes still go to the file at the configured path.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the file is gone, another one, or damaged: what the operator has to do.
    pub(super) fn check_writable(&self) -> Result<(), StoreError> {
        let path = self.path.display();
        let away = || move_log_away(&path);
        let why = match (self.damage.get(), self.found()) {
            (Some(damage), _) => damage.clone(),
            (None, Found::TheFile) => return Ok(()),
            (None, Found::Another) => self.replaced(),
            (None, Found::Emptied) => {
                format!(
                    "the file {path} was emptied: stop this service, {}, put the last backup in its place, and start it again",
                    away()
                )
            }
            (None, Found::Overwritten) => format!(
                "another file was copied over {path}: stop this service, {}, put the last backup in its place once more, and \
                 start it again",
                away()
            ),
            (None, Found::Nothing) => format!(
                "the file {path} is gone: put it back, moved and not copied, and acts go on; or stop this service, {}, put a \
                 backup there and start it again",
                away()
            ),
            (None, Found::Without(beside)) => format!(
                "the file {} was taken away or replaced: stop this service, which has kept what was in it and writes it \
                 into {path}, and start it again",
                beside.display()
            ),
            (None, Found::Unknown(error)) => format!("the file {path} cannot be looked at: {error}"),
        };
        Err(StoreError::Unavailable(why))
    }

    /// Whether the file has lost its content: nothing may be written into what is there now.
    pub(super) fn has_lost_content(&self) -> bool {
        matches!(self.found(), Found::Emptied | Found::Overwritten)
    }

    /// Whether there is no file at the path any more.
    pub(super) fn is_missing(&self) -> bool {
        matches!(self.found(), Found::Nothing | Found::Unknown(_))
    }

    fn found(&self) -> Found {
        let Some(opened) = self.identity else { return Found::TheFile };
        match fs::metadata(&self.path) {
            Ok(meta) if identity(&meta) == opened && meta.len() == 0 => Found::Emptied,
            Ok(meta) if identity(&meta) == opened && self.has_log && has_no_log(&self.path) => Found::Overwritten,
            Ok(meta) if identity(&meta) == opened => self.missing_beside().map_or(Found::TheFile, Found::Without),
            Ok(_) => Found::Another,
            Err(error) if error.kind() == ErrorKind::NotFound => Found::Nothing,
            Err(error) => Found::Unknown(error),
        }
    }

    fn missing_beside(&self) -> Option<PathBuf> {
        let is_there = |path: &Path, opened| fs::metadata(path).is_ok_and(|meta| identity(&meta) == opened);
        let missing = self.beside.get()?.iter().find(|(path, opened)| !is_there(path, *opened));
        missing.map(|(path, _)| path.clone())
    }

    fn replaced(&self) -> String {
        let path = self.path.display();
        format!(
            "{path} is another file than the one that was opened: stop it, {} if they are still there, and start this \
             service again to use it",
            move_log_away(&path)
        )
    }

    async fn check_damage(&self) {
        let met = damage_met();
        if !self.is_unchecked() || self.damage.get().is_some() {
            return;
        }
        if let Some(damage) = self.first_damage().await {
            let path = self.path.display();
            let _ = self.damage.set(format!("the file {path} is damaged ({damage}): {}", how_to_recover(&path)));
        }
        self.checked.store(met, Ordering::Relaxed);
    }

    /// Whether a statement has met damage since the file was last checked.
    fn is_unchecked(&self) -> bool {
        self.checked.load(Ordering::Relaxed) != damage_met()
    }

    /// The first thing that is wrong with the file. Indexes are compared with their tables: an act that finds an entry missing would
    /// fail again and again. It is read over a connection of its own, and acts go on meanwhile.
    async fn first_damage(&self) -> Option<String> {
        // A new connection would delete the write-ahead log, which has what was last written, or add to it.
        if self.has_lost_content() {
            return None;
        }
        let checked = async {
            let mut connection = self.options.connect().await?;
            let first: String = sqlx::query_scalar("PRAGMA integrity_check(1)").fetch_one(&mut connection).await?;
            connection.close().await?;
            Ok(first)
        };
        match checked.await {
            Ok(first) if first == "ok" => None,
            // One line in the log.
            Ok(first) => Some(first.replace('\n', ": ")),
            Err(error) if is_damage(&error) => Some(sqlx::Error::to_string(&error)),
            // It could not be checked, for another reason: the next statement that meets damage asks again.
            Err(_) => None,
        }
    }
}

/// Device and inode of a file, as the database itself remembers them: a restored copy has others.
pub(super) fn stored_identity(file: &Path) -> String {
    fs::metadata(file).map_or_else(|_| "memory".into(), |meta| format!("{}:{}", meta.dev(), meta.ino()))
}

fn identity(meta: &Metadata) -> (u64, u64) {
    (meta.dev(), meta.ino())
}

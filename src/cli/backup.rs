//! `backup`: a consistent copy of the database while the service runs.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Read, Seek};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use tempfile::TempDir;
use tokio::time::sleep;

use super::BackupArgs;
use crate::config::Config;
use crate::print::line;
use crate::serve::shutdown_signal;
use crate::store::{Store, StoreError};

/// How the name of the folder begins in which a copy is made.
const FOLDER_PREFIX: &str = ".backup-";
/// Name of the copy in that folder.
const UNFINISHED: &str = "unfinished";
/// Name of the journal that SQLite may have beside it.
const UNFINISHED_JOURNAL: &str = "unfinished-journal";
/// Attempts to remove that folder while something is written into it.
const REMOVALS: u32 = 10;

/// Parts of a database URL that only this program understands.
const OWN_PARAMETERS: [&str; 1] = ["statement-cache-capacity"];

/// Interval of checking whether `pg_dump` has ended.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Most bytes of its complaints that are shown.
const MAX_WORDS: u64 = 4096;

/// Copies the configured database to the file: a SQLite file, or an archive of `pg_dump`. The file appears, or is
/// replaced, when it is complete.
///
/// # Errors
/// When the database cannot be read or the file cannot be written. The file is then as it was.
pub async fn run(config: &Config, args: BackupArgs) -> anyhow::Result<()> {
    let url = config.direct_database_url();
    let copied = async {
        let copy = Copy::beside(&args.file)?;
        match Store::file_of(url) {
            Some(database) => {
                refuse_itself(&database, &args.file)?;
                Store::backup_file(url, &copy.file()).await.map_err(|error| copy.explain(error))?;
            }
            None => pg_dump(url, &copy.file()).await?,
        }
        copy.publish(&args.file)
    };
    let bytes = tokio::select! {
        // The signals come first: they are handled before there is anything to tidy up.
        biased;
        _ = shutdown_signal() => bail!("interrupted; {} is as it was", args.file.display()),
        bytes = copied => bytes?,
    };
    line!("{} holds the database as of now: {bytes} bytes", args.file.display());
    Ok(())
}

/// A copy that is being made, beside the file that it becomes; removed unless it does.
struct Copy {
    /// A folder of its own, since SQLite may write a journal beside the copy: both go with it.
    own: TempDir,
    /// Locked while the copy is being made, so that no other `backup` takes it for abandoned.
    _lock: File,
    folder: PathBuf,
}

impl Copy {
    fn beside(file: &Path) -> anyhow::Result<Copy> {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        ensure!(
            !file.exists() || file.is_file(),
            "{} is not a file; give the name of the copy, such as members.backup",
            file.display()
        );
        remove_abandoned(folder);
        let unwritable = || format!("cannot write in {}", folder.display());
        // Readable by its owner alone.
        let own = tempfile::Builder::new()
            .prefix(FOLDER_PREFIX)
            .permissions(Permissions::from_mode(0o700))
            .tempdir_in(folder)
            .with_context(unwritable)?;
        let lock = File::open(own.path()).with_context(unwritable)?;
        // On a file system without locks nobody can lock it, and so nobody takes it for abandoned.
        let _ = lock.lock();
        let copy = Copy { own, _lock: lock, folder: folder.to_owned() };
        OpenOptions::new().write(true).create_new(true).mode(0o600).open(copy.file()).with_context(unwritable)?;
        Ok(copy)
    }

    /// The copy so far.
    fn file(&self) -> PathBuf {
        self.own.path().join(UNFINISHED)
    }

    /// The error of the database, with the folder when the copy cannot be written there.
    fn explain(&self, error: StoreError) -> anyhow::Error {
        match error {
            StoreError::CopyUnwritable(_) => {
                anyhow::Error::new(error).context(format!("cannot write in {}", self.folder.display()))
            }
            error => error.into(),
        }
    }

    /// Gives the copy its name when it is on the disk. Answers its size in bytes.
    fn publish(self, file: &Path) -> anyhow::Result<u64> {
        let copied = File::open(self.file())?;
        copied.sync_all()?;
        let bytes = copied.metadata()?.len();
        fs::rename(self.file(), file).with_context(|| format!("cannot write {}", file.display()))?;
        File::open(&self.folder)?.sync_all()?;
        Ok(bytes)
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        // A copy that is interrupted goes on in SQLite's thread, which may make its journal while the folder is emptied.
        for _ in 0..REMOVALS {
            let removed = fs::remove_dir_all(self.own.path());
            if !removed.is_err_and(|error| error.kind() == io::ErrorKind::DirectoryNotEmpty) {
                break;
            }
        }
    }
}

/// Removes the copies in this folder that a `backup` left when it was killed or the power failed: nobody holds their lock.
fn remove_abandoned(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_copy = entry.file_name().to_string_lossy().starts_with(FOLDER_PREFIX) && path.join(UNFINISHED).is_file();
        if is_copy
            && let Ok(lock) = File::open(&path)
            && lock.try_lock().is_ok()
        {
            // What is not ours stays, and the folder with it.
            let _ = fs::remove_file(path.join(UNFINISHED));
            let _ = fs::remove_file(path.join(UNFINISHED_JOURNAL));
            let _ = fs::remove_dir(&path);
        }
    }
}

/// Refuses the database itself and the files that belong to it as the name of the copy.
fn refuse_itself(database: &Path, file: &Path) -> anyhow::Result<()> {
    for suffix in ["", "-wal", "-shm", "-journal"] {
        let mut own = database.as_os_str().to_owned();
        own.push(suffix);
        let is_same = match (fs::canonicalize(&own), fs::canonicalize(file)) {
            (Ok(own), Ok(file)) => own == file,
            _ => false,
        };
        ensure!(!is_same, "{} is the database itself; give another name to the copy", file.display());
    }
    Ok(())
}

async fn pg_dump(url: &str, to: &Path) -> anyhow::Result<()> {
    // libpq would take the first host that answers: a standby may lack the newest acts, and an old primary has another history.
    let (url, password) = for_libpq(url, Store::primary_of_several(url).await?)?;
    let mut command = Command::new("pg_dump");
    command.args(["--format=custom", "--no-owner", "--no-privileges", "--no-unlogged-table-data", "--no-password"]);
    command.arg("--file").arg(to).arg("--dbname").arg(url).stdin(Stdio::null());
    if let Some(password) = password {
        // Everybody on this machine can read a process's arguments, but not its environment.
        command.env("PGPASSWORD", password);
    }
    let mut stderr = tempfile::tempfile()?;
    let mut running = match command.stderr(stderr.try_clone()?).spawn() {
        Ok(child) => Running(child),
        Err(error) if error.kind() == io::ErrorKind::NotFound => bail!(
            "pg_dump is not installed: PostgreSQL is copied by its own program (Debian package postgresql-client, of the \
             server's version or later)"
        ),
        Err(error) => return Err(error).context("pg_dump cannot be started"),
    };
    let status = loop {
        match running.0.try_wait()? {
            Some(status) => break status,
            None => sleep(POLL_INTERVAL).await,
        }
    };
    let mut words = String::new();
    stderr.rewind()?;
    stderr.take(MAX_WORDS).read_to_string(&mut words)?;
    // One that a signal has ended, as the limit of a file's size does, says nothing.
    let why = if words.trim().is_empty() { status.to_string() } else { words.trim().to_owned() };
    ensure!(status.success(), "pg_dump failed: {why}");
    Ok(())
}

/// A process that ends with us.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The URL of a database as libpq understands it, with this host and port in place of its own, and the password that was in it.
fn for_libpq(url: &str, at: Option<(String, u16)>) -> anyhow::Result<(String, Option<String>)> {
    let decode = |text: &str| percent_encoding::percent_decode_str(text).decode_utf8().map(String::from);
    let (scheme, rest) = url.split_once("://").context("--database-url is not the address of a PostgreSQL")?;
    let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (authority, path) = place.split_at(place.find('/').unwrap_or(place.len()));
    let (user, hosts) = authority.rsplit_once('@').map_or((None, authority), |(user, hosts)| (Some(user), hosts));
    let (user, mut password) = match user.map(|user| user.split_once(':').unwrap_or((user, ""))) {
        Some((user, "")) => (format!("{user}@"), None),
        Some((user, password)) => (format!("{user}@"), Some(decode(password)?)),
        None => (String::new(), None),
    };
    let mut kept: Vec<&str> = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        match pair.split_once('=').unwrap_or((pair, "")) {
            ("password", value) => password = Some(decode(value)?),
            (name, _) if OWN_PARAMETERS.contains(&name) => {}
            ("host" | "hostaddr" | "port", _) if at.is_some() => {}
            _ => kept.push(pair),
        }
    }
    let at = at.map(|(host, port)| format!("host={}&port={port}", utf8_percent_encode(&host, NON_ALPHANUMERIC)));
    let hosts = if at.is_some() { "" } else { hosts };
    kept.extend(at.as_deref());
    let query = if kept.is_empty() { String::new() } else { format!("?{}", kept.join("&")) };
    Ok((format!("{scheme}://{user}{hosts}{path}{query}"), password))
}

#[cfg(test)]
mod tests {
    use super::for_libpq;

    #[test]
    fn a_password_is_not_among_the_arguments() {
        for (url, expected, password) in [
            ("postgres://ada:p%40ss,word@one:6432,two/chat", "postgres://ada@one:6432,two/chat", Some("p@ss,word")),
            ("postgres://ada:p@ss@db/chat?sslmode=require", "postgres://ada@db/chat?sslmode=require", Some("p@ss")),
            (
                "postgresql:///chat?host=%2Frun&password=a%26b&statement-cache-capacity=0",
                "postgresql:///chat?host=%2Frun",
                Some("a&b"),
            ),
            ("postgres://db/chat", "postgres://db/chat", None),
            ("postgres://ada@db", "postgres://ada@db", None),
        ] {
            let (found, secret) = for_libpq(url, None).unwrap();
            assert_eq!((found.as_str(), secret.as_deref()), (expected, password), "{url}");
        }
    }

    #[test]
    fn of_several_hosts_the_primary_is_copied() {
        for (url, expected) in [
            (
                "postgres://ada@one:6432,two/chat?sslmode=require",
                "postgres://ada@/chat?sslmode=require&host=two&port=5432",
            ),
            ("postgresql:///chat?host=one,two&port=1,2", "postgresql:///chat?host=two&port=5432"),
        ] {
            assert_eq!(for_libpq(url, Some(("two".into(), 5432))).unwrap().0, expected);
        }
        let socket = for_libpq("postgres://one,two/chat", Some(("/run/pg".into(), 5432))).unwrap().0;
        assert_eq!(socket, "postgres:///chat?host=%2Frun%2Fpg&port=5432");
    }
}

//! `backup`: a consistent copy of the database while the service runs.

use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use tempfile::{NamedTempFile, TempPath};
use tokio::time::sleep;

use super::BackupArgs;
use crate::config::Config;
use crate::print::line;
use crate::serve::shutdown_signal;
use crate::store::Store;

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
    let copy = Copy::beside(&args.file)?;
    let copied = async {
        match Store::file_of(url) {
            Some(database) => {
                refuse_itself(&database, &args.file)?;
                Ok(Store::backup_file(url, &copy.temporary).await?)
            }
            None => pg_dump(url, &copy.temporary).await,
        }
    };
    tokio::select! {
        copied = copied => copied?,
        _ = shutdown_signal() => bail!("interrupted; {} is as it was", args.file.display()),
    }
    let bytes = copy.publish(&args.file)?;
    line!("{} holds the database as of now: {bytes} bytes", args.file.display());
    Ok(())
}

/// A copy that is being made, in the folder of the file that it becomes; removed unless it does.
struct Copy {
    temporary: TempPath,
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
        // Readable by its owner alone.
        let temporary = NamedTempFile::with_prefix_in(".backup-", folder)
            .with_context(|| format!("cannot write in {}", folder.display()))?;
        Ok(Copy { temporary: temporary.into_temp_path(), folder: folder.to_owned() })
    }

    /// Gives the copy its name when it is on the disk. Answers its size in bytes.
    fn publish(self, file: &Path) -> anyhow::Result<u64> {
        let copied = File::open(&self.temporary)?;
        copied.sync_all()?;
        let bytes = copied.metadata()?.len();
        self.temporary
            .persist(file)
            .map_err(|error| error.error)
            .with_context(|| format!("cannot write {}", file.display()))?;
        File::open(self.folder)?.sync_all()?;
        Ok(bytes)
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
    ensure!(status.success(), "pg_dump failed: {}", words.trim());
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

//! `doctor --mend`: keeps a copy of the rows it changes, then makes the safe repairs.

use std::path::{Path, PathBuf};

use super::progress::MendProgress;
use crate::clock::Clock;
use crate::config::Config;
use crate::domain::Guid;
use crate::membership::{self, ActError};
use crate::store::{Findings, Inspection, Store, repairs};

/// The checks whose repairs make anew what follows from other rows, or from the schema.
const MADE_ANEW: [&str; 3] = ["users-sort-key", "presence-reporter", "schema-index"];

/// The current folder, or the one of temporary files where this process may not write in it, as one of a service that has another
/// user's home as its current folder, or a root that is read-only.
fn writable_folder() -> PathBuf {
    if tempfile::tempfile_in(".").is_ok() { PathBuf::new() } else { std::env::temp_dir() }
}

/// Makes the safe repairs of these findings, and records each step.
///
/// # Errors
/// When the database takes no writes, or no copy of the old rows could be made: then nothing was changed.
pub(super) async fn run(config: &Config, findings: &[Findings], progress: &MendProgress) -> anyhow::Result<()> {
    let broken: Vec<&'static str> =
        findings.iter().filter(|found| found.total > 0).map(|found| found.check.name).collect();
    let has = |check: &str| broken.contains(&check);
    let another = ["schema-version", "schema-text", "schema-table", "schema-column"];
    if another.iter().any(|check| has(check)) || has("file-integrity") {
        anyhow::bail!(
            "nothing is mended in a schema of another version or in a damaged file: see the report of `doctor`"
        );
    }
    let of_rows = broken.iter().copied().filter(|check| !repairs(check).is_empty());
    let planned: Vec<&'static str> = of_rows.chain(MADE_ANEW.into_iter().filter(|check| has(check))).collect();
    if planned.is_empty() {
        progress.note("there is nothing that can be mended by itself");
        return Ok(());
    }
    let now = Clock::default().now();
    let mut inspection = Inspection::open_to_mend(config.direct_database_url(), now).await?;
    progress.plan(&inspection.location, &planned);
    let target = match inspection.is_postgres() {
        true => writable_folder().join(format!("chat-group-members.before-mend-{now}")).display().to_string(),
        false => format!("{}.before-mend-{now}", Path::new(&inspection.location).display()),
    };
    let changed: Vec<_> = planned.iter().flat_map(|check| repairs(check)).collect();
    let kept = inspection.keep_old(config.direct_database_url(), &target, &changed).await?;
    drop(inspection);
    progress.note(format!("what was before is kept in {kept}"));
    let store = Store::open_to_write(config.direct_database_url(), Clock::default()).await?;
    let everywhere = |()| Vec::new();
    for check in planned {
        progress.begin(check);
        let is_mended = match check {
            "users-sort-key" => is_made(check, membership::mend_sort_keys(&store).await.map(everywhere), progress),
            "presence-reporter" => {
                is_made(check, membership::mend_presence_reporter(&store).await.map(everywhere), progress)
            }
            "schema-index" => {
                let mended = membership::mend_indexes(&store, broken_indexes(findings)).await;
                is_made(check, mended.map(everywhere), progress)
            }
            _ => {
                let mut is_mended = false;
                for repair in repairs(check) {
                    is_mended |= is_made(check, membership::mend(&store, repair).await, progress);
                }
                is_mended
            }
        };
        progress.end(is_mended);
    }
    store.close().await;
    Ok(())
}

/// Whether a repair was made everywhere. Where it was not, the reason is noted.
fn is_made(check: &str, mended: Result<Vec<(Guid, ActError)>, ActError>, progress: &MendProgress) -> bool {
    match mended {
        Ok(left) if left.is_empty() => return true,
        Ok(left) => {
            for (guid, error) in left {
                progress.note(format!("{check}: could not be mended in group {guid}: {error}"));
            }
        }
        Err(error) => progress.note(format!("{check}: could not be mended: {error}")),
    }
    false
}

/// The names of the indexes that are missing or different.
fn broken_indexes(findings: &[Findings]) -> Vec<String> {
    let name = |detail: &str| detail.split(' ').nth(1).unwrap_or_default().to_owned();
    let found = findings.iter().filter(|found| found.check.name == "schema-index");
    found.flat_map(|found| &found.listed).map(|finding| name(&finding.detail)).collect()
}

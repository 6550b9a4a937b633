//! `doctor --mend`: keeps a copy of the rows it changes, then makes the safe repairs.

use std::path::Path;

use crate::clock::Clock;
use crate::config::Config;
use crate::domain::Guid;
use crate::membership::{self, ActError};
use crate::store::{Findings, Inspection, Store, repairs};

/// Makes the safe repairs of these findings, and reports each step. Returns the names of the checks whose repairs were made.
///
/// # Errors
/// When the database takes no writes, or no copy of the old rows could be made: then nothing was changed.
pub(super) async fn run(
    config: &Config,
    findings: &[Findings],
    mut report: impl FnMut(String),
) -> anyhow::Result<Vec<&'static str>> {
    let broken: Vec<&str> = findings.iter().filter(|found| found.total > 0).map(|found| found.check.name).collect();
    let repairs: Vec<_> = broken.iter().flat_map(|check| repairs(check)).collect();
    let has = |check: &str| broken.contains(&check);
    let another = ["schema-version", "schema-text", "schema-table", "schema-column"];
    if another.iter().any(|check| has(check)) || has("file-integrity") {
        anyhow::bail!(
            "nothing is mended in a schema of another version or in a damaged file: see the report of `doctor`"
        );
    }
    if repairs.is_empty() && !["users-sort-key", "presence-reporter", "schema-index"].iter().any(|check| has(check)) {
        report("there is nothing that can be mended by itself".into());
        return Ok(Vec::new());
    }
    let now = Clock::default().now();
    let mut inspection = Inspection::open_to_mend(config.direct_database_url(), now).await?;
    let target = match inspection.is_postgres() {
        true => format!("chat-group-members.before-mend-{now}"),
        false => format!("{}.before-mend-{now}", Path::new(&inspection.location).display()),
    };
    let kept = inspection.keep_old(config.direct_database_url(), &target, &repairs).await?;
    drop(inspection);
    report(format!("what was before is kept in {kept}"));
    let store = Store::open(config.direct_database_url(), Clock::default()).await?;
    let mut repaired = Vec::new();
    let mut said = |check: &'static str, mended: Result<Vec<(Guid, ActError)>, ActError>| match mended {
        Ok(left) if left.is_empty() => {
            if !repaired.contains(&check) {
                repaired.push(check);
            }
        }
        Ok(left) => {
            for (guid, error) in left {
                report(format!("{check}: could not be mended in group {guid}: {error}"));
            }
        }
        Err(error) => report(format!("{check}: could not be mended: {error}")),
    };
    let everywhere = |()| Vec::new();
    for repair in repairs {
        said(repair.check, membership::mend(&store, repair).await);
    }
    if has("users-sort-key") {
        said("users-sort-key", membership::mend_sort_keys(&store).await.map(everywhere));
    }
    if has("presence-reporter") {
        said("presence-reporter", membership::mend_presence_reporter(&store).await.map(everywhere));
    }
    if let Some(found) = findings.iter().find(|found| found.check.name == "schema-index" && found.total > 0) {
        let name = |detail: &str| detail.split(' ').nth(1).unwrap_or_default().to_owned();
        let names = found.listed.iter().map(|finding| name(&finding.detail)).collect();
        said("schema-index", membership::mend_indexes(&store, names).await.map(everywhere));
    }
    Ok(repaired)
}

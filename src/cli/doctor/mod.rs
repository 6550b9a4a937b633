//! `doctor`: checks the configuration, the templates and the data, and reports what is wrong, about whom, and how to
//! mend it.
//!
//! `report.rs` prints it for people and for machines, `mend.rs` calls the repairs, and `progress.rs` records what they
//! have done.
//!
//! Not here: the checks of data (`store/inspect/`) and the repairs (`membership`). `docs/doctor.md` describes them
//! for operators.

mod mend;
mod progress;
mod report;

use std::process::ExitCode;

use self::progress::MendProgress;
use self::report::DoctorReport;
use super::DoctorArgs;
use super::signals::end_at_signal;
use crate::clock::Clock;
use crate::config::Config;
use crate::identity::Keys;
use crate::slots::{Folder, Slots as _};
use crate::store::{Findings, Inspection, StoreError};

/// The exit code when something is wrong.
const FINDINGS: u8 = 1;
/// Most findings of one check that a program reads. People read the first 20.
const LISTED_FOR_PROGRAMS: usize = 10_000;

/// Makes all checks and prints a report. Changes nothing without `--mend`; with it, it mends and checks again.
///
/// # Errors
/// When the database could not be looked at.
pub async fn run(config: &Config, args: &DoctorArgs) -> anyhow::Result<ExitCode> {
    let (progress, as_json) = (MendProgress::default(), args.json);
    let interrupted = progress.clone();
    end_at_signal(move || interrupted.print_interrupted(as_json))?;
    let mut report = DoctorReport::default();
    if args.mend {
        progress.start();
        if let Err(error) = inspect(config, &mut report, true).await {
            progress.finish();
            report.print(as_json, Some(&error.to_string()));
            return Err(error.into());
        }
        let mended = mend::run(config, &report.findings, &progress).await;
        report = DoctorReport::default();
        progress.notes().into_iter().for_each(|words| report.note(words));
        if let Err(error) = mended {
            report.wrong("mend", format!("{error:#}"));
        }
    }
    check_configuration(config, &mut report).await;
    check_templates(config, &mut report);
    let inspected = inspect(config, &mut report, as_json).await;
    if inspected.is_ok() {
        for check in progress.mended() {
            // A repair may cover a part of what its check finds.
            let is_left = report.findings.iter().any(|found| found.check.name == check && found.total > 0);
            report.note(format!("{check}: {}", if is_left { "not all of it could be mended" } else { "mended" }));
        }
    }
    progress.finish();
    let unseen = inspected.as_ref().err().map(ToString::to_string);
    report.print(as_json, unseen.as_deref());
    inspected?;
    Ok(if report.is_sound() { ExitCode::SUCCESS } else { ExitCode::from(FINDINGS) })
}

async fn check_configuration(config: &Config, report: &mut DoctorReport) {
    match config.require_viewer_key() {
        Err(error) => report.wrong("viewer-keys", format!("viewers: {error}")),
        Ok(()) => match Keys::from_config(config, Clock::default().now() / 1000).await {
            Ok(_) => report.ok("viewer keys can be read"),
            Err(error) => report.wrong("viewer-keys", format!("viewer keys: {error}")),
        },
    }
    if config.api_keys.is_empty() {
        report.note("no --api-key: the host's back end cannot use /v3");
    }
    if config.public_url.is_none() {
        report.note("no --public-url: URLs in fragments are root-relative, right for a path on the host's own origin");
    }
}

/// Renders each template with sample facts.
fn check_templates(config: &Config, report: &mut DoctorReport) {
    let Some(path) = &config.views else { return };
    match Folder::open(path) {
        Ok(folder) => {
            report.ok(format!("templates in {}: {}", path.display(), folder.names().len()));
            folder.faults().iter().for_each(|fault| report.wrong("templates", format!("template {fault}")));
        }
        Err(error) => report.wrong("templates", format!("{}: {error}", config.places.of("views"))),
    }
}

/// Checks the data. `for_programs`: lists as many findings as a program reads.
async fn inspect(config: &Config, report: &mut DoctorReport, for_programs: bool) -> Result<(), StoreError> {
    let mut inspection = Inspection::open(config.direct_database_url(), Clock::default().now()).await?;
    if for_programs {
        inspection = inspection.listing(LISTED_FOR_PROGRAMS);
    }
    report.location.clone_from(&inspection.location);
    if inspection.is_standby().await? {
        report.note("no host is a primary; a standby was inspected, which may lack the newest events, and has nothing of syncs that are on their way");
    }
    let findings = inspection.run().await?;
    // Without a table, or a column of one, the counts could not be read, and the findings would not be printed either.
    let needed = ["schema-table", "schema-column"];
    let has_tables = findings.iter().all(|found| !needed.contains(&found.check.name) || found.total == 0);
    if has_tables && findings.len() > 1 {
        report.counts = Some(inspection.counts().await?);
        if let Some(state) = inspection.move_state().await? {
            report.note(format!("the file is read-only: {state}; `move --cancel` makes it writable again"));
        }
    }
    let is_restored = |found: &Findings| found.total > 0 && found.check.mend.contains("restore a backup");
    if !inspection.is_postgres() && findings.iter().any(is_restored) {
        let file = &inspection.location;
        report.note(format!(
            "to restore a backup, stop the service, move {file}, {file}-wal and {file}-shm away, and put the backup in its place"
        ));
    }
    inspection.close().await?;
    report.findings = findings;
    Ok(())
}

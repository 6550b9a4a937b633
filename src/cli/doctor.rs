//! `doctor`: checks the configuration and the invariants of the data.

use std::collections::BTreeMap;

use anyhow::bail;

use crate::clock::Clock;
use crate::config::Config;
use crate::domain::{Guid, Member};
use crate::identity::Keys;
use crate::roster::{Filter, PageRange, Roster};
use crate::slots::{Folder, Slots as _};
use crate::store::Store;

/// Runs all checks and prints a report.
///
/// # Errors
/// When a check fails; the report says which.
pub async fn run(config: &Config) -> anyhow::Result<()> {
    let mut report = Report::default();
    check_configuration(config, &mut report).await;
    check_templates(config, &mut report);
    match Store::open(config.direct_database_url(), Clock::default()).await {
        Ok(store) => check_data(&store, &mut report).await?,
        Err(error) => report.wrong(format!("database: {error}")),
    }
    report.finish()
}

#[derive(Default)]
struct Report {
    faults: usize,
}

impl Report {
    fn ok(&self, words: impl AsRef<str>) {
        println!("ok     {}", words.as_ref());
    }

    fn note(&self, words: impl AsRef<str>) {
        println!("note   {}", words.as_ref());
    }

    fn wrong(&mut self, words: impl AsRef<str>) {
        self.faults += 1;
        println!("WRONG  {}", words.as_ref());
    }

    fn finish(self) -> anyhow::Result<()> {
        match self.faults {
            0 => Ok(()),
            1 => bail!("1 thing is wrong"),
            faults => bail!("{faults} things are wrong"),
        }
    }
}

async fn check_configuration(config: &Config, report: &mut Report) {
    match config.require_viewer_key() {
        Err(error) => report.wrong(format!("viewers: {error}")),
        Ok(()) => match Keys::from_config(config, Clock::default().now() / 1000).await {
            Ok(_) => report.ok("viewer keys can be read"),
            Err(error) => report.wrong(format!("viewer keys: {error}")),
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
fn check_templates(config: &Config, report: &mut Report) {
    let Some(path) = &config.views else { return };
    match Folder::open(path) {
        Ok(folder) => {
            report.ok(format!("templates in {}: {}", path.display(), folder.names().len()));
            folder.faults().iter().for_each(|fault| report.wrong(format!("template {fault}")));
        }
        Err(error) => report.wrong(error.to_string()),
    }
}

async fn check_data(store: &Store, report: &mut Report) -> anyhow::Result<()> {
    let mut reader = store.read().await?;
    let guids = reader.guids().await?;
    report.ok(format!("the database opens, epoch {}, groups: {}", store.epoch(), guids.len()));
    if let Some(state) = reader.move_state().await? {
        report.note(format!("the file is read-only: {state}; `move --cancel` makes it writable again"));
    }
    let mut sound = 0;
    for guid in &guids {
        let mut faults = reader.faults(guid).await?;
        faults.extend(roster_faults(&mut reader, guid, store.clock().now()).await?);
        match faults.is_empty() {
            true => sound += 1,
            false => faults.iter().for_each(|fault| report.wrong(format!("group {guid}: {fault}"))),
        }
    }
    report.ok(format!(
        "at most one owner, a dense log and a roster that equals the tables: {sound} of {} groups",
        guids.len()
    ));
    Ok(())
}

/// Compares the roster in memory with the tables it is loaded from.
async fn roster_faults(reader: &mut crate::store::Reader, guid: &Guid, now: i64) -> anyhow::Result<Vec<String>> {
    let mut faults = Vec::new();
    let Some(snapshot) = reader.snapshot(guid).await? else { return Ok(vec!["it is not there any more".into()]) };
    let stored: BTreeMap<String, _> =
        snapshot.members.iter().map(|member| (member.order().to_owned(), member.clone())).collect();
    let wrong_keys = snapshot.members.iter().filter(|member| !has_current_sort_key(member)).count();
    if wrong_keys > 0 {
        faults.push(format!(
            "{wrong_keys} sort keys do not fit their names (made by another version?): write those users again"
        ));
    }
    let roster = Roster::new(snapshot, now);
    let window = roster.window(&Filter::default(), &PageRange::default());
    if window.members.len() != stored.len() || !window.members.iter().zip(stored.values()).all(|(a, b)| a == b) {
        faults.push("its roster differs from its tables".into());
    }
    Ok(faults)
}

fn has_current_sort_key(member: &Member) -> bool {
    member.with_profile(member.name(), member.avatar(), member.seq).order() == member.order()
}

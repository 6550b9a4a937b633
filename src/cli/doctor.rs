//! `doctor`: what is wrong with the set-up and with the data, in words.

use std::collections::BTreeMap;

use anyhow::bail;

use crate::clock::Clock;
use crate::config::Config;
use crate::domain::{Guid, Member};
use crate::identity::Keys;
use crate::roster::{Filter, Roster, Span};
use crate::slots::{Folder, Slots as _};
use crate::store::Store;

/// Looks at everything and reports; fails when anything is wrong.
///
/// # Errors
/// When something is wrong: the report says what.
pub async fn run(config: &Config) -> anyhow::Result<()> {
    let mut report = Report::default();
    check_set_up(config, &mut report).await;
    check_templates(config, &mut report);
    match Store::open(&config.database_url, Clock::default()).await {
        Ok(store) => check_data(&store, &mut report).await?,
        Err(error) => report.bad(format!("database: {error}")),
    }
    report.close()
}

#[derive(Default)]
struct Report {
    faults: usize,
}

impl Report {
    fn good(&self, words: impl AsRef<str>) {
        println!("ok     {}", words.as_ref());
    }

    fn note(&self, words: impl AsRef<str>) {
        println!("note   {}", words.as_ref());
    }

    fn bad(&mut self, words: impl AsRef<str>) {
        self.faults += 1;
        println!("WRONG  {}", words.as_ref());
    }

    fn close(self) -> anyhow::Result<()> {
        match self.faults {
            0 => Ok(()),
            1 => bail!("1 thing is wrong"),
            faults => bail!("{faults} things are wrong"),
        }
    }
}

async fn check_set_up(config: &Config, report: &mut Report) {
    match config.require_viewer_key() {
        Err(error) => report.bad(format!("viewers: {error}")),
        Ok(()) => match Keys::from_config(config, Clock::default().now() / 1000).await {
            Ok(_) => report.good("viewer keys can be read"),
            Err(error) => report.bad(format!("viewer keys: {error}")),
        },
    }
    if config.api_keys.is_empty() {
        report.note("no --api-key: the host's back end cannot use /v3");
    }
    if config.public_url.is_none() {
        report.note("no --public-url: URLs in fragments are root-relative, right for a path on the host's own origin");
    }
}

/// Each template, tried on a made-up member.
fn check_templates(config: &Config, report: &mut Report) {
    let Some(path) = &config.views else { return };
    match Folder::open(path) {
        Ok(folder) => {
            report.good(format!("templates in {}: {}", path.display(), folder.names().len()));
            folder.faults().iter().for_each(|fault| report.bad(format!("template {fault}")));
        }
        Err(error) => report.bad(error.to_string()),
    }
}

async fn check_data(store: &Store, report: &mut Report) -> anyhow::Result<()> {
    let mut reader = store.read().await?;
    let guids = reader.guids().await?;
    report.good(format!("the database opens, epoch {}, groups: {}", store.epoch(), guids.len()));
    if let Some(state) = reader.move_state().await? {
        report.note(format!("the file is read-only: {state}; `move --cancel` makes it writable again"));
    }
    let mut sound = 0;
    for guid in &guids {
        let mut faults = reader.faults(guid).await?;
        faults.extend(roster_faults(&mut reader, guid, store.clock().now()).await?);
        match faults.is_empty() {
            true => sound += 1,
            false => faults.iter().for_each(|fault| report.bad(format!("group {guid}: {fault}"))),
        }
    }
    report
        .good(format!("one owner, a dense log and a roster that equals the tables: {sound} of {} groups", guids.len()));
    Ok(())
}

/// The roster as it would be in memory against the tables it is made from.
async fn roster_faults(reader: &mut crate::store::Reader, guid: &Guid, now: i64) -> anyhow::Result<Vec<String>> {
    let mut faults = Vec::new();
    let Some(snapshot) = reader.snapshot(guid).await? else { return Ok(vec!["it is not there any more".into()]) };
    let stored: BTreeMap<String, _> =
        snapshot.members.iter().map(|member| (member.order().to_owned(), member.clone())).collect();
    let wrong_keys = snapshot.members.iter().filter(|member| !sorts_as_named(member)).count();
    if wrong_keys > 0 {
        faults.push(format!(
            "{wrong_keys} sort keys do not fit their names (made by another version?): write those users again"
        ));
    }
    let roster = Roster::new(snapshot, now);
    let shown = roster.window(&Filter::default(), &Span::default());
    if shown.members.len() != stored.len() || !shown.members.iter().zip(stored.values()).all(|(a, b)| a == b) {
        faults.push("its roster differs from its tables".into());
    }
    Ok(faults)
}

fn sorts_as_named(member: &Member) -> bool {
    member.with_profile(member.name(), member.avatar(), member.seq).order() == member.order()
}

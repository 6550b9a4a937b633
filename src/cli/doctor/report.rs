//! The doctor's report, as lines for people and as JSON for machines.

use serde_json::{Value, json};

use crate::print::line;
use crate::store::{Finding, Findings, RowCounts};

/// The findings.
#[derive(Default)]
pub(super) struct DoctorReport {
    /// The file, or the hosts and the name of the database.
    pub(super) location: String,
    /// The numbers of rows, where they could be counted.
    pub(super) counts: Option<RowCounts>,
    /// Each check of the data, with its findings.
    pub(super) findings: Vec<Findings>,
    fine: Vec<String>,
    notes: Vec<String>,
    /// Problems outside the data: the check and a sentence.
    wrong: Vec<(&'static str, String)>,
}

impl DoctorReport {
    /// Adds a passed check.
    pub(super) fn ok(&mut self, words: impl Into<String>) {
        self.fine.push(words.into());
    }

    /// Adds what an operator may want to know.
    pub(super) fn note(&mut self, words: impl Into<String>) {
        self.notes.push(words.into());
    }

    /// Adds a problem outside the data.
    pub(super) fn wrong(&mut self, check: &'static str, words: impl Into<String>) {
        self.wrong.push((check, words.into()));
    }

    /// Whether nothing is wrong.
    pub(super) fn is_sound(&self) -> bool {
        self.total() == 0
    }

    fn total(&self) -> u64 {
        let skipped = self.findings.iter().filter(|found| found.skipped.is_some()).count();
        (self.wrong.len() + skipped) as u64 + self.findings.iter().map(|found| found.total).sum::<u64>()
    }

    /// Prints the report. `unseen`: why the database was not inspected.
    pub(super) fn print(&self, as_json: bool, unseen: Option<&str>) {
        if as_json {
            line!("{:#}", self.json(unseen));
        } else {
            self.print_lines(unseen);
        }
    }

    fn print_lines(&self, unseen: Option<&str>) {
        self.fine.iter().for_each(|words| line!("ok     {words}"));
        self.notes.iter().for_each(|words| line!("note   {words}"));
        for (_, words) in &self.wrong {
            line!("WRONG  {words}");
        }
        if unseen.is_some() {
            return;
        }
        if let Some(RowCounts { groups, deleted_groups, members, users, bans, events }) = self.counts {
            line!(
                "ok     {}: groups: {groups} (and {deleted_groups} deleted), members: {members}, users: {users}, bans: {bans}, events: {events}",
                self.location
            );
        }
        let made = self.findings.iter().filter(|found| found.skipped.is_none());
        let (sound, broken): (Vec<_>, Vec<_>) = made.partition(|found| found.total == 0);
        line!("ok     {} of {} checks of the data find nothing", sound.len(), self.findings.len());
        for found in broken {
            for Finding { group, uid, detail } in &found.listed {
                let of = [("group", group), ("user", uid)].into_iter().filter(|(_, id)| !id.is_empty());
                let of: Vec<_> = of.map(|(kind, id)| format!("{kind} {id}")).collect();
                let of = if of.is_empty() { String::new() } else { format!("{}: ", of.join(", ")) };
                line!("WRONG  {}: {of}{detail}", found.check.name);
            }
            if found.total > found.listed.len() as u64 {
                line!("WRONG  {}: and {} more", found.check.name, found.total - found.listed.len() as u64);
            }
            line!("       to mend it: {}", found.check.mend);
        }
        for found in &self.findings {
            if let Some(why) = &found.skipped {
                line!("WRONG  {} could not be checked: {why}", found.check.name);
            }
        }
        match self.total() {
            0 => line!("ok     nothing is wrong"),
            1 => line!("1 thing is wrong; docs/doctor.md says more"),
            total => line!("{total} things are wrong; docs/doctor.md says more"),
        }
    }

    fn json(&self, unseen: Option<&str>) -> Value {
        let finding = |found: &Finding| json!({"group": found.group, "uid": found.uid, "detail": found.detail});
        let check = |found: &Findings| {
            json!({
                "check": found.check.name,
                "total": found.total,
                "findings": found.listed.iter().map(finding).collect::<Vec<_>>(),
                "mend": found.check.mend,
                "skipped": found.skipped,
            })
        };
        let counts = self.counts.map(|counts| {
            json!({"groups": counts.groups, "deletedGroups": counts.deleted_groups, "members": counts.members,
                   "users": counts.users, "bans": counts.bans, "events": counts.events})
        });
        let setup: Vec<Value> =
            self.wrong.iter().map(|(check, detail)| json!({"check": check, "detail": detail})).collect();
        json!({
            "database": self.location,
            "sound": unseen.is_none() && self.is_sound(),
            "error": unseen,
            "total": self.total(),
            "counts": counts,
            "notes": self.notes,
            "setup": setup,
            "checks": self.findings.iter().map(check).collect::<Vec<_>>(),
        })
    }
}

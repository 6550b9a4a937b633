//! The checkers: each compares a promise with what was stored, received and shown.

use std::collections::{BTreeMap, HashMap};

use super::cast::{HOSTED, Place};
use super::notes::{Notes, Pages};
use super::viewers::Seen;
use super::writers::{Act, Outcome};

/// The result of a check.
pub struct Verdict {
    pub name: &'static str,
    pub sound: bool,
    pub words: String,
    pub examples: Vec<String>,
}

/// Everything that was stored.
#[derive(Default)]
pub struct Stored {
    /// By group and number: kind, who did it, when, and whom it touched with their scope after it.
    pub events: HashMap<String, BTreeMap<u64, Event>>,
    /// By group: everybody and their scope.
    pub members: HashMap<String, BTreeMap<String, i64>>,
    /// By group: whoever may not speak, and until when, seconds since the epoch.
    pub mutes: HashMap<String, BTreeMap<String, i64>>,
    /// By group: the number it is at.
    pub heads: HashMap<String, u64>,
    /// What should have ended by itself long ago, in words.
    pub overdue: Vec<String>,
}

pub struct Event {
    pub kind: String,
    pub by: String,
    pub at: i64,
    pub touched: Vec<(String, i64)>,
}

/// The events by which bans, mutes and scopes end by themselves. Nobody does them.
const ENDS: [&str; 3] = ["member_unbanned", "member_unmuted", "member_scope_changed"];

/// One entry of somebody's history: the number, the kind, the scope after it, who, and when.
type Step<'a> = (u64, &'a str, i64, &'a str, i64);

impl Stored {
    /// Everything that happened to everybody, in order; the import is the beginning and no step.
    fn histories(&self) -> HashMap<(&str, &str), Vec<Step<'_>>> {
        let mut histories: HashMap<(&str, &str), Vec<Step<'_>>> = HashMap::new();
        for (guid, events) in &self.events {
            for (seq, event) in events.iter().filter(|(_, event)| event.kind != "members_synced") {
                // The old owner is the other side of the same act.
                let meant = |scope: i64| event.kind != "owner_transferred" || scope == 3;
                for (uid, scope) in event.touched.iter().filter(|(_, scope)| meant(*scope)) {
                    let step = (*seq, event.kind.as_str(), *scope, event.by.as_str(), event.at);
                    histories.entry((guid, uid)).or_default().push(step);
                }
            }
        }
        histories
    }
}

/// Every acknowledged act has its event, once; nothing happened that nobody asked for. What was for a short time may have ended by itself,
/// once, wherever that stands among the acts.
pub fn acknowledged(stored: &Stored, acts: &[Act], notes: &Notes) {
    let histories = stored.histories();
    let mut asked: HashMap<(&str, &str), Vec<&Act>> = HashMap::new();
    for act in acts {
        asked.entry((act.guid, &act.target)).or_default().push(act);
    }
    for ((guid, uid), acts) in &asked {
        let history = histories.get(&(*guid, *uid)).into_iter().flatten();
        let (ends, history): (Vec<&Step<'_>>, Vec<&Step<'_>>) =
            history.partition(|(_, kind, _, by, _)| by.is_empty() && ENDS.contains(kind));
        let due = acts.iter().filter(|act| act.ends && act.outcome != Outcome::Refused).count();
        if ends.len() > due {
            notes.violation("stored", format!("{uid}: {due} were to end by themselves, stored are {ends:?}"));
        }
        notes.count("ends that came by themselves", ends.len() as u64);
        let mut history = history.into_iter().peekable();
        for act in acts {
            if let Some(seq) = act.seq {
                let event = stored.events.get(*guid).and_then(|events| events.get(&seq));
                let named = event.is_some_and(|event| {
                    event.kind == act.kind && event.touched.iter().any(|(touched, _)| touched == uid)
                });
                // What the front sent a second time, under the same key, is answered with a later number.
                let earlier = history.peek().is_some_and(|(at, kind, ..)| *kind == act.kind && *at < seq);
                if !named && !earlier {
                    let what = format!("{} of {uid} was answered as {seq} of {guid}", act.kind);
                    notes.violation("stored", format!("{what}, stored there is {:?}", event.map(|event| &event.kind)));
                }
            }
            let there = history
                .peek()
                .is_some_and(|(_, kind, scope, by, _)| (*kind, *scope, *by) == (act.kind, act.scope, act.by.as_str()));
            match act.outcome {
                Outcome::Acknowledged if there => drop(history.next()),
                Outcome::Unknown if there => drop(history.next()),
                Outcome::Acknowledged => {
                    let next = history.peek();
                    notes.violation(
                        "stored",
                        format!("{} of {uid} by {} (key {}) is not there; next is {next:?}", act.kind, act.by, act.key),
                    );
                }
                Outcome::Refused | Outcome::Unknown => {}
            }
        }
        for step in history {
            notes.violation(
                "stored",
                format!("{uid}: {step:?} is stored and nobody asked for it, or it is there twice"),
            );
        }
    }
    // The acts of the host are not recorded.
    let others = histories.iter().filter(|(who, _)| !HOSTED.contains(&who.0) && !asked.contains_key(*who));
    for ((guid, uid), history) in others {
        notes.violation("stored", format!("nobody acted on {uid} of {guid}: {history:?}"));
    }
}

/// What was for a time is over.
pub fn ended(stored: &Stored, notes: &Notes) {
    for what in &stored.overdue {
        notes.violation("ends", what.as_str());
    }
}

/// The numbers of every group are without a gap, up to the group's own.
pub fn dense(stored: &Stored, notes: &Notes) {
    for (guid, events) in &stored.events {
        let (first, last) = (events.keys().next().copied().unwrap_or(0), events.keys().last().copied().unwrap_or(0));
        let head = stored.heads.get(guid).copied().unwrap_or(0);
        if events.len() as u64 != last - first + 1 || last != head {
            notes.violation(
                "log",
                format!("{guid}: {} events from {first} to {last}, the group is at {head}", events.len()),
            );
        }
    }
}

/// Every event that a viewer received is stored, and nobody received one from a time in which they were out.
pub fn received(stored: &Stored, seen: &[Seen], notes: &Notes) {
    let histories = stored.histories();
    for Seen { spec, received, .. } in seen {
        let Some(events) = stored.events.get(spec.guid) else { continue };
        let empty = Vec::new();
        let absences = absences(histories.get(&(spec.guid, spec.uid.as_str())).unwrap_or(&empty));
        for message in received {
            let Some(event) = events.get(&message.seq) else {
                notes.violation(
                    "received",
                    format!("{} was told {} of {}, which is not stored", spec.uid, message.seq, spec.guid),
                );
                continue;
            };
            let other_kind = message.kind.as_ref().is_some_and(|kind| *kind != event.kind && kind != "resync");
            let other_uid =
                message.uid.as_ref().is_some_and(|uid| !event.touched.iter().any(|(touched, _)| touched == uid));
            if other_kind || other_uid {
                let received = format!("{:?} of {:?}", message.kind, message.uid);
                notes.violation(
                    "received",
                    format!("{} was told {received} as {}, stored is {}", spec.uid, message.seq, event.kind),
                );
            }
            for (out, back, back_at) in &absences {
                // Clocks differ a little: what came less than 500 ms before the return is no violation.
                if message.seq > *out && message.seq < *back && message.at + 500 < *back_at {
                    let until = if *back == u64::MAX { "for good".into() } else { format!("until {back}") };
                    notes.violation(
                        "revoked",
                        format!("{}, out from {out} {until}, was told {}", spec.uid, message.seq),
                    );
                }
            }
        }
        notes.count("messages checked", received.len() as u64);
    }
}

/// From which number to which somebody was out, and when they were back.
fn absences(history: &[Step<'_>]) -> Vec<(u64, u64, i64)> {
    let (mut absences, mut out) = (Vec::new(), None);
    for (seq, _, scope, _, at) in history {
        match (scope, out) {
            (-1, None) => out = Some(*seq),
            (0.., Some(since)) => {
                absences.push((since, *seq, *at));
                out = None;
            }
            _ => {}
        }
    }
    absences.extend(out.map(|since| (since, u64::MAX, i64::MAX)));
    absences
}

/// Every node lists what is stored, with one owner.
pub fn listed(stored: &Stored, place: &Place, node: usize, csv: &str, notes: &Notes) {
    let scope = |word: &str| ["participant", "moderator", "admin", "owner"].iter().position(|scope| *scope == word);
    let rows = csv.lines().skip(1).filter_map(|line| {
        let mut columns = line.split(',');
        let (uid, _name, word) = (columns.next()?, columns.next()?, columns.next()?);
        Some((uid.to_owned(), scope(word).map_or(-1, |scope| scope as i64)))
    });
    let listed: BTreeMap<String, i64> = rows.collect();
    let owners = listed.values().filter(|scope| **scope == 3).count();
    if owners != 1 {
        notes.violation("owners", format!("node {node} lists {owners} owners of {}", place.guid));
    }
    let members = stored.members.get(place.guid).cloned().unwrap_or_default();
    if listed != members {
        let differs = members.iter().find(|(uid, scope)| listed.get(*uid) != Some(scope));
        let surplus = listed.keys().find(|uid| !members.contains_key(*uid));
        notes.violation(
            "lists",
            format!("node {node}, {}: {differs:?} is stored otherwise, {surplus:?} is not", place.guid),
        );
    }
}

/// The longest that acts needed to succeed again after the database was back, in seconds, by fault.
pub fn recoveries(pages: &Pages) -> Vec<(String, f64)> {
    if pages.acknowledged.is_empty() {
        return Vec::new();
    }
    let ended = pages.faults.iter().filter(|fault| fault.name.starts_with("db-") && fault.name != "db-rebuild");
    ended
        .filter_map(|fault| {
            let to = fault.to?;
            // Failures after the next fault has begun are not counted against this one.
            let others = pages
                .faults
                .iter()
                .filter(|other| other.name != "db-rebuild" && other.name.starts_with("db-") && other.from >= to);
            let until = others.map(|other| other.from).fold(f64::MAX, f64::min);
            let next = pages.acknowledged.iter().map(|(at, _)| *at).filter(|at| *at > to).fold(f64::MAX, f64::min);
            Some((format!("{} at {:.0} s", fault.name, fault.from), next.min(until) - to))
        })
        .collect()
}

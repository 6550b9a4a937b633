//! A copy of who is in which group, kept as a host keeps one: from webhooks, to which the mirror adds the people of large
//! synchronisations, and anew from snapshots when a history of events was lost.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::Value;

use super::checks::Stored;
use super::notes::Notes;

/// The copy.
#[derive(Default)]
pub struct Copy {
    /// The history of events that it follows.
    epoch: Option<String>,
    /// Histories that have ended.
    past: HashSet<String>,
    groups: HashMap<String, Group>,
    /// The ids of the webhooks that were applied.
    applied: HashSet<String>,
    /// Who was erased, by group and uid, up to which event.
    erased: HashMap<(String, String), u64>,
    /// The id of each event, by history, group and number.
    ids: HashMap<(String, String, u64), String>,
}

/// A group as the webhooks describe it.
#[derive(Default)]
struct Group {
    /// The number of the last event received; `None` when a snapshot found no such group.
    at: Option<u64>,
    /// Events up to this one are in a snapshot.
    snapshot: u64,
    members: BTreeMap<String, Member>,
    /// Who may not speak, also of people who left.
    mutes: BTreeMap<String, Mute>,
}

/// A mute in a group.
#[derive(Clone, Copy)]
struct Mute {
    /// Seconds since the epoch.
    until: i64,
    /// The number of the event that set it.
    since: u64,
}

/// Somebody in a group.
#[derive(Clone, Copy)]
struct Member {
    /// As it is stored.
    scope: i64,
    /// The number of the event that set it.
    since: u64,
}

/// Somebody and their scope as it is stored; -1 for outside.
pub type Person = (String, i64);
/// Whoever may not speak, and until when, seconds since the epoch.
pub type Muted = (String, i64);

/// A snapshot of a group.
pub struct Snapshot {
    /// The number it stands at.
    pub seq: u64,
    pub members: Vec<Person>,
    pub mutes: Vec<Muted>,
}

impl Copy {
    /// Applies a webhook as the receiver wrote it down: `true` when another history of events began, so that snapshots
    /// are needed before the next webhook.
    pub fn apply(&mut self, line: &Value, notes: &Notes) -> bool {
        if let Some(why) = line["refused"].as_str() {
            notes.violation("mirror", format!("a webhook that cannot be verified: {why}"));
        }
        let (id, event) = (line["id"].as_str().unwrap_or_default(), &line["event"]);
        let (kind, data) = (event["type"].as_str().unwrap_or_default(), &event["data"]);
        match kind {
            "log.restarted" => data["epoch"].as_str().is_some_and(|epoch| self.is_new(epoch)),
            "user.deleted" => {
                self.forget(data);
                false
            }
            _ => self.apply_event(id, kind, data, notes),
        }
    }

    /// Removes somebody who was erased. Webhooks delivered later name the pseudonym, or still the uid when they were
    /// already on their way. Whoever came under the same uid after the erasure stays.
    fn forget(&mut self, data: &Value) {
        let uid = data["uid"].as_str().unwrap_or_default();
        for (guid, position) in data["positions"].as_object().into_iter().flatten() {
            let position = position.as_u64().unwrap_or(0);
            let erased = self.erased.entry((guid.clone(), uid.to_owned())).or_default();
            *erased = position.max(*erased);
            if let Some(group) = self.groups.get_mut(guid) {
                group.members.retain(|of, member| of != uid || member.since > position);
                group.mutes.retain(|of, mute| of != uid || mute.since > position);
            }
        }
    }

    /// Applies an event of a group; answers as `apply` does.
    fn apply_event(&mut self, id: &str, kind: &str, data: &Value, notes: &Notes) -> bool {
        let (Some(epoch), Some(guid), Some(seq)) =
            (data["epoch"].as_str(), data["group"]["guid"].as_str(), data["seq"].as_u64())
        else {
            return false;
        };
        let place = (epoch.to_owned(), guid.to_owned(), seq);
        let first = self.ids.entry(place).or_insert_with(|| id.to_owned());
        if first != id {
            notes.violation("mirror", format!("{guid} {seq} of {epoch} came as {first} and as {id}"));
        }
        if self.past.contains(epoch) {
            notes.count("webhooks of lost histories", 1);
            return false;
        }
        let current = self.epoch.get_or_insert_with(|| epoch.to_owned());
        if current != epoch {
            return true;
        }
        if !self.applied.insert(id.to_owned()) {
            notes.count("webhooks delivered again", 1);
            return false;
        }
        let group = self.groups.entry(guid.to_owned()).or_insert_with(|| Group { at: Some(0), ..Group::default() });
        if seq <= group.snapshot {
            return false;
        }
        if group.at.is_some_and(|at| seq != at + 1) {
            notes.violation("mirror", format!("{guid}: {kind} {seq} came after {:?}", group.at));
        }
        group.at = Some(seq);
        if kind == "group.deleted" {
            group.members.clear();
            group.mutes.clear();
        }
        let erased = &self.erased;
        let is_erased = |uid: &str| erased.get(&(guid.to_owned(), uid.to_owned())).is_some_and(|last| seq <= *last);
        if let Some(uid) = data["member"]["uid"].as_str() {
            match (kind, until(&data["until"])) {
                ("member.muted", Some(until)) if !is_erased(uid) => {
                    group.mutes.insert(uid.to_owned(), Mute { until, since: seq });
                }
                ("member.unmuted", _) => drop(group.mutes.remove(uid)),
                _ => {}
            }
        }
        let one = [data["member"].clone()];
        for member in data["members"].as_array().map_or(&one[..], Vec::as_slice) {
            match person(member) {
                Some((uid, _)) if is_erased(&uid) => {}
                Some((uid, scope)) if scope < 0 => drop(group.members.remove(&uid)),
                Some((uid, scope)) => drop(group.members.insert(uid, Member { scope, since: seq })),
                None => {}
            }
        }
        false
    }

    /// Whether this history is neither the one it follows nor one that has ended.
    pub fn is_new(&self, epoch: &str) -> bool {
        self.epoch.as_deref() != Some(epoch) && !self.past.contains(epoch)
    }

    /// The groups of which an event was received.
    pub fn groups(&self) -> Vec<String> {
        self.groups.keys().cloned().collect()
    }

    /// Begins anew from the snapshots of all groups in one new history: the number and the members of each; `None` for a
    /// group that is not there.
    pub fn begin_anew(&mut self, epoch: String, snapshots: HashMap<String, Option<Snapshot>>) {
        self.past.extend(self.epoch.replace(epoch));
        for (guid, snapshot) in snapshots {
            let group = match snapshot {
                Some(Snapshot { seq, members, mutes }) => {
                    let member = |(uid, scope)| (uid, Member { scope, since: seq });
                    let mute = |(uid, until)| (uid, Mute { until, since: seq });
                    Group {
                        at: Some(seq),
                        snapshot: seq,
                        members: members.into_iter().map(member).collect(),
                        mutes: mutes.into_iter().map(mute).collect(),
                    }
                }
                None => Group::default(),
            };
            self.groups.insert(guid, group);
        }
    }

    /// Whether the last event of every group was received.
    pub fn has_all(&self, stored: &Stored) -> bool {
        stored.heads.iter().all(|(guid, head)| self.at(guid).is_none_or(|at| at == *head))
    }

    /// Notes a violation wherever the copy differs from what is stored.
    pub fn compare(&self, stored: &Stored, notes: &Notes) {
        let nobody = BTreeMap::new();
        for (guid, head) in &stored.heads {
            if let Some(at) = self.at(guid).filter(|at| at != head) {
                notes.violation("mirror", format!("{guid}: the last event heard is {at}, the group is at {head}"));
            }
            let copy: BTreeMap<String, i64> = self.groups.get(guid).map_or_else(BTreeMap::new, |group| {
                group.members.iter().map(|(uid, member)| (uid.clone(), member.scope)).collect()
            });
            let members = stored.members.get(guid).unwrap_or(&nobody);
            if copy != *members {
                let missing: Vec<_> = members.iter().filter(|(uid, scope)| copy.get(*uid) != Some(scope)).collect();
                let surplus: Vec<_> = copy.keys().filter(|uid| !members.contains_key(*uid)).collect();
                notes.violation("mirror", format!("{guid}: stored otherwise {missing:?}, not stored {surplus:?}"));
            }
            // Mutes of erased people are left out: later webhooks name the pseudonym.
            let named = |mutes: &mut dyn Iterator<Item = (&String, i64)>| -> BTreeMap<String, i64> {
                let named = mutes.filter(|(uid, _)| !uid.starts_with("erased-"));
                named.map(|(uid, until)| (uid.clone(), until)).collect()
            };
            let copied = self.groups.get(guid).into_iter().flat_map(|group| &group.mutes);
            let copied = named(&mut copied.map(|(uid, mute)| (uid, mute.until)));
            let mutes = named(&mut stored.mutes.get(guid).into_iter().flatten().map(|(uid, until)| (uid, *until)));
            if copied != mutes {
                notes.violation("mirror", format!("{guid}: the mutes heard of are {copied:?}, stored are {mutes:?}"));
            }
            notes.count("mutes compared with the mirror's", mutes.len() as u64);
        }
    }

    /// The number of the last event received of a group, 0 for none; `None` when that is not known.
    fn at(&self, guid: &str) -> Option<u64> {
        self.groups.get(guid).map_or(Some(0), |group| group.at)
    }
}

/// A moment as the service writes it, in seconds since the epoch.
pub fn until(moment: &Value) -> Option<i64> {
    moment.as_str()?.parse::<jiff::Timestamp>().ok().map(|moment| moment.as_second())
}

/// Somebody as a webhook or a snapshot names them. In snapshots the owner is an admin with `isOwner`.
pub fn person(member: &Value) -> Option<Person> {
    let words = ["participant", "moderator", "admin", "owner"];
    let scope = if member["isOwner"] == true { Some("owner") } else { member["scope"].as_str() };
    let place = scope.and_then(|scope| words.iter().position(|word| *word == scope));
    Some((member["uid"].as_str()?.to_owned(), place.map_or(-1, |place| place as i64)))
}

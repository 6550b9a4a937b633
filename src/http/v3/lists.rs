//! Lists of people in bodies, the original's (`admins`, `moderators`, `participants`,
//! `usersToBan`) and ours (`members`, who may be told of on the way).

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::body::JsonBody;
use super::error::Failure;
use crate::domain::{Guid, Scope, Uid};
use crate::membership::{Answers, BulkAdd, Entry, Placement};
use crate::store::BulkRow;

/// Most people in one call that answers for each of them. The original took 25.
const MANY: usize = 1000;
/// Latest time of joining: the last second of the year 9999. Later ones are milliseconds by mistake.
const LATEST: i64 = 253_402_300_799;

/// Who is listed, and in which list they are answered.
#[derive(Debug, Default)]
pub(super) struct Lists {
    people: BTreeMap<Uid, (&'static str, Entry)>,
    bans: BTreeSet<Uid>,
}

impl Lists {
    /// Takes the lists of a body. Of somebody listed twice the highest scope counts; `members`
    /// counts before the others, and a ban before everything.
    pub(super) fn take(fields: &mut JsonBody, with_bans: bool) -> Result<Lists, Failure> {
        let mut lists = Lists::default();
        for value in fields.list("members")?.into_iter().enumerate() {
            lists.add_entry(value)?;
        }
        for (name, scope) in
            [("admins", Scope::Admin), ("moderators", Scope::Moderator), ("participants", Scope::Participant)]
        {
            for uid in uids(fields, name)? {
                let entry = Entry {
                    placement: Placement { uid: uid.clone(), scope },
                    name: None,
                    avatar: None,
                    joined_at: None,
                };
                lists.people.entry(uid).or_insert((name, entry));
            }
        }
        if with_bans {
            lists.bans = uids(fields, "usersToBan")?.into_iter().collect();
            lists.people.retain(|uid, _| !lists.bans.contains(uid));
        }
        Ok(lists)
    }

    /// Who is listed, to be put in one by one; nobody as the owner.
    pub(super) fn intake(&self) -> Result<BulkAdd, Failure> {
        if self.people.len() + self.bans.len() > MANY {
            return Err(Failure::invalid("members", format!("at most {MANY} people in one call")));
        }
        let people: Vec<Entry> = self.people.values().map(|(_, entry)| entry.clone()).collect();
        if people.iter().any(|entry| entry.placement.scope == Scope::Owner) {
            return Err(Failure::invalid(
                "members",
                "the owner is made by PATCH /v3/groups/{guid}/owner, or named as the owner of a new group",
            ));
        }
        Ok(BulkAdd { people, bans: self.bans.iter().cloned().collect() })
    }

    /// Who is listed, as all who are to be members.
    pub(super) fn rows(self, owner: Option<Uid>) -> Vec<BulkRow> {
        let mut people = self.people;
        if let Some(uid) = owner {
            let placement = Placement { uid: uid.clone(), scope: Scope::Owner };
            let entry = Entry { placement, name: None, avatar: None, joined_at: None };
            // Somebody may be listed with a name and be the owner: that is one person.
            people.entry(uid).or_insert(("members", entry)).1.placement.scope = Scope::Owner;
        }
        let row = |(_, entry): (&str, Entry)| {
            let Entry { placement: Placement { uid, scope }, name, avatar, joined_at } = entry;
            BulkRow { uid, name, avatar, scope, joined_at }
        };
        people.into_values().map(row).collect()
    }

    /// The uids, when exactly one person is listed and nothing is told of them.
    pub(super) fn only_participant(&self) -> Option<&Uid> {
        let (uid, (_, entry)) = self.people.first_key_value()?;
        let plain = entry.placement.scope == Scope::Participant && !self.tells();
        (self.people.len() == 1 && self.bans.is_empty() && plain).then_some(uid)
    }

    /// Whether anything is told of anybody, which is the host's alone.
    pub(super) fn tells(&self) -> bool {
        self.people
            .values()
            .any(|(_, entry)| entry.name.is_some() || entry.avatar.is_some() || entry.joined_at.is_some())
    }

    /// The answer to each, in the list where they were.
    pub(super) fn answers(&self, guid: &Guid, answers: Answers) -> Value {
        let mut all = Map::new();
        for (uid, answer) in answers {
            let (list, data) = match self.people.get(&uid) {
                Some((list, entry)) => (
                    *list,
                    json!({"guid": guid.as_str(), "uid": uid.as_str(), "scope": entry.placement.scope.as_str()}),
                ),
                None => ("usersToBan", json!({"guid": guid.as_str(), "uid": uid.as_str()})),
            };
            let value = match answer {
                Ok(()) => json!({"success": true, "data": data}),
                Err(error) => json!({"success": false, "error": Failure::from(error).value()}),
            };
            if let Value::Object(list) = all.entry(list).or_insert_with(|| json!({})) {
                list.insert(uid.to_string(), value);
            }
        }
        Value::Object(all)
    }

    fn add_entry(&mut self, (place, value): (usize, Value)) -> Result<(), Failure> {
        let mut fields = JsonBody::of(format!("members[{place}]."), value)?;
        let (uid, name, avatar) = (fields.uid("uid")?, fields.name("name")?, fields.picture("avatar")?.flatten());
        let uid = fields.required("uid", uid)?;
        let scope = match fields.text("scope")? {
            None => Scope::Participant,
            Some(word) => {
                word.parse().map_err(|()| fields.invalid("scope", "one of owner, admin, moderator, participant"))?
            }
        };
        let joined_at = match fields.value("joinedAt") {
            None => None,
            Some(value) => {
                let seconds = value.as_i64().filter(|seconds| (0..=LATEST).contains(seconds));
                Some(seconds.ok_or_else(|| fields.invalid("joinedAt", "whole seconds since the epoch"))?)
            }
        };
        fields.end()?;
        let entry = Entry { placement: Placement { uid: uid.clone(), scope }, name, avatar, joined_at };
        if self.people.insert(uid, ("members", entry)).is_some() {
            return Err(Failure::invalid(&format!("members[{place}].uid"), "this person is listed twice"));
        }
        Ok(())
    }
}

fn uids(fields: &mut JsonBody, name: &str) -> Result<Vec<Uid>, Failure> {
    let read = |value: Value| value.as_str().and_then(|text| text.parse().ok());
    fields
        .list(name)?
        .into_iter()
        .map(|value| {
            read(value).ok_or_else(|| fields.invalid(name, "a list of uids (1 to 100 of A-Z, a-z, 0-9, _ and -)"))
        })
        .collect()
}

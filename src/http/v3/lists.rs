//! Lists of people in bodies, the original's (`admins`, `moderators`, `participants`,
//! `usersToBan`) and ours (`members`, who may be told of on the way).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::body::given;
use super::error::Failure;
use super::fields::Picture;
use crate::domain::{Guid, Name, Scope, Uid};
use crate::http::openapi::ErrorValue;
use crate::membership::{Answers, BulkAdd, Entry, Placement};
use crate::store::BulkRow;

/// Most people in one call that answers for each of them. The original took 25.
const MANY: usize = 1000;
/// Latest time of joining: the last second of the year 9999. Later ones are milliseconds by mistake.
const LATEST: i64 = 253_402_300_799;

/// One person of a list, and what the host tells of them on the way.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schema(as = Entry, example = json!({"uid": "dee", "scope": "moderator", "name": "Dee"}))]
pub(super) struct ListedPerson {
    uid: Uid,
    /// `participant` unless given; `owner` only in a full sync.
    scope: Option<Scope>,
    /// Makes the user known, or renames them.
    name: Option<Name>,
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<Picture>)]
    avatar: Option<Picture>,
    /// Seconds since the epoch.
    #[schema(minimum = 0, maximum = 253_402_300_799i64)]
    joined_at: Option<i64>,
}

/// For each list, what came of each uid in it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({"participants": {"dee": {"success": true, "data": {"guid": "park", "uid": "dee", "scope": "participant"}}}}))]
pub(super) struct Results(BTreeMap<&'static str, BTreeMap<Uid, ItemResult>>);

/// What came of one person.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ItemResult {
    success: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<ErrorValue>)]
    error: Option<Value>,
}

/// The lists of a body.
#[derive(Debug, Default)]
pub(super) struct Listed {
    pub members: Option<Vec<ListedPerson>>,
    pub admins: Option<Vec<Uid>>,
    pub moderators: Option<Vec<Uid>>,
    pub participants: Option<Vec<Uid>>,
    pub users_to_ban: Option<Vec<Uid>>,
}

/// Who is listed, and in which list they are answered.
#[derive(Debug, Default)]
pub(super) struct Lists {
    people: BTreeMap<Uid, (&'static str, Entry)>,
    bans: BTreeSet<Uid>,
}

impl Lists {
    /// Reads the lists of a body. Of somebody listed twice the highest scope counts; `members`
    /// counts before the others, and a ban before everything.
    pub(super) fn of(listed: Listed) -> Result<Lists, Failure> {
        let mut lists = Lists::default();
        for (place, person) in listed.members.unwrap_or_default().into_iter().enumerate() {
            lists.add_person(place, person)?;
        }
        for (name, scope, uids) in [
            ("admins", Scope::Admin, listed.admins),
            ("moderators", Scope::Moderator, listed.moderators),
            ("participants", Scope::Participant, listed.participants),
        ] {
            for uid in uids.unwrap_or_default() {
                let entry = Entry {
                    placement: Placement { uid: uid.clone(), scope },
                    name: None,
                    avatar: None,
                    joined_at: None,
                };
                lists.people.entry(uid).or_insert((name, entry));
            }
        }
        lists.bans = listed.users_to_ban.unwrap_or_default().into_iter().collect();
        lists.people.retain(|uid, _| !lists.bans.contains(uid));
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
    pub(super) fn answers(&self, guid: &Guid, answers: Answers) -> Results {
        let mut all: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
        for (uid, answer) in answers {
            let (list, data) = match self.people.get(&uid) {
                Some((list, entry)) => (
                    *list,
                    json!({"guid": guid.as_str(), "uid": uid.as_str(), "scope": entry.placement.scope.as_str()}),
                ),
                None => ("usersToBan", json!({"guid": guid.as_str(), "uid": uid.as_str()})),
            };
            let result = match answer {
                Ok(()) => ItemResult { success: true, data: Some(data), error: None },
                Err(error) => ItemResult { success: false, data: None, error: Some(Failure::from(error).value()) },
            };
            all.entry(list).or_default().insert(uid, result);
        }
        Results(all)
    }

    fn add_person(&mut self, place: usize, person: ListedPerson) -> Result<(), Failure> {
        let ListedPerson { uid, scope, name, avatar, joined_at } = person;
        if joined_at.is_some_and(|seconds| !(0..=LATEST).contains(&seconds)) {
            return Err(Failure::invalid(&format!("members[{place}].joinedAt"), "whole seconds since the epoch"));
        }
        let placement = Placement { uid: uid.clone(), scope: scope.unwrap_or(Scope::Participant) };
        let entry = Entry { placement, name, avatar: avatar.map(|url| url.0), joined_at };
        if self.people.insert(uid, ("members", entry)).is_some() {
            return Err(Failure::invalid(&format!("members[{place}].uid"), "this person is listed twice"));
        }
        Ok(())
    }
}

//! Lists of people in bodies, the original's (`admins`, `moderators`, `participants`, `usersToBan`) and ours (`members`,
//! with names and pictures), and the answers for each person in them.
//!
//! Not here: the paths whose bodies have such lists (`groups/`, `members/`).

mod action;
mod uid;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use self::action::ActionMessage;
pub(super) use self::uid::ListedUid;
use super::error::V3Error;
use super::records::{HostGroup, UserRecord};
use super::request::auth::Caller;
use super::request::body::{given, object_only};
use super::request::fields::Picture;
use crate::app::App;
use crate::domain::{InvalidId, MAX_JOINED_AT, Name, Scope, Uid};
use crate::http::openapi::ErrorValue;
use crate::live::LiveGroup;
use crate::membership::{AddList, AddListEntry, ListAnswers, Placement};
use crate::store::{Reader, StoreError, SyncRow, User};

/// Most people in one call that answers for each of them. The original took 25.
const MAX_PEOPLE: usize = 1000;
/// Largest body with a list of people, in bytes: it has room for the most people of one call, with names and pictures of usual
/// length, and for about 20,000 members of a sync.
pub(super) const LARGEST_LIST: usize = 1024 * 1024;

/// One person of a list, and what the host tells of them on the way.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields, rename_all = "camelCase")]
#[schema(as = Entry, example = json!({"uid": "dee", "scope": "moderator", "name": "Dee"}))]
pub(super) struct ListedPerson {
    uid: Uid,
    /// Unless given, `participant`; in a sync (`PUT`) the one that they have, and `participant` for somebody new. `owner` only in a sync.
    scope: Option<Scope>,
    /// Makes the user known, or renames them.
    name: Option<Name>,
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<Picture>)]
    avatar: Option<Picture>,
    /// Unix time, in seconds.
    #[schema(minimum = 0, maximum = 253_402_300_799i64)]
    joined_at: Option<i64>,
}

object_only!(ListedPerson);

/// For each list, what came of each uid in it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({"usersToBan": {"eve": {"success": true}}}))]
pub(super) struct Results(BTreeMap<&'static str, BTreeMap<String, ItemResult>>);

/// What came of each who is listed; of a user who joins, the group.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub(super) enum Added {
    Each(Results),
    Joined(Box<HostGroup>),
}

/// What came of one person.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ItemResult {
    success: bool,
    /// Of somebody who was put in.
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<ActionMessage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<ErrorValue>)]
    error: Option<Value>,
}

impl ItemResult {
    fn refused(error: &V3Error) -> ItemResult {
        ItemResult { success: false, data: None, error: Some(error.value()) }
    }
}

/// The lists of a body.
#[derive(Debug)]
pub(super) struct Listed<U> {
    pub members: Option<Vec<ListedPerson>>,
    pub admins: Option<Vec<U>>,
    pub moderators: Option<Vec<U>>,
    pub participants: Option<Vec<U>>,
    pub users_to_ban: Option<Vec<U>>,
}

/// Checks that at most one person is to own the group, as `owner` or by the scope of an entry.
///
/// # Errors
/// A refusal of the field that names a second owner.
pub(super) fn one_owner(owner: Option<&Uid>, members: &[ListedPerson]) -> Result<(), V3Error> {
    let mut first = owner;
    for (place, person) in members.iter().enumerate().filter(|(_, person)| person.scope == Some(Scope::Owner)) {
        if let Some(first) = first.replace(&person.uid).filter(|first| **first != person.uid) {
            let words = format!("{} would be a second owner: {first} is the first", person.uid);
            return Err(V3Error::invalid(&format!("members[{place}].scope"), words));
        }
    }
    Ok(())
}

impl<U> Listed<U> {
    fn len(&self) -> usize {
        let uids = [&self.admins, &self.moderators, &self.participants, &self.users_to_ban];
        let uids = uids.into_iter().flatten().map(Vec::len).sum::<usize>();
        uids + self.members.as_ref().map_or(0, Vec::len)
    }
}

/// One person of a body's lists.
#[derive(Debug)]
struct Entry {
    /// The list in which they are answered.
    list: &'static str,
    /// `None` where `members` leaves it out: what that means is for the call to say.
    scope: Option<Scope>,
    name: Option<Name>,
    avatar: Option<String>,
    /// Unix time, in seconds.
    joined_at: Option<i64>,
}

impl Entry {
    /// Somebody of whom no more is told than their scope.
    fn plain(list: &'static str, scope: Scope) -> Entry {
        Entry { list, scope: Some(scope), name: None, avatar: None, joined_at: None }
    }
}

/// Who is listed, and in which list they are answered.
#[derive(Debug, Default)]
pub(super) struct Lists {
    people: BTreeMap<Uid, Entry>,
    bans: BTreeSet<Uid>,
    /// Texts that are nobody's uid, with the list of each.
    malformed: BTreeMap<String, (&'static str, InvalidId)>,
    /// How many people the body lists, each as often as it does.
    sent: usize,
}

impl Lists {
    /// Reads the lists of a body. The highest scope of somebody listed twice counts; `members`
    /// counts before the others, and a ban after them.
    ///
    /// # Errors
    /// A refusal of the entry of `members` that is malformed, named by its place.
    pub(super) fn of(listed: Listed<impl Into<ListedUid>>) -> Result<Lists, V3Error> {
        let mut lists = Lists { sent: listed.len(), ..Lists::default() };
        for (place, person) in listed.members.unwrap_or_default().into_iter().enumerate() {
            lists.add_person(place, person)?;
        }
        for (name, scope, uids) in [
            ("admins", Scope::Admin, listed.admins),
            ("moderators", Scope::Moderator, listed.moderators),
            ("participants", Scope::Participant, listed.participants),
        ] {
            for uid in lists.well_formed(name, uids) {
                lists.people.entry(uid).or_insert(Entry::plain(name, scope));
            }
        }
        let banned = lists.well_formed("usersToBan", listed.users_to_ban).into_iter();
        lists.bans = banned.filter(|uid| !lists.people.contains_key(uid)).collect();
        Ok(lists)
    }

    /// The uids of the list of this name, without what is nobody's: that is kept to be answered.
    fn well_formed(&mut self, name: &'static str, listed: Option<Vec<impl Into<ListedUid>>>) -> Vec<Uid> {
        let mut uids = Vec::new();
        for entry in listed.unwrap_or_default() {
            let ListedUid(uid) = entry.into();
            match uid {
                Ok(uid) => uids.push(uid),
                Err((text, why)) => {
                    self.malformed.entry(text).or_insert((name, why));
                }
            }
        }
        uids
    }

    /// Who is listed, to be put in one by one; nobody as the owner, and as a participant where no scope is told.
    ///
    /// # Errors
    /// A refusal when the lists are too long, or name an owner.
    pub(super) fn to_add_list(&self) -> Result<AddList, V3Error> {
        if self.sent > MAX_PEOPLE {
            let words = format!("at most {MAX_PEOPLE} people in one call, repeated ones counted");
            return Err(V3Error::invalid("members", words));
        }
        if self.people.values().any(|entry| entry.scope == Some(Scope::Owner)) {
            return Err(V3Error::invalid(
                "members",
                "the owner is made by PATCH /v3/groups/{guid}/owner, or named as the owner of a new group",
            ));
        }
        let added = |(uid, entry): (&Uid, &Entry)| AddListEntry {
            placement: Placement { uid: uid.clone(), scope: entry.scope.unwrap_or(Scope::Participant) },
            name: entry.name.clone(),
            avatar: entry.avatar.clone(),
            joined_at: entry.joined_at,
        };
        let people = self.people.iter().map(added).collect();
        Ok(AddList { people, bans: self.bans.iter().cloned().collect() })
    }

    /// Who is listed, as all who are to be members; where no scope is told, with the one that they have.
    pub(super) fn rows(self, owner: Option<Uid>) -> Vec<SyncRow> {
        let mut people = self.people;
        if let Some(uid) = owner {
            // Somebody may be listed with a name and be the owner: that is one person.
            people.entry(uid).or_insert(Entry::plain("members", Scope::Owner)).scope = Some(Scope::Owner);
        }
        let row = |(uid, Entry { scope, name, avatar, joined_at, .. })| SyncRow { uid, name, avatar, scope, joined_at };
        people.into_iter().map(row).collect()
    }

    /// Whether anybody comes with a name, a picture or a time of joining, which only the host may give.
    pub(super) fn has_profiles(&self) -> bool {
        self.people.values().any(|entry| entry.name.is_some() || entry.avatar.is_some() || entry.joined_at.is_some())
    }

    /// Whether nobody is listed.
    pub(super) fn is_empty(&self) -> bool {
        self.people.is_empty() && self.bans.is_empty() && self.malformed.is_empty()
    }

    /// The answer to each, in the list where they were; `group` includes their events.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(super) async fn answers(
        &self,
        app: &App,
        caller: &Caller,
        group: &LiveGroup,
        answers: ListAnswers,
    ) -> Result<Results, V3Error> {
        // Before the snapshot, which has every event up to this number.
        let (head, now) = head_and_members(group);
        let mut reader = app.store().read().await?;
        let details = reader.group_details(group.guid()).await?.unwrap_or_default();
        let added: Vec<&str> = answers
            .iter()
            .filter(|(uid, of)| of.is_ok() && self.people.contains_key(*uid))
            .map(|(uid, _)| uid.as_str())
            .collect();
        let mut known: BTreeMap<String, User> =
            reader.users_of(&added).await?.into_iter().map(|user| (user.uid.to_string(), user)).collect();
        let by = match &caller.user {
            None => UserRecord::host(),
            Some(user) => match reader.user(user).await? {
                Some(user) => UserRecord::of(app, user),
                None => UserRecord::stranger(user.as_str(), user.as_str()),
            },
        };
        let times = times(&mut reader, group, &answers).await?;
        // Others may come and go at the same moment.
        let made: Vec<u64> = made(&answers).into_iter().collect();
        let counts = reader.members_after(group.guid(), &made, (head, now)).await?;
        let state = group.state();
        let owner = state.roster().owner().map(|owner| owner.uid());
        let mut all: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
        for (uid, answer) in answers {
            let list = self.people.get(&uid).map_or("usersToBan", |entry| entry.list);
            let result = match answer {
                Ok(seq) => {
                    let put_in = known.remove(uid.as_str()).filter(|_| list != "usersToBan");
                    let members = seq.and_then(|seq| counts.get(&seq).copied()).unwrap_or(now);
                    let record = HostGroup::listed(state.roster().group(), details.clone(), members, Some(owner));
                    let member = state.roster().get(uid.as_str());
                    let seq = seq.unwrap_or(member.map_or(0, |member| member.seq));
                    let at = times.get(&seq).copied().or(member.map(|member| member.joined_at));
                    let at = at.unwrap_or(app.clock().now() / 1000);
                    let data = put_in.map(|user| ActionMessage::added(seq, at, &by, UserRecord::of(app, user), record));
                    ItemResult { success: true, data, error: None }
                }
                Err(error) => ItemResult::refused(&V3Error::from(error)),
            };
            all.entry(list).or_default().insert(uid.to_string(), result);
        }
        for (text, (list, why)) in &self.malformed {
            let result = ItemResult::refused(&V3Error::nobodys_uid(*why));
            all.entry(*list).or_default().insert(text.clone(), result);
        }
        Ok(Results(all))
    }

    fn add_person(&mut self, place: usize, person: ListedPerson) -> Result<(), V3Error> {
        if let Err(error) = person.uid.clone().of_a_person() {
            return Err(V3Error::invalid(&format!("members[{place}].uid"), format!("{error}")));
        }
        let ListedPerson { uid, scope, name, avatar, joined_at } = person;
        if joined_at.is_some_and(|seconds| !(0..=MAX_JOINED_AT).contains(&seconds)) {
            return Err(V3Error::invalid(&format!("members[{place}].joinedAt"), "whole seconds since the epoch"));
        }
        let entry = Entry { list: "members", scope, name, avatar: avatar.map(|url| url.0), joined_at };
        if self.people.insert(uid, entry).is_some() {
            return Err(V3Error::invalid(&format!("members[{place}].uid"), "this person is listed twice"));
        }
        Ok(())
    }
}

/// The times of the events by which people were put in, in Unix seconds, by the numbers of the events. Events that the
/// log does not keep are left out.
async fn times(
    reader: &mut Reader,
    group: &LiveGroup,
    answers: &ListAnswers,
) -> Result<BTreeMap<u64, i64>, StoreError> {
    let made = made(answers);
    if let Some(last) = made.last() {
        // All that one request does has the time of its transaction.
        let at = reader.happened_at(group.guid(), *last).await?.map(|at| at / 1000);
        return Ok(made.into_iter().filter_map(|seq| Some((seq, at?))).collect());
    }
    // The answers to a repeated request have no numbers.
    let times = reader.times_of(group.guid(), &last_events(group, answers)).await?;
    Ok(times.into_iter().map(|(seq, at)| (seq, at / 1000)).collect())
}

/// The numbers of the events that the request made.
fn made(answers: &ListAnswers) -> BTreeSet<u64> {
    answers.values().filter_map(|answer| answer.as_ref().ok().copied().flatten()).collect()
}

/// The number of the last event that the group in memory includes, and of its members then.
fn head_and_members(group: &LiveGroup) -> (u64, u64) {
    let state = group.state();
    (state.last_id().seq, state.roster().len() as u64)
}

/// The last events about the members who are answered with a yes, each once.
fn last_events(group: &LiveGroup, answers: &ListAnswers) -> Vec<u64> {
    let state = group.state();
    let done = answers.iter().filter(|(_, answer)| answer.is_ok());
    let seqs: BTreeSet<u64> = done.filter_map(|(uid, _)| Some(state.roster().get(uid.as_str())?.seq)).collect();
    seqs.into_iter().collect()
}

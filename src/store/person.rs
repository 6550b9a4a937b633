//! A person and their relation to a group: user, membership and ban in one query.

use std::sync::LazyLock;

use super::connection::Connection;
use super::decode::{inconsistent, parse_scope, parse_uid};
use super::error::StoreError;
use super::insert::insert;
use super::pseudonym::Pseudonyms;
use super::query::fetch;
use super::table::{OnConflict, selected};
use super::tables::{MEMBERS, MemberValues, MembershipRow};
use super::tx::Tx;
use crate::domain::{Ban, Guid, Held, Member, Membership, PersonState, Restrictions, Standing, Uid};

/// A person and their relation to a group.
#[derive(Debug, Clone)]
pub struct Person {
    /// Who.
    pub uid: Uid,
    /// Their profile, when the host or a token has reported one.
    pub profile: Option<Profile>,
    /// The membership of a member.
    pub membership: Option<Membership>,
    /// The ban in force.
    pub ban: Option<Ban>,
}

/// What a user is shown as.
#[derive(Debug, Clone)]
pub struct Profile {
    /// The name as given.
    pub name: String,
    /// The picture, a URL.
    pub avatar: Option<String>,
    /// The key by which the name sorts.
    pub sort_key: String,
}

impl MembershipRow {
    /// The stored membership; `None` for somebody who is no member.
    ///
    /// # Errors
    /// [`StoreError::Inconsistent`] when no scope has the stored number.
    pub(super) fn decode(self) -> Result<Option<Membership>, StoreError> {
        let MembershipRow { scope: Some(scope), joined_at: Some(joined_at), seq: Some(seq) } = self else {
            return Ok(None);
        };
        Ok(Some(Membership { scope: parse_scope(scope)?, joined_at, seq: seq as u64 }))
    }
}

impl<'r> MemberValues<'r> {
    /// A member as they are stored.
    fn encode(guid: &'r Guid, member: &'r Member) -> MemberValues<'r> {
        let Membership { scope, joined_at, seq } = member.membership();
        MemberValues { guid: guid.as_str(), uid: member.uid(), scope: scope.number(), joined_at, seq: seq as i64 }
    }
}

impl Person {
    /// Their standing, by which the rules decide.
    pub fn standing(&self) -> Standing {
        match (&self.membership, &self.ban) {
            (Some(membership), _) => Standing::Member(membership.scope),
            (None, Some(_)) => Standing::Banned,
            (None, None) => Standing::Outside,
        }
    }

    /// All that an act can change about them.
    pub fn state(&self) -> PersonState {
        let held = self.membership.map(|Membership { scope, joined_at, .. }| Held { scope, joined_at });
        PersonState { held, restrictions: self.restrictions() }
    }

    /// What keeps them out.
    pub fn restrictions(&self) -> Restrictions {
        Restrictions { ban: self.ban.clone().map(|ban| Ban { name: None, ..ban }) }
    }

    /// The name, or the uid when no name is stored.
    pub fn name(&self) -> &str {
        self.profile.as_ref().map_or(self.uid.as_str(), |profile| &profile.name)
    }

    /// The member, if they are one.
    pub fn member(&self) -> Option<Member> {
        let Profile { name, avatar, sort_key } = self.profile.as_ref()?;
        Some(Member::new(&self.uid, name, sort_key, avatar.as_deref(), self.membership?))
    }
}

impl Tx<'_> {
    /// Inserts a membership, or changes it; only when it began stays as it is.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn upsert_member(&mut self, guid: &Guid, member: &Member) -> Result<(), StoreError> {
        /// The row may be a hidden one of a sync on its way.
        const JOINED_AT: &str = "CASE WHEN members.scope < 0 THEN excluded.joined_at ELSE members.joined_at END";
        static UPSERT: LazyLock<String> =
            LazyLock::new(|| MEMBERS.upsert(1, &[("joined_at", OnConflict::Set(JOINED_AT))]));
        insert(self.connection.reborrow(), &UPSERT, [MemberValues::encode(guid, member)]).await
    }

    /// Two people (or one, named twice) and their relation to the group.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn people(&mut self, guid: &Guid, first: &Uid, second: &Uid) -> Result<(Person, Person), StoreError> {
        people(self.connection.reborrow(), guid, (first, second), self.pseudonyms, self.now).await
    }

    /// These people and their relation to the group, in the same order.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn people_of(&mut self, guid: &Guid, uids: &[Uid]) -> Result<Vec<Person>, StoreError> {
        let mut people = Vec::with_capacity(uids.len());
        for pair in uids.chunks(2) {
            let (first, second) = self.people(guid, &pair[0], &pair[pair.len() - 1]).await?;
            people.push(first);
            people.extend((pair.len() > 1).then_some(second));
        }
        Ok(people)
    }

    /// One person and their relation to the group.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn person(&mut self, guid: &Guid, uid: &Uid) -> Result<Person, StoreError> {
        Ok(self.people(guid, uid, uid).await?.0)
    }
}

/// Two people (or one, named twice) and their relation to the group at `now` (milliseconds since the epoch). A ban of
/// somebody who was erased since matches them by their pseudonym.
///
/// # Errors
/// [`StoreError::Unavailable`] when the database cannot be read, [`StoreError::Inconsistent`] when a stored row
/// breaks an invariant.
pub(super) async fn people(
    mut on: Connection<'_>,
    guid: &Guid,
    (first, second): (&Uid, &Uid),
    pseudonyms: &Pseudonyms,
    now: i64,
) -> Result<(Person, Person), StoreError> {
    static PEOPLE: LazyLock<String> = LazyLock::new(|| {
        format!(
            "SELECT p.uid, {}, {}, {}
             FROM (SELECT CAST($2 AS TEXT) AS uid, CAST($5 AS TEXT) AS pseudonym
                   UNION SELECT CAST($3 AS TEXT), CAST($6 AS TEXT)) p
             LEFT JOIN users u ON u.uid = p.uid
             LEFT JOIN members m ON m.guid = $1 AND m.uid = p.uid AND m.scope >= 0
             LEFT JOIN bans b ON b.guid = $1 AND b.uid = p.uid AND (b.until_at IS NULL OR b.until_at > $4)
             LEFT JOIN bans e ON e.guid = $1 AND e.uid = p.pseudonym AND (e.until_at IS NULL OR e.until_at > $4)",
            ProfileRow::columns("u"),
            MembershipRow::columns("m"),
            BanRow::first_of("b", "e")
        )
    });
    let (first_pseudonym, second_pseudonym) = (pseudonyms.of(first), pseudonyms.of(second));
    let rows: Vec<PersonRow> = fetch!(
        fetch_all,
        on,
        PEOPLE.as_str(),
        guid.as_str(),
        first.as_str(),
        second.as_str(),
        now,
        first_pseudonym.as_str(),
        second_pseudonym.as_str()
    )?;
    let people = rows.into_iter().map(PersonRow::decode).collect::<Result<Vec<_>, _>>()?;
    let find = |uid: &Uid| people.iter().find(|person| person.uid == *uid).cloned();
    let missing = || StoreError::Inconsistent("a person asked for did not come back".into());
    Ok((find(first).ok_or_else(missing)?, find(second).ok_or_else(missing)?))
}

selected! {
    /// The profile of a user as stored; NULL for somebody who is not stored.
    pub(super) struct ProfileRow {
        name: Option<String>,
        avatar: Option<String>,
        sort_key: Option<String>,
    }
}

selected! {
    /// A ban as stored; NULL for somebody who is not banned.
    pub(super) struct BanRow {
        at: Option<i64>,
        reason: Option<String>,
        until_at: Option<i64>,
        by_uid: Option<String>,
        message: Option<String>,
    }
}

/// A person as stored, with their membership and their ban.
#[derive(sqlx::FromRow)]
struct PersonRow {
    uid: String,
    #[sqlx(flatten)]
    profile: ProfileRow,
    #[sqlx(flatten)]
    membership: MembershipRow,
    #[sqlx(flatten)]
    ban: BanRow,
}

/// A person as stored, with their membership.
#[derive(sqlx::FromRow)]
pub(super) struct MemberRow {
    uid: String,
    #[sqlx(flatten)]
    profile: ProfileRow,
    #[sqlx(flatten)]
    membership: MembershipRow,
}

/// A person as stored, with their ban.
#[derive(sqlx::FromRow)]
pub(super) struct BannedRow {
    uid: String,
    #[sqlx(flatten)]
    profile: ProfileRow,
    #[sqlx(flatten)]
    ban: BanRow,
}

impl PersonRow {
    fn decode(self) -> Result<Person, StoreError> {
        let uid = parse_uid(&self.uid)?;
        let ban = self.ban.decode(&uid, self.profile.name.as_deref())?;
        Ok(Person { uid, profile: self.profile.decode(), membership: self.membership.decode()?, ban })
    }
}

impl MemberRow {
    /// The person, as if not banned.
    ///
    /// # Errors
    /// [`StoreError::Inconsistent`] when the domain refuses one of the columns.
    pub(super) fn decode(self) -> Result<Person, StoreError> {
        let uid = parse_uid(&self.uid)?;
        Ok(Person { uid, profile: self.profile.decode(), membership: self.membership.decode()?, ban: None })
    }
}

impl BannedRow {
    /// The ban.
    ///
    /// # Errors
    /// [`StoreError::Inconsistent`] when the domain refuses one of the columns.
    pub(super) fn decode(self) -> Result<Ban, StoreError> {
        let ban = self.ban.decode(&parse_uid(&self.uid)?, self.profile.name.as_deref())?;
        ban.ok_or_else(|| inconsistent("ban", "without a time"))
    }
}

impl ProfileRow {
    fn decode(self) -> Option<Profile> {
        Some(Profile { name: self.name?, avatar: self.avatar, sort_key: self.sort_key? })
    }
}

impl BanRow {
    /// The select list: the columns of the first of two aliases that has a ban.
    fn first_of(first: &str, second: &str) -> String {
        let column =
            |name: &str| format!("CASE WHEN {first}.at IS NULL THEN {second}.{name} ELSE {first}.{name} END AS {name}");
        ["at", "reason", "until_at", "by_uid", "message"].map(column).join(", ")
    }

    /// The ban of this person; `None` when there is none.
    ///
    /// # Errors
    /// [`StoreError::Inconsistent`] when the domain refuses one of the columns.
    pub(super) fn decode(self, uid: &Uid, name: Option<&str>) -> Result<Option<Ban>, StoreError> {
        let BanRow { at: Some(at), reason, until_at, by_uid, message } = self else { return Ok(None) };
        let by = by_uid.as_deref().map(parse_uid).transpose()?;
        Ok(Some(Ban { uid: uid.clone(), name: name.map(str::to_owned), reason, message, until: until_at, by, at }))
    }
}

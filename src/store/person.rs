//! A person and their relation to a group: user, membership and what limits them, in one query.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::connection::Connection;
use super::decode::{inconsistent, parse_scope, parse_uid};
use super::error::StoreError;
use super::insert::insert;
use super::pseudonym::Pseudonyms;
use super::query::bulk;
use super::table::{OnConflict, selected};
use super::tables::{MEMBERS, MemberValues, MembershipRow};
use super::tx::Tx;
use crate::domain::{
    Guid, HeldMembership, Member, Membership, Muted, PersonState, Restriction, Restrictions, Standing, TemporaryScope,
    Uid,
};

/// A person and their relation to a group.
#[derive(Debug, Clone)]
pub struct Person {
    /// The person.
    pub uid: Uid,
    /// Their profile, when the host or a token has reported one.
    pub profile: Option<Profile>,
    /// The membership of a member.
    pub membership: Option<Membership>,
    /// The ban in force.
    pub ban: Option<Restriction>,
    /// The mute in force.
    pub mute: Option<Restriction>,
    /// Whether the scope of a member has ended and is not taken back yet.
    pub scope_is_over: bool,
    /// Whether the end of a scope is stored, which may be another one than the member's: a version before knew of none.
    pub has_end: bool,
}

/// The name and picture of a user.
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
        Ok(Some(Membership { scope: parse_scope(scope)?, joined_at, seq: seq as u64, temporary: None }))
    }
}

impl<'r> MemberValues<'r> {
    /// A member as they are stored.
    fn encode(guid: &'r Guid, member: &'r Member) -> MemberValues<'r> {
        let Membership { scope, joined_at, seq, temporary: _ } = member.membership();
        MemberValues { guid: guid.as_str(), uid: member.uid(), scope: scope.number(), joined_at, seq: seq as i64 }
    }
}

impl Person {
    /// Their standing, by which the rules decide.
    pub fn standing(&self) -> Standing {
        match (&self.membership, &self.ban) {
            (Some(Membership { temporary: Some(temporary), .. }), _) if self.scope_is_over => {
                Standing::Member(temporary.lasting)
            }
            (Some(membership), _) => Standing::Member(membership.scope),
            (None, Some(_)) => Standing::Banned,
            (None, None) => Standing::Outside,
        }
    }

    /// All that an act can change about them.
    pub fn state(&self) -> PersonState {
        let held = self.membership.map(|Membership { scope, joined_at, .. }| HeldMembership { scope, joined_at });
        PersonState { held, restrictions: self.restrictions() }
    }

    /// When the scope of a member ends, while it has not.
    pub fn temporary(&self) -> Option<TemporaryScope> {
        self.membership.and_then(|membership| membership.temporary).filter(|_| !self.scope_is_over)
    }

    /// The restrictions on them.
    pub fn restrictions(&self) -> Restrictions {
        let nameless = |restriction: &Restriction| Restriction { name: None, ..restriction.clone() };
        Restrictions {
            ban: self.ban.as_ref().map(nameless),
            mute: self.mute.as_ref().map(nameless),
            temporary: self.membership.and_then(|membership| membership.temporary),
        }
    }

    /// The name, or the uid when no name is stored.
    pub fn name(&self) -> &str {
        self.profile.as_ref().map_or(self.uid.as_str(), |profile| &profile.name)
    }

    /// The member, if they are one.
    pub fn member(&self) -> Option<Member> {
        let Profile { name, avatar, sort_key } = self.profile.as_ref()?;
        let member = Member::new(&self.uid, name, sort_key, avatar.as_deref(), self.membership?);
        Some(match self.mute.as_ref().and_then(muted) {
            None => member,
            muted => member.with_muted(muted),
        })
    }
}

/// The end and message of a mute, as the muted person may know it.
pub(super) fn muted(mute: &Restriction) -> Option<Muted<'_>> {
    Some(Muted { until: mute.until?, message: mute.message.as_deref() })
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

    /// These people, each named once, and their relation to the group, in the same order.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn people_of(&mut self, guid: &Guid, uids: &[Uid]) -> Result<Vec<Person>, StoreError> {
        people_of(self.connection.reborrow(), guid, uids, self.pseudonyms, self.now).await
    }

    /// One person and their relation to the group.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn person(&mut self, guid: &Guid, uid: &Uid) -> Result<Person, StoreError> {
        Ok(self.people(guid, uid, uid).await?.0)
    }
}

/// Two people (or one, named twice) and their relation to the group at `now` (milliseconds since the epoch).
///
/// # Errors
/// See [`people_of`].
pub(super) async fn people(
    on: Connection<'_>,
    guid: &Guid,
    (first, second): (&Uid, &Uid),
    pseudonyms: &Pseudonyms,
    now: i64,
) -> Result<(Person, Person), StoreError> {
    let both = [first.clone(), second.clone()];
    let asked = if first == second { &both[..1] } else { &both[..] };
    let mut people = people_of(on, guid, asked, pseudonyms, now).await?.into_iter();
    let missing = || StoreError::Inconsistent("a person asked for did not come back".into());
    let first = people.next().ok_or_else(missing)?;
    let second = people.next().unwrap_or_else(|| first.clone());
    Ok((first, second))
}

/// These people, each named once, and their relation to the group at `now` (milliseconds since the epoch), in the same order. A
/// ban of somebody who was erased since matches them by their pseudonym.
///
/// # Errors
/// [`StoreError::Unavailable`] when the database cannot be read, [`StoreError::Inconsistent`] when a stored row
/// breaks an invariant.
pub(super) async fn people_of(
    mut on: Connection<'_>,
    guid: &Guid,
    uids: &[Uid],
    pseudonyms: &Pseudonyms,
    now: i64,
) -> Result<Vec<Person>, StoreError> {
    let mut people: HashMap<Uid, Person> = HashMap::with_capacity(uids.len());
    for uids in uids.chunks(MOST_AT_ONCE) {
        let pseudonyms: Vec<Uid> = uids.iter().map(|uid| pseudonyms.of(uid)).collect();
        let rows: Vec<PersonRow> = bulk!(fetch_all, on, select_people(uids.len()), query, {
            query = query.bind(guid.as_str()).bind(now);
            for (uid, pseudonym) in uids.iter().zip(&pseudonyms) {
                query = query.bind(uid.as_str()).bind(pseudonym.as_str());
            }
        })?;
        for row in rows {
            let person = row.decode(now)?;
            people.insert(person.uid.clone(), person);
        }
    }
    let missing = || StoreError::Inconsistent("a person asked for did not come back".into());
    uids.iter().map(|uid| people.remove(uid).ok_or_else(missing)).collect()
}

/// People who are looked up by one statement.
const MOST_AT_ONCE: usize = 250;

/// The statement that looks up this many people; placeholders: group, time, then uid and pseudonym of each.
fn select_people(count: usize) -> String {
    static SELECT: LazyLock<(String, String)> = LazyLock::new(|| {
        let head = "WITH g (guid, now) AS (VALUES (CAST(? AS TEXT), CAST(? AS BIGINT))),
               p (uid, pseudonym) AS (VALUES (CAST(? AS TEXT), CAST(? AS TEXT))";
        let tail = format!(
            ") SELECT p.uid, {}, {}, CASE WHEN t.scope = m.scope THEN t.lasting_scope END AS lasting_scope,
               t.until_at AS scope_until, {}, {}
             FROM g CROSS JOIN p
             LEFT JOIN users u ON u.uid = p.uid
             LEFT JOIN members m ON m.guid = g.guid AND m.uid = p.uid AND m.scope >= 0
             LEFT JOIN temporary_scopes t ON t.guid = g.guid AND t.uid = p.uid
             LEFT JOIN mutes s ON s.guid = g.guid AND s.uid = p.uid AND s.until_at > g.now
             LEFT JOIN bans b ON b.guid = g.guid AND b.uid = p.uid AND (b.until_at IS NULL OR b.until_at > g.now)
             LEFT JOIN bans e ON e.guid = g.guid AND e.uid = p.pseudonym AND (e.until_at IS NULL OR e.until_at > g.now)",
            ProfileRow::columns("u"),
            MembershipRow::columns("m"),
            MuteRow::select_list("s"),
            RestrictionRow::first_of("b", "e")
        );
        (head.to_owned(), tail)
    });
    let (head, tail) = &*SELECT;
    format!("{head}{}{tail}", ", (?, ?)".repeat(count.saturating_sub(1)))
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
    /// A ban or a mute as stored; NULL for somebody who is not banned or muted.
    pub(super) struct RestrictionRow {
        at: Option<i64>,
        reason: Option<String>,
        until_at: Option<i64>,
        by_uid: Option<String>,
        message: Option<String>,
    }
}

/// The end of a scope as stored; NULL of one that lasts.
#[derive(sqlx::FromRow)]
pub(super) struct EndRow {
    lasting_scope: Option<i64>,
    scope_until: Option<i64>,
}

/// A mute as stored; NULL for somebody who is not muted. Its columns have names of their own beside those of a ban.
#[derive(sqlx::FromRow)]
pub(super) struct MuteRow {
    mute_at: Option<i64>,
    mute_reason: Option<String>,
    mute_until: Option<i64>,
    mute_by: Option<String>,
    mute_message: Option<String>,
}

/// A person as stored, with their membership and what limits them.
#[derive(sqlx::FromRow)]
struct PersonRow {
    uid: String,
    #[sqlx(flatten)]
    profile: ProfileRow,
    #[sqlx(flatten)]
    membership: MembershipRow,
    #[sqlx(flatten)]
    end: EndRow,
    #[sqlx(flatten)]
    mute: MuteRow,
    #[sqlx(flatten)]
    ban: RestrictionRow,
}

/// A person as stored, with their membership and what of it ends.
#[derive(sqlx::FromRow)]
pub(super) struct MemberRow {
    uid: String,
    #[sqlx(flatten)]
    profile: ProfileRow,
    #[sqlx(flatten)]
    membership: MembershipRow,
    #[sqlx(flatten)]
    end: EndRow,
    #[sqlx(flatten)]
    mute: MuteRow,
}

/// A person as stored, with their ban or mute.
#[derive(sqlx::FromRow)]
pub(super) struct RestrictedRow {
    uid: String,
    #[sqlx(flatten)]
    profile: ProfileRow,
    #[sqlx(flatten)]
    restriction: RestrictionRow,
}

impl PersonRow {
    fn decode(self, now: i64) -> Result<Person, StoreError> {
        let PersonRow { uid, profile, membership, end, mute, ban } = self;
        let ban = ban.decode(&parse_uid(&uid)?, profile.name.as_deref())?;
        let has_end = end.scope_until.is_some();
        let person = MemberRow { uid, profile, membership, end, mute }.decode()?;
        let end = person.membership.and_then(|membership| membership.temporary);
        let scope_is_over = end.is_some_and(|end| end.until <= now);
        Ok(Person { ban, scope_is_over, has_end, ..person })
    }
}

impl MemberRow {
    /// The person, as if not banned.
    ///
    /// # Errors
    /// [`StoreError::Inconsistent`] when the domain refuses one of the columns.
    pub(super) fn decode(self) -> Result<Person, StoreError> {
        let uid = parse_uid(&self.uid)?;
        let mute = self.mute.decode(&uid)?;
        let end = self.end.decode()?;
        let membership = self.membership.decode()?.map(|membership| Membership { temporary: end, ..membership });
        let profile = self.profile.decode();
        Ok(Person { uid, profile, membership, ban: None, mute, scope_is_over: false, has_end: end.is_some() })
    }
}

impl EndRow {
    /// The select list of the alias `of`.
    pub(super) fn select_list(of: &str) -> String {
        format!("{of}.lasting_scope, {of}.until_at AS scope_until")
    }

    /// When the scope ends, and what comes then.
    ///
    /// # Errors
    /// [`StoreError::Inconsistent`] when no scope has the stored number.
    pub(super) fn decode(self) -> Result<Option<TemporaryScope>, StoreError> {
        let Some((lasting, until)) = self.lasting_scope.zip(self.scope_until) else { return Ok(None) };
        Ok(Some(TemporaryScope { lasting: parse_scope(lasting)?, until }))
    }
}

impl MuteRow {
    /// The select list of the alias `of`.
    pub(super) fn select_list(of: &str) -> String {
        format!(
            "{of}.at AS mute_at, {of}.reason AS mute_reason, {of}.until_at AS mute_until, {of}.by_uid AS mute_by,
             {of}.message AS mute_message"
        )
    }

    /// The mute of this person.
    ///
    /// # Errors
    /// [`StoreError::Inconsistent`] when the domain refuses one of the columns.
    pub(super) fn decode(self, uid: &Uid) -> Result<Option<Restriction>, StoreError> {
        let MuteRow { mute_at, mute_reason, mute_until, mute_by, mute_message } = self;
        let row = RestrictionRow {
            at: mute_at,
            reason: mute_reason,
            until_at: mute_until,
            by_uid: mute_by,
            message: mute_message,
        };
        row.decode(uid, None)
    }
}

impl RestrictedRow {
    /// The ban or mute.
    ///
    /// # Errors
    /// [`StoreError::Inconsistent`] when the domain refuses one of the columns.
    pub(super) fn decode(self) -> Result<Restriction, StoreError> {
        let restriction = self.restriction.decode(&parse_uid(&self.uid)?, self.profile.name.as_deref())?;
        restriction.ok_or_else(|| inconsistent("ban or mute", "without a time"))
    }
}

impl ProfileRow {
    fn decode(self) -> Option<Profile> {
        Some(Profile { name: self.name?, avatar: self.avatar, sort_key: self.sort_key? })
    }
}

impl RestrictionRow {
    /// The select list: the columns of the first of two aliases that has a ban.
    fn first_of(first: &str, second: &str) -> String {
        let column =
            |name: &str| format!("CASE WHEN {first}.at IS NULL THEN {second}.{name} ELSE {first}.{name} END AS {name}");
        ["at", "reason", "until_at", "by_uid", "message"].map(column).join(", ")
    }

    /// The ban or mute of this person; `None` when there is none.
    ///
    /// # Errors
    /// [`StoreError::Inconsistent`] when the domain refuses one of the columns.
    pub(super) fn decode(self, uid: &Uid, name: Option<&str>) -> Result<Option<Restriction>, StoreError> {
        let RestrictionRow { at: Some(at), reason, until_at, by_uid, message } = self else { return Ok(None) };
        let by = by_uid.as_deref().map(parse_uid).transpose()?;
        Ok(Some(Restriction {
            uid: uid.clone(),
            name: name.map(str::to_owned),
            reason,
            message,
            until: until_at,
            by,
            at,
        }))
    }
}

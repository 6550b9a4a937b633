//! The members of groups.

use std::borrow::Cow;
use std::fmt;

use crate::domain::{Scope, Section, TemporaryScope, Uid, is_shown, shown};

/// The stored membership of a person in a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Membership {
    /// Their scope in the group.
    pub scope: Scope,
    /// When they became a member, Unix seconds.
    pub joined_at: i64,
    /// The group's event that last changed them.
    pub seq: u64,
    /// The end of their scope and the scope that follows; `None` for a lasting scope.
    pub temporary: Option<TemporaryScope>,
}

impl Membership {
    /// A lasting membership. Its other fields are those of newcomers.
    pub fn new(scope: Scope, joined_at: i64, seq: u64) -> Membership {
        Membership { scope, joined_at, seq, temporary: None }
    }
}

/// A mute, as the muted person may know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Muted<'a> {
    /// When it ends, Unix milliseconds.
    pub until: i64,
    /// The message for the person.
    pub message: Option<&'a str>,
}

/// One member as all of the group sees them.
///
/// Packed, since a million of them live in memory: one text holds the order key (which ends with
/// the uid), the name, the avatar and, of the few whom it is true of, what ends by itself. The fields of [`Membership`]
/// stand here one by one: nested, they would take eight bytes more.
#[derive(Clone, PartialEq, Eq)]
pub struct Member {
    text: Box<str>,
    uid_at: u16,
    name_at: u16,
    avatar_at: u16,
    /// Whether lines of [`TimedState`] follow the avatar.
    has_timed_state: bool,
    /// Their scope in the group.
    pub scope: Scope,
    /// When they became a member, Unix seconds.
    pub joined_at: i64,
    /// The group's event that last changed them.
    pub seq: u64,
}

impl Member {
    /// Puts a member together. `sort_key` is what [`sort_key`](crate::domain::sort_key) makes of the name; it is stored beside the name, so
    /// that loading a group computes nothing.
    pub fn new(uid: &Uid, name: &str, sort_key: &str, avatar: Option<&str>, membership: Membership) -> Member {
        Member::pack(uid, name, sort_key, avatar, membership, None)
    }

    fn pack(
        uid: &Uid,
        name: &str,
        sort_key: &str,
        avatar: Option<&str>,
        membership: Membership,
        muted: Option<Muted<'_>>,
    ) -> Member {
        let Membership { scope, joined_at, seq, temporary } = membership;
        let timed_state = TimedState { temporary, muted };
        let mut text =
            String::with_capacity(2 + sort_key.len() + uid.as_str().len() + name.len() + avatar.map_or(0, str::len));
        text.push_str(Section::of(scope).key());
        text.push_str(sort_key);
        text.push('.');
        let uid_at = text.len() as u16;
        text.push_str(uid.as_str());
        let name_at = text.len() as u16;
        text.push_str(name);
        let avatar_at = text.len() as u16;
        text.push_str(avatar.unwrap_or_default());
        timed_state.push_to(&mut text);
        let has_timed_state = timed_state.is_some();
        Member { text: text.into(), uid_at, name_at, avatar_at, has_timed_state, scope, joined_at, seq }
    }

    /// Their stored membership.
    pub fn membership(&self) -> Membership {
        let Member { scope, joined_at, seq, .. } = *self;
        Membership { scope, joined_at, seq, temporary: self.temporary() }
    }

    /// The end of their scope and the scope that follows; `None` for a lasting scope.
    pub fn temporary(&self) -> Option<TemporaryScope> {
        self.timed_state().temporary
    }

    /// Their scope at `now`, Unix milliseconds: the lasting one from the end of a temporary one on, also before that is
    /// taken back in the database.
    pub fn scope_at(&self, now: i64) -> Scope {
        self.temporary().filter(|end| end.until <= now).map_or(self.scope, |end| end.lasting)
    }

    /// Their mute, until its end is taken back in the database, within a second.
    pub fn muted(&self) -> Option<Muted<'_>> {
        self.timed_state().muted
    }

    /// Their mute at `now`, Unix milliseconds: none from its end on, also before that is taken back in the database.
    pub fn muted_at(&self, now: i64) -> Option<Muted<'_>> {
        self.muted().filter(|muted| muted.until > now)
    }

    fn timed_state(&self) -> TimedState<'_> {
        if self.has_timed_state { TimedState::read(&self.text[self.avatar_at.into()..]) } else { TimedState::default() }
    }

    /// Their id.
    pub fn uid(&self) -> &str {
        &self.text[self.uid_at.into()..self.name_at.into()]
    }

    /// Their name as given.
    pub fn name(&self) -> &str {
        &self.text[self.name_at.into()..self.avatar_at.into()]
    }

    /// Their name as people read it.
    pub fn shown_name(&self) -> Cow<'_, str> {
        shown(self.name(), self.uid())
    }

    /// Their picture, a URL.
    pub fn avatar(&self) -> Option<&str> {
        let tail = &self.text[self.avatar_at.into()..];
        let url =
            if self.has_timed_state { tail.split(TIMED_STATE_SEPARATOR).next().unwrap_or_default() } else { tail };
        Some(url).filter(|url| !url.is_empty())
    }

    /// The picture, if a page may load it.
    pub fn picture(&self) -> Option<&str> {
        self.avatar().filter(|url| is_shown(url))
    }

    /// Their place in display order: scope, then name as people sort it, then uid. Total.
    pub fn order(&self) -> &str {
        &self.text[..self.name_at.into()]
    }

    /// The part of the list where they stand.
    pub fn section(&self) -> Section {
        Section::of(self.scope)
    }

    /// The same person with another membership.
    pub fn with_membership(&self, membership: Membership) -> Member {
        self.repack(membership, self.muted())
    }

    /// The same person, muted or not.
    pub fn with_muted(&self, muted: Option<Muted<'_>>) -> Member {
        self.repack(self.membership(), muted)
    }

    fn repack(&self, membership: Membership, muted: Option<Muted<'_>>) -> Member {
        let sort_key = &self.text[1..usize::from(self.uid_at) - 1];
        Member::pack(&self.checked_uid(), self.name(), sort_key, self.avatar(), membership, muted)
    }

    /// Their id as a value of its own.
    pub fn checked_uid(&self) -> Uid {
        self.uid().parse().expect("a member's uid was checked when it came in")
    }
}

/// Begins a line of [`TimedState`]; no URL contains it.
const TIMED_STATE_SEPARATOR: char = '\n';

/// The times of a member that end by themselves, as stored in one text: a line for the scope and its end, one for the
/// end of a mute, and the rest for the mute's message.
#[derive(Default)]
struct TimedState<'a> {
    temporary: Option<TemporaryScope>,
    muted: Option<Muted<'a>>,
}

impl<'a> TimedState<'a> {
    fn is_some(&self) -> bool {
        self.temporary.is_some() || self.muted.is_some()
    }

    fn push_to(&self, text: &mut String) {
        if !self.is_some() {
            return;
        }
        let temporary = self.temporary.map(|TemporaryScope { lasting, until }| format!("{} {until}", lasting.number()));
        let until = self.muted.map(|muted| muted.until.to_string());
        let message = self.muted.and_then(|muted| muted.message);
        for line in [temporary.as_deref(), until.as_deref(), message] {
            text.push(TIMED_STATE_SEPARATOR);
            text.push_str(line.unwrap_or_default());
        }
    }

    fn read(text: &'a str) -> TimedState<'a> {
        let mut lines = text.splitn(4, TIMED_STATE_SEPARATOR).skip(1);
        let mut line = || lines.next().unwrap_or_default();
        let (temporary, until, message) = (line(), line(), line());
        let temporary = temporary.split_once(' ').and_then(|(lasting, until)| {
            Some(TemporaryScope { lasting: Scope::from_number(lasting.parse().ok()?)?, until: until.parse().ok()? })
        });
        let message = Some(message).filter(|message| !message.is_empty());
        let muted = until.parse().ok().map(|until| Muted { until, message });
        TimedState { temporary, muted }
    }
}

impl fmt::Debug for Member {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}, seq {})", self.uid(), self.scope, self.seq)
    }
}

/// A place in display order, as it travels in `data-order`, `cursor`, `before`, `from` and `until`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct OrderKey(String);

impl OrderKey {
    /// Longest key accepted from outside, in bytes. Real ones are far shorter: a name has at
    /// most 100 characters.
    const MAX: usize = 4096;

    /// A key from outside: printable characters of our alphabet only, the section first. `~`, larger
    /// than every key, stands for the end.
    pub fn parse(text: &str) -> Option<OrderKey> {
        let fits = (1..=OrderKey::MAX).contains(&text.len())
            && (Section::all().any(|section| text.starts_with(section.key())) || text == "~")
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'~' | b'.'));
        fits.then(|| OrderKey(text.to_owned()))
    }

    /// The place of a member.
    pub fn of(member: &Member) -> OrderKey {
        OrderKey(member.order().to_owned())
    }

    /// The place of a section's heading: before all of its rows.
    pub fn heading(section: Section) -> OrderKey {
        OrderKey(section.key().to_owned())
    }

    /// The key as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::sort_key;

    fn member(uid: &str, name: &str, scope: Scope) -> Member {
        Member::new(&uid.parse().unwrap(), name, &sort_key(name), None, Membership::new(scope, 0, 1))
    }

    #[test]
    fn members_sort_by_scope_then_name_then_uid() {
        let ada = member("z", "Ada", Scope::Owner);
        let ben = member("y", "Ben", Scope::Admin);
        let first_eve = member("a", "Eve", Scope::Participant);
        let second_eve = member("b", "Eve", Scope::Participant);
        assert!(ada.order() < ben.order() && ben.order() < first_eve.order() && first_eve.order() < second_eve.order());
        assert!(OrderKey::heading(Section::Participant).as_str() < first_eve.order());
        assert!(ben.order() < OrderKey::heading(Section::Participant).as_str());
    }

    #[test]
    fn a_name_that_begins_another_comes_first_whatever_the_uids() {
        assert!(member("zz", "Jo", Scope::Admin).order() < member("aa", "Joan", Scope::Admin).order());
    }

    #[test]
    fn a_packed_member_gives_back_what_was_put_in() {
        let cy = Member::new(
            &"cy-1".parse().unwrap(),
            "Cy 陈",
            &sort_key("Cy 陈"),
            Some("https://x/y.png"),
            Membership::new(Scope::Moderator, 7, 9),
        );
        assert_eq!((cy.uid(), cy.name(), cy.avatar()), ("cy-1", "Cy 陈", Some("https://x/y.png")));
        assert_eq!(
            cy.with_membership(Membership { scope: Scope::Admin, seq: 10, ..cy.membership() }),
            Member::new(
                &"cy-1".parse().unwrap(),
                "Cy 陈",
                &sort_key("Cy 陈"),
                Some("https://x/y.png"),
                Membership::new(Scope::Admin, 7, 10)
            )
        );
    }

    #[test]
    fn what_ends_by_itself_is_packed_with_whom_it_is_true_of() {
        let dee = member("dee", "Dee", Scope::Moderator);
        let temporary = Some(TemporaryScope { lasting: Scope::Participant, until: 9 });
        let until_friday = dee.with_membership(Membership { temporary, ..dee.membership() });
        let muted = Some(Muted { until: 7, message: Some("Slow down.\nPlease.") });
        let both = until_friday.with_muted(muted);
        assert_eq!((until_friday.temporary(), until_friday.muted()), (temporary, None));
        assert_eq!((both.temporary(), both.muted(), both.avatar()), (temporary, muted, None));
        assert_eq!(both.with_muted(None).with_membership(dee.membership()), dee);
        assert_eq!([6, 7].map(|now| both.muted_at(now)), [muted, None], "from its end on it is none");
        assert_eq!(size_of::<Member>(), 40, "a million of them live in memory");
    }

    #[test]
    fn a_scope_is_the_lasting_one_from_its_end_on() {
        let dee = member("dee", "Dee", Scope::Moderator);
        let temporary = Some(TemporaryScope { lasting: Scope::Participant, until: 9 });
        let until_nine = dee.with_membership(Membership { temporary, ..dee.membership() });
        assert_eq!([8, 9].map(|now| until_nine.scope_at(now)), [Scope::Moderator, Scope::Participant]);
        assert_eq!(dee.scope_at(i64::MAX), Scope::Moderator);
    }

    #[test]
    fn a_place_is_section_sort_key_and_uid_as_open_pages_send_it_back() {
        let moderator = Membership::new(Scope::Moderator, 0, 1);
        let cy = Member::new(&"cy-1".parse().unwrap(), "Cy", "2d4f", None, moderator);
        assert_eq!(cy.order(), "22d4f.cy-1");
        let headings: Vec<_> = Section::all().map(|section| OrderKey::heading(section).as_str().to_owned()).collect();
        assert_eq!(headings, ["0", "1", "2", "3"]);
    }
}

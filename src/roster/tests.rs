use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::domain::{GroupType, Membership, Name, fold, sort_key};

const NAMES: [&str; 12] = ["Ada", "ada", "Ben", "Ćy", "Dee", "Éve", "陈伟", "Θεοδώρα", "विक्रम", "Jo", "Joan", "אברהם"];

fn member(uid: &str, name: &str, scope: Scope, seq: u64) -> Arc<Member> {
    Arc::new(Member::new(&uid.parse().unwrap(), name, &sort_key(name), None, Membership::new(scope, 0, seq)))
}

fn roster(members: Vec<Arc<Member>>, seq: u64) -> Roster {
    let group = Group {
        guid: "g".parse().unwrap(),
        name: Name::parse("G").unwrap(),
        group_type: GroupType::Public,
        icon: None,
        description: None,
    };
    Roster::new(Snapshot { group, seq, rewritten_seq: 0, at: 0, members }, 0)
}

fn uids(window: &Window) -> Vec<&str> {
    window.members.iter().map(|member| member.uid()).collect()
}

fn all(limit: usize) -> PageRange {
    PageRange::first(limit)
}

/// Everybody, by pages of seven from one end to the other.
fn by_pages(roster: &Roster, filter: &Filter, backward: bool) -> Vec<String> {
    let (mut pages, mut part) = (Vec::new(), if backward { RangePart::Last } else { RangePart::First });
    loop {
        let window = roster.window(filter, &PageRange { part, limit: 7 });
        pages.push(uids(&window).into_iter().map(str::to_owned).collect::<Vec<_>>());
        let onward = if backward { window.previous.map(RangePart::Before) } else { window.next.map(RangePart::After) };
        let Some(onward) = onward else { break };
        part = onward;
    }
    if backward {
        pages.reverse();
    }
    pages.concat()
}

#[test]
fn a_page_ends_where_the_next_begins() {
    let members = (0..1000).map(|n| member(&format!("u{n:04}"), "Same", Scope::Participant, 1)).collect();
    let roster = roster(members, 1);
    let (mut seen, mut range) = (Vec::new(), all(30));
    loop {
        let window = roster.window(&Filter::default(), &range);
        seen.extend(window.members.iter().map(|member| member.uid().to_owned()));
        let Some(end) = window.next else { break };
        range.part = RangePart::After(end);
    }
    assert_eq!(seen, (0..1000).map(|n| format!("u{n:04}")).collect::<Vec<_>>());
}

#[test]
fn a_page_that_ends_with_the_group_says_so() {
    let roster = roster((0..30).map(|n| member(&format!("u{n:02}"), "X", Scope::Participant, 1)).collect(), 1);
    assert_eq!(roster.window(&Filter::default(), &all(30)).next, None);
    assert!(roster.window(&Filter::default(), &all(29)).next.is_some());
}

#[test]
fn people_are_found_by_parts_of_names_and_uids() {
    let roster = roster(
        vec![
            member("u1", "Zoë Müller", Scope::Participant, 1),
            member("zo-2", "Bo", Scope::Admin, 1),
            member("u3", "陈伟", Scope::Owner, 1),
        ],
        1,
    );
    let find = |needle: &str| {
        roster
            .window(&Filter::new(needle, Scopes::ALL, None), &all(9))
            .members
            .iter()
            .map(|m| m.uid().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(find("ZO"), ["zo-2", "u1"]);
    assert_eq!(find("  mull "), ["u1"]);
    assert_eq!(find("伟"), ["u3"]);
    assert_eq!(find("e m"), ["u1"]);
    assert_eq!(find("müll\u{ad}er  Zoe"), ["u1"]);
    assert_eq!(find("bo 2"), ["zo-2"]);
    assert_eq!(find("zo bo u1"), [""; 0]);
    assert_eq!(find("nobody"), [""; 0]);
    assert_eq!(find("bo\nzo"), ["zo-2"]);
}

#[derive(Debug, Clone)]
enum Step {
    Put(u8, usize, u8),
    Remove(u8),
    Status(u8, u8),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        (0..60u8, 0..NAMES.len(), 0..4u8).prop_map(|(uid, name, scope)| Step::Put(uid, name, scope)),
        (0..60u8).prop_map(Step::Remove),
        (0..60u8, 0..3u8).prop_map(|(uid, status)| Step::Status(uid, status)),
    ];
    prop::collection::vec(step, 0..200)
}

fn filters() -> Vec<Filter> {
    let mut filters = Vec::new();
    for search in ["", "a", "ad", "u1", "伟", "δω", "zzz", "ad u1", "u 2 oa"] {
        for scopes in [Scopes::ALL, [Scope::Admin, Scope::Participant].into_iter().collect()] {
            for online in [None, Some(true), Some(false)] {
                for joined_since in [None, Some(2), Some(5)] {
                    filters.push(Filter::new(search, scopes, online).joined_since(joined_since));
                }
            }
        }
    }
    filters
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn after_any_events_a_roster_equals_one_freshly_loaded_and_a_plain_list(steps in steps()) {
        let mut moved = roster(Vec::new(), 0);
        let mut plain: BTreeMap<String, Arc<Member>> = BTreeMap::new();
        let mut statuses: BTreeMap<String, Status> = BTreeMap::new();
        for (step, seq) in steps.into_iter().zip(1..) {
            // A count that was made once must be kept right from then on.
            moved.counts(&Filter::new(["a", "u1", "伟", "1 ad"][seq as usize % 4], Scopes::ALL, None).joined_since([None, Some(5)][seq as usize % 2]));
            match step {
                Step::Put(uid, name, scope) => {
                    let uid = format!("u{uid}");
                    let member = member(&uid, NAMES[name], Scope::from_number(scope.into()).unwrap(), seq);
                    plain.insert(uid.clone(), member.clone());
                    moved.apply(seq, [(uid.parse().unwrap(), Some(member))]);
                }
                Step::Remove(uid) => {
                    let uid = format!("u{uid}");
                    plain.remove(&uid);
                    moved.apply(seq, [(uid.parse().unwrap(), None)]);
                }
                Step::Status(uid, status) => {
                    let uid = format!("u{uid}");
                    let status = [Status::Offline, Status::Away, Status::Online][usize::from(status)];
                    if moved.set_status(&uid.parse().unwrap(), PresenceSnapshot { status, at: seq as i64 }) || plain.contains_key(&uid) {
                        statuses.insert(uid, status);
                    }
                }
            }
        }
        let mut fresh = roster(plain.values().cloned().collect(), moved.seq());
        for (uid, &status) in &statuses {
            fresh.set_status(&uid.parse().unwrap(), PresenceSnapshot { status, at: 0 });
        }
        for filter in filters() {
            let mut expected: Vec<&Arc<Member>> = plain.values().filter(|m| {
                let status = statuses.get(m.uid()).copied().unwrap_or_default();
                filter.scopes.contains(m.scope)
                    && filter.online.is_none_or(|online| online == (status != Status::Offline))
                    && filter.joined_since.is_none_or(|since| m.joined_at >= since)
                    && filter.search().as_str().split(' ').all(|word| fold(m.name()).contains(word) || m.uid().contains(word))
            }).collect();
            expected.sort_by(|a, b| a.order().cmp(b.order()));
            let expected: Vec<&str> = expected.iter().map(|m| m.uid()).collect();
            let window = moved.window(&filter, &all(usize::MAX));
            prop_assert_eq!(uids(&window), expected.clone(), "{:?}", filter);
            let loaded = fresh.window(&filter, &all(usize::MAX));
            prop_assert_eq!(uids(&loaded), expected.clone());
            prop_assert_eq!(by_pages(&moved, &filter, false), expected.clone(), "{:?}", filter);
            prop_assert_eq!(by_pages(&moved, &filter, true), expected.clone(), "{:?}", filter);
            prop_assert_eq!(moved.counts(&filter).total(), expected.len());
            prop_assert_eq!(moved.counts(&filter), fresh.counts(&filter));
        }
        prop_assert_eq!(moved.len(), plain.len());
    }
}

//! What the roster takes for one page, one search, one change, at three sizes.
//! Run as `cargo bench --bench roster`.
#![allow(unreachable_pub, reason = "nothing is public in a program")]

#[path = "load/people.rs"]
mod people;

use std::hint::black_box;
use std::sync::Arc;

use chat_group_members::domain::{Group, GroupType, Member, Membership, Name, OrderKey, Scope, Uid, sort_key};
use chat_group_members::roster::{Filter, PageRange, RangePart, Roster, Scopes};
use chat_group_members::store::Snapshot;
use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const SIZES: [usize; 3] = [1_000, 100_000, 1_000_000];

fn members(size: usize) -> Vec<Arc<Member>> {
    (0..size)
        .map(|number| {
            let name = people::name(number);
            let scope = match number {
                0 => Scope::Owner,
                1..10 => Scope::Admin,
                10..100 => Scope::Moderator,
                _ => Scope::Participant,
            };
            let membership = Membership::new(scope, people::joined_at(number), 1);
            Arc::new(Member::new(&uid(number), &name, &sort_key(&name), None, membership))
        })
        .collect()
}

fn uid(number: usize) -> Uid {
    people::uid(number).parse().expect("made to be one")
}

fn snapshot(members: Vec<Arc<Member>>) -> Snapshot {
    let group = Group {
        guid: "g".parse().expect("made to be one"),
        name: Name::parse("G").expect("made to be one"),
        group_type: GroupType::Public,
        icon: None,
        description: None,
    };
    Snapshot { group, seq: 1, rewritten_seq: 0, at: 0, members }
}

fn page(after: Option<OrderKey>) -> PageRange {
    PageRange { part: after.map_or(RangePart::First, RangePart::After), limit: 30 }
}

fn roster(criterion: &mut Criterion) {
    for size in SIZES {
        let members = members(size);
        let mut roster = Roster::new(snapshot(members.clone()), 0);
        let everybody = Filter::default();
        let middle = roster.window(&everybody, &PageRange::first(size / 2)).next;

        let mut group = criterion.benchmark_group("page");
        group.bench_function(BenchmarkId::new("start", size), |b| {
            b.iter(|| black_box(roster.window(&everybody, &page(None))));
        });
        let span = page(middle.clone());
        group.bench_function(BenchmarkId::new("middle", size), |b| {
            b.iter(|| black_box(roster.window(&everybody, &span)));
        });
        let back = PageRange { part: middle.clone().map_or(RangePart::Last, RangePart::Before), limit: 30 };
        group.bench_function(BenchmarkId::new("middle, backward", size), |b| {
            b.iter(|| black_box(roster.window(&everybody, &back)));
        });
        let last = PageRange { part: RangePart::Last, limit: 30 };
        group.bench_function(BenchmarkId::new("end", size), |b| b.iter(|| black_box(roster.window(&everybody, &last))));
        group.finish();

        for (kind, needles) in people::NEEDLES {
            for needle in needles {
                let filter = Filter::new(needle, Scopes::ALL, None);
                let id = || BenchmarkId::new(format!("{kind} {}", needle.chars().count()), size);
                let mut group = criterion.benchmark_group("search");
                group.bench_function(id(), |b| b.iter(|| black_box(roster.window(&filter, &page(None)))));
                group.finish();
                let mut group = criterion.benchmark_group("search from the end");
                let last = PageRange { part: RangePart::Last, limit: 30 };
                group.bench_function(id(), |b| b.iter(|| black_box(roster.window(&filter, &last))));
                group.finish();
                let mut group = criterion.benchmark_group("count");
                group.bench_function(id(), |b| b.iter(|| black_box(roster.counts(&filter))));
                group.finish();
            }
        }

        let mut seq = 1;
        criterion.bench_function(&format!("apply one change/{size}"), |b| {
            b.iter(|| {
                seq += 1;
                let member = &members[people::mix(seq) as usize % (size - 100) + 100];
                let scope = if seq.is_multiple_of(2) { Scope::Moderator } else { Scope::Participant };
                let changed = Arc::new(member.with_membership(Membership { scope, seq, ..member.membership() }));
                roster.apply(seq, [(member.uid().parse().expect("it is one"), Some(changed))]);
            });
        });
        criterion.bench_function(&format!("put in order/{size}"), |b| {
            b.iter_batched(|| snapshot(members.clone()), |all| Roster::new(all, 0), BatchSize::LargeInput);
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).warm_up_time(std::time::Duration::from_millis(200)).measurement_time(std::time::Duration::from_millis(600));
    targets = roster
}
criterion_main!(benches);

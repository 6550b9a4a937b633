//! What thirty rows take: built in, and drawn by an operator's template.
//! Run as `cargo bench --bench slots`.
#![allow(unreachable_pub, reason = "nothing is public in a program")]

use std::fs;
use std::hint::black_box;

use askama::Template as _;
use chat_group_members::domain::{Member, Membership, Scope, Status, sort_key};
use chat_group_members::i18n::Lang;
use chat_group_members::slots::{Folder, SharedSlots};
use chat_group_members::views::{Props, ViewContext};
use criterion::{Criterion, criterion_group, criterion_main};

const CARD: &str = r#"<span class="card"><b>{{ member.name }}</b>
{% if member.avatar %}<img src="{{ member.avatar }}" alt="">{% else %}<i>{{ member.name|initials }}</i>{% endif %}
<small>{{ member.scope }}, {{ member.status }}, since {{ member.joinedAt|date }}</small>{% if own %} you{% endif %}</span>"#;

fn rows(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("card.html"), CARD).expect("a file");
    let slots = SharedSlots::new(Folder::open(folder.path()).expect("a folder"));
    let members: Vec<_> = (0..30)
        .map(|number| {
            let (uid, name) = (format!("u{number}"), format!("Somebody Number {number}"));
            let uid = uid.parse().expect("letters and digits");
            let membership = Membership::new(Scope::Participant, 1_700_000_000 + number, 1);
            Member::new(&uid, &name, &sort_key(&name), None, membership)
        })
        .collect();
    let mut group = criterion.benchmark_group("thirty rows");
    for (name, query) in [("built in", ""), ("itemView", "itemView=card"), ("subtitleView", "subtitleView=card")] {
        let props = Props::parse(form_urlencoded::parse(query.as_bytes()), 0).expect("known props");
        let guid = "g".parse().expect("a letter");
        let look = ViewContext::new("".into(), guid, props, Scope::Admin, Lang::EN_US, slots.clone());
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let mut text = String::with_capacity(64 << 10);
                for member in &members {
                    look.row(member, Status::Online, false).render_into(&mut text).expect("rows render");
                }
                black_box(text)
            });
        });
    }
    group.finish();
}

criterion_group!(benches, rows);
criterion_main!(benches);

//! Pages of 30 rows against a constant body of the same size, and searches against one scan.

use std::collections::HashMap;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use chat_group_members::domain::{OrderKey, Scope, fold};
use chat_group_members::roster::{Filter, PageRange, Scopes};
use memchr::memmem::Finder;
use tokio::runtime::Runtime;

use crate::client::{Connection, drive, get};
use crate::machine::cpu;
use crate::people;
use crate::report::{Goal, Report, median, per_second, quantile, time};
use crate::service::{Service, guid_of, token};

const CONNECTIONS: usize = 64;
/// Rounds of all searches over HTTP, each with a slowest of a hundred of its own.
const HTTP_ROUNDS: usize = 5;
/// Places that cursors are taken from.
const PLACES: usize = 20_000;

/// Requests of one kind, and what each round of them measured.
struct Workload {
    requests: Arc<Vec<Vec<u8>>>,
    /// Requests a second.
    rates: Vec<f64>,
    /// Processor seconds of one request, client and server together.
    cpu: Vec<f64>,
}

impl Workload {
    fn new(requests: Vec<Vec<u8>>) -> Workload {
        Workload { requests: Arc::new(requests), rates: Vec::new(), cpu: Vec::new() }
    }
}

/// Pages over HTTP. `big` has a million members (fewer in a quick run), `small` a thousand.
pub fn measure(report: &mut Report, client: &Runtime, service: &Service, big: usize, rounds: usize) {
    // An ordinary participant: only the one window with their own row is rendered for them alone.
    let token = token(900);
    let rows = |guid: &str, more: &str| get(&format!("/groups/{guid}/members?part=rows{more}"), &token, "");
    let all = places(service, "big", big);
    let at = |places: &[String]| -> Vec<Vec<u8>> {
        places.iter().map(|place| rows("big", &format!("&cursor={place}"))).collect()
    };
    let (first, middle) = (&all[..all.len() / 50], &all[all.len() / 2..all.len() / 2 + all.len() / 50]);
    let small = places(service, "small", 1000);

    let address = service.listen(Bytes::new());
    let page = client.block_on(async { Connection::open(address).await.ask(&rows("big", "")).await.body.to_vec() });
    let size = page.len();
    let address = service.listen(page.into());
    let etag = client.block_on(async {
        let mut connection = Connection::open(address).await;
        let head = connection.ask(&rows("big", "")).await.head.to_owned();
        head.lines().find_map(|line| line.strip_prefix("etag: ").map(str::to_owned)).expect("a page has an ETag")
    });
    let known = get("/groups/big/members?part=rows", &token, &format!("If-None-Match: {etag}\r\n"));

    let mut mixed: Vec<usize> = (0..all.len()).collect();
    mixed.sort_by_key(|&at| people::mix(at as u64));
    let any: Vec<String> = mixed.iter().map(|&at| all[at].clone()).collect();
    let thousand: Vec<Vec<u8>> = small.iter().map(|place| rows("small", &format!("&cursor={place}"))).collect();
    let looked_at = at(&first[..first.len().min(100)]);
    let mut workloads: HashMap<&str, Workload> = HashMap::from([
        ("limit", Workload::new(vec![get("/limit", &token, "")])),
        ("any", Workload::new(at(&any))),
        ("looked at", Workload::new(looked_at)),
        ("same", Workload::new(vec![rows("big", "")])),
        ("known", Workload::new(vec![known])),
        ("first", Workload::new(at(first))),
        ("middle", Workload::new(at(middle))),
        ("thousand", Workload::new(thousand)),
        ("component", Workload::new(vec![get("/groups/big/members", &token, "")])),
    ]);
    run_all(client, address, &mut workloads, rounds);

    report.section(&format!(
        "One page of 30 rows ({:.1} kB of HTML), {CONNECTIONS} connections, group of {big}",
        size as f64 / 1e3
    ));
    let mut against = |what: &str, one: &str, other: &str, goal: Goal| {
        let (one, other) = (&workloads[one], &workloads[other]);
        let mut ratios: Vec<f64> = one.rates.iter().zip(&other.rates).map(|(a, b)| a / b).collect();
        let mut per_cpu: Vec<f64> = one.cpu.iter().zip(&other.cpu).map(|(a, b)| b / a).collect();
        let of = |workload: &Workload| {
            format!("{} {}", per_second(median(&mut workload.rates.clone())), time(median(&mut workload.cpu.clone())))
        };
        let ratio = if matches!(goal, Goal::AtMost(_)) { 1.0 / median(&mut per_cpu) } else { median(&mut ratios) };
        report.line(what, of(one), of(other), ratio, goal);
    };
    against("any window, every request another, vs constant body", "any", "limit", Goal::AtLeast(0.45));
    against("windows people look at (100), vs constant body", "looked at", "limit", Goal::AtLeast(0.6));
    against("the same first page again, vs constant body", "same", "limit", Goal::AtLeast(0.85));
    against("the same, If-None-Match (304), vs constant body", "known", "limit", Goal::None);
    against("the whole component (first page), vs constant body", "component", "limit", Goal::None);
    against("time at the middle rank vs at the start (CPU)", "middle", "first", Goal::AtMost(1.2));
    against("time in this group vs in one of 1,000 (CPU)", "any", "thousand", Goal::AtMost(1.1));
    report.note("after each rate: processor time of one request, client and server together");
    report.note("precompressed pages for gzip and br clients: n/a, bodies made per request are not compressed");
}

/// Runs all workloads in short turns, round after round, so that what else the machine does affects all alike.
fn run_all(client: &Runtime, address: std::net::SocketAddr, workloads: &mut HashMap<&str, Workload>, rounds: usize) {
    for round in 0..=rounds {
        for workload in workloads.values_mut() {
            let length = Duration::from_millis(if round == 0 { 100 } else { 300 });
            let (before, begun) = (cpu(std::process::id()), Instant::now());
            let rate = client.block_on(drive(address, workload.requests.clone(), CONNECTIONS, length));
            let used = cpu(std::process::id()) - before;
            // The first round only warms up.
            if round > 0 {
                workload.rates.push(rate);
                workload.cpu.push(used / (rate * begun.elapsed().as_secs_f64()));
            }
        }
    }
}

/// Places all over a group, in display order.
fn places(service: &Service, guid: &str, size: usize) -> Vec<String> {
    let room =
        service.runtime().block_on(service.app.hub().group(&guid_of(guid))).expect("it loads").expect("it is there");
    let state = room.state();
    let everybody = state.roster().window(&Filter::default(), &PageRange::default());
    let step = (size / PLACES).max(1);
    // The last page is left out: it is shorter.
    let members = everybody.members[..everybody.members.len() - 31].iter().step_by(step);
    members
        .filter(|member| member.scope == Scope::Participant)
        .map(|member| OrderKey::of(member).as_str().to_owned())
        .collect()
}

/// Searches in memory and over HTTP, against one scan of all folded names and uids.
pub fn search(report: &mut Report, client: &Runtime, service: &Service, size: usize) {
    let room =
        service.runtime().block_on(service.app.hub().group(&guid_of("big"))).expect("it loads").expect("it is there");
    let text: String =
        (0..size).map(|number| format!("{}\n{}\n", fold(&people::name(number)), people::uid(number))).collect();
    let mut scans = timed(20, || Finder::new("龘龘").find(text.as_bytes()));
    let scan = median(&mut scans);
    report.section(&format!(
        "Search in {size} names, first 30 in display order (one scan of {:.0} MB: {})",
        text.len() as f64 / 1e6,
        time(scan)
    ));
    let address = service.listen(Bytes::new());
    let (mut misses, mut first_counts, mut over_http) = (Vec::new(), Vec::new(), Vec::new());
    let mut slowest = Vec::new();
    let state = room.state();
    for (kind, needles) in people::NEEDLES {
        for needle in needles {
            let filter = Filter::new(needle, Scopes::ALL, None);
            let mut pages = timed(30, || state.roster().window(&filter, &PageRange::first(30)));
            if kind != "common" {
                // Later ones may find what the first has found.
                misses.push(pages[0]);
            }
            let first = pages[0] + median(&mut timed(1, || state.roster().counts(&filter)));
            let page = median(&mut pages);
            let count = median(&mut timed(30, || state.roster().counts(&filter)));
            let found: usize = state.roster().counts(&filter).total();
            let what = format!("{kind}, {} characters ({found} found): page", needle.chars().count());
            let (peer, ratio) =
                if kind == "common" { ("20 µs".to_owned(), page / 20e-6) } else { (time(scan), page / scan) };
            report.line(&what, time(page), peer, ratio, Goal::AtMost(if kind == "common" { 1.0 } else { 2.0 }));
            report.line("  its first page with its count", time(first), time(scan), first / scan, Goal::None);
            report.line("  its count from then on", time(count), time(scan), count / scan, Goal::None);
            first_counts.push(first);
        }
    }
    drop(state);
    client.block_on(async {
        let (mut connection, token) = (Connection::open(address).await, token(900));
        for _ in 0..HTTP_ROUNDS {
            let mut round = Vec::new();
            for needle in (0..30).flat_map(|_| people::NEEDLES.iter().flat_map(|(_, needles)| needles)) {
                let needle: String = needle.bytes().map(|byte| format!("%{byte:02X}")).collect();
                let request = get(&format!("/groups/big/members?part=rows&searchKeyword={needle}"), &token, "");
                let begun = Instant::now();
                black_box(connection.ask(&request).await.status);
                round.push(begun.elapsed().as_secs_f64());
            }
            slowest.push(quantile(&mut round, 0.99));
            over_http.append(&mut round);
        }
    });
    let (p50, p99) = (quantile(&mut over_http, 0.5), quantile(&mut over_http, 0.99));
    report.line(
        "all of them over HTTP with counts, p99 vs one scan",
        format!("{} ({})", time(p99), time(p50)),
        time(scan),
        p99 / scan,
        Goal::AtMost(2.0),
    );
    report.note("in brackets: p50");
    report.hand_over("search.scan", &scans);
    report.hand_over("search.miss", &misses);
    report.hand_over("search.count", &first_counts);
    report.hand_over("search.http.p99", &slowest);
}

/// The times of some runs, seconds.
fn timed<T>(runs: usize, mut work: impl FnMut() -> T) -> Vec<f64> {
    let measured = |_| {
        let begun = Instant::now();
        black_box(work());
        begun.elapsed().as_secs_f64()
    };
    (0..runs).map(measured).collect()
}

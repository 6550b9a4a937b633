//! The whole service under load, in one run, against what the machine and others can do.
//!
//! `cargo bench --bench load` prints for every goal what was measured, the limit or peer, and the
//! ratio; `-- --quick` takes less than a minute with smaller groups. `CGM_BENCH_STREAMS` opens
//! another number of streams (each needs two file descriptors; see `ulimit -n`). `-- nodes` measures
//! several nodes beside a PostgreSQL of its own, and nothing else; so do `-- sync`, `-- webhooks` and `-- raid`;
//! `search`, `acts` and others are parts too. With `--check` it fails when a goal is not met. Figures
//! of a run that is not quick are handed over to `benches/run` in `target/bench-load.json`.
#![allow(clippy::disallowed_methods, reason = "stands outside of the service, in the real time")]
#![allow(unreachable_pub, reason = "nothing is public in a program")]

mod acts;
mod client;
mod machine;
mod nodes;
mod pages;
mod people;
mod report;
mod rows;
mod service;
mod streams;
mod sync;
mod webhooks;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use report::Report;
use service::{ADMINS, Program, Service};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let given = |name: &str| std::env::args().any(|argument| argument == name);
    // `cargo test` runs benchmarks too: there it is enough that this one builds.
    if !given("--bench") {
        return ExitCode::SUCCESS;
    }
    let is_checked = given("--check");
    let outcome = |all_met: bool| if all_met || !is_checked { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    let only = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let wanted = |name: &str| only.as_ref().is_none_or(|only| only == name);
    let quick = given("--quick");
    let size = if quick { 200_000 } else { 1_000_000 };
    let rounds = if quick { 3 } else { 9 };
    let streams = std::env::var("CGM_BENCH_STREAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(if quick {
        500
    } else {
        2000
    });

    let begun = Instant::now();
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("the target folder is writable");
    let database = folder.path().join("service.db");
    let client = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("threads can be started");
    let mut report = Report::default();

    if only.as_deref() == Some("nodes") {
        nodes::measure(&mut report, &client, Duration::from_secs(if quick { 4 } else { 10 }));
        return outcome(report.end(quick));
    }
    if wanted("sync") {
        let folder = folder.path().join("sync");
        std::fs::create_dir(&folder).expect("the folder is writable");
        sync::measure(&mut report, &client, &Program::serve(&folder.join("sync.db")), &folder, size);
    }
    if only.as_deref() == Some("sync") {
        return outcome(report.end(quick));
    }
    let length = Duration::from_secs(if quick { 2 } else { 8 });
    // In a whole run this comes later, beside a service that is loaded.
    if only.as_deref() == Some("webhooks") {
        webhooks::measure(&mut report, &client, folder.path(), length);
        return outcome(report.end(quick));
    }
    // In a whole run this comes later too, after the other acts.
    if only.as_deref() == Some("raid") {
        let service = Service::open(&database);
        let address = service.listen(bytes::Bytes::new());
        service::fill(&service, "raided", ADMINS + 1 + acts::RAIDERS);
        acts::measure_raid(&mut report, &client, address, folder.path());
        return outcome(report.end(quick));
    }
    if wanted("start") {
        rows::start(&mut report, folder.path());
    }
    let csv = rows::write_csv(folder.path(), size);
    rows::import(&mut report, folder.path(), &database, &csv, size);
    let service = Service::open(&database);
    service::fill(&service, "small", 1000);
    rows::load(&mut report, &service, size);
    if wanted("pages") {
        pages::measure(&mut report, &client, &service, size, rounds);
    }
    if wanted("search") {
        pages::search(&mut report, &client, &service, size);
    }
    if wanted("acts") {
        let address = service.listen(bytes::Bytes::new());
        acts::measure(&mut report, &client, address, folder.path(), length);
        service::fill(&service, "raided", ADMINS + 1 + acts::RAIDERS);
        acts::measure_raid(&mut report, &client, address, folder.path());
    }
    if only.is_none() {
        webhooks::measure(&mut report, &client, folder.path(), length);
    }
    if wanted("streams") {
        service::fill(&service, "streams", streams + ADMINS + 1000);
        drop(service);
        let program = Program::serve(&database);
        streams::measure(&mut report, &client, &program, streams, rounds);
    }
    let all_met = report.end(quick);
    println!("{:.0} s", begun.elapsed().as_secs_f64());
    outcome(all_met)
}

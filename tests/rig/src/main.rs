//! The chaos rig: three nodes, two databases and a proxy, many viewers and writers, and everything
//! that can go wrong with them. `tests/chaos` runs it.
#![allow(clippy::disallowed_methods, reason = "stands outside of the service, in the real time")]
#![allow(unreachable_pub, reason = "nothing is public in a program")]

mod cast;
mod checks;
mod copy;
mod crowd;
mod database;
mod faults;
mod front;
mod host;
mod mirror;
mod nodes;
mod notes;
mod options;
mod readers;
mod report;
mod schedule;
mod screens;
mod shown;
mod stored;
mod stream;
#[allow(dead_code, unused_imports)]
#[path = "../../suite/support/mod.rs"]
mod support;
mod timeline;
mod verdicts;
mod viewers;
mod writers;

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Parser;
use fastrand::Rng;

use cast::places;
use crowd::Crowd;
use database::Database;
use faults::Testbed;
use front::{Front, Nats};
use mirror::Mirror;
use notes::{CLEAR, Notes};
use options::Options;
use schedule::{Fault, Planned};
use support::proxy::Proxy;

/// Time before the first fault in which everybody connects.
const ARRIVAL: Duration = Duration::from_secs(4);
/// Starting everything takes no longer, even on a busy machine.
const START: Duration = Duration::from_secs(90);

fn main() -> ExitCode {
    let options = Options::parse();
    let seed = options.seed.unwrap_or_else(|| Rng::new().u32(..).into());
    println!("seed {seed}; again: {}", options.command(seed));
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime without wishes");
    let ended = runtime.block_on(async {
        tokio::select! {
            ended = run(&options, seed, folder.path()) => ended,
            _ = chat_group_members::serve::shutdown_signal() => Err("interrupted".into()),
        }
    });
    // Programs that were started end with their tasks, and only then the folder that they use.
    drop(runtime);
    drop(folder);
    match ended {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::from(2)
        }
    }
}

/// The whole run: whether every promise held.
async fn run(options: &Options, seed: u64, folder: &Path) -> Result<bool, String> {
    // PostgreSQL, which is another user, is to reach what is in it.
    open_up(folder);
    let logs = options.logs.clone().unwrap_or_else(|| folder.join("logs"));
    std::fs::create_dir_all(&logs).map_err(|error| format!("{}: {error}", logs.display()))?;
    let database = Database::start(folder).await;
    let mut rng = Rng::with_seed(seed);
    let faults = schedule::choose(&options.faults, options.wake == "nats", database.has_disks())?;
    let plan = schedule::draw(&mut rng, &faults, options.seconds as f64);
    print_plan(&plan, &database, options);
    if options.plan {
        return Ok(true);
    }
    let notes = Arc::new(Notes::new());
    let nats = (options.wake == "nats").then(|| Arc::new(Nats::start(&logs)));
    let mirror = Arc::new(Mirror::start(&logs));
    let clocks = nodes::faketime().is_some();
    let nodes = nodes::start(
        &nodes::Plan {
            database: database.address.port(),
            wake: &options.wake,
            nats: nats.as_ref().map(|nats| nats.port),
            receiver: mirror.port,
            logs: &logs,
            clocks,
        },
        &notes,
    )
    .await;
    let ports: Vec<u16> = nodes.iter().map(|node| node.port).collect();
    let front = Front::start(&ports, &logs);
    let bad_network = Arc::new(Proxy::to_port(front.port).await);
    let testbed = Testbed { nodes: nodes.clone(), database, nats, mirror, bad_network, notes: notes.clone() };
    let loses = plan.iter().flatten().any(|planned| planned.fault == Fault::DbLostTail);
    let mut crowd = Crowd::new(&testbed, &front, options, seed, loses);
    tokio::spawn(testbed.mirror.clone().follow(front.internal, crowd.http(), notes.clone()));
    crowd.wait_until_ready(START).await?;
    // The mirror follows already, so that it receives every event.
    import(&testbed.database, &logs).await?;
    crowd.spawn_all(&mut rng);
    tokio::time::sleep(ARRIVAL).await;
    testbed.begin();
    let [here, there] = plan;
    let ticker = tokio::spawn(progress(notes.clone()));
    let (enough, is_enough) = tokio::sync::watch::channel(false);
    let whole = async {
        // Whether the acts were reached in this time is a verdict.
        let _ = tokio::time::timeout(Duration::from_secs(options.seconds), played(&notes, options.acts)).await;
        let _ = enough.send(true);
    };
    let (one, other) = (testbed.clone().inject(here, is_enough.clone()), testbed.clone().inject(there, is_enough));
    tokio::join!(one, other, whole);
    testbed.heal().await;
    let settled = crowd.settle(&testbed).await;
    ticker.abort();
    for node in &nodes {
        node.end();
    }
    let setting = format!(
        "Three nodes behind HAProxy, PostgreSQL with a synchronous standby, woken by {}; {} streams, {} writers{}.",
        options.wake,
        options.streams,
        crowd.writers(),
        if clocks { "; the clocks of two nodes are an hour off" } else { "" }
    );
    settled?;
    let pages = notes.pages().clone();
    let verdicts = verdicts::all(&pages, options);
    println!();
    for verdict in &verdicts {
        println!("{} {}: {}", if verdict.sound { "ok   " } else { "WRONG" }, verdict.name, verdict.words);
        for example in &verdict.examples {
            println!("        {example}");
        }
    }
    let run = report::Run { command: options.command(seed), seed, setting, pages: &pages, verdicts: &verdicts };
    std::fs::write(&options.report, report::page(&run)).map_err(|error| error.to_string())?;
    println!("seed {seed}; the report is {}", options.report.display());
    Ok(verdicts.iter().all(|verdict| verdict.sound))
}

/// Prints the faults to come, and what this machine cannot do.
fn print_plan(plan: &[Vec<Planned>; 2], database: &Database, options: &Options) {
    if !database.has_disks() {
        println!("no small disk can be mounted here: no disk will be full");
    }
    if nodes::faketime().is_none() {
        println!("faketime is not installed: all clocks are right");
    }
    if options.wake != "nats" {
        println!("no transport that can die by itself (--wake nats)");
    }
    let mut all: Vec<&Planned> = plan.iter().flatten().collect();
    all.sort_by(|one, other| one.at.total_cmp(&other.at));
    for planned in all {
        println!("{:7.1} s  will be {}: {}", planned.at, planned.fault.name(), planned.words());
    }
}

/// Fills the groups as an operator does.
async fn import(database: &Database, logs: &Path) -> Result<(), String> {
    for place in places() {
        let file = logs.join(format!("{}.csv", place.guid));
        std::fs::write(&file, place.csv()).map_err(|error| error.to_string())?;
        let mut import = std::process::Command::new(support::program::path());
        import.env_clear().args(["--database-url", &database.direct(), "import", "--type", "public"]);
        import.args(["--group", place.guid]).arg(&file);
        let output = import.output().map_err(|error| error.to_string())?;
        if !output.status.success() {
            return Err(format!("{}: {}", place.guid, String::from_utf8_lossy(&output.stderr)));
        }
    }
    Ok(())
}

/// Waits until so many acts were answered with yes.
async fn played(notes: &Notes, acts: Option<u64>) {
    let Some(acts) = acts else { return std::future::pending().await };
    loop {
        if notes.pages().acts() >= acts {
            return;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// Prints the progress: on a terminal one line that is overwritten, elsewhere a new line every ten seconds.
async fn progress(notes: Arc<Notes>) {
    let terminal = std::io::stdout().is_terminal();
    loop {
        tokio::time::sleep(Duration::from_secs(if terminal { 1 } else { 10 })).await;
        let (now, open) = (notes.now(), notes.open());
        let pages = notes.pages();
        let last = pages.seconds.iter().rev().nth(1).copied().unwrap_or_default();
        let wrong: u64 = pages.violations.values().map(|violation| violation.count).sum();
        let (acts, refused) = (last.acknowledged, last.unavailable);
        drop(pages);
        print!("{CLEAR}{now:7.1} s  {acts} acts/s, {refused} refused, {open} streams, {wrong} complaints");
        if terminal {
            let _ = std::io::stdout().flush();
        } else {
            println!();
        }
    }
}

fn open_up(folder: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let _ = std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o755));
}

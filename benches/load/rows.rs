//! A million rows: into the database, and from there into memory. And the start of the program.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::acts::sqlite3;
use crate::machine::{memory, resident};
use crate::people;
use crate::report::{Goal, Report, time};
use crate::service::{Program, Service, command, guid_of, scope};

/// Writes the file that `import` reads.
pub fn write_csv(folder: &Path, size: usize) -> PathBuf {
    let path = folder.join("members.csv");
    let mut file = BufWriter::new(File::create(&path).expect("the folder is writable"));
    writeln!(file, "uid,name,scope,avatar,joinedAt").expect("the disk takes it");
    for number in 0..size {
        let (uid, name, at) = (people::uid(number), people::name(number), people::joined_at(number));
        writeln!(file, "{uid},{name},{},,{at}", scope(number)).expect("the disk takes it");
    }
    file.flush().expect("the disk takes it");
    path
}

/// `import` of the file into the group `big`, against SQLite's own import of the same file.
pub fn import(report: &mut Report, folder: &Path, database: &Path, csv: &Path, size: usize) {
    let begun = Instant::now();
    let mut child = command(database).args(["import", "--group", "big"]).arg(csv).spawn().expect("the program starts");
    let mut most = 0;
    let status = loop {
        most = most.max(memory(child.id()));
        match child.try_wait().expect("it is our child") {
            Some(status) => break status,
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    assert!(status.success(), "the import failed");
    let own = begun.elapsed().as_secs_f64();

    report.section(&format!("Import of {size} rows (CSV)"));
    let settings = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536;";
    let staged =
        "CREATE TABLE rows (uid TEXT PRIMARY KEY, name TEXT, scope TEXT, avatar TEXT, joinedAt INT) WITHOUT ROWID;";
    let import = format!("{settings}\n{staged}\n.import --csv --skip 1 '{}' rows\n", csv.display());
    // The same rows in the same three tables and index, without folding, sort keys or checks.
    let spread = "BEGIN;
        CREATE TABLE users (uid TEXT PRIMARY KEY, name TEXT, avatar TEXT, sort_key TEXT, created_at INT, updated_at INT) WITHOUT ROWID;
        CREATE TABLE members (guid TEXT, uid TEXT, scope INT, joined_at INT, seq INT, PRIMARY KEY (guid, uid)) WITHOUT ROWID;
        CREATE INDEX by_user ON members (uid);
        CREATE TABLE touched (guid TEXT, seq INT, uid TEXT, old_scope INT, new_scope INT, PRIMARY KEY (guid, seq, uid)) WITHOUT ROWID;
        INSERT INTO users SELECT uid, name, avatar, hex(name), 1, 1 FROM rows;
        INSERT INTO members SELECT 'big', uid, 0, joinedAt, 1 FROM rows;
        INSERT INTO touched SELECT 'big', 1, uid, NULL, 0 FROM rows;
        COMMIT;";
    let one = sqlite3(&folder.join("one.db"), &import);
    let three = sqlite3(&folder.join("three.db"), &(import.clone() + spread));
    if let (Some(one), Some(three)) = (one, three) {
        report.line(
            "import vs sqlite3 .import, then into the same tables",
            time(own),
            time(three),
            own / three,
            Goal::AtMost(2.0),
        );
        report.line("import vs sqlite3 .import into one plain table", time(own), time(one), own / one, Goal::None);
    } else {
        report.line("import (no sqlite3 on this machine to compare with)", time(own), "n/a", f64::NAN, Goal::None);
    }
    let megabytes = most as f64 / 1e6;
    report.line(
        "memory at its most, MB (of its own; 64 are SQLite's cache)",
        format!("{megabytes:.0} MB"),
        "flat: 128 MB",
        megabytes / 128.0,
        Goal::AtMost(1.0),
    );
}

/// From the database into memory.
pub fn load(report: &mut Report, service: &Service, size: usize) {
    let (before, begun) = (memory(std::process::id()), Instant::now());
    let room =
        service.runtime().block_on(service.app.hub().group(&guid_of("big"))).expect("it loads").expect("it is there");
    let took = begun.elapsed().as_secs_f64();
    assert_eq!(room.state().roster().len(), size);
    let each = memory(std::process::id()).saturating_sub(before) as f64 / size as f64;
    let wanted = 1.5 * size as f64 / 1e6;
    report.section(&format!("Roster of {size} members"));
    report.line("loaded from SQLite", time(took), time(wanted), took / wanted, Goal::AtMost(1.0));
    report.line(
        "memory of a member (growth of the process)",
        format!("{each:.0} B"),
        "200 B",
        each / 200.0,
        Goal::AtMost(1.0),
    );
    let own = room.state().roster().bytes() as f64 / size as f64;
    report.line(
        "  what the roster says of itself",
        format!("{own:.0} B"),
        format!("{each:.0} B"),
        own / each,
        Goal::None,
    );
}

/// The program from nothing to ready.
pub fn start(report: &mut Report, folder: &Path) {
    let first = Program::serve(&folder.join("start.db"));
    let made = first.ready_after;
    drop(first);
    let again = Program::serve(&folder.join("start.db"));
    let size = resident(again.pid()) as f64;
    report.section("Start of the program");
    report.line("ready, with a database to be made", time(made), "50 ms", made / 0.05, Goal::AtMost(1.0));
    report.line(
        "ready, with a database that is there",
        time(again.ready_after),
        "50 ms",
        again.ready_after / 0.05,
        Goal::AtMost(1.0),
    );
    let own = memory(again.pid()) as f64 / 1e6;
    report.line(
        "resident size (program's pages included)",
        format!("{:.1} MB ({own:.1} own)", size / 1e6),
        "20 MB",
        size / 20e6,
        Goal::AtMost(1.0),
    );
}

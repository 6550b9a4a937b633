//! The doctor: finds what is wrong in a database, names it, and changes nothing.

mod faults;
mod mend;
mod schema;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::database::{create, database, write_by_hand, write_out};
use crate::support::program::{Program, bare, command, import, run};
use faults::{FAULTS, Fault, OF_FILES, OF_POSTGRES};
use schema::Parts;

const HEADER: &str = "uid,name,scope,avatar,joinedAt\n";

/// A sound database: Ada owns the den, Dee came by its second event, Cy by its third.
fn sound() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let people = ["ada,Ada,owner,,\n", "dee,Dee,participant,,\n", "cy,Cy,moderator,,\n"];
    for count in 1..=people.len() {
        let (done, output) = import(folder.path(), "den", &format!("{HEADER}{}", people[..count].concat()));
        assert!(done, "{output}");
    }
    folder
}

/// What the doctor says as JSON, and the exit code.
fn examine(folder: &Path) -> (Value, i32) {
    report_of(&mut command(folder))
}

/// The same by this command, which may name another database.
fn report_of(program: &mut Command) -> (Value, i32) {
    let output = program.args(["doctor", "--json"]).output().unwrap();
    let report = serde_json::from_slice(&output.stdout);
    (report.unwrap_or_else(|error| panic!("{error}: {output:?}")), output.status.code().unwrap())
}

/// The findings of a report: check, group, user.
fn found(report: &Value) -> BTreeSet<(String, String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let checks = report["checks"].as_array().unwrap().iter();
    checks
        .flat_map(|check| {
            let findings = check["findings"].as_array().unwrap().iter();
            findings.map(|finding| (text(&check["check"]), text(&finding["group"]), text(&finding["uid"])))
        })
        .collect()
}

/// The checks that found something and do not say how to mend it.
fn without_advice(report: &Value) -> Vec<&str> {
    let checks = report["checks"].as_array().unwrap().iter().filter(|check| check["total"] != 0);
    let silent = checks.filter(|check| check["mend"].as_str().is_none_or(|mend| mend.trim().is_empty()));
    silent.map(|check| check["check"].as_str().unwrap()).collect()
}

static COPIES: AtomicU32 = AtomicU32::new(0);

/// A copy of a database that nobody uses, in a folder of its own. A program that ends may leave its last commits in
/// SQLite's write-ahead log: they are copied too, and written into the copy's file.
async fn copy_of(original: &Path) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    match std::env::var("CGM_TEST_POSTGRES") {
        Err(_) => {
            let copy = |name| std::fs::copy(original.join(name), folder.path().join(name));
            copy("test.db").unwrap();
            if original.join("test.db-wal").exists() {
                copy("test.db-wal").unwrap();
            }
            write_out(folder.path()).await;
        }
        Ok(server) => {
            let from = database(original);
            let name = format!("{}_{}", from.rsplit('/').next().unwrap(), COPIES.fetch_add(1, Ordering::Relaxed));
            create(format!("CREATE DATABASE {name} TEMPLATE {}", from.rsplit('/').next().unwrap()));
            std::fs::write(folder.path().join("database"), format!("{server}/{name}")).unwrap();
        }
    }
    folder
}

/// Breaks a database past the program, and past what guards it.
async fn inject(folder: &Path, sql: &str) {
    let unguarded = match database(folder).starts_with("sqlite:") {
        true => "PRAGMA foreign_keys = OFF;",
        false => "SET session_replication_role = replica;",
    };
    write_by_hand(folder, &format!("{unguarded} {sql}")).await;
}

fn of_this_database() -> &'static [Fault] {
    if std::env::var("CGM_TEST_POSTGRES").is_ok() { OF_POSTGRES } else { OF_FILES }
}

/// Each part of the faults is a test of its own: a database is made for each fault.
macro_rules! in_parts {
    ($check:ident: $($part:ident $number:literal,)+) => {
        mod $check {
            $(#[tokio::test]
            async fn $part() {
                super::$check($number).await;
            })+
        }
    };
}
pub(super) use in_parts;

in_parts!(every_injected_fault_is_found_and_named: in_part_1 0, in_part_2 1, in_part_3 2, in_part_4 3,);

/// The faults of one of four parts.
fn part<'f>(faults: impl Iterator<Item = &'f Fault>, number: usize) -> impl Iterator<Item = &'f Fault> {
    faults.skip(number).step_by(4)
}

async fn every_injected_fault_is_found_and_named(number: usize) {
    let original = sound();
    let mut missed = Vec::new();
    for fault in part(FAULTS.iter().chain(of_this_database()), number) {
        let folder = copy_of(original.path()).await;
        inject(folder.path(), fault.sql).await;
        let (report, code) = examine(folder.path());
        let named = fault.finding();
        if code != 1 || report["sound"] != false || !found(&report).contains(&named) {
            missed.push(format!("{named:?}: code {code}, {:?}, {}", found(&report), report["error"]));
        }
        assert_eq!(without_advice(&report), [""; 0], "{named:?}");
    }
    assert!(missed.is_empty(), "{missed:#?}");
    assert!(FAULTS.len() >= 40);
}

#[test]
fn every_check_has_a_fault_that_it_finds() {
    let (report, code) = examine(sound().path());
    assert_eq!(code, 0, "{report:#}");
    let known: BTreeSet<_> = FAULTS.iter().chain(OF_FILES).chain(OF_POSTGRES).map(|fault| fault.check).collect();
    let checks = report["checks"].as_array().unwrap().iter().map(|check| check["check"].as_str().unwrap());
    // Pages are damaged in a test of its own.
    let unproven: Vec<_> = checks.filter(|check| !known.contains(check) && *check != "file-integrity").collect();
    assert!(unproven.is_empty(), "{unproven:?}");
}

#[test]
fn nothing_is_found_in_sound_databases() {
    for members in [0, 1, 1000] {
        let folder = tempfile::tempdir().unwrap();
        assert!(run(command(folder.path()).arg("migrate")).0);
        if members > 0 {
            let others: String = (1..members).map(|n| format!("p{n},Person {n},participant,,\n")).collect();
            let (done, output) = import(folder.path(), "den", &format!("{HEADER}ada,Ada,owner,,\n{others}"));
            assert!(done, "{output}");
        }
        let (report, code) = examine(folder.path());
        assert_eq!((code, found(&report).len()), (0, 0), "{report:#}");
        assert_eq!(report["counts"]["members"], members);
    }
}

#[test]
fn the_members_of_a_large_import_are_examined_in_time_that_grows_with_their_number() {
    let folder = tempfile::tempdir().unwrap();
    let others: String = (1..30_000).map(|n| format!("p{n},Person {n},participant,,\n")).collect();
    let (done, output) = import(folder.path(), "den", &format!("{HEADER}ada,Ada,owner,,\n{others}"));
    assert!(done, "{output}");
    let begun = Instant::now();
    let (report, code) = examine(folder.path());
    assert_eq!((code, &report["counts"]["members"]), (0, &30_000.into()), "{report:#}");
    // In quadratic time it takes more than twenty seconds.
    assert!(begun.elapsed() < Duration::from_secs(10), "it took {:?}", begun.elapsed());
}

#[tokio::test]
async fn of_many_findings_people_read_the_first_and_programs_all() {
    let folder = tempfile::tempdir().unwrap();
    let others: String = (1..100).map(|n| format!("p{n},Person {n},participant,,\n")).collect();
    assert!(import(folder.path(), "den", &format!("{HEADER}ada,Ada,owner,,\n{others}")).0);
    inject(folder.path(), "UPDATE members SET joined_at = -1; UPDATE users SET tags = 'x' WHERE uid = 'p7'").await;
    let (report, _) = examine(folder.path());
    let check = |name| report["checks"].as_array().unwrap().iter().find(|check| check["check"] == name).unwrap();
    let joined = check("members-joined");
    assert_eq!((joined["total"].as_u64(), joined["findings"].as_array().unwrap().len()), (Some(100), 100));
    assert_eq!(check("users-details")["total"], 1, "it goes on after the first");
    let (sound, output) = run(command(folder.path()).arg("doctor"));
    assert!(!sound && output.contains("members-joined: and 80 more"), "{output}");
    assert_eq!(output.matches("WRONG  members-joined: group den").count(), 20, "{output}");
    assert!(output.contains("WRONG  users-details: user p7: tags are no JSON list"), "{output}");
    assert!(output.contains("101 things are wrong"), "{output}");
}

#[tokio::test]
async fn an_id_that_events_of_two_groups_have_is_named_in_both() {
    let folder = mend::with_an_eyrie();
    inject(folder.path(), "UPDATE events SET id = 'evt_00000000000000000000000000000000' WHERE seq = 1").await;
    let (report, _) = examine(folder.path());
    let twice = found(&report).into_iter().filter(|(check, _, _)| check == "events-id-twice");
    let groups: Vec<String> = twice.map(|(_, group, _)| group).collect();
    assert_eq!(groups, ["den", "eyrie"]);
}

#[test]
fn a_mistyped_database_is_an_error_that_names_it_and_makes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mistyped = format!("sqlite://{}", folder.path().join("tset.db").display());
    let end = "2026-05-02T14:00:00Z";
    for (arguments, code) in [
        (&["doctor"][..], 2),
        (&["doctor", "--json"], 2),
        (&["webhooks", "list"], 1),
        (&["webhooks", "pause", "x"], 1),
        (&["webhooks", "resume", "x"], 1),
        (&["webhooks", "replay", "x", "--from", end], 1),
    ] {
        let output = command(folder.path()).env("CGM_DATABASE_URL", &mistyped).args(arguments).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {stderr}");
        assert!(stderr.contains("tset.db") && !stderr.contains("Some("), "{arguments:?}: {stderr}");
        assert!(contents(folder.path()).iter().all(|(name, _)| !name.contains("tset")), "{arguments:?} made something");
    }
    let bad = bare(folder.path()).args(["doctor", "--listen", "nowhere"]).output().unwrap();
    assert_eq!(bad.status.code(), Some(2), "a configuration that cannot be read");
}

/// The names of a folder's files with what is in them.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let mut files: Vec<_> =
        entries.map(|e| (e.file_name().into_string().unwrap(), std::fs::read(e.path()).unwrap())).collect();
    files.sort();
    files
}

#[tokio::test]
async fn it_changes_no_byte_of_a_backup_or_of_an_older_schema() {
    let original = sound();
    let folder = copy_of(original.path()).await;
    let untouched = contents(folder.path());
    let (report, code) = examine(folder.path());
    assert_eq!(code, 0, "{report:#}");
    assert!(run(command(folder.path()).args(["webhooks", "list"])).0);
    assert_eq!(contents(folder.path()), untouched);
    inject(folder.path(), "DROP TABLE erasure_positions; DELETE FROM _sqlx_migrations WHERE version = 9").await;
    let untouched = contents(folder.path());
    let (report, code) = examine(folder.path());
    assert!(code == 1 && found(&report).contains(&("schema-version".into(), String::new(), String::new())));
    assert!(report["checks"].to_string().contains("step 9 is missing"), "{report:#}");
    assert_eq!(contents(folder.path()), untouched, "nothing was migrated");
    let (_, again) = examine(folder.path());
    assert_eq!(again, 1);
}

#[tokio::test]
async fn it_looks_at_a_database_that_is_used() {
    let folder = sound();
    let service = Program::serve(folder.path());
    let ada = service.actor("ada");
    ada.kick("dee").await.ok();
    let (report, code) = examine(folder.path());
    assert_eq!((code, &report["counts"]["members"]), (0, &2.into()), "{report:#}");
    ada.kick("cy").await.ok();
    assert_eq!(examine(folder.path()).0["counts"]["members"], 1);
}

#[tokio::test]
async fn a_damaged_page_is_found_and_the_other_checks_go_on() {
    if std::env::var("CGM_TEST_POSTGRES").is_ok() {
        return;
    }
    let folder = copy_of(sound().path()).await;
    let file = folder.path().join("test.db");
    let mut bytes = std::fs::read(&file).unwrap();
    // The last page belongs to one table or index; the first holds the schema.
    let last = bytes.len() - 4096;
    bytes[last..].fill(0xff);
    std::fs::write(&file, &bytes).unwrap();
    let (report, code) = examine(folder.path());
    assert!(code == 1 && found(&report).iter().any(|(check, _, _)| check == "file-integrity"), "{report:#}");
    bytes[4096..].fill(0xa5);
    std::fs::write(&file, bytes).unwrap();
    let output = command(folder.path()).arg("doctor").output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && said.contains("put the last backup in its place"), "{said}");
    std::fs::write(&file, "this is no database, but a text that somebody wrote").unwrap();
    assert_eq!(command(folder.path()).arg("doctor").output().unwrap().status.code(), Some(2));
}

/// The page says what each check is about, and which check guards each column, foreign key and index.
#[tokio::test]
async fn the_page_of_the_doctor_has_every_check_column_foreign_key_and_index() {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/doctor.md")).unwrap();
    let (report, _) = examine(sound().path());
    let checks = report["checks"].as_array().unwrap().iter().map(|check| check["check"].as_str().unwrap().to_owned());
    let mut wanted: Vec<String> = checks.map(|check| format!("| `{check}` |")).collect();
    // What a fresh database has, by its migrations: every column of both databases, and every foreign key and index.
    for Parts { columns, foreign_keys, indexes, .. } in ["sqlite", "postgres"].map(Parts::of) {
        wanted.extend(columns.iter().map(|(table, column)| format!("| `{table}.{column}` |")));
        wanted.extend(foreign_keys.iter().map(|key| format!("| `{key}` |")));
        wanted.extend(indexes.iter().map(|index| format!("`{index}`")));
    }
    let missing: Vec<_> = wanted.iter().filter(|part| !page.contains(part.as_str())).collect();
    assert!(missing.is_empty() && wanted.len() > 200, "{missing:?}");
}

//! `backup`, and what is restored from it.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::database::database;
use crate::support::program::{ON_DATABASE, Program, command, import, path, run};
use crate::support::{SECRET, soon};

const PEOPLE: &str = "uid,name,scope,avatar,joinedAt\nada,Ada,owner,,\ndee,Dee,participant,,\n";

/// The one file of a SQLite database, unless the suite runs beside a PostgreSQL.
fn file(folder: &Path) -> Option<PathBuf> {
    database(folder).strip_prefix("sqlite://").map(PathBuf::from)
}

fn backup(folder: &Path, to: &Path) -> (bool, String) {
    run(command(folder).arg("backup").arg(to))
}

/// What copies that were not finished have left in the folder.
fn litter(folder: &Path) -> Vec<String> {
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with(".backup-")).collect()
}

/// A group of so many that its copy takes a while.
fn import_crowd(folder: &Path) {
    let others: String = (0..20_000).map(|n| format!("p{n},Person {n},participant,,\n")).collect();
    let (done, output) = import(folder, "crowd", &format!("{PEOPLE}{others}"));
    assert!(done, "{output}");
}

/// Puts a copy into an empty database, as the documentation says.
fn restore(copy: &Path, folder: &Path) {
    match file(folder) {
        Some(file) => drop(std::fs::copy(copy, file).unwrap()),
        None => {
            let mut restore = Command::new("pg_restore");
            let done = restore.args(["--no-owner", "--dbname", &database(folder)]).arg(copy).output().unwrap();
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        }
    }
}

/// The id of the newest event as Dee sees it, and its epoch.
async fn head(program: &Program) -> (String, String) {
    let id =
        program.actor("dee").data("/groups/den/members").await.ok().json()["meta"]["id"].as_str().unwrap().to_owned();
    (id.rsplit_once('.').unwrap().0.to_owned(), id)
}

#[tokio::test]
async fn a_copy_is_of_one_moment_while_acts_go_on_and_what_is_restored_has_a_history_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    assert!(import(folder.path(), "den", PEOPLE).0);
    let program = Program::serve(folder.path());
    let ada = program.actor("ada");
    let acts = tokio::spawn(async move {
        let mut done = 0;
        loop {
            let scope = if done % 2 == 0 { "moderator" } else { "participant" };
            ada.set_scope("dee", scope).await.ok();
            done += 1;
        }
    });
    let copy = folder.path().join("copy.backup");
    for _ in 0..3 {
        let (at, to) = (folder.path().to_owned(), copy.clone());
        let (done, output) = tokio::task::spawn_blocking(move || backup(&at, &to)).await.unwrap();
        assert!(done && output.contains("holds the database as of now"), "{output}");
    }
    acts.abort();
    assert_eq!(copy.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(litter(folder.path()), [""; 0]);
    let (epoch, id) = head(&program).await;
    drop(program);

    let restored = tempfile::tempdir().unwrap();
    restore(&copy, restored.path());
    let (sound, output) = run(command(restored.path()).arg("doctor"));
    assert!(sound && output.contains("groups: 1"), "{output}");
    let program = Program::serve(restored.path());
    assert_eq!(program.actor("dee").sees().await, ["ada", "dee"]);
    assert_ne!(head(&program).await.0, epoch);
    let mut stream = program.actor("dee").raw("/groups/den/events?format=json", &[("Last-Event-ID", &id)]).await;
    stream.next().await;
    assert_eq!(soon("the resync", stream.next()).await.unwrap().name(), "resync");
}

#[tokio::test]
async fn a_file_that_is_put_back_in_its_place_begins_a_new_epoch() {
    let folder = tempfile::tempdir().unwrap();
    let Some(file) = file(folder.path()) else { return };
    assert!(import(folder.path(), "den", PEOPLE).0);
    let program = Program::serve(folder.path());
    let (epoch, _) = head(&program).await;
    let copy = folder.path().join("copy.backup");
    assert!(backup(folder.path(), &copy).0);
    program.actor("ada").kick("dee").await.ok();
    program.stop().await;
    // Into the very same file: device and inode are those of before.
    std::fs::copy(&copy, &file).unwrap();
    for beside in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{beside}", file.display()));
    }
    let program = Program::serve(folder.path());
    assert_eq!(program.actor("dee").sees().await, ["ada", "dee"]);
    assert_ne!(head(&program).await.0, epoch);
}

/// A file that SQLite keeps beside this one.
fn beside(file: &Path, suffix: &str) -> PathBuf {
    format!("{}{suffix}", file.display()).into()
}

/// Does what the messages say before a backup is put in place of the file.
fn move_log_away(file: &Path) {
    for suffix in ["-wal", "-shm"] {
        let _ = std::fs::rename(beside(file, suffix), beside(file, &format!("{suffix}.before")));
    }
}

/// That every command says what is wrong with the file, and changes nothing.
fn is_refused(folder: &Path, file: &Path) {
    let log = beside(file, "-wal");
    let (content, logged) = (std::fs::read(file).unwrap(), std::fs::read(&log).unwrap());
    assert!(!logged.is_empty());
    for arguments in ON_DATABASE {
        let (done, output) = run(command(folder).args(arguments));
        let advice = format!("move {0}-wal and {0}-shm away", file.display());
        assert!(!done && output.contains("it is a backup") && output.contains(&advice), "{arguments:?}: {output}");
        assert!(std::fs::read(file).unwrap() == content, "{arguments:?} has changed the file");
        assert!(std::fs::read(&log).unwrap() == logged, "{arguments:?} has changed its log");
    }
}

/// That the database is the one of the backup, whole.
async fn has_everybody(folder: &Path) {
    let (sound, output) = run(command(folder).arg("doctor"));
    assert!(sound && output.contains("members: 2"), "{output}");
    let program = Program::serve(folder);
    assert_eq!(program.actor("dee").sees().await, ["ada", "dee"]);
}

/// A service whose last acts are in its write-ahead log, and a backup from before them.
async fn with_a_backup(folder: &Path) -> (Program, PathBuf) {
    assert!(import(folder, "den", PEOPLE).0);
    let program = Program::serve(folder);
    let copy = folder.join("copy.backup");
    assert!(backup(folder, &copy).0);
    program.actor("ada").kick("dee").await.ok();
    (program, copy)
}

#[tokio::test]
async fn a_backup_over_the_file_of_a_killed_service_is_refused_until_its_write_ahead_log_is_away() {
    let folder = tempfile::tempdir().unwrap();
    let Some(file) = file(folder.path()) else { return };
    let (program, copy) = with_a_backup(folder.path()).await;
    program.kill();
    std::fs::copy(&copy, &file).unwrap();
    is_refused(folder.path(), &file);
    move_log_away(&file);
    has_everybody(folder.path()).await;
}

#[tokio::test]
async fn a_backup_over_the_file_of_a_stopped_service_needs_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let Some(file) = file(folder.path()) else { return };
    let (program, copy) = with_a_backup(folder.path()).await;
    program.stop().await;
    std::fs::copy(&copy, &file).unwrap();
    has_everybody(folder.path()).await;
}

#[tokio::test]
async fn a_backup_that_is_moved_over_the_file_of_a_running_service_is_whole_after_a_restart() {
    for is_killed in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let Some(file) = file(folder.path()) else { return };
        let (program, copy) = with_a_backup(folder.path()).await;
        std::fs::rename(&copy, &file).unwrap();
        if is_killed {
            program.kill();
            is_refused(folder.path(), &file);
            move_log_away(&file);
        } else {
            program.stop().await;
        }
        has_everybody(folder.path()).await;
    }
}

#[tokio::test]
async fn a_backup_that_is_copied_over_the_file_of_a_running_service_is_not_written_into() {
    let folder = tempfile::tempdir().unwrap();
    let Some(file) = file(folder.path()) else { return };
    let (program, copy) = with_a_backup(folder.path()).await;
    std::fs::copy(&copy, &file).unwrap();
    let ready = program.actor("ada").get("/readyz").await;
    assert!(ready.status == 503 && ready.body.contains("was copied over"), "{ready:?}");
    // What copies the log into the file has looked.
    tokio::time::sleep(Duration::from_millis(1500)).await;
    program.stop().await;
    assert!(std::fs::read(&file).unwrap() == std::fs::read(&copy).unwrap(), "it is as it was put there");
    is_refused(folder.path(), &file);
    move_log_away(&file);
    has_everybody(folder.path()).await;
}

#[tokio::test]
async fn a_service_that_is_killed_soon_after_it_began_on_a_backup_starts_again_with_its_acts() {
    let folder = tempfile::tempdir().unwrap();
    if file(folder.path()).is_none() {
        return;
    }
    let (program, copy) = with_a_backup(folder.path()).await;
    drop(program);
    let restored = tempfile::tempdir().unwrap();
    restore(&copy, restored.path());
    let program = Program::serve(restored.path());
    program.actor("ada").kick("dee").await.ok();
    program.kill();
    let program = Program::serve(restored.path());
    assert_eq!(program.actor("ada").sees().await, ["ada"]);
}

#[test]
fn a_copy_that_cannot_be_made_leaves_everything_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    assert!(import(at, "den", PEOPLE).0);
    let refused = |to: &Path, word: &str| {
        let (done, output) = backup(at, to);
        assert!(!done && output.contains(word), "{output}");
    };
    refused(&at.join("none/copy.backup"), &format!("cannot write in {}", at.join("none").display()));
    refused(at, "is not a file");
    if let Some(file) = file(at) {
        refused(&file, "is the database itself");
        assert!(run(command(at).arg("doctor")).0);
        let missing = format!("sqlite://{}/missing.db", at.display());
        let copy = at.join("copy.backup");
        std::fs::write(&copy, "the one of yesterday").unwrap();
        let (done, output) = run(command(at).env("CGM_DATABASE_URL", &missing).arg("backup").arg(&copy));
        assert!(!done && output.contains("there is no file"), "{output}");
        assert_eq!(std::fs::read_to_string(&copy).unwrap(), "the one of yesterday");
        assert!(!at.join("missing.db").exists());
    } else {
        let (done, output) = run(command(at).env("PATH", "/nowhere").arg("backup").arg(at.join("copy.backup")));
        assert!(!done && output.contains("pg_dump is not installed"), "{output}");
    }
}

#[test]
fn a_copy_that_is_ended_while_it_is_made_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    import_crowd(folder.path());
    let copies = tempfile::tempdir().unwrap();
    let copy = copies.path().join("copy.backup");
    std::fs::write(&copy, "the one of yesterday").unwrap();
    // Each is ended at another point, the last ones maybe after their end.
    for wait in [0, 5, 10, 20, 40, 80] {
        let mut backup = command(folder.path());
        let mut backup = backup.arg("backup").arg(&copy).stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
        let begun = Instant::now();
        while litter(copies.path()).is_empty() && backup.try_wait().unwrap().is_none() {
            assert!(begun.elapsed() < Duration::from_secs(20), "it does not begin");
        }
        std::thread::sleep(Duration::from_millis(wait));
        if backup.try_wait().unwrap().is_none() {
            assert!(Command::new("kill").arg(backup.id().to_string()).status().unwrap().success());
        }
        let done = backup.wait().unwrap();
        assert_eq!(litter(copies.path()), [""; 0], "after {wait} ms: {done}");
        let is_old = std::fs::read(&copy).unwrap() == b"the one of yesterday";
        assert!(done.success() || is_old, "after {wait} ms: {done}");
        std::fs::write(&copy, "the one of yesterday").unwrap();
    }
}

#[test]
fn a_copy_for_which_there_is_no_room_says_so_and_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    if file(folder.path()).is_none() {
        return;
    }
    import_crowd(folder.path());
    let copies = tempfile::tempdir().unwrap();
    let mut limited = Command::new("/usr/bin/prlimit");
    limited.arg("--fsize=200000").arg(path()).arg("backup").arg(copies.path().join("copy.backup"));
    limited.env_clear().current_dir(folder.path()).stdin(Stdio::null());
    limited.env("CGM_VIEWER_SECRET", SECRET).env("CGM_DATABASE_URL", database(folder.path()));
    let (done, output) = run(&mut limited);
    let said = format!("cannot write in {}: the copy cannot be written", copies.path().display());
    assert!(!done && output.contains(&said), "{output}");
    assert_eq!(std::fs::read_dir(copies.path()).unwrap().count(), 0);
}

#[test]
fn what_a_killed_backup_has_left_goes_with_the_next_one_and_nothing_else_does() {
    let folder = tempfile::tempdir().unwrap();
    assert!(import(folder.path(), "den", PEOPLE).0);
    let copies = tempfile::tempdir().unwrap();
    let made = |name: &str, files: &[&str]| {
        std::fs::create_dir(copies.path().join(name)).unwrap();
        for file in files {
            std::fs::write(copies.path().join(name).join(file), "names and bans").unwrap();
        }
    };
    made(".backup-killed", &["unfinished", "unfinished-journal"]);
    made(".backup-others", &["letters"]);
    made(".backup-in-use", &["unfinished"]);
    std::fs::write(copies.path().join(".backup-monday"), "another copy").unwrap();
    let in_use = std::fs::File::open(copies.path().join(".backup-in-use")).unwrap();
    in_use.lock().unwrap();
    let (done, output) = backup(folder.path(), &copies.path().join("copy.backup"));
    assert!(done, "{output}");
    let mut left = litter(copies.path());
    left.sort();
    assert_eq!(left, [".backup-in-use", ".backup-monday", ".backup-others"]);
}

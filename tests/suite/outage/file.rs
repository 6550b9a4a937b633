//! What happens to a SQLite file behind the back of the service: moved away, replaced, made read-only, emptied.

use std::fs::{self, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use reqwest::Method;
use sqlx::{Connection, SqliteConnection};

use super::{kick, not_ready, refused_for_now, until_yes};
use crate::support::Actor;
use crate::support::actor::send;
use crate::support::program::{ON_DATABASE, Program, bare, path, run, run_with};
use crate::support::{SECRET, eventually};

pub(super) const KEY: &str = "a-key-of-the-host-s-back-end";

/// The program on the file `test.db` of this folder.
pub(super) fn program(folder: &Path) -> Command {
    let mut program = bare(folder);
    program.env("CGM_VIEWER_SECRET", SECRET).env("CGM_API_KEY", KEY).env("CGM_DATABASE_URL", "sqlite://test.db");
    program
}

/// The service on it.
pub(super) fn serving(folder: &Path) -> Command {
    let mut program = program(folder);
    program.args(["serve", "--listen", "127.0.0.1:0"]);
    program
}

/// Makes the file, with one group.
pub(super) fn fill(folder: &Path) {
    let people: String = (0..2000).map(|number| format!("p{number},Person {number},participant,,\n")).collect();
    let csv =
        format!("uid,name,scope,avatar,joinedAt\nada,Ada,owner,,\nben,Ben,admin,,\ndee,Dee,participant,,\n{people}");
    let (done, output) = run_with(program(folder).args(["import", "--type", "public", "--group", "den", "-"]), &csv);
    assert!(done, "{output}");
}

/// The service on it, with one group.
pub(super) fn serve(folder: &Path) -> Program {
    fill(folder);
    Program::start(&mut serving(folder))
}

/// The gauge that the alarm `DatabaseDown` reads.
async fn is_up(anybody: &Actor) -> bool {
    let request = anybody.anonymous(Method::GET, "/metrics").header("apikey", KEY);
    send(request).await.ok().body.contains("\nchat_group_members_store_up 1\n")
}

/// Sets the version of the format that whoever writes the file must know. SQLite knows 2, and only reads files of a
/// later one (<https://www.sqlite.org/fileformat2.html#file_format_version_numbers>).
fn set_write_version(folder: &Path, version: u8) {
    let mut file = OpenOptions::new().write(true).open(folder.join("test.db")).unwrap();
    file.seek(SeekFrom::Start(18)).unwrap();
    file.write_all(&[version]).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn moved_away_the_file_is_missed_at_once_and_acts_go_on_when_it_is_back() {
    let folder = tempfile::tempdir().unwrap();
    let service = serve(folder.path());
    let (ada, ben) = (service.actor("ada"), service.actor("ben"));
    let (file, away) = (folder.path().join("test.db"), folder.path().join("away.db"));
    assert_eq!(send(ada.anonymous(Method::GET, "/readyz")).await.status, 200);
    fs::rename(&file, &away).unwrap();
    refused_for_now("an act", kick(&ben, "dee", "k1")).await;
    not_ready(&ada, "gone").await;
    service.wait_for_line("put it back");
    assert!(ada.get("/groups/den/members?searchKeyword=dee").await.ok().uids().contains(&"dee".to_owned()));
    refused_for_now("an act", kick(&ben, "dee", "k1")).await;
    let form = ben.htmx_act("/groups/den/members/dee", &[("_method", "DELETE")]).await.refused(503, "ERR_UNAVAILABLE");
    assert_eq!(form.header("hx-retarget"), "#cgm-den-error", "it is told where the form stands");
    assert!(!file.exists(), "no empty file took its place");
    fs::rename(&away, &file).unwrap();
    until_yes("an act", || kick(&ben, "dee", "k1")).await;
    eventually("it is ready", async || send(ada.anonymous(Method::GET, "/readyz")).await.status == 200).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn removed_the_file_is_missed_at_once_lists_go_on_and_no_new_one_is_begun() {
    let folder = tempfile::tempdir().unwrap();
    let service = serve(folder.path());
    let (ada, ben) = (service.actor("ada"), service.actor("ben"));
    let file = folder.path().join("test.db");
    fs::remove_file(&file).unwrap();
    refused_for_now("an act", kick(&ben, "dee", "k1")).await;
    not_ready(&ada, "gone").await;
    service.wait_for_line("put a backup there");
    assert!(ada.get("/groups/den/members?searchKeyword=dee").await.ok().uids().contains(&"dee".to_owned()));
    refused_for_now("an act", kick(&ben, "dee", "k1")).await;
    assert!(!file.exists(), "no empty file took its place");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_file_in_its_place_is_neither_written_nor_read_before_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let service = serve(folder.path());
    let (ada, ben) = (service.actor("ada"), service.actor("ben"));
    let (file, copy) = (folder.path().join("test.db"), folder.path().join("copy.db"));
    assert!(is_up(&ada).await);
    let seen = ada.get("/groups/den/members").await.ok().uids();
    fs::copy(&file, &copy).unwrap();
    fs::rename(&copy, &file).unwrap();
    let content = fs::read(&file).unwrap();
    refused_for_now("an act", kick(&ben, "dee", "k1")).await;
    not_ready(&ada, "another file").await;
    eventually("the alarm of a database that does not answer rings", async || !is_up(&ada).await).await;
    service.wait_for_line("start this service again");
    refused_for_now("what only the file knows", ben.data("/groups/den/bans")).await;
    assert_eq!(ada.get("/groups/den/members").await.ok().uids(), seen, "lists go on from memory");
    drop(service);
    assert!(fs::read(&file).unwrap() == content, "it is as it was put there");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_file_to_read_and_a_group_in_memory_it_is_not_ready_for_reads_and_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let service = serve(folder.path());
    let ada = service.actor("ada");
    let for_reads = async || send(ada.anonymous(Method::GET, "/readyz?for=reads")).await;
    for_reads().await.ok();
    let (file, copy) = (folder.path().join("test.db"), folder.path().join("copy.db"));
    fs::copy(&file, &copy).unwrap();
    fs::rename(&copy, &file).unwrap();
    let answer = for_reads().await;
    assert!(answer.status == 503 && answer.body.contains("another file"), "{answer:?}");
    refused_for_now("a list", ada.data("/groups/den/members")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_is_read_only_for_a_while_takes_no_acts_and_is_read_and_then_takes_them_again() {
    let folder = tempfile::tempdir().unwrap();
    let service = serve(folder.path());
    let (ada, ben) = (service.actor("ada"), service.actor("ben"));
    let seen = ada.get("/groups/den/members").await.ok().uids();
    // A connection reads the header again once another one has written: from the file, since the log was emptied.
    let url = format!("sqlite://{}", folder.path().join("test.db").display());
    let mut another = SqliteConnection::connect(&url).await.unwrap();
    let write = "UPDATE facts SET value = value WHERE name = 'epoch'";
    for sql in ["PRAGMA wal_checkpoint(TRUNCATE)", "BEGIN IMMEDIATE", write] {
        sqlx::query(sql).execute(&mut another).await.unwrap();
    }
    set_write_version(folder.path(), 3);
    sqlx::query("COMMIT").execute(&mut another).await.unwrap();
    another.close().await.unwrap();
    refused_for_now("an act", kick(&ben, "dee", "k1")).await;
    eventually("it is not ready", async || send(ada.anonymous(Method::GET, "/readyz")).await.status == 503).await;
    not_ready(&ada, "readonly").await;
    service.wait_for_line("readonly");
    assert_eq!(ada.get("/groups/den/members").await.ok().uids(), seen);
    ben.data("/groups/den/bans").await.ok();
    refused_for_now("an act", kick(&ben, "dee", "k1")).await;
    // A connection that has read such a header refuses to write for good: it is replaced by another one.
    set_write_version(folder.path(), 2);
    until_yes("an act", || kick(&ben, "dee", "k1")).await;
    eventually("it is ready", async || send(ada.anonymous(Method::GET, "/readyz")).await.status == 200).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_its_write_ahead_log_acts_are_refused_and_nothing_of_it_is_lost() {
    for suffix in ["-wal", "-shm"] {
        let folder = tempfile::tempdir().unwrap();
        let service = serve(folder.path());
        let (ada, ben) = (service.actor("ada"), service.actor("ben"));
        kick(&ben, "dee", "k1").await.ok();
        fs::remove_file(folder.path().join(format!("test.db{suffix}"))).unwrap();
        refused_for_now("an act", kick(&ben, "p1", "k2")).await;
        not_ready(&ada, &format!("test.db{suffix} was taken away")).await;
        service.wait_for_line("stop this service");
        service.terminate();
        assert!(service.wait().0.success());
        let again = Program::start(&mut serving(folder.path()));
        let ben = again.actor("ben");
        let found = ben.get("/groups/den/members?searchKeyword=dee").await.ok().uids();
        assert!(found.is_empty(), "{suffix}: what was answered is kept: {found:?}");
        kick(&ben, "p1", "k2").await.ok();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn emptied_under_the_service_the_file_keeps_its_write_ahead_log() {
    let folder = tempfile::tempdir().unwrap();
    let service = serve(folder.path());
    let (ada, ben) = (service.actor("ada"), service.actor("ben"));
    kick(&ben, "dee", "k1").await.ok();
    fs::write(folder.path().join("test.db"), "").unwrap();
    not_ready(&ada, "was emptied").await;
    refused_for_now("an act", kick(&ben, "p1", "k2")).await;
    refused_for_now("what only the file knows", ben.data("/groups/den/bans")).await;
    // What looks at the file every second has looked.
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert!(fs::metadata(folder.path().join("test.db-wal")).is_ok_and(|log| log.len() > 0));
}

#[test]
fn a_file_that_was_emptied_is_not_begun_anew_without_a_word() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("test.db");
    serve(folder.path()).kill();
    let log = folder.path().join("test.db-wal");
    let kept = fs::read(&log).unwrap();
    assert!(!kept.is_empty());
    fs::write(&file, "").unwrap();
    let others: [&[&str]; 3] =
        [&["doctor", "--json"], &["doctor", "--mend"], &["move", "--to", "postgres://nobody@127.0.0.1:1/none"]];
    for arguments in ON_DATABASE.into_iter().chain(others) {
        let (done, output) = run(program(folder.path()).args(arguments));
        let said = output.contains("test.db: it is empty") && output.contains("test.db-wal shows");
        assert!(!done && said, "{arguments:?}: {output}");
        assert!(fs::read(&log).is_ok_and(|left| left == kept), "{arguments:?} has touched what is left of it");
    }
    assert!(fs::read(&log).unwrap() == kept, "what is left of it is left alone");
    assert_eq!(fs::metadata(&file).unwrap().len(), 0);

    for left in ["test.db-wal", "test.db-shm"] {
        fs::remove_file(folder.path().join(left)).unwrap();
    }
    let begun = Program::start(&mut serving(folder.path())).startup_log.concat();
    assert!(begun.contains("WARN") && begun.contains("test.db was there and is empty"), "{begun}");
    let second = Program::start(&mut serving(folder.path())).startup_log.concat();
    assert!(!second.contains("is empty"), "{second}");
}

#[test]
fn what_this_user_may_not_write_is_named_be_it_the_folder_or_the_file() {
    const NOBODY: u32 = 65534;
    let folder = tempfile::tempdir().unwrap();
    let (data, own) = (folder.path().join("data"), folder.path().join("program"));
    let (file, copy) = (data.join("test.db"), data.join("copy.backup"));
    let set_mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    fs::create_dir(&data).unwrap();
    for arguments in [&["migrate"][..], &["backup", "copy.backup"]] {
        let (done, output) = run(program(&data).args(arguments));
        assert!(done, "{output}");
    }
    // A connection that only reads, as that of `backup`, cannot remove them.
    for suffix in ["-wal", "-shm"] {
        let _ = fs::remove_file(data.join(format!("test.db{suffix}")));
    }
    // Root may write everywhere, and its program may lie where nobody else comes.
    let is_root = fs::metadata("/proc/self").unwrap().uid() == 0;
    if is_root {
        fs::copy(path(), &own).unwrap();
        set_mode(folder.path(), 0o755);
        [&data, &file].into_iter().for_each(|path| chown(path, Some(NOBODY), Some(NOBODY)).unwrap());
    }
    let refusal = || {
        let mut command = if is_root { Command::new("/usr/bin/setpriv") } else { Command::new(path()) };
        if is_root {
            command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(&own);
        }
        let url = format!("sqlite://{}", file.display());
        command.env_clear().env("CGM_VIEWER_SECRET", SECRET).env("CGM_DATABASE_URL", url);
        let (done, output) = run(command.arg("migrate").current_dir(&data));
        assert!(!done, "{output}");
        output
    };
    set_mode(&data, 0o555);
    let output = refusal();
    assert!(output.contains(&format!("this user may not write in the folder {}", data.display())), "{output}");
    set_mode(&data, 0o755);
    // A backup that root has put there.
    fs::rename(&copy, &file).unwrap();
    set_mode(&file, 0o444);
    let output = refusal();
    assert!(output.contains(&format!("this user may not write {}: ", file.display())), "{output}");
}

#[test]
fn a_database_that_cannot_be_opened_is_named_with_the_cause_by_every_command() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("folder.db")).unwrap();
    fs::write(
        folder.path().join("text.db"),
        "no database at all, but longer than a header of one hundred bytes. ".repeat(9),
    )
    .unwrap();
    for (url, words) in [
        ("sqlite://folder.db", ["folder.db", "it is a folder"]),
        ("sqlite://text.db", ["text.db", "file is not a database"]),
        ("sqlite:///dev/null", ["/dev/null", "it is no file"]),
        ("sqlite::memory:", ["sqlite::memory:", "in memory"]),
        ("sqlite://test.db?mode=memory", ["test.db", "in memory"]),
        ("sqlite://", ["sqlite://", "names no file"]),
        ("sqlite://test.db?mode=sometimes", ["test.db", "sometimes"]),
        ("sqlite://none.db?mode=rw", ["none.db", "o"]),
    ] {
        for arguments in ON_DATABASE {
            let mut command = bare(folder.path());
            command.env("CGM_VIEWER_SECRET", SECRET).env("CGM_DATABASE_URL", url).args(arguments);
            let (done, output) = run(&mut command);
            let about = output.lines().find(|line| line.contains(words[0])).unwrap_or_default();
            assert!(!done && words.iter().all(|word| about.contains(word)), "{url} {arguments:?}: {output}");
            let parts: Vec<&str> = about.split(": ").collect();
            assert!(parts.windows(2).all(|pair| pair[0] != pair[1]), "said twice: {about}");
        }
    }
    // What writes does not open a file that is not to be written, and leaves none behind.
    for arguments in &ON_DATABASE[..4] {
        let (done, output) = run(bare(folder.path())
            .env("CGM_VIEWER_SECRET", SECRET)
            .env("CGM_DATABASE_URL", "sqlite://test.db?mode=ro")
            .args(*arguments));
        assert!(!done && output.contains("test.db: mode=ro keeps it from being written"), "{arguments:?}: {output}");
    }
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

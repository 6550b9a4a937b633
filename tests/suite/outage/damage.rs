//! A SQLite file that is damaged under the service: pages, an index, its end.

use std::fs::{self, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use chat_group_members::clock::Clock;
use chat_group_members::domain::{Guid, Uid};
use chat_group_members::store::{Decision, Store, StoreError};
use reqwest::Method;
use sqlx::{Connection, SqliteConnection};

use super::file::{KEY, fill, program, serve, serving};
use super::{kick, not_ready, refused_for_now};
use crate::support::actor::send;
use crate::support::database::write_out;
use crate::support::eventually;
use crate::support::program::{Program, run_with};

/// Whether Dee is a member, as acts read it: on the connection that writes.
async fn is_member(store: &Store) -> Result<bool, StoreError> {
    let read = store.write(None, |tx| {
        Box::pin(async move {
            let (den, dee): (Guid, Uid) = ("den".parse().unwrap(), "dee".parse().unwrap());
            let person = tx.person(&den, &dee).await?;
            Ok::<_, StoreError>(Decision::Rollback(person.membership.is_some()))
        })
    });
    read.await
}

#[tokio::test]
async fn pages_that_were_damaged_for_a_moment_are_read_again_by_the_next_act() {
    let folder = tempfile::tempdir().unwrap();
    let csv = "uid,name,scope,avatar,joinedAt\nada,Ada,owner,,\ndee,Dee,participant,,\n";
    let (done, output) = run_with(program(folder.path()).args(["import", "--group", "den", "-"]), csv);
    assert!(done, "{output}");
    let file = folder.path().join("test.db");
    write_out(folder.path()).await;
    // Without the task that checks a file in which damage was met: it may do so while the pages are damaged.
    let store = Store::open(&format!("sqlite://{}", file.display()), Clock::default()).await.unwrap();
    let whole = fs::read(&file).unwrap();
    let write = |from: usize, bytes: &[u8]| {
        let mut file = OpenOptions::new().write(true).open(&file).unwrap();
        file.seek(SeekFrom::Start(from as u64)).unwrap();
        file.write_all(bytes).unwrap();
    };
    write(4096, &vec![0xa5; whole.len() - 4096]);
    let refused = is_member(&store).await.unwrap_err();
    assert!(refused.to_string().contains("malformed"), "{refused}");
    write(4096, &whole[4096..]);
    assert!(is_member(&store).await.unwrap(), "the connection that has them in its cache is gone");
}

/// The bytes of the page of the file that holds Dee's membership: a leaf of the tree `members`.
async fn page_of_dee(folder: &Path) -> Range<usize> {
    /// Begins a leaf of a table without row ids (<https://www.sqlite.org/fileformat2.html#b_tree_pages>).
    const LEAF: u8 = 0x0a;
    write_out(folder).await;
    // A record begins with the length of its head, six, and the types of its values: group and person are texts of three bytes.
    let is_her_row = |bytes: &[u8]| bytes.starts_with(&[6, 0x13, 0x13]) && bytes.ends_with(b"dendee");
    let bytes = fs::read(folder.join("test.db")).unwrap();
    let is_hers = |page: &[u8]| page[0] == LEAF && page.windows(12).any(is_her_row);
    let number = bytes.chunks(4096).position(is_hers).expect("the file has her row");
    number * 4096..(number + 1) * 4096
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_damaged_throughout_ends_acts_and_the_log_says_how_to_recover() {
    let folder = tempfile::tempdir().unwrap();
    let service = serve(folder.path());
    let size = fs::metadata(folder.path().join("test.db")).unwrap().len();
    let warned = damaged_it_takes_no_acts(folder.path(), &service, 4096..usize::try_from(size).unwrap()).await;
    assert!(warned > 0, "the tasks beside the acts say that they cannot go on");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_damaged_page_ends_acts_and_the_log_says_how_to_recover() {
    let folder = tempfile::tempdir().unwrap();
    let service = serve(folder.path());
    let page = page_of_dee(folder.path()).await;
    damaged_it_takes_no_acts(folder.path(), &service, page).await;
}

/// Overwrites these bytes of the file under a service; how many warnings it logs.
async fn damaged_it_takes_no_acts(folder: &Path, service: &Program, bytes: Range<usize>) -> usize {
    let (ada, ben) = (service.actor("ada"), service.actor("ben"));
    let seen = ada.get("/groups/den/members").await.ok().uids();
    let mut file = OpenOptions::new().write(true).open(folder.join("test.db")).unwrap();
    file.seek(SeekFrom::Start(bytes.start as u64)).unwrap();
    file.write_all(&vec![0xa5; bytes.len()]).unwrap();
    drop(file);
    refused_for_now("an act", kick(&ben, "dee", "k1")).await;
    not_ready(&ada, "damaged").await;
    eventually("alarms see it", async || {
        let metrics = send(ada.anonymous(Method::GET, "/metrics").header("apikey", KEY)).await.ok().body;
        metrics.lines().any(|line| line == "chat_group_members_store_writable 0")
    })
    .await;
    // Some tasks meet the damage before that line, others after it.
    let mut log = service.lines_up_to(".recover");
    refused_for_now("an act", kick(&ben, "dee", "k1")).await;
    assert_eq!(ada.get("/groups/den/members").await.ok().uids(), seen, "lists go on from memory");
    // What is tried every second fails every second: the log has it once.
    tokio::time::sleep(Duration::from_secs(4)).await;
    log.extend(service.lines_since());
    let mut lines: Vec<&str> = log.iter().filter_map(|line| line.get(line.find(" WARN ")?..)).collect();
    lines.sort_unstable();
    assert!(lines.windows(2).all(|pair| pair[0] != pair[1]), "{lines:#?}");
    lines.len()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_is_cut_short_takes_no_acts_and_the_process_lives() {
    let folder = tempfile::tempdir().unwrap();
    let service = serve(folder.path());
    let (ada, ben) = (service.actor("ada"), service.actor("ben"));
    let seen = ada.get("/groups/den/members").await.ok().uids();
    OpenOptions::new().write(true).open(folder.path().join("test.db")).unwrap().set_len(8192).unwrap();
    refused_for_now("an act", kick(&ben, "dee", "k1")).await;
    not_ready(&ada, "damaged").await;
    refused_for_now("what only the file knows", ben.data("/groups/den/bans")).await;
    assert_eq!(ada.get("/groups/den/members").await.ok().uids(), seen, "lists go on from memory");
}

/// Takes Dee's entry out of the index of members by person: her row is written while the schema does not have the index.
async fn forget_dee_in_the_index(folder: &Path) {
    let url = format!("sqlite://{}", folder.join("test.db").display());
    // Each connection reads the schema as the one before has left it.
    for sql in [
        "CREATE TABLE kept AS SELECT * FROM members WHERE uid = 'dee';
         CREATE TABLE kept_index AS SELECT * FROM sqlite_master WHERE name = 'members_by_user';
         DELETE FROM members WHERE uid = 'dee';
         PRAGMA writable_schema = ON;
         DELETE FROM sqlite_master WHERE name = 'members_by_user'",
        "INSERT INTO members SELECT * FROM kept;
         PRAGMA writable_schema = ON;
         INSERT INTO sqlite_master SELECT * FROM kept_index",
        "DROP TABLE kept; DROP TABLE kept_index",
    ] {
        let mut connection = SqliteConnection::connect(&url).await.unwrap();
        sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_index_that_lacks_a_member_ends_acts_and_the_log_says_how_to_recover() {
    let folder = tempfile::tempdir().unwrap();
    fill(folder.path());
    forget_dee_in_the_index(folder.path()).await;
    let service = Program::start(&mut serving(folder.path()));
    let (ada, ben) = (service.actor("ada"), service.actor("ben"));
    let seen = ada.get("/groups/den/members").await.ok().uids();
    refused_for_now("an act", kick(&ben, "dee", "k1")).await;
    not_ready(&ada, "damaged").await;
    service.wait_for_line(".recover");
    not_ready(&ada, "members_by_user").await;
    refused_for_now("an act on somebody else", kick(&ben, "p1", "k2")).await;
    assert_eq!(ada.get("/groups/den/members").await.ok().uids(), seen, "lists go on");
}

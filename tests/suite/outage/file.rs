//! What happens to a SQLite file behind the back of the service: moved away, replaced, damaged.

use std::fs::{self, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use reqwest::Method;

use super::{kick, refused_for_now, until_yes};
use crate::support::actor::send;
use crate::support::program::{Program, bare, run_with};
use crate::support::{Actor, SECRET, eventually};

/// A service on the file `test.db` of this folder, with one group.
fn serve(folder: &Path) -> Program {
    let program = || {
        let mut program = bare(folder);
        program.env("CGM_VIEWER_SECRET", SECRET).env("CGM_DATABASE_URL", "sqlite://test.db");
        program
    };
    let people: String = (0..2000).map(|number| format!("p{number},Person {number},participant,,\n")).collect();
    let csv =
        format!("uid,name,scope,avatar,joinedAt\nada,Ada,owner,,\nben,Ben,admin,,\ndee,Dee,participant,,\n{people}");
    let (done, said) = run_with(program().args(["import", "--type", "public", "--group", "den", "-"]), &csv);
    assert!(done, "{said}");
    Program::start(program().args(["serve", "--listen", "127.0.0.1:0"]))
}

/// Waits until `/readyz` refuses with these words.
async fn not_ready(ada: &Actor, words: &str) {
    eventually(&format!("it is not ready: {words}"), async || {
        let ready = send(ada.anonymous(Method::GET, "/readyz")).await;
        ready.status == 503 && ready.body.contains(words)
    })
    .await;
    assert_eq!(send(ada.anonymous(Method::GET, "/readyz?for=reads")).await.status, 200);
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
    service.says("put it back");
    assert!(ada.get("/groups/den/members?searchKeyword=dee").await.ok().uids().contains(&"dee".to_owned()));
    refused_for_now("an act", kick(&ben, "dee", "k1")).await;
    assert!(!file.exists(), "no empty file took its place");
    fs::rename(&away, &file).unwrap();
    until_yes("an act", || kick(&ben, "dee", "k1")).await;
    eventually("it is ready", async || send(ada.anonymous(Method::GET, "/readyz")).await.status == 200).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_file_in_its_place_is_neither_written_nor_read_before_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let service = serve(folder.path());
    let (ada, ben) = (service.actor("ada"), service.actor("ben"));
    let (file, copy) = (folder.path().join("test.db"), folder.path().join("copy.db"));
    fs::copy(&file, &copy).unwrap();
    fs::rename(&copy, &file).unwrap();
    let content = fs::read(&file).unwrap();
    refused_for_now("an act", kick(&ben, "dee", "k1")).await;
    not_ready(&ada, "another file").await;
    service.says("start this service again");
    refused_for_now("what only the file knows", ben.data("/groups/den/bans")).await;
    drop(service);
    assert!(fs::read(&file).unwrap() == content, "it is as it was put there");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_page_ends_acts_and_the_log_says_how_to_recover() {
    let folder = tempfile::tempdir().unwrap();
    let service = serve(folder.path());
    let (ada, ben) = (service.actor("ada"), service.actor("ben"));
    let seen = ada.get("/groups/den/members").await.ok().uids();
    let mut file = OpenOptions::new().write(true).open(folder.path().join("test.db")).unwrap();
    let size = file.metadata().unwrap().len();
    file.seek(SeekFrom::Start(4096)).unwrap();
    file.write_all(&vec![0xa5; usize::try_from(size - 4096).unwrap()]).unwrap();
    drop(file);
    refused_for_now("an act", kick(&ben, "dee", "k1")).await;
    eventually("it is not ready", async || {
        let ready = send(ada.anonymous(Method::GET, "/readyz")).await;
        ready.status == 503 && ready.body.contains("damaged")
    })
    .await;
    service.says(".recover");
    refused_for_now("an act", kick(&ben, "dee", "k1")).await;
    assert_eq!(ada.get("/groups/den/members").await.ok().uids(), seen, "lists go on from memory");
}

//! What `import` refuses about a group that is there, and what it leaves of a file that is not applied. What it reads and applies is
//! in `durable.rs`.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::json;

use crate::support::database::{database, read_by_hand, write_by_hand};
use crate::support::program::{Program, command, import, path, run, run_with};
use crate::support::{SECRET, eventually};

const PEOPLE: &str = "uid,name,scope,avatar,joinedAt\nada,Ada,owner,,\n";

/// The number of lists on their way, for which lists by a cursor wait.
const STAGED: &str = "SELECT CAST(count(*) AS TEXT) FROM syncs";

#[tokio::test]
async fn of_a_file_that_is_refused_nothing_stays_staged() {
    let folder = tempfile::tempdir().unwrap();
    assert!(import(folder.path(), "den", PEOPLE).0);
    let (done, output) = import(folder.path(), "den", &format!("{PEOPLE}x y,Nobody,participant,,\n"));
    assert!(!done && output.contains("line 3"), "{output}");
    assert_eq!(read_by_hand(folder.path(), STAGED).await.as_deref(), Some("0"));
}

#[tokio::test]
async fn of_a_file_whose_import_a_signal_ends_nothing_stays_staged() {
    let folder = tempfile::tempdir().unwrap();
    assert!(import(folder.path(), "den", PEOPLE).0);
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let mut importing = command(folder.path());
        importing.args(["import", "--group", "den", "-"]).stdin(Stdio::piped()).stdout(Stdio::null());
        let mut importing = importing.stderr(Stdio::null()).spawn().unwrap();
        // The file does not end.
        let mut input = importing.stdin.take().unwrap();
        input.write_all(PEOPLE.as_bytes()).unwrap();
        eventually("the import has begun", async || read_by_hand(folder.path(), STAGED).await.as_deref() == Some("1"))
            .await;
        let sent = Command::new("kill").args([signal, &importing.id().to_string()]).status().unwrap();
        assert!(sent.success());
        assert_eq!(importing.wait().unwrap().code(), Some(code), "{signal}");
        assert_eq!(read_by_hand(folder.path(), STAGED).await.as_deref(), Some("0"), "{signal}");
        drop(input);
    }
}

#[test]
fn an_option_that_says_something_else_than_the_group_is_is_refused_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let again = |options: &[&str], password: Option<&str>| {
        let mut import = command(folder.path());
        import.args(["import", "--group", "den", "-"]).args(options);
        run_with(import.envs(password.map(|password| ("CGM_GROUP_PASSWORD", password))), PEOPLE)
    };
    assert!(again(&["--type", "password", "--group-name", "The Den"], Some("sesame")).0);
    for (options, password, what) in [
        (&["--type", "public"][..], None, "--type: the group den is there, and is a password group"),
        (&["--group-name", "den"][..], None, "--group-name: the group den is there, and is called \"The Den\""),
        (&["--type", "password"][..], Some("simsim"), "CGM_GROUP_PASSWORD: the group den is there, and has another"),
        (&[][..], Some("simsim"), "CGM_GROUP_PASSWORD: the group den is there, and has another"),
    ] {
        let (done, output) = again(options, password);
        assert!(!done && output.contains(what) && output.contains("Nothing of the file"), "{options:?}: {output}");
    }
    for (options, password) in [
        (&[][..], None),
        (&["--type", "password"][..], None),
        (&["--type", "password", "--group-name", "The Den"][..], Some("sesame")),
    ] {
        let (done, output) = again(options, password);
        assert!(done, "{options:?}: {output}");
    }
}

#[test]
fn a_column_that_is_spelt_in_another_way_or_stands_twice_is_refused_and_one_that_is_not_read_is_named() {
    let folder = tempfile::tempdir().unwrap();
    for (header, what) in [
        ("uid,name,scope,avatar,joined_at", "line 1: the column joined_at is spelt joinedAt"),
        ("UID,name,scope,avatar,joinedAt", "line 1: the column UID is spelt uid"),
        ("uid,name,scope,avatar,scope_until", "line 1: the column scope_until is spelt scopeUntil"),
        ("uid,name,scope,avatar,avatar", "line 1: the column avatar is there twice"),
        (
            "uid,name,avatar,joinedAt,joined",
            "line 1: the header must name uid,name,scope,avatar,joinedAt,scopeUntil; it has no scope",
        ),
    ] {
        let (done, output) = import(folder.path(), "den", &format!("{header}\nada,Ada,owner,,\n"));
        assert!(!done && output.contains(what), "{header}: {output}");
    }
    let (done, output) = import(folder.path(), "den", "uid,name,scope,email\nada,Ada,owner,ada@example.org\n");
    assert!(done && output.contains("The column \"email\" is not read"), "{output}");
}

#[tokio::test]
async fn a_banned_owner_is_named_with_the_line_that_lists_them() {
    let folder = tempfile::tempdir().unwrap();
    let people = "uid,name,scope,avatar,joinedAt\nada,Ada,admin,,\ndee,Dee,participant,,\n";
    let hosted = ["import", "--group", "den", "--owner-is-host", "-"];
    assert!(run_with(command(folder.path()).args(hosted), people).0);
    let program = Program::serve(folder.path());
    program.actor("ada").ban("dee", json!({})).await.ok();
    let lines = "{\"uid\":\"eve\",\"name\":\"Eve\"}\n\n{\"uid\":\"dee\",\"name\":\"Dee\",\"scope\":\"owner\"}\n";
    let (done, output) = import(folder.path(), "den", lines);
    let named = output.contains("line 3: owner: ") && output.contains("dee, who is listed, is banned");
    assert!(!done && named, "{output}");
}

#[tokio::test]
async fn a_list_that_is_imported_again_makes_no_role_lasting_that_was_to_end() {
    let folder = tempfile::tempdir().unwrap();
    assert!(import(folder.path(), "den", &format!("{PEOPLE}cy,Cy,participant,,\ndee,Dee,participant,,\n")).0);
    let program = Program::serve(folder.path());
    let ada = program.actor("ada");
    for uid in ["cy", "dee"] {
        ada.grant(uid, json!({"scope": "admin", "until": 3600})).await.ok();
    }
    let list = ada.get("/groups/den/members?format=csv").await.ok().body;
    assert!(list.starts_with("uid,name,scope,avatar,joinedAt,scopeUntil\n"), "{list}");
    let before = ada.data("/groups/den/members/cy").await.ok().json();
    ada.set_scope("dee", "participant").await.ok();
    program.kill();
    for group in ["den", "twin"] {
        let (done, output) = import(folder.path(), group, &list);
        assert!(done, "{output}");
    }
    let program = Program::serve(folder.path());
    let ada = program.actor("ada");
    assert_eq!(ada.data("/groups/den/members/cy").await.ok().json(), before, "he keeps it, with its end");
    for path in ["den/members/dee", "twin/members/cy", "twin/members/dee"] {
        let member = ada.data(&format!("/groups/{path}")).await.ok().json()["data"].clone();
        assert_eq!((&member["scope"], member.get("scopeUntil")), (&json!("participant"), None), "{path}");
    }
}

#[test]
fn a_folder_is_named_as_what_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("people")).unwrap();
    let (done, output) = run(command(folder.path()).args(["import", "--group", "den", "people"]));
    assert!(!done && output.contains("cannot read people: Is a directory"), "{output}");
}

#[tokio::test]
async fn a_disk_that_is_full_is_named_where_the_import_says_that_it_applied_nothing() {
    let folder = tempfile::tempdir().unwrap();
    if !database(folder.path()).starts_with("sqlite:") {
        return;
    }
    assert!(import(folder.path(), "den", PEOPLE).0);
    // It ends the transaction too, as a full disk does.
    let full = "CREATE TRIGGER full BEFORE INSERT ON sync_rows
                BEGIN SELECT RAISE(ROLLBACK, 'database or disk is full'); END";
    write_by_hand(folder.path(), full).await;
    let (done, output) = import(folder.path(), "den", "uid,name,scope\ndee,Dee,participant\n");
    let said = output.lines().find(|line| line.ends_with("Nothing of the file was applied.")).unwrap();
    assert!(!done && said.contains("database or disk is full") && !said.contains("was logged"), "{output}");
}

#[test]
fn an_import_whose_commit_may_have_failed_does_not_say_that_nothing_was_applied() {
    let folder = tempfile::tempdir().unwrap();
    if !database(folder.path()).starts_with("sqlite:") {
        return;
    }
    let others: String = (0..20_000).map(|n| format!("p{n},Person {n},participant,,\n")).collect();
    std::fs::write(folder.path().join("people.csv"), format!("{PEOPLE}{others}")).unwrap();
    let mut limited = Command::new("/usr/bin/prlimit");
    limited.arg("--fsize=1000000").arg(path()).args(["import", "--group", "den", "people.csv"]);
    limited.env_clear().current_dir(folder.path()).stdin(Stdio::null());
    limited.env("CGM_VIEWER_SECRET", SECRET).env("CGM_DATABASE_URL", database(folder.path()));
    let (done, output) = run(&mut limited);
    assert!(!done && output.contains("it is not known whether the file was applied"), "{output}");
    assert!(!output.contains("Nothing of the file"), "{output}");
}

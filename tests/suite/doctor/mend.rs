//! `doctor --mend`: what is safe is mended, and what was before is kept first.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::faults::{FAULTS, Fault};
use super::{HEADER, copy_of, examine, found, in_parts, inject, of_this_database, part, report_of, sound};
use crate::support::database::{database, rows, write_by_hand};
use crate::support::eventually;
use crate::support::program::{Program, command, import, run};

in_parts!(what_is_safe_is_mended_and_what_was_before_is_kept: in_part_1 0, in_part_2 1, in_part_3 2, in_part_4 3,);
in_parts!(what_people_have_to_decide_is_left_as_it_is: in_part_1 0, in_part_2 1, in_part_3 2, in_part_4 3,);

/// The checks that `--mend` leaves to people, or to the host, with the faults that tables or other programs have.
const BY_HAND: [&str; 45] = [
    "schema-version",
    "schema-text",
    "schema-table",
    "schema-column",
    "schema-default",
    "schema-primary-key",
    "schema-foreign-key",
    "facts",
    "users-uid",
    "users-name",
    "users-details",
    "users-times",
    "groups-guid",
    "groups-name",
    "groups-type",
    "groups-password",
    "groups-times",
    "groups-details",
    "members-banned",
    "members-logged",
    "owners",
    "bans-times",
    "mutes-times",
    "temporary-scopes-times",
    "notes-uid",
    "notes-number",
    "notes-text",
    "notes-times",
    "events-without-group",
    "events-kind",
    "events-cause",
    "events-undo",
    "events-gap",
    "events-touched",
    "events-times",
    "events-order",
    "events-actor",
    "touched-scope",
    "touched-restrictions",
    "touched-uid",
    "outbox-data",
    "outbox-times",
    "webhook-state",
    "logouts",
    "erasures",
];

async fn what_is_safe_is_mended_and_what_was_before_is_kept(number: usize) {
    let original = sound();
    let (mut left, mut lost) = (Vec::new(), Vec::new());
    for fault in part(FAULTS.iter(), number).filter(|fault| !BY_HAND.contains(&fault.check)) {
        // A log that is gone does not come back.
        if fault.sql.starts_with("DELETE FROM events") || fault.sql.contains("seq + 5") {
            continue;
        }
        let folder = copy_of(original.path()).await;
        inject(folder.path(), fault.sql).await;
        let (_, output) = run(command(folder.path()).args(["doctor", "--mend"]));
        let (report, _) = examine(folder.path());
        if found(&report).iter().any(|(check, _, _)| check == fault.check) {
            left.push(format!("{}: {output}", fault.check));
        }
        if !is_kept(fault, folder.path(), &output) {
            lost.push(format!("{}: {output}", fault.check));
        }
    }
    assert!(left.is_empty(), "{left:#?}");
    assert!(lost.is_empty(), "{lost:#?}");
}

async fn what_people_have_to_decide_is_left_as_it_is(number: usize) {
    let original = sound();
    let mut changed = Vec::new();
    let faults = FAULTS.iter().chain(of_this_database()).filter(|fault| BY_HAND.contains(&fault.check));
    for fault in part(faults, number) {
        let folder = copy_of(original.path()).await;
        inject(folder.path(), fault.sql).await;
        let before = rows(folder.path()).await;
        let (_, output) = run(command(folder.path()).args(["doctor", "--mend"]));
        let after = rows(folder.path()).await;
        // What the same fault has broken beside that may be mended: then the rows that the check is about are compared.
        let nothing_is_mended = !output.contains("what was before is kept in");
        let table = format!("{}: ", table_of(fault.check));
        let about = |rows: &[String]| -> Vec<String> {
            rows.iter().filter(|row| nothing_is_mended || row.starts_with(&table)).cloned().collect()
        };
        let is_about_something = fault.check.starts_with("schema-") || !about(&before).is_empty();
        if !is_about_something || about(&before) != about(&after) {
            changed.push(format!("{}: {output}", fault.check));
        }
        if !found(&examine(folder.path()).0).contains(&fault.finding()) {
            changed.push(format!("{} is not found any more: {output}", fault.check));
        }
    }
    assert!(changed.is_empty(), "{changed:#?}");
}

/// The table whose rows a check is about.
fn table_of(check: &str) -> &str {
    match check {
        "owners" => "members",
        "webhook-state" => "webhook_endpoints",
        "temporary-scopes-times" => "temporary_scopes",
        _ => check.split('-').next().unwrap(),
    }
}

/// Whether the program names a file in which it kept what the fault is about, as it was before: a copy of the database,
/// or on PostgreSQL the rows.
fn is_kept(fault: &Fault, folder: &Path, output: &str) -> bool {
    let named = output.lines().find_map(|line| line.split_once("what was before is kept in "));
    let Some((_, path)) = named else { return false };
    let path = folder.join(path.trim());
    if !path.is_file() {
        return false;
    }
    if path.extension().is_some_and(|extension| extension == "db") {
        let kept = format!("sqlite://{}", path.display());
        return found(&report_of(command(folder).env("CGM_DATABASE_URL", kept)).0).contains(&fault.finding());
    }
    // There are no rows to keep of these: they are made anew.
    let made_anew = ["schema-index", "users-sort-key", "presence-reporter"].contains(&fault.check);
    let kept = std::fs::read_to_string(&path).unwrap();
    let is_row = |line: &str| serde_json::from_str::<Value>(line).unwrap()["row"].is_object();
    // The row of a sync has its group, and the rows that it staged have the people.
    let is_named = |id: &str| kept.lines().any(|line| is_row(line) && line.contains(id));
    // With the end of a scope, the row of the member changes as well: it gets the number of an event.
    let is_member = |line: &str| serde_json::from_str::<Value>(line).unwrap()["table"] == "members";
    let members_too = fault.check != "temporary-scopes-scope" || kept.lines().any(is_member);
    made_anew || (members_too && is_named(fault.group) && is_named(fault.uid))
}

#[tokio::test]
async fn what_a_repair_leaves_is_not_said_to_be_mended() {
    let folder = sound();
    inject(folder.path(), "UPDATE groups SET seq = seq + 5 WHERE guid = 'den'").await;
    let (sound, output) = run(command(folder.path()).args(["doctor", "--mend"]));
    assert!(!sound && output.contains("groups-number: not all of it could be mended"), "{output}");
    assert!(!output.contains("groups-number: mended"), "{output}");
}

#[tokio::test]
async fn a_running_service_follows_what_is_mended() {
    let folder = sound();
    let service = Program::serve(folder.path());
    let ada = service.actor("ada");
    assert_eq!(ada.sees().await, ["ada", "cy", "dee"]);
    let mut stream = ada.events().await;
    stream.next().await;
    inject(folder.path(), "DELETE FROM users WHERE uid = 'dee'").await;
    let (sound, output) = run(command(folder.path()).args(["doctor", "--mend"]));
    assert!(sound && output.contains("members-without-user: mended"), "{output}");
    crate::support::eventually("the row is gone", async || ada.sees().await == ["ada", "cy"]).await;
}

#[tokio::test]
async fn a_running_service_forgets_the_end_of_a_scope_that_is_mended_away() {
    let folder = sound();
    let not_below = "INSERT INTO temporary_scopes (guid, uid, scope, lasting_scope, until_at)
        VALUES ('den', 'cy', 1, 2, 1900000000000)";
    inject(folder.path(), not_below).await;
    let service = Program::serve(folder.path());
    let ada = service.actor("ada");
    let cy = async || {
        let list = ada.data("/groups/den/members").await.ok().json();
        list["data"].as_array().unwrap().iter().find(|member| member["uid"] == "cy").cloned().unwrap()
    };
    assert!(cy().await["scopeUntil"].is_string(), "the service keeps the end in memory");
    let mut stream = ada.events().await;
    let (sound, output) = run(command(folder.path()).args(["doctor", "--mend"]));
    assert!(sound && output.contains("temporary-scopes-scope: mended"), "{output}");
    stream.until("the event", |message| message.name() == "members_synced").await;
    let mended = cy().await;
    assert_eq!((&mended["scope"], mended.get("scopeUntil")), (&Value::from("moderator"), None), "their scope lasts");
    ada.set_scope("cy", "participant").await.ok();
    assert_eq!(cy().await["scope"], "participant");
}

#[tokio::test]
async fn a_running_service_resumes_streams_again_when_the_end_of_a_rewritten_log_is_mended() {
    let folder = sound();
    inject(folder.path(), "UPDATE groups SET rewritten_seq = 99 WHERE guid = 'den'").await;
    let service = Program::serve(folder.path());
    let ada = service.actor("ada");
    let head = async || ada.stream().await.next().await.unwrap().id.unwrap();
    let number = |id: &str| id.rsplit_once('.').unwrap().1.parse::<u64>().unwrap();
    let resumed = async |id: String| {
        let mut stream = ada.raw("/groups/den/events?format=json", &[("last-event-id", id.as_str())]).await;
        stream.until("what was missed", |message| message.id.is_some()).await.name().to_owned()
    };
    let id = head().await;
    let first = number(&id);
    ada.set_scope("dee", "moderator").await.ok();
    assert_eq!(resumed(id).await, "resync", "no event is beyond the 99th");
    let (sound, output) = run(command(folder.path()).args(["doctor", "--mend"]));
    assert!(sound && output.contains("groups-rewritten: mended"), "{output}");
    crate::support::eventually("the group is loaded again", async || number(&head().await) == first + 2).await;
    let id = head().await;
    ada.set_scope("dee", "participant").await.ok();
    assert_eq!(resumed(id).await, "member_scope_changed");
}

/// Has the removal of a mute take so long that a signal comes in the middle of it.
const SLOW_IN_SQLITE: &str = "CREATE VIEW numbers AS
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000) SELECT i FROM n;
    CREATE TRIGGER slow BEFORE DELETE ON mutes BEGIN SELECT count(*) FROM numbers; END";
const SLOW_IN_POSTGRES: &str = "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_sleep(60); RETURN OLD; END $$;
    CREATE TRIGGER slow BEFORE DELETE ON mutes FOR EACH ROW EXECUTE FUNCTION slow()";

#[tokio::test]
async fn whoever_ends_it_in_the_middle_reads_what_is_mended_and_what_is_not() {
    for arguments in [&["doctor", "--mend"][..], &["doctor", "--mend", "--json"]] {
        let folder = sound();
        let broken = "INSERT INTO bans (guid, uid, at)
              VALUES ('lost', 'flo', 1700000000000), ('den', 'f.o', 1700000000000);
            INSERT INTO mutes (guid, uid, at, until_at) VALUES ('lost', 'flo', 1700000000000, 1900000000000);
            INSERT INTO notes (guid, uid, seq, text, by_uid, at) VALUES ('lost', 'flo', 1, 'x', 'ada', 1700000000000)";
        inject(folder.path(), broken).await;
        let is_file = database(folder.path()).starts_with("sqlite:");
        write_by_hand(folder.path(), if is_file { SLOW_IN_SQLITE } else { SLOW_IN_POSTGRES }).await;
        let mut mending = command(folder.path());
        let mending = mending.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let has = async |table: &str| rows(folder.path()).await.iter().any(|row| row.starts_with(table));
        // Both are gone: the repair of the first is over. That of the mute comes next.
        eventually("the bans are mended", async || !has("bans: ").await).await;
        let sent = Command::new("kill").args(["-TERM", &mending.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let output = mending.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(143), "{said}");
        assert!(said.contains("bans-without-group: mended, and not checked again"), "{said}");
        assert!(said.contains("what was before is kept in "), "{said}");
        let not_begun = said.split_once("not begun: ").map(|(_, checks)| checks);
        assert!(not_begun.is_some_and(|checks| checks.contains("notes-without-group")), "{said}");
        assert!(!said.contains("mutes-without-group: mended"), "{said}");
        assert!(has("mutes: ").await && has("notes: ").await, "what was not committed is not done");
        if arguments.contains(&"--json") {
            let report: Value = serde_json::from_str(&said).unwrap();
            assert_eq!((&report["sound"], &report["setup"][0]["check"]), (&false.into(), &"mend".into()), "{report:#}");
        }
    }
}

/// A second group beside the den, after it in the order of ids.
pub(super) fn with_an_eyrie() -> tempfile::TempDir {
    let folder = sound();
    let (done, output) = import(folder.path(), "eyrie", &format!("{HEADER}ben,Ben,owner,,\neve,Eve,participant,,\n"));
    assert!(done, "{output}");
    folder
}

#[tokio::test]
async fn a_mute_that_nobody_can_read_keeps_nobody_from_being_mended() {
    let folder = with_an_eyrie();
    // Dee's mute and Flo's ban are by nobody; Dee, and Eve in another group, joined at an impossible time.
    let broken = "UPDATE members SET joined_at = -1 WHERE uid IN ('dee', 'eve');
        INSERT INTO mutes (guid, uid, at, until_at, by_uid) VALUES ('den', 'dee', 1700000000000, 1900000000000, 'a/b');
        INSERT INTO bans (guid, uid, at, by_uid) VALUES ('den', 'flo', 1700000000000, 'a/b')";
    inject(folder.path(), broken).await;
    let service = Program::serve(folder.path());
    let ada = service.actor("ada");
    ada.data("/groups/den/mutes").await.refused(500, "ERR_INTERNAL");
    let (sound, output) = run(command(folder.path()).args(["doctor", "--mend"]));
    for check in ["members-joined", "mutes-uid", "bans-uid"] {
        assert!(sound && output.contains(&format!("{check}: mended")), "{check}: {output}");
    }
    let muted = ada.data("/groups/den/mutes").await.ok().json();
    assert_eq!((&muted["data"][0]["uid"], &muted["data"][0]["by"]), (&"dee".into(), &Value::Null), "she stays muted");
    let banned = ada.data("/groups/den/bans").await.ok().json();
    assert_eq!(banned["data"][0]["uid"], "flo");
    ada.set_scope("dee", "moderator").await.ok();
}

#[tokio::test]
async fn what_is_mended_leaves_a_log_that_can_be_read() {
    let folder = with_an_eyrie();
    // SQLite takes a text for a number.
    let never = if database(folder.path()).starts_with("sqlite:") { "'never'" } else { "-1" };
    inject(folder.path(), &format!("UPDATE members SET joined_at = {never} WHERE uid = 'dee'")).await;
    let (sound, output) = run(command(folder.path()).args(["doctor", "--mend"]));
    assert!(sound && output.contains("members-joined: mended"), "{output}");
    let (sound, output) = run(command(folder.path()).arg("doctor"));
    assert!(sound, "{output}");
    let service = Program::serve(folder.path());
    let ada = service.actor("ada");
    ada.set_scope("dee", "moderator").await.ok();
    ada.get("/groups/den/members?format=atom").await.ok();
}

#[tokio::test]
async fn a_group_that_cannot_be_read_is_named_and_the_others_are_mended() {
    let folder = with_an_eyrie();
    let broken = "UPDATE members SET seq = 99 WHERE uid IN ('dee', 'eve');
        UPDATE groups SET type = 'secret' WHERE guid = 'den';
        UPDATE users SET sort_key = 'x' WHERE uid IN ('dee', 'eve')";
    inject(folder.path(), broken).await;
    let (sound, output) = run(command(folder.path()).args(["doctor", "--mend"]));
    assert!(!sound && output.contains("members-number: could not be mended in group den"), "{output}");
    let (report, _) = examine(folder.path());
    let of = |check: &str, uid: &str| found(&report).iter().any(|(name, _, person)| name == check && person == uid);
    assert_eq!((of("members-number", "dee"), of("members-number", "eve")), (true, false), "{output}");
    assert_eq!((of("users-sort-key", "dee"), of("users-sort-key", "eve")), (false, false), "{output}");
}

#[tokio::test]
async fn a_mute_that_nobody_can_read_keeps_no_other_from_ending() {
    let folder = with_an_eyrie();
    let service = Program::serve(folder.path());
    let mut stream = service.actor("ben").raw("/groups/eyrie/events?format=json", &[]).await;
    stream.next().await;
    // Both are over. The one of the den, whose turn is first, is by nobody.
    let over = "INSERT INTO mutes (guid, uid, at, until_at, by_uid) VALUES
        ('den', 'dee', 1700000000000, 1700000100000, 'a/b'), ('eyrie', 'eve', 1700000000000, 1700000100000, NULL)";
    inject(folder.path(), over).await;
    stream.until("Eve may speak again", |message| message.name() == "member_unmuted").await;
}

#[tokio::test]
async fn neither_ids_of_no_group_nor_a_hundred_groups_that_nobody_can_read_keep_a_later_one_from_ending() {
    let folder = with_an_eyrie();
    let service = Program::serve(folder.path());
    let mut stream = service.actor("ben").raw("/groups/eyrie/events?format=json", &[]).await;
    stream.next().await;
    // All are over. In the order of ids the eyrie comes after a hundred ids that no group can have, and after a hundred groups
    // whose mutes are by nobody.
    let over = |guid: &str, by: &str| format!("('{guid}', 'eve', 1700000000000, 1700000100000, {by})");
    let earlier = (0..100).flat_map(|n| [over(&format!("a!{n:02}"), "NULL"), over(&format!("c{n:02}"), "'a/b'")]);
    let mutes: Vec<String> = earlier.chain([over("eyrie", "NULL")]).collect();
    let sql = format!("INSERT INTO mutes (guid, uid, at, until_at, by_uid) VALUES {}", mutes.join(", "));
    inject(folder.path(), &sql).await;
    stream.until("Eve may speak again", |message| message.name() == "member_unmuted").await;
}

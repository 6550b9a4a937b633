//! What was answered stays: after the power is cut, and when many members come from a file.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use chat_group_members::store::StoreError;
use reqwest::Method;
use serde_json::json;

use crate::support::actor::send;
use crate::support::program::{Program, command, import, run, run_with};
use crate::support::{self, Actor, World, eventually, guid, soon};

const HEADER: &str = "uid,name,scope,avatar,joinedAt\n";

/// The list of a group as data, whole.
async fn members(actor: &Actor, group: &str) -> Vec<serde_json::Value> {
    let (mut members, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = actor.data(&format!("/groups/{group}/members?limit=100{cursor}")).await.ok().json();
        members.extend(page["data"].as_array().unwrap().iter().cloned());
        let Some(next) = page["meta"]["next"].as_str() else { return members };
        cursor = format!("&cursor={next}");
    }
}

#[track_caller]
fn doctor_is_happy(folder: &Path) {
    let (sound, output) = run(command(folder).arg("doctor"));
    assert!(sound && !output.contains("WRONG"), "{output}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_answered_act_outlives_a_power_cut() {
    const WRITERS: usize = 24;
    let folder = tempfile::tempdir().unwrap();
    let (done, output) = run_with(
        command(folder.path()).args(["import", "--type", "public", "--group", "den", "-"]),
        &format!("{HEADER}ada,Ada,owner,,\n"),
    );
    assert!(done, "{output}");
    let (mut answered, mut epoch) = (Vec::new(), String::new());
    for round in 0..3 {
        let program = Program::serve(folder.path());
        let (cut, count) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| {
                let (actor, cut, count) = (program.actor("nobody"), cut.clone(), count.clone());
                tokio::spawn(async move {
                    let mut joined = Vec::new();
                    for turn in 0.. {
                        let uid = format!("r{round}w{writer}t{turn}");
                        let request =
                            actor.anonymous(Method::POST, "/groups/den/members").bearer_auth(support::token(&uid));
                        match request.header("accept", "application/json").send().await {
                            Ok(response) if response.status() == 200 => joined.push(uid),
                            _ if cut.load(Ordering::Relaxed) => break,
                            other => panic!("{other:?}"),
                        }
                        count.fetch_add(1, Ordering::Relaxed);
                    }
                    joined
                })
            })
            .collect();
        eventually("they write", async || count.load(Ordering::Relaxed) > 150).await;
        cut.store(true, Ordering::Relaxed);
        program.kill();
        for writer in writers {
            answered.extend(soon("a writer", writer).await.unwrap());
        }

        let program = Program::serve(folder.path());
        let ada = program.actor("ada");
        let there: std::collections::HashSet<String> =
            members(&ada, "den").await.iter().map(|member| member["uid"].as_str().unwrap().to_owned()).collect();
        let lost: Vec<_> = answered.iter().filter(|uid| !there.contains(*uid)).collect();
        assert!(lost.is_empty(), "answered with yes and not there: {lost:?}");
        assert!(answered.len() >= 150 * (round + 1));
        let now = ada.data("/groups/den/members?limit=1").await.ok().json()["meta"]["id"].as_str().unwrap().to_owned();
        let (same, head) = now.rsplit_once('.').unwrap();
        assert!(epoch.is_empty() || epoch == same, "the epoch survives restarts");
        epoch = same.to_owned();
        // The log is dense: everything since the import resumes.
        let mut stream = ada.raw("/groups/den/events?format=json", &[("Last-Event-ID", &format!("{epoch}.1"))]).await;
        let head: u64 = head.parse().unwrap();
        let seqs: Vec<u64> = stream
            .up_to(head)
            .await
            .iter()
            .filter(|message| message.id.is_some())
            .map(|message| message.seq())
            .collect();
        assert_eq!(seqs, (2..=head).collect::<Vec<_>>());
        program.kill();
        doctor_is_happy(folder.path());
    }
}

/// How often the write-ahead log has begun anew: the checkpoint sequence number in its header
/// (<https://sqlite.org/fileformat2.html#walformat>).
fn log_begun(folder: &Path) -> u32 {
    let (mut log, mut header) = (File::open(folder.join("test.db-wal")).unwrap(), [0; 16]);
    log.read_exact(&mut header).map_or(0, |()| u32::from_be_bytes(header[12..].try_into().unwrap()))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_write_ahead_log_begins_anew_while_acts_go_on() {
    const WRITERS: usize = 8;
    // PostgreSQL looks after its log by itself.
    if std::env::var("CGM_TEST_POSTGRES").is_ok() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut people = format!("{HEADER}ada,Ada,owner,,\n");
    for writer in 0..WRITERS {
        people += &format!("w{writer},Writer {writer},admin,,\nt{writer},Target {writer},participant,,\n");
    }
    let (done, output) = import(folder.path(), "den", &people);
    assert!(done, "{output}");
    let program = Program::serve(folder.path());
    let ended = Arc::new(AtomicBool::new(false));
    let writers: Vec<_> = (0..WRITERS)
        .map(|writer| {
            let (actor, ended) = (program.actor(&format!("w{writer}")), ended.clone());
            tokio::spawn(async move {
                for scope in ["moderator", "participant"].into_iter().cycle() {
                    actor.set_scope(&format!("t{writer}"), scope).await.ok();
                    if ended.load(Ordering::Relaxed) {
                        break;
                    }
                }
            })
        })
        .collect();
    let before = log_begun(folder.path());
    eventually("the log begins anew", async || log_begun(folder.path()) >= before + 2).await;
    ended.store(true, Ordering::Relaxed);
    for writer in writers {
        soon("a writer", writer).await.unwrap();
    }
    program.kill();
    doctor_is_happy(folder.path());
}

#[tokio::test]
async fn a_stream_goes_on_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let people = format!("{HEADER}ada,Ada,owner,,\nben,Ben,admin,,\ndee,Dee,participant,,\neve,Eve,participant,,\n");
    assert!(import(folder.path(), "den", &people).0);
    let program = Program::serve(folder.path());
    let mut stream = program.actor("eve").events().await;
    program.actor("ben").set_scope("dee", "moderator").await.ok();
    let last = stream.up_to(3).await.pop().unwrap().id.unwrap();
    program.actor("ben").set_scope("dee", "participant").await.ok();
    program.kill();
    let program = Program::serve(folder.path());
    program.actor("ben").kick("dee").await.ok();
    let mut stream = program.actor("eve").raw("/groups/den/events?format=json", &[("Last-Event-ID", &last)]).await;
    let events: Vec<_> = stream
        .up_to(5)
        .await
        .into_iter()
        .filter(|message| message.id.is_some())
        .map(|message| message.event.unwrap())
        .collect();
    assert_eq!(events, ["member_scope_changed", "member_kicked"]);
}

/// Five thousand people with names that a CSV must quote.
fn crowd() -> String {
    let mut csv = HEADER.to_owned();
    for n in 0..5000 {
        let scope = match n {
            0 => "owner",
            1..=9 => "admin",
            10..=59 => "moderator",
            _ => "participant",
        };
        let name = match n % 5 {
            0 => format!("\"Last{n}, First\""),
            1 => format!("\"Ann \"\"The {n}\"\" Lee\""),
            2 => format!("Zoë {n}"),
            3 => format!("陈伟 {n}"),
            _ => format!("Плов {n}"),
        };
        let avatar = if n % 3 == 0 { format!("https://a.example/{n}.png") } else { String::new() };
        csv += &format!("u{n:05},{name},{scope},{avatar},{}\n", 1_600_000_000 + n);
    }
    csv
}

#[tokio::test]
async fn five_thousand_people_come_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("crowd.csv");
    std::fs::write(&file, crowd()).unwrap();
    let (done, output) =
        run(command(folder.path()).args(["import", "--group", "den", "--group-name", "The Den"]).arg(&file));
    assert!(done && output.contains("5000"), "{output}");
    doctor_is_happy(folder.path());
    let program = Program::serve(folder.path());
    let owner = program.actor("u00000");
    let everybody = members(&owner, "den").await;
    assert_eq!(everybody.len(), 5000);
    let quoted = everybody.iter().find(|member| member["uid"] == "u00001").unwrap();
    assert_eq!(
        (&quoted["name"], &quoted["scope"], &quoted["joinedAt"]),
        (&json!("Ann \"The 1\" Lee"), &json!("admin"), &json!(1_600_000_001))
    );
    assert_eq!(everybody[0]["name"], "Last0, First");
    assert_eq!(everybody[0]["avatar"], "https://a.example/0.png");
    assert_eq!(owner.data("/groups/den").await.ok().json()["data"]["name"], "The Den");
    assert_eq!(owner.data("/groups/den").await.ok().json()["data"]["type"], "private");

    // What the service exports is what import reads: into another group, the same people.
    let exported = owner.get("/groups/den/members?format=csv").await.ok().body;
    let (done, output) = import(folder.path(), "twin", &exported);
    assert!(done, "{output}");
    assert_eq!(members(&owner, "twin").await, everybody);
}

#[test]
fn a_bad_line_is_named_and_nothing_of_the_file_is_applied() {
    let folder = tempfile::tempdir().unwrap();
    let good = "ada,Ada,owner,,1700000000\n\"ben\",\"Ben\nny\",admin,,\n";
    let two_lines = import(folder.path(), "den", &format!("{HEADER}{good}"));
    assert!(!two_lines.0 && two_lines.1.contains("line 3"), "a name has no line feed: {}", two_lines.1);
    let bad = [
        ("not a uid,X,participant,,", "line 3", "uid"),
        ("x,,participant,,", "line 3", "name"),
        ("x,X,king,,", "line 3", "scope"),
        ("x,X,participant,javascript:alert(1),", "line 3", "avatar"),
        ("x,X,participant,,yesterday", "line 3", "joinedAt"),
        ("x,X,participant,,1700000000000", "line 3", "joinedAt"),
        ("x,X,participant", "line 3", "fields"),
        ("ada,Ada again,participant,,", "line 3", "twice"),
        ("ben,Ben,owner,,", "line 3", "second owner"),
        ("ben,Ben,admin,,\nx,X,king,,", "line 4", "scope"),
    ];
    for (lines, line, word) in bad {
        let (done, output) =
            import(folder.path(), "den", &format!("{HEADER}ada,Ada,owner,,\n{lines}\nzoe,Zoe,participant,,\n"));
        assert!(!done && output.contains(line) && output.contains(word), "{lines}: {output}");
    }
    let (done, output) = import(folder.path(), "den", &format!("{HEADER}ben,Ben,admin,,\n"));
    assert!(!done && output.contains("owner"), "no owner: {output}");
    let (done, output) = import(folder.path(), "den", "uid,scope\nada,owner\n");
    assert!(!done && output.contains("line 1") && output.contains("name"), "{output}");
    assert!(!import(folder.path(), "den", "").0);
    let (done, output) = run(command(folder.path()).arg("doctor"));
    assert!(done && output.contains("groups: 0"), "nothing was applied: {output}");
}

#[test]
fn a_file_without_an_owner_is_imported_where_the_host_is_said_to_be_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("people.csv");
    let hosted = |group: &str, people: &str| {
        std::fs::write(&file, format!("{HEADER}{people}")).unwrap();
        run(command(folder.path()).args(["import", "--group", group, "--owner-is-host"]).arg(&file))
    };
    let (done, output) = hosted("den", "ben,Ben,admin,,\n");
    assert!(done, "{output}");
    let (done, output) = run(command(folder.path()).arg("doctor"));
    assert!(done, "{output}");
    let (done, output) = hosted("den", "ben,Ben,admin,,\nada,Ada,owner,,\n");
    assert!(!done && output.contains("line 3") && output.contains("--owner-is-host"), "{output}");
    let (done, output) = import(folder.path(), "den", &format!("{HEADER}cy,Cy,admin,,\n"));
    assert!(!done && output.contains("--owner-is-host"), "the host's group needs it again: {output}");
    assert!(import(folder.path(), "den", &format!("{HEADER}ada,Ada,owner,,\n")).0);
    let (done, output) = hosted("den", "cy,Cy,admin,,\n");
    assert!(!done && output.contains("ada owns the group"), "{output}");
}

#[test]
fn a_second_import_cannot_take_the_group_from_its_owner() {
    let folder = tempfile::tempdir().unwrap();
    assert!(import(folder.path(), "den", &format!("{HEADER}ada,Ada,owner,,\n")).0);
    let (done, output) = import(folder.path(), "den", &format!("{HEADER}ben,Ben,owner,,\n"));
    assert!(!done && output.contains("line 2") && output.contains("second owner"), "{output}");
    let (done, output) = import(folder.path(), "den", &format!("{HEADER}ben,Ben,admin,,\nada,Ada,participant,,\n"));
    assert!(!done && output.contains("line 3") && output.contains("no owner"), "{output}");
    let (done, output) = import(folder.path(), "den", &format!("{HEADER}ben,Ben,admin,,\n"));
    assert!(done, "{output}");
    doctor_is_happy(folder.path());
}

#[tokio::test]
async fn the_same_fields_come_as_ndjson() {
    let folder = tempfile::tempdir().unwrap();
    let lines = "{\"uid\":\"ada\",\"name\":\"Ada \\\"A\\\"\",\"scope\":\"owner\",\"joinedAt\":1700000000}\n\n{\"uid\":\"dee\",\"name\":\"Dee\",\"avatar\":null}\n";
    let (done, output) = import(folder.path(), "den", lines);
    assert!(done, "{output}");
    let (done, output) =
        import(folder.path(), "den", "{\"uid\":\"ada\",\"name\":\"Ada\",\"scope\":\"owner\"}\n{\"uid\":\n");
    assert!(!done && output.contains("line 2"), "{output}");
    let program = Program::serve(folder.path());
    let members = members(&program.actor("dee"), "den").await;
    assert_eq!((&members[0]["name"], &members[0]["joinedAt"]), (&json!("Ada \"A\""), &json!(1_700_000_000)));
    assert_eq!(members[1]["scope"], "participant");
}

#[tokio::test]
async fn while_the_service_runs_viewers_see_an_import_and_the_banned_stay_out() {
    let folder = tempfile::tempdir().unwrap();
    assert!(
        import(
            folder.path(),
            "den",
            &format!("{HEADER}ada,Ada,owner,,\ndee,Dee,participant,,\neve,Eve,participant,,\n")
        )
        .0
    );
    let program = Program::serve(folder.path());
    let ada = program.actor("ada");
    ada.ban("eve", json!({})).await.ok();
    let (mut data, mut html) = (ada.events().await, ada.stream().await);
    let (done, output) = import(
        folder.path(),
        "den",
        &format!("{HEADER}dee,Dee Dee,moderator,,\neve,Eve,participant,,\ngus,Gus,participant,,\n"),
    );
    assert!(done && output.contains("eve is banned"), "{output}");
    let message = soon("the import", data.until("the import", |message| message.name() == "members_synced")).await;
    assert_eq!(message.seq(), 4, "in one event");
    html.until("the import", |message| message.has("li[data-note=resync]") || message.shows("gus")).await;
    let uids: Vec<_> =
        members(&ada, "den").await.iter().map(|member| format!("{} {}", member["uid"], member["scope"])).collect();
    assert_eq!(uids, ["\"ada\" \"owner\"", "\"dee\" \"moderator\"", "\"gus\" \"participant\""]);

    // A big one while people act: nobody waits for long, and nothing is lost.
    let many: String = (0..3000).map(|n| format!("p{n},Person {n},participant,,\n")).collect();
    let path = folder.path().to_owned();
    let importing = tokio::task::spawn_blocking(move || import(&path, "den", &format!("{HEADER}{many}")));
    for turn in 0..10 {
        let scope = ["participant", "moderator"][turn % 2];
        let answer = ada.set_scope("dee", scope).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
    }
    let (done, output) = soon("the big import", importing).await.unwrap();
    assert!(done, "{output}");
    eventually("everybody is there", async || {
        ada.data("/groups/den/members?limit=1").await.ok().json()["meta"]["count"] == 3003
    })
    .await;
    drop(program);
    doctor_is_happy(folder.path());
}

#[test]
fn a_group_is_not_named_like_a_path_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["import", "--group", "online-counts", "-"];
    let (done, output) = run_with(command(folder.path()).args(arguments), &format!("{HEADER}ada,Ada,owner,,\n"));
    assert!(!done && output.contains("a path of its own"), "{output}");
}

#[tokio::test]
async fn a_password_group_reads_its_password_from_the_environment_or_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = format!("{HEADER}ada,Ada,owner,,\n");
    let arguments = ["import", "--type", "password", "--group", "vault", "-"];
    let (done, output) = run_with(command(folder.path()).args(arguments), &file);
    assert!(!done && output.contains("CGM_GROUP_PASSWORD"), "{output}");
    let (done, output) = run_with(command(folder.path()).args(arguments).env("CGM_GROUP_PASSWORD", ""), &file);
    assert!(!done && output.contains("empty"), "{output}");
    assert!(run_with(command(folder.path()).args(arguments).env("CGM_GROUP_PASSWORD", "sesame"), &file).0);
    std::fs::write(folder.path().join("password"), "of the cellar\n").unwrap();
    let arguments = ["import", "--type", "password", "--group", "cellar", "-"];
    assert!(run_with(command(folder.path()).args(arguments).env("CGM_GROUP_PASSWORD_FILE", "password"), &file).0);
    let program = Program::serve(folder.path());
    let join = async |group: &str, password: &str| {
        let request = program.actor("gus").request(Method::POST, &format!("/groups/{group}/members"));
        send(request.header("accept", "application/json").json(&json!({"password": password}))).await
    };
    join("vault", "simsim").await.refused(403, "ERR_GROUP_NO_CLEARANCE");
    join("vault", "sesame").await.ok();
    join("cellar", "sesame").await.refused(403, "ERR_GROUP_NO_CLEARANCE");
    join("cellar", "of the cellar").await.ok();
}

#[tokio::test]
async fn an_act_that_panics_is_not_done_and_those_after_it_are() {
    let world = World::new().await;
    for group in [Some(guid("den")), None] {
        let planted = world.app.store().write(group.as_ref(), |_| Box::pin(async { panic!("planted by a test") }));
        let answer: Result<(), StoreError> = soon("an answer", planted).await;
        assert!(answer.is_err());
        soon("an act after it", world.ben.ban("dee", json!({}))).await.ok();
    }
}

//! The program as an operator meets it.

use std::path::Path;
use std::time::Duration;

use reqwest::Method;

use crate::support::actor::send;
use crate::support::database::{database, write_by_hand};
use crate::support::program::{Program, bare, command, import, run};
use crate::support::{self, SECRET, client, eventually};

const PEOPLE: &str = "uid,name,scope,avatar,joinedAt\nada,Ada,owner,,\ndee,Dee,participant,,\n";

#[test]
fn without_a_viewer_key_it_refuses_to_start_and_says_how_to_make_one() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [&["serve", "--listen", "127.0.0.1:0"][..], &["--listen", "127.0.0.1:0"]] {
        let (started, output) = run(bare(folder.path()).args(arguments));
        assert!(!started);
        for help in ["openssl rand", "CGM_VIEWER_SECRET", "--viewer-secret", "--viewer-jwks"] {
            assert!(output.contains(help), "{output}");
        }
    }
    let (started, output) = run(bare(folder.path()).args(["serve", "--viewer-secret", "short"]));
    assert!(
        !started && output.contains("--viewer-secret") && output.contains("32") && !output.contains("short"),
        "{output}"
    );
}

#[test]
fn it_says_which_version_it_is() {
    let (done, output) = run(bare(Path::new("/")).arg("--version"));
    // Builds for release also name the commit and its date.
    assert!(done && output.starts_with(concat!("chat-group-members ", env!("CARGO_PKG_VERSION"))), "{output}");
}

#[test]
fn a_reader_that_goes_away_makes_no_command_fail_and_a_full_disk_is_said_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("people.csv"), PEOPLE).unwrap();
    for words in [
        &["import", "people.csv", "--group", "den", "--group-name", "Den"][..],
        &["token", "--uid", "ada"],
        &["doctor"],
        &["webhooks", "list"],
        &["completions", "bash"],
        &["backup", "copy.db"],
    ] {
        let mut command = command(folder.path());
        let command = command.current_dir(folder.path()).args(words);
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = command.stdout(writer).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success() && !said.contains("panicked"), "{words:?}: {said}");
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = command.stdout(full).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        let sentences = said.lines().filter(|line| line.starts_with("the result cannot be printed: ")).count();
        assert!(sentences == 1 && !said.contains("panicked"), "{words:?}: {said}");
        assert_eq!(output.status.code(), Some(if words == ["doctor"] { 2 } else { 1 }), "{words:?}");
    }
}

#[test]
fn the_service_starts_where_its_log_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("socket");
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let listen = format!("unix:{}", socket.display());
    let mut serving = command(folder.path()).args(["serve", "--listen", &listen]).stderr(full).spawn().unwrap();
    let deadline = std::time::Instant::now() + Duration::from_secs(10);
    while !run(command(folder.path()).args(["health", "--listen", &listen])).0 {
        assert!(serving.try_wait().unwrap().is_none() && std::time::Instant::now() < deadline, "it does not serve");
        std::thread::sleep(Duration::from_millis(50));
    }
    serving.kill().unwrap();
    serving.wait().unwrap();
}

#[path = "../../build/version.rs"]
#[expect(dead_code, reason = "it is a part of the build script")]
mod version;

#[test]
fn a_package_of_the_source_names_the_commit_that_it_was_made_of() {
    let source = tempfile::tempdir().unwrap();
    let write = |file: &str, text: &str| std::fs::write(source.path().join(file), text).unwrap();
    assert_eq!(version::packaged(source.path()), None);
    write(".cargo_vcs_info.json", "not what Cargo writes");
    assert_eq!(version::packaged(source.path()), None);
    let number = "1cfad9f07b2e64a1cfad9f07b2e64a1cfad9f07b";
    write(
        ".cargo_vcs_info.json",
        &format!("{{\n  \"git\": {{\n    \"sha1\": \"{number}\"\n  }},\n  \"path_in_vcs\": \"\"\n}}"),
    );
    assert_eq!(version::packaged(source.path()).as_deref(), Some("1cfad9f07b"));
    // What `packaging/crate` puts beside what the browser loads has the date as well.
    std::fs::create_dir_all(source.path().join("build/browser")).unwrap();
    write("build/browser/REVISION", "1cfad9f07b 2026-11-23\n");
    assert_eq!(version::packaged(source.path()).as_deref(), Some("1cfad9f07b 2026-11-23"));
}

#[tokio::test]
async fn a_token_it_prints_is_a_token_it_takes() {
    let folder = tempfile::tempdir().unwrap();
    assert!(import(folder.path(), "den", PEOPLE).0);
    let program = Program::start(command(folder.path()).args(["--listen", "127.0.0.1:0"]));
    let (done, token) = run(command(folder.path()).args(["token", "--uid", "dee", "--ttl", "90s"]));
    assert!(done, "{token}");
    let dee = support::Actor::new("dee", token.trim(), &program.url, client());
    assert_eq!(dee.sees().await, ["ada", "dee"]);
    for bad in [&["token"][..], &["token", "--uid", "a b"], &["token", "--uid", "dee", "--ttl", "forever"]] {
        assert!(!run(command(folder.path()).args(bad)).0, "{bad:?}");
    }
    let (done, output) = run(bare(folder.path()).args(["token", "--uid", "dee"]));
    assert!(!done && output.contains("CGM_VIEWER_SECRET"), "{output}");
}

#[test]
fn migrate_makes_the_schema_and_doctor_finds_it_sound() {
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        let (done, output) = run(command(folder.path()).arg("migrate"));
        assert!(done, "{output}");
    }
    assert!(import(folder.path(), "den", PEOPLE).0);
    let (sound, output) = run(command(folder.path()).arg("doctor"));
    assert!(sound && output.contains("groups: 1"), "{output}");
    let (sound, output) = run(bare(folder.path()).arg("doctor").env("CGM_DATABASE_URL", database(folder.path())));
    assert!(!sound && output.contains("viewer"), "no key: {output}");
}

#[tokio::test]
async fn doctor_says_what_is_wrong_with_the_data() {
    let folder = tempfile::tempdir().unwrap();
    for (group, harm, word) in [
        ("owners", "DROP INDEX one_owner; UPDATE members SET scope = 3 WHERE guid = 'owners'", "owner"),
        ("log", "DELETE FROM events WHERE guid = 'log'", "log"),
    ] {
        assert!(import(folder.path(), group, PEOPLE).0);
        write_by_hand(folder.path(), harm).await;
        let (sound, output) = run(command(folder.path()).arg("doctor"));
        let wrong = output.lines().find(|line| line.starts_with("WRONG") && line.contains(group));
        assert!(!sound && wrong.is_some_and(|line| line.contains(word)), "{output}");
    }
}

#[tokio::test]
async fn a_new_epoch_makes_everybody_look_again() {
    let folder = tempfile::tempdir().unwrap();
    assert!(import(folder.path(), "den", PEOPLE).0);
    let epoch = async || {
        let program = Program::serve(folder.path());
        let id = program.actor("dee").data("/groups/den/members").await.ok().json()["meta"]["id"]
            .as_str()
            .unwrap()
            .to_owned();
        (id.rsplit_once('.').unwrap().0.to_owned(), id, program)
    };
    let (first, id, program) = epoch().await;
    drop(program);
    assert_eq!(epoch().await.0, first);
    assert!(run(command(folder.path()).args(["migrate", "--new-epoch"])).0);
    let (second, _, program) = epoch().await;
    assert_ne!(second, first);
    let mut stream = program.actor("dee").raw("/groups/den/events?format=json", &[("Last-Event-ID", &id)]).await;
    stream.next().await;
    assert_eq!(stream.next().await.unwrap().name(), "resync");
}

#[tokio::test]
async fn flags_win_over_variables_and_variables_over_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("options.toml");
    let options = format!(
        "listen = \"127.0.0.1:0\"\ndatabase-url = \"{}\"\nviewer-secret = [\"{SECRET}\"]\nviewer-cookie = \"from_file\"\nbase-path = \"/file\"\nviewer-audience = \"file\"\n",
        database(folder.path())
    );
    std::fs::write(&file, options).unwrap();
    let cookie = async |program: &Program, base: &str, audience: &str| {
        let url = format!("{}{base}", program.url);
        let new = chat_group_members::identity::NewToken {
            uid: "dee",
            audience,
            issued_at: 0,
            expires_at: support::now() + 60,
            name: None,
            avatar: None,
        };
        let token = chat_group_members::identity::mint(&chat_group_members::config::Secret::new(SECRET), &new);
        let answer = send(support::Actor::new("dee", &token, &url, client()).request(Method::POST, "/session")).await;
        assert_eq!(answer.status, 204, "{}", answer.body);
        answer.header("set-cookie").split('=').next().unwrap().to_owned()
    };
    let with_file = || {
        let mut command = bare(folder.path());
        command.arg("--config").arg(&file);
        command
    };
    let program = Program::start(&mut with_file());
    assert_eq!(cookie(&program, "/file", "file").await, "from_file");
    let program = Program::start(with_file().env("CGM_VIEWER_COOKIE", "from_env").env("CGM_BASE_PATH", "/env"));
    assert_eq!(cookie(&program, "/env", "file").await, "from_env");
    let mut all = with_file();
    all.env("CGM_VIEWER_COOKIE", "from_env").env("CGM_BASE_PATH", "/env").args(["--viewer-cookie", "from_flag"]);
    let program = Program::start(&mut all);
    assert_eq!(cookie(&program, "/env", "file").await, "from_flag");
    let named_by_variable = Program::start(bare(folder.path()).env("CGM_CONFIG", &file));
    assert_eq!(cookie(&named_by_variable, "/file", "file").await, "from_file");
    std::fs::write(&file, "listne = \"127.0.0.1:0\"\n").unwrap();
    let (started, output) = run(&mut with_file());
    assert!(!started && output.contains("listne"), "a typing error is named: {output}");
}

#[tokio::test]
async fn operators_ask_whether_it_lives_is_ready_and_what_it_measures() {
    let folder = tempfile::tempdir().unwrap();
    assert!(import(folder.path(), "den", PEOPLE).0);
    let program = Program::start(command(folder.path()).args([
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--api-key",
        "a-key-of-32-characters-or-longer",
    ]));
    let nobody = program.actor("nobody");
    for path in ["/healthz", "/readyz"] {
        assert_eq!(send(nobody.anonymous(Method::GET, path)).await.status, 200, "{path}");
    }
    let _stream = program.actor("dee").stream().await;
    let ask =
        |name: &'static str, value: &'static str| send(nobody.anonymous(Method::GET, "/metrics").header(name, value));
    for (name, value) in [("accept", "*/*"), ("apikey", "another"), ("authorization", "Bearer another")] {
        let refused = ask(name, value).await;
        assert!(
            refused.status == 401 && !refused.body.contains("chat_group_members_streams_open"),
            "{name}: {}",
            refused.body
        );
    }
    let bearer = ask("authorization", "Bearer a-key-of-32-characters-or-longer").await.ok();
    assert!(bearer.body.contains("chat_group_members_streams_open"), "{}", bearer.body);
    let metrics = ask("apikey", "a-key-of-32-characters-or-longer").await.ok();
    assert!(metrics.header("content-type").starts_with("text/plain; version=0.0.4"));
    let value = |name: &str| metrics.body.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<f64>().ok());
    assert_eq!(value("chat_group_members_streams_open{kind=\"html\"} "), Some(1.0), "{}", metrics.body);
    let mut words = metrics.body.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    assert!(
        metrics.body.contains("chat_group_members_http_requests_total")
            && words.all(|word| word != "den" && word != "dee")
    );
}

#[tokio::test]
async fn supervisors_ask_with_the_program_itself() {
    let folder = tempfile::tempdir().unwrap();
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let health = |more: &[&str]| {
        let (listen, base) = (free.to_string(), "/members");
        run(bare(folder.path()).env("CGM_LISTEN", listen).env("CGM_BASE_PATH", base).arg("health").args(more))
    };
    let (well, output) = health(&[]);
    assert!(!well && output.contains(&format!("the service at {free} does not answer")), "{output}");
    let mut serve = command(folder.path());
    let program = Program::start(serve.args(["--listen", &free.to_string(), "--base-path", "/members"]));
    assert_eq!(health(&[]), (true, "ok\n".into()));
    assert_eq!(health(&["--ready"]), (true, "ready\n".into()));
    program.terminate();
    eventually("it drains", async || health(&["--ready"]).1.contains("answers 503: draining")).await;
    let (well, output) = run(bare(folder.path()).env("CGM_LISTEN", "127.0.0.1:0").arg("health"));
    assert!(!well && output.contains("--listen"), "{output}");
}

#[test]
fn log_lines_have_colours_on_a_terminal_alone() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("views")).unwrap();
    std::fs::write(folder.path().join("views/card.html"), "{{").unwrap();
    // It warns of the template, and ends for want of a database.
    let arguments = "serve --listen 127.0.0.1:0 --views views --database-url sqlite://no/such/folder/members.db";
    let has_colours = |(started, output): (bool, String)| {
        assert!(!started && output.contains("WARN") && output.contains("card.html"), "{output}");
        output.contains("\x1b[")
    };
    assert!(!has_colours(run(command(folder.path()).args(arguments.split(' ')))));
    let on_a_terminal = |no_color: &str| {
        let mut script = std::process::Command::new("script");
        let line = format!("{} {arguments}", crate::support::program::path().display());
        script.args(["-qec", &line, "/dev/null"]).current_dir(folder.path()).stdin(std::process::Stdio::null());
        run(script.env("CGM_VIEWER_SECRET", SECRET).env("NO_COLOR", no_color))
    };
    assert!(has_colours(on_a_terminal("")));
    assert!(!has_colours(on_a_terminal("1")));
}

#[tokio::test]
async fn told_to_end_it_says_goodbye_and_is_gone_within_five_seconds() {
    let folder = tempfile::tempdir().unwrap();
    assert!(import(folder.path(), "den", PEOPLE).0);
    let program = Program::serve(folder.path());
    let (dee, ada) = (program.actor("dee"), program.actor("ada"));
    let (mut html, mut data) = (dee.stream().await, ada.events().await);
    let mut foreign = dee.foreign("/groups/den/events?format=json").await;
    foreign.next().await;
    program.terminate();
    for stream in [&mut html, &mut data] {
        let rest = stream.rest().await;
        assert_eq!(rest.last().unwrap().name(), "bye", "{rest:?}");
    }
    while foreign.next().await.is_some() {}
    let (status, took) = tokio::task::spawn_blocking(move || program.wait()).await.unwrap();
    assert!(status.success() && took < Duration::from_secs(5), "{status} after {took:?}");
    let (sound, output) = run(command(folder.path()).arg("doctor"));
    assert!(sound, "{output}");
}

#[tokio::test]
async fn told_to_end_it_finishes_what_it_was_asked() {
    let folder = tempfile::tempdir().unwrap();
    let people: String = (0..200).map(|n| format!("p{n},Person {n},participant,,\n")).collect();
    assert!(import(folder.path(), "den", &format!("{PEOPLE}{people}")).0);
    let program = Program::serve(folder.path());
    let ada = program.actor("ada");
    let kicks: Vec<_> = (0..200)
        .map(|n| {
            let ada = ada.clone();
            let request =
                ada.request(Method::DELETE, &format!("/groups/den/members/p{n}")).header("accept", "application/json");
            tokio::spawn(async move { request.send().await.is_ok_and(|response| response.status() == 200) })
        })
        .collect();
    eventually("the first is done", async || kicks.iter().any(|kick| kick.is_finished())).await;
    program.terminate();
    let mut answered = 0;
    for kick in kicks {
        answered += usize::from(kick.await.unwrap());
    }
    let (status, _) = tokio::task::spawn_blocking(move || program.wait()).await.unwrap();
    assert!(status.success());
    let program = Program::serve(folder.path());
    let left =
        program.actor("ada").data("/groups/den/members").await.ok().json()["meta"]["count"].as_u64().unwrap() as usize;
    assert!(left - 2 <= 200 - answered, "{answered} were answered with yes, {left} are there");
    assert!(answered > 0);
}

//! SIGHUP: the files are read again while the service runs.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use chat_group_members::config::Secret;
use chat_group_members::identity::{NewToken, mint};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::actor::{send, with};
use crate::support::database::database;
use crate::support::program::{Program, bare, command, import};
use crate::support::{Actor, SECRET, World, client, now, soon};

const PEOPLE: &str = "uid,name,scope,avatar,joinedAt\nada,Ada,owner,,\ndee,Dee,participant,,\neve,Eve,participant,,\n";
/// The secret that takes the place of the usual one.
const NEXT: &str = "the-secret-after-the-one-for-tests";
const OLD_KEY: &str = "the-old-key-of-the-host";
const NEW_KEY: &str = "the-new-key-of-the-host";

/// A service that is configured by files alone.
struct Configured {
    folder: tempfile::TempDir,
    program: Program,
}

impl Configured {
    fn start() -> Configured {
        let folder = tempfile::tempdir().unwrap();
        assert!(import(folder.path(), "den", PEOPLE).0);
        let at = folder.path();
        secrets(at, &[SECRET, NEXT]);
        std::fs::write(at.join("api-key"), OLD_KEY).unwrap();
        options(at, "");
        let program = Program::start(bare(at).args(["serve", "--config", "options.toml"]));
        Configured { folder, program }
    }

    /// The files are read again: the line that says what came of it.
    fn reload(&self, word: &str) -> String {
        self.reload_after(word).pop().unwrap()
    }

    /// The same with every line that was logged before it and not read yet.
    fn reload_after(&self, word: &str) -> Vec<String> {
        self.program.hang_up();
        self.program.lines_up_to(word)
    }

    /// A request under this id, which the log names in each line about it.
    async fn is_asked(&self, id: &str) {
        let request = client().get(format!("{}/healthz", self.program.url)).header("x-request-id", id);
        assert_eq!(request.send().await.unwrap().status(), StatusCode::OK);
    }

    /// Somebody with a token that this secret signs.
    fn actor(&self, uid: &str, secret: &str) -> Actor {
        let new = NewToken {
            uid,
            audience: "chat-group-members",
            issued_at: now(),
            expires_at: now() + 3600,
            name: None,
            avatar: None,
        };
        Actor::new(uid, &mint(&Secret::new(secret), &new), &self.program.url, client())
    }

    /// How the host is answered with this key.
    async fn host(&self, key: &str) -> StatusCode {
        let anybody = self.actor("ada", NEXT);
        send(with(anybody.anonymous(Method::GET, "/v3/groups"), &[("apikey", key)])).await.status
    }
}

fn secrets(folder: &Path, all: &[&str]) {
    std::fs::write(folder.join("secret"), all.join("\n")).unwrap();
}

fn options(folder: &Path, more: &str) {
    let text = format!(
        "listen = '127.0.0.1:0'\ndatabase-url = '{}'\nviewer-secret-file = 'secret'\napi-key-file = 'api-key'\n{more}",
        database(folder)
    );
    std::fs::write(folder.join("options.toml"), text).unwrap();
}

#[tokio::test]
async fn streams_under_a_key_that_is_gone_end_and_the_others_go_on() {
    let service = Configured::start();
    let (ada, dee, eve) = (service.actor("ada", NEXT), service.actor("dee", SECRET), service.actor("eve", NEXT));
    let (mut dees, mut eves) = (dee.events().await, eve.events().await);
    secrets(service.folder.path(), &[NEXT]);
    service.reload("configuration reloaded");
    assert_eq!(dees.rest().await.last().unwrap().name(), "expired");
    assert_eq!(dee.data("/groups/den/members").await.status, 401);
    ada.set_scope("eve", "moderator").await.ok();
    eves.until("the change", |message| message.data.as_ref().is_some_and(|data| data.contains("moderator"))).await;
}

#[tokio::test]
async fn a_stream_under_a_key_that_the_jwks_has_lost_ends_although_nobody_asks_for_anything() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("jwks.json");
    let mut jwks: Value = serde_json::from_str(include_str!("../../src/identity/testkeys/jwks.json")).unwrap();
    std::fs::write(&file, jwks.to_string()).unwrap();
    let world = World::with(|config| config.viewer_jwks = Some(file.display().to_string())).await;
    let key = EncodingKey::from_ec_der(include_bytes!("../../src/identity/testkeys/p256.der"));
    let header = Header { kid: Some("ec".into()), ..Header::new(Algorithm::ES256) };
    let claims = json!({"sub": "dee", "aud": "chat-group-members", "exp": now() + 7200});
    let dee = world.bearer(&jsonwebtoken::encode(&header, &claims, &key).unwrap());
    let mut stream = dee.events().await;
    assert_eq!(stream.next().await.unwrap().name(), "ready");
    jwks["keys"].as_array_mut().unwrap().retain(|key| key["kid"] != "ec");
    std::fs::write(&file, jwks.to_string()).unwrap();
    // Keys of this age are fetched again, which is looked after every ten seconds.
    world.clock.advance(601_000);
    stream.until_within(Duration::from_secs(30), "its end", |message| message.name() == "expired").await;
    assert!(stream.rest().await.is_empty());
    assert_eq!(dee.data("/groups/den/members").await.status, 401);
}

#[tokio::test]
async fn keys_of_the_host_are_changed_without_a_restart() {
    let service = Configured::start();
    assert_eq!((service.host(OLD_KEY).await, service.host(NEW_KEY).await), (StatusCode::OK, StatusCode::UNAUTHORIZED));
    let file = service.folder.path().join("api-key");
    for (keys, old, new) in [
        (format!("{NEW_KEY}\n{OLD_KEY}"), StatusCode::OK, StatusCode::OK),
        (NEW_KEY.into(), StatusCode::UNAUTHORIZED, StatusCode::OK),
    ] {
        std::fs::write(&file, keys).unwrap();
        service.reload("configuration reloaded");
        assert_eq!((service.host(OLD_KEY).await, service.host(NEW_KEY).await), (old, new));
    }
}

#[tokio::test]
async fn a_configuration_that_cannot_be_used_changes_nothing_and_is_told_of() {
    let service = Configured::start();
    let dee = service.actor("dee", SECRET);
    let mut stream = dee.events().await;
    let at = service.folder.path();
    // Each of them would also take the keys away.
    secrets(at, &[NEXT]);
    for (more, word) in [
        ("viewer-secert = 'x'", "did you mean viewer-secret?"),
        ("viewer-jwks = 'no/such.json'", "no/such.json"),
        ("log = 'chat_group_members=loud'", "`log` in options.toml: "),
        ("log = 'debgu'", "is no level"),
        ("rate-limit = 'often'", "rate-limit"),
    ] {
        options(at, more);
        let line = service.reload("cannot reload the configuration");
        assert!(line.contains(word) && line.contains("the one before stays"), "{line}");
    }
    options(at, "");
    secrets(at, &["too short"]);
    assert!(service.reload("cannot reload the configuration").contains("32"));
    assert_eq!(dee.sees().await, ["ada", "dee", "eve"]);
    assert_eq!(service.host(OLD_KEY).await, 200);
    service.actor("ada", SECRET).set_scope("eve", "moderator").await.ok();
    stream.until("the change", |message| message.data.as_ref().is_some_and(|data| data.contains("moderator"))).await;
}

#[tokio::test]
async fn a_file_that_cannot_be_read_at_once_holds_up_neither_requests_nor_later_reloads_nor_the_end() {
    let service = Configured::start();
    let file = service.folder.path().join("api-key");
    // Whoever opens it waits for somebody who writes.
    let hang = || {
        std::fs::remove_file(&file).unwrap();
        assert!(Command::new("mkfifo").arg(&file).status().unwrap().success());
        service.program.hang_up();
    };
    hang();
    for _ in 0..20 {
        assert_eq!(soon("an answer", service.host(OLD_KEY)).await, StatusCode::OK);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let line = service.program.wait_for_line("cannot reload the configuration");
    assert!(line.contains("the one before stays") && line.contains("cannot be read within 5 s"), "{line}");
    std::fs::remove_file(&file).unwrap();
    std::fs::write(&file, NEW_KEY).unwrap();
    service.reload("configuration reloaded");
    assert_eq!(service.host(NEW_KEY).await, StatusCode::OK);
    hang();
    assert_eq!(soon("an answer", service.host(NEW_KEY)).await, StatusCode::OK);
    service.program.terminate();
    tokio::task::spawn_blocking(move || service.program.wait()).await.unwrap();
}

#[tokio::test]
async fn log_lines_follow_the_new_filter_and_what_needs_a_restart_is_named() {
    let service = Configured::start();
    let at = service.folder.path();
    let logs = |lines: &[String], id: &str| lines.iter().any(|line| line.contains("DEBUG") && line.contains(id));
    service.is_asked("at-info").await;
    options(at, "log = 'debug'\nretention = 20000\nbase-path = '/x'");
    let lines = service.reload_after("take effect with a restart");
    assert!(lines.last().unwrap().contains("base-path, retention"), "{lines:#?}");
    assert!(!logs(&lines, "at-info"), "{lines:#?}");
    service.is_asked("at-debug").await;
    options(at, "log = 'info'");
    let lines = service.reload_after("configuration reloaded");
    assert!(logs(&lines, "at-debug"), "{lines:#?}");
    service.is_asked("at-info-again").await;
    let lines = service.reload_after("configuration reloaded");
    assert!(!logs(&lines, "at-info-again"), "{lines:#?}");
    assert_eq!(service.actor("dee", SECRET).sees().await, ["ada", "dee", "eve"]);
}

#[tokio::test]
async fn webhooks_are_signed_with_the_new_secret() {
    use crate::webhooks::{receiver::Receiver, webhook};
    use chat_group_members::config::SigningKey;
    const NEW: &str = "whsec_bmV3bmV3bmV3bmV3bmV3bmV3bmV3bmV3bmV3bmV3bmU=";
    let receiver = Receiver::new().await;
    let world = World::with(|config| config.webhooks = vec![webhook(&receiver.url)]).await;
    receiver.has_event("den", world.head("den").await).await;
    let mut config = world.app.config().clone();
    config.webhooks[0].keys = vec![SigningKey::parse(NEW).unwrap()];
    assert_eq!(world.app.reload(&config).await.unwrap(), [""; 0]);
    world.ada.set_scope("eve", "moderator").await.ok();
    receiver.has_event("den", world.head("den").await).await;
    // What was under way to the receiver before is signed with the old one.
    let calls = receiver.calls();
    let call = calls.iter().find(|call| call.kind() == "member.scope_changed").unwrap();
    assert!(call.is_signed_by(NEW));
}

#[test]
fn templates_that_cannot_be_read_again_stay_and_each_reload_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let views = folder.path().join("views");
    std::fs::create_dir(&views).unwrap();
    std::fs::write(views.join("card.html"), "{{ member.name }}").unwrap();
    let program = Program::start(command(folder.path()).args(["serve", "--listen", "127.0.0.1:0", "--views", "views"]));
    std::fs::rename(&views, folder.path().join("away")).unwrap();
    for _ in 0..2 {
        program.hang_up();
        let line = program.wait_for_line("templates were not reloaded");
        assert!(line.contains("WARN") && line.contains("the folder views cannot be read"), "{line}");
        program.wait_for_line("configuration reloaded");
    }
    std::fs::rename(folder.path().join("away"), &views).unwrap();
    program.hang_up();
    program.wait_for_line("configuration reloaded");
    assert!(!program.lines_since().concat().contains("not reloaded"));
}

#[tokio::test]
async fn the_demo_reads_its_templates_again_and_lives_on() {
    let folder = tempfile::tempdir().unwrap();
    let program = Program::start(bare(folder.path()).args(["demo", "--listen", "127.0.0.1:0"]));
    for _ in 0..2 {
        program.hang_up();
        program.wait_for_line("templates were read again");
    }
    assert_eq!(client().get(format!("{}/healthz", program.url)).send().await.unwrap().status(), 200);
}

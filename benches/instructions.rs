//! How many instructions the hot paths take, counted by callgrind and held against numbers of this repository.
//!
//! `cargo bench --bench instructions` prints them (Debian package valgrind); `-- --check` also fails when one
//! is more than five per cent above its number, which `-- --write` sets.
//!
//! Each path runs in a process of its own, once short and once long: the difference is what the further
//! rounds took, whatever it takes to start.
#![allow(unreachable_pub, reason = "nothing is public in a program")]

use std::collections::BTreeMap;
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, bail, ensure};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode, header};
use chat_group_members::app::App;
use chat_group_members::config::{Config, Secret};
use chat_group_members::identity::{NewToken, mint};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tower::ServiceExt;

/// What is counted: a page and rows that no cache has, an act, and an act that is sent to a hundred screens.
const PATHS: [&str; 4] = ["page", "search", "act", "delivery"];
const NUMBERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/instructions.json");
const API_KEY: &str = "an api key of this program alone";
/// Members of the group.
const MEMBERS: usize = 2_000;
/// Screens that an act of `delivery` is sent to.
const SCREENS: usize = 100;
const SHORT: usize = 10;
const LONG: usize = 1_010;
/// Processes of which the one with the fewest instructions counts.
const RUNS: usize = 3;
/// A count this much above its number has become slower.
const MARGIN: f64 = 1.05;
/// The variable that says which path a process runs, and how often.
const RUN: &str = "CGM_INSTRUCTIONS";

fn main() -> anyhow::Result<()> {
    if let Ok(run) = env::var(RUN) {
        let (path, rounds) = run.split_once(' ').context("a path and a number of rounds")?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        return runtime.block_on(play(path, rounds.parse()?));
    }
    let is = |flag: &str| env::args().any(|word| word == flag);
    let known: BTreeMap<String, u64> = serde_json::from_str(&fs::read_to_string(NUMBERS).unwrap_or("{}".into()))?;
    let mut counted = BTreeMap::new();
    let mut slower = Vec::new();
    for path in PATHS {
        let count = (least(path, LONG)? - least(path, SHORT)?) / (LONG - SHORT) as u64;
        let ratio = known.get(path).map(|number| count as f64 / *number as f64);
        println!(
            "{path:<9} {count:>12} instructions, {} of its number",
            ratio.map_or("?".into(), |r| format!("{r:.3}"))
        );
        slower.extend(ratio.filter(|ratio| *ratio > MARGIN).map(|_| path));
        counted.insert(path, count);
    }
    if is("--write") {
        fs::write(NUMBERS, serde_json::to_string_pretty(&counted)? + "\n")?;
    }
    ensure!(!is("--check") || slower.is_empty(), "slower than benches/instructions.json says: {}", slower.join(", "));
    Ok(())
}

/// The fewest instructions of several processes: what runs by the clock beside a path only adds to them.
fn least(path: &str, rounds: usize) -> anyhow::Result<u64> {
    let counts = (0..RUNS).map(|_| count(path, rounds)).collect::<anyhow::Result<Vec<_>>>()?;
    counts.into_iter().min().context("no process ran")
}

/// The instructions of a process that runs a path so often.
fn count(path: &str, rounds: usize) -> anyhow::Result<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(env::current_exe()?)
        .env(RUN, format!("{path} {rounds}"))
        .output()
        .context("valgrind cannot be started")?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("{path}: {said}");
    }
    let number = said.lines().find_map(|line| line.split_once("Collected :")).context("callgrind counted nothing")?.1;
    Ok(number.trim().parse()?)
}

/// A service in this process, with one group.
struct Service {
    router: Router,
    token: String,
    _folder: tempfile::TempDir,
}

async fn play(path: &str, rounds: usize) -> anyhow::Result<()> {
    let service = Service::start().await?;
    let mut screens = Vec::new();
    if path == "delivery" {
        for _ in 0..SCREENS {
            let mut screen = service.viewer("/groups/bench/events", "text/event-stream").await?.into_body();
            screen.frame().await.context("the stream has ended")??;
            screens.push(screen);
        }
    }
    for round in 0..rounds {
        match path {
            "page" => service.page(&format!("instance=i{round}"), "text/html").await?,
            "search" => service.page(&format!("part=rows&searchKeyword=member+{}", 100 + round), "text/html").await?,
            _ => {
                let scope = if round % 2 == 0 { "moderator" } else { "participant" };
                service.host("PUT", "/v3/groups/bench/members/u7", &json!({"scope": scope})).await?;
                for screen in &mut screens {
                    screen.frame().await.context("the stream has ended")??;
                }
            }
        }
    }
    Ok(())
}

impl Service {
    async fn start() -> anyhow::Result<Service> {
        let folder = tempfile::tempdir()?;
        let config = Config {
            viewer_secrets: vec![Secret::new("counted by callgrind, and by nobody else")],
            api_keys: vec![Secret::new(API_KEY)],
            database_url: format!("sqlite://{}", folder.path().join("bench.db").display()),
            ..Config::default()
        };
        let app = App::open(config).await?;
        let now = app.clock().now() / 1000;
        let claims = NewToken {
            uid: "u0",
            audience: &app.config().viewer_audience,
            issued_at: now,
            expires_at: now + 3_600,
            name: None,
            avatar: None,
        };
        let token = mint(&app.config().viewer_secrets[0], &claims);
        let service = Service { router: app.router(), token, _folder: folder };
        service.host("POST", "/v3/users", &json!({"uid": "u0", "name": "Member 0"})).await?;
        service
            .host("POST", "/v3/groups", &json!({"guid": "bench", "name": "Bench", "type": "private", "owner": "u0"}))
            .await?;
        let all: Vec<Value> =
            (1..MEMBERS).map(|n| json!({"uid": format!("u{n}"), "name": format!("Member {n}")})).collect();
        for some in all.chunks(100) {
            service.host("POST", "/v3/groups/bench/members", &json!({"members": some})).await?;
        }
        Ok(service)
    }

    /// What the host asks for; its answer is read.
    async fn host(&self, method: &str, path: &str, body: &Value) -> anyhow::Result<()> {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("apikey", API_KEY)
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(body.to_string()))?;
        let answer = self.router.clone().oneshot(request).await?;
        let status = answer.status();
        let body = to_bytes(answer.into_body(), usize::MAX).await?;
        ensure!(status.is_success(), "{path}: {status} {}", String::from_utf8_lossy(&body));
        Ok(())
    }

    /// What a viewer asks for.
    async fn viewer(&self, path: &str, accept: &str) -> anyhow::Result<axum::response::Response> {
        let request = Request::builder()
            .uri(path)
            .header(header::AUTHORIZATION, format!("Bearer {}", self.token))
            .header(header::ACCEPT, accept)
            .body(Body::empty())?;
        let answer = self.router.clone().oneshot(request).await?;
        ensure!(answer.status() == StatusCode::OK, "{path}: {}", answer.status());
        Ok(answer)
    }

    async fn page(&self, query: &str, accept: &str) -> anyhow::Result<()> {
        let answer = self.viewer(&format!("/groups/bench/members?{query}"), accept).await?;
        to_bytes(answer.into_body(), usize::MAX).await?;
        Ok(())
    }
}

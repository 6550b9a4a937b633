//! What is measured, as Prometheus sees it: Debian's own, which scrapes a service that runs.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::support::client;
use crate::support::cluster::free_port;
use crate::support::eventually;
use crate::support::program::{Program, command, import};

const PEOPLE: &str = "uid,name,scope,avatar,joinedAt\nada,Ada,owner,,\ndee,Dee,participant,,\n";

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A service with an endpoint of webhooks and a template, and where it is measured.
fn measured(folder: &Path) -> (Program, String) {
    assert!(import(folder, "den", PEOPLE).0);
    let views = folder.join("views");
    std::fs::create_dir(&views).unwrap();
    std::fs::write(views.join("card.html"), "{{ member.name }}").unwrap();
    let mut serve = command(folder);
    serve.args(["serve", "--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0", "--webhook-allow-private"]);
    serve.arg("--views").arg(&views);
    serve.args([
        "--webhook-url",
        "http://127.0.0.1:9/hook",
        "--webhook-secret",
        "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
    ]);
    let program = Program::start(&mut serve);
    let line = program.startup_log.iter().find_map(|line| line.split_once("metrics on "));
    let url = line.unwrap_or_else(|| panic!("{:?}", program.startup_log)).1.to_owned();
    (program, url)
}

async fn text(url: &str) -> String {
    client().get(url).send().await.unwrap().error_for_status().unwrap().text().await.unwrap()
}

#[tokio::test]
async fn what_alarms_ask_for_is_there_from_the_first_scrape() {
    let folder = tempfile::tempdir().unwrap();
    let (program, url) = measured(folder.path());
    let first = text(&url).await;
    for line in [
        "chat_group_members_store_up 1",
        "chat_group_members_store_writable 1",
        "chat_group_members_cut_off 0",
        "chat_group_members_store_failed_commits_total 0",
        "chat_group_members_streams_cut_total 0",
        "chat_group_members_streams_open{kind=\"html\"} 0",
        "chat_group_members_streams_ended_total{reason=\"expired\"} 0",
        "chat_group_members_events_total{kind=\"member_kicked\"} 0",
        "chat_group_members_templates_broken 0",
        "chat_group_members_template_failures_total{template=\"card\"} 0",
        "chat_group_members_wakes_lost_total 0",
    ] {
        assert!(first.lines().any(|sample| sample == line), "{line}: {first}");
    }
    // Builds for release also name the commit.
    let build = concat!("chat_group_members_build_info{version=\"", env!("CARGO_PKG_VERSION"), "\",revision=\"");
    for name in ["process_resident_memory_bytes ", "process_cpu_seconds_total ", build] {
        assert!(first.lines().any(|sample| sample.starts_with(name)), "{name}: {first}");
    }
    std::fs::write(folder.path().join("views/badge.html"), "{{ member.name }}").unwrap();
    eventually("a template that comes later is there before it fails", async || {
        text(&url).await.contains("chat_group_members_template_failures_total{template=\"badge\"} 0")
    })
    .await;
    let (reads, waits) = (
        "chat_group_members_store_connections{lane=\"reads\",state=\"idle\"} ",
        "chat_group_members_store_read_wait_seconds_bucket{",
    );
    eventually("connections are counted", async || {
        let text = text(&url).await;
        [reads, waits].iter().all(|name| text.lines().any(|sample| sample.starts_with(name)))
    })
    .await;
    let other = url.replace("/metrics", "/groups/den/members");
    assert_eq!(client().get(other).send().await.unwrap().status(), 404, "nothing else is served there");
    let refused = client().get(format!("{}/metrics", program.url)).send().await.unwrap();
    assert_eq!(refused.status(), 401, "without any API key nobody has the right one");
    assert!(refused.text().await.unwrap().contains("--metrics-listen"));
}

#[tokio::test]
async fn streams_are_counted_by_kind_and_by_the_reason_of_their_end() {
    let folder = tempfile::tempdir().unwrap();
    let (program, url) = measured(folder.path());
    let (ada, dee) = (program.actor("ada"), program.actor("dee"));
    let (html, mut json) = (ada.stream().await, dee.events().await);
    json.next().await;
    let has = async |line: &str| text(&url).await.lines().any(|sample| sample == line);
    assert!(
        has("chat_group_members_streams_open{kind=\"html\"} 1").await
            && has("chat_group_members_streams_open{kind=\"json\"} 1").await
    );
    ada.kick("dee").await.ok();
    eventually("the end by a kick", async || has("chat_group_members_streams_ended_total{reason=\"kicked\"} 1").await)
        .await;
    drop(html);
    eventually("the end by the reader", async || {
        has("chat_group_members_streams_ended_total{reason=\"closed\"} 1").await
    })
    .await;
    let text = text(&url).await;
    assert!(
        text.contains("chat_group_members_http_requests_total{method=\"DELETE\",route=\"/groups/{guid}/members/{uid}\",status=\"200\"} 1"),
        "{text}"
    );
    assert!(
        text.contains("chat_group_members_http_request_seconds_bucket{method=\"DELETE\"")
            && !text.contains("quantile="),
        "{text}"
    );
}

#[tokio::test]
async fn promtool_has_nothing_to_say() {
    let folder = tempfile::tempdir().unwrap();
    let (program, url) = measured(folder.path());
    program.actor("ada").kick("dee").await.ok();
    let text = text(&url).await;
    let mut promtool = Command::new("promtool")
        .args(["check", "metrics"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("promtool is installed: Debian's package prometheus");
    promtool.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = promtool.wait_with_output().unwrap();
    let report = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && report.trim().is_empty(), "{report}\n{text}");
}

#[test]
fn every_alarm_rings_when_it_must_and_has_a_page_that_says_what_to_do() {
    let tested = Command::new("promtool")
        .args(["test", "rules"])
        .arg(repository("packaging/prometheus/alerts_test.yml"))
        .output();
    let tested = tested.expect("promtool is installed: Debian's package prometheus");
    assert!(
        tested.status.success(),
        "{}{}",
        String::from_utf8_lossy(&tested.stdout),
        String::from_utf8_lossy(&tested.stderr)
    );
    let read = |path: &str| std::fs::read_to_string(repository(path)).unwrap();
    let (rules, tests, page) =
        (read("packaging/prometheus/alerts.yml"), read("packaging/prometheus/alerts_test.yml"), read("docs/alarms.md"));
    let names: BTreeSet<&str> = rules.lines().filter_map(|line| line.trim().strip_prefix("- alert: ")).collect();
    // Units of systemd ring by themselves, as the guide sets them up.
    let guide = read("docs/one-node.md");
    let of_units: BTreeSet<&str> =
        guide.split("amtool ").filter_map(|call| call.split_once("alert add ")?.1.split_whitespace().next()).collect();
    assert!(!of_units.is_empty(), "the guide rings for a backup that failed");
    let sections: BTreeSet<&str> = page.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    assert_eq!(&names | &of_units, sections);
    for name in of_units {
        assert!(guide.contains(&format!("alarms.md#{}", name.to_lowercase())), "the guide says what to do at {name}");
    }
    for name in names {
        assert!(rules.contains(&format!("runbook: docs/alarms.md#{}", name.to_lowercase())), "{name}");
        assert!(tests.contains(&format!("alertname: {name}\n")), "{name} is tested");
    }
}

#[tokio::test]
async fn every_series_has_our_prefix_and_documents_name_only_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let (program, url) = measured(folder.path());
    program.actor("ada").kick("dee").await.ok();
    let text = text(&url).await;
    let series: BTreeSet<&str> =
        text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split_whitespace().next()).collect();
    let odd: Vec<_> = series
        .iter()
        .filter(|name| !name.starts_with("chat_group_members_") && !name.starts_with("process_"))
        .collect();
    assert!(series.len() > 20 && odd.is_empty(), "{odd:?}");

    let mut named = 0;
    for entry in std::fs::read_dir(repository("docs")).unwrap() {
        let path = entry.unwrap().path();
        let Ok(page) = std::fs::read_to_string(&path) else { continue };
        let words = page.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        for word in words.filter(|word| word.starts_with("chat_group_members_") && !word.ends_with('_')) {
            let name = ["_bucket", "_sum", "_count"].iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word);
            assert!(series.contains(name), "{} names {word}: {series:?}", path.display());
            named += 1;
        }
    }
    assert!(named > 10, "documents name series: {named}");
}

/// Debian's Prometheus on a free port; killed when dropped.
struct Prometheus {
    child: Child,
    url: String,
}

impl Prometheus {
    fn start(folder: &Path, target: &str) -> Prometheus {
        let port = free_port();
        let rules = repository("packaging/prometheus/alerts.yml");
        let config = format!(
            "global: {{scrape_interval: 200ms, scrape_timeout: 200ms, evaluation_interval: 200ms}}\nrule_files: ['{}']\nscrape_configs:\n  - job_name: chat-group-members\n    static_configs: [{{targets: ['{target}']}}]\n",
            rules.display()
        );
        std::fs::write(folder.join("prometheus.yml"), config).unwrap();
        let child = Command::new("prometheus")
            .arg(format!("--config.file={}", folder.join("prometheus.yml").display()))
            .arg(format!("--storage.tsdb.path={}", folder.join("series").display()))
            .arg(format!("--web.listen-address=127.0.0.1:{port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("prometheus is installed: Debian's package prometheus");
        Prometheus { child, url: format!("http://127.0.0.1:{port}") }
    }

    async fn get(&self, path: &str, query: &[(&str, &str)]) -> Option<Value> {
        let pairs = query.iter().fold(String::new(), |mut text, (name, value)| {
            let value: String = value.bytes().map(|byte| format!("%{byte:02x}")).collect();
            text += &format!("{name}={value}&");
            text
        });
        client().get(format!("{}{path}?{pairs}", self.url)).send().await.ok()?.json().await.ok()
    }

    /// How many series an expression has now; `None` when it is not valid, or Prometheus does not answer.
    async fn count(&self, expression: &str) -> Option<usize> {
        let answer = self.get("/api/v1/query", &[("query", expression)]).await?;
        answer["data"]["result"].as_array().map(Vec::len)
    }
}

impl Drop for Prometheus {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn every_expression_of_alarms_and_dashboard_finds_its_series() {
    let folder = tempfile::tempdir().unwrap();
    let (program, url) = measured(folder.path());
    let _stream = program.actor("ada").stream().await;
    program.actor("ada").kick("dee").await.ok();
    let target = url.trim_start_matches("http://").trim_end_matches("/metrics").to_owned();
    let prometheus = Prometheus::start(folder.path(), &target);
    eventually("a few scrapes", async || {
        prometheus.count("count_over_time(chat_group_members_store_up[1m]) > 3").await.is_some_and(|series| series > 0)
    })
    .await;

    let dashboard = std::fs::read_to_string(repository("packaging/grafana/dashboard.json")).unwrap();
    let dashboard: Value = serde_json::from_str(&dashboard).unwrap();
    let panels = dashboard["panels"].as_array().unwrap().iter();
    let shown =
        panels.flat_map(|panel| panel["targets"].as_array().unwrap()).map(|target| target["expr"].as_str().unwrap());
    for expression in shown {
        let series = prometheus.count(expression).await.unwrap_or_else(|| panic!("not valid: {expression}"));
        assert!(series > 0, "nothing for {expression}");
    }

    let rules = prometheus.get("/api/v1/rules", &[]).await.unwrap();
    let rules = rules["data"]["groups"][0]["rules"].as_array().unwrap();
    assert!(!rules.is_empty());
    for rule in rules {
        let (name, expression) = (&rule["name"], rule["query"].as_str().unwrap());
        assert_ne!(rule["health"], "err", "{name}: {}", rule["lastError"]);
        // Silent, since nothing is wrong: each series that it asks for is there all the same.
        let words = expression
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .filter(|word| word.contains('_') || *word == "up");
        let no_series = ["histogram_quantile", "group_left"];
        for series in words.filter(|word| !no_series.contains(word)) {
            assert!(prometheus.count(series).await.is_some_and(|found| found > 0), "{name}: {series}");
        }
        assert_eq!(prometheus.count(expression).await, Some(0), "{name} rings: {expression}");
    }
}

//! Metrics: every series with its help text, its unit in its name, and a value from the first scrape on, so that an
//! alarm finds it before anything has happened. Each counter is incremented beside the code that it counts.

use std::sync::OnceLock;

use metrics::{Unit, describe_counter, describe_gauge, describe_histogram};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use metrics_process::Collector;
use strum::VariantArray;

use crate::domain::{Ending, EventKind};

/// Upper bounds of the buckets of durations, in seconds. The same on every node, so that they add up.
const SECONDS: [f64; 13] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

/// Counters without labels that depend on what happens.
const COUNTERS: [(&str, &str); 7] = [
    ("chat_group_members_store_commits_total", "Transactions that were committed."),
    ("chat_group_members_store_acts_total", "Acts that were committed."),
    ("chat_group_members_store_failed_commits_total", "Transactions, and acts in them, that the database failed."),
    ("chat_group_members_streams_cut_total", "Streams that were cut because their reader was too slow."),
    ("chat_group_members_streams_reset_total", "Streams that could not be resumed and began anew."),
    (
        "chat_group_members_wakes_said_total",
        "Messages to the other nodes about groups, presence, logouts and erasures, failed ones included.",
    ),
    (
        "chat_group_members_wakes_lost_total",
        "Times that a group was behind and only the poll of the log found it: its message was lost, or late.",
    ),
];

/// Gauges without labels.
const GAUGES: [(&str, Unit, &str); 6] = [
    ("chat_group_members_store_up", Unit::Count, "Whether the database answers: 1 or 0."),
    ("chat_group_members_store_writable", Unit::Count, "Whether acts can be written, as /readyz says: 1 or 0."),
    (
        "chat_group_members_cut_off",
        Unit::Count,
        "Whether the log could not be read for a while, so that viewers are told: 1 or 0.",
    ),
    ("chat_group_members_rosters", Unit::Count, "Groups in memory."),
    ("chat_group_members_roster_bytes", Unit::Bytes, "Memory of the groups in memory."),
    ("chat_group_members_templates_broken", Unit::Count, "Templates of the operator that cannot be used."),
];

/// Series with labels: their help text and whether they are counters.
const LABELLED: [(&str, bool, &str); 12] = [
    ("chat_group_members_http_requests_total", true, "Requests by method, route and status."),
    ("chat_group_members_events_total", true, "Events of groups that this node has seen, by kind."),
    (
        "chat_group_members_store_connections",
        false,
        "Connections to the database by lane (reads or writes) and state (busy or idle).",
    ),
    ("chat_group_members_streams_open", false, "Open streams by kind: html or json."),
    (
        "chat_group_members_streams_ended_total",
        true,
        "Streams that ended, by reason; closed: by the reader, slow: the reader was cut.",
    ),
    ("chat_group_members_template_failures_total", true, "Failures of an operator's template."),
    ("chat_group_members_webhook_deliveries_total", true, "Webhooks that an endpoint has taken."),
    ("chat_group_members_webhook_failures_total", true, "Webhooks that an endpoint did not take; each is tried again."),
    ("chat_group_members_webhook_dead_total", true, "Events that were given up after three days."),
    ("chat_group_members_webhook_backlog", false, "Events that wait for an endpoint."),
    ("chat_group_members_webhook_oldest_seconds", false, "Age of the oldest event that waits for an endpoint."),
    ("chat_group_members_build_info", false, "Always 1; the labels tell the version and, of a release, the commit."),
];

/// The kinds of streams.
pub(crate) const STREAM_KINDS: [&str; 2] = ["html", "json"];

/// The renderer of this process's metrics, which all services in it share.
pub(crate) fn handle() -> &'static PrometheusHandle {
    static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();
    HANDLE.get_or_init(|| {
        let builder = PrometheusBuilder::new().set_buckets(&SECONDS).expect("there are buckets");
        let recorder = builder.build_recorder();
        let handle = recorder.handle();
        // Fails when the host has installed a recorder: metrics then go to that one.
        let _ = metrics::set_global_recorder(recorder);
        describe();
        handle
    })
}

/// The measurements in Prometheus' text format.
pub(crate) fn render() -> String {
    process().collect();
    handle().render()
}

/// The reader of this process's memory, processor time and open files.
fn process() -> &'static Collector {
    static PROCESS: OnceLock<Collector> = OnceLock::new();
    PROCESS.get_or_init(|| {
        let collector = Collector::default();
        collector.describe();
        collector
    })
}

fn describe() {
    for (name, help) in COUNTERS {
        describe_counter!(name, help);
        metrics::counter!(name).increment(0);
    }
    for (name, unit, help) in GAUGES {
        describe_gauge!(name, unit, help);
        metrics::gauge!(name).set(0.0);
    }
    for (name, is_counter, help) in LABELLED {
        if is_counter {
            describe_counter!(name, help);
        } else {
            describe_gauge!(name, help);
        }
    }
    describe_histogram!(
        "chat_group_members_http_request_seconds",
        Unit::Seconds,
        "Time until the head of an answer was ready."
    );
    let wait = "Time until a read of the database could begin: waiting for a connection included.";
    describe_histogram!("chat_group_members_store_read_wait_seconds", Unit::Seconds, wait);
    for kind in EventKind::VARIANTS {
        metrics::counter!("chat_group_members_events_total", "kind" => kind.as_str()).increment(0);
    }
    for kind in STREAM_KINDS {
        metrics::gauge!("chat_group_members_streams_open", "kind" => kind).set(0.0);
    }
    for reason in Ending::REASONS.into_iter().chain(["slow", "closed"]) {
        metrics::counter!("chat_group_members_streams_ended_total", "reason" => reason).increment(0);
    }
    let build = [("version", env!("CARGO_PKG_VERSION")), ("revision", revision())];
    metrics::gauge!("chat_group_members_build_info", &build).set(1.0);
}

/// The commit that this was built from; empty where none is known, and in builds that are not for release.
fn revision() -> &'static str {
    let named = env!("CHAT_GROUP_MEMBERS_VERSION").split_once(" (").map_or("", |(_version, named)| named);
    named.split([' ', ')']).next().unwrap_or_default()
}

//! Traces: who asked, in the words of W3C Trace Context, and what a collector gets of it. The collector decodes OTLP with the
//! messages that OpenTelemetry publishes.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::routing::post;
use opentelemetry_proto::tonic::collector::trace::v1::{ExportTraceServiceRequest, ExportTraceServiceResponse};
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::{Span, span::SpanKind};
use prost::Message as _;
use reqwest::{Method, StatusCode};
use tokio::net::TcpListener;

use crate::support::eventually;
use crate::support::program::{Program, command, import, run};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00f067aa0ba902b7";

/// What a collector has got.
#[derive(Clone, Default)]
struct Collector(Arc<Mutex<Vec<ExportTraceServiceRequest>>>);

impl Collector {
    /// Listens; the address that the service gets.
    async fn listen(&self) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let got = self.0.clone();
        let take = move |body: Bytes| async move {
            got.lock().unwrap().push(ExportTraceServiceRequest::decode(body).unwrap());
            ExportTraceServiceResponse::default().encode_to_vec()
        };
        let router = Router::new().route("/v1/traces", post(take));
        tokio::spawn(async move { axum::serve(listener, router).await });
        format!("http://{address}")
    }

    fn spans(&self) -> Vec<Span> {
        let got = self.0.lock().unwrap();
        let scopes = got.iter().flat_map(|request| &request.resource_spans).flat_map(|one| &one.scope_spans);
        scopes.flat_map(|scope| scope.spans.clone()).collect()
    }

    /// The span of the request with this route and status, as soon as it is there.
    async fn span(&self, name: &str, status: i64) -> Span {
        let find = || {
            let is_it = |span: &Span| span.name == name && number(span, "http.response.status_code") == Some(status);
            self.spans().into_iter().find(is_it)
        };
        eventually(&format!("a span {name:?} with {status}"), async || find().is_some()).await;
        find().unwrap()
    }
}

fn attribute(span: &Span, key: &str) -> Option<Value> {
    span.attributes.iter().find(|one| one.key == key)?.value.clone()?.value
}

fn number(span: &Span, key: &str) -> Option<i64> {
    match attribute(span, key)? {
        Value::IntValue(number) => Some(number),
        _ => None,
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Ada's den, served with a collector at this address.
fn serve(folder: &std::path::Path, collector: &str) -> Program {
    assert!(import(folder, "den", "uid,name,scope,avatar,joinedAt\nada,Ada,owner,,\n").0);
    let mut serve = command(folder);
    serve.args(["serve", "--listen", "127.0.0.1:0", "--otlp-endpoint", collector]).env("OTEL_BSP_SCHEDULE_DELAY", "50");
    Program::start(&mut serve)
}

async fn ask(service: &Program, path: &str, traceparent: &str) -> StatusCode {
    let request = service.actor("ada").request(Method::GET, path).header("accept", "application/json");
    request.header("traceparent", traceparent).send().await.unwrap().status()
}

#[tokio::test]
async fn a_collector_gets_each_request_under_the_span_of_its_caller_and_nobody_s_name() {
    let (folder, collector) = (tempfile::tempdir().unwrap(), Collector::default());
    let service = serve(folder.path(), &collector.listen().await);
    let list = "/groups/den/members?searchKeyword=somebody";
    assert_eq!(ask(&service, list, &format!("00-{TRACE}-{PARENT}-01")).await, 200);
    let span = collector.span("GET /groups/{guid}/members", 200).await;
    assert_eq!((hex(&span.trace_id), hex(&span.parent_span_id)), (TRACE.into(), PARENT.into()));
    assert_eq!(span.kind, SpanKind::Server as i32);
    assert!(span.end_time_unix_nano >= span.start_time_unix_nano);
    let mut exported = collector.0.lock().unwrap().iter().map(|request| format!("{request:?}")).collect::<String>();
    exported.make_ascii_lowercase();
    for private in ["ada", "\"den\"", "somebody", "/den/"] {
        assert!(!exported.contains(private), "{private} in {exported}");
    }
    assert!(exported.contains("chat-group-members"), "its service has a name: {exported}");

    // Without a caller's span, or with one that cannot be read, a trace begins here.
    for bad in ["", "00-xyz", &format!("00-{TRACE}-0000000000000000-01")] {
        assert_eq!(ask(&service, "/groups/nowhere/members", bad).await, 404);
    }
    let span = collector.span("GET /groups/{guid}/members", 404).await;
    assert!(span.parent_span_id.is_empty() && hex(&span.trace_id) != TRACE, "{span:?}");
}

// The collector listens while this waits for the end of the program.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_caller_does_not_record_is_not_recorded_here() {
    let (folder, collector) = (tempfile::tempdir().unwrap(), Collector::default());
    let service = serve(folder.path(), &collector.listen().await);
    assert_eq!(ask(&service, "/groups/den/members", &format!("00-{TRACE}-{PARENT}-00")).await, 200);
    // The one after it comes.
    assert_eq!(ask(&service, "/groups/nowhere/members", &format!("00-{TRACE}-{PARENT}-01")).await, 404);
    collector.span("GET /groups/{guid}/members", 404).await;
    service.terminate();
    assert!(service.wait().0.success());
    let statuses: Vec<_> = collector.spans().iter().map(|span| number(span, "http.response.status_code")).collect();
    assert_eq!(statuses, [Some(404)]);
}

// The collector listens while this waits for the end of the program.
#[tokio::test(flavor = "multi_thread")]
async fn what_waits_for_the_collector_is_sent_before_the_end() {
    let (folder, collector) = (tempfile::tempdir().unwrap(), Collector::default());
    assert!(import(folder.path(), "den", "uid,name,scope,avatar,joinedAt\nada,Ada,owner,,\n").0);
    let mut serve = command(folder.path());
    serve.args(["serve", "--listen", "127.0.0.1:0", "--otlp-endpoint", &collector.listen().await]);
    let service = Program::start(serve.env("OTEL_BSP_SCHEDULE_DELAY", "600000"));
    assert_eq!(ask(&service, "/groups/den/members", "").await, 200);
    service.interrupt();
    assert!(service.wait().0.success());
    assert_eq!(collector.spans().len(), 1);
}

// The collector listens while this waits for the end of the program.
#[tokio::test(flavor = "multi_thread")]
async fn told_twice_to_end_it_sends_the_collector_nothing_more() {
    let (folder, collector) = (tempfile::tempdir().unwrap(), Collector::default());
    assert!(import(folder.path(), "den", "uid,name,scope,avatar,joinedAt\nada,Ada,owner,,\n").0);
    let mut serve = command(folder.path());
    serve.args(["serve", "--listen", "127.0.0.1:0", "--otlp-endpoint", &collector.listen().await]);
    let service = Program::start(serve.env("OTEL_BSP_SCHEDULE_DELAY", "600000"));
    assert_eq!(ask(&service, "/groups/den/members", "").await, 200);
    service.terminate();
    eventually("it drains", async || ask(&service, "/readyz", "").await == 503).await;
    service.terminate();
    service.wait_for_line("second signal");
    assert!(service.wait().0.success());
    assert!(collector.spans().is_empty(), "what waits for the collector is given up");
}

#[tokio::test]
async fn a_collector_that_hangs_or_is_away_is_logged_once_and_holds_up_neither_requests_nor_the_end() {
    let hanging = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let gone = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    for address in [hanging.local_addr().unwrap(), gone] {
        let folder = tempfile::tempdir().unwrap();
        let service = serve(folder.path(), &format!("http://{address}"));
        let begun = Instant::now();
        for _ in 0..20 {
            assert_eq!(ask(&service, "/groups/den/members", "").await, 200);
        }
        assert!(begun.elapsed() < Duration::from_secs(10), "requests wait");
        if address == gone {
            let line = service.wait_for_line("spans were not sent");
            assert!(line.contains("WARN"), "{line}");
            assert_eq!(ask(&service, "/groups/den/members", "").await, 200);
        }
        service.interrupt();
        let (status, took) = service.wait();
        assert!(status.success() && took < Duration::from_secs(10), "{status} after {took:?}");
    }
}

#[tokio::test]
async fn log_lines_name_the_trace_of_the_request() {
    let folder = tempfile::tempdir().unwrap();
    let mut serve = command(folder.path());
    let service = Program::start(serve.args(["serve", "--listen", "127.0.0.1:0", "--log", "chat_group_members=debug"]));
    ask(&service, "/groups/nowhere/members", &format!("00-{TRACE}-{PARENT}-01")).await;
    service.wait_for_line(TRACE);
}

#[tokio::test]
async fn a_trace_stands_once_in_a_line_whoever_began_it() {
    let (folder, collector) = (tempfile::tempdir().unwrap(), Collector::default());
    let mut serve = command(folder.path());
    serve.args(["serve", "--listen", "127.0.0.1:0", "--log", "chat_group_members=debug"]);
    let service = Program::start(serve.args(["--otlp-endpoint", &collector.listen().await]));
    for caller in [format!("00-{TRACE}-{PARENT}-01"), String::new()] {
        ask(&service, "/groups/nowhere/members", &caller).await;
        let line = service.wait_for_line("trace=");
        assert_eq!(line.matches("trace=").count(), 1, "{line}");
    }
}

#[test]
fn an_address_that_is_no_collector_is_refused_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    for (address, reason) in [
        ("localhost:4318", "is not the address of a collector"),
        ("grpc://127.0.0.1:4317", "is not the address of a collector"),
        ("http://u:p@127.0.0.1:4318", "OTEL_EXPORTER_OTLP_HEADERS"),
        ("http://127.0.0.1:4318/v1/traces", "leave out /v1/traces"),
    ] {
        let (is_content, output) = run(command(folder.path()).args(["serve", "--otlp-endpoint", address]));
        assert!(!is_content && output.contains("--otlp-endpoint") && output.contains(reason), "{address}: {output}");
    }
}

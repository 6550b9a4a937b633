//! Sends spans to a collector, in OTLP over HTTP (<https://opentelemetry.io/docs/specs/otlp/>), from a thread of its
//! own: no request waits for it. Spans that do not fit into the queue while the collector is away are dropped.

use std::fmt;
use std::time::Duration;

use anyhow::Context as _;
use opentelemetry::global;
use opentelemetry_otlp::WithExportConfig as _;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{SdkTracerProvider, SpanData, SpanExporter};
use tokio::time::Instant;

use crate::store::FailureLog;

/// Longest wait for one answer of the collector.
const EXPORT_TIMEOUT: Duration = Duration::from_secs(3);
/// Longest wait, at the end, for the queue to be sent.
const LAST_EXPORT: Duration = Duration::from_secs(2);

/// The spans of this process on their way.
pub struct Traces(SdkTracerProvider);

/// Begins to send spans to `{endpoint}/v1/traces`. The standard variables `OTEL_EXPORTER_OTLP_HEADERS`,
/// `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_SERVICE_NAME`, `OTEL_TRACES_SAMPLER` and `OTEL_BSP_…` go on top.
///
/// # Errors
/// When the client cannot be made.
pub fn start(endpoint: &str) -> anyhow::Result<Traces> {
    let exporter = opentelemetry_otlp::SpanExporter::builder()
        .with_http()
        .with_endpoint(format!("{}/v1/traces", endpoint.trim_end_matches('/')))
        .with_timeout(EXPORT_TIMEOUT)
        .build()
        .context("--otlp-endpoint")?;
    let mut resource = Resource::builder();
    if std::env::var_os("OTEL_SERVICE_NAME").is_none() {
        resource = resource.with_service_name(env!("CARGO_PKG_NAME"));
    }
    let resource =
        resource.with_attribute(opentelemetry::KeyValue::new("service.version", env!("CARGO_PKG_VERSION"))).build();
    let provider = SdkTracerProvider::builder()
        .with_batch_exporter(Logged { exporter, failures: FailureLog::new() })
        .with_resource(resource)
        .build();
    global::set_tracer_provider(provider.clone());
    Ok(Traces(provider))
}

impl Traces {
    /// Sends the queued spans, if the collector takes them soon: within `limit` at most.
    pub async fn end(self, limit: Duration) {
        // It waits for its thread.
        let ended = tokio::task::spawn_blocking(move || self.0.shutdown_with_timeout(limit.min(LAST_EXPORT))).await;
        if let Ok(Err(error)) = ended {
            tracing::debug!(%error, "the last spans were not sent");
        }
    }
}

/// An exporter whose failures are logged: the first, then at growing intervals, and the end of them.
struct Logged {
    exporter: opentelemetry_otlp::SpanExporter,
    failures: FailureLog,
}

impl fmt::Debug for Logged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.exporter.fmt(f)
    }
}

impl SpanExporter for Logged {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let spans = batch.len();
        let exported = self.exporter.export(batch).await;
        match &exported {
            Ok(()) if self.failures.succeeded(Instant::now()) => tracing::info!("spans are sent again"),
            Ok(()) => {}
            Err(error) if self.failures.failed(&error.to_string(), Instant::now()) => {
                tracing::warn!(%error, spans, "spans were not sent to --otlp-endpoint; they are lost");
            }
            Err(_) => {}
        }
        exported
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.exporter.shutdown_with_timeout(timeout)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.exporter.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.exporter.set_resource(resource);
    }
}

//! One request to an endpoint. The receiver is not trusted: its address is checked, and the length and duration of its
//! response are limited.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;
use percent_encoding::percent_decode_str;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{CONTENT_TYPE, RETRY_AFTER, USER_AGENT};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode, Url};
use tokio::time::timeout;

use super::signature::signature;
use crate::config::{AllowedAddresses, SigningKey, Webhook};

/// Longest wait for the beginning of a response, the opening of a connection included.
const TIMEOUT: Duration = Duration::from_secs(15);
/// Longest time of reading a response's body, so that its connection can be used again.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(1);
/// Most bytes of an answer that are read.
const MAX_ANSWER: usize = 64 * 1024;
/// Time that a connection is kept open without a request.
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);

/// Sends requests to one endpoint.
pub(super) struct Sender {
    client: Client,
    webhook: Webhook,
    allowed: AllowedAddresses,
    /// The signing keys: those of `webhook`, until others are configured.
    keys: RwLock<Arc<[SigningKey]>>,
    /// The URL without user and password, which travel in a header.
    url: Url,
}

/// The result of one delivery attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DeliveryResult {
    /// 2xx.
    Delivered(StatusCode),
    /// 410: the endpoint wants nothing any more.
    Gone,
    /// Anything else, with the milliseconds that the receiver asks to wait.
    Failed(DeliveryFailure, Option<i64>),
}

/// Why a request failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DeliveryFailure {
    /// It was answered with another status.
    Status(StatusCode),
    /// It was not answered in time.
    TimedOut,
    /// Its address is not one that the endpoint may be at.
    Refused,
    /// The connection failed, for this reason.
    Connection(String),
}

impl fmt::Display for DeliveryResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeliveryResult::Delivered(status) => write!(f, "{}", status.as_u16()),
            DeliveryResult::Gone => f.write_str("410"),
            DeliveryResult::Failed(DeliveryFailure::Status(status), _) => write!(f, "{}", status.as_u16()),
            DeliveryResult::Failed(DeliveryFailure::TimedOut, _) => {
                write!(f, "no answer within {} s", TIMEOUT.as_secs())
            }
            DeliveryResult::Failed(DeliveryFailure::Refused, _) => f.write_str(REFUSED),
            DeliveryResult::Failed(DeliveryFailure::Connection(reason), _) => f.write_str(reason),
        }
    }
}

impl Sender {
    /// A sender for this endpoint.
    ///
    /// # Errors
    /// When the system has no TLS certificates to trust.
    pub(super) fn new(webhook: Webhook) -> reqwest::Result<Sender> {
        Sender::resolving_by(look_up, webhook)
    }

    /// The same with something else that finds the addresses of a name.
    fn resolving_by<L, F>(look_up: L, webhook: Webhook) -> reqwest::Result<Sender>
    where
        L: Fn(String) -> F + Send + Sync + 'static,
        F: Future<Output = io::Result<Vec<SocketAddr>>> + Send + 'static,
    {
        let allowed = webhook.allowed_addresses();
        let client = Client::builder()
            // A proxy would open connections whose addresses are not checked here.
            .no_proxy()
            .redirect(Policy::none())
            .dns_resolver(CheckedResolver { allowed, look_up })
            .connect_timeout(TIMEOUT)
            .pool_idle_timeout(IDLE_TIMEOUT)
            .tcp_keepalive(IDLE_TIMEOUT)
            .build()?;
        let (url, keys) = (webhook.without_credentials(), RwLock::new(webhook.keys.as_slice().into()));
        Ok(Sender { client, webhook, allowed, keys, url })
    }

    /// Signs with these keys from now on.
    pub(super) fn set_keys(&self, keys: &[SigningKey]) {
        *self.keys.write().unwrap_or_else(PoisonError::into_inner) = keys.into();
    }

    /// Sends a body under the id of its event. `now` in Unix milliseconds.
    pub(super) async fn send(&self, id: &str, body: String, now: i64) -> DeliveryResult {
        // The resolver is not asked about an address in numbers.
        if self.webhook.literal().is_some_and(|address| !self.allowed.includes(address)) {
            return DeliveryResult::Failed(DeliveryFailure::Refused, None);
        }
        let timestamp = now / 1000;
        let mut request = self
            .client
            .post(self.url.clone())
            .header(CONTENT_TYPE, "application/json")
            .header(USER_AGENT, concat!("chat-group-members/", env!("CARGO_PKG_VERSION")))
            .header("webhook-id", id)
            .header("webhook-timestamp", timestamp);
        let keys = self.keys.read().unwrap_or_else(PoisonError::into_inner).clone();
        if !keys.is_empty() {
            request = request.header("webhook-signature", signature(&keys, id, timestamp, body.as_bytes()));
        }
        if let Some((user, password)) = credentials(&self.webhook.url) {
            request = request.basic_auth(user, password);
        }
        match timeout(TIMEOUT, request.body(body).send()).await {
            Ok(Ok(response)) => read(response, now).await,
            Ok(Err(error)) => DeliveryResult::Failed(failure(&error), None),
            Err(_) => DeliveryResult::Failed(DeliveryFailure::TimedOut, None),
        }
    }
}

async fn read(response: Response, now: i64) -> DeliveryResult {
    let status = response.status();
    let retry_after = response.headers().get(RETRY_AFTER).and_then(|value| milliseconds(value.to_str().ok()?, now));
    // Only for the sake of the connection: the content of the body does not matter.
    let _ = timeout(DRAIN_TIMEOUT, drain(response)).await;
    match status {
        status if status.is_success() => DeliveryResult::Delivered(status),
        StatusCode::GONE => DeliveryResult::Gone,
        status => DeliveryResult::Failed(DeliveryFailure::Status(status), retry_after),
    }
}

async fn drain(mut response: Response) {
    let mut left = MAX_ANSWER;
    while left > 0
        && let Ok(Some(chunk)) = response.chunk().await
    {
        left = left.saturating_sub(chunk.len());
    }
}

/// The time of a `Retry-After`: seconds, or a date (RFC 9110, section 10.2.3). In milliseconds.
fn milliseconds(text: &str, now: i64) -> Option<i64> {
    let text = text.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        // More digits than the number holds are the longest wait that there is.
        return Some(text.parse::<i64>().map_or(i64::MAX, |seconds| seconds.saturating_mul(1000)));
    }
    let date: Timestamp = DateTimeParser::new().parse_timestamp(text).ok()?;
    Some((date.as_millisecond() - now).max(0))
}

/// User and password of a URL, as they were before they were written in it.
fn credentials(url: &Url) -> Option<(String, Option<String>)> {
    let decode = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    (!url.username().is_empty() || url.password().is_some())
        .then(|| (decode(url.username()), url.password().map(decode)))
}

const REFUSED: &str = "the address is private, and refused without --webhook-allow-private";

fn failure(error: &reqwest::Error) -> DeliveryFailure {
    let mut cause: &dyn std::error::Error = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
        if cause.is::<RefusedAddress>() {
            return DeliveryFailure::Refused;
        }
    }
    if error.is_timeout() {
        return DeliveryFailure::TimedOut;
    }
    // The error itself names the URL, which may hold a key; its cause does not.
    DeliveryFailure::Connection(cause.to_string().chars().take(200).collect())
}

/// Resolves names to the addresses that an endpoint may be at. It checks every connection, so that a name that later
/// resolves to a forbidden address (DNS rebinding) is refused as well.
struct CheckedResolver<L> {
    allowed: AllowedAddresses,
    /// Finds the addresses of a name.
    look_up: L,
}

#[derive(Debug, thiserror::Error)]
#[error("the name has only addresses that are refused")]
struct RefusedAddress;

impl<L, F> Resolve for CheckedResolver<L>
where
    L: Fn(String) -> F + Send + Sync,
    F: Future<Output = io::Result<Vec<SocketAddr>>> + Send + 'static,
{
    fn resolve(&self, name: Name) -> Resolving {
        let (allowed, found) = (self.allowed, (self.look_up)(name.as_str().to_owned()));
        Box::pin(async move {
            let found = found.await?;
            let allowed: Vec<SocketAddr> =
                found.iter().copied().filter(|address| allowed.includes(address.ip())).collect();
            if allowed.is_empty() && !found.is_empty() {
                return Err(RefusedAddress.into());
            }
            Ok(Box::new(allowed.into_iter()) as Addrs)
        })
    }
}

/// The addresses of a name, as the system knows them.
async fn look_up(name: String) -> io::Result<Vec<SocketAddr>> {
    Ok(tokio::net::lookup_host((name.as_str(), 0)).await?.collect())
}

#[cfg(test)]
mod tests {
    use std::future::{Ready, ready};
    use std::net::IpAddr;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use axum::Router;
    use axum::routing::post;
    use bytes::Bytes;
    use futures_util::{StreamExt, stream};
    use reqwest::Body;
    use reqwest::header::CONNECTION;

    use super::*;
    use crate::config::WebhookFormat;

    /// Finds the first address at the first time, and the second one from then on.
    fn changing(addresses: [&'static str; 2]) -> impl Fn(String) -> Ready<io::Result<Vec<SocketAddr>>> {
        let asked = AtomicUsize::new(0);
        move |_| {
            let address: IpAddr = addresses[asked.fetch_add(1, Ordering::Relaxed).min(1)].parse().unwrap();
            ready(Ok(vec![SocketAddr::new(address, 0)]))
        }
    }

    #[tokio::test]
    async fn a_name_that_leads_inside_at_the_next_connection_is_refused_then() {
        let resolver =
            CheckedResolver { allowed: AllowedAddresses::Public, look_up: changing(["8.8.8.8", "10.0.0.1"]) };
        let name = || "moves.example".parse::<Name>().unwrap();
        let first: Vec<SocketAddr> = resolver.resolve(name()).await.unwrap().collect();
        assert_eq!(first, [SocketAddr::from(([8, 8, 8, 8], 0))]);
        assert!(resolver.resolve(name()).await.is_err_and(|error| error.is::<RefusedAddress>()));
    }

    #[tokio::test]
    async fn a_name_is_looked_up_again_for_every_connection() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://moves.localhost:{}/hook", listener.local_addr().unwrap().port());
        let hook = post(|| async { (StatusCode::NO_CONTENT, [(CONNECTION, "close")]) });
        tokio::spawn(async move { axum::serve(listener, Router::new().route("/hook", hook)).await });
        let webhook = Webhook {
            url: Url::parse(&url).unwrap(),
            keys: Vec::new(),
            events: Vec::new(),
            format: WebhookFormat::Original,
            allow_private: false,
        };
        let sender = Sender::resolving_by(changing(["127.0.0.1", "10.0.0.1"]), webhook).unwrap();
        let first = sender.send("evt_1", "{}".to_owned(), 0).await;
        assert_eq!(first, DeliveryResult::Delivered(StatusCode::NO_CONTENT));
        let second = sender.send("evt_1", "{}".to_owned(), 0).await;
        assert_eq!(second, DeliveryResult::Failed(DeliveryFailure::Refused, None));
    }

    #[tokio::test]
    async fn an_answer_is_read_to_its_end_and_64_kb_of_it_at_the_most() {
        for (sent, read) in [(3, 3), (64, 64), (1_000, 64)] {
            let taken = Arc::new(AtomicUsize::new(0));
            let count = taken.clone();
            let kilobytes = stream::repeat_with(move || {
                count.fetch_add(1, Ordering::Relaxed);
                Ok::<_, io::Error>(Bytes::from_static(&[b'x'; 1024]))
            });
            let body = Body::wrap_stream(kilobytes.take(sent));
            drain(Response::from(axum::http::Response::new(body))).await;
            assert_eq!(taken.load(Ordering::Relaxed), read, "of {sent} kB");
        }
    }

    #[test]
    fn retry_after_is_read_as_seconds_and_as_a_date() {
        assert_eq!(milliseconds("120", 0), Some(120_000));
        assert_eq!(milliseconds("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777_000 - 5_000), Some(5_000));
        assert_eq!(milliseconds("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777_000 + 5_000), Some(0));
        for none in ["soon", "", "-1"] {
            assert_eq!(milliseconds(none, 0), None, "{none}");
        }
    }

    #[test]
    fn a_retry_after_that_is_too_large_for_a_number_is_the_longest_wait() {
        assert_eq!(milliseconds("4294967296", 0), Some(4_294_967_296_000));
        for text in ["9223372036854775807", "99999999999999999999999999"] {
            assert_eq!(milliseconds(text, 0), Some(i64::MAX), "{text}");
        }
    }

    #[test]
    fn credentials_are_read_as_they_were_meant() {
        let url = Url::parse("https://us%40er:p%3Aa+s%20s%3D@a.example/").unwrap();
        assert_eq!(credentials(&url), Some(("us@er".into(), Some("p:a+s s=".into()))));
        assert_eq!(credentials(&Url::parse("https://a.example/").unwrap()), None);
    }
}

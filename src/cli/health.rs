//! `health`: asks the service on this machine whether it answers, for supervisors and containers.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpStream, UnixStream};
use tokio::time::timeout;

use super::HealthArgs;
use crate::config::{Config, Listen};
use crate::print::line;

/// Longest time until the answer is complete.
const TIMEOUT: Duration = Duration::from_secs(5);
/// Most bytes of the answer that are read.
const MAX_ANSWER: u64 = 16 * 1024;

/// Asks the service at the configured address. Prints what it says when it is well.
///
/// # Errors
/// When it does not answer in time, or says that it is not alive, or with `--ready` not ready.
pub async fn run(config: &Config, args: &HealthArgs) -> anyhow::Result<()> {
    let path = format!("{}{}", config.base_path, if args.ready { "/readyz" } else { "/healthz" });
    let asked = timeout(TIMEOUT, ask(config, &path)).await;
    let place = &config.listen;
    let answer = match asked {
        Ok(answer) => answer.with_context(|| format!("the service at {place} does not answer"))?,
        Err(_) => bail!("the service at {place} does not answer within {} s", TIMEOUT.as_secs()),
    };
    let (status, body) = read(&answer).with_context(|| format!("what answers at {place} is not this service"))?;
    ensure!(status == 200, "{path} at {place} answers {status}: {body}");
    line!("{body}");
    Ok(())
}

async fn ask(config: &Config, path: &str) -> anyhow::Result<String> {
    ensure!(
        config.listen.port() != Some(0),
        "port 0 names no port; give --listen with the one that the service listens on"
    );
    match &config.listen {
        Listen::Address(address) => exchange(TcpStream::connect(reachable(*address)).await?, path).await,
        Listen::Name(name, port) => exchange(TcpStream::connect((name.as_str(), *port)).await?, path).await,
        Listen::Unix(socket) => exchange(UnixStream::connect(socket).await?, path).await,
        Listen::Systemd => bail!("only systemd knows where; give --listen with the ListenStream= of its .socket unit"),
    }
}

/// An address of this machine, where the configured one stands for all of them.
fn reachable(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listen.port())
}

async fn exchange(mut stream: impl AsyncRead + AsyncWrite + Unpin, path: &str) -> anyhow::Result<String> {
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    stream.take(MAX_ANSWER).read_to_end(&mut answer).await?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

/// The status and the first line of the body of an answer.
fn read(answer: &str) -> anyhow::Result<(u16, &str)> {
    let (head, body) = answer.split_once("\r\n\r\n").context("the answer is not HTTP")?;
    let status = head.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3)).context("the answer is not HTTP/1.1")?;
    let status = status.parse().context("the answer has no status")?;
    Ok((status, body.lines().next().unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_for_everybody_is_asked_on_this_machine() {
        for (listen, asked) in [
            ("0.0.0.0:80", "127.0.0.1:80"),
            ("[::]:80", "[::1]:80"),
            ("127.0.0.1:80", "127.0.0.1:80"),
            ("10.1.2.3:80", "10.1.2.3:80"),
        ] {
            assert_eq!(reachable(listen.parse().unwrap()).to_string(), asked);
        }
    }

    #[test]
    fn of_an_answer_the_status_and_the_words_are_read() {
        assert_eq!(read("HTTP/1.1 200 OK\r\na: b\r\n\r\nok\n").unwrap(), (200, "ok"));
        assert_eq!(read("HTTP/1.1 503 No\r\n\r\ndraining\n").unwrap(), (503, "draining"));
        for other in ["", "SSH-2.0-OpenSSH", "HTTP/1.1 200", "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 é\r\n\r\n"] {
            assert!(read(other).is_err(), "{other:?}");
        }
    }
}

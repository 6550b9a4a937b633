//! `webhooks`: the state of endpoints, and what operators do to one, in the database; running nodes follow within a
//! second.

use anyhow::{Context, bail};
use jiff::Timestamp;

use super::{WebhookId, WebhooksCommand};
use crate::clock::Clock;
use crate::config::Config;
use crate::domain::parse_moment;
use crate::membership::{GlobalRequest, replay_endpoint, set_endpoint_state};
use crate::print::line;
use crate::store::{EndpointState, Reader, Store};

/// Runs a command about webhooks.
///
/// # Errors
/// When the database cannot be used, or there is no endpoint of the id.
pub async fn run(config: &Config, command: WebhooksCommand) -> anyhow::Result<()> {
    if let WebhooksCommand::List = command {
        return list(Store::open_reader(config.direct_database_url(), &Clock::default()).await?).await;
    }
    // Endpoints are registered by the service: a file that is not there is a mistyped one.
    Store::check_exists(config.direct_database_url())?;
    let store = Store::open_to_write(config.direct_database_url(), Clock::default()).await?;
    let done = change(&store, command).await;
    store.close().await;
    done
}

/// Runs a command that writes.
async fn change(store: &Store, command: WebhooksCommand) -> anyhow::Result<()> {
    match command {
        WebhooksCommand::List => Ok(()),
        WebhooksCommand::Pause(WebhookId { id }) => set(store, id, EndpointState::Paused).await,
        WebhooksCommand::Resume(WebhookId { id }) => set(store, id, EndpointState::Active).await,
        WebhooksCommand::Replay { id, from } => {
            let from = parse_moment(&from)
                .with_context(|| format!("--from: {from:?} is not a time; give one such as 2026-05-02T14:00:00Z"))?;
            match replay_endpoint(store, GlobalRequest::by_host(), id, from).await? {
                Some(events) => line!("{events} events will be delivered again"),
                None => bail!("there is no such endpoint; `webhooks list` shows all there are"),
            }
            Ok(())
        }
    }
}

async fn list(mut reader: Reader) -> anyhow::Result<()> {
    let endpoints = reader.endpoints().await?;
    if endpoints.is_empty() {
        line!("no endpoints: none was configured (--webhook-url)");
    }
    let time = |at: i64| Timestamp::from_millisecond(at).map(|at| format!("{at:.0}")).unwrap_or_default();
    for endpoint in endpoints {
        let backlog = reader.backlog(&endpoint.id).await?;
        line!("{} {} {}", endpoint.id, endpoint.state.as_str(), endpoint.location);
        let oldest = backlog.oldest.map(|at| format!(", the oldest of {}", time(at))).unwrap_or_default();
        line!("  waiting: {} events{oldest}", backlog.events);
        if endpoint.answered_at > 0 {
            line!("  last answer: {}, {}", endpoint.answer, time(endpoint.answered_at));
        }
        if let Some(since) = backlog.failing_since {
            line!("  failing: {} groups or people, since {}", backlog.failing, time(since));
        }
        if backlog.dead > 0 {
            line!("  given up: {} events", backlog.dead);
        }
    }
    Ok(())
}

async fn set(store: &Store, id: String, state: EndpointState) -> anyhow::Result<()> {
    if set_endpoint_state(store, GlobalRequest::by_host(), id, state).await?.is_none() {
        bail!("there is no such endpoint; `webhooks list` shows all there are");
    }
    line!("{}", state.as_str());
    Ok(())
}

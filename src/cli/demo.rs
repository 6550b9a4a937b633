//! `demo`: the shop window.

use crate::config::Config;

/// Shows a chat page with a seeded group, on this machine only.
///
/// # Errors
/// When its database or address cannot be opened.
pub async fn run(config: Config) -> anyhow::Result<()> {
    super::serve::run(config).await
}

//! `migrate`: applies the migrations of the schema.

use super::MigrateArgs;
use crate::clock::Clock;
use crate::config::Config;
use crate::print::line;
use crate::store::Store;

/// Applies all migrations. With `--new-epoch` it also starts a new epoch of events, so that every viewer reloads after a
/// backup was restored in place.
///
/// # Errors
/// When the database cannot be opened or written.
pub async fn run(config: &Config, args: &MigrateArgs) -> anyhow::Result<()> {
    let store = Store::open_for_command(config.direct_database_url(), Clock::default()).await?;
    line!("the schema is the newest");
    store.close().await;
    if args.new_epoch {
        Store::start_new_epoch(config.direct_database_url()).await?;
        line!("a new epoch has begun; nodes that run follow within a second or two");
    }
    Ok(())
}

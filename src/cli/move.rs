//! `move`: copies a SQLite file to PostgreSQL while the service runs on, read-only.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::MoveArgs;
use super::signals::end_at_signal;
use crate::config::Config;
use crate::print::{line, note};
use crate::serve::shutdown_signal;
use crate::store::{DatabaseAddress, MoveProgress, MoveReport, MoveState, Pooler, cancel_move, move_to};

/// Moves the configured file, or with `--cancel` makes it writable again.
///
/// # Errors
/// The reason, and whether the file is still read-only.
pub async fn run(config: &Config, args: MoveArgs) -> anyhow::Result<()> {
    let Some(to) = args.to else {
        end_at_signal(|| {})?;
        match cancel_move(&config.database_url).await? {
            None => line!("the file was writable already"),
            Some(MoveState { at: None, .. }) => line!("the file is writable again"),
            Some(MoveState { to, .. }) => line!(
                "the file is writable again, and a new epoch has begun: start the service again.\n\
                 What was done at {to} since it was moved is not in it"
            ),
        }
        return Ok(());
    };
    anyhow::ensure!(
        config.pooler == Pooler::Session || config.direct_database_url.is_some(),
        "{}: transaction needs an address past the pooler for the copy; give --direct-database-url",
        config.places.of("pooler")
    );
    // A pooler in transaction mode carries neither the schema nor one long transaction with settings of its own.
    let to = DatabaseAddress { url: to, direct_url: config.direct_database_url.clone(), pooler: config.pooler };
    let bar = progress();
    let shutdown = async {
        shutdown_signal().await;
    };
    let moved = move_to(&config.database_url, &to, shutdown, |progress| match progress {
        MoveProgress::ReadOnly(rows) => {
            note!("the file is read-only now: acts are answered with 503, reads and streams go on");
            bar.set_length(rows * 2);
        }
        MoveProgress::Read(table, rows) => {
            bar.set_message(format!("copying {table}"));
            bar.inc(rows);
        }
        MoveProgress::Compared(table, rows) => {
            bar.set_message(format!("comparing {table}"));
            bar.inc(rows);
        }
    })
    .await;
    bar.finish_and_clear();
    print_report(&moved?);
    Ok(())
}

fn progress() -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::no_length();
    bar.set_style(
        ProgressStyle::with_template("{bar:40} {percent}% {msg}, {eta} to go").expect("the template is right"),
    );
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}

fn print_report(moved: &MoveReport) {
    let MoveReport { location, tables, groups, wrong_owners, confirmed, elapsed } = moved;
    match confirmed {
        false => line!("moved to {location} in {:.2} s:", elapsed.as_secs_f64()),
        true => line!("an earlier move has brought everything to {location}:"),
    }
    for (table, rows) in tables {
        line!("  {rows:>10} {table}");
    }
    line!("Every row was read back and is as it was; groups: {groups}, with their numbers.");
    match wrong_owners.as_slice() {
        [] => line!("Each has one owner, or is the host's."),
        wrong => line!("More than one owner, as in the file (see `doctor`): {}", wrong.join(", ")),
    }
    line!(
        "\nNow:\n\
         1. start the nodes with --database-url postgres://… (this database: {location});\n\
         2. point the load balancer at them, and no more at the old service;\n\
         3. stop the old service: its viewers come to the nodes by themselves and go on where they were.\n\
         The file stays read-only, so that nothing is written to it by mistake.\n\
         To go on with the file instead, and lose what the nodes did: chat-group-members move --cancel"
    );
}

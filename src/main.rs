//! The program: parses the command line and runs the command.

#![deny(clippy::print_stdout, clippy::print_stderr)]

use std::process::ExitCode;
use std::time::Duration;

use chat_group_members::cli::{self, Cli, Command};
use chat_group_members::{print, serve};
use clap::Parser;
use tokio::runtime::Runtime;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Longest wait, once a command is done, for threads that nobody waits for any more: one may hang in a file or a look-up of a name.
const THREADS_END: Duration = Duration::from_millis(100);

fn main() -> ExitCode {
    let cli = Cli::parse();
    let failure = ExitCode::from(cli.failure_code());
    let runtime = match Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => {
            print::write_note(format_args!("cannot start threads: {error}"));
            return failure;
        }
    };
    let code = match runtime.block_on(run(cli)) {
        Ok(_) if print::is_incomplete() => failure,
        Ok(code) => code,
        Err(error) => {
            // The reader is a person at a terminal: the error with its causes, without a backtrace.
            print::write_failure(format_args!("{error:#}"));
            failure
        }
    };
    runtime.shutdown_timeout(THREADS_END);
    code
}

async fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    let source = cli.source();
    let (command, config) = cli.resolve()?;
    let log = cli::log::start(&config)?;
    serve::outlive_file_limits();
    // These end in an order of their own, or first say or take back what they have done.
    let has_own_end = matches!(
        command,
        Command::Serve
            | Command::Demo
            | Command::Import(_)
            | Command::Backup(_)
            | Command::Move(_)
            | Command::Doctor(_)
    );
    if !has_own_end {
        cli::signals::end_at_signal(|| {})?;
    }
    match command {
        Command::Serve => cli::serve::run(config, source, log).await,
        Command::Demo => cli::demo::run(config).await,
        Command::Import(args) => cli::import::run(&config, args).await,
        Command::Token(args) => {
            print::write_line(format_args!("{}", cli::token::run(&config, &args)?));
            Ok(())
        }
        Command::Migrate(args) => cli::migrate::run(&config, &args).await,
        Command::Move(args) => cli::r#move::run(&config, args).await,
        Command::Backup(args) => cli::backup::run(&config, args).await,
        Command::Webhooks(command) => cli::webhooks::run(&config, command).await,
        Command::Health(args) => cli::health::run(&config, &args).await,
        Command::Doctor(args) => return cli::doctor::run(&config, &args).await,
        Command::Completions(args) => cli::manual::print_completions(args.shell),
        Command::Manual(args) => cli::manual::write_manual(&args.folder),
    }?;
    Ok(ExitCode::SUCCESS)
}

//! The program: parses the command line and runs the command.

#![deny(clippy::print_stdout, clippy::print_stderr)]

use std::process::ExitCode;

use chat_group_members::cli::{self, Cli, Command};
use chat_group_members::print;
use clap::Parser;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> ExitCode {
    let cli = Cli::parse();
    let failure = ExitCode::from(cli.failure_code());
    match run(cli).await {
        Ok(_) if print::is_incomplete() => failure,
        Ok(code) => code,
        Err(error) => {
            // The reader is a person at a terminal: the error with its causes, without a backtrace.
            print::write_note(format_args!("{error:#}"));
            failure
        }
    }
}

async fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    let source = cli.source();
    let (command, config) = cli.resolve()?;
    let log = cli::log::start(&config)?;
    match command {
        Command::Serve(_) => cli::serve::run(config, source, log).await,
        Command::Demo(_) => cli::demo::run(config).await,
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

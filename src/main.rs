//! The program: parses the command line and runs the command.

use std::process::ExitCode;

use anyhow::Context;
use chat_group_members::cli::{self, Cli, Command};
use clap::Parser;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        // The reader is a person at a terminal: the error with its causes, without a backtrace.
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> anyhow::Result<()> {
    let (command, config) = Cli::parse().resolve()?;
    cli::log::start(&config).context("--log")?;
    match command {
        Command::Serve(_) => cli::serve::run(config).await,
        Command::Demo(_) => cli::demo::run(config).await,
        Command::Import(args) => cli::import::run(&config, args).await,
        Command::Token(args) => {
            println!("{}", cli::token::run(&config, &args)?);
            Ok(())
        }
        Command::Migrate(args) => cli::migrate::run(&config, &args).await,
        Command::Move(args) => cli::r#move::run(&config, args).await,
        Command::Webhooks(command) => cli::webhooks::run(&config, command).await,
        Command::Doctor(_) => cli::doctor::run(&config).await,
        Command::Completions(args) => cli::manual::print_completions(args.shell),
        Command::Manual(args) => cli::manual::write_manual(&args.folder),
    }
}

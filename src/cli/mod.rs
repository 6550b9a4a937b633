//! The command line: its arguments, and one file for each command.
//!
//! Not here: what commands do beyond arguments and output. They call the same verbs as the service (`membership`, `store`).

pub mod backup;
pub mod demo;
pub mod doctor;
pub mod health;
pub mod import;
pub mod log;
pub mod manual;
pub mod migrate;
pub mod r#move;
pub mod serve;
pub mod signals;
pub mod token;
#[cfg(feature = "otlp")]
pub mod traces;
pub mod webhooks;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::config::{Config, ConfigError, ConfigSource, Options};
use crate::domain::{GroupType, Guid, Name, Uid};

/// The members of a chat group as server-rendered HTML, live, inside anybody's page
#[derive(Parser)]
#[command(
    version = env!("CHAT_GROUP_MEMBERS_VERSION"),
    about,
    after_help = "Every option of the service is also an environment variable (--viewer-secret is CGM_VIEWER_SECRET, \
                  several values separated by commas) and a key of the --config file (viewer-secret = [\"…\"]); \
                  flags win over variables, variables over the file. Secrets can stand in files of their own, which \
                  CGM_VIEWER_SECRET_FILE or viewer-secret-file names."
)]
pub struct Cli {
    /// TOML file with options of the service [env: CGM_CONFIG]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Options of the service that were given as flags.
    #[command(flatten)]
    pub options: Options,
    #[command(subcommand)]
    command: Option<Command>,
}

impl Cli {
    /// The source of the options.
    pub fn source(&self) -> ConfigSource {
        ConfigSource { flags: self.options.clone(), file: self.config.clone() }
    }

    /// The exit code when the command cannot be done.
    pub fn failure_code(&self) -> u8 {
        // `doctor` exits with 1 when it has findings: one that could not check anything needs another code.
        if matches!(self.command, Some(Command::Doctor(_))) { 2 } else { 1 }
    }

    /// The command and its configuration.
    ///
    /// # Errors
    /// When the configuration is not valid.
    pub fn resolve(self) -> Result<(Command, Config), ConfigError> {
        if matches!(self.command, Some(Command::Demo)) {
            demo::check_flags(&self.options)?;
        }
        let config = match self.command {
            Some(Command::Move(_)) => self.source().load_to_move()?,
            _ => self.source().load()?,
        };
        Ok((self.command.unwrap_or(Command::Serve), config))
    }
}

/// A command.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the service (also without a command)
    Serve,
    /// Show a chat page with a seeded group on this machine only, with its own database
    Demo,
    /// Add or update the members of a group from a CSV or NDJSON file, while the service runs or not
    Import(ImportArgs),
    /// Print a viewer token made with the first configured secret
    Token(TokenArgs),
    /// Bring the database's schema to the newest
    Migrate(MigrateArgs),
    /// Move the SQLite file to a PostgreSQL, while the service runs on, read-only for the time it takes
    Move(MoveArgs),
    /// Copy the database to a file while the service runs: the SQLite file, or an archive of pg_dump
    Backup(BackupArgs),
    /// Show the endpoints of webhooks, pause or resume one, or deliver events again
    #[command(subcommand)]
    Webhooks(WebhooksCommand),
    /// Ask the running service whether it answers: the exit code is 0 or 1
    Health(HealthArgs),
    /// Look at the set-up and the invariants of the data and report, changing nothing without --mend; exit code 0: sound, 1:
    /// something is wrong, 2: it could not be looked
    Doctor(DoctorArgs),
    /// Print the script that completes commands and options in a shell
    Completions(CompletionsArgs),
    /// Write the manual pages into a folder
    Manual(ManualArgs),
}

/// Arguments of `import`.
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// Group to fill; made if it does not exist
    #[arg(long, value_name = "GUID")]
    pub group: Guid,
    /// What people call the group [default: as it is, or its guid]
    #[arg(long, value_name = "TEXT", value_parser = Name::parse)]
    pub group_name: Option<Name>,
    /// How one gets in: private, public or password (read from CGM_GROUP_PASSWORD) [default: as it is, or private]
    #[arg(long = "type", value_name = "TYPE", value_parser = group_type)]
    pub group_type: Option<GroupType>,
    /// The host itself owns the group: nobody is listed as its owner
    #[arg(long)]
    pub owner_is_host: bool,
    /// CSV with a header (uid,name,scope,avatar,joinedAt,scopeUntil) or NDJSON of the same fields, - for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// Arguments of `token`.
#[derive(Debug, Args)]
pub struct TokenArgs {
    /// Whom the token speaks for
    #[arg(long, value_name = "UID")]
    pub uid: Uid,
    /// How long it is valid, such as 15m, 1h or 7d; 1 second to 365 days
    #[arg(long, value_name = "TIME", default_value = "1h")]
    pub ttl: String,
    /// Name to show
    #[arg(long, value_name = "TEXT", value_parser = Name::parse)]
    pub name: Option<Name>,
    /// Picture to show, an https address
    #[arg(long, value_name = "URL")]
    pub avatar: Option<String>,
}

/// Arguments of `migrate`.
#[derive(Debug, Args)]
pub struct MigrateArgs {
    /// Also start another history of events: after a backup was restored into the same file
    #[arg(long)]
    pub new_epoch: bool,
}

/// Arguments of `backup`.
#[derive(Debug, Args)]
pub struct BackupArgs {
    /// Where to; replaced when it exists, once the copy is complete
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// Arguments of `move`.
#[derive(Debug, Args)]
pub struct MoveArgs {
    /// Empty database to move to; the password may come from PGPASSWORD or ~/.pgpass
    #[arg(long, value_name = "URL", required_unless_present = "cancel", conflicts_with = "cancel")]
    pub to: Option<String>,
    /// Make the file writable again: after a move that was given up
    #[arg(long)]
    pub cancel: bool,
}

/// Arguments of `health`.
#[derive(Debug, Args)]
pub struct HealthArgs {
    /// Ask whether it is ready: the database can be used, and it does not drain
    #[arg(long)]
    pub ready: bool,
}

/// Arguments of `doctor`.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// Print the report as JSON
    #[arg(long)]
    pub json: bool,
    /// Mend what is safe to mend, after what was before is kept in a file; then look again
    #[arg(long)]
    pub mend: bool,
}

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// Shell that reads the script
    #[arg(value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

/// Arguments of `manual`.
#[derive(Debug, Args)]
pub struct ManualArgs {
    /// Folder for the pages; made if it does not exist
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
}

/// A command about webhooks.
#[derive(Debug, Subcommand)]
pub enum WebhooksCommand {
    /// Show the state of each endpoint
    List,
    /// Deliver again what happened since a time, as far as the log keeps it
    Replay {
        /// Endpoint, as `webhooks list` shows it
        #[arg(value_name = "ID")]
        id: String,
        /// Time of the first event, RFC 3339
        #[arg(long, value_name = "TIME")]
        from: String,
    },
    /// Deliver nothing until it is resumed
    Pause(WebhookId),
    /// Deliver what it missed, and go on
    Resume(WebhookId),
}

/// An endpoint of webhooks.
#[derive(Debug, Args)]
pub struct WebhookId {
    /// Endpoint, as `webhooks list` shows it
    #[arg(value_name = "ID")]
    pub id: String,
}

fn group_type(text: &str) -> Result<GroupType, &'static str> {
    text.parse().map_err(|()| "give private, public or password")
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn parse(line: &str) -> Result<Cli, String> {
        let words = std::iter::once("chat-group-members").chain(line.split_whitespace());
        Cli::try_parse_from(words).map_err(|error| error.to_string())
    }

    fn command(line: &str) -> Command {
        parse(line).unwrap_or_else(|error| panic!("{error}")).command.expect("the line names one")
    }

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn no_command_means_serve() {
        let (command, config) = parse("--listen 127.0.0.1:0").ok().unwrap().resolve().unwrap();
        assert!(matches!(command, Command::Serve));
        assert_eq!(config.listen.port(), Some(0));
    }

    #[test]
    fn the_demo_refuses_what_it_sets_itself() {
        let problem = parse("demo --database-url sqlite://mine.db").ok().unwrap().resolve().err().unwrap().to_string();
        assert!(problem.starts_with("--database-url: the demo"), "{problem}");
        assert!(parse("demo --listen 127.0.0.1:0").ok().unwrap().resolve().is_ok());
    }

    #[test]
    fn a_doctor_who_could_not_look_has_a_code_of_their_own() {
        assert_eq!(parse("doctor --json").ok().unwrap().failure_code(), 2);
        assert_eq!(parse("migrate").ok().unwrap().failure_code(), 1);
    }

    #[test]
    fn options_stand_before_or_after_the_command() {
        for line in ["--base-path /x --api-key a,b doctor", "doctor --base-path /x --api-key a --api-key b"] {
            let cli = parse(line).ok().unwrap();
            assert_eq!(cli.options.base_path.as_deref(), Some("/x"));
            assert_eq!(cli.options.api_key, ["a", "b"]);
        }
    }

    #[test]
    fn import_needs_a_group_and_a_file() {
        let Command::Import(args) = command("import --group team --group-name Team --type public -") else { panic!() };
        assert_eq!((args.group.as_str(), args.group_type), ("team", Some(GroupType::Public)));
        assert_eq!(args.file.to_str(), Some("-"));
        assert!(parse("import --group team").is_err());
        assert!(parse("import members.csv").is_err());
        assert!(parse("import --group a/b members.csv").err().unwrap().contains("1 to 100 characters"));
        assert!(parse("import --group a --type secret m.csv").err().unwrap().contains("private, public or password"));
    }

    #[test]
    fn token_lasts_an_hour_unless_told() {
        let Command::Token(args) = command("token --uid ada") else { panic!() };
        assert_eq!((args.uid.as_str(), args.ttl.as_str(), args.name), ("ada", "1h", None));
        assert!(parse("token").is_err());
    }

    #[test]
    fn move_needs_to_know_where_to_or_that_it_is_cancelled() {
        let Command::Move(args) = command("move --to postgres://db/chat") else { panic!() };
        assert_eq!((args.to.as_deref(), args.cancel), (Some("postgres://db/chat"), false));
        let Command::Move(args) = command("move --cancel") else { panic!() };
        assert_eq!((args.to, args.cancel), (None, true));
        assert!(parse("move").is_err());
        assert!(parse("move --cancel --to postgres://db/chat").is_err());
    }

    #[test]
    fn help_shows_no_secret_of_the_environment() {
        let help = Cli::command().render_long_help().to_string();
        assert!(help.contains("--viewer-secret") && help.contains("CGM_VIEWER_SECRET"), "{help}");
        assert!(!help.contains("CGM_VIEWER_SECRET="), "{help}");
    }
}

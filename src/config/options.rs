//! Options as text, from flags, environment variables and the file.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::{ArgAction, Args, Command};
use serde::Deserialize;

use super::environment::{Environment, suggestion};
use super::error::ConfigError;
use super::secret_file;
use super::value::Parsed;
use super::webhook_table::{self, WEBHOOKS, WebhookTable};

/// The options that are secrets or may hold a password. Each can be in a file, which the variable `…_FILE` or key `…-file` names.
pub(super) const SECRETS: [&str; 7] =
    ["database-url", "direct-database-url", "viewer-secret", "api-key", "nats-url", "webhook-url", "webhook-secret"];

/// Every option of the service as text, not yet validated.
///
/// The same names are flags, environment variables (`CGM_` and the flag in upper snake case,
/// several values separated by commas) and keys of the file.
// No Debug: options contain secrets.
#[derive(Clone, Default, Args, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
#[command(next_help_heading = "Options of the service")]
pub struct Options {
    /// Where to listen: HOST:PORT (port 0 picks one), unix:/PATH, or systemd [default: 127.0.0.1:8080]
    #[arg(long, global = true, value_name = "ADDRESS")]
    pub listen: Option<String>,
    /// Address for /metrics alone, without a key; port 0 picks one [default: none, and the API key at the public address]
    #[arg(long, global = true, value_name = "IP:PORT")]
    pub metrics_listen: Option<String>,
    /// How long a connection stays open while nothing is asked on it, in seconds, 10 to 3600 [default: 75]
    #[arg(long, global = true, value_name = "SECONDS")]
    pub keep_alive: Option<String>,
    /// Collector that traces are sent to, OTLP over HTTP, such as http://127.0.0.1:4318 [default: none]
    #[arg(long, global = true, value_name = "URL")]
    pub otlp_endpoint: Option<String>,
    /// Database, sqlite://FILE or postgres://…@HOST[,HOST…]/NAME [default: sqlite://chat-group-members.db, under systemd in the StateDirectory=]
    #[arg(long, global = true, value_name = "URL")]
    pub database_url: Option<String>,
    /// Database past a pooler, for migrations, wakes and commands [default: that of --database-url]
    #[arg(long, global = true, value_name = "URL")]
    pub direct_database_url: Option<String>,
    /// Pooler (PgBouncer) before the database: session (or none) or transaction [default: session]
    #[arg(long, global = true, value_name = "MODE")]
    pub pooler: Option<String>,
    /// Secret that viewer tokens are signed with (HS256), at least 32 bytes; repeatable, for rotation
    #[arg(long, global = true, value_name = "SECRET", value_delimiter = ',')]
    pub viewer_secret: Vec<String>,
    /// JWKS with the keys of viewer tokens (EdDSA, ES256, RS256)
    #[arg(long, global = true, value_name = "FILE|URL")]
    pub viewer_jwks: Option<String>,
    /// Audience that viewer tokens must name [default: chat-group-members]
    #[arg(long, global = true, value_name = "TEXT")]
    pub viewer_audience: Option<String>,
    /// Cookie that may carry the viewer token [default: chat_token]
    #[arg(long, global = true, value_name = "NAME")]
    pub viewer_cookie: Option<String>,
    /// Key of the host's back end for /v3 (header apikey); repeatable, for rotation
    #[arg(long, global = true, value_name = "KEY", value_delimiter = ',')]
    pub api_key: Vec<String>,
    /// Path that everything is mounted at [default: /]
    #[arg(long, global = true, value_name = "PATH")]
    pub base_path: Option<String>,
    /// Address that browsers reach us at; makes the links in fragments absolute
    #[arg(long, global = true, value_name = "URL")]
    pub public_url: Option<String>,
    /// Origin of a page that may fetch the component, scheme://host[:port]; repeatable
    #[arg(long, global = true, value_name = "ORIGIN", value_delimiter = ',')]
    pub allow_origin: Vec<String>,
    /// Sites that may show our pages in a frame [default: 'none']
    #[arg(long, global = true, value_name = "SITES")]
    pub frame_ancestors: Vec<String>,
    /// Folder of the operator's own templates
    #[arg(long, global = true, value_name = "FOLDER")]
    pub views: Option<String>,
    /// What wakes the other nodes: auto, postgres, nats or none [default: auto]
    #[arg(long, global = true, value_name = "TRANSPORT")]
    pub wake: Option<String>,
    /// NATS server, nats://HOST[:PORT] or tls://HOST[:PORT]; several with commas
    #[arg(long, global = true, value_name = "URL")]
    pub nats_url: Option<String>,
    /// Address of the host that is told of every change, https (http on loopback)
    #[arg(long, global = true, value_name = "URL")]
    pub webhook_url: Option<String>,
    /// Secret that webhooks are signed with, whsec_… ; repeatable, for rotation
    #[arg(long, global = true, value_name = "SECRET", value_delimiter = ',')]
    pub webhook_secret: Vec<String>,
    /// Types of events to send, such as member.joined [default: all but user.presence]
    #[arg(long, global = true, value_name = "TYPES", value_delimiter = ',')]
    pub webhook_events: Vec<String>,
    /// Payloads of webhooks: standard or original [default: standard]
    #[arg(long, global = true, value_name = "FORMAT")]
    pub webhook_format: Option<String>,
    /// Let webhooks reach private addresses, and use http
    #[arg(long, global = true, value_name = "true|false", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub webhook_allow_private: Option<String>,
    /// Endpoints of webhooks beside that of `webhook_url`; in the file only.
    #[arg(skip)]
    pub webhooks: Vec<WebhookTable>,
    /// The names of the secrets among these that stand in files of their own.
    #[arg(skip)]
    #[serde(skip)]
    pub in_own_files: BTreeSet<String>,
    /// Requests allowed per caller, such as 10/s, 30/min or 500/hour [default: no limit]
    #[arg(long, global = true, value_name = "RATE")]
    pub rate_limit: Option<String>,
    /// Events kept per group so that readers can resume, at least 10000 [default: 10000]
    #[arg(long, global = true, value_name = "EVENTS")]
    pub retention: Option<String>,
    /// How long an act can be undone, in seconds, at most 600; 0 for never [default: 30]
    #[arg(long, global = true, value_name = "SECONDS")]
    pub undo_window: Option<String>,
    /// Memory for the groups in use, such as 512MiB [default: 512MiB]
    #[arg(long, global = true, value_name = "SIZE")]
    pub roster_memory: Option<String>,
    /// Which log lines to write, a filter such as info or chat_group_members=debug [default: info]
    #[arg(long, global = true, value_name = "FILTER")]
    pub log: Option<String>,
    /// Log lines as text or json [default: text]
    #[arg(long, global = true, value_name = "FORMAT")]
    pub log_format: Option<String>,
}

impl Options {
    /// Reads the variables `CGM_…`, and the files that some of them name.
    ///
    /// # Errors
    /// When nothing reads a variable, a file cannot be read, or a secret is given twice.
    pub(super) fn from_environment(environment: &Environment) -> Result<Options, ConfigError> {
        let flags = flags();
        let known = flags.iter().flat_map(|(name, _)| names(name)).map(|name| variable_name(&name));
        environment.check_names(&known.collect::<Vec<_>>())?;
        let (mut table, mut in_own_files) = (toml::Table::new(), BTreeSet::new());
        for (name, repeatable) in flags {
            let variable = variable_name(&name);
            let text = if SECRETS.contains(&name.as_str()) {
                environment.secret(&variable)?
            } else {
                environment.get(&variable).map(str::to_owned)
            };
            let Some(text) = text else { continue };
            let is_in_file = environment.get(&variable).is_none();
            if is_in_file {
                in_own_files.insert(name.clone());
            }
            table.insert(name, one_or_many(&text, repeatable, is_in_file));
        }
        let options =
            Options::deserialize(table).expect("a table of texts and lists of texts under the names of the fields");
        Ok(Options { in_own_files, ..options })
    }

    /// Parses the TOML file at `path` with the text `text`.
    ///
    /// # Errors
    /// When it is not TOML, or has an unknown key or a value of the wrong type.
    pub(super) fn from_file(path: &Path, text: &str) -> Result<Options, ConfigError> {
        let wrong = |problem: String| ConfigError::File { path: path.into(), problem };
        // The parser's own message shows the line, which may contain a secret.
        let given: toml::Table = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
            wrong(format!("line {line} is not TOML: {}", error.message()))
        })?;
        let flags = flags();
        let (mut table, mut in_own_files) = (toml::Table::new(), BTreeSet::new());
        let mut webhooks = Vec::new();
        for (key, value) in given {
            if key == WEBHOOKS {
                webhooks = webhook_table::read(value).map_err(wrong)?;
                continue;
            }
            let name = key.replace('_', "-");
            let Some((flag, repeatable)) = flags.iter().find(|(flag, _)| names(flag).any(|known| known == name)) else {
                let known: Vec<String> = flags.iter().flat_map(|(flag, _)| names(flag)).collect();
                let known = known.iter().map(String::as_str).chain([WEBHOOKS]);
                return Err(wrong(format!("the key `{key}` is not an option{}", suggestion(&name, known))));
            };
            let value = if *flag == name {
                text_of(value, *repeatable).ok_or_else(|| {
                    let kind = if *repeatable { "a list of texts" } else { "a text or a number" };
                    wrong(format!("`{key}` must be {kind}"))
                })?
            } else {
                let path = value.as_str().ok_or_else(|| wrong(format!("`{key}` must be the name of a file")))?;
                let text = secret_file::read(path).map_err(|problem| wrong(format!("`{key}`: {problem}")))?;
                in_own_files.insert(flag.clone());
                one_or_many(&text, *repeatable, true)
            };
            if table.insert(flag.clone(), value).is_some() {
                return Err(wrong(format!("`{key}` is given twice")));
            }
        }
        let options =
            Options::deserialize(table).expect("a table of texts and lists of texts under the names of the fields");
        Ok(Options { webhooks, in_own_files, ..options })
    }
}

/// The source of a set of options.
pub(super) enum OptionSource {
    Flags,
    Environment,
    File(PathBuf),
}

impl OptionSource {
    /// The option `name`, one of these `options`, as this source spells it: a secret in a file of its own by the name of the option
    /// that names the file.
    fn place(&self, name: &str, options: &Options) -> String {
        let of_file = file_name(name).filter(|_| options.in_own_files.contains(name));
        let name = of_file.as_deref().unwrap_or(name);
        match self {
            OptionSource::Flags => format!("--{name}"),
            OptionSource::Environment => variable_name(name),
            OptionSource::File(path) => format!("`{name}` in {}", path.display()),
        }
    }
}

/// The name of an option, and whether it is given.
pub(super) type GivenOption = (&'static str, fn(&Options) -> bool);

/// The options of every source, in order of precedence.
pub(super) struct Layers(pub(super) Vec<(OptionSource, Options)>);

impl Layers {
    /// The option `name`, parsed by `parse`, of the first source that has it.
    ///
    /// # Errors
    /// [`ConfigError::Value`] when `parse` refuses it or it is empty. An empty variable is absent: containers cannot omit one.
    pub(super) fn one<T>(
        &self,
        name: &str,
        pick: impl Fn(&Options) -> &Option<String>,
        parse: impl Fn(&str) -> Parsed<T>,
    ) -> Result<Option<T>, ConfigError> {
        for (source, options) in &self.0 {
            match (source, pick(options).as_deref().map(str::trim)) {
                (OptionSource::Environment, Some("")) | (_, None) => {}
                (_, Some("")) => return Err(refuse(source.place(name, options), EMPTY.into())),
                (_, Some(text)) => {
                    return parse(text).map(Some).map_err(|problem| refuse(source.place(name, options), problem));
                }
            }
        }
        Ok(None)
    }

    /// The first of these options that is given, as its source spells it.
    pub(super) fn first_given(&self, names: &[GivenOption]) -> Option<String> {
        let given = |(source, options): &(OptionSource, Options)| {
            let (name, _) = names.iter().find(|(_, is_given)| is_given(options))?;
            Some(source.place(name, options))
        };
        self.0.iter().find_map(given)
    }

    /// The repeatable option `name`: all values of the first source that has any.
    ///
    /// # Errors
    /// As [`Layers::one`].
    pub(super) fn many<T>(
        &self,
        name: &str,
        pick: impl Fn(&Options) -> &Vec<String>,
        parse: impl Fn(&str) -> Parsed<T>,
    ) -> Result<Vec<T>, ConfigError> {
        for (source, options) in &self.0 {
            let mut given: Vec<&str> = pick(options).iter().map(|text| text.trim()).collect();
            if matches!(source, OptionSource::Environment) {
                given.retain(|text| !text.is_empty());
            }
            if given.contains(&"") {
                return Err(refuse(source.place(name, options), EMPTY.into()));
            }
            if !given.is_empty() {
                return given
                    .into_iter()
                    .map(|text| parse(text).map_err(|problem| refuse(source.place(name, options), problem)))
                    .collect();
            }
        }
        Ok(Vec::new())
    }
}

/// The error of a value of white space.
const EMPTY: &str = "it is empty: leave it out, or give a value";

fn refuse(place: String, problem: String) -> ConfigError {
    ConfigError::Value { place, problem }
}

/// Whether a source gives this option a value. An empty variable is absent.
pub(super) fn is_set(text: &Option<String>) -> bool {
    text.as_ref().is_some_and(|text| !text.trim().is_empty())
}

/// The names of an option: its own, and that of its file when it is a secret.
fn names(flag: &str) -> impl Iterator<Item = String> {
    std::iter::once(flag.to_owned()).chain(file_name(flag))
}

/// The name under which the file of a secret is given.
fn file_name(flag: &str) -> Option<String> {
    SECRETS.contains(&flag).then(|| format!("{flag}-file"))
}

/// The environment variable of a flag.
fn variable_name(flag: &str) -> String {
    format!("CGM_{}", flag.replace('-', "_").to_ascii_uppercase())
}

/// The flags of the command line, each with whether it is repeatable.
fn flags() -> Vec<(String, bool)> {
    let command = Options::augment_args(Command::new(""));
    let named = command.get_arguments().filter_map(|arg| Some((arg.get_long()?, arg)));
    named.map(|(name, arg)| (name.to_owned(), matches!(arg.get_action(), ArgAction::Append))).collect()
}

/// A value of the file in the type of its field; `None` when it has another type.
fn text_of(value: toml::Value, repeatable: bool) -> Option<toml::Value> {
    match value {
        toml::Value::Array(items) if repeatable => {
            items.iter().all(toml::Value::is_str).then_some(toml::Value::Array(items))
        }
        toml::Value::String(text) if repeatable => Some(list([text.as_str()])),
        toml::Value::String(text) => Some(text.into()),
        toml::Value::Integer(number) if !repeatable => Some(number.to_string().into()),
        toml::Value::Boolean(is) if !repeatable => Some(is.to_string().into()),
        _ => None,
    }
}

fn list<'a>(texts: impl IntoIterator<Item = &'a str>) -> toml::Value {
    texts.into_iter().map(toml::Value::from).collect::<Vec<_>>().into()
}

/// The text of a variable, in which commas separate values too, or of the file of a secret, which may have commas.
fn one_or_many(text: &str, repeatable: bool, is_in_file: bool) -> toml::Value {
    match (repeatable, is_in_file) {
        (false, _) => text.into(),
        (true, true) => list(secret_file::values(text)),
        (true, false) => list(text.split(',').flat_map(secret_file::values)),
    }
}

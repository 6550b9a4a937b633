//! `import`: adds or updates the members of a group from a file, in one event, all of them or none.

use std::fs::File;
use std::io::{BufRead, BufReader, IsTerminal, Read};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use indicatif::{ProgressBar, ProgressStyle};

use super::ImportArgs;
use super::signals::{EndSignals, end_at_signal};
use crate::clock::Clock;
use crate::config::{Config, Environment};
use crate::csv_text::unguarded;
use crate::domain::{Group, GroupType, Guid, MAX_PASSWORD, Name, Scope, Uid};
use crate::member_lines::{Line, RowError, Seen, ndjson, row, row_error};
use crate::membership::{self, ActError, SyncReport};
use crate::print::{line, note};
use crate::store::{Store, StoreError, SyncRow};

/// The columns of a CSV file that are read.
const COLUMNS: [&str; 6] = ["uid", "name", "scope", "avatar", "joinedAt", "scopeUntil"];

/// The end of every refusal.
const NOTHING_APPLIED: &str = "Nothing of the file was applied.";

/// What is to be imported.
struct Import {
    group: Group,
    password_hash: Option<String>,
    /// The current owner of the group.
    owner: Option<Uid>,
    lines: Lines,
    bar: ProgressBar,
}

/// Imports the file. A signal ends the process; what was staged by then is forgotten first, as lists by a cursor wait for it.
///
/// # Errors
/// The first invalid line, by its number; an option that says something else than what the group is. Nothing of the file is
/// applied then.
pub async fn run(config: &Config, args: ImportArgs) -> anyhow::Result<()> {
    let started = Instant::now();
    let guid = args.group.clone().of_a_group()?;
    let mut signals = EndSignals::receive()?;
    let store = tokio::select! {
        store = Store::open_to_write(config.direct_database_url(), Clock::default()) => store?,
        code = signals.next() => std::process::exit(code),
    };
    let imported = import(&store, &args, guid, signals).await;
    store.close().await;
    let report = match imported? {
        ControlFlow::Continue(report) => report,
        ControlFlow::Break(code) => std::process::exit(code),
    };
    for uid in &report.banned {
        note!("{uid} is banned and stayed out");
    }
    line!("{} members imported into {} in {:.2} s", report.written, args.group, started.elapsed().as_secs_f64());
    Ok(())
}

/// Imports the file, or gives the exit code of the signal that came first.
async fn import(
    store: &Store,
    args: &ImportArgs,
    guid: Guid,
    mut signals: EndSignals,
) -> anyhow::Result<ControlFlow<i32, SyncReport>> {
    let begun = tokio::select! {
        begun = begin(store, args, guid) => begun?,
        code = signals.next() => return Ok(ControlFlow::Break(code)),
    };
    let Import { group, password_hash, owner, lines, bar } = begun;
    // Only for errors that name a line: the write itself checks that there is one owner.
    let rows = rows(lines, owner, args.owner_is_host);
    let ended = async {
        let code = signals.next().await;
        // A second signal waits for nothing.
        let _ = end_at_signal(|| {});
        code
    };
    let report = membership::sync_lines(store, group, password_hash, args.owner_is_host, rows, ended).await;
    bar.finish_and_clear();
    report.map_err(|error| match error {
        ActError::UnfitOwner { line, .. } => anyhow::anyhow!("line {line}: {error}. {NOTHING_APPLIED}"),
        ActError::Store(StoreError::CommitUnknown) => {
            anyhow::anyhow!("{error}, so it is not known whether the file was applied: import it again")
        }
        ActError::Store(StoreError::KnownOutage) => {
            let cause = store.check_acts().err().unwrap_or_else(|| "it does not answer".into());
            anyhow::anyhow!("the database cannot be used now: {cause}. {NOTHING_APPLIED}")
        }
        error => anyhow::anyhow!("{error}. {NOTHING_APPLIED}"),
    })
}

/// Opens the file, and finds out about the group.
///
/// # Errors
/// An option that says something else than what the group is; a file that cannot be read.
async fn begin(store: &Store, args: &ImportArgs, guid: Guid) -> anyhow::Result<Import> {
    let existing = store.read().await?.group(&guid).await?;
    let (group, password_hash) = match existing {
        Some((group, _)) => {
            check_options(store, args, &group).await?;
            (group, None)
        }
        None => new_group(args, guid).await?,
    };
    let file = args.file.clone();
    // On a thread of its own: standard input may be long in coming, and a signal is not to wait for it.
    let opened = tokio::task::spawn_blocking(move || open(&file)).await;
    let (lines, bar) = opened.expect("opening a file does not panic")?;
    let owner = store.read().await?.owner(&args.group).await?;
    Ok(Import { group, password_hash, owner, lines, bar })
}

/// The group that is to be made, and the hash of its password, if it has one.
async fn new_group(args: &ImportArgs, guid: Guid) -> anyhow::Result<(Group, Option<String>)> {
    let group_type = args.group_type.unwrap_or(GroupType::Private);
    let password_hash = match group_type {
        GroupType::Password => {
            let password = given_password()?.context(
                "a password group reads its password from CGM_GROUP_PASSWORD, or from the file \
                 CGM_GROUP_PASSWORD_FILE, which is empty or not set",
            )?;
            ensure!(password.chars().count() <= MAX_PASSWORD, "CGM_GROUP_PASSWORD: at most {MAX_PASSWORD} characters");
            Some(membership::hash_password(password).await?)
        }
        GroupType::Public | GroupType::Private => None,
    };
    let name = args.group_name.clone().unwrap_or_else(|| Name::parse(guid.as_str()).expect("a guid is a name"));
    Ok((Group { guid, name, group_type, icon: None, description: None }, password_hash))
}

/// Refuses options that say something else than what the group is: an import changes nothing about it but its members.
///
/// # Errors
/// The first such option, with what the group is.
async fn check_options(store: &Store, args: &ImportArgs, group: &Group) -> anyhow::Result<()> {
    let other = |option: &str, what: &str| {
        anyhow::anyhow!(
            "{option}: the group {} is there, and {what}. An import changes its members alone: leave the option \
             out, or change the group with PUT /v3/groups/{}. {NOTHING_APPLIED}",
            group.guid,
            group.guid
        )
    };
    if args.group_type.is_some_and(|wanted| wanted != group.group_type) {
        return Err(other("--type", &format!("is {}", type_in_words(group.group_type))));
    }
    if args.group_name.as_ref().is_some_and(|wanted| *wanted != group.name) {
        return Err(other("--group-name", &format!("is called {:?}", group.name.as_str())));
    }
    if group.group_type == GroupType::Password
        && let Some(password) = given_password()?
        && !membership::is_password(store, &group.guid, password).await?
    {
        return Err(other("CGM_GROUP_PASSWORD", "has another password"));
    }
    Ok(())
}

fn type_in_words(group_type: GroupType) -> &'static str {
    match group_type {
        GroupType::Public => "public",
        GroupType::Private => "private",
        GroupType::Password => "a password group",
    }
}

/// The password of the environment, or of the file that it names.
fn given_password() -> anyhow::Result<Option<String>> {
    let password = Environment::of_process()?.secret("CGM_GROUP_PASSWORD")?;
    Ok(password.filter(|password| !password.is_empty()))
}

type Lines = Box<dyn Iterator<Item = Result<(u64, Line), RowError>> + Send>;

/// Opens the file, with a progress bar on a terminal.
fn open(path: &Path) -> anyhow::Result<(Lines, ProgressBar)> {
    let standard_input = path.as_os_str() == "-";
    let (input, size): (Box<dyn Read + Send>, Option<u64>) = if standard_input {
        (Box::new(std::io::stdin()), None)
    } else {
        let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
        let size = file.metadata()?.len();
        (Box::new(file), Some(size))
    };
    let bar = progress(size);
    let mut reader = BufReader::with_capacity(1 << 16, bar.wrap_read(input));
    let first = loop {
        let buffered = reader.fill_buf().with_context(|| format!("cannot read {}", path.display()))?;
        if buffered.starts_with(b"\xef\xbb\xbf") {
            reader.consume(3);
            continue;
        }
        break buffered.first().copied();
    };
    match first {
        None => bail!("{} is empty", path.display()),
        Some(b'{') => Ok((Box::new(ndjson::<Line>(reader)), bar)),
        Some(_) => Ok((csv(reader)?, bar)),
    }
}

fn progress(size: Option<u64>) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = size.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
    let style = match size {
        Some(_) => "{bar:40} {percent}% of {total_bytes}, {eta} to go",
        None => "{spinner} {bytes} read",
    };
    bar.set_style(ProgressStyle::with_template(style).expect("the template is right"));
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}

fn csv(reader: impl Read + Send + 'static) -> anyhow::Result<Lines> {
    let mut reader = csv::ReaderBuilder::new().flexible(false).trim(csv::Trim::All).from_reader(reader);
    let headers = reader.headers().context("line 1: cannot be read")?.clone();
    check_header(&headers)?;
    let records = reader.into_records();
    Ok(Box::new(records.map(move |record| {
        let record = record.map_err(|error| {
            let line = error.position().map_or(0, csv::Position::line);
            row_error(line, &csv_problem(&error))
        })?;
        let line = record.position().map_or(0, csv::Position::line);
        let field = |name: &str| {
            headers.iter().position(|header| header == name).and_then(|at| record.get(at)).map(str::to_owned)
        };
        // A cell without anything in it is one that says nothing.
        let given = |name: &str| field(name).filter(|text| !text.is_empty());
        let text = |name: &str| given(name).map(|text| unguarded(&text).trim().to_owned());
        let joined_at = field("joinedAt").map(serde_json::Value::String);
        Ok((
            line,
            Line {
                uid: unguarded(&field("uid").unwrap_or_default()).to_owned(),
                name: text("name"),
                scope: given("scope"),
                avatar: text("avatar"),
                joined_at,
                is_owner: None,
                scope_until: given("scopeUntil"),
            },
        ))
    })))
}

/// Refuses a header that lacks a column, has one twice, or spells one in another way: what stands below it would be lost. Names the
/// columns that are not read.
fn check_header(headers: &csv::StringRecord) -> anyhow::Result<()> {
    let letters = |name: &str| name.replace(['_', '-', ' '], "").to_ascii_lowercase();
    for column in COLUMNS {
        let like = |header: &&str| letters(header) == letters(column);
        if let Some(other) = headers.iter().filter(like).find(|header| *header != column) {
            bail!("line 1: the column {other} is spelt {column}");
        }
        if headers.iter().filter(like).nth(1).is_some() {
            bail!("line 1: the column {column} is there twice");
        }
    }
    for needed in &COLUMNS[..3] {
        if !headers.iter().any(|header| header == *needed) {
            bail!("line 1: the header must name {}; it has no {needed}", COLUMNS.join(","));
        }
    }
    for other in headers.iter().filter(|header| !COLUMNS.contains(header)) {
        note!("The column {other:?} is not read: a member has {}", COLUMNS.join(", "));
    }
    Ok(())
}

fn csv_problem(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("it has {len} fields instead of {expected_len}")
        }
        csv::ErrorKind::Utf8 { .. } => "it is not UTF-8".into(),
        _ => error.to_string(),
    }
}

/// Validates each line. `owner` is the current owner of the group; `owner_is_host` when nobody is to be it.
fn rows(
    lines: Lines,
    mut owner: Option<Uid>,
    owner_is_host: bool,
) -> impl Iterator<Item = Result<(u64, SyncRow), ActError>> + Send {
    let mut seen = Seen::default();
    let validated = lines.map(move |line| {
        let (number, line) = line?;
        let row = row(number, &line, true)?;
        seen.record(number, &row.uid)?;
        match (&owner, row.scope) {
            (_, Some(Scope::Owner)) if owner_is_host => {
                return Err(row_error(
                    number,
                    &format!("{} would be the owner, and --owner-is-host says that the host is", row.uid),
                ));
            }
            (None, Some(Scope::Owner)) => owner = Some(row.uid.clone()),
            (Some(first), Some(Scope::Owner)) if *first != row.uid => {
                return Err(row_error(number, &format!("{} would be a second owner: {first} is the first", row.uid)));
            }
            (Some(first), Some(scope)) if *first == row.uid && scope != Scope::Owner => {
                return Err(row_error(
                    number,
                    &format!("the group would have no owner: {first} owns it and is listed as {scope}"),
                ));
            }
            _ => {}
        }
        Ok((number, row))
    });
    validated.map(|row: Result<(u64, SyncRow), RowError>| row.map_err(ActError::from))
}

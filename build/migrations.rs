//! Generates the table of the schema's steps from `migrations/`, whose two folders hold files of the same names.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

use super::Result;

/// Rust for `src/store/migrations.rs`: every `Step`, oldest first.
pub(crate) fn table() -> Result<String> {
    let files = names("sqlite")?;
    if files != names("postgres")? {
        return Err("migrations/sqlite and migrations/postgres do not hold files of the same names".into());
    }
    let mut rust = String::from("&[\n");
    for name in &files {
        let (number, step) = name
            .strip_suffix(".sql")
            .and_then(|stem| stem.split_once('_'))
            .and_then(|(number, step)| Some((number.parse::<i64>().ok()?, step)))
            .ok_or_else(|| format!("migrations/sqlite/{name} is not named NUMBER_STEP.sql"))?;
        let sql = |database: &str| {
            format!("include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/migrations/{database}/{name}\"))")
        };
        let (sqlite, postgres) = (sql("sqlite"), sql("postgres"));
        writeln!(rust, "    Step {{ number: {number}, name: {step:?}, sqlite: {sqlite}, postgres: {postgres} }},")?;
    }
    rust.push_str("]\n");
    Ok(rust)
}

fn names(database: &str) -> Result<BTreeSet<String>> {
    let folder = format!("migrations/{database}");
    let mut names = BTreeSet::new();
    for file in fs::read_dir(&folder)? {
        let name = file?.file_name().into_string().map_err(|name| format!("{folder}/{name:?} is not UTF-8"))?;
        names.insert(name);
    }
    Ok(names)
}

//! Steps of the schema: the same for both databases, and none that the version before cannot live
//! with. `docs/migrations.md` has the rule.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn names(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(here(folder)).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A step's statements, in capitals, each with single spaces and without comments.
fn statements(sql: &str) -> Vec<String> {
    let code: Vec<_> = sql.lines().map(|line| line.split("--").next().unwrap()).collect();
    let words = |text: &str| text.to_uppercase().split_whitespace().collect::<Vec<_>>().join(" ");
    code.join("\n").split(';').map(words).filter(|statement| !statement.is_empty()).collect()
}

/// The word after `before`.
fn named<'a>(statement: &'a str, before: &str) -> Option<&'a str> {
    let name = statement.split_once(before)?.1.trim_start_matches("IF NOT EXISTS ");
    name.split([' ', '(']).next()
}

/// Why the version before could not go on after this step.
fn objection(sql: &str) -> Option<String> {
    if sql.lines().any(|line| line.starts_with("-- contract: nobody uses it since ")) {
        return None;
    }
    let statements = statements(sql);
    let fresh: BTreeSet<_> =
        statements.iter().filter(|one| one.starts_with("CREATE")).filter_map(|one| named(one, "TABLE ")).collect();
    statements.iter().find_map(|one| {
        let has = |words: &str| one.contains(words);
        let lacks = has(" ADD COLUMN ") && has("NOT NULL") && !has(" DEFAULT ");
        let unique = one.starts_with("CREATE UNIQUE INDEX") && named(one, " ON ").is_none_or(|on| !fresh.contains(on));
        let stricter = unique || [" SET NOT NULL", " TYPE ", " ADD CONSTRAINT "].into_iter().any(has);
        let why = match () {
            () if one.starts_with("DROP") || has(" DROP ") => "it may use what is dropped",
            () if has(" RENAME ") => "it knows the old name",
            () if lacks => "it writes rows without this column",
            () if stricter => "it writes what is forbidden now",
            () => return None,
        };
        Some(format!("{why}: {one}"))
    })
}

#[test]
fn both_databases_take_the_same_steps_each_with_a_number_of_its_own() {
    let steps = names("migrations/sqlite");
    assert_eq!(steps, names("migrations/postgres"));
    let numbers: Vec<&str> = steps.iter().map(|name| name.split_once('_').unwrap().0).collect();
    assert!(numbers.is_sorted_by(|one, next| one < next), "each has a number of its own: {numbers:?}");
    for name in &steps {
        assert!(name[..4].parse::<u32>().is_ok() && name.ends_with(".sql"), "{name} has a number");
    }
}

#[test]
fn no_step_takes_anything_from_the_version_before() {
    for database in ["sqlite", "postgres"] {
        // Nobody was there before the first.
        for name in names(&format!("migrations/{database}")).iter().skip(1) {
            let sql = std::fs::read_to_string(here(&format!("migrations/{database}/{name}"))).unwrap();
            assert_eq!(objection(&sql), None, "{database}: {name}");
            let waits = statements(&sql).iter().any(|one| one.starts_with("ALTER TABLE"));
            let limited = sql.contains("SET LOCAL lock_timeout");
            assert!(
                database != "postgres" || !waits || limited,
                "{name}: acts wait behind a step that waits for its lock; begin with SET LOCAL lock_timeout = '2s';"
            );
        }
    }
}

#[test]
fn what_expands_is_let_through_and_what_takes_away_is_not() {
    for expands in [
        "CREATE TABLE pins (guid TEXT NOT NULL, uid TEXT NOT NULL); CREATE UNIQUE INDEX pins_of ON pins (guid, uid);",
        "ALTER TABLE members ADD COLUMN note TEXT; -- DROP nothing",
        "ALTER TABLE members ADD COLUMN rank BIGINT NOT NULL DEFAULT 0;",
        "-- contract: nobody uses it since 1.4\nALTER TABLE members DROP COLUMN note;",
    ] {
        assert_eq!(objection(expands), None);
    }
    for takes in [
        "ALTER TABLE members DROP COLUMN note;",
        "drop index members_by_name;",
        "ALTER TABLE members RENAME COLUMN uid TO user_id;",
        "ALTER TABLE members\n  ADD COLUMN rank BIGINT NOT NULL;",
        "ALTER TABLE members ALTER COLUMN name SET NOT NULL;",
        "ALTER TABLE members ALTER COLUMN scope TYPE TEXT;",
        "ALTER TABLE members ADD CONSTRAINT short CHECK (length(name) < 10);",
        "CREATE UNIQUE INDEX one_name ON members (name);",
    ] {
        assert!(objection(takes).is_some(), "{takes}");
    }
}

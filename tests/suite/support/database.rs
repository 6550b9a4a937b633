//! Where a test's database is.

use std::path::Path;
use std::process::Command;

use sqlx::{AssertSqlSafe, Connection, PgConnection, SqliteConnection};

/// The database of this folder: a file in it, or, beside a PostgreSQL (`tests/postgres`), a database
/// of its own there.
pub fn database(folder: &Path) -> String {
    let Ok(server) = std::env::var("CGM_TEST_POSTGRES") else {
        return format!("sqlite://{}", folder.join("test.db").display());
    };
    let note = folder.join("database");
    if let Ok(url) = std::fs::read_to_string(&note) {
        return url;
    }
    let letters = |text: String| text.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
    let name = format!("t{}", letters(folder.file_name().unwrap().to_string_lossy().to_lowercase()));
    let create = format!("CREATE DATABASE {name}_{}", std::process::id());
    let made = Command::new("psql").args([&format!("{server}/postgres"), "-qc", &create]).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let url = format!("{server}/{name}_{}", std::process::id());
    std::fs::write(note, &url).unwrap();
    url
}

/// Writes into the database past the program.
pub async fn write_by_hand(folder: &Path, sql: &str) {
    let url = database(folder);
    let sql = AssertSqlSafe(sql.to_owned());
    if url.starts_with("sqlite:") {
        let mut connection = SqliteConnection::connect(&url).await.unwrap();
        sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
    } else {
        let mut connection = PgConnection::connect(&url).await.unwrap();
        sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
    }
}

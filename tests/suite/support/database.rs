//! Where a test's database is.

use std::path::Path;
use std::thread;

use sqlx::{AssertSqlSafe, Connection, PgConnection, SqliteConnection};
use tokio::runtime;

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
    create(format!("CREATE DATABASE {name}_{}", std::process::id()));
    let url = format!("{server}/{name}_{}", std::process::id());
    std::fs::write(note, &url).unwrap();
    url
}

/// Makes a database on the server beside which the tests run. Not with `psql`, which Debian starts by way of Perl: a twentieth of
/// the suite's processor time went there.
pub fn create(statement: String) {
    let server = std::env::var("CGM_TEST_POSTGRES").unwrap();
    // Who waits for it may be within a runtime, where no other can be waited for.
    let made = thread::spawn(move || {
        let runtime = runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut connection = PgConnection::connect(&format!("{server}/postgres")).await?;
            sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut connection).await?;
            connection.close().await
        })
    });
    made.join().unwrap().unwrap();
}

/// Every row of every table as text, after the name of its table.
pub async fn rows(folder: &Path) -> Vec<String> {
    let (url, mut rows) = (database(folder), Vec::<String>::new());
    if url.starts_with("sqlite:") {
        let mut connection = SqliteConnection::connect(&url).await.unwrap();
        let tables = r#"SELECT m.name, (SELECT group_concat('quote("' || c.name || '")', ' || '', '' || ')
            FROM pragma_table_info(m.name) c) FROM sqlite_master m WHERE m.type = 'table' ORDER BY m.name"#;
        let tables: Vec<(String, String)> = sqlx::query_as(tables).fetch_all(&mut connection).await.unwrap();
        for (table, values) in tables {
            let sql = format!("SELECT '{table}: ' || {values} FROM \"{table}\" ORDER BY 1");
            let found: Vec<String> = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_all(&mut connection).await.unwrap();
            rows.extend(found);
        }
        connection.close().await.unwrap();
    } else {
        let mut connection = PgConnection::connect(&url).await.unwrap();
        let tables = "SELECT CAST(tablename AS TEXT) FROM pg_tables WHERE schemaname = 'public' ORDER BY 1";
        let tables: Vec<String> = sqlx::query_scalar(tables).fetch_all(&mut connection).await.unwrap();
        for table in tables {
            let sql = format!("SELECT '{table}: ' || CAST(row_to_json(t) AS TEXT) FROM \"{table}\" t ORDER BY 1");
            let found: Vec<String> = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_all(&mut connection).await.unwrap();
            rows.extend(found);
        }
        connection.close().await.unwrap();
    }
    rows
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

/// What a statement answers by hand, if anything.
pub async fn read_by_hand(folder: &Path, sql: &'static str) -> Option<String> {
    let url = database(folder);
    if url.starts_with("sqlite:") {
        let mut connection = SqliteConnection::connect(&url).await.unwrap();
        sqlx::query_scalar(sql).fetch_optional(&mut connection).await.unwrap()
    } else {
        let mut connection = PgConnection::connect(&url).await.unwrap();
        sqlx::query_scalar(sql).fetch_optional(&mut connection).await.unwrap()
    }
}

/// Writes what a SQLite database has in its write-ahead log into its file: a program that ends may leave its last commits there.
pub async fn write_out(folder: &Path) {
    let url = format!("sqlite://{}", folder.join("test.db").display());
    let mut connection = SqliteConnection::connect(&url).await.unwrap();
    sqlx::raw_sql("PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

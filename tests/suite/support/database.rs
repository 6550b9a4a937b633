//! Where a test's database is.

use std::path::Path;
use std::thread;

use chat_group_members::app::App;
use chat_group_members::config::{Config, Secret, Wake};
use sqlx::{AssertSqlSafe, Connection, PgConnection, SqliteConnection};
use tokio::runtime;

/// The database of this folder: a file in it, or, beside a PostgreSQL (`tests/postgres`), a database
/// of its own there.
pub fn database(folder: &Path) -> String {
    found_or_made(folder, |name| create(format!("CREATE DATABASE {name}")))
}

/// The same with the schema in it, on PostgreSQL as a copy of another: the steps of the schema cost the server more than the copy does.
pub fn with_schema(folder: &Path) -> String {
    found_or_made(folder, |name| {
        on_server(async |server| {
            make_template(server).await;
            sql(&format!("{server}/postgres"), format!("CREATE DATABASE {name} TEMPLATE {TEMPLATE}")).await;
        });
    })
}

/// The database that `with_schema` copies.
const TEMPLATE: &str = "with_schema";

/// Makes the database that is copied, unless another test has: each is a process of its own.
async fn make_template(server: &str) {
    let mut connection = PgConnection::connect(&format!("{server}/postgres")).await.unwrap();
    sqlx::raw_sql("SELECT pg_advisory_lock(1)").execute(&mut connection).await.unwrap();
    let there = format!("SELECT 1 FROM pg_database WHERE datname = '{TEMPLATE}'");
    if sqlx::raw_sql(AssertSqlSafe(there)).fetch_optional(&mut connection).await.unwrap().is_none() {
        let url = format!("{server}/unfinished");
        sqlx::raw_sql("CREATE DATABASE unfinished").execute(&mut connection).await.unwrap();
        let config = Config {
            database_url: url.clone(),
            viewer_secrets: vec![Secret::new(super::SECRET)],
            wake: Wake::None,
            ..Config::default()
        };
        drop(App::open(config).await.unwrap());
        // Each copy makes its own epoch and pseudonyms.
        sql(&url, "DELETE FROM facts".into()).await;
        let rename = format!(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'unfinished';
             ALTER DATABASE unfinished RENAME TO {TEMPLATE}"
        );
        sqlx::raw_sql(AssertSqlSafe(rename)).execute(&mut connection).await.unwrap();
    }
    connection.close().await.unwrap();
}

/// The database of this folder, which `make` makes under a name when it is asked for first.
fn found_or_made(folder: &Path, make: impl FnOnce(&str)) -> String {
    let Ok(server) = std::env::var("CGM_TEST_POSTGRES") else {
        return format!("sqlite://{}", folder.join("test.db").display());
    };
    let note = folder.join("database");
    if let Ok(url) = std::fs::read_to_string(&note) {
        return url;
    }
    let letters = |text: String| text.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
    let name =
        format!("t{}_{}", letters(folder.file_name().unwrap().to_string_lossy().to_lowercase()), std::process::id());
    make(&name);
    let url = format!("{server}/{name}");
    std::fs::write(note, &url).unwrap();
    url
}

/// Makes a database on the server beside which the tests run. Not with `psql`, which Debian starts by way of Perl: a twentieth of
/// the suite's processor time went there.
pub fn create(statement: String) {
    on_server(async |server| sql(&format!("{server}/postgres"), statement).await);
}

/// Does this with the server beside which the tests run, and waits for it.
fn on_server(does: impl AsyncFnOnce(&str) + Send) {
    let server = std::env::var("CGM_TEST_POSTGRES").unwrap();
    // Who waits for it may be within a runtime, where no other can be waited for.
    thread::scope(|scope| {
        scope.spawn(|| {
            let runtime = runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(does(&server));
        });
    });
}

/// Carries out statements on a connection of their own.
async fn sql(url: &str, statements: String) {
    let mut connection = PgConnection::connect(url).await.unwrap();
    sqlx::raw_sql(AssertSqlSafe(statements)).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
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
pub async fn write_by_hand(folder: &Path, statements: &str) {
    let url = database(folder);
    if url.starts_with("sqlite:") {
        let mut connection = SqliteConnection::connect(&url).await.unwrap();
        sqlx::raw_sql(AssertSqlSafe(statements.to_owned())).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
    } else {
        sql(&url, statements.to_owned()).await;
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

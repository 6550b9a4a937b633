//! The cast in a SQLite file, whatever the other tests run on, and a PostgreSQL to move to.

use std::path::Path;
use std::process::{Child, Command, Stdio};

use chat_group_members::config::Config;
use sqlx::{AssertSqlSafe, Connection, PgConnection, SqliteConnection};
use tokio::task::block_in_place;

use crate::support::cluster::Cluster;
use crate::support::program::{Program, bare, run};
use crate::support::{SECRET, World, eventually};

/// A key of the host.
pub const KEY: &str = "0123456789abcdef";
/// What a test holds as long as a copy is to stay in the middle.
const HOLD: &str = "SELECT pg_advisory_lock(1)";

/// The cast in a file.
pub struct Fixture {
    /// Whoever made it; another process that has the file open.
    pub world: World,
    pub file: String,
    server: Server,
    folder: tempfile::TempDir,
}

/// The PostgreSQL of this run, or else one of this test's own.
enum Server {
    Given(String),
    Own(Cluster),
}

impl Fixture {
    pub async fn new() -> Fixture {
        let folder = tempfile::tempdir().unwrap();
        let file = format!("sqlite://{}", folder.path().join("town.db").display());
        let url = file.clone();
        let world = World::with(move |config: &mut Config| config.database_url = url).await;
        let server = match std::env::var("CGM_TEST_POSTGRES") {
            Ok(url) => Server::Given(url),
            Err(_) => block_in_place(|| Server::Own(Cluster::start())),
        };
        Fixture { world, file, server, folder }
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// An empty database: its address.
    pub async fn database(&self, name: &str) -> String {
        self.database_with(name, "").await
    }

    /// An empty database with these options of CREATE DATABASE: its address.
    pub async fn database_with(&self, name: &str, options: &str) -> String {
        let name = format!("moved_{}_{name}", std::process::id());
        let server = match &self.server {
            Server::Given(url) => url.clone(),
            Server::Own(cluster) => cluster.url("postgres").trim_end_matches("/postgres").to_owned(),
        };
        sql(&format!("{server}/postgres"), &format!("CREATE DATABASE {name} {options}")).await;
        format!("{server}/{name}")
    }

    /// Writes into the file past the program.
    pub async fn in_file(&self, statement: String) {
        let mut connection = SqliteConnection::connect(&self.file).await.unwrap();
        sqlx::query(AssertSqlSafe(statement)).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
    }

    /// The program, beside this database.
    pub fn command(&self, database: &str) -> Command {
        let mut command = bare(self.folder());
        command.env("CGM_VIEWER_SECRET", SECRET).env("CGM_API_KEY", KEY).env("CGM_DATABASE_URL", database);
        command
    }

    /// A service in a process of its own, beside this database.
    pub fn serve(&self, database: &str) -> Program {
        block_in_place(|| Program::start(self.command(database).args(["serve", "--listen", "127.0.0.1:0"])))
    }

    /// Runs the program to its end, beside this database: whether it is content, and what it said.
    pub fn run(&self, database: &str, arguments: &[&str]) -> (bool, String) {
        block_in_place(|| run(self.command(database).args(arguments)))
    }

    /// Moves the file, which must work.
    #[track_caller]
    pub fn moves_to(&self, target: &str) -> String {
        let (done, output) = self.run(&self.file, &["move", "--to", target]);
        assert!(done, "{output}");
        output
    }

    /// Tries to move the file, which must not work.
    #[track_caller]
    pub fn cannot_move_to(&self, target: &str) -> String {
        let (done, output) = self.run(&self.file, &["move", "--to", target]);
        assert!(!done, "{output}");
        output
    }

    /// Nothing is wrong with this database; what `doctor` says.
    #[track_caller]
    pub fn doctor_is_happy(&self, database: &str) -> String {
        let (sound, output) = self.run(database, &["doctor"]);
        assert!(sound && !output.contains("WRONG"), "{output}");
        output
    }

    /// Begins a move that stays in the middle of its copy until the answer is let go.
    pub async fn stalled_move_to(&self, target: &str) -> StalledMove {
        let (done, output) = self.run(target, &["migrate"]);
        assert!(done, "{output}");
        let mut gate = PgConnection::connect(target).await.unwrap();
        sqlx::query(HOLD).execute(&mut gate).await.unwrap();
        on_insert(target, "touched", "PERFORM pg_advisory_lock_shared(1);").await;
        StalledMove { child: self.begin(&["move", "--to", target]), gate }
    }

    /// Begins a move that waits before its copy: somebody else holds a table of the target.
    pub async fn waiting_move_to(&self, target: &str) -> StalledMove {
        let (done, output) = self.run(target, &["migrate"]);
        assert!(done, "{output}");
        let mut gate = PgConnection::connect(target).await.unwrap();
        sqlx::raw_sql("BEGIN; LOCK TABLE users IN EXCLUSIVE MODE").execute(&mut gate).await.unwrap();
        let moving = StalledMove { child: self.begin(&["move", "--to", target]), gate };
        let waits = "SELECT count(*)::text FROM pg_stat_activity WHERE datname = current_database()
                     AND application_name = 'chat-group-members move' AND wait_event_type = 'Lock'";
        eventually("the move waits", async || sql(target, waits).await == ["1"]).await;
        moving
    }

    /// Begins a command beside the file.
    pub fn begin(&self, arguments: &[&str]) -> Child {
        let mut command = self.command(&self.file);
        command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }
}

/// A move in the middle of its copy.
pub struct StalledMove {
    child: Child,
    gate: PgConnection,
}

impl StalledMove {
    /// Kills it without a word.
    pub async fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.gate.close().await.unwrap();
    }

    /// Asks it to end: what it said.
    pub async fn terminate(self) -> (bool, String) {
        let sent = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let ended = ended(self.child);
        self.gate.close().await.unwrap();
        ended
    }

    /// Waits for it, as it is: what it said.
    pub fn wait(self) -> (bool, String) {
        ended(self.child)
    }

    /// Lets it go on: what it said in the end.
    pub async fn release(self) -> (bool, String) {
        self.gate.close().await.unwrap();
        ended(self.child)
    }
}

fn ended(child: Child) -> (bool, String) {
    let output = block_in_place(|| child.wait_with_output()).unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.success(), text(&output.stdout) + &text(&output.stderr))
}

/// What this database does from now on before a row comes into a table.
pub async fn on_insert(database: &str, table: &str, does: &str) {
    for statement in [
        format!(
            "CREATE OR REPLACE FUNCTION before_{table}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {does} RETURN NEW; END $$"
        ),
        format!(
            "CREATE OR REPLACE TRIGGER before_{table} BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION before_{table}()"
        ),
    ] {
        sql(database, &statement).await;
    }
}

/// What a statement answers: the first column of each row, as text.
pub async fn sql(database: &str, statement: &str) -> Vec<String> {
    let mut connection = PgConnection::connect(database).await.unwrap();
    let rows = sqlx::query_scalar(AssertSqlSafe(statement.to_owned())).fetch_all(&mut connection).await;
    connection.close().await.unwrap();
    rows.unwrap_or_else(|error| panic!("{statement}: {error}"))
}

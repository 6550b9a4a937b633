//! The service to be measured: in this process, and as the program.

use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use axum::Router;
use axum::http::header;
use axum::routing::get;
use bytes::Bytes;
use chat_group_members::app::App;
use chat_group_members::config::{Config, Secret, Webhook};
use chat_group_members::domain::{Group, GroupType, Guid, Name, Scope};
use chat_group_members::identity::{NewToken, mint};
use chat_group_members::membership;
use chat_group_members::serve::{bind, serve_router};
use chat_group_members::store::SyncRow;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

use crate::people;

const SECRET: &str = "a secret that only this benchmark knows and nobody needs";
/// The key of the host.
pub const API_KEY: &str = "a-key-of-this-benchmark";
/// Members of a group that act: the owner and so many admins.
pub const ADMINS: usize = 64;

/// The service in this process, on threads of its own.
pub struct Service {
    pub app: App,
    runtime: Option<Runtime>,
    stop: CancellationToken,
}

impl Service {
    pub fn open(database: &Path) -> Service {
        Service::at(&url(database))
    }

    /// The same, with these endpoints of webhooks.
    pub fn with_webhooks(database: &Path, webhooks: Vec<Webhook>) -> Service {
        Service::configured(Config { webhooks, ..config(&url(database)) })
    }

    /// The same beside the database at this address.
    pub fn at(database: &str) -> Service {
        Service::configured(config(database))
    }

    fn configured(config: Config) -> Service {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("threads can be started");
        let app = runtime.block_on(App::open(config)).expect("the service opens");
        Service { app, runtime: Some(runtime), stop: CancellationToken::new() }
    }

    /// Listens; `GET /limit` answers `constant` without asking anybody anything.
    pub fn listen(&self, constant: Bytes) -> SocketAddr {
        let listener =
            self.runtime().block_on(bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)))).expect("a port is free");
        let address = listener.tcp_address().expect("it was bound");
        let answer = move || async move { ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], constant) };
        let router = Router::new().route("/limit", get(answer)).merge(self.app.router());
        let (app, stop) = (self.app.clone(), self.stop.clone());
        self.runtime().spawn(serve_router(app, router, listener, stop.cancelled_owned()));
        address
    }

    pub fn runtime(&self) -> &Runtime {
        self.runtime.as_ref().expect("there until dropped")
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.stop.cancel();
        self.app.stop();
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_timeout(Duration::from_secs(1));
        }
    }
}

/// The program, serving.
pub struct Program {
    child: Child,
    pub address: SocketAddr,
    /// From its start until it answered that it is ready, seconds.
    pub ready_after: f64,
}

impl Program {
    pub fn serve(database: &Path) -> Program {
        Program::start(&mut command(database))
    }

    /// A node beside the database at this address, woken by this transport.
    pub fn node(database: &str, wake: &str, nats: Option<&str>) -> Program {
        let mut command = at(database);
        command.env("CGM_WAKE", wake).envs(nats.map(|url| ("CGM_NATS_URL", url)));
        Program::start(&mut command)
    }

    fn start(command: &mut Command) -> Program {
        let begun = Instant::now();
        let mut child = command
            .args(["serve", "--listen", "127.0.0.1:0"])
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut lines = BufReader::new(child.stderr.take().expect("it was asked for")).lines();
        let address = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| line.strip_prefix("listening on http://")?.parse().ok())
            .expect("the program says where it listens");
        // Whatever else it says is read, so that it never waits for a reader.
        std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
        let ready = plain(address, "GET /readyz HTTP/1.0\r\n\r\n");
        assert!(ready.contains(" 200 "), "{ready}");
        Program { child, address, ready_after: begun.elapsed().as_secs_f64() }
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The program with its database and secret; its commands are up to the caller.
pub fn command(database: &Path) -> Command {
    at(&url(database))
}

fn at(database: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chat-group-members"));
    command
        .env("CGM_DATABASE_URL", database)
        .env("CGM_VIEWER_SECRET", SECRET)
        .env("CGM_API_KEY", API_KEY)
        .env("CGM_LOG", "error")
        .stdout(Stdio::null());
    command
}

pub fn url(database: &Path) -> String {
    format!("sqlite://{}", database.display())
}

/// A token of the member of this number; good for an hour.
pub fn token(number: usize) -> String {
    let now =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("it is past 1970").as_secs() as i64;
    let uid = people::uid(number);
    let token = NewToken {
        uid: &uid,
        audience: "chat-group-members",
        issued_at: now,
        expires_at: now + 3600,
        name: None,
        avatar: None,
    };
    mint(&Secret::new(SECRET), &token)
}

/// Makes a group of so many members through the service's own door.
pub fn fill(service: &Service, guid: &str, size: usize) {
    let group = Group {
        guid: guid_of(guid),
        name: Name::parse(guid).expect("made to be one"),
        group_type: GroupType::Private,
        icon: None,
        description: None,
    };
    let store = service.app.store().clone();
    let rows = (0..size).map(|number| Ok(row(number)));
    let report =
        service.runtime().block_on(membership::sync(&store, group, None, false, rows)).expect("the rows are good");
    assert_eq!(report.written, size as u64);
}

pub fn row(number: usize) -> SyncRow {
    SyncRow {
        uid: people::uid(number).parse().expect("made to be one"),
        name: Some(Name::parse(&people::name(number)).expect("made to be one")),
        avatar: None,
        scope: Some(scope(number)),
        joined_at: Some(people::joined_at(number)),
    }
}

/// The first is the owner, then come admins, the rest are participants.
pub fn scope(number: usize) -> Scope {
    match number {
        0 => Scope::Owner,
        1..=ADMINS => Scope::Admin,
        _ => Scope::Participant,
    }
}

pub fn guid_of(guid: &str) -> Guid {
    guid.parse().expect("made to be one")
}

fn config(database: &str) -> Config {
    Config {
        database_url: database.to_owned(),
        viewer_secrets: vec![Secret::new(SECRET)],
        roster_memory: 4 << 30,
        ..Config::default()
    }
}

/// One plain request, answered until the end of the connection.
fn plain(address: SocketAddr, request: &str) -> String {
    use std::io::{Read, Write};
    let mut stream = std::net::TcpStream::connect(address).expect("the program listens");
    stream.write_all(request.as_bytes()).expect("the program reads");
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    answer
}

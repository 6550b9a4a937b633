//! Whether the time of an answer tells that a private group is there.
//!
//! `cargo bench --bench timing` asks the program, on every route of a group, 20,000 times for a guid that nobody has and 20,000
//! times for a private group that the caller is not in: once for groups that nobody has loaded, once for groups in memory; as a
//! stranger, as somebody banned and as somebody kicked. The two questions of a pair follow each other on one connection in random
//! order, so whatever else the machine does meets both alike. Printed is how often the best threshold, chosen afterwards, tells the
//! two apart: a coin does in 50 % of cases. More than 55 % fails.
//!
//! `-- --pairs 2000` asks less often, `-- "GET /groups/{g}"` only on the routes with this text. `CGM_TEST_BIN` is another program.
//! `tests/postgres cargo bench --bench timing` asks beside a PostgreSQL in place of a file.
#![allow(clippy::disallowed_methods, reason = "stands outside of the service, in the real time")]
#![allow(unreachable_pub, reason = "nothing is public in a program")]

#[allow(dead_code, reason = "the bodies are for the tests: these are this benchmark's own")]
#[path = "../tests/suite/support/group_routes.rs"]
mod group_routes;

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// How often the threshold may be right.
const GOAL: f64 = 0.55;
const PAIRS: usize = 20_000;
/// Pairs that are asked first, and do not count.
const WARM_UP: usize = 200;
/// Their owner asks again after so many pairs, which keeps the group in memory.
const KEPT_FOR: usize = 500;
/// Groups of each kind: their names alternate, so that neither kind lies together in an index.
const GROUPS: usize = 4;
/// People in a group.
const MEMBERS: usize = 2_000;
/// Who asks, by uid: nobody that the groups know, and two whom their owner has put out.
const CALLERS: [&str; 3] = ["stranger", "banned", "kicked"];
const SECRET: &str = "a secret that only this benchmark knows and nobody needs";

#[derive(Clone, Copy)]
enum Kind {
    Absent,
    Cold,
    Loaded,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // `cargo test` runs benchmarks too: there it is enough that this one builds.
    if !arguments.iter().any(|argument| argument == "--bench") {
        return ExitCode::SUCCESS;
    }
    let pairs = arguments.iter().position(|argument| argument == "--pairs").map_or(PAIRS, |at| {
        arguments.get(at + 1).and_then(|number| number.parse().ok()).expect("--pairs takes a number")
    });
    let only = arguments.iter().find(|argument| argument.contains('/'));
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("the target folder is writable");
    if let Some(server) = postgres() {
        create_database(&server);
    }
    let service = Service::start(folder.path());
    let mut told_apart = false;
    println!(
        "how often the best threshold of {pairs} pairs is right; in brackets the medians of absent and private, µs\n"
    );
    println!("{:<45} {:<30} in memory", "", "not in memory");
    for group_routes::Route { method, path, .. } in &group_routes::ROUTES {
        let route = format!("{method} {}", path.replace("{u}", "u7"));
        if only.is_some_and(|only| !route.contains(only.as_str())) {
            continue;
        }
        for (caller, token) in CALLERS.iter().zip(&service.callers) {
            let findings = [Kind::Cold, Kind::Loaded].map(|kind| service.measure(&route, kind, pairs, token));
            let [cold, loaded] = findings.each_ref().map(|Finding { told_apart, absent, private }| {
                format!("{:.1} % ({absent:.1}, {private:.1})", told_apart * 100.0)
            });
            let exceeds = findings.iter().any(|finding| finding.told_apart > GOAL);
            println!("{route:<36} {caller:<8} {cold:<30} {loaded}{}", if exceeds { "   more than 55 %" } else { "" });
            told_apart |= exceeds;
        }
    }
    if told_apart { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// What the times of one route say.
struct Finding {
    /// How often the best threshold is right.
    told_apart: f64,
    /// Medians, microseconds.
    absent: f64,
    private: f64,
}

/// The program beside a database with private groups.
struct Service {
    child: Child,
    address: String,
    /// The tokens of the [`CALLERS`].
    callers: [String; 3],
    /// The token of every group's owner.
    owner: String,
}

impl Service {
    fn start(folder: &Path) -> Service {
        import(folder);
        // Acts load their groups: what is measured is another process, which has not loaded any.
        Service::serve(folder).put_out();
        Service::serve(folder)
    }

    fn serve(folder: &Path) -> Service {
        let mut child = command(folder)
            .args(["serve", "--listen", "127.0.0.1:0"])
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut lines = BufReader::new(child.stderr.take().expect("it was asked for")).lines();
        let address = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| Some(line.strip_prefix("listening on http://")?.to_owned()))
            .expect("the program says where it listens");
        // Whatever else it says is read, so that it never waits for a reader.
        std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
        Service { child, address, callers: CALLERS.map(|uid| token(folder, uid)), owner: token(folder, "u0") }
    }

    /// The owner of each group bans one of the callers, and kicks another.
    fn put_out(&self) {
        let mut connection = Connection::open(&self.address);
        for guid in guids() {
            for route in ["PUT /groups/{g}/bans/banned", "DELETE /groups/{g}/members/kicked"] {
                let (status, _) = connection.ask(request(route, &guid, &self.owner).as_bytes());
                assert_eq!(status, 200, "{route}");
            }
        }
    }

    /// Asks for groups of this kind and for absent ones in turn, with this token.
    fn measure(&self, route: &str, kind: Kind, pairs: usize, token: &str) -> Finding {
        let mut connection = Connection::open(&self.address);
        let requests =
            |kind| -> Vec<String> { (0..GROUPS).map(|number| request(route, &guid(kind, number), token)).collect() };
        let (absent, private) = (requests(Kind::Absent), requests(kind));
        let mut times = [Vec::with_capacity(pairs), Vec::with_capacity(pairs)];
        for pair in 0..WARM_UP + pairs {
            if matches!(kind, Kind::Loaded) && pair % KEPT_FOR == 0 {
                self.load(&mut connection);
            }
            let group = fastrand::usize(..GROUPS);
            let first = fastrand::usize(..2);
            for which in [first, 1 - first] {
                let (status, took) = connection.ask([&absent, &private][which][group].as_bytes());
                assert_eq!(status, 404, "{route}");
                if pair >= WARM_UP {
                    times[which].push(took.as_nanos() as u64);
                }
            }
        }
        times.iter_mut().for_each(|times| times.sort_unstable());
        let median = |times: &[u64]| times[times.len() / 2] as f64 / 1000.0;
        Finding {
            told_apart: best_threshold(&times[0], &times[1]),
            absent: median(&times[0]),
            private: median(&times[1]),
        }
    }

    /// The owner looks at the groups that are to be in memory.
    fn load(&self, connection: &mut Connection) {
        for number in 0..GROUPS {
            let request = request("GET /groups/{g}/members?limit=1", &guid(Kind::Loaded, number), &self.owner);
            assert_eq!(connection.ask(request.as_bytes()).0, 200);
        }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A connection that is kept.
struct Connection {
    address: String,
    stream: TcpStream,
    answer: Vec<u8>,
}

impl Connection {
    fn open(address: &str) -> Connection {
        let stream = TcpStream::connect(address).expect("the program listens");
        stream.set_nodelay(true).expect("a connection has this option");
        Connection { address: address.to_owned(), stream, answer: vec![0; 1 << 20] }
    }

    /// The status of the answer, and the time until its last byte.
    fn ask(&mut self, request: &[u8]) -> (u16, Duration) {
        let asked = Instant::now();
        self.stream.write_all(request).expect("the program reads");
        let (mut read, mut length) = (0, None);
        while length.is_none_or(|length| read < length) {
            let more = self.stream.read(&mut self.answer[read..]).expect("the program answers");
            assert!(more > 0, "the program answers in full");
            read += more;
            length = length.or_else(|| length_of(&self.answer[..read]));
        }
        let took = asked.elapsed();
        let head = String::from_utf8_lossy(&self.answer[..read]).to_ascii_lowercase();
        if head.contains("\r\nconnection: close\r\n") {
            *self = Connection::open(&self.address);
        }
        (head.get(9..12).and_then(|status| status.parse().ok()).expect("an answer has a status"), took)
    }
}

/// Bytes of an answer with its head, when the head is complete.
fn length_of(answer: &[u8]) -> Option<usize> {
    let head = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n")? + 4;
    let text = std::str::from_utf8(&answer[..head]).expect("heads are ASCII").to_ascii_lowercase();
    let length = text.lines().find_map(|line| line.strip_prefix("content-length:"));
    Some(head + length.expect("the answer has a length").trim().parse::<usize>().expect("a length is a number"))
}

/// How often the best threshold between two sorted samples of one size is right, whichever side it takes for which.
fn best_threshold(some: &[u64], others: &[u64]) -> f64 {
    let share = |times: &[u64], limit: u64| times.partition_point(|time| *time <= limit) as f64 / times.len() as f64;
    let apart = |limit: &u64| (share(some, *limit) - share(others, *limit)).abs();
    0.5 + some.iter().chain(others).map(apart).fold(0.0, f64::max) / 2.0
}

fn request(route: &str, guid: &str, token: &str) -> String {
    let (method, path) = route.split_once(' ').expect("a route is a method and a path");
    let path = path.replace("{g}", guid);
    let body = match (method, path.as_str()) {
        ("GET", _) => "",
        ("POST", path) if path.ends_with("/notes/1") => "_method=DELETE",
        ("POST", path) if path.ends_with("/u7") || path.ends_with("/scope") || path.ends_with("/owner") => {
            "_method=PUT&scope=admin&uid=u7"
        }
        ("POST", path) if path.ends_with("/notes") => "text=somebody",
        ("POST", path) if path.ends_with("/bulk") => "act=kick&uid=u7",
        _ => "scope=admin&uid=u7",
    };
    let mut head = format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n");
    if method != "GET" {
        let length = body.len();
        write!(head, "content-type: application/x-www-form-urlencoded\r\ncontent-length: {length}\r\n")
            .expect("a text takes what is written");
    }
    head + "\r\n" + body
}

/// Makes the private groups.
fn import(folder: &Path) {
    let mut rows = String::from("uid,name,scope\nkicked,Kicked,participant\n");
    for number in 0..MEMBERS {
        let scope = if number == 0 { "owner" } else { "participant" };
        writeln!(rows, "u{number},Person {number},{scope}").expect("a text takes what is written");
    }
    let people = folder.join("people.csv");
    std::fs::write(&people, rows).expect("the folder is writable");
    for guid in guids() {
        let mut import = command(folder);
        import.args(["import", "--group", &guid]).arg(&people);
        assert!(import.stderr(Stdio::null()).status().expect("the program starts").success());
    }
}

/// The groups that there are.
fn guids() -> impl Iterator<Item = String> {
    (0..GROUPS).flat_map(|number| [Kind::Cold, Kind::Loaded].map(|kind| guid(kind, number)))
}

fn guid(kind: Kind, number: usize) -> String {
    let kind = match kind {
        Kind::Absent => 0,
        Kind::Cold => 1,
        Kind::Loaded => 2,
    };
    format!("room-{:02}", number * 3 + kind)
}

fn token(folder: &Path, uid: &str) -> String {
    let printed = command(folder)
        .args(["token", "--uid", uid, "--ttl", "1d"])
        .stdout(Stdio::piped())
        .output()
        .expect("the program starts");
    String::from_utf8(printed.stdout).expect("a token is ASCII").trim().to_owned()
}

/// Name of the database in a PostgreSQL, which `tests/postgres` takes away with everything in it.
const DATABASE: &str = "timing";

/// The address of the PostgreSQL that `tests/postgres` has started.
fn postgres() -> Option<String> {
    std::env::var("CGM_TEST_POSTGRES").ok()
}

fn create_database(server: &str) {
    let create = format!("CREATE DATABASE {DATABASE}");
    let created = Command::new("psql").args([&format!("{server}/postgres"), "-qc", &create]).status();
    assert!(created.expect("psql is installed").success(), "{create}");
}

fn command(folder: &Path) -> Command {
    let file = || format!("sqlite://{}", folder.join("timing.db").display());
    let database = postgres().map_or_else(file, |server| format!("{server}/{DATABASE}"));
    let program = std::env::var_os("CGM_TEST_BIN").map(PathBuf::from);
    let mut command = Command::new(program.unwrap_or_else(|| env!("CARGO_BIN_EXE_chat-group-members").into()));
    command
        .env("CGM_DATABASE_URL", database)
        .env("CGM_VIEWER_SECRET", SECRET)
        .env("CGM_LOG", "error")
        .env_remove("CGM_TEST_BIN")
        .stdout(Stdio::null());
    command
}

//! The real program, as an operator runs it.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};

use super::database::database;
use super::{Actor, SECRET, client, token};

/// A service in a process of its own; killed when dropped.
pub struct Program {
    child: Child,
    pub url: String,
    /// The lines that it logged before it listened.
    pub startup_log: Vec<String>,
    lines: Mutex<mpsc::Receiver<String>>,
}

impl Program {
    /// Starts `serve` on a free port with its database in `folder`.
    pub fn serve(folder: &Path) -> Program {
        Program::start(command(folder).args(["serve", "--listen", "127.0.0.1:0"]))
    }

    /// Starts what the command says and waits until it listens.
    pub fn start(command: &mut Command) -> Program {
        let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let (sender, lines) = mpsc::channel();
        let mut program = Program { child, url: String::new(), startup_log: Vec::new(), lines: Mutex::new(lines) };
        let stderr = BufReader::new(program.child.stderr.take().unwrap());
        std::thread::spawn(move || {
            for line in stderr.lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        while let Some(line) = program.next_line() {
            if let Some((_, url)) = line.split_once("listening on ") {
                program.url = url.trim().to_owned();
                return program;
            }
            program.startup_log.push(line);
        }
        panic!("it does not listen: {:#?}", program.startup_log);
    }

    /// Somebody who asks this process.
    pub fn actor(&self, uid: &str) -> Actor {
        Actor::new(uid, &token(uid), &self.url, client())
    }

    /// The first line with this text that it logs from now on.
    #[track_caller]
    pub fn wait_for_line(&self, text: &str) -> String {
        self.lines_up_to(text).pop().unwrap()
    }

    /// Every line that it logs from now on, up to the first with this text.
    #[track_caller]
    pub fn lines_up_to(&self, text: &str) -> Vec<String> {
        let mut lines = Vec::new();
        while let Some(line) = self.next_line() {
            let is_it = line.contains(text);
            lines.push(line);
            if is_it {
                return lines;
            }
        }
        panic!("it does not log {text:?}: {lines:#?}");
    }

    /// Every line that it has logged since the last one that was asked for.
    pub fn lines_since(&self) -> Vec<String> {
        self.lines.lock().unwrap().try_iter().collect()
    }

    fn next_line(&self) -> Option<String> {
        self.lines.lock().unwrap().recv_timeout(Duration::from_secs(20)).ok()
    }

    /// The number of its process.
    pub fn pid(&self) -> String {
        self.child.id().to_string()
    }

    /// Cuts the power.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Asks it to end, as a supervisor does.
    pub fn terminate(&self) {
        self.signal("TERM");
    }

    /// Has it end, as a supervisor does.
    pub async fn stop(self) {
        self.terminate();
        tokio::task::spawn_blocking(move || self.wait()).await.unwrap();
    }

    /// Asks it to end, as somebody at a terminal does.
    pub fn interrupt(&self) {
        self.signal("INT");
    }

    /// Asks it to read its files again.
    pub fn hang_up(&self) {
        self.signal("HUP");
    }

    fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([&format!("-{name}"), &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }

    /// How it ended, and how long that took.
    pub fn wait(mut self) -> (ExitStatus, Duration) {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return (status, begun.elapsed());
            }
            assert!(begun.elapsed() < Duration::from_secs(20), "it does not end");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Commands that each open the database.
pub const ON_DATABASE: [&[&str]; 8] = [
    &["serve", "--listen", "127.0.0.1:0"],
    &["migrate"],
    &["migrate", "--new-epoch"],
    &["import", "--group", "den", "/dev/null"],
    &["doctor"],
    &["backup", "another.backup"],
    &["webhooks", "list"],
    &["move", "--cancel"],
];

/// The program with a viewer key and a database in `folder`, and no other surroundings.
pub fn command(folder: &Path) -> Command {
    command_of(&path(), folder)
}

/// The same of another version of the program.
pub fn command_of(program: &Path, folder: &Path) -> Command {
    let mut command = bare_of(program, folder);
    command.env("CGM_VIEWER_SECRET", SECRET).env("CGM_DATABASE_URL", database(folder));
    command
}

/// The program under test. The chaos rig, a package of its own, has it beside itself.
pub fn path() -> PathBuf {
    match option_env!("CARGO_BIN_EXE_chat-group-members") {
        Some(path) => path.into(),
        None => std::env::current_exe().unwrap().with_file_name("chat-group-members"),
    }
}

/// The program with nothing configured.
pub fn bare(folder: &Path) -> Command {
    bare_of(&path(), folder)
}

fn bare_of(program: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_clear().current_dir(folder).stdin(Stdio::null());
    command
}

/// Runs a command to its end: whether it succeeded, and what it wrote.
pub fn run(command: &mut Command) -> (bool, String) {
    outcome(&command.output().unwrap())
}

/// The same with this on its standard input.
pub fn run_with(command: &mut Command, input: &str) -> (bool, String) {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A program that refuses early closes its end: that is for the caller to see in what it wrote.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
    (child.wait().unwrap().success(), text)
}

fn outcome(output: &Output) -> (bool, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.success(), text(&output.stdout) + &text(&output.stderr))
}

/// Fills a group from this file with `import`.
pub fn import(folder: &Path, group: &str, csv: &str) -> (bool, String) {
    run_with(command(folder).args(["import", "--group", group, "-"]), csv)
}

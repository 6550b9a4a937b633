//! What this machine can do by itself, and what processes take of it (Linux).

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

/// Appends of 4 kB, each followed by `fdatasync`, a second.
pub fn appends_per_second(folder: &Path, length: Duration) -> f64 {
    let path = folder.join("appends");
    let mut file = OpenOptions::new().create(true).append(true).open(&path).expect("the folder is writable");
    let (page, begun, mut done) = ([7u8; 4096], Instant::now(), 0u64);
    while begun.elapsed() < length {
        file.write_all(&page).and_then(|()| file.sync_data()).expect("the disk takes it");
        done += 1;
    }
    let rate = done as f64 / begun.elapsed().as_secs_f64();
    let _ = fs::remove_file(path);
    rate
}

/// Memory of a process that is its own (not a file's pages), bytes.
pub fn memory(pid: u32) -> u64 {
    status(pid, "RssAnon:")
}

/// The most of [`resident`] since it began.
pub fn resident_at_most(pid: u32) -> u64 {
    status(pid, "VmHWM:")
}

/// Memory of a process with the pages of its program and files, bytes.
pub fn resident(pid: u32) -> u64 {
    status(pid, "VmRSS:")
}

/// Seconds of processor a process has used so far.
pub fn cpu(pid: u32) -> f64 {
    let Ok(tasks) = fs::read_dir(format!("/proc/{pid}/task")) else { return 0.0 };
    let nanoseconds = tasks.flatten().filter_map(|task| {
        let text = fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split(' ').next()?.parse::<u64>().ok()
    });
    nanoseconds.sum::<u64>() as f64 / 1e9
}

/// The same for a process and all that it has started and that still run.
pub fn cpu_of_family(pid: u32) -> f64 {
    let parent = |pid: u32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        stat.rsplit(')').next()?.split(' ').nth(2)?.parse::<u32>().ok()
    };
    let all = fs::read_dir("/proc").expect("this is Linux").flatten();
    let pids = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.filter(|&other| other == pid || parent(other) == Some(pid)).map(cpu).sum()
}

fn status(pid: u32, name: &str) -> u64 {
    let text = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let kilobytes =
        text.lines().find_map(|line| line.strip_prefix(name)?.trim().split(' ').next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}

//! Events to many open streams of the program, against a loop that writes the same bytes.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio::sync::Notify;

use crate::client::{Connection, get, send};
use crate::machine::{cpu, memory, resident, resident_at_most};
use crate::people;
use crate::report::{Goal, Report, median, time};
use crate::service::{ADMINS, Program, token};

/// What nchan takes for one delivery, in deliveries of the bare loop (measured side by side once:
/// 8.35 µs against 4.3 µs), and the part of the loop's rate it reaches with eight events at once.
const NCHAN_ONE: f64 = 8.35 / 4.3;
const NCHAN_EIGHT: f64 = 115_000.0 / 1_965_000.0;

/// Streams that open at the same time.
const AT_ONCE: usize = 64;

/// The readers: what each of them has seen, and when the last of them had seen enough.
struct Readers {
    wanted: AtomicU64,
    behind: AtomicU64,
    bytes: AtomicU64,
    done: Notify,
}

/// What one round took: seconds until the last reader, processor seconds of the server.
struct Round {
    last: f64,
    cpu: f64,
}

pub fn measure(report: &mut Report, client: &Runtime, program: &Program, count: usize, rounds: usize) {
    let (before, small, used) = (memory(program.pid()), resident(program.pid()), cpu(program.pid()));
    let opened = Instant::now();
    let readers = client.block_on(open(program.address, count));
    let opening = opened.elapsed().as_secs_f64();
    let opening_cpu = (cpu(program.pid()) - used) / count as f64;
    let each = memory(program.pid()).saturating_sub(before) as f64 / count as f64;
    let most = resident_at_most(program.pid()).saturating_sub(small) as f64 / 1e6;

    // What came while they opened is not the size of an event.
    readers.bytes.store(0, Ordering::Relaxed);
    let (mut one, mut eight) = (Vec::new(), Vec::new());
    client.block_on(async {
        let mut actors = Actors::open(program.address).await;
        for _ in 0..=rounds {
            one.push(actors.round(&readers, program.pid(), 1, count).await);
            eight.push(actors.round(&readers, program.pid(), 8, count).await);
        }
    });
    // The first round warms up.
    let size = readers.bytes.load(Ordering::Relaxed) / (count * 2 * (rounds + 1)) as u64;
    let bare = client.block_on(bare_loop(count, size as usize, rounds));
    let figures = |rounds: &[Round]| {
        let of = |take: fn(&Round) -> f64| median(&mut rounds.iter().skip(1).map(take).collect::<Vec<_>>());
        (of(|round| round.last), of(|round| round.cpu) / count as f64)
    };
    let ((one_last, one_cpu), (eight_last, eight_cpu), (bare_last, bare_cpu)) =
        (figures(&one), figures(&eight), figures(&bare));

    report.section(&format!("Fan-out to {count} open streams of as many viewers (messages of about {size} bytes)"));
    report.note(&format!(
        "  they came, {AT_ONCE} at a time, within {}: processor time of each {}, {most:.0} MB at most for all",
        time(opening),
        time(opening_cpu)
    ));
    report.line(
        "one event: processor time per delivery vs a bare loop's",
        time(one_cpu),
        time(bare_cpu),
        one_cpu / bare_cpu,
        Goal::AtMost(round(NCHAN_ONE / 1.2)),
    );
    report.line(
        "one event: last receiver vs a bare loop's",
        time(one_last),
        time(bare_last),
        one_last / bare_last,
        Goal::AtMost(2.1),
    );
    let (rate, limit) = (8.0 * count as f64 / eight_last, count as f64 / bare_last);
    report.line(
        "eight at once: deliveries/s vs a bare loop's of one",
        format!("{rate:.0}/s"),
        format!("{limit:.0}/s"),
        rate / limit,
        Goal::AtLeast(round(8.0 * NCHAN_EIGHT * 8.0)),
    );
    report.line(
        "eight at once: processor time per delivery",
        time(eight_cpu / 8.0),
        time(bare_cpu),
        eight_cpu / 8.0 / bare_cpu,
        Goal::None,
    );
    report.line("memory of a stream", format!("{:.1} kB", each / 1e3), "14 kB", each / 14e3, Goal::AtMost(1.0));
    report.note("goals are those against nchan, by its distance from the bare loop where both were measured");
}

fn round(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// Opens streams of so many viewers, and reads them from then on.
async fn open(address: SocketAddr, count: usize) -> Arc<Readers> {
    let readers = Arc::new(Readers {
        wanted: AtomicU64::new(0),
        behind: AtomicU64::new(count as u64),
        bytes: AtomicU64::new(0),
        done: Notify::new(),
    });
    let opened = futures_util::stream::iter(0..count).map(|number| async move {
        let request = get("/groups/streams/events", &token(number), "");
        Connection::open(address).await.into_stream(&request).await
    });
    let start = async |stream| drop(tokio::spawn(read(stream, readers.clone())));
    opened.buffer_unordered(AT_ONCE).for_each(start).await;
    // Everybody has had the first message when all have seen event 1, the one that made the group.
    readers.wait().await;
    readers
}

/// Reads a stream and keeps the number of the newest event in it.
async fn read(mut stream: TcpStream, readers: Arc<Readers>) {
    let (mut buffer, mut kept, mut seen, mut counted) = (vec![0u8; 8192], Vec::new(), 0, 0);
    while let Ok(length @ 1..) = stream.read(&mut buffer).await {
        readers.bytes.fetch_add(length as u64, Ordering::Relaxed);
        kept.extend_from_slice(&buffer[..length]);
        // Only whole lines are looked at; the rest waits for what comes.
        let whole = kept.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        for line in kept[..whole].split(|&byte| byte == b'\n').filter(|line| line.starts_with(b"id: ")) {
            let digits = line.rsplit(|&byte| byte == b'.').next().unwrap_or_default();
            seen = std::str::from_utf8(digits).ok().and_then(|digits| digits.trim().parse().ok()).unwrap_or(seen);
        }
        kept.drain(..whole);
        let wanted = readers.wanted.load(Ordering::Acquire);
        if seen >= wanted.max(1) && counted < wanted.max(1) {
            counted = wanted.max(1);
            if readers.behind.fetch_sub(1, Ordering::AcqRel) == 1 {
                readers.done.notify_one();
            }
        }
    }
}

impl Readers {
    async fn wait(&self) {
        let waited = tokio::time::timeout(Duration::from_secs(60), self.done.notified()).await;
        assert!(waited.is_ok(), "{} streams did not get the event", self.behind.load(Ordering::Relaxed));
    }
}

/// Eight people who act at the same moment, on somebody without a stream each.
struct Actors {
    connections: Vec<Connection>,
    seq: u64,
    turn: usize,
}

impl Actors {
    async fn open(address: SocketAddr) -> Actors {
        let mut connections = Vec::new();
        for _ in 0..8 {
            connections.push(Connection::open(address).await);
        }
        Actors { connections, seq: 1, turn: 0 }
    }

    async fn round(&mut self, readers: &Readers, pid: u32, acts: usize, count: usize) -> Round {
        // After a pause without events, the next one is sent at once.
        tokio::time::sleep(Duration::from_millis(120)).await;
        self.turn += 1;
        self.seq += acts as u64;
        readers.behind.store(count as u64, Ordering::Release);
        readers.wanted.store(self.seq, Ordering::Release);
        let scope = if self.turn.is_multiple_of(2) { "participant" } else { "moderator" };
        let (used, begun, turn) = (cpu(pid), Instant::now(), self.turn);
        let asks = self.connections.iter_mut().take(acts).enumerate().map(|(actor, connection)| async move {
            // Somebody new in each turn: what is already so makes no event.
            let target = people::uid(count + ADMINS + turn * 8 + actor);
            let scope = if scope == "participant" { "admin" } else { scope };
            let request = send(
                "PUT",
                &format!("/groups/streams/members/{target}/scope"),
                &token(0),
                &format!("{{\"scope\":\"{scope}\"}}"),
            );
            assert_eq!(connection.ask(&request).await.status, 200);
        });
        futures_util::future::join_all(asks).await;
        readers.wait().await;
        Round { last: begun.elapsed().as_secs_f64(), cpu: cpu(pid) - used }
    }
}

/// The least a server can do: one loop that writes the same shared bytes to every socket.
async fn bare_loop(count: usize, size: usize, rounds: usize) -> Vec<Round> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port is free");
    let address = listener.local_addr().expect("it was bound");
    let left = Arc::new((AtomicU64::new(0), Notify::new()));
    let mut sockets = Vec::with_capacity(count);
    for _ in 0..count {
        let (reader, writer) = tokio::join!(TcpStream::connect(address), listener.accept());
        let (mut reader, left) = (reader.expect("it listens"), left.clone());
        sockets.push(writer.expect("it listens").0);
        tokio::spawn(async move {
            let (mut buffer, mut got) = (vec![0u8; 8192], 0);
            while let Ok(length @ 1..) = reader.read(&mut buffer).await {
                got += length;
                if got >= size {
                    got -= size;
                    if left.0.fetch_sub(1, Ordering::AcqRel) == 1 {
                        left.1.notify_one();
                    }
                }
            }
        });
    }
    let message = vec![b'x'; size];
    let mut figures = Vec::new();
    for _ in 0..=rounds {
        left.0.store(count as u64, Ordering::Release);
        let begun = Instant::now();
        // The writing is done on this thread alone, so that its time is the server's.
        let used = own_thread_cpu();
        for socket in &mut sockets {
            if socket.try_write(&message).unwrap_or(0) < size {
                socket.write_all(&message).await.expect("readers read");
            }
        }
        let cpu = own_thread_cpu() - used;
        left.1.notified().await;
        figures.push(Round { last: begun.elapsed().as_secs_f64(), cpu });
    }
    figures
}

fn own_thread_cpu() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|first| first.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}

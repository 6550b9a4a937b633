//! A network that can be cut, slowed and redirected: a TCP proxy of our own.

use std::net::{Ipv4Addr, SocketAddr};
use std::ops::Range;
use std::sync::Mutex;
use std::time::Duration;

use socket2::SockRef;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// Forwards connections to an address, until it is told otherwise. Everything is cut when it is
/// dropped.
pub struct Proxy {
    port: u16,
    orders: watch::Sender<Orders>,
}

/// What is done with connections, those that are open included.
#[derive(Clone)]
struct Orders {
    target: SocketAddr,
    gate: Gate,
    delay: Duration,
    /// How many bytes a connection carries before it is cut, drawn for each.
    budget: Option<Range<u64>>,
    /// Raised by every order to cut.
    cuts: u64,
    /// Raised by every new budget.
    budgets: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Gate {
    Open,
    /// Nobody listens.
    Refusing,
    /// Connections are taken and nothing comes through.
    Stalled,
}

// The chaos rig alone wants some of these.
#[allow(dead_code)]
impl Proxy {
    /// A way to this address.
    pub async fn to(target: SocketAddr) -> Proxy {
        let port = free_port();
        let listener = listen(port).await;
        let (orders, orders_seen) = watch::channel(Orders {
            target,
            gate: Gate::Open,
            delay: Duration::ZERO,
            budget: None,
            cuts: 0,
            budgets: 0,
        });
        tokio::spawn(accept(listener, port, orders_seen));
        Proxy { port, orders }
    }

    /// A way to this port of the loopback.
    pub async fn to_port(port: u16) -> Proxy {
        Proxy::to((Ipv4Addr::LOCALHOST, port).into()).await
    }

    /// Where it listens, on the loopback.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// New connections go there.
    pub fn retarget(&self, target: SocketAddr) {
        self.orders.send_modify(|orders| orders.target = target);
    }

    /// Nobody listens any more; open connections go on.
    pub fn refuse(&self) {
        self.orders.send_modify(|orders| orders.gate = Gate::Refusing);
    }

    /// Every open connection is at its end, now.
    pub fn cut_all(&self) {
        self.orders.send_modify(|orders| orders.cuts += 1);
    }

    /// Every connection, open or to come, ends after so many more bytes, wherever in a message
    /// that is; how many is drawn for each.
    pub fn cut_after(&self, bytes: Range<u64>) {
        self.orders.send_modify(|orders| {
            orders.budget = Some(bytes);
            orders.budgets += 1;
        });
    }

    /// Nothing comes through, and nobody is told.
    pub fn stall(&self) {
        self.orders.send_modify(|orders| orders.gate = Gate::Stalled);
    }

    /// Every piece arrives so much later, in both directions.
    pub fn delay(&self, by: Duration) {
        self.orders.send_modify(|orders| orders.delay = by);
    }

    /// Forwards as if nothing had been.
    pub fn heal(&self) {
        self.orders.send_modify(|orders| {
            orders.gate = Gate::Open;
            orders.delay = Duration::ZERO;
            orders.budget = None;
            orders.budgets += 1;
        });
    }
}

async fn accept(first: TcpListener, port: u16, mut orders: watch::Receiver<Orders>) {
    let mut listener = Some(first);
    loop {
        if orders.borrow_and_update().gate == Gate::Refusing {
            listener = None;
        } else if listener.is_none() {
            listener = Some(listen(port).await);
        }
        let accepted = async {
            match &listener {
                Some(listener) => listener.accept().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            changed = orders.changed() => if changed.is_err() { return },
            Ok((client, _)) = accepted => {
                tokio::spawn(carry(client, orders.clone()));
            }
        }
    }
}

/// Carries one connection to its end.
async fn carry(client: TcpStream, mut orders: watch::Receiver<Orders>) {
    let cuts = orders.borrow().cuts;
    let cut = |orders: &Orders| orders.cuts != cuts;
    let mut ended = orders.clone();
    let work = async {
        while orders.borrow_and_update().gate == Gate::Stalled {
            if orders.changed().await.is_err() {
                return;
            }
        }
        let target = orders.borrow().target;
        let Ok(server) = TcpStream::connect(target).await else {
            forget_unsent(&client);
            return;
        };
        let _ = (client.set_nodelay(true), server.set_nodelay(true));
        // What is still on its way when it ends is lost, as in a network.
        forget_unsent(&client);
        forget_unsent(&server);
        let (from_client, to_client) = client.into_split();
        let (from_server, to_server) = server.into_split();
        let meter = Mutex::new(Meter::default());
        let up = Pump { orders: orders.clone(), meter: &meter };
        let down = Pump { orders: orders.clone(), meter: &meter };
        let _ = tokio::try_join!(up.run(from_client, to_server), down.run(from_server, to_client));
    };
    tokio::select! {
        () = work => {}
        // An error says that the proxy itself is gone.
        _ = ended.wait_for(cut) => {}
    }
}

/// One direction of a connection.
struct Pump<'a> {
    orders: watch::Receiver<Orders>,
    meter: &'a Mutex<Meter>,
}

/// What a connection may still carry, both directions together.
#[derive(Default)]
struct Meter {
    left: Option<u64>,
    /// Which order said so.
    budgets: u64,
}

/// The connection is at its end.
struct Cut;

impl Pump<'_> {
    async fn run(mut self, mut from: OwnedReadHalf, mut to: OwnedWriteHalf) -> Result<(), Cut> {
        let mut buffer = vec![0; 16 * 1024];
        loop {
            let length = from.read(&mut buffer).await.map_err(|_| Cut)?;
            if length == 0 {
                let _ = to.shutdown().await;
                return Ok(());
            }
            self.pass().await?;
            let allowed = self.allowed(length);
            to.write_all(&buffer[..allowed]).await.map_err(|_| Cut)?;
            if allowed < length {
                // What was allowed is to arrive: a reset would take it back.
                let _ = to.shutdown().await;
                tokio::time::sleep(Duration::from_millis(5)).await;
                return Err(Cut);
            }
        }
    }

    /// Waits as long as the orders say.
    async fn pass(&mut self) -> Result<(), Cut> {
        let delay = self.orders.borrow().delay;
        if !delay.is_zero() {
            tokio::time::sleep(delay).await;
        }
        self.orders.wait_for(|orders| orders.gate != Gate::Stalled).await.map_err(|_| Cut)?;
        Ok(())
    }

    /// How many of so many bytes may pass before the cut.
    fn allowed(&self, length: usize) -> usize {
        let orders = self.orders.borrow();
        let mut meter = self.meter.lock().expect("nothing panics while it is held");
        if meter.budgets != orders.budgets {
            *meter = Meter { left: orders.budget.clone().map(fastrand::u64), budgets: orders.budgets };
        }
        let Some(left) = &mut meter.left else { return length };
        let allowed = length.min(usize::try_from(*left).unwrap_or(usize::MAX));
        *left -= allowed as u64;
        allowed
    }
}

/// Whatever is unsent when this connection is dropped is not sent any more.
fn forget_unsent(stream: &TcpStream) {
    let _ = SockRef::from(stream).set_linger(Some(Duration::ZERO));
}

async fn listen(port: u16) -> TcpListener {
    loop {
        match TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await {
            Ok(listener) => return listener,
            // Its own connections may still hold the port for a moment.
            Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    }
}

/// A port that no outgoing connection is given while nobody listens on it: those get higher ones.
fn free_port() -> u16 {
    loop {
        let port = fastrand::u16(10_000..20_000);
        if std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return port;
        }
    }
}

//! What goes wrong, and when: drawn from the seed before the run, so that a run can be repeated.

use fastrand::Rng;

/// Everything that can go wrong: its name, and how long it lasts at least and at most, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    NodeKill,
    NodeFreeze,
    NodeFence,
    NodeDrain,
    NodeCut,
    NodeSlow,
    NodeStall,
    TransportDead,
    StreamCuts,
    ReceiverKill,
    DbRestart,
    DbKill,
    DbFailover,
    DbSplit,
    DbLostTail,
    DbConnections,
    DbSlow,
    DbStall,
    DiskFull,
}

/// The faults of nodes and their surroundings: one at a time.
const NODES: [Fault; 10] = [
    Fault::NodeKill,
    Fault::NodeFreeze,
    Fault::NodeFence,
    Fault::NodeDrain,
    Fault::NodeCut,
    Fault::NodeSlow,
    Fault::NodeStall,
    Fault::TransportDead,
    Fault::StreamCuts,
    Fault::ReceiverKill,
];

/// The faults of the database: one at a time, beside one of the others.
const DATABASE: [Fault; 9] = [
    Fault::DbRestart,
    Fault::DbKill,
    Fault::DbFailover,
    Fault::DbSplit,
    Fault::DbLostTail,
    Fault::DbConnections,
    Fault::DbSlow,
    Fault::DbStall,
    Fault::DiskFull,
];

/// A planned fault.
#[derive(Debug, Clone)]
pub struct Planned {
    pub fault: Fault,
    /// Seconds after the first fault may begin.
    pub at: f64,
    pub lasts: f64,
    /// Which node, where it is one.
    pub node: usize,
    /// How slow, in milliseconds, where it is slow.
    pub by: u64,
}

impl Fault {
    pub fn name(self) -> &'static str {
        self.facts().0
    }

    /// Whether acts cannot succeed meanwhile.
    pub fn is_away(self) -> bool {
        matches!(self, Fault::DbRestart | Fault::DbKill | Fault::DbFailover | Fault::DbSplit | Fault::DbStall)
    }

    fn facts(self) -> (&'static str, f64, f64) {
        match self {
            Fault::NodeKill => ("node-kill", 0.5, 4.0),
            Fault::NodeFreeze => ("node-freeze", 1.0, 8.0),
            // Positions of webhooks are held for 6 s.
            Fault::NodeFence => ("node-fence", 7.0, 12.0),
            Fault::NodeDrain => ("node-drain", 0.2, 3.0),
            Fault::NodeCut => ("node-cut", 1.0, 8.0),
            Fault::NodeSlow => ("node-slow", 3.0, 8.0),
            Fault::NodeStall => ("node-stall", 1.0, 8.0),
            Fault::TransportDead => ("carrier-dead", 2.0, 8.0),
            Fault::StreamCuts => ("stream-cuts", 3.0, 8.0),
            Fault::ReceiverKill => ("receiver-kill", 0.5, 4.0),
            Fault::DbRestart => ("db-restart", 0.5, 4.0),
            Fault::DbKill => ("db-kill", 0.5, 6.0),
            Fault::DbFailover => ("db-failover", 0.0, 0.1),
            Fault::DbSplit => ("db-split", 2.0, 12.0),
            Fault::DbLostTail => ("db-lost-tail", 1.0, 6.0),
            Fault::DbConnections => ("db-connections", 3.0, 8.0),
            Fault::DbSlow => ("db-slow", 3.0, 8.0),
            Fault::DbStall => ("db-stall", 1.0, 10.0),
            Fault::DiskFull => ("disk-full", 3.0, 8.0),
        }
    }
}

impl Planned {
    /// In words.
    pub fn words(&self) -> String {
        let (node, lasts) = (self.node + 1, self.lasts);
        match self.fault {
            Fault::NodeKill => format!("node {node} is killed, back {lasts:.1} s later"),
            Fault::NodeFreeze => format!("node {node} stands still for {lasts:.1} s"),
            Fault::NodeFence => {
                format!("node {node} stands still for {lasts:.1} s, longer than what it holds is its own")
            }
            Fault::NodeDrain => format!("node {node} is told to end, back {lasts:.1} s after it has"),
            Fault::NodeCut => format!("node {node} cannot reach the database for {lasts:.1} s"),
            Fault::NodeSlow => format!("node {node} is {} ms from the database for {lasts:.1} s", self.by),
            Fault::NodeStall => format!("node {node} hears nothing from the database for {lasts:.1} s"),
            Fault::TransportDead => format!("NATS is dead for {lasts:.1} s"),
            Fault::StreamCuts => format!("streams are cut in the middle of messages for {lasts:.1} s"),
            Fault::ReceiverKill => format!("the receiver of webhooks is killed, back {lasts:.1} s later"),
            Fault::DbRestart => format!("the database is restarted, {lasts:.1} s away"),
            Fault::DbKill => format!("the database ends at once, back {lasts:.1} s later"),
            Fault::DbFailover => "the database is killed, its standby takes its place".into(),
            Fault::DbSplit => format!("the standby hears nothing for {lasts:.1} s, and takes the place of the primary"),
            Fault::DbLostTail => {
                format!("nobody waits for the standby, which misses {lasts:.1} s, and takes the place of the primary")
            }
            Fault::DbConnections => format!("the database has no connection left for {lasts:.1} s"),
            Fault::DbSlow => format!("the database is {} ms away for {lasts:.1} s", self.by),
            Fault::DbStall => format!("nothing is heard from the database for {lasts:.1} s"),
            Fault::DiskFull => format!("the disk of the database is full for {lasts:.1} s"),
        }
    }
}

/// The faults that are wanted and possible on this machine.
///
/// # Errors
/// When no fault has one of the names in `wanted`.
pub fn choose(wanted: &[String], transport: bool, disks: bool) -> Result<Vec<Fault>, String> {
    let all: Vec<Fault> = NODES.into_iter().chain(DATABASE).collect();
    if let Some(unknown) = wanted.iter().find(|name| *name != "none" && !all.iter().any(|fault| fault.name() == *name))
    {
        let names: Vec<_> = all.iter().map(|fault| fault.name()).collect();
        return Err(format!("no fault is called {unknown}: there are {}", names.join(", ")));
    }
    let possible = all.into_iter().filter(|fault| match fault {
        Fault::TransportDead => transport,
        Fault::DiskFull => disks,
        _ => true,
    });
    let usual = |fault: &Fault| wanted.is_empty() && *fault != Fault::DbLostTail;
    Ok(possible.filter(|fault| usual(fault) || wanted.iter().any(|name| *name == fault.name())).collect())
}

/// Two rows of faults, so that at most two happen at once.
pub fn draw(rng: &mut Rng, faults: &[Fault], seconds: f64) -> [Vec<Planned>; 2] {
    [lane(rng, faults, &NODES, seconds), lane(rng, faults, &DATABASE, seconds)]
}

fn lane(rng: &mut Rng, faults: &[Fault], lane: &[Fault], seconds: f64) -> Vec<Planned> {
    let mine: Vec<Fault> = lane.iter().copied().filter(|fault| faults.contains(fault)).collect();
    let (mut planned, mut bag) = (Vec::new(), Vec::new());
    let mut at = rng.f64() * 3.0;
    while at < seconds && !mine.is_empty() {
        // Each once before any comes again.
        if bag.is_empty() {
            bag.clone_from(&mine);
            rng.shuffle(&mut bag);
        }
        let Some(fault) = bag.pop() else { break };
        let (_, least, most) = fault.facts();
        let lasts = least + rng.f64() * (most - least);
        if at + lasts > seconds {
            // Short runs end with what is short.
            at += 1.0;
            continue;
        }
        planned.push(Planned { fault, at, lasts, node: rng.usize(0..3), by: rng.u64(30..300) });
        at += lasts + 2.0 + rng.f64() * 4.0;
    }
    planned
}

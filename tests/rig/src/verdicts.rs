//! Each checker's verdict, in words and numbers.

use super::checks::{Verdict, recoveries};
use super::mirror::{ASKED_PEOPLE, ASKED_SNAPSHOTS, KINDS, LISTED};
use super::notes::{Pages, Past};
use super::options::Options;

/// The longest that an act may wait for a 503, in seconds. Like the limits below it catches what hangs: the
/// real times are printed, and a busy machine is no fault.
const REFUSAL: f64 = 20.0;
/// The same beside a slow database, to which an act sends several statements.
const SLOW_REFUSAL: f64 = 25.0;
/// The share of reads through the front that may fail.
const READS: f64 = 0.05;
/// So long may acts fail after the database is back, in seconds.
const RECOVERY: f64 = 30.0;

/// A run of so many seconds is long enough for acts on several people, and for undos.
const LONG: u64 = 60;

/// All of them, of a run with these options.
pub fn all(pages: &Pages, options: &Options) -> Vec<Verdict> {
    let wanted = options.acts;
    let mut verdicts = vec![
        verdict(
            pages,
            "stored",
            "Acknowledged is stored, once",
            &format!(
                "{} acts acknowledged, {} of them after more than one try",
                pages.acknowledged.len(),
                pages.figure("acts that needed more than one try")
            ),
        ),
        verdict(
            pages,
            "ends",
            "What is for a time ends by itself",
            &format!("{} ends came by themselves", pages.figure("ends that came by themselves")),
        ),
        verdict(
            pages,
            "answers",
            "Every answer is the right one",
            &format!("{} repeated leaves were answered 404", pages.figure("repeated leaves that were answered 404")),
        ),
        verdict(
            pages,
            "own",
            "Whoever acted sees it on any node",
            &format!(
                "{} times looked, {} times told to come back",
                pages.figure("looks at one's own act"),
                pages.figure("looks at one's own act answered 503")
            ),
        ),
        verdict(pages, "log", "The log has no gap", &format!("{} events", pages.figure("events stored"))),
        verdict(
            pages,
            "owners",
            "Exactly one owner, always",
            &format!("asked {} times, and of every node at the end", pages.figure("times the owners were counted")),
        ),
        verdict(
            pages,
            "order",
            "Streams: no gap, no repetition, no wrong order",
            &format!(
                "{} messages of data, {} of screens",
                pages.figure("messages of data streams"),
                pages.figure("messages of screens")
            ),
        ),
        anew(pages),
        verdict(
            pages,
            "received",
            "What was told is what is stored",
            &format!("{} messages held against the log", pages.figure("messages checked")),
        ),
        verdict(
            pages,
            "revoked",
            "Nothing to whoever is out",
            &format!("{} streams ended for that", pages.figure("streams revoked")),
        ),
        verdict(
            pages,
            "present",
            "Everybody is up to date in the end",
            &format!(
                "{} viewers, the last after {:.1} s",
                pages.figure("viewers"),
                pages.figure("last viewer up to date after, ms") as f64 / 1000.0
            ),
        ),
        verdict(
            pages,
            "screens",
            "Every screen is what a fresh page is",
            &format!("{} screens compared", pages.figure("screens compared")),
        ),
        verdict(pages, "statuses", "Every screen knows who is there", "compared with a fresh page once all is quiet"),
        verdict(pages, "lists", "Every node lists what is stored", "all groups of all nodes"),
        verdict(
            pages,
            "reads",
            "Reads go on",
            &format!(
                "{} reads of single nodes from memory, the slowest {} ms",
                pages.seconds.iter().map(|second| u64::from(second.reads)).sum::<u64>(),
                pages.figure("slowest read from memory, ms")
            ),
        ),
        verdict(
            pages,
            "mirror",
            "A mirror that follows webhooks is exact",
            &format!(
                "{} webhooks, {} of them again; it asked whom {} large syncs touched; {} acts of the host, {} uploads \
                 among what the host asked for",
                pages.figure("webhooks delivered"),
                pages.figure("webhooks delivered again"),
                pages.figure("syncs that the mirror asked about"),
                pages.figure("acts of the host"),
                pages.figure("uploads of the host"),
            ),
        ),
        requests(pages, options.crowd),
        snapshots(pages),
        verdict(pages, "nodes", "No node ended by itself", "but without a database at its start"),
        verdict(pages, "drain", "Told to end, a node ends within 6 s", ""),
    ];
    verdicts.retain(|verdict| !verdict.words.is_empty() || !verdict.sound);
    verdicts.extend(wanted.map(|wanted| reached(pages, wanted)));
    // Once a tail of the log was lost, only the host has acted.
    let have_people_acted = pages.figure("tails that were lost") == 0;
    verdicts.extend(wanted.filter(|_| have_people_acted).map(|_| kinds(pages)));
    verdicts.extend((have_people_acted && options.seconds >= LONG).then(|| several(pages)));
    verdicts.push(front(pages));
    verdicts.push(refusals(pages));
    verdicts.push(recovery(pages));
    verdicts
}

fn verdict(pages: &Pages, checker: &str, name: &'static str, words: &str) -> Verdict {
    match pages.violations.get(checker) {
        None => Verdict { name, sound: true, words: words.into(), examples: Vec::new() },
        Some(violation) => Verdict {
            name,
            sound: false,
            words: format!("{} times not. {words}", violation.count),
            examples: violation.examples.clone(),
        },
    }
}

/// No viewer is away for more events than are kept, so a stream begins anew only after a tail of the log was lost.
fn anew(pages: &Pages) -> Verdict {
    if pages.figure("tails that were lost") > 0 {
        let words = format!("{} data streams began anew after lost tails", pages.figure("resyncs of data streams"));
        return Verdict { name: "Streams go on where they were", sound: true, words, examples: Vec::new() };
    }
    verdict(
        pages,
        "resyncs",
        "Streams go on where they were",
        &format!(
            "{} screens came back, {} looked again because their viewer's rights changed",
            pages.figure("screens that came back"),
            pages.figure("screens that were renewed"),
        ),
    )
}

/// A mirror makes a request only for what no webhook has: the people of a sync of more of them than a webhook lists, and
/// snapshots after a lost tail of the log.
fn requests(pages: &Pages, crowd: u64) -> Verdict {
    let (people, snapshots) = (pages.figure(ASKED_PEOPLE), pages.figure(ASKED_SNAPSHOTS));
    let (is_crowd_listed, is_log_whole) = (crowd <= LISTED, pages.figure("tails that were lost") == 0);
    Verdict {
        name: "A mirror asks only for what no webhook has",
        sound: (people == 0 || !is_crowd_listed) && (snapshots == 0 || !is_log_whole),
        words: format!(
            "{people} requests for people of syncs (uploads had at most {crowd}, a webhook lists at most {LISTED}), \
             {snapshots} for snapshots"
        ),
        examples: Vec::new(),
    }
}

/// A mirror takes snapshots of all groups at most once for each lost tail of the log. After a lost tail, one that took
/// none would be right only by chance.
fn snapshots(pages: &Pages) -> Verdict {
    let (lost, taken) = (pages.figure("tails that were lost"), pages.figure("times the mirror took snapshots"));
    Verdict {
        name: "One snapshot makes the mirror right again",
        sound: taken <= lost && (taken > 0 || lost == 0),
        words: format!("{lost} tails of the log lost, snapshots taken {taken} times"),
        examples: Vec::new(),
    }
}

/// A run that ended before the wanted number of acts proves nothing about the rest.
fn reached(pages: &Pages, wanted: u64) -> Verdict {
    let acts = pages.acts();
    Verdict {
        name: "As many acts as were wanted",
        sound: acts >= wanted,
        words: format!("{acts} acts were answered with yes, {wanted} were wanted"),
        examples: Vec::new(),
    }
}

/// A run in which a kind of act never happened proves nothing about that kind.
fn kinds(pages: &Pages) -> Verdict {
    let missing: Vec<&str> = KINDS.into_iter().filter(|kind| pages.figure(kind) == 0).collect();
    Verdict {
        name: "Acts of every kind",
        sound: missing.is_empty(),
        words: format!("{} of {} kinds of events were delivered", KINDS.len() - missing.len(), KINDS.len()),
        examples: missing.into_iter().map(|kind| format!("{kind} was never delivered")).collect(),
    }
}

/// A run in which nobody acted on several people, or undid anything, proves nothing about that.
fn several(pages: &Pages) -> Verdict {
    let many = pages.figure("acts on several people at once");
    let (many_undone, undone) =
        (pages.figure("acts on several people that were put back"), pages.figure("acts that were put back one by one"));
    Verdict {
        name: "Acts on several people, and undos",
        sound: many > 0 && many_undone > 0 && undone > 0,
        words: format!("{many} acts on several people, {many_undone} of them put back; {undone} put back one by one"),
        examples: Vec::new(),
    }
}

fn front(pages: &Pages) -> Verdict {
    let (all, failed) = (pages.figure("reads through the front"), pages.figure("reads through the front that failed"));
    let whole = pages.figure("of these with all nodes there");
    Verdict {
        name: "Reads go on through the front",
        sound: failed as f64 <= all as f64 * READS,
        words: format!("{failed} of {all} failed (at most {} %), {whole} of them with all nodes there", READS * 100.0),
        examples: Vec::new(),
    }
}

fn refusals(pages: &Pages) -> Verdict {
    let mut refused = Vec::new();
    for (at, took) in pages.refused.iter().copied() {
        let here = |fault: &&Past| fault.from < at && fault.to.is_none_or(|to| to > at - took);
        let faults: Vec<&str> = pages.faults.iter().filter(here).map(|fault| fault.name).collect();
        // A frozen node answers only once it runs again.
        if !faults.iter().any(|name| matches!(*name, "node-freeze" | "node-fence")) {
            let slow = faults.iter().any(|name| name.ends_with("-slow"));
            refused.push((took, if slow { SLOW_REFUSAL } else { REFUSAL }, at - took, faults.join(", ")));
        }
    }
    refused.sort_by(|one, other| one.0.total_cmp(&other.0));
    let half = refused.get(refused.len() / 2).map_or(0.0, |(took, ..)| *took);
    let slowest = |slow: bool| {
        let like = refused.iter().filter(|(_, limit, ..)| (*limit == SLOW_REFUSAL) == slow);
        like.map(|(took, ..)| *took).fold(0.0, f64::max)
    };
    let too_slow = refused.iter().rev().filter(|(took, limit, ..)| took > limit).take(12);
    let examples = too_slow.map(|(took, _, from, faults)| {
        format!("asked at {from:.1} s, answered or given up {took:.1} s later; meanwhile {faults}")
    });
    let examples: Vec<String> = examples.collect();
    Verdict {
        name: "503 comes quickly",
        sound: examples.is_empty(),
        words: format!(
            "{} times, half within {half:.2} s, all within {:.2} s (at most {REFUSAL} s), beside a slow database \
             within {:.2} s (at most {SLOW_REFUSAL} s)",
            refused.len(),
            slowest(false),
            slowest(true)
        ),
        examples,
    }
}

fn recovery(pages: &Pages) -> Verdict {
    let mut recoveries = recoveries(pages);
    recoveries.sort_by(|one, other| other.1.total_cmp(&one.1));
    let slowest = recoveries.first().cloned().unwrap_or_default();
    Verdict {
        name: "Acts succeed again by themselves",
        sound: slowest.1 <= RECOVERY,
        words: match recoveries.len() {
            0 => "the database was never away, or nobody acted whose acts are counted".into(),
            count => {
                format!("{count} times, the slowest {:.1} s after {} (at most {RECOVERY} s)", slowest.1, slowest.0)
            }
        },
        examples: Vec::new(),
    }
}

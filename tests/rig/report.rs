//! The report: one page with a timeline, for people.

use std::fmt::Write;

use super::checks::Verdict;
use super::notes::{Pages, Past, Second};

/// What the page is about.
pub struct Run<'a> {
    pub command: String,
    pub seed: u64,
    pub setting: String,
    pub pages: &'a Pages,
    pub verdicts: &'a [Verdict],
}

/// Width of the timeline, and where it begins, in its own units.
const WIDTH: f64 = 1000.0;
const LEFT: f64 = 110.0;
/// Height of a row with a curve, and of one with bars.
const CURVE: f64 = 54.0;
const BAR: f64 = 22.0;

/// The page.
pub fn page(run: &Run<'_>) -> String {
    let wrong = run.verdicts.iter().filter(|verdict| !verdict.sound).count();
    let (mood, summary) = match wrong {
        0 => ("good", "Everything held.".to_owned()),
        1 => ("bad", "One promise did not hold.".to_owned()),
        _ => ("bad", format!("{wrong} promises did not hold.")),
    };
    let mut html = format!(
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>\
         <title>Chaos {}: {summary}</title><style>{STYLE}</style><main>\
         <h1>Chaos, seed {}</h1><p class='summary {mood}'>{summary}</p><p>{}</p>\
         <p>Again: <code>{}</code></p>",
        run.seed,
        run.seed,
        escape(&run.setting),
        escape(&run.command)
    );
    html += "<h2>What was promised</h2><ul class=verdicts>";
    for verdict in run.verdicts {
        let (class, sign) = if verdict.sound { ("good", "✓") } else { ("bad", "✗") };
        let _ = write!(
            html,
            "<li class={class}><b><span aria-hidden=true>{sign}</span> {}</b> <span>{}</span>",
            verdict.name,
            escape(&verdict.words)
        );
        if !verdict.examples.is_empty() {
            html += "<details open><summary>Examples</summary><ul>";
            for example in &verdict.examples {
                let _ = write!(html, "<li>{}", escape(example));
            }
            html += "</ul></details>";
        }
    }
    html += "</ul><h2>What happened when</h2>";
    html += &timeline(run.pages);
    html += &faults(run.pages);
    html += "<h2>Figures</h2><table><tbody>";
    for (name, value) in &run.pages.figures {
        let _ = write!(html, "<tr><th scope=row>{name}<td class=number>{value}");
    }
    html + "</table></main></html>\n"
}

fn timeline(pages: &Pages) -> String {
    let seconds = &pages.seconds;
    let length = seconds.len().max(1) as f64;
    let x = |at: f64| LEFT + at / length * (WIDTH - LEFT);
    let mut names: Vec<&str> = pages.faults.iter().map(|fault| fault.name).collect();
    names.sort_unstable();
    names.dedup();
    let curves: [(&str, &str, fn(&Second) -> f64); 6] = [
        ("acts/s", "acts", |second| second.acknowledged.into()),
        ("503/s", "busy", |second| second.unavailable.into()),
        ("no answer/s", "lost", |second| second.lost.into()),
        ("streams open", "streams", |second| second.streams.into()),
        ("connects/s", "connects", |second| second.connected.into()),
        ("oldest news, s", "stale", |second| second.staleness.into()),
    ];
    let bars = names.len() as f64 * BAR;
    let height = bars + curves.len() as f64 * CURVE + 30.0;
    let mut svg = format!(
        "<div class=scroll><svg viewBox='0 0 {WIDTH} {height}' role=img aria-label='Timeline of faults, acts and streams'>"
    );
    let step = [1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0]
        .into_iter()
        .find(|step| length / step <= 16.0)
        .unwrap_or(1800.0);
    let mut at = 0.0;
    while at <= length {
        let _ = write!(
            svg,
            "<line class=grid x1={x:.1} x2={x:.1} y1=0 y2={y:.1} /><text class=tick x={x:.1} y={t:.1}>{at:.0}&#8201;s</text>",
            x = x(at),
            y = height - 22.0,
            t = height - 6.0
        );
        at += step;
    }
    for (row, name) in names.iter().enumerate() {
        let y = row as f64 * BAR;
        let _ = write!(svg, "<text class=label x=0 y={:.1}>{name}</text>", y + 15.0);
        for fault in pages.faults.iter().filter(|fault| fault.name == *name) {
            let (from, to) = (x(fault.from), x(fault.to.unwrap_or(length)));
            let class = if fault.away { "away" } else { "fault" };
            let _ = write!(
                svg,
                "<rect class={class} x={from:.1} y={:.1} width={:.1} height={:.1} rx=3><title>{}</title></rect>",
                y + 4.0,
                (to - from).max(3.0),
                BAR - 8.0,
                escape(&fault.what)
            );
        }
    }
    for (row, (name, class, value)) in curves.iter().enumerate() {
        let base = bars + (row + 1) as f64 * CURVE;
        let most = seconds.iter().map(value).fold(0.0, f64::max);
        let _ = write!(
            svg,
            "<text class=label x=0 y={:.1}>{name}</text><text class=most x=0 y={:.1}>most {most:.1}</text><line class=base x1={LEFT} x2={WIDTH} y1={base:.1} y2={base:.1} />",
            base - 20.0,
            base - 5.0
        );
        if most > 0.0 {
            let mut points = format!("{LEFT:.1},{base:.1}");
            for (at, second) in seconds.iter().enumerate() {
                let y = base - value(second) / most * (CURVE - 10.0);
                let _ = write!(points, " {:.1},{y:.1} {:.1},{y:.1}", x(at as f64), x(at as f64 + 1.0));
            }
            let _ = write!(svg, "<polygon class={class} points='{points} {WIDTH:.1},{base:.1}' />");
        }
    }
    svg + "</svg></div><p class=legend><span class=away></span> acts cannot succeed <span class=fault></span> another fault</p>"
}

fn faults(pages: &Pages) -> String {
    let mut table = String::from(
        "<div class=scroll><table class=wide><thead><tr><th>from<th>lasted<th>fault<th>what<th class=number>acts<th class=number>503<th class=number>no answer</thead><tbody>",
    );
    for fault in &pages.faults {
        let during = during(pages, fault);
        let sum = |value: fn(&Second) -> u32| during.iter().map(value).sum::<u32>();
        let lasted = fault.to.map_or("to the end".into(), |to| format!("{:.1} s", to - fault.from));
        let _ = write!(
            table,
            "<tr><td class=number>{:.1} s<td class=number>{lasted}<td>{}<td>{}<td class=number>{}<td class=number>{}<td class=number>{}",
            fault.from,
            fault.name,
            escape(&fault.what),
            sum(|second| second.acknowledged),
            sum(|second| second.unavailable),
            sum(|second| second.lost)
        );
    }
    table + "</table></div>"
}

fn during<'a>(pages: &'a Pages, fault: &Past) -> &'a [Second] {
    let last = pages.seconds.len();
    let to = fault.to.map_or(last, |to| to.ceil() as usize).min(last);
    &pages.seconds[(fault.from as usize).min(to)..to]
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;")
}

const STYLE: &str = "
:root { color-scheme: light dark; --ink: light-dark(#1c2330, #e6e9ef); --soft: light-dark(#5b6472, #9aa4b2);
  --line: light-dark(#dfe3e8, #333b47); --paper: light-dark(#fff, #14181f); --good: light-dark(#1a7f4b, #5ad19a);
  --bad: light-dark(#c22f2f, #ff8a80); --away: light-dark(#d9534f, #e0625e); --fault: light-dark(#e0a84b, #c9943d) }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
main { max-inline-size: 1060px; margin: auto; padding: 24px 16px 64px }
h1 { font-size: 1.6rem; margin: 0 } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem }
.summary { font-size: 1.2rem; font-weight: 600; margin: .25rem 0 1rem }
.good > b, .summary.good { color: var(--good) } .bad > b, .summary.bad { color: var(--bad) }
code { overflow-wrap: anywhere; background: color-mix(in srgb, var(--line) 45%, transparent); padding: .1em .35em; border-radius: 4px }
.verdicts { list-style: none; margin: 0; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 320px), 1fr)); gap: 8px }
.verdicts > li { border: 1px solid var(--line); border-radius: 8px; padding: 8px 12px; overflow-wrap: anywhere }
.verdicts > li.bad { grid-column: 1 / -1; border-color: var(--bad) }
.verdicts b { display: block } .verdicts > li > span { color: var(--soft); font-size: .9rem }
details { font-size: .85rem; margin-block-start: .5rem } details ul { padding-inline-start: 1.2rem; margin: .25rem 0 }
.scroll { overflow-x: auto } svg { display: block; min-inline-size: 640px; inline-size: 100%; font: 11px system-ui, sans-serif }
svg text { fill: var(--ink) } svg .tick, svg .most { fill: var(--soft); font-size: 10px } svg .tick { text-anchor: middle }
svg .grid { stroke: var(--line) } svg .base { stroke: var(--soft); stroke-width: .6 }
svg .fault { fill: var(--fault) } svg .away { fill: var(--away) } svg .acts { fill: var(--good) } svg .busy { fill: var(--fault) }
svg .lost { fill: var(--away) } svg .streams, svg .connects, svg .stale { fill: light-dark(#4a7bd0, #7ea6ee) }
.legend { color: var(--soft); font-size: .85rem; margin: .25rem 0 1rem } .legend span { display: inline-block; inline-size: 1em; block-size: .7em; border-radius: 2px; margin-inline-start: 1em }
.legend .away { background: var(--away) } .legend .fault { background: var(--fault) }
.wide { min-inline-size: 620px }
table { border-collapse: collapse; font-size: .9rem; inline-size: 100% } th { text-align: start; font-weight: 600 } tbody th { font-weight: 400 }
td, th { padding: 4px 10px 4px 0; border-block-end: 1px solid var(--line); vertical-align: top } .number { text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums }
";

//! The report: one page with a timeline, for people.

use std::fmt::Write;

use super::checks::Verdict;
use super::notes::{Pages, Past, Second};
use super::timeline;

/// What the page is about.
pub struct Run<'a> {
    pub command: String,
    pub seed: u64,
    pub setting: String,
    pub pages: &'a Pages,
    pub verdicts: &'a [Verdict],
}

const STYLE: &str = include_str!("report.css");

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
    html += &timeline::render(run.pages);
    html += &faults(run.pages);
    html += "<h2>Figures</h2><table><tbody>";
    for (name, value) in &run.pages.figures {
        let _ = write!(html, "<tr><th scope=row>{name}<td class=number>{value}");
    }
    html + "</table></main></html>\n"
}

fn faults(pages: &Pages) -> String {
    let mut table = String::from(
        "<div class=scroll><table class=wide><thead><tr><th>from<th>lasted<th>fault<th>what\
         <th class=number>acts<th class=number>503<th class=number>no answer</thead><tbody>",
    );
    for fault in &pages.faults {
        let during = during(pages, fault);
        let sum = |value: fn(&Second) -> u32| during.iter().map(value).sum::<u32>();
        let lasted = fault.to.map_or("to the end".into(), |to| format!("{:.1} s", to - fault.from));
        let _ = write!(
            table,
            "<tr><td class=number>{:.1} s<td class=number>{lasted}<td>{}<td>{}\
             <td class=number>{}<td class=number>{}<td class=number>{}",
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

/// Text inside of markup.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;")
}

//! The timeline of a run: a row of bars for every fault, a row with a curve for everything counted.

use std::fmt::Write;

use super::notes::{Pages, Past, Second};
use super::report::escape;

/// Its name, its class, and what it shows of a second.
type Curve = (&'static str, &'static str, fn(&Second) -> f64);

const CURVES: [Curve; 6] = [
    ("acts/s", "acts", |second| second.acknowledged as f64),
    ("503/s", "busy", |second| second.unavailable as f64),
    ("no answer/s", "lost", |second| second.lost as f64),
    ("streams open", "streams", |second| second.streams as f64),
    ("connects/s", "connects", |second| second.connected as f64),
    ("oldest news, s", "stale", |second| second.staleness as f64),
];

/// Width of the drawing, and where its time begins, in its own units.
const WIDTH: f64 = 1000.0;
const LEFT: f64 = 110.0;
/// Height of a row with a curve, and of one with bars.
const CURVE: f64 = 54.0;
const BAR: f64 = 22.0;
/// What the seconds below take.
const FOOT: f64 = 30.0;

/// The length of a run, and the place of a second in the drawing.
struct Scale {
    seconds: f64,
}

impl Scale {
    fn x(&self, at: f64) -> f64 {
        LEFT + at / self.seconds * (WIDTH - LEFT)
    }

    /// Seconds between two lines, so that they are few and round.
    fn step(&self) -> f64 {
        let steps = [1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0];
        steps.into_iter().find(|step| self.seconds / step <= 16.0).unwrap_or(1800.0)
    }
}

/// The drawing, with its legend.
pub fn render(pages: &Pages) -> String {
    let scale = Scale { seconds: pages.seconds.len().max(1) as f64 };
    let mut names: Vec<&str> = pages.faults.iter().map(|fault| fault.name).collect();
    names.sort_unstable();
    names.dedup();
    let bars = names.len() as f64 * BAR;
    let height = bars + CURVES.len() as f64 * CURVE + FOOT;
    let mut svg = format!(
        "<div class=scroll><svg viewBox='0 0 {WIDTH} {height}' role=img \
         aria-label='Timeline of faults, acts and streams'>"
    );
    svg += &lines(&scale, height);
    for (row, name) in names.iter().enumerate() {
        let of_name = pages.faults.iter().filter(|fault| fault.name == *name);
        svg += &row_of_bars(&scale, row as f64 * BAR, name, of_name);
    }
    for (row, curve) in CURVES.iter().enumerate() {
        svg += &row_with_curve(&scale, bars + (row + 1) as f64 * CURVE, curve, &pages.seconds);
    }
    svg + "</svg></div><p class=legend><span class=away></span> acts cannot succeed \
           <span class=fault></span> another fault</p>"
}

fn lines(scale: &Scale, height: f64) -> String {
    let (mut svg, mut at) = (String::new(), 0.0);
    let (end, text) = (height - 22.0, height - 6.0);
    while at <= scale.seconds {
        let x = scale.x(at);
        let _ = write!(svg, "<line class=grid x1={x:.1} x2={x:.1} y1=0 y2={end:.1} />");
        let _ = write!(svg, "<text class=tick x={x:.1} y={text:.1}>{at:.0}&#8201;s</text>");
        at += scale.step();
    }
    svg
}

fn row_of_bars<'a>(scale: &Scale, top: f64, name: &str, faults: impl Iterator<Item = &'a Past>) -> String {
    let mut svg = format!("<text class=label x=0 y={:.1}>{name}</text>", top + 15.0);
    for fault in faults {
        let (from, to) = (scale.x(fault.from), scale.x(fault.to.unwrap_or(scale.seconds)));
        let class = if fault.away { "away" } else { "fault" };
        let (y, width, height) = (top + 4.0, (to - from).max(3.0), BAR - 8.0);
        let _ = write!(
            svg,
            "<rect class={class} x={from:.1} y={y:.1} width={width:.1} height={height:.1} rx=3>\
             <title>{}</title></rect>",
            escape(&fault.what)
        );
    }
    svg
}

fn row_with_curve(scale: &Scale, base: f64, (name, class, value): &Curve, seconds: &[Second]) -> String {
    let most = seconds.iter().map(value).fold(0.0, f64::max);
    let (label, most_at) = (base - 20.0, base - 5.0);
    let mut svg = format!(
        "<text class=label x=0 y={label:.1}>{name}</text><text class=most x=0 y={most_at:.1}>most {most:.1}</text>\
         <line class=base x1={LEFT} x2={WIDTH} y1={base:.1} y2={base:.1} />"
    );
    if most > 0.0 {
        let mut points = format!("{LEFT:.1},{base:.1}");
        for (at, second) in seconds.iter().enumerate() {
            let y = base - value(second) / most * (CURVE - 10.0);
            let (from, to) = (scale.x(at as f64), scale.x(at as f64 + 1.0));
            let _ = write!(points, " {from:.1},{y:.1} {to:.1},{y:.1}");
        }
        let _ = write!(svg, "<polygon class={class} points='{points} {WIDTH:.1},{base:.1}' />");
    }
    svg
}

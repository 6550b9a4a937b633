//! The requested part of the list.

use super::negotiate::{END, Format, PLACES, RequestInfo};
use crate::domain::OrderKey;
use crate::http::problem::Problem;
use crate::roster::{Filter, PageRange, RangePart, Roster};
use crate::views::Props;

/// Most rows of a window that ends at the place `until`.
const WITHIN: usize = 1000;
/// Rows around a member, at least.
const AROUND: usize = 30;

/// The part that the parameters `cursor`, `before`, `from` and `until` name; the first rows without them.
///
/// # Errors
/// When one of them is no place, or `cursor` or `before` is not the only one.
pub(in crate::http) fn parse(info: &RequestInfo, props: &Props) -> Result<PageRange, Problem> {
    let values = PLACES.map(|name| (name, info.value(name)));
    let mut given = values.iter().filter(|(_, value)| value.is_some()).map(|(name, _)| *name);
    if let (Some(first @ ("cursor" | "before")), Some(second)) = (given.next(), given.next()) {
        return Err(Problem::invalid(format!("{first}: not together with {second}")));
    }
    let [cursor, before, from, until] = values;
    let part = if before.1.as_deref() == Some(END) {
        RangePart::Last
    } else {
        match (place(cursor)?, place(before)?, place(from)?, place(until)?) {
            (Some(cursor), ..) => RangePart::After(cursor),
            (_, Some(before), ..) => RangePart::Before(before),
            (None, None, None, None) => RangePart::First,
            (None, None, from, until) => RangePart::Within { from, until },
        }
    };
    let limit = if matches!(part, RangePart::Within { until: Some(_), .. }) { WITHIN } else { props.limit() };
    Ok(PageRange { part, limit })
}

fn place((name, value): (&str, Option<String>)) -> Result<Option<OrderKey>, Problem> {
    let Some(value) = value else { return Ok(None) };
    OrderKey::parse(&value).map(Some).ok_or_else(|| Problem::no_place(name))
}

/// The range of a page whose address names a member: the rows around them. It stays as it is when the first rows have the
/// member, or when this view does not show them.
pub(in crate::http) fn around_named(
    range: PageRange,
    info: &RequestInfo,
    roster: &Roster,
    filter: &Filter,
) -> PageRange {
    if info.format != Format::Page || range.part != RangePart::First {
        return range;
    }
    let named = info.value("member").and_then(|uid| roster.get(&uid)).filter(|member| roster.shows(filter, member));
    let Some(member) = named else { return range };
    let window = roster.window(filter, &range);
    if window.members.last().is_some_and(|last| last.order() >= member.order()) {
        return range;
    }
    PageRange { part: RangePart::Around(OrderKey::of(member)), limit: range.limit.max(AROUND) }
}

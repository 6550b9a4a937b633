//! Bounds on what a template builds up before it writes it. minijinja counts steps; a step that doubles a text costs one, so
//! that forty of them would take all memory. Here every value that grows is measured before it can grow again, by filters
//! that `marks` puts into the source.

use std::cell::Cell;

use minijinja::value::{Value, ValueKind};
use minijinja::{Environment, Error, ErrorKind};

/// Most bytes of a text, or of all texts in a list, that a template builds.
const MAX_VALUE: usize = 64 << 10;
/// Longest text that is an argument of a filter, in bytes.
const MAX_ARGUMENT: usize = 1 << 10;
/// Largest number that is an argument of a filter.
const MAX_NUMBER: i64 = 1_000;
/// Most bytes that one rendering writes with `{{ }}`, also into variables and macros.
const MAX_WRITTEN: usize = 256 << 10;
/// Most bytes of plain text that all steps of one rendering could write.
const MAX_PLAIN: u64 = 256 << 20;
/// The filters that the rewritten source names. A template that names them gains nothing.
pub(super) const BOUNDED: &str = "__bounded";
pub(super) const SMALL: &str = "__small";
const TIMES: &str = "__times";

thread_local! {
    static WRITTEN: Cell<usize> = const { Cell::new(0) };
}

/// Adds the filters that measure values.
pub(super) fn add_filters(environment: &mut Environment<'static>) {
    // The width of a number in a format would be a length that nothing measures.
    environment.remove_filter("format");
    environment.add_filter(BOUNDED, |value: &Value| within(value, MAX_VALUE).map(|()| value.clone()));
    environment.add_filter(TIMES, times);
    environment.add_filter(SMALL, |value: &Value| small(value).map(|()| value.clone()));
}

/// The most steps of a rendering, at most `most`: each step may write the longest source once.
pub(super) fn steps<'a>(most: u64, sources: impl Iterator<Item = &'a String>) -> u64 {
    let longest = sources.map(String::len).max().unwrap_or(0).max(1);
    most.min(MAX_PLAIN / longest as u64)
}

/// A rendering begins on this thread.
pub(super) fn begin() {
    WRITTEN.set(0);
}

/// Counts what a rendering writes.
///
/// # Errors
/// When it is too much.
pub(super) fn count(text: &str) -> Result<(), Error> {
    WRITTEN.set(WRITTEN.get().saturating_add(text.len()));
    if WRITTEN.get() > MAX_WRITTEN { Err(too_long(MAX_WRITTEN)) } else { Ok(()) }
}

fn too_long(most: usize) -> Error {
    let problem = format!("it builds up a text or a list of more than {} KiB", most >> 10);
    Error::new(ErrorKind::InvalidOperation, problem)
}

fn within(value: &Value, most: usize) -> Result<(), Error> {
    let mut left = most;
    if measure(value, &mut left) { Ok(()) } else { Err(too_long(most)) }
}

/// A product, measured before it is made.
fn times(left: &Value, right: &Value) -> Result<Value, Error> {
    let grows = |value: &Value| matches!(value.kind(), ValueKind::String | ValueKind::Seq | ValueKind::Iterable);
    let (value, number) = match (grows(left), grows(right)) {
        (false, false) => return product(left, right),
        (true, _) => (left, right),
        (false, true) => (right, left),
    };
    let wrong = |problem: &'static str| Error::new(ErrorKind::InvalidOperation, problem);
    let number = number.as_usize().ok_or_else(|| wrong("texts and lists can only be multiplied with whole numbers"))?;
    let mut left = MAX_VALUE;
    let fits =
        measure(value, &mut left) && (MAX_VALUE - left).checked_mul(number).is_some_and(|size| size <= MAX_VALUE);
    if !fits {
        return Err(too_long(MAX_VALUE));
    }
    match value.as_str() {
        Some(text) => Ok(text.repeat(number).into()),
        None => {
            let items: Vec<Value> = value.try_iter()?.collect();
            Ok(std::iter::repeat_n(items, number).flatten().collect::<Vec<_>>().into())
        }
    }
}

/// A product of numbers.
fn product(left: &Value, right: &Value) -> Result<Value, Error> {
    let wrong = || {
        let problem = format!("{} and {} cannot be multiplied", left.kind(), right.kind());
        Error::new(ErrorKind::InvalidOperation, problem)
    };
    let is_whole = |value: &Value| value.is_integer() || value.kind() == ValueKind::Bool;
    if is_whole(left) && is_whole(right) {
        let (left, right) = (i128::try_from(left.clone())?, i128::try_from(right.clone())?);
        return left.checked_mul(right).map(Value::from).ok_or_else(wrong);
    }
    match (f64::try_from(left.clone()), f64::try_from(right.clone())) {
        (Ok(left), Ok(right)) => Ok((left * right).into()),
        _ => Err(wrong()),
    }
}

fn small(value: &Value) -> Result<(), Error> {
    if value.as_i64().is_some_and(|number| number.abs() > MAX_NUMBER) {
        let problem = format!("an argument of a filter is at most {MAX_NUMBER}");
        return Err(Error::new(ErrorKind::InvalidOperation, problem));
    }
    within(value, MAX_ARGUMENT)
}

/// Subtracts the size of a value from the remaining allowance; `false` when it does not fit. A value that is in a
/// list twice counts twice, as it is written twice.
fn measure(value: &Value, left: &mut usize) -> bool {
    let mut take = |bytes: usize| {
        let fits = *left >= bytes;
        *left = left.saturating_sub(bytes);
        fits
    };
    match value.kind() {
        ValueKind::String | ValueKind::Bytes => take(value.len().unwrap_or(0)),
        // A value without a length is made while it is read, one element at a time.
        ValueKind::Seq | ValueKind::Iterable | ValueKind::Map if value.len().is_some() => {
            let is_map = value.kind() == ValueKind::Map;
            take(1)
                && value.try_iter().is_ok_and(|mut items| {
                    items.all(|item| {
                        let held = if is_map { value.get_item(&item).unwrap_or_default() } else { Value::default() };
                        measure(&item, left) && measure(&held, left)
                    })
                })
        }
        _ => take(1),
    }
}

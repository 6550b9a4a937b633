//! Bounds on what a template builds up before it writes it. minijinja counts steps; a step that doubles a text costs one, so
//! that forty of them would take all memory. Here every value that grows is measured before it can grow again, by filters
//! that `marks` puts into the source, and by the functions that make dictionaries and namespaces.

use std::cell::Cell;

use minijinja::value::{Kwargs, Value, ValueKind, ValueOrKwargs};
use minijinja::{Environment, Error, ErrorKind, functions};

/// Most bytes of a text, or of all texts in a list, that a template builds.
const MAX_VALUE: usize = 64 << 10;
/// Most levels of lists within each other: whatever reads a value, or drops it, descends into them.
const MAX_LEVELS: usize = 32;
/// Longest text that is an argument of a filter, in bytes.
const MAX_ARGUMENT: usize = 1 << 10;
/// Largest number that is an argument of a filter.
const MAX_NUMBER: i64 = 1_000;
/// Most bytes that one rendering writes with `{{ }}`, also into variables and macros.
const MAX_WRITTEN: usize = 256 << 10;
/// Most bytes that the filters of one rendering are given, and slices make. One that sorts or splits takes a step, and time for each letter.
const MAX_FILTERED: usize = 2 << 20;
/// Most bytes of plain text that all steps of one rendering could write.
const MAX_PLAIN: u64 = 256 << 20;
/// The filters that the rewritten source names. A template that names them gains nothing.
pub(super) const BOUNDED: &str = "__bounded";
pub(super) const FILTERED: &str = "__filtered";
pub(super) const SMALL: &str = "__small";
pub(super) const STORED: &str = "__stored";
const TIMES: &str = "__times";

thread_local! {
    static WRITTEN: Cell<usize> = const { Cell::new(0) };
    static FILTERED_BYTES: Cell<usize> = const { Cell::new(0) };
}

/// Adds the filters and functions that measure values.
pub(super) fn add(environment: &mut Environment<'static>) {
    // The width of a number in a format would be a length that nothing measures.
    environment.remove_filter("format");
    environment.add_filter(BOUNDED, |value: &Value| bounded(value.clone()));
    environment.add_filter(FILTERED, |value: &Value| filtered(value.clone()));
    environment.add_filter(STORED, stored);
    environment.add_function("dict", |value: Option<Value>, named: Kwargs| bounded(functions::dict(value, named)?));
    environment.add_function("namespace", |values: Option<ValueOrKwargs>| bounded(functions::namespace(values)?));
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
    FILTERED_BYTES.set(0);
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

fn too_deep() -> Error {
    let problem = format!("it builds up a list within lists, more than {MAX_LEVELS} levels of them");
    Error::new(ErrorKind::InvalidOperation, problem)
}

/// Checks the size of a value before it is printed.
///
/// # Errors
/// When it is too large.
pub(super) fn check(value: &Value) -> Result<(), Error> {
    within(value, MAX_VALUE)
}

fn bounded(value: Value) -> Result<Value, Error> {
    check(&value).map(|()| value)
}

/// What a filter is given, or a slice has made.
fn filtered(value: Value) -> Result<Value, Error> {
    let size = size_within(&value, MAX_VALUE)?;
    FILTERED_BYTES.set(FILTERED_BYTES.get() + size);
    if FILTERED_BYTES.get() > MAX_FILTERED {
        let problem = format!("its filters and slices work through more than {} KiB", MAX_FILTERED >> 10);
        return Err(Error::new(ErrorKind::InvalidOperation, problem));
    }
    Ok(value)
}

/// A value that is put into a namespace. Another namespace is none: one that holds itself would have no end.
fn stored(value: Value) -> Result<Value, Error> {
    let made = functions::namespace(None)?;
    let namespace = made.as_object().map(|object| object.type_name());
    // A value that is too large to be traversed is refused.
    check(&value)?;
    let mut all = vec![value.clone()];
    while let Some(value) = all.pop() {
        if value.as_object().is_some_and(|object| Some(object.type_name()) == namespace) {
            let problem = "a namespace cannot be put into a namespace";
            return Err(Error::new(ErrorKind::InvalidOperation, problem));
        }
        all.extend(parts(&value));
    }
    Ok(value)
}

fn within(value: &Value, most: usize) -> Result<(), Error> {
    size_within(value, most).map(drop)
}

/// The size of a value that is no larger than so much.
fn size_within(value: &Value, most: usize) -> Result<usize, Error> {
    let mut left = most;
    if measure(value, &mut left, MAX_LEVELS)? { Ok(most - left) } else { Err(too_long(most)) }
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
    let fits = measure(value, &mut left, MAX_LEVELS)?
        && (MAX_VALUE - left).checked_mul(number).is_some_and(|size| size <= MAX_VALUE);
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

/// The length of a list or a dictionary; `None` of anything else, and where it is made while it is read, one element at a time.
fn length(value: &Value) -> Option<usize> {
    match value.kind() {
        ValueKind::Seq | ValueKind::Iterable | ValueKind::Map => value.len(),
        _ => None,
    }
}

/// The items of a list or a dictionary that has a [`length`].
fn parts(value: &Value) -> Vec<Value> {
    if length(value).is_none() {
        return Vec::new();
    }
    let items = value.try_iter().into_iter().flatten();
    if value.kind() != ValueKind::Map {
        return items.collect();
    }
    items.flat_map(|key| [value.get_item(&key).unwrap_or_default(), key]).collect()
}

/// Subtracts the size of a value from the remaining allowance; `false` when it does not fit. A value that is in a
/// list twice counts twice, as it is written twice.
///
/// # Errors
/// When it has more than so many levels.
fn measure(value: &Value, left: &mut usize, levels: usize) -> Result<bool, Error> {
    let size = match value.kind() {
        ValueKind::String | ValueKind::Bytes => value.len().unwrap_or(0),
        _ => 1,
    };
    let fits = *left >= size;
    *left = left.saturating_sub(size);
    let Some(length) = length(value).filter(|_| fits) else { return Ok(fits) };
    // Each takes at least one: a value that cannot fit is not traversed.
    if length > *left {
        return Ok(false);
    }
    let levels = levels.checked_sub(1).ok_or_else(too_deep)?;
    for part in parts(value) {
        if !measure(&part, left, levels)? {
            return Ok(false);
        }
    }
    Ok(true)
}

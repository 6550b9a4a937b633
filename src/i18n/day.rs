//! A day, formatted for people and for machines.

use std::fmt;

use askama::{FastWritable, Values};
use jiff::SignedDuration;
use jiff::civil::{Date, DateTime};

use super::locale::Lang;

/// A day in UTC. It is shown as an absolute date, which never becomes stale on an open page.
#[derive(Debug, Clone, Copy)]
pub struct Day(Option<Date>);

/// A day in one of its two formats. It is written in parts, without allocating, because every row has one.
pub struct FormattedDay {
    day: Day,
    /// The language; `None` for ISO 8601.
    lang: Option<Lang>,
}

const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);

impl Day {
    /// The day of a time in Unix seconds. A time that no calendar has is formatted as an empty text. It is counted without a time
    /// zone: a moment that has one ends a day before the year 9999 does.
    pub fn of(seconds: i64) -> Day {
        Day(EPOCH.checked_add(SignedDuration::from_secs(seconds)).ok().map(DateTime::date))
    }

    /// `2 May 2024`, in the format of a language.
    pub fn localized(self, lang: Lang) -> FormattedDay {
        FormattedDay { day: self, lang: Some(lang) }
    }

    /// `2024-05-02` (ISO 8601).
    pub fn iso(self) -> FormattedDay {
        FormattedDay { day: self, lang: None }
    }
}

impl FastWritable for FormattedDay {
    fn write_into(&self, text: &mut dyn fmt::Write, values: &dyn Values) -> askama::Result<()> {
        let Some(date) = self.day.0 else { return Ok(()) };
        if let Some(lang) = self.lang {
            let (before, after) = lang.split_at_year(date.month(), date.day());
            text.write_str(before)?;
            lang.write_year(date.year(), text)?;
            return Ok(text.write_str(after)?);
        }
        date.year().write_into(text, values)?;
        for part in [date.month(), date.day()] {
            text.write_str(if part < 10 { "-0" } else { "-" })?;
            part.write_into(text, values)?;
        }
        Ok(())
    }
}

impl fmt::Display for FormattedDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_into(f, askama::NO_VALUES).map_err(|_| fmt::Error)
    }
}

impl askama::filters::HtmlSafe for FormattedDay {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_absolute() {
        let written =
            |seconds| (Day::of(seconds).localized(Lang::EN_US).to_string(), Day::of(seconds).iso().to_string());
        assert_eq!(written(1_714_608_000), ("May 2, 2024".into(), "2024-05-02".into()));
        assert_eq!(written(1_734_652_799), ("Dec 19, 2024".into(), "2024-12-19".into()));
        assert_eq!(written(253_402_300_799), ("Dec 31, 9999".into(), "9999-12-31".into()));
        assert_eq!(written(i64::MAX), (String::new(), String::new()));
    }
}

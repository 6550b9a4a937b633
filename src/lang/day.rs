//! A day, written for people and for machines.

use std::fmt;

use askama::{FastWritable, Values};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::Offset;

use super::locale::Lang;

/// A day as people read it and as machines do. Dates are absolute: they never go stale.
#[derive(Debug, Clone, Copy)]
pub struct Day(Option<Date>);

/// One of the two ways to write a day, written piece by piece: rows are many.
pub struct Written {
    day: Day,
    /// The language; `None` for machines.
    lang: Option<Lang>,
}

impl Day {
    /// The day of this moment, seconds since the epoch, in UTC; nothing is written of one that no
    /// calendar has.
    pub fn of(seconds: i64) -> Day {
        Day(Timestamp::from_second(seconds).ok().map(|time| Offset::UTC.to_datetime(time).date()))
    }

    /// `2 May 2024`, as this language writes it.
    pub fn words(self, lang: Lang) -> Written {
        Written { day: self, lang: Some(lang) }
    }

    /// `2024-05-02`.
    pub fn machine(self) -> Written {
        Written { day: self, lang: None }
    }
}

impl FastWritable for Written {
    fn write_into(&self, text: &mut dyn fmt::Write, values: &dyn Values) -> askama::Result<()> {
        let Some(date) = self.day.0 else { return Ok(()) };
        if let Some(lang) = self.lang {
            let (before, after) = lang.day(date.month(), date.day());
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

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_into(f, askama::NO_VALUES).map_err(|_| fmt::Error)
    }
}

impl askama::filters::HtmlSafe for Written {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_absolute() {
        let written =
            |seconds| (Day::of(seconds).words(Lang::EN_US).to_string(), Day::of(seconds).machine().to_string());
        assert_eq!(written(1_714_608_000), ("May 2, 2024".into(), "2024-05-02".into()));
        assert_eq!(written(1_734_652_799), ("Dec 19, 2024".into(), "2024-12-19".into()));
        assert_eq!(written(i64::MAX), (String::new(), String::new()));
    }
}

//! Formats of dates and numbers, by CLDR. Dates are of the Gregorian calendar, in UTC.

use std::fmt;

use icu_calendar::Gregorian;
use icu_datetime::FixedCalendarDateTimeFormatter;
use icu_datetime::fieldsets::{YMD, YMDT};
use icu_datetime::input::{Date, DateTime, Time};
use icu_datetime::options::{TimePrecision, YearStyle};
use icu_decimal::DecimalFormatter;
use icu_decimal::input::Decimal;
use icu_locale::Locale;
use jiff::Timestamp;
use jiff::tz::Offset;

/// A leap year, so that every day of any year can be formatted with it.
const SAMPLE_YEAR: i32 = 2024;

/// The formats of one language.
pub(super) struct Formats {
    numbers: DecimalFormatter,
    date_times: FixedCalendarDateTimeFormatter<Gregorian, YMDT>,
    /// The text before and after the year, for every day of a leap year. Formatted once, because every row has a date.
    days: Vec<(String, String)>,
    digits: [char; 10],
}

impl Formats {
    pub(super) fn new(locale: &Locale) -> Formats {
        let numbers =
            DecimalFormatter::try_new(locale.into(), Default::default()).expect("number formats are built in");
        let date_times = YMDT::medium().with_time_precision(TimePrecision::Minute).with_year_style(YearStyle::Full);
        let date_times =
            FixedCalendarDateTimeFormatter::try_new(locale.into(), date_times).expect("date formats are built in");
        let digits: [char; 10] = std::array::from_fn(|digit| {
            numbers.format(&Decimal::from(digit)).to_string().chars().next().expect("a formatted digit is not empty")
        });
        let year: String = SAMPLE_YEAR.to_string().bytes().map(|digit| digits[usize::from(digit - b'0')]).collect();
        Formats { days: days(locale, &year), numbers, date_times, digits }
    }

    pub(super) fn number(&self, number: usize) -> String {
        self.numbers.format(&Decimal::from(number)).to_string()
    }

    /// Empty for a time that no calendar has.
    pub(super) fn date_time(&self, milliseconds: i64) -> String {
        let Ok(time) = Timestamp::from_millisecond(milliseconds) else { return String::new() };
        let time = Offset::UTC.to_datetime(time);
        let date = Date::try_new_gregorian(time.year().into(), time.month() as u8, time.day() as u8);
        let clock = Time::try_new(time.hour() as u8, time.minute() as u8, 0, 0);
        let (Ok(date), Ok(time)) = (date, clock) else { return String::new() };
        format!("{} UTC", self.date_times.format(&DateTime { date, time }))
    }

    pub(super) fn split_at_year(&self, month: i8, day: i8) -> (&str, &str) {
        let (before, after) = &self.days[(month as usize - 1) * 31 + day as usize - 1];
        (before, after)
    }

    /// Writes a year in the language's digits, without its sign.
    ///
    /// # Errors
    /// The error of `text`.
    pub(super) fn write_year(&self, year: i16, text: &mut dyn fmt::Write) -> fmt::Result {
        let year = year.unsigned_abs();
        let places = [1000, 100, 10, 1].into_iter().skip_while(|&place| year < place && place > 1);
        for place in places {
            text.write_char(self.digits[usize::from(year / place % 10)])?;
        }
        Ok(())
    }
}

/// The days of a leap year, 31 for each month, split at the year.
fn days(locale: &Locale, year: &str) -> Vec<(String, String)> {
    let format = YMD::medium().with_year_style(YearStyle::Full);
    let format = FixedCalendarDateTimeFormatter::<Gregorian, _>::try_new(locale.into(), format)
        .expect("date formats are built in");
    let split = |date| {
        let text = format.format(&date).to_string();
        let (before, after) = text.split_once(year).expect("the format contains the year");
        (before.to_owned(), after.to_owned())
    };
    let all = (1..=12).flat_map(|month| (1..=31).map(move |day| Date::try_new_gregorian(SAMPLE_YEAR, month, day)));
    all.map(|date| date.map(split).unwrap_or_default()).collect()
}

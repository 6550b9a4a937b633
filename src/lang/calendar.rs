//! Dates and numbers, by the rules of CLDR. All dates are of the Gregorian calendar and in UTC.

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

/// A leap year that stands for every other.
const ANY_YEAR: i32 = 2024;

/// How one language writes dates and numbers.
pub(super) struct Calendar {
    numbers: DecimalFormatter,
    moments: FixedCalendarDateTimeFormatter<Gregorian, YMDT>,
    /// What stands around the year, for every day of a leap year: rows are many, and days are few.
    days: Vec<(String, String)>,
    digits: [char; 10],
}

impl Calendar {
    pub(super) fn new(locale: &Locale) -> Calendar {
        let numbers = DecimalFormatter::try_new(locale.into(), Default::default()).expect("numbers are built in");
        let moments = YMDT::medium().with_time_precision(TimePrecision::Minute).with_year_style(YearStyle::Full);
        let moments = FixedCalendarDateTimeFormatter::try_new(locale.into(), moments).expect("dates are built in");
        let digits: [char; 10] = std::array::from_fn(|digit| {
            numbers.format(&Decimal::from(digit)).to_string().chars().next().expect("a digit is written with a letter")
        });
        let year: String = ANY_YEAR.to_string().bytes().map(|digit| digits[usize::from(digit - b'0')]).collect();
        Calendar { days: days(locale, &year), numbers, moments, digits }
    }

    pub(super) fn number(&self, number: usize) -> String {
        self.numbers.format(&Decimal::from(number)).to_string()
    }

    pub(super) fn moment(&self, at: i64) -> String {
        let Ok(time) = Timestamp::from_millisecond(at) else { return String::new() };
        let time = Offset::UTC.to_datetime(time);
        let date = Date::try_new_gregorian(time.year().into(), time.month() as u8, time.day() as u8);
        let clock = Time::try_new(time.hour() as u8, time.minute() as u8, 0, 0);
        let (Ok(date), Ok(time)) = (date, clock) else { return String::new() };
        format!("{} UTC", self.moments.format(&DateTime { date, time }))
    }

    pub(super) fn day(&self, month: i8, day: i8) -> (&str, &str) {
        let (before, after) = &self.days[(month as usize - 1) * 31 + day as usize - 1];
        (before, after)
    }

    pub(super) fn write_year(&self, year: i16, text: &mut dyn fmt::Write) -> fmt::Result {
        let year = year.unsigned_abs();
        let places = [1000, 100, 10, 1].into_iter().skip_while(|&place| year < place && place > 1);
        for place in places {
            text.write_char(self.digits[usize::from(year / place % 10)])?;
        }
        Ok(())
    }
}

fn days(locale: &Locale, year: &str) -> Vec<(String, String)> {
    let format = YMD::medium().with_year_style(YearStyle::Full);
    let format =
        FixedCalendarDateTimeFormatter::<Gregorian, _>::try_new(locale.into(), format).expect("dates are built in");
    let around = |date| {
        let text = format.format(&date).to_string();
        let (before, after) = text.split_once(year).expect("a date tells its year");
        (before.to_owned(), after.to_owned())
    };
    let all = (1..=12).flat_map(|month| (1..=31).map(move |day| Date::try_new_gregorian(ANY_YEAR, month, day)));
    all.map(|date| date.map(around).unwrap_or_default()).collect()
}

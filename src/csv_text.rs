//! Free text in CSV: spreadsheets take what begins like a formula for one, and run it.

/// The first characters of formulas (OWASP, CSV injection), also in their East Asian forms.
const FORMULA: [char; 10] = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'];

/// The text as a spreadsheet shows it and does not run it: behind an apostrophe, where it begins like a formula. So does a
/// text that begins with an apostrophe and would be taken for one of these, so that [`unguarded`] gives every text back.
pub(crate) fn guarded(text: &str) -> std::borrow::Cow<'_, str> {
    if is_formula(text) { format!("'{text}").into() } else { text.into() }
}

/// The text that [`guarded`] was given.
pub(crate) fn unguarded(text: &str) -> &str {
    text.strip_prefix('\'').filter(|rest| is_formula(rest)).unwrap_or(text)
}

fn is_formula(text: &str) -> bool {
    text.trim_start_matches('\'').starts_with(FORMULA)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_like_a_formula_is_guarded_and_comes_back() {
        for text in ["=1+1", "+49", "-x", "@a", "\tx", "\rx", "＝1", "'=1", "''=1", "'", "'x", "x=1", "", "É", "O'Neil"]
        {
            let safe = guarded(text);
            assert!(!safe.starts_with(FORMULA), "{text:?}");
            assert_eq!(unguarded(&safe), text);
        }
        assert_eq!((guarded("=1"), guarded("'x")), ("'=1".into(), "'x".into()));
    }
}

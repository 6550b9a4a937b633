//! How long an act can be undone.

use super::*;

#[test]
fn acts_can_be_undone_for_ten_minutes_at_most() {
    let window = |text: &str| given(&[("CGM_UNDO_WINDOW", text)], "").map(|config| config.undo_window.as_secs());
    for (text, seconds) in [("0", 0), ("45", 45), ("45s", 45), ("2min", 120), ("10 m", 600), ("600", 600)] {
        assert_eq!(window(text), Ok(seconds), "{text}");
    }
    assert_eq!(given(&[], "").unwrap().undo_window.as_secs(), 30);
    assert_eq!(given(&[], "undo-window = 45").unwrap().undo_window.as_secs(), 45);
}

#[test]
fn a_longer_time_and_nonsense_are_refused_with_what_is_allowed() {
    for text in [
        "601",
        "11min",
        "-1",
        "1.5",
        "1h",
        "min",
        "half a minute",
        "9min 30s",
        "99999999999999999999",
        // As many seconds as would be 44 in 64 bits.
        "307445734561825861min",
    ] {
        let error = given(&[("CGM_UNDO_WINDOW", text)], "").unwrap_err();
        assert!(error.starts_with("CGM_UNDO_WINDOW: ") && error.contains("0 to 600 seconds"), "{text}: {error}");
    }
    let flags = Options { undo_window: Some("11min".into()), ..Options::default() };
    let error = flagged(flags, &[], "").unwrap_err();
    assert!(error.contains("--undo-window") && error.contains("0 to 600 seconds"), "{error}");
    let error = given(&[], "undo-window = 601").unwrap_err();
    assert!(error.starts_with("`undo-window` in chat.toml: ") && error.contains("0 to 600 seconds"), "{error}");
}

//! How long idle connections stay open.

use super::*;

#[test]
fn it_is_longer_than_the_pools_of_usual_proxies_unless_told() {
    let keep_alive = |text: &str| given(&[("CGM_KEEP_ALIVE", text)], "").map(|config| config.keep_alive.as_secs());
    assert_eq!(given(&[], "").unwrap().keep_alive.as_secs(), 75);
    for (text, seconds) in [("10", 10), ("620", 620), ("11min", 660), ("3600s", 3600)] {
        assert_eq!(keep_alive(text), Ok(seconds));
    }
    for text in ["9", "0", "3601", "2h", "-1", "1.5"] {
        let error = keep_alive(text).unwrap_err();
        assert!(error.starts_with("CGM_KEEP_ALIVE: ") && error.contains("10 to 3600 seconds"), "{text}: {error}");
    }
}

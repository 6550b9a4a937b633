//! Addresses of pictures and pages, as the host gives them. Which of them a page may load is decided where it is
//! shown.

use reqwest::Url;

/// Longest address, in characters.
pub(crate) const MAX_ADDRESS: usize = 3000;

/// An absolute http or https address.
pub(crate) fn is_address(text: &str) -> bool {
    let is_plain = !text.contains(|c: char| c.is_control() || c.is_whitespace());
    // Browsers and parsers repair `https:/x` and `https:evil`, each in its own way.
    let is_absolute = ["http://", "https://"]
        .iter()
        .any(|start| text.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start)));
    let is_web = |url: Url| matches!(url.scheme(), "http" | "https") && url.has_host();
    is_plain && is_absolute && text.chars().count() <= MAX_ADDRESS && Url::parse(text).is_ok_and(is_web)
}

/// What [`is_picture`] accepts, for a refusal.
pub(crate) fn picture_in_words() -> String {
    format!("an http or https address or data of an image (data:image/…), of at most {MAX_ADDRESS} characters")
}

/// Like [`is_address`], or a picture inside the URL, as pages load it.
pub(crate) fn is_picture(text: &str) -> bool {
    let is_data = text.get(..11).is_some_and(|start| start.eq_ignore_ascii_case("data:image/"));
    let is_text = !text.contains(|c: char| c.is_control() && !c.is_whitespace());
    is_address(text) || (is_data && is_text && text.chars().count() <= MAX_ADDRESS)
}

//! Headers whose values have weights, "quality values" in RFC 9110: `Accept`, `Accept-Encoding`, `Accept-Language`
//! (RFC 9110, 12.4.2 and 12.5).

/// The values of such a header in order, each with its weight: 1 by default, `None` when it cannot be parsed. Other
/// parameters are dropped.
pub(crate) fn quality_values(header: &str) -> impl Iterator<Item = (&str, Option<f32>)> {
    header.split(',').map(|offer| {
        let mut parts = offer.split(';').map(str::trim);
        let value = parts.next().unwrap_or_default();
        let weight = parts.find_map(|part| part.strip_prefix("q="));
        (value, weight.map_or(Some(1.0), |weight| weight.parse().ok()))
    })
}

#[cfg(test)]
mod tests {
    use super::quality_values;

    #[test]
    fn values_come_in_order_with_their_weights() {
        let offers: Vec<_> = quality_values("text/html;level=1;q=0.5, */* ; q=0.1,de,fr;q=x,").collect();
        let expected = [("text/html", Some(0.5)), ("*/*", Some(0.1)), ("de", Some(1.0)), ("fr", None), ("", Some(1.0))];
        assert_eq!(offers, expected);
    }
}

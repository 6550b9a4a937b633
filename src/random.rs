//! Randomness of the operating system. Other modules get their random values here.

/// Random bytes, for salts and unguessable names.
///
/// # Panics
/// When the operating system has no randomness: no secret can be made then.
#[expect(clippy::disallowed_methods, reason = "this is the one module that may")]
pub(crate) fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system gives randomness");
    bytes
}

/// Random characters out of `0-9a-f`, two for each of `N` bytes.
pub(crate) fn hex<const N: usize>() -> String {
    let digits = bytes::<N>().into_iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from_digit(digit.into(), 16).expect("half a byte is a digit")).collect()
}

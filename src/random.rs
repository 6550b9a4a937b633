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
    bytes::<N>().iter().map(|byte| format!("{byte:02x}")).collect()
}

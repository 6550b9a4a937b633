//! Hashing of passwords, which is slow and large on purpose: by few threads, behind a short queue.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use argon2::Argon2;
use argon2::password_hash::{Error, PasswordHash, PasswordHasher, PasswordVerifier, SaltString};
use tokio::sync::Semaphore;

use crate::membership::ActError;
use crate::random;

/// One thread per this many cores hashes, and at least one: the others serve people who give no password.
const CORES: usize = 4;
/// Most that wait for each of these threads.
const QUEUE: usize = 16;

/// The threads of this process that may hash, and who waits for them.
struct Hashers {
    free: Semaphore,
    waiting: AtomicUsize,
    most: usize,
}

static HASHERS: LazyLock<Hashers> = LazyLock::new(|| {
    let threads = threads(std::thread::available_parallelism().map_or(1, usize::from));
    Hashers { free: Semaphore::new(threads), waiting: AtomicUsize::new(0), most: threads * QUEUE }
});

/// How many threads of so many cores hash.
fn threads(cores: usize) -> usize {
    (cores / CORES).max(1)
}

/// A place in the queue, given back when it is dropped.
struct HashSlot;

impl HashSlot {
    fn take() -> Option<HashSlot> {
        let place = HashSlot;
        (HASHERS.waiting.fetch_add(1, Ordering::Relaxed) < HASHERS.most).then_some(place)
    }
}

impl Drop for HashSlot {
    fn drop(&mut self) {
        HASHERS.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Hashes a password (Argon2id, PHC string) off the asynchronous threads.
///
/// # Errors
/// [`ActError::Busy`] when too many wait for it; [`ActError::Invalid`] when it cannot be hashed.
pub async fn hash_password(password: String) -> Result<String, ActError> {
    let salt = random::bytes::<16>();
    let hashed = in_turn(move || -> Result<String, Error> {
        let salt = SaltString::encode_b64(&salt)?;
        Argon2::default().hash_password(password.as_bytes(), &salt).map(|hash| hash.to_string())
    });
    hashed.await?.map_err(|error| ActError::Invalid(format!("this password cannot be hashed: {error}")))
}

/// Whether a password is the one of this hash.
///
/// # Errors
/// [`ActError::Busy`] when too many wait for it.
pub(in crate::membership) async fn fits(password: String, hash: String) -> Result<bool, ActError> {
    in_turn(move || {
        PasswordHash::new(&hash).is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok())
    })
    .await
}

/// Runs this on one of the threads, when it is its turn. Dropping the future gives up the place in the queue; a
/// thread that has begun is busy until it ends.
async fn in_turn<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, ActError> {
    let place = HashSlot::take().ok_or(ActError::Busy)?;
    let turn = HASHERS.free.acquire().await.expect("nobody closes it");
    let worked = tokio::task::spawn_blocking(move || {
        let _held = (place, turn);
        work()
    });
    Ok(worked.await.expect("hashing does not panic"))
}

#[cfg(test)]
mod tests {
    use super::threads;

    #[test]
    fn one_core_in_four_hashes_and_at_least_one() {
        for (cores, expected) in [(1, 1), (2, 1), (4, 1), (8, 2), (64, 16)] {
            assert_eq!(threads(cores), expected, "{cores} cores");
        }
    }
}

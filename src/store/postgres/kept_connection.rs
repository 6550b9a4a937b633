//! A connection that is kept between uses, and not used any more once another server may be the primary.

use std::time::Instant;

use sqlx::PgConnection;

use super::primary::Primary;
use crate::store::error::StoreError;

/// A connection, and since when it leads to its server.
pub(super) struct KeptConnection {
    connected_at: Instant,
    /// The connection.
    pub(super) connection: PgConnection,
}

impl KeptConnection {
    /// The one that was kept, unless the primary was replaced since, as the old one may live on; else the one that `connecting` makes.
    ///
    /// # Errors
    /// As `connecting`.
    pub(super) async fn reuse<E: Into<StoreError>>(
        kept: Option<KeptConnection>,
        primary: &Primary,
        connecting: impl Future<Output = Result<PgConnection, E>>,
    ) -> Result<KeptConnection, StoreError> {
        match kept.filter(|kept| primary.is_valid(kept.connected_at)) {
            Some(kept) => Ok(kept),
            None => Ok(KeptConnection { connected_at: Instant::now(), connection: connecting.await.map_err(E::into)? }),
        }
    }
}

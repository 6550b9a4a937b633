//! The address of a PostgreSQL database. It may name several hosts as libpq does,
//! `postgres://USER:PASSWORD@ONE:5432,TWO:5432/NAME`
//! (<https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS>): whichever of
//! them takes writes is used.

use std::str::FromStr;

use sqlx::postgres::PgConnectOptions;

/// Reads an address: how to connect to each of its hosts.
///
/// # Errors
/// A sentence about what is wrong, which does not repeat the address: it may hold a password.
pub(super) fn hosts(url: &str) -> Result<Vec<PgConnectOptions>, String> {
    let wrong = || "this is not the address of a PostgreSQL; give postgres://USER:PASSWORD@HOST[:PORT][,HOST…]/NAME";
    let (scheme, rest) = url.split_once("://").ok_or_else(wrong)?;
    let (authority, rest) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let query = kept(query)?;
    let (user, hosts) = authority.rsplit_once('@').map_or(("", authority), |(user, hosts)| (user, hosts));
    let at = if authority.contains('@') { "@" } else { "" };
    let several = hosts.contains(',');
    let each = hosts.split(',').map(|host| {
        if several && (host.is_empty() || host.starts_with(':')) {
            return Err("between the commas of this database address a host is missing".into());
        }
        let one = format!("{scheme}://{user}{at}{host}{path}{query}");
        PgConnectOptions::from_str(&one).map_err(|_| wrong().to_owned())
    });
    each.collect()
}

/// The query without what is libpq's alone.
fn kept(query: &str) -> Result<String, String> {
    let mut kept = String::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        match name {
            // Nothing else is ever used.
            "target_session_attrs" if matches!(value, "read-write" | "primary") => continue,
            "target_session_attrs" => {
                return Err("target_session_attrs of this database address must be read-write (or left out): \
                     only the host that takes writes is used"
                    .into());
            }
            "host" | "hostaddr" | "port" if value.contains(',') => {
                return Err("several hosts of a database address go before its name: \
                     postgres://USER:PASSWORD@ONE:5432,TWO:5432/NAME"
                    .into());
            }
            _ => {}
        }
        kept.push(if kept.is_empty() { '?' } else { '&' });
        kept.push_str(pair);
    }
    Ok(kept)
}

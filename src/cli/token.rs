//! `token`: prints a viewer token for tests, scripts and first steps.

use anyhow::{Context, bail, ensure};
use jiff::SpanRelativeTo;
use jiff::fmt::friendly::SpanParser;

use super::TokenArgs;
use crate::clock::Clock;
use crate::config::Config;
use crate::identity::{NewToken, avatar_url, mint};

/// Longest lifetime of a token, in seconds: 365 days.
const MAX_TTL: i64 = 365 * 24 * 3600;

/// A token signed with the first configured secret, valid from now on.
///
/// # Errors
/// When no secret is configured, or the lifetime or the avatar is not allowed.
pub fn run(config: &Config, args: &TokenArgs) -> anyhow::Result<String> {
    at(config, args, Clock::default().now() / 1_000)
}

fn at(config: &Config, args: &TokenArgs, now: i64) -> anyhow::Result<String> {
    let Some(secret) = config.viewer_secrets.first() else {
        config.require_viewer_key()?;
        bail!("a JWKS can only verify tokens; to make one here, give a secret too (--viewer-secret)");
    };
    if let Some(avatar) = &args.avatar {
        ensure!(
            avatar_url(avatar).is_some(),
            "--avatar must be an https address or data:image/…, at most 2048 characters"
        );
    }
    let uid = args.uid.clone().of_a_person().context("--uid")?;
    Ok(mint(
        secret,
        &NewToken {
            uid: uid.as_str(),
            audience: &config.viewer_audience,
            issued_at: now,
            expires_at: now + seconds(&args.ttl)?,
            name: args.name.as_ref().map(|name| name.as_str()),
            avatar: args.avatar.as_deref(),
        },
    ))
}

/// A lifetime such as "15m" or "7d" in whole seconds; a day has 24 hours.
fn seconds(ttl: &str) -> anyhow::Result<i64> {
    let help = || format!("--ttl: {ttl:?} is not a time from 1 second to 365 days; give something like 15m, 1h or 7d");
    let span = SpanParser::new().parse_span(ttl.trim()).with_context(help)?;
    let seconds = span.to_duration(SpanRelativeTo::days_are_24_hours()).with_context(help)?.as_secs();
    ensure!((1..=MAX_TTL).contains(&seconds), help());
    Ok(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Secret;
    use crate::identity::Keys;

    const NOW: i64 = 1_800_000_000;

    fn config() -> Config {
        let secrets = ["first-secret-first-secret-first-secret", "second-secret-second-secret-second"];
        Config { viewer_secrets: secrets.map(Secret::new).to_vec(), ..Config::default() }
    }

    fn args() -> TokenArgs {
        TokenArgs { uid: "ada".parse().unwrap(), ttl: "1h".into(), name: None, avatar: None }
    }

    #[tokio::test]
    async fn the_token_is_accepted_by_the_service_that_made_it() {
        let name = crate::domain::Name::parse("Ada Lovelace").ok();
        let args = TokenArgs { name, avatar: Some("https://a.example/ada.png".into()), ..args() };
        let token = at(&config(), &args, NOW).unwrap();
        let claims = Keys::from_config(&config(), NOW).await.ok().unwrap().verify_now(&token, NOW).unwrap();
        assert_eq!((claims.uid.as_str(), claims.expires_at), ("ada", NOW + 3600));
        assert_eq!(claims.name.unwrap().as_str(), "Ada Lovelace");
        assert_eq!(claims.avatar.as_deref(), Some("https://a.example/ada.png"));
    }

    #[test]
    fn a_life_is_read_in_the_words_people_use() {
        for (text, secs) in
            [("1s", 1), ("15m", 900), ("1h", 3600), ("1h30m", 5400), ("7d", 604_800), ("365 days", MAX_TTL)]
        {
            assert_eq!(seconds(text).unwrap(), secs, "{text}");
        }
        for bad in ["", "0s", "500ms", "-1h", "366d", "1 month", "1y", "soon", "3600", "99999999999999d"] {
            let error = seconds(bad).unwrap_err().to_string();
            assert!(error.contains("15m, 1h or 7d"), "{bad}: {error}");
        }
    }

    #[test]
    fn without_a_secret_there_is_no_token() {
        let error = at(&Config::default(), &args(), NOW).unwrap_err().to_string();
        assert!(error.contains("openssl rand -base64 48"), "{error}");
        let jwks = Config { viewer_jwks: Some("keys.json".into()), ..Config::default() };
        assert!(at(&jwks, &args(), NOW).unwrap_err().to_string().contains("can only verify"));
    }

    #[test]
    fn a_picture_that_would_be_ignored_is_refused() {
        let args = TokenArgs { avatar: Some("http://a.example/ada.png".into()), ..args() };
        assert!(at(&config(), &args, NOW).unwrap_err().to_string().contains("--avatar"));
    }
}

//! Who is recognised at all: by which tokens, where they may stand, and what a cookie is good for.

use reqwest::Method;

use super::{FORMATS, at, paths};
use crate::support::actor::{send, with};
use crate::support::{SECRET, World, now, token, token_until};

#[tokio::test]
async fn whoever_shows_no_token_is_asked_for_one_before_anything_else() {
    let world = World::new().await;
    for (method, path) in paths() {
        let answers = [("den", FORMATS[3]), ("nowhere", FORMATS[3]), ("%FF", FORMATS[3])].map(|(guid, format)| {
            let request = world.gus.anonymous(method.parse().unwrap(), &at(path, guid));
            send(with(request, format))
        });
        for answer in answers {
            let answer = answer.await.refused(401, "AUTH_ERR_AUTH_TOKEN_NOT_FOUND");
            assert_eq!(answer.header("www-authenticate"), "Bearer");
            assert_eq!(answer.header("cache-control"), "no-store");
        }
    }
}

#[tokio::test]
async fn a_bad_token_is_no_token() {
    let world = World::new().await;
    let good = token("ada");
    let parts: Vec<&str> = good.split('.').collect();
    let unsigned = format!("{}.{}.", "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0", parts[1]);
    let somebody_elses = {
        let secret = chat_group_members::config::Secret::new(SECRET.replace('a', "b"));
        let new = chat_group_members::identity::NewToken {
            uid: "ada",
            audience: "chat-group-members",
            issued_at: now(),
            expires_at: now() + 60,
            name: None,
            avatar: None,
        };
        chat_group_members::identity::mint(&secret, &new)
    };
    let bad = [
        "x".to_owned(),
        "x".repeat(9000),
        token_until("ada", now() - 60),
        token("not a uid"),
        unsigned,
        somebody_elses,
        format!("{}.{}.{}", parts[0], parts[1], "AAAA"),
        format!("{}.{}", parts[0], parts[1]),
    ];
    for token in bad {
        let answer = world.bearer(&token).data("/groups/den/members").await;
        answer.refused(401, "AUTH_ERR_NO_ACCESS");
    }
    let basic =
        world.ada.anonymous(Method::GET, "/groups/den/members").header("authorization", format!("Basic {good}"));
    send(basic).await.refused(401, "AUTH_ERR_AUTH_TOKEN_NOT_FOUND");
}

#[tokio::test]
async fn a_token_in_a_url_is_refused_even_beside_a_good_one() {
    let world = World::new().await;
    for name in ["token", "access_token", "jwt"] {
        for path in ["/groups/den/members", "/groups/nowhere/members", "/groups/den/events", "/groups/den", "/nothing"]
        {
            let answer = world.ada.data(&format!("{path}?limit=5&{name}={}", world.ada.token)).await;
            let answer = answer.refused(400, "ERR_BAD_REQUEST");
            assert!(!answer.body.contains(&world.ada.token), "it is not echoed");
            assert_eq!(answer.header("cache-control"), "no-store");
            assert!(!answer.header("content-security-policy").is_empty());
        }
    }
}

#[tokio::test]
async fn a_cookie_is_good_for_reading_and_for_acts_of_our_own_pages() {
    let world = World::new().await;
    let kick = |headers: &'static [(&'static str, &'static str)]| {
        let cookie = format!("other=1; chat_token={}", world.cy.token);
        let request = world.cy.anonymous(Method::DELETE, "/groups/den/members/dee").header("cookie", cookie);
        send(with(request, headers))
    };
    let cookie = format!("chat_token={}", world.cy.token);
    let read = world.cy.anonymous(Method::GET, "/groups/den/members").header("cookie", cookie);
    assert_eq!(send(with(read, &[("sec-fetch-site", "cross-site")])).await.ok().uids().len(), 5);
    const FORGED: [&[(&str, &str)]; 9] = [
        &[],
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-site")],
        &[("origin", "https://evil.example")],
        &[("origin", "null")],
        &[("sec-fetch-site", "same-origin"), ("origin", "https://evil.example")],
        &[("sec-fetch-site", "none"), ("origin", "https://evil.example")],
        &[("sec-fetch-site", "none"), ("origin", "null")],
        &[("sec-fetch-site", "same-origin"), ("origin", "http://127.0.0.1.evil.example")],
    ];
    for headers in FORGED {
        kick(headers).await.refused(401, "AUTH_ERR_AUTH_TOKEN_NOT_FOUND");
        // What another site can have a browser send without asking first: a form that names the method.
        for kind in ["application/x-www-form-urlencoded", "text/plain"] {
            let form = world.cy.anonymous(Method::POST, "/groups/den/members/dee").header("content-type", kind);
            let form = with(form.header("cookie", format!("chat_token={}", world.cy.token)), headers);
            send(form.body("_method=DELETE")).await.refused(401, "AUTH_ERR_AUTH_TOKEN_NOT_FOUND");
        }
    }
    assert_eq!(world.dee.sees().await.len(), 5, "nobody is gone");
    let refused = kick(&[("origin", "https://chat.example"), ("accept", "application/json")]).await;
    let detail = refused.json()["detail"].as_str().unwrap().to_owned();
    assert!(detail.contains("Origin") && detail.contains("--public-url"), "{detail}");
    let nothing = world.cy.anonymous(Method::DELETE, "/groups/den/members/dee").header("accept", "application/json");
    assert!(!send(nothing).await.refused(401, "AUTH_ERR_AUTH_TOKEN_NOT_FOUND").body.contains("Origin"));
    kick(&[("sec-fetch-site", "same-origin")]).await.ok();
    world.dee.get("/groups/den/members").await.refused(404, "ERR_GUID_NOT_FOUND");
}

#[tokio::test]
async fn a_bearer_becomes_a_cookie_that_scripts_cannot_read() {
    let world = World::new().await;
    let answer = send(world.dee.request(Method::POST, "/session")).await;
    assert_eq!(answer.status, 204);
    let cookie = answer.header("set-cookie").to_owned();
    assert!(cookie.starts_with(&format!("chat_token={};", world.dee.token)), "{cookie}");
    let attributes: Vec<&str> = cookie.split("; ").collect();
    assert!(attributes.contains(&"HttpOnly") && attributes.contains(&"SameSite=Lax") && attributes.contains(&"Path=/"));
    let across = world.dee.request(Method::POST, "/session").header("sec-fetch-site", "cross-site");
    let cookie = send(across).await.header("set-cookie").to_owned();
    assert!(cookie.contains("SameSite=None; Secure; Partitioned"), "{cookie}");
    let by_cookie =
        world.dee.anonymous(Method::POST, "/session").header("cookie", format!("chat_token={}", world.dee.token));
    assert_eq!(
        send(by_cookie.header("sec-fetch-site", "same-origin")).await.status,
        401,
        "a cookie does not renew itself"
    );
}

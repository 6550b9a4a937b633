//! Endpoints of webhooks in the file.

use super::*;

#[test]
fn an_endpoint_with_a_fragment_which_would_be_sent_to_the_same_url_is_refused() {
    for url in ["https://ben:hunter2@a.example/x#2", "https://a.example/x#"] {
        let secret = "secret = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=']";
        let error = given(&[], &format!("[[webhooks]]\nurl = '{url}'\n{secret}\n")).unwrap_err();
        assert!(error.starts_with("[[webhooks]] number 1 in chat.toml: leave out the #"), "{error}");
        let error = given(&[("CGM_WEBHOOK_URL", url)], "").unwrap_err();
        assert!(error.starts_with("CGM_WEBHOOK_URL: leave out the #") && !error.contains("hunter2"), "{error}");
    }
}

#[test]
fn two_endpoints_that_differ_in_user_and_password_alone_are_refused_and_a_query_tells_them_apart() {
    let table = |url: &str| {
        format!("[[webhooks]]\nurl = '{url}'\nsecret = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=']\n")
    };
    let first = table("https://ben:hunter2@a.example/x");
    for second in ["https://ben:hunter2@a.example/x", "https://cy:hunter3@a.example/x", "https://a.example/x"] {
        let error = given(&[], &(first.clone() + &table(second))).unwrap_err();
        assert!(error.starts_with("[[webhooks]] number 2 in chat.toml: this URL is listed twice"), "{error}");
        assert!(error.contains("user and password do not tell") && !error.contains("hunter"), "{error}");
    }
    let config = given(&[], &(first + &table("https://cy:hunter3@a.example/x?2"))).unwrap();
    assert_eq!(config.webhooks.len(), 2);
}

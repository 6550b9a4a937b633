//! A host in Rust that draws rows, header and menu in its own way, with the component nested in its
//! own axum application under `/chat`.
//!
//! `cargo run --example custom_rows`, then open the address it prints.
#![allow(clippy::disallowed_methods, reason = "stands outside of the service, in the real time")]

use axum::Router;
use axum::http::header;
use axum::response::{AppendHeaders, IntoResponse, Redirect};
use axum::routing::get;
use chat_group_members::app::App;
use chat_group_members::config::{Config, Secret};
use chat_group_members::domain::{Group, GroupType, Name, Scope};
use chat_group_members::identity::{NewToken, mint};
use chat_group_members::membership::{self, SyncRow};
use chat_group_members::serve::{bind, serve_router, shutdown_signal};
use chat_group_members::slots::{Fact, HeaderFacts, MenuFacts, RowFacts, Slot, Slots, escaped};

/// The people, with what only this host knows of them.
const CREW: [(&str, &str, Scope, &str); 4] = [
    ("ada", "Ada Lindqvist", Scope::Owner, "Harbour master"),
    ("ben", "Ben Okafor", Scope::Admin, "Tides & tables"),
    ("cy", "Cy Marlowe", Scope::Moderator, "Night watch"),
    ("dee", "Dee Ferreira", Scope::Participant, "Ropes <and knots>"),
];

/// Draws with what the host knows.
struct Crew;

impl Slots for Crew {
    fn names(&self) -> Vec<String> {
        vec!["crew".into()]
    }

    /// Nothing here says who looks or who is online: all viewers of a scope share what is drawn.
    fn uses(&self, _name: &str, _fact: Fact) -> bool {
        false
    }

    /// The second line: the person's job. Everything else of the row stays as it is.
    fn row(&self, slot: Slot, _name: &str, facts: &RowFacts<'_>) -> Option<String> {
        let (.., job) = CREW.iter().find(|(uid, ..)| *uid == facts.member.uid())?;
        (slot == Slot::Subtitle).then(|| format!("<em>{}</em>", escaped(job)))
    }

    fn header(&self, _name: &str, facts: &HeaderFacts<'_>) -> Option<String> {
        Some(format!("<h2>{}</h2>{}", escaped(facts.group.name.as_str()), facts.totals))
    }

    /// Two entries of the host before the built-in acts.
    fn options(&self, _name: &str, facts: &MenuFacts<'_>) -> Option<String> {
        let profile = facts.link(&format!("/people/{}", facts.member.uid()), "Profile").ok()?;
        Some(facts.option("message", "Send a message") + &profile + facts.acts())
    }
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let config = Config {
        listen: "127.0.0.1:8090".parse()?,
        database_url: format!("sqlite://{}", folder.path().join("crew.db").display()),
        viewer_secrets: vec![Secret::new("an example's secret: yours comes from openssl rand -base64 48")],
        base_path: "/chat".into(),
        ..Config::default()
    };
    let (listener, token) = (bind(config.listen.clone()).await?, token_of_ben(&config));
    let app = App::open_with_slots(config, Crew).await?;
    seed(&app).await?;
    let router = Router::new().route("/", get(move || enter(token.clone()))).merge(app.router());
    serve_router(app, router, listener, shutdown_signal()).await
}

/// Whoever comes is Ben: a real host knows who is signed in.
async fn enter(token: String) -> impl IntoResponse {
    let cookie = AppendHeaders([(header::SET_COOKIE, format!("chat_token={token}; Path=/; HttpOnly; SameSite=Lax"))]);
    let list = "/chat/groups/crew/members?subtitleView=crew&headerView=crew&options=crew";
    (cookie, Redirect::to(list))
}

fn token_of_ben(config: &Config) -> String {
    let now = jiff::Timestamp::now().as_second();
    let (uid, audience) = ("ben", config.viewer_audience.as_str());
    let token = NewToken { uid, audience, issued_at: now, expires_at: now + 3600, name: None, avatar: None };
    mint(&config.viewer_secrets[0], &token)
}

async fn seed(app: &App) -> anyhow::Result<()> {
    let people = CREW.map(|(uid, name, scope, _)| SyncRow {
        uid: uid.parse().expect("letters"),
        name: Some(Name::parse(name).expect("a short name")),
        avatar: None,
        scope: Some(scope),
        joined_at: None,
    });
    let group = Group {
        guid: "crew".parse().expect("letters"),
        name: Name::parse("The crew").expect("a short name"),
        group_type: GroupType::Private,
        icon: None,
        description: None,
    };
    membership::sync(app.store(), group, None, false, people.into_iter().map(Ok)).await?;
    Ok(())
}

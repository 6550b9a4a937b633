//! `demo`: the shop window. A chat page as a host application would make one (header, messages,
//! composer), with the component beside it, and a group that is seeded afresh at every start.

mod chat;
mod page;
mod people;
mod stage;

use std::net::{IpAddr, Ipv4Addr};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, ensure};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::HeaderMap;
use axum::routing::{get, post};
use tokio_util::sync::CancellationToken;

use self::chat::Chat;
use self::stage::Stage;
use crate::app::App;
use crate::config::{Config, Secret, Wake};
use crate::domain::{Group, GroupType, Guid, Member, Name, Uid};
use crate::identity::{NewToken, cookie, mint};
use crate::live::Room;
use crate::membership::{self, Actor, Request, Terms};
use crate::serve::{serve_router, told_to_end};

/// The one group.
const GUID: &str = "harbour";
/// How long somebody's eyes are lent, in seconds.
const TTL: i64 = 12 * 3600;
/// Largest form, in bytes: a message of 2,000 characters in percent signs.
const BODY: usize = 32 * 1024;

/// Shows a chat page with a seeded group, on this machine only.
///
/// Its database lives in a folder of its own among the system's temporary files, made at every
/// start and removed at the end.
///
/// # Errors
/// When the address is not one of this machine alone, or it or the database cannot be opened.
pub async fn run(config: Config) -> anyhow::Result<()> {
    let listen = config.listen;
    ensure!(
        listen.ip().is_loopback(),
        "the demo lets everybody be everybody, so it listens on this machine only: \
         give --listen 127.0.0.1:PORT, not {listen}"
    );
    let folder = Folder::make()?;
    let demo = Demo::open(config, folder.path()).await?;
    stage::live_forever(demo.clone());
    let ended = async {
        let told = told_to_end().await;
        demo.0.end.cancel();
        told
    };
    serve_router(demo.app().clone(), demo.router(), listen, ended).await
}

/// The demo: the service, and what a host application has besides. Cheap to clone.
#[derive(Clone)]
struct Demo(Arc<Inner>);

struct Inner {
    app: App,
    room: Arc<Room>,
    chat: Chat,
    stage: Stage,
    end: CancellationToken,
}

impl Demo {
    async fn open(config: Config, folder: &Path) -> anyhow::Result<Demo> {
        let app = App::open(of_its_own(config, folder)).await?;
        let now = app.clock().now();
        let uids = seed(&app, now).await?;
        let room = app.hub().room(&guid()).await?.context("the seeded group is there")?;
        let chat = Chat::seeded(&room, now);
        Ok(Demo(Arc::new(Inner { app, room, chat, stage: Stage::new(uids), end: CancellationToken::new() })))
    }

    fn router(&self) -> Router {
        let own = Router::new()
            .route("/", get(page::show))
            .route("/demo/look", post(page::look))
            .route("/demo/messages", post(chat::say))
            .route("/demo/messages/events", get(chat::stream))
            .route("/demo/stage", post(stage::begin))
            .layer(DefaultBodyLimit::max(BODY))
            .with_state(self.clone());
        own.merge(self.app().router())
    }

    fn app(&self) -> &App {
        &self.0.app
    }

    /// The member as they are now; nobody outside.
    fn member(&self, uid: &str) -> Option<Arc<Member>> {
        self.0.room.state().roster().get(uid).cloned()
    }

    /// Through whose eyes this browser looks, if it has been here before.
    async fn eyes(&self, headers: &HeaderMap) -> Option<Uid> {
        let token = cookie::find(headers, &self.app().config().viewer_cookie)?;
        let claims = self.app().keys().verify(token, self.app().clock().now() / 1000).await.ok()?;
        Some(claims.uid)
    }

    /// A token such as the host's back end would make.
    fn token(&self, uid: &Uid) -> String {
        let (config, now) = (self.app().config(), self.app().clock().now() / 1000);
        let member = self.member(uid.as_str());
        let token = NewToken {
            uid: uid.as_str(),
            audience: &config.viewer_audience,
            issued_at: now,
            expires_at: now + TTL,
            name: member.as_ref().map(|member| member.name()),
            avatar: None,
        };
        mint(&config.viewer_secrets[0], &token)
    }

    /// Whether this machine knows the demo by two names, and so can be two viewers at once.
    fn has_two_names(&self) -> bool {
        self.app().config().listen.ip() == IpAddr::V4(Ipv4Addr::LOCALHOST)
    }
}

fn guid() -> Guid {
    GUID.parse().expect("a guid of letters")
}

/// The options given, except for what must not reach beyond the demo.
fn of_its_own(config: Config, folder: &Path) -> Config {
    Config {
        database_url: format!("sqlite://{}", folder.join("demo.db").display()),
        viewer_secrets: vec![Secret::new(random_text() + &random_text())],
        viewer_jwks: None,
        // Cookies know no ports: a service or another demo on this machine keeps its own.
        viewer_cookie: format!("chat_demo_{}", config.listen.port()),
        base_path: String::new(),
        public_url: None,
        wake: Wake::None,
        nats_url: None,
        webhook_url: None,
        ..config
    }
}

/// Fills the group. Answers everybody's uid, the cast first.
async fn seed(app: &App, now: i64) -> anyhow::Result<Vec<Uid>> {
    let rows: Vec<_> = people::everybody(now / 1000).collect();
    let uids: Vec<_> = rows.iter().map(|row| row.uid.clone()).collect();
    let group = Group {
        guid: guid(),
        name: Name::parse("Harbour").expect("a short name"),
        group_type: GroupType::Public,
        icon: None,
        description: Some("Tides, berths, and who brings the coffee.".into()),
    };
    membership::sync(app.store(), group, None, rows.into_iter().map(Ok)).await?;
    let by_ben = Request { guid: guid(), actor: Actor::Viewer(uid("ben")), key: None };
    let terms = Terms { reason: Some("Sold last year's tide tables as new, three times.".into()), until: None };
    membership::ban(app.store(), by_ben, uid("flo"), terms).await?;
    for (place, uid) in people::present(&uids).enumerate() {
        app.hub().host_says(uid, true);
        if looks_away(place) {
            app.hub().host_says(uid, false);
        }
    }
    Ok(uids)
}

/// Of those who are there at first, every sixth has looked away.
fn looks_away(place: usize) -> bool {
    place % 6 == 5
}

fn uid(text: &str) -> Uid {
    text.parse().expect("uids written here are well formed")
}

/// A folder that goes when the demo goes.
struct Folder(PathBuf);

impl Folder {
    fn make() -> anyhow::Result<Folder> {
        let path = std::env::temp_dir().join(format!("chat-group-members-demo-{}", random_text()));
        // Never one that is there already: nobody else on this machine made it or reads it.
        std::fs::DirBuilder::new()
            .mode(0o700)
            .create(&path)
            .with_context(|| format!("cannot make {}", path.display()))?;
        Ok(Folder(path))
    }

    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.0) {
            tracing::warn!(%error, "the demo's folder could not be removed");
        }
    }
}

/// Thirty-two random characters out of `0-9a-f`.
fn random_text() -> String {
    let mut bytes = [0u8; 16];
    getrandom::fill(&mut bytes).expect("the operating system gives randomness");
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

//! A service of its own for every test, and the named cast that acts on it: Ada owner, Ben admin,
//! Cy moderator, Dee and Eve participants, Flo banned, Hal kicked, Gus outside.

pub mod actor;
pub mod answer;
pub mod cluster;
pub mod database;
pub mod group_routes;
pub mod pooler;
pub mod program;
pub mod proxy;
pub mod routes;
pub mod schema;
pub mod screen;
pub mod sse;
pub mod wake_servers;

use std::time::Duration;

use chat_group_members::app::App;
use chat_group_members::clock::Clock;
use chat_group_members::config::{Config, Secret, Wake};
use chat_group_members::domain::{Act, Group, GroupType, Guid, Name, Scope, Terms, Uid};
use chat_group_members::identity::{NewToken, mint};
use chat_group_members::membership::{self, ActRequest};
use chat_group_members::store::{Findings, Inspection, SyncRow};

pub use actor::Actor;
pub use answer::{Answer, fragment, select, texts};

/// What viewer tokens are signed with.
pub const SECRET: &str = "a-secret-for-tests-that-is-long-enough";
/// Nothing that is waited for takes so long, unless it never comes.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// A running service, reachable over TCP, with the cast in three groups: `den` (private), `park`
/// (public) and `vault` (its password is "sesame").
pub struct World {
    pub app: App,
    pub clock: Clock,
    pub url: String,
    pub ada: Actor,
    pub ben: Actor,
    pub cy: Actor,
    pub dee: Actor,
    pub eve: Actor,
    pub flo: Actor,
    pub hal: Actor,
    pub gus: Actor,
    http: reqwest::Client,
    _folder: tempfile::TempDir,
}

impl World {
    /// The cast, seeded.
    pub async fn new() -> World {
        World::with(|_| {}).await
    }

    /// The same with options of one's own.
    pub async fn with(configure: impl FnOnce(&mut Config)) -> World {
        let world = World::empty(configure).await;
        for (guid, kind) in [("den", GroupType::Private), ("park", GroupType::Public), ("vault", GroupType::Password)] {
            world.seed(guid, kind, CAST).await;
            world.host_bans(guid, "flo", Some("spam")).await;
            world.host_kicks(guid, "hal").await;
        }
        world
    }

    /// A service without any group.
    pub async fn empty(configure: impl FnOnce(&mut Config)) -> World {
        let folder = tempfile::tempdir().unwrap();
        let mut config = Config {
            listen: "127.0.0.1:0".parse().unwrap(),
            database_url: database::with_schema(folder.path()),
            viewer_secrets: vec![Secret::new(SECRET)],
            wake: wake(),
            ..Config::default()
        };
        configure(&mut config);
        let clock = Clock::default();
        let app = App::open_at(config, clock.clone()).await.unwrap();
        World::of(app, clock, folder).await
    }

    /// This service, whose database is in the folder.
    pub async fn of(app: App, clock: Clock, folder: tempfile::TempDir) -> World {
        let base = app.config().base_path.clone();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}{base}", listener.local_addr().unwrap());
        let router = app.router();
        tokio::spawn(async move { axum::serve(listener, router).await });
        let http = client();
        let actor = |uid: &str| Actor::new(uid, &token(uid), &url, http.clone());
        World {
            ada: actor("ada"),
            ben: actor("ben"),
            cy: actor("cy"),
            dee: actor("dee"),
            eve: actor("eve"),
            flo: actor("flo"),
            hal: actor("hal"),
            gus: actor("gus"),
            app,
            clock,
            http,
            url,
            _folder: folder,
        }
    }

    /// Another node beside the same database, with the same clock.
    pub async fn beside(&self) -> World {
        let app = App::open_at(self.app.config().clone(), self.clock.clone()).await.unwrap();
        World::of(app, self.clock.clone(), tempfile::tempdir().unwrap()).await
    }

    /// Somebody else, by uid.
    pub fn actor(&self, uid: &str) -> Actor {
        Actor::new(uid, &token(uid), &self.url, self.http.clone())
    }

    /// Somebody with this token, whatever it is.
    pub fn bearer(&self, token: &str) -> Actor {
        Actor::new("somebody", token, &self.url, self.http.clone())
    }

    /// Makes a group of these people (uid, name, scope), or adds them, in one event.
    pub async fn seed(&self, guid: &str, kind: GroupType, people: impl IntoIterator<Item = (&str, &str, Scope)>) {
        let rows: Vec<_> = people.into_iter().map(|(uid, name, scope)| Ok(row(uid, name, scope, None))).collect();
        self.sync(guid, kind, rows.into_iter().map(|row: Result<SyncRow, ()>| row.unwrap()).collect()).await;
    }

    /// The same with rows as they come.
    pub async fn sync(&self, guid: &str, kind: GroupType, rows: Vec<SyncRow>) {
        let password = if kind == GroupType::Password {
            Some(membership::hash_password("sesame".into()).await.unwrap())
        } else {
            None
        };
        let name = Name::parse(&format!("The {guid}")).unwrap();
        let group = Group { guid: self::guid(guid), name, group_type: kind, icon: None, description: None };
        let hosted = rows.iter().all(|row| row.scope != Some(Scope::Owner)) && self.is_without_owner(guid).await;
        membership::sync(self.app.store(), group, password, hosted, rows.into_iter().map(Ok)).await.unwrap();
    }

    /// Whether nobody owns this group.
    async fn is_without_owner(&self, guid: &str) -> bool {
        self.app.store().read().await.unwrap().owner(&self::guid(guid)).await.unwrap().is_none()
    }

    /// The host puts somebody out.
    pub async fn host_kicks(&self, guid: &str, uid: &str) {
        membership::act(self.app.store(), by_host(guid), self::uid(uid), Act::Kick { message: None }).await.unwrap();
    }

    /// The host bans somebody until lifted.
    pub async fn host_bans(&self, guid: &str, uid: &str, reason: Option<&str>) {
        let terms = Terms { reason: reason.map(str::to_owned), message: None, until: None };
        membership::act(self.app.store(), by_host(guid), self::uid(uid), Act::Ban(terms)).await.unwrap();
    }

    /// The host mutes somebody for an hour.
    pub async fn host_mutes(&self, guid: &str, uid: &str) {
        let terms = Terms { until: Some(self.clock.now() + 3_600_000), ..Terms::default() };
        membership::act(self.app.store(), by_host(guid), self::uid(uid), Act::Mute(terms)).await.unwrap();
    }

    /// The host changes a scope.
    pub async fn host_sets_scope(&self, guid: &str, uid: &str, scope: Scope) {
        membership::act(self.app.store(), by_host(guid), self::uid(uid), Act::SetScope(scope.into())).await.unwrap();
    }

    /// The host adds somebody it has told of before, or tells of now.
    pub async fn host_adds(&self, guid: &str, uid: &str, name: &str) {
        let uid = self::uid(uid);
        membership::put_user(self.app.store(), uid.clone(), Some(Name::parse(name).unwrap()), None).await.unwrap();
        let placement = membership::Placement { uid: uid.clone(), scope: Scope::Participant };
        let answers = membership::add_members(self.app.store(), self::guid(guid), vec![placement]).await.unwrap();
        assert!(answers[&uid].is_ok());
    }

    /// Writes into the database past the program.
    pub async fn write_by_hand(&self, sql: &str) {
        database::write_by_hand(self._folder.path(), sql).await;
    }

    /// Reads from the database past the program.
    pub async fn read_by_hand(&self, sql: &'static str) -> Option<String> {
        database::read_by_hand(self._folder.path(), sql).await
    }

    /// The number of the group's last event.
    pub async fn head(&self, guid: &str) -> u64 {
        let heads = self.app.store().read().await.unwrap().heads(&[self::guid(guid)]).await.unwrap();
        heads[0].seq
    }

    /// The group's members as stored, by uid.
    pub async fn members(&self, guid: &str) -> Vec<(String, Scope)> {
        let snapshot = self.app.store().read().await.unwrap().snapshot(&self::guid(guid)).await.unwrap().unwrap();
        let mut members: Vec<_> =
            snapshot.members.iter().map(|member| (member.uid().to_owned(), member.scope)).collect();
        members.sort();
        members
    }

    /// The scope of somebody as stored.
    pub async fn scope(&self, guid: &str, uid: &str) -> Option<Scope> {
        self.members(guid).await.into_iter().find(|(other, _)| other == uid).map(|(_, scope)| scope)
    }
}

/// What wakes nodes: nothing where CGM_TEST_WAKE says so, so that the suite can be run without.
fn wake() -> Wake {
    match std::env::var("CGM_TEST_WAKE").as_deref() {
        Ok("none") => Wake::None,
        Ok(other) => panic!("CGM_TEST_WAKE={other}: only `none` is known"),
        Err(_) => Wake::Auto,
    }
}

/// Who is in every group at first.
pub const CAST: [(&str, &str, Scope); 7] = [
    ("ada", "Ada Lovelace", Scope::Owner),
    ("ben", "Ben Okri", Scope::Admin),
    ("cy", "Cy Marlowe", Scope::Moderator),
    ("dee", "Dee Dee", Scope::Participant),
    ("eve", "Eve Adams", Scope::Participant),
    ("flo", "Flo Banks", Scope::Participant),
    ("hal", "Hal Hart", Scope::Participant),
];

/// An act by the host, without a key.
pub fn by_host(guid: &str) -> ActRequest {
    ActRequest::new(self::guid(guid), membership::Actor::Host)
}

pub fn guid(text: &str) -> Guid {
    text.parse().unwrap()
}

pub fn uid(text: &str) -> Uid {
    text.parse().unwrap()
}

/// A row of a sync.
pub fn row(uid: &str, name: &str, scope: Scope, avatar: Option<String>) -> SyncRow {
    SyncRow {
        uid: self::uid(uid),
        name: Some(Name::parse(name).unwrap()),
        avatar,
        scope: Some(scope),
        joined_at: Some(1_700_000_000),
    }
}

/// A token that outlives every clock of a test.
pub fn token(uid: &str) -> String {
    token_until(uid, now() + 30 * 24 * 3600)
}

/// A token that ends at this Unix second.
pub fn token_until(uid: &str, expires_at: i64) -> String {
    let new =
        NewToken { uid, audience: "chat-group-members", issued_at: now() - 1, expires_at, name: None, avatar: None };
    mint(&Secret::new(SECRET), &new)
}

/// Unix time, in seconds.
pub fn now() -> i64 {
    jiff::Timestamp::now().as_second()
}

/// A client that follows no redirects and keeps no cookies.
pub fn client() -> reqwest::Client {
    reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap()
}

/// What comes of this, unless it never comes.
pub async fn soon<T>(what: &str, work: impl Future<Output = T>) -> T {
    within(PATIENCE, what, work).await
}

/// The same for what may take longer.
pub async fn within<T>(patience: Duration, what: &str, work: impl Future<Output = T>) -> T {
    match tokio::time::timeout(patience, work).await {
        Ok(value) => value,
        Err(_) => panic!("waited in vain: {what}"),
    }
}

/// What the doctor finds in the database of this service, a sentence each.
pub async fn faults(app: &App) -> Vec<String> {
    let now = app.store().clock().now();
    let mut inspection = Inspection::open(app.config().direct_database_url(), now).await.unwrap();
    let checks = inspection.run().await.unwrap();
    let sentence = |check: &Findings| {
        let listed = check.listed.iter().map(|f| format!("{}: {} {}: {}", check.check.name, f.group, f.uid, f.detail));
        listed.chain(check.skipped.clone()).collect::<Vec<_>>()
    };
    checks.iter().flat_map(sentence).collect()
}

/// Asks again until the answer is yes: for what another process or a timer does.
pub async fn eventually<F, Fut>(what: &str, mut ask: F)
where
    F: FnMut() -> Fut,
    Fut: Future<Output = bool>,
{
    soon(what, async {
        while !ask().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
}

//! The demo's host application: the service, the chat, and the seeded group.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Context;
use axum::http::HeaderMap;
use jiff::Timestamp;
use tokio_util::sync::CancellationToken;

use super::chat::Chat;
use super::people;
use super::simulation_state::SimulationState;
use crate::app::App;
use crate::config::{Config, Listen, Secret, Wake};
use crate::domain::{Act, Group, GroupType, Guid, Member, Name, Terms, Uid};
use crate::identity::{NewToken, cookie, mint};
use crate::live::LiveGroup;
use crate::membership::{self, ActRequest, Actor};
use crate::random;

/// The one group.
pub(super) const GUID: &str = "harbour";
/// Lifetime of a viewer token, in seconds.
pub(super) const TTL: i64 = 12 * 3600;
/// The demo. Cheap to clone.
#[derive(Clone)]
pub(super) struct Demo(pub(super) Arc<Inner>);

pub(super) struct Inner {
    app: App,
    pub(super) group: Arc<LiveGroup>,
    pub(super) chat: Chat,
    pub(super) simulation: SimulationState,
    /// Whether a raid is on.
    pub(super) raid: AtomicBool,
    pub(super) end: CancellationToken,
}

impl Demo {
    /// Opens the service with a database in `folder`, and makes the group.
    ///
    /// # Errors
    /// When the service cannot be opened, or the group cannot be made.
    pub(super) async fn open(config: Config, address: SocketAddr, folder: &Path) -> anyhow::Result<Demo> {
        let app = App::open(isolated(config, address, folder)).await?;
        let now = app.clock().now();
        let uids = seed(&app, now).await?;
        let group = app.hub().group(&guid()).await?.context("the seeded group is there")?;
        let chat = Chat::seeded(&group, now);
        Ok(Demo(Arc::new(Inner {
            app,
            group,
            chat,
            simulation: SimulationState::new(uids),
            raid: AtomicBool::new(false),
            end: CancellationToken::new(),
        })))
    }

    pub(super) fn app(&self) -> &App {
        &self.0.app
    }

    /// The member of this uid, if there is one.
    pub(super) fn member(&self, uid: &str) -> Option<Arc<Member>> {
        self.0.group.state().roster().get(uid).cloned()
    }

    /// The end of this member's mute, while it is in force; enforced by the host application.
    pub(super) fn muted_until(&self, uid: &Uid) -> Option<Timestamp> {
        let member = self.member(uid.as_str())?;
        Timestamp::from_millisecond(member.muted_at(self.app().clock().now())?.until).ok()
    }

    /// The viewer by this browser's cookie.
    pub(super) async fn viewer(&self, headers: &HeaderMap) -> Option<Uid> {
        let token = cookie::find(headers, &self.app().config().viewer_cookie)?;
        let claims = self.app().keys().verify(token, self.app().clock().now() / 1000).await.ok()?;
        Some(claims.uid)
    }

    /// A viewer token, as a host's back end makes it.
    pub(super) fn token(&self, uid: &Uid) -> String {
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

    /// Whether the demo is reachable under two host names, so that one browser can be two viewers.
    pub(super) fn has_two_names(&self) -> bool {
        matches!(self.app().config().listen, Listen::Address(address) if address.ip() == Ipv4Addr::LOCALHOST)
    }
}

pub(super) fn guid() -> Guid {
    GUID.parse().expect("a guid of letters")
}

/// The given configuration without anything that reaches beyond the demo.
fn isolated(config: Config, address: SocketAddr, folder: &Path) -> Config {
    Config {
        listen: address.into(),
        database_url: format!("sqlite://{}", folder.join("demo.db").display()),
        viewer_secrets: vec![Secret::new(random::hex::<32>())],
        viewer_jwks: None,
        // Cookies ignore ports, so the name must differ from that of other services on this machine.
        viewer_cookie: format!("chat_demo_{}", address.port()),
        base_path: String::new(),
        public_url: None,
        wake: Wake::None,
        webhooks: Vec::new(),
        ..config
    }
}

/// Seeds the group. Returns the uids of all people, the cast first.
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
    membership::sync(app.store(), group, None, false, rows.into_iter().map(Ok)).await?;
    let by_ben = ActRequest::new(guid(), Actor::Viewer(uid("ben")));
    let terms =
        Terms { reason: Some("Sold last year's tide tables as new, three times.".into()), message: None, until: None };
    membership::act(app.store(), by_ben, uid("flo"), Act::Ban(terms)).await?;
    for (place, uid) in people::online_at_start(&uids).enumerate() {
        app.hub().set_host_presence(uid, true);
        if is_away(place) {
            app.hub().set_host_presence(uid, false);
        }
    }
    Ok(uids)
}

/// Whether somebody who is present at the start is away: every sixth is.
pub(super) fn is_away(place: usize) -> bool {
    place % 6 == 5
}

pub(super) fn uid(text: &str) -> Uid {
    text.parse().expect("uids written here are well formed")
}

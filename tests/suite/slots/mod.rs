//! Slots: an operator's templates in a folder, and a host's own drawing in Rust. Here is what is drawn in each slot.

mod faults;
mod host;
mod live;

use std::fs;
use std::path::PathBuf;

use chat_group_members::domain::Name;
use chat_group_members::membership::{self, GroupPatch};

use crate::support::{self, Answer, World, texts};

const LIST: &str = "/groups/den/members";
const CARD: &str =
    "<b class=\"card\" data-own=\"{{ own }}\">{{ member.name }}, {{ member.scope }}, {{ member.joinedAt|date }}</b>";

/// The cast, and a folder of these templates.
async fn world(templates: &[(&str, &str)]) -> (World, Templates) {
    let folder = Templates(tempfile::tempdir().unwrap());
    for (name, text) in templates {
        folder.put(name, text);
    }
    let path = folder.path();
    (World::with(|config| config.views = Some(path)).await, folder)
}

struct Templates(tempfile::TempDir);

impl Templates {
    fn path(&self) -> PathBuf {
        self.0.path().to_owned()
    }

    fn put(&self, name: &str, text: &str) {
        fs::write(self.0.path().join(format!("{name}.html")), text).unwrap();
    }

    fn remove(&self, name: &str) {
        fs::remove_file(self.0.path().join(format!("{name}.html"))).unwrap();
    }
}

/// The inside of the element, as it was sent.
fn inside(answer: &Answer, selector: &str) -> String {
    let html = answer.html();
    html.select(&support::select(selector)).next().map(|element| element.inner_html()).unwrap_or_default()
}

#[tokio::test]
async fn each_part_of_a_row_is_drawn_alone_and_with_others() {
    let (world, _folder) = world(&[
        ("card", CARD),
        ("line", "<i>{{ member.uid }} in {{ group.guid }}</i>"),
        ("face", "<i>{{ member.name|initials }} {{ member.status }} {{ member.avatar }}</i>"),
        ("shout", "<i>{{ member.name|upper }}</i>"),
        ("mark", "<i>{{ viewer.scope }} sees {{ member.scope }} in {{ lang }}</i>"),
    ])
    .await;
    let row = "li[data-uid=dee]";
    let seen = async |query: &str| world.ben.get(&format!("{LIST}?{query}")).await.ok();
    let item = seen("itemView=card").await;
    assert_eq!(item.text(&format!("{row} > .chat-group-members__item > b.card")), "Dee Dee, participant, Nov 14, 2023");
    for gone in [".chat-group-members__name", "p", "[data-hue]", "small"] {
        assert!(!item.has(&format!("{row} {gone}")), "{gone}");
    }
    assert!(item.has(&format!("{row} > a.chat-group-members__more")), "the menu button stays");
    assert_eq!(item.attribute(row, "data-name").as_deref(), Some("Dee Dee"));
    let parts = [
        ("subtitleView=line", ".chat-group-members__subtitle > i", "dee in den", ".chat-group-members__name"),
        ("leadingView=face", ".chat-group-members__leading > i", "DD offline", ".chat-group-members__name"),
        ("titleView=shout", ".chat-group-members__name > i", "DEE DEE", "p"),
        (
            "trailingView=mark&lang=sv",
            ".chat-group-members__trailing > i",
            "admin sees participant in sv",
            "[data-hue]",
        ),
    ];
    for (query, place, says, stays) in parts {
        let answer = seen(query).await;
        assert_eq!(answer.text(&format!("{row} {place}")), says, "{query}");
        assert!(answer.has(&format!("{row} {stays}")), "{query}");
    }
    let all = seen(&parts.map(|(query, ..)| query).join("&")).await;
    for (_, place, says, _) in parts {
        assert_eq!(all.text(&format!("{row} {place}")), says);
    }
    let hidden = seen("leadingView=face&hideUserStatus=true").await;
    assert_eq!(hidden.text(&format!("{row} .chat-group-members__leading")), "DD", "a hidden status is nothing");
}

#[tokio::test]
async fn a_header_gets_the_group_and_its_numbers_stay_live() {
    let (world, _folder) =
        world(&[("head", "<h2>{{ title }}: {{ group.name }} ({{ group.membersCount }}, {{ group.type }})</h2>{{ totals }}{% if bans %}<a href=\"{{ bans }}\">out</a>{% endif %}")])
            .await;
    let view = format!("{LIST}?headerView=head&title=Crew");
    let (ben, dee) = (world.ben.get(&view).await.ok(), world.dee.get(&view).await.ok());
    let header = "header#cgm-den-header.chat-group-members__header";
    assert_eq!(ben.text(&format!("{header} > h2")), "Crew: The den (5, private)");
    assert_eq!(ben.text("#cgm-den-totals .chat-group-members__count"), "5");
    assert_eq!(ben.attribute(&format!("{header} > a"), "href").as_deref(), Some("/groups/den/bans"));
    assert!(!dee.has(&format!("{header} > a")), "participants see nobody who is banned");
    let mut stream = world.dee.raw("/groups/den/events?headerView=head&title=Crew", &[]).await;
    world.ben.kick("eve").await.ok();
    let message = stream.until("the kick", |message| message.misses("eve")).await;
    let fresh = world.dee.get(&view).await.ok();
    assert_eq!(texts(&message.html(), "h2", None), ["Crew: The den (4, private)"]);
    assert_eq!(message.attribute("header", "data-hx-swap-oob").as_deref(), Some("true"));
    let header = |html: &scraper::Html| html.select(&support::select("header")).next().unwrap().inner_html();
    assert_eq!(header(&message.html()), header(&fresh.html()));
    let patch = GroupPatch { name: Some(Name::parse("Lair").unwrap()), ..GroupPatch::default() };
    membership::update_group(world.app.store(), support::by_host("den"), patch).await.unwrap();
    stream.until("the group's name", |message| texts(&message.html(), "h2", None) == ["Crew: Lair (4, private)"]).await;
}

#[tokio::test]
async fn a_header_that_says_who_looks_says_it_to_them_alone() {
    let (world, _folder) = world(&[("me", "{{ viewer.uid }} {{ viewer.scope }}"), ("all", "{{ viewer.scope }}")]).await;
    let view = "headerView=me&itemView=all";
    let mut streams = Vec::new();
    for viewer in [&world.dee, &world.eve] {
        let page = viewer.get(&format!("{LIST}?{view}")).await.ok();
        assert_eq!(page.text("header"), format!("{} participant", viewer.uid));
        streams.push((viewer.uid.clone(), viewer.raw(&format!("/groups/den/events?{view}"), &[]).await));
    }
    // Of what is given twice the last counts, also for whether others may be shown the same.
    for viewer in [&world.dee, &world.eve] {
        let part = viewer.get(&format!("{LIST}?headerView=&part=view&{view}")).await.ok();
        assert_eq!(part.text("header"), format!("{} participant", viewer.uid));
    }
    // The numbers in the header change: they are sent with it whenever statuses were.
    world.ada.kick("cy").await.ok();
    for (uid, stream) in &mut streams {
        let message = stream.until("the change", |message| message.misses("cy")).await;
        assert_eq!(texts(&message.html(), "header", None), [format!("{uid} participant")]);
    }
}

#[tokio::test]
async fn what_stands_there_when_nothing_does_is_drawn() {
    let (world, _folder) = world(&[
        ("none", "nobody fits [{{ search }}] of {{ filter }} <a href=\"{{ clear }}\">all</a>"),
        ("wait", "<progress></progress>{{ group.guid }}"),
    ])
    .await;
    let answer = world
        .dee
        .get(&format!("{LIST}?emptyView=none&loadingView=wait&searchKeyword=x%3Ci%3E&filter=admins"))
        .await
        .ok();
    assert_eq!(answer.text("#cgm-den-empty"), "nobody fits [x<i>] of admins all");
    assert!(answer.attribute("#cgm-den-empty a", "href").unwrap().starts_with("/groups/den/members?"));
    assert_eq!(inside(&answer, "#cgm-den-loading"), "<progress></progress>den");
    assert_eq!(world.dee.get(&format!("{LIST}?emptyView=none")).await.text("#cgm-den-empty"), "", "there are rows");
    let built_in = world.dee.get(LIST).await.ok();
    assert!(built_in.has("#cgm-den-loading > .chat-group-members__row--skeleton"));
    let mut stream = world.dee.raw("/groups/den/events?emptyView=none&scopes=moderator", &[]).await;
    world.ada.kick("cy").await.ok();
    let message = stream.until("the last moderator goes", |message| message.misses("cy")).await;
    assert_eq!(texts(&message.html(), "#cgm-den-empty > div", None), ["nobody fits [] of all all"]);
}

#[tokio::test]
async fn a_refusal_is_drawn_where_the_component_says_it() {
    let (world, _folder) = world(&[("oops", "<em>{{ code }}: {{ title }} – {{ detail }}</em>")]).await;
    let refused = world.dee.htmx_act("/groups/den/members/ada?errorView=oops", &[("_method", "DELETE")]).await;
    let plain = world.dee.htmx_act("/groups/den/members/ada", &[("_method", "DELETE")]).await;
    let alert = "[role=alert].chat-group-members__error[data-code=ERR_GROUP_NO_CLEARANCE]";
    assert_eq!(refused.status, 403);
    assert_eq!(refused.header("hx-retarget"), "#cgm-den-error");
    let (title, detail) = (plain.text(&format!("{alert} > strong")), plain.text(&format!("{alert} > p")));
    assert_eq!(refused.text(&format!("{alert} > em")), format!("ERR_GROUP_NO_CLEARANCE: {title} – {detail}"));
    assert_eq!(refused.attribute(alert, "data-title").as_deref(), Some(title.as_str()), "for the event");
    assert_eq!(refused.attribute(alert, "data-detail").as_deref(), Some(detail.as_str()));
}

#[tokio::test]
async fn options_replace_the_acts_or_stand_among_them() {
    let (world, _folder) = world(&[
        ("instead", "{{ option('message', 'Send a message') }}\n{{ link('/people/' ~ member.uid ~ '?from=' ~ viewer.uid, 'Profile') }}"),
        ("among", "{{ option('message', 'Message ' ~ member.name) }}{{ acts() }}"),
        ("bad", "{{ link('javascript:alert(1)', 'x') }}"),
        ("group", "{{ option('x', group.name ~ ' ' ~ group.membersCount ~ ' ' ~ viewer.scope) }}"),
    ])
    .await;
    let menu = async |actor: &support::Actor, uid: &str, options: &str| {
        actor.htmx(&format!("{LIST}/{uid}?part=menu&options={options}")).await.ok()
    };
    let instead = menu(&world.ben, "dee", "instead").await;
    assert_eq!(instead.text("button[data-option=message].chat-group-members__act"), "Send a message");
    assert_eq!(instead.attribute("a.chat-group-members__act", "href").as_deref(), Some("/people/dee?from=ben"));
    assert!(!instead.has("[data-action]"), "the acts are replaced");
    let among = menu(&world.ben, "dee", "among").await;
    assert_eq!(among.text("button[data-option]"), "Message Dee Dee");
    assert_eq!(among.count("a[data-action]"), 5, "{}", among.body);
    assert!(menu(&world.ben, "dee", "bad").await.has("a[data-action=kick]"), "the built-in menu in its place");
    assert_eq!(menu(&world.cy, "dee", "group").await.text("button"), "The den 5 moderator");
    let eve = world.eve.get(&format!("{LIST}?options=instead")).await.ok();
    assert_eq!(eve.count("li.chat-group-members__row a[href]"), 5, "every row has a menu");
    assert_eq!(
        menu(&world.eve, "eve", "instead").await.attribute("a", "href").as_deref(),
        Some("/people/eve?from=eve")
    );
}

#[tokio::test]
async fn without_scripts_links_lead_on_and_events_are_left_out() {
    let (world, _folder) = world(&[
        ("instead", "{{ option('message', 'Message') }}{{ link('/people/' ~ member.uid, 'Profile') }}"),
        ("among", "{{ link('/people/' ~ member.uid, 'Profile') }}{{ acts() }}"),
    ])
    .await;
    let instead = world.ben.page(&format!("{LIST}/dee?options=instead")).await.ok();
    assert_eq!(instead.text("nav a[href='/people/dee']"), "Profile");
    assert!(!instead.has("[data-option]") && !instead.has("form"));
    let among = world.ben.page(&format!("{LIST}/dee?options=among")).await.ok();
    assert!(among.has("nav a[href='/people/dee']") && among.has("form [data-action=kick]"));
}

#[tokio::test]
async fn viewers_of_one_scope_share_bytes_and_others_get_their_own() {
    let (world, _folder) = world(&[("card", "{{ viewer.scope }} {{ own }}")]).await;
    let rows = async |actor: &support::Actor| {
        actor.get(&format!("{LIST}?part=rows&itemView=card&scopes=owner,admin")).await.ok().body
    };
    for _ in 0..3 {
        assert_eq!(rows(&world.dee).await, rows(&world.eve).await);
        assert!(rows(&world.dee).await.contains("participant false"), "{}", rows(&world.dee).await);
        assert!(rows(&world.ada).await.contains("owner true"), "the own row is drawn apart");
        assert!(rows(&world.ben).await.contains("admin false"));
    }
}

#[tokio::test]
async fn a_name_with_markup_is_text_in_every_slot() {
    let say = "{{ member.name }}{% autoescape false %}{{ member.name }}{% endautoescape %}";
    let (world, _folder) = world(&[
        ("say", say),
        ("head", "{{ title }}"),
        ("none", "{{ search }}"),
        ("menu", "{{ option(member.name, member.name) }}{{ link('/?' ~ member.name, member.name) }}"),
    ])
    .await;
    let name = "<img src=x onerror=alert(1)> \"'&";
    world.host_adds("den", "imp", name).await;
    for slot in ["itemView", "subtitleView", "leadingView", "titleView", "trailingView"] {
        let answer = world.dee.get(&format!("{LIST}?{slot}=say")).await.ok();
        assert!(answer.has("li[data-uid=imp]") && !answer.has("img"), "{slot}: {}", answer.body);
        assert!(answer.text("li[data-uid=imp]").contains(&format!("{name}{name}")), "{slot}");
    }
    let marked = "%3Cimg%20src%3Dx%3E";
    let answer = world
        .dee
        .get(&format!("{LIST}?headerView=head&title={marked}&emptyView=none&searchKeyword={marked}"))
        .await
        .ok();
    assert!(
        !answer.has("img") && answer.text("header") == "<img src=x>" && answer.text("#cgm-den-empty") == "<img src=x>"
    );
    let menu = world.dee.htmx(&format!("{LIST}/imp?part=menu&options=menu")).await.ok();
    assert!(!menu.has("img"));
    assert_eq!(menu.attribute("button", "data-option").as_deref(), Some(name));
    assert_eq!(menu.text("a"), name);
}

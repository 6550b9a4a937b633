//! `GET /groups/{guid}/bans`: who is banned, until when, why, by whom.

use axum::extract::State;
use axum::response::Response;

use crate::app::App;
use crate::domain::{Ban, Search, Standing, Uid, rules};
use crate::http::extract::{Format, GroupAccess, Path, RequestInfo, Viewer};
use crate::http::problem::Problem;
use crate::http::respond::flash::notice;
use crate::http::respond::reply::{json, rendered};
use crate::http::respond::{json, return_to};
use crate::i18n::{Message, key};
use crate::roster::Roster;
use crate::views::{BanRow, BansList, BansPage, Props, ViewContext};

/// The banned, searched and paged.
pub(crate) async fn list(
    State(app): State<App>,
    viewer: Viewer,
    Path(guid): Path<String>,
    info: RequestInfo,
) -> Result<Response, Problem> {
    let access = GroupAccess::load(&app, &viewer, &guid, &info).await?;
    if info.format == Format::Atom {
        return Err(Problem::no_feed());
    }
    let props = Props::parse(info.pairs())?;
    let from: usize = match info.value("cursor") {
        None => 0,
        Some(cursor) => cursor.parse().map_err(|_| Problem::invalid("cursor: a place as answers give it"))?,
    };
    let context = access.context(&app, &viewer, props)?;
    rules::see_bans(Standing::Member(access.scope)).map_err(Problem::refused)?;
    let (notice, back) = (notice(&app, &access, &viewer, &info).await?, return_to::asked(&app, &info));
    let bans = app.store().read().await?.bans(access.group.guid()).await?;
    let search = Search::new(&context.props.search);
    let found: Vec<&Ban> = bans.iter().filter(|ban| ban.is_found(&search)).collect();
    let limit = context.props.limit();
    let shown: Vec<&Ban> = found.iter().skip(from).take(limit).copied().collect();
    let next = (from + limit < found.len()).then(|| (from + limit).to_string());
    if matches!(info.format, Format::Json | Format::Csv) {
        let data: Vec<_> = shown.iter().map(|ban| json::ban(ban)).collect();
        return json(&serde_json::json!({"data": data, "meta": {"count": found.len(), "next": next}}));
    }
    let own = with(&context.bans_href(), "return", back.as_deref().unwrap_or_default());
    let next = next.map(|next| with(&with(&own, "searchKeyword", &context.props.search), "cursor", &next));
    let list = BansList {
        style: (info.format == Format::Fragment).then(|| context.acts_style()),
        context: &context,
        search: &context.props.search,
        count: found.len(),
        bans: shown.into_iter().map(|ban| row(&context, access.group.state().roster(), ban)).collect(),
        next,
        own,
    };
    if info.format == Format::Page {
        let group = access.group.state().roster().group().shown_name().into_owned();
        let (layout, lang) = (app.layout(), info.lang);
        return rendered(&BansPage { layout, context: &context, group: &group, list, back, notice, lang });
    }
    rendered(&list)
}

fn row(context: &ViewContext, roster: &Roster, ban: &Ban) -> BanRow {
    // Who banned may have left since; then only the uid is known here.
    let by =
        |uid: &Uid| roster.get(uid.as_str()).map_or_else(|| uid.to_string(), |member| member.shown_name().into_owned());
    let said = Message::from(key::BANS_BY).at(ban.at);
    let said = match &ban.by {
        Some(uid) => said.with("by", by(uid)),
        None => said.message("by", key::THE_HOST),
    };
    BanRow {
        uid: ban.uid.to_string(),
        name: ban.shown_name().into_owned(),
        reason: ban.reason.clone(),
        until: ban
            .until
            .map_or(Message::from(key::BANS_FOREVER), |until| Message::from(key::BANS_UNTIL).at(until))
            .text(context.lang),
        by: said.html(context.lang),
        action: format!("{}?lang={}", context.urls().ban(&ban.uid), context.lang.tag()),
    }
}

/// The URL with one more parameter, unless it is empty.
fn with(url: &str, name: &str, value: &str) -> String {
    if value.is_empty() {
        return url.to_owned();
    }
    let between = if url.contains('?') { '&' } else { '?' };
    let pair = form_urlencoded::Serializer::new(String::new()).append_pair(name, value).finish();
    format!("{url}{between}{pair}")
}

//! `GET /groups/{guid}/bans` and `…/mutes`: who is banned or muted, until when, why, by whom.

use axum::response::Response;

use crate::domain::{ActKind, Restriction, RestrictionPlace, Search, Standing, Uid, rules};
use crate::http::extract::{Format, GroupRequest, RequestInfo};
use crate::http::openapi::{DataFormat, GroupPath, RestrictionWindow, RestrictionsAnswer};
use crate::http::problem::Problem;
use crate::http::respond::flash::Flash;
use crate::http::respond::reply::{json, rendered};
use crate::http::respond::{json, return_to};
use crate::i18n::{Message, key};
use crate::live::GroupState;
use crate::store::{RestrictionKind, RestrictionsFrom};
use crate::views::urls::language_query;
use crate::views::{Props, RestrictionList, RestrictionPage, RestrictionRow, ViewContext};

/// The banned, searched and paged.
#[utoipa::path(get, path = "/groups/{guid}/bans", operation_id = "showBanned", tag = "Component", params(GroupPath, RestrictionWindow, DataFormat),
    summary = "The banned, for moderators and up.",
    responses((status = 200, description = "As the request wants it.", content((RestrictionsAnswer = "application/json"), (String = "text/html")))))]
pub(in crate::http) async fn list_banned(request: GroupRequest) -> Result<Response, Problem> {
    restricted(request, RestrictionKind::Ban).await
}

/// The muted, searched and paged.
#[utoipa::path(get, path = "/groups/{guid}/mutes", operation_id = "showMuted", tag = "Component", params(GroupPath, RestrictionWindow, DataFormat),
    summary = "The muted, for moderators and up.",
    responses((status = 200, description = "As the request wants it.", content((RestrictionsAnswer = "application/json"), (String = "text/html")))))]
pub(in crate::http) async fn list_muted(request: GroupRequest) -> Result<Response, Problem> {
    restricted(request, RestrictionKind::Mute).await
}

async fn restricted(request: GroupRequest, kind: RestrictionKind) -> Result<Response, Problem> {
    if request.info.format == Format::Atom {
        return Err(Problem::no_feed());
    }
    let context = request.context()?;
    let cursor = cursor(&request.info)?;
    rules::see_restrictions(Standing::Member(request.access.scope)).map_err(Problem::refused)?;
    let found = FoundRestrictions::load(&request, kind, &context.props, cursor.as_ref()).await?;
    match request.info.format {
        Format::Json | Format::Csv => found.data(),
        _ => page(&request, &context, &found).await,
    }
}

/// The place behind which the page begins; without one it is the first.
fn cursor(info: &RequestInfo) -> Result<Option<RestrictionPlace>, Problem> {
    let Some(cursor) = info.value("cursor") else { return Ok(None) };
    cursor.parse::<RestrictionPlace>().map(Some).map_err(|()| Problem::no_place("cursor"))
}

/// A page of those whom a search has found.
struct FoundRestrictions {
    kind: RestrictionKind,
    /// The last event before these were read.
    as_of: u64,
    count: usize,
    shown: Vec<Restriction>,
    /// The place of the last row; `None` when nobody follows.
    next: Option<String>,
}

impl FoundRestrictions {
    async fn load(
        request: &GroupRequest,
        kind: RestrictionKind,
        props: &Props,
        cursor: Option<&RestrictionPlace>,
    ) -> Result<FoundRestrictions, Problem> {
        let (mut reader, guid) = (request.app.store().read().await?, request.access.group.guid());
        let (_, as_of) = reader.group(guid).await?.ok_or_else(Problem::not_there)?;
        let search = Search::new(&props.search);
        let from = cursor.map_or(RestrictionsFrom::Offset(0), RestrictionsFrom::Behind);
        // With the first one of the next page.
        let (count, mut shown) = reader.restrictions(kind, guid, &search, from, props.limit() + 1).await?;
        let are_more = shown.len() > props.limit();
        shown.truncate(props.limit());
        let next = shown.last().filter(|_| are_more).map(|last| last.place().to_string());
        Ok(FoundRestrictions { kind, as_of, count, shown, next })
    }

    fn data(&self) -> Result<Response, Problem> {
        let data: Vec<_> = self.shown.iter().map(json::restriction).collect();
        json(&serde_json::json!({"data": data, "meta": {"count": self.count, "next": self.next}}))
    }

    /// These people as a list on this viewer's page at `now`, Unix milliseconds, whose links keep the page to return to.
    fn list<'a>(
        &self,
        context: &'a ViewContext,
        state: &GroupState,
        (viewer, now): (&Uid, i64),
        back: Option<&str>,
    ) -> RestrictionList<'a> {
        let (href, lifts) = match self.kind {
            RestrictionKind::Ban => (context.bans_href(), ActKind::Unban),
            RestrictionKind::Mute => (context.mutes_href(), ActKind::Unmute),
        };
        let search = context.props.search.as_str();
        let own = return_to::with_parameter(&href, "return", back.unwrap_or_default());
        let searched = return_to::with_parameter(&own, "searchKeyword", search);
        RestrictionList {
            style: None,
            context,
            lifts,
            as_of: state.id(self.as_of),
            search,
            count: self.count,
            rows: self.shown.iter().map(|one| row(context, state, (viewer, now), self.kind, one)).collect(),
            next: self.next.as_ref().map(|place| return_to::with_parameter(&searched, "cursor", place)),
            own,
            searched,
        }
    }
}

async fn page(request: &GroupRequest, context: &ViewContext, found: &FoundRestrictions) -> Result<Response, Problem> {
    let GroupRequest { app, viewer, access, info } = request;
    let (flash, back) = (Flash::read(app, access, viewer, info).await?, return_to::parse(app, info));
    let notice = flash.map(|flash| flash.notice(context));
    let state = access.group.state();
    let list = found.list(context, &state, (viewer.uid(), app.clock().now()), back.as_deref());
    if info.format == Format::Page {
        let group = &state.roster().group().shown_name();
        return rendered(&RestrictionPage {
            layout: app.layout(),
            context,
            group,
            list,
            back,
            notice,
            lang: info.lang,
        });
    }
    rendered(&RestrictionList { style: Some(context.acts_style()), ..list })
}

fn row(
    context: &ViewContext,
    state: &GroupState,
    (viewer, now): (&Uid, i64),
    kind: RestrictionKind,
    ban: &Restriction,
) -> RestrictionRow {
    let roster = state.roster();
    let (actor, target) = (Standing::Member(context.scope), state.standing_at(&ban.uid, now));
    let own = ban.uid == *viewer;
    let sees_notes = rules::see_notes(actor, target, own).is_ok();
    let (url, by_whom, lifted) = match kind {
        RestrictionKind::Ban => (context.urls().ban(&ban.uid), key::BANS_BY, rules::unban(actor, target)),
        RestrictionKind::Mute => {
            (context.urls().mute(&ban.uid), key::MUTES_BY, rules::unmute(actor, target, own, true))
        }
    };
    // The person who banned may have left since; then only their uid is known here.
    let by =
        |uid: &Uid| roster.get(uid.as_str()).map_or_else(|| uid.to_string(), |member| member.shown_name().into_owned());
    let message = Message::from(by_whom).at(ban.at);
    let message = match &ban.by {
        Some(uid) => message.with("by", by(uid)),
        None => message.message("by", key::THE_HOST),
    };
    RestrictionRow {
        uid: ban.uid.to_string(),
        name: ban.shown_name().into_owned(),
        reason: ban.reason.clone(),
        until: ban
            .until
            .map_or(Message::from(key::BANS_FOREVER), |until| Message::from(key::BANS_UNTIL).at(until))
            .text(context.lang),
        by: message.html(context.lang),
        action: lifted.is_ok().then(|| url + &language_query(context.lang)),
        notes: sees_notes.then(|| context.notes_href(&ban.uid)),
    }
}

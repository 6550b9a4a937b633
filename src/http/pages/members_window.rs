//! A window of the list for one viewer: from the cache or rendered, as markup, JSON or CSV.

use std::sync::Arc;

use askama::Template;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::members_csv;
use super::members_key::{cache_key, is_of_older_page};
use crate::app::App;
use crate::content_coding::ContentCoding;
use crate::domain::{Member, MemberRecord, OrderKey};
use crate::http::extract::{Format, GroupAccess, RequestInfo, Viewer, page_range};
use crate::http::problem::Problem;
use crate::http::respond::conditional::{etag, is_known, tagged};
use crate::http::respond::flash::Flash;
use crate::http::respond::reply::{as_of, html, json};
use crate::http::respond::{list_window, panel};
use crate::live::GroupState;
use crate::roster::{PageRange, RangePart};
use crate::views::{CachedWindow, ListView, ListWindow, MembersPage, Props, Rows, Totals, ViewContext};

/// Renders a window of a group for one viewer.
pub(super) struct WindowRenderer<'a> {
    pub(super) app: &'a App,
    pub(super) access: &'a GroupAccess,
    pub(super) state: &'a GroupState,
    pub(super) viewer: &'a Viewer,
    pub(super) info: &'a RequestInfo,
    /// The time of the request, Unix milliseconds.
    pub(super) now: i64,
}

impl WindowRenderer<'_> {
    /// Responds with the window: 304 when the client has it already, else from the cache, else rendered.
    ///
    /// # Errors
    /// 422 when a parameter has a value that is not allowed; when a template fails.
    pub(super) fn respond(&self, flash: Option<Flash>, headers: &HeaderMap) -> Result<Response, Problem> {
        let WindowRenderer { app, access, state, viewer, info, now } = self;
        let key = cache_key(app, access, state, viewer, info, *now);
        let etag = match flash.as_ref().and_then(Flash::seconds_left) {
            // Soon nothing can be undone any more, and nothing else in the key says so.
            Some(left) => etag(app, viewer, info, &format!("{key} {left}")),
            None => etag(app, viewer, info, &key),
        };
        let known = is_known(headers, &etag);
        if known {
            // `If-None-Match: *` matches whatever is asked for, so the query is validated here. A window from the cache had a valid one.
            self.context_and_range()?;
        }
        let kept = if known { None } else { app.render_cache().get(&key, own_place(state, viewer)) };
        let response = match kept {
            _ if known => StatusCode::NOT_MODIFIED.into_response(),
            Some(window) => cached(&window, headers),
            None => self.render(key, flash, headers)?,
        };
        Ok(as_of(tagged(response, &etag), &state.last_id()))
    }

    /// The view and the range that the query asks for.
    ///
    /// # Errors
    /// 422 when a parameter has a value that is not allowed.
    fn context_and_range(&self) -> Result<(ViewContext, PageRange), Problem> {
        let WindowRenderer { app, access, viewer, info, now, .. } = self;
        let props = Props::parse(info.pairs(), *now)?;
        let range = page_range::parse(info, &props)?;
        Ok((access.context(app, viewer, props)?.for_older_page(is_of_older_page(info)), range))
    }

    /// The window in the format that was asked for. Markup is kept in the cache under `key`.
    fn render(&self, key: String, flash: Option<Flash>, headers: &HeaderMap) -> Result<Response, Problem> {
        let WindowRenderer { app, state, viewer, info, now, .. } = self;
        let (context, range) = self.context_and_range()?;
        let range = page_range::around_named(range, info, state.roster(), &context.props.filter());
        match info.format {
            Format::Json => data(&context, state, viewer, *now, &range),
            Format::Csv => Ok(csv(&context, state, viewer, *now, info, range)),
            _ => {
                let is_short_lived = flash.as_ref().and_then(Flash::seconds_left).is_some();
                let window = self.markup(&context, &range, flash)?;
                let is_cached = !is_short_lived && app.render_cache().put(key, &window, own_place(state, viewer));
                Ok(if is_cached { cached(&window, headers) } else { html(window.plain()) })
            }
        }
    }

    fn markup(&self, context: &ViewContext, range: &PageRange, flash: Option<Flash>) -> Result<CachedWindow, Problem> {
        let filter = context.props.filter();
        let window = self.state.roster().window(&filter, range);
        let list = list_window(self.state, &filter, &window);
        // Enough room for most windows, since growing would copy the text.
        let mut text = String::with_capacity(2048 + 420 * window.members.len());
        match self.info.format {
            Format::Page => self.write_page(context, &list, flash, &mut text)?,
            _ => self.write_part(context, &list, &mut text)?,
        }
        let place = |member: Option<&Arc<Member>>| member.map_or("", |member| member.order()).into();
        Ok(CachedWindow::new(text, (place(window.members.first()), place(window.members.last()))))
    }

    /// Writes the page around the component.
    fn write_page(
        &self,
        context: &ViewContext,
        list: &ListWindow<'_>,
        flash: Option<Flash>,
        text: &mut String,
    ) -> Result<(), Problem> {
        let panel = panel(context, self.state, list, self.viewer.uid(), self.now);
        let group = &self.state.roster().group().shown_name();
        let notice = flash.map(|flash| flash.notice(context));
        let (layout, theme, lang) = (self.app.layout(), context.props.theme, context.lang);
        MembersPage { layout, group, panel, theme, notice, lang }.render_into(text)?;
        Ok(())
    }

    /// Writes the part that the request asks for: the component by default.
    fn write_part(&self, context: &ViewContext, list: &ListWindow<'_>, text: &mut String) -> Result<(), Problem> {
        let own = self.viewer.uid();
        match self.info.value("part").as_deref() {
            Some("rows") => Rows::new(context, list, own).render_into(text)?,
            Some("view") => {
                ListView::new(context, list, own).render_into(text)?;
                // The view's stream says what comes after it: what came before may not have reached the header.
                Totals::new(context, list.totals).into_swap().render_into(text)?;
            }
            _ => panel(context, self.state, list, own, self.now).render_into(text)?,
        }
        Ok(())
    }
}

fn data(
    context: &ViewContext,
    state: &GroupState,
    viewer: &Viewer,
    now: i64,
    range: &PageRange,
) -> Result<Response, Problem> {
    let roster = state.roster();
    let filter = context.props.filter();
    let window = roster.window(&filter, range);
    let record = |member: &'_ Arc<Member>| {
        let status = roster.presence(member.uid()).status;
        let muted_until = context.visible_mute(member, viewer.uid(), now);
        serde_json::json!(MemberRecord::new(member, status).with_ends(member, muted_until))
    };
    let members: Vec<_> = window.members.iter().map(record).collect();
    let count = roster.counts(&filter).total();
    let (previous, next) = (window.previous.as_ref().map(OrderKey::as_str), window.next.as_ref().map(OrderKey::as_str));
    let id = state.last_id().to_string();
    json(&serde_json::json!({
        "data": members,
        "meta": {"count": count, "previous": previous, "next": next, "id": id},
    }))
}

/// The list as CSV, in the form that `import` reads: everybody who matches, or the requested range.
fn csv(
    context: &ViewContext,
    state: &GroupState,
    viewer: &Viewer,
    now: i64,
    info: &RequestInfo,
    mut range: PageRange,
) -> Response {
    if info.value("limit").is_none() && range.part == RangePart::First {
        range.limit = usize::MAX;
    }
    let (context, viewer) = (context.clone(), viewer.uid().clone());
    let filter = context.props.filter();
    let visible_mute = move |member: &Member| context.visible_mute(member, &viewer, now);
    members_csv::stream(state.roster().window(&filter, &range).members, visible_mute)
}

/// The viewer's own place in display order.
fn own_place<'s>(state: &'s GroupState, viewer: &Viewer) -> &'s str {
    state.roster().get(viewer.uid().as_str()).map_or("", |member| member.order())
}

/// Responds with a cached window, which is compressed once for everybody; other responses are compressed when sent.
fn cached(window: &CachedWindow, headers: &HeaderMap) -> Response {
    let coding = ContentCoding::accepted(headers);
    match coding.and_then(|coding| Some((coding, window.compressed(coding)?))) {
        Some((coding, bytes)) => ([(header::CONTENT_ENCODING, coding.header())], html(bytes)).into_response(),
        None => html(window.plain()),
    }
}

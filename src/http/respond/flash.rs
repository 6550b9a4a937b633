//! The result of an act as a sentence, and whether the act can be undone.

use strum::VariantArray;

use crate::app::App;
use crate::domain::{ActKind, By, Cause, LoggedEvent, Standing, Uid, rules};
use crate::http::extract::{Format, GroupAccess, RequestInfo, Viewer};
use crate::http::problem::Problem;
use crate::i18n::{ArgsKey, Lang, Message, SafeHtml, key};
use crate::views::{ActWords, Notice, Undoable, ViewContext};

/// The word for undoing, beside those of acts.
pub(crate) const UNDO: &str = "undo";

/// The word for a note that was added.
pub(crate) const NOTE_ADDED: &str = "note-added";

/// The word for a note that was removed.
pub(crate) const NOTE_REMOVED: &str = "note-removed";

/// The word for an act on several people: the name of its route.
pub(crate) const BATCH: &str = "bulk";

/// The result of an act done by a plain form, shown on the page that the form leads back to.
pub(crate) struct Flash {
    text: SafeHtml,
    undoable: Option<Undoable>,
}

impl Flash {
    /// Reads the result of an act from a page's URL; `None` when there is none.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) async fn read(
        app: &App,
        access: &GroupAccess,
        viewer: &Viewer,
        info: &RequestInfo,
    ) -> Result<Option<Flash>, Problem> {
        let Some(word) = info.value("done").filter(|_| info.format == Format::Page) else { return Ok(None) };
        if word == BATCH {
            return Flash::of_batch(app, access, viewer, info).await;
        }
        let text = match word.parse::<ActKind>() {
            Ok(ActKind::Join) => {
                let text = Message::from(key::DONE_JOIN).html(info.lang);
                return Ok(Some(Flash { text, undoable: None }));
            }
            Ok(act) => done(act),
            Err(_) => match word.as_str() {
                UNDO => Some(key::DONE_UNDO),
                NOTE_ADDED => Some(key::DONE_NOTE_ADDED),
                NOTE_REMOVED => Some(key::DONE_NOTE_REMOVED),
                _ => None,
            },
        };
        let uid = info.value("uid").and_then(|uid| uid.parse::<Uid>().ok());
        let Some((text, uid)) = text.zip(uid) else { return Ok(None) };
        let event = app.store().read().await?.last_event_of(access.group.guid(), &uid).await?;
        let is_own = |event: &&LoggedEvent| event.by.as_ref().is_some_and(|by| by.uid == *viewer.uid());
        let own = event.as_ref().filter(is_own);
        let name = name(access, &uid, event.as_ref(), own.is_some());
        let is_meant = |event: &&LoggedEvent| word.parse::<ActKind>().is_ok_and(|act| act.event() == event.kind);
        let undoable = own.filter(is_meant).and_then(|event| undoable(app, event));
        Ok(Some(Flash { text: Message::from(text).with("name", name).html(info.lang), undoable }))
    }

    /// The result of an act on several people: the URL has the number of people and the first event.
    async fn of_batch(
        app: &App,
        access: &GroupAccess,
        viewer: &Viewer,
        info: &RequestInfo,
    ) -> Result<Option<Flash>, Problem> {
        let number = |name| info.value(name).and_then(|value| value.parse::<u64>().ok());
        let Some(count) = number("count") else { return Ok(None) };
        let mut reader = app.store().read().await?;
        let uids = info.pairs().filter(|(name, _)| name == "except").take(LeftOut::MOST_NAMED);
        let uids: Vec<Uid> = uids.filter_map(|(_, uid)| uid.parse().ok()).collect();
        let mut names = Vec::with_capacity(uids.len());
        for uid in uids {
            let event = reader.last_event_of(access.group.guid(), &uid).await?;
            names.push(name(access, &uid, event.as_ref(), false));
        }
        let left_out = LeftOut { count: number("cannot").unwrap_or_default() as usize, names };
        let text = |act| {
            let left_out = left_out.sentence(info.lang);
            SafeHtml::join([done_to(info.lang, act, count as usize)].into_iter().chain(left_out.into_iter().flatten()))
        };
        // Anybody can write numbers into an address: only what this viewer did is said.
        let Some(first) = number("batch").filter(|&first| (1..i64::MAX as u64).contains(&first)) else {
            return Ok((count == 0).then(|| Flash { text: text(None), undoable: None }));
        };
        let events = reader.events(access.group.guid(), first - 1, first, 1).await?;
        let own = |event: &LoggedEvent| event.by.as_ref().is_some_and(|by| by.uid == *viewer.uid());
        let event = events.into_iter().flatten().find(|event| event.batch == Some(first) && own(event));
        let act = |event: &LoggedEvent| ActKind::VARIANTS.iter().copied().find(|act| act.event() == event.kind);
        let undone = |event: &LoggedEvent| event.undoes.is_some();
        Ok(event.map(|event| Flash {
            text: text(act(&event).filter(|_| !undone(&event))),
            undoable: undoable(app, &event),
        }))
    }

    /// Whether it says what holds for a short time only.
    pub(crate) fn is_short_lived(&self) -> bool {
        self.undoable.is_some()
    }

    /// The notice for this viewer's page.
    pub(crate) fn notice(self, context: &ViewContext) -> Notice {
        Notice::new(context, self.text, self.undoable.as_ref())
    }
}

/// The name of a person whose last event this is. Anybody can write a uid into a URL: names are shown only of members, of the
/// person this viewer acted on last, and, to staff, of people in the log.
fn name(access: &GroupAccess, uid: &Uid, event: Option<&LoggedEvent>, is_own: bool) -> String {
    let member = access.group.state().roster().get(uid.as_str()).map(|member| member.shown_name().into_owned());
    let is_staff = rules::see_bans(Standing::Member(access.scope)).is_ok();
    let touched = || Some(event.filter(|_| is_own || is_staff)?.touched.first()?.shown_name().into_owned());
    member.or_else(touched).unwrap_or_else(|| uid.to_string())
}

/// The sentence for a finished act; `None` for acts that another page reports.
pub(crate) fn done(act: ActKind) -> Option<ArgsKey> {
    match act {
        ActKind::Kick => Some(key::DONE_KICK),
        ActKind::Ban => Some(key::DONE_BAN),
        ActKind::Unban => Some(key::DONE_UNBAN),
        ActKind::Mute => Some(key::DONE_MUTE),
        ActKind::Unmute => Some(key::DONE_UNMUTE),
        ActKind::Scope => Some(key::DONE_SCOPE),
        ActKind::Transfer => Some(key::DONE_TRANSFER),
        // The pages after joining and leaving report these themselves.
        ActKind::Join | ActKind::Leave => None,
    }
}

/// The sentence for an act on several people, with their number; without the act when it was undone.
pub(crate) fn done_to(lang: Lang, act: Option<ActKind>, count: usize) -> SafeHtml {
    let label = act.map(|act| Message::from(ActWords::of(act, false).label).html(lang));
    let count = Message::from(key::BATCH_DONE).with("count", lang.number(count)).html(lang);
    SafeHtml::join(label.into_iter().chain([count]))
}

/// The result of an act on several people as a query for the page that a plain form leads back to.
pub(crate) fn of_batch_in_url(changed: usize, batch: Option<u64>, left_out: &LeftOut, uids: &[Uid]) -> String {
    let first = batch.map_or_else(String::new, |first| format!("&batch={first}"));
    let mut query = format!("done={BATCH}&count={changed}{first}");
    if left_out.count > 0 {
        query.push_str(&format!("&cannot={}", left_out.count));
        query.extend(uids.iter().map(|uid| format!("&except={uid}")));
    }
    query
}

/// The people whom an act on several people was not done to.
pub(crate) struct LeftOut {
    /// How many.
    pub count: usize,
    /// The names of the first.
    pub names: Vec<String>,
}

impl LeftOut {
    /// Most people who are named.
    pub(crate) const MOST_NAMED: usize = 5;

    /// How many, and their names; `None` when nobody was left out.
    fn sentence(&self, lang: Lang) -> Option<[SafeHtml; 2]> {
        let count = Message::from(key::BATCH_CANNOT).with("count", lang.number(self.count)).html(lang);
        (self.count > 0).then(|| [count, SafeHtml::names(&self.names, self.count > self.names.len())])
    }

    /// The alert for the list of the actor.
    pub(crate) fn alert(&self, context: &ViewContext) -> Option<String> {
        let [count, names] = self.sentence(context.lang)?.map(|html| html.to_string());
        Some(format!("<strong>{count}</strong><p>{names}</p>"))
    }
}

/// The undo of this event and the time left for it, if this viewer can undo it.
pub(crate) fn undoable(app: &App, event: &LoggedEvent) -> Option<Undoable> {
    let is_own = |By { uid, .. }: &By| event.touched.first().is_some_and(|touched| touched.uid == *uid);
    if !event.kind.can_be_undone() || event.cause != Some(Cause::Viewer) || event.by.as_ref().is_none_or(is_own) {
        return None;
    }
    let left = event.at + app.undo_window() - app.clock().now();
    // Rounded down: an undo offered up to the last moment would be refused.
    let (seq, batch) = (event.seq, event.batch.is_some());
    Some(Undoable { seq, seconds: u64::try_from(left).ok()? / 1000, batch }).filter(|undoable| undoable.seconds > 0)
}

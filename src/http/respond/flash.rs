//! The result of an act as a sentence, and whether the act can be undone.

use super::operation::Operation;
use crate::app::App;
use crate::domain::{ActKind, BatchAct, By, Cause, LoggedEvent, Standing, Uid, rules};
use crate::http::extract::{Format, GroupAccess, RequestInfo, Viewer};
use crate::http::problem::Problem;
use crate::i18n::{Lang, Message, SafeHtml, TextKey, key};
use crate::store::{Reader, StoreError};
use crate::views::{self, LeftOut, Notice, Props, Undoable, ViewContext};

/// The word for an act on several people: the name of its route.
pub(in crate::http) const BATCH: &str = "bulk";

/// Most people whom an address names as left out of an act on several.
const MOST_NAMED: usize = 5;

/// Most reasons that are read from an address.
const MOST_REASONS: usize = 10;

/// The result of an act done by a plain form, shown on the page that the form leads back to.
pub(in crate::http) struct Flash {
    /// `None` where those of `left_out` are all that there is to say.
    text: Option<SafeHtml>,
    undoable: Option<Undoable>,
    left_out: Option<LeftOut>,
}

impl Flash {
    fn new(text: SafeHtml, undoable: Option<Undoable>) -> Flash {
        Flash { text: Some(text), undoable, left_out: None }
    }

    /// Reads the result of an act from a page's URL; `None` when there is none, or the log does not have it.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(in crate::http) async fn read(
        app: &App,
        access: &GroupAccess,
        viewer: &Viewer,
        info: &RequestInfo,
    ) -> Result<Option<Flash>, Problem> {
        let Some(word) = info.value("done").filter(|_| info.format == Format::Page) else { return Ok(None) };
        if word == BATCH {
            return Flash::of_batch(app, access, viewer, info).await;
        }
        let uid = info.value("uid").and_then(|uid| uid.parse::<Uid>().ok());
        let Some((done, uid)) = Operation::named(&word).zip(uid) else { return Ok(None) };
        let Some(sentence) = done.sentence() else { return Ok(None) };
        let (mut reader, guid) = (app.store().read().await?, access.group.guid());
        let last = if done.is_of_note() {
            reader.last_note_event_of(guid, &uid).await?
        } else {
            reader.last_event_of(guid, &uid).await?
        };
        // Anybody can write an act into an address: it is said only if it is what happened to this person last.
        let Some(event) = last.filter(|event| done.is_reported_by(event)) else { return Ok(None) };
        let is_own = event.by.as_ref().is_some_and(|by| by.uid == *viewer.uid());
        let is_said = is_own || (done.may_be_so_already() && sees(app, access, viewer, &uid, done));
        if !is_said {
            return Ok(None);
        }
        let text = sentence.with("name", name(access, &uid, Some(&event), is_own)).html(info.lang);
        let undoable = if is_own { undoable(app, &event) } else { None };
        Ok(Some(Flash::new(text, undoable)))
    }

    /// The result of an act on several people, or of one that changed nothing: the URL has the first event, and who was left out; the log
    /// has the number of people.
    async fn of_batch(
        app: &App,
        access: &GroupAccess,
        viewer: &Viewer,
        info: &RequestInfo,
    ) -> Result<Option<Flash>, Problem> {
        let number = |name| info.value(name).and_then(|value| value.parse::<u64>().ok());
        let mut reader = app.store().read().await?;
        let left_out = left_out(&mut reader, access, info).await?.of_outcome(None);
        let left_out = Some(left_out).filter(|left_out| !left_out.is_empty());
        let Some(first) = number("batch").filter(|&first| (1..i64::MAX as u64).contains(&first)) else {
            let act = info.value("of").and_then(|word| word.parse::<ActKind>().ok());
            let text = done_to(info.lang, act, 0);
            // An act that is done to one at a time has no sentence about several.
            let says_something = number("count") == Some(0) && (text.is_some() || left_out.is_some());
            return Ok(says_something.then_some(Flash { text, undoable: None, left_out }));
        };
        // Anybody can write numbers into an address: only what this viewer did is said, as far as it was not undone.
        let events = reader.events(access.group.guid(), first - 1, first, 1).await?;
        let own = |event: &LoggedEvent| event.by.as_ref().is_some_and(|by| by.uid == *viewer.uid());
        let event = events.into_iter().flatten().find(|event| event.batch == Some(first) && own(event));
        let Some(event) = event else { return Ok(None) };
        let count = reader.acts_not_undone(access.group.guid(), first).await?;
        if count == 0 {
            return Ok(None);
        }
        let text = match (event.undoes, BatchAct::reported_by(event.kind)) {
            (Some(_), _) => done_to(info.lang, None, count),
            (None, Some(act)) => done_to(info.lang, Some(act.kind()), count),
            (None, None) => None,
        };
        Ok(text.map(|text| Flash { text: Some(text), undoable: undoable(app, &event), left_out }))
    }

    /// The time that it says is left for the undo, in seconds; `None` when it offers none.
    pub(in crate::http) fn seconds_left(&self) -> Option<u64> {
        self.undoable.as_ref().map(|undoable| undoable.seconds)
    }

    /// The notice for this viewer's page.
    pub(in crate::http) fn notice(self, context: &ViewContext) -> Notice {
        Notice::new(context, self.text, self.undoable.as_ref(), self.left_out)
    }
}

/// Whether the viewer may know that somebody else did this to the person: staff may, of notes only those above the person.
fn sees(app: &App, access: &GroupAccess, viewer: &Viewer, uid: &Uid, done: Operation) -> bool {
    if !done.is_of_note() {
        return access.scope.is_staff();
    }
    let standing = access.group.state().standing_at(uid, app.clock().now());
    rules::see_notes(Standing::Member(access.scope), standing, viewer.uid() == uid).is_ok()
}

/// The people whom an act on several was not done to, as [`of_batch_in_url`] writes them into an address.
async fn left_out(reader: &mut Reader, access: &GroupAccess, info: &RequestInfo) -> Result<LeftOut, StoreError> {
    let (mut left_out, mut named) = (LeftOut::new(info.lang), 0);
    for (name, value) in info.pairs() {
        match &*name {
            "why" if left_out.reasons.len() < MOST_REASONS => {
                let (id, count) = value.split_once('.').unwrap_or_default();
                let count = count.parse().ok().filter(|count| *count <= Props::MAX_SELECTED);
                if let Some((why, count)) = reason(id).zip(count) {
                    left_out.add_reason(why, count);
                }
            }
            "except" if named < MOST_NAMED => {
                if let (Some(people), Ok(uid)) = (left_out.reasons.last_mut(), value.parse::<Uid>()) {
                    let event = reader.last_event_of(access.group.guid(), &uid).await?;
                    let name = self::name(access, &uid, event.as_ref(), false);
                    people.named.push((uid, name));
                    named += 1;
                }
            }
            _ => {}
        }
    }
    Ok(left_out)
}

/// The reason that an address names: of all messages, those that say why something was not done.
fn reason(id: &str) -> Option<TextKey> {
    let is_reason = |why: &TextKey| [key::BATCH_UNCHANGED, key::REFUSED_NOT_UNDOABLE].contains(why);
    TextKey::named(id).filter(|why| is_reason(why) || id.starts_with("batch-refused-"))
}

/// The name of a person whose last event this is. Anybody can write a uid into a URL: names are shown only of members, of the
/// person this viewer acted on last, and, to staff, of people in the log.
pub(in crate::http) fn name(access: &GroupAccess, uid: &Uid, event: Option<&LoggedEvent>, is_own: bool) -> String {
    let member = access.group.state().roster().get(uid.as_str()).map(|member| member.shown_name().into_owned());
    let touched =
        || Some(event.filter(|_| is_own || access.scope.is_staff())?.touched.first()?.shown_name().into_owned());
    member.or_else(touched).unwrap_or_else(|| uid.to_string())
}

/// The sentence for an act on so many people, or without an act for its undoing; `None` for acts that are done to one at a time.
pub(in crate::http) fn done_to(lang: Lang, act: Option<ActKind>, count: usize) -> Option<SafeHtml> {
    let sentence = match act {
        Some(act) => views::batch_words(act.in_batch()?).done,
        None => key::BATCH_DONE_UNDO,
    };
    Some(Message::plural(sentence, count).html(lang))
}

/// The result of an act on several people, or without an act of its undoing, as a query for the page that a plain form leads back to.
pub(in crate::http) fn of_batch_in_url(
    act: Option<ActKind>,
    changed: usize,
    batch: Option<u64>,
    left_out: &LeftOut,
) -> String {
    let mut query = format!("done={BATCH}&count={changed}");
    query.extend(act.map(|act| format!("&of={}", act.as_str())));
    query.extend(batch.map(|first| format!("&batch={first}")));
    let mut places = MOST_NAMED;
    for people in &left_out.reasons {
        query.push_str(&format!("&why={}.{}", people.why.id(), people.count));
        for (uid, _) in people.named.iter().take(places) {
            query.push_str(&format!("&except={uid}"));
        }
        places = places.saturating_sub(people.named.len());
    }
    query
}

/// The undo of this event and the time left for it, if this viewer can undo it.
pub(in crate::http) fn undoable(app: &App, event: &LoggedEvent) -> Option<Undoable> {
    let is_own = |By { uid, .. }: &By| event.touched.first().is_some_and(|touched| touched.uid == *uid);
    if !event.kind.can_be_undone() || event.cause != Some(Cause::Viewer) || event.by.as_ref().is_none_or(is_own) {
        return None;
    }
    let window = app.undo_window();
    // Where the clock of another node is ahead, the event seems to be yet to come.
    let left = (event.at + window - app.clock().now()).min(window);
    // Rounded down: an undo offered up to the last moment would be refused.
    let (seq, batch) = (event.seq, event.batch.is_some());
    Some(Undoable { seq, seconds: u64::try_from(left).ok()? / 1000, batch }).filter(|undoable| undoable.seconds > 0)
}

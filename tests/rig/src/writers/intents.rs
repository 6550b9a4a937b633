//! What a writer does next to one of their people, and the answer that is expected.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Ending, Known, Standing, Writer};

/// The most notes that are written about one person, of the hundred that there may be.
const MOST_NOTED: u8 = 90;
/// Seconds until a ban, a mute or a scope ends by itself in the middle of the run.
const SOON: u64 = 2;
/// Seconds until it would end, long after the run.
pub(super) const LATER: u64 = 24 * 3600;

/// A request, and the answer that is expected.
pub(super) struct Intent {
    pub(super) by: String,
    pub(super) target: String,
    pub(super) method: Method,
    pub(super) path: String,
    pub(super) body: Value,
    /// The event and the scope after it, or the status of the refusal.
    pub(super) expected: Result<(&'static str, i64), u16>,
    pub(super) after: Standing,
    /// Whether they are muted after it.
    pub(super) muted: bool,
    /// What of theirs ends by itself soon after it.
    pub(super) ending: Option<Ending>,
    /// What it undoes, when that may have ended by itself meanwhile.
    pub(super) undoes: Option<Ending>,
}

impl Writer {
    /// Draws one; `None` for somebody whose standing is unknown.
    pub(super) fn intend(&mut self, number: usize, which: usize, known: Known) -> Option<Intent> {
        let Known { standing, muted, last, ending } = known;
        use Standing::{Banned, Lost, Moderator, Out, Participant};
        let (admin, target) = (self.place.writer(number), self.place.target(number, which));
        let member = format!("/members/{target}");
        let (ban, mute) = (format!("/bans/{target}"), format!("/mutes/{target}"));
        let (scope, notes) = (format!("{member}/scope"), format!("{member}/notes"));
        let by_admin = |method, path: &str, body, expected, after| Intent {
            by: admin.clone(),
            target: target.clone(),
            method,
            path: path.into(),
            body,
            expected,
            after,
            muted,
            ending: None,
            undoes: None,
        };
        if let Some(last) = last.filter(|_| self.rng.u8(0..3) == 0) {
            let path = format!("/events/{}/undo", last.seq);
            let intent = by_admin(Method::POST, &path, json!({}), Ok(last.undone_by), last.standing);
            // Of a scope neither answer tells whether the end has been written: it stays open until the scope is given again.
            let still = ending.filter(|ending| *ending == Ending::Scope);
            return Some(Intent { muted: last.muted, ending: still, undoes: ending, ..intent });
        }
        if let Some(ending) = ending {
            // On other terms it is an event, whether it has ended meanwhile or not.
            let again = match ending {
                Ending::Ban => {
                    by_admin(Method::PUT, &ban, json!({"reason": "chaos"}), Ok(("member_banned", -1)), Banned)
                }
                Ending::Mute => {
                    let expected = Ok(("member_muted", standing.scope()));
                    let intent = by_admin(Method::PUT, &mute, json!({"until": LATER}), expected, standing);
                    Intent { muted: true, ..intent }
                }
                Ending::Scope => {
                    let expected = Ok(("member_scope_changed", 1));
                    by_admin(Method::PUT, &scope, json!({"scope": "moderator"}), expected, Moderator)
                }
            };
            return Some(again).filter(|_| self.rng.bool());
        }
        let may_note = self.noted[which] < MOST_NOTED;
        let soon = self.rng.u8(0..3) == 0;
        let until = match (soon, self.rng.bool()) {
            (true, _) => json!(SOON),
            (false, true) => json!(LATER),
            (false, false) => Value::Null,
        };
        let ban_terms = if soon { json!({"reason": "chaos", "until": SOON}) } else { json!({"reason": "chaos"}) };
        let mute_terms = json!({"until": if soon { SOON } else { LATER }});
        let by_target = |method, path: &str, expected, after| Intent {
            by: target.clone(),
            ..by_admin(method, path, json!({}), expected, after)
        };
        let intent = match (standing, self.rng.u8(0..10)) {
            (Lost, _) => return None,
            (Out, 0..7) => by_target(Method::POST, "/members", Ok(("member_joined", 0)), Participant),
            (Out, 7) if may_note => {
                by_admin(Method::POST, &notes, json!({"text": "chaos"}), Ok(("note_added", -1)), Out)
            }
            (Out, _) => by_admin(Method::PUT, &ban, ban_terms, Ok(("member_banned", -1)), Banned),
            (Banned, 0..3) => by_target(Method::POST, "/members", Err(409), Banned),
            (Banned, _) => by_admin(Method::DELETE, &ban, json!({}), Ok(("member_unbanned", -1)), Out),
            (_, 0..2) => by_admin(Method::DELETE, &member, json!({}), Ok(("member_kicked", -1)), Out),
            (_, 2) => by_target(Method::DELETE, &member, Ok(("member_left", -1)), Out),
            (_, 3) => by_admin(Method::PUT, &ban, ban_terms, Ok(("member_banned", -1)), Banned),
            (_, 4) => Intent { body: json!({"uid": target}), ..by_target(Method::PUT, "/owner", Err(403), standing) },
            (_, 5) if muted => Intent {
                muted: false,
                ..by_admin(Method::DELETE, &mute, json!({}), Ok(("member_unmuted", standing.scope())), standing)
            },
            (_, 5) => Intent {
                muted: true,
                ..by_admin(Method::PUT, &mute, mute_terms, Ok(("member_muted", standing.scope())), standing)
            },
            (_, 6) if may_note => {
                let expected = Ok(("note_added", standing.scope()));
                by_admin(Method::POST, &notes, json!({"text": "chaos"}), expected, standing)
            }
            (Participant, _) => {
                let body = json!({"scope": "moderator", "until": until});
                by_admin(Method::PUT, &scope, body, Ok(("member_scope_changed", 1)), Moderator)
            }
            (Moderator, _) => by_admin(
                Method::PUT,
                &scope,
                json!({"scope": "participant"}),
                Ok(("member_scope_changed", 0)),
                Participant,
            ),
        };
        self.noted[which] += u8::from(intent.path == notes);
        let intent = Intent { ending: intent.expected.ok().filter(|_| soon).and_then(Ending::of), ..intent };
        // The answer to acts on several people names the number of each, by which it can be undone.
        let several = match (intent.method.as_str(), intent.expected) {
            ("DELETE", Ok(("member_kicked", _))) => Some("kick"),
            ("PUT", Ok(("member_banned", _))) => Some("ban"),
            ("PUT", Ok(("member_muted", _))) => Some("mute"),
            ("PUT", Ok(("member_scope_changed", _))) => Some("scope"),
            _ => None,
        };
        Some(match several.filter(|_| self.rng.bool()) {
            Some(act) => {
                let mut body = intent.body;
                body["act"] = json!(act);
                body["uid"] = json!([intent.target]);
                Intent { method: Method::POST, path: "/bulk".into(), body, ..intent }
            }
            None => intent,
        })
    }
}

//! Acts on several people by one request, and one request that undoes all of them.

use reqwest::Method;
use serde_json::{Value, json};

use super::intents::LATER;
use super::{Act, Answer, Known, Last, Outcome, Standing, TARGETS, Writer, undone_by};

/// One of a batch: which of the writer's people, the event, and the scope after it.
type Part = (usize, &'static str, i64);

impl Writer {
    /// Does one act to all of their people to whom it can be done, and undoes it every other time.
    pub(super) async fn act_on_many(&mut self, number: usize, people: &mut [Known; TARGETS]) -> Vec<Act> {
        let word = ["kick", "ban", "mute", "scope"][self.rng.usize(0..4)];
        let (scope, given) =
            [("participant", Standing::Participant), ("moderator", Standing::Moderator)][self.rng.usize(0..2)];
        let able = |known: &Known| {
            matches!(known.standing, Standing::Participant | Standing::Moderator)
                && known.ending.is_none()
                && (word != "mute" || !known.muted)
                && (word != "scope" || known.standing != given)
        };
        let those: Vec<usize> = (0..TARGETS).filter(|which| able(&people[*which])).collect();
        if those.len() < 2 {
            return Vec::new();
        }
        let before = *people;
        let (kind, after) = match word {
            "kick" => ("member_kicked", Some(Standing::Out)),
            "ban" => ("member_banned", Some(Standing::Banned)),
            "mute" => ("member_muted", None),
            _ => ("member_scope_changed", Some(given)),
        };
        let parts: Vec<Part> =
            those.iter().map(|which| (*which, kind, after.unwrap_or(before[*which].standing).scope())).collect();
        let uids: Vec<String> = those.iter().map(|which| self.place.target(number, *which)).collect();
        let mut body = json!({"act": word, "uid": uids, "message": "chaos"});
        if word == "mute" {
            body["until"] = json!(LATER);
        }
        if word == "scope" {
            body["scope"] = json!(scope);
        }
        let answer = self.ask(&self.place.writer(number), &Method::POST, "/bulk", &body).await;
        let (mut acts, seqs) = self.interpret(number, &answer, &parts);
        let Some(seqs) = seqs else {
            for which in those {
                people[which].standing = Standing::Lost;
            }
            return acts;
        };
        self.notes.count("acts on several people at once", 1);
        for (which, seq) in those.iter().zip(&seqs) {
            let known = before[*which];
            people[*which] = Known {
                standing: after.unwrap_or(known.standing),
                muted: known.muted || word == "mute",
                last: undone_by(kind, known.standing).map(|undone_by| Last {
                    seq: *seq,
                    undone_by,
                    standing: known.standing,
                    muted: known.muted,
                }),
                ending: None,
            };
        }
        let batch = seqs.into_iter().min().filter(|_| self.rng.bool());
        if let Some(batch) = batch {
            acts.extend(self.undo_batch(number, batch, &before, &parts, people).await);
        }
        acts
    }

    /// Undoes all of a batch.
    async fn undo_batch(
        &mut self,
        number: usize,
        batch: u64,
        before: &[Known; TARGETS],
        parts: &[Part],
        people: &mut [Known; TARGETS],
    ) -> Vec<Act> {
        let path = format!("/events/{batch}/undo");
        let answer = self.ask(&self.place.writer(number), &Method::POST, &path, &json!({"batch": true})).await;
        if answer.status == 409 && answer.body.contains("ERR_UNDO_TOO_LATE") {
            self.notes.count("undos that came too late", 1);
            for (which, ..) in parts {
                people[*which].last = None;
            }
            return Vec::new();
        }
        let undoing = parts.iter().filter_map(|(which, kind, _)| {
            let (kind, scope) = undone_by(kind, before[*which].standing)?;
            Some((*which, kind, scope))
        });
        let (acts, seqs) = self.interpret(number, &answer, &undoing.collect::<Vec<_>>());
        self.notes.count("acts on several people that were put back", u64::from(seqs.is_some()));
        for (which, ..) in parts {
            people[*which] = match seqs {
                Some(_) => Known { last: None, ..before[*which] },
                None => Known { standing: Standing::Lost, ..before[*which] },
            };
        }
        acts
    }

    /// The acts of a request about several people, and the numbers of their events when all were done. These numbers
    /// must be consecutive.
    fn interpret(&self, number: usize, answer: &Answer, parts: &[Part]) -> (Vec<Act>, Option<Vec<u64>>) {
        let done: Value = serde_json::from_str(&answer.body).unwrap_or_default();
        let seq_of = |which: usize| {
            let uid = self.place.target(number, which);
            let result = done["data"].as_array()?.iter().find(|result| result["uid"] == uid.as_str())?;
            result["seq"].as_u64().filter(|_| result["ok"] == true)
        };
        let seqs: Option<Vec<u64>> = parts.iter().map(|(which, ..)| seq_of(*which)).collect();
        let seqs = seqs.filter(|_| answer.status == 200);
        let mut row = seqs.clone().unwrap_or_default();
        row.sort_unstable();
        let is_row = row.windows(2).all(|pair| pair[1] == pair[0] + 1);
        if answer.status != 0 && (seqs.is_none() || !is_row) {
            let wrong =
                format!("{parts:?} of writer {number} of {}: {} {}", self.place.guid, answer.status, answer.body);
            self.notes.violation("answers", wrong);
        }
        let outcome = match answer.status {
            200 => Outcome::Acknowledged,
            400..500 => Outcome::Refused,
            _ => Outcome::Unknown,
        };
        let act = |(place, (which, kind, scope)): (usize, &Part)| Act {
            guid: self.place.guid,
            by: self.place.writer(number),
            target: self.place.target(number, *which),
            kind,
            scope: *scope,
            outcome,
            ends: false,
            key: answer.key.clone(),
            seq: seqs.as_ref().filter(|_| answer.tries == 1).map(|seqs| seqs[place]),
        };
        (parts.iter().enumerate().map(act).collect(), seqs)
    }
}

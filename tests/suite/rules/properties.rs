//! What holds of every verdict, whatever the scopes: nobody grants, puts out or puts back more than they may.

use chat_group_members::domain::rules::{self, Past};
use chat_group_members::domain::{Cause, Change, EventKind, Scope, Standing};
use proptest::prelude::*;
use proptest::test_runner::Config as Runs;
use strum::VariantArray;

fn scope() -> impl Strategy<Value = Scope> {
    prop_oneof![Just(Scope::Owner), Just(Scope::Admin), Just(Scope::Moderator), Just(Scope::Participant)]
}

fn anybody() -> impl Strategy<Value = Standing> {
    prop_oneof![4 => scope().prop_map(Standing::Member), 1 => Just(Standing::Banned), 1 => Just(Standing::Outside)]
}

proptest! {
    #![proptest_config(Runs { failure_persistence: None, ..Runs::default() })]

    #[test]
    fn nobody_grants_more_than_they_are(actor in anybody(), target in anybody(), to in scope(), own: bool) {
        let target = if own { actor } else { target };
        if let Ok(Change::SetScope(given, _)) = rules::set_scope(actor, target, own, to) {
            let (above, before) = (actor.scope().unwrap(), target.scope().unwrap());
            prop_assert_eq!(given, to);
            prop_assert!(given <= above && (own || before < above));
            prop_assert!(given != Scope::Owner, "only a transfer makes an owner");
        }
    }

    #[test]
    fn nobody_puts_out_their_like(actor in anybody(), target in anybody()) {
        let puts_out = rules::kick(actor, target).is_ok() || rules::ban(actor, target, false, false).is_ok();
        if puts_out {
            let above = actor.scope().unwrap();
            prop_assert!(above > Scope::Participant && target.scope().is_none_or(|below| below < above));
        }
    }
}

/// What can be undone, by its event.
const UNDOABLE: [&str; 6] =
    ["member_kicked", "member_banned", "member_unbanned", "member_muted", "member_unmuted", "member_scope_changed"];

/// Whether the contract (section 9) lets this actor undo it.
fn may_undo(actor: Standing, past: Past) -> bool {
    let Some(above) = actor.scope().filter(|scope| *scope > Scope::Participant) else { return false };
    let is_below = |who: Standing| who.scope().is_none_or(|scope| scope < above);
    let by_somebody = matches!(past.cause, Some(Cause::Viewer | Cause::Undo)) && !past.about_author;
    let is_theirs = past.by_actor || past.author.is_some_and(is_below);
    let is_undoable = by_somebody && UNDOABLE.contains(&past.kind.as_str());
    is_undoable && is_theirs && is_below(past.before)
}

#[test]
fn an_undo_gives_nobody_more_than_the_rule_would_and_refuses_nothing_else() {
    let scopes = [Scope::Participant, Scope::Moderator, Scope::Admin, Scope::Owner];
    let anybody: Vec<Standing> =
        scopes.map(Standing::Member).into_iter().chain([Standing::Banned, Standing::Outside]).collect();
    let causes =
        [Cause::Viewer, Cause::Host, Cause::Ended, Cause::Sync, Cause::Undo].map(Some).into_iter().chain([None]);
    let (mut allowed, mut asked) = (0, 0);
    for cause in causes {
        let pairs = anybody.iter().flat_map(|actor| anybody.iter().map(move |author| (*actor, *author)));
        let triples: Vec<_> = pairs.flat_map(|(a, d)| anybody.iter().map(move |before| (a, d, *before))).collect();
        for (kind, &(actor, author, before)) in
            EventKind::VARIANTS.iter().flat_map(|k| triples.iter().map(move |t| (k, t)))
        {
            let ways = [(true, false), (false, false), (true, true), (false, true)];
            for (by_actor, about_author) in ways {
                let past = Past { kind: *kind, cause, author: Some(author), by_actor, about_author, before };
                asked += 1;
                assert!(rules::undo(actor, Past { author: None, ..past }).is_err(), "nobody undoes what the host did");
                let Ok(()) = rules::undo(actor, past) else {
                    assert!(!may_undo(actor, past), "{actor:?} may undo {past:?}");
                    continue;
                };
                allowed += 1;
                let above = actor.scope().expect("whoever undoes is a member");
                assert!(above > Scope::Participant, "participants act on nobody");
                assert!(before.scope().is_none_or(|back| back < above), "put back is at most what is below the actor");
                assert!(
                    by_actor || author.scope().is_none_or(|author| author < above),
                    "somebody else's act only from above"
                );
                assert!(!about_author && matches!(cause, Some(Cause::Viewer | Cause::Undo)), "{past:?}");
                assert!(UNDOABLE.contains(&kind.as_str()), "{past:?}");
            }
        }
    }
    assert!(allowed > 0 && allowed * 10 < asked, "{allowed} of {asked}");
}

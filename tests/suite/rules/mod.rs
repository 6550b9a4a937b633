//! The rules, exhaustively: who may do what to whom. The table is written by hand from the contract
//! (section 3), not computed in another way, and held against the rules, against HTTP, and, in
//! random walks, against a real database.

mod http;
mod properties;
mod random_walk;

use chat_group_members::domain::rules::{self, Parties};
use chat_group_members::domain::{Act, Change, NewScope, Refusal, Scope, Standing};

/// Columns of the table: whom an act is done to.
const TARGETS: [&str; 8] = ["owner", "admin", "moderator", "participant", "self", "former", "banned", "never"];

/// What an act comes to: `done` (a change and an event), `same` (200, no event), a status with the
/// first letter of what it says, or `-` where nobody can be meant.
///
/// 403c no clearance, 403s no clearance for that scope, 403x not to oneself, 404g the group is not
/// there, 404m not a member, 409t the owner must transfer first, 409b banned, 422e a scope with an end
/// that is not above the lasting one.
#[rustfmt::skip]
const TABLE: &[(&str, &str, [&str; 8])] = &[
    //                                owner   admin   moder.  partic. self    former  banned  never
    ("kick",             "owner",       ["-",    "done", "done", "done", "409t", "404m", "404m", "404m"]),
    ("kick",             "admin",       ["403c", "403c", "done", "done", "done", "404m", "404m", "404m"]),
    ("kick",             "moderator",   ["403c", "403c", "403c", "done", "done", "404m", "404m", "404m"]),
    ("kick",             "participant", ["403c", "403c", "403c", "403c", "done", "403c", "403c", "403c"]),

    ("ban",              "owner",       ["-",    "done", "done", "done", "403x", "done", "same", "done"]),
    ("ban",              "admin",       ["403c", "403c", "done", "done", "403x", "done", "same", "done"]),
    ("ban",              "moderator",   ["403c", "403c", "403c", "done", "403x", "done", "same", "done"]),
    ("ban",              "participant", ["403c", "403c", "403c", "403c", "403x", "403c", "403c", "403c"]),

    ("ban anew",         "owner",       ["-",    "done", "done", "done", "403x", "done", "done", "done"]),
    ("ban anew",         "admin",       ["403c", "403c", "done", "done", "403x", "done", "done", "done"]),
    ("ban anew",         "moderator",   ["403c", "403c", "403c", "done", "403x", "done", "done", "done"]),
    ("ban anew",         "participant", ["403c", "403c", "403c", "403c", "403x", "403c", "403c", "403c"]),

    ("unban",            "owner",       ["-",    "same", "same", "same", "same", "same", "done", "same"]),
    ("unban",            "admin",       ["same", "same", "same", "same", "same", "same", "done", "same"]),
    ("unban",            "moderator",   ["same", "same", "same", "same", "same", "same", "done", "same"]),
    ("unban",            "participant", ["403c", "403c", "403c", "403c", "403c", "403c", "403c", "403c"]),

    ("make admin",       "owner",       ["-",    "same", "done", "done", "409t", "404m", "404m", "404m"]),
    ("make admin",       "admin",       ["403c", "403c", "done", "done", "same", "404m", "404m", "404m"]),
    ("make admin",       "moderator",   ["403c", "403c", "403c", "403s", "403s", "403s", "403s", "403s"]),
    ("make admin",       "participant", ["403c", "403c", "403c", "403c", "403s", "403c", "403c", "403c"]),

    ("make moderator",   "owner",       ["-",    "done", "same", "done", "409t", "404m", "404m", "404m"]),
    ("make moderator",   "admin",       ["403c", "403c", "same", "done", "done", "404m", "404m", "404m"]),
    ("make moderator",   "moderator",   ["403c", "403c", "403c", "done", "same", "404m", "404m", "404m"]),
    ("make moderator",   "participant", ["403c", "403c", "403c", "403c", "403s", "403c", "403c", "403c"]),

    ("make participant", "owner",       ["-",    "done", "done", "same", "409t", "404m", "404m", "404m"]),
    ("make participant", "admin",       ["403c", "403c", "done", "same", "done", "404m", "404m", "404m"]),
    ("make participant", "moderator",   ["403c", "403c", "403c", "same", "done", "404m", "404m", "404m"]),
    ("make participant", "participant", ["403c", "403c", "403c", "403c", "same", "403c", "403c", "403c"]),

    // With an end, after which the present scope comes back.
    ("lend moderator",   "owner",       ["-",    "422e", "422e", "done", "409t", "404m", "404m", "404m"]),
    ("lend moderator",   "admin",       ["403c", "403c", "422e", "done", "422e", "404m", "404m", "404m"]),
    ("lend moderator",   "moderator",   ["403c", "403c", "403c", "done", "422e", "404m", "404m", "404m"]),
    ("lend moderator",   "participant", ["403c", "403c", "403c", "403c", "403s", "403c", "403c", "403c"]),

    ("transfer",         "owner",       ["-",    "done", "done", "done", "same", "404m", "404m", "404m"]),
    ("transfer",         "admin",       ["403c", "403c", "403c", "403c", "403c", "403c", "403c", "403c"]),
    ("transfer",         "moderator",   ["403c", "403c", "403c", "403c", "403c", "403c", "403c", "403c"]),
    ("transfer",         "participant", ["403c", "403c", "403c", "403c", "403c", "403c", "403c", "403c"]),

    ("mute",             "owner",       ["-",    "done", "done", "done", "403x", "404m", "404m", "404m"]),
    ("mute",             "admin",       ["403c", "403c", "done", "done", "403x", "404m", "404m", "404m"]),
    ("mute",             "moderator",   ["403c", "403c", "403c", "done", "403x", "404m", "404m", "404m"]),
    ("mute",             "participant", ["403c", "403c", "403c", "403c", "403x", "403c", "403c", "403c"]),

    // Muted are Bea, Cleo and Eve, and Hana, who left.
    ("unmute",           "owner",       ["-",    "done", "done", "done", "403x", "done", "same", "same"]),
    ("unmute",           "admin",       ["403c", "403c", "done", "done", "403x", "done", "same", "same"]),
    ("unmute",           "moderator",   ["403c", "403c", "403c", "done", "403x", "done", "same", "same"]),
    ("unmute",           "participant", ["403c", "403c", "403c", "403c", "403x", "403c", "403c", "403c"]),

    ("note",             "owner",       ["-",    "done", "done", "done", "403x", "done", "done", "done"]),
    ("note",             "admin",       ["403c", "403c", "done", "done", "403x", "done", "done", "done"]),
    ("note",             "moderator",   ["403c", "403c", "403c", "done", "403x", "done", "done", "done"]),
    ("note",             "participant", ["403c", "403c", "403c", "403c", "403c", "403c", "403c", "403c"]),

    // To whoever is not in it, the group is not there, whatever they try on whomever.
    ("kick",             "former",      ["404g"; 8]),
    ("kick",             "banned",      ["404g"; 8]),
    ("kick",             "never",       ["404g"; 8]),
    ("ban",              "former",      ["404g"; 8]),
    ("ban",              "banned",      ["404g"; 8]),
    ("ban",              "never",       ["404g"; 8]),
    ("ban anew",         "former",      ["404g"; 8]),
    ("ban anew",         "banned",      ["404g"; 8]),
    ("ban anew",         "never",       ["404g"; 8]),
    ("unban",            "former",      ["404g"; 8]),
    ("unban",            "banned",      ["404g"; 8]),
    ("unban",            "never",       ["404g"; 8]),
    ("make admin",       "former",      ["404g"; 8]),
    ("make admin",       "banned",      ["404g"; 8]),
    ("make admin",       "never",       ["404g"; 8]),
    ("make moderator",   "former",      ["404g"; 8]),
    ("make moderator",   "banned",      ["404g"; 8]),
    ("make moderator",   "never",       ["404g"; 8]),
    ("make participant", "former",      ["404g"; 8]),
    ("make participant", "banned",      ["404g"; 8]),
    ("make participant", "never",       ["404g"; 8]),
    ("lend moderator",   "former",      ["404g"; 8]),
    ("lend moderator",   "banned",      ["404g"; 8]),
    ("lend moderator",   "never",       ["404g"; 8]),
    ("transfer",         "former",      ["404g"; 8]),
    ("transfer",         "banned",      ["404g"; 8]),
    ("transfer",         "never",       ["404g"; 8]),
    ("mute",             "former",      ["404g"; 8]),
    ("mute",             "banned",      ["404g"; 8]),
    ("mute",             "never",       ["404g"; 8]),
    ("unmute",           "former",      ["404g"; 8]),
    ("unmute",           "banned",      ["404g"; 8]),
    ("unmute",           "never",       ["404g"; 8]),
    ("note",             "former",      ["404g"; 8]),
    ("note",             "banned",      ["404g"; 8]),
    ("note",             "never",       ["404g"; 8]),
];

/// Columns of the second table: what somebody does about their own membership, or asks to see.
const OWN_ACTS: [&str; 7] = [
    "join public",
    "join private",
    "join with password",
    "join with wrong password",
    "leave",
    "leave alone",
    "see bans",
];

#[rustfmt::skip]
const OWN_TABLE: &[(&str, [&str; 7])] = &[
    //               public  private password wrong   leave   alone   bans
    ("owner",       ["same", "same", "same",  "same", "409t", "done", "same"]),
    ("admin",       ["same", "same", "same",  "same", "done", "done", "same"]),
    ("moderator",   ["same", "same", "same",  "same", "done", "done", "same"]),
    ("participant", ["same", "same", "same",  "same", "done", "done", "403c"]),
    ("former",      ["done", "404g", "done",  "403c", "404g", "404g", "404g"]),
    ("banned",      ["409b", "404g", "409b",  "409b", "404g", "404g", "404g"]),
    ("never",       ["done", "404g", "done",  "403c", "404g", "404g", "404g"]),
];

/// Columns of the third table: who wrote a note, as they are now. The actor may see it.
const AUTHORS: [&str; 7] = ["self", "owner", "admin", "moderator", "participant", "banned", "former"];

/// Who removes it: `done`, or `403c` no clearance.
#[rustfmt::skip]
const NOTE_REMOVALS: &[(&str, [&str; 7])] = &[
    //               self    owner   admin   moder.  partic. banned  former
    ("owner",       ["done", "403c", "done", "done", "done", "done", "done"]),
    ("admin",       ["done", "403c", "403c", "done", "done", "done", "done"]),
    ("moderator",   ["done", "403c", "403c", "403c", "done", "done", "done"]),
    ("participant", ["done", "403c", "403c", "403c", "403c", "403c", "403c"]),
];

fn standing(word: &str) -> Standing {
    match word {
        "banned" => Standing::Banned,
        "former" | "never" => Standing::Outside,
        scope => Standing::Member(scope.parse().unwrap()),
    }
}

/// A verdict of the rules in the words of the table.
fn in_words(verdict: Result<Change, Refusal>) -> &'static str {
    match verdict {
        Ok(Change::Nothing) => "same",
        Ok(_) => "done",
        Err(Refusal::NotThere) => "404g",
        Err(Refusal::NotAMember) => "404m",
        Err(Refusal::GrantsTooMuch(_)) => "403s",
        Err(Refusal::BansThemselves | Refusal::MutesThemselves | Refusal::Oneself) => "403x",
        Err(Refusal::OwnerMustTransfer) => "409t",
        Err(Refusal::Banned) => "409b",
        Err(Refusal::EndsAtLasting) => "422e",
        Err(_) => "403c",
    }
}

fn by_the_rules(act: &str, actor: &str, target: &str) -> Result<Change, Refusal> {
    let own = target == "self";
    let (from, to) = (standing(actor), standing(if own { actor } else { target }));
    match act {
        "kick" if own => rules::leave(from, false),
        "kick" => rules::kick(from, to),
        "ban" => rules::ban(from, to, own, true),
        "ban anew" => rules::ban(from, to, own, false),
        "unban" => rules::unban(from, to),
        "transfer" => rules::transfer(from, to, own),
        "mute" => rules::mute(from, to, own, false),
        "unmute" => rules::unmute(from, to, own, ["admin", "moderator", "participant", "former"].contains(&target)),
        // What it changes is no membership.
        "note" => rules::see_notes(from, to, own).map(|()| Change::Mute),
        "lend moderator" => {
            let lent = NewScope { scope: Scope::Moderator, until: Some(60_000), message: None };
            let (actor, same_terms, muted, alone) = (Some(from), false, false, false);
            let between = Parties { actor, target: to, own, same_terms, muted, temporary: None, alone };
            rules::decide(&Act::SetScope(lent), between)
        }
        make => rules::set_scope(from, to, own, make.strip_prefix("make ").unwrap().parse().unwrap()),
    }
}

#[test]
fn the_rules_are_the_table() {
    assert_eq!(TABLE.len(), 12 * 7, "every act by every kind of actor");
    for (act, actor, row) in TABLE {
        for (target, expected) in TARGETS.iter().zip(row).filter(|(_, expected)| **expected != "-") {
            assert_eq!(in_words(by_the_rules(act, actor, target)), *expected, "{actor}: {act} {target}");
        }
    }
    for (actor, row) in OWN_TABLE {
        let from = standing(actor);
        let verdicts = [
            rules::join(from, false, true),
            rules::join(from, true, false),
            rules::join(from, false, true),
            rules::join(from, false, false),
            rules::leave(from, false),
            rules::leave(from, true),
            rules::see_restrictions(from).map(|()| Change::Nothing),
        ];
        for ((act, expected), verdict) in OWN_ACTS.iter().zip(row).zip(verdicts) {
            assert_eq!(in_words(verdict), *expected, "{actor}: {act}");
        }
    }
    for (actor, row) in NOTE_REMOVALS {
        for (author, expected) in AUTHORS.iter().zip(row) {
            let own = *author == "self";
            let (from, by) = (standing(actor), standing(if own { actor } else { author }));
            let verdict = rules::remove_note(from, by, own);
            assert!(verdict.is_ok() || verdict == Err(Refusal::NotTheirsToRemove), "{actor}: {author}: {verdict:?}");
            assert_eq!(in_words(verdict.map(|()| Change::Mute)), *expected, "{actor} removes what {author} wrote");
        }
    }
}

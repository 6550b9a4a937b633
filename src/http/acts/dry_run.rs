//! `dryRun` in requests for acts: ignored, it would let the act be done that was only to be previewed.

use strsim::damerau_levenshtein;

use crate::http::extract::{ActField, ActFields, RequestInfo};
use crate::http::problem::Problem;

/// Most letters by which a name differs from that of `dryRun` and is taken for a misspelling of it.
const MAX_DISTANCE: usize = 2;
/// Most characters of such a name that the answer repeats.
const MAX_SHOWN: usize = 40;

/// Refuses a field or a parameter whose name is nearly `dryRun`. Other unknown ones are ignored.
///
/// # Errors
/// 422 with the name.
pub(super) fn not_misspelt(info: &RequestInfo, fields: &ActFields) -> Result<(), Problem> {
    let parameters = info.pairs().map(|(name, _)| name.into_owned());
    let unknown = fields.unknown().map(str::to_owned);
    let misspelt = unknown.chain(parameters).find(|name| is_misspelt(name));
    misspelt.map_or(Ok(()), |name| {
        let name: String = name.chars().take(MAX_SHOWN).flat_map(char::escape_debug).collect();
        Err(Problem::invalid(format!("{name}: this field is not known here; did you mean dryRun?")))
    })
}

/// Refuses `dryRun` in a request that cannot be previewed, unless it says that the act is meant.
///
/// # Errors
/// 422 with the name.
pub(super) fn not_asked_for(info: &RequestInfo, fields: &ActFields) -> Result<(), Problem> {
    let name = ActField::DryRun.as_str();
    let in_address = info.pairs().any(|(parameter, value)| parameter == name && value != "false");
    if in_address || fields.get(ActField::DryRun).is_some_and(|value| value != "false") {
        let detail = format!("{name}: only acts on several people (POST /groups/{{guid}}/bulk) can be previewed");
        return Err(Problem::invalid(detail));
    }
    Ok(())
}

fn is_misspelt(name: &str) -> bool {
    let letters: String =
        name.chars().filter(|c| c.is_alphabetic()).take(MAX_SHOWN).flat_map(char::to_lowercase).collect();
    name != ActField::DryRun.as_str()
        && (letters.starts_with("dry") || damerau_levenshtein(&letters, "dryrun") <= MAX_DISTANCE)
}

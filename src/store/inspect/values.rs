//! The invariants that SQL cannot check, but the domain or the parser of a value can: names, sort keys, hashes, JSON. Rows are read one
//! after the other.

use argon2::password_hash::PasswordHash;
use argon2::{Algorithm, Params, Version};
use serde_json::Value;

use super::database::Inspection;
use super::finding::{Check, Findings};
use super::schema::text;
use crate::domain::{GroupType, Name, Uid, sort_key};
use crate::store::sql::restrictions_text::parse_restrictions;

const USERS_NAME: Check = Check { name: "users-name", mend: "have the host put the user again: PUT /v3/users/UID" };
const USERS_SORT_KEY: Check = Check { name: "users-sort-key", mend: "`doctor --mend` makes it from the name" };
const USERS_DETAILS: Check =
    Check { name: "users-details", mend: "have the host put the user's metadata and tags again: PUT /v3/users/UID" };
const GROUPS_NAME: Check = Check {
    name: "groups-name",
    mend: "by hand, with every node stopped: UPDATE groups SET name = guid WHERE guid = …; then name it: PUT /v3/groups/GUID",
};
const GROUPS_PASSWORD: Check =
    Check { name: "groups-password", mend: "have the host set type and password again: PUT /v3/groups/GUID" };
const GROUPS_DETAILS: Check = Check {
    name: "groups-details",
    mend: "have the host put the group's metadata and tags again: PUT /v3/groups/GUID",
};
const TOUCHED_RESTRICTIONS: Check =
    Check { name: "touched-restrictions", mend: "restore a backup; the event cannot be undone" };
const OUTBOX_DATA: Check =
    Check { name: "outbox-data", mend: "delete the row by hand: DELETE FROM outbox WHERE lane = … AND seq = …" };

impl Inspection {
    /// Checks the stored users.
    ///
    /// # Errors
    /// The database's error.
    pub(super) async fn check_users(&mut self) -> sqlx::Result<Vec<Findings>> {
        let [mut names, mut keys, mut details] =
            [USERS_NAME, USERS_SORT_KEY, USERS_DETAILS].map(|check| self.none_of(check));
        let sql = "SELECT CAST(uid AS TEXT), CAST(name AS TEXT), CAST(sort_key AS TEXT), CAST(metadata AS TEXT),
                     CAST(tags AS TEXT) FROM users";
        let read = self.each(sql, |row| {
            let (uid, name) = (text(&row, 0), text(&row, 1));
            match Name::parse(name) {
                Err(error) => names.add("", uid, error.to_string()),
                Ok(_) if sort_key(name) != text(&row, 2) => {
                    keys.add("", uid, "the sort key is not that of the name: they stand in the wrong place");
                }
                Ok(_) => {}
            }
            if let Some(problem) = details_problem(row[3].as_deref(), text(&row, 4)) {
                details.add("", uid, problem);
            }
        });
        read.await?;
        Ok(vec![names, keys, details])
    }

    /// Checks the stored groups.
    ///
    /// # Errors
    /// The database's error.
    pub(super) async fn check_groups(&mut self) -> sqlx::Result<Vec<Findings>> {
        let [mut names, mut passwords, mut details] =
            [GROUPS_NAME, GROUPS_PASSWORD, GROUPS_DETAILS].map(|check| self.none_of(check));
        let sql = "SELECT CAST(guid AS TEXT), CAST(name AS TEXT), CAST(type AS TEXT), CAST(password AS TEXT),
                     CAST(metadata AS TEXT), CAST(tags AS TEXT) FROM groups";
        let read = self.each(sql, |row| {
            let guid = text(&row, 0);
            if let Err(error) = Name::parse(text(&row, 1)) {
                names.add(guid, "", error.to_string());
            }
            if let Some(problem) = password_problem(text(&row, 2), row[3].as_deref()) {
                passwords.add(guid, "", problem);
            }
            if let Some(problem) = details_problem(row[4].as_deref(), text(&row, 5)) {
                details.add(guid, "", problem);
            }
        });
        read.await?;
        Ok(vec![names, passwords, details])
    }

    /// Checks the stored restrictions of the people whom events touched.
    ///
    /// # Errors
    /// The database's error.
    pub(super) async fn check_touched(&mut self) -> sqlx::Result<Vec<Findings>> {
        let mut found = self.none_of(TOUCHED_RESTRICTIONS);
        let sql = "SELECT CAST(guid AS TEXT), CAST(uid AS TEXT), CAST(seq AS TEXT), CAST(old_restrictions AS TEXT),
                     CAST(new_restrictions AS TEXT) FROM touched
                   WHERE old_restrictions IS NOT NULL OR new_restrictions IS NOT NULL";
        let read = self.each(sql, |row| {
            let (guid, uid) = (text(&row, 0), text(&row, 1));
            // What is no uid is another finding.
            let Ok(person) = uid.parse::<Uid>() else { return };
            for restrictions in [&row[3], &row[4]] {
                if parse_restrictions(restrictions.as_deref(), &person).is_err() {
                    found.add(guid, uid, format!("event {} does not say what kept them out", text(&row, 2)));
                }
            }
        });
        read.await?;
        Ok(vec![found])
    }

    /// Checks the events of the outbox.
    ///
    /// # Errors
    /// The database's error.
    pub(super) async fn check_outbox(&mut self) -> sqlx::Result<Vec<Findings>> {
        let mut found = self.none_of(OUTBOX_DATA);
        let sql = "SELECT CAST(lane AS TEXT), CAST(seq AS TEXT), CAST(data AS TEXT) FROM outbox";
        let read = self.each(sql, |row| {
            if !serde_json::from_str::<Value>(text(&row, 2)).is_ok_and(|data| data.is_object()) {
                let (lane, seq) = (text(&row, 0), text(&row, 1));
                found.add(
                    "",
                    lane.trim_start_matches('@'),
                    format!("event {seq} of lane {lane} has data that is no JSON object"),
                );
            }
        });
        read.await?;
        Ok(vec![found])
    }
}

/// The problem of a group's password, if any. A group of an unknown type is another finding.
fn password_problem(group_type: &str, password: Option<&str>) -> Option<String> {
    match (group_type.parse::<GroupType>().ok()?, password) {
        (GroupType::Password, None) => Some("a password group without a password: nobody can join".into()),
        (GroupType::Password, Some(hash)) => {
            (!is_password_hash(hash)).then(|| "the password is no hash: nobody can join".into())
        }
        (GroupType::Public | GroupType::Private, Some(_)) => {
            Some(format!("a password in a group of the type {group_type}"))
        }
        (GroupType::Public | GroupType::Private, None) => None,
    }
}

/// Whether a password can be compared with this hash.
fn is_password_hash(text: &str) -> bool {
    PasswordHash::new(text).is_ok_and(|hash| {
        Algorithm::try_from(hash.algorithm).is_ok()
            && hash.version.is_none_or(|version| Version::try_from(version).is_ok())
            && Params::try_from(&hash).is_ok()
            && hash.hash.is_some()
    })
}

/// The problem of metadata (a JSON object) or tags (a JSON list of texts), if any.
fn details_problem(metadata: Option<&str>, tags: &str) -> Option<&'static str> {
    if metadata.is_some_and(|text| !serde_json::from_str::<Value>(text).is_ok_and(|value| value.is_object())) {
        return Some("metadata is no JSON object");
    }
    serde_json::from_str::<Vec<String>>(tags).is_err().then_some("tags are no JSON list of texts")
}

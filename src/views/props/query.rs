//! Props as a query string, in one canonical form.

use super::Props;
use super::choice::{GroupBy, STATUS, Selection, canonical};
use crate::domain::{Scope, rfc3339};

impl Props {
    /// These props as a query string in canonical form; empty when all are defaults.
    pub fn query(&self) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        let mut put = |name: &str, value: &str| {
            if !value.is_empty() {
                query.append_pair(name, value);
            }
        };
        let flag = |flag: bool| if flag { "true" } else { "" };
        let scopes = self.scopes.map(|scopes| scopes.iter().map(Scope::as_str).collect::<Vec<_>>().join(","));
        put("searchKeyword", &self.search);
        put("scopes", &scopes.unwrap_or_default());
        put("status", canonical(STATUS, self.online));
        put("joinedSince", &self.joined_since.map(|second| rfc3339(second * 1000)).unwrap_or_default());
        put("filter", self.quick_filter.as_str());
        put("limit", &self.limit.map(|limit| limit.to_string()).unwrap_or_default());
        put("selectionMode", canonical(Selection::WORDS, self.selection));
        put("hideSearch", flag(self.hide_search));
        put("hideUserStatus", flag(self.hide_user_status));
        put("hideKickMemberOption", flag(self.hide_kick));
        put("hideBulkActions", flag(self.hide_bulk));
        put("hideBanMemberOption", flag(self.hide_ban));
        put("hideMuteMemberOption", flag(self.hide_mute));
        put("hideScopeChangeOption", flag(self.hide_scope));
        put("hideLeaveOption", flag(self.hide_leave));
        put("hideHeader", flag(self.hide_header));
        put("hideError", flag(self.hide_error));
        put("groupBy", canonical(GroupBy::WORDS, self.group_by));
        put("explain", flag(self.explain));
        put("title", self.title.as_deref().unwrap_or_default());
        put("searchPlaceholder", self.placeholder.as_deref().unwrap_or_default());
        put("lang", self.lang.as_deref().unwrap_or_default());
        put("theme", self.theme.as_str());
        put("instance", self.instance.as_deref().unwrap_or_default());
        for (slot, name) in self.templates.iter() {
            put(slot.parameter(), name);
        }
        query.finish()
    }
}

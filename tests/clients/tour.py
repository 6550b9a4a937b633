"""A tour by the client that openapi-python-client makes of /openapi.json: what a host does with people, groups and webhooks."""

import os
from datetime import datetime, timezone

from members.api.banned_users import ban, list_banned, unban
from members.api.groups import count_online, create_group, delete_group, list_events, update_group
from members.api.members import add_members, get_member, list_members, replace_members, set_scope
from members.api.users import create_user, delete_user, get_user, report_presence, update_user
from members.api.webhooks import list_webhooks, pause_webhook, replay_webhook, resume_webhook, test_webhook
from members.client import AuthenticatedClient
from members.models import (
    Buckets,
    Counted,
    DataAdded,
    DataMember,
    DataNewGroupRecord,
    DataStanding,
    DataSyncResult,
    DataTested,
    DataUser,
    DataVecEndpointRecord,
    Deletion,
    ErrorAnswer,
    EventPage,
    FullSync,
    GrantedScope,
    GroupChange,
    GroupType,
    NewGroup,
    NewMembers,
    NewUser,
    PageBannedUser,
    PageMember,
    PresenceReport,
    ReplayFrom,
    ReportedStatus,
    Results,
    ScopeChange,
    Terms,
    UserChange,
)

client = AuthenticatedClient(
    base_url=os.environ["CHAT_BASE_URL"], token=os.environ["CHAT_API_KEY"], prefix="", auth_header_name="apikey"
)

for name in ["Ada", "Ben", "Dee", "Eve", "Flo"]:
    made = create_user.sync(client=client, body=NewUser(uid=name.lower(), name=name, link="https://people.example/"))
    assert isinstance(made, DataUser) and made.data.name == name
taken = create_user.sync(client=client, body=NewUser(uid="ada", name="Ada"))
assert isinstance(taken, ErrorAnswer) and taken.error.code == "ERR_UID_ALREADY_EXISTS"

group = create_group.sync(
    client=client,
    body=NewGroup(guid="park", name="Park", type_=GroupType.PUBLIC, owner="ada", members=Buckets(participants=["dee"])),
)
assert isinstance(group, DataNewGroupRecord) and group.data.owner == "ada" and group.data.members_count == 2
update_group.sync("park", client=client, body=GroupChange(description="Under trees"))

added = add_members.sync("park", client=client, body=NewMembers(moderators=["ben"], participants=["eve"]))
assert isinstance(added, DataAdded) and isinstance(added.data, Results)
assert added.data["moderators"]["ben"].success
standing = set_scope.sync("park", "dee", client=client, body=ScopeChange(scope=GrantedScope.MODERATOR))
assert isinstance(standing, DataStanding) and standing.data.scope == "moderator"
update_user.sync("dee", client=client, body=UserChange(name="Deirdre"))
member = get_member.sync("park", "dee", client=client)
assert isinstance(member, DataMember) and (member.data.name, member.data.scope) == ("Deirdre", "moderator")

ban.sync("park", "flo", client=client, body=Terms(reason="spam", until=3600))
banned = list_banned.sync("park", client=client)
assert isinstance(banned, PageBannedUser) and [user.uid for user in banned.data] == ["flo"]
unban.sync("park", "flo", client=client)

synced = replace_members.sync("park", client=client, body=FullSync(owner="ada", participants=["dee", "flo"]), version=7)
assert isinstance(synced, DataSyncResult) and synced.data.members_count == 3 and synced.data.removed == 2
page = list_members.sync("park", client=client, scopes="participant")
assert isinstance(page, PageMember) and {user.uid for user in page.data} == {"dee", "flo"}

report_presence.sync("dee", client=client, body=PresenceReport(status=ReportedStatus.ONLINE, ttl=60))
counts = count_online.sync(client=client, body=Counted(guids=["park"]))
assert counts is not None and not isinstance(counts, ErrorAnswer) and counts.data["park"] == 1

log = list_events.sync("park", client=client, after=0)
assert isinstance(log, EventPage) and log.meta.seq == log.data[-1].data.seq >= 7

endpoints = list_webhooks.sync(client=client)
assert isinstance(endpoints, DataVecEndpointRecord) and endpoints.data[0].state == "active"
hook = endpoints.data[0].id
pause_webhook.sync(hook, client=client)
tested = test_webhook.sync(hook, client=client)
assert isinstance(tested, DataTested) and tested.data.delivered
replay_webhook.sync(hook, client=client, body=ReplayFrom(from_=datetime(2026, 1, 1, tzinfo=timezone.utc)))
resume_webhook.sync(hook, client=client)

delete_group.sync("park", client=client)
delete_user.sync("dee", client=client, body=Deletion(permanent=True))
gone = get_user.sync("dee", client=client)
assert isinstance(gone, ErrorAnswer) and gone.error.code == "ERR_UID_NOT_FOUND"
print("the tour is over")

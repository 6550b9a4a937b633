# British English. Everything the component says.

## Roles (scopes, to programs): what somebody is in a group

scope-owner = Owner
scope-admin = Admin
scope-moderator = Moderator
scope-participant = Participant

## Headings over the people of one role

section-owner = Owner
section-admin = Admins
section-moderator = Moderators
section-participant = Participants

## Whether somebody is there

status-online = Online
status-away = Away
status-offline = Offline

## The list

members-title = Members
members-search = Search members
members-search-go = Search
members-more = Show more
members-previous = Earlier in the list
members-next = More members
members-online = { $n ->
    [one] { $count } online
   *[other] { $count } online
}
members-filter = Filter
filter-all = All
filter-admins = Admins
filter-moderators = Moderators
filter-online = Online
filter-joined = Joined in the last hour
members-found = { $n ->
    [one] { $count } found
   *[other] { $count } found
}
members-bans-link = Banned
members-mutes-link = Muted
members-page = Members of { $group }

group-members = { $n ->
    [one] { $count } member
   *[other] { $count } members
}

## A row

row-joined = Joined { $date }
row-you = you
row-own-menu = Your membership
row-menu = Actions for { $name }
row-select = Select { $name }
row-selected = selected

## Nobody to show

empty-title = No members
empty-hint = People appear here when they join.
empty-search = No one matches ‘{ $search }’
empty-search-hint = Try a part of the name, in any script, with or without accents.
empty-online = No one is online
empty-online-hint = People appear here when they come online.
empty-filter = No one here
empty-filter-hint = No member fits this filter at the moment.
empty-clear = Show everybody

## Live, and what stands in its way

live-on = Live
live-reconnecting = Reconnecting…
live-off = Not live. Reload the page to see changes.
presence-batched = Who is online is shown every five seconds.
presence-counts = So many people are online that only their number is live.
members-failed = The members cannot be shown.
request-failed = That did not work.
request-retry = Try again
held-changes = { $n ->
    [one] { $count } change
   *[other] { $count } changes
}

## A spoken line about what changed lately: "3 joined, 1 left, Ana is now admin"

digest-joined = { $n ->
    [one] { $count } joined
   *[other] { $count } joined
}
digest-left = { $n ->
    [one] { $count } left
   *[other] { $count } left
}
digest-removed = { $n ->
    [one] { $count } was removed
   *[other] { $count } were removed
}
digest-changed = { $n ->
    [one] { $count } role changed
   *[other] { $count } roles changed
}
digest-admin = { $name } is now admin
digest-moderator = { $name } is now moderator
digest-participant = { $name } is now participant
digest-owner = { $name } is now the owner

## Selecting people

selection-count = { $n ->
    [one] { $count } selected
   *[other] { $count } selected
}
selection-clear = Clear selection
selection-all = Select all that match
selection-done = Continue
selection-full = At most { $count } people can be selected.
selection-first = The first { $count } of { $all } are selected.
selection-page = Selected people
selection-none = No one is selected.
selection-choose = Select at least one person.
selection-fewer = These are too many people to go on with at once. Select fewer.
selection-gone = { $n ->
    [one] { $count } of them is not a member any more.
   *[other] { $count } of them are not members any more.
}

## When the viewer is out

ended-kicked = You were removed from this group
ended-kicked-hint = You may come back: join again, or ask to be added.
ended-banned = You are banned from this group
ended-deleted = This group no longer exists
ended-deleted-hint = Its members are not shown any longer.
ended-left = You are not in this group any more
ended-left-hint = You may come back: join again, or ask to be added.

## Out of the group, and at its door

left-title = You have left { $group }
left-untold = You have left the group
left-ask = To come back, ask to be added.
act-join-again = Join again
banned-until = You cannot come back until { $time }.
banned-for-good = The ban has no end: you cannot come back unless it is lifted.
muted-until = Muted until { $time }
muted-you = You cannot write in this group until { $time }.
scope-until = Until { $time }
scope-you-admin = You are an admin until { $time }.
scope-you-moderator = You are a moderator until { $time }.
told = The team says: { $message }
group-password-missing = Enter the group’s password.
selection-back = Change the selection

## Acts, in a menu

act-kick = Kick
act-ban = Ban
act-unban = Lift the ban
act-mute = Mute
act-unmute = Lift the mute
act-scope = Change role
act-scope-own = Step down
act-transfer = Transfer ownership
act-leave = Leave the group
act-cancel = Cancel
act-close = Close

## Acts, as forms: the question over the form

ask-kick = Kick { $name }?
ask-ban = Ban { $name }?
ask-unban = Lift the ban on { $name }?
ask-mute = Mute { $name }?
ask-unmute = Lift the mute on { $name }?
ask-scope = Change the role of { $name }
ask-scope-own = Step down
ask-transfer = Make { $name } the owner?
ask-leave = Leave the group?

## Acts, as forms: what will happen

hint-kick = They leave the group now. They may come back.
hint-ban = They leave the group now and cannot come back until the ban ends. Moderators, admins and the owner see what you write for the team.
hint-unban = They may come in again. Their membership does not come back by itself.
hint-mute = They stay in the group and cannot write until the mute ends. Moderators, admins and the owner see what you write for the team.
hint-unmute = They can write again at once.
hint-scope = What they may do changes at once. Everybody sees the new role.
hint-scope-own = You give up rights. Only somebody above you can give them back.
hint-transfer = They get full control of the group and you become an admin. Only they can give it back.
hint-leave = You stop being a member. To come back, join again or ask to be added.
hint-leave-alone = You are the only member. The group stays and then belongs to the host.

## Acts, as forms: the button that does it

do-kick = Kick { $name }
do-ban = Ban { $name }
do-unban = Lift the ban on { $name }
do-mute = Mute { $name }
do-unmute = Lift the mute on { $name }
do-scope = Save
do-transfer = Make { $name } the owner
do-leave = Leave the group

## The form of a ban

ban-reason = For the team
ban-message = Tell them
ban-for = For
ban-hour = 1 hour
ban-day = 1 day
ban-week = 7 days
ban-forever = Until lifted
for-minutes = 5 minutes
for-other = Another end
for-hours = Number of hours
for-day = Or until the end of a day (UTC)
scope-forever = Until changed
scope-end-now = End it now
scope-legend = Role
batch-will-kick = { $n ->
    [one] { $count } person will be removed from the group.
   *[other] { $count } people will be removed from the group.
}
batch-will-ban = { $n ->
    [one] { $count } person will be banned.
   *[other] { $count } people will be banned.
}
batch-will-mute = { $n ->
    [one] { $count } person will be muted.
   *[other] { $count } people will be muted.
}
batch-will-scope = { $n ->
    [one] { $count } person will get the new role.
   *[other] { $count } people will get the new role.
}
batch-cannot = Not possible for { $count }:
batch-unchanged = Nothing to change
batch-refused-oneself = Yourself
batch-refused-equal = Same role as yours
batch-refused-above = Role above yours
batch-refused-grant = New role above yours
batch-refused-scope-ends = Lasting role not below the new one
batch-refused-not-a-member = Not in the group
batch-refused-changed = Changed in the meantime
batch-refused-too-late = Too long ago
batch-refused-overtaken = Changed again since then
batch-hint-kick = They leave the group now. They may come back.
batch-hint-ban = They leave the group now and cannot come back until the ban ends. Moderators, admins and the owner see what you write for the team.
batch-hint-mute = They stay in the group and cannot write until the mute ends. Moderators, admins and the owner see what you write for the team.
batch-hint-scope = What they may do changes at once. Everybody sees the new role.

## What came of an act, on a page without JavaScript

done-kick = { $name } was removed from the group.
done-ban = { $name } was banned.
done-unban = { $name } may come in again.
done-mute = { $name } was muted.
done-unmute = { $name } can write again.
done-scope = { $name } has another role now.
done-transfer = { $name } owns the group now.
done-undo = What was done to { $name } has been undone.
done-note-added = Your note about { $name } was added.
done-note-removed = The note about { $name } was removed.
batch-done-kick = { $n ->
    [one] { $count } person was removed from the group.
   *[other] { $count } people were removed from the group.
}
batch-done-ban = { $n ->
    [one] { $count } person was banned.
   *[other] { $count } people were banned.
}
batch-done-mute = { $n ->
    [one] { $count } person was muted.
   *[other] { $count } people were muted.
}
batch-done-scope = { $n ->
    [one] { $count } person has another role now.
   *[other] { $count } people have another role now.
}
batch-done-undo = { $n ->
    [one] { $count } person was put back as they were.
   *[other] { $count } people were put back as they were.
}
undo-button = Undo
undo-left = { $count }s
done-join = You are a member now.

## Why an act is refused

refused-participant = Participants cannot do this to anyone.
refused-oneself = This is you.
refused-equal-owner = You can only do this to people below you, and you are both owners.
refused-equal-admin = You can only do this to people below you, and you are both admins.
refused-equal-moderator = You can only do this to people below you, and you are both moderators.
refused-equal-participant = You can only do this to people below you, and you are both participants.
refused-above-owner = You can only do this to people below you, and their role is above yours: owner.
refused-above-admin = You can only do this to people below you, and their role is above yours: admin.
refused-above-moderator = You can only do this to people below you, and their role is above yours: moderator.
refused-above-participant = You can only do this to people below you, and their role is above yours: participant.
refused-owner-only = Only the owner can hand the group over.
refused-grant-owner = Your own role is the highest that you can give: owner.
refused-grant-admin = Your own role is the highest that you can give: admin.
refused-grant-moderator = Your own role is the highest that you can give: moderator.
refused-grant-participant = Your own role is the highest that you can give: participant.
refused-self-ban = You cannot ban yourself. To go, leave the group.
refused-self-mute = You cannot mute yourself or lift your own mute.
refused-scope-ends = Only a role above the one that they keep can end.
refused-not-a-member = They are not a member of this group.
refused-owner-must-transfer = The owner stays until the group is handed to somebody else: do that first.
refused-not-undoable = Only this can be undone: that a member kicked, banned or muted somebody else, changed their role, or lifted their ban or mute.
refused-not-theirs-to-undo = Only whoever did this, or somebody above them, can undo it.
refused-not-theirs-to-remove = Only whoever wrote this note, or somebody above them, can remove it.
refused-banned = You are banned from this group.
refused-password = That is not the group’s password.
refused-rights-changed = Their role or yours has changed since this was shown.
refused-changed-since-shown = This has changed since it was shown. Check before you try again.

## A field of a form that cannot be taken as it is

field-scope = Choose a role.
field-end = { $n ->
    [one] Choose an end within the next { $count } day.
   *[other] Choose an end within the next { $count } days.
}
field-ends = Give a number of hours or a day, not both.
field-long = { $n ->
    [one] This text is too long: at most { $count } character.
   *[other] This text is too long: at most { $count } characters.
}
field-odd = This text has a character that cannot be shown. Take it out, or write the text again.

## Who changed it meanwhile, behind a refusal. $by is a name, $time a moment such as "2 May 2024, 14:03".

changed-scope-admin = { $by } made { $name } admin ({ $time }).
changed-scope-moderator = { $by } made { $name } moderator ({ $time }).
changed-scope-participant = { $by } made { $name } participant ({ $time }).
changed-owner = { $by } handed the group over ({ $time }).
changed-kicked = { $by } removed { $name } ({ $time }).
changed-banned = { $by } banned { $name } ({ $time }).
changed-muted = { $by } muted { $name } ({ $time }).
changed-unmuted = { $by } lifted the mute on { $name } ({ $time }).
changed-left = { $name } left ({ $time }).
the-host = The host
the-team = The team

## Errors: a title, and what to do

error-not-found = Not found
error-not-found-hint = There is no such group, or it is not yours to see.
error-not-a-member = Not a member
error-not-allowed = Not allowed
error-not-undone = Not undone
undo-too-late = It was too long ago to be undone.
undo-overtaken = Something has happened to them since, so this was not undone.
error-not-any-more = Not possible any more
error-owner-must-stay = The owner must stay
error-banned = Banned
error-bad-request = This request cannot be read
error-invalid = A value is not allowed
error-sign-in = Please sign in
error-sign-in-hint = This needs a viewer token, as a bearer or in the session cookie.
error-sign-in-again = Please sign in again
error-token-expired = The token has expired.
error-signed-out = You were signed out everywhere.
error-too-large = Too large
error-too-large-hint = The body of this request is too large.
error-too-fast = Too fast
error-too-fast-hint = { $n ->
    [one] Try again in { $count } second.
   *[other] Try again in { $count } seconds.
}
error-unavailable = Not possible at the moment
error-unavailable-hint = Nothing was changed. Try again in a moment.
error-unsure = Perhaps done, perhaps not
error-unsure-hint = No answer came in time. See whether it was done before you try again.
error-internal = Something is wrong on our side
error-internal-hint = Quote this number when you report it: { $number }

## Whole pages

page-back = Back
page-members = Members
page-not-a-member = You are not in this group.
page-refused = Not possible
group-join-password = Whoever knows the password may join.
group-join = Everybody may join.
group-password = Password
act-join = Join

## Who is banned

bans-title = Banned from { $group }
bans-search = Search the banned
bans-none = No one is banned
bans-no-reason = No reason given.
bans-until = Until { $time }.
bans-forever = Until lifted.
bans-by = By { $by } on { $time }.
mutes-by = By { $by } on { $time }.
mutes-title = Muted in { $group }
mutes-search = Search the muted
mutes-none = No one is muted
notes-label = Notes
notes-title = Notes about { $name }
notes-hint = Only moderators, admins and the owner above this person can read these. The person is not told.
notes-none = No notes yet
notes-count = Notes: { $count }
notes-by = { $by }, { $time }
notes-text = Note
notes-missing = Write the note first.
notes-full = No more notes about this person can be kept. Remove one first.
notes-add = Add note
notes-remove = Remove

## The feed of changes

feed-title = Changes in { $group }
feed-joined = { $name } joined
feed-added = { $by } added { $name }
feed-left = { $name } left
feed-kicked = { $by } removed { $name }
feed-banned = { $by } banned { $name }
feed-unbanned = { $by } lifted the ban on { $name }
feed-muted = { $by } muted { $name }
feed-unmuted = { $by } lifted the mute on { $name }
feed-scope-admin = { $by } made { $name } admin
feed-scope-moderator = { $by } made { $name } moderator
feed-scope-participant = { $by } made { $name } participant
feed-owner = { $name } owns the group now
feed-updated = { $name } has a new name or picture
feed-note-added = { $by } added a note about { $name }
feed-note-removed = { $by } removed a note about { $name }
feed-synced = The members were synchronised with the host
feed-group-created = The group was created
feed-group-updated = The group’s name, picture or description changed
feed-group-deleted = The group was deleted

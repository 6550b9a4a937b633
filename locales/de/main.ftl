# German. Everything the component says.

## Roles (scopes, to programs): what somebody is in a group

scope-owner = Inhaber:in
scope-admin = Admin
scope-moderator = Moderator:in
scope-participant = Teilnehmer:in

## Headings over the people of one role

section-owner = Inhaber:in
section-admin = Admins
section-moderator = Moderation
section-participant = Teilnehmende

## Whether somebody is there

status-online = Online
status-away = Abwesend
status-offline = Offline

## The list

members-title = Mitglieder
members-search = Mitglieder suchen
members-search-go = Suchen
members-more = Mehr anzeigen
members-previous = Weiter oben in der Liste
members-next = Weitere Mitglieder
members-online = { $n ->
    [one] { $count } online
   *[other] { $count } online
}
members-filter = Filter
filter-all = Alle
filter-admins = Admins
filter-moderators = Moderation
filter-online = Online
filter-joined = In der letzten Stunde beigetreten
members-found = { $n ->
    [one] { $count } gefunden
   *[other] { $count } gefunden
}
members-bans-link = Gesperrte
members-mutes-link = Stummgeschaltete
members-page = Mitglieder von { $group }

group-members = { $n ->
    [one] { $count } Mitglied
   *[other] { $count } Mitglieder
}

## A row

row-joined = Dabei seit { $date }
row-you = du
row-own-menu = Deine Mitgliedschaft
row-menu = Aktionen für { $name }
row-select = { $name } auswählen
row-selected = ausgewählt

## Nobody to show

empty-title = Keine Mitglieder
empty-hint = Wer beitritt, erscheint hier.
empty-search = Keine Treffer für „{ $search }“
empty-search-hint = Ein Teil des Namens genügt, in jeder Schrift, mit oder ohne Akzente.
empty-online = Niemand ist online
empty-online-hint = Wer online geht, erscheint hier.
empty-filter = Niemand hier
empty-filter-hint = Zu diesem Filter passt gerade kein Mitglied.
empty-clear = Alle anzeigen

## Live, and what stands in its way

live-on = Live
live-reconnecting = Verbindung wird wiederhergestellt …
live-off = Nicht live. Lade die Seite neu, um Änderungen zu sehen.
presence-batched = Die Online-Anzeige wird alle fünf Sekunden aktualisiert.
presence-counts = Es sind so viele online, dass nur ihre Zahl live ist.
members-failed = Die Mitglieder können nicht angezeigt werden.
request-failed = Das hat nicht geklappt.
request-retry = Noch einmal versuchen
held-changes = { $n ->
    [one] { $count } Änderung
   *[other] { $count } Änderungen
}

## A spoken line about what changed lately: "3 joined, 1 left, Ana is now admin"

digest-joined = { $n ->
    [one] { $count } beigetreten
   *[other] { $count } beigetreten
}
digest-left = { $n ->
    [one] { $count } ausgetreten
   *[other] { $count } ausgetreten
}
digest-removed = { $n ->
    [one] { $count } entfernt
   *[other] { $count } entfernt
}
digest-changed = { $n ->
    [one] { $count } Rolle geändert
   *[other] { $count } Rollen geändert
}
digest-admin = { $name } ist jetzt Admin
digest-moderator = { $name } ist jetzt Moderator:in
digest-participant = { $name } ist jetzt Teilnehmer:in
digest-owner = { $name } ist jetzt Inhaber:in

## Selecting people

selection-count = { $n ->
    [one] { $count } ausgewählt
   *[other] { $count } ausgewählt
}
selection-clear = Auswahl aufheben
selection-all = Alle Treffer auswählen
selection-done = Weiter
selection-full = Du kannst höchstens { $count } Personen auswählen.
selection-first = Die ersten { $count } von { $all } sind ausgewählt.
selection-page = Ausgewählte Personen
selection-none = Niemand ist ausgewählt.
selection-choose = Wähle mindestens eine Person aus.
selection-fewer = Das sind zu viele Personen auf einmal. Wähle weniger aus.
selection-gone = { $n ->
    [one] { $count } davon ist kein Mitglied mehr.
   *[other] { $count } davon sind keine Mitglieder mehr.
}

## When the viewer is out

ended-kicked = Du wurdest aus dieser Gruppe entfernt
ended-kicked-hint = Du kannst zurückkommen: Tritt wieder bei oder lass dich hinzufügen.
ended-banned = Du bist für diese Gruppe gesperrt
ended-deleted = Diese Gruppe gibt es nicht mehr
ended-deleted-hint = Ihre Mitglieder werden nicht mehr angezeigt.
ended-left = Du bist nicht mehr in dieser Gruppe
ended-left-hint = Du kannst zurückkommen: Tritt wieder bei oder lass dich hinzufügen.

## Out of the group, and at its door

left-title = Du hast { $group } verlassen
left-untold = Du hast die Gruppe verlassen
left-ask = Um zurückzukommen, lass dich hinzufügen.
act-join-again = Wieder beitreten
banned-until = Bis { $time } kannst du nicht zurückkommen.
banned-for-good = Die Sperre ist unbefristet: Zurückkommen kannst du erst, wenn sie aufgehoben wird.
muted-until = Stummgeschaltet bis { $time }
muted-you = Bis { $time } kannst du in dieser Gruppe nicht schreiben.
scope-until = Bis { $time }
scope-you-admin = Bis { $time } bist du Admin.
scope-you-moderator = Bis { $time } bist du Moderator:in.
told = Nachricht vom Team: { $message }
group-password-missing = Gib das Passwort der Gruppe ein.
selection-back = Auswahl ändern

## Acts, in a menu

act-kick = Entfernen
act-ban = Sperren
act-unban = Sperre aufheben
act-mute = Stummschalten
act-unmute = Stummschaltung aufheben
act-scope = Rolle ändern
act-scope-own = Rolle abgeben
act-transfer = Gruppe übergeben
act-leave = Gruppe verlassen
act-cancel = Abbrechen
act-close = Schließen

## Acts, as forms: the question over the form

ask-kick = { $name } entfernen?
ask-ban = { $name } sperren?
ask-unban = Sperre für { $name } aufheben?
ask-mute = { $name } stummschalten?
ask-unmute = Stummschaltung von { $name } aufheben?
ask-scope = Rolle von { $name } ändern
ask-scope-own = Rolle abgeben
ask-transfer = Gruppe an { $name } übergeben?
ask-leave = Gruppe verlassen?

## Acts, as forms: what will happen

hint-kick = Diese Person verlässt die Gruppe sofort. Sie kann wiederkommen.
hint-ban = Diese Person verlässt die Gruppe sofort und kann nicht wiederkommen, solange die Sperre gilt. Was du für das Team schreibst, sehen Moderation, Admins und Inhaber:in.
hint-unban = Diese Person darf wieder in die Gruppe. Sie wird dadurch aber nicht von selbst wieder Mitglied.
hint-mute = Diese Person bleibt in der Gruppe und kann nicht schreiben, solange die Stummschaltung gilt. Was du für das Team schreibst, sehen Moderation, Admins und Inhaber:in.
hint-unmute = Diese Person kann sofort wieder schreiben.
hint-scope = Was diese Person darf, ändert sich sofort. Alle sehen die neue Rolle.
hint-scope-own = Du gibst Rechte ab. Nur wer über dir steht, kann sie dir zurückgeben.
hint-transfer = Diese Person bekommt die volle Kontrolle über die Gruppe und du wirst Admin. Nur sie kann das rückgängig machen.
hint-leave = Du bist dann kein Mitglied mehr. Um zurückzukommen, tritt wieder bei oder lass dich hinzufügen.
hint-leave-alone = Du bist das einzige Mitglied. Die Gruppe bleibt bestehen und gehört dann dem Server.

## Acts, as forms: the button that does it

do-kick = { $name } entfernen
do-ban = { $name } sperren
do-unban = Sperre für { $name } aufheben
do-mute = { $name } stummschalten
do-unmute = Stummschaltung von { $name } aufheben
do-scope = Speichern
do-transfer = Gruppe an { $name } übergeben
do-leave = Gruppe verlassen

## The form of a ban

ban-reason = Für das Team
ban-message = Nachricht an die Person
ban-for = Dauer
ban-hour = 1 Stunde
ban-day = 1 Tag
ban-week = 7 Tage
ban-forever = Bis auf Weiteres
for-minutes = 5 Minuten
for-other = Anderes Ende
for-hours = Anzahl der Stunden
for-day = Oder bis zum Ende eines Tages (UTC)
scope-forever = Bis auf Weiteres
scope-end-now = Rolle jetzt beenden
scope-legend = Rolle
batch-will-kick = { $n ->
    [one] { $count } Person wird aus der Gruppe entfernt.
   *[other] { $count } Personen werden aus der Gruppe entfernt.
}
batch-will-ban = { $n ->
    [one] { $count } Person wird gesperrt.
   *[other] { $count } Personen werden gesperrt.
}
batch-will-mute = { $n ->
    [one] { $count } Person wird stummgeschaltet.
   *[other] { $count } Personen werden stummgeschaltet.
}
batch-will-scope = { $n ->
    [one] { $count } Person bekommt die neue Rolle.
   *[other] { $count } Personen bekommen die neue Rolle.
}
batch-cannot = Nicht möglich bei { $count }:
batch-unchanged = Keine Änderung nötig
batch-refused-oneself = Du selbst
batch-refused-equal = Dieselbe Rolle wie du
batch-refused-above = Höhere Rolle als du
batch-refused-grant = Neue Rolle höher als deine
batch-refused-scope-ends = Unbefristete Rolle nicht niedriger als die neue
batch-refused-not-a-member = Nicht in der Gruppe
batch-refused-changed = Inzwischen geändert
batch-refused-too-late = Zu lange her
batch-refused-overtaken = Seitdem wieder geändert
batch-hint-kick = Die Betroffenen verlassen die Gruppe sofort. Sie können wiederkommen.
batch-hint-ban = Die Betroffenen verlassen die Gruppe sofort und können nicht wiederkommen, solange die Sperre gilt. Was du für das Team schreibst, sehen Moderation, Admins und Inhaber:in.
batch-hint-mute = Die Betroffenen bleiben in der Gruppe und können nicht schreiben, solange die Stummschaltung gilt. Was du für das Team schreibst, sehen Moderation, Admins und Inhaber:in.
batch-hint-scope = Was die Betroffenen dürfen, ändert sich sofort. Alle sehen die neue Rolle.

## What came of an act, on a page without JavaScript

done-kick = { $name } wurde aus der Gruppe entfernt.
done-ban = { $name } wurde gesperrt.
done-unban = { $name } darf wieder in die Gruppe.
done-mute = { $name } wurde stummgeschaltet.
done-unmute = { $name } kann wieder schreiben.
done-scope = { $name } hat jetzt eine andere Rolle.
done-transfer = { $name } ist jetzt Inhaber:in der Gruppe.
done-undo = Die Änderung bei { $name } wurde rückgängig gemacht.
done-note-added = Deine Notiz zu { $name } wurde hinzugefügt.
done-note-removed = Die Notiz zu { $name } wurde entfernt.
batch-done-kick = { $n ->
    [one] { $count } Person wurde aus der Gruppe entfernt.
   *[other] { $count } Personen wurden aus der Gruppe entfernt.
}
batch-done-ban = { $n ->
    [one] { $count } Person wurde gesperrt.
   *[other] { $count } Personen wurden gesperrt.
}
batch-done-mute = { $n ->
    [one] { $count } Person wurde stummgeschaltet.
   *[other] { $count } Personen wurden stummgeschaltet.
}
batch-done-scope = { $n ->
    [one] { $count } Person hat jetzt eine andere Rolle.
   *[other] { $count } Personen haben jetzt eine andere Rolle.
}
batch-done-undo = { $n ->
    [one] Die Änderung bei { $count } Person wurde rückgängig gemacht.
   *[other] Die Änderung bei { $count } Personen wurde rückgängig gemacht.
}
undo-button = Rückgängig
undo-left = { $count } Sek.
done-join = Du bist jetzt Mitglied.

## Why an act is refused

refused-participant = Als Teilnehmer:in kannst du das bei niemandem tun.
refused-oneself = Das bist du.
refused-equal-owner = Das geht nur bei Leuten unter dir, und ihr habt dieselbe Rolle: Inhaber:in.
refused-equal-admin = Das geht nur bei Leuten unter dir, und ihr habt dieselbe Rolle: Admin.
refused-equal-moderator = Das geht nur bei Leuten unter dir, und ihr habt dieselbe Rolle: Moderator:in.
refused-equal-participant = Das geht nur bei Leuten unter dir, und ihr habt dieselbe Rolle: Teilnehmer:in.
refused-above-owner = Das geht nur bei Leuten unter dir, und diese Person hat eine höhere Rolle: Inhaber:in.
refused-above-admin = Das geht nur bei Leuten unter dir, und diese Person hat eine höhere Rolle: Admin.
refused-above-moderator = Das geht nur bei Leuten unter dir, und diese Person hat eine höhere Rolle: Moderator:in.
refused-above-participant = Das geht nur bei Leuten unter dir, und diese Person hat eine höhere Rolle: Teilnehmer:in.
refused-owner-only = Die Gruppe übergeben kann nur, wer Inhaber:in ist.
refused-grant-owner = Du kannst höchstens deine eigene Rolle vergeben: Inhaber:in.
refused-grant-admin = Du kannst höchstens deine eigene Rolle vergeben: Admin.
refused-grant-moderator = Du kannst höchstens deine eigene Rolle vergeben: Moderator:in.
refused-grant-participant = Du kannst höchstens deine eigene Rolle vergeben: Teilnehmer:in.
refused-self-ban = Du kannst dich nicht selbst sperren. Wenn du gehen willst, verlass die Gruppe.
refused-self-mute = Du kannst dich nicht selbst stummschalten und deine eigene Stummschaltung nicht aufheben.
refused-scope-ends = Eine Rolle kann nur befristet werden, wenn sie über der sonst geltenden liegt.
refused-not-a-member = Diese Person ist kein Mitglied dieser Gruppe.
refused-owner-must-transfer = Wer Inhaber:in ist, kann die Gruppe nicht verlassen: Übergib sie zuerst an jemand anderen.
refused-not-undoable = Rückgängig machen lässt sich nur, dass ein Mitglied eine andere Person entfernt, gesperrt oder stummgeschaltet, ihre Rolle geändert oder ihre Sperre oder Stummschaltung aufgehoben hat.
refused-not-theirs-to-undo = Das kann nur rückgängig machen, wer es getan hat oder eine höhere Rolle hat.
refused-not-theirs-to-remove = Diese Notiz kann nur entfernen, wer sie geschrieben hat oder eine höhere Rolle hat.
refused-banned = Du bist für diese Gruppe gesperrt.
refused-password = Das ist nicht das Passwort der Gruppe.
refused-rights-changed = Deine Rolle oder die der anderen Person hat sich inzwischen geändert.
refused-changed-since-shown = Inzwischen hat sich etwas geändert. Sieh nach, bevor du es noch einmal versuchst.

## A field of a form that cannot be taken as it is

field-scope = Wähle eine Rolle aus.
field-end = { $n ->
    [one] Wähle ein Ende innerhalb von { $count } Tag.
   *[other] Wähle ein Ende innerhalb von { $count } Tagen.
}
field-ends = Gib eine Anzahl von Stunden oder einen Tag an, nicht beides.
field-long = { $n ->
    [one] Dieser Text ist zu lang: höchstens { $count } Zeichen.
   *[other] Dieser Text ist zu lang: höchstens { $count } Zeichen.
}
field-odd = Dieser Text enthält ein Zeichen, das nicht angezeigt werden kann. Entferne es oder schreib den Text neu.

## Who changed it meanwhile, behind a refusal. $by is a name, $time a moment such as "2 May 2024, 14:03".

changed-scope-admin = { $by } hat { $name } die Rolle Admin gegeben ({ $time }).
changed-scope-moderator = { $by } hat { $name } die Rolle Moderator:in gegeben ({ $time }).
changed-scope-participant = { $by } hat { $name } die Rolle Teilnehmer:in gegeben ({ $time }).
changed-owner = { $by } hat die Gruppe übergeben ({ $time }).
changed-kicked = { $by } hat { $name } entfernt ({ $time }).
changed-banned = { $by } hat { $name } gesperrt ({ $time }).
changed-muted = { $by } hat { $name } stummgeschaltet ({ $time }).
changed-unmuted = { $by } hat die Stummschaltung von { $name } aufgehoben ({ $time }).
changed-left = { $name } hat die Gruppe verlassen ({ $time }).
the-host = Der Server
the-team = Das Team

## Errors: a title, and what to do

error-not-found = Nicht gefunden
error-not-found-hint = Diese Gruppe gibt es nicht, oder du darfst sie nicht sehen.
error-not-a-member = Kein Mitglied
error-not-allowed = Nicht erlaubt
error-not-undone = Nicht rückgängig gemacht
undo-too-late = Das ist zu lange her, um es rückgängig zu machen.
undo-overtaken = Inzwischen ist etwas anderes geschehen, deshalb wurde hier nichts rückgängig gemacht.
error-not-any-more = Nicht mehr möglich
error-owner-must-stay = Inhaber:in muss bleiben
error-banned = Gesperrt
error-bad-request = Diese Anfrage ist nicht lesbar
error-invalid = Ein Wert ist nicht zulässig
error-sign-in = Bitte melde dich an
error-sign-in-hint = Dafür ist ein Viewer-Token nötig, als Bearer-Token oder im Sitzungscookie.
error-sign-in-again = Bitte melde dich erneut an
error-token-expired = Das Token ist abgelaufen.
error-signed-out = Du wurdest überall abgemeldet.
error-too-large = Zu groß
error-too-large-hint = Der Inhalt dieser Anfrage ist zu groß.
error-too-fast = Zu schnell
error-too-fast-hint = { $n ->
    [one] Versuch es in { $count } Sekunde noch einmal.
   *[other] Versuch es in { $count } Sekunden noch einmal.
}
error-unavailable = Gerade nicht möglich
error-unavailable-hint = Es wurde nichts geändert. Versuch es gleich noch einmal.
error-unsure = Vielleicht erledigt, vielleicht nicht
error-unsure-hint = Es kam nicht rechtzeitig eine Antwort. Sieh nach, ob es geklappt hat, bevor du es noch einmal versuchst.
error-internal = Bei uns ist etwas schiefgelaufen
error-internal-hint = Gib diese Nummer an, wenn du es meldest: { $number }

## Whole pages

page-back = Zurück
page-members = Mitglieder
page-not-a-member = Du bist kein Mitglied dieser Gruppe.
page-refused = Nicht möglich
group-join-password = Wer das Passwort kennt, kann beitreten.
group-join = Alle können beitreten.
group-password = Passwort
act-join = Beitreten

## Who is banned

bans-title = Gesperrt in { $group }
bans-search = Gesperrte suchen
bans-none = Niemand ist gesperrt
bans-no-reason = Kein Grund angegeben.
bans-until = Bis { $time }.
bans-forever = Bis auf Weiteres.
bans-by = Gesperrt von: { $by }, { $time }.
mutes-by = Stummgeschaltet von: { $by }, { $time }.
mutes-title = Stummgeschaltet in { $group }
mutes-search = Stummgeschaltete suchen
mutes-none = Niemand ist stummgeschaltet
notes-label = Notizen
notes-title = Notizen zu { $name }
notes-hint = Nur wer im Team über dieser Person steht, kann das lesen. Sie selbst erfährt nichts davon.
notes-none = Noch keine Notizen
notes-count = Notizen: { $count }
notes-by = { $by }, { $time }
notes-text = Notiz
notes-missing = Schreib zuerst die Notiz.
notes-full = Zu dieser Person lassen sich keine weiteren Notizen speichern. Entferne zuerst eine.
notes-add = Notiz hinzufügen
notes-remove = Entfernen

## The feed of changes

feed-title = Änderungen in { $group }
feed-joined = { $name } ist beigetreten
feed-added = { $by } hat { $name } hinzugefügt
feed-left = { $name } hat die Gruppe verlassen
feed-kicked = { $by } hat { $name } entfernt
feed-banned = { $by } hat { $name } gesperrt
feed-unbanned = { $by } hat die Sperre für { $name } aufgehoben
feed-muted = { $by } hat { $name } stummgeschaltet
feed-unmuted = { $by } hat die Stummschaltung von { $name } aufgehoben
feed-scope-admin = { $by } hat { $name } die Rolle Admin gegeben
feed-scope-moderator = { $by } hat { $name } die Rolle Moderator:in gegeben
feed-scope-participant = { $by } hat { $name } die Rolle Teilnehmer:in gegeben
feed-owner = { $name } ist jetzt Inhaber:in der Gruppe
feed-updated = { $name } hat einen neuen Namen oder ein neues Bild
feed-note-added = { $by } hat eine Notiz zu { $name } hinzugefügt
feed-note-removed = { $by } hat eine Notiz zu { $name } entfernt
feed-synced = Die Mitglieder wurden mit dem Server abgeglichen
feed-group-created = Die Gruppe wurde erstellt
feed-group-updated = Name, Bild oder Beschreibung der Gruppe wurde geändert
feed-group-deleted = Die Gruppe wurde gelöscht

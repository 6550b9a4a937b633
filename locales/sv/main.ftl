# Swedish. Everything the component says.

## Roles (scopes, to programs): what somebody is in a group

scope-owner = Ägare
scope-admin = Admin
scope-moderator = Moderator
scope-participant = Deltagare

## Headings over the people of one role

section-owner = Ägare
section-admin = Administratörer
section-moderator = Moderatorer
section-participant = Deltagare

## Whether somebody is there

status-online = Online
status-away = Borta
status-offline = Offline

## The list

members-title = Medlemmar
members-search = Sök medlemmar
members-search-go = Sök
members-more = Visa fler
members-previous = Tidigare i listan
members-next = Fler medlemmar
members-online = { $n ->
    [one] { $count } online
   *[other] { $count } online
}
members-filter = Filter
filter-all = Alla
filter-admins = Administratörer
filter-moderators = Moderatorer
filter-online = Online
filter-joined = Gick med senaste timmen
members-bans-link = Bannlysta
members-mutes-link = Tystade
members-found = { $n ->
    [one] { $count } hittad
   *[other] { $count } hittade
}
members-page = Medlemmar i { $group }

group-members = { $n ->
    [one] { $count } medlem
   *[other] { $count } medlemmar
}

## A row

row-joined = Medlem sedan { $date }
row-you = du
row-own-menu = Ditt medlemskap
row-menu = Åtgärder för { $name }
row-select = Välj { $name }
row-selected = vald

## Nobody to show

empty-title = Inga medlemmar
empty-hint = De som går med visas här.
empty-search = Ingen matchar ”{ $search }”
empty-search-hint = Prova en del av namnet, i vilken skrift som helst, med eller utan accenter.
empty-online = Ingen är online
empty-online-hint = De som kommer online visas här.
empty-filter = Ingen här
empty-filter-hint = Ingen medlem matchar filtret just nu.
empty-clear = Visa alla

## Live, and what stands in its way

live-on = Live
live-reconnecting = Återansluter …
live-off = Inte live. Ladda om sidan för att se ändringar.
presence-batched = Onlinestatus uppdateras var femte sekund.
presence-counts = Så många är online att bara antalet visas live.
members-failed = Medlemmarna kan inte visas.
request-failed = Det gick inte.
request-retry = Försök igen
held-changes = { $n ->
    [one] { $count } ändring
   *[other] { $count } ändringar
}

## A spoken line about what changed lately: "3 joined, 1 left, Ana is now admin"

digest-joined = { $n ->
    [one] { $count } har gått med
   *[other] { $count } har gått med
}
digest-left = { $n ->
    [one] { $count } har lämnat
   *[other] { $count } har lämnat
}
digest-removed = { $n ->
    [one] { $count } har tagits bort
   *[other] { $count } har tagits bort
}
digest-changed = { $n ->
    [one] { $count } ändrad roll
   *[other] { $count } ändrade roller
}
digest-admin = { $name } är nu admin
digest-moderator = { $name } är nu moderator
digest-participant = { $name } är nu deltagare
digest-owner = { $name } är nu ägare

## Selecting people

selection-count = { $n ->
    [one] { $count } vald
   *[other] { $count } valda
}
selection-clear = Rensa urvalet
selection-all = Välj alla träffar
selection-done = Fortsätt
selection-full = Du kan välja högst { $count } personer.
selection-first = De första { $count } av { $all } är valda.
selection-page = Valda personer
selection-none = Ingen är vald.
selection-choose = Välj minst en person.
selection-fewer = Det är för många personer på en gång. Välj färre.
selection-gone = { $n ->
    [one] { $count } av dem är inte längre medlem.
   *[other] { $count } av dem är inte längre medlemmar.
}

## When the viewer is out

ended-kicked = Du har tagits bort från gruppen
ended-kicked-hint = Du får komma tillbaka: gå med igen eller be om att bli tillagd.
ended-banned = Du är bannlyst från gruppen
ended-deleted = Gruppen finns inte längre
ended-deleted-hint = Medlemmarna visas inte längre.
ended-left = Du är inte längre med i gruppen
ended-left-hint = Du får komma tillbaka: gå med igen eller be om att bli tillagd.

## Out of the group, and at its door

left-title = Du har lämnat { $group }
left-untold = Du har lämnat gruppen
left-ask = Vill du komma tillbaka får du be om att bli tillagd.
act-join-again = Gå med igen
banned-until = Du kan inte komma tillbaka före { $time }.
banned-for-good = Bannlysningen gäller tills vidare: du kan bara komma tillbaka om den hävs.
muted-until = Tystad till { $time }
muted-you = Du kan inte skriva i gruppen före { $time }.
scope-until = Till { $time }
scope-you-admin = Du är admin till { $time }.
scope-you-moderator = Du är moderator till { $time }.
told = Meddelande från teamet: { $message }
group-password-missing = Ange gruppens lösenord.
selection-back = Ändra urvalet

## Acts, in a menu

act-kick = Ta bort
act-ban = Bannlys
act-unban = Häv bannlysningen
act-mute = Tysta
act-unmute = Sluta tysta
act-scope = Ändra roll
act-scope-own = Lämna din roll
act-transfer = Överlåt ägarskapet
act-leave = Lämna gruppen
act-cancel = Avbryt
act-close = Stäng

## Acts, as forms: the question over the form

ask-kick = Ta bort { $name }?
ask-ban = Bannlysa { $name }?
ask-unban = Häva bannlysningen av { $name }?
ask-mute = Tysta { $name }?
ask-unmute = Sluta tysta { $name }?
ask-scope = Ändra roll för { $name }
ask-scope-own = Lämna din roll
ask-transfer = Överlåta ägarskapet till { $name }?
ask-leave = Lämna gruppen?

## Acts, as forms: what will happen

hint-kick = Personen lämnar gruppen direkt men får komma tillbaka.
hint-ban = Personen lämnar gruppen direkt och kan inte komma tillbaka så länge bannlysningen gäller. Moderatorer, administratörer och ägaren ser vad du skriver för teamet.
hint-unban = Personen får komma in igen men blir inte automatiskt medlem.
hint-mute = Personen är kvar i gruppen men kan inte skriva under den valda tiden. Moderatorer, administratörer och ägaren ser vad du skriver för teamet.
hint-unmute = Personen kan skriva igen direkt.
hint-scope = Vad personen får göra ändras direkt. Alla ser den nya rollen.
hint-scope-own = Du avstår från rättigheter. Bara någon över dig kan ge tillbaka dem.
hint-transfer = Personen får full kontroll över gruppen och du blir admin. Bara den nya ägaren kan ge tillbaka den.
hint-leave = Du är inte längre medlem. Vill du komma tillbaka får du gå med igen eller be om att bli tillagd.
hint-leave-alone = Det finns inga andra medlemmar. Gruppen blir kvar och tillhör sedan servern.

## Acts, as forms: the button that does it

do-kick = Ta bort { $name }
do-ban = Bannlys { $name }
do-unban = Häv bannlysningen av { $name }
do-mute = Tysta { $name }
do-unmute = Sluta tysta { $name }
do-scope = Spara
do-transfer = Överlåt ägarskapet till { $name }
do-leave = Lämna gruppen

## The form of a ban

ban-reason = För teamet
ban-message = Meddelande till personen
ban-for = Hur länge
ban-hour = 1 timme
ban-day = 1 dag
ban-week = 7 dagar
ban-forever = Tills vidare
for-minutes = 5 minuter
for-other = Annan sluttid
for-hours = Antal timmar
for-day = Eller till slutet av en dag (UTC)
scope-forever = Tills vidare
scope-end-now = Avsluta rollen nu
scope-legend = Roll
batch-will-kick = { $n ->
    [one] { $count } person kommer att tas bort från gruppen.
   *[other] { $count } personer kommer att tas bort från gruppen.
}
batch-will-ban = { $n ->
    [one] { $count } person kommer att bannlysas.
   *[other] { $count } personer kommer att bannlysas.
}
batch-will-mute = { $n ->
    [one] { $count } person kommer att tystas.
   *[other] { $count } personer kommer att tystas.
}
batch-will-scope = { $n ->
    [one] { $count } person kommer att få den nya rollen.
   *[other] { $count } personer kommer att få den nya rollen.
}
batch-cannot = Inte möjligt för { $count }:
batch-unchanged = Inget att ändra
batch-refused-oneself = Du själv
batch-refused-equal = Samma roll som du
batch-refused-above = Högre roll än du
batch-refused-grant = Ny roll högre än din
batch-refused-scope-ends = Permanent roll inte lägre än den nya
batch-refused-not-a-member = Inte med i gruppen
batch-refused-changed = Ändrat under tiden
batch-refused-too-late = För länge sedan
batch-refused-overtaken = Ändrat igen sedan dess
batch-hint-kick = De berörda personerna lämnar gruppen direkt men får komma tillbaka.
batch-hint-ban = De berörda personerna lämnar gruppen direkt och kan inte komma tillbaka så länge bannlysningen gäller. Moderatorer, administratörer och ägaren ser vad du skriver för teamet.
batch-hint-mute = De berörda personerna är kvar i gruppen men kan inte skriva under den valda tiden. Moderatorer, administratörer och ägaren ser vad du skriver för teamet.
batch-hint-scope = Vad de berörda personerna får göra ändras direkt. Alla ser den nya rollen.

## What came of an act, on a page without JavaScript

done-kick = { $name } har tagits bort från gruppen.
done-ban = { $name } har bannlysts.
done-unban = { $name } får komma in igen.
done-mute = { $name } har tystats.
done-unmute = { $name } kan skriva igen.
done-scope = { $name } har fått en ny roll.
done-transfer = { $name } äger nu gruppen.
done-undo = Åtgärden för { $name } har ångrats.
done-note-added = Din anteckning om { $name } har lagts till.
done-note-removed = Anteckningen om { $name } har tagits bort.
batch-done-kick = { $n ->
    [one] { $count } person har tagits bort från gruppen.
   *[other] { $count } personer har tagits bort från gruppen.
}
batch-done-ban = { $n ->
    [one] { $count } person har bannlysts.
   *[other] { $count } personer har bannlysts.
}
batch-done-mute = { $n ->
    [one] { $count } person har tystats.
   *[other] { $count } personer har tystats.
}
batch-done-scope = { $n ->
    [one] { $count } person har fått en ny roll.
   *[other] { $count } personer har fått en ny roll.
}
batch-done-undo = { $n ->
    [one] Åtgärden för { $count } person har ångrats.
   *[other] Åtgärden för { $count } personer har ångrats.
}
undo-button = Ångra
undo-left = { $count }s
done-join = Nu är du medlem.

## Why an act is refused

refused-participant = Som deltagare kan du inte göra det här med någon.
refused-oneself = Det är du.
refused-equal-owner = Det går bara med personer under dig, och ni är båda ägare.
refused-equal-admin = Det går bara med personer under dig, och ni är båda administratörer.
refused-equal-moderator = Det går bara med personer under dig, och ni är båda moderatorer.
refused-equal-participant = Det går bara med personer under dig, och ni är båda deltagare.
refused-above-owner = Det går bara med personer under dig, och den här personen har en högre roll: ägare.
refused-above-admin = Det går bara med personer under dig, och den här personen har en högre roll: admin.
refused-above-moderator = Det går bara med personer under dig, och den här personen har en högre roll: moderator.
refused-above-participant = Det går bara med personer under dig, och den här personen har en högre roll: deltagare.
refused-owner-only = Bara ägaren kan överlåta ägarskapet.
refused-grant-owner = Du kan högst ge någon samma roll som din egen: ägare.
refused-grant-admin = Du kan högst ge någon samma roll som din egen: admin.
refused-grant-moderator = Du kan högst ge någon samma roll som din egen: moderator.
refused-grant-participant = Du kan högst ge någon samma roll som din egen: deltagare.
refused-self-ban = Du kan inte bannlysa dig själv. Lämna gruppen om du vill gå.
refused-self-mute = Du kan inte tysta dig själv, och bara någon annan kan låta dig skriva igen.
refused-scope-ends = En roll kan bara tidsbegränsas om den är högre än den som annars gäller.
refused-not-a-member = Personen är inte medlem i gruppen.
refused-owner-must-transfer = Ägaren kan inte lämna gruppen förrän ägarskapet har överlåtits till någon annan. Gör det först.
refused-not-undoable = Bara det här kan ångras: att en medlem har tagit bort, bannlyst eller tystat någon annan, ändrat personens roll, hävt bannlysningen eller slutat tysta.
refused-not-theirs-to-undo = Bara den som gjorde detta, eller någon med högre roll, kan ångra det.
refused-not-theirs-to-remove = Bara den som skrev anteckningen, eller någon med högre roll, kan ta bort den.
refused-banned = Du är bannlyst från gruppen.
refused-password = Det är inte gruppens lösenord.
refused-rights-changed = Någon av er har fått en annan roll sedan sidan visades.
refused-changed-since-shown = Något har ändrats under tiden. Se efter innan du försöker igen.

## A field of a form that cannot be taken as it is

field-scope = Välj en roll.
field-end = { $n ->
    [one] Välj en sluttid inom { $count } dag.
   *[other] Välj en sluttid inom { $count } dagar.
}
field-ends = Ange ett antal timmar eller en dag, inte båda.
field-long = { $n ->
    [one] Texten är för lång: högst { $count } tecken.
   *[other] Texten är för lång: högst { $count } tecken.
}
field-odd = Texten innehåller ett tecken som inte kan visas. Ta bort det eller skriv texten på nytt.

## Who changed it meanwhile, behind a refusal. $by is a name, $time a moment such as "2 May 2024, 14:03".

changed-scope-admin = { $by } gjorde { $name } till admin ({ $time }).
changed-scope-moderator = { $by } gjorde { $name } till moderator ({ $time }).
changed-scope-participant = { $by } gjorde { $name } till deltagare ({ $time }).
changed-owner = { $by } överlät ägarskapet ({ $time }).
changed-kicked = { $by } tog bort { $name } ({ $time }).
changed-banned = { $by } bannlyste { $name } ({ $time }).
changed-muted = { $by } tystade { $name } ({ $time }).
changed-unmuted = { $by } lät { $name } skriva igen ({ $time }).
changed-left = { $name } lämnade gruppen ({ $time }).
the-host = Servern
the-team = Teamet

## Errors: a title, and what to do

error-not-found = Finns inte
error-not-found-hint = Gruppen finns inte, eller så får du inte se den.
error-not-a-member = Inte medlem
error-not-allowed = Inte tillåtet
error-not-undone = Ångrades inte
undo-too-late = Det har gått för lång tid för att ångra.
undo-overtaken = Något har hänt sedan dess, så åtgärden ångrades inte.
error-not-any-more = Går inte längre
error-owner-must-stay = Ägaren måste stanna kvar
error-banned = Bannlyst
error-bad-request = Begäran går inte att läsa
error-invalid = Ett värde är inte tillåtet
error-sign-in = Logga in
error-sign-in-hint = Här behövs en viewer-token, som bearer-token eller i sessionskakan.
error-sign-in-again = Logga in igen
error-token-expired = Token har löpt ut.
error-signed-out = Du har loggats ut överallt.
error-too-large = För stort
error-too-large-hint = Innehållet i begäran är för stort.
error-too-fast = För snabbt
error-too-fast-hint = { $n ->
    [one] Försök igen om { $count } sekund.
   *[other] Försök igen om { $count } sekunder.
}
error-unavailable = Går inte just nu
error-unavailable-hint = Ingenting har ändrats. Försök igen om en stund.
error-unsure = Oklart om det blev gjort
error-unsure-hint = Inget svar kom i tid. Se efter om det blev gjort innan du försöker igen.
error-internal = Något gick fel hos oss
error-internal-hint = Ange det här numret när du rapporterar felet: { $number }

## Whole pages

page-back = Tillbaka
page-members = Medlemmar
page-not-a-member = Du är inte medlem i gruppen.
page-refused = Går inte
group-join-password = Alla som kan lösenordet får gå med.
group-join = Alla får gå med.
group-password = Lösenord
act-join = Gå med

## Who is banned

bans-title = Bannlysta från { $group }
bans-search = Sök bland bannlysta
bans-none = Ingen är bannlyst
bans-no-reason = Ingen orsak angiven.
bans-until = Till { $time }.
bans-forever = Tills vidare.
bans-by = Bannlyst av: { $by }, { $time }.
mutes-by = Tystad av: { $by }, { $time }.
mutes-title = Tystade i { $group }
mutes-search = Sök bland tystade
mutes-none = Ingen är tystad
notes-label = Anteckningar
notes-title = Anteckningar om { $name }
notes-hint = Bara de i teamet som står över personen kan läsa detta. Personen får inget veta.
notes-none = Inga anteckningar än
notes-count = Anteckningar: { $count }
notes-by = { $by }, { $time }
notes-text = Anteckning
notes-missing = Skriv anteckningen först.
notes-full = Det går inte att spara fler anteckningar om personen. Ta bort en först.
notes-add = Lägg till anteckning
notes-remove = Ta bort

## The feed of changes

feed-title = Ändringar i { $group }
feed-joined = { $name } gick med
feed-added = { $by } lade till { $name }
feed-left = { $name } lämnade gruppen
feed-kicked = { $by } tog bort { $name }
feed-banned = { $by } bannlyste { $name }
feed-unbanned = { $by } hävde bannlysningen av { $name }
feed-muted = { $by } tystade { $name }
feed-unmuted = { $by } lät { $name } skriva igen
feed-scope-admin = { $by } gjorde { $name } till admin
feed-scope-moderator = { $by } gjorde { $name } till moderator
feed-scope-participant = { $by } gjorde { $name } till deltagare
feed-owner = { $name } äger nu gruppen
feed-updated = { $name } har nytt namn eller ny bild
feed-note-added = { $by } lade till en anteckning om { $name }
feed-note-removed = { $by } tog bort en anteckning om { $name }
feed-synced = Medlemmarna har synkats med servern
feed-group-created = Gruppen har skapats
feed-group-updated = Gruppens namn, bild eller beskrivning har ändrats
feed-group-deleted = Gruppen har raderats

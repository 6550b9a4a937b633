# Dutch. Everything the component says.

## Roles (scopes, to programs): what somebody is in a group

scope-owner = Eigenaar
scope-admin = Beheerder
scope-moderator = Moderator
scope-participant = Deelnemer

## Headings over the people of one role

section-owner = Eigenaar
section-admin = Beheerders
section-moderator = Moderators
section-participant = Deelnemers

## Whether somebody is there

status-online = Online
status-away = Afwezig
status-offline = Offline

## The list

members-title = Leden
members-search = Leden zoeken
members-search-go = Zoeken
members-more = Meer tonen
members-previous = Eerder in de lijst
members-next = Meer leden
members-online = { $n ->
    [one] { $count } online
   *[other] { $count } online
}
members-filter = Filter
filter-all = Iedereen
filter-admins = Beheerders
filter-moderators = Moderators
filter-online = Online
filter-joined = Afgelopen uur lid geworden
members-found = { $n ->
    [one] { $count } gevonden
   *[other] { $count } gevonden
}
members-bans-link = Banlijst
members-mutes-link = Gedempt
members-page = Leden van { $group }

group-members = { $n ->
    [one] { $count } lid
   *[other] { $count } leden
}

## A row

row-joined = Lid sinds { $date }
row-you = jij
row-own-menu = Je lidmaatschap
row-menu = Acties voor { $name }
row-select = { $name } selecteren
row-selected = geselecteerd

## Nobody to show

empty-title = Geen leden
empty-hint = Wie lid wordt, verschijnt hier.
empty-search = Niemand gevonden voor ‘{ $search }’
empty-search-hint = Probeer een deel van de naam, in welk schrift dan ook, met of zonder accenten.
empty-online = Niemand is online
empty-online-hint = Wie online komt, verschijnt hier.
empty-filter = Niemand hier
empty-filter-hint = Op dit moment past geen enkel lid bij dit filter.
empty-clear = Iedereen tonen

## Live, and what stands in its way

live-on = Live
live-reconnecting = Opnieuw verbinden…
live-off = Niet live. Herlaad de pagina om wijzigingen te zien.
presence-batched = De onlinestatus wordt elke vijf seconden bijgewerkt.
presence-counts = Er zijn zoveel mensen online dat alleen het aantal live wordt bijgewerkt.
members-failed = De leden kunnen niet worden getoond.
request-failed = Dat is niet gelukt.
request-retry = Opnieuw proberen
held-changes = { $n ->
    [one] { $count } wijziging
   *[other] { $count } wijzigingen
}

## A spoken line about what changed lately: "3 joined, 1 left, Ana is now admin"

digest-joined = { $n ->
    [one] { $count } is lid geworden
   *[other] { $count } zijn lid geworden
}
digest-left = { $n ->
    [one] { $count } is vertrokken
   *[other] { $count } zijn vertrokken
}
digest-removed = { $n ->
    [one] { $count } is verwijderd
   *[other] { $count } zijn verwijderd
}
digest-changed = { $n ->
    [one] { $count } rol gewijzigd
   *[other] { $count } rollen gewijzigd
}
digest-admin = { $name } is nu beheerder
digest-moderator = { $name } is nu moderator
digest-participant = { $name } is nu deelnemer
digest-owner = { $name } is nu eigenaar

## Selecting people

selection-count = { $n ->
    [one] { $count } geselecteerd
   *[other] { $count } geselecteerd
}
selection-clear = Selectie wissen
selection-all = Alle resultaten selecteren
selection-done = Doorgaan
selection-full = Je kunt maximaal { $count } personen selecteren.
selection-first = De eerste { $count } van { $all } zijn geselecteerd.
selection-page = Geselecteerde personen
selection-none = Er is niemand geselecteerd.
selection-choose = Selecteer minstens één persoon.
selection-fewer = Dit zijn te veel personen tegelijk. Selecteer er minder.
selection-gone = { $n ->
    [one] { $count } van hen is geen lid meer.
   *[other] { $count } van hen zijn geen lid meer.
}

## When the viewer is out

ended-kicked = Je bent uit deze groep verwijderd
ended-kicked-hint = Je mag terugkomen: word opnieuw lid of laat je toevoegen.
ended-banned = Je bent verbannen uit deze groep
ended-deleted = Deze groep bestaat niet meer
ended-deleted-hint = De leden worden niet meer getoond.
ended-left = Je zit niet meer in deze groep
ended-left-hint = Je mag terugkomen: word opnieuw lid of laat je toevoegen.

## Out of the group, and at its door

left-title = Je hebt { $group } verlaten
left-untold = Je hebt de groep verlaten
left-ask = Wil je terugkomen, laat je dan toevoegen.
act-join-again = Opnieuw lid worden
banned-until = Tot { $time } kun je niet terugkomen.
banned-for-good = De ban geldt voor onbepaalde tijd: je kunt alleen terugkomen als hij wordt opgeheven.
muted-until = Gedempt tot { $time }
muted-you = Je kunt tot { $time } niet schrijven in deze groep.
scope-until = Tot { $time }
scope-you-admin = Je bent beheerder tot { $time }.
scope-you-moderator = Je bent moderator tot { $time }.
told = Bericht van het team: { $message }
group-password-missing = Vul het wachtwoord van de groep in.
selection-back = Selectie wijzigen

## Acts, in a menu

act-kick = Verwijderen
act-ban = Verbannen
act-unban = Ban opheffen
act-mute = Dempen
act-unmute = Dempen opheffen
act-scope = Rol wijzigen
act-scope-own = Rol neerleggen
act-transfer = Eigendom overdragen
act-leave = Groep verlaten
act-cancel = Annuleren
act-close = Sluiten

## Acts, as forms: the question over the form

ask-kick = { $name } verwijderen?
ask-ban = { $name } verbannen?
ask-unban = Ban van { $name } opheffen?
ask-mute = { $name } dempen?
ask-unmute = Dempen van { $name } opheffen?
ask-scope = Rol van { $name } wijzigen
ask-scope-own = Rol neerleggen
ask-transfer = Eigendom overdragen aan { $name }?
ask-leave = Groep verlaten?

## Acts, as forms: what will happen

hint-kick = Deze persoon verlaat de groep meteen, maar mag terugkomen.
hint-ban = Deze persoon verlaat de groep meteen en kan niet terugkomen zolang de ban duurt. Moderators, beheerders en de eigenaar zien wat je voor het team schrijft.
hint-unban = Deze persoon mag opnieuw lid worden, maar wordt dat niet vanzelf.
hint-mute = Deze persoon blijft in de groep, maar kan niet schrijven zolang het dempen duurt. Moderators, beheerders en de eigenaar zien wat je voor het team schrijft.
hint-unmute = Deze persoon kan meteen weer schrijven.
hint-scope = Wat deze persoon mag, verandert meteen. Iedereen ziet de nieuwe rol.
hint-scope-own = Je geeft rechten op. Alleen iemand boven je kan ze teruggeven.
hint-transfer = Deze persoon krijgt de volledige controle over de groep en jij wordt beheerder. Alleen de nieuwe eigenaar kan dat terugdraaien.
hint-leave = Je bent dan geen lid meer. Wil je terugkomen, word dan opnieuw lid of laat je toevoegen.
hint-leave-alone = Er zijn geen andere leden. De groep blijft bestaan en is dan van de server.

## Acts, as forms: the button that does it

do-kick = { $name } verwijderen
do-ban = { $name } verbannen
do-unban = Ban van { $name } opheffen
do-mute = { $name } dempen
do-unmute = Dempen van { $name } opheffen
do-scope = Opslaan
do-transfer = Eigendom overdragen aan { $name }
do-leave = Groep verlaten

## The form of a ban

ban-reason = Voor het team
ban-message = Bericht aan de persoon
ban-for = Duur
ban-hour = 1 uur
ban-day = 1 dag
ban-week = 7 dagen
ban-forever = Tot nader order
for-minutes = 5 minuten
for-other = Ander eindmoment
for-hours = Aantal uren
for-day = Of tot het einde van een dag (UTC)
scope-forever = Tot nader order
scope-end-now = Rol nu beëindigen
scope-legend = Rol
batch-will-kick = { $n ->
    [one] { $count } persoon wordt uit de groep verwijderd.
   *[other] { $count } personen worden uit de groep verwijderd.
}
batch-will-ban = { $n ->
    [one] { $count } persoon wordt verbannen.
   *[other] { $count } personen worden verbannen.
}
batch-will-mute = { $n ->
    [one] { $count } persoon wordt gedempt.
   *[other] { $count } personen worden gedempt.
}
batch-will-scope = { $n ->
    [one] { $count } persoon krijgt de nieuwe rol.
   *[other] { $count } personen krijgen de nieuwe rol.
}
batch-cannot = Niet mogelijk bij { $count }:
batch-unchanged = Geen wijziging nodig
batch-refused-oneself = Jijzelf
batch-refused-equal = Dezelfde rol als jij
batch-refused-above = Hogere rol dan jij
batch-refused-grant = Nieuwe rol hoger dan de jouwe
batch-refused-scope-ends = Vaste rol niet lager dan de nieuwe
batch-refused-not-a-member = Niet in de groep
batch-refused-changed = Intussen gewijzigd
batch-refused-too-late = Te lang geleden
batch-refused-overtaken = Sindsdien weer gewijzigd
batch-hint-kick = De betrokken personen verlaten de groep meteen, maar mogen terugkomen.
batch-hint-ban = De betrokken personen verlaten de groep meteen en kunnen niet terugkomen zolang de ban duurt. Moderators, beheerders en de eigenaar zien wat je voor het team schrijft.
batch-hint-mute = De betrokken personen blijven in de groep, maar kunnen niet schrijven zolang het dempen duurt. Moderators, beheerders en de eigenaar zien wat je voor het team schrijft.
batch-hint-scope = Wat de betrokken personen mogen, verandert meteen. Iedereen ziet de nieuwe rol.

## What came of an act, on a page without JavaScript

done-kick = { $name } is uit de groep verwijderd.
done-ban = { $name } is verbannen.
done-unban = { $name } mag opnieuw lid worden.
done-mute = { $name } is gedempt.
done-unmute = { $name } kan weer schrijven.
done-scope = { $name } heeft nu een andere rol.
done-transfer = De groep is nu van { $name }.
done-undo = De actie bij { $name } is ongedaan gemaakt.
done-note-added = Je notitie over { $name } is toegevoegd.
done-note-removed = De notitie over { $name } is verwijderd.
batch-done-kick = { $n ->
    [one] { $count } persoon is uit de groep verwijderd.
   *[other] { $count } personen zijn uit de groep verwijderd.
}
batch-done-ban = { $n ->
    [one] { $count } persoon is verbannen.
   *[other] { $count } personen zijn verbannen.
}
batch-done-mute = { $n ->
    [one] { $count } persoon is gedempt.
   *[other] { $count } personen zijn gedempt.
}
batch-done-scope = { $n ->
    [one] { $count } persoon heeft nu een andere rol.
   *[other] { $count } personen hebben nu een andere rol.
}
batch-done-undo = { $n ->
    [one] De actie bij { $count } persoon is ongedaan gemaakt.
   *[other] De actie bij { $count } personen is ongedaan gemaakt.
}
undo-button = Ongedaan maken
undo-left = { $count } s
done-join = Je bent nu lid.

## Why an act is refused

refused-participant = Als deelnemer kun je dit bij niemand doen.
refused-oneself = Dit ben jij.
refused-equal-owner = Dit kan alleen bij mensen onder je, en jullie zijn allebei eigenaar.
refused-equal-admin = Dit kan alleen bij mensen onder je, en jullie zijn allebei beheerder.
refused-equal-moderator = Dit kan alleen bij mensen onder je, en jullie zijn allebei moderator.
refused-equal-participant = Dit kan alleen bij mensen onder je, en jullie zijn allebei deelnemer.
refused-above-owner = Dit kan alleen bij mensen onder je, en deze persoon heeft een hogere rol: eigenaar.
refused-above-admin = Dit kan alleen bij mensen onder je, en deze persoon heeft een hogere rol: beheerder.
refused-above-moderator = Dit kan alleen bij mensen onder je, en deze persoon heeft een hogere rol: moderator.
refused-above-participant = Dit kan alleen bij mensen onder je, en deze persoon heeft een hogere rol: deelnemer.
refused-owner-only = Alleen de eigenaar kan de groep overdragen.
refused-grant-owner = Je kunt hoogstens je eigen rol geven: eigenaar.
refused-grant-admin = Je kunt hoogstens je eigen rol geven: beheerder.
refused-grant-moderator = Je kunt hoogstens je eigen rol geven: moderator.
refused-grant-participant = Je kunt hoogstens je eigen rol geven: deelnemer.
refused-self-ban = Je kunt jezelf niet verbannen. Wil je weg, verlaat dan de groep.
refused-self-mute = Je kunt jezelf niet dempen, en ben je gedempt, dan kun je dat niet zelf opheffen.
refused-scope-ends = Een rol kan alleen eindigen als die hoger is dan de rol die anders geldt.
refused-not-a-member = Deze persoon is geen lid van deze groep.
refused-owner-must-transfer = De eigenaar kan niet weg zolang de groep niet is overgedragen. Doe dat eerst.
refused-not-undoable = Alleen dit kan ongedaan worden gemaakt: dat een lid iemand anders heeft verwijderd, verbannen of gedempt, diens rol heeft gewijzigd, of diens ban of dempen heeft opgeheven.
refused-not-theirs-to-undo = Alleen wie dit deed, of iemand met een hogere rol, kan het ongedaan maken.
refused-not-theirs-to-remove = Alleen wie deze notitie schreef, of iemand met een hogere rol, kan die verwijderen.
refused-banned = Je bent verbannen uit deze groep.
refused-password = Dat is niet het wachtwoord van de groep.
refused-rights-changed = Een van jullie heeft intussen een andere rol dan hier stond.
refused-changed-since-shown = Er is intussen iets veranderd. Controleer dit voordat je het nog eens probeert.

## A field of a form that cannot be taken as it is

field-scope = Kies een rol.
field-end = { $n ->
    [one] Kies een eindmoment binnen { $count } dag.
   *[other] Kies een eindmoment binnen { $count } dagen.
}
field-ends = Geef een aantal uren of een dag op, niet allebei.
field-long = { $n ->
    [one] Deze tekst is te lang: maximaal { $count } teken.
   *[other] Deze tekst is te lang: maximaal { $count } tekens.
}
field-odd = Deze tekst bevat een teken dat niet kan worden getoond. Haal het weg of schrijf de tekst opnieuw.

## Who changed it meanwhile, behind a refusal. $by is a name, $time a moment such as "2 May 2024, 14:03".

changed-scope-admin = { $by } heeft { $name } beheerder gemaakt ({ $time }).
changed-scope-moderator = { $by } heeft { $name } moderator gemaakt ({ $time }).
changed-scope-participant = { $by } heeft { $name } deelnemer gemaakt ({ $time }).
changed-owner = { $by } heeft de groep overgedragen ({ $time }).
changed-kicked = { $by } heeft { $name } verwijderd ({ $time }).
changed-banned = { $by } heeft { $name } verbannen ({ $time }).
changed-muted = { $by } heeft { $name } gedempt ({ $time }).
changed-unmuted = { $by } heeft het dempen van { $name } opgeheven ({ $time }).
changed-left = { $name } heeft de groep verlaten ({ $time }).
the-host = De server
the-team = Het team

## Errors: a title, and what to do

error-not-found = Niet gevonden
error-not-found-hint = Deze groep bestaat niet, of je mag hem niet zien.
error-not-a-member = Geen lid
error-not-allowed = Niet toegestaan
error-not-undone = Niet ongedaan gemaakt
undo-too-late = Het is te lang geleden om ongedaan te maken.
undo-overtaken = Er is sindsdien iets anders gebeurd, dus de actie is niet ongedaan gemaakt.
error-not-any-more = Kan niet meer
error-owner-must-stay = De eigenaar moet blijven
error-banned = Verbannen
error-bad-request = Dit verzoek is onleesbaar
error-invalid = Een waarde is niet toegestaan
error-sign-in = Log eerst in
error-sign-in-hint = Hiervoor is een viewertoken nodig, als bearer of in de sessiecookie.
error-sign-in-again = Log opnieuw in
error-token-expired = Het token is verlopen.
error-signed-out = Je bent overal uitgelogd.
error-too-large = Te groot
error-too-large-hint = De inhoud van dit verzoek is te groot.
error-too-fast = Te snel
error-too-fast-hint = { $n ->
    [one] Probeer het over { $count } seconde opnieuw.
   *[other] Probeer het over { $count } seconden opnieuw.
}
error-unavailable = Nu even niet mogelijk
error-unavailable-hint = Er is niets gewijzigd. Probeer het zo nog eens.
error-unsure = Misschien gedaan, misschien niet
error-unsure-hint = Er kwam niet op tijd antwoord. Kijk of het gelukt is voordat je het nog eens probeert.
error-internal = Er ging bij ons iets mis
error-internal-hint = Noem dit nummer als je het meldt: { $number }

## Whole pages

page-back = Terug
page-members = Leden
page-not-a-member = Je bent geen lid van deze groep.
page-refused = Niet mogelijk
group-join-password = Wie het wachtwoord kent, kan lid worden.
group-join = Iedereen kan lid worden.
group-password = Wachtwoord
act-join = Lid worden

## Who is banned

bans-title = Banlijst van { $group }
bans-search = Zoeken in de banlijst
bans-none = Niemand is verbannen
bans-no-reason = Geen reden opgegeven.
bans-until = Tot { $time }.
bans-forever = Tot nader order.
bans-by = Verbannen door: { $by }, { $time }.
mutes-by = Gedempt door: { $by }, { $time }.
mutes-title = Gedempt in { $group }
mutes-search = Zoeken in gedempte leden
mutes-none = Niemand is gedempt
notes-label = Notities
notes-title = Notities over { $name }
notes-hint = Alleen wie in het team boven deze persoon staat, kan dit lezen. De persoon zelf krijgt geen bericht.
notes-none = Nog geen notities
notes-count = Notities: { $count }
notes-by = { $by }, { $time }
notes-text = Notitie
notes-missing = Schrijf eerst de notitie.
notes-full = Er kunnen niet meer notities over deze persoon worden bewaard. Verwijder er eerst een.
notes-add = Notitie toevoegen
notes-remove = Verwijderen

## The feed of changes

feed-title = Wijzigingen in { $group }
feed-joined = { $name } is lid geworden
feed-added = { $by } heeft { $name } toegevoegd
feed-left = { $name } heeft de groep verlaten
feed-kicked = { $by } heeft { $name } verwijderd
feed-banned = { $by } heeft { $name } verbannen
feed-unbanned = { $by } heeft de ban van { $name } opgeheven
feed-muted = { $by } heeft { $name } gedempt
feed-unmuted = { $by } heeft het dempen van { $name } opgeheven
feed-scope-admin = { $by } heeft { $name } beheerder gemaakt
feed-scope-moderator = { $by } heeft { $name } moderator gemaakt
feed-scope-participant = { $by } heeft { $name } deelnemer gemaakt
feed-owner = De groep is nu van { $name }
feed-updated = { $name } heeft een nieuwe naam of foto
feed-note-added = { $by } heeft een notitie over { $name } toegevoegd
feed-note-removed = { $by } heeft een notitie over { $name } verwijderd
feed-synced = De leden zijn gesynchroniseerd met de server
feed-group-created = De groep is gemaakt
feed-group-updated = De naam, foto of beschrijving van de groep is gewijzigd
feed-group-deleted = De groep is verwijderd

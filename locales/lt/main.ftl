# Lithuanian. Everything the component says.

## Roles (scopes, to programs): what somebody is in a group

scope-owner = Savininkas
scope-admin = Administratorius
scope-moderator = Moderatorius
scope-participant = Dalyvis

## Headings over the people of one role

section-owner = Savininkas
section-admin = Administratoriai
section-moderator = Moderatoriai
section-participant = Dalyviai

## Whether somebody is there

status-online = Tinkle
status-away = Trumpam išėjo
status-offline = Ne tinkle

## The list

members-title = Nariai
members-search = Ieškoti narių
members-search-go = Ieškoti
members-more = Rodyti daugiau
members-previous = Aukščiau sąraše
members-next = Daugiau narių
members-online = { $n ->
    [one] { $count } tinkle
    [few] { $count } tinkle
    [many] { $count } tinkle
   *[other] { $count } tinkle
}
members-filter = Filtras
filter-all = Visi
filter-admins = Administratoriai
filter-moderators = Moderatoriai
filter-online = Tinkle
filter-joined = Nauji per pastarąją valandą
members-found = { $n ->
    [one] Rastas { $count } narys
    [few] Rasti { $count } nariai
    [many] Rasta { $count } nario
   *[other] Rasta { $count } narių
}
members-bans-link = Blokavimai
members-mutes-link = Nutildymai
members-page = Grupės „{ $group }“ nariai

group-members = { $n ->
    [one] { $count } narys
    [few] { $count } nariai
    [many] { $count } nario
   *[other] { $count } narių
}

## A row

row-joined = Grupėje nuo { $date }
row-you = jūs
row-own-menu = Jūsų narystė
row-menu = Veiksmai: { $name }
row-select = Pasirinkti: { $name }
row-selected = pasirinkta

## Nobody to show

empty-title = Narių nėra
empty-hint = Čia matysite tuos, kurie prisijungs prie grupės.
empty-search = Pagal „{ $search }“ nieko nerasta
empty-search-hint = Įrašykite dalį vardo, bet kokiu raštu, su diakritiniais ženklais ar be jų.
empty-online = Tinkle nieko nėra
empty-online-hint = Čia matysite tuos, kurie pasirodys tinkle.
empty-filter = Čia nieko nėra
empty-filter-hint = Šiuo metu filtro neatitinka nė vienas narys.
empty-clear = Rodyti visus

## Live, and what stands in its way

live-on = Tiesiogiai
live-reconnecting = Jungiamasi iš naujo…
live-off = Tiesiogiai neatnaujinama. Įkelkite puslapį iš naujo, kad matytumėte pakeitimus.
presence-batched = Buvimas tinkle atnaujinamas kas penkias sekundes.
presence-counts = Tinkle tiek daug žmonių, kad tiesiogiai rodomas tik jų skaičius.
members-failed = Narių parodyti nepavyko.
request-failed = Nepavyko.
request-retry = Bandyti dar kartą
held-changes = { $n ->
    [one] { $count } pakeitimas
    [few] { $count } pakeitimai
    [many] { $count } pakeitimo
   *[other] { $count } pakeitimų
}

## A spoken line about what changed lately: "3 joined, 1 left, Ana is now admin"

digest-joined = { $n ->
    [one] prie grupės prisijungė { $count } narys
    [few] prie grupės prisijungė { $count } nariai
    [many] prie grupės prisijungė { $count } nario
   *[other] prie grupės prisijungė { $count } narių
}
digest-left = { $n ->
    [one] iš grupės išėjo { $count } narys
    [few] iš grupės išėjo { $count } nariai
    [many] iš grupės išėjo { $count } nario
   *[other] iš grupės išėjo { $count } narių
}
digest-removed = { $n ->
    [one] pašalintas { $count } narys
    [few] pašalinti { $count } nariai
    [many] pašalinta { $count } nario
   *[other] pašalinta { $count } narių
}
digest-changed = { $n ->
    [one] pakeistas { $count } vaidmuo
    [few] pakeisti { $count } vaidmenys
    [many] pakeista { $count } vaidmens
   *[other] pakeista { $count } vaidmenų
}
digest-admin = { $name } dabar administruoja grupę
digest-moderator = { $name } dabar moderuoja grupę
digest-participant = { $name } dabar turi dalyvio vaidmenį
digest-owner = { $name } perėmė grupę

## Selecting people

selection-count = { $n ->
    [one] Pasirinkta: { $count }
    [few] Pasirinkta: { $count }
    [many] Pasirinkta: { $count }
   *[other] Pasirinkta: { $count }
}
selection-clear = Atšaukti pasirinkimą
selection-all = Pasirinkti visus rastus
selection-done = Tęsti
selection-full = Daugiausia galima pasirinkti: { $count }.
selection-first = Pasirinkta: pirmieji { $count } iš { $all }.
selection-page = Pasirinkti nariai
selection-none = Nieko nepasirinkta.
selection-choose = Pasirinkite bent vieną žmogų.
selection-fewer = Vienu metu tai per daug žmonių. Pasirinkite mažiau.
selection-gone = { $n ->
    [one] { $count } iš jų nebėra narys.
    [few] { $count } iš jų nebėra nariai.
    [many] { $count } iš jų nebėra nariai.
   *[other] { $count } iš jų nebėra nariai.
}

## When the viewer is out

ended-kicked = Jus pašalino iš šios grupės
ended-kicked-hint = Galite grįžti: vėl prisijunkite arba paprašykite, kad jus pridėtų.
ended-banned = Jus užblokavo šioje grupėje
ended-deleted = Šios grupės nebėra
ended-deleted-hint = Jos nariai neberodomi.
ended-left = Jūs nebesate šioje grupėje
ended-left-hint = Galite grįžti: vėl prisijunkite arba paprašykite, kad jus pridėtų.

## Out of the group, and at its door

left-title = Išėjote iš grupės „{ $group }“
left-untold = Išėjote iš grupės
left-ask = Jei norite grįžti, paprašykite, kad jus pridėtų.
act-join-again = Vėl prisijungti prie grupės
banned-until = Iki { $time } grįžti negalite.
banned-for-good = Blokavimas neterminuotas: grįžti galėsite tik jį atšaukus.
muted-until = Nutildymas iki { $time }
muted-you = Iki { $time } šioje grupėje rašyti negalite.
scope-until = Iki { $time }
scope-you-admin = Iki { $time } administruojate grupę.
scope-you-moderator = Iki { $time } moderuojate grupę.
told = Komandos žinutė: { $message }
group-password-missing = Įveskite grupės slaptažodį.
selection-back = Keisti pasirinkimą

## Acts, in a menu

act-kick = Pašalinti
act-ban = Užblokuoti
act-unban = Atblokuoti
act-mute = Nutildyti
act-unmute = Atšaukti nutildymą
act-scope = Keisti vaidmenį
act-scope-own = Atsisakyti vaidmens
act-transfer = Perduoti grupę
act-leave = Išeiti iš grupės
act-cancel = Atšaukti
act-close = Uždaryti

## Acts, as forms: the question over the form

ask-kick = Pašalinti { $name }?
ask-ban = Užblokuoti { $name }?
ask-unban = Atblokuoti { $name }?
ask-mute = Nutildyti { $name }?
ask-unmute = Atšaukti nutildymą: { $name }?
ask-scope = Keisti vaidmenį: { $name }
ask-scope-own = Atsisakyti vaidmens
ask-transfer = Perduoti grupę: { $name }?
ask-leave = Išeiti iš grupės?

## Acts, as forms: what will happen

hint-kick = Šis asmuo iškart paliks grupę, bet galės grįžti.
hint-ban = Šis asmuo iškart paliks grupę ir negalės grįžti, kol galios blokavimas. Tai, ką parašysite komandai, matys moderatoriai, administratoriai ir savininkas.
hint-unban = Šis asmuo vėl galės prisijungti prie grupės, bet savaime jos nariu netaps.
hint-mute = Šis asmuo liks grupėje, bet negalės rašyti, kol galios nutildymas. Tai, ką parašysite komandai, matys moderatoriai, administratoriai ir savininkas.
hint-unmute = Šis asmuo iškart vėl galės rašyti.
hint-scope = Šio asmens teisės pasikeis iškart. Naują vaidmenį matys visi.
hint-scope-own = Atsisakote teisių. Jas grąžinti gali tik aukštesnį vaidmenį turintis narys.
hint-transfer = Šis asmuo galės visiškai valdyti grupę, o jums liks administratoriaus vaidmuo. Grąžinti grupę galės tik naujasis savininkas.
hint-leave = Jūs nebebūsite grupėje. Norint grįžti, reikės vėl prisijungti arba paprašyti, kad jus pridėtų.
hint-leave-alone = Be jūsų, grupėje nieko nėra. Grupė išliks ir priklausys serveriui.

## Acts, as forms: the button that does it

do-kick = Pašalinti { $name }
do-ban = Užblokuoti { $name }
do-unban = Atblokuoti { $name }
do-mute = Nutildyti { $name }
do-unmute = Atšaukti nutildymą: { $name }
do-scope = Išsaugoti
do-transfer = Perduoti grupę: { $name }
do-leave = Išeiti iš grupės

## The form of a ban

ban-reason = Komandai
ban-message = Žinutė asmeniui
ban-for = Trukmė
ban-hour = 1 valanda
ban-day = 1 diena
ban-week = 7 dienos
ban-forever = Iki atšaukimo
for-minutes = 5 minutės
for-other = Kitas pabaigos laikas
for-hours = Valandų skaičius
for-day = Arba iki pasirinktos dienos pabaigos (UTC)
scope-forever = Kol bus pakeista
scope-end-now = Nutraukti vaidmenį dabar
scope-legend = Vaidmuo
batch-will-kick = { $n ->
    [one] Pašalinsite iš grupės { $count } žmogų.
    [few] Pašalinsite iš grupės { $count } žmones.
    [many] Pašalinsite iš grupės { $count } žmogaus.
   *[other] Pašalinsite iš grupės { $count } žmonių.
}
batch-will-ban = { $n ->
    [one] Užblokuosite { $count } žmogų.
    [few] Užblokuosite { $count } žmones.
    [many] Užblokuosite { $count } žmogaus.
   *[other] Užblokuosite { $count } žmonių.
}
batch-will-mute = { $n ->
    [one] Nutildysite { $count } žmogų.
    [few] Nutildysite { $count } žmones.
    [many] Nutildysite { $count } žmogaus.
   *[other] Nutildysite { $count } žmonių.
}
batch-will-scope = { $n ->
    [one] { $count } žmogus gaus naują vaidmenį.
    [few] { $count } žmonės gaus naują vaidmenį.
    [many] { $count } žmogaus gaus naują vaidmenį.
   *[other] { $count } žmonių gaus naują vaidmenį.
}
batch-cannot = Negalima ({ $count }):
batch-unchanged = Nėra ko keisti
batch-refused-oneself = Jūs
batch-refused-equal = Toks pat vaidmuo kaip jūsų
batch-refused-above = Aukštesnis vaidmuo nei jūsų
batch-refused-grant = Naujas vaidmuo aukštesnis nei jūsų
batch-refused-scope-ends = Nuolatinis vaidmuo ne žemesnis už naują
batch-refused-not-a-member = Nėra grupėje
batch-refused-changed = Per tą laiką pasikeitė
batch-refused-too-late = Praėjo per daug laiko
batch-refused-overtaken = Vėliau vėl pasikeitė
batch-hint-kick = Šie žmonės iškart paliks grupę, bet galės grįžti.
batch-hint-ban = Šie žmonės iškart paliks grupę ir negalės grįžti, kol galios blokavimas. Tai, ką parašysite komandai, matys moderatoriai, administratoriai ir savininkas.
batch-hint-mute = Šie žmonės liks grupėje, bet negalės rašyti, kol galios nutildymas. Tai, ką parašysite komandai, matys moderatoriai, administratoriai ir savininkas.
batch-hint-scope = Šių žmonių teisės pasikeis iškart. Naują vaidmenį matys visi.

## What came of an act, on a page without JavaScript

done-kick = { $name } jau nebe grupėje.
done-ban = { $name } nebegali prisijungti prie grupės.
done-unban = { $name } vėl gali prisijungti prie grupės.
done-mute = { $name } kol kas negali rašyti.
done-unmute = { $name } vėl gali rašyti.
done-scope = { $name } dabar turi kitą vaidmenį.
done-transfer = { $name } dabar valdo grupę.
done-undo = Veiksmas atšauktas: { $name }.
done-note-added = Pridėta jūsų pastaba apie: { $name }.
done-note-removed = Pašalinta pastaba apie: { $name }.
batch-done-kick = { $n ->
    [one] { $count } žmogus jau nebe grupėje.
    [few] { $count } žmonės jau nebe grupėje.
    [many] { $count } žmogaus jau nebe grupėje.
   *[other] { $count } žmonių jau nebe grupėje.
}
batch-done-ban = { $n ->
    [one] { $count } žmogus nebegali prisijungti prie grupės.
    [few] { $count } žmonės nebegali prisijungti prie grupės.
    [many] { $count } žmogaus nebegali prisijungti prie grupės.
   *[other] { $count } žmonių nebegali prisijungti prie grupės.
}
batch-done-mute = { $n ->
    [one] { $count } žmogus kol kas negali rašyti.
    [few] { $count } žmonės kol kas negali rašyti.
    [many] { $count } žmogaus kol kas negali rašyti.
   *[other] { $count } žmonių kol kas negali rašyti.
}
batch-done-scope = { $n ->
    [one] { $count } žmogus dabar turi kitą vaidmenį.
    [few] { $count } žmonės dabar turi kitą vaidmenį.
    [many] { $count } žmogaus dabar turi kitą vaidmenį.
   *[other] { $count } žmonių dabar turi kitą vaidmenį.
}
batch-done-undo = { $n ->
    [one] Veiksmas atšauktas: { $count } žmogus.
    [few] Veiksmas atšauktas: { $count } žmonės.
    [many] Veiksmas atšauktas: { $count } žmogaus.
   *[other] Veiksmas atšauktas: { $count } žmonių.
}
undo-button = Atšaukti veiksmą
undo-left = { $count } s
done-join = Dabar esate grupėje.

## Why an act is refused

refused-participant = Dalyviai to niekam daryti negali.
refused-oneself = Tai jūs.
refused-equal-owner = Tai galima taikyti tik žemesnio vaidmens nariams, o jūsų abiejų vaidmuo tas pats: savininkas.
refused-equal-admin = Tai galima taikyti tik žemesnio vaidmens nariams, o jūsų abiejų vaidmuo tas pats: administratorius.
refused-equal-moderator = Tai galima taikyti tik žemesnio vaidmens nariams, o jūsų abiejų vaidmuo tas pats: moderatorius.
refused-equal-participant = Tai galima taikyti tik žemesnio vaidmens nariams, o jūsų abiejų vaidmuo tas pats: dalyvis.
refused-above-owner = Tai galima taikyti tik žemesnio vaidmens nariams, o šio asmens vaidmuo aukštesnis: savininkas.
refused-above-admin = Tai galima taikyti tik žemesnio vaidmens nariams, o šio asmens vaidmuo aukštesnis: administratorius.
refused-above-moderator = Tai galima taikyti tik žemesnio vaidmens nariams, o šio asmens vaidmuo aukštesnis: moderatorius.
refused-above-participant = Tai galima taikyti tik žemesnio vaidmens nariams, o šio asmens vaidmuo aukštesnis: dalyvis.
refused-owner-only = Perduoti grupę gali tik savininkas.
refused-grant-owner = Galite suteikti ne aukštesnį vaidmenį nei jūsų: savininkas.
refused-grant-admin = Galite suteikti ne aukštesnį vaidmenį nei jūsų: administratorius.
refused-grant-moderator = Galite suteikti ne aukštesnį vaidmenį nei jūsų: moderatorius.
refused-grant-participant = Galite suteikti ne aukštesnį vaidmenį nei jūsų: dalyvis.
refused-self-ban = Savęs užblokuoti negalite. Jei norite išeiti, išeikite iš grupės.
refused-self-mute = Negalite nutildyti savęs ar atšaukti savo nutildymo.
refused-scope-ends = Laikinas gali būti tik vaidmuo, aukštesnis už nuolatinį.
refused-not-a-member = Šio asmens grupėje nėra.
refused-owner-must-transfer = Savininkas negali išeiti, kol grupė niekam neperduota. Pirmiausia perduokite ją.
refused-not-undoable = Atšaukti galima tik tai, kad narys ką nors kitą pašalino, užblokavo ar nutildė, pakeitė jo vaidmenį, jį atblokavo ar atšaukė nutildymą.
refused-not-theirs-to-undo = Tai atšaukti gali tik tai padaręs asmuo arba asmuo, turintis aukštesnį vaidmenį.
refused-not-theirs-to-remove = Šią pastabą pašalinti gali tik ją parašęs asmuo arba asmuo, turintis aukštesnį vaidmenį.
refused-banned = Jus užblokavo šioje grupėje.
refused-password = Grupės slaptažodis kitoks.
refused-rights-changed = Jūsų arba šio asmens vaidmuo per tą laiką pasikeitė.
refused-changed-since-shown = Per tą laiką įvyko pakeitimų. Pirmiausia juos peržiūrėkite, tada bandykite dar kartą.

## A field of a form that cannot be taken as it is

field-scope = Pasirinkite vaidmenį.
field-end = { $n ->
    [one] Pasirinkite pabaigos laiką ne vėliau kaip po { $count } dienos.
    [few] Pasirinkite pabaigos laiką ne vėliau kaip po { $count } dienų.
    [many] Pasirinkite pabaigos laiką ne vėliau kaip po { $count } dienos.
   *[other] Pasirinkite pabaigos laiką ne vėliau kaip po { $count } dienų.
}
field-ends = Nurodykite valandų skaičių arba dieną, bet ne abu.
field-long = { $n ->
    [one] Tekstas per ilgas: daugiausia { $count } ženklas.
    [few] Tekstas per ilgas: daugiausia { $count } ženklai.
    [many] Tekstas per ilgas: daugiausia { $count } ženklo.
   *[other] Tekstas per ilgas: daugiausia { $count } ženklų.
}
field-odd = Tekste yra ženklas, kurio negalima parodyti. Ištrinkite jį arba parašykite tekstą iš naujo.

## Who changed it meanwhile, behind a refusal. $by is a name, $time a moment such as "2 May 2024, 14:03".

changed-scope-admin = { $by } pakeitė vaidmenį: { $name } – administratorius ({ $time }).
changed-scope-moderator = { $by } pakeitė vaidmenį: { $name } – moderatorius ({ $time }).
changed-scope-participant = { $by } pakeitė vaidmenį: { $name } – dalyvis ({ $time }).
changed-owner = { $by } perdavė grupę ({ $time }).
changed-kicked = { $by } pašalino { $name } ({ $time }).
changed-banned = { $by } užblokavo { $name } ({ $time }).
changed-muted = { $by } nutildė { $name } ({ $time }).
changed-unmuted = { $by } atšaukė nutildymą: { $name } ({ $time }).
changed-left = { $name } išėjo iš grupės ({ $time }).
the-host = Serveris
the-team = Komanda

## Errors: a title, and what to do

error-not-found = Nerasta
error-not-found-hint = Tokios grupės nėra arba jos matyti negalite.
error-not-a-member = Nėra grupėje
error-not-allowed = Neleidžiama
error-not-undone = Veiksmas neatšauktas
undo-too-late = Praėjo per daug laiko, atšaukti nebegalima.
undo-overtaken = Nuo to laiko įvyko kitų pakeitimų, todėl veiksmas neatšauktas.
error-not-any-more = Nebegalima
error-owner-must-stay = Savininkas turi likti
error-banned = Užblokuota
error-bad-request = Šios užklausos nepavyko perskaityti
error-invalid = Neleistina reikšmė
error-sign-in = Prisijunkite prie paskyros
error-sign-in-hint = Reikia „viewer“ prieigos rakto: „bearer“ antraštėje arba seanso slapuke.
error-sign-in-again = Vėl prisijunkite prie paskyros
error-token-expired = Prieigos raktas nebegalioja.
error-signed-out = Jūsų paskyra visur atjungta.
error-too-large = Per daug duomenų
error-too-large-hint = Šios užklausos turinys per didelis.
error-too-fast = Per greitai
error-too-fast-hint = { $n ->
    [one] Bandykite dar kartą po { $count } sekundės.
    [few] Bandykite dar kartą po { $count } sekundžių.
    [many] Bandykite dar kartą po { $count } sekundės.
   *[other] Bandykite dar kartą po { $count } sekundžių.
}
error-unavailable = Šiuo metu negalima
error-unavailable-hint = Niekas nepakeista. Netrukus bandykite dar kartą.
error-unsure = Neaišku, ar tai padaryta
error-unsure-hint = Atsakymas negautas laiku. Pirmiausia pažiūrėkite, ar tai padaryta, ir tik tada bandykite dar kartą.
error-internal = Mūsų pusėje įvyko klaida
error-internal-hint = Jei pranešite apie tai, nurodykite šį numerį: { $number }

## Whole pages

page-back = Atgal
page-members = Nariai
page-not-a-member = Jūs nesate šioje grupėje.
page-refused = Negalima
group-join-password = Prisijungti gali visi, kas žino slaptažodį.
group-join = Prisijungti gali visi.
group-password = Slaptažodis
act-join = Prisijungti prie grupės

## Who is banned

bans-title = Blokavimai grupėje „{ $group }“
bans-search = Ieškoti blokavimų
bans-none = Blokavimų nėra
bans-no-reason = Priežastis nenurodyta.
bans-until = Iki { $time }.
bans-forever = Iki atšaukimo.
bans-by = Užblokavo { $by }, { $time }.
mutes-by = Nutildė { $by }, { $time }.
mutes-title = Nutildymai grupėje „{ $group }“
mutes-search = Ieškoti nutildymų
mutes-none = Nutildymų nėra
notes-label = Pastabos
notes-title = Pastabos apie: { $name }
notes-hint = Tai gali skaityti tik komandos nariai, kurių vaidmuo aukštesnis nei šio asmens. Jam apie tai nepranešama.
notes-none = Pastabų dar nėra
notes-count = Pastabos: { $count }
notes-by = { $by }, { $time }
notes-text = Pastaba
notes-missing = Pirmiausia parašykite pastabą.
notes-full = Daugiau pastabų apie šį asmenį išsaugoti negalima. Pirmiausia pašalinkite vieną.
notes-add = Pridėti pastabą
notes-remove = Pašalinti

## The feed of changes

feed-title = Pakeitimai grupėje „{ $group }“
feed-joined = { $name } prisijungė prie grupės
feed-added = { $by } pridėjo { $name }
feed-left = { $name } išėjo iš grupės
feed-kicked = { $by } pašalino { $name }
feed-banned = { $by } užblokavo { $name }
feed-unbanned = { $by } atblokavo { $name }
feed-muted = { $by } nutildė { $name }
feed-unmuted = { $by } atšaukė nutildymą: { $name }
feed-scope-admin = { $by } pakeitė vaidmenį: { $name } – administratorius
feed-scope-moderator = { $by } pakeitė vaidmenį: { $name } – moderatorius
feed-scope-participant = { $by } pakeitė vaidmenį: { $name } – dalyvis
feed-owner = { $name } dabar valdo grupę
feed-updated = { $name } pasikeitė vardą arba nuotrauką
feed-note-added = { $by } pridėjo pastabą apie: { $name }
feed-note-removed = { $by } pašalino pastabą apie: { $name }
feed-synced = Nariai suderinti su serveriu
feed-group-created = Grupė sukurta
feed-group-updated = Pasikeitė grupės pavadinimas, nuotrauka arba aprašas
feed-group-deleted = Grupė ištrinta

# Hungarian. Everything the component says.

## Roles (scopes, to programs): what somebody is in a group

scope-owner = Tulajdonos
scope-admin = Admin
scope-moderator = Moderátor
scope-participant = Résztvevő

## Headings over the people of one role

section-owner = Tulajdonos
section-admin = Adminok
section-moderator = Moderátorok
section-participant = Résztvevők

## Whether somebody is there

status-online = Online
status-away = Távol
status-offline = Offline

## The list

members-title = Tagok
members-search = Tagok keresése
members-search-go = Keresés
members-more = Továbbiak
members-previous = Feljebb a listában
members-next = További tagok
members-online = { $n ->
    [one] { $count } online
   *[other] { $count } online
}
members-filter = Szűrő
filter-all = Mindenki
filter-admins = Adminok
filter-moderators = Moderátorok
filter-online = Online
filter-joined = Az elmúlt órában csatlakoztak
members-found = { $n ->
    [one] { $count } találat
   *[other] { $count } találat
}
members-bans-link = Kitiltottak
members-mutes-link = Elnémítottak
members-page = { $group } tagjai

group-members = { $n ->
    [one] { $count } tag
   *[other] { $count } tag
}

## A row

row-joined = Csatlakozott: { $date }
row-you = te
row-own-menu = A tagságod
row-menu = Műveletek: { $name }
row-select = { $name } kijelölése
row-selected = kijelölve

## Nobody to show

empty-title = Nincsenek tagok
empty-hint = Itt jelenik meg, aki csatlakozik.
empty-search = Nincs találat erre: „{ $search }”
empty-search-hint = Elég a név egy része is, bármilyen írással, ékezettel vagy anélkül.
empty-online = Senki sincs online
empty-online-hint = Itt jelenik meg, aki online lesz.
empty-filter = Nincs itt senki
empty-filter-hint = Ennek a szűrőnek most egy tag sem felel meg.
empty-clear = Mindenki mutatása

## Live, and what stands in its way

live-on = Élő
live-reconnecting = Újracsatlakozás…
live-off = Nem élő. A változásokhoz töltsd újra az oldalt.
presence-batched = Az online állapotok öt másodpercenként frissülnek.
presence-counts = Olyan sokan vannak online, hogy csak a számuk frissül élőben.
members-failed = A tagokat nem lehet megjeleníteni.
request-failed = Ez nem sikerült.
request-retry = Újrapróbálás
held-changes = { $n ->
    [one] { $count } változás
   *[other] { $count } változás
}

## A spoken line about what changed lately: "3 joined, 1 left, Ana is now admin"

digest-joined = { $n ->
    [one] { $count } csatlakozott
   *[other] { $count } csatlakozott
}
digest-left = { $n ->
    [one] { $count } kilépett
   *[other] { $count } kilépett
}
digest-removed = { $n ->
    [one] { $count } eltávolítva
   *[other] { $count } eltávolítva
}
digest-changed = { $n ->
    [one] { $count } szerepkör módosult
   *[other] { $count } szerepkör módosult
}
digest-admin = { $name } mostantól admin
digest-moderator = { $name } mostantól moderátor
digest-participant = { $name } mostantól résztvevő
digest-owner = { $name } mostantól a tulajdonos

## Selecting people

selection-count = { $n ->
    [one] { $count } kijelölve
   *[other] { $count } kijelölve
}
selection-clear = Kijelölés törlése
selection-all = Minden találat kijelölése
selection-done = Tovább
selection-full = Legfeljebb { $count } embert jelölhetsz ki.
selection-first = Az első { $count } van kijelölve, az összes találat: { $all }.
selection-page = Kijelöltek
selection-none = Senki sincs kijelölve.
selection-choose = Jelölj ki legalább egy embert.
selection-fewer = Ez egyszerre túl sok ember. Jelölj ki kevesebbet.
selection-gone = { $n ->
    [one] { $count } közülük már nem tag.
   *[other] { $count } közülük már nem tag.
}

## When the viewer is out

ended-kicked = Eltávolítottak ebből a csoportból
ended-kicked-hint = Visszajöhetsz: csatlakozz újra, vagy kérd, hogy vegyenek fel.
ended-banned = Kitiltottak ebből a csoportból
ended-deleted = Ez a csoport már nem létezik
ended-deleted-hint = A tagjai már nem láthatók.
ended-left = Már nem vagy ebben a csoportban
ended-left-hint = Visszajöhetsz: csatlakozz újra, vagy kérd, hogy vegyenek fel.

## Out of the group, and at its door

left-title = Kiléptél innen: { $group }
left-untold = Kiléptél a csoportból
left-ask = Ha vissza akarsz jönni, kérd, hogy vegyenek fel.
act-join-again = Újbóli csatlakozás
banned-until = Amíg a kitiltás tart, nem jöhetsz vissza. Lejár: { $time }.
banned-for-good = A kitiltás határozatlan idejű: csak akkor jöhetsz vissza, ha feloldják.
muted-until = Némítás, lejár: { $time }
muted-you = Most nem írhatsz ebben a csoportban. A némítás lejár: { $time }.
scope-until = Lejár: { $time }
scope-you-admin = Most admin vagy. Lejár: { $time }.
scope-you-moderator = Most moderátor vagy. Lejár: { $time }.
told = A csapat üzenete: { $message }
group-password-missing = Add meg a csoport jelszavát.
selection-back = Kijelölés módosítása

## Acts, in a menu

act-kick = Eltávolítás
act-ban = Kitiltás
act-unban = Kitiltás feloldása
act-mute = Némítás
act-unmute = Némítás feloldása
act-scope = Szerepkör módosítása
act-scope-own = Lemondás a szerepkörről
act-transfer = Csoport átadása
act-leave = Kilépés a csoportból
act-cancel = Mégse
act-close = Bezárás

## Acts, as forms: the question over the form

ask-kick = Eltávolítod a csoportból: { $name }?
ask-ban = Kitiltod a csoportból: { $name }?
ask-unban = Feloldod { $name } kitiltását?
ask-mute = Elnémítod: { $name }?
ask-unmute = Feloldod { $name } némítását?
ask-scope = { $name } szerepkörének módosítása
ask-scope-own = Lemondás a szerepkörről
ask-transfer = Átadod a csoportot neki: { $name }?
ask-leave = Kilépsz a csoportból?

## Acts, as forms: what will happen

hint-kick = Azonnal kikerül a csoportból, de visszajöhet.
hint-ban = Azonnal kikerül a csoportból, és nem jöhet vissza, amíg a kitiltás tart. Amit a csapatnak írsz, azt a moderátorok, az adminok és a tulajdonos látják.
hint-unban = Újra bejöhet, de ettől még nem lesz automatikusan újra tag.
hint-mute = A csoportban marad, de nem írhat, amíg a némítás tart. Amit a csapatnak írsz, azt a moderátorok, az adminok és a tulajdonos látják.
hint-unmute = Azonnal újra írhat.
hint-scope = Azonnal megváltozik, hogy mit tehet, és az új szerepkört mindenki látja.
hint-scope-own = Jogokról mondasz le. Csak olyasvalaki adhatja vissza őket, aki feletted áll.
hint-transfer = Teljesen átveszi a csoport irányítását, te pedig admin leszel. Csak ő adhatja vissza.
hint-leave = Nem leszel többé tag. Ha vissza akarsz jönni, csatlakozz újra, vagy kérd, hogy vegyenek fel.
hint-leave-alone = Rajtad kívül nincs más tag. A csoport megmarad, és a szerveré lesz.

## Acts, as forms: the button that does it

do-kick = { $name } eltávolítása
do-ban = { $name } kitiltása
do-unban = { $name } kitiltásának feloldása
do-mute = { $name } némítása
do-unmute = { $name } némításának feloldása
do-scope = Mentés
do-transfer = Csoport átadása: { $name }
do-leave = Kilépés a csoportból

## The form of a ban

ban-reason = A csapatnak
ban-message = Üzenet az érintettnek
ban-for = Időtartam
ban-hour = 1 óra
ban-day = 1 nap
ban-week = 7 nap
ban-forever = Visszavonásig
for-minutes = 5 perc
for-other = Más lejárat
for-hours = Órák száma
for-day = Vagy a megadott nap végéig (UTC)
scope-forever = Visszavonásig
scope-end-now = Azonnali lejárat
scope-legend = Szerepkör
batch-will-kick = { $n ->
    [one] { $count } ember kikerül a csoportból.
   *[other] { $count } ember kikerül a csoportból.
}
batch-will-ban = { $n ->
    [one] { $count } embert kitiltasz.
   *[other] { $count } embert kitiltasz.
}
batch-will-mute = { $n ->
    [one] { $count } embert elnémítasz.
   *[other] { $count } embert elnémítasz.
}
batch-will-scope = { $n ->
    [one] { $count } ember új szerepkört kap.
   *[other] { $count } ember új szerepkört kap.
}
batch-cannot = Nem lehetséges ({ $count }):
batch-unchanged = Nincs mit változtatni
batch-refused-oneself = Te magad
batch-refused-equal = A tiéddel azonos szerepkör
batch-refused-above = A tiédnél magasabb szerepkör
batch-refused-grant = A tiédnél magasabb új szerepkör
batch-refused-scope-ends = Az állandó szerepkör nem alacsonyabb az újnál
batch-refused-not-a-member = Nem tag
batch-refused-changed = Időközbeni változás
batch-refused-too-late = Túl régen történt
batch-refused-overtaken = Azóta újabb változás
batch-hint-kick = Az érintettek azonnal kikerülnek a csoportból, de visszajöhetnek.
batch-hint-ban = Az érintettek azonnal kikerülnek a csoportból, és nem jöhetnek vissza, amíg a kitiltás tart. Amit a csapatnak írsz, azt a moderátorok, az adminok és a tulajdonos látják.
batch-hint-mute = Az érintettek a csoportban maradnak, de nem írhatnak, amíg a némítás tart. Amit a csapatnak írsz, azt a moderátorok, az adminok és a tulajdonos látják.
batch-hint-scope = Azonnal megváltozik, hogy mit tehetnek az érintettek, és az új szerepkört mindenki látja.

## What came of an act, on a page without JavaScript

done-kick = { $name } kikerült a csoportból.
done-ban = { $name } kitiltva.
done-unban = { $name } újra bejöhet.
done-mute = { $name } elnémítva.
done-unmute = { $name } újra írhat.
done-scope = { $name } új szerepkört kapott.
done-transfer = Mostantól { $name } a csoport tulajdonosa.
done-undo = A művelet visszavonva. Kit érintett: { $name }.
done-note-added = A feljegyzésed hozzáadva. Kiről: { $name }.
done-note-removed = A feljegyzés eltávolítva. Kiről: { $name }.
batch-done-kick = { $n ->
    [one] { $count } ember kikerült a csoportból.
   *[other] { $count } ember kikerült a csoportból.
}
batch-done-ban = { $n ->
    [one] { $count } ember kitiltva.
   *[other] { $count } ember kitiltva.
}
batch-done-mute = { $n ->
    [one] { $count } ember elnémítva.
   *[other] { $count } ember elnémítva.
}
batch-done-scope = { $n ->
    [one] { $count } ember új szerepkört kapott.
   *[other] { $count } ember új szerepkört kapott.
}
batch-done-undo = { $n ->
    [one] A művelet visszavonva. Ennyi embert érintett: { $count }.
   *[other] A művelet visszavonva. Ennyi embert érintett: { $count }.
}
undo-button = Visszavonás
undo-left = { $count } mp
done-join = Mostantól tag vagy.

## Why an act is refused

refused-participant = Résztvevőként ezt senkivel sem teheted meg.
refused-oneself = Ez te vagy.
refused-equal-owner = Ezt csak az alattad állókkal teheted meg, ti pedig mindketten tulajdonosok vagytok.
refused-equal-admin = Ezt csak az alattad állókkal teheted meg, ti pedig mindketten adminok vagytok.
refused-equal-moderator = Ezt csak az alattad állókkal teheted meg, ti pedig mindketten moderátorok vagytok.
refused-equal-participant = Ezt csak az alattad állókkal teheted meg, ti pedig mindketten résztvevők vagytok.
refused-above-owner = Ezt csak az alattad állókkal teheted meg, az ő szerepköre pedig magasabb a tiédnél: tulajdonos.
refused-above-admin = Ezt csak az alattad állókkal teheted meg, az ő szerepköre pedig magasabb a tiédnél: admin.
refused-above-moderator = Ezt csak az alattad állókkal teheted meg, az ő szerepköre pedig magasabb a tiédnél: moderátor.
refused-above-participant = Ezt csak az alattad állókkal teheted meg, az ő szerepköre pedig magasabb a tiédnél: résztvevő.
refused-owner-only = Csak a tulajdonos adhatja át a csoportot.
refused-grant-owner = Legfeljebb a saját szerepkörödet adhatod meg másnak: tulajdonos.
refused-grant-admin = Legfeljebb a saját szerepkörödet adhatod meg másnak: admin.
refused-grant-moderator = Legfeljebb a saját szerepkörödet adhatod meg másnak: moderátor.
refused-grant-participant = Legfeljebb a saját szerepkörödet adhatod meg másnak: résztvevő.
refused-self-ban = Magadat nem tilthatod ki. Ha menni akarsz, lépj ki a csoportból.
refused-self-mute = Magadat nem némíthatod el, és a saját némításodat sem oldhatod fel.
refused-scope-ends = Egy szerepkör csak akkor járhat le, ha magasabb annál, amely egyébként érvényes.
refused-not-a-member = Ő nem tagja ennek a csoportnak.
refused-owner-must-transfer = A tulajdonos nem léphet ki, amíg át nem adja a csoportot valakinek. Előbb tedd meg ezt.
refused-not-undoable = Csak az vonható vissza, ha egy tag valaki mást eltávolított, kitiltott vagy elnémított, módosította a szerepkörét, vagy feloldotta a kitiltását vagy a némítását.
refused-not-theirs-to-undo = Ezt csak az vonhatja vissza, aki végrehajtotta, vagy aki fölötte áll.
refused-not-theirs-to-remove = Ezt a feljegyzést csak az távolíthatja el, aki írta, vagy aki fölötte áll.
refused-banned = Kitiltottak ebből a csoportból.
refused-password = Nem ez a csoport jelszava.
refused-rights-changed = A te szerepköröd vagy az övé időközben megváltozott.
refused-changed-since-shown = Időközben valami megváltozott. Ellenőrizd, mielőtt újrapróbálod.

## A field of a form that cannot be taken as it is

field-scope = Válassz szerepkört.
field-end = { $n ->
    [one] Olyan lejáratot válassz, amely legfeljebb { $count } napra van.
   *[other] Olyan lejáratot válassz, amely legfeljebb { $count } napra van.
}
field-ends = Órák számát vagy napot adj meg, ne mindkettőt.
field-long = { $n ->
    [one] Ez a szöveg túl hosszú: legfeljebb { $count } karakter lehet.
   *[other] Ez a szöveg túl hosszú: legfeljebb { $count } karakter lehet.
}
field-odd = A szövegben olyan karakter van, amely nem jeleníthető meg. Töröld, vagy írd be újra a szöveget.

## Who changed it meanwhile, behind a refusal. $by is a name, $time a moment such as "2 May 2024, 14:03".

changed-scope-admin = { $by } adminná tette őt: { $name } ({ $time }).
changed-scope-moderator = { $by } moderátorrá tette őt: { $name } ({ $time }).
changed-scope-participant = { $by } résztvevővé tette őt: { $name } ({ $time }).
changed-owner = { $by } átadta a csoportot ({ $time }).
changed-kicked = { $by } eltávolította őt: { $name } ({ $time }).
changed-banned = { $by } kitiltotta őt: { $name } ({ $time }).
changed-muted = { $by } elnémította őt: { $name } ({ $time }).
changed-unmuted = { $by } feloldotta { $name } némítását ({ $time }).
changed-left = { $name } kilépett ({ $time }).
the-host = A szerver
the-team = A csapat

## Errors: a title, and what to do

error-not-found = Nem található
error-not-found-hint = Nincs ilyen csoport, vagy nem láthatod.
error-not-a-member = Nem tag
error-not-allowed = Nem engedélyezett
error-not-undone = Nincs visszavonva
undo-too-late = Túl régen történt a visszavonáshoz.
undo-overtaken = Azóta más is történt, ezért a művelet nem lett visszavonva.
error-not-any-more = Már nem lehetséges
error-owner-must-stay = A tulajdonosnak maradnia kell
error-banned = Kitiltva
error-bad-request = Ez a kérés nem értelmezhető
error-invalid = Egy érték nem megengedett
error-sign-in = Jelentkezz be
error-sign-in-hint = Ehhez viewer token kell, bearerként vagy a munkamenet sütijében.
error-sign-in-again = Jelentkezz be újra
error-token-expired = A token lejárt.
error-signed-out = Mindenhonnan kijelentkeztettek.
error-too-large = Túl nagy
error-too-large-hint = A kérés tartalma túl nagy.
error-too-fast = Túl gyors
error-too-fast-hint = { $n ->
    [one] Próbáld újra { $count } másodperc múlva.
   *[other] Próbáld újra { $count } másodperc múlva.
}
error-unavailable = Most nem lehetséges
error-unavailable-hint = Semmi sem változott. Próbáld újra egy kicsit később.
error-unsure = Nem tudni, hogy megtörtént-e
error-unsure-hint = Nem érkezett időben válasz. Nézd meg, megtörtént-e, mielőtt újrapróbálod.
error-internal = Nálunk történt valami hiba
error-internal-hint = Ha jelzed nekünk, add meg ezt a számot: { $number }

## Whole pages

page-back = Vissza
page-members = Tagok
page-not-a-member = Nem vagy tagja ennek a csoportnak.
page-refused = Nem lehetséges
group-join-password = Bárki csatlakozhat, aki tudja a jelszót.
group-join = Bárki csatlakozhat.
group-password = Jelszó
act-join = Csatlakozás

## Who is banned

bans-title = Kitiltottak – { $group }
bans-search = Keresés a kitiltottak között
bans-none = Senki sincs kitiltva
bans-no-reason = Nincs megadva ok.
bans-until = Lejár: { $time }.
bans-forever = Visszavonásig.
bans-by = Kitiltotta: { $by }, { $time }.
mutes-by = Elnémította: { $by }, { $time }.
mutes-title = Elnémítottak – { $group }
mutes-search = Keresés az elnémítottak között
mutes-none = Senki sincs elnémítva
notes-label = Feljegyzések
notes-title = Feljegyzések róla: { $name }
notes-hint = Csak a csapat azon tagjai olvashatják, akik fölötte állnak. Ő nem értesül róla.
notes-none = Még nincs feljegyzés
notes-count = Feljegyzések: { $count }
notes-by = { $by }, { $time }
notes-text = Feljegyzés
notes-missing = Előbb írd meg a feljegyzést.
notes-full = Erről az emberről nem tárolható több feljegyzés. Előbb távolíts el egyet.
notes-add = Feljegyzés hozzáadása
notes-remove = Eltávolítás

## The feed of changes

feed-title = Változások – { $group }
feed-joined = { $name } csatlakozott
feed-added = { $by } felvette őt: { $name }
feed-left = { $name } kilépett
feed-kicked = { $by } eltávolította őt: { $name }
feed-banned = { $by } kitiltotta őt: { $name }
feed-unbanned = { $by } feloldotta { $name } kitiltását
feed-muted = { $by } elnémította őt: { $name }
feed-unmuted = { $by } feloldotta { $name } némítását
feed-scope-admin = { $by } adminná tette őt: { $name }
feed-scope-moderator = { $by } moderátorrá tette őt: { $name }
feed-scope-participant = { $by } résztvevővé tette őt: { $name }
feed-owner = Mostantól { $name } a csoport tulajdonosa
feed-updated = { $name } nevet vagy képet váltott
feed-note-added = { $by } feljegyzést írt róla: { $name }
feed-note-removed = { $by } eltávolított egy feljegyzést róla: { $name }
feed-synced = A taglista szinkronizálva a szerverrel
feed-group-created = A csoport létrejött
feed-group-updated = Megváltozott a csoport neve, képe vagy leírása
feed-group-deleted = A csoport törölve

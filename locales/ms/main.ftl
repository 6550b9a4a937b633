# Malay. Everything the component says; the hints for translators are in en-US.

## Roles (scopes, to programs): what somebody is in a group

scope-owner = Pemilik
scope-admin = Pentadbir
scope-moderator = Moderator
scope-participant = Peserta

## Headings over the people of one role

section-owner = Pemilik
section-admin = Pentadbir
section-moderator = Moderator
section-participant = Peserta

## Whether somebody is there

status-online = Dalam talian
status-away = Tiada di tempat
status-offline = Luar talian

## The list

members-title = Ahli
members-search = Cari ahli
members-search-go = Cari
members-more = Lihat lagi
members-previous = Ahli sebelumnya
members-next = Ahli seterusnya
members-online = { $count } dalam talian
members-filter = Tapis
filter-all = Semua
filter-admins = Pentadbir
filter-moderators = Moderator
filter-online = Dalam talian
filter-joined = Menyertai dalam tempoh sejam lalu
members-found = { $count } ditemui
members-bans-link = Senarai larangan
members-mutes-link = Ahli disenyapkan
members-page = Ahli { $group }

group-members = { $count } ahli

## A row

row-joined = Ahli sejak { $date }
row-you = anda
row-own-menu = Keahlian anda
row-menu = Tindakan untuk { $name }
row-select = Pilih { $name }
row-selected = dipilih

## Nobody to show

empty-title = Tiada ahli
empty-hint = Mereka yang menyertai kumpulan akan muncul di sini.
empty-search = Tiada yang sepadan dengan “{ $search }”
empty-search-hint = Cuba sebahagian nama, dalam apa-apa tulisan, dengan atau tanpa tanda aksen.
empty-online = Tiada sesiapa dalam talian
empty-online-hint = Mereka yang masuk dalam talian akan muncul di sini.
empty-filter = Tiada sesiapa di sini
empty-filter-hint = Tiada ahli yang sepadan dengan tapisan ini buat masa ini.
empty-clear = Tunjukkan semua

## Live, and what stands in its way

live-on = Langsung
live-reconnecting = Menyambung semula…
live-off = Kemas kini langsung terhenti. Muat semula halaman untuk melihat perubahan.
presence-batched = Status dalam talian dikemas kini setiap lima saat.
presence-counts = Terlalu ramai dalam talian, jadi hanya jumlahnya dikemas kini secara langsung.
members-failed = Ahli tidak dapat ditunjukkan.
request-failed = Tidak berjaya.
request-retry = Cuba lagi
held-changes = { $count } perubahan

## A spoken line about what changed lately: "3 joined, 1 left, Ana is now admin"

digest-joined = { $count } orang menyertai
digest-left = { $count } orang keluar
digest-removed = { $count } orang dikeluarkan
digest-changed = { $count } peranan berubah
digest-admin = { $name } kini pentadbir
digest-moderator = { $name } kini moderator
digest-participant = { $name } kini peserta
digest-owner = { $name } kini pemilik

## Selecting people

selection-count = { $count } dipilih
selection-clear = Kosongkan pilihan
selection-all = Pilih semua yang sepadan
selection-done = Teruskan
selection-full = Paling banyak { $count } orang boleh dipilih.
selection-first = { $count } orang pertama daripada { $all } telah dipilih.
selection-page = Orang yang dipilih
selection-none = Tiada sesiapa dipilih.
selection-choose = Pilih sekurang-kurangnya seorang.
selection-fewer = Terlalu ramai orang sekali gus. Pilih lebih sedikit.
selection-gone = { $count } daripada mereka bukan ahli lagi.

## When the viewer is out

ended-kicked = Anda telah dikeluarkan daripada kumpulan ini
ended-kicked-hint = Anda boleh kembali: sertai semula atau minta ditambah.
ended-banned = Anda dilarang menyertai kumpulan ini
ended-deleted = Kumpulan ini tidak wujud lagi
ended-deleted-hint = Ahlinya tidak lagi ditunjukkan.
ended-left = Anda tidak lagi dalam kumpulan ini
ended-left-hint = Anda boleh kembali: sertai semula atau minta ditambah.

## Out of the group, and at its door

left-title = Anda telah keluar daripada { $group }
left-untold = Anda telah keluar daripada kumpulan
left-ask = Untuk kembali, minta ditambah.
act-join-again = Sertai semula
banned-until = Anda tidak boleh kembali sehingga { $time }.
banned-for-good = Larangan ini tiada tarikh tamat: anda tidak boleh kembali melainkan larangan ditarik balik.
muted-until = Disenyapkan sehingga { $time }
muted-you = Anda tidak boleh menulis dalam kumpulan ini sehingga { $time }.
scope-until = Sehingga { $time }
scope-you-admin = Anda pentadbir sehingga { $time }.
scope-you-moderator = Anda moderator sehingga { $time }.
told = Mesej daripada pasukan: { $message }
group-password-missing = Masukkan kata laluan kumpulan.
selection-back = Ubah pilihan

## Acts, in a menu

act-kick = Keluarkan
act-ban = Larang
act-unban = Tarik balik larangan
act-mute = Senyapkan
act-unmute = Nyahsenyapkan
act-scope = Tukar peranan
act-scope-own = Turunkan peranan saya
act-transfer = Pindahkan pemilikan
act-leave = Keluar daripada kumpulan
act-cancel = Batal
act-close = Tutup

## Acts, as forms: the question over the form

ask-kick = Keluarkan { $name }?
ask-ban = Larang { $name }?
ask-unban = Tarik balik larangan terhadap { $name }?
ask-mute = Senyapkan { $name }?
ask-unmute = Nyahsenyapkan { $name }?
ask-scope = Tukar peranan { $name }
ask-scope-own = Turunkan peranan saya
ask-transfer = Jadikan { $name } pemilik?
ask-leave = Keluar daripada kumpulan?

## Acts, as forms: what will happen

hint-kick = Orang ini dikeluarkan serta-merta, tetapi boleh kembali kemudian.
hint-ban = Orang ini dikeluarkan serta-merta dan tidak boleh kembali sehingga larangan tamat. Moderator, pentadbir dan pemilik dapat melihat apa yang ditulis untuk pasukan.
hint-unban = Orang ini boleh masuk semula, tetapi tidak menjadi ahli semula secara automatik.
hint-mute = Orang ini kekal dalam kumpulan tetapi tidak boleh menulis sehingga tempoh senyap tamat. Moderator, pentadbir dan pemilik dapat melihat apa yang ditulis untuk pasukan.
hint-unmute = Orang ini boleh menulis semula serta-merta.
hint-scope = Hak orang ini berubah serta-merta. Semua orang dapat melihat peranan baharunya.
hint-scope-own = Anda melepaskan sebahagian hak anda. Hanya orang yang lebih tinggi peranannya boleh memberikannya semula.
hint-transfer = Pemilik baharu mendapat kawalan penuh dan anda menjadi pentadbir. Hanya pemilik baharu boleh memulangkan kumpulan ini.
hint-leave = Anda tidak lagi menjadi ahli. Untuk kembali, sertai semula atau minta ditambah.
hint-leave-alone = Tiada ahli lain. Kumpulan ini kekal dan menjadi milik sistem.

## Acts, as forms: the button that does it

do-kick = Keluarkan { $name }
do-ban = Larang { $name }
do-unban = Tarik balik larangan terhadap { $name }
do-mute = Senyapkan { $name }
do-unmute = Nyahsenyapkan { $name }
do-scope = Simpan
do-transfer = Jadikan { $name } pemilik
do-leave = Keluar daripada kumpulan

## The form of a ban

ban-reason = Untuk pasukan
ban-message = Mesej kepada orang ini
ban-for = Tempoh
ban-hour = 1 jam
ban-day = 1 hari
ban-week = 7 hari
ban-forever = Sehingga ditarik balik
for-minutes = 5 minit
for-other = Masa tamat lain
for-hours = Bilangan jam
for-day = Atau sehingga akhir hari yang dipilih (UTC)
scope-forever = Sehingga diubah
scope-end-now = Tamatkan peranan sekarang
scope-legend = Peranan
batch-will-kick = { $count } orang akan dikeluarkan daripada kumpulan.
batch-will-ban = { $count } orang akan dilarang.
batch-will-mute = { $count } orang akan disenyapkan.
batch-will-scope = Peranan { $count } orang akan ditukar.
batch-cannot = Tidak dapat dilakukan untuk { $count } orang:
batch-unchanged = Tiada apa-apa untuk diubah
batch-refused-oneself = Anda sendiri
batch-refused-equal = Peranan sama dengan peranan anda
batch-refused-above = Peranan lebih tinggi daripada peranan anda
batch-refused-grant = Peranan baharu lebih tinggi daripada peranan anda
batch-refused-scope-ends = Peranan asal tidak lebih rendah daripada peranan baharu
batch-refused-not-a-member = Bukan ahli kumpulan
batch-refused-changed = Berubah sejak dipaparkan
batch-refused-too-late = Sudah terlalu lama
batch-refused-overtaken = Berubah lagi sejak itu
batch-hint-kick = Mereka dikeluarkan serta-merta, tetapi boleh kembali kemudian.
batch-hint-ban = Mereka dikeluarkan serta-merta dan tidak boleh kembali sehingga larangan tamat. Moderator, pentadbir dan pemilik dapat melihat apa yang ditulis untuk pasukan.
batch-hint-mute = Mereka kekal dalam kumpulan tetapi tidak boleh menulis sehingga tempoh senyap tamat. Moderator, pentadbir dan pemilik dapat melihat apa yang ditulis untuk pasukan.
batch-hint-scope = Hak mereka berubah serta-merta. Semua orang dapat melihat peranan baharu mereka.

## What came of an act, on a page without JavaScript

done-kick = { $name } telah dikeluarkan daripada kumpulan.
done-ban = { $name } telah dilarang.
done-unban = { $name } boleh masuk semula.
done-mute = { $name } telah disenyapkan.
done-unmute = { $name } boleh menulis semula.
done-scope = Peranan { $name } telah ditukar.
done-transfer = { $name } kini pemilik kumpulan.
done-undo = Tindakan terhadap { $name } telah dibatalkan.
done-note-added = Nota anda tentang { $name } telah ditambah.
done-note-removed = Nota tentang { $name } telah dibuang.
batch-done-kick = { $count } orang telah dikeluarkan daripada kumpulan.
batch-done-ban = { $count } orang telah dilarang.
batch-done-mute = { $count } orang telah disenyapkan.
batch-done-scope = Peranan { $count } orang telah ditukar.
batch-done-undo = Tindakan terhadap { $count } orang telah dibatalkan.
undo-button = Buat asal
undo-left = { $count } s
done-join = Anda kini ahli.

## Why an act is refused

refused-participant = Peserta tidak boleh melakukan ini terhadap sesiapa.
refused-oneself = Ini anda.
refused-equal-owner = Anda hanya boleh melakukan ini terhadap orang yang lebih rendah peranannya, sedangkan anda berdua ialah pemilik.
refused-equal-admin = Anda hanya boleh melakukan ini terhadap orang yang lebih rendah peranannya, sedangkan anda berdua ialah pentadbir.
refused-equal-moderator = Anda hanya boleh melakukan ini terhadap orang yang lebih rendah peranannya, sedangkan anda berdua ialah moderator.
refused-equal-participant = Anda hanya boleh melakukan ini terhadap orang yang lebih rendah peranannya, sedangkan anda berdua ialah peserta.
refused-above-owner = Anda hanya boleh melakukan ini terhadap orang yang lebih rendah peranannya, sedangkan peranan orang ini lebih tinggi: pemilik.
refused-above-admin = Anda hanya boleh melakukan ini terhadap orang yang lebih rendah peranannya, sedangkan peranan orang ini lebih tinggi: pentadbir.
refused-above-moderator = Anda hanya boleh melakukan ini terhadap orang yang lebih rendah peranannya, sedangkan peranan orang ini lebih tinggi: moderator.
refused-above-participant = Anda hanya boleh melakukan ini terhadap orang yang lebih rendah peranannya, sedangkan peranan orang ini lebih tinggi: peserta.
refused-owner-only = Hanya pemilik boleh memindahkan pemilikan.
refused-grant-owner = Anda tidak boleh memberi peranan yang lebih tinggi daripada peranan anda: pemilik.
refused-grant-admin = Anda tidak boleh memberi peranan yang lebih tinggi daripada peranan anda: pentadbir.
refused-grant-moderator = Anda tidak boleh memberi peranan yang lebih tinggi daripada peranan anda: moderator.
refused-grant-participant = Anda tidak boleh memberi peranan yang lebih tinggi daripada peranan anda: peserta.
refused-self-ban = Anda tidak boleh melarang diri sendiri. Untuk pergi, keluar daripada kumpulan.
refused-self-mute = Anda tidak boleh menyenyapkan atau menyahsenyapkan diri sendiri.
refused-scope-ends = Hanya peranan yang lebih tinggi daripada peranan asal boleh diberi tempoh.
refused-not-a-member = Orang ini bukan ahli kumpulan ini.
refused-owner-must-transfer = Pemilik tidak boleh keluar selagi pemilikan belum dipindahkan kepada orang lain: pindahkan dahulu.
refused-not-undoable = Hanya ini boleh dibatalkan: ahli mengeluarkan, melarang atau menyenyapkan orang lain, menukar peranannya, menarik balik larangannya atau menyahsenyapkannya.
refused-not-theirs-to-undo = Hanya orang yang melakukannya, atau orang yang lebih tinggi peranannya, boleh membatalkannya.
refused-not-theirs-to-remove = Hanya orang yang menulis nota ini, atau orang yang lebih tinggi peranannya, boleh membuangnya.
refused-banned = Anda dilarang menyertai kumpulan ini.
refused-password = Itu bukan kata laluan kumpulan ini.
refused-rights-changed = Peranan anda atau orang ini telah berubah sejak ini dipaparkan.
refused-changed-since-shown = Ada perubahan sejak ini dipaparkan. Semak dahulu sebelum mencuba lagi.

## A field of a form that cannot be taken as it is

field-scope = Pilih peranan.
field-end = Pilih masa tamat dalam tempoh { $count } hari.
field-ends = Berikan bilangan jam atau tarikh, bukan kedua-duanya.
field-long = Teks ini terlalu panjang: paling banyak { $count } aksara.
field-odd = Teks ini mengandungi aksara yang tidak dapat dipaparkan. Buang aksara itu atau tulis semula teks ini.

## Who changed it meanwhile, behind a refusal. $by is a name, $time a moment such as "2 May 2024, 14:03".

changed-scope-admin = { $by } menjadikan { $name } pentadbir ({ $time }).
changed-scope-moderator = { $by } menjadikan { $name } moderator ({ $time }).
changed-scope-participant = { $by } menjadikan { $name } peserta ({ $time }).
changed-owner = { $by } memindahkan pemilikan kumpulan ({ $time }).
changed-kicked = { $by } mengeluarkan { $name } ({ $time }).
changed-banned = { $by } melarang { $name } ({ $time }).
changed-muted = { $by } menyenyapkan { $name } ({ $time }).
changed-unmuted = { $by } menyahsenyapkan { $name } ({ $time }).
changed-left = { $name } keluar ({ $time }).
the-host = Sistem
the-team = Pasukan

## Errors: a title, and what to do

error-not-found = Tidak ditemui
error-not-found-hint = Kumpulan ini tidak wujud, atau anda tiada akses kepadanya.
error-not-a-member = Bukan ahli
error-not-allowed = Tidak dibenarkan
error-not-undone = Tidak dibatalkan
undo-too-late = Sudah terlalu lama untuk dibatalkan.
undo-overtaken = Sesuatu telah berubah sejak itu, jadi tindakan ini tidak dibatalkan.
error-not-any-more = Tidak dapat dilakukan lagi
error-owner-must-stay = Pemilik tidak boleh keluar
error-banned = Dilarang
error-bad-request = Permintaan ini tidak dapat dibaca
error-invalid = Ada nilai yang tidak dibenarkan
error-sign-in = Sila log masuk
error-sign-in-hint = Token viewer diperlukan, sebagai Bearer atau dalam kuki sesi.
error-sign-in-again = Sila log masuk semula
error-token-expired = Token telah tamat tempoh.
error-signed-out = Anda telah dilog keluar di semua peranti.
error-too-large = Terlalu besar
error-too-large-hint = Kandungan permintaan ini terlalu besar.
error-too-fast = Terlalu cepat
error-too-fast-hint = Cuba lagi dalam { $count } saat.
error-unavailable = Tidak dapat dilakukan buat masa ini
error-unavailable-hint = Tiada apa-apa yang berubah. Cuba lagi sebentar nanti.
error-unsure = Mungkin sudah dilakukan, mungkin belum
error-unsure-hint = Tiada jawapan diterima pada masanya. Semak sama ada ia sudah dilakukan sebelum mencuba lagi.
error-internal = Ada masalah di pihak kami
error-internal-hint = Berikan nombor ini apabila anda melaporkannya: { $number }

## Whole pages

page-back = Kembali
page-members = Ahli
page-not-a-member = Anda bukan ahli kumpulan ini.
page-refused = Tidak dapat dilakukan
group-join-password = Sesiapa yang tahu kata laluan boleh menyertai.
group-join = Sesiapa sahaja boleh menyertai.
group-password = Kata laluan
act-join = Sertai

## Who is banned

bans-title = Dilarang menyertai { $group }
bans-search = Cari yang dilarang
bans-none = Tiada sesiapa dilarang
bans-no-reason = Tiada sebab diberikan.
bans-until = Sehingga { $time }.
bans-forever = Sehingga ditarik balik.
bans-by = Oleh { $by } pada { $time }.
mutes-by = Oleh { $by } pada { $time }.
mutes-title = Disenyapkan dalam { $group }
mutes-search = Cari yang disenyapkan
mutes-none = Tiada sesiapa disenyapkan
notes-label = Nota
notes-title = Nota tentang { $name }
notes-hint = Hanya ahli pasukan yang peranannya lebih tinggi daripada orang ini boleh membacanya. Orang ini tidak dimaklumkan.
notes-none = Belum ada nota
notes-count = Nota: { $count }
notes-by = { $by }, { $time }
notes-text = Nota
notes-missing = Tulis nota dahulu.
notes-full = Tiada lagi nota tentang orang ini dapat disimpan. Buang satu dahulu.
notes-add = Tambah nota
notes-remove = Buang

## The feed of changes

feed-title = Perubahan dalam { $group }
feed-joined = { $name } menyertai
feed-added = { $by } menambah { $name }
feed-left = { $name } keluar
feed-kicked = { $by } mengeluarkan { $name }
feed-banned = { $by } melarang { $name }
feed-unbanned = { $by } menarik balik larangan terhadap { $name }
feed-muted = { $by } menyenyapkan { $name }
feed-unmuted = { $by } menyahsenyapkan { $name }
feed-scope-admin = { $by } menjadikan { $name } pentadbir
feed-scope-moderator = { $by } menjadikan { $name } moderator
feed-scope-participant = { $by } menjadikan { $name } peserta
feed-owner = { $name } kini pemilik kumpulan
feed-updated = Nama atau gambar { $name } telah berubah
feed-note-added = { $by } menambah nota tentang { $name }
feed-note-removed = { $by } membuang nota tentang { $name }
feed-synced = Senarai ahli telah diselaraskan dengan sistem
feed-group-created = Kumpulan telah dicipta
feed-group-updated = Nama, gambar atau keterangan kumpulan telah berubah
feed-group-deleted = Kumpulan telah dipadamkan

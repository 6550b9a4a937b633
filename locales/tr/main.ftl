# Turkish. Everything the component says; the hints for translators are in en-US.

## Roles (scopes, to programs): what somebody is in a group

scope-owner = Sahip
scope-admin = Yönetici
scope-moderator = Moderatör
scope-participant = Katılımcı

## Headings over the people of one role

section-owner = Sahip
section-admin = Yöneticiler
section-moderator = Moderatörler
section-participant = Katılımcılar

## Whether somebody is there

status-online = Çevrimiçi
status-away = Uzakta
status-offline = Çevrimdışı

## The list

members-title = Üyeler
members-search = Üye ara
members-search-go = Ara
members-more = Daha fazla göster
members-previous = Listede öncekiler
members-next = Daha fazla üye
members-online = { $n ->
    [one] { $count } çevrimiçi
   *[other] { $count } çevrimiçi
}
members-filter = Filtre
filter-all = Tümü
filter-admins = Yöneticiler
filter-moderators = Moderatörler
filter-online = Çevrimiçi
filter-joined = Son bir saatte katılanlar
members-found = { $n ->
    [one] { $count } kişi bulundu
   *[other] { $count } kişi bulundu
}
members-bans-link = Yasaklılar
members-mutes-link = Susturulanlar
members-page = { $group } üyeleri

group-members = { $n ->
    [one] { $count } üye
   *[other] { $count } üye
}

## A row

row-joined = Katılım: { $date }
row-you = sen
row-own-menu = Üyeliğin
row-menu = { $name } için işlemler
row-select = { $name } adlı kişiyi seç
row-selected = seçildi

## Nobody to show

empty-title = Üye yok
empty-hint = Gruba katılanlar burada görünür.
empty-search = “{ $search }” ile eşleşen kimse yok
empty-search-hint = Adın bir bölümünü dene; hangi alfabeyle, aksanlı ya da aksansız olduğu fark etmez.
empty-online = Çevrimiçi kimse yok
empty-online-hint = Çevrimiçi olanlar burada görünür.
empty-filter = Burada kimse yok
empty-filter-hint = Şu anda bu filtreye uyan üye yok.
empty-clear = Herkesi göster

## Live, and what stands in its way

live-on = Canlı
live-reconnecting = Yeniden bağlanılıyor…
live-off = Canlı değil. Değişiklikleri görmek için sayfayı yenile.
presence-batched = Kimlerin çevrimiçi olduğu beş saniyede bir güncellenir.
presence-counts = Çok fazla kişi çevrimiçi olduğu için yalnızca sayıları canlı.
members-failed = Üyeler gösterilemiyor.
request-failed = İşlem tamamlanamadı.
request-retry = Tekrar dene
held-changes = { $n ->
    [one] { $count } değişiklik
   *[other] { $count } değişiklik
}

## A spoken line about what changed lately: "3 joined, 1 left, Ana is now admin"

digest-joined = { $n ->
    [one] { $count } kişi katıldı
   *[other] { $count } kişi katıldı
}
digest-left = { $n ->
    [one] { $count } kişi ayrıldı
   *[other] { $count } kişi ayrıldı
}
digest-removed = { $n ->
    [one] { $count } kişi çıkarıldı
   *[other] { $count } kişi çıkarıldı
}
digest-changed = { $n ->
    [one] { $count } rol değişti
   *[other] { $count } rol değişti
}
digest-admin = { $name } artık yönetici
digest-moderator = { $name } artık moderatör
digest-participant = { $name } artık katılımcı
digest-owner = { $name } artık grubun sahibi

## Selecting people

selection-count = { $n ->
    [one] { $count } kişi seçildi
   *[other] { $count } kişi seçildi
}
selection-clear = Seçimi temizle
selection-all = Eşleşenlerin tümünü seç
selection-done = Devam
selection-full = En fazla { $count } kişi seçilebilir.
selection-first = { $all } kişiden ilk { $count } kişi seçildi.
selection-page = Seçilen kişiler
selection-none = Kimse seçilmedi.
selection-choose = En az bir kişi seç.
selection-fewer = Bu kadar kişi tek seferde fazla. Daha az kişi seç.
selection-gone = { $n ->
    [one] Seçilenlerden { $count } kişi artık üye değil.
   *[other] Seçilenlerden { $count } kişi artık üye değil.
}

## When the viewer is out

ended-kicked = Bu gruptan çıkarıldın
ended-kicked-hint = Geri dönebilirsin: yeniden katıl ya da eklenmeyi iste.
ended-banned = Bu gruptan yasaklandın
ended-deleted = Bu grup artık yok
ended-deleted-hint = Üyeleri artık gösterilmiyor.
ended-left = Artık bu grupta değilsin
ended-left-hint = Geri dönebilirsin: yeniden katıl ya da eklenmeyi iste.

## Out of the group, and at its door

left-title = { $group } grubundan ayrıldın
left-untold = Gruptan ayrıldın
left-ask = Geri dönmek için eklenmeyi iste.
act-join-again = Yeniden katıl
banned-until = Yasak bitene kadar geri dönemezsin. Bitiş: { $time }.
banned-for-good = Yasak süresiz: kaldırılmadıkça geri dönemezsin.
muted-until = Susturuldu, bitiş: { $time }
muted-you = Bu grupta yazamazsın. Bitiş: { $time }.
scope-until = Bitiş: { $time }
scope-you-admin = Şu anda yöneticisin. Bitiş: { $time }.
scope-you-moderator = Şu anda moderatörsün. Bitiş: { $time }.
told = Ekibin mesajı: { $message }
group-password-missing = Grubun parolasını gir.
selection-back = Seçimi değiştir

## Acts, in a menu

act-kick = Gruptan çıkar
act-ban = Yasakla
act-unban = Yasağı kaldır
act-mute = Sustur
act-unmute = Susturmayı kaldır
act-scope = Rolü değiştir
act-scope-own = Rolünü düşür
act-transfer = Sahipliği devret
act-leave = Gruptan ayrıl
act-cancel = Vazgeç
act-close = Kapat

## Acts, as forms: the question over the form

ask-kick = { $name } gruptan çıkarılsın mı?
ask-ban = { $name } yasaklansın mı?
ask-unban = { $name } için yasak kaldırılsın mı?
ask-mute = { $name } susturulsun mu?
ask-unmute = { $name } için susturma kaldırılsın mı?
ask-scope = { $name } adlı kişinin rolünü değiştir
ask-scope-own = Rolünü düşür
ask-transfer = Sahiplik { $name } adlı kişiye devredilsin mi?
ask-leave = Gruptan ayrılmak istiyor musun?

## Acts, as forms: what will happen

hint-kick = Gruptan hemen çıkarılır. Geri dönebilir.
hint-ban = Gruptan hemen çıkarılır ve yasak bitene kadar geri dönemez. Ekip için yazdığın metni moderatörler, yöneticiler ve grubun sahibi görür.
hint-unban = Gruba yeniden girebilir. Üyeliği kendiliğinden geri gelmez.
hint-mute = Grupta kalır ve susturma bitene kadar yazamaz. Ekip için yazdığın metni moderatörler, yöneticiler ve grubun sahibi görür.
hint-unmute = Hemen yeniden yazabilir.
hint-scope = Yetkileri hemen değişir. Yeni rolünü herkes görür.
hint-scope-own = Yetkilerinden vazgeçiyorsun. Onları sana ancak rolü seninkinden yüksek biri geri verebilir.
hint-transfer = Grubun tüm denetimi ona geçer, sen yönetici olursun. Sahipliği yalnızca o geri verebilir.
hint-leave = Artık üye olmayacaksın. Geri dönmek için yeniden katıl ya da eklenmeyi iste.
hint-leave-alone = Senden başka üye yok. Grup kalır ve artık sisteme ait olur.

## Acts, as forms: the button that does it

do-kick = { $name } adlı kişiyi çıkar
do-ban = { $name } adlı kişiyi yasakla
do-unban = { $name } için yasağı kaldır
do-mute = { $name } adlı kişiyi sustur
do-unmute = { $name } için susturmayı kaldır
do-scope = Kaydet
do-transfer = Sahipliği { $name } adlı kişiye devret
do-leave = Gruptan ayrıl

## The form of a ban

ban-reason = Ekip için
ban-message = Kişiye iletilecek mesaj
ban-for = Süre
ban-hour = 1 saat
ban-day = 1 gün
ban-week = 7 gün
ban-forever = Kaldırılana kadar
for-minutes = 5 dakika
for-other = Başka bir bitiş zamanı
for-hours = Saat sayısı
for-day = Ya da seçilen günün sonuna kadar (UTC)
scope-forever = Değiştirilene kadar
scope-end-now = Rolü şimdi bitir
scope-legend = Rol
batch-will-kick = { $n ->
    [one] { $count } kişi gruptan çıkarılacak.
   *[other] { $count } kişi gruptan çıkarılacak.
}
batch-will-ban = { $n ->
    [one] { $count } kişi yasaklanacak.
   *[other] { $count } kişi yasaklanacak.
}
batch-will-mute = { $n ->
    [one] { $count } kişi susturulacak.
   *[other] { $count } kişi susturulacak.
}
batch-will-scope = { $n ->
    [one] { $count } kişi yeni rolü alacak.
   *[other] { $count } kişi yeni rolü alacak.
}
batch-cannot = Yapılamıyor ({ $count }):
batch-unchanged = Değişiklik gerekmiyor
batch-refused-oneself = Kendin
batch-refused-equal = Seninle aynı rolde
batch-refused-above = Seninkinden yüksek bir rolde
batch-refused-grant = Yeni rol seninkinden yüksek
batch-refused-scope-ends = Asıl rol yeni rolden düşük değil
batch-refused-not-a-member = Grupta değil
batch-refused-changed = Bu arada değişti
batch-refused-too-late = Üzerinden çok zaman geçti
batch-refused-overtaken = Sonradan yine değişti
batch-hint-kick = Bu kişiler gruptan hemen çıkarılır. Geri dönebilirler.
batch-hint-ban = Bu kişiler gruptan hemen çıkarılır ve yasak bitene kadar geri dönemezler. Ekip için yazdığın metni moderatörler, yöneticiler ve grubun sahibi görür.
batch-hint-mute = Bu kişiler grupta kalır ve susturma bitene kadar yazamazlar. Ekip için yazdığın metni moderatörler, yöneticiler ve grubun sahibi görür.
batch-hint-scope = Bu kişilerin yetkileri hemen değişir. Yeni rollerini herkes görür.

## What came of an act, on a page without JavaScript

done-kick = { $name } gruptan çıkarıldı.
done-ban = { $name } yasaklandı.
done-unban = { $name } gruba yeniden girebilir.
done-mute = { $name } susturuldu.
done-unmute = { $name } yeniden yazabilir.
done-scope = { $name } artık başka bir rolde.
done-transfer = { $name } artık grubun sahibi.
done-undo = { $name } ile ilgili işlem geri alındı.
done-note-added = { $name } hakkındaki notun eklendi.
done-note-removed = { $name } hakkındaki not kaldırıldı.
batch-done-kick = { $n ->
    [one] { $count } kişi gruptan çıkarıldı.
   *[other] { $count } kişi gruptan çıkarıldı.
}
batch-done-ban = { $n ->
    [one] { $count } kişi yasaklandı.
   *[other] { $count } kişi yasaklandı.
}
batch-done-mute = { $n ->
    [one] { $count } kişi susturuldu.
   *[other] { $count } kişi susturuldu.
}
batch-done-scope = { $n ->
    [one] { $count } kişi artık başka bir rolde.
   *[other] { $count } kişi artık başka bir rolde.
}
batch-done-undo = { $n ->
    [one] { $count } kişi ile ilgili işlem geri alındı.
   *[other] { $count } kişi ile ilgili işlem geri alındı.
}
undo-button = Geri al
undo-left = { $count }sn
done-join = Artık üyesin.

## Why an act is refused

refused-participant = Katılımcılar bunu kimseye yapamaz.
refused-oneself = Bu sensin.
refused-equal-owner = Bunu yalnızca rolü seninkinden düşük olanlara yapabilirsin; ikiniz de grubun sahibisiniz.
refused-equal-admin = Bunu yalnızca rolü seninkinden düşük olanlara yapabilirsin; ikiniz de yöneticisiniz.
refused-equal-moderator = Bunu yalnızca rolü seninkinden düşük olanlara yapabilirsin; ikiniz de moderatörsünüz.
refused-equal-participant = Bunu yalnızca rolü seninkinden düşük olanlara yapabilirsin; ikiniz de katılımcısınız.
refused-above-owner = Bunu yalnızca rolü seninkinden düşük olanlara yapabilirsin; bu kişinin rolü daha yüksek: sahip.
refused-above-admin = Bunu yalnızca rolü seninkinden düşük olanlara yapabilirsin; bu kişinin rolü daha yüksek: yönetici.
refused-above-moderator = Bunu yalnızca rolü seninkinden düşük olanlara yapabilirsin; bu kişinin rolü daha yüksek: moderatör.
refused-above-participant = Bunu yalnızca rolü seninkinden düşük olanlara yapabilirsin; bu kişinin rolü daha yüksek: katılımcı.
refused-owner-only = Grubu yalnızca sahibi devredebilir.
refused-grant-owner = Birine en fazla kendi rolünü verebilirsin: sahip.
refused-grant-admin = Birine en fazla kendi rolünü verebilirsin: yönetici.
refused-grant-moderator = Birine en fazla kendi rolünü verebilirsin: moderatör.
refused-grant-participant = Birine en fazla kendi rolünü verebilirsin: katılımcı.
refused-self-ban = Kendini yasaklayamazsın. Gitmek istiyorsan gruptan ayrıl.
refused-self-mute = Kendini susturamazsın, sana uygulanan susturmayı da kaldıramazsın.
refused-scope-ends = Yalnızca kişinin asıl rolünden yüksek bir role süre verilebilir.
refused-not-a-member = Bu kişi grubun üyesi değil.
refused-owner-must-transfer = Grup başkasına devredilmeden sahibi ayrılamaz: önce grubu devret.
refused-not-undoable = Yalnızca şu geri alınabilir: bir üyenin başka birini gruptan çıkarması, yasaklaması, susturması, rolünü değiştirmesi, yasağını veya susturmasını kaldırması.
refused-not-theirs-to-undo = Bunu yalnızca yapan kişi veya rolü daha yüksek biri geri alabilir.
refused-not-theirs-to-remove = Bu notu yalnızca yazan kişi veya rolü daha yüksek biri kaldırabilir.
refused-banned = Bu gruptan yasaklandın.
refused-password = Grubun parolası bu değil.
refused-rights-changed = Bu gösterildikten sonra senin ya da bu kişinin rolü değişti.
refused-changed-since-shown = Bu gösterildikten sonra bir değişiklik oldu. Tekrar denemeden önce kontrol et.

## A field of a form that cannot be taken as it is

field-scope = Bir rol seç.
field-end = { $n ->
    [one] Önümüzdeki { $count } gün içinde bir bitiş zamanı seç.
   *[other] Önümüzdeki { $count } gün içinde bir bitiş zamanı seç.
}
field-ends = Saat sayısı ya da bir gün gir, ikisini birden değil.
field-long = { $n ->
    [one] Bu metin çok uzun: en fazla { $count } karakter olabilir.
   *[other] Bu metin çok uzun: en fazla { $count } karakter olabilir.
}
field-odd = Bu metinde gösterilemeyen bir karakter var. Onu sil ya da metni yeniden yaz.

## Who changed it meanwhile, behind a refusal. $by is a name, $time a moment such as "2 May 2024, 14:03".

changed-scope-admin = { $name }, { $by } tarafından yönetici yapıldı ({ $time }).
changed-scope-moderator = { $name }, { $by } tarafından moderatör yapıldı ({ $time }).
changed-scope-participant = { $name }, { $by } tarafından katılımcı yapıldı ({ $time }).
changed-owner = { $by } grubu devretti ({ $time }).
changed-kicked = { $name }, { $by } tarafından gruptan çıkarıldı ({ $time }).
changed-banned = { $name }, { $by } tarafından yasaklandı ({ $time }).
changed-muted = { $name }, { $by } tarafından susturuldu ({ $time }).
changed-unmuted = { $name } için susturma { $by } tarafından kaldırıldı ({ $time }).
changed-left = { $name } ayrıldı ({ $time }).
the-host = Sistem
the-team = Ekip

## Errors: a title, and what to do

error-not-found = Bulunamadı
error-not-found-hint = Böyle bir grup yok ya da bu grubu göremezsin.
error-not-a-member = Üye değil
error-not-allowed = İzin yok
error-not-undone = Geri alınmadı
undo-too-late = Geri almak için çok geç.
undo-overtaken = Bu arada başka bir işlem yapıldığı için bu işlem geri alınmadı.
error-not-any-more = Artık mümkün değil
error-owner-must-stay = Grubun sahibi ayrılamaz
error-banned = Yasaklı
error-bad-request = Bu istek okunamıyor
error-invalid = Geçersiz bir değer var
error-sign-in = Lütfen oturum aç
error-sign-in-hint = Bunun için bir görüntüleyici belirteci gerekir: Bearer olarak ya da oturum çerezinde.
error-sign-in-again = Lütfen yeniden oturum aç
error-token-expired = Belirtecin süresi doldu.
error-signed-out = Tüm cihazlarda oturumun kapatıldı.
error-too-large = Çok büyük
error-too-large-hint = Bu isteğin gövdesi çok büyük.
error-too-fast = Çok hızlı
error-too-fast-hint = { $n ->
    [one] { $count } saniye sonra tekrar dene.
   *[other] { $count } saniye sonra tekrar dene.
}
error-unavailable = Şu anda mümkün değil
error-unavailable-hint = Hiçbir şey değişmedi. Birazdan tekrar dene.
error-unsure = Yapılıp yapılmadığı belli değil
error-unsure-hint = Zamanında yanıt gelmedi. Tekrar denemeden önce yapılıp yapılmadığına bak.
error-internal = Bizim tarafta bir sorun var
error-internal-hint = Sorunu bildirirken şu numarayı ver: { $number }

## Whole pages

page-back = Geri
page-members = Üyeler
page-not-a-member = Bu grubun üyesi değilsin.
page-refused = Mümkün değil
group-join-password = Parolayı bilen herkes katılabilir.
group-join = Herkes katılabilir.
group-password = Parola
act-join = Katıl

## Who is banned

bans-title = { $group } grubundan yasaklananlar
bans-search = Yasaklılarda ara
bans-none = Yasaklı kimse yok
bans-no-reason = Neden belirtilmedi.
bans-until = Bitiş: { $time }.
bans-forever = Kaldırılana kadar.
bans-by = { $by } tarafından, { $time }.
mutes-by = { $by } tarafından, { $time }.
mutes-title = { $group } grubunda susturulanlar
mutes-search = Susturulanlarda ara
mutes-none = Susturulan kimse yok
notes-label = Notlar
notes-title = { $name } hakkındaki notlar
notes-hint = Bunları ekipte yalnızca rolü bu kişininkinden yüksek olanlar okuyabilir. Kişiye bildirilmez.
notes-none = Henüz not yok
notes-count = Notlar: { $count }
notes-by = { $by }, { $time }
notes-text = Not
notes-missing = Önce notu yaz.
notes-full = Bu kişi hakkında daha fazla not saklanamaz. Önce notlardan birini kaldır.
notes-add = Not ekle
notes-remove = Kaldır

## The feed of changes

feed-title = { $group } grubundaki değişiklikler
feed-joined = { $name } katıldı
feed-added = { $name }, { $by } tarafından gruba eklendi
feed-left = { $name } ayrıldı
feed-kicked = { $name }, { $by } tarafından gruptan çıkarıldı
feed-banned = { $name }, { $by } tarafından yasaklandı
feed-unbanned = { $name } için yasak { $by } tarafından kaldırıldı
feed-muted = { $name }, { $by } tarafından susturuldu
feed-unmuted = { $name } için susturma { $by } tarafından kaldırıldı
feed-scope-admin = { $name }, { $by } tarafından yönetici yapıldı
feed-scope-moderator = { $name }, { $by } tarafından moderatör yapıldı
feed-scope-participant = { $name }, { $by } tarafından katılımcı yapıldı
feed-owner = { $name } artık grubun sahibi
feed-updated = { $name }: yeni ad veya resim
feed-note-added = { $by }, { $name } hakkında bir not ekledi
feed-note-removed = { $by }, { $name } hakkındaki bir notu kaldırdı
feed-synced = Üyeler sistemle eşitlendi
feed-group-created = Grup oluşturuldu
feed-group-updated = Grubun adı, resmi veya açıklaması değişti
feed-group-deleted = Grup silindi

# Hindi. Everything the component says; the hints for translators are in en-US.

## Roles (scopes, to programs): what somebody is in a group

scope-owner = ओनर
scope-admin = एडमिन
scope-moderator = मॉडरेटर
scope-participant = प्रतिभागी

## Headings over the people of one role

section-owner = ओनर
section-admin = एडमिन
section-moderator = मॉडरेटर
section-participant = प्रतिभागी

## Whether somebody is there

status-online = ऑनलाइन
status-away = दूर
status-offline = ऑफ़लाइन

## The list

members-title = सदस्य
members-search = सदस्य खोजें
members-search-go = खोजें
members-more = और दिखाएँ
members-previous = सूची में इनसे पहले के सदस्य
members-next = और सदस्य
members-online = { $n ->
    [one] { $count } ऑनलाइन
   *[other] { $count } ऑनलाइन
}
members-filter = फ़िल्टर
filter-all = सभी
filter-admins = एडमिन
filter-moderators = मॉडरेटर
filter-online = ऑनलाइन
filter-joined = पिछले एक घंटे में जुड़े
members-bans-link = बैन किए गए लोग
members-mutes-link = म्यूट किए गए लोग
members-found = { $n ->
    [one] { $count } सदस्य मिला
   *[other] { $count } सदस्य मिले
}
members-page = { $group } के सदस्य

group-members = { $n ->
    [one] { $count } सदस्य
   *[other] { $count } सदस्य
}

## A row

row-joined = { $date } से ग्रुप में
row-you = आप
row-own-menu = आपकी सदस्यता
row-menu = { $name } के लिए विकल्प
row-select = { $name } को चुनें
row-selected = चुना गया

## Nobody to show

empty-title = कोई सदस्य नहीं
empty-hint = ग्रुप में शामिल होने वाले लोग यहाँ दिखेंगे।
empty-search = “{ $search }” से कोई मेल नहीं खाता
empty-search-hint = नाम का कोई हिस्सा लिखकर देखें, किसी भी लिपि में, एक्सेंट चिह्नों के साथ या बिना।
empty-online = कोई ऑनलाइन नहीं है
empty-online-hint = ऑनलाइन आने वाले लोग यहाँ दिखेंगे।
empty-filter = यहाँ कोई नहीं है
empty-filter-hint = इस समय कोई सदस्य इस फ़िल्टर से मेल नहीं खाता।
empty-clear = सभी को दिखाएँ

## Live, and what stands in its way

live-on = लाइव
live-reconnecting = फिर से कनेक्ट हो रहा है…
live-off = लाइव नहीं है। बदलाव देखने के लिए पेज रीलोड करें।
presence-batched = कौन ऑनलाइन है, यह हर पाँच सेकंड में अपडेट होता है।
presence-counts = इतने लोग ऑनलाइन हैं कि सिर्फ़ उनकी संख्या लाइव दिखती है।
members-failed = सदस्य नहीं दिखाए जा सके।
request-failed = यह नहीं हो पाया।
request-retry = फिर कोशिश करें
held-changes = { $n ->
    [one] { $count } बदलाव
   *[other] { $count } बदलाव
}

## A spoken line about what changed lately: "3 joined, 1 left, Ana is now admin"

digest-joined = { $n ->
    [one] { $count } व्यक्ति ने ग्रुप जॉइन किया
   *[other] { $count } लोगों ने ग्रुप जॉइन किया
}
digest-left = { $n ->
    [one] { $count } व्यक्ति ने ग्रुप छोड़ा
   *[other] { $count } लोगों ने ग्रुप छोड़ा
}
digest-removed = { $n ->
    [one] { $count } व्यक्ति को हटाया गया
   *[other] { $count } लोगों को हटाया गया
}
digest-changed = { $n ->
    [one] { $count } भूमिका बदली
   *[other] { $count } भूमिकाएँ बदलीं
}
digest-admin = { $name } अब एडमिन हैं
digest-moderator = { $name } अब मॉडरेटर हैं
digest-participant = { $name } अब प्रतिभागी हैं
digest-owner = { $name } अब ओनर हैं

## Selecting people

selection-count = { $n ->
    [one] { $count } चुना गया
   *[other] { $count } चुने गए
}
selection-clear = चयन हटाएँ
selection-all = सभी परिणाम चुनें
selection-done = जारी रखें
selection-full = ज़्यादा से ज़्यादा { $count } लोग चुने जा सकते हैं।
selection-first = { $all } में से पहले { $count } चुने गए हैं।
selection-page = चुने गए लोग
selection-none = कोई नहीं चुना गया।
selection-choose = कम से कम एक व्यक्ति चुनें।
selection-fewer = एक बार में इतने लोगों के साथ आगे नहीं बढ़ा जा सकता। कम लोग चुनें।
selection-gone = { $n ->
    [one] इनमें से { $count } अब सदस्य नहीं है।
   *[other] इनमें से { $count } अब सदस्य नहीं हैं।
}

## When the viewer is out

ended-kicked = आपको इस ग्रुप से हटा दिया गया
ended-kicked-hint = आप वापस आ सकते हैं: फिर से जॉइन करें या किसी से जोड़ने को कहें।
ended-banned = आपको इस ग्रुप से बैन किया गया है
ended-deleted = यह ग्रुप अब मौजूद नहीं है
ended-deleted-hint = इसके सदस्य अब नहीं दिखाए जाते।
ended-left = अब आप इस ग्रुप में नहीं हैं
ended-left-hint = आप वापस आ सकते हैं: फिर से जॉइन करें या किसी से जोड़ने को कहें।

## Out of the group, and at its door

left-title = आपने { $group } छोड़ दिया है
left-untold = आपने ग्रुप छोड़ दिया है
left-ask = वापस आने के लिए किसी से जोड़ने को कहें।
act-join-again = फिर से जॉइन करें
banned-until = { $time } तक आप वापस नहीं आ सकते।
banned-for-good = बैन की कोई समय-सीमा नहीं है: जब तक इसे हटाया नहीं जाता, आप वापस नहीं आ सकते।
muted-until = { $time } तक म्यूट
muted-you = { $time } तक आप इस ग्रुप में लिख नहीं सकते।
scope-until = { $time } तक
scope-you-admin = { $time } तक आप एडमिन हैं।
scope-you-moderator = { $time } तक आप मॉडरेटर हैं।
told = टीम का संदेश: { $message }
group-password-missing = ग्रुप का पासवर्ड डालें।
selection-back = चयन बदलें

## Acts, in a menu

act-kick = ग्रुप से हटाएँ
act-ban = बैन करें
act-unban = बैन हटाएँ
act-mute = म्यूट करें
act-unmute = म्यूट हटाएँ
act-scope = भूमिका बदलें
act-scope-own = अपनी भूमिका छोड़ें
act-transfer = ग्रुप किसी और को सौंपें
act-leave = ग्रुप छोड़ें
act-cancel = रद्द करें
act-close = बंद करें

## Acts, as forms: the question over the form

ask-kick = { $name } को ग्रुप से हटाएँ?
ask-ban = { $name } को बैन करें?
ask-unban = { $name } का बैन हटाएँ?
ask-mute = { $name } को म्यूट करें?
ask-unmute = { $name } का म्यूट हटाएँ?
ask-scope = { $name } की भूमिका बदलें
ask-scope-own = अपनी भूमिका छोड़ें
ask-transfer = { $name } को ओनर बनाएँ?
ask-leave = ग्रुप छोड़ें?

## Acts, as forms: what will happen

hint-kick = इन्हें अभी ग्रुप से हटा दिया जाएगा। ये वापस आ सकते हैं।
hint-ban = इन्हें अभी ग्रुप से हटा दिया जाएगा और बैन ख़त्म होने तक ये वापस नहीं आ सकते। टीम के लिए लिखी बात मॉडरेटर, एडमिन और ओनर को दिखती है।
hint-unban = ये फिर से ग्रुप में आ सकते हैं। सदस्यता अपने आप वापस नहीं मिलती।
hint-mute = ये ग्रुप में रहेंगे, पर म्यूट ख़त्म होने तक लिख नहीं सकेंगे। टीम के लिए लिखी बात मॉडरेटर, एडमिन और ओनर को दिखती है।
hint-unmute = ये तुरंत फिर से लिख सकते हैं।
hint-scope = इनके अधिकार तुरंत बदल जाएँगे और नई भूमिका सबको दिखेगी।
hint-scope-own = आप अपने अधिकार छोड़ रहे हैं। इन्हें सिर्फ़ आपसे ऊपर की भूमिका वाला कोई व्यक्ति लौटा सकता है।
hint-transfer = ग्रुप का पूरा नियंत्रण इन्हें मिल जाएगा और आप एडमिन बन जाएँगे। इसे सिर्फ़ यही लौटा सकते हैं।
hint-leave = आप सदस्य नहीं रहेंगे। वापस आने के लिए फिर से जॉइन करें या किसी से जोड़ने को कहें।
hint-leave-alone = ग्रुप में आपके अलावा कोई नहीं है। ग्रुप बना रहेगा और फिर सिस्टम का होगा।

## Acts, as forms: the button that does it

do-kick = { $name } को हटाएँ
do-ban = { $name } को बैन करें
do-unban = { $name } का बैन हटाएँ
do-mute = { $name } को म्यूट करें
do-unmute = { $name } का म्यूट हटाएँ
do-scope = सेव करें
do-transfer = { $name } को ओनर बनाएँ
do-leave = ग्रुप छोड़ें

## The form of a ban

ban-reason = टीम के लिए
ban-message = इनके लिए संदेश
ban-for = अवधि
ban-hour = 1 घंटा
ban-day = 1 दिन
ban-week = 7 दिन
ban-forever = हटाए जाने तक
for-minutes = 5 मिनट
for-other = समाप्ति का कोई और समय
for-hours = घंटों की संख्या
for-day = या चुने गए दिन के अंत तक (UTC)
scope-forever = बदले जाने तक
scope-end-now = भूमिका अभी ख़त्म करें
scope-legend = भूमिका
batch-will-kick = { $n ->
    [one] { $count } व्यक्ति को ग्रुप से हटा दिया जाएगा।
   *[other] { $count } लोगों को ग्रुप से हटा दिया जाएगा।
}
batch-will-ban = { $n ->
    [one] { $count } व्यक्ति को बैन कर दिया जाएगा।
   *[other] { $count } लोगों को बैन कर दिया जाएगा।
}
batch-will-mute = { $n ->
    [one] { $count } व्यक्ति को म्यूट कर दिया जाएगा।
   *[other] { $count } लोगों को म्यूट कर दिया जाएगा।
}
batch-will-scope = { $n ->
    [one] { $count } व्यक्ति को नई भूमिका मिलेगी।
   *[other] { $count } लोगों को नई भूमिका मिलेगी।
}
batch-cannot = संभव नहीं ({ $count }):
batch-unchanged = कुछ बदलना नहीं है
batch-refused-oneself = आप ख़ुद
batch-refused-equal = आपके बराबर की भूमिका
batch-refused-above = आपसे ऊपर की भूमिका
batch-refused-grant = नई भूमिका आपकी भूमिका से ऊपर
batch-refused-scope-ends = मूल भूमिका नई भूमिका से नीचे नहीं
batch-refused-not-a-member = ग्रुप में नहीं
batch-refused-changed = इस बीच बदलाव
batch-refused-too-late = बहुत देर हो चुकी
batch-refused-overtaken = इसके बाद फिर बदलाव
batch-hint-kick = इन्हें अभी ग्रुप से हटा दिया जाएगा। ये वापस आ सकते हैं।
batch-hint-ban = इन्हें अभी ग्रुप से हटा दिया जाएगा और बैन ख़त्म होने तक ये वापस नहीं आ सकते। टीम के लिए लिखी बात मॉडरेटर, एडमिन और ओनर को दिखती है।
batch-hint-mute = ये ग्रुप में रहेंगे, पर म्यूट ख़त्म होने तक लिख नहीं सकेंगे। टीम के लिए लिखी बात मॉडरेटर, एडमिन और ओनर को दिखती है।
batch-hint-scope = इनके अधिकार तुरंत बदल जाएँगे और नई भूमिका सबको दिखेगी।

## What came of an act, on a page without JavaScript

done-kick = { $name } को ग्रुप से हटा दिया गया।
done-ban = { $name } को बैन कर दिया गया।
done-unban = { $name } अब फिर से ग्रुप में आ सकते हैं।
done-mute = { $name } को म्यूट कर दिया गया।
done-unmute = { $name } अब फिर से लिख सकते हैं।
done-scope = { $name } की भूमिका बदल दी गई है।
done-transfer = { $name } अब ग्रुप के ओनर हैं।
done-undo = { $name } पर की गई कार्रवाई वापस ले ली गई।
done-note-added = { $name } के बारे में आपका नोट जोड़ा गया।
done-note-removed = { $name } के बारे में नोट हटाया गया।
batch-done-kick = { $n ->
    [one] { $count } व्यक्ति को ग्रुप से हटा दिया गया।
   *[other] { $count } लोगों को ग्रुप से हटा दिया गया।
}
batch-done-ban = { $n ->
    [one] { $count } व्यक्ति को बैन कर दिया गया।
   *[other] { $count } लोगों को बैन कर दिया गया।
}
batch-done-mute = { $n ->
    [one] { $count } व्यक्ति को म्यूट कर दिया गया।
   *[other] { $count } लोगों को म्यूट कर दिया गया।
}
batch-done-scope = { $n ->
    [one] { $count } व्यक्ति की भूमिका बदल दी गई है।
   *[other] { $count } लोगों की भूमिका बदल दी गई है।
}
batch-done-undo = { $n ->
    [one] { $count } व्यक्ति पर की गई कार्रवाई वापस ले ली गई।
   *[other] { $count } लोगों पर की गई कार्रवाई वापस ले ली गई।
}
undo-button = वापस लें
undo-left = { $count } से
done-join = अब आप सदस्य हैं।

## Why an act is refused

refused-participant = प्रतिभागी किसी के साथ ऐसा नहीं कर सकते।
refused-oneself = यह आप हैं।
refused-equal-owner = ऐसा सिर्फ़ अपने से नीचे की भूमिका वाले लोगों के साथ किया जा सकता है, और आप दोनों ओनर हैं।
refused-equal-admin = ऐसा सिर्फ़ अपने से नीचे की भूमिका वाले लोगों के साथ किया जा सकता है, और आप दोनों एडमिन हैं।
refused-equal-moderator = ऐसा सिर्फ़ अपने से नीचे की भूमिका वाले लोगों के साथ किया जा सकता है, और आप दोनों मॉडरेटर हैं।
refused-equal-participant = ऐसा सिर्फ़ अपने से नीचे की भूमिका वाले लोगों के साथ किया जा सकता है, और आप दोनों प्रतिभागी हैं।
refused-above-owner = ऐसा सिर्फ़ अपने से नीचे की भूमिका वाले लोगों के साथ किया जा सकता है, और इनकी भूमिका आपसे ऊपर है: ओनर।
refused-above-admin = ऐसा सिर्फ़ अपने से नीचे की भूमिका वाले लोगों के साथ किया जा सकता है, और इनकी भूमिका आपसे ऊपर है: एडमिन।
refused-above-moderator = ऐसा सिर्फ़ अपने से नीचे की भूमिका वाले लोगों के साथ किया जा सकता है, और इनकी भूमिका आपसे ऊपर है: मॉडरेटर।
refused-above-participant = ऐसा सिर्फ़ अपने से नीचे की भूमिका वाले लोगों के साथ किया जा सकता है, और इनकी भूमिका आपसे ऊपर है: प्रतिभागी।
refused-owner-only = ग्रुप सिर्फ़ ओनर ही सौंप सकते हैं।
refused-grant-owner = आप किसी को ज़्यादा से ज़्यादा अपनी ही भूमिका दे सकते हैं: ओनर।
refused-grant-admin = आप किसी को ज़्यादा से ज़्यादा अपनी ही भूमिका दे सकते हैं: एडमिन।
refused-grant-moderator = आप किसी को ज़्यादा से ज़्यादा अपनी ही भूमिका दे सकते हैं: मॉडरेटर।
refused-grant-participant = आप किसी को ज़्यादा से ज़्यादा अपनी ही भूमिका दे सकते हैं: प्रतिभागी।
refused-self-ban = आप ख़ुद को बैन नहीं कर सकते। जाने के लिए ग्रुप छोड़ें।
refused-self-mute = आप ख़ुद को म्यूट नहीं कर सकते, न अपना म्यूट हटा सकते हैं।
refused-scope-ends = समय-सीमा सिर्फ़ ऐसी भूमिका की हो सकती है जो इनकी मूल भूमिका से ऊपर हो।
refused-not-a-member = ये इस ग्रुप के सदस्य नहीं हैं।
refused-owner-must-transfer = ग्रुप किसी और को सौंपे बिना ओनर नहीं जा सकते: पहले ग्रुप सौंपें।
refused-not-undoable = सिर्फ़ यह वापस लिया जा सकता है: किसी सदस्य ने किसी और को हटाया, बैन या म्यूट किया हो, उनकी भूमिका बदली हो, या उनका बैन या म्यूट हटाया हो।
refused-not-theirs-to-undo = इसे सिर्फ़ करने वाले या उनसे ऊपर की भूमिका वाले लोग वापस ले सकते हैं।
refused-not-theirs-to-remove = यह नोट सिर्फ़ लिखने वाले या उनसे ऊपर की भूमिका वाले लोग हटा सकते हैं।
refused-banned = आपको इस ग्रुप से बैन किया गया है।
refused-password = यह ग्रुप का पासवर्ड नहीं है।
refused-rights-changed = यह दिखाए जाने के बाद आपकी या इनकी भूमिका बदल गई है।
refused-changed-since-shown = इस बीच कुछ बदल गया है। फिर कोशिश करने से पहले देख लें।

## A field of a form that cannot be taken as it is

field-scope = कोई भूमिका चुनें।
field-end = { $n ->
    [one] समाप्ति का ऐसा समय चुनें जो { $count } दिन के भीतर हो।
   *[other] समाप्ति का ऐसा समय चुनें जो { $count } दिनों के भीतर हो।
}
field-ends = घंटों की संख्या या दिन में से एक ही दें।
field-long = { $n ->
    [one] यह टेक्स्ट बहुत लंबा है: ज़्यादा से ज़्यादा { $count } अक्षर।
   *[other] यह टेक्स्ट बहुत लंबा है: ज़्यादा से ज़्यादा { $count } अक्षर।
}
field-odd = इस टेक्स्ट में ऐसा अक्षर है जो दिखाया नहीं जा सकता। उसे हटाएँ या टेक्स्ट फिर से लिखें।

## Who changed it meanwhile, behind a refusal. $by is a name, $time a moment such as "2 May 2024, 14:03".

changed-scope-admin = { $by } ने { $name } को एडमिन बनाया ({ $time })।
changed-scope-moderator = { $by } ने { $name } को मॉडरेटर बनाया ({ $time })।
changed-scope-participant = { $by } ने { $name } को प्रतिभागी बनाया ({ $time })।
changed-owner = { $by } ने ग्रुप किसी और को सौंपा ({ $time })।
changed-kicked = { $by } ने { $name } को हटाया ({ $time })।
changed-banned = { $by } ने { $name } को बैन किया ({ $time })।
changed-muted = { $by } ने { $name } को म्यूट किया ({ $time })।
changed-unmuted = { $by } ने { $name } का म्यूट हटाया ({ $time })।
changed-left = { $name } ने ग्रुप छोड़ा ({ $time })।
the-host = सिस्टम
the-team = टीम

## Errors: a title, and what to do

error-not-found = नहीं मिला
error-not-found-hint = ऐसा कोई ग्रुप नहीं है, या आप उसे नहीं देख सकते।
error-not-a-member = सदस्य नहीं
error-not-allowed = अनुमति नहीं है
error-not-undone = वापस नहीं लिया गया
undo-too-late = वापस लेने के लिए बहुत देर हो चुकी है।
undo-overtaken = इस बीच कुछ और हुआ है, इसलिए कार्रवाई वापस नहीं ली गई।
error-not-any-more = अब संभव नहीं
error-owner-must-stay = ओनर नहीं जा सकते
error-banned = बैन
error-bad-request = यह अनुरोध पढ़ा नहीं जा सका
error-invalid = एक मान मान्य नहीं है
error-sign-in = कृपया साइन इन करें
error-sign-in-hint = इसके लिए व्यूअर टोकन चाहिए, Bearer के रूप में या सेशन कुकी में।
error-sign-in-again = कृपया फिर से साइन इन करें
error-token-expired = टोकन की समय-सीमा ख़त्म हो गई है।
error-signed-out = आपको हर जगह से साइन आउट कर दिया गया है।
error-too-large = बहुत बड़ा
error-too-large-hint = इस अनुरोध का डेटा बहुत बड़ा है।
error-too-fast = बहुत तेज़
error-too-fast-hint = { $n ->
    [one] { $count } सेकंड बाद फिर कोशिश करें।
   *[other] { $count } सेकंड बाद फिर कोशिश करें।
}
error-unavailable = अभी संभव नहीं
error-unavailable-hint = कुछ भी नहीं बदला है। थोड़ी देर में फिर कोशिश करें।
error-unsure = पता नहीं कि यह हुआ या नहीं
error-unsure-hint = समय पर जवाब नहीं मिला। फिर कोशिश करने से पहले देखें कि यह हुआ है या नहीं।
error-internal = हमारी तरफ़ से कोई गड़बड़ी है
error-internal-hint = इसकी सूचना देते समय यह नंबर बताएँ: { $number }

## Whole pages

page-back = वापस
page-members = सदस्य
page-not-a-member = आप इस ग्रुप के सदस्य नहीं हैं।
page-refused = संभव नहीं
group-join-password = पासवर्ड जानने वाला कोई भी जॉइन कर सकता है।
group-join = कोई भी जॉइन कर सकता है।
group-password = पासवर्ड
act-join = जॉइन करें

## Who is banned

bans-title = { $group } से बैन किए गए लोग
bans-search = बैन किए गए लोग खोजें
bans-none = किसी को बैन नहीं किया गया है
bans-no-reason = कोई वजह नहीं बताई गई।
bans-until = { $time } तक।
bans-forever = हटाए जाने तक।
bans-by = { $by } ने { $time } को बैन किया।
mutes-by = { $by } ने { $time } को म्यूट किया।
mutes-title = { $group } में म्यूट किए गए लोग
mutes-search = म्यूट किए गए लोग खोजें
mutes-none = किसी को म्यूट नहीं किया गया है
notes-label = नोट
notes-title = { $name } के बारे में नोट
notes-hint = इन्हें टीम में सिर्फ़ इस व्यक्ति से ऊपर की भूमिका वाले लोग पढ़ सकते हैं। इस व्यक्ति को इसकी सूचना नहीं मिलती।
notes-none = अभी कोई नोट नहीं
notes-count = नोट: { $count }
notes-by = { $by }, { $time }
notes-text = नोट
notes-missing = पहले नोट लिखें।
notes-full = इनके बारे में और नोट नहीं रखे जा सकते। पहले कोई एक हटाएँ।
notes-add = नोट जोड़ें
notes-remove = हटाएँ

## The feed of changes

feed-title = { $group } में बदलाव
feed-joined = { $name } ने ग्रुप जॉइन किया
feed-added = { $by } ने { $name } को जोड़ा
feed-left = { $name } ने ग्रुप छोड़ा
feed-kicked = { $by } ने { $name } को हटाया
feed-banned = { $by } ने { $name } को बैन किया
feed-unbanned = { $by } ने { $name } का बैन हटाया
feed-muted = { $by } ने { $name } को म्यूट किया
feed-unmuted = { $by } ने { $name } का म्यूट हटाया
feed-scope-admin = { $by } ने { $name } को एडमिन बनाया
feed-scope-moderator = { $by } ने { $name } को मॉडरेटर बनाया
feed-scope-participant = { $by } ने { $name } को प्रतिभागी बनाया
feed-owner = { $name } अब ग्रुप के ओनर हैं
feed-updated = { $name }: नया नाम या नई फ़ोटो
feed-note-added = { $by } ने { $name } के बारे में नोट जोड़ा
feed-note-removed = { $by } ने { $name } के बारे में एक नोट हटाया
feed-synced = सदस्यों की सूची सिस्टम से सिंक हुई
feed-group-created = ग्रुप बनाया गया
feed-group-updated = ग्रुप का नाम, फ़ोटो या विवरण बदला
feed-group-deleted = ग्रुप डिलीट कर दिया गया

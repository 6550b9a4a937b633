# Arabic. Everything the component says.

## Roles (scopes, to programs): what somebody is in a group

scope-owner = مالك
scope-admin = مسؤول
scope-moderator = مشرف
scope-participant = مشارك

## Headings over the people of one role

section-owner = المالك
section-admin = المسؤولون
section-moderator = المشرفون
section-participant = المشاركون

## Whether somebody is there

status-online = متصل
status-away = بعيد
status-offline = غير متصل

## The list

members-title = الأعضاء
members-search = البحث عن أعضاء
members-search-go = بحث
members-more = عرض المزيد
members-previous = الأسبق في القائمة
members-next = المزيد من الأعضاء
members-online = { $n ->
    [zero] لا أحد متصل
    [one] متصل واحد
    [two] متصلان
    [few] { $count } متصلين
    [many] { $count } متصلًا
   *[other] { $count } متصل
}
members-filter = تصفية
filter-all = الكل
filter-admins = المسؤولون
filter-moderators = المشرفون
filter-online = المتصلون
filter-joined = المنضمون خلال آخر ساعة
members-found = { $n ->
    [zero] لا نتائج
    [one] نتيجة واحدة
    [two] نتيجتان
    [few] { $count } نتائج
    [many] { $count } نتيجة
   *[other] { $count } نتيجة
}
members-bans-link = المحظورون
members-mutes-link = المكتومون
members-page = أعضاء { $group }

group-members = { $n ->
    [zero] لا أعضاء
    [one] عضو واحد
    [two] عضوان
    [few] { $count } أعضاء
    [many] { $count } عضوًا
   *[other] { $count } عضو
}

## A row

row-joined = تاريخ الانضمام: { $date }
row-you = أنت
row-own-menu = عضويتك
row-menu = إجراءات تخص { $name }
row-select = تحديد { $name }
row-selected = ضمن التحديد

## Nobody to show

empty-title = لا يوجد أعضاء
empty-hint = يظهر هنا كل من ينضم.
empty-search = لا نتائج عن «{ $search }»
empty-search-hint = جرّب جزءًا من الاسم، بأي أبجدية، بالتشكيل أو من دونه.
empty-online = لا أحد متصل
empty-online-hint = يظهر هنا كل من يصبح متصلًا.
empty-filter = لا أحد هنا
empty-filter-hint = لا يطابق أي عضو هذه التصفية حاليًا.
empty-clear = عرض الكل

## Live, and what stands in its way

live-on = مباشر
live-reconnecting = جارٍ إعادة الاتصال…
live-off = التحديث المباشر متوقف. أعد تحميل الصفحة لرؤية التغييرات.
presence-batched = تُحدَّث حالة الاتصال كل خمس ثوانٍ.
presence-counts = عدد المتصلين كبير، لذا لا يُعرض مباشرةً سوى عددهم.
members-failed = تعذر عرض الأعضاء.
request-failed = لم ينجح ذلك.
request-retry = إعادة المحاولة
held-changes = { $n ->
    [zero] لا تغييرات
    [one] تغيير واحد
    [two] تغييران
    [few] { $count } تغييرات
    [many] { $count } تغييرًا
   *[other] { $count } تغيير
}

## A spoken line about what changed lately: "3 joined, 1 left, Ana is now admin"

digest-joined = { $n ->
    [zero] لم ينضم أحد
    [one] انضم عضو واحد
    [two] انضم عضوان
    [few] انضم { $count } أعضاء
    [many] انضم { $count } عضوًا
   *[other] انضم { $count } عضو
}
digest-left = { $n ->
    [zero] لم يغادر أحد
    [one] غادر عضو واحد
    [two] غادر عضوان
    [few] غادر { $count } أعضاء
    [many] غادر { $count } عضوًا
   *[other] غادر { $count } عضو
}
digest-removed = { $n ->
    [zero] لم يُزَل أحد
    [one] أُزيل عضو واحد
    [two] أُزيل عضوان
    [few] أُزيل { $count } أعضاء
    [many] أُزيل { $count } عضوًا
   *[other] أُزيل { $count } عضو
}
digest-changed = { $n ->
    [zero] لم يتغير أي دور
    [one] تغيّر دور واحد
    [two] تغيّر دوران
    [few] تغيّرت { $count } أدوار
    [many] تغيّر { $count } دورًا
   *[other] تغيّر { $count } دور
}
digest-admin = دور { $name } الآن: مسؤول
digest-moderator = دور { $name } الآن: مشرف
digest-participant = دور { $name } الآن: مشارك
digest-owner = دور { $name } الآن: مالك

## Selecting people

selection-count = { $n ->
    [zero] لم يُحدَّد أحد
    [one] تم تحديد عضو واحد
    [two] تم تحديد عضوين
    [few] تم تحديد { $count } أعضاء
    [many] تم تحديد { $count } عضوًا
   *[other] تم تحديد { $count } عضو
}
selection-clear = إلغاء التحديد
selection-all = تحديد كل النتائج
selection-done = متابعة
selection-full = الحد الأقصى للتحديد: { $count }.
selection-first = تم تحديد أول { $count } من أصل { $all }.
selection-page = الأعضاء المحددون
selection-none = لم يُحدَّد أحد.
selection-choose = حدد شخصًا واحدًا على الأقل.
selection-fewer = هذا عدد كبير جدًا من الأشخاص دفعة واحدة. حدد عددًا أقل.
selection-gone = { $n ->
    [zero] لم يغادر أحد منهم.
    [one] واحد منهم لم يعد عضوًا.
    [two] اثنان منهم لم يعودا عضوين.
    [few] { $count } منهم لم يعودوا أعضاء.
    [many] { $count } منهم لم يعودوا أعضاء.
   *[other] { $count } منهم لم يعودوا أعضاء.
}

## When the viewer is out

ended-kicked = تمت إزالتك من هذه المجموعة
ended-kicked-hint = يمكنك العودة: انضم من جديد أو اطلب أن تُضاف.
ended-banned = تم حظرك من هذه المجموعة
ended-deleted = لم تعد هذه المجموعة موجودة
ended-deleted-hint = لم يعد أعضاؤها ظاهرين.
ended-left = لم تعد في هذه المجموعة
ended-left-hint = يمكنك العودة: انضم من جديد أو اطلب أن تُضاف.

## Out of the group, and at its door

left-title = غادرتَ { $group }
left-untold = غادرتَ المجموعة
left-ask = للعودة، اطلب أن تُضاف.
act-join-again = الانضمام من جديد
banned-until = لا يمكنك العودة قبل { $time }.
banned-for-good = الحظر دائم: لا يمكنك العودة ما لم يُلغَ.
muted-until = الكتم حتى { $time }
muted-you = لا يمكنك الكتابة في هذه المجموعة قبل { $time }.
scope-until = حتى { $time }
scope-you-admin = دورك حتى { $time }: مسؤول.
scope-you-moderator = دورك حتى { $time }: مشرف.
told = رسالة من الفريق: { $message }
group-password-missing = أدخل كلمة مرور المجموعة.
selection-back = تعديل التحديد

## Acts, in a menu

act-kick = إزالة
act-ban = حظر
act-unban = إلغاء الحظر
act-mute = كتم
act-unmute = إلغاء الكتم
act-scope = تغيير الدور
act-scope-own = التخلي عن الدور
act-transfer = نقل الملكية
act-leave = مغادرة المجموعة
act-cancel = إلغاء
act-close = إغلاق

## Acts, as forms: the question over the form

ask-kick = هل تريد إزالة { $name }؟
ask-ban = هل تريد حظر { $name }؟
ask-unban = هل تريد إلغاء حظر { $name }؟
ask-mute = هل تريد كتم { $name }؟
ask-unmute = هل تريد إلغاء كتم { $name }؟
ask-scope = تغيير دور { $name }
ask-scope-own = التخلي عن الدور
ask-transfer = هل تريد نقل ملكية المجموعة إلى { $name }؟
ask-leave = هل تريد مغادرة المجموعة؟

## Acts, as forms: what will happen

hint-kick = يخرج هذا العضو من المجموعة فورًا، ويمكنه العودة.
hint-ban = يخرج هذا العضو من المجموعة فورًا، ولا يمكنه العودة قبل انتهاء الحظر. يرى المشرفون والمسؤولون والمالك ما تكتبه للفريق.
hint-unban = يصبح الدخول متاحًا من جديد، لكن العضوية لا تعود تلقائيًا.
hint-mute = يبقى هذا العضو في المجموعة ولا يمكنه الكتابة قبل انتهاء الكتم. يرى المشرفون والمسؤولون والمالك ما تكتبه للفريق.
hint-unmute = يمكن لهذا العضو الكتابة من جديد فورًا.
hint-scope = تتغير صلاحيات هذا العضو فورًا، ويرى الجميع الدور الجديد.
hint-scope-own = تتخلى عن صلاحيات لا يعيدها إليك إلا من دوره أعلى من دورك.
hint-transfer = يتحكم هذا العضو بالمجموعة بالكامل، وتصبح أنت من المسؤولين. ولا يمكن لأحد غيره إعادة الملكية إليك.
hint-leave = تنتهي عضويتك. للعودة، انضم من جديد أو اطلب أن تُضاف.
hint-leave-alone = أنت العضو الوحيد. تبقى المجموعة، وتصبح ملكيتها للخادم.

## Acts, as forms: the button that does it

do-kick = إزالة { $name }
do-ban = حظر { $name }
do-unban = إلغاء حظر { $name }
do-mute = كتم { $name }
do-unmute = إلغاء كتم { $name }
do-scope = حفظ
do-transfer = نقل الملكية إلى { $name }
do-leave = مغادرة المجموعة

## The form of a ban

ban-reason = للفريق
ban-message = رسالة إلى الشخص
ban-for = المدة
ban-hour = ساعة واحدة
ban-day = يوم واحد
ban-week = 7 أيام
ban-forever = حتى إلغاء الحظر
for-minutes = 5 دقائق
for-other = موعد انتهاء آخر
for-hours = عدد الساعات
for-day = أو حتى نهاية اليوم المحدد (UTC)
scope-forever = حتى إشعار آخر
scope-end-now = إنهاء الدور الآن
scope-legend = الدور
batch-will-kick = { $n ->
    [zero] لن تتم إزالة أحد من المجموعة.
    [one] ستتم إزالة شخص واحد من المجموعة.
    [two] ستتم إزالة شخصين من المجموعة.
    [few] ستتم إزالة { $count } أشخاص من المجموعة.
    [many] ستتم إزالة { $count } شخصًا من المجموعة.
   *[other] ستتم إزالة { $count } شخص من المجموعة.
}
batch-will-ban = { $n ->
    [zero] لن يتم حظر أحد.
    [one] سيتم حظر شخص واحد.
    [two] سيتم حظر شخصين.
    [few] سيتم حظر { $count } أشخاص.
    [many] سيتم حظر { $count } شخصًا.
   *[other] سيتم حظر { $count } شخص.
}
batch-will-mute = { $n ->
    [zero] لن يتم كتم أحد.
    [one] سيتم كتم شخص واحد.
    [two] سيتم كتم شخصين.
    [few] سيتم كتم { $count } أشخاص.
    [many] سيتم كتم { $count } شخصًا.
   *[other] سيتم كتم { $count } شخص.
}
batch-will-scope = { $n ->
    [zero] لن يتم تغيير دور أحد.
    [one] سيتم تغيير دور شخص واحد.
    [two] سيتم تغيير دور شخصين.
    [few] سيتم تغيير دور { $count } أشخاص.
    [many] سيتم تغيير دور { $count } شخصًا.
   *[other] سيتم تغيير دور { $count } شخص.
}
batch-cannot = غير ممكن ({ $count }):
batch-unchanged = لا حاجة إلى تغيير
batch-refused-oneself = أنت
batch-refused-equal = دور مساوٍ لدورك
batch-refused-above = دور أعلى من دورك
batch-refused-grant = الدور الجديد أعلى من دورك
batch-refused-scope-ends = الدور الدائم ليس أدنى من الدور الجديد
batch-refused-not-a-member = خارج المجموعة
batch-refused-changed = تغيير في هذه الأثناء
batch-refused-too-late = مر وقت طويل
batch-refused-overtaken = تغيير آخر منذ ذلك الحين
batch-hint-kick = يخرج هؤلاء الأشخاص من المجموعة فورًا، ويمكنهم العودة.
batch-hint-ban = يخرج هؤلاء الأشخاص من المجموعة فورًا، ولا يمكنهم العودة قبل انتهاء الحظر. يرى المشرفون والمسؤولون والمالك ما تكتبه للفريق.
batch-hint-mute = يبقى هؤلاء الأشخاص في المجموعة ولا يمكنهم الكتابة قبل انتهاء الكتم. يرى المشرفون والمسؤولون والمالك ما تكتبه للفريق.
batch-hint-scope = تتغير صلاحيات هؤلاء الأشخاص فورًا، ويرى الجميع الدور الجديد.

## What came of an act, on a page without JavaScript

done-kick = تمت إزالة { $name } من المجموعة.
done-ban = تم حظر { $name }.
done-unban = تم إلغاء حظر { $name }.
done-mute = تم كتم { $name }.
done-unmute = تم إلغاء كتم { $name }.
done-scope = تم تغيير دور { $name }.
done-transfer = تم نقل ملكية المجموعة إلى { $name }.
done-undo = تم التراجع عن الإجراء المتخذ تجاه { $name }.
done-note-added = تمت إضافة ملاحظتك حول { $name }.
done-note-removed = تمت إزالة الملاحظة حول { $name }.
batch-done-kick = { $n ->
    [zero] لم تتم إزالة أحد من المجموعة.
    [one] تمت إزالة شخص واحد من المجموعة.
    [two] تمت إزالة شخصين من المجموعة.
    [few] تمت إزالة { $count } أشخاص من المجموعة.
    [many] تمت إزالة { $count } شخصًا من المجموعة.
   *[other] تمت إزالة { $count } شخص من المجموعة.
}
batch-done-ban = { $n ->
    [zero] لم يتم حظر أحد.
    [one] تم حظر شخص واحد.
    [two] تم حظر شخصين.
    [few] تم حظر { $count } أشخاص.
    [many] تم حظر { $count } شخصًا.
   *[other] تم حظر { $count } شخص.
}
batch-done-mute = { $n ->
    [zero] لم يتم كتم أحد.
    [one] تم كتم شخص واحد.
    [two] تم كتم شخصين.
    [few] تم كتم { $count } أشخاص.
    [many] تم كتم { $count } شخصًا.
   *[other] تم كتم { $count } شخص.
}
batch-done-scope = { $n ->
    [zero] لم يتم تغيير دور أحد.
    [one] تم تغيير دور شخص واحد.
    [two] تم تغيير دور شخصين.
    [few] تم تغيير دور { $count } أشخاص.
    [many] تم تغيير دور { $count } شخصًا.
   *[other] تم تغيير دور { $count } شخص.
}
batch-done-undo = { $n ->
    [zero] لم يتم التراجع عن أي إجراء.
    [one] تم التراجع عن الإجراء المتخذ تجاه شخص واحد.
    [two] تم التراجع عن الإجراء المتخذ تجاه شخصين.
    [few] تم التراجع عن الإجراء المتخذ تجاه { $count } أشخاص.
    [many] تم التراجع عن الإجراء المتخذ تجاه { $count } شخصًا.
   *[other] تم التراجع عن الإجراء المتخذ تجاه { $count } شخص.
}
undo-button = تراجع
undo-left = { $count } ث
done-join = أصبحت من الأعضاء.

## Why an act is refused

refused-participant = لا يمكن للمشاركين فعل ذلك مع أحد.
refused-oneself = هذا أنت.
refused-equal-owner = لا يمكنك فعل ذلك إلا مع من دوره أدنى من دورك، ودور هذا العضو مثل دورك: مالك.
refused-equal-admin = لا يمكنك فعل ذلك إلا مع من دوره أدنى من دورك، ودور هذا العضو مثل دورك: مسؤول.
refused-equal-moderator = لا يمكنك فعل ذلك إلا مع من دوره أدنى من دورك، ودور هذا العضو مثل دورك: مشرف.
refused-equal-participant = لا يمكنك فعل ذلك إلا مع من دوره أدنى من دورك، ودور هذا العضو مثل دورك: مشارك.
refused-above-owner = لا يمكنك فعل ذلك إلا مع من دوره أدنى من دورك، ودور هذا العضو أعلى من دورك: مالك.
refused-above-admin = لا يمكنك فعل ذلك إلا مع من دوره أدنى من دورك، ودور هذا العضو أعلى من دورك: مسؤول.
refused-above-moderator = لا يمكنك فعل ذلك إلا مع من دوره أدنى من دورك، ودور هذا العضو أعلى من دورك: مشرف.
refused-above-participant = لا يمكنك فعل ذلك إلا مع من دوره أدنى من دورك، ودور هذا العضو أعلى من دورك: مشارك.
refused-owner-only = لا يمكن لغير المالك نقل ملكية المجموعة.
refused-grant-owner = أعلى دور يمكنك منحه هو دورك: مالك.
refused-grant-admin = أعلى دور يمكنك منحه هو دورك: مسؤول.
refused-grant-moderator = أعلى دور يمكنك منحه هو دورك: مشرف.
refused-grant-participant = أعلى دور يمكنك منحه هو دورك: مشارك.
refused-self-ban = لا يمكنك حظر نفسك. إن أردت الخروج، فغادر المجموعة.
refused-self-mute = لا يمكنك كتم نفسك أو إلغاء كتمك.
refused-scope-ends = لا يمكن تحديد مدة لدور إلا إذا كان أعلى من الدور الدائم.
refused-not-a-member = ليس هذا الشخص من أعضاء المجموعة.
refused-owner-must-transfer = لا يمكن للمالك المغادرة قبل نقل ملكية المجموعة إلى غيره.
refused-not-undoable = لا يمكن التراجع إلا عن إزالة أو حظر أو كتم أو تغيير دور أو إلغاء حظر أو كتم، إذا اتخذ الإجراء عضو تجاه شخص آخر.
refused-not-theirs-to-undo = لا يحق التراجع عن هذا إلا لمن فعله أو لمن دوره أعلى منه.
refused-not-theirs-to-remove = لا تحق إزالة هذه الملاحظة إلا لمن كتبها أو لمن دوره أعلى منه.
refused-banned = تم حظرك من هذه المجموعة.
refused-password = ليست هذه كلمة مرور المجموعة.
refused-rights-changed = تغيّر دورك أو دور هذا العضو في هذه الأثناء.
refused-changed-since-shown = طرأ تغيير في هذه الأثناء. تحقق منه قبل أن تعيد المحاولة.

## A field of a form that cannot be taken as it is

field-scope = اختر دورًا.
field-end = { $n ->
    [zero] اختر موعد انتهاء خلال أقل من يوم.
    [one] اختر موعد انتهاء خلال يوم واحد.
    [two] اختر موعد انتهاء خلال يومين.
    [few] اختر موعد انتهاء خلال { $count } أيام.
    [many] اختر موعد انتهاء خلال { $count } يومًا.
   *[other] اختر موعد انتهاء خلال { $count } يوم.
}
field-ends = أدخل عدد الساعات أو يومًا، وليس كليهما.
field-long = { $n ->
    [zero] النص طويل جدًا: لا يُسمح بأي حرف.
    [one] النص طويل جدًا: حرف واحد كحد أقصى.
    [two] النص طويل جدًا: حرفان كحد أقصى.
    [few] النص طويل جدًا: { $count } أحرف كحد أقصى.
    [many] النص طويل جدًا: { $count } حرفًا كحد أقصى.
   *[other] النص طويل جدًا: { $count } حرف كحد أقصى.
}
field-odd = في النص حرف لا يمكن عرضه. احذفه أو أعد كتابة النص.

## Who changed it meanwhile, behind a refusal. $by is a name, $time a moment such as "2 May 2024, 14:03".

changed-scope-admin = تم تغيير دور { $name } إلى مسؤول بواسطة { $by } ({ $time }).
changed-scope-moderator = تم تغيير دور { $name } إلى مشرف بواسطة { $by } ({ $time }).
changed-scope-participant = تم تغيير دور { $name } إلى مشارك بواسطة { $by } ({ $time }).
changed-owner = تم نقل ملكية المجموعة بواسطة { $by } ({ $time }).
changed-kicked = تمت إزالة { $name } بواسطة { $by } ({ $time }).
changed-banned = تم حظر { $name } بواسطة { $by } ({ $time }).
changed-muted = تم كتم { $name } بواسطة { $by } ({ $time }).
changed-unmuted = تم إلغاء كتم { $name } بواسطة { $by } ({ $time }).
changed-left = مغادرة { $name } ({ $time }).
the-host = الخادم
the-team = الفريق

## Errors: a title, and what to do

error-not-found = غير موجود
error-not-found-hint = هذه المجموعة غير موجودة أو لا يمكنك رؤيتها.
error-not-a-member = ليس من الأعضاء
error-not-allowed = غير مسموح
error-not-undone = لم يتم التراجع
undo-too-late = مر وقت طويل، ولم يعد التراجع ممكنًا.
undo-overtaken = طرأ تغيير آخر منذ ذلك الحين، لذا لم يتم التراجع عن الإجراء.
error-not-any-more = لم يعد ذلك ممكنًا
error-owner-must-stay = على المالك البقاء
error-banned = محظور
error-bad-request = تعذرت قراءة هذا الطلب
error-invalid = توجد قيمة غير مسموح بها
error-sign-in = يُرجى تسجيل الدخول
error-sign-in-hint = يلزم رمز viewer، إما بصيغة bearer أو في ملف تعريف ارتباط الجلسة.
error-sign-in-again = يُرجى تسجيل الدخول من جديد
error-token-expired = انتهت صلاحية الرمز.
error-signed-out = تم تسجيل خروجك من جميع الأجهزة.
error-too-large = الحجم كبير جدًا
error-too-large-hint = محتوى هذا الطلب كبير جدًا.
error-too-fast = محاولات كثيرة جدًا
error-too-fast-hint = { $n ->
    [zero] أعد المحاولة الآن.
    [one] أعد المحاولة بعد ثانية واحدة.
    [two] أعد المحاولة بعد ثانيتين.
    [few] أعد المحاولة بعد { $count } ثوانٍ.
    [many] أعد المحاولة بعد { $count } ثانية.
   *[other] أعد المحاولة بعد { $count } ثانية.
}
error-unavailable = غير ممكن حاليًا
error-unavailable-hint = لم يتغير شيء. أعد المحاولة بعد قليل.
error-unsure = ربما تم التنفيذ وربما لا
error-unsure-hint = لم يصل الرد في الوقت المناسب. تحقق مما إذا تم التنفيذ قبل أن تعيد المحاولة.
error-internal = حدث خطأ لدينا
error-internal-hint = اذكر هذا الرقم عند الإبلاغ: { $number }

## Whole pages

page-back = رجوع
page-members = الأعضاء
page-not-a-member = لست من أعضاء هذه المجموعة.
page-refused = غير ممكن
group-join-password = الانضمام متاح لمن يعرف كلمة المرور.
group-join = الانضمام متاح للجميع.
group-password = كلمة المرور
act-join = انضمام

## Who is banned

bans-title = المحظورون من { $group }
bans-search = البحث في المحظورين
bans-none = لا أحد محظور
bans-no-reason = لم يُذكر سبب.
bans-until = حتى { $time }.
bans-forever = حتى إلغاء الحظر.
bans-by = الحظر بواسطة { $by }، { $time }.
mutes-by = الكتم بواسطة { $by }، { $time }.
mutes-title = المكتومون في { $group }
mutes-search = البحث في المكتومين
mutes-none = لا أحد مكتوم
notes-label = ملاحظات
notes-title = ملاحظات حول { $name }
notes-hint = لا يقرأ هذه الملاحظات إلا من دوره في الفريق أعلى من دور هذا الشخص، ولا يُبلَّغ هذا الشخص بها.
notes-none = لا ملاحظات بعد
notes-count = الملاحظات: { $count }
notes-by = { $by }، { $time }
notes-text = ملاحظة
notes-missing = اكتب الملاحظة أولًا.
notes-full = لا يمكن حفظ مزيد من الملاحظات حول هذا الشخص. أزل واحدة أولًا.
notes-add = إضافة ملاحظة
notes-remove = إزالة

## The feed of changes

feed-title = التغييرات في { $group }
feed-joined = انضمام { $name }
feed-added = إضافة { $name } بواسطة { $by }
feed-left = مغادرة { $name }
feed-kicked = إزالة { $name } بواسطة { $by }
feed-banned = حظر { $name } بواسطة { $by }
feed-unbanned = إلغاء حظر { $name } بواسطة { $by }
feed-muted = كتم { $name } بواسطة { $by }
feed-unmuted = إلغاء كتم { $name } بواسطة { $by }
feed-scope-admin = تغيير دور { $name } إلى مسؤول بواسطة { $by }
feed-scope-moderator = تغيير دور { $name } إلى مشرف بواسطة { $by }
feed-scope-participant = تغيير دور { $name } إلى مشارك بواسطة { $by }
feed-owner = انتقال ملكية المجموعة إلى { $name }
feed-updated = تحديث الاسم أو الصورة: { $name }
feed-note-added = إضافة ملاحظة حول { $name } بواسطة { $by }
feed-note-removed = إزالة ملاحظة حول { $name } بواسطة { $by }
feed-synced = تمت مزامنة الأعضاء مع الخادم
feed-group-created = تم إنشاء المجموعة
feed-group-updated = تغيّر اسم المجموعة أو صورتها أو وصفها
feed-group-deleted = تم حذف المجموعة

# Hebrew. Everything the component says; the hints for translators are in en-US.

## Roles (scopes, to programs): what somebody is in a group

scope-owner = בעלים
scope-admin = מנהל/ת
scope-moderator = מנחה
scope-participant = משתתף/ת

## Headings over the people of one role

section-owner = בעלים
section-admin = מנהלים
section-moderator = מנחים
section-participant = משתתפים

## Whether somebody is there

status-online = מחובר/ת
status-away = לא בסביבה
status-offline = לא מחובר/ת

## The list

members-title = חברי הקבוצה
members-search = חיפוש חברים
members-search-go = חיפוש
members-more = הצגת עוד
members-previous = קודמים ברשימה
members-next = חברים נוספים
members-online = { $n ->
    [one] { $count } מחובר/ת
    [two] { $count } מחוברים
   *[other] { $count } מחוברים
}
members-filter = סינון
filter-all = הכול
filter-admins = מנהלים
filter-moderators = מנחים
filter-online = מחוברים
filter-joined = הצטרפו בשעה האחרונה
members-found = { $n ->
    [one] נמצאה תוצאה אחת
    [two] נמצאו שתי תוצאות
   *[other] נמצאו { $count } תוצאות
}
members-bans-link = חסומים
members-mutes-link = מושתקים
members-page = חברי הקבוצה { $group }

group-members = { $n ->
    [one] חבר אחד
    [two] שני חברים
   *[other] { $count } חברים
}

## A row

row-joined = בקבוצה מאז { $date }
row-you = אני
row-own-menu = המקום שלי בקבוצה
row-menu = פעולות עבור { $name }
row-select = בחירת { $name }
row-selected = בבחירה

## Nobody to show

empty-title = אין כאן חברים עדיין
empty-hint = מי שיצטרפו לקבוצה יופיעו כאן.
empty-search = אין תוצאות עבור ”{ $search }”
empty-search-hint = אפשר לחפש חלק מהשם, בכל כתב, עם סימנים על האותיות או בלעדיהם.
empty-online = אף אחד לא מחובר
empty-online-hint = מי שיתחברו יופיעו כאן.
empty-filter = אין כאן אף אחד
empty-filter-hint = אף אחד לא מתאים לסינון הזה כרגע.
empty-clear = הצגת כולם

## Live, and what stands in its way

live-on = בזמן אמת
live-reconnecting = מתחבר מחדש…
live-off = לא מתעדכן. רעננו את הדף כדי לראות שינויים.
presence-batched = רשימת המחוברים מתעדכנת כל חמש שניות.
presence-counts = יש כל כך הרבה מחוברים, שרק המספר שלהם מתעדכן בזמן אמת.
members-failed = אי אפשר להציג את חברי הקבוצה.
request-failed = זה לא הצליח.
request-retry = ניסיון נוסף
held-changes = { $n ->
    [one] שינוי אחד
    [two] שני שינויים
   *[other] { $count } שינויים
}

## A spoken line about what changed lately: "3 joined, 1 left, Ana is now admin"

digest-joined = { $n ->
    [one] אדם אחד הצטרף
    [two] שני אנשים הצטרפו
   *[other] { $count } אנשים הצטרפו
}
digest-left = { $n ->
    [one] אדם אחד עזב
    [two] שני אנשים עזבו
   *[other] { $count } אנשים עזבו
}
digest-removed = { $n ->
    [one] אדם אחד הוסר
    [two] שני אנשים הוסרו
   *[other] { $count } אנשים הוסרו
}
digest-changed = { $n ->
    [one] תפקיד אחד השתנה
    [two] שני תפקידים השתנו
   *[other] { $count } תפקידים השתנו
}
digest-admin = { $name } עכשיו בתפקיד מנהל/ת
digest-moderator = { $name } עכשיו בתפקיד מנחה
digest-participant = { $name } עכשיו בתפקיד משתתף/ת
digest-owner = הבעלות עברה אל { $name }

## Selecting people

selection-count = { $n ->
    [one] נבחר { $count }
    [two] נבחרו { $count }
   *[other] נבחרו { $count }
}
selection-clear = ניקוי הבחירה
selection-all = בחירת כל התוצאות
selection-done = המשך
selection-full = אפשר לבחור עד { $count } אנשים.
selection-first = נבחרו { $count } הראשונים מתוך { $all }.
selection-page = האנשים שנבחרו
selection-none = לא נבחר אף אחד.
selection-choose = בחרו לפחות אדם אחד.
selection-fewer = אלה יותר מדי אנשים בבת אחת. בחרו פחות.
selection-gone = { $n ->
    [one] אחד מהם כבר לא בקבוצה.
    [two] שניים מהם כבר לא בקבוצה.
   *[other] { $count } מהם כבר לא בקבוצה.
}

## When the viewer is out

ended-kicked = הוסרתם מהקבוצה
ended-kicked-hint = אפשר לחזור: הצטרפו שוב או בקשו שיוסיפו אתכם.
ended-banned = נחסמתם בקבוצה הזאת
ended-deleted = הקבוצה כבר לא קיימת
ended-deleted-hint = החברים שלה לא מוצגים יותר.
ended-left = אתם כבר לא בקבוצה
ended-left-hint = אפשר לחזור: הצטרפו שוב או בקשו שיוסיפו אתכם.

## Out of the group, and at its door

left-title = עזבתם את { $group }
left-untold = עזבתם את הקבוצה
left-ask = כדי לחזור, בקשו שיוסיפו אתכם.
act-join-again = הצטרפות מחדש
banned-until = אי אפשר לחזור עד { $time }.
banned-for-good = החסימה ללא הגבלת זמן: אי אפשר לחזור אלא אם יבטלו אותה.
muted-until = השתקה עד { $time }
muted-you = אי אפשר לכתוב בקבוצה הזאת עד { $time }.
scope-until = עד { $time }
scope-you-admin = התפקיד שלכם עד { $time }: מנהל/ת.
scope-you-moderator = התפקיד שלכם עד { $time }: מנחה.
told = הודעה מהצוות: { $message }
group-password-missing = הזינו את הסיסמה של הקבוצה.
selection-back = שינוי הבחירה

## Acts, in a menu

act-kick = הסרה מהקבוצה
act-ban = חסימה
act-unban = ביטול החסימה
act-mute = השתקה
act-unmute = ביטול ההשתקה
act-scope = שינוי תפקיד
act-scope-own = ויתור על התפקיד שלי
act-transfer = העברת הבעלות
act-leave = עזיבת הקבוצה
act-cancel = ביטול
act-close = סגירה

## Acts, as forms: the question over the form

ask-kick = להסיר את { $name } מהקבוצה?
ask-ban = לחסום את { $name }?
ask-unban = לבטל את החסימה של { $name }?
ask-mute = להשתיק את { $name }?
ask-unmute = לבטל את ההשתקה של { $name }?
ask-scope = שינוי התפקיד של { $name }
ask-scope-own = ויתור על התפקיד שלי
ask-transfer = להעביר את הבעלות אל { $name }?
ask-leave = לעזוב את הקבוצה?

## Acts, as forms: what will happen

hint-kick = ההסרה מיידית. אפשר יהיה לחזור לקבוצה.
hint-ban = ההסרה מיידית, ואי אפשר יהיה לחזור עד שהחסימה תסתיים. המנחים, המנהלים והבעלים רואים את מה שנכתב לצוות.
hint-unban = אפשר יהיה להיכנס שוב לקבוצה, אבל ההצטרפות אינה אוטומטית.
hint-mute = נשארים בקבוצה, אבל אי אפשר יהיה לכתוב עד שההשתקה תסתיים. המנחים, המנהלים והבעלים רואים את מה שנכתב לצוות.
hint-unmute = אפשר יהיה לכתוב שוב מיד.
hint-scope = ההרשאות משתנות מיד, וכולם רואים את התפקיד החדש.
hint-scope-own = אתם מוותרים על הרשאות. רק מי שתפקידו גבוה משלכם יכול להחזיר אותן.
hint-transfer = השליטה המלאה בקבוצה תעבור לבעלים החדשים, ואתם תעברו לתפקיד מנהל/ת. רק הבעלים החדשים יוכלו להחזיר אותה.
hint-leave = כבר לא תהיו בקבוצה. כדי לחזור, הצטרפו שוב או בקשו שיוסיפו אתכם.
hint-leave-alone = אין בקבוצה אף אחד אחר. הקבוצה נשארת ועוברת לבעלות המערכת.

## Acts, as forms: the button that does it

do-kick = הסרת { $name }
do-ban = חסימת { $name }
do-unban = ביטול החסימה של { $name }
do-mute = השתקת { $name }
do-unmute = ביטול ההשתקה של { $name }
do-scope = שמירה
do-transfer = העברת הבעלות אל { $name }
do-leave = עזיבת הקבוצה

## The form of a ban

ban-reason = לצוות
ban-message = הודעה אישית
ban-for = משך
ban-hour = שעה אחת
ban-day = יום אחד
ban-week = 7 ימים
ban-forever = עד לביטול
for-minutes = 5 דקות
for-other = מועד סיום אחר
for-hours = מספר השעות
for-day = או עד סוף היום שנבחר (UTC)
scope-forever = עד לשינוי
scope-end-now = סיום התפקיד עכשיו
scope-legend = תפקיד
batch-will-kick = { $n ->
    [one] אדם אחד יוסר מהקבוצה.
    [two] שני אנשים יוסרו מהקבוצה.
   *[other] { $count } אנשים יוסרו מהקבוצה.
}
batch-will-ban = { $n ->
    [one] אדם אחד ייחסם.
    [two] שני אנשים ייחסמו.
   *[other] { $count } אנשים ייחסמו.
}
batch-will-mute = { $n ->
    [one] אדם אחד יושתק.
    [two] שני אנשים יושתקו.
   *[other] { $count } אנשים יושתקו.
}
batch-will-scope = { $n ->
    [one] אדם אחד יקבל את התפקיד החדש.
    [two] שני אנשים יקבלו את התפקיד החדש.
   *[other] { $count } אנשים יקבלו את התפקיד החדש.
}
batch-cannot = לא אפשרי ({ $count }):
batch-unchanged = אין מה לשנות
batch-refused-oneself = אתם
batch-refused-equal = תפקיד זהה לשלכם
batch-refused-above = תפקיד גבוה משלכם
batch-refused-grant = תפקיד חדש גבוה משלכם
batch-refused-scope-ends = התפקיד הקבוע אינו נמוך מהחדש
batch-refused-not-a-member = לא בקבוצה
batch-refused-changed = שינוי בינתיים
batch-refused-too-late = עבר זמן רב מדי
batch-refused-overtaken = שינוי נוסף מאז
batch-hint-kick = ההסרה מיידית. אפשר יהיה לחזור לקבוצה.
batch-hint-ban = ההסרה מיידית, ואי אפשר יהיה לחזור עד שהחסימה תסתיים. המנחים, המנהלים והבעלים רואים את מה שנכתב לצוות.
batch-hint-mute = נשארים בקבוצה, אבל אי אפשר יהיה לכתוב עד שההשתקה תסתיים. המנחים, המנהלים והבעלים רואים את מה שנכתב לצוות.
batch-hint-scope = ההרשאות משתנות מיד, וכולם רואים את התפקיד החדש.

## What came of an act, on a page without JavaScript

done-kick = הסרתם את { $name } מהקבוצה.
done-ban = חסמתם את { $name }.
done-unban = ביטלתם את החסימה של { $name }.
done-mute = השתקתם את { $name }.
done-unmute = ביטלתם את ההשתקה של { $name }.
done-scope = התפקיד של { $name } השתנה.
done-transfer = הבעלות על הקבוצה עברה אל { $name }.
done-undo = הפעולה לגבי { $name } בוטלה.
done-note-added = ההערה שלכם על { $name } נוספה.
done-note-removed = ההערה על { $name } הוסרה.
batch-done-kick = { $n ->
    [one] הסרתם אדם אחד מהקבוצה.
    [two] הסרתם שני אנשים מהקבוצה.
   *[other] הסרתם { $count } אנשים מהקבוצה.
}
batch-done-ban = { $n ->
    [one] חסמתם אדם אחד.
    [two] חסמתם שני אנשים.
   *[other] חסמתם { $count } אנשים.
}
batch-done-mute = { $n ->
    [one] השתקתם אדם אחד.
    [two] השתקתם שני אנשים.
   *[other] השתקתם { $count } אנשים.
}
batch-done-scope = { $n ->
    [one] התפקיד של אדם אחד השתנה.
    [two] התפקיד של שני אנשים השתנה.
   *[other] התפקיד של { $count } אנשים השתנה.
}
batch-done-undo = { $n ->
    [one] הפעולה לגבי אדם אחד בוטלה.
    [two] הפעולה לגבי שני אנשים בוטלה.
   *[other] הפעולה לגבי { $count } אנשים בוטלה.
}
undo-button = ביטול הפעולה
undo-left = { $count } שנ׳
done-join = הצטרפתם לקבוצה.

## Why an act is refused

refused-participant = משתתפים לא יכולים לעשות את זה לאף אחד.
refused-oneself = זה אתם.
refused-equal-owner = אפשר לעשות את זה רק למי שתפקידו נמוך משלכם, וכאן לשניכם אותו תפקיד: בעלים.
refused-equal-admin = אפשר לעשות את זה רק למי שתפקידו נמוך משלכם, וכאן לשניכם אותו תפקיד: מנהל/ת.
refused-equal-moderator = אפשר לעשות את זה רק למי שתפקידו נמוך משלכם, וכאן לשניכם אותו תפקיד: מנחה.
refused-equal-participant = אפשר לעשות את זה רק למי שתפקידו נמוך משלכם, וכאן לשניכם אותו תפקיד: משתתף/ת.
refused-above-owner = אפשר לעשות את זה רק למי שתפקידו נמוך משלכם, וכאן התפקיד גבוה משלכם: בעלים.
refused-above-admin = אפשר לעשות את זה רק למי שתפקידו נמוך משלכם, וכאן התפקיד גבוה משלכם: מנהל/ת.
refused-above-moderator = אפשר לעשות את זה רק למי שתפקידו נמוך משלכם, וכאן התפקיד גבוה משלכם: מנחה.
refused-above-participant = אפשר לעשות את זה רק למי שתפקידו נמוך משלכם, וכאן התפקיד גבוה משלכם: משתתף/ת.
refused-owner-only = רק הבעלים יכולים להעביר את הבעלות על הקבוצה.
refused-grant-owner = התפקיד הגבוה ביותר שאפשר לתת הוא שלכם: בעלים.
refused-grant-admin = התפקיד הגבוה ביותר שאפשר לתת הוא שלכם: מנהל/ת.
refused-grant-moderator = התפקיד הגבוה ביותר שאפשר לתת הוא שלכם: מנחה.
refused-grant-participant = התפקיד הגבוה ביותר שאפשר לתת הוא שלכם: משתתף/ת.
refused-self-ban = אי אפשר לחסום את עצמכם. כדי לצאת, עזבו את הקבוצה.
refused-self-mute = אי אפשר להשתיק את עצמכם או לבטל את ההשתקה שלכם.
refused-scope-ends = אפשר להגביל בזמן רק תפקיד שגבוה מהתפקיד הקבוע.
refused-not-a-member = אין אדם כזה בקבוצה.
refused-owner-must-transfer = הבעלים לא יכולים לצאת לפני שהקבוצה עוברת לידיים אחרות: קודם העבירו אותה.
refused-not-undoable = אפשר לבטל רק הסרה, חסימה, השתקה, שינוי תפקיד או ביטול של חסימה או השתקה, ורק כשהפעולה נעשתה על ידי מישהו מהקבוצה כלפי אדם אחר.
refused-not-theirs-to-undo = רק מי שביצע את הפעולה, או מי שתפקידו גבוה יותר, יכול לבטל אותה.
refused-not-theirs-to-remove = רק מי שכתב את ההערה הזאת, או מי שתפקידו גבוה יותר, יכול להסיר אותה.
refused-banned = נחסמתם בקבוצה הזאת.
refused-password = זאת לא הסיסמה של הקבוצה.
refused-rights-changed = התפקיד שלכם או של הצד השני השתנה מאז שהעמוד הוצג.
refused-changed-since-shown = משהו השתנה בינתיים. בדקו לפני שתנסו שוב.

## A field of a form that cannot be taken as it is

field-scope = בחרו תפקיד.
field-end = { $n ->
    [one] בחרו מועד סיום בתוך יום אחד.
    [two] בחרו מועד סיום בתוך יומיים.
   *[other] בחרו מועד סיום בתוך { $count } ימים.
}
field-ends = ציינו מספר שעות או יום, לא את שניהם.
field-long = { $n ->
    [one] הטקסט ארוך מדי: תו אחד לכל היותר.
    [two] הטקסט ארוך מדי: שני תווים לכל היותר.
   *[other] הטקסט ארוך מדי: { $count } תווים לכל היותר.
}
field-odd = יש בטקסט תו שאי אפשר להציג. הסירו אותו או כתבו את הטקסט מחדש.

## Who changed it meanwhile, behind a refusal. $by is a name, $time a moment such as "2 May 2024, 14:03".

changed-scope-admin = התפקיד של { $name } שונה למנהל/ת על ידי { $by } ({ $time }).
changed-scope-moderator = התפקיד של { $name } שונה למנחה על ידי { $by } ({ $time }).
changed-scope-participant = התפקיד של { $name } שונה למשתתף/ת על ידי { $by } ({ $time }).
changed-owner = הקבוצה הועברה לבעלים חדשים על ידי { $by } ({ $time }).
changed-kicked = { $name }: הסרה מהקבוצה על ידי { $by } ({ $time }).
changed-banned = { $name }: חסימה על ידי { $by } ({ $time }).
changed-muted = { $name }: השתקה על ידי { $by } ({ $time }).
changed-unmuted = { $name }: ביטול ההשתקה על ידי { $by } ({ $time }).
changed-left = { $name }: עזיבת הקבוצה ({ $time }).
the-host = המערכת
the-team = הצוות

## Errors: a title, and what to do

error-not-found = לא נמצא
error-not-found-hint = אין קבוצה כזאת, או שאין לכם גישה אליה.
error-not-a-member = לא בקבוצה
error-not-allowed = אין הרשאה
error-not-undone = הפעולה לא בוטלה
undo-too-late = עבר זמן רב מדי, ואי אפשר לבטל.
undo-overtaken = מאז קרה משהו נוסף, ולכן הפעולה לא בוטלה.
error-not-any-more = כבר לא אפשרי
error-owner-must-stay = הבעלים לא יכולים לצאת
error-banned = חסימה
error-bad-request = אי אפשר לקרוא את הבקשה
error-invalid = ערך לא חוקי
error-sign-in = צריך להתחבר
error-sign-in-hint = נדרש אסימון צפייה, כ־Bearer או בקובץ ה־cookie של ההפעלה.
error-sign-in-again = צריך להתחבר שוב
error-token-expired = תוקף האסימון פג.
error-signed-out = נותקתם מכל המכשירים.
error-too-large = גדול מדי
error-too-large-hint = גוף הבקשה גדול מדי.
error-too-fast = מהר מדי
error-too-fast-hint = { $n ->
    [one] נסו שוב בעוד שנייה.
    [two] נסו שוב בעוד שתי שניות.
   *[other] נסו שוב בעוד { $count } שניות.
}
error-unavailable = לא אפשרי כרגע
error-unavailable-hint = שום דבר לא השתנה. נסו שוב עוד רגע.
error-unsure = לא ידוע אם זה בוצע
error-unsure-hint = לא הגיעה תשובה בזמן. בדקו אם זה בוצע לפני שתנסו שוב.
error-internal = משהו השתבש אצלנו
error-internal-hint = כשתדווחו על זה, ציינו את המספר: { $number }

## Whole pages

page-back = חזרה
page-members = חברי הקבוצה
page-not-a-member = אתם לא בקבוצה הזאת.
page-refused = לא אפשרי
group-join-password = אפשר להצטרף עם הסיסמה.
group-join = ההצטרפות פתוחה לכולם.
group-password = סיסמה
act-join = הצטרפות

## Who is banned

bans-title = חסומים בקבוצה { $group }
bans-search = חיפוש חסומים
bans-none = אין חסומים
bans-no-reason = לא צוינה סיבה.
bans-until = עד { $time }.
bans-forever = עד לביטול.
bans-by = על ידי { $by }, { $time }.
mutes-by = על ידי { $by }, { $time }.
mutes-title = מושתקים בקבוצה { $group }
mutes-search = חיפוש מושתקים
mutes-none = אין מושתקים
notes-label = הערות
notes-title = הערות על { $name }
notes-hint = רק חברי צוות שתפקידם גבוה משל האדם הזה יכולים לקרוא את ההערות. לאדם עצמו לא נמסר עליהן דבר.
notes-none = אין עדיין הערות
notes-count = הערות: { $count }
notes-by = { $by }, { $time }
notes-text = הערה
notes-missing = קודם כתבו את ההערה.
notes-full = אי אפשר לשמור עוד הערות על האדם הזה. קודם הסירו אחת.
notes-add = הוספת הערה
notes-remove = הסרה

## The feed of changes

feed-title = שינויים בקבוצה { $group }
feed-joined = { $name }: הצטרפות לקבוצה
feed-added = { $name }: הוספה לקבוצה על ידי { $by }
feed-left = { $name }: עזיבת הקבוצה
feed-kicked = { $name }: הסרה מהקבוצה על ידי { $by }
feed-banned = { $name }: חסימה על ידי { $by }
feed-unbanned = { $name }: ביטול החסימה על ידי { $by }
feed-muted = { $name }: השתקה על ידי { $by }
feed-unmuted = { $name }: ביטול ההשתקה על ידי { $by }
feed-scope-admin = התפקיד של { $name } שונה למנהל/ת על ידי { $by }
feed-scope-moderator = התפקיד של { $name } שונה למנחה על ידי { $by }
feed-scope-participant = התפקיד של { $name } שונה למשתתף/ת על ידי { $by }
feed-owner = הבעלות על הקבוצה עברה אל { $name }
feed-updated = { $name }: שם או תמונה חדשים
feed-note-added = { $name }: נוספה הערה על ידי { $by }
feed-note-removed = { $name }: הוסרה הערה על ידי { $by }
feed-synced = רשימת החברים סונכרנה עם המערכת
feed-group-created = הקבוצה נוצרה
feed-group-updated = השם, התמונה או התיאור של הקבוצה השתנו
feed-group-deleted = הקבוצה נמחקה

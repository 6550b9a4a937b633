# Russian. Everything the component says; the hints for translators are in en-US.

## Roles (scopes, to programs): what somebody is in a group

scope-owner = Владелец
scope-admin = Администратор
scope-moderator = Модератор
scope-participant = Обычный участник

## Headings over the people of one role

section-owner = Владелец
section-admin = Администраторы
section-moderator = Модераторы
section-participant = Обычные участники

## Whether somebody is there

status-online = В сети
status-away = Нет на месте
status-offline = Не в сети

## The list

members-title = Участники
members-search = Поиск участников
members-search-go = Найти
members-more = Показать ещё
members-previous = Выше в списке
members-next = Ещё участники
members-online = { $n ->
    [one] { $count } в сети
    [few] { $count } в сети
    [many] { $count } в сети
   *[other] { $count } в сети
}
members-filter = Фильтр
filter-all = Все
filter-admins = Администраторы
filter-moderators = Модераторы
filter-online = В сети
filter-joined = Вступили за последний час
members-found = { $n ->
    [one] Найден { $count } человек
    [few] Найдено { $count } человека
    [many] Найдено { $count } человек
   *[other] Найдено { $count } человека
}
members-bans-link = Заблокированные
members-mutes-link = Не могут писать
members-page = Участники группы «{ $group }»

group-members = { $n ->
    [one] { $count } участник
    [few] { $count } участника
    [many] { $count } участников
   *[other] { $count } участника
}

## A row

row-joined = В группе с { $date }
row-you = вы
row-own-menu = Ваше участие в группе
row-menu = Действия: { $name }
row-select = Выбрать пользователя { $name }
row-selected = выбрано

## Nobody to show

empty-title = Участников нет
empty-hint = Здесь появятся те, кто вступит в группу.
empty-search = По запросу «{ $search }» никого нет
empty-search-hint = Введите часть имени — любым алфавитом, с диакритикой или без.
empty-online = Никого нет в сети
empty-online-hint = Здесь появятся те, кто выйдет в сеть.
empty-filter = Здесь никого нет
empty-filter-hint = Сейчас под этот фильтр никто не подходит.
empty-clear = Показать всех

## Live, and what stands in its way

live-on = Обновляется
live-reconnecting = Переподключение…
live-off = Не обновляется. Перезагрузите страницу, чтобы увидеть изменения.
presence-batched = Статус «в сети» обновляется каждые пять секунд.
presence-counts = В сети так много людей, что обновляется только их число.
members-failed = Не удалось показать участников.
request-failed = Не получилось.
request-retry = Повторить
held-changes = { $n ->
    [one] { $count } изменение
    [few] { $count } изменения
    [many] { $count } изменений
   *[other] { $count } изменения
}

## A spoken line about what changed lately: "3 joined, 1 left, Ana is now admin"

digest-joined = { $n ->
    [one] { $count } человек вступил
    [few] { $count } человека вступили
    [many] { $count } человек вступило
   *[other] { $count } человека вступили
}
digest-left = { $n ->
    [one] { $count } человек вышел
    [few] { $count } человека вышли
    [many] { $count } человек вышло
   *[other] { $count } человека вышли
}
digest-removed = { $n ->
    [one] { $count } человек исключён
    [few] { $count } человека исключены
    [many] { $count } человек исключено
   *[other] { $count } человека исключены
}
digest-changed = { $n ->
    [one] { $count } роль изменена
    [few] { $count } роли изменены
    [many] { $count } ролей изменено
   *[other] { $count } роли изменены
}
digest-admin = { $name } теперь администратор
digest-moderator = { $name } теперь модератор
digest-participant = { $name } теперь обычный участник
digest-owner = { $name } теперь владелец

## Selecting people

selection-count = { $n ->
    [one] Выбран { $count } человек
    [few] Выбрано { $count } человека
    [many] Выбрано { $count } человек
   *[other] Выбрано { $count } человека
}
selection-clear = Снять выбор
selection-all = Выбрать всех найденных
selection-done = Продолжить
selection-full = Больше выбрать нельзя, предел — { $count }.
selection-first = Выбраны первые { $count } из { $all }.
selection-page = Выбранные участники
selection-none = Никто не выбран.
selection-choose = Выберите хотя бы одного человека.
selection-fewer = Слишком много людей за один раз. Выберите меньше.
selection-gone = { $n ->
    [one] { $count } из них больше не в группе.
    [few] { $count } из них больше не в группе.
    [many] { $count } из них больше не в группе.
   *[other] { $count } из них больше не в группе.
}

## When the viewer is out

ended-kicked = Вас исключили из этой группы
ended-kicked-hint = Вы можете вернуться: вступите снова или попросите, чтобы вас добавили.
ended-banned = Вас заблокировали в этой группе
ended-deleted = Этой группы больше нет
ended-deleted-hint = Её участники больше не показываются.
ended-left = Вы больше не в этой группе
ended-left-hint = Вы можете вернуться: вступите снова или попросите, чтобы вас добавили.

## Out of the group, and at its door

left-title = Вы вышли из группы «{ $group }»
left-untold = Вы вышли из группы
left-ask = Чтобы вернуться, попросите, чтобы вас добавили.
act-join-again = Вступить снова
banned-until = Вернуться можно будет после { $time }.
banned-for-good = Блокировка бессрочная: вернуться можно будет, только если её снимут.
muted-until = Не может писать до { $time }
muted-you = Писать в эту группу можно будет после { $time }.
scope-until = До { $time }
scope-you-admin = Вы администратор до { $time }.
scope-you-moderator = Вы модератор до { $time }.
told = Сообщение от команды: { $message }
group-password-missing = Введите пароль группы.
selection-back = Изменить выбор

## Acts, in a menu

act-kick = Исключить
act-ban = Заблокировать
act-unban = Разблокировать
act-mute = Запретить писать
act-unmute = Разрешить писать
act-scope = Изменить роль
act-scope-own = Понизить свою роль
act-transfer = Передать группу
act-leave = Выйти из группы
act-cancel = Отмена
act-close = Закрыть

## Acts, as forms: the question over the form

ask-kick = Исключить пользователя { $name }?
ask-ban = Заблокировать пользователя { $name }?
ask-unban = Разблокировать пользователя { $name }?
ask-mute = Запретить пользователю { $name } писать?
ask-unmute = Разрешить пользователю { $name } писать?
ask-scope = Изменить роль пользователя { $name }
ask-scope-own = Понизить свою роль
ask-transfer = Передать группу пользователю { $name }?
ask-leave = Выйти из группы?

## Acts, as forms: what will happen

hint-kick = Человек сразу покинет группу, но сможет вернуться.
hint-ban = Человек сразу покинет группу и не сможет вернуться до конца блокировки. То, что написано для команды, видят модераторы, администраторы и владелец.
hint-unban = Человек снова сможет войти в группу, но автоматически в неё не вернётся.
hint-mute = Человек останется в группе, но не сможет писать до конца запрета. То, что написано для команды, видят модераторы, администраторы и владелец.
hint-unmute = Человек сразу снова сможет писать.
hint-scope = Права изменятся сразу. Новую роль увидят все.
hint-scope-own = Вы отказываетесь от прав. Вернуть их сможет только тот, кто выше вас.
hint-transfer = Новый владелец получит полный контроль над группой, а вы станете администратором. Вернуть вам группу сможет только новый владелец.
hint-leave = Вы больше не будете в группе. Чтобы вернуться, вступите снова или попросите, чтобы вас добавили.
hint-leave-alone = Кроме вас, в группе никого нет. Группа останется и перейдёт системе.

## Acts, as forms: the button that does it

do-kick = Исключить пользователя { $name }
do-ban = Заблокировать пользователя { $name }
do-unban = Разблокировать пользователя { $name }
do-mute = Запретить пользователю { $name } писать
do-unmute = Разрешить пользователю { $name } писать
do-scope = Сохранить
do-transfer = Передать группу пользователю { $name }
do-leave = Выйти из группы

## The form of a ban

ban-reason = Для команды
ban-message = Сообщение участнику
ban-for = Срок
ban-hour = 1 час
ban-day = 1 день
ban-week = 7 дней
ban-forever = До отмены
for-minutes = 5 минут
for-other = Другой срок
for-hours = Число часов
for-day = Или до конца выбранного дня (UTC)
scope-forever = До отмены
scope-end-now = Снять роль сейчас
scope-legend = Роль
batch-will-kick = { $n ->
    [one] Из группы будет исключён { $count } человек.
    [few] Из группы будут исключены { $count } человека.
    [many] Из группы будет исключено { $count } человек.
   *[other] Из группы будет исключено { $count } человека.
}
batch-will-ban = { $n ->
    [one] Будет заблокирован { $count } человек.
    [few] Будут заблокированы { $count } человека.
    [many] Будет заблокировано { $count } человек.
   *[other] Будет заблокировано { $count } человека.
}
batch-will-mute = { $n ->
    [one] { $count } человек не сможет писать.
    [few] { $count } человека не смогут писать.
    [many] { $count } человек не смогут писать.
   *[other] { $count } человека не смогут писать.
}
batch-will-scope = { $n ->
    [one] Новую роль получит { $count } человек.
    [few] Новую роль получат { $count } человека.
    [many] Новую роль получат { $count } человек.
   *[other] Новую роль получат { $count } человека.
}
batch-cannot = Невозможно ({ $count }):
batch-unchanged = Изменений не требуется
batch-refused-oneself = Вы
batch-refused-equal = Та же роль, что у вас
batch-refused-above = Роль выше вашей
batch-refused-grant = Новая роль выше вашей
batch-refused-scope-ends = Постоянная роль не ниже новой
batch-refused-not-a-member = Нет в группе
batch-refused-changed = Изменения за это время
batch-refused-too-late = Прошло слишком много времени
batch-refused-overtaken = Новые изменения с тех пор
batch-hint-kick = Эти люди сразу покинут группу, но смогут вернуться.
batch-hint-ban = Эти люди сразу покинут группу и не смогут вернуться до конца блокировки. То, что написано для команды, видят модераторы, администраторы и владелец.
batch-hint-mute = Эти люди останутся в группе, но не смогут писать до конца запрета. То, что написано для команды, видят модераторы, администраторы и владелец.
batch-hint-scope = Права этих людей изменятся сразу. Новую роль увидят все.

## What came of an act, on a page without JavaScript

done-kick = Вы исключили пользователя { $name } из группы.
done-ban = Вы заблокировали пользователя { $name }.
done-unban = { $name } снова может войти в группу.
done-mute = { $name } пока не может писать.
done-unmute = { $name } снова может писать.
done-scope = У пользователя { $name } теперь другая роль.
done-transfer = { $name } теперь владелец группы.
done-undo = Действие в отношении пользователя { $name } отменено.
done-note-added = Ваша заметка о пользователе { $name } добавлена.
done-note-removed = Заметка о пользователе { $name } удалена.
batch-done-kick = { $n ->
    [one] Вы исключили из группы { $count } человека.
    [few] Вы исключили из группы { $count } человек.
    [many] Вы исключили из группы { $count } человек.
   *[other] Вы исключили из группы { $count } человека.
}
batch-done-ban = { $n ->
    [one] Вы заблокировали { $count } человека.
    [few] Вы заблокировали { $count } человек.
    [many] Вы заблокировали { $count } человек.
   *[other] Вы заблокировали { $count } человека.
}
batch-done-mute = { $n ->
    [one] { $count } человек пока не может писать.
    [few] { $count } человека пока не могут писать.
    [many] { $count } человек пока не могут писать.
   *[other] { $count } человека пока не могут писать.
}
batch-done-scope = { $n ->
    [one] У { $count } человека теперь другая роль.
    [few] У { $count } человек теперь другая роль.
    [many] У { $count } человек теперь другая роль.
   *[other] У { $count } человека теперь другая роль.
}
batch-done-undo = { $n ->
    [one] Действие в отношении { $count } человека отменено.
    [few] Действие в отношении { $count } человек отменено.
    [many] Действие в отношении { $count } человек отменено.
   *[other] Действие в отношении { $count } человека отменено.
}
undo-button = Отменить действие
undo-left = { $count } с
done-join = Теперь вы в группе.

## Why an act is refused

refused-participant = Обычные участники не могут этого делать.
refused-oneself = Это вы.
refused-equal-owner = Это можно делать только с теми, кто ниже вас, а роль у вас одна и та же: владелец.
refused-equal-admin = Это можно делать только с теми, кто ниже вас, а роль у вас одна и та же: администратор.
refused-equal-moderator = Это можно делать только с теми, кто ниже вас, а роль у вас одна и та же: модератор.
refused-equal-participant = Это можно делать только с теми, кто ниже вас, а роль у вас одна и та же: обычный участник.
refused-above-owner = Это можно делать только с теми, кто ниже вас, а у этого человека роль выше вашей: владелец.
refused-above-admin = Это можно делать только с теми, кто ниже вас, а у этого человека роль выше вашей: администратор.
refused-above-moderator = Это можно делать только с теми, кто ниже вас, а у этого человека роль выше вашей: модератор.
refused-above-participant = Это можно делать только с теми, кто ниже вас, а у этого человека роль выше вашей: обычный участник.
refused-owner-only = Передать группу может только владелец.
refused-grant-owner = Нельзя дать роль выше своей. Ваша роль: владелец.
refused-grant-admin = Нельзя дать роль выше своей. Ваша роль: администратор.
refused-grant-moderator = Нельзя дать роль выше своей. Ваша роль: модератор.
refused-grant-participant = Нельзя дать роль выше своей. Ваша роль: обычный участник.
refused-self-ban = Нельзя заблокировать себя. Чтобы уйти, выйдите из группы.
refused-self-mute = Нельзя запретить писать себе или снять с себя такой запрет.
refused-scope-ends = Срок можно задать только для роли выше той, что останется после неё.
refused-not-a-member = Этого человека нет в группе.
refused-owner-must-transfer = Владелец не может уйти, пока не передаст группу: сначала сделайте это.
refused-not-undoable = Отменить можно только исключение, блокировку, запрет писать, изменение роли, разблокировку или разрешение писать, и только если это сделал участник в отношении другого человека.
refused-not-theirs-to-undo = Отменить это может только тот, кто это сделал, или тот, чья роль выше.
refused-not-theirs-to-remove = Удалить эту заметку может только её автор или тот, чья роль выше.
refused-banned = Вас заблокировали в этой группе.
refused-password = Это не пароль группы.
refused-rights-changed = Пока это было на экране, ваша роль или роль этого человека изменилась.
refused-changed-since-shown = Пока это было на экране, ситуация изменилась. Проверьте, прежде чем повторить.

## A field of a form that cannot be taken as it is

field-scope = Выберите роль.
field-end = { $n ->
    [one] Выберите срок в пределах { $count } дня.
    [few] Выберите срок в пределах { $count } дней.
    [many] Выберите срок в пределах { $count } дней.
   *[other] Выберите срок в пределах { $count } дня.
}
field-ends = Укажите число часов или день, но не то и другое сразу.
field-long = { $n ->
    [one] Текст слишком длинный: не больше { $count } символа.
    [few] Текст слишком длинный: не больше { $count } символов.
    [many] Текст слишком длинный: не больше { $count } символов.
   *[other] Текст слишком длинный: не больше { $count } символа.
}
field-odd = В тексте есть символ, который нельзя показать. Удалите его или напишите текст заново.

## Who changed it meanwhile, behind a refusal. $by is a name, $time a moment such as "2 May 2024, 14:03".

changed-scope-admin = { $name } теперь администратор (кто назначил: { $by }, { $time }).
changed-scope-moderator = { $name } теперь модератор (кто назначил: { $by }, { $time }).
changed-scope-participant = { $name } теперь обычный участник (кто изменил роль: { $by }, { $time }).
changed-owner = У группы новый владелец (кто передал: { $by }, { $time }).
changed-kicked = { $name } больше не в группе (кто исключил: { $by }, { $time }).
changed-banned = { $name } больше не может войти в группу (кто заблокировал: { $by }, { $time }).
changed-muted = { $name } не может писать (кто запретил: { $by }, { $time }).
changed-unmuted = { $name } снова может писать (кто разрешил: { $by }, { $time }).
changed-left = Пользователь { $name } вышел из группы ({ $time }).
the-host = Система
the-team = Команда группы

## Errors: a title, and what to do

error-not-found = Не найдено
error-not-found-hint = Такой группы нет, или она вам недоступна.
error-not-a-member = Нет в группе
error-not-allowed = Нет прав
error-not-undone = Действие не отменено
undo-too-late = Прошло слишком много времени, отменить уже нельзя.
undo-overtaken = С тех пор произошло что-то ещё, поэтому отмена не выполнена.
error-not-any-more = Уже невозможно
error-owner-must-stay = Владелец не может уйти
error-banned = Блокировка
error-bad-request = Запрос не удалось прочитать
error-invalid = Недопустимое значение
error-sign-in = Войдите в систему
error-sign-in-hint = Нужен viewer-токен: как Bearer или в сессионном cookie.
error-sign-in-again = Войдите снова
error-token-expired = Срок действия токена истёк.
error-signed-out = Все сеансы завершены.
error-too-large = Слишком большой запрос
error-too-large-hint = Тело этого запроса слишком велико.
error-too-fast = Слишком часто
error-too-fast-hint = { $n ->
    [one] Повторите через { $count } секунду.
    [few] Повторите через { $count } секунды.
    [many] Повторите через { $count } секунд.
   *[other] Повторите через { $count } секунды.
}
error-unavailable = Сейчас невозможно
error-unavailable-hint = Ничего не изменилось. Повторите чуть позже.
error-unsure = Неизвестно, выполнено ли это
error-unsure-hint = Ответ не пришёл вовремя. Проверьте, выполнено ли это, прежде чем повторить.
error-internal = Ошибка на нашей стороне
error-internal-hint = Если будете сообщать об ошибке, укажите номер: { $number }

## Whole pages

page-back = Назад
page-members = Участники
page-not-a-member = Вы не состоите в этой группе.
page-refused = Невозможно
group-join-password = Вступить может любой, кто знает пароль.
group-join = Вступить может любой.
group-password = Пароль
act-join = Вступить

## Who is banned

bans-title = Заблокированные в группе «{ $group }»
bans-search = Поиск заблокированных
bans-none = Никто не заблокирован
bans-no-reason = Причина не указана.
bans-until = До { $time }.
bans-forever = До отмены.
bans-by = Кто заблокировал: { $by }, { $time }.
mutes-by = Кто запретил писать: { $by }, { $time }.
mutes-title = Не могут писать в группе «{ $group }»
mutes-search = Поиск по списку
mutes-none = Писать могут все
notes-label = Заметки
notes-title = Заметки о пользователе { $name }
notes-hint = Это видят только те в команде, чья роль выше, чем у этого человека. Ему самому об этом не сообщается.
notes-none = Заметок пока нет
notes-count = Заметки: { $count }
notes-by = { $by }, { $time }
notes-text = Заметка
notes-missing = Сначала напишите заметку.
notes-full = Больше заметок об этом пользователе сохранить нельзя. Сначала удалите одну.
notes-add = Добавить заметку
notes-remove = Удалить

## The feed of changes

feed-title = Изменения в группе «{ $group }»
feed-joined = { $name } теперь в группе
feed-added = { $name } теперь в группе (кто добавил: { $by })
feed-left = Пользователь { $name } вышел из группы
feed-kicked = { $name } больше не в группе (кто исключил: { $by })
feed-banned = { $name } больше не может войти в группу (кто заблокировал: { $by })
feed-unbanned = { $name } снова может войти в группу (кто разблокировал: { $by })
feed-muted = { $name } не может писать (кто запретил: { $by })
feed-unmuted = { $name } снова может писать (кто разрешил: { $by })
feed-scope-admin = { $name } теперь администратор (кто назначил: { $by })
feed-scope-moderator = { $name } теперь модератор (кто назначил: { $by })
feed-scope-participant = { $name } теперь обычный участник (кто изменил роль: { $by })
feed-owner = { $name } теперь владелец группы
feed-updated = { $name }: новое имя или фото
feed-note-added = Новая заметка о пользователе { $name } (кто добавил: { $by })
feed-note-removed = Заметка о пользователе { $name } удалена (кто удалил: { $by })
feed-synced = Список участников синхронизирован с системой
feed-group-created = Группа создана
feed-group-updated = Изменилось название, изображение или описание группы
feed-group-deleted = Группа удалена

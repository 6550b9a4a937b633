# Chinese, traditional, as used in Taiwan. Everything the component says; the hints for translators are in en-US.

## Roles (scopes, to programs): what somebody is in a group

scope-owner = 擁有者
scope-admin = 管理員
scope-moderator = 版主
scope-participant = 一般成員

## Headings over the people of one role

section-owner = 擁有者
section-admin = 管理員
section-moderator = 版主
section-participant = 一般成員

## Whether somebody is there

status-online = 上線中
status-away = 暫離
status-offline = 離線

## The list

members-title = 成員
members-search = 搜尋成員
members-search-go = 搜尋
members-more = 顯示更多
members-previous = 上一批成員
members-next = 更多成員
members-online = { $count } 人上線中
members-filter = 篩選
filter-all = 全部
filter-admins = 管理員
filter-moderators = 版主
filter-online = 上線中
filter-joined = 最近一小時加入
members-bans-link = 停權名單
members-mutes-link = 禁言名單
members-found = 找到 { $count } 人
members-page = { $group } 的成員

group-members = { $count } 位成員

## A row

row-joined = { $date } 加入
row-you = 我
row-own-menu = 我的成員身分
row-menu = 管理 { $name }
row-select = 選取 { $name }
row-selected = 已選取

## Nobody to show

empty-title = 沒有成員
empty-hint = 加入群組的人會顯示在這裡。
empty-search = 找不到「{ $search }」
empty-search-hint = 試試只輸入名字的一部分，任何文字皆可，有無重音符號都找得到。
empty-online = 目前沒有人上線
empty-online-hint = 上線的人會顯示在這裡。
empty-filter = 這裡沒有人
empty-filter-hint = 目前沒有符合篩選條件的成員。
empty-clear = 顯示所有人

## Live, and what stands in its way

live-on = 即時
live-reconnecting = 重新連線中…
live-off = 即時更新已停止。請重新整理頁面查看異動。
presence-batched = 上線狀態每 5 秒更新一次。
presence-counts = 上線人數眾多，只即時更新人數。
members-failed = 無法顯示成員。
request-failed = 操作失敗。
request-retry = 再試一次
held-changes = { $count } 項異動

## A spoken line about what changed lately: "3 joined, 1 left, Ana is now admin"

digest-joined = { $count } 人加入
digest-left = { $count } 人退出
digest-removed = { $count } 人被移出
digest-changed = { $count } 次角色變更
digest-admin = { $name } 成為管理員
digest-moderator = { $name } 成為版主
digest-participant = { $name } 成為一般成員
digest-owner = { $name } 成為擁有者

## Selecting people

selection-count = 已選取 { $count } 人
selection-clear = 清除選取
selection-all = 選取所有符合條件的人
selection-done = 繼續
selection-full = 最多可選取 { $count } 人。
selection-first = 已選取 { $all } 人中的前 { $count } 人。
selection-page = 已選取的人
selection-none = 尚未選取任何人。
selection-choose = 請至少選取一人。
selection-fewer = 一次選取的人太多。請少選一些。
selection-gone = 其中 { $count } 人已不是成員。

## When the viewer is out

ended-kicked = 你已被移出這個群組
ended-kicked-hint = 你可以重新加入，或請人加你回來。
ended-banned = 你已被這個群組停權
ended-deleted = 這個群組已不存在
ended-deleted-hint = 不再顯示群組成員。
ended-left = 你已不在這個群組
ended-left-hint = 你可以重新加入，或請人加你回來。

## Out of the group, and at its door

left-title = 你已退出 { $group }
left-untold = 你已退出群組
left-ask = 想回來時，可以請人加你。
act-join-again = 重新加入
banned-until = { $time } 之前，你無法回到群組。
banned-for-good = 停權沒有期限：解除後你才能回到群組。
muted-until = 禁言至 { $time }
muted-you = { $time } 之前，你無法在這個群組發言。
scope-until = 至 { $time }
scope-you-admin = { $time } 之前，你是管理員。
scope-you-moderator = { $time } 之前，你是版主。
told = 管理團隊留言：{ $message }
group-password-missing = 請輸入群組密碼。
selection-back = 變更選取

## Acts, in a menu

act-kick = 移出群組
act-ban = 停權
act-unban = 解除停權
act-mute = 禁言
act-unmute = 解除禁言
act-scope = 變更角色
act-scope-own = 降低我的角色
act-transfer = 轉移擁有權
act-leave = 退出群組
act-cancel = 取消
act-close = 關閉

## Acts, as forms: the question over the form

ask-kick = 要將 { $name } 移出群組嗎？
ask-ban = 要將 { $name } 停權嗎？
ask-unban = 要解除 { $name } 的停權嗎？
ask-mute = 要將 { $name } 禁言嗎？
ask-unmute = 要解除 { $name } 的禁言嗎？
ask-scope = 變更 { $name } 的角色
ask-scope-own = 降低我的角色
ask-transfer = 要將擁有權轉移給 { $name } 嗎？
ask-leave = 要退出群組嗎？

## Acts, as forms: what will happen

hint-kick = 對方會立即離開群組，之後可以再回來。
hint-ban = 對方會立即離開群組，停權結束前無法回來。供管理團隊查看的內容，版主、管理員和擁有者會看到。
hint-unban = 對方可以再次加入，但不會自動恢復成員身分。
hint-mute = 對方會留在群組中，禁言結束前無法發言。供管理團隊查看的內容，版主、管理員和擁有者會看到。
hint-unmute = 對方可以立即重新發言。
hint-scope = 對方的權限會立即變更，所有人都看得到新角色。
hint-scope-own = 你將放棄部分權限，只有角色比你高的人才能恢復。
hint-transfer = 對方將完全掌管群組，而你會成為管理員。只有對方能把擁有權還給你。
hint-leave = 你將不再是成員。想回來時，可以重新加入或請人加你。
hint-leave-alone = 群組裡沒有其他成員。群組會保留，之後歸系統所有。

## Acts, as forms: the button that does it

do-kick = 移出 { $name }
do-ban = 將 { $name } 停權
do-unban = 解除 { $name } 的停權
do-mute = 將 { $name } 禁言
do-unmute = 解除 { $name } 的禁言
do-scope = 儲存
do-transfer = 將擁有權轉移給 { $name }
do-leave = 退出群組

## The form of a ban

ban-reason = 供管理團隊查看
ban-message = 給對方的留言
ban-for = 期間
ban-hour = 1 小時
ban-day = 1 天
ban-week = 7 天
ban-forever = 直到解除
for-minutes = 5 分鐘
for-other = 其他結束時間
for-hours = 時數
for-day = 或到所選日期結束時（UTC）
scope-forever = 直到變更
scope-end-now = 立即結束此角色
scope-legend = 角色
batch-will-kick = 將把 { $count } 人移出群組。
batch-will-ban = 將把 { $count } 人停權。
batch-will-mute = 將把 { $count } 人禁言。
batch-will-scope = 將變更 { $count } 人的角色。
batch-cannot = 無法執行（{ $count } 人）：
batch-unchanged = 無需變更
batch-refused-oneself = 你自己
batch-refused-equal = 角色與你相同
batch-refused-above = 角色比你高
batch-refused-grant = 新角色比你的角色高
batch-refused-scope-ends = 原有角色不低於新角色
batch-refused-not-a-member = 不是成員
batch-refused-changed = 顯示後已有變化
batch-refused-too-late = 已過太久
batch-refused-overtaken = 之後又有變化
batch-hint-kick = 這些人會立即離開群組，之後可以再回來。
batch-hint-ban = 這些人會立即離開群組，停權結束前無法回來。供管理團隊查看的內容，版主、管理員和擁有者會看到。
batch-hint-mute = 這些人會留在群組中，禁言結束前無法發言。供管理團隊查看的內容，版主、管理員和擁有者會看到。
batch-hint-scope = 這些人的權限會立即變更，所有人都看得到新角色。

## What came of an act, on a page without JavaScript

done-kick = 已將 { $name } 移出群組。
done-ban = 已將 { $name } 停權。
done-unban = { $name } 可以再次加入了。
done-mute = 已將 { $name } 禁言。
done-unmute = { $name } 可以重新發言了。
done-scope = 已變更 { $name } 的角色。
done-transfer = { $name } 現在是群組擁有者。
done-undo = 已復原對 { $name } 的操作。
done-note-added = 已新增關於 { $name } 的備註。
done-note-removed = 已刪除關於 { $name } 的備註。
batch-done-kick = 已將 { $count } 人移出群組。
batch-done-ban = 已將 { $count } 人停權。
batch-done-mute = 已將 { $count } 人禁言。
batch-done-scope = 已變更 { $count } 人的角色。
batch-done-undo = 已復原對 { $count } 人的操作。
undo-button = 復原
undo-left = { $count } 秒
done-join = 你已加入群組。

## Why an act is refused

refused-participant = 一般成員不能對任何人這麼做。
refused-oneself = 這是你自己。
refused-equal-owner = 你只能對角色比你低的人這麼做，而你們都是擁有者。
refused-equal-admin = 你只能對角色比你低的人這麼做，而你們都是管理員。
refused-equal-moderator = 你只能對角色比你低的人這麼做，而你們都是版主。
refused-equal-participant = 你只能對角色比你低的人這麼做，而你們都是一般成員。
refused-above-owner = 你只能對角色比你低的人這麼做，而對方的角色比你高：擁有者。
refused-above-admin = 你只能對角色比你低的人這麼做，而對方的角色比你高：管理員。
refused-above-moderator = 你只能對角色比你低的人這麼做，而對方的角色比你高：版主。
refused-above-participant = 你只能對角色比你低的人這麼做，而對方的角色比你高：一般成員。
refused-owner-only = 只有擁有者可以轉移擁有權。
refused-grant-owner = 你給別人的角色不能高於自己的角色：擁有者。
refused-grant-admin = 你給別人的角色不能高於自己的角色：管理員。
refused-grant-moderator = 你給別人的角色不能高於自己的角色：版主。
refused-grant-participant = 你給別人的角色不能高於自己的角色：一般成員。
refused-self-ban = 你不能將自己停權。想離開的話，請退出群組。
refused-self-mute = 你不能將自己禁言，也不能解除自己的禁言。
refused-scope-ends = 只有高於對方原有角色的角色才能設定期限。
refused-not-a-member = 對方不是這個群組的成員。
refused-owner-must-transfer = 擁有者必須先將擁有權轉移給別人，才能離開。
refused-not-undoable = 只能復原成員對其他人所做的移出群組、停權、禁言、變更角色、解除停權和解除禁言。
refused-not-theirs-to-undo = 只有操作者本人或角色更高的人可以復原。
refused-not-theirs-to-remove = 只有備註的作者或角色更高的人可以刪除它。
refused-banned = 你已被這個群組停權。
refused-password = 群組密碼不正確。
refused-rights-changed = 頁面顯示之後，你或對方的角色已經變更。
refused-changed-since-shown = 頁面顯示之後，情況已有變化。請先確認，再重試。

## A field of a form that cannot be taken as it is

field-scope = 請選擇角色。
field-end = 請選擇 { $count } 天以內的結束時間。
field-ends = 時數和日期只能填寫一個。
field-long = 文字太長，最多 { $count } 個字元。
field-odd = 文字中有無法顯示的字元。請刪除該字元或重新輸入。

## Who changed it meanwhile, behind a refusal. $by is a name, $time a moment such as "2 May 2024, 14:03".

changed-scope-admin = { $by } 已將 { $name } 設為管理員（{ $time }）。
changed-scope-moderator = { $by } 已將 { $name } 設為版主（{ $time }）。
changed-scope-participant = { $by } 已將 { $name } 設為一般成員（{ $time }）。
changed-owner = { $by } 已轉移群組擁有權（{ $time }）。
changed-kicked = { $by } 已將 { $name } 移出群組（{ $time }）。
changed-banned = { $by } 已將 { $name } 停權（{ $time }）。
changed-muted = { $by } 已將 { $name } 禁言（{ $time }）。
changed-unmuted = { $by } 已解除 { $name } 的禁言（{ $time }）。
changed-left = { $name } 已退出群組（{ $time }）。
the-host = 系統
the-team = 管理團隊

## Errors: a title, and what to do

error-not-found = 找不到
error-not-found-hint = 沒有這個群組，或你無權查看。
error-not-a-member = 不是成員
error-not-allowed = 沒有權限
error-not-undone = 未復原
undo-too-late = 已經過太久，無法復原。
undo-overtaken = 之後情況已有變化，因此未復原。
error-not-any-more = 已無法執行
error-owner-must-stay = 擁有者不能離開
error-banned = 已被停權
error-bad-request = 無法讀取這個要求
error-invalid = 有不允許的值
error-sign-in = 請登入
error-sign-in-hint = 需要檢視者權杖（Bearer 或工作階段 Cookie）。
error-sign-in-again = 請重新登入
error-token-expired = 權杖已過期。
error-signed-out = 已在所有裝置上登出。
error-too-large = 內容太大
error-too-large-hint = 這個要求的內容太大。
error-too-fast = 操作太頻繁
error-too-fast-hint = 請在 { $count } 秒後再試一次。
error-unavailable = 目前無法執行
error-unavailable-hint = 沒有任何變更，請稍後再試。
error-unsure = 不確定是否已完成
error-unsure-hint = 未及時收到回應。請先確認是否已完成，再重試。
error-internal = 我們這邊出了點問題
error-internal-hint = 回報問題時，請提供這組代碼：{ $number }

## Whole pages

page-back = 返回
page-members = 成員
page-not-a-member = 你不是這個群組的成員。
page-refused = 無法執行
group-join-password = 知道密碼的人都可以加入。
group-join = 任何人都可以加入。
group-password = 密碼
act-join = 加入

## Who is banned

bans-title = 被 { $group } 停權的人
bans-search = 搜尋被停權的人
bans-none = 沒有人被停權
bans-no-reason = 未說明原因。
bans-until = 至 { $time }。
bans-forever = 直到解除。
bans-by = 由 { $by } 於 { $time } 停權。
mutes-by = 由 { $by } 於 { $time } 禁言。
mutes-title = { $group } 中被禁言的人
mutes-search = 搜尋被禁言的人
mutes-none = 沒有人被禁言
notes-label = 備註
notes-title = 關於 { $name } 的備註
notes-hint = 只有管理團隊中角色高於對方的人看得到。對方不會收到通知。
notes-none = 還沒有備註
notes-count = 備註：{ $count }
notes-by = { $by }，{ $time }
notes-text = 備註
notes-missing = 請先填寫備註。
notes-full = 關於此人的備註已達上限。請先刪除一則。
notes-add = 新增備註
notes-remove = 刪除

## The feed of changes

feed-title = { $group } 的異動
feed-joined = { $name } 已加入群組
feed-added = { $by } 已將 { $name } 加入群組
feed-left = { $name } 已退出群組
feed-kicked = { $by } 已將 { $name } 移出群組
feed-banned = { $by } 已將 { $name } 停權
feed-unbanned = { $by } 已解除 { $name } 的停權
feed-muted = { $by } 已將 { $name } 禁言
feed-unmuted = { $by } 已解除 { $name } 的禁言
feed-scope-admin = { $by } 已將 { $name } 設為管理員
feed-scope-moderator = { $by } 已將 { $name } 設為版主
feed-scope-participant = { $by } 已將 { $name } 設為一般成員
feed-owner = { $name } 現在是群組擁有者
feed-updated = { $name } 的名稱或頭像已更新
feed-note-added = { $by } 新增了關於 { $name } 的備註
feed-note-removed = { $by } 刪除了關於 { $name } 的備註
feed-synced = 成員已與系統同步
feed-group-created = 群組已建立
feed-group-updated = 群組的名稱、圖片或說明已更新
feed-group-deleted = 群組已刪除

# Chinese, simplified. Everything the component says; the hints for translators are in en-US.

## Roles (scopes, to programs): what somebody is in a group

scope-owner = 群主
scope-admin = 管理员
scope-moderator = 协管员
scope-participant = 普通成员

## Headings over the people of one role

section-owner = 群主
section-admin = 管理员
section-moderator = 协管员
section-participant = 普通成员

## Whether somebody is there

status-online = 在线
status-away = 离开
status-offline = 离线

## The list

members-title = 成员
members-search = 搜索成员
members-search-go = 搜索
members-more = 显示更多
members-previous = 上一批成员
members-next = 更多成员
members-online = { $count } 人在线
members-filter = 筛选
filter-all = 全部
filter-admins = 管理员
filter-moderators = 协管员
filter-online = 在线
filter-joined = 最近一小时加入
members-bans-link = 封禁名单
members-mutes-link = 禁言名单
members-found = 找到 { $count } 人
members-page = { $group } 的成员

group-members = { $count } 位成员

## A row

row-joined = { $date } 加入
row-you = 我
row-own-menu = 我的成员身份
row-menu = 管理 { $name }
row-select = 选择 { $name }
row-selected = 已选

## Nobody to show

empty-title = 暂无成员
empty-hint = 加入群组的人会显示在这里。
empty-search = 没有找到“{ $search }”
empty-search-hint = 试试只输入名字的一部分，任何文字均可，不区分重音符号。
empty-online = 暂无人在线
empty-online-hint = 上线的人会显示在这里。
empty-filter = 这里没有人
empty-filter-hint = 目前没有符合条件的成员。
empty-clear = 显示所有人

## Live, and what stands in its way

live-on = 实时
live-reconnecting = 正在重新连接…
live-off = 实时更新已停止。请刷新页面查看最新变动。
presence-batched = 在线状态每 5 秒更新一次。
presence-counts = 在线人数较多，仅实时更新人数。
members-failed = 无法显示成员。
request-failed = 操作失败。
request-retry = 重试
held-changes = { $count } 项变动

## A spoken line about what changed lately: "3 joined, 1 left, Ana is now admin"

digest-joined = { $count } 人加入
digest-left = { $count } 人退出
digest-removed = { $count } 人被移出
digest-changed = { $count } 次角色变更
digest-admin = { $name } 成为管理员
digest-moderator = { $name } 成为协管员
digest-participant = { $name } 成为普通成员
digest-owner = { $name } 成为群主

## Selecting people

selection-count = 已选 { $count } 人
selection-clear = 清除选择
selection-all = 选择所有符合条件的人
selection-done = 继续
selection-full = 最多可选 { $count } 人。
selection-first = 已选择 { $all } 人中的前 { $count } 人。
selection-page = 已选的人
selection-none = 未选择任何人。
selection-choose = 请至少选择一人。
selection-fewer = 一次选择的人太多。请少选一些。
selection-gone = 其中 { $count } 人已不是成员。

## When the viewer is out

ended-kicked = 你已被移出此群组
ended-kicked-hint = 你可以重新加入，或请人邀请你回来。
ended-banned = 你已被此群组封禁
ended-deleted = 此群组已不存在
ended-deleted-hint = 不再显示其成员。
ended-left = 你已不在此群组中
ended-left-hint = 你可以重新加入，或请人邀请你回来。

## Out of the group, and at its door

left-title = 你已退出 { $group }
left-untold = 你已退出群组
left-ask = 想回来，可以请人邀请你。
act-join-again = 重新加入
banned-until = { $time } 之前，你无法回到群组。
banned-for-good = 封禁没有期限：解除之后你才能回到群组。
muted-until = 禁言至 { $time }
muted-you = { $time } 之前，你无法在此群组发言。
scope-until = 至 { $time }
scope-you-admin = { $time } 之前，你是管理员。
scope-you-moderator = { $time } 之前，你是协管员。
told = 管理团队留言：{ $message }
group-password-missing = 请输入群组密码。
selection-back = 更改选择

## Acts, in a menu

act-kick = 移出群组
act-ban = 封禁
act-unban = 解除封禁
act-mute = 禁言
act-unmute = 解除禁言
act-scope = 更改角色
act-scope-own = 降低我的角色
act-transfer = 转让群主
act-leave = 退出群组
act-cancel = 取消
act-close = 关闭

## Acts, as forms: the question over the form

ask-kick = 将 { $name } 移出群组？
ask-ban = 封禁 { $name }？
ask-unban = 解除对 { $name } 的封禁？
ask-mute = 将 { $name } 禁言？
ask-unmute = 解除对 { $name } 的禁言？
ask-scope = 更改 { $name } 的角色
ask-scope-own = 降低我的角色
ask-transfer = 将群主转让给 { $name }？
ask-leave = 退出群组？

## Acts, as forms: what will happen

hint-kick = 对方会立即离开群组，之后可以再回来。
hint-ban = 对方会立即离开群组，封禁结束前无法回来。供管理团队查看的内容，协管员、管理员和群主可以看到。
hint-unban = 对方可以再次加入，但不会自动恢复成员身份。
hint-mute = 对方会留在群组中，禁言结束前无法发言。供管理团队查看的内容，协管员、管理员和群主可以看到。
hint-unmute = 对方可以立即重新发言。
hint-scope = 对方的权限会立即改变，所有人都能看到新角色。
hint-scope-own = 你将放弃一部分权限，只有角色比你高的人才能恢复。
hint-transfer = 对方将完全掌管群组，你会成为管理员。只有对方才能把群主转回给你。
hint-leave = 你将不再是成员。想回来，可以重新加入或请人邀请你。
hint-leave-alone = 群组里没有其他成员。群组会保留，之后归系统所有。

## Acts, as forms: the button that does it

do-kick = 移出 { $name }
do-ban = 封禁 { $name }
do-unban = 解除对 { $name } 的封禁
do-mute = 将 { $name } 禁言
do-unmute = 解除对 { $name } 的禁言
do-scope = 保存
do-transfer = 将群主转让给 { $name }
do-leave = 退出群组

## The form of a ban

ban-reason = 供管理团队查看
ban-message = 给对方的留言
ban-for = 时长
ban-hour = 1 小时
ban-day = 1 天
ban-week = 7 天
ban-forever = 直到解除
for-minutes = 5 分钟
for-other = 其他结束时间
for-hours = 小时数
for-day = 或到所选日期结束时（UTC）
scope-forever = 直到更改
scope-end-now = 立即结束此角色
scope-legend = 角色
batch-will-kick = 将把 { $count } 人移出群组。
batch-will-ban = 将封禁 { $count } 人。
batch-will-mute = 将把 { $count } 人禁言。
batch-will-scope = 将更改 { $count } 人的角色。
batch-cannot = 无法执行（{ $count } 人）：
batch-unchanged = 无需更改
batch-refused-oneself = 你自己
batch-refused-equal = 角色与你相同
batch-refused-above = 角色比你高
batch-refused-grant = 新角色比你的角色高
batch-refused-scope-ends = 原有角色不低于新角色
batch-refused-not-a-member = 不是成员
batch-refused-changed = 显示后已有变化
batch-refused-too-late = 已过去太久
batch-refused-overtaken = 此后又有变化
batch-hint-kick = 这些人会立即离开群组，之后可以再回来。
batch-hint-ban = 这些人会立即离开群组，封禁结束前无法回来。供管理团队查看的内容，协管员、管理员和群主可以看到。
batch-hint-mute = 这些人会留在群组中，禁言结束前无法发言。供管理团队查看的内容，协管员、管理员和群主可以看到。
batch-hint-scope = 这些人的权限会立即改变，所有人都能看到新角色。

## What came of an act, on a page without JavaScript

done-kick = 已将 { $name } 移出群组。
done-ban = 已封禁 { $name }。
done-unban = { $name } 可以再次加入了。
done-mute = 已将 { $name } 禁言。
done-unmute = { $name } 可以重新发言了。
done-scope = 已更改 { $name } 的角色。
done-transfer = { $name } 现在是群主。
done-undo = 已撤销对 { $name } 的操作。
done-note-added = 已添加关于 { $name } 的备注。
done-note-removed = 已删除关于 { $name } 的备注。
batch-done-kick = 已将 { $count } 人移出群组。
batch-done-ban = 已封禁 { $count } 人。
batch-done-mute = 已将 { $count } 人禁言。
batch-done-scope = 已更改 { $count } 人的角色。
batch-done-undo = 已撤销对 { $count } 人的操作。
undo-button = 撤销
undo-left = { $count }秒
done-join = 你已加入群组。

## Why an act is refused

refused-participant = 普通成员不能对他人进行此操作。
refused-oneself = 这是你自己。
refused-equal-owner = 只能对角色比你低的人进行此操作，而你们都是群主。
refused-equal-admin = 只能对角色比你低的人进行此操作，而你们都是管理员。
refused-equal-moderator = 只能对角色比你低的人进行此操作，而你们都是协管员。
refused-equal-participant = 只能对角色比你低的人进行此操作，而你们都是普通成员。
refused-above-owner = 只能对角色比你低的人进行此操作，而对方的角色比你高：群主。
refused-above-admin = 只能对角色比你低的人进行此操作，而对方的角色比你高：管理员。
refused-above-moderator = 只能对角色比你低的人进行此操作，而对方的角色比你高：协管员。
refused-above-participant = 只能对角色比你低的人进行此操作，而对方的角色比你高：普通成员。
refused-owner-only = 只有群主可以转让群组。
refused-grant-owner = 授予他人的角色不能高于你自己的角色：群主。
refused-grant-admin = 授予他人的角色不能高于你自己的角色：管理员。
refused-grant-moderator = 授予他人的角色不能高于你自己的角色：协管员。
refused-grant-participant = 授予他人的角色不能高于你自己的角色：普通成员。
refused-self-ban = 不能封禁自己。想离开，请退出群组。
refused-self-mute = 不能将自己禁言，也不能解除自己的禁言。
refused-scope-ends = 只有高于对方原有角色的角色才能设置期限。
refused-not-a-member = 对方不是此群组的成员。
refused-owner-must-transfer = 群主需先将群组转让给他人，才能离开。
refused-not-undoable = 只能撤销成员对其他人所做的移出群组、封禁、禁言、更改角色、解除封禁和解除禁言。
refused-not-theirs-to-undo = 只有操作者本人或角色更高的人可以撤销。
refused-not-theirs-to-remove = 只有备注的作者或角色更高的人可以删除它。
refused-banned = 你已被此群组封禁。
refused-password = 群组密码不正确。
refused-rights-changed = 页面显示后，你或对方的角色已经变更。
refused-changed-since-shown = 页面显示后，情况已有变化。请先确认，再重试。

## A field of a form that cannot be taken as it is

field-scope = 请选择角色。
field-end = 请选择 { $count } 天以内的结束时间。
field-ends = 小时数和日期只能填写一个。
field-long = 文字太长，最多 { $count } 个字符。
field-odd = 文字中有无法显示的字符。请删除该字符或重新输入。

## Who changed it meanwhile, behind a refusal. $by is a name, $time a moment such as "2 May 2024, 14:03".

changed-scope-admin = { $by } 已将 { $name } 设为管理员（{ $time }）。
changed-scope-moderator = { $by } 已将 { $name } 设为协管员（{ $time }）。
changed-scope-participant = { $by } 已将 { $name } 设为普通成员（{ $time }）。
changed-owner = { $by } 已转让群组（{ $time }）。
changed-kicked = { $by } 已将 { $name } 移出（{ $time }）。
changed-banned = { $by } 已封禁 { $name }（{ $time }）。
changed-muted = { $by } 已将 { $name } 禁言（{ $time }）。
changed-unmuted = { $by } 解除了对 { $name } 的禁言（{ $time }）。
changed-left = { $name } 已退出（{ $time }）。
the-host = 系统
the-team = 管理团队

## Errors: a title, and what to do

error-not-found = 未找到
error-not-found-hint = 群组不存在，或你无权查看。
error-not-a-member = 不是成员
error-not-allowed = 没有权限
error-not-undone = 未撤销
undo-too-late = 已经过去太久，无法撤销。
undo-overtaken = 此后情况已有变化，因此未撤销。
error-not-any-more = 已无法操作
error-owner-must-stay = 群主不能离开
error-banned = 已被封禁
error-bad-request = 无法读取此请求
error-invalid = 某个值无效
error-sign-in = 请登录
error-sign-in-hint = 需要查看者令牌（Bearer 或会话 Cookie）。
error-sign-in-again = 请重新登录
error-token-expired = 令牌已过期。
error-signed-out = 已在所有设备上退出登录。
error-too-large = 内容过大
error-too-large-hint = 请求的内容过大。
error-too-fast = 操作太频繁
error-too-fast-hint = 请在 { $count } 秒后重试。
error-unavailable = 暂时无法操作
error-unavailable-hint = 未做任何更改，请稍后重试。
error-unsure = 不确定是否已完成
error-unsure-hint = 未及时收到响应。请先确认是否已完成，再重试。
error-internal = 我们这边出了点问题
error-internal-hint = 反馈问题时，请提供此编号：{ $number }

## Whole pages

page-back = 返回
page-members = 成员
page-not-a-member = 你不是此群组的成员。
page-refused = 无法操作
group-join-password = 知道密码的人都可以加入。
group-join = 任何人都可以加入。
group-password = 密码
act-join = 加入

## Who is banned

bans-title = 被 { $group } 封禁的人
bans-search = 搜索被封禁的人
bans-none = 无人被封禁
bans-no-reason = 未说明原因。
bans-until = 至 { $time }。
bans-forever = 直到解除。
bans-by = 由 { $by } 于 { $time } 封禁。
mutes-by = 由 { $by } 于 { $time } 禁言。
mutes-title = { $group } 中被禁言的人
mutes-search = 搜索被禁言的人
mutes-none = 无人被禁言
notes-label = 备注
notes-title = 关于 { $name } 的备注
notes-hint = 只有管理团队中角色高于对方的人能看到。对方不会收到通知。
notes-none = 还没有备注
notes-count = 备注：{ $count }
notes-by = { $by }，{ $time }
notes-text = 备注
notes-missing = 请先填写备注。
notes-full = 关于此人的备注已达上限。请先删除一条。
notes-add = 添加备注
notes-remove = 删除

## The feed of changes

feed-title = { $group } 的变动
feed-joined = { $name } 加入了群组
feed-added = { $by } 添加了 { $name }
feed-left = { $name } 退出了群组
feed-kicked = { $by } 将 { $name } 移出了群组
feed-banned = { $by } 封禁了 { $name }
feed-unbanned = { $by } 解除了对 { $name } 的封禁
feed-muted = { $by } 将 { $name } 禁言
feed-unmuted = { $by } 解除了对 { $name } 的禁言
feed-scope-admin = { $by } 将 { $name } 设为管理员
feed-scope-moderator = { $by } 将 { $name } 设为协管员
feed-scope-participant = { $by } 将 { $name } 设为普通成员
feed-owner = { $name } 现在是群主
feed-updated = { $name } 更新了名字或头像
feed-note-added = { $by } 添加了关于 { $name } 的备注
feed-note-removed = { $by } 删除了关于 { $name } 的备注
feed-synced = 成员列表已与系统同步
feed-group-created = 群组已创建
feed-group-updated = 群组的名称、头像或简介已更新
feed-group-deleted = 群组已删除

# Japanese. Everything the component says; the hints for translators are in en-US.

## Roles (scopes, to programs): what somebody is in a group

scope-owner = オーナー
scope-admin = 管理者
scope-moderator = モデレーター
scope-participant = 参加者

## Headings over the people of one role

section-owner = オーナー
section-admin = 管理者
section-moderator = モデレーター
section-participant = 参加者

## Whether somebody is there

status-online = オンライン
status-away = 離席中
status-offline = オフライン

## The list

members-title = メンバー
members-search = メンバーを検索
members-search-go = 検索
members-more = もっと見る
members-previous = 前のメンバーを表示
members-next = 次のメンバーを表示
members-online = { $count }人がオンライン
members-filter = 絞り込み
filter-all = すべて
filter-admins = 管理者
filter-moderators = モデレーター
filter-online = オンライン
filter-joined = 1時間以内に参加
members-found = { $count }人見つかりました
members-bans-link = BANされた人
members-mutes-link = 発言を禁止された人
members-page = 「{ $group }」のメンバー

group-members = メンバー{ $count }人

## A row

row-joined = { $date }に参加
row-you = 自分
row-own-menu = 自分に関する操作
row-menu = { $name }さんへの操作
row-select = { $name }さんを選択
row-selected = 選択中

## Nobody to show

empty-title = メンバーはいません
empty-hint = 参加した人がここに表示されます。
empty-search = 「{ $search }」に一致する人はいません
empty-search-hint = 名前の一部でも検索できます。文字の種類は問わず、アクセント記号の有無も区別しません。
empty-online = オンラインの人はいません
empty-online-hint = オンラインになった人がここに表示されます。
empty-filter = 該当する人はいません
empty-filter-hint = 現在、この条件に合うメンバーはいません。
empty-clear = 全員を表示

## Live, and what stands in its way

live-on = リアルタイム
live-reconnecting = 再接続中…
live-off = 自動更新が止まっています。変更を見るには、ページを再読み込みしてください。
presence-batched = オンライン状況は5秒ごとに更新されます。
presence-counts = オンラインの人が多いため、人数だけをリアルタイムで更新しています。
members-failed = メンバーを表示できません。
request-failed = うまくいきませんでした。
request-retry = 再試行
held-changes = { $count }件の変更

## A spoken line about what changed lately: "3 joined, 1 left, Ana is now admin"

digest-joined = { $count }人が参加
digest-left = { $count }人が退会
digest-removed = { $count }人が強制退会
digest-changed = { $count }件の役割変更
digest-admin = { $name }さんが管理者に
digest-moderator = { $name }さんがモデレーターに
digest-participant = { $name }さんが参加者に
digest-owner = { $name }さんがオーナーに

## Selecting people

selection-count = { $count }人を選択中
selection-clear = 選択を解除
selection-all = 該当する全員を選択
selection-done = 次へ
selection-full = 選択できるのは{ $count }人までです。
selection-first = { $all }人のうち最初の{ $count }人を選択しました。
selection-page = 選択した人
selection-none = 誰も選択されていません。
selection-choose = 1人以上を選択してください。
selection-fewer = 一度に扱える人数を超えています。選択する人を減らしてください。
selection-gone = このうち{ $count }人はもうメンバーではありません。

## When the viewer is out

ended-kicked = このグループから強制退会になりました
ended-kicked-hint = もう一度参加するか、追加してもらえば戻れます。
ended-banned = このグループからBANされています
ended-deleted = このグループはなくなりました
ended-deleted-hint = メンバーは表示されなくなりました。
ended-left = このグループのメンバーではなくなりました
ended-left-hint = もう一度参加するか、追加してもらえば戻れます。

## Out of the group, and at its door

left-title = 「{ $group }」を退会しました
left-untold = グループを退会しました
left-ask = 戻るには、追加してもらってください。
act-join-again = もう一度参加する
banned-until = { $time }まで戻れません。
banned-for-good = BANは無期限です。解除されるまで戻れません。
muted-until = { $time }まで発言禁止
muted-you = { $time }まで、このグループで発言できません。
scope-until = { $time }まで
scope-you-admin = { $time }まで、このグループの管理者です。
scope-you-moderator = { $time }まで、このグループのモデレーターです。
told = 運営チームより：{ $message }
group-password-missing = グループのパスワードを入力してください。
selection-back = 選択を変更

## Acts, in a menu

act-kick = 強制退会
act-ban = BANする
act-unban = BANを解除
act-mute = 発言を禁止
act-unmute = 発言禁止を解除
act-scope = 役割を変更
act-scope-own = 自分の役割を下げる
act-transfer = オーナー権限を譲渡
act-leave = グループを退会
act-cancel = キャンセル
act-close = 閉じる

## Acts, as forms: the question over the form

ask-kick = { $name }さんを強制退会させますか？
ask-ban = { $name }さんをBANしますか？
ask-unban = { $name }さんのBANを解除しますか？
ask-mute = { $name }さんの発言を禁止しますか？
ask-unmute = { $name }さんの発言禁止を解除しますか？
ask-scope = { $name }さんの役割を変更
ask-scope-own = 自分の役割を下げる
ask-transfer = { $name }さんにオーナー権限を譲渡しますか？
ask-leave = グループを退会しますか？

## Acts, as forms: what will happen

hint-kick = すぐにグループから退会になります。あとで戻ることはできます。
hint-ban = すぐにグループから退会になり、BANが終わるまで戻れません。運営チーム向けの内容はモデレーター、管理者、オーナーに表示されます。
hint-unban = もう一度参加できるようになります。自動でメンバーに戻ることはありません。
hint-mute = グループには残りますが、発言禁止が終わるまで発言できません。運営チーム向けの内容はモデレーター、管理者、オーナーに表示されます。
hint-unmute = すぐにまた発言できるようになります。
hint-scope = できることがすぐに変わり、新しい役割が全員に表示されます。
hint-scope-own = 権限を手放します。元に戻せるのは、自分より上の役割の人だけです。
hint-transfer = グループのすべての権限が相手に移り、自分は管理者になります。元に戻せるのは相手だけです。
hint-leave = メンバーではなくなります。戻るには、もう一度参加するか、追加してもらってください。
hint-leave-alone = ほかにメンバーはいません。グループは残り、オーナーはシステムになります。

## Acts, as forms: the button that does it

do-kick = { $name }さんを強制退会させる
do-ban = { $name }さんをBANする
do-unban = { $name }さんのBANを解除
do-mute = { $name }さんの発言を禁止
do-unmute = { $name }さんの発言禁止を解除
do-scope = 保存
do-transfer = { $name }さんにオーナー権限を譲渡
do-leave = グループを退会

## The form of a ban

ban-reason = 運営チーム向け
ban-message = 本人へのメッセージ
ban-for = 期間
ban-hour = 1時間
ban-day = 1日
ban-week = 7日間
ban-forever = 解除するまで
for-minutes = 5分
for-other = 別の終了日時
for-hours = 時間数
for-day = または指定した日の終わりまで（UTC）
scope-forever = 変更するまで
scope-end-now = 今すぐ役割を終了
scope-legend = 役割
batch-will-kick = { $count }人を強制退会させます。
batch-will-ban = { $count }人をBANします。
batch-will-mute = { $count }人の発言を禁止します。
batch-will-scope = { $count }人の役割を変更します。
batch-cannot = 実行できません（{ $count }人）：
batch-unchanged = 変更なし
batch-refused-oneself = 自分自身
batch-refused-equal = 自分と同じ役割
batch-refused-above = 自分より上の役割
batch-refused-grant = 新しい役割が自分より上
batch-refused-scope-ends = 本来の役割が新しい役割以上
batch-refused-not-a-member = メンバーではない
batch-refused-changed = 表示後に変更あり
batch-refused-too-late = 時間切れ
batch-refused-overtaken = その後に変更あり
batch-hint-kick = すぐにグループから退会になります。あとで戻ることはできます。
batch-hint-ban = すぐにグループから退会になり、BANが終わるまで戻れません。運営チーム向けの内容はモデレーター、管理者、オーナーに表示されます。
batch-hint-mute = グループには残りますが、発言禁止が終わるまで発言できません。運営チーム向けの内容はモデレーター、管理者、オーナーに表示されます。
batch-hint-scope = できることがすぐに変わり、新しい役割が全員に表示されます。

## What came of an act, on a page without JavaScript

done-kick = { $name }さんを強制退会させました。
done-ban = { $name }さんをBANしました。
done-unban = { $name }さんがもう一度参加できるようになりました。
done-mute = { $name }さんの発言を禁止しました。
done-unmute = { $name }さんがまた発言できるようになりました。
done-scope = { $name }さんの役割を変更しました。
done-transfer = { $name }さんがグループのオーナーになりました。
done-undo = { $name }さんへの操作を元に戻しました。
done-note-added = { $name }さんについてのメモを追加しました。
done-note-removed = { $name }さんについてのメモを削除しました。
batch-done-kick = { $count }人を強制退会させました。
batch-done-ban = { $count }人をBANしました。
batch-done-mute = { $count }人の発言を禁止しました。
batch-done-scope = { $count }人の役割を変更しました。
batch-done-undo = { $count }人への操作を元に戻しました。
undo-button = 元に戻す
undo-left = { $count }s
done-join = グループに参加しました。

## Why an act is refused

refused-participant = 参加者はこの操作を行えません。
refused-oneself = 自分自身には行えません。
refused-equal-owner = この操作は自分より下の役割の人にしか行えません。相手も同じ役割（オーナー）です。
refused-equal-admin = この操作は自分より下の役割の人にしか行えません。相手も同じ役割（管理者）です。
refused-equal-moderator = この操作は自分より下の役割の人にしか行えません。相手も同じ役割（モデレーター）です。
refused-equal-participant = この操作は自分より下の役割の人にしか行えません。相手も同じ役割（参加者）です。
refused-above-owner = この操作は自分より下の役割の人にしか行えません。相手のほうが上の役割（オーナー）です。
refused-above-admin = この操作は自分より下の役割の人にしか行えません。相手のほうが上の役割（管理者）です。
refused-above-moderator = この操作は自分より下の役割の人にしか行えません。相手のほうが上の役割（モデレーター）です。
refused-above-participant = この操作は自分より下の役割の人にしか行えません。相手のほうが上の役割（参加者）です。
refused-owner-only = オーナー権限を譲渡できるのはオーナーだけです。
refused-grant-owner = 付与できるのは自分の役割（オーナー）までです。
refused-grant-admin = 付与できるのは自分の役割（管理者）までです。
refused-grant-moderator = 付与できるのは自分の役割（モデレーター）までです。
refused-grant-participant = 付与できるのは自分の役割（参加者）までです。
refused-self-ban = 自分をBANすることはできません。やめる場合は、グループを退会してください。
refused-self-mute = 自分の発言を禁止したり、自分の発言禁止を解除したりすることはできません。
refused-scope-ends = 役割に期限を付けられるのは、本来の役割より上の場合だけです。
refused-not-a-member = この人はこのグループのメンバーではありません。
refused-owner-must-transfer = オーナーは、オーナー権限を他の人に譲渡するまで退会できません。先に譲渡してください。
refused-not-undoable = 元に戻せるのは、メンバーが別の人に対して行った強制退会、BAN、発言禁止、役割の変更、BANまたは発言禁止の解除だけです。
refused-not-theirs-to-undo = 元に戻せるのは、操作した本人か、その上位の人だけです。
refused-not-theirs-to-remove = このメモを削除できるのは、書いた本人か、その上位の人だけです。
refused-banned = このグループからBANされています。
refused-password = グループのパスワードが違います。
refused-rights-changed = 表示してから、相手または自分の役割が変わりました。
refused-changed-since-shown = 表示後に変更がありました。内容を確認してから、もう一度お試しください。

## A field of a form that cannot be taken as it is

field-scope = 役割を選んでください。
field-end = { $count }日以内の終了日時を選んでください。
field-ends = 時間数と日付は、どちらか一方だけを指定してください。
field-long = 長すぎます。{ $count }文字以内で入力してください。
field-odd = 表示できない文字が含まれています。取り除くか、書き直してください。

## Who changed it meanwhile, behind a refusal. $by is a name, $time a moment such as "2 May 2024, 14:03".

changed-scope-admin = { $by }により{ $name }さんが管理者になりました（{ $time }）。
changed-scope-moderator = { $by }により{ $name }さんがモデレーターになりました（{ $time }）。
changed-scope-participant = { $by }により{ $name }さんが参加者になりました（{ $time }）。
changed-owner = { $by }によりグループのオーナーが変わりました（{ $time }）。
changed-kicked = { $by }により{ $name }さんが強制退会になりました（{ $time }）。
changed-banned = { $by }により{ $name }さんがBANされました（{ $time }）。
changed-muted = { $by }により{ $name }さんの発言が禁止されました（{ $time }）。
changed-unmuted = { $by }により{ $name }さんの発言禁止が解除されました（{ $time }）。
changed-left = { $name }さんが退会しました（{ $time }）。
the-host = システム
the-team = 運営チーム

## Errors: a title, and what to do

error-not-found = 見つかりません
error-not-found-hint = このグループは存在しないか、表示する権限がありません。
error-not-a-member = メンバーではありません
error-not-allowed = 権限がありません
error-not-undone = 元に戻せませんでした
undo-too-late = 時間が経ちすぎたため、元に戻せません。
undo-overtaken = その後に変更があったため、元に戻しませんでした。
error-not-any-more = この操作はもうできません
error-owner-must-stay = オーナーは退会できません
error-banned = BANされています
error-bad-request = リクエストを読み取れません
error-invalid = 使用できない値があります
error-sign-in = ログインしてください
error-sign-in-hint = ビューアートークンが必要です（BearerまたはセッションCookie）。
error-sign-in-again = もう一度ログインしてください
error-token-expired = トークンの有効期限が切れました。
error-signed-out = すべての端末でログアウトされました。
error-too-large = サイズが大きすぎます
error-too-large-hint = リクエストの本文が大きすぎます。
error-too-fast = リクエストが多すぎます
error-too-fast-hint = { $count }秒後にもう一度お試しください。
error-unavailable = 現在この操作はできません
error-unavailable-hint = 何も変更されていません。少し待ってからもう一度お試しください。
error-unsure = 完了したかどうかわかりません
error-unsure-hint = 時間内に応答がありませんでした。反映されているか確認してから、もう一度お試しください。
error-internal = サーバー側で問題が発生しました
error-internal-hint = お問い合わせの際は、この番号をお知らせください：{ $number }

## Whole pages

page-back = 戻る
page-members = メンバー
page-not-a-member = このグループのメンバーではありません。
page-refused = 操作できません
group-join-password = パスワードを知っている人なら誰でも参加できます。
group-join = 誰でも参加できます。
group-password = パスワード
act-join = 参加する

## Who is banned

bans-title = 「{ $group }」からBANされた人
bans-search = BANされた人を検索
bans-none = BANされた人はいません
bans-no-reason = 理由の記載なし
bans-until = { $time }まで
bans-forever = 解除するまで
bans-by = 実行：{ $by }（{ $time }）
mutes-by = 実行：{ $by }（{ $time }）
mutes-title = 「{ $group }」で発言を禁止された人
mutes-search = 発言を禁止された人を検索
mutes-none = 発言を禁止された人はいません
notes-label = メモ
notes-title = { $name }さんについてのメモ
notes-hint = モデレーター、管理者、オーナーのうち、この人より上位の人だけが読めます。本人には知らされません。
notes-none = メモはまだありません
notes-count = メモ：{ $count }
notes-by = { $by }（{ $time }）
notes-text = メモ
notes-missing = 先にメモを書いてください。
notes-full = この人についてのメモはこれ以上保存できません。先に1件削除してください。
notes-add = メモを追加
notes-remove = 削除

## The feed of changes

feed-title = 「{ $group }」の変更履歴
feed-joined = { $name }さんが参加しました
feed-added = { $by }により{ $name }さんが追加されました
feed-left = { $name }さんが退会しました
feed-kicked = { $by }により{ $name }さんが強制退会になりました
feed-banned = { $by }により{ $name }さんがBANされました
feed-unbanned = { $by }により{ $name }さんのBANが解除されました
feed-muted = { $by }により{ $name }さんの発言が禁止されました
feed-unmuted = { $by }により{ $name }さんの発言禁止が解除されました
feed-scope-admin = { $by }により{ $name }さんが管理者になりました
feed-scope-moderator = { $by }により{ $name }さんがモデレーターになりました
feed-scope-participant = { $by }により{ $name }さんが参加者になりました
feed-owner = { $name }さんがグループのオーナーになりました
feed-updated = { $name }さんの名前または画像が変わりました
feed-note-added = { $by }により{ $name }さんについてのメモが追加されました
feed-note-removed = { $by }により{ $name }さんについてのメモが削除されました
feed-synced = メンバーがシステムと同期されました
feed-group-created = グループが作成されました
feed-group-updated = グループの名前、画像、または説明が変わりました
feed-group-deleted = グループが削除されました

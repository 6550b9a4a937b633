# Korean. Everything the component says; the hints for translators are in en-US.

## Roles (scopes, to programs): what somebody is in a group

scope-owner = 소유자
scope-admin = 관리자
scope-moderator = 모더레이터
scope-participant = 참여자

## Headings over the people of one role

section-owner = 소유자
section-admin = 관리자
section-moderator = 모더레이터
section-participant = 참여자

## Whether somebody is there

status-online = 온라인
status-away = 자리 비움
status-offline = 오프라인

## The list

members-title = 멤버
members-search = 멤버 검색
members-search-go = 검색
members-more = 더 보기
members-previous = 앞쪽 멤버
members-next = 뒤쪽 멤버
members-online = { $count }명 온라인
members-filter = 필터
filter-all = 전체
filter-admins = 관리자
filter-moderators = 모더레이터
filter-online = 온라인
filter-joined = 최근 1시간 내 참여
members-found = { $count }명 찾음
members-bans-link = 차단된 사람
members-mutes-link = 글쓰기가 제한된 사람
members-page = ‘{ $group }’ 멤버

group-members = 멤버 { $count }명

## A row

row-joined = { $date } 참여
row-you = 나
row-own-menu = 내 멤버 정보
row-menu = { $name }님에 대한 작업
row-select = { $name }님 선택
row-selected = 선택됨

## Nobody to show

empty-title = 멤버가 없어요
empty-hint = 그룹에 참여한 사람이 여기에 표시돼요.
empty-search = “{ $search }” 검색 결과가 없어요
empty-search-hint = 이름의 일부만 입력해 보세요. 어떤 문자로든, 악센트 기호가 없어도 찾을 수 있어요.
empty-online = 온라인인 사람이 없어요
empty-online-hint = 접속한 사람이 여기에 표시돼요.
empty-filter = 여기엔 아무도 없어요
empty-filter-hint = 지금은 이 필터에 맞는 멤버가 없어요.
empty-clear = 모두 보기

## Live, and what stands in its way

live-on = 실시간
live-reconnecting = 다시 연결 중…
live-off = 실시간 업데이트가 멈췄어요. 변경 사항을 보려면 새로고침하세요.
presence-batched = 온라인 상태는 5초마다 업데이트돼요.
presence-counts = 온라인인 사람이 많아서 인원수만 실시간으로 표시돼요.
members-failed = 멤버를 표시할 수 없어요.
request-failed = 처리하지 못했어요.
request-retry = 다시 시도
held-changes = 변경 { $count }건

## A spoken line about what changed lately: "3 joined, 1 left, Ana is now admin"

digest-joined = { $count }명 참여
digest-left = { $count }명 나감
digest-removed = { $count }명 내보냄
digest-changed = 역할 변경 { $count }건
digest-admin = { $name }님이 관리자가 됨
digest-moderator = { $name }님이 모더레이터가 됨
digest-participant = { $name }님이 참여자가 됨
digest-owner = { $name }님이 소유자가 됨

## Selecting people

selection-count = { $count }명 선택됨
selection-clear = 선택 해제
selection-all = 조건에 맞는 사람 모두 선택
selection-done = 계속
selection-full = 최대 { $count }명까지 선택할 수 있어요.
selection-first = { $all }명 중 처음 { $count }명을 선택했어요.
selection-page = 선택한 사람
selection-none = 선택한 사람이 없어요.
selection-choose = 한 명 이상 선택하세요.
selection-fewer = 한 번에 처리하기에는 사람이 너무 많아요. 더 적게 선택하세요.
selection-gone = 이 중 { $count }명은 더 이상 멤버가 아니에요.

## When the viewer is out

ended-kicked = 이 그룹에서 내보내졌어요
ended-kicked-hint = 다시 참여하거나 초대를 요청하면 돌아올 수 있어요.
ended-banned = 이 그룹에서 차단되었어요
ended-deleted = 없어진 그룹이에요
ended-deleted-hint = 멤버가 더 이상 표시되지 않아요.
ended-left = 더 이상 이 그룹의 멤버가 아니에요
ended-left-hint = 다시 참여하거나 초대를 요청하면 돌아올 수 있어요.

## Out of the group, and at its door

left-title = ‘{ $group }’에서 나갔어요
left-untold = 그룹에서 나갔어요
left-ask = 돌아오려면 초대를 요청하세요.
act-join-again = 다시 참여하기
banned-until = { $time }까지 돌아올 수 없어요.
banned-for-good = 무기한 차단이에요. 해제되어야 돌아올 수 있어요.
muted-until = { $time }까지 글쓰기 제한
muted-you = { $time }까지 이 그룹에 글을 쓸 수 없어요.
scope-until = { $time }까지
scope-you-admin = { $time }까지 이 그룹의 관리자예요.
scope-you-moderator = { $time }까지 이 그룹의 모더레이터예요.
told = 운영진의 메시지: { $message }
group-password-missing = 그룹 비밀번호를 입력하세요.
selection-back = 선택 변경

## Acts, in a menu

act-kick = 내보내기
act-ban = 차단
act-unban = 차단 해제
act-mute = 글쓰기 제한
act-unmute = 글쓰기 제한 해제
act-scope = 역할 변경
act-scope-own = 내 역할 낮추기
act-transfer = 소유권 이전
act-leave = 그룹 나가기
act-cancel = 취소
act-close = 닫기

## Acts, as forms: the question over the form

ask-kick = { $name }님을 내보낼까요?
ask-ban = { $name }님을 차단할까요?
ask-unban = { $name }님의 차단을 해제할까요?
ask-mute = { $name }님의 글쓰기를 제한할까요?
ask-unmute = { $name }님의 글쓰기 제한을 해제할까요?
ask-scope = { $name }님의 역할 변경
ask-scope-own = 내 역할 낮추기
ask-transfer = { $name }님에게 소유권을 이전할까요?
ask-leave = 그룹에서 나갈까요?

## Acts, as forms: what will happen

hint-kick = 바로 그룹에서 나가게 돼요. 나중에 다시 들어올 수 있어요.
hint-ban = 바로 그룹에서 나가게 되고, 차단이 끝날 때까지 다시 들어올 수 없어요. 운영진에게 전할 말은 모더레이터, 관리자, 소유자에게 보여요.
hint-unban = 다시 들어올 수 있게 돼요. 자동으로 멤버가 되지는 않아요.
hint-mute = 그룹에는 남지만, 제한이 끝날 때까지 글을 쓸 수 없어요. 운영진에게 전할 말은 모더레이터, 관리자, 소유자에게 보여요.
hint-unmute = 바로 다시 글을 쓸 수 있어요.
hint-scope = 권한이 바로 바뀌고, 새 역할은 모두에게 표시돼요.
hint-scope-own = 권한을 내려놓게 돼요. 나보다 역할이 높은 사람만 되돌려 줄 수 있어요.
hint-transfer = 그룹의 모든 권한이 넘어가고 나는 관리자가 돼요. 새 소유자만 되돌려 줄 수 있어요.
hint-leave = 더 이상 멤버가 아니게 돼요. 돌아오려면 다시 참여하거나 초대를 요청하세요.
hint-leave-alone = 다른 멤버가 없어요. 그룹은 그대로 남고 시스템이 소유하게 돼요.

## Acts, as forms: the button that does it

do-kick = { $name }님 내보내기
do-ban = { $name }님 차단
do-unban = { $name }님 차단 해제
do-mute = { $name }님의 글쓰기 제한
do-unmute = { $name }님의 글쓰기 제한 해제
do-scope = 저장
do-transfer = { $name }님에게 소유권 이전
do-leave = 그룹 나가기

## The form of a ban

ban-reason = 운영진에게 전할 말
ban-message = 당사자에게 전할 말
ban-for = 기간
ban-hour = 1시간
ban-day = 1일
ban-week = 7일
ban-forever = 해제할 때까지
for-minutes = 5분
for-other = 다른 종료 시점
for-hours = 시간 수
for-day = 또는 지정한 날이 끝날 때까지(UTC)
scope-forever = 변경할 때까지
scope-end-now = 지금 역할 끝내기
scope-legend = 역할
batch-will-kick = { $count }명을 그룹에서 내보내요.
batch-will-ban = { $count }명을 차단해요.
batch-will-mute = { $count }명의 글쓰기를 제한해요.
batch-will-scope = { $count }명의 역할을 변경해요.
batch-cannot = 불가능({ $count }명):
batch-unchanged = 변경할 것 없음
batch-refused-oneself = 나 자신
batch-refused-equal = 나와 같은 역할
batch-refused-above = 나보다 높은 역할
batch-refused-grant = 새 역할이 내 역할보다 높음
batch-refused-scope-ends = 원래 역할이 새 역할보다 낮지 않음
batch-refused-not-a-member = 멤버가 아님
batch-refused-changed = 그사이에 변경됨
batch-refused-too-late = 시간이 너무 지남
batch-refused-overtaken = 그 뒤에 다시 변경됨
batch-hint-kick = 바로 그룹에서 나가게 돼요. 나중에 다시 들어올 수 있어요.
batch-hint-ban = 바로 그룹에서 나가게 되고, 차단이 끝날 때까지 다시 들어올 수 없어요. 운영진에게 전할 말은 모더레이터, 관리자, 소유자에게 보여요.
batch-hint-mute = 그룹에는 남지만, 제한이 끝날 때까지 글을 쓸 수 없어요. 운영진에게 전할 말은 모더레이터, 관리자, 소유자에게 보여요.
batch-hint-scope = 권한이 바로 바뀌고, 새 역할은 모두에게 표시돼요.

## What came of an act, on a page without JavaScript

done-kick = { $name }님을 그룹에서 내보냈어요.
done-ban = { $name }님을 차단했어요.
done-unban = { $name }님이 다시 들어올 수 있어요.
done-mute = { $name }님의 글쓰기를 제한했어요.
done-unmute = { $name }님이 다시 글을 쓸 수 있어요.
done-scope = { $name }님의 역할을 변경했어요.
done-transfer = 이제 { $name }님이 그룹 소유자예요.
done-undo = { $name }님에 대한 작업을 되돌렸어요.
done-note-added = { $name }님에 대한 메모를 추가했어요.
done-note-removed = { $name }님에 대한 메모를 삭제했어요.
batch-done-kick = { $count }명을 그룹에서 내보냈어요.
batch-done-ban = { $count }명을 차단했어요.
batch-done-mute = { $count }명의 글쓰기를 제한했어요.
batch-done-scope = { $count }명의 역할을 변경했어요.
batch-done-undo = { $count }명에 대한 작업을 되돌렸어요.
undo-button = 되돌리기
undo-left = { $count }초
done-join = 그룹에 참여했어요.

## Why an act is refused

refused-participant = 참여자는 다른 사람에게 이 작업을 할 수 없어요.
refused-oneself = 나 자신에게는 할 수 없어요.
refused-equal-owner = 나보다 역할이 낮은 사람에게만 할 수 있어요. 상대방도 똑같이 소유자예요.
refused-equal-admin = 나보다 역할이 낮은 사람에게만 할 수 있어요. 상대방도 똑같이 관리자예요.
refused-equal-moderator = 나보다 역할이 낮은 사람에게만 할 수 있어요. 상대방도 똑같이 모더레이터예요.
refused-equal-participant = 나보다 역할이 낮은 사람에게만 할 수 있어요. 상대방도 똑같이 참여자예요.
refused-above-owner = 나보다 역할이 낮은 사람에게만 할 수 있어요. 상대방은 역할이 더 높은 소유자예요.
refused-above-admin = 나보다 역할이 낮은 사람에게만 할 수 있어요. 상대방은 역할이 더 높은 관리자예요.
refused-above-moderator = 나보다 역할이 낮은 사람에게만 할 수 있어요. 상대방은 역할이 더 높은 모더레이터예요.
refused-above-participant = 나보다 역할이 낮은 사람에게만 할 수 있어요. 상대방은 역할이 더 높은 참여자예요.
refused-owner-only = 소유자만 그룹 소유권을 이전할 수 있어요.
refused-grant-owner = 내 역할인 소유자까지만 부여할 수 있어요.
refused-grant-admin = 내 역할인 관리자까지만 부여할 수 있어요.
refused-grant-moderator = 내 역할인 모더레이터까지만 부여할 수 있어요.
refused-grant-participant = 내 역할인 참여자까지만 부여할 수 있어요.
refused-self-ban = 자신을 차단할 수는 없어요. 떠나려면 그룹에서 나가세요.
refused-self-mute = 자신의 글쓰기를 제한하거나 그 제한을 해제할 수는 없어요.
refused-scope-ends = 역할은 원래 역할보다 높을 때만 기한을 정할 수 있어요.
refused-not-a-member = 이 그룹의 멤버가 아닌 사람이에요.
refused-owner-must-transfer = 소유자는 소유권을 이전하기 전에는 나갈 수 없어요. 먼저 다른 사람에게 이전하세요.
refused-not-undoable = 멤버가 다른 사람에게 한 내보내기, 차단, 글쓰기 제한, 역할 변경, 차단 해제, 글쓰기 제한 해제만 되돌릴 수 있어요.
refused-not-theirs-to-undo = 이 작업을 한 사람이나 그보다 역할이 높은 사람만 되돌릴 수 있어요.
refused-not-theirs-to-remove = 이 메모를 쓴 사람이나 그보다 역할이 높은 사람만 삭제할 수 있어요.
refused-banned = 이 그룹에서 차단되었어요.
refused-password = 그룹 비밀번호가 맞지 않아요.
refused-rights-changed = 화면을 연 뒤에 상대방이나 내 역할이 바뀌었어요.
refused-changed-since-shown = 그사이에 변경된 내용이 있어요. 확인한 뒤에 다시 시도하세요.

## A field of a form that cannot be taken as it is

field-scope = 역할을 선택하세요.
field-end = 앞으로 { $count }일 이내의 종료 시점을 선택하세요.
field-ends = 시간 수와 날짜 중 하나만 지정하세요.
field-long = 글이 너무 길어요. 최대 { $count }자까지 쓸 수 있어요.
field-odd = 글에 표시할 수 없는 문자가 있어요. 그 문자를 지우거나 글을 다시 써 주세요.

## Who changed it meanwhile, behind a refusal. $by is a name, $time a moment such as "2 May 2024, 14:03".

changed-scope-admin = { $name }님이 관리자가 되었어요(변경: { $by }, { $time }).
changed-scope-moderator = { $name }님이 모더레이터가 되었어요(변경: { $by }, { $time }).
changed-scope-participant = { $name }님이 참여자가 되었어요(변경: { $by }, { $time }).
changed-owner = 그룹 소유권이 이전되었어요(변경: { $by }, { $time }).
changed-kicked = { $name }님을 내보냈어요(처리: { $by }, { $time }).
changed-banned = { $name }님을 차단했어요(처리: { $by }, { $time }).
changed-muted = { $name }님의 글쓰기를 제한했어요(처리: { $by }, { $time }).
changed-unmuted = { $name }님의 글쓰기 제한을 해제했어요(처리: { $by }, { $time }).
changed-left = { $name }님이 나갔어요({ $time }).
the-host = 시스템
the-team = 운영진

## Errors: a title, and what to do

error-not-found = 찾을 수 없어요
error-not-found-hint = 없는 그룹이거나 볼 수 있는 권한이 없어요.
error-not-a-member = 멤버가 아니에요
error-not-allowed = 권한이 없어요
error-not-undone = 되돌리지 못했어요
undo-too-late = 시간이 너무 지나 되돌릴 수 없어요.
undo-overtaken = 그사이에 변경이 있어서 되돌리지 않았어요.
error-not-any-more = 더 이상 할 수 없어요
error-owner-must-stay = 소유자는 나갈 수 없어요
error-banned = 차단되었어요
error-bad-request = 요청을 읽을 수 없어요
error-invalid = 허용되지 않는 값이 있어요
error-sign-in = 로그인해 주세요
error-sign-in-hint = 뷰어 토큰이 필요해요(Bearer 또는 세션 쿠키).
error-sign-in-again = 다시 로그인해 주세요
error-token-expired = 토큰이 만료되었어요.
error-signed-out = 모든 기기에서 로그아웃되었어요.
error-too-large = 너무 커요
error-too-large-hint = 요청 본문이 너무 커요.
error-too-fast = 요청이 너무 많아요
error-too-fast-hint = { $count }초 후에 다시 시도하세요.
error-unavailable = 지금은 할 수 없어요
error-unavailable-hint = 바뀐 것은 없어요. 잠시 후 다시 시도하세요.
error-unsure = 처리되었는지 알 수 없어요
error-unsure-hint = 제때 응답이 오지 않았어요. 처리되었는지 확인한 뒤에 다시 시도하세요.
error-internal = 서버에 문제가 생겼어요
error-internal-hint = 문의할 때 이 번호를 알려 주세요: { $number }

## Whole pages

page-back = 뒤로
page-members = 멤버
page-not-a-member = 이 그룹의 멤버가 아니에요.
page-refused = 할 수 없어요
group-join-password = 비밀번호를 아는 사람은 누구나 참여할 수 있어요.
group-join = 누구나 참여할 수 있어요.
group-password = 비밀번호
act-join = 참여하기

## Who is banned

bans-title = ‘{ $group }’에서 차단된 사람
bans-search = 차단된 사람 검색
bans-none = 차단된 사람이 없어요
bans-no-reason = 사유 없음
bans-until = { $time }까지
bans-forever = 해제할 때까지
bans-by = 처리: { $by }, { $time }
mutes-by = 처리: { $by }, { $time }
mutes-title = ‘{ $group }’에서 글쓰기가 제한된 사람
mutes-search = 글쓰기가 제한된 사람 검색
mutes-none = 글쓰기가 제한된 사람이 없어요
notes-label = 메모
notes-title = { $name }님에 대한 메모
notes-hint = 운영진 중에서 이 사람보다 역할이 높은 사람만 볼 수 있어요. 본인에게는 알리지 않아요.
notes-none = 아직 메모가 없어요
notes-count = 메모: { $count }
notes-by = { $by }, { $time }
notes-text = 메모
notes-missing = 먼저 메모를 쓰세요.
notes-full = 이 사람에 대한 메모를 더 저장할 수 없어요. 먼저 하나를 삭제하세요.
notes-add = 메모 추가
notes-remove = 삭제

## The feed of changes

feed-title = ‘{ $group }’ 변경 내역
feed-joined = { $name }님이 들어왔어요
feed-added = { $name }님을 추가했어요(추가: { $by })
feed-left = { $name }님이 나갔어요
feed-kicked = { $name }님을 내보냈어요(처리: { $by })
feed-banned = { $name }님을 차단했어요(처리: { $by })
feed-unbanned = { $name }님의 차단을 해제했어요(처리: { $by })
feed-muted = { $name }님의 글쓰기를 제한했어요(처리: { $by })
feed-unmuted = { $name }님의 글쓰기 제한을 해제했어요(처리: { $by })
feed-scope-admin = { $name }님이 관리자가 되었어요(변경: { $by })
feed-scope-moderator = { $name }님이 모더레이터가 되었어요(변경: { $by })
feed-scope-participant = { $name }님이 참여자가 되었어요(변경: { $by })
feed-owner = { $name }님이 그룹 소유자가 되었어요
feed-updated = { $name }님의 이름이나 사진이 바뀌었어요
feed-note-added = { $name }님에 대한 메모를 추가했어요(처리: { $by })
feed-note-removed = { $name }님에 대한 메모를 삭제했어요(처리: { $by })
feed-synced = 멤버 목록이 시스템과 동기화되었어요
feed-group-created = 그룹이 만들어졌어요
feed-group-updated = 그룹의 이름, 사진 또는 설명이 바뀌었어요
feed-group-deleted = 그룹이 삭제되었어요

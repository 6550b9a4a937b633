"""A Django project that owns its people and rooms. Signals send them to the service, through an outbox, when they are saved
and deleted; who is in which room comes back by webhooks."""

import base64
import hashlib
import hmac
import http.client
import json
import os
import re
import sys
import time
import urllib.error
import urllib.request
import uuid

import django
from django.conf import settings
from django.core.management import execute_from_command_line
from django.db import models, transaction
from django.db.models.signals import post_delete, post_save, pre_delete
from django.dispatch import receiver
from django.http import HttpResponse, JsonResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

SERVICE = os.environ.get("CGM_URL", "http://127.0.0.1:8080")
KEY = os.environ["CGM_API_KEY"]
WEBHOOK_SECRET = os.environ["CGM_WEBHOOK_SECRET"]
# How long a change is sent again to which the service answers 500, in seconds: a day, as long as it remembers keys.
PATIENCE = float(os.environ.get("HOST_PATIENCE", "86400"))

settings.configure(
    SECRET_KEY=uuid.uuid4().hex,
    ROOT_URLCONF=__name__,
    ALLOWED_HOSTS=["127.0.0.1", "localhost"],
    INSTALLED_APPS=[],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.environ.get("HOST_DATABASE", "host.db")}},
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
)
django.setup()


class Table(models.Model):
    class Meta:
        abstract = True
        app_label = "host"


class Person(Table):
    uid = models.CharField(max_length=100, primary_key=True)
    name = models.CharField(max_length=100)


class Room(Table):
    guid = models.CharField(max_length=100, primary_key=True)
    name = models.CharField(max_length=100)
    owner = models.CharField(max_length=100)


class Membership(Table):
    """Only webhooks write it."""

    room = models.CharField(max_length=100)
    uid = models.CharField(max_length=100)
    scope = models.CharField(max_length=20)
    seq = models.BigIntegerField()  # the event that said so

    class Meta(Table.Meta):
        abstract = False
        unique_together = [("room", "uid")]


class Erased(Table):
    """The last event of a room that may be about somebody who was erased."""

    room = models.CharField(max_length=100)
    uid = models.CharField(max_length=100)
    seq = models.BigIntegerField()

    class Meta(Table.Meta):
        abstract = False
        unique_together = [("room", "uid")]


class Applied(Table):
    """Webhooks that were applied, so that a repeated one is not applied twice."""

    id = models.CharField(max_length=100, primary_key=True)


class Outbox(Table):
    """What the service has not got yet, in order. What it refuses, or fails at for a day, stays with the reason and is not sent again."""

    key = models.UUIDField(default=uuid.uuid4)
    calls = models.JSONField()
    refusal = models.TextField(default="")
    failing_since = models.FloatField(null=True)


class Refused(Exception):
    """The service has refused, and would again."""


class Unavailable(Exception):
    """It may be done later."""


class Internal(Unavailable):
    """500: the service fails at this call alone. Any other failure is about all of them."""


def service(method, path, body=None, fine=None, key=None):
    """One call of the service; None where it answers the code that is fine."""
    headers = {"apikey": KEY, "Content-Type": "application/json", **({"Idempotency-Key": key} if key else {})}
    data = None if body is None else json.dumps(body).encode()
    try:
        try:
            with urllib.request.urlopen(urllib.request.Request(f"{SERVICE}/v3{path}", data, headers, method=method), timeout=5) as answer:
                return json.load(answer)["data"]
        except urllib.error.HTTPError as answer:
            status, error = answer.code, json.load(answer)["error"]
    except (OSError, http.client.HTTPException, ValueError, KeyError) as failure:
        raise Unavailable(f"{method} {path}: {failure}") from failure
    if error["code"] != fine:
        kind = Internal if status == 500 else Unavailable if status in (401, 429) or status > 500 else Refused
        raise kind(f"{error['code']}: {error['message']}")
    return None


def read(path):
    """Reads from the service: a snapshot line by line, anything else as one line."""
    request = urllib.request.Request(f"{SERVICE}/v3{path}", headers={"apikey": KEY, "Accept": "application/x-ndjson"})
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return [json.loads(line) for line in answer]
    except urllib.error.HTTPError as error:
        if error.code == 404:
            return []  # Of a room that is gone there is nothing.
        raise


def change(*calls):
    """Stores what is to be sent in the transaction that is open, and sends it once that is committed: the first of these
    calls, and the next where the answer is the code that is fine."""
    row = Outbox.objects.create(calls=calls)
    transaction.on_commit(send)
    return row


def send():
    """Sends what waits, in order; False when something still waits. By its key a call is done once, also when its answer was lost."""
    for row in Outbox.objects.filter(refusal="").order_by("id"):
        try:
            for number, call in enumerate(row.calls):
                if service(*call, key=f"{row.key}-{number}") is not None:
                    break
            row.delete()
        except (Refused, Unavailable) as failure:
            is_internal = isinstance(failure, Internal)
            since = row.failing_since or (time.time() if is_internal else None)
            is_put_aside = isinstance(failure, Refused) or (is_internal and time.time() - since >= PATIENCE)
            print(f"{'put aside' if is_put_aside else 'to be sent again'}: {failure}", file=sys.stderr)
            Outbox.objects.filter(id=row.id).update(refusal=str(failure) if is_put_aside else "", failing_since=since)
            if not is_put_aside:
                return False
    return True


# Out, in a few lines. Both rows or neither: update_or_create() is a transaction, around a save() of yours there is one with
# ATOMIC_REQUESTS or atomic().
@receiver(post_save, sender=Person)
def person_saved(instance, **_):
    fields = {"name": instance.name}
    change(("POST", "/users", {"uid": instance.uid, **fields}, "ERR_UID_ALREADY_EXISTS"), ("PUT", f"/users/{instance.uid}", fields))


@receiver(pre_delete, sender=Person)
def deleting_person(instance, **_):
    """While they own a group the service refuses, and the row here stays."""
    if Outbox.objects.filter(refusal="").exists():
        raise Unavailable("Earlier changes are not sent yet.")
    service("DELETE", f"/users/{instance.uid}", fine="ERR_UID_NOT_FOUND")


@receiver(post_save, sender=Room)
def room_saved(instance, **_):
    fields = {"name": instance.name}
    new = {"guid": instance.guid, "owner": instance.owner, **fields}
    change(("POST", "/groups", new, "ERR_GUID_ALREADY_EXISTS"), ("PUT", f"/groups/{instance.guid}", fields))


@receiver(post_delete, sender=Room)
def room_deleted(instance, **_):
    change(("DELETE", f"/groups/{instance.guid}", None, "ERR_GUID_NOT_FOUND"))


def verified(request):
    """Whether the service has signed this request: Standard Webhooks 1.0."""
    event, at, signatures = (request.headers.get(f"webhook-{part}", "") for part in ("id", "timestamp", "signature"))
    if not re.fullmatch("[0-9]{1,12}", at) or abs(time.time() - int(at)) > 300:
        return False
    secret = base64.b64decode(WEBHOOK_SECRET.removeprefix("whsec_"))
    ours = hmac.new(secret, f"{event}.{at}.".encode() + request.body, hashlib.sha256).digest()
    ours = b"v1," + base64.b64encode(ours)
    return any(hmac.compare_digest(ours, theirs.encode()) for theirs in signatures.split())


@csrf_exempt
def webhooks(request):
    if not verified(request):
        return HttpResponse(status=401)
    event = json.loads(request.body)
    # Both or neither: the event is applied, and it is known that it was.
    with transaction.atomic():
        _, is_new = Applied.objects.get_or_create(id=request.headers["webhook-id"])
        if is_new:
            apply(event["type"], event["data"])
    return HttpResponse(status=204)


def apply(kind, data):
    """The members an event speaks of are in the room with this scope, or out of it."""
    if kind == "log.restarted":
        read_again()
    elif kind == "user.deleted":
        forget(data["uid"], data["positions"])
    elif "group" in data:
        room = data["group"]["guid"]
        if kind in ("group.created", "group.deleted"):
            Membership.objects.filter(room=room).delete()
        for member in touched(data):
            put(room, data["seq"], member["uid"], member["scope"])


def touched(data):
    """Whom an event touched. Of many people it has only membersUrl, where to read them."""
    if "membersUrl" not in data:
        yield from data.get("members") or filter(None, [data.get("member")])
        return
    cursor = ""
    while cursor is not None:
        [page] = read(f"/groups/{data['group']['guid']}/events/{data['seq']}/members?limit=1000&cursor={cursor}")
        yield from page["data"]
        cursor = page["meta"]["next"]


def put(room, seq, uid, scope):
    if Erased.objects.filter(room=room, uid=uid, seq__gte=seq).exists():
        return
    if scope:
        Membership.objects.update_or_create(room=room, uid=uid, defaults={"scope": scope, "seq": seq})
    else:
        Membership.objects.filter(room=room, uid=uid).delete()


def forget(uid, positions):
    """Somebody was erased. Later events are about somebody else by the same uid."""
    for room, seq in positions.items():
        Erased.objects.update_or_create(room=room, uid=uid, defaults={"seq": seq})
        Membership.objects.filter(room=room, uid=uid, seq__lte=seq).delete()


def read_again():
    """Another history of events begins: a snapshot of each room says who is in it, and as of which event."""
    Membership.objects.all().delete()
    Erased.objects.all().delete()
    page_of_groups = "/groups?perPage=1000&sortBy=createdAt&page="
    [first] = read(f"{page_of_groups}1")
    # The last page first: when a room is deleted meanwhile, those after it move towards pages that are not read yet.
    for page in range(first["meta"]["pagination"]["total_pages"], 0, -1):
        [listed] = read(f"{page_of_groups}{page}")
        for group in listed["data"]:
            lines = read(f"/groups/{group['guid']}/members")
            for person in lines[1:]:
                put(group["guid"], lines[0]["seq"], person["uid"], "owner" if person.get("isOwner") else person["scope"])


def told(view):
    """Tells the person who asked why it was not done."""

    @csrf_exempt
    def asked(*given, **named):
        try:
            return view(*given, **named)
        except (Refused, Unavailable) as failure:
            return JsonResponse({"error": str(failure)}, status=409 if isinstance(failure, Refused) else 503)

    return asked


@told
def person(request, uid):
    if request.method == "DELETE":
        send()  # before the transaction of the deletion, which asks the service in its turn
        Person.objects.get(uid=uid).delete()
    else:
        Person.objects.update_or_create(uid=uid, defaults={"name": json.loads(request.body)["name"]})
    return JsonResponse({})


@csrf_exempt
def room(request, guid):
    if request.method == "PUT":
        Room.objects.update_or_create(guid=guid, defaults=json.loads(request.body))
    elif request.method == "DELETE":
        Room.objects.get(guid=guid).delete()
    members = Membership.objects.filter(room=guid)
    return JsonResponse({member.uid: member.scope for member in members})


@told
def member(request, guid, uid):
    if request.method == "DELETE":
        row = change(("DELETE", f"/groups/{guid}/members/{uid}", None, "ERR_NOT_A_MEMBER"))
    else:
        row = change(("POST", f"/groups/{guid}/members", {"participants": [uid]}))
    # Only webhooks write memberships here, so where the service refuses, nothing has changed on either side.
    if refused := Outbox.objects.filter(id=row.id).exclude(refusal="").first():
        raise Refused(refused.refusal)
    return JsonResponse({})


@csrf_exempt
def outbox(request):  # from cron
    return JsonResponse({"sent": send()})


def token(request, uid):  # request.user.username in your project
    return JsonResponse({"token": service("POST", f"/users/{uid}/auth_tokens", {})["authToken"]})


urlpatterns = [
    path("webhooks", webhooks),
    path("people/<uid>", person),
    path("rooms/<guid>", room),
    path("rooms/<guid>/people/<uid>", member),
    path("outbox", outbox),
    path("token/<uid>", token),
]

if __name__ == "__main__":
    from django.db import connection

    with connection.schema_editor() as editor:
        for model in (Person, Room, Membership, Erased, Applied, Outbox):
            if model._meta.db_table not in connection.introspection.table_names():
                editor.create_model(model)
    # One request at a time, as SQLite has one writer.
    execute_from_command_line([sys.argv[0], "runserver", "--noreload", "--nothreading", os.environ.get("PORT", "3000")])

"""The page of 30 members as Django serves it: models, templates, and PyJWT for the token.

Settings are those of the deployment checklist, as far as they concern this page. What it leaves out favours it: sessions, logins and
their middleware, ETag, translation, search; nobody is online.
"""

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import django
import jwt
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.db import models
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.urls import path

LIMIT = 30
RANKS = ["owner", "admin", "moderator", "participant"]
HEADINGS = ["Owner", "Admins", "Moderators", "Participants"]
BADGES = ["Owner", "Admin", "Moderator", None]
MODERATOR = RANKS.index("moderator")
SECRET = os.environ["PEER_SECRET"]
HEADERS = json.loads(os.environ["PEER_HEADERS"])
ONLINE = {}

settings.configure(
    DEBUG=False,
    SECRET_KEY=SECRET,
    ALLOWED_HOSTS=["localhost", "127.0.0.1"],
    ROOT_URLCONF=__name__,
    MIDDLEWARE=[],
    INSTALLED_APPS=[],
    USE_TZ=True,
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": os.environ["PEER_DATABASE"],
            "CONN_MAX_AGE": None,
            "OPTIONS": {"init_command": "PRAGMA mmap_size = 1073741824;"},
        }
    },
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "DIRS": [Path(__file__).parent]}],
)
django.setup()


class Section(models.Model):
    """How many members of a group have a scope."""

    pk = models.CompositePrimaryKey("guid", "rank")
    guid = models.TextField()
    rank = models.IntegerField()
    members = models.IntegerField()

    class Meta:
        app_label = "page"
        db_table = "sections"
        managed = False


class Member(models.Model):
    """A member of a group, by its place in the list."""

    pk = models.CompositePrimaryKey("guid", "position")
    guid = models.TextField()
    position = models.TextField()
    rank = models.IntegerField()
    uid = models.TextField()
    name = models.TextField()
    joined_at = models.IntegerField()
    hue = models.IntegerField()
    initials = models.TextField()

    class Meta:
        app_label = "page"
        db_table = "members"
        managed = False


def viewer_of(request):
    """Who asks, by their token; `None` without a valid one."""
    try:
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        claims = jwt.decode(
            token, SECRET, algorithms=["HS256"], audience="chat-group-members", options={"require": ["sub", "exp", "aud"]}
        )
        return claims["sub"]
    except jwt.InvalidTokenError:
        return None


def members(request, guid):
    viewer = viewer_of(request)
    if viewer is None:
        return HttpResponse(status=401)
    own = next(iter(Member.objects.filter(guid=guid, uid=viewer).values_list("rank", flat=True)), None)
    if own is None:
        return HttpResponse(status=404)
    everybody = Member.objects.filter(guid=guid).order_by("position")
    cursor = request.GET.get("cursor")
    if cursor:
        everybody = everybody.filter(position__gt=cursor)
    people = list(everybody[: LIMIT + 1])
    numbers = dict(Section.objects.filter(guid=guid).values_list("rank", "members"))
    further = len(people) > LIMIT
    del people[LIMIT:]
    last = None
    for member in people:
        member.heading = None
        if member.rank != last:
            last = member.rank
            member.heading = {"rank": last, "scope": RANKS[last], "word": HEADINGS[last], "members": numbers[last]}
        member.scope = RANKS[member.rank]
        member.status = ONLINE.get(member.uid, "offline")
        member.word = "Online" if member.uid in ONLINE else "Offline"
        member.joined = datetime.fromtimestamp(member.joined_at, UTC)
        member.badge = BADGES[member.rank]
        member.is_own = member.uid == viewer
        member.link = member.is_own or (own <= MODERATOR and own < member.rank)
    page = {
        "guid": guid,
        "people": people,
        "previous": people[0].position if cursor else None,
        "next": people[-1].position if further else None,
    }
    return HttpResponse(render_to_string("page.html", page), headers=HEADERS)


urlpatterns = [path("groups/<str:guid>/members", members)]
application = get_wsgi_application()

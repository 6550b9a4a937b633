"""A copy of who is in which group, kept by webhooks. It may be killed at any moment, lose its database, or miss what
happened: then it asks for the events it lacks, or for a snapshot that says which number it stands at."""

import base64
import hashlib
import hmac
import http.server
import json
import os
import sqlite3
import time
import urllib.error
import urllib.request

SERVICE, KEY = os.environ.get("CGM_URL", "http://127.0.0.1:8080"), os.environ["CGM_API_KEY"]
SECRET = base64.b64decode(os.environ["CGM_WEBHOOK_SECRET"].removeprefix("whsec_"))
copy = sqlite3.connect(os.environ.get("MIRROR_DATABASE", "mirror.db"))
copy.execute("CREATE TABLE IF NOT EXISTS groups (guid TEXT PRIMARY KEY, epoch TEXT, seq INTEGER)")
copy.execute("CREATE TABLE IF NOT EXISTS members (guid TEXT, uid TEXT, scope TEXT, seq INTEGER, PRIMARY KEY (guid, uid))")
copy.execute("CREATE TABLE IF NOT EXISTS mutes (guid TEXT, uid TEXT, until TEXT, PRIMARY KEY (guid, uid))")
copy.execute("CREATE TABLE IF NOT EXISTS erased (guid TEXT, uid TEXT, seq INTEGER, PRIMARY KEY (guid, uid))")


def ask(path, accept="application/json"):
    request = urllib.request.Request(f"{SERVICE}/v3{path}", headers={"apikey": KEY, "Accept": accept})
    return urllib.request.urlopen(request, timeout=30)


def everything():
    """Begins all groups again. Of those that are gone, and of who was erased, nothing stays."""
    for table in "groups", "members", "mutes", "erased":
        copy.execute(f"DELETE FROM {table}")
    page = pages = 1
    while page <= pages:
        listed = json.load(ask(f"/groups?perPage=1000&page={page}"))
        for group in listed["data"]:
            snapshot(group["guid"])
        page, pages = page + 1, listed["meta"]["pagination"]["total_pages"]


def snapshot(guid):
    """Begins a group again: everybody in it, and the number of the last event that this includes."""
    for table in "members", "mutes":
        copy.execute(f"DELETE FROM {table} WHERE guid = ?", [guid])
    with ask(f"/groups/{guid}/members", "application/x-ndjson") as lines:
        head = json.loads(next(lines))
        copy.execute("REPLACE INTO groups VALUES (?, ?, ?)", [guid, head["epoch"], head["seq"]])
        for left in head.get("mutes", []):
            mute(guid, left["uid"], left["until"])
        for member in map(json.loads, lines):
            put(guid, member["uid"], "owner" if member.get("isOwner") else member["scope"], head["seq"])
            mute(guid, member["uid"], member.get("mutedUntil"))


def put(guid, uid, scope, seq):
    copy.execute("DELETE FROM members WHERE guid = ? AND uid = ?", [guid, uid])
    erased = copy.execute("SELECT 1 FROM erased WHERE guid = ? AND uid = ? AND seq >= ?", [guid, uid, seq]).fetchone()
    if scope and not erased:
        copy.execute("INSERT INTO members VALUES (?, ?, ?, ?)", [guid, uid, scope, seq])


def mute(guid, uid, until):
    """Who may not write until when: what your chat asks before it takes a message. Once the time is over it is no mute."""
    copy.execute("DELETE FROM mutes WHERE guid = ? AND uid = ?", [guid, uid])
    if until:
        copy.execute("INSERT INTO mutes VALUES (?, ?, ?)", [guid, uid, until])


def apply(event):
    """The next event of a group. It says who is in the group now, and with which scope."""
    data, guid = event["data"], event["data"]["group"]["guid"]
    if "membersUrl" in data:  # a sync of many people
        return snapshot(guid)
    if event["type"] == "group.deleted":
        for table in "members", "mutes":
            copy.execute(f"DELETE FROM {table} WHERE guid = ?", [guid])
    if event["type"] in ("member.muted", "member.unmuted"):
        mute(guid, data["member"]["uid"], data["until"])
    for member in data.get("members") or filter(None, [data.get("member")]):
        put(guid, member["uid"], member["scope"], data["seq"])
    copy.execute("UPDATE groups SET seq = ? WHERE guid = ?", [data["seq"], guid])


def hear(event):
    """One webhook. It may come twice: an old one changes nothing."""
    if event["type"] == "log.restarted":
        return everything()
    if event["type"] == "user.deleted":  # events that were on their way speak of the pseudonym already
        for guid, seq in event["data"]["positions"].items():
            copy.execute("REPLACE INTO erased VALUES (?, ?, ?)", [guid, event["data"]["uid"], seq])
            copy.execute("DELETE FROM members WHERE guid = ? AND uid = ? AND seq <= ?", [guid, event["data"]["uid"], seq])
            mute(guid, event["data"]["uid"], None)
    if "group" not in (data := event["data"]):
        return  # of no group
    guid, epoch, seq = data["group"]["guid"], data["epoch"], data["seq"]
    known = lambda: copy.execute("SELECT epoch, seq FROM groups WHERE guid = ?", [guid]).fetchone() or ("", 0)
    try:
        if known() == (epoch, seq - 1):
            return apply(event)
        if known()[0] != epoch:
            return snapshot(guid)
        while seq > known()[1]:
            for missed in json.load(ask(f"/groups/{guid}/events?epoch={epoch}&after={known()[1]}"))["data"]:
                if missed["data"]["seq"] > known()[1]:
                    apply(missed)
    except urllib.error.HTTPError as error:
        if error.code == 410:  # too long ago
            snapshot(guid)
        elif error.code == 404:  # the group is gone
            copy.execute("DELETE FROM members WHERE guid = ?", [guid])
        else:
            raise


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        signed = f"{self.headers['webhook-id']}.{self.headers['webhook-timestamp']}.".encode() + body
        ours = "v1," + base64.b64encode(hmac.new(SECRET, signed, hashlib.sha256).digest()).decode()
        is_recent = abs(time.time() - int(self.headers["webhook-timestamp"])) < 300
        if is_recent and any(hmac.compare_digest(ours, theirs) for theirs in self.headers["webhook-signature"].split()):
            with copy:  # all of it is stored, or nothing and it comes again
                hear(json.loads(body))
            self.send_response(204)
        else:
            self.send_response(401)
        self.end_headers()


with copy:
    if not copy.execute("SELECT 1 FROM groups").fetchone():
        everything()
http.server.HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver).serve_forever()

"""A copy of who is in which group, kept by webhooks. It may be killed at any moment, lose its database, or miss what
happened: then it asks for a snapshot, which says at which number of the group's events it stands."""

import json
import os
import sqlite3
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.request import HTTPError, Request, urlopen

from standardwebhooks import Webhook

SERVICE, KEY = os.environ.get("CGM_URL", "http://127.0.0.1:8080"), os.environ["CGM_API_KEY"]
WEBHOOK = Webhook(os.environ["CGM_WEBHOOK_SECRET"])
db = sqlite3.connect(os.environ.get("MIRROR_DATABASE", "mirror.db"))
db.execute("PRAGMA foreign_keys = ON")
db.execute("CREATE TABLE IF NOT EXISTS groups (guid PRIMARY KEY, epoch, seq)")
db.execute("CREATE TABLE IF NOT EXISTS members (guid REFERENCES groups ON DELETE CASCADE, uid, scope, UNIQUE (guid, uid))")


def ask(path):
    """The answer, a value a line; nothing of a group that is gone."""
    try:
        headers = {"apikey": KEY, "Accept": "application/x-ndjson"}
        yield from map(json.loads, urlopen(Request(f"{SERVICE}/v3/groups{path}", headers=headers), timeout=30))
    except HTTPError as error:
        if error.code != 404:
            raise


def everything():
    """Begins all groups again. Of those that are gone nothing stays."""
    db.execute("DELETE FROM groups")
    page_of_groups = "?perPage=1000&sortBy=createdAt&page="
    pages = next(ask(f"{page_of_groups}1"))["meta"]["pagination"]["total_pages"]
    # The last page first: when a group is deleted meanwhile, those after it move towards pages that are not read yet.
    for page in range(pages, 0, -1):
        for group in next(ask(f"{page_of_groups}{page}"))["data"]:
            snapshot(group["guid"])


def snapshot(guid):
    """Begins a group again: the number of the last event that this includes, and everybody in it."""
    db.execute("DELETE FROM groups WHERE guid = ?", [guid])
    lines = ask(f"/{guid}/members")
    if head := next(lines, None):
        db.execute("INSERT INTO groups VALUES (?, ?, ?)", [guid, head["epoch"], head["seq"]])
        put(guid, lines)


def put(guid, people):
    """Who is in the group, and with which scope; without one they are not."""
    rows = ((guid, one["uid"], "owner" if one.get("isOwner") else one["scope"]) for one in people)
    db.executemany("REPLACE INTO members VALUES (?, ?, ?)", rows)
    db.execute("DELETE FROM members WHERE guid = ? AND scope IS NULL", [guid])


def hear(event):
    """One webhook. It may come twice: an old one changes nothing."""
    data = event["data"]
    if event["type"] == "log.restarted":
        everything()
    for guid in data.get("positions", []):  # of somebody who was erased: what is on its way may name them still
        snapshot(guid)
    if "group" in data:
        guid, epoch, seq = data["group"]["guid"], data["epoch"], data["seq"]
        known = db.execute("SELECT epoch, seq FROM groups WHERE guid = ?", [guid]).fetchone() or ("", 0)
        # What touched many people is read, as is a group that is gone.
        if known == (epoch, seq - 1) and event["type"] != "group.deleted" and "membersUrl" not in data:
            put(guid, data.get("members") or filter(None, [data.get("member")]))
            db.execute("UPDATE groups SET seq = ? WHERE guid = ?", [seq, guid])
        elif known[0] != epoch or known[1] < seq:
            snapshot(guid)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with db:  # all of it is stored, or nothing and it comes again
            hear(WEBHOOK.verify(body, dict(self.headers)))  # of a stranger: raises, and nothing is answered
        self.send_response(204)
        self.end_headers()


with db:
    db.execute("SELECT 1 FROM groups").fetchone() or everything()
HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver).serve_forever()

"""A back end's script against the original's REST interface, with nothing but requests."""

import os

import requests

session = requests.Session()
session.headers.update({"apikey": os.environ["CHAT_API_KEY"], "Accept": "application/json"})
BASE = os.environ["CHAT_BASE_URL"]


def chat(method, path, on_behalf_of=None, **options):
    headers = {"onBehalfOf": on_behalf_of} if on_behalf_of else {}
    response = session.request(method, BASE + path, headers=headers, timeout=10, **options)
    if response.status_code != 200:
        error = response.json()["error"]
        raise RuntimeError(f"{response.status_code} {error['code']}: {error['message']}")
    return response.json()


jobs = ["skipper", "mate", "cook", "deckhand", "stowaway"]
for job in jobs:
    user = {"uid": f"py-{job}", "name": job.title(), "metadata": {"job": job}, "tags": ["crew"], "role": "default"}
    assert chat("POST", "/users", json=user)["data"]["metadata"] == {"job": job}
skipper, mate, cook, deckhand, stowaway = (f"py-{job}" for job in jobs)

ship = {"guid": "py-ship", "name": "The ship", "type": "password", "password": "ahoy", "metadata": {"sails": 3}}
created = chat("POST", "/groups", on_behalf_of=skipper, json=ship)["data"]
assert created["owner"] == skipper and created["hasJoined"] is True and created["metadata"] == {"sails": 3}

chat("POST", "/groups/py-ship/members", json={"admins": [mate], "participants": [cook, deckhand, stowaway]})
chat("PUT", f"/groups/py-ship/members/{cook}", on_behalf_of=skipper, json={"scope": "moderator"})
chat("POST", f"/groups/py-ship/bannedusers/{stowaway}", on_behalf_of=cook)
chat("PUT", "/groups/py-ship", json={"description": "Afloat", "tags": ["sea"], "unset": ["metadata"]})
assert "metadata" not in chat("GET", "/groups/py-ship")["data"]

members, page = [], 1
while True:
    answer = chat("GET", "/groups/py-ship/members", params={"perPage": 3, "page": page, "scopes": "admin,moderator,participant"})
    members += answer["data"]
    if page >= answer["meta"]["pagination"]["total_pages"]:
        break
    page += 1
found = chat("GET", "/users", params={"searchKey": "py-", "tags": "crew", "perPage": 100})["data"]
assert {user["uid"] for user in found} >= {skipper, mate, cook, deckhand, stowaway}
banned = chat("GET", "/groups/py-ship/bannedusers")["data"]
print(f"the tour is over: {len(members)} members, {len(banned)} banned")

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


def refusal(*call, **options):
    """The status and code that a call is refused with."""
    try:
        chat(*call, **options)
    except RuntimeError as error:
        return str(error).partition(":")[0]
    return "200"


def by_cursor(path, on_behalf_of=None, **params):
    """All of a list by the cursor of each answer, from the latest change back: the last page is empty."""
    found, cursor = [], {"affix": "prepend"}
    while (page := chat("GET", path, on_behalf_of, params={"perPage": 2, **params, **cursor}))["data"]:
        found += page["data"]
        cursor = page["cursor"]
    return found


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
uids = sorted(member["uid"] for member in members)
assert sorted(member["uid"] for member in by_cursor("/groups/py-ship/members", cook)) == uids
assert sorted(user["uid"] for user in by_cursor("/users", uids=",".join(uids))) == uids

# What somebody does themselves, with their own rights.
passenger = chat("POST", "/users", json={"uid": "py-passenger", "name": "Passenger"})["data"]["uid"]
assert refusal("GET", "/groups/py-ship/members", passenger) == "401 ERR_GROUP_NOT_JOINED"
assert refusal("POST", "/groups/py-ship/members", passenger, json={"password": "avast"}) == "403 ERR_WRONG_GROUP_PASS"
joined = chat("POST", "/groups/py-ship/members", passenger, json={"password": "ahoy"})["data"]
assert (joined["hasJoined"], joined["scope"], joined["owner"]) == (True, "participant", skipper)
theirs = chat("GET", "/groups", passenger, params={"hasJoined": "true"})["data"]
assert [(group["guid"], group["scope"]) for group in theirs] == [("py-ship", "participant")]
assert refusal("DELETE", f"/groups/py-ship/members/{cook}", passenger).startswith("403 ERR_GROUP_NO_")
chat("DELETE", "/groups/py-ship/members", passenger)
assert chat("GET", "/groups/py-ship", passenger)["data"]["hasJoined"] is False

found = chat("GET", "/users", params={"searchKey": "py-", "tags": "crew", "perPage": 100})["data"]
assert {user["uid"] for user in found} >= {skipper, mate, cook, deckhand, stowaway}
banned = chat("GET", "/groups/py-ship/bannedusers")["data"]
print(f"the tour is over: {len(members)} members, {len(banned)} banned")

"""What schemathesis cannot know by the document alone."""

import itertools
import re

import schemathesis
from hypothesis import strategies

numbers = itertools.count(1)
words = strategies.text("abcdefghijklmnopqrstuvwxyz0123456789", min_size=1, max_size=20)


@strategies.composite
def addresses(draw):
    """Web addresses, for `format: uri`: what is kept and shown are pages and pictures, not `mailto:` or `urn:`."""
    scheme = draw(strategies.sampled_from(["http", "https"]))
    return f"{scheme}://{draw(words)}.example/{draw(words)}?{draw(words)}"


schemathesis.openapi.format("uri", addresses())


def plain(value):
    """Integers without a fraction, and of 64 bits: JSON Schema takes 650.0 for one, and has no limit; most readers of JSON do otherwise."""
    if isinstance(value, dict):
        return {name: plain(field) for name, field in value.items()}
    if isinstance(value, list):
        return [plain(entry) for entry in value]
    if isinstance(value, int):
        return value if -(2**63) <= value < 2**64 else (2**64 - 1 if value > 0 else -(2**63))
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**53 else value


@schemathesis.hook
def filter_query(context, query):
    """A parameter without a value is like none, of whatever type it is: no schema of a value says so."""
    return "" not in (query or {}).values()


@schemathesis.hook
def filter_body(context, body):
    """An empty array in place of an object is an empty object, as PHP writes it: no schema says so."""
    fields = body if isinstance(body, dict) else {}
    return body != [] and [] not in (fields.get("metadata"), fields.get("members"))


def of_its_own(case, body):
    """A user who is made known has a uid that nobody has yet, and a new group such a guid. One that is malformed stays as it is."""
    field = {"/v3/users": "uid", "/v3/groups": "guid"}.get(case.path) if case.method.upper() == "POST" else None
    given = body.get(field) if isinstance(body, dict) else None
    if not isinstance(given, str) or not re.fullmatch(r"[A-Za-z0-9_-]{1,100}", given):
        return body
    # What begins so stands for somebody who was erased.
    given = given.removeprefix("erased-")
    number = f"-{next(numbers)}"
    return {**body, field: given[: 100 - len(number)] + number}


@schemathesis.hook
def before_call(context, case, kwargs):
    """A key names one act, so two acts do not share one. One that is malformed stays as it is."""
    body = of_its_own(case, plain(case.body))
    if repr(body) != repr(case.body):
        case.body = body
    key = (case.headers or {}).get("Idempotency-Key")
    if isinstance(key, str) and len(key) <= 255 and re.fullmatch(r"[!-~]([ -~]*[!-~])?", key):
        case.headers["Idempotency-Key"] = f"act-{next(numbers)}"

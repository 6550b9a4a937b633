"""The list inside a page of a Django project, in the first byte of it."""

import http.client
import os
import sys
import time
import urllib.error
import urllib.request

import jwt
from django.conf import settings
from django.core.management import execute_from_command_line
from django.http import HttpResponse, StreamingHttpResponse
from django.template import Context, Template
from django.urls import path, re_path
from django.utils.safestring import mark_safe
from django.views.decorators.csrf import csrf_exempt

SERVICE = os.environ.get("CGM_URL", "http://127.0.0.1:8080")  # runs with --base-path /members
SECRET = os.environ["CGM_VIEWER_SECRET"]

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Harbour</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/members/static/css-variables.css">
<script src="/members/static/chat-group-members.js" defer></script>
<script src="/fresh-token.js" defer></script>
</head>
<body>
<h1>Harbour</h1>
<div style="block-size: 480px; inline-size: 360px">{{ members }}</div>
</body>
</html>"""


def mint(uid):
    """A JWT that says who looks, for a quarter of an hour."""
    now = int(time.time())
    claims = {"sub": uid, "aud": "chat-group-members", "iat": now, "exp": now + 900}
    return jwt.encode(claims, SECRET, algorithm="HS256")


def members(group, token):
    """The list as this person sees it. A refusal says why, and is markup for the page too."""
    address = f"{SERVICE}/members/groups/{group}/members?part=component"
    asked = urllib.request.Request(address, headers={"Authorization": f"Bearer {token}"})
    try:
        answer = urllib.request.urlopen(asked, timeout=2)
    except urllib.error.HTTPError as refused:
        answer = refused
    with answer:
        return mark_safe(answer.read().decode())  # markup of your own service: escaped there


def page(request):
    token = mint(request.GET.get("as", "ben"))  # request.user.username in your project
    answer = HttpResponse(Template(PAGE).render(Context({"members": members("harbour", token)})))
    # What the browser asks for by itself carries the cookie.
    answer.set_cookie("chat_token", token, max_age=900, httponly=True, samesite="Lax", secure=request.is_secure())
    return answer


# Before a quarter of an hour is over the list asks for a new token.
FRESH_TOKEN = """document.addEventListener('chat-group-members:expired', async () => {
  await fetch(location.href, { cache: 'no-store' }); // the page sets the cookie
  document.dispatchEvent(new CustomEvent('chat-group-members:resume'));
});"""


def fresh_token(request):
    return HttpResponse(FRESH_TOKEN, content_type="text/javascript; charset=utf-8")


@csrf_exempt  # the service looks after this by itself
def proxy(request):
    """For trying out. In production your web server hands this path to the service: see ../nginx."""
    onward = http.client.HTTPConnection(SERVICE.removeprefix("http://"), timeout=60)
    headers = {name: value for name, value in request.headers.items() if value and name != "Connection"}
    onward.request(request.method, request.get_full_path(), request.body, headers)
    incoming = onward.getresponse()

    def pieces():
        try:
            while piece := incoming.read1(65536):  # as they come: a stream never ends
                yield piece
        finally:
            onward.close()

    answer = StreamingHttpResponse(pieces(), status=incoming.status)
    for name, value in incoming.getheaders():
        if name.lower() not in ("connection", "transfer-encoding", "keep-alive"):
            answer[name] = value
    return answer


settings.configure(
    ROOT_URLCONF=__name__,
    ALLOWED_HOSTS=["127.0.0.1", "localhost"],
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates"}],
    DEBUG=True,
)
urlpatterns = [path("", page), path("fresh-token.js", fresh_token), re_path("^members/", proxy)]

if __name__ == "__main__":
    execute_from_command_line([sys.argv[0], "runserver", "--noreload", os.environ.get("PORT", "3000")])

"""A host's server that verifies webhooks by the library of Standard Webhooks, as docs/webhooks.md shows.

Prints its port, and then a line for each request: the type of the event, or "refused".
"""

import os
from http.server import BaseHTTPRequestHandler, HTTPServer

from standardwebhooks import Webhook, WebhookVerificationError


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            event = Webhook(os.environ["SECRET"]).verify(body, dict(self.headers))
            word, status = event["type"], 204
        except WebhookVerificationError:
            word, status = "refused", 400
        print(word, flush=True)
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Receiver)
print(server.server_port, flush=True)
server.serve_forever()

"""A receiver of Redrive's signed alerts, without packages: python3 receiver.py PORT, with the channel's secret in ALERT_SECRET."""

import hashlib
import hmac
import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = os.environ["ALERT_SECRET"].encode()
MAX_AGE_SECONDS = 300
MAX_BYTES = 256 * 1024
seen = {}  # ids of messages, so that a repeated one counts once; the oldest goes first


def is_genuine(timestamp: str, signature: str, body: bytes) -> bool:
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > MAX_AGE_SECONDS:
        return False
    digest = hmac.new(SECRET, timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(f"v1={digest}".encode(), signature.encode())


class Receiver(BaseHTTPRequestHandler):
    timeout = 10

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", "0"))
        if not 0 < length <= MAX_BYTES:
            return self.answer(413)
        body = self.rfile.read(length)
        timestamp = self.headers.get("Redrive-Timestamp", "")
        signature = self.headers.get("Redrive-Signature", "")
        if not is_genuine(timestamp, signature, body):
            return self.answer(401)
        message = json.loads(body)
        if message["id"] not in seen:
            seen[message["id"]] = True
            if len(seen) > 1000:
                del seen[next(iter(seen))]
            print(message["event"], message["alert"]["code"], message["alert"]["sentence"], flush=True)
        self.answer(204)

    def answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


if __name__ == "__main__":
    server = HTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver)
    print(f"listening on {server.server_port}", flush=True)
    server.serve_forever()

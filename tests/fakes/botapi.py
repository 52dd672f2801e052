"""The few calls of a Bot API that say how a bot is set up, on a port of this machine. It changes nothing."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOKEN = "123456789:AAH-abcdefghijklmnopqrstuvwxyz_0123"
ME = {
    "id": 123456789,
    "is_bot": True,
    "first_name": "Reminder",
    "username": "reminder_bot",
    "can_join_groups": True,
    "can_read_all_group_messages": True,
    "supports_inline_queries": False,
    "can_connect_to_business": False,
    "has_main_web_app": False,
}


class BotApi:
    """Answers of one bot: `me`, `webhook`, and `updates` (None: another process polls)."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.me: dict[str, Any] = dict(ME)
        self.webhook: dict[str, Any] = {"url": "", "has_custom_certificate": False, "pending_update_count": 0}
        self.updates: list[dict[str, Any]] | None = []
        self.raw: tuple[int, bytes] | None = None
        self.called: list[str] = []

    def answer(self, token: str, method: str) -> tuple[int, bytes]:
        self.called.append(method)
        if self.raw is not None:
            return self.raw
        if token != TOKEN:
            return failure(401, "Unauthorized")
        if method == "getUpdates" and (self.updates is None or self.webhook["url"]):
            return failure(409, "Conflict: terminated by other getUpdates request")
        results = {"getMe": self.me, "getWebhookInfo": self.webhook, "getUpdates": self.updates}
        return 200, json.dumps({"ok": True, "result": results[method]}).encode()


def failure(code: int, description: str) -> tuple[int, bytes]:
    """An answer of the service that refuses."""
    return code, json.dumps({"ok": False, "error_code": code, "description": description}).encode()


@contextmanager
def bot_api() -> Iterator[BotApi]:
    """A Bot API that answers until the end of the block."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            _, token, method = self.path.split("/")
            code, body = api.answer(token.removeprefix("bot"), method)
            self.send_response(code)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    api = BotApi(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield api
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

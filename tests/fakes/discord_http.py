"""A few answers of Discord's HTTP API on this machine, with faults on demand. Whatever else is asked fails loudly."""

import json
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

API = "/api/v10"
BOT_ID, OWNER_ID = "100000000000000001", "200000000000000002"
MEMBERS_INTENT, CONTENT_INTENT = 1 << 14, 1 << 18
MEMBERS_LIMITED, CONTENT_LIMITED = 1 << 15, 1 << 19
ALL_NEEDED = 1024 | 2048 | 65536 | 1 << 38
"""View, send, react, embed, read history, send in threads: as Discord numbers them."""


def user(number: str, name: str) -> dict[str, Any]:
    return {"id": number, "username": name, "discriminator": "0", "global_name": None, "avatar": None}


@dataclass(slots=True)
class Fault:
    """An answer in place of the right one; a `body` of text is sent as a page of a proxy, `wait` is in seconds."""

    status: int
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    wait: float = 0


@dataclass(slots=True)
class DiscordHttp:
    """What the service knows: the bot's token, its application, servers and commands; `faults` by path."""

    token: str = "MTA.test.token"
    flags: int = MEMBERS_INTENT | CONTENT_INTENT
    application: dict[str, Any] = field(default_factory=dict)
    servers: list[dict[str, Any]] = field(default_factory=list)
    commands: list[dict[str, Any]] = field(default_factory=list)
    faults: dict[str, Fault] = field(default_factory=dict)
    calls: list[tuple[str, str]] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}{API}"

    def server(self, name: str, permissions: int = ALL_NEEDED) -> None:
        number = str(300_000_000_000_000_000 + len(self.servers))
        self.servers.append({"id": number, "name": name, "owner": False, "permissions": str(permissions)})

    def answer(self, method: str, path: str, token: str) -> Fault:
        """What is answered to a call."""
        self.calls.append((method, path))
        if path in self.faults:
            return self.faults[path]
        if token != f"Bot {self.token}":
            return Fault(401, {"message": "401: Unauthorized", "code": 0})
        known = {
            "/users/@me": user(BOT_ID, "remembrancer") | {"bot": True},
            "/oauth2/applications/@me": self._application(),
            "/users/@me/guilds": self.servers,
            f"/applications/{BOT_ID}/commands": self.commands,
        }
        if method != "GET" or path not in known:
            self.unknown.append(f"{method} {path}")
            return Fault(404, {"message": "404: Not Found", "code": 0})
        return Fault(200, known[path])

    def _application(self) -> dict[str, Any]:
        bare = {
            "id": BOT_ID, "name": "Remembrancer", "description": "", "icon": None, "bot_public": True,
            "bot_require_code_grant": False, "owner": user(OWNER_ID, "ada"), "verify_key": "0" * 64,
            "flags": self.flags,
        }  # fmt: skip
        return bare | self.application


class Quiet(ThreadingHTTPServer):
    """A client that gave up is no fault of the service; anything else is."""

    def handle_error(self, request: object, client_address: object) -> None:
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]  # as it came


@contextmanager
def running() -> Iterator[DiscordHttp]:
    """The service on a port of its own, until the end; fails where something was asked that it does not know."""
    service = DiscordHttp()

    class Handler(BaseHTTPRequestHandler):
        def _any(self) -> None:
            path = self.path.partition("?")[0].removeprefix(API)
            given = service.answer(self.command, path, self.headers.get("Authorization", ""))
            time.sleep(given.wait)
            plain = isinstance(given.body, str)
            body = given.body.encode() if plain else json.dumps(given.body).encode()
            self.send_response(given.status)
            for name, value in given.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Type", "text/html" if plain else "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _any  # noqa: N815 - the library's names

        def log_message(self, *_: object) -> None:
            """Nothing on stderr."""

    with Quiet(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        service.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield service
        finally:
            server.shutdown()
            thread.join()
    assert service.unknown == []

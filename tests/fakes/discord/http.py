"""The API over HTTP: tokens, bodies, faults, and answers with the headers that discord.py reads."""

import asyncio
import hashlib
import io
import json
import re
import time
import traceback
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from aiohttp import BodyPartReader, web

from tests.fakes.discord.calls import Call, Drop
from tests.fakes.discord.engine import BackendError, unknown_route
from tests.fakes.discord.faults import PAGE, Fault
from tests.fakes.discord.routes import Routes

if TYPE_CHECKING:
    from tests.fakes.discord.world import World

API = "/api/v10"
PROXY = "1.1 google"
LOST = (ConnectionResetError, web.HTTPException)


def application(world: "World") -> web.Application:
    """The web application of a world: the API and the gateway."""
    api = _Api(world)
    made = web.Application(client_max_size=30 << 20)
    for path in ("/", "/gateway", "/gateway/"):
        made.router.add_get(path, world.gateway.handle)
    made.router.add_route("*", API + "/{path:.*}", api.handle)
    made.router.add_route("*", "/{path:.*}", api.elsewhere)
    return made


class _Api:
    """Answers requests; what it does not know becomes a complaint of the world, so that the test fails."""

    def __init__(self, world: "World") -> None:
        self.world = world
        self.routes = Routes(world)

    async def elsewhere(self, request: web.Request) -> web.Response:
        call = Call(request.method, request.path, time.monotonic(), status=501)
        self.world.calls.append(call)
        self.world.unknown(call, "it is no path of the API")
        return web.Response(status=501)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        call = Call(request.method, request.path[len(API) :], time.monotonic(), dict(request.query))
        self.world.calls.append(call)
        try:
            if self.world.dark:
                raise Drop
            return await self._answered(request, call)
        except Drop:
            if request.transport is not None:
                request.transport.abort()
            return web.Response()
        except BackendError as error:
            call.status, call.code = error.status, error.code
            if unknown_route(error):
                self.world.unknown(call, error)
            return self._json(call, error.to_json())
        except Exception:
            call.status = 500
            self.world.complain(f"the emulation failed at {call}: {traceback.format_exc()}")
            return self._json(call, {"message": "500: Internal Server Error", "code": 0})
        finally:
            self.world.changed()

    async def _answered(self, request: web.Request, call: Call) -> web.StreamResponse:
        files = await _read(request, call)
        with self.world.lock:
            left = self.world.faults.remaining(call)
            before, after, fault = (0.0, 0.0, None) if left else self.world.faults.take(call)
        if left:
            self.world.early.append(call)
            return self._too_many(call, left, everywhere=False)
        await asyncio.sleep(before)
        if fault is not None and fault.drop != "after":
            return self._struck(call, fault)
        with self.world.lock:
            self._authorised(request, call)
            result = self.routes.carry_out(call, files)
            call.effect = True
        self.world.changed()
        await asyncio.sleep(after)
        if fault is not None:
            raise Drop
        call.status = 204 if result is None else 200
        return self._json(call, result)

    def _struck(self, call: Call, fault: Fault) -> web.Response:
        """The answer of a fault that keeps the request from being carried out."""
        if fault.drop:
            raise Drop
        assert fault.status is not None
        call.status, call.code = fault.status, fault.code
        if fault.page:
            return web.Response(text=PAGE, status=fault.status, content_type="text/html")
        if fault.retry_after is None:
            return self._json(call, {"message": fault.message, "code": fault.code})
        with self.world.lock:
            self.world.faults.told(fault)
        if fault.banned:
            return web.Response(text=PAGE, status=429, content_type="text/html")
        return self._too_many(call, fault.retry_after, everywhere=fault.everywhere)

    def _authorised(self, request: web.Request, call: Call) -> None:
        parts = call.path.strip("/").split("/")
        with_own_token = len(parts) > 2 and parts[0] in ("interactions", "webhooks")
        if with_own_token or call.path == "/gateway":
            return
        if request.headers.get("Authorization") != f"Bot {self.world.token}":
            raise BackendError(401, 0, "401: Unauthorized")

    def _too_many(self, call: Call, seconds: float, *, everywhere: bool) -> web.Response:
        call.status = 429
        headers = {
            "Retry-After": f"{seconds:.3f}",
            "Via": PROXY,
            "X-RateLimit-Scope": "global" if everywhere else "user",
        }
        if everywhere:
            headers["X-RateLimit-Global"] = "true"
        body = {"message": "You are being rate limited.", "retry_after": round(seconds, 3), "global": everywhere}
        return self._json(call, body, headers)

    def _json(self, call: Call, body: Any, more: dict[str, str] | None = None) -> web.Response:
        """An answer; discord.py reads only one whose content type is exactly `application/json`."""
        assert call.status is not None
        bucket = f"{call.method}:{re.sub(r'[0-9]{15,}', '*', call.path)}"
        headers = {
            "Via": PROXY,
            "X-RateLimit-Bucket": hashlib.sha256(bucket.encode()).hexdigest()[:32],
            "X-RateLimit-Limit": "50",
            "X-RateLimit-Remaining": "49",
            "X-RateLimit-Reset": f"{time.time() + 1:.3f}",
            "X-RateLimit-Reset-After": "1.000",
        } | (more or {})
        if body is None:
            return web.Response(status=call.status, headers=headers)
        raw = json.dumps(body).encode()
        return web.Response(body=raw, status=call.status, headers=headers | {"Content-Type": "application/json"})


async def _read(request: web.Request, call: Call) -> list[Any]:
    """Put the JSON of a request into the call; its files."""
    try:
        if request.content_type.startswith("multipart/"):
            return await _multipart(request, call)
        raw = await request.read() if request.can_read_body else b""
    except LOST as gone:
        raise Drop from gone  # the client died while it wrote: nothing was asked for
    call.body = json.loads(raw) if raw else None
    return []


async def _multipart(request: web.Request, call: Call) -> list[Any]:
    files: list[Any] = []
    plain: dict[str, str] = {}
    async for part in await request.multipart():
        assert isinstance(part, BodyPartReader), "parts are not nested"
        if part.filename:
            data = io.BytesIO(bytes(await part.read()))
            files.append(SimpleNamespace(fp=data, filename=part.filename, description=None))
        elif part.name == "payload_json":
            call.body = json.loads(await part.text())
        else:
            plain[str(part.name)] = await part.text()
    call.body = call.body if call.body is not None else plain
    return files

"""The Bot API over HTTP: tokens, parameters, faults, and answers in Telegram's shapes."""

import asyncio
import json
import re
import time
import traceback
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.fakes.telegram import asking, errors, sending, updates
from tests.fakes.telegram.calls import ANSWERS, Call, Request
from tests.fakes.telegram.errors import ApiError, Drop
from tests.fakes.telegram.faults import SENDING
from tests.fakes.telegram.judge import METHODS, Misjudged, decoded, judge_request, judge_result
from tests.fakes.telegram.robots import Bot

if TYPE_CHECKING:
    from tests.fakes.telegram.world import World

TOKEN = re.compile(r"\d{6,}:[\w-]{3,}")
POLL = "getupdates"
READ = (asking, sending, updates)  # importing them registers their methods


def application(world: "World") -> web.Application:
    """The web application of a world."""
    api = _Api(world)
    made = web.Application(client_max_size=60 << 20)
    made.router.add_route("*", "/bot{token}/{method}", api.handle)
    made.router.add_route("*", "/file/bot{token}/{path:.*}", api.file)
    return made


def _json(body: str, status: int = 200) -> web.Response:
    return web.Response(text=body, status=status, content_type="application/json")


class _Api:
    """Answers requests; what it does not know becomes a complaint of the world, so that the test fails."""

    def __init__(self, world: "World") -> None:
        self.world = world

    async def file(self, request: web.Request) -> web.Response:
        self.world.complain(f"a file was asked for, which is not understood here: {request.path}")
        return _json(json.dumps(errors.not_found().answer()), 404)

    async def handle(self, request: web.Request) -> web.Response:
        call: Call | None = None
        try:
            bot = self._bot(request.match_info["token"])
            call = await self._call(bot, request)
            body = await self._answer(bot, call)
            call.status = 200
            return _json(body)
        except Drop:
            if request.transport is not None:
                request.transport.abort()
            return web.Response()
        except ApiError as error:
            if call is not None:
                call.status, call.error = error.code, error.description
            if error.page is not None:
                return web.Response(text=error.page, status=error.code, content_type="text/html")
            return _json(json.dumps(error.answer()), error.code)
        except Exception:
            self.world.complain(f"the emulation failed: {traceback.format_exc()}")
            return _json(json.dumps(errors.internal().answer()), 500)
        finally:
            self.world.changed()

    def _bot(self, token: str) -> Bot:
        if self.world.dark:
            raise Drop
        if not TOKEN.fullmatch(token):
            raise errors.not_found()
        for bot in self.world.bots.values():
            if bot.token == token:
                if bot.logged_out:
                    raise ApiError(400, "Logged out")
                return bot
        raise errors.unauthorized()

    async def _call(self, bot: Bot, request: web.Request) -> Call:
        """The request, kept in `world.calls` (`world.polls` for getUpdates), its parameters judged."""
        raw: dict[str, Any] = dict(request.query)
        try:
            if request.content_type == "application/json":
                raw.update(await request.json())
            elif request.can_read_body:
                raw.update(await request.post())
        except ConnectionResetError as gone:
            raise Drop from gone  # the client died while it wrote: nothing was asked for
        name = request.match_info["method"].lower()
        known = name in METHODS
        params = decoded(name, raw) if known else raw
        shown = METHODS[name].name if known else name
        call = Call(bot, shown, params, time.monotonic(), datetime.now(UTC))
        (self.world.polls if name == POLL else self.world.calls).append(call)
        if not known:
            self.world.complain(f"the Bot API documents no method {request.match_info['method']}")
            raise errors.not_found()
        try:
            judge_request(name, params)
        except Misjudged as problem:
            self.world.complain(str(problem))
            raise errors.bad_request("wrong parameters") from problem
        self._understood(name, call)
        return call

    def _understood(self, name: str, call: Call) -> None:
        if name == POLL:
            return
        if name not in ANSWERS:
            self.world.complain(f"{call.method} is not understood here: {call.params}")
            raise ApiError(501, f"Not Implemented: method {call.method}")
        if unknown := set(call.params) - ANSWERS[name][1]:
            self.world.complain(f"parameters of {call.method} that are not understood here: {sorted(unknown)}")
            raise ApiError(501, f"Not Implemented: {', '.join(sorted(unknown))} of {call.method}")

    async def _answer(self, bot: Bot, call: Call) -> str:
        """Do what is asked, with the faults that a test wants; the body as JSON."""
        world, name = self.world, call.method.lower()
        with world.lock:
            delay, fault = world.faults.take(bot, name, call.chat_id)
        if delay:
            await asyncio.sleep(delay)
        with world.lock:
            self._waits(bot, name, call)
            if fault is not None and fault.drop == "before":
                raise Drop
            if fault is not None and fault.error is not None:
                self._tell(bot, call, fault.error)
                raise fault.error
            if name != POLL:
                body = self._run(bot, name, call)
        if name == POLL:
            found = await updates.poll(world, bot, call.params)
            body = "[" + ",".join(update.body for update in found) + "]"
        if fault is not None and fault.drop == "after":
            raise Drop
        return f'{{"ok":true,"result":{body}}}'

    def _run(self, bot: Bot, name: str, call: Call) -> str:
        world = self.world
        result = ANSWERS[name][0](Request(world, bot, call.params, call))
        call.effect = True
        if world.judge:
            judge_result(name, result)
        return json.dumps(result, ensure_ascii=False)

    def _waits(self, bot: Bot, name: str, call: Call) -> None:
        """429 while a wait that this chat was told of lasts, and where a flood limit is reached."""
        if name == POLL or call.chat_id is None:
            return
        if left := self.world.flood.remaining(bot, call.chat_id, call.at):
            self.world.early.append(call)
            raise errors.too_many_requests(max(1, round(left + 0.499)))
        if name == SENDING:
            try:
                self.world.flood.check(bot, call.chat_id, call.at)
            except ApiError as error:
                self._tell(bot, call, error)
                raise

    def _tell(self, bot: Bot, call: Call, error: ApiError) -> None:
        if error.retry_after is not None:
            self.world.flood.told(bot, call.chat_id, error.retry_after, time.monotonic())

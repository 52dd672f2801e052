"""The real python-telegram-bot on a thread of its own: it keeps every update and calls what a test wants."""

import asyncio
import re
import socket
import threading
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Any, Self, TypeVar

import pytest
from telegram import Bot as Client
from telegram import Message, Update
from telegram.error import BadRequest, TelegramError
from telegram.ext import AIORateLimiter, Application, ApplicationBuilder, ContextTypes, TypeHandler
from telegram.request import HTTPXRequest

from tests.fakes.telegram.robots import Bot
from tests.fakes.telegram.world import World

T = TypeVar("T")
Reply = Callable[[Update, Client], Awaitable[Any]]


def free_port() -> int:
    """A port of 127.0.0.1 that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _plain(connections: int) -> HTTPXRequest:
    """The library's own client; reading the certificates of the machine, which take 60 ms a client, is left out."""
    return HTTPXRequest(connection_pool_size=connections, httpx_kwargs={"verify": False})


def refused(words: str, error: type[TelegramError] = BadRequest) -> pytest.RaisesExc[TelegramError]:
    """Expect an error of the library; it drops `Bad Request: ` and writes the first letter of the rest large."""
    return pytest.raises(error, match=f"(?i){re.escape(words)}")


class Probe:
    """An Application that only listens. `mode` is `polling`, `webhook` (with `secret`) or `` (calls only)."""

    def __init__(
        self,
        world: World,
        bot: Bot,
        *,
        mode: str = "polling",
        secret: str | None = None,
        token: str | None = None,
        allowed: list[str] | None = None,
        limiter: bool = False,
        reply: Reply | None = None,
    ) -> None:
        self.world = world
        self.bot = bot
        self.mode = mode
        self.secret = secret
        self.token = token or bot.token
        self.allowed = Update.ALL_TYPES if allowed is None else allowed
        self.limiter = limiter
        self.reply = reply
        self.updates: list[Update] = []
        self.errors: list[TelegramError] = []
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._ready = threading.Event()
        self._failed: BaseException | None = None
        self._app: Application[Any, Any, Any, Any, Any, Any] | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(10), "the bot does not start"
        if self._failed is not None:
            self._thread.join()
            raise self._failed
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)
        assert not self._thread.is_alive(), "the bot does not stop"

    def _run(self) -> None:
        try:
            with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
                runner.run(self._main())
        except BaseException as error:
            self._failed = error
            self._ready.set()

    async def _main(self) -> None:
        builder = ApplicationBuilder().token(self.token)
        builder = builder.base_url(self.world.base_url).base_file_url(self.world.base_file_url)
        builder = builder.request(_plain(16)).get_updates_request(_plain(1))
        if self.limiter:
            builder = builder.rate_limiter(AIORateLimiter(max_retries=3))
        self._app = app = builder.build()
        app.add_handler(TypeHandler(Update, self._hears))
        async with app:
            await app.start()
            await self._listens(app)
            self._ready.set()
            await self._stop.wait()
            if app.updater is not None and app.updater.running:
                await app.updater.stop()
            await app.stop()

    async def _listens(self, app: Application[Any, Any, Any, Any, Any, Any]) -> None:
        assert app.updater is not None
        if self.mode == "polling":
            await app.updater.start_polling(
                timeout=5, allowed_updates=self.allowed, error_callback=self.errors.append, bootstrap_retries=0
            )
        elif self.mode == "webhook":
            port = free_port()
            await app.updater.start_webhook(
                "127.0.0.1",
                port,
                "hook",
                webhook_url=f"http://127.0.0.1:{port}/hook",
                secret_token=self.secret,
                allowed_updates=self.allowed,
                bootstrap_retries=0,
            )

    async def _hears(self, update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
        self.updates.append(update)
        if self.reply is not None:
            await self.reply(update, context.bot)

    def call(self, work: Callable[[Client], Awaitable[T]], timeout: float = 10.0) -> T:
        """Run a call of the client library; its result, or its error raised here."""
        assert self._app is not None
        client = self._app.bot

        async def run() -> T:
            return await work(client)

        return asyncio.run_coroutine_threadsafe(run(), self._loop).result(timeout)

    def send(self, chat_id: int, text: str, **more: Any) -> Message:
        """send_message."""
        return self.call(lambda client: client.send_message(chat_id, text, **more))

    @property
    def heard(self) -> list[str]:
        """The texts and captions of the messages, in order."""
        found = [update.effective_message for update in self.updates if update.callback_query is None]
        return [one.text or one.caption or "" for one in found if one is not None and (one.text or one.caption)]

    def wait(self, count: int, timeout: float = 5.0) -> list[Update]:
        """Wait for so many updates."""
        self.world.until(lambda: len(self.updates) >= count, timeout, f"{count} updates, {len(self.updates)} are there")
        return self.updates

    def last(self, part: str) -> Update:
        """Wait for an update whose message holds `part`."""
        return self.world.until(
            lambda: next(
                (
                    one
                    for one in reversed(self.updates)
                    if part in str(one.effective_message and one.effective_message.to_dict())
                ),
                None,
            ),
            what=f"an update with {part!r}",
        )  # type: ignore[return-value]

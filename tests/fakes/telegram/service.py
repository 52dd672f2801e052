"""The thread on which the Bot API listens, and how tests reach into it."""

import asyncio
import json
import threading
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from tests.fakes.telegram.chats import Payload
from tests.fakes.telegram.robots import Bot

if TYPE_CHECKING:
    from tests.fakes.telegram.world import World

T = TypeVar("T")


class Service:
    """An event loop on a thread of its own, with the HTTP server and the tasks that post to webhooks."""

    def __init__(self, world: "World") -> None:
        self.world = world
        self.url = ""
        self.stopping = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._runner: Any = None
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Listen; the port of an earlier start is taken again."""
        # The judge's models take seconds to import: not on the loop, and only where a test wants them.
        from tests.fakes.telegram.http import application

        assert self._thread is None, "it runs already"
        ready = threading.Event()
        self.stopping = False
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, args=(self._loop, ready), name="telegram", daemon=True)
        self._thread.start()
        ready.wait()
        try:
            self.url = self.run(self._listen(application(self.world)))
        except BaseException:
            self.stop()
            raise

    def _run(self, loop: asyncio.AbstractEventLoop, ready: threading.Event) -> None:
        asyncio.set_event_loop(loop)
        loop.call_soon(ready.set)
        try:
            loop.run_forever()
        finally:
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.run_until_complete(loop.shutdown_default_executor())
            loop.close()

    async def _listen(self, application: Any) -> str:
        from aiohttp import web

        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.2)
        await self._runner.setup()
        port = int(self.url.rpartition(":")[2]) if self.url else 0
        site = web.TCPSite(self._runner, "127.0.0.1", port, reuse_address=True)
        await site.start()
        for bot in self.world.bots.values():
            if bot.webhook is not None:
                self.posts_updates(bot)
        return f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    def stop(self) -> None:
        """Stop listening and end every task; doing so twice changes nothing."""
        loop, thread = self._loop, self._thread
        if loop is None or thread is None:
            return
        self.stopping = True
        try:
            self.run(self._close())
        finally:
            self._loop = self._thread = None
            loop.call_soon_threadsafe(loop.stop)
            thread.join(5)
        assert not thread.is_alive(), "the loopback service does not stop"

    async def _close(self) -> None:
        for bot in self.world.bots.values():
            bot.wake.set()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for other in others:
            other.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    def run(self, work: Coroutine[Any, Any, T], timeout: float = 10.0) -> T:
        """Run a coroutine on the service's loop from another thread; its result."""
        assert self._loop is not None, "the service does not run"
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout)

    def soon(self, function: Callable[[], object]) -> None:
        """Call something on the service's loop; nothing where it does not run."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(function)

    def posts_updates(self, bot: Bot) -> None:
        """Start the task that posts to a bot's webhook; called on the loop."""
        from tests.fakes.telegram.updates import post_updates

        assert bot.webhook is not None
        task = asyncio.get_running_loop().create_task(post_updates(self.world, bot, bot.webhook))
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.world.complain(f"posting to a webhook failed: {error!r}")

    def knocks(self, bot: Bot, text: str, secret: str | None) -> int:
        """Post a forged message to a bot's webhook; the HTTP status."""
        assert bot.webhook is not None, f"{bot} has no webhook"
        stranger: Payload = {"id": 666, "is_bot": False, "first_name": "Mallory"}
        chat = {"id": 666, "type": "private", "first_name": "Mallory"}
        message = {"message_id": 1, "date": 1_700_000_000, "chat": chat, "from": stranger, "text": text}
        body = json.dumps({"update_id": 1, "message": message})
        return self.run(self._knock(bot.webhook.url, body, secret))

    async def _knock(self, url: str, body: str, secret: str | None) -> int:
        from aiohttp import ClientSession

        from tests.fakes.telegram.updates import knock

        async with ClientSession() as session:
            return await knock(session, url, body, secret)

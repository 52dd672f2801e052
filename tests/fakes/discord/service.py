"""The thread on which HTTP and the gateway listen, and how tests reach into it."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from aiohttp import web

if TYPE_CHECKING:
    from tests.fakes.discord.world import World

T = TypeVar("T")


class Service:
    """An event loop on a thread of its own, with one HTTP server for the API and the gateway."""

    def __init__(self, world: "World") -> None:
        self.world = world
        self.port = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._runner: web.AppRunner | None = None

    def start(self) -> None:
        """Listen on 127.0.0.1; the port of an earlier start is taken again."""
        assert self._thread is None, "it runs already"
        ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, args=(self._loop, ready), name="discord", daemon=True)
        self._thread.start()
        ready.wait()
        try:
            self.port = self.run(self._listen())
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

    async def _listen(self) -> int:
        from tests.fakes.discord.http import application

        self._runner = web.AppRunner(application(self.world), access_log=None, shutdown_timeout=0.2)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self.port, reuse_address=True).start()
        return int(self._runner.addresses[0][1])

    def stop(self) -> None:
        """Stop listening and end every task; doing so twice changes nothing."""
        loop, thread = self._loop, self._thread
        if loop is None or thread is None:
            return
        try:
            self.run(self._close())
        finally:
            self._loop = self._thread = None
            loop.call_soon_threadsafe(loop.stop)
            thread.join(5)
        assert not thread.is_alive(), "the loopback service does not stop"

    async def _close(self) -> None:
        await self.world.gateway.closes()
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

    def soon(self, function: Callable[..., object], *arguments: object) -> None:
        """Call something on the service's loop, in the order asked for; nothing where it does not run."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(function, *arguments)

    def later(self, seconds: float, function: Callable[..., object], *arguments: object) -> None:
        """Call something after some seconds; from the loop itself."""
        asyncio.get_running_loop().call_later(seconds, function, *arguments)

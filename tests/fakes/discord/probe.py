"""The real discord.py on a thread of its own: it keeps every event and calls what a test wants."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import partial
from types import TracebackType
from typing import Any, Self, TypeVar

import yarl

from tests.fakes.discord.engine import discord
from tests.fakes.discord.world import World

T = TypeVar("T")
Setup = Callable[["ProbeClient"], None]


@contextmanager
def pointed_at(world: World) -> Iterator[None]:
    """Let discord.py of this process talk to a world instead of Discord."""
    from discord.gateway import DiscordWebSocket
    from discord.http import Route

    before = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = world.api_url, yarl.URL(world.gateway_url)
    try:
        yield
    finally:
        Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = before


class ProbeClient(discord.Client):
    """A client that notes what is dispatched. `sync` sends its commands at the start."""

    def __init__(self, intents: discord.Intents, setup: Setup | None, sync: bool) -> None:
        super().__init__(intents=intents, guild_ready_timeout=0.05)
        self.tree = discord.app_commands.CommandTree(self)
        self.events: list[tuple[str, tuple[Any, ...]]] = []
        self.sync = sync
        if setup is not None:
            setup(self)

    async def setup_hook(self) -> None:
        """Sync the commands."""
        if self.sync:
            await self.tree.sync()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Identify again at once; the library waits five seconds."""

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Note an event, then do as ever."""
        self.events.append((event, args))
        super().dispatch(event, *args, **kwargs)


class Probe:
    """A client that runs; `error` is why it ended by itself. `setup` gives it views and commands."""

    def __init__(
        self,
        world: World,
        setup: Setup | None = None,
        *,
        intents: discord.Intents | None = None,
        sync: bool = False,
        token: str | None = None,
        wait: bool = True,
    ) -> None:
        if intents is None:
            intents = discord.Intents.default()
            intents.message_content = intents.members = True
        self.world, self.wait = world, wait
        self.error: BaseException | None = None
        self.client: ProbeClient
        self._make = partial(ProbeClient, intents, setup, sync)
        self._token = token or world.token
        self._loop = asyncio.new_event_loop()
        self._made = threading.Event()
        self._thread = threading.Thread(target=self._run, name="probe", daemon=True)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._main())
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.close()

    async def _main(self) -> None:
        self.client = self._make()
        self._made.set()
        async with self.client:
            try:
                await self.client.start(self._token)
            except Exception as error:
                self.error = error
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for other in others:
            other.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    def __enter__(self) -> Self:
        self._pointed = pointed_at(self.world)
        self._pointed.__enter__()
        self._thread.start()
        self._made.wait(10)
        if self.wait:
            try:
                self.event("ready", timeout=10)
            except BaseException:
                self.stop()
                raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Close the client as a bot does that is told to end."""
        if self._thread.is_alive():
            asyncio.run_coroutine_threadsafe(self.client.close(), self._loop)
            self._thread.join(10)
        self._pointed.__exit__(None, None, None)
        assert not self._thread.is_alive(), "the client does not end"

    def ended(self, timeout: float = 5.0) -> BaseException | None:
        """Wait until it ends by itself; why."""
        self._thread.join(timeout)
        assert not self._thread.is_alive(), f"it runs on; {self.names()}"
        return self.error

    def call(self, work: Callable[[ProbeClient], Coroutine[Any, Any, T]], timeout: float = 10.0) -> T:
        """Run something on its loop; the result or the error of it."""
        return asyncio.run_coroutine_threadsafe(work(self.client), self._loop).result(timeout)

    def send(self, channel_id: int, text: str | None = None, **more: Any) -> discord.Message:
        """Post by HTTP alone, without asking what is cached."""
        return self.call(lambda client: client.get_partial_messageable(channel_id).send(text, **more))

    def names(self) -> list[str]:
        """The events so far, without the raw ones."""
        return [name for name, _ in self.client.events if not name.startswith("socket")]

    def all(self, name: str) -> list[Any]:
        """The first argument of every such event."""
        return [args[0] if args else None for event, args in self.client.events if event == name]

    def event(self, name: str, count: int = 1, timeout: float = 5.0) -> Any:
        """Wait until an event came `count` times; the first argument of the last."""
        self.world.until(lambda: len(self.all(name)) >= count, timeout, f"the event {name}")
        return self.all(name)[-1]

    def heard(self, text: str, timeout: float = 5.0) -> discord.Message:
        """Wait for a message with that text."""

        def found() -> discord.Message | None:
            return next((one for one in self.all("message") if one.content == text), None)

        message = self.world.until(found, timeout, f"the message {text!r}")
        assert message is not None
        return message

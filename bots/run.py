"""`remembrancer run`: the bots whose token is set and the heartbeat, in one process, until a signal."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Protocol, runtime_checkable

from bots.bootstrap import App, heartbeat_of, open_app, runner_of
from bots.bots import BOTS, Bot
from bots.heartbeat import Heartbeat
from bots.runtime import seed
from bots.signals import StopSignals
from bots.supervisor import TIMES, Service, Supervisor, Told
from bots.watchdog import Watchdog
from config import logs
from config.settings import Settings
from core.catalogue import say
from core.errors import ConfigError
from storage.hot_thread import HotThread

log = logs.get(__name__)


@runtime_checkable
class Described(Protocol):
    """A service that has more to say of itself than its name, once it is ready."""

    def described(self) -> str:
        """One line without the name, as in `@my_bot is listening (long polling), 3 groups`."""
        ...


@dataclass(frozen=True, slots=True)
class HeartbeatService:
    """The heartbeat beside the bots."""

    heartbeat: Heartbeat
    seconds: float
    name: str = "heartbeat"

    def described(self) -> str:
        """How often it beats."""
        return say("run.heartbeat", seconds=self.seconds)

    async def run(self, ready: Callable[[], None], stop: asyncio.Event) -> None:
        """Beat until `stop` is set; the beat that runs then is finished."""
        self.heartbeat.start()
        ready()
        try:
            await stop.wait()
        finally:
            await self.heartbeat.stop()


class BotService:
    """A bot that is made anew at each start, so that what failed leaves nothing behind."""

    def __init__(self, name: str, made: Callable[[], Service]) -> None:
        self.name = name
        self._made = made
        self._service: Service | None = None

    def described(self) -> str:
        """What the bot says of itself."""
        return self._service.described() if isinstance(self._service, Described) else say("run.ready")

    async def run(self, ready: Callable[[], None], stop: asyncio.Event) -> None:
        """Make it and run it."""
        self._service = self._made()
        await self._service.run(ready, stop)


class Listener(Told, Protocol):
    """Whoever shows people how the program fares."""

    def stopping(self) -> None:
        """A signal came; what is under way is finished."""
        ...


def run(settings: Settings, told: Listener, only: Iterable[str] = ()) -> None:
    """Run the bots (`only` those that are named) until SIGTERM or SIGINT.

    Raises ConfigError when none has a token, StorageError when the database cannot be used or a process that
    analyses text in another way runs on it, NoBotLeft when every bot has failed for good.
    """
    chosen = chosen_bots(settings, tuple(only))
    with StopSignals() as signals:
        app = open_app(settings)
        try:
            heartbeat = HeartbeatService(heartbeat_of(app), settings.heartbeat_seconds)
            asyncio.run(_serve(app, heartbeat, chosen, told, signals))
        finally:
            app.close()
    log.info("run.stopped", process=app.process)


def chosen_bots(settings: Settings, only: tuple[str, ...]) -> dict[str, Bot]:
    """The bots to run, by name. Raises ConfigError."""
    for name in only:
        if name not in BOTS:
            raise ConfigError(say("run.unknown", name=name), say("run.unknown.hint", names=", ".join(BOTS)))
        if not BOTS[name].wanted(settings):
            raise ConfigError(say("run.no_token", name=name), say(f"run.no_token.{name}.hint"))
    chosen = {name: bot for name, bot in BOTS.items() if bot.wanted(settings) and (not only or name in only)}
    if not chosen:
        raise ConfigError(say("run.no_tokens"), say("run.no_token.telegram.hint"))
    return chosen


async def _serve(
    app: App, heartbeat: HeartbeatService, chosen: dict[str, Bot], told: Listener, signals: StopSignals
) -> None:
    stop = asyncio.Event()
    signals.bind(stop)
    watchdog, hot = Watchdog(TIMES.stalled, TIMES.pulse), HotThread(app.store)
    watchdog.start()
    announcing = asyncio.create_task(_announce(stop, told))
    try:
        bots = [BotService(name, partial(bot.made, app, runner_of(hot))) for name, bot in chosen.items()]
        log.info("run.started", process=app.process, bots=list(chosen))
        await Supervisor(bots, [heartbeat], told, Random(seed()).random, TIMES).run(stop)  # noqa: S311 - no secret
    finally:
        announcing.cancel()
        watchdog.stop()
        await asyncio.to_thread(hot.close)


async def _announce(stop: asyncio.Event, told: Listener) -> None:
    await stop.wait()
    told.stopping()

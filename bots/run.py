"""`remembrancer run`: the bots whose token is set and the heartbeat, in one process, until a signal."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Protocol, runtime_checkable

from bots.alarm import Alarm
from bots.bootstrap import App, alarm_of, heartbeat_of, open_app, runner_of
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


@dataclass(frozen=True, slots=True)
class AlarmService:
    """The alarm of timed reminders beside the bots."""

    alarm: Alarm
    name: str = "alarm"

    def described(self) -> str:
        """What it is for."""
        return say("run.ready")

    async def run(self, ready: Callable[[], None], stop: asyncio.Event) -> None:
        """Ring until `stop` is set; what is being fired then is finished."""
        self.alarm.start()
        ready()
        try:
            await stop.wait()
        finally:
            await self.alarm.stop()


@runtime_checkable
class Wakeable(Protocol):
    """A bot that looks at what it owes when it is woken."""

    def wake(self) -> None:
        """Something may be due."""
        ...


class BotService:
    """A bot that is made anew at each start, so that what failed leaves nothing behind."""

    def __init__(self, name: str, made: Callable[[], Service]) -> None:
        self.name = name
        self._made = made
        self._service: Service | None = None

    def described(self) -> str:
        """What the bot says of itself."""
        return self._service.described() if isinstance(self._service, Described) else say("run.ready")

    def wake(self) -> None:
        """Something may be due."""
        service: object = self._service
        if isinstance(service, Wakeable):
            service.wake()

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
            asyncio.run(_serve(app, chosen, told, signals))
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
        raise ConfigError(say("run.no_tokens"), say("run.no_tokens.hint"))
    return chosen


async def _serve(app: App, chosen: dict[str, Bot], told: Listener, signals: StopSignals) -> None:
    stop = asyncio.Event()
    signals.bind(stop)
    watchdog, hot = Watchdog(TIMES.stalled, TIMES.pulse), HotThread(app.store)
    watchdog.start()
    announcing = asyncio.create_task(_announce(stop, told))
    try:
        bots: list[BotService] = []
        alarm = alarm_of(app, partial(_wake, bots))
        heartbeat = HeartbeatService(heartbeat_of(app, alarm.wake), app.settings.heartbeat_seconds)
        for name, bot in chosen.items():
            bots.append(BotService(name, partial(bot.made, app, runner_of(hot), alarm.wake)))
        log.info("run.started", process=app.process, bots=list(chosen))
        await Supervisor(bots, [heartbeat, AlarmService(alarm)], told, Random(seed()).random, TIMES).run(stop)  # noqa: S311 - no secret
    finally:
        announcing.cancel()
        watchdog.stop()
        await asyncio.to_thread(hot.close)


async def _wake(bots: Iterable[BotService], _fired: int) -> None:
    """Timed reminders came due: the bots have something to deliver."""
    for bot in bots:
        bot.wake()


async def _announce(stop: asyncio.Event, told: Listener) -> None:
    await stop.wait()
    told.stopping()

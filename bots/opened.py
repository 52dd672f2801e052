"""What a process of somebody else shares: the opened store, the hot thread, the heartbeat and the alarm."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from threading import Lock

from adapters.base.runner import Runner
from bots.alarm import Alarm
from bots.bootstrap import App, alarm_of, heartbeat_of, open_app, runner_of
from bots.heartbeat import Heartbeat
from config import logs
from config.settings import Settings
from core.catalogue import say
from core.errors import ConfigError, StorageError
from storage.hot_thread import HotThread

log = logs.get(__name__)


class Opened:
    """An opened store and what works on it. Its heartbeat and its alarm run in the event loop of the first `start`."""

    def __init__(self, settings: Settings) -> None:
        """Raises StorageError, and ConfigError while a process runs on the store that analyses text in another way."""
        self.app: App = open_app(settings)
        try:
            self._alarm: Alarm = alarm_of(self.app, self._rung)
            self._heartbeat: Heartbeat = _beating(self.app, self._alarm)
        except BaseException:
            self.app.close()
            raise
        self._hot = HotThread(self.app.store)
        self.run: Runner = runner_of(self._hot)
        self._woken: list[Callable[[], None]] = []
        self._loop: asyncio.AbstractEventLoop | None = None

    def changed(self) -> None:
        """Another due time of a timed reminder may count; from any thread."""
        self._alarm.wake()

    def start(self, wake: Callable[[], None]) -> None:
        """Wake somebody who delivers from now on. Raises ConfigError in another event loop than the first one's."""
        loop = asyncio.get_running_loop()
        if self._loop not in {None, loop}:
            raise ConfigError(say("embed.loops"), say("embed.loops.hint"))
        self._woken.append(wake)
        if self._loop is None:
            self._loop = loop
            self._heartbeat.start()
            self._alarm.start()
            log.info("embed.started", process=self.app.process)

    def forget(self, wake: Callable[[], None]) -> None:
        """Wake them no more."""
        with suppress(ValueError):
            self._woken.remove(wake)

    async def close(self) -> None:
        """Let what is under way end, then close the store. Raises nothing."""
        for stop in (self._alarm.stop, self._heartbeat.stop):
            try:
                await stop()
            except Exception:  # what comes after it is closed all the same (house rule 8)
                log.exception("embed.stop")
        await asyncio.to_thread(self._hot.close)
        await asyncio.to_thread(self.app.close)
        log.info("embed.stopped", process=self.app.process)

    async def _rung(self, _fired: int) -> None:
        """Timed reminders came due: there is something to deliver."""
        for wake in tuple(self._woken):
            wake()


def _beating(app: App, alarm: Alarm) -> Heartbeat:
    try:
        return heartbeat_of(app, alarm.wake)
    except StorageError as error:
        if error.details.get("other") is None:
            raise
        raise ConfigError(error.sentence, error.hint, permanent=True) from error


class Shelf:
    """Opens at the first taker, closes after the last."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._opened: Opened | None = None
        self._users = 0
        self._lock = Lock()

    @property
    def users(self) -> int:
        """How many use it now."""
        return self._users

    def take(self) -> Opened:
        """What is open, opened if need be; it may take a while. Raises what `Opened` raises."""
        with self._lock:
            if self._opened is None:
                self._opened = Opened(self._settings)
            self._users += 1
            return self._opened

    async def give_back(self) -> None:
        """One user less."""
        with self._lock:
            self._users -= 1
            last, self._opened = (self._opened, None) if not self._users else (None, self._opened)
        if last is not None:
            await last.close()


class Share:
    """One user's part of a shelf: taken and left any number of times, counted once."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._opened: Opened | None = None
        self._wake: Callable[[], None] | None = None

    def take(self) -> Opened:
        """What is open. Raises what `Opened` raises."""
        if self._opened is None:
            self._opened = self._shelf.take()
        return self._opened

    def start(self, wake: Callable[[], None]) -> None:
        """Wake this user when something is to be delivered. Raises ConfigError."""
        self.take().start(wake)
        self._wake = wake

    async def leave(self) -> None:
        """Use it no more. A second time it does nothing."""
        opened, self._opened = self._opened, None
        if opened is None:
            return
        if self._wake is not None:
            opened.forget(self._wake)
        await self._shelf.give_back()

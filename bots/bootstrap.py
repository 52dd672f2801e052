"""The one composition root: from settings to an opened application."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, timedelta, tzinfo
from typing import TypeVar
from zoneinfo import ZoneInfo

from adapters.base.runner import Runner
from adapters.dates.fallback import DateparserReader
from adapters.dates.recurrence import DateutilRecurrences
from bots.alarm import Alarm
from bots.heartbeat import Heartbeat
from bots.runtime import SystemClock, SystemIds, pin_zone_data
from config.settings import Settings
from core.catalogue import say
from core.errors import ConfigError, StorageError
from core.limits import LIMITS
from core.ports import Clock
from core.services.context import Context
from core.services.fire_timed import FireTimed, NextDue
from core.services.reindex import Reindex
from core.services.tick import Tick
from core.settings import Setting
from core.text.analyse import FINGERPRINT
from storage.aspirations import FolderFiles
from storage.hot_thread import HotThread
from storage.unit_of_work import SqlStore, open_store
from storage.upgrade import upgrade

REST_SECONDS = 0.05
"""How long the heartbeat leaves the write lock alone between two chunks: as long as it holds it."""
ASPIRATIONS = "aspirations"
"""The folder, in the data directory, of the Markdown files."""
ALIVE_EVERY = timedelta(seconds=30)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class App:
    """An opened store with what every use case is built from. Close it when done."""

    settings: Settings
    store: SqlStore
    context: Context
    process: str

    def close(self) -> None:
        """Take this process off the register and close every connection to the database."""
        with suppress(StorageError):  # it may be what ends the process; the register forgets it in time
            self.store.unregister_process(self.process)
        self.store.close()


def open_app(settings: Settings, *, clock: Clock | None = None, migrate: bool | None = None) -> App:
    """Open the store that the settings name.

    `clock` replaces the system's (the console's can be moved); `migrate` as in `open_store`: None upgrades an
    SQLite file and refuses an older PostgreSQL schema. Raises StorageError.
    """
    pin_zone_data()
    make_data_dir(settings)
    store = open_store(settings.url(), busy_timeout=settings.busy_timeout_seconds, migrate=migrate)
    context = context_of(settings, store, clock or SystemClock())
    return App(settings, store, context, context.ids.uuid())


def context_of(settings: Settings, store: SqlStore, clock: Clock) -> Context:
    """The use cases' context, with the bounds and defaults that the settings give."""
    limits = replace(
        LIMITS,
        turn_deadline=timedelta(seconds=settings.turn_deadline_seconds),
        turn_max_age=timedelta(seconds=settings.turn_max_age_seconds),
        reservation_age=timedelta(seconds=settings.reservation_seconds),
        send_lease=timedelta(seconds=settings.send_lease_seconds),
        notice_gap=timedelta(seconds=settings.notice_gap_seconds),
    )
    defaults: dict[Setting, object] = {Setting.LANGUAGE: settings.language, Setting.ZONE: settings.zone}
    files = FolderFiles(settings.data_dir / ASPIRATIONS, limits.aspiration_file_bytes)
    dates = DateutilRecurrences(), DateparserReader()
    return Context(store, clock, SystemIds(), limits, defaults, zone_of, files, *dates)


def zone_of(name: str) -> tzinfo:
    """The zone of that name; UTC where the zone data has it no more."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return UTC


def runner_of(hot: HotThread) -> Runner:
    """What an adapter hands its work for the database to."""

    def on_the_hot_thread(work: Callable[[], T], /) -> Awaitable[T]:
        return asyncio.wrap_future(hot.submit(work))

    return on_the_hot_thread


def make_data_dir(settings: Settings) -> None:
    """Make the data directory, readable by its owner only, where the database is to lie in it."""
    if settings.database_url.get_secret_value():
        return
    try:
        settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(
            say("config.data_dir", path=settings.data_dir, why=error.strerror), say("config.data_dir.hint")
        ) from error


def upgrade_database(settings: Settings) -> bool:
    """Bring the database to this program's schema, making it first; whether anything was to do.

    Raises StorageError.
    """
    make_data_dir(settings)
    return not upgrade(settings.url(), busy_timeout=settings.busy_timeout_seconds).up_to_date


def heartbeat_of(app: App, then: Callable[[], object] = lambda: None) -> Heartbeat:
    """The heartbeat of a process that runs bots: it says that the process lives, ticks and re-indexes.

    `then` is called after each beat; with an alarm it is the alarm's `wake`.
    """
    return Heartbeat(beat_of(app), SystemClock(), app.settings.heartbeat_seconds, then)


def alarm_of(app: App, rung: Callable[[int], Awaitable[None]]) -> Alarm:
    """The alarm of a process that runs bots: it fires timed reminders when they come due, and then awaits `rung`."""
    ctx = app.context
    return Alarm(FireTimed(ctx, lambda: time.sleep(REST_SECONDS)), NextDue(ctx), ctx.clock, SystemClock(), rung)


def beat_of(app: App) -> Callable[[], None]:
    """One beat: says that the process lives, ticks, re-indexes a chunk.

    The process is registered before this returns: StorageError while one with another analyser runs, so that
    it refuses to start.
    """
    alive = SystemClock()
    seen = alive.now()

    def live() -> None:
        nonlocal seen
        seen = alive.now()
        app.store.register_process(app.process, FINGERPRINT, seen)

    def rest() -> None:
        """Between two chunks of work: let others write, and go on saying that the process lives."""
        time.sleep(REST_SECONDS)
        if alive.now() - seen >= ALIVE_EVERY:
            live()

    tick, reindex = Tick(app.context, rest), Reindex(app.context)

    def beat() -> None:
        live()
        tick()
        with app.store.read() as tx:
            stale = bool(tx.index.stale(FINGERPRINT, 1))
        if stale:
            reindex()

    live()
    return beat

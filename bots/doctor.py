"""Looking at everything that could be wrong. Each check answers what it found and what to do."""

import os
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bots.bootstrap import App, open_app
from config.loading import Loaded
from core.catalogue import say
from core.errors import ConfigError, StorageError
from core.operations.log import verify_chain
from core.ports import Clock, Store
from core.services.tick import LAST_SUCCESS
from core.standing.intent import LIVE
from core.stored import IntentFilter
from core.text.analyse import FINGERPRINT
from storage.chains import missing_guards
from storage.upgrade import SchemaState, inspect, look_through

OLDEST_PYTHON, NEWEST_PYTHON = (3, 11), (3, 13)
LEAST_FREE_BYTES, FEW_FREE_BYTES = 50_000_000, 500_000_000
# No clock can rightly show an earlier time than that of this release.
RELEASED = datetime(2026, 11, 1, tzinfo=UTC)
LATE_BEATS = 3
STALE_SHOWN = 100
CHAIN_ROWS = 5_000
SAMPLE_ZONE = "Europe/Berlin"


class State(StrEnum):
    """How a check came out."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Check:
    """One line: what was looked at, how it is, and what to do unless it is well."""

    name: str
    state: State
    found: str
    advice: str = ""


def machine(loaded: Loaded, clock: Clock) -> Iterator[Check]:
    """The checks that need no database."""
    yield python()
    yield config(loaded)
    yield data_dir(loaded.settings.data_dir)
    yield disk(loaded.settings.data_dir)
    yield clock_sane(clock.now())
    yield zones()


def database(loaded: Loaded, clock: Clock) -> Iterator[Check]:
    """The checks of the database; they change nothing in it, and end where it cannot be used."""
    settings = loaded.settings
    shown = settings.masked()["database_url"]
    file = settings.file()
    if file is not None and not _exists(file):
        yield _not_made(file, settings.data_dir)
        yield rules(0)
        return
    try:
        state = inspect(settings.url())
        look_through(settings.url())
        yield Check("database", State.OK, shown)
        yield migrations(state, file is not None)
        if not state.up_to_date:
            return
        app = open_app(settings, clock=clock, migrate=False)
    except (StorageError, ConfigError) as error:
        yield Check("database", State.FAIL, say("doctor.refused", database=shown, why=error.sentence), error.hint)
        return
    try:
        yield from _opened(app)
    finally:
        app.close()
    if file is not None and os.name == "posix" and file.stat().st_mode & (stat.S_IROTH | stat.S_IWOTH):
        advice = say("doctor.readable.hint", path=file)
        yield Check("permissions", State.WARN, say("doctor.readable", path=file), advice)


def _opened(app: App) -> Iterator[Check]:
    try:
        with app.store.write() as tx:
            tx.records.put_fact("doctor.probe", "rolled back")
        yield Check("writing", State.OK, say("doctor.wrote"))
    except StorageError as error:
        yield Check("writing", State.FAIL, error.sentence, error.hint)
        if not error.details.get("read_only"):
            return
    try:
        with app.store.read() as tx:
            stale = len(tx.index.stale(FINGERPRINT, STALE_SHOWN))
            last_success = tx.records.fact(LAST_SUCCESS)
            parked = tx.intents.unreadable(STALE_SHOWN)
            live = tx.intents.count(IntentFilter(statuses=tuple(sorted(LIVE))))
    except StorageError as error:
        yield Check("reading", State.FAIL, error.sentence, error.hint)
        return
    yield rules(live)
    if parked:
        yield Check("parked rules", State.FAIL, ", ".join(parked), say("storage.unreadable.hint"))
    yield index(stale)
    try:
        yield guards(missing_guards(app.store))
        yield chains(app.store)
    except StorageError as error:
        yield Check("log chains", State.FAIL, error.sentence, error.hint)
    yield heartbeat(last_success, app.context.clock.now(), app.settings.heartbeat_seconds)


def living(loaded: Loaded, clock: Clock) -> int:
    """How many processes run on the database; 0 where that cannot be told."""
    file = loaded.settings.file()
    if file is not None and not _exists(file):
        return 0
    with suppress(StorageError, ConfigError):
        app = open_app(loaded.settings, clock=clock, migrate=False)
        try:
            return app.store.living_processes(clock.now())
        finally:
            app.close()
    return 0


def migrations(state: SchemaState, sqlite: bool) -> Check:
    """The schema that this program wants. An older SQLite file is upgraded when a program opens it."""
    if state.up_to_date:
        return Check("migrations", State.OK, say("doctor.schema", current=state.head))
    current = state.current or say("doctor.schema.none")
    found = say("doctor.schema.other", current=current, wanted=state.head)
    return Check("migrations", State.WARN if sqlite else State.FAIL, found, say("storage.upgrade.hint"))


def rules(live: int) -> Check:
    """Whether there is anything to watch for; without a rule bots stay silent."""
    if not live:
        return Check("rules", State.OK, say("doctor.rules.none"), say("doctor.rules.none.hint"))
    return Check("rules", State.OK, say("doctor.rules.one" if live == 1 else "doctor.rules", count=live))


def index(stale: int) -> Check:
    """Triggers filed by the analyser in use."""
    if not stale:
        return Check("trigger index", State.OK, say("doctor.index"))
    found = say("doctor.index.many" if stale == STALE_SHOWN else "doctor.index.stale", count=stale)
    return Check("trigger index", State.WARN, found, say("doctor.index.hint"))


def python() -> Check:
    """A supported interpreter."""
    found = ".".join(map(str, sys.version_info[:3]))
    if OLDEST_PYTHON <= sys.version_info[:2] <= NEWEST_PYTHON:
        return Check("python", State.OK, found)
    return Check("python", State.WARN, say("doctor.python", version=found), say("doctor.python.hint"))


def config(loaded: Loaded) -> Check:
    """Settings that could be read; a file with secrets that others can read is a warning."""
    if loaded.file is None:
        return Check("config", State.OK, say("doctor.no_file"))
    mode = stat.S_IMODE(loaded.file.stat().st_mode)
    if os.name == "posix" and mode & stat.S_IWOTH:
        return _writable("config", loaded.file)
    return Check("config", State.OK, str(loaded.file))


def _not_made(file: Path, data_dir: Path) -> Check:
    """A database file that is not there yet; only the data directory is made with it."""
    folder = file.absolute().parent
    if folder == data_dir.absolute() or _exists(folder):
        return Check("database", State.OK, say("doctor.made", path=file))
    return Check("database", State.FAIL, say("storage.folder", folder=folder), say("storage.folder.hint"))


def guards(missing: tuple[str, ...]) -> Check:
    """The triggers that refuse to change or delete rows of the operation log."""
    if not missing:
        return Check("log triggers", State.OK, say("doctor.guards"))
    found = say("doctor.guards.missing", names=", ".join(missing))
    return Check("log triggers", State.FAIL, found, say("doctor.guards.hint"))


def chains(store: Store) -> Check:
    """The hash chains, from their beginnings, `CHAIN_ROWS` rows in all at most."""
    walked, left, total, broken = 0, CHAIN_ROWS, 0, 0
    with store.read() as tx:
        names = tx.operations.namespaces()
        for name in names:
            head = tx.operations.head(name)
            total += head[0]
            rows = list(islice(tx.operations.chain(name), left))
            if len(rows) == left and rows:  # there may be more, that are not looked at
                head = (rows[-1].sequence_num, rows[-1].hash)
            if left or not head[0]:
                report = verify_chain(name, rows, head)
                broken += bool(report.why)
            walked, left = walked + len(rows), left - len(rows)
    if broken:
        return Check(
            "log chains",
            State.FAIL,
            say("doctor.chains.broken", count=broken, chains=len(names)),
            say("doctor.chains.hint"),
        )
    key = "doctor.chains" if walked >= total else "doctor.chains.some"
    return Check("log chains", State.OK, say(key, chains=len(names), rows=walked, total=total))


def data_dir(path: Path) -> Check:
    """A directory that can be written, or can be made (which is tried, and undone)."""
    if not _exists(path):
        if _can_make(path):
            return Check("data directory", State.OK, say("doctor.made", path=path))
        return Check(
            "data directory",
            State.FAIL,
            say("doctor.unmakable", path=path),
            say("doctor.unmakable.hint", parent=_existing(path)),
        )
    if not path.is_dir():
        advice = say("doctor.no_directory.hint")
        return Check("data directory", State.FAIL, say("doctor.no_directory", path=path), advice)
    if not os.access(path, os.W_OK | os.X_OK):
        advice = say("doctor.unwritable.hint")
        return Check("data directory", State.FAIL, say("doctor.unwritable", path=path), advice)
    if os.name == "posix" and path.stat().st_mode & stat.S_IWOTH:
        return _writable("data directory", path)
    return Check("data directory", State.OK, str(path))


def disk(path: Path) -> Check:
    """Space for the database to grow."""
    free = shutil.disk_usage(_existing(path)).free
    found = say("doctor.disk", gigabytes=free / 1e9)
    if free < LEAST_FREE_BYTES:
        return Check("disk", State.FAIL, found, say("doctor.disk.least.hint"))
    if free < FEW_FREE_BYTES:
        return Check("disk", State.WARN, found, say("doctor.disk.few.hint"))
    return Check("disk", State.OK, found)


def clock_sane(now: datetime) -> Check:
    """A clock that can be right: everything here depends on it."""
    shown = f"{now:%Y-%m-%d %H:%M:%S}"
    if now < RELEASED:
        return Check("clock", State.FAIL, say("doctor.clock.early", time=shown), say("doctor.clock.hint"))
    return Check("clock", State.OK, say("doctor.clock", time=shown))


def zones() -> Check:
    """The pinned rules of time zones."""
    try:
        ZoneInfo(SAMPLE_ZONE)
    except ZoneInfoNotFoundError:
        return Check("zone data", State.FAIL, say("doctor.zones.none"), say("doctor.zones.hint"))
    return Check("zone data", State.OK, say("doctor.zones", version=version("tzdata")))


def heartbeat(last_success: str | None, now: datetime, seconds: float) -> Check:
    """When the heartbeat last succeeded (`last_success`: integer microseconds since the epoch)."""
    if last_success is None:
        return Check("heartbeat", State.OK, say("doctor.heartbeat.never"))
    try:
        at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=int(last_success))
    except (ValueError, OverflowError):
        return Check("heartbeat", State.WARN, say("doctor.heartbeat.bad"), say("doctor.heartbeat.bad.hint"))
    age = now - at
    if age < -timedelta(minutes=5):
        found = say("doctor.heartbeat.future", time=f"{at:%Y-%m-%d %H:%M}")
        return Check("heartbeat", State.WARN, found, say("doctor.heartbeat.future.hint"))
    found = say("doctor.heartbeat", seconds=max(0, int(age.total_seconds())))
    if age > timedelta(seconds=seconds) * LATE_BEATS:
        return Check("heartbeat", State.WARN, found, say("doctor.heartbeat.late.hint"))
    return Check("heartbeat", State.OK, found)


def _writable(name: str, path: Path) -> Check:
    return Check(name, State.WARN, say("doctor.writable", path=path), say("doctor.writable.hint", path=path))


def _existing(path: Path) -> Path:
    """The path, or its nearest parent that exists."""
    return next(folder for folder in (path, *path.absolute().parents) if _exists(folder))


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # too long a name, a folder that may not be entered, a NUL
        return False


def _can_make(path: Path) -> bool:
    """Whether a directory and those above it can be made. Nothing stays."""
    made: list[Path] = []
    try:
        for folder in reversed([path.absolute(), *path.absolute().parents]):
            if not _exists(folder):
                folder.mkdir(mode=0o700)
                made.append(folder)
    except (OSError, ValueError):
        return False
    finally:
        for folder in reversed(made):
            with suppress(OSError):  # somebody put something into it meanwhile
                folder.rmdir()
    return True

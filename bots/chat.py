"""The terminal chat as a process: its own SQLite file, the moved clock, the heartbeat beside the prompt."""

import asyncio
import io
import os
import re
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import SecretStr

from adapters.console.app import ConsoleApp
from adapters.console.demo import demo_lines
from adapters.console.display import JsonScreen, RichScreen, Screen
from adapters.console.loop import run_chat
from adapters.console.piped import piped_lines
from adapters.console.prompt import above_the_prompt, prompted_lines
from adapters.console.world import PROVIDER
from bots.bootstrap import App, alarm_of, heartbeat_of, make_data_dir, open_app, runner_of
from bots.runtime import ShiftedClock, SystemClock
from config import logs
from config.settings import Settings
from config.urls import sqlite_url
from core.catalogue import say
from core.errors import StorageError
from core.wording.lines import Mood, line
from storage.hot_thread import HotThread
from storage.providers import providers_in
from storage.upgrade import inspect

FILE_NAME = "console.db"
KEY_SECONDS = 0.03
LOG_BYTES = 1_000_000
OUR_LOG = re.compile(rb"[0-9-]{10}T[0-9:.]+Z \[[a-z]+ *\] |\{.*\"logger\": \".*\"timestamp\": \"")


def run(settings: Settings, *, demo: bool = False, file: Path | None = None, as_json: bool = False) -> int:
    """Chat until the input ends or somebody leaves; answers the exit code.

    `file` replaces the file `console.db` in the data directory. Raises StorageError for a file that cannot be
    used or that holds other providers' rows.
    """
    with _file_of(settings, file, demo) as path:
        url = sqlite_url(path)
        inspect(url)  # before anything is written: it may be another program's
        clock = ShiftedClock(SystemClock())
        away = {"data_dir": path.parent} if demo and file is None else {}  # all of it is thrown away
        app = open_app(settings.model_copy(update={"database_url": SecretStr(url), **away}), clock=clock)
        try:
            _refuse_foreign(app, path)
            with _log_beside(settings, path) as log_file:
                screen = _screen(as_json)
                kept = "" if demo and file is None else str(path)
                console = ConsoleApp(app.context, clock, screen, settings.principals(), kept)
                asyncio.run(_chat(app, console, screen, demo, as_json, log_file))
        except (KeyboardInterrupt, BrokenPipeError):
            _forget_stdout()
        finally:
            app.close()
    return 0


@contextmanager
def _file_of(settings: Settings, file: Path | None, demo: bool) -> Iterator[Path]:
    """The SQLite file: named, the default one, or one that is thrown away."""
    if demo and file is None:
        with tempfile.TemporaryDirectory(prefix="remembrancer-", ignore_cleanup_errors=True) as folder:
            yield Path(folder) / FILE_NAME
        return
    if file is None:
        make_data_dir(settings.model_copy(update={"database_url": SecretStr("")}))
    yield (file or settings.data_dir / FILE_NAME).absolute()


@contextmanager
def _log_beside(settings: Settings, path: Path) -> Iterator[str]:
    """Send the log to a file, so that it never runs into the conversation; a big one of ours is begun anew."""
    log_file = path.with_name(f"{path.name}.log")
    try:
        big = log_file.exists() and log_file.stat().st_size > LOG_BYTES and _is_ours(log_file)
        handle = os.open(log_file, os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if big else os.O_APPEND), 0o600)
    except OSError as error:
        raise StorageError(
            say("console.log", file=log_file, why=error.strerror), say("console.log.hint"), retry=False
        ) from None
    with os.fdopen(handle, "a", encoding="utf-8", errors="backslashreplace") as stream:
        logs.configure(settings.log_level, settings.log_format, stream)
        try:
            yield str(log_file)
        finally:
            logs.configure(settings.log_level, settings.log_format)


def _is_ours(log_file: Path) -> bool:
    """Whether a file begins as our logs do."""
    with log_file.open("rb") as lines:
        return OUR_LOG.match(lines.readline(LOG_BYTES)) is not None


def _refuse_foreign(app: App, path: Path) -> None:
    foreign = [name for name in providers_in(app.store) if name != PROVIDER]
    if foreign:
        sentence = say("console.foreign", file=path, providers=", ".join(foreign))
        raise StorageError(sentence, say("console.foreign.hint"), retry=False)


def _screen(as_json: bool) -> Screen:
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a narrow encoding shows ? instead of failing
    if as_json:
        return JsonScreen(sys.stdout)
    return RichScreen(colour=logs.wants_colour(sys.stdout))


async def _chat(app: App, console: ConsoleApp, screen: Screen, demo: bool, as_json: bool, log_file: str) -> None:
    hot = HotThread(app.store)
    on_the_hot_thread = runner_of(hot)

    async def rung(_fired: int) -> None:
        await above_the_prompt(lambda: on_the_hot_thread(console.ring))

    alarm = alarm_of(app, rung)
    heartbeat = heartbeat_of(app, alarm.wake)
    heartbeat.start()
    alarm.start()
    console.wake = alarm.wake
    try:
        lines = _lines(console, screen, demo, as_json)
        await run_chat(console, lines, runner_of(hot), log_file)
    finally:
        await alarm.stop()
        await heartbeat.stop()
        hot.close()


async def _lines(console: ConsoleApp, screen: Screen, demo: bool, as_json: bool) -> AsyncIterator[str]:
    on_terminal = sys.stdin.isatty() and sys.stdout.isatty() and not as_json
    if demo:
        async for text in demo_lines(console, screen, KEY_SECONDS if sys.stdout.isatty() else 0):
            yield text
        if not on_terminal:
            return
    if on_terminal:
        async for text in prompted_lines(console, logs.wants_colour(sys.stdout)):
            yield text
        return
    async for text in piped_lines(sys.stdin.buffer, _echo(console, screen), _cut(screen)):
        yield text


def _echo(console: ConsoleApp, screen: Screen) -> Callable[[str], None]:
    def echo(text: str) -> None:
        screen.said(console.world.name, console.place(), text)

    return echo


def _cut(screen: Screen) -> Callable[[int], None]:
    def cut(limit: int) -> None:
        screen.private([line("console.line.cut", Mood.WARNING, limit=f"{limit:,}")])

    return cut


def _forget_stdout() -> None:
    """Nobody reads any more: let the interpreter's last flush go nowhere."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

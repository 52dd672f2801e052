"""Aspirations as the tests of them keep and read them; what other processes do to their file."""

import os
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from bots.runtime import SystemIds
from core.aspirations.keys import FileKey
from core.limits import LIMITS
from core.services.aspirations import AddAspiration
from core.services.context import Context
from storage.aspirations import FolderFiles
from storage.unit_of_work import open_store
from tests.builders import HOME, an_owner
from tests.fakes.clock import FakeClock

KEY = FileKey("1-00000000", "home")
NEXT = date(2027, 3, 1)


def context(store, clock, ids, folder, limits=LIMITS):
    """A context whose files lie in `folder`."""
    files = FolderFiles(folder, limits.aspiration_file_bytes)
    return Context(store, clock, ids, limits, zone_of=ZoneInfo, aspirations=files)


def add(ctx, text="Improve the checklist", review=NEXT, actor=None, where=HOME):
    """An aspiration of ada in #general."""
    return AddAspiration(ctx)(text, review, actor or an_owner(), where).item


def the_file(folder: Path) -> Path:
    """The one Markdown file of a folder."""
    [path] = folder.glob("*.md")
    return path


def append_lines(folder: str, name: str, count: int) -> None:
    """In a process of its own: add lines to one file, each by compare and swap."""
    files = FolderFiles(Path(folder), 1_000_000)
    for number in range(count):
        while True:
            old = files.read(KEY)
            if files.replace(KEY, old, f"{old or ''}{name}-{number}\n"):
                break


class DyingFiles(FolderFiles):
    """The process ends right after the file is written, before the transaction commits."""

    def replace(self, key, expected, text):
        super().replace(key, expected, text)
        os._exit(9)


def add_and_die(url: str, schema: str, folder: str) -> None:
    """In a process of its own: killed between file and database."""
    store = open_store(url, schema=schema, migrate=False)
    files = DyingFiles(Path(folder), 1_000_000)
    clock = FakeClock()
    ctx = Context(store, clock, SystemIds(), zone_of=ZoneInfo, aspirations=files)
    AddAspiration(ctx)("Survive", NEXT, an_owner(), HOME)


def at_nine(day: date) -> datetime:
    """The morning of a day in UTC."""
    return datetime(day.year, day.month, day.day, 9, tzinfo=UTC)


SECOND = timedelta(seconds=1)

"""What the global options say, which database a command uses, and how a command gets the opened application."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from pydantic import SecretStr

from bots.cli.output import print_note
from config import loading, logs
from config.settings import DATABASE_FILE, Settings
from config.urls import sqlite_url
from core.catalogue import say
from core.errors import NotFound, StorageError

if TYPE_CHECKING:
    from bots.bootstrap import App


CONSOLE_FILE = "console.db"


class NoDatabase(NotFound):
    """The database that a command would read was not made yet. Details: `database` (as shown in JSON)."""


@dataclass(frozen=True, slots=True)
class Session:
    """The flags of one run."""

    flags: Mapping[str, Any]
    config_file: Path | None
    console: bool = False

    def load(self) -> loading.Loaded:
        """The settings, with logging set up as they say. Raises ConfigError."""
        loaded = loading.load(self.flags, self.config_file)
        logs.hide(*loaded.settings.secrets())
        logs.configure(loaded.settings.log_level, loaded.settings.log_format)
        return loaded

    def load_database(self, as_json: bool = False) -> loading.Loaded:
        """As `load`, with the database that every command but `chat` uses.

        It is the one that flag, environment or file name; else `remembrancer.db` where it is, else `console.db`
        (the terminal chat's) where it is. Where the choice was not the person's, and another was possible, one
        line on stderr says which file it is; not with `as_json`.
        """
        loaded = self.load()
        folder = loaded.settings.data_dir
        bots, terminal = folder / DATABASE_FILE, folder / CONSOLE_FILE
        if loaded.settings.database_url.get_secret_value() and not self.console:
            return loaded
        used, other = (terminal, bots) if self.console else (bots, terminal)
        if not self.console and not _is_there(bots) and _is_there(terminal):
            used, other = terminal, bots
        if not as_json and _is_there(used) and (_is_there(other) or (used == terminal and not self.console)):
            print_note(say("database.looked_at", path=used))
        return loaded if used == bots else _with_file(loaded, used, self.console)


def _is_there(path: Path) -> bool:
    """Whether a file is there; one that cannot be looked at is refused when it is opened."""
    with suppress(OSError):
        return path.is_file()
    return False


def _with_file(loaded: loading.Loaded, file: Path, named: bool) -> loading.Loaded:
    origin = "--console" if named else say("config.source.found")
    settings = loaded.settings.model_copy(update={"database_url": SecretStr(sqlite_url(file))})
    return replace(loaded, settings=settings, origins={**loaded.origins, "database_url": origin})


def session_of(ctx: typer.Context) -> Session:
    """The session that the global callback made."""
    session = ctx.obj
    if not isinstance(session, Session):
        raise TypeError("the global callback did not run")
    return session


@contextmanager
def opened(ctx: typer.Context, as_json: bool = False) -> "Iterator[App]":
    """The application, opened for one command and closed after it. Raises NoDatabase; it never makes one."""
    from bots.bootstrap import open_app  # SQLAlchemy and Alembic take a second: not for --help

    settings = session_of(ctx).load_database(as_json).settings
    file = settings.file()
    if file is not None and not _exists(file):
        shown = database_of(settings)
        raise NoDatabase(say("database.none", path=file), say("database.none.hint"), database=shown)
    app = open_app(settings)
    try:
        yield app
    finally:
        app.close()


def _exists(file: Path) -> bool:
    try:
        return file.exists()
    except OSError as error:  # too long a name, a folder that may not be entered
        sentence = say("storage.look", path=file, why=error.strerror)
        raise StorageError(sentence, say("storage.look.file.hint"), retry=False) from None


def database_of(settings: Settings) -> str:
    """The database as JSON answers name it: its URL, secrets masked."""
    return str(settings.masked()["database_url"])

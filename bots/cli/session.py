"""What the global options say, and how a command gets its settings and the opened application."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from pydantic import SecretStr

from config import loading, logs
from config.settings import DATABASE_FILE

if TYPE_CHECKING:
    from bots.bootstrap import App


CONSOLE_FILE = "console.db"


@dataclass(frozen=True, slots=True)
class Session:
    """The flags of one run."""

    flags: Mapping[str, Any]
    config_file: Path | None
    console: bool = False

    def load(self) -> loading.Loaded:
        """The settings, with logging set up as they say. Raises ConfigError."""
        loaded = loading.load(self.flags, self.config_file)
        logs.configure(loaded.settings.log_level, loaded.settings.log_format)
        return loaded

    def load_database(self) -> loading.Loaded:
        """As `load`, with the database that commands look into.

        The terminal chat keeps a file of its own: `--console` names it, and where no database is set and the
        bots have made none yet, it is the one that is meant.
        """
        loaded = self.load()
        settings = loaded.settings
        file = settings.data_dir / CONSOLE_FILE
        unset = not settings.database_url.get_secret_value()
        if self.console or (unset and file.is_file() and not (settings.data_dir / DATABASE_FILE).exists()):
            url = SecretStr(f"sqlite:///{file}")
            return replace(loaded, settings=settings.model_copy(update={"database_url": url}))
        return loaded


def session_of(ctx: typer.Context) -> Session:
    """The session that the global callback made."""
    session = ctx.obj
    if not isinstance(session, Session):
        raise TypeError("the global callback did not run")
    return session


@contextmanager
def opened(ctx: typer.Context) -> "Iterator[App]":
    """The application, opened for one command and closed after it."""
    from bots.bootstrap import open_app  # SQLAlchemy and Alembic take a second: not for --help

    app = open_app(session_of(ctx).load_database().settings)
    try:
        yield app
    finally:
        app.close()

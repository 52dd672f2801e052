"""What drivers say when they fail, in sentences for people. Nothing of the statement or its values leaks."""

import sqlite3
from typing import Any

import psycopg
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from core.errors import StorageError

DRIVER_ERRORS = (sqlite3.Error, psycopg.Error, SQLAlchemyError)

_SQLITE: dict[str, tuple[str, str]] = {
    "SQLITE_BUSY": (
        "The database is locked by another process for longer than the busy time-out.",
        "Try again; if it stays so, look for a second program that holds the file open.",
    ),
    "SQLITE_LOCKED": ("The database is locked by another part of this program.", "Try again."),
    "SQLITE_READONLY": (
        "The database cannot be written: the file or its folder is read-only.",
        "Give the program's user write permission to the file and to the folder.",
    ),
    "SQLITE_IOERR": (
        "The disk failed while the database was read or written.",
        "Check the disk; restore the newest backup if the file is damaged.",
    ),
    "SQLITE_CORRUPT": (
        "The database file is damaged.",
        "Stop the program and restore the newest backup.",
    ),
    "SQLITE_FULL": ("The disk is full; nothing was stored.", "Free some space and try again."),
    "SQLITE_CANTOPEN": (
        "The database file cannot be opened.",
        "Check that its folder exists and that the program's user may write there.",
    ),
    "SQLITE_NOTADB": (
        "The file is not a Remembrancer database.",
        "Point the `database` setting at another file, or restore a backup.",
    ),
    "SQLITE_CONSTRAINT": (
        "The database refused a row that breaks one of its rules.",
        "This is a defect; report it.",
    ),
}
_RETRY_SQLITE = frozenset({"SQLITE_BUSY", "SQLITE_LOCKED"})

_BUSY = ("Another transaction was in the way; nothing was stored.", "Try again.")
_AWAY = ("The PostgreSQL server does not answer.", "Check that it runs and can be reached, then try again.")
_POSTGRES: dict[str, tuple[str, str]] = {
    "40001": _BUSY,
    "40P01": _BUSY,
    "55P03": _BUSY,
    "57014": ("The PostgreSQL server stopped a statement that took too long.", "Try again."),
    "53100": (
        "The disk of the PostgreSQL server is full; nothing was stored.",
        "Free some space and try again.",
    ),
    "53300": (
        "The PostgreSQL server has no free connection.",
        "Raise max_connections or run fewer processes.",
    ),
    "25006": ("The PostgreSQL server is read-only.", "Connect to the primary server."),
    "28P01": ("The PostgreSQL server refused the user or the password.", "Check the `database` setting."),
    "28000": ("The PostgreSQL server refused the user or the password.", "Check the `database` setting."),
    "3D000": (
        "That PostgreSQL database or user does not exist.",
        "Create it, or check the `database` setting.",
    ),
    "42501": ("The PostgreSQL user may not do that.", "Give the user the rights to its schema."),
    "42P01": ("A table is missing in the database.", "Run `remembrancer db upgrade`."),
    "57P01": _AWAY,
    "57P02": _AWAY,
    "57P03": _AWAY,
}
_CONNECTING = (  # a refused connection carries no SQLSTATE, only the server's words
    ("authentication failed", "28P01"),
    ("no password supplied", "28P01"),
    ("no pg_hba.conf entry", "28P01"),
    ("too many clients", "53300"),
    ("remaining connection slots", "53300"),
    ("starting up", "57P03"),
    ("does not exist", "3D000"),
)
_RETRY_POSTGRES = frozenset({"40001", "40P01", "55P03", "57014", "57P01", "57P02", "57P03", "53300"})


def explain(error: BaseException) -> StorageError:
    """The StorageError for what a driver or SQLAlchemy raised.

    Details: `driver` is the driver's own name of the condition, `retry` is True when the same call may
    succeed later.
    """
    if isinstance(error, PoolTimeout):
        return _made("All connections to the database are in use.", "Try again.", "pool", True)
    if isinstance(error, DBAPIError) and error.orig is not None:
        error = error.orig
    if isinstance(error, psycopg.Error):
        return _postgres(error)
    return _sqlite(error)


def _made(sentence: str, hint: str, driver: str, retry: bool) -> StorageError:
    return StorageError(sentence, hint, driver=driver, retry=retry)


def _sqlite(error: BaseException) -> StorageError:
    name: Any = getattr(error, "sqlite_errorname", None) or type(error).__name__
    family = "_".join(str(name).split("_")[:2])
    sentence, hint = _SQLITE.get(
        family, ("The database could not do what was asked.", "This is a defect; report it with the log.")
    )
    return _made(sentence, hint, str(name), family in _RETRY_SQLITE)


def _postgres(error: psycopg.Error) -> StorageError:
    state = error.sqlstate
    if state is None and isinstance(error, psycopg.OperationalError):
        said = str(error)
        state = next((code for words, code in _CONNECTING if words in said), "08006")
    if state is not None and state.startswith("08"):
        return _made(*_AWAY, state, True)
    if state is not None and state.startswith("23"):
        return _made(*_SQLITE["SQLITE_CONSTRAINT"], state, False)
    known = _POSTGRES.get(
        state or "",
        ("The database could not do what was asked.", "This is a defect; report it with the log."),
    )
    return _made(*known, state or type(error).__name__, state in _RETRY_POSTGRES)

"""What drivers say when they fail, in sentences for people. Nothing of the statement or its values leaks."""

import sqlite3
from typing import Any

import psycopg
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from core.catalogue import say
from core.errors import StorageError

# UnicodeDecodeError: the sqlite3 module cannot read what SQLite says about a damaged schema
DRIVER_ERRORS = (sqlite3.Error, psycopg.Error, SQLAlchemyError, UnicodeDecodeError)

_SQLITE: dict[str, tuple[str, str]] = {  # the catalogue's keys of the sentence and of the hint
    "SQLITE_BUSY": ("storage.busy", "storage.busy.hint"),
    "SQLITE_LOCKED": ("storage.locked", "storage.again.hint"),
    "SQLITE_READONLY": ("storage.read_only", "storage.read_only.hint"),
    "SQLITE_IOERR": ("storage.disk", "storage.disk.hint"),
    "SQLITE_IOERR_WRITE": ("storage.refused", "storage.refused.hint"),  # among others: over a quota
    "SQLITE_IOERR_SHMSIZE": ("storage.refused", "storage.refused.hint"),
    "SQLITE_CORRUPT": ("storage.damaged", "storage.damaged.hint"),
    "SQLITE_FULL": ("storage.full", "storage.full.hint"),
    "SQLITE_CANTOPEN": ("storage.cannot_open", "storage.cannot_open.hint"),
    "SQLITE_NOTADB": ("storage.not_a_database", "storage.not_a_database.hint"),
    "SQLITE_CONSTRAINT": ("storage.constraint", "storage.defect.hint"),
}
_READ_ONLY = frozenset({"storage.read_only", "storage.standby"})
_UNREADABLE = "Could not decode to UTF-8"
_RETRY_SQLITE = frozenset({"SQLITE_BUSY", "SQLITE_LOCKED"})

_DEFECT = ("storage.defect", "storage.defect.hint")
_BUSY = ("storage.in_the_way", "storage.again.hint")
_AWAY = ("storage.away", "storage.away.hint")
_PASSWORD = ("storage.password", "storage.password.hint")
_POSTGRES: dict[str, tuple[str, str]] = {
    "40001": _BUSY,
    "40P01": _BUSY,
    "55P03": _BUSY,
    "57014": ("storage.slow", "storage.again.hint"),
    "53100": ("storage.server_full", "storage.full.hint"),
    "53300": ("storage.crowded", "storage.crowded.hint"),
    "25006": ("storage.standby", "storage.standby.hint"),
    "28P01": _PASSWORD,
    "28000": _PASSWORD,
    "3D000": ("storage.unknown", "storage.unknown.hint"),
    "42501": ("storage.rights", "storage.rights.hint"),
    "42P01": ("storage.table", "storage.upgrade.hint"),
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
    succeed later, `read_only` when reading works and nothing else.
    """
    if isinstance(error, PoolTimeout):
        return _made(("storage.pool", "storage.again.hint"), "pool", True)
    if isinstance(error, DBAPIError) and error.orig is not None:
        error = error.orig
    if isinstance(error, psycopg.Error):
        return _postgres(error)
    return _sqlite(error)


def _made(keys: tuple[str, str], driver: str, retry: bool) -> StorageError:
    sentence, hint = keys
    return StorageError(say(sentence), say(hint), driver=driver, retry=retry, read_only=sentence in _READ_ONLY)


def _sqlite(error: BaseException) -> StorageError:
    name: Any = getattr(error, "sqlite_errorname", None) or type(error).__name__
    if isinstance(error, UnicodeDecodeError) or str(error).startswith(_UNREADABLE):
        name = "SQLITE_CORRUPT"
    family = "_".join(str(name).split("_")[:2])
    keys = _SQLITE.get(str(name)) or _SQLITE.get(family, _DEFECT)
    return _made(keys, str(name), family in _RETRY_SQLITE)


def _postgres(error: psycopg.Error) -> StorageError:
    state = error.sqlstate
    if state is None and isinstance(error, psycopg.OperationalError):
        said = str(error)
        state = next((code for words, code in _CONNECTING if words in said), "08006")
    if state is not None and state.startswith("08"):
        return _made(_AWAY, state, True)
    if state is not None and state.startswith("23"):
        return _made(_SQLITE["SQLITE_CONSTRAINT"], state, False)
    return _made(_POSTGRES.get(state or "", _DEFECT), state or type(error).__name__, state in _RETRY_POSTGRES)

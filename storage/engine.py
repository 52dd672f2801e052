"""From a database URL to a store: files, pragmas, pools."""

import os
import re
import sqlite3
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import NullPool

from core.catalogue import say
from core.errors import StorageError
from storage.link import Driver

BUSY_TIMEOUT = 5.0
CACHED_STATEMENTS = 256
CACHE_KILOBYTES = 32_768
"""Pages that each SQLite connection keeps in memory: at 1 000 000 intents the index does not fit in its 2 MB."""
POOL_SIZE = 4
POOL_OVERFLOW = 4
CONNECT_TIMEOUT = 5
WAL_ATTEMPTS = 50
MAX_PORT = 65_535
SQLITE = ("sqlite:", "sqlite+pysqlite:")
_SCHEMA = re.compile(r"[a-z_][a-z0-9_]{0,62}")


@dataclass(frozen=True, slots=True)
class Target:
    """Where the store is. `path` is empty for PostgreSQL, `schema` for SQLite. `read_only`: a file only to be read."""

    url: URL
    path: str = ""
    schema: str = ""
    read_only: bool = False

    @property
    def sqlite(self) -> bool:
        """Whether this is a SQLite file."""
        return bool(self.path)


def parse_url(url: str, schema: str = "") -> Target:
    """Read `sqlite:///path`, `postgresql://…` or `postgres://…`; StorageError for anything else."""
    if url.startswith(SQLITE):
        return _parse_file(url, schema)
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):  # ValueError: a port that is no number
        raise _bad_url() from None
    match parsed.get_backend_name():
        case "postgresql" | "postgres" if 0 <= (parsed.port or 0) <= MAX_PORT:
            if schema and not _SCHEMA.fullmatch(schema):
                raise StorageError(say("storage.schema_name"), say("storage.schema_name.hint"))
            return Target(parsed.set(drivername="postgresql+psycopg"), schema=schema)
        case _:
            raise _bad_url()


def _parse_file(url: str, schema: str) -> Target:
    """The file of a SQLite URL: percent signs are read as in every URL, also where they give no UTF-8."""
    path = unquote(url.partition(":///")[2], errors="surrogateescape")
    if not path or "?" in url or "\0" in path or path == ":memory:" or schema:
        raise _bad_url()
    return Target(URL.create("sqlite+pysqlite", database=path), path=path)


def _bad_url() -> StorageError:
    return StorageError(say("storage.url"), say("storage.url.hint"))


def make_engine(target: Target, busy_timeout: float = BUSY_TIMEOUT) -> Engine:
    """An engine that connects on first use; every connection is in autocommit until it says BEGIN."""
    return (_sqlite_engine if target.sqlite else _postgres_engine)(target, busy_timeout)


def _sqlite_engine(target: Target, busy_timeout: float) -> Engine:
    if target.read_only:
        return _reading_engine(target.path, busy_timeout)
    engine = create_engine(
        target.url,
        poolclass=NullPool,
        connect_args={
            "timeout": busy_timeout,
            "isolation_level": None,
            "check_same_thread": False,
            "cached_statements": CACHED_STATEMENTS,
        },
    )
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _reading_engine(path: str, busy_timeout: float) -> Engine:
    def connect() -> sqlite3.Connection:
        return sqlite3.connect(
            reading_uri(path),
            uri=True,
            timeout=busy_timeout,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=CACHED_STATEMENTS,
        )

    return create_engine("sqlite+pysqlite://", creator=connect, poolclass=NullPool)


def only_readable(path: str) -> bool:
    """Whether a file is there that this process may not write, or beside which it may not make the log of WAL."""
    file = Path(path).absolute()
    if not os.access(file, os.W_OK):
        return os.access(file, os.R_OK)
    beside = (f"{file}-wal", f"{file}-shm")
    return not os.access(file.parent, os.W_OK) and not all(os.access(one, os.W_OK) for one in beside)


def reading_uri(path: str) -> str:
    """What opens a SQLite file without ever writing it.

    Where nothing can be made beside it and no log of WAL is left, it is read as a file that nobody changes.
    """
    file = Path(path).absolute()
    log = Path(f"{file}-wal")
    alone = not os.access(file.parent, os.W_OK) and not (log.exists() and log.stat().st_size)
    return f"{file.as_uri()}?mode=ro{'&immutable=1' if alone else ''}"


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA recursive_triggers = ON")
    _use_wal(connection)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(f"PRAGMA cache_size = -{CACHE_KILOBYTES}")


def _use_wal(connection: Driver) -> None:
    """Switch to WAL; the busy time-out does not cover this switch, so it is tried for some seconds."""
    for _ in range(WAL_ATTEMPTS):
        if connection.execute("PRAGMA journal_mode").fetchall()[0][0] == "wal":
            return
        try:
            connection.execute("PRAGMA journal_mode = WAL").fetchall()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorname != "SQLITE_BUSY":
                raise
            time.sleep(0.1)


def _begin_sqlite(connection: Connection) -> None:
    """SQLAlchemy's own transactions (migrations) take the write lock at once."""
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _postgres_engine(target: Target, busy_timeout: float) -> Engine:
    arguments: dict[str, Any] = {"connect_timeout": CONNECT_TIMEOUT, "application_name": "remembrancer"}
    options = [f"-c lock_timeout={max(1, round(busy_timeout * 1_000))}"]
    if target.schema:
        options.append(f"-c search_path={target.schema}")
    arguments["options"] = " ".join(options)
    return create_engine(
        target.url,
        isolation_level="AUTOCOMMIT",
        pool_size=POOL_SIZE,
        max_overflow=POOL_OVERFLOW,
        pool_timeout=CONNECT_TIMEOUT,
        connect_args=arguments,
    )


def create_file(path: str) -> None:
    """Make an empty database file that only its owner may read; nothing when it is there."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return
    except FileNotFoundError:
        folder = Path(path).absolute().parent
        raise StorageError(say("storage.folder", folder=folder), say("storage.folder.hint"), retry=False) from None
    except OSError as error:
        raise StorageError(
            say("storage.create", path=path, why=error.strerror), say("storage.create.hint"), retry=False
        ) from None

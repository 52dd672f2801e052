"""Apply and inspect migrations. One upgrade at a time; each is one transaction on both databases."""

import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine
from sqlalchemy import text as clause

from core.catalogue import say
from core.errors import StorageError
from storage.engine import BUSY_TIMEOUT, Target, create_file, make_engine, parse_url, reading_uri
from storage.failures import DRIVER_ERRORS, explain

SCRIPTS = Path(__file__).parent / "migrations"
VERSIONS = "alembic_version"
_NAMES_SQLITE = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"
_NAMES_POSTGRES = (
    "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
    " WHERE c.relkind IN ('r', 'p', 'v', 'm') AND n.nspname = ANY (current_schemas(false))"
)
_REVISIONS = f"SELECT version_num FROM {VERSIONS}"  # noqa: S608 - a constant
UPGRADE_LOCK = 0x52454D45
"""Key of the PostgreSQL advisory lock that lets one upgrade run at a time."""


@dataclass(frozen=True, slots=True)
class SchemaState:
    """The revision of a store ("" before the first migration) and the one this program wants."""

    current: str
    head: str

    @property
    def up_to_date(self) -> bool:
        """Whether there is nothing to apply."""
        return self.current == self.head


def inspect(url: str, *, schema: str = "") -> SchemaState:
    """What `upgrade` would start from. Writes nothing; StorageError for a newer or foreign database."""
    return _inspect(parse_url(url, schema))


def look_through(url: str) -> None:
    """Read every page of a SQLite file; StorageError for one that is damaged. Nothing to do for PostgreSQL."""
    target = parse_url(url)
    if not target.sqlite:
        return
    try:
        with closing(sqlite3.connect(reading_uri(target.path), uri=True)) as connection:
            [(found,)] = connection.execute("PRAGMA quick_check(1)")
    except DRIVER_ERRORS as error:
        raise explain(error) from None
    if found != "ok":
        raise StorageError(say("storage.damaged"), say("storage.damaged.hint"), retry=False)


def check(target: Target) -> None:
    """StorageError unless the store has exactly the schema of this program. Writes nothing."""
    state = _inspect(target)
    if not state.up_to_date:
        raise StorageError(
            say("storage.older" if state.current else "storage.empty"),
            say("storage.upgrade.hint"),
            current=state.current,
            head=state.head,
            retry=False,
        )


def upgrade(url: str, *, schema: str = "", busy_timeout: float = BUSY_TIMEOUT) -> SchemaState:
    """Bring a store to this program's schema, creating file or schema first; the state found before.

    Calling it again changes nothing. StorageError for a newer or foreign database, which is not touched.
    """
    target = parse_url(url, schema)
    state = _inspect(target)
    if not state.up_to_date:
        if target.sqlite:
            create_file(target.path)
        with _engine(target, busy_timeout) as engine, _guarded(engine, target) as connection:
            config = _config()
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    return state


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


@contextmanager
def _engine(target: Target, busy_timeout: float = BUSY_TIMEOUT) -> Iterator[Engine]:
    engine = make_engine(target, busy_timeout)
    try:
        yield engine
    except DRIVER_ERRORS as error:
        raise explain(error) from None
    finally:
        engine.dispose()


@contextmanager
def _guarded(engine: Engine, target: Target) -> Iterator[Connection]:
    """One transaction that keeps other upgrades out."""
    with engine.connect() as plain:
        connection = plain if target.sqlite else plain.execution_options(isolation_level="READ COMMITTED")
        with connection.begin():
            if not target.sqlite:
                connection.execute(clause("SELECT pg_advisory_xact_lock(:key)"), {"key": UPGRADE_LOCK})
                if target.schema:
                    connection.exec_driver_sql(f'CREATE SCHEMA IF NOT EXISTS "{target.schema}"')
            _known(_revision(connection, target))  # again: nobody else can change it now
            yield connection


def _inspect(target: Target) -> SchemaState:
    if target.sqlite:
        return _known(_sqlite_revision(target.path))
    with _engine(target) as engine, engine.connect() as connection:
        return _known(_revision(connection, target))


def _sqlite_revision(path: str) -> str:
    """Read without writing: not even the journal mode of a foreign file may change."""
    if not Path(path).exists():
        return ""
    if Path(path).is_dir():
        raise StorageError(say("storage.is_folder", path=path), say("storage.is_folder.hint"), retry=False)
    if _emptied(path):  # SQLite would take it for a new database, and delete the log
        raise StorageError(say("storage.damaged"), say("storage.damaged.hint"), retry=False)
    try:
        with closing(sqlite3.connect(reading_uri(path), uri=True)) as connection:
            tables = {name for (name,) in connection.execute(_NAMES_SQLITE)}
            rows = connection.execute(_REVISIONS).fetchall() if VERSIONS in tables else []
    except DRIVER_ERRORS as error:
        if getattr(error, "sqlite_errorname", "") == "SQLITE_ERROR":  # a table of that name, but not Alembic's
            raise _foreign(sqlite=True) from None
        raise explain(error) from None
    return _only([str(row[0]) for row in rows], tables, sqlite=True)


def _emptied(path: str) -> bool:
    """Whether a file holds nothing though the log of WAL beside it does: it was cut, and did hold something."""
    try:
        return not Path(path).stat().st_size and Path(f"{path}-wal").stat().st_size > 0
    except OSError:
        return False


def _revision(connection: Connection, target: Target) -> str:
    names = clause(_NAMES_SQLITE if target.sqlite else _NAMES_POSTGRES)
    tables = set(connection.execute(names).scalars())
    if VERSIONS not in tables and not target.sqlite:
        return ""  # a schema may be shared with other tables
    rows = list(connection.execute(clause(_REVISIONS)).scalars()) if VERSIONS in tables else []
    return _only([str(row) for row in rows], tables, target.sqlite)


def _only(revisions: list[str], tables: Collection[str], sqlite: bool) -> str:
    """The one revision; "" where there is nothing yet. Tables without a revision are not ours to change."""
    if len(revisions) > 1 or (not revisions and set(tables) - {VERSIONS}):
        raise _foreign(sqlite)
    return revisions[0] if revisions else ""


def _foreign(sqlite: bool) -> StorageError:
    if sqlite:
        return StorageError(say("storage.foreign"), say("storage.foreign.hint"), retry=False)
    return StorageError(say("storage.foreign.schema"), say("storage.foreign.schema.hint"), retry=False)


def _known(current: str) -> SchemaState:
    scripts = ScriptDirectory.from_config(_config())
    if current and current not in {script.revision for script in scripts.walk_revisions()}:
        raise StorageError(
            say("storage.newer", current=current), say("storage.newer.hint"), current=current, retry=False
        )
    return SchemaState(current, scripts.get_current_head() or "")

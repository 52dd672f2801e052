"""Throwaway databases for tests: a SQLite file or a PostgreSQL schema each."""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
import pytest

from core.operations.log import GENESIS
from storage.unit_of_work import SqlStore, open_store

ROOT = Path(__file__).parents[2]
MISSING = "PostgreSQL not found: its tests are skipped"


@dataclass
class Database:
    """One database that a test may open more than once; `execute` goes past the store."""

    url: str
    schema: str = ""
    _open: list[SqlStore] = field(default_factory=list)

    @property
    def sqlite(self) -> bool:
        """Whether it is a SQLite file."""
        return self.url.startswith("sqlite")

    @property
    def path(self) -> Path:
        """The SQLite file."""
        return Path(self.url.removeprefix("sqlite:///"))

    def open(self, **arguments: Any) -> SqlStore:
        """A store, brought up to date, closed with the database."""
        store = open_store(self.url, **({"schema": self.schema, "migrate": True} | arguments))
        self._open.append(store)
        return store

    def execute(self, statement: str, *params: object) -> list[tuple[Any, ...]]:
        """Run one statement with `?` parameters on a connection of its own and commit."""
        if self.sqlite:
            with closing(sqlite3.connect(self.path, isolation_level=None)) as connection:
                return connection.execute(statement, params).fetchall()
        options = f"-c search_path={self.schema or 'public'}"
        with psycopg.connect(self.url, options=options, autocommit=True) as connection:
            cursor = connection.execute(statement.replace("?", "%s"), params or None)
            return cursor.fetchall() if cursor.description else []

    def close(self) -> None:
        """Close what was opened."""
        while self._open:
            self._open.pop().close()


def postgres_binaries() -> bool:
    """Whether a server can be started here."""
    return any(Path("/usr/lib/postgresql").glob("*/bin/initdb"))


@contextmanager
def postgres_server() -> Iterator[str]:
    """The URL of a server: REMEMBRANCER_TEST_PG, or one started for this run. Skips when there is none."""
    given = os.environ.get("REMEMBRANCER_TEST_PG")
    if given:
        yield given
        return
    if not postgres_binaries():
        if os.environ.get("REMEMBRANCER_REQUIRE_SERVICES") == "1":
            pytest.fail("PostgreSQL is required (REMEMBRANCER_REQUIRE_SERVICES=1) and not found")
        pytest.skip(MISSING)
    script = str(ROOT / "scripts" / "pg")
    made = subprocess.run([script, "start"], check=True, capture_output=True, text=True).stdout
    settings = dict(line.removeprefix("export ").split("=", 1) for line in made.splitlines())
    try:
        yield settings["REMEMBRANCER_TEST_PG"]
    finally:
        subprocess.run([script, "stop", settings["REMEMBRANCER_TEST_PG_DIR"]], check=True)


@contextmanager
def postgres_schema(url: str, schema: str) -> Iterator[Database]:
    """A schema that exists for one test."""
    database = Database(url, schema)
    try:
        yield database
    finally:
        database.close()
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f'DROP SCHEMA IF EXISTS "{schema}" CASCADE')


def empty_again(database: Database) -> None:
    """Bring a migrated PostgreSQL schema back to what the migrations left, whatever a test did to its rows."""
    database.close()
    options = f"-c search_path={database.schema} -c session_replication_role=replica"
    with psycopg.connect(database.url, options=options, autocommit=True) as connection:
        tables = connection.execute(
            "SELECT string_agg(quote_ident(tablename), ',') FROM pg_tables"
            " WHERE schemaname = current_schema() AND tablename <> 'alembic_version'"
        ).fetchall()[0][0]
        connection.execute(
            f"TRUNCATE {tables} RESTART IDENTITY; ALTER TABLE operations ENABLE TRIGGER USER;"
            f" INSERT INTO namespaces VALUES ('system', 'system', NULL, 0, '{GENESIS}')"
        )


@contextmanager
def sqlite_file(path: Path, template: Path | None = None) -> Iterator[Database]:
    """A file, copied from a migrated template where one is given."""
    if template is not None:
        shutil.copy(template, path)
    database = Database(f"sqlite:///{path}")
    try:
        yield database
    finally:
        database.close()

"""Fixtures for every kind of test: `store` (both databases), `sqlite_store`, `clock`, `ids`."""

import itertools
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from storage.unit_of_work import SqlStore, open_store
from tests.fakes.clock import FakeClock
from tests.fakes.databases import (
    MISSING,
    Database,
    empty_again,
    postgres_binaries,
    postgres_schema,
    postgres_server,
    sqlite_file,
)
from tests.fakes.discord.fixtures import discord_service  # noqa: F401
from tests.fakes.ids import SeededIds

os.environ.setdefault("PTB_TIMEDELTA", "true")  # as in our own process; the library warns without it
_numbers = itertools.count(1)
BOTH = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what needs PostgreSQL where there is none, with one line for all; never where it is required."""
    if os.environ.get("REMEMBRANCER_TEST_PG") or os.environ.get("REMEMBRANCER_REQUIRE_SERVICES") == "1":
        return
    needing = [item for item in items if item.get_closest_marker("postgres")]
    if needing and not postgres_binaries():
        config.hook.pytest_deselected(items=needing)
        items[:] = [item for item in items if item not in set(needing)]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say once what was left out."""
    required = os.environ.get("REMEMBRANCER_TEST_PG") or os.environ.get("REMEMBRANCER_REQUIRE_SERVICES") == "1"
    if not (required or postgres_binaries()):
        terminalreporter.write_line(MISSING)


@pytest.fixture
def clock() -> FakeClock:
    """A clock at 2026-11-30 10:00 UTC."""
    return FakeClock()


@pytest.fixture
def ids() -> SeededIds:
    """The same ids in every run."""
    return SeededIds(1)


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file to copy."""
    path = tmp_path_factory.mktemp("template") / "store.db"
    open_store(f"sqlite:///{path}").close()
    return path


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A PostgreSQL server, one a test process; stopped at the end of the run."""
    with postgres_server() as url:
        yield url


@pytest.fixture(params=BOTH)
def empty_database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """A database without any tables, on SQLite and on PostgreSQL."""
    if request.param == "sqlite":
        with sqlite_file(tmp_path / "store.db") as made:
            yield made
    else:
        yield request.getfixturevalue("postgres_database")


@pytest.fixture
def postgres_database(postgres_url: str) -> Iterator[Database]:
    """A PostgreSQL schema without any tables."""
    with postgres_schema(postgres_url, f"test_{os.getpid()}_{next(_numbers)}") as made:
        yield made


@pytest.fixture(scope="session")
def postgres_migrated(postgres_url: str) -> Iterator[Database]:
    """A migrated PostgreSQL schema that the tests of this process use one after the other."""
    with postgres_schema(postgres_url, f"shared_{os.getpid()}") as made:
        made.open()
        yield made


@pytest.fixture(params=BOTH)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """A migrated database, on SQLite and on PostgreSQL."""
    if request.param == "sqlite":
        with sqlite_file(tmp_path / "store.db", request.getfixturevalue("sqlite_template")) as made:
            yield made
        return
    made = request.getfixturevalue("postgres_migrated")
    empty_again(made)
    yield made


@pytest.fixture
def store(database: Database) -> SqlStore:
    """A store on SQLite and on PostgreSQL."""
    return database.open(migrate=False)


@pytest.fixture
def sqlite_store(tmp_path: Path, sqlite_template: Path) -> Iterator[SqlStore]:
    """A store on a SQLite file."""
    with sqlite_file(tmp_path / "sqlite.db", sqlite_template) as made:
        yield made.open(migrate=False)

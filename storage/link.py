"""One driver connection inside one transaction, and statements that both databases understand."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

from storage.failures import DRIVER_ERRORS, explain

Row = tuple[Any, ...]
_MEMBERS = re.compile(r"IN \?(\w+)\[\]")


class Cursor(Protocol):
    """The part of a DB-API cursor in use."""

    rowcount: int

    def fetchall(self) -> list[Row]: ...
    def executemany(self, statement: str, rows: Iterable[Sequence[object]], /) -> object: ...


class Driver(Protocol):
    """The part of `sqlite3.Connection` and `psycopg.Connection` in use."""

    def execute(self, statement: str, params: Sequence[object] = (), /) -> Cursor: ...
    def cursor(self) -> Cursor: ...


class _Over:
    """What a link holds when its transaction is over."""

    def execute(self, _statement: str, _params: Sequence[object] = (), /) -> Cursor:
        raise RuntimeError("this transaction is over")

    def cursor(self) -> Cursor:
        raise RuntimeError("this transaction is over")


@dataclass(frozen=True, slots=True)
class Sql:
    """One statement in the words of each database."""

    sqlite: str
    postgres: str


@lru_cache(maxsize=512)
def sql(text: str, postgres: str = "") -> Sql:
    """A statement with `?` for each parameter; `IN ?bigint[]` takes a list made by `Link.many`.

    `postgres` is given where that database needs other words (in the same style).
    """
    return Sql(
        _MEMBERS.sub("IN (SELECT value FROM json_each(?))", text),
        _MEMBERS.sub(r"= ANY(?::\1[])", postgres or text).replace("?", "%s"),
    )


class Link:
    """Runs statements in one transaction; driver errors come out as StorageError.

    Statements go straight to the driver: measured, SQLAlchemy's text execution costs seven times the point
    read that it wraps (decision 0020).
    """

    __slots__ = ("_driver", "sqlite", "writable")

    def __init__(self, driver: Driver, sqlite: bool, writable: bool) -> None:
        self._driver: Driver = driver
        self.writable = writable
        self.sqlite = sqlite

    def rows(self, statement: Sql, params: Sequence[object] = ()) -> list[Row]:
        """All rows of a query, as tuples."""
        try:
            text = statement.sqlite if self.sqlite else statement.postgres
            return self._driver.execute(text, params).fetchall()
        except DRIVER_ERRORS as error:
            raise explain(error) from None

    def row(self, statement: Sql, params: Sequence[object] = ()) -> Row | None:
        """The first row of a query, or None."""
        found = self.rows(statement, params)
        return found[0] if found else None

    def run(self, statement: Sql, params: Sequence[object] = ()) -> int:
        """Write; the number of rows written. RuntimeError in a read transaction."""
        self._check()
        try:
            text = statement.sqlite if self.sqlite else statement.postgres
            return self._driver.execute(text, params).rowcount
        except DRIVER_ERRORS as error:
            raise explain(error) from None

    def run_each(self, statement: Sql, rows: Sequence[Sequence[object]]) -> None:
        """Write the same statement once for each row of parameters."""
        self._check()
        try:
            text = statement.sqlite if self.sqlite else statement.postgres
            self._driver.cursor().executemany(text, rows)
        except DRIVER_ERRORS as error:
            raise explain(error) from None

    def insert(self, statement: Sql, params: Sequence[object]) -> Row | None:
        """Write and return the row of its RETURNING clause; None when a conflict kept it out."""
        self._check()
        return self.row(statement, params)

    def many(self, values: Iterable[object]) -> object:
        """A list as the one parameter of `IN ?type[]`."""
        return json.dumps(list(values)) if self.sqlite else list(values)

    def close(self) -> None:
        """The transaction is over: whoever still holds this link gets a RuntimeError."""
        self._driver = _Over()

    def _check(self) -> None:
        if not self.writable:
            raise RuntimeError("a read transaction cannot write")

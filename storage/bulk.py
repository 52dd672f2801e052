"""Filling a store with many intents in few statements, for measurements: the same rows as one by one."""

# ruff: noqa: S608  # statements are put together from constants of the code alone

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, cast

from sqlalchemy import Column, Table

from core.ports import Tx
from core.standing.intent import IndexRow, StandingIntent
from core.turn import Principal
from storage import mapping, tables
from storage.link import Link, sql
from storage.repositories import content
from storage.repositories.index import ADD as ADD_TRIG
from storage.repositories.index import ADD_VERSION, GROW, VERSION
from storage.repositories.intents import ADD_ENTRY, TAKE_HANDLE
from storage.types import micros, pack_options, words
from storage.unit_of_work import SqlTx

_COLUMNS = ("key", *mapping.INTENT_FIXED, *mapping.INTENT_MUTABLE)
ADD = sql(f"INSERT INTO standing_intents ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))})")
HIGHEST = sql("SELECT COALESCE(max(key), 0) FROM standing_intents")
LOWEST = sql("SELECT COALESCE(min(key), 0) FROM standing_intents")
CACHE = sql("PRAGMA cache_size = -200000")
EXPIRE = sql("UPDATE standing_intents SET expires_at = ? WHERE key >= ? AND key < ?")
COOL = sql(
    "UPDATE standing_intents SET status = 'fired', fire_count = 1, last_fired_at = ? - cooldown, ready_at = ?"
    " WHERE key >= ? AND key < ?"
)
GROW_ANYWHERE = sql("UPDATE scopes SET rows = rows * 2, generation = generation + 1 WHERE scope_key <= 0")
COUNTED = {"standing_intents": "key", "places": "id", "principals": "id"}
"""Tables whose keys the database counts, and the columns."""
_CLASSES = (
    tables.NamespaceRow,
    tables.PlaceRow,
    tables.PrincipalRow,
    tables.ContentRow,
    tables.HandleRow,
    tables.StandingIntentRow,
    tables.StandingEntryRow,
    tables.TrigRow,
    tables.ScopeRow,
)
DOUBLED: Mapping[str, Table] = {
    table.name: table for table in (cast("Table", vars(row)["__table__"]) for row in _CLASSES)
}
"""Tables that hold the intents of a space and what they refer to, in an order that foreign keys allow."""
_SPELT = {
    ("namespaces", "place_id"): "place_id + {places}",
    ("places", "account"): "account || {mark}",
    ("places", "external_id"): "CASE WHEN kind = 'space' THEN external_id || {mark} ELSE external_id END",
    ("principals", "account"): "account || {mark}",
    ("standing_intents", "id"): "id || {mark}",
    ("trig", "scope_key"): "CASE WHEN scope_key = 0 THEN 0 ELSE scope_key + {places} END",
    ("trig", "sender"): "CASE WHEN sender = 0 THEN 0 ELSE sender + {principals} END",
    ("scopes", "scope_key"): "scope_key + {places}",
}
"""Columns of a copy that no foreign key explains."""
_WHERE = {"namespaces": " WHERE kind <> 'system'", "scopes": " WHERE scope_key > 0"}


@dataclass(frozen=True, slots=True)
class Loaded:
    """One intent with the salt of its words, and where and under what it is filed."""

    intent: StandingIntent
    salt: bytes
    scope_key: int
    rows: tuple[IndexRow, ...]


@dataclass(slots=True)
class Bulk:
    """Adds intents, one transaction's worth a call; remembers people between calls."""

    fingerprint: str
    _people: dict[Principal, int] = field(default_factory=dict)

    def add(self, transaction: Tx, loads: Sequence[Loaded]) -> None:
        """Store and file them; the caller has stored their places and commits."""
        tx = _sql(transaction)
        link = tx.link
        _widen(link)
        keyed = list(enumerate(loads, int(link.rows(HIGHEST)[0][0]) + 1))
        link.run_each(TAKE_HANDLE, [(one.intent.handle,) for one in loads])
        link.run_each(content.ADD, [row for one in loads for row in _words(one)])
        link.run_each(ADD, [(key, *self._row(tx, one.intent)) for key, one in keyed])
        link.run_each(ADD_ENTRY, [row for key, one in keyed for row in _entries(key, one)])
        self._file(tx, keyed)
        _count_on(link)

    def _row(self, tx: SqlTx, intent: StandingIntent) -> tuple[object, ...]:
        creator = self._person(tx, intent.creator, intent.creator_name)
        watches = None if intent.watches is None else self._person(tx, intent.watches, intent.watches_name)
        return mapping.intent_fixed(intent, creator) + mapping.intent_mutable(intent, watches)

    def _person(self, tx: SqlTx, who: Principal, name: str) -> int:
        if who not in self._people:
            self._people[who] = tx.places.ensure_principal(who, name)
        return self._people[who]

    def _file(self, tx: SqlTx, keyed: Sequence[tuple[int, Loaded]]) -> None:
        tx.link.run(ADD_VERSION, (self.fingerprint,))
        version = tx.link.rows(VERSION, (self.fingerprint,))[0][0]
        filed = [row for key, one in keyed for row in _trig(key, one, self._sender(tx, one.intent), version)]
        tx.link.run_each(ADD_TRIG, sorted(filed))  # in the order of the table
        tx.link.run_each(GROW, sorted(Counter(row[0] for row in filed).items()))

    def _sender(self, tx: SqlTx, intent: StandingIntent) -> int:
        return 0 if intent.watches is None else self._person(tx, intent.watches, "")


def _words(one: Loaded) -> Iterator[tuple[object, ...]]:
    """Rows of `content`: the description, then each entry."""
    yield one.intent.description_id, one.salt, words(one.intent.description)
    for number, entry in enumerate(one.intent.entries):
        name = _name(one, number)
        yield name, content.derived_salt(one.salt, name), words(entry)


def _name(one: Loaded, number: int) -> str:
    return f"{one.intent.description_id}.{number}"


def _entries(key: int, one: Loaded) -> Iterator[tuple[object, ...]]:
    """Rows of `standing_entries`."""
    return ((key, number, _name(one, number)) for number in range(len(one.intent.entries)))


def _trig(key: int, one: Loaded, sender: int, version: int) -> Iterator[tuple[Any, ...]]:
    """Rows of `trig`."""
    readings: Counter[int] = Counter()
    intent = one.intent
    options, priority, created = pack_options(intent.options), int(intent.priority), micros(intent.created_at)
    for row in one.rows:
        number, reading = row.entry_no, readings[row.entry_no]
        readings[number] += 1
        yield (
            one.scope_key, row.anchor, key, number, reading, row.need, row.source, options, sender,
            priority, created, version,
        )  # fmt: skip


def double(transaction: Tx, mark: str) -> None:
    """Store a copy of every space with its places, people and intents: its account is the old one and `mark`.

    For a store that `Bulk` filled and nothing else has written to: fires and operations are not copied.
    `mark` holds no quotes, and no account of the store ends with it.
    """
    link = _sql(transaction).link
    _widen(link)
    highest = {
        name: link.rows(sql(f"SELECT COALESCE(max({key}), 0) FROM {name}"))[0][0] for name, key in COUNTED.items()
    }
    for table in DOUBLED.values():
        link.run(sql(copying(table, {**highest, "mark": f"'{mark}'"})))
    link.run(GROW_ANYWHERE)
    _count_on(link)


def copying(table: Table, values: Mapping[str, object]) -> str:
    """The statement that copies a table's rows under other keys."""
    columns = ", ".join(column.name for column in table.columns)
    spelt = ", ".join(_copied(column).format(**values) for column in table.columns)
    return f"INSERT INTO {table.name} ({columns}) SELECT {spelt} FROM {table.name}{_WHERE.get(table.name, '')}"


def _copied(column: Column[Any]) -> str:
    """A column of a copy: keys and references to what is copied are other ones, the rest is the same."""
    own = (column.table.name, column.name)
    if own in _SPELT:
        return _SPELT[own]
    named = [key.column.table.name for key in column.foreign_keys]
    if not named and column.primary_key and len(column.table.primary_key.columns) == 1:
        named = [own[0]]
    if not named or named[0] not in DOUBLED:
        return column.name
    return f"{column.name} + {{{named[0]}}}" if named[0] in COUNTED else f"{column.name} || {{mark}}"


def _widen(link: Link) -> None:
    """Give SQLite room to work in; the connection keeps it."""
    if link.sqlite:
        link.rows(CACHE)


def _count_on(link: Link) -> None:
    """Let PostgreSQL count on from the highest keys."""
    if not link.sqlite:
        for name, key in COUNTED.items():
            link.rows(sql(f"SELECT setval(pg_get_serial_sequence('{name}', '{key}'), max({key})) FROM {name}"))


def make_expired(transaction: Tx, count: int, at: datetime) -> None:
    """Let the expiry of the `count` oldest rows have been at `at`."""
    link = _sql(transaction).link
    low = link.rows(LOWEST)[0][0]
    link.run(EXPIRE, (micros(at), low, low + count))


def make_cooled(transaction: Tx, count: int, at: datetime) -> None:
    """Let the `count` oldest rows have fired once, with a cooldown that was over at `at`."""
    link = _sql(transaction).link
    low = link.rows(LOWEST)[0][0]
    link.run(COOL, (micros(at), micros(at), low, low + count))


def _sql(transaction: Tx) -> SqlTx:
    assert isinstance(transaction, SqlTx)  # noqa: S101  # what SqlStore hands out
    return transaction

"""Timed reminders with their words."""

# ruff: noqa: S608  # statements are put together from constants of the code alone

import builtins
from collections.abc import Sequence
from datetime import datetime

from core.catalogue import say
from core.errors import LimitExceeded, StorageError
from core.timed.kept import TimedFilter
from core.timed.reminder import TimedReminder
from core.turn import Principal
from storage import timed_table as table
from storage.link import Link, Row, Sql, sql
from storage.repositories import content
from storage.repositories.intents import TAKE_HANDLE
from storage.repositories.places import SqlPlaces
from storage.types import micros, moment_or_none

SELECT = (
    f"SELECT {', '.join(f't.{name}' for name in table.SELECTED)},"
    " c.provider, c.account, c.user_id, p.provider, p.account, p.user_id, d.text"
    " FROM timed_reminders AS t JOIN content AS d ON d.id = t.text_id"
    " JOIN principals AS c ON c.id = t.creator JOIN principals AS p ON p.id = t.target "
)
_NEW = (*table.FIXED, *table.MUTABLE, "version")
_ACTIVE = f"t.{table.ACTIVE}"
_OPEN = f"({_ACTIVE} OR (t.status = 'done' AND t.acknowledged_at IS NULL))"
_ORDER = " ORDER BY t.due_at IS NULL, t.due_at, t.last_due_at DESC, t.key DESC LIMIT ? OFFSET ?"
ADD = sql(
    f"INSERT INTO timed_reminders ({', '.join(_NEW)}) VALUES ({', '.join('?' * len(_NEW))}) RETURNING key",
)
BY_HANDLE = sql(SELECT + "WHERE t.handle = ?")
BY_ID = sql(SELECT + "WHERE t.id = ?")
BY_KEYS = sql(SELECT + "WHERE t.key IN ?bigint[] ORDER BY t.key")
LOCK = sql("SELECT key FROM timed_reminders WHERE key IN ?bigint[] ORDER BY key FOR NO KEY UPDATE")
UPDATE = sql(
    f"UPDATE timed_reminders SET {', '.join(f'{name} = ?' for name in table.MUTABLE)}, version = ?"
    " WHERE key = ? AND version = ?"
)
DUE = sql(SELECT + f"WHERE {_ACTIVE} AND t.due_at <= ? ORDER BY t.due_at, t.key LIMIT ?")
NEXT_DUE = sql(f"SELECT min(t.due_at) FROM timed_reminders AS t WHERE {_ACTIVE}")
ACTIVE_OF = sql(f"SELECT count(*) FROM timed_reminders AS t WHERE t.creator = ? AND {_ACTIVE}")
WORDED = sql(
    "SELECT t.key FROM timed_reminders AS t JOIN content AS d ON d.id = t.text_id"
    " WHERE t.namespace_id IN ?text[] AND d.text IS NOT NULL ORDER BY t.key LIMIT ?"
)
WORDING = sql(
    "SELECT c.id, c.salt, c.text FROM timed_reminders AS t JOIN content AS c ON c.id = t.text_id WHERE t.key = ?"
)


def _read(row: Row) -> TimedReminder:
    """One row; StorageError when it holds a value that this version does not know."""
    found = _readable(row)
    if found is None:
        sentence, hint = say("storage.unreadable", handle=row[2]), say("storage.unreadable.hint")
        raise StorageError(sentence, hint, retry=False)
    return found


def _readable(row: Row) -> TimedReminder | None:
    try:
        return table.reminder(row)
    except (ValueError, TypeError):
        return None


class SqlTimed:
    """`core.timed.kept.Timed`."""

    __slots__ = ("_link", "_places")

    def __init__(self, link: Link, places: SqlPlaces) -> None:
        self._link = link
        self._places = places

    def add(self, reminder: TimedReminder, salt: bytes) -> TimedReminder:
        """Store a new one with its words; LimitExceeded when the handle was ever given out."""
        if not self._link.run(TAKE_HANDLE, (reminder.handle,)):
            raise LimitExceeded(say("storage.handle"), say("storage.handle.hint"), name="handle", limit=1, used=1)
        content.put(self._link, reminder.text_id, salt, reminder.text)
        creator = self._places.ensure_principal(reminder.creator, reminder.creator_name)
        target = self._places.ensure_principal(reminder.target, reminder.target_name)
        values = table.fixed_values(reminder, creator, target) + table.mutable_values(reminder)
        row = self._link.insert(ADD, (*values, reminder.version))
        assert row is not None  # noqa: S101  # there is no conflict clause
        return table.keyed(reminder, int(row[0]))

    def worded(self, namespace_ids: Sequence[str], limit: int) -> tuple[int, ...]:
        """Keys of those in these namespaces whose words are not erased, ascending."""
        return tuple(row[0] for row in self._link.rows(WORDED, (self._link.many(namespace_ids), limit)))

    def by_handle(self, handle: str) -> TimedReminder | None:
        """The one that a person means by `handle`."""
        row = self._link.row(BY_HANDLE, (handle,))
        return None if row is None else _read(row)

    def by_id(self, reminder_id: str) -> TimedReminder | None:
        """The one with this UUID."""
        row = self._link.row(BY_ID, (reminder_id,))
        return None if row is None else _read(row)

    def by_keys(self, keys: Sequence[int], lock: bool = False) -> tuple[TimedReminder, ...]:
        """In one statement, ascending by key; locked before, in that order, where the store has row locks."""
        if lock and not self._link.sqlite:
            self._link.rows(LOCK, (self._link.many(keys),))
        return self._all(BY_KEYS, (self._link.many(keys),))

    def _all(self, statement: Sql, params: Sequence[object]) -> tuple[TimedReminder, ...]:
        """The rows that this version can read; one that it cannot stays, and does nothing."""
        return tuple(filter(None, map(_readable, self._link.rows(statement, params))))

    def update(self, old: TimedReminder, new: TimedReminder) -> bool:
        """Write state, due instant, counts and acknowledgement while the stored version is `old.version`."""
        return self._link.run(UPDATE, (*table.mutable_values(new), old.version + 1, old.key, old.version)) == 1

    def due(self, now: datetime, limit: int) -> tuple[TimedReminder, ...]:
        """Active ones whose due instant has come, earliest first."""
        return self._all(DUE, (micros(now), limit))

    def next_due(self) -> datetime | None:
        """The earliest due instant of all active ones."""
        row = self._link.row(NEXT_DUE)
        return None if row is None else moment_or_none(row[0])

    def active_of(self, creator: Principal) -> int:
        """How many active ones a person made."""
        return int(self._link.rows(ACTIVE_OF, (self._places.principal_key(creator),))[0][0])

    def list(self, wanted: TimedFilter, limit: int, offset: int) -> tuple[TimedReminder, ...]:
        """Those to come first, the next due one at the top; then the past ones, newest first."""
        where, params = self._where(wanted)
        return self._all(sql(SELECT + where + _ORDER), (*params, limit, offset))

    def count(self, wanted: TimedFilter) -> int:
        """How many `list` would show in all."""
        where, params = self._where(wanted)
        return int(self._link.rows(sql("SELECT count(*) FROM timed_reminders AS t " + where), params)[0][0])

    def _where(self, wanted: TimedFilter) -> tuple[str, builtins.list[object]]:
        tests, params = ["1 = 1"], []
        if wanted.namespace_ids:
            tests.append("t.namespace_id IN ?text[]")
            params.append(self._link.many(wanted.namespace_ids))
        if wanted.person is not None:
            person = self._places.principal_key(wanted.person)
            tests.append("(t.creator = ? OR t.target = ?)")
            params.extend((person, person))
        if wanted.but_direct_of is not None:
            person = self._places.principal_key(wanted.but_direct_of)
            tests.append("(NOT t.direct OR t.creator = ? OR t.target = ?)")
            params.extend((person, person))
        if wanted.open_only:
            tests.append(_OPEN)
        return "WHERE " + " AND ".join(tests), params

    def wording(self, key: int) -> tuple[str, str]:
        """(content id, salted hash) of the words; "" for erased ones."""
        [row] = self._link.rows(WORDING, (key,))
        return row[0], content.hash_of(row[1], row[2])

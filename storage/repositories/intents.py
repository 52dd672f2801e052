"""Standing intents with description and entries."""

# ruff: noqa: S608  # statements are put together from constants of the code alone

import builtins
from collections.abc import Sequence
from datetime import datetime

from core.catalogue import say
from core.errors import LimitExceeded, StorageError
from core.standing.intent import ChannelScope, CooldownPer, Deliver, Priority, StandingIntent, Status
from core.stored import IntentFilter
from core.turn import Principal
from storage import mapping, tables
from storage.link import Link, Row, Sql, sql
from storage.repositories import content
from storage.repositories.places import SqlPlaces
from storage.tables import LIVE_INTENT
from storage.types import micros

_LIVE = f"i.{LIVE_INTENT}"
_COLUMNS = (
    "SELECT i.key, i.id, i.handle, i.namespace_id, i.space, i.channel, i.conversation, i.created_at,"
    " i.source_message_id, i.renewed_from, i.version,"
    " c.provider, c.account, c.user_id, w.provider, w.account, w.user_id,"
    " i.description_id, i.creator_name, i.channel_scope, i.watches_name, i.status, i.armed_at, i.expires_at,"
    " i.max_fires, i.cooldown, i.priority, i.options, i.on_edits, i.fire_count, i.last_fired_at,"
    " i.last_fire_id, i.cooldown_per, i.except_in, i.deliver, i.deliver_to, i.expiry_asked_at, i.unconfirmed,"
    " i.goal_id, i.goal_closed, d.text, "
)
_JOINS = (
    " FROM standing_intents AS i JOIN content AS d ON d.id = i.description_id"
    " JOIN principals AS c ON c.id = i.creator LEFT JOIN principals AS w ON w.id = i.watches "
)
_ENTRIES_SQLITE = (
    "(SELECT json_group_array(x.text) FROM standing_entries AS e CROSS JOIN content AS x"
    " WHERE e.intent_key = i.key AND x.id = e.content_id)"
)
_ENTRIES_POSTGRES = (
    "(SELECT COALESCE(json_agg(x.text ORDER BY e.entry_no), '[]')::text FROM standing_entries AS e"
    " JOIN content AS x ON x.id = e.content_id WHERE e.intent_key = i.key)"
)
SELECT = (_COLUMNS + _ENTRIES_SQLITE + _JOINS, _COLUMNS + _ENTRIES_POSTGRES + _JOINS)


def _plain(value: object) -> object:
    return value if isinstance(value, int) else str(value)


def _select(tail: str, postgres: str = "") -> Sql:
    return sql(SELECT[0] + tail, SELECT[1] + (postgres or tail))


BY_HANDLE = _select("WHERE i.handle = ?")
BY_ID = _select("WHERE i.id = ?")
BY_KEYS = _select("WHERE i.key IN ?bigint[] ORDER BY i.key")
LOCK = sql("SELECT key FROM standing_intents WHERE key IN ?bigint[] ORDER BY key FOR NO KEY UPDATE")
EXPIRING = _select(f"WHERE {_LIVE} AND i.expires_at <= ? ORDER BY i.expires_at, i.key LIMIT ?")
COOLED = _select("WHERE i.status = 'fired' AND i.ready_at <= ? ORDER BY i.ready_at, i.key LIMIT ?")
UNASKED = _select(f"WHERE i.{tables.UNASKED} AND i.expires_at <= ? ORDER BY i.expires_at, i.key LIMIT ?")
TWINS = _select(
    "WHERE i.creator = ? AND i.key IN (SELECT t.intent_key FROM trig AS t"
    " WHERE t.scope_key = ? AND t.anchor = ? AND t.sender = ?) AND i.key <> ? ORDER BY i.key"
)
TAKE_HANDLE = sql("INSERT INTO handles (handle) VALUES (?) ON CONFLICT DO NOTHING")
ADD = sql(
    f"INSERT INTO standing_intents ({', '.join(mapping.INTENT_FIXED + mapping.INTENT_MUTABLE)})"
    f" VALUES ({', '.join('?' * len(mapping.INTENT_FIXED + mapping.INTENT_MUTABLE))}) RETURNING key"
)
UPDATE = sql(
    f"UPDATE standing_intents SET {', '.join(f'{name} = ?' for name in mapping.INTENT_MUTABLE)}, version = ?"
    " WHERE key = ? AND version = ?"
)
REHOUSE = sql(
    "UPDATE standing_intents SET namespace_id = ?, space = ?, channel = ?, conversation = ?, version = ?"
    " WHERE key = ? AND version = ?"
)
LINKED = sql("SELECT key FROM standing_intents WHERE goal_id = ? ORDER BY key")
WORDED = sql(
    "SELECT i.key FROM standing_intents AS i JOIN content AS d ON d.id = i.description_id"
    " WHERE i.namespace_id IN ?text[] AND (d.text IS NOT NULL OR EXISTS (SELECT 1 FROM standing_entries AS e"
    " JOIN content AS x ON x.id = e.content_id WHERE e.intent_key = i.key AND x.text IS NOT NULL))"
    " ORDER BY i.key LIMIT ?"
)
ADD_ENTRY = sql("INSERT INTO standing_entries (intent_key, entry_no, content_id) VALUES (?, ?, ?)")
DROP_ENTRIES = sql("DELETE FROM standing_entries WHERE intent_key = ?")
WORDINGS = sql(
    "SELECT c.id, c.salt, c.text, -1 AS place FROM standing_intents AS i JOIN content AS c ON c.id = i.description_id"
    " WHERE i.key = ? UNION ALL SELECT c.id, c.salt, c.text, e.entry_no FROM standing_entries AS e"
    " JOIN content AS c ON c.id = e.content_id WHERE e.intent_key = ? ORDER BY place"
)
_KNOWN: dict[str, tuple[object, ...]] = {
    "status": tuple(Status),
    "channel_scope": tuple(ChannelScope),
    "cooldown_per": tuple(CooldownPer),
    "deliver": tuple(Deliver),
    "priority": tuple(map(int, Priority)),
}
UNREADABLE = sql(
    "SELECT handle FROM standing_intents WHERE "
    + " OR ".join(f"{column} NOT IN ({', '.join(map(repr, map(_plain, known)))})" for column, known in _KNOWN.items())
    + " ORDER BY key LIMIT ?"
)
LIVE_OF_CREATOR = sql(f"SELECT count(*) FROM standing_intents AS i WHERE i.creator = ? AND {_LIVE}")
LIVE_OF_SPACE = sql(f"SELECT count(*) FROM standing_intents AS i WHERE i.space = ? AND {_LIVE}")


def _read(row: Row) -> StandingIntent:
    """One row; StorageError when it holds a value that this version does not know."""
    try:
        return mapping.intent(row)
    except (ValueError, TypeError):
        sentence, hint = say("storage.unreadable", handle=row[2]), say("storage.unreadable.hint")
        raise StorageError(sentence, hint, retry=False) from None


def _readable(row: Row) -> StandingIntent | None:
    try:
        return mapping.intent(row)
    except (ValueError, TypeError):
        return None


class SqlIntents:
    """`core.ports.Intents`."""

    __slots__ = ("_link", "_places")

    def __init__(self, link: Link, places: SqlPlaces) -> None:
        self._link = link
        self._places = places

    def add(self, intent: StandingIntent, salt: bytes) -> StandingIntent:
        """Store a new intent with its words; LimitExceeded when the handle was ever given out."""
        if not self._link.run(TAKE_HANDLE, (intent.handle,)):
            raise LimitExceeded(say("storage.handle"), say("storage.handle.hint"), name="handle", limit=1, used=1)
        content.put(self._link, intent.description_id, salt, intent.description)
        creator = self._places.ensure_principal(intent.creator, intent.creator_name)
        values = mapping.intent_fixed(intent, creator) + mapping.intent_mutable(intent, self._watches(intent))
        row = self._link.insert(ADD, values)
        assert row is not None  # noqa: S101  # there is no conflict clause
        stored = mapping.keyed(intent, int(row[0]))
        self._put_entries(stored, salt, intent.description_id)
        return stored

    def _watches(self, intent: StandingIntent) -> int | None:
        if intent.watches is None:
            return None
        return self._places.ensure_principal(intent.watches, intent.watches_name)

    def _put_entries(self, intent: StandingIntent, salt: bytes, prefix: str) -> None:
        ids = [f"{prefix}.{number}" for number in range(len(intent.entries))]
        if ids:
            content.put_each(self._link, salt, zip(ids, intent.entries, strict=True))
            rows = [(intent.key, number, content_id) for number, content_id in enumerate(ids)]
            self._link.run_each(ADD_ENTRY, rows)

    def by_handle(self, handle: str) -> StandingIntent | None:
        """The intent that a person means by `handle`."""
        row = self._link.row(BY_HANDLE, (handle,))
        return None if row is None else _read(row)

    def by_id(self, intent_id: str) -> StandingIntent | None:
        """The intent with this UUID."""
        row = self._link.row(BY_ID, (intent_id,))
        return None if row is None else _read(row)

    def by_keys(self, keys: Sequence[int], lock: bool = False) -> tuple[StandingIntent, ...]:
        """In one statement, ascending by key; locked in that order where the store has row locks.

        The lock is a statement of its own: one that waits for a lock sees joined rows as they were before.
        """
        if lock and not self._link.sqlite:
            self._link.rows(LOCK, (self._link.many(keys),))
        return self._all(BY_KEYS, (self._link.many(keys),))

    def _all(self, statement: Sql, params: Sequence[object]) -> tuple[StandingIntent, ...]:
        """The rows that this version can read; one that it cannot is parked: it stays, and does nothing."""
        return tuple(filter(None, map(_readable, self._link.rows(statement, params))))

    def update(self, old: StandingIntent, new: StandingIntent) -> bool:
        """Write every mutable field while the stored version is `old.version`; False when it is not."""
        values = mapping.intent_mutable(new, self._watches(new))
        if not self._link.run(UPDATE, (*values, old.version + 1, old.key, old.version)):
            return False
        if new.entries != old.entries:
            salt = content.salt_of(self._link, new.description_id)
            self._link.run(DROP_ENTRIES, (old.key,))
            self._put_entries(new, salt, f"{old.description_id}.v{old.version + 1}")
        return True

    def rehouse(self, old: StandingIntent, new: StandingIntent) -> bool:
        """Write where it was made while the stored version is `old.version`; False when it is not."""
        home = (new.namespace_id, new.space, new.channel, new.conversation)
        return self._link.run(REHOUSE, (*home, old.version + 1, old.key, old.version)) == 1

    def linked(self, goal_id: str) -> tuple[int, ...]:
        """Keys of the intents that are linked to a goal, ascending."""
        return tuple(row[0] for row in self._link.rows(LINKED, (goal_id,)))

    def worded(self, namespace_ids: Sequence[str], limit: int) -> tuple[int, ...]:
        """Keys of the intents of these namespaces that hold words, ascending."""
        return tuple(row[0] for row in self._link.rows(WORDED, (self._link.many(namespace_ids), limit)))

    def reword(self, content_id: str, salt: bytes, text: str) -> None:
        """Put a new description under a new content row; an `update` then points at it."""
        content.put(self._link, content_id, salt, text)

    def wordings(self, intent_key: int) -> tuple[tuple[str, str], ...]:
        """(content id, salted hash) of the description and then of each entry; "" for erased words."""
        rows = self._link.rows(WORDINGS, (intent_key, intent_key))
        return tuple((row[0], content.hash_of(row[1], row[2])) for row in rows)

    def list(self, wanted: IntentFilter, limit: int, offset: int) -> tuple[StandingIntent, ...]:
        """Newest first."""
        where, params = self._where(wanted)
        order = " ORDER BY i.created_at DESC, i.key DESC LIMIT ? OFFSET ?"
        if not wanted.text:
            return self._all(_select(where + order), (*params, limit, offset))
        keys = self._with_text(wanted)[offset : offset + limit]
        found = {intent.key: intent for intent in self.by_keys(keys)}
        return tuple(found[key] for key in keys)

    def count(self, wanted: IntentFilter) -> int:
        """How many `list` would show in all."""
        if wanted.text:
            return len(self._with_text(wanted))
        where, params = self._where(wanted)
        return self._count(sql("SELECT count(*) FROM standing_intents AS i " + where), params)

    def _with_text(self, wanted: IntentFilter) -> builtins.list[int]:
        """Keys of the rows whose words match. Case-folding is Python's: the databases disagree about it."""
        where, params = self._where(wanted)
        text = wanted.text.casefold()
        rows = self._link.rows(
            sql(
                "SELECT i.key, d.text FROM standing_intents AS i"
                " JOIN content AS d ON d.id = i.description_id " + where + " ORDER BY i.created_at DESC, i.key DESC"
            ),
            params,
        )
        return [key for key, words in rows if words is not None and text in words.casefold()]

    def _where(self, wanted: IntentFilter) -> tuple[str, builtins.list[object]]:
        tests, params = ["1 = 1"], []
        if wanted.namespace_ids:
            tests.append("i.namespace_id IN ?text[]")
            params.append(self._link.many(wanted.namespace_ids))
        if wanted.space:
            tests.append("i.space = ?")
            params.append(wanted.space)
        if wanted.creator is not None:
            tests.append("i.creator = ?")
            params.append(self._places.principal_key(wanted.creator))
        if wanted.anywhere_of is not None:
            tests.append("(i.channel_scope <> 'anywhere' OR i.creator = ?)")
            params.append(self._places.principal_key(wanted.anywhere_of))
        if wanted.statuses:
            tests.append("i.status IN ?text[]")
            params.append(self._link.many(status.value for status in wanted.statuses))
        return "WHERE " + " AND ".join(tests), params

    def _count(self, statement: Sql, params: Sequence[object]) -> int:
        return int(self._link.rows(statement, params)[0][0])

    def live_of_creator(self, creator: Principal) -> int:
        """How many pending, armed and fired intents a person has."""
        return self._count(LIVE_OF_CREATOR, (self._places.principal_key(creator),))

    def live_of_space(self, space: int) -> int:
        """How many pending, armed and fired intents a space has."""
        return self._count(LIVE_OF_SPACE, (space,))

    def expiring(self, now: datetime, limit: int) -> tuple[StandingIntent, ...]:
        """Live rows whose expiry has come, earliest first."""
        return self._all(EXPIRING, (micros(now), limit))

    def unasked(self, until: datetime, limit: int) -> tuple[StandingIntent, ...]:
        """Live rows that never fired, expire by `until`, and whose creator was not asked; earliest first."""
        return self._all(UNASKED, (micros(until), limit))

    def twins(self, intent: StandingIntent, scope_key: int, anchor: str) -> tuple[StandingIntent, ...]:
        """Other filed rows of the same creator under the same scope, anchor and sender, ascending by key."""
        creator, watches = (self._places.principal_key(person) for person in (intent.creator, intent.watches))
        return self._all(TWINS, (creator, scope_key, anchor, watches, intent.key))

    def unreadable(self, limit: int) -> tuple[str, ...]:
        """Handles of rows with a value that this version does not know."""
        return tuple(row[0] for row in self._link.rows(UNREADABLE, (limit,)))

    def cooled(self, now: datetime, limit: int) -> tuple[StandingIntent, ...]:
        """`fired` rows whose cooldown is over, earliest first."""
        return self._all(COOLED, (micros(now), limit))

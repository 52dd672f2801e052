"""Stored rows as an audit compares them, in pages."""

# statements are put together from constants of the code alone

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, TypeVar

from core.audit.recorded import recorded_standing, recorded_timed
from core.operations.recorded import Fields, as_words
from core.operations.replay import Stored
from core.operations.standing_replay import FIRE, INTENT
from core.operations.timed_replay import TIMED
from core.stored import Event
from storage import mapping
from storage import timed_table as table
from storage.link import Link, Row, Sql, sql
from storage.repositories import content, goal_kept, intents, timed

PAGE = 500
T = TypeVar("T")
_TAIL = "WHERE i.key > ? ORDER BY i.key LIMIT ?"
STANDING = sql(intents.SELECT[0] + _TAIL, intents.SELECT[1] + _TAIL)
READY = sql("SELECT key, ready_at FROM standing_intents WHERE key IN ?bigint[]")
WORDS = sql(
    "SELECT i.key, c.id, c.salt, c.text, -1 AS place FROM standing_intents AS i"
    " JOIN content AS c ON c.id = i.description_id WHERE i.key IN ?bigint[]"
    " UNION ALL SELECT e.intent_key, c.id, c.salt, c.text, e.entry_no FROM standing_entries AS e"
    " JOIN content AS c ON c.id = e.content_id WHERE e.intent_key IN ?bigint[] ORDER BY 1, 5"
)
TIMED_ROWS = sql(timed.SELECT + "WHERE t.key > ? ORDER BY t.key LIMIT ?")
TIMED_WORDS = sql(
    "SELECT t.key, c.id, c.salt, c.text FROM timed_reminders AS t JOIN content AS c ON c.id = t.text_id"
    " WHERE t.key IN ?bigint[]"
)
_FIRES = (
    "SELECT f.id, i.handle, i.id, f.number, f.conversation, f.message_id, f.fired_at, f.state, f.previous_status,"
    " f.previous_fired_at, f.previous_fire_id, f.settled_at, f.acknowledged_at, f.entry_id, c.salt, f.entry"
    " FROM fires AS f JOIN standing_intents AS i ON i.key = f.intent_key LEFT JOIN content AS c ON c.id = f.entry_id"
)
FIRES = sql(
    f"{_FIRES} WHERE f.id > ? ORDER BY f.id LIMIT ?",
    f'{_FIRES} WHERE f.id COLLATE "C" > ? ORDER BY f.id COLLATE "C" LIMIT ?',
)
_EVENTS = "SELECT id, ts, stream, actor_id, actor_type, role, content_id, content_hash, namespace_id, meta FROM events"
EVENTS = sql(
    f"{_EVENTS} WHERE id > ? ORDER BY id LIMIT ?",
    f'{_EVENTS} WHERE id COLLATE "C" > ? ORDER BY id COLLATE "C" LIMIT ?',
)


class SqlKept:
    """`core.audit.kept.Kept`."""

    __slots__ = ("_link",)

    def __init__(self, link: Link) -> None:
        self._link = link

    def standing(self) -> Iterator[Stored]:
        """Standing intents by key."""
        for page in self._pages(STANDING, 0):
            keys = self._link.many(row[0] for row in page)
            ready = {row[0]: row[1] for row in self._link.rows(READY, (keys,))}
            words = _by_key(self._link.rows(WORDS, (keys, keys)))
            for row in page:
                fields = _read(recorded_standing, mapping.intent, row, words)
                whole = None if fields is None else {**fields, "ready_at": ready.get(row[0])}
                yield Stored(INTENT, row[1], row[2], whole)

    def timed(self) -> Iterator[Stored]:
        """Timed reminders by key."""
        for page in self._pages(TIMED_ROWS, 0):
            words = _by_key(self._link.rows(TIMED_WORDS, (self._link.many(row[0] for row in page),)))
            for row in page:
                yield Stored(TIMED, row[1], row[2], _read(recorded_timed, table.reminder, row, words))

    def goals(self) -> Iterator[Stored]:
        """Intents of goal memory by key, their edges, their summaries."""
        yield from goal_kept.intents(self._link)
        yield from goal_kept.edges(self._link)
        yield from goal_kept.summaries(self._link)

    def fires(self) -> Iterator[Stored]:
        """Fires by id."""
        for page in self._pages(FIRES, ""):
            yield from map(_fire, page)

    def events(self) -> Iterator[Event]:
        """Evidence by id."""
        for page in self._pages(EVENTS, ""):
            yield from map(mapping.event, page)

    def _pages(self, statement: Sql, first: object) -> Iterator[list[Row]]:
        """All rows of a statement that takes the last key and a limit, and gives the key first."""
        last = first
        while page := self._link.rows(statement, (last, PAGE)):
            yield page
            last = page[-1][0]


def _by_key(rows: Iterable[Row]) -> dict[object, tuple[Row, ...]]:
    return {key: tuple(found) for key, found in groupby(rows, lambda row: row[0])}


def _read(
    recorded: Callable[[T, list[tuple[str, str]]], Fields],
    read: Callable[[Row], T],
    row: Row,
    words: Mapping[object, Iterable[Row]],
) -> Fields | None:
    """The canonical fields of a row and its words; None for one that this version cannot read."""
    wordings = [(one[1], content.hash_of(one[2], one[3])) for one in words.get(row[0], ())]
    try:
        return recorded(read(row), wordings)
    except (ValueError, TypeError, OverflowError):
        return None


def _fire(row: Row) -> Stored:
    (key, handle, intent, number, conversation, message, fired_at, state, status) = row[:9]
    (previous_at, previous_id, settled_at, acknowledged_at, entry_id, salt, entry) = row[9:]
    words: list[Any] = [] if entry_id is None else as_words([(entry_id, content.hash_of(salt, entry))])
    fields: Fields = {
        "handle": handle,
        "intent": intent,
        "number": number,
        "conversation": str(conversation),
        "message_id": message,
        "fired_at": fired_at,
        "state": state,
        "previous_status": status,
        "previous_fired_at": previous_at,
        "previous_fire_id": previous_id,
        "settled_at": settled_at,
        "acknowledged_at": acknowledged_at,
        "entry": words,
    }
    return Stored(FIRE, key, handle, fields)

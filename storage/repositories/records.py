"""Content, events, settings of a space and facts about the store."""

from core.operations.log import canonical
from core.stored import Event
from storage import mapping
from storage.link import Link, sql
from storage.repositories import content
from storage.repositories.index import SqlTriggerIndex
from storage.repositories.places import SqlPlaces

ADD_EVENT = sql(
    "INSERT INTO events (id, ts, stream, actor_id, actor_type, role, content_id, content_hash,"
    " namespace_id, meta)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
PUT_SETTING = sql(
    "INSERT INTO space_settings (space, key, value) VALUES (?, ?, ?)"
    " ON CONFLICT (space, key) DO UPDATE SET value = excluded.value"
)
DROP_SETTING = sql("DELETE FROM space_settings WHERE space = ? AND key = ?")
EVIDENCE = sql("SELECT content_id FROM events WHERE id = ?")
FACT = sql("SELECT value FROM facts WHERE key = ?")
PUT_FACT = sql("INSERT INTO facts (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value")

DROP_FACT = sql("DELETE FROM facts WHERE key = ?")
FACTS = sql(
    "SELECT key, value FROM facts WHERE key >= ? AND key < ? ORDER BY key LIMIT ?",
    'SELECT key, value FROM facts WHERE key COLLATE "C" >= ? AND key COLLATE "C" < ? ORDER BY key COLLATE "C" LIMIT ?',
)


class SqlRecords:
    """`core.ports.Records`."""

    __slots__ = ("_index", "_link", "_places")

    def __init__(self, link: Link, places: SqlPlaces, index: SqlTriggerIndex) -> None:
        self._link = link
        self._places = places
        self._index = index

    def put_content(self, content_id: str, salt: bytes, text: str) -> str:
        """Store words; returns their salted hash."""
        return content.put(self._link, content_id, salt, text)

    def content(self, content_id: str) -> str | None:
        """The words; None when erased or unknown."""
        return content.read(self._link, content_id)

    def erase_content(self, content_id: str) -> bool:
        """Blank text and salt, and every copy of a trigger entry's words (index rows and fires)."""
        if not self._link.run(content.ERASE, (content_id,)):
            return False
        for row in self._link.rows(content.FILED, (content_id,)):
            self._index.remove(row[0])
        self._link.run(content.ERASE_FIRES, (content_id, content_id))
        return True

    def add_event(self, event: Event) -> None:
        """Store a piece of evidence; its words are stored before."""
        self._link.run(ADD_EVENT, mapping.event_values(event))

    def evidence(self, event_id: str) -> str | None:
        """Id of the content that holds the words of an event."""
        row = self._link.row(EVIDENCE, (event_id,))
        return None if row is None else row[0]

    def settings(self, space: int) -> dict[str, object]:
        """Stored settings of a space, without defaults."""
        return self._places.settings(space)

    def put_setting(self, space: int, key: str, value: object) -> None:
        """Store one setting, as a canonical value."""
        self._link.run(PUT_SETTING, (space, key, canonical(value)))
        self._places.changed()

    def drop_setting(self, space: int, key: str) -> bool:
        """Forget one stored setting; False when there was none."""
        dropped = self._link.run(DROP_SETTING, (space, key)) == 1
        if dropped:
            self._places.changed()
        return dropped

    def fact(self, key: str) -> str | None:
        """A fact about the store."""
        row = self._link.row(FACT, (key,))
        return None if row is None else row[0]

    def put_fact(self, key: str, value: str) -> None:
        """Store a fact, replacing what was there."""
        self._link.run(PUT_FACT, (key, value))

    def drop_fact(self, key: str) -> bool:
        """Forget a fact; False when there was none."""
        return self._link.run(DROP_FACT, (key,)) == 1

    def facts(self, low: str, high: str, limit: int) -> tuple[tuple[str, str], ...]:
        """(key, value) of the facts with low <= key < high, ascending."""
        return tuple((row[0], row[1]) for row in self._link.rows(FACTS, (low, high, limit)))

"""Receipts and reservations."""

# ruff: noqa: S608  # statements are put together from constants of the code alone

from collections.abc import Sequence
from datetime import datetime

from core.standing.intent import Fire, FireState
from core.turn import Principal
from storage import mapping
from storage.link import Link, Sql, sql
from storage.repositories.places import SqlPlaces
from storage.tables import LIVE_OUTBOX
from storage.types import micros, moment

SELECT = (
    "SELECT f.id, i.id, f.intent_key, f.number, f.conversation, f.message_id, f.link,"
    " p.provider, p.account, p.user_id, f.sender_name, f.entry, f.terms, f.fired_at, f.state,"
    " f.previous_status, f.previous_fired_at, f.previous_fire_id, f.settled_at, f.acknowledged_at"
    " FROM fires AS f JOIN standing_intents AS i ON i.key = f.intent_key"
    " JOIN principals AS p ON p.id = f.sender "
)
OF_MESSAGE = sql("SELECT intent_key FROM fires WHERE conversation = ? AND message_id = ?")
ADD = sql(
    f"INSERT INTO fires ({', '.join(mapping.FIRE)}, entry_id) VALUES ({', '.join('?' * len(mapping.FIRE))},"
    " (SELECT content_id FROM standing_entries WHERE intent_key = ? AND entry_no = ?))"
    " ON CONFLICT (conversation, message_id, intent_key) DO NOTHING"
)
GET = sql(SELECT + "WHERE f.id = ?")
SETTLE = sql("UPDATE fires SET state = ?, settled_at = ? WHERE id = ? AND state = 'reserved'")
ACKNOWLEDGE = sql("UPDATE fires SET acknowledged_at = ? WHERE id = ? AND acknowledged_at IS NULL")
OF_INTENT = sql(SELECT + "WHERE f.intent_key = ? ORDER BY f.fired_at DESC, f.number DESC, f.id DESC LIMIT ? OFFSET ?")
NEWEST_KEPT = sql(
    SELECT
    + "WHERE f.intent_key = ? AND f.state <> 'refunded' ORDER BY f.fired_at DESC, f.number DESC, f.id DESC LIMIT 1"
)
_LAST = "SELECT intent_key, max(fired_at) FROM fires WHERE intent_key IN ?bigint[] AND state <> 'refunded'"
LAST_IN = sql(f"{_LAST} AND conversation = ? GROUP BY intent_key")
LAST_OF = sql(f"{_LAST} AND sender = ? GROUP BY intent_key")
COUNT = sql("SELECT count(*) FROM fires WHERE intent_key = ?")
OPEN_OF_CREATOR = sql(SELECT + "WHERE f.state = 'reserved' AND i.creator = ? ORDER BY f.fired_at, f.id")
OPEN_OF_INTENT = sql(SELECT + "WHERE f.state = 'reserved' AND f.intent_key = ? ORDER BY f.fired_at, f.id")
OPEN_IN = sql(
    f"{SELECT} LEFT JOIN outbox AS o ON o.fire_id = f.id AND o.{LIVE_OUTBOX}"
    " WHERE f.state = 'reserved' AND o.recipient IS NULL AND COALESCE(o.conversation, f.conversation) IN"
    " (SELECT v.id FROM places AS c JOIN places AS v ON v.parent_id = c.id WHERE c.parent_id = ?)"
    " ORDER BY f.fired_at, f.id"
)
STALE = sql(
    SELECT + "WHERE f.state = 'reserved' AND f.fired_at < ? AND NOT EXISTS"
    f" (SELECT 1 FROM outbox AS o WHERE o.fire_id = f.id AND o.{LIVE_OUTBOX})"
    " ORDER BY f.fired_at, f.id LIMIT ?"
)


class SqlFires:
    """`core.ports.Fires`."""

    __slots__ = ("_link", "_places")

    def __init__(self, link: Link, places: SqlPlaces) -> None:
        self._link = link
        self._places = places

    def of_message(self, conversation: int, message_id: str) -> frozenset[int]:
        """Keys of the intents that this message has fired already, whatever became of the fires."""
        return frozenset(row[0] for row in self._link.rows(OF_MESSAGE, (conversation, message_id)))

    def add(self, fire: Fire) -> bool:
        """Store; False when this message has fired this intent already."""
        sender = self._places.ensure_principal(fire.sender, fire.sender_name)
        return self._link.run(ADD, (*mapping.fire_values(fire, sender), fire.intent_key, fire.entry_no)) == 1

    def get(self, fire_id: str) -> Fire | None:
        """One fire, or None."""
        row = self._link.row(GET, (fire_id,))
        return None if row is None else mapping.fire(row)

    def newest_kept(self, intent_key: int) -> Fire | None:
        """The newest fire of an intent that was not refunded, or None."""
        row = self._link.row(NEWEST_KEPT, (intent_key,))
        return None if row is None else mapping.fire(row)

    def last_in(self, keys: Sequence[int], conversation: int) -> dict[int, datetime]:
        """The last fire of each of these intents in a conversation, refunded ones left out."""
        return self._last(LAST_IN, keys, conversation)

    def last_of(self, keys: Sequence[int], sender: Principal) -> dict[int, datetime]:
        """The last fire of each of these intents by a sender, refunded ones left out."""
        return self._last(LAST_OF, keys, self._places.principal_key(sender))

    def _last(self, statement: Sql, keys: Sequence[int], key: int) -> dict[int, datetime]:
        rows = self._link.rows(statement, (self._link.many(keys), key)) if keys and key else ()
        return {intent_key: moment(at) for intent_key, at in rows}

    def settle(self, fire_id: str, state: FireState, at: datetime) -> bool:
        """Move on from `reserved`, once; False when it was settled before."""
        return self._link.run(SETTLE, (state.value, micros(at), fire_id)) == 1

    def acknowledge(self, fire_id: str, at: datetime) -> bool:
        """Record that it is done, once; False when it was before."""
        return self._link.run(ACKNOWLEDGE, (micros(at), fire_id)) == 1

    def of_intent(self, intent_key: int, limit: int, offset: int = 0) -> tuple[Fire, ...]:
        """Newest first."""
        return tuple(map(mapping.fire, self._link.rows(OF_INTENT, (intent_key, limit, offset))))

    def count_of_intent(self, intent_key: int) -> int:
        """How many fires an intent has had, refunded ones among them."""
        row = self._link.row(COUNT, (intent_key,))
        return 0 if row is None else int(row[0])

    def open_of_creator(self, creator: Principal) -> tuple[Fire, ...]:
        """Every reserved fire of the intents that a person made, oldest first."""
        key = self._places.principal_key(creator)
        return tuple(map(mapping.fire, self._link.rows(OPEN_OF_CREATOR, (key,)))) if key else ()

    def open_of_intent(self, intent_key: int) -> tuple[Fire, ...]:
        """Every reserved fire of an intent, oldest first."""
        return tuple(map(mapping.fire, self._link.rows(OPEN_OF_INTENT, (intent_key,))))

    def open_in(self, space: int) -> tuple[Fire, ...]:
        """Every reserved fire that is owed to a place of a space, oldest first."""
        return tuple(map(mapping.fire, self._link.rows(OPEN_IN, (space,))))

    def stale(self, before: datetime, limit: int) -> tuple[Fire, ...]:
        """Reserved before that time and without a live outbox row, oldest first."""
        return tuple(map(mapping.fire, self._link.rows(STALE, (micros(before), limit))))

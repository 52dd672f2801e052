"""What bots owe to conversations."""

# ruff: noqa: S608  # statements are put together from constants of the code alone

from collections.abc import Sequence
from datetime import datetime

from core.standing.intent import OutboxItem, OutboxState
from storage import mapping
from storage.link import Link, sql
from storage.tables import LIVE_OUTBOX
from storage.types import micros

_COLUMNS = ", ".join(mapping.OUTBOX)
_LIVE = f"SELECT {_COLUMNS} FROM outbox WHERE {LIVE_OUTBOX} AND state = 'queued'"
ADD = sql(f"INSERT INTO outbox ({_COLUMNS}) VALUES ({', '.join('?' * len(mapping.OUTBOX))})")
LIVE = sql(f"{_LIVE} ORDER BY created_at, id LIMIT ?")
LIVE_OF = sql(f"{_LIVE} AND conversation IN ?bigint[] ORDER BY created_at, id LIMIT ?")
OF_FIRE = sql(f"SELECT {_COLUMNS} FROM outbox WHERE fire_id = ? ORDER BY created_at DESC, id DESC LIMIT 1")
MARK = sql(f"UPDATE outbox SET state = ?, marked_at = ?, attempts = attempts + 1 WHERE id = ? AND {LIVE_OUTBOX}")


class SqlOutbox:
    """`core.ports.Outbox`."""

    __slots__ = ("_link",)

    def __init__(self, link: Link) -> None:
        self._link = link

    def add(self, item: OutboxItem) -> None:
        """Store a message to be sent."""
        self._link.run(ADD, mapping.outbox_values(item))

    def live(self, conversations: Sequence[int], limit: int) -> tuple[OutboxItem, ...]:
        """`queued` items of these conversations (all when empty), oldest first."""
        if conversations:
            rows = self._link.rows(LIVE_OF, (self._link.many(conversations), limit))
        else:
            rows = self._link.rows(LIVE, (limit,))
        return tuple(map(mapping.outbox_item, rows))

    def of_fire(self, fire_id: str) -> OutboxItem | None:
        """The (newest) message that carries a fire."""
        row = self._link.row(OF_FIRE, (fire_id,))
        return None if row is None else mapping.outbox_item(row)

    def mark(self, item_id: str, state: OutboxState, at: datetime) -> bool:
        """Record an attempt and its outcome, while `queued` or `held`; False when it was final."""
        return self._link.run(MARK, (state.value, micros(at), item_id)) == 1

"""What bots owe to conversations."""

# ruff: noqa: S608  # statements are put together from constants of the code alone

from collections.abc import Sequence
from datetime import datetime

from core.standing.intent import OutboxItem, OutboxState
from core.turn import Principal
from storage import mapping
from storage.link import Link, Sql, sql
from storage.repositories.places import SqlPlaces
from storage.tables import LIVE_OUTBOX
from storage.types import micros, moment_or_none

_COLUMNS = ", ".join(f"o.{name}" for name in mapping.OUTBOX)
_SELECT = (
    f"SELECT {_COLUMNS}, p.provider, p.account, p.user_id FROM outbox AS o"
    " LEFT JOIN principals AS p ON p.id = o.recipient "
)
_DUE = f"WHERE o.{LIVE_OUTBOX} AND o.recipient IS NULL"
_PROVIDER = "(SELECT c.provider FROM places AS c WHERE c.id = o.conversation)"
_PAGE = "ORDER BY o.created_at, o.id LIMIT ? OFFSET ?"
ADD = sql(
    f"INSERT INTO outbox ({', '.join(mapping.OUTBOX)}, recipient) VALUES ({', '.join('?' * len(mapping.OUTBOX))}, ?)"
)
DUE = sql(f"{_SELECT}{_DUE} {_PAGE}")
DUE_AT = sql(f"{_SELECT}{_DUE} AND {_PROVIDER} = ? {_PAGE}")
DUE_OF = sql(f"{_SELECT}{_DUE} AND o.conversation IN ?bigint[] {_PAGE}")
OWED = sql(f"{_SELECT}WHERE o.recipient = ? AND o.{LIVE_OUTBOX} {_PAGE}")
LAST_SENT = sql(
    "SELECT max(marked_at) FROM outbox WHERE recipient = ? AND state = 'sent' AND marked_at <= ? AND kind IN ?text[]"
)
GET = sql(f"{_SELECT}WHERE o.id = ?")
OF_FIRE = sql(f"{_SELECT}WHERE o.fire_id = ? ORDER BY o.created_at DESC, o.id DESC LIMIT 1")
MARK = sql(f"UPDATE outbox SET state = ?, marked_at = ?, attempts = attempts + 1 WHERE id = ? AND {LIVE_OUTBOX}")


class SqlOutbox:
    """`core.ports.Outbox`."""

    __slots__ = ("_link", "_places")

    def __init__(self, link: Link, places: SqlPlaces) -> None:
        self._link = link
        self._places = places

    def add(self, item: OutboxItem) -> None:
        """Store a message to be sent."""
        recipient = None if item.recipient is None else self._places.ensure_principal(item.recipient, "")
        self._link.run(ADD, mapping.outbox_values(item, recipient))

    def due(
        self, conversations: Sequence[int], limit: int, offset: int = 0, provider: str = ""
    ) -> tuple[OutboxItem, ...]:
        """Live items without a recipient, of these conversations; when empty, of all or of a provider's."""
        if conversations:
            return self._all(DUE_OF, (self._link.many(conversations), limit, offset))
        return self._all(DUE_AT, (provider, limit, offset)) if provider else self._all(DUE, (limit, offset))

    def owed(self, recipient: Principal, limit: int, offset: int = 0) -> tuple[OutboxItem, ...]:
        """Live items for one person, oldest first."""
        key = self._places.principal_key(recipient)
        return self._all(OWED, (key, limit, offset)) if key else ()

    def last_sent(self, recipient: Principal, kinds: Sequence[str], now: datetime) -> datetime | None:
        """When an item of one of these kinds was last sent to a person; what was sent after `now` does not count."""
        key = self._places.principal_key(recipient)
        row = self._link.row(LAST_SENT, (key, micros(now), self._link.many(kinds)))
        return None if row is None else moment_or_none(row[0])

    def _all(self, statement: Sql, params: Sequence[object]) -> tuple[OutboxItem, ...]:
        return tuple(map(mapping.outbox_item, self._link.rows(statement, params)))

    def get(self, item_id: str) -> OutboxItem | None:
        """One item, or None."""
        row = self._link.row(GET, (item_id,))
        return None if row is None else mapping.outbox_item(row)

    def of_fire(self, fire_id: str) -> OutboxItem | None:
        """The (newest) message that carries a fire."""
        row = self._link.row(OF_FIRE, (fire_id,))
        return None if row is None else mapping.outbox_item(row)

    def mark(self, item_id: str, state: OutboxState, at: datetime) -> bool:
        """Record an attempt and its outcome, while `queued` or `held`; False when it was final."""
        return self._link.run(MARK, (state.value, micros(at), item_id)) == 1

"""What bots owe to conversations."""

# ruff: noqa: S608  # statements are put together from constants of the code alone

from collections.abc import Sequence
from datetime import datetime, timedelta

from core.standing.intent import OutboxItem, OutboxState
from core.turn import Principal
from storage import mapping
from storage.link import Link, Sql, sql
from storage.repositories.places import SqlPlaces
from storage.tables import LIVE_OUTBOX
from storage.types import micros, micros_or_none, moment_or_none

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
MARK = sql(
    "UPDATE outbox SET state = ?, marked_at = ?, error = CASE WHEN ? = '' THEN error ELSE ? END"
    f" WHERE id = ? AND {LIVE_OUTBOX}"
)
GET = sql(f"{_SELECT}WHERE o.id = ?")
_PLACED = (
    " FROM outbox AS o JOIN places AS c"
    " ON c.id = COALESCE((SELECT a.alias_of FROM places AS a WHERE a.id = o.conversation), o.conversation)"
    " LEFT JOIN principals AS p ON p.id = o.recipient"
)
_LOGIN = "COALESCE(p.provider, c.provider) = ? AND COALESCE(p.account, c.account) = ?"
_CHAT = (
    "CASE WHEN o.recipient IS NOT NULL THEN -o.recipient WHEN c.kind = 'channel' THEN c.id"
    " ELSE COALESCE(c.parent_id, c.id) END"
)
_OF_LATER = "(o.created_at > ? AND o.attempts = 0 AND o.error = '')"
READY = sql(
    f"WITH due AS (SELECT o.id, {_CHAT} AS chat,"
    f" row_number() OVER (PARTITION BY {_CHAT} ORDER BY o.created_at, o.id) AS number{_PLACED}"
    f" WHERE o.{LIVE_OUTBOX} AND (o.due_at <= ? OR {_OF_LATER}) AND {_LOGIN}),"
    f" waiting AS (SELECT {_CHAT} AS chat{_PLACED}"
    f" WHERE o.{LIVE_OUTBOX} AND o.state = 'queued' AND o.due_at > ? AND NOT {_OF_LATER} AND {_LOGIN})"
    f" SELECT due.chat, {_COLUMNS}, p.provider, p.account, p.user_id FROM due JOIN outbox AS o ON o.id = due.id"
    " LEFT JOIN principals AS p ON p.id = o.recipient"
    " WHERE due.number = 1 AND due.chat NOT IN (SELECT chat FROM waiting) ORDER BY o.created_at, o.id LIMIT ?"
)
NEXT_DUE = sql(
    f"SELECT o.due_at{_PLACED} WHERE o.{LIVE_OUTBOX} AND o.due_at > ? AND {_LOGIN} ORDER BY o.due_at LIMIT 1"
)
CLAIM = sql(
    "UPDATE outbox SET state = 'queued', attempts = attempts + 1, due_at = ?"
    f" WHERE id = ? AND attempts = ? AND {LIVE_OUTBOX}"
)
POSTPONE = sql(
    "UPDATE outbox SET state = ?, due_at = ?, error = CASE WHEN ? = '' THEN error ELSE ? END, attempts = attempts - ?"
    f" WHERE id = ? AND due_at = ? AND {LIVE_OUTBOX}"
)
OVERDUE = sql(
    f"SELECT {_COLUMNS}, p.provider, p.account, p.user_id{_PLACED}"
    f" WHERE o.{LIVE_OUTBOX} AND o.created_at < ? AND o.kind IN ?text[] AND COALESCE(p.provider, c.provider) <> ?"
    " AND NOT (o.state = 'queued' AND o.attempts > 0 AND o.due_at > ? AND o.due_at <= ?)"
    " ORDER BY o.created_at, o.id LIMIT ?"
)
LAST_FAILED = sql(
    "SELECT max(marked_at) FROM outbox"
    " WHERE recipient = ? AND state = 'failed' AND error = ? AND marked_at <= ? AND kind IN ?text[]"
)


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

    def get(self, item_id: str) -> OutboxItem | None:
        """One message, or None."""
        row = self._link.row(GET, (item_id,))
        return None if row is None else mapping.outbox_item(row)

    def ready(self, provider: str, account: str, now: datetime, limit: int) -> tuple[tuple[int, OutboxItem], ...]:
        """Of each chat that waits for nothing the oldest item that is due."""
        at = micros(now)
        params = (at, at, provider, account, at, at, provider, account, limit)
        return tuple((int(row[0]), mapping.outbox_item(row[1:])) for row in self._link.rows(READY, params))

    def next_due(self, provider: str, account: str, now: datetime) -> datetime | None:
        """When the next item becomes due that is not yet."""
        row = self._link.row(NEXT_DUE, (micros(now), provider, account))
        return None if row is None else moment_or_none(row[0])

    def claim(self, item_id: str, attempts: int, until: datetime) -> bool:
        """Take it for one attempt; False when somebody else did, or it is final."""
        return self._link.run(CLAIM, (micros(until), item_id, attempts)) == 1

    def postpone(
        self, item: OutboxItem, due_at: datetime, error: str = "", held: bool = False, counted: bool = True
    ) -> bool:
        """Make it due later; False when it is somebody else's by now, or final."""
        state = OutboxState.HELD if held else OutboxState.QUEUED
        taken_back = 0 if counted else min(1, item.attempts)
        was = micros_or_none(item.due_at)
        return self._link.run(POSTPONE, (state.value, micros(due_at), error, error, taken_back, item.id, was)) == 1

    def overdue(
        self, kinds: Sequence[str], before: datetime, now: datetime, lease: timedelta, patient: str, limit: int
    ) -> tuple[OutboxItem, ...]:
        """Live items made before that time that no process has, oldest first."""
        leased = micros(now), micros(now + lease)
        return self._all(OVERDUE, (micros(before), self._link.many(kinds), patient, *leased, limit))

    def last_failed(self, recipient: Principal, kinds: Sequence[str], error: str, now: datetime) -> datetime | None:
        """When an item of these kinds for a person last failed for good for this reason."""
        key = self._places.principal_key(recipient)
        row = self._link.row(LAST_FAILED, (key, error, micros(now), self._link.many(kinds)))
        return None if row is None else moment_or_none(row[0])

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

    def of_fire(self, fire_id: str) -> OutboxItem | None:
        """The (newest) message that carries a fire."""
        row = self._link.row(OF_FIRE, (fire_id,))
        return None if row is None else mapping.outbox_item(row)

    def mark(self, item_id: str, state: OutboxState, at: datetime, error: str = "") -> bool:
        """Record what became of it, while `queued` or `held`; False when it was final."""
        return self._link.run(MARK, (state.value, micros(at), error, error, item_id)) == 1

"""What `core` needs from the outbox, as a protocol like those of `core.ports`."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Protocol

from core.standing.intent import OutboxItem, OutboxState
from core.turn import Principal


class Outbox(Protocol):
    """What bots owe to conversations and people. Live is what is `queued` or `held`.

    `due_at` is the earliest instant at which a live item may be sent (again). Of a `queued` item it lies ahead while a
    process has it (`claim`) or until its next attempt; of a `held` one it is the end of the quiet hours as last seen:
    whether they still run is for the services to say. A *chat* is a channel by its key, or a person by their
    negative key. Pages are of the oldest first.
    """

    def add(self, item: OutboxItem) -> None: ...

    def get(self, item_id: str) -> OutboxItem | None: ...

    def ready(self, provider: str, account: str, now: datetime, limit: int) -> tuple[tuple[int, OutboxItem], ...]:
        """Of each chat of a bot login the oldest live item that is due, with its chat; the oldest first.

        A chat is left out while a `queued` item of it is not due. What was made after `now`, by a clock that went
        back, is due until it is tried.
        """
        ...

    def next_due(self, provider: str, account: str, now: datetime) -> datetime | None:
        """The first instant after `now` at which a live item of a bot login becomes due."""
        ...

    def claim(self, item_id: str, attempts: int, until: datetime) -> bool:
        """Take a live item for one attempt: it is `queued`, counted and due again at `until`.

        Guarded on the attempts that were read: of two who take it one gets it.
        """
        ...

    def postpone(
        self, item: OutboxItem, due_at: datetime, error: str = "", held: bool = False, counted: bool = True
    ) -> bool:
        """Make an item due later. Guarded on its `due_at` as read: who lost their claim meanwhile changes nothing.

        `error` is a short code ("" keeps the last one); without `counted` the attempt is taken back.
        """
        ...

    def overdue(
        self, kinds: Sequence[str], before: datetime, now: datetime, lease: timedelta, patient: str, limit: int
    ) -> tuple[OutboxItem, ...]:
        """Live items of these kinds made before that time, the oldest first; those of one provider are left out.

        So are those that a process has at `now`, whose claims end within `lease`.
        """
        ...

    def last_failed(self, recipient: Principal, kinds: Sequence[str], error: str, now: datetime) -> datetime | None:
        """When an item of these kinds for a person last failed for this reason; after `now` does not count."""
        ...

    def due(
        self, conversations: Sequence[int], limit: int, offset: int = 0, provider: str = ""
    ) -> tuple[OutboxItem, ...]:
        """Live items without a recipient, of these conversations; when empty, of all or of a provider's."""
        ...

    def owed(self, recipient: Principal, limit: int, offset: int = 0) -> tuple[OutboxItem, ...]:
        """Live items for one person."""
        ...

    def last_sent(self, recipient: Principal, kinds: Sequence[str], now: datetime) -> datetime | None:
        """When an item of one of these kinds was last sent to a person; what was sent after `now` does not count."""
        ...

    def of_fire(self, fire_id: str) -> OutboxItem | None: ...

    def mark(self, item_id: str, state: OutboxState, at: datetime, error: str = "") -> bool:
        """Guarded: only while `queued` or `held`. `error` is a short code; "" keeps that of the last failure."""
        ...

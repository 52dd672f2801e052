"""How timed reminders are kept: the port that a store provides, and what a list asks of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from core.timed.reminder import TimedReminder
from core.turn import Principal


@dataclass(frozen=True, slots=True)
class TimedFilter:
    """What a list of timed reminders shows. None or empty means no restriction.

    `person` made it or is to be reminded; `open_only` leaves out what was cancelled and what is over and done. With
    `but_direct_of`, what is told by direct message is shown only where that person made it or is to be reminded.
    """

    namespace_ids: tuple[str, ...] = ()
    person: Principal | None = None
    open_only: bool = False
    but_direct_of: Principal | None = None


class Timed(Protocol):
    """Timed reminders with their words."""

    def add(self, reminder: TimedReminder, salt: bytes) -> TimedReminder:
        """Store a new one (its words as content `text_id` with `salt`); returns it with `key` set.

        Raises LimitExceeded when the handle is taken, now or ever before (details name="handle").
        """
        ...

    def by_handle(self, handle: str) -> TimedReminder | None: ...

    def by_id(self, reminder_id: str) -> TimedReminder | None: ...

    def by_keys(self, keys: Sequence[int], lock: bool = False) -> tuple[TimedReminder, ...]:
        """Ascending by key, in one statement; `lock` takes row locks first, in that order, where the store has them.

        Locks are taken after those of intents and before the heads of chains.
        """
        ...

    def update(self, old: TimedReminder, new: TimedReminder) -> bool:
        """Guarded: writes only while the stored version is `old.version`; stores version old + 1.

        Covers state, due instant, counts and acknowledgement.
        """
        ...

    def due(self, now: datetime, limit: int) -> tuple[TimedReminder, ...]:
        """Active ones whose due instant has come, earliest first."""
        ...

    def next_due(self) -> datetime | None:
        """The earliest due instant of all active ones."""
        ...

    def active_of(self, creator: Principal) -> int:
        """How many active ones a person made."""
        ...

    def list(self, wanted: TimedFilter, limit: int, offset: int) -> tuple[TimedReminder, ...]:
        """Those to come first, the next due one at the top; then the past ones, newest first."""
        ...

    def worded(self, namespace_ids: Sequence[str], limit: int) -> tuple[int, ...]:
        """Keys of those in these namespaces whose words are not erased, ascending."""
        ...

    def count(self, wanted: TimedFilter) -> int: ...

    def wording(self, key: int) -> tuple[str, str]:
        """(content id, salted hash) of the words; "" for erased ones. What operations keep in place of them."""
        ...

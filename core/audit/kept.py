"""The port through which stored rows are read for an audit: every row of a kind, in a fixed order."""

from collections.abc import Iterator
from typing import Protocol

from core.operations.replay import Stored
from core.stored import Event


class Kept(Protocol):
    """Stored rows in the canonical fields of `core.audit.recorded`, a page at a time: memory does not grow.

    A row that this version cannot read comes with `fields` None.
    """

    def standing(self) -> Iterator[Stored]:
        """Standing intents by key; with `ready_at`, which no use case reads."""
        ...

    def fires(self) -> Iterator[Stored]:
        """Fires by id, without what operations keep nothing of; with the content id and hash of the matched entry."""
        ...

    def timed(self) -> Iterator[Stored]:
        """Timed reminders by key."""
        ...

    def goals(self) -> Iterator[Stored]:
        """Intents of goal memory by key, their edges, their summaries."""
        ...

    def events(self) -> Iterator[Event]:
        """Evidence by id, its words by content id and hash."""
        ...

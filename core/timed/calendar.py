"""What the clock tier needs from a library of dates, as protocols; `adapters.dates` provides them."""

from datetime import datetime
from typing import Protocol


class Recurrences(Protocol):
    """Wall times of a repeating rule. All times are naive, in the zone of whoever asked."""

    def after(self, rule: str, first: datetime, past: datetime) -> datetime | None:
        """The first wall time of `rule` (an RFC 5545 RRULE) begun at `first` that is later than `past`.

        None when there is none. Raises InvalidInput for a rule that cannot be read.
        """
        ...


class DateReader(Protocol):
    """Reads what our own grammar refuses."""

    def read(self, text: str, now: datetime, language: str) -> datetime | None:
        """The naive wall time that `text` as a whole names, seen from the naive wall time `now`; None for none."""
        ...

"""A clock that stands still until it is told to move."""

from datetime import UTC, datetime, timedelta

NOW = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)


class FakeClock:
    """`core.ports.Clock`, fixed at `now` (aware UTC)."""

    def __init__(self, now: datetime = NOW) -> None:
        if now.tzinfo is None:
            raise ValueError("a naive time is no time")
        self._now = now.astimezone(UTC)

    def now(self) -> datetime:
        """The time set last."""
        return self._now

    def advance(self, span: timedelta | None = None, **fields: float) -> datetime:
        """Move by a length of time, given whole or as fields of timedelta (`minutes=5`); the new time."""
        self._now += timedelta(**fields) if span is None else span
        return self._now

    def set(self, now: datetime) -> None:
        """Move to a time, backwards too."""
        self._now = now.astimezone(UTC)

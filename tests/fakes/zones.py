"""Zone data for tests, and a calendar of rules."""

from datetime import datetime, tzinfo
from zoneinfo import ZoneInfo

from adapters.dates.recurrence import DateutilRecurrences

BERLIN = "Europe/Berlin"
RULES = DateutilRecurrences()


def zone_of(name: str) -> tzinfo:
    """The zone of that name; KeyError where there is none."""
    return ZoneInfo(name)


def wall_time(year: int, month: int, day: int, *clock: int) -> datetime:
    """A naive wall time."""
    return datetime(year, month, day, *clock)  # noqa: DTZ001 - that is what it is

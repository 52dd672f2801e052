"""What a person said as a time: wall time, zone and how it repeats. The instant is derived, never stored alone."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Resolution(StrEnum):
    """How exactly a time was said; what was left open is filled in by a default that is read back."""

    EXACT = "exact"  # a length of time from now: "in 5 minutes"
    MINUTE = "minute"  # a time of the clock: "at 9", "at 14:05"
    DAY = "day"  # a day without an hour: "on Sunday"


class Note(StrEnum):
    """What would surprise somebody who only looked at what they typed; it is said when the time is read back."""

    DEFAULT_HOUR = "default_hour"  # no hour was said
    NEXT_DAY = "next_day"  # the time of today is past
    LOST_HOUR = "lost_hour"  # the clock is put forward over it: the next valid time
    DOUBLED_HOUR = "doubled_hour"  # it comes twice: the first of the two
    SHORT_MONTH = "short_month"  # the month has no such day: its last one
    ZONE_RULES = "zone_rules"  # "EST" in summer: the rules of the region are used
    AFTERNOON = "afternoon"  # an hour without am or pm, taken as the pm one
    PART = "part"  # "tonight", without an hour
    CLOSING = "closing"  # the end of a day, a week, a month
    NEXT_WEEK = "next_week"  # "next friday" is not the coming one
    FIRST = "first"  # "every 10 years": nobody said when it begins
    GUESSED = "guessed"  # not in our grammar: read by a library, to be confirmed


@dataclass(frozen=True, slots=True)
class When:
    """A time as said. `local` is naive wall time in `zone` (an IANA name), its `fold` that of the doubled hour.

    `rule` is an RFC 5545 RRULE without its start ("" for once); `local` is then the first occurrence.
    """

    local: datetime
    zone: str
    resolution: Resolution
    rule: str = ""
    notes: tuple[Note, ...] = ()

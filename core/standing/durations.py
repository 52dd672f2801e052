"""Lengths of time and instants as people type them, and how they are shown. Pure.

Input: `24h`, `90d`, `2 weeks`, `1h30m`, `0s`; `2027-01-31`, `2027-01-31 10:00`, `2027-01-31T10:00+01:00`.
"""

import re
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Self

from core.catalogue import say
from core.errors import InvalidInput

_UNITS = {
    "s sec secs second seconds": 1,
    "m min mins minute minutes": 60,
    "h hr hrs hour hours": 3_600,
    "d day days": 86_400,
    "w week weeks": 604_800,
    "month months": 30 * 86_400,
    "y year years": 365 * 86_400,
}
UNIT_SECONDS = {name: seconds for names, seconds in _UNITS.items() for name in names.split()}
"""The seconds of each unit by every name it has; a month counts 30 days here, a year 365."""
_WORDS = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "ten": 10,
    "twelve": 12,
}
_MAX_TEXT = 64
_MAX_DIGITS = 9
_PART = re.compile(r"([0-9]{1,9})\s*([a-z]+)[\s,]*(?:and\s+)?")
_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([T ].*)?", re.IGNORECASE)
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_SHOWN = (("days", "day", 86_400), ("h", "h", 3_600), ("min", "min", 60), ("s", "s", 1))


def parse_duration(text: str) -> timedelta:
    """The length of time that `text` names; raises InvalidInput with an example. Never negative."""
    wanted = " ".join(text.split()).casefold()
    seconds = _seconds(wanted) if len(wanted) <= _MAX_TEXT else None
    if seconds is None and wanted.isascii() and wanted.isdecimal() and len(wanted) <= _MAX_DIGITS:
        raise InvalidInput(say("duration.unit", text=wanted), say("duration.unit.hint", text=wanted), text=wanted)
    if seconds is None:
        raise InvalidInput(say("duration.bad", text=_cut(text)), say("duration.bad.hint"), text=_cut(text))
    try:
        return timedelta(seconds=seconds)
    except OverflowError:
        raise InvalidInput(say("duration.long", text=_cut(text)), say("duration.bad.hint")) from None


def _seconds(text: str) -> int | None:
    if text == "0":
        return 0
    first, _, rest = text.partition(" ")
    if first in _WORDS and rest:
        text = f"{_WORDS[first]} {rest}"
    position, total = 0, 0
    while position < len(text):
        part = _PART.match(text, position)
        if part is None or part.group(2) not in UNIT_SECONDS:
            return None
        total += int(part.group(1)) * UNIT_SECONDS[part.group(2)]
        position = part.end()
    return total if text else None


def looks_like_moment(text: str) -> bool:
    """Does it begin like an ISO date?"""
    return len(text) <= _MAX_TEXT and _MOMENT.fullmatch(text.strip()) is not None


def parse_moment(text: str, zone: tzinfo) -> datetime:
    """An ISO date or date and time as aware UTC, read in `zone` unless it names its own.

    A date alone means the end of that day. Raises InvalidInput.
    """
    try:
        if not looks_like_moment(text):
            raise ValueError(text)
        wanted = text.strip().upper().replace(" ", "T", 1)
        moment = datetime.fromisoformat(wanted)
        if "T" not in wanted:
            moment = datetime.combine(moment.date(), time(23, 59))
        return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise InvalidInput(say("moment.bad", text=_cut(text)), say("moment.bad.hint"), text=_cut(text)) from None


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_TEXT else text[: _MAX_TEXT - 1] + "…"


def show_duration(length: timedelta) -> str:
    """In words that `parse_duration` reads back: `24 h`, `90 days`, `1 h 30 min`, `0 s`."""
    left = max(0, int(length.total_seconds()))
    if left == 86_400:
        return "24 h"
    parts = []
    for plural, single, size in _SHOWN:
        count, left = divmod(left, size)
        if count:
            parts.append(f"{count} {single if count == 1 else plural}")
    return " ".join(parts) or "0 s"


class Moment(str):
    """A time in words that knows its instant: platforms that show times in each reader's own zone use that."""

    __slots__ = ("at", "full")
    at: datetime
    full: bool

    def __new__(cls, text: str, at: datetime, full: bool) -> Self:
        made = super().__new__(cls, text)
        made.at, made.full = at, full
        return made


def show_moment(moment: datetime, zone: tzinfo) -> Moment:
    """In full, with weekday, year and zone: `Mon 1 Mar 2027 10:00 UTC`."""
    local = _local(moment, zone)
    name = local.tzname() or "UTC"
    return Moment(f"{show_day(local)} {local:%H:%M} {name}", moment, full=True)


def show_day(day: date) -> str:
    """With weekday and year: `Mon 1 Mar 2027`."""
    return f"{_DAYS[day.weekday()]} {day.day} {_MONTHS[day.month - 1]} {day.year}"


def show_soon(moment: datetime, now: datetime, zone: tzinfo) -> Moment:
    """As short as can be understood: `Tue 14:05` within six days, else with date, and year if another."""
    local, today = _local(moment, zone), _local(now, zone)
    day = _DAYS[local.weekday()]
    if abs((local.date() - today.date()).days) <= 6:
        return Moment(f"{day} {local:%H:%M}", moment, full=False)
    return show_dated(moment, now, zone)


def show_dated(moment: datetime, now: datetime, zone: tzinfo) -> Moment:
    """With weekday and date, and the year if it is another one: `Mon 30 Nov 09:00`."""
    local = _local(moment, zone)
    year = f" {local.year}" if local.year != _local(now, zone).year else ""
    text = f"{_DAYS[local.weekday()]} {local.day} {_MONTHS[local.month - 1]}{year} {local:%H:%M}"
    return Moment(text, moment, full=False)


def _local(moment: datetime, zone: tzinfo) -> datetime:
    try:
        return moment.astimezone(zone)
    except OverflowError:  # the first and the last day of the calendar
        return moment.astimezone(UTC)

"""Dates that our own grammar does not know, read by dateparser: a short stretch as a whole, never searched for."""

import re
import warnings
from datetime import datetime, time, timedelta

from dateparser.date import DateDataParser

from core.limits import LIMITS

_DEFAULT_TIME = time(9)
_NUMBER = re.compile(r"[0-9]+")
_DOTTED = re.compile(r"[0-9][.,][0-9]")  # a day and month for us, a clock for the library
_CLOCK = re.compile(r"(?<![0-9:])([0-9]{1,2})[:h]([0-9]{2})(?![0-9])")
_BARE = re.compile(r"(?<![0-9/.:-])[0-9]{1,2}(?![0-9/:-])")
_LETTER = re.compile(r"[^\W\d_]")
_UNITS = tuple(timedelta(**{unit: 1}) for unit in ("minutes", "hours", "days", "weeks"))
_EXACT = _UNITS[:2]


class DateparserReader:
    """`core.timed.calendar.DateReader` with dateparser. `default` is the hour of a day that names none."""

    def __init__(self, default: time = _DEFAULT_TIME) -> None:
        self._default = default

    def read(self, text: str, now: datetime, language: str) -> datetime | None:
        """The naive wall time that `text` as a whole names, seen from the naive `now`; None for none.

        Nothing is read beyond `reader_chars`, of numbers alone, and where the library leaves a number out. Never
        raises: what the library stumbles over is no date.
        """
        if len(text) > LIMITS.reader_chars or not _LETTER.search(text) or _DOTTED.search(text):
            return None
        settings = {
            "RELATIVE_BASE": now,
            "PREFER_DATES_FROM": "future",
            "RETURN_AS_TIMEZONE_AWARE": False,
            "RETURN_TIME_AS_PERIOD": True,
            "PARSERS": ["relative-time", "absolute-time"],
        }
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of the library's own making; nothing of ours runs in here
                found = DateDataParser(languages=[language], settings=settings).get_date_data(text)
            return self._made(text, found.date_obj, str(found.period), now)
        except Exception:  # noqa: BLE001 - a guess that fails is no guess
            return None

    def _made(self, text: str, found: datetime | None, period: str, now: datetime) -> datetime | None:
        """A month or a year alone is no time; a day without an hour gets the default one."""
        if found is None or period not in {"time", "day", "week"}:
            return None
        local = found.replace(tzinfo=None)
        numbers = {int(number) for number in _NUMBER.findall(text)}
        if not numbers <= _numbers_of(local, now) or not _keeps_clock(text, local):
            return None
        moved = any(local - now == number * unit for number in numbers for unit in _EXACT)
        if period == "time" or moved:
            return local
        return datetime.combine(local.date(), self._default)


def _keeps_clock(text: str, local: datetime) -> bool:
    """Is each number in its own field? A bare one is a day, an hour or a length, never the number of a month."""
    for hour, minute in _CLOCK.findall(text):
        if (int(hour) % 12, int(minute)) != (local.hour % 12, local.minute):
            return False
    left = [int(number) for number in _BARE.findall(_CLOCK.sub(" ", text))]
    return len(left) < 2 or set(left) <= {local.day, local.hour, local.hour % 12 or 12, local.year % 100}


def _numbers_of(local: datetime, now: datetime) -> set[int]:
    """The numbers by which somebody can have named this time."""
    months = (local.year - now.year) * 12 + local.month - now.month
    named = {local.year, local.month, local.day, local.hour, local.hour % 12 or 12, local.minute, months, months // 12}
    return named | {0} | {(local - now) // unit for unit in _UNITS}

"""What the words of a time say, before anybody asks what day it is: the parts that the readers find. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from core.standing.phrases import Word

MORNING, AFTERNOON, EVENING, NIGHT = "morning", "afternoon", "evening", "night"
WORKDAY, ANY_DAY = 7, 8  # beside the seven weekdays, from Monday 0
WORKDAYS = (0, 1, 2, 3, 4)
_ISO = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})t([0-9].*)")
_OFFSET = re.compile(r"([0-9]{1,2}[:.][0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?(?:[ap]m)?)(z|[+-][0-9]{2}:?[0-9]{2})")


@dataclass(frozen=True, slots=True)
class Token:
    """A word, or a piece of one such as `2026-12-04T09:00Z`. `word` is the number of the word it stems from, `after`
    the punctuation behind that.
    """

    low: str
    typed: str
    word: int
    after: str = ""


def tokens_of(words: Sequence[Word]) -> list[Token]:
    """The words as the readers want them; a quoted phrase is one that no reader knows."""
    return [
        Token(piece, word.text if piece == word.low else piece, number, word.after)
        for number, word in enumerate(words)
        for piece in _pieces(word.low)
    ]


def _pieces(low: str) -> Iterator[str]:
    if iso := _ISO.fullmatch(low):
        yield iso.group(1)
        low = iso.group(2)
    if offset := _OFFSET.fullmatch(low):
        yield offset.group(1)
        low = offset.group(2)
    yield low


def low(tokens: Sequence[Token], at: int) -> str:
    """The word at this place for comparing; "" outside."""
    return tokens[at].low if 0 <= at < len(tokens) else ""


def lows(tokens: Sequence[Token], at: int, count: int) -> tuple[str, ...]:
    """The next `count` words for comparing."""
    return tuple(low(tokens, number) for number in range(at, at + count))


class Half(StrEnum):
    """Of which half of the day an hour is."""

    OPEN = ""  # "at 9"
    AM = "am"
    PM = "pm"
    FULL = "full"  # of 24 hours: "14:05", "09:00"


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of the clock as said: it may be one that no clock shows (25:00). `midnight` is the one to come.

    `figures`: its minutes were typed (`2:30`), so that an hour of the night can be meant.
    """

    hour: int
    minute: int = 0
    half: Half = Half.OPEN
    midnight: bool = False
    figures: bool = False


@dataclass(frozen=True, slots=True)
class Span:
    """A length of time: calendar months, calendar days, seconds."""

    months: int = 0
    days: int = 0
    seconds: int = 0

    def __add__(self, other: "Span") -> "Span":
        return Span(self.months + other.months, self.days + other.days, self.seconds + other.seconds)


class Week(StrEnum):
    """Which weekday of that name."""

    COMING = "coming"
    NEXT = "next"  # "next friday"
    FOLLOWING = "following"  # "friday next week"
    LAST = "last"


@dataclass(frozen=True, slots=True)
class Relative:
    """Days from today."""

    days: int


@dataclass(frozen=True, slots=True)
class Weekdays:
    """Days of the week, Monday is 0."""

    days: tuple[int, ...]
    week: Week = Week.COMING


@dataclass(frozen=True, slots=True)
class Dated:
    """A day by its number: `month` and `year` 0 where open, `ahead` the months from this one where those were said.

    `weekday` -1 when none was said with it. The number may be one that the month does not have.
    """

    day: int
    month: int = 0
    year: int = 0
    ahead: int | None = None
    weekday: int = -1


@dataclass(frozen=True, slots=True)
class Nth:
    """`first monday`, `last friday`, `last weekday` of a month; `number` -1 is the last."""

    number: int
    weekday: int
    month: int = 0
    year: int = 0
    ahead: int | None = None


@dataclass(frozen=True, slots=True)
class Edge:
    """The last or the first day of a period: `unit` day, week, weekend, month, quarter or year, `ahead` of this one.

    `closing`: its end was said, so that nothing but the last minute is meant when no hour is named.
    """

    unit: str
    ahead: int = 0
    last: bool = True
    closing: bool = True
    month: int = 0
    year: int = 0


@dataclass(frozen=True, slots=True)
class Slashed:
    """`4/12`: two numbers either of which may be the month."""

    first: int
    second: int
    year: int = 0


Day = Relative | Weekdays | Dated | Nth | Edge | Slashed


class Freq(StrEnum):
    """How a rule repeats, in the words of RFC 5545."""

    SECONDLY = "SECONDLY"
    MINUTELY = "MINUTELY"
    HOURLY = "HOURLY"
    DAILY = "DAILY"
    WEEKLY = "WEEKLY"
    MONTHLY = "MONTHLY"
    YEARLY = "YEARLY"


EXACT_FREQS = frozenset({Freq.SECONDLY, Freq.MINUTELY, Freq.HOURLY})
"""Counted in elapsed time, not by the clock on the wall."""


@dataclass(frozen=True, slots=True)
class Repeat:
    """Every `every` units. `doubtful`: "every second friday", which is every other one or each month's second."""

    freq: Freq
    every: int = 1
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class Zone:
    """A zone behind a time: an IANA name, an abbreviation, or `minutes` east of UTC; "" is the speaker's own.

    `noted`: said by a city or a region.
    """

    name: str
    minutes: int | None = None
    noted: bool = False


@dataclass(frozen=True, slots=True)
class Said:
    """All parts of a time. `twice`: one of them was said twice. `by_day`: a day was said as a deadline."""

    day: Day | None = None
    clock: Clock | None = None
    part: str = ""
    span: Span | None = None
    repeat: Repeat | None = None
    start: Day | None = None
    until: Day | None = None
    count: int | None = None
    length: Span | None = None
    zone: Zone | None = None
    ago: bool = False
    by_day: bool = False
    twice: bool = False

    def plus(self, **fields: Any) -> "Said":
        """With one part more; a day that completes another is joined to it."""
        said = self
        for name, value in fields.items():
            before = getattr(said, name)
            if name == "day" and before is not None:
                joined = _joined(before, value)
                said = replace(said, day=joined or before, twice=said.twice or joined is None)
            else:
                said = replace(said, **{name: value}, twice=said.twice or (bool(before) and name != "by_day"))
        return said

    @property
    def names_time(self) -> bool:
        """Is there enough to tell when?"""
        return bool(self.day or self.clock or self.span or self.repeat or self.part)

    @property
    def has_hour(self) -> bool:
        """Was more said than a day?"""
        exact = self.repeat is not None and self.repeat.freq in EXACT_FREQS
        return bool(self.clock or self.span or self.part or exact)

    @property
    def has_day(self) -> bool:
        """Was more said than an hour?"""
        return bool(self.day or self.span or self.repeat)


def _joined(one: Day, other: Day) -> Day | None:
    """Two days that are one: `Friday 4 Dec`, `friday next week`, `monday and thursday`."""
    if isinstance(one, Dated) and isinstance(other, Weekdays):
        one, other = other, one
    if isinstance(one, Weekdays) and len(one.days) == 1:
        if isinstance(other, Dated) and other.weekday < 0:
            return replace(other, weekday=one.days[0])
        if isinstance(other, Edge) and (other.unit, other.last) == ("week", False):
            return replace(one, week=Week.FOLLOWING)
    if isinstance(other, Weekdays) and isinstance(one, Edge) and (one.unit, one.last) == ("week", False):
        return replace(other, week=Week.FOLLOWING) if len(other.days) == 1 else None
    return None

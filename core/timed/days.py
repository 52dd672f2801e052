"""Days in a sentence: "tomorrow", "next friday", "4 dec", "the last friday of every month". English. Pure, linear."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.timed.numbers import MONTHS, PLURAL_WEEKDAYS, WEEKDAYS, number_of, ordinal_of
from core.timed.said import (
    ANY_DAY,
    WORKDAY,
    WORKDAYS,
    Dated,
    Day,
    Edge,
    Freq,
    Nth,
    Relative,
    Repeat,
    Slashed,
    Token,
    Week,
    Weekdays,
    low,
    lows,
)

_WORDS = {
    "today": 0,
    "tomorrow": 1,
    "tmrw": 1,
    "tmr": 1,
    "yesterday": -1,
}
_UNITS = {"day", "week", "weekend", "month", "quarter", "year"}
_SHORT = {"eod": "day", "eow": "week", "eom": "month", "eoq": "quarter", "eoy": "year"}
_LEADS = {"on", "by", "at", "in"}
_BEFORE_NUMBER = {"the", "on", "by", "every", "each", "until", "from", "starting"}
_ISO = re.compile(r"([0-9]{4})[-/]([0-9]{1,2})[-/]([0-9]{1,2})")
_SLASHED = re.compile(r"([0-9]{1,2})/([0-9]{1,2})(?:/([0-9]{4}|[0-9]{2}))?")
_DOTTED = re.compile(r"([0-9]{1,2})\.([0-9]{1,2})(?:\.([0-9]{4}|[0-9]{2}))?")
_YEAR = re.compile(r"[12][0-9]{3}")
_ALL_WEEKDAYS = {"weekday": WORKDAYS, "weekdays": WORKDAYS, "weekend": (5, 6), "weekends": (5, 6)}
_MAX_LIST = 6
_SHORT_YEAR = re.compile("2[4-9]|[3-4][0-9]")
_BEHIND_YEAR = {"at", "to", "that", "about", "in", "-", "–", "—", "noon", "midnight"}


@dataclass(frozen=True, slots=True)
class FoundDay:
    """A day, where it ends, how it repeats if it says so, and whether it was a deadline (`by friday`)."""

    day: Day
    end: int
    repeat: Repeat | None = None
    by: bool = False


@dataclass(frozen=True, slots=True)
class _Month:
    """`of July 2026`, `of next month`, `of every month`."""

    end: int
    month: int = 0
    year: int = 0
    ahead: int | None = None
    repeat: Repeat | None = None


def read_day(tokens: Sequence[Token], at: int, repeating: bool = False) -> FoundDay | None:
    """A day at this very place, with the preposition before it; `repeating`: "the last friday" needs no month."""
    word = low(tokens, at)
    if found := _edge(tokens, at):
        return found
    led = at + (word in _LEADS)
    found = _relative(tokens, led) or _nth(tokens, led, repeating) or _weekdays(tokens, led) or _date(tokens, led)
    if found is None:
        return None
    return FoundDay(found.day, found.end, found.repeat, word == "by")


def _relative(tokens: Sequence[Token], at: int) -> FoundDay | None:
    the = at + (low(tokens, at) == "the")
    if lows(tokens, the, 3) == ("day", "after", "tomorrow"):
        return FoundDay(Relative(2), the + 3)
    if low(tokens, at) in _WORDS:
        return FoundDay(Relative(_WORDS[low(tokens, at)]), at + 1)
    first, second = lows(tokens, at, 2)
    if first == "next" and second in _UNITS - {"day", "weekend"}:
        return FoundDay(Edge(second, 1, last=False, closing=False), at + 2)
    if second == "weekend" and first in {"this", "next", "the"}:
        return FoundDay(Edge(second, int(first == "next"), last=False, closing=False), at + 2)
    return None


def weekdays_at(tokens: Sequence[Token], at: int) -> tuple[tuple[int, ...], int] | None:
    """`monday`, `monday and thursday`, `mon, wed and fri`, `weekday`."""
    days: tuple[int, ...] = ()
    for _ in range(_MAX_LIST + 1):
        behind = at + (bool(days) and low(tokens, at) in {"and", "or", "&"})
        behind += bool(days) and low(tokens, behind) == "on"
        word = low(tokens, behind)
        more = _ALL_WEEKDAYS.get(word) or PLURAL_WEEKDAYS.get(word)
        if more is None and word in WEEKDAYS:
            more = (WEEKDAYS[word],)
        if more is None:
            break
        days, at = (*days, *more), behind + 1
    return (tuple(sorted(set(days))), at) if days else None


def _weekdays(tokens: Sequence[Token], at: int) -> FoundDay | None:
    which = low(tokens, at)
    week = {"next": Week.NEXT, "last": Week.LAST}.get(which, Week.COMING)
    qualified = which in {"next", "last", "this", "coming"}
    found = weekdays_at(tokens, at + qualified)
    if found is None:
        return None
    word, (days, end) = low(tokens, at + qualified), found
    plural = word in PLURAL_WEEKDAYS or word in {"weekdays", "weekends"}
    if word in {"weekend", "weekday"}:
        return None
    if not qualified and not plural and len(days) == 1 and low(tokens, end) == "week":
        return FoundDay(Weekdays(days, Week.FOLLOWING), end + 1)
    if plural and not qualified:
        return FoundDay(Weekdays(days), end, Repeat(Freq.WEEKLY))
    return FoundDay(Weekdays(days, week), end)


def _nth(tokens: Sequence[Token], at: int, repeating: bool) -> FoundDay | None:
    """`the first monday of june`, `the last day of every month`, `the 15th`."""
    the = at + (low(tokens, at) == "the")
    number = -1 if low(tokens, the) == "last" else ordinal_of(low(tokens, the))
    if number is None:
        return None
    word = low(tokens, the + 1)
    kind = {"weekday": WORKDAY, "workday": WORKDAY, "day": ANY_DAY}.get(word, WEEKDAYS.get(word))
    if word == "working" and low(tokens, the + 2) == "day":
        return _nth_of(tokens, the + 3, number, WORKDAY, repeating)
    if kind is not None:
        return _nth_of(tokens, the + 2, number, kind, repeating)
    return _numbered(tokens, the, number) if number >= 0 else None


def _nth_of(tokens: Sequence[Token], at: int, number: int, kind: int, repeating: bool) -> FoundDay | None:
    of = _month(tokens, at) or _period(tokens, at, number, kind) or (_Month(at) if repeating else None)
    if isinstance(of, FoundDay) or of is None:
        return of
    if kind == ANY_DAY:
        edge = Edge("month", of.ahead or 0, True, False, of.month, of.year)
        day: Day = edge if number < 0 else Dated(number, of.month, of.year, of.ahead)
        return FoundDay(day, of.end, of.repeat)
    return FoundDay(Nth(number, kind, of.month, of.year, of.ahead), of.end, of.repeat)


def _period(tokens: Sequence[Token], at: int, number: int, kind: int) -> FoundDay | None:
    """`the last day of the year`, `the first day of next week`."""
    if low(tokens, at) != "of" or kind != ANY_DAY or number not in {1, -1}:
        return None
    found = _unit(tokens, at + 1)
    return FoundDay(Edge(found[0], found[1], number < 0, False), found[2]) if found else None


def _numbered(tokens: Sequence[Token], at: int, number: int) -> FoundDay | None:
    """`15th`, `4th of december 2026`, `15th of next month`."""
    of = _month(tokens, at + 1) or _named_month(tokens, at + 1)
    if of is None:
        bare = low(tokens, at)[0].isdigit() and low(tokens, at - 1) in _BEFORE_NUMBER
        return FoundDay(Dated(number), at + 1) if bare else None
    return FoundDay(Dated(number, of.month, of.year, of.ahead), of.end, of.repeat)


def _month(tokens: Sequence[Token], at: int) -> _Month | None:
    if low(tokens, at) not in {"of", "in"}:
        return None
    if named := _named_month(tokens, at + 1):
        return named
    which, unit = lows(tokens, at + 1, 2)
    if unit == "month" and which in {"the", "this", "next"}:
        return _Month(at + 3, ahead=int(which == "next"))
    if unit == "month" and which in {"every", "each"}:
        return _Month(at + 3, repeat=Repeat(Freq.MONTHLY))
    return None


def _named_month(tokens: Sequence[Token], at: int) -> _Month | None:
    """`december`, `dec 2026`, `december, 2026`."""
    month = MONTHS.get(low(tokens, at))
    if month is None:
        return None
    year = low(tokens, at + 1)
    if not _YEAR.fullmatch(year) and _is_short_year(tokens, at + 1):
        year = f"20{year}"
    return _Month(at + 2, month, int(year)) if _YEAR.fullmatch(year) else _Month(at + 1, month)


def _is_short_year(tokens: Sequence[Token], at: int) -> bool:
    """The 27 of `1 jan 27 at 9`: behind a day, and in front of nothing that could be counted."""
    dated = low(tokens, at - 2)[:1].isdigit()
    behind = low(tokens, at + 1)
    free = not behind or behind in _BEHIND_YEAR or behind[0].isdigit() or bool(tokens[at].after)
    return dated and _SHORT_YEAR.fullmatch(low(tokens, at)) is not None and free


def _date(tokens: Sequence[Token], at: int) -> FoundDay | None:
    """`2026-12-04`, `4 dec 2026`, `dec 4th`, `15/12`."""
    word = low(tokens, at)
    if found := _ISO.fullmatch(word):
        return FoundDay(Dated(int(found[3]), int(found[2]), int(found[1])), at + 1)
    if (found := _DOTTED.fullmatch(word)) and _is_dotted(tokens, at, found[3] or ""):
        return FoundDay(Dated(int(found[1]), int(found[2]), _full_year(found[3])), at + 1)
    if found := _SLASHED.fullmatch(word):
        return FoundDay(_slashed(int(found[1]), int(found[2]), found[3]), at + 1)
    the = at + (word == "the")
    number = number_of(low(tokens, the))
    if number is not None and low(tokens, the).isdigit() and number < 1_000:
        of = _named_month(tokens, the + 1 + (low(tokens, the + 1) == "of"))
        return FoundDay(Dated(number, of.month, of.year), of.end) if of else None
    return _month_first(tokens, at)


def _is_dotted(tokens: Sequence[Token], at: int, year: str) -> bool:
    """Is `4.12` a day? In front of a text, behind "on", with its second dot, or with a whole year."""
    dot = tokens[at].after.startswith(".") and at + 1 < len(tokens)
    before = low(tokens, at - 1)
    behind = low(tokens, at + 1)
    ahead = at == 0 and (year or not behind or behind in _BEHIND_YEAR or behind[0].isdigit())  # `1.5 notes` is none
    plain = ahead or before in {"on", "until", "from", "starting"} or before in WEEKDAYS
    day, month = (int(number) for number in low(tokens, at).split(".")[:2])
    return bool(len(year) == 4 or dot or (plain and (year or (1 <= day <= 31 and 1 <= month <= 12))))


def _full_year(year: str | None) -> int:
    return 0 if year is None else int(year) + (2000 if len(year) == 2 else 0)


def _month_first(tokens: Sequence[Token], at: int) -> FoundDay | None:
    """`dec 4`, `december the 4th, 2026`."""
    month = MONTHS.get(low(tokens, at))
    if month is None:
        return None
    behind = at + 1 + (low(tokens, at + 1) == "the")
    word = low(tokens, behind)
    number = int(word) if word.isdigit() and word.isascii() and len(word) <= 3 else ordinal_of(word)
    if number is None:
        return None
    year = low(tokens, behind + 1)
    if _YEAR.fullmatch(year):
        return FoundDay(Dated(number, month, int(year)), behind + 2)
    return FoundDay(Dated(number, month), behind + 1)


def _slashed(first: int, second: int, year: str | None) -> Day:
    """With the month told apart where that can be done."""
    full = _full_year(year)
    if not first or not second:
        return Dated(0, 0, full)  # no day at all; a month 0 would mean that none was said
    if first > 12 or first == second:
        return Dated(first, second, full)
    if second > 12:
        return Dated(second, first, full)
    return Slashed(first, second, full)


def _edge(tokens: Sequence[Token], at: int) -> FoundDay | None:
    """`end of the month`, `by the end of June`, `before the end of next week`, `eod`, `start of next month`."""
    at += low(tokens, at) in {"by", "before", "at", "on", "until"}
    at += low(tokens, at) == "the"
    if low(tokens, at) in _SHORT:
        return FoundDay(Edge(_SHORT[low(tokens, at)]), at + 1)
    word = low(tokens, at)
    if word not in {"end", "start", "beginning"}:
        return None
    last = word == "end"
    behind = at + 1 + (low(tokens, at + 1) == "of")
    if named := _named_month(tokens, behind):
        return FoundDay(Edge("month", 0, last, last, named.month, named.year), named.end)
    if low(tokens, behind) in {"today", "tomorrow"}:
        return FoundDay(Edge("day", _WORDS[low(tokens, behind)], last, last), behind + 1)
    if lows(tokens, behind, 2) in {("every", "month"), ("each", "month")}:
        return FoundDay(Edge("month", 0, last, last), behind + 2, Repeat(Freq.MONTHLY))
    found = _unit(tokens, behind)
    return FoundDay(Edge(found[0], found[1], last, last), found[2]) if found else None


def _unit(tokens: Sequence[Token], at: int) -> tuple[str, int, int] | None:
    """`the month`, `this week`, `next year`, `day`: the unit, how far ahead, where it ends."""
    which = low(tokens, at)
    at += which in {"the", "this", "next"}
    return (low(tokens, at), int(which == "next"), at + 1) if low(tokens, at) in _UNITS else None

"""What repeats, in a sentence: "every day", "every 2 weeks", "weekly", "until friday", "3 times". Pure, linear."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.timed.days import FoundDay, read_day, weekdays_at
from core.timed.numbers import number_of, ordinal_of
from core.timed.said import (
    AFTERNOON,
    EVENING,
    MORNING,
    NIGHT,
    WORKDAYS,
    Day,
    Freq,
    Nth,
    Repeat,
    Span,
    Token,
    Weekdays,
    low,
)
from core.timed.spans import read_length

_ALONE = {
    "daily": Repeat(Freq.DAILY),
    "weekly": Repeat(Freq.WEEKLY),
    "fortnightly": Repeat(Freq.WEEKLY, 2),
    "monthly": Repeat(Freq.MONTHLY),
    "quarterly": Repeat(Freq.MONTHLY, 3),
    "yearly": Repeat(Freq.YEARLY),
    "annually": Repeat(Freq.YEARLY),
    "hourly": Repeat(Freq.HOURLY),
    "everyday": Repeat(Freq.DAILY),
}
_UNITS = {
    "s sec secs second seconds": Repeat(Freq.SECONDLY),
    "m min mins minute minutes": Repeat(Freq.MINUTELY),
    "h hr hrs hour hours": Repeat(Freq.HOURLY),
    "d day days": Repeat(Freq.DAILY),
    "w week weeks": Repeat(Freq.WEEKLY),
    "fortnight fortnights": Repeat(Freq.WEEKLY, 2),
    "month months": Repeat(Freq.MONTHLY),
    "quarter quarters": Repeat(Freq.MONTHLY, 3),
    "year years": Repeat(Freq.YEARLY),
}
_OF_UNIT = {name: repeat for names, repeat in _UNITS.items() for name in names.split()}
BEGINNINGS = {"starting", "beginning", "from"}
"""What stands in front of the time a rule begins."""
_PARTS = {MORNING, AFTERNOON, EVENING, NIGHT}
_WORKING = {"working", "business", "work"}


@dataclass(frozen=True, slots=True)
class FoundRepeat:
    """How it repeats, on what day if that was said with it, and where that ends."""

    repeat: Repeat
    end: int
    day: Day | None = None


def read_repeat(tokens: Sequence[Token], at: int) -> FoundRepeat | None:
    """How often, at this very place."""
    word = low(tokens, at)
    if word in _ALONE:
        return FoundRepeat(_ALONE[word], at + 1)
    if word == "once" and low(tokens, at + 1) in {"a", "an", "per", "every", "each"}:
        unit = _OF_UNIT.get(low(tokens, at + 2))
        return FoundRepeat(unit, at + 3) if unit else None
    return _every(tokens, at + 1) if word in {"every", "each"} else None


def _every(tokens: Sequence[Token], at: int) -> FoundRepeat | None:
    word = low(tokens, at)
    if word in _PARTS:
        return FoundRepeat(Repeat(Freq.DAILY), at)
    if word in _WORKING and low(tokens, at + 1) in {"day", "days"}:
        return FoundRepeat(Repeat(Freq.WEEKLY), at + 2, Weekdays(WORKDAYS))
    if days := weekdays_at(tokens, at):
        return FoundRepeat(Repeat(Freq.WEEKLY), days[1], Weekdays(days[0]))
    if found := _counted(tokens, at):
        return found
    return _on_day(read_day(tokens, at, repeating=True))


def _counted(tokens: Sequence[Token], at: int) -> FoundRepeat | None:
    """`day`, `2 weeks`, `other tuesday`, `third month`, `30min`."""
    word = low(tokens, at)
    ordinal = word == "second" and (low(tokens, at + 1) in _OF_UNIT or weekdays_at(tokens, at + 1))
    if word in _OF_UNIT and not word.endswith("s") and not ordinal:
        return FoundRepeat(_OF_UNIT[word], at + 1)
    every = 2 if word == "other" else number_of(word)
    if every is None:
        every = ordinal_of(word)
    if every is not None:
        days = weekdays_at(tokens, at + 1)
        if days and (word == "other" or number_of(word) is not None):
            return FoundRepeat(Repeat(Freq.WEEKLY, every), days[1], Weekdays(days[0]))
        unit = _OF_UNIT.get(low(tokens, at + 1))
        return FoundRepeat(Repeat(unit.freq, unit.every * every), at + 2) if unit else None
    digits = len(word) - len(word.lstrip("0123456789"))
    unit = _OF_UNIT.get(word[digits:])
    if not 0 < digits <= 6 or unit is None:
        return None
    return FoundRepeat(Repeat(unit.freq, unit.every * int(word[:digits])), at + 1)


def _on_day(found: FoundDay | None) -> FoundRepeat | None:
    """`every 15th`, `every 4 dec`, `every last friday of the month`."""
    if found is None or found.by:
        return None
    day = found.day
    if getattr(day, "year", 0) or not hasattr(day, "month"):
        return None
    if day.month:
        return FoundRepeat(Repeat(Freq.YEARLY), found.end, day)
    doubtful = isinstance(day, Nth) and day.number == 2 and day.ahead is None and found.repeat is None
    return FoundRepeat(Repeat(Freq.MONTHLY, doubtful=doubtful), found.end, day)


def read_until(tokens: Sequence[Token], at: int) -> FoundDay | None:
    """`until 31 december`, `till the end of june`."""
    return read_day(tokens, at + 1) if low(tokens, at) in {"until", "till", "til"} else None


def read_start(tokens: Sequence[Token], at: int) -> FoundDay | None:
    """`starting on monday`, `from tomorrow`."""
    if low(tokens, at) not in BEGINNINGS:
        return None
    return read_day(tokens, at + 1 + (low(tokens, at + 1) == "from"))


def read_count(tokens: Sequence[Token], at: int) -> tuple[int, int] | None:
    """`for 5 times`, `3 times`, `twice`."""
    at += low(tokens, at) == "for"
    if low(tokens, at) == "twice":
        return 2, at + 1
    number = number_of(low(tokens, at))
    return (number, at + 2) if number is not None and low(tokens, at + 1) == "times" else None


def read_for(tokens: Sequence[Token], at: int) -> tuple[Span, int] | None:
    """`for 2 weeks`."""
    return read_length(tokens, at + 1) if low(tokens, at) == "for" else None

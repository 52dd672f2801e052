"""Times of the clock in a sentence: "at 9", "9:30 pm", "half past nine", "noon". English. Pure, linear."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta

from core.timed.numbers import NUMBERS, number_of
from core.timed.said import AFTERNOON, EVENING, MORNING, NIGHT, Clock, Half, Token, low, lows

PART_HOURS = {MORNING: 9, AFTERNOON: 15, EVENING: 19, NIGHT: 21}
"""The hour of a part of the day that was named without one."""
LATE = time(23, 59)
_PARTS = {part: part for part in PART_HOURS} | {f"{part}s": part for part in PART_HOURS}
_CLOCK = re.compile(r"([0-9]{1,2})(?:([:.h])([0-9]{2}))?(?::[0-9]{2}(?:\.[0-9]{1,6})?)?(a\.?m\.?|p\.?m\.?)?")
_HUNDREDS = re.compile(r"([0-9]{2})([0-9]{2})")
_HALVES = {"am": Half.AM, "a.m": Half.AM, "pm": Half.PM, "p.m": Half.PM}
_MINUTES = NUMBERS | {"quarter": 15, "half": 30}
_OCLOCK = {"o'clock", "oclock"}
_SMALL_HOURS = 6  # until then "at 3" is the afternoon's when the night's is past, "tonight at 3" is tomorrow's

FoundClock = tuple[Clock, int]


def read_clock(tokens: Sequence[Token], at: int) -> FoundClock | None:
    """A time of the clock at this very place, "at" and what belongs to it included."""
    led = low(tokens, at) in {"at", "@", "by", "around"}
    found = _named(tokens, at + led) or _spoken(tokens, at + led) or _figures(tokens, at + led, led)
    if found is None:
        return None
    clock, end = found
    return clock, end + (low(tokens, end) == "sharp")


def _named(tokens: Sequence[Token], at: int) -> FoundClock | None:
    at += low(tokens, at) in {"12", "twelve"} and low(tokens, at + 1) in {"noon", "midnight"}
    match low(tokens, at):
        case "noon" | "midday":
            return Clock(12, 0, Half.PM), at + 1
        case "midnight":
            return Clock(0, 0, Half.FULL, midnight=True), at + 1
    return None


def _spoken(tokens: Sequence[Token], at: int) -> FoundClock | None:
    """`half past nine`, `a quarter to ten`, `ten past 4`."""
    at += low(tokens, at) == "a" and low(tokens, at + 1) == "quarter"
    first = low(tokens, at)
    minutes = _MINUTES.get(first, number_of(first))
    at += 1 + (low(tokens, at + 1) == "minutes")
    link, hour = low(tokens, at), number_of(low(tokens, at + 1))
    if minutes is None or hour is None or not (1 <= hour <= 12 and minutes < 60):
        return None
    if link == "to" and minutes != 30 and first in _MINUTES:
        return _halved(tokens, at + 2, (hour - 2) % 12 + 1, 60 - minutes)
    return _halved(tokens, at + 2, hour, minutes) if link in {"past", "after"} and first in _MINUTES else None


def _figures(tokens: Sequence[Token], at: int, led: bool) -> FoundClock | None:
    word = low(tokens, at).removeprefix("@")
    led = led or word != low(tokens, at)
    if led and (full := _HUNDREDS.fullmatch(word)):
        behind = at + 1 + (low(tokens, at + 1) in {"hours", "hrs", "h"})
        return Clock(int(full.group(1)), int(full.group(2)), Half.FULL), behind
    if word in NUMBERS and NUMBERS[word] <= 12:
        return _word_hour(tokens, at, NUMBERS[word], led)
    found = _CLOCK.fullmatch(word)
    if found is None:
        return None
    hour, minute = int(found.group(1)), int(found.group(3) or 0)
    if found.group(4):
        return Clock(hour, minute, _HALVES[found.group(4).replace(".", "")]), at + 1
    made = _halved(tokens, at + 1, hour, minute)
    marked = made[1] > at + 1 or led or found.group(2) in {":", "h"}
    full_day = made[0].half is Half.OPEN and ((len(found.group(1)) == 2 and word[0] == "0") or not 1 <= hour <= 12)
    half = Half.FULL if full_day else made[0].half
    clock = Clock(hour, minute, half, figures=bool(found.group(3)) and half is Half.OPEN)
    return (clock, made[1]) if marked else None


def _word_hour(tokens: Sequence[Token], at: int, hour: int, led: bool) -> FoundClock | None:
    """`nine o'clock`, `at nine`, `at nine thirty`, `nine pm`."""
    minute = NUMBERS.get(low(tokens, at + 1), 0)
    if led and 10 <= minute < 60:
        return _halved(tokens, at + 2, hour, minute)
    made = _halved(tokens, at + 1, hour, 0)
    return made if led or made[1] > at + 1 else None


def _halved(tokens: Sequence[Token], at: int, hour: int, minute: int) -> FoundClock:
    """With `o'clock`, `am` or `pm` behind it, if they are there."""
    at += low(tokens, at) in _OCLOCK
    half = _HALVES.get(low(tokens, at), Half.OPEN)
    return Clock(hour, minute, half), at + (half is not Half.OPEN)


def read_part(tokens: Sequence[Token], at: int, behind_day: bool) -> tuple[str, bool, int] | None:
    """A part of the day, whether it is today's, and where it ends: `in the morning`, `tonight`, `this evening`."""
    first = low(tokens, at)
    if first == "tonight":
        return NIGHT, True, at + 1
    if first == "this" and low(tokens, at + 1) in PART_HOURS:
        return low(tokens, at + 1), True, at + 2
    if lows(tokens, at, 2) == ("at", "night"):
        return NIGHT, False, at + 2
    if first in {"in", "during"} and low(tokens, at + 1) == "the" and low(tokens, at + 2) in PART_HOURS:
        return low(tokens, at + 2), False, at + 3
    return (_PARTS[first], False, at + 1) if behind_day and first in _PARTS else None


def shown(clock: Clock) -> str:
    """As it was said, for a refusal."""
    return f"{clock.hour}:{clock.minute:02}{clock.half if clock.half in {Half.AM, Half.PM} else ''}"


def possible(clock: Clock) -> bool:
    """Does any clock show it? `24:00` is the end of the day."""
    if clock.half in {Half.AM, Half.PM}:
        return 1 <= clock.hour <= 12 and clock.minute < 60
    return (clock.hour < 24 and clock.minute < 60) or (clock.hour, clock.minute) == (24, 0)


def times_on(day: date, clock: Clock | None, part: str, default: time) -> datetime:
    """The wall time on `day`: of the clock, of the part of the day, or else the default. A night may reach over."""
    if clock is None:
        return datetime.combine(day, time(PART_HOURS[part]) if part else default)
    hour, days = _hour(clock, part)
    return datetime.combine(day, time(hour, clock.minute)) + timedelta(days=days)


def _hour(clock: Clock, part: str) -> tuple[int, int]:
    """The hour of 24, and the days that it lies behind the day that was said."""
    hour = clock.hour
    if clock.half is Half.AM or clock.half is Half.PM:
        return hour % 12 + 12 * (clock.half is Half.PM), 0
    if hour == 24:
        return 0, 1
    if clock.half is Half.FULL or not part:
        return hour, 0
    if part == MORNING:
        return hour % 12 if hour <= 12 else hour, 0
    if part == NIGHT and (hour == 12 or hour < _SMALL_HOURS):
        return hour % 12, 1
    return hour % 12 + 12, 0


def readings(day: date, clock: Clock | None, part: str, default: time, later: bool) -> Iterator[datetime]:
    """The wall times that were possibly meant, as said first; `later`: an hour without am or pm may be the pm one."""
    first = times_on(day, clock, part, default)
    if clock is not None and is_afternoon(clock, part):
        yield first + timedelta(hours=12)
        return
    yield first
    if later and clock is not None and clock.half is Half.OPEN and not part and first.hour < 12:
        yield first + timedelta(hours=12)


def is_afternoon(clock: Clock, part: str) -> bool:
    """`at 3` on whatever day: an hour without minutes, am or pm that few people are up at."""
    return clock.half is Half.OPEN and not (part or clock.figures) and 1 <= clock.hour <= _SMALL_HOURS


def may_be_later(clock: Clock | None, said_today: bool) -> bool:
    """Whether an hour of today that is past is more likely the afternoon's than another day's."""
    return clock is not None and (said_today or clock.hour <= _SMALL_HOURS)

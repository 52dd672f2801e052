"""Limits that a sentence names: "at most 5 times", "only once", "until 2027-01-31". English. Pure.

"at most once a day", "once an hour per person" are quiet times (`core.standing.saidrates`).

What is understood leaves the reminder; what only looks like a limit stays in it and is reported, so that the
read-back can say so.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from core.standing.clocktimes import names_clock_time
from core.standing.durations import looks_like_moment
from core.standing.intent import CooldownPer
from core.standing.phrases import Word, wordset
from core.standing.saidrates import HEDGES as _HEDGES
from core.standing.saidrates import LONGEST as _LONGEST_RATE
from core.standing.saidrates import number_of as _number
from core.standing.saidrates import rate_at

_AFTER = (("at", "most"), ("max",), ("maximum",), ("only",))
_ONLY = wordset("only just")
_ALONE = {"once": 1, "twice": 2}
_TIMES = wordset("time times reminder reminders")
_EVERY = wordset("every each")
_UNTIL = wordset("until till til")
_NO_LIMIT_BEFORE = wordset("at than not all if")
_JOINS = wordset("and but")
_TIME_OF_DAY = re.compile(r"[0-9]{1,2}:[0-9]{2}")
_LONGEST = 7
_MOST = 3


class Unread(StrEnum):
    """What looked like a limit and was not taken as one, by where it ended up."""

    UNTIL_IN_REMINDER = "until_reminder"
    UNTIL_IN_WORDS = "until_words"
    TIMES_IN_REMINDER = "times_reminder"
    EVERY_TIME = "every_time"
    RATE_IN_REMINDER = "rate_reminder"


@dataclass(frozen=True, slots=True)
class SaidLimits:
    """`times` 0, `until` "" and None mean that nothing was said. `until` is an ISO date, as typed."""

    times: int = 0
    until: str = ""
    unread: tuple[tuple[Unread, str], ...] = ()
    cooldown: timedelta | None = None
    per: CooldownPer | None = None

    def joined(self, other: "SaidLimits") -> "SaidLimits":
        """Both together; what was said first counts."""
        rate = self if self.cooldown is not None else other
        unread = (*self.unread, *other.unread)
        return SaidLimits(self.times or other.times, self.until or other.until, unread, rate.cooldown, rate.per)


NOTHING = SaidLimits()


@dataclass(frozen=True, slots=True)
class _Found:
    size: int
    limits: SaidLimits
    certain: bool


def limit_at(words: Sequence[Word], at: int) -> tuple[int, SaidLimits] | None:
    """The limit that begins at this word: how many words it has, and what it says."""
    found = _limit(words, at)
    return (found.size, found.limits) if found else None


def take_limits(words: Sequence[Word], begin: int, end: int, in_event: bool = False) -> tuple[int, SaidLimits]:
    """Take limits off the end of `words[begin:end]`: where the rest ends, and what was said.

    At least one word stays. `in_event`: the words tell what to watch for, so that only a certain limit counts.
    """
    limits = NOTHING
    for _ in range(_MOST):
        start, found = _last(words, begin, end, in_event)
        if found is None:
            break
        limits, end = found.limits.joined(limits), start
        if end - 1 > begin and words[end - 1].low in _JOINS:
            end -= 1
    return end, limits.joined(SaidLimits(unread=_left_in(words, begin, end, in_event)))


def _last(words: Sequence[Word], begin: int, end: int, in_event: bool) -> tuple[int, _Found | None]:
    for start in range(max(begin + 1, end - _LONGEST_RATE), end):
        found = _limit(words, start)
        if found is None or start + found.size != end:
            continue
        before = words[start - 1]
        bare_once = found.limits.times == 1 and before.low not in _NO_LIMIT_BEFORE
        if found.certain or (bare_once and (before.breaks or not in_event)):
            return start, found
    return end, None


def _low(words: Sequence[Word], at: int) -> str:
    return words[at].low if 0 <= at < len(words) else ""


def _phrase(words: Sequence[Word], at: int, phrases: tuple[tuple[str, ...], ...]) -> int:
    for phrase in phrases:
        if tuple(word.low for word in words[at : at + len(phrase)]) == phrase:
            return len(phrase)
    return 0


def _limit(words: Sequence[Word], at: int) -> _Found | None:
    if _low(words, at) in _EVERY and _low(words, at + 1) == "time":
        text = " ".join(word.text for word in words[at : at + 2])
        return _Found(2, SaidLimits(unread=((Unread.EVERY_TIME, text),)), certain=True)
    return _until(words, at) or _rate(words, at) or _times(words, at)


def _rate(words: Sequence[Word], at: int) -> _Found | None:
    found = rate_at(words, at)
    if found is None or found.times != 1 or found.cooldown is None:
        return None
    limits = SaidLimits(cooldown=found.cooldown, per=found.per)
    return _Found(found.size, limits, found.hedged or found.per is not None)


def _times(words: Sequence[Word], at: int) -> _Found | None:
    hedge = _phrase(words, at, _HEDGES) or (1 if _low(words, at) in _ONLY else 0)
    position = at + hedge
    if _low(words, position) in _ALONE:
        return _Found(hedge + 1, SaidLimits(_ALONE[_low(words, position)]), bool(hedge))
    number = _number(_low(words, position))
    if number is None or _low(words, position + 1) not in _TIMES:
        return None
    after = 0 if hedge else _phrase(words, position + 2, _AFTER)
    return _Found(hedge + 2 + after, SaidLimits(number), bool(hedge or after))


def _until(words: Sequence[Word], at: int) -> _Found | None:
    if _low(words, at) not in _UNTIL or not looks_like_moment(_low(words, at + 1)):
        return None
    date, clock = words[at + 1], _low(words, at + 2)
    if not date.breaks and _TIME_OF_DAY.fullmatch(clock):
        return _Found(3, SaidLimits(until=f"{date.text} {clock}"), certain=True)
    return _Found(2, SaidLimits(until=date.text), certain=True)


def _left_in(words: Sequence[Word], begin: int, end: int, in_event: bool) -> tuple[tuple[Unread, str], ...]:
    """What reads like a limit among the words that stay."""
    for start in range(max(begin + 1, end - _LONGEST), end):
        text = " ".join(word.text for word in words[start:end])
        if words[start].low in _UNTIL and names_clock_time(words[start:end]):
            return ((Unread.UNTIL_IN_WORDS if in_event else Unread.UNTIL_IN_REMINDER, text),)
        found = None if in_event else _times(words, start)
        if found is not None and found.limits.times > 1 and start + found.size == end:
            return ((Unread.TIMES_IN_REMINDER, text),)
    return () if in_event else _rate_left_in(words, begin, end)


def _rate_left_in(words: Sequence[Word], begin: int, end: int) -> tuple[tuple[Unread, str], ...]:
    for start in range(max(begin + 1, end - _LONGEST_RATE), end):
        found = rate_at(words, start)
        if found is not None and start + found.size == end:
            return ((Unread.RATE_IN_REMINDER, " ".join(word.text for word in words[start:end])),)
    return ()

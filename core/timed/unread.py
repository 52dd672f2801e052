"""Words beside a time that restrict it or name another one, and that no reader knows. Pure.

Whoever says "every day at 9 except Sunday" is refused with "except Sunday": no other time is stored than was said.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.catalogue import say
from core.errors import InvalidInput
from core.limits import LIMITS
from core.standing.clocktimes import near_day
from core.standing.phrases import wordset
from core.timed.clock import read_clock
from core.timed.days import read_day
from core.timed.numbers import MONTHS, number_of, ordinal_of
from core.timed.reading import read_said
from core.timed.said import Said, Token, low

_LIMITS = wordset("except excepting excluding unless if")
_BEFORE_MONTH = wordset("in during of next this last on for by")
_ENDS = wordset("until till til through thru")
_RANGES = wordset("to - –")
_JOINS = wordset("and or & /")
_NO_TIMES = wordset("after before since between until till past")
_LINKS = wordset("to that about - – —")
_HOURS = re.compile(r"[0-9]{1,2}(?::[0-9]{2})?[-–][0-9]{1,2}(?::[0-9]{2})?")
_MAX_PART = 4
_MAX_BACK = 8
_MAX_TRIES = 16
_MAX_HOUR = 31


@dataclass(frozen=True, slots=True)
class _Part:
    """Words `begin` to `end` that were not understood; `hint` names what to say instead."""

    begin: int
    end: int
    hint: str
    month: str = ""


def check_behind(tokens: Sequence[Token], said: Said, begin: int, end: int) -> None:
    """Raises InvalidInput for what stands directly behind the time in tokens `begin` to `end` and belongs to it."""
    part = _restricts(tokens, said, begin, end) or _another(tokens, end) or _place(tokens, said, end)
    if part:
        raise _unread(tokens, part)
    if not said.has_hour:
        check_vague(tokens, end)
    check_spelling(tokens, said, end)


def check_spelling(tokens: Sequence[Token], said: Said, at: int) -> None:
    """Raises InvalidInput for a misspelt day beside a time that names no day."""
    if not said.has_day and (near := near_day(low(tokens, at))):
        raise InvalidInput(say("time.misspelt", word=tokens[at].typed), say("time.misspelt.hint", near=near))


def check_text(tokens: Sequence[Token], begin: int, end: int, chosen: bool) -> None:
    """Raises InvalidInput where tokens `begin` to `end`, which are to be text, hold a time with more words to it.

    `chosen`: another time was found behind them.
    """
    tries = 0
    for at in range(begin, end):
        if low(tokens, at) not in _TRIGGERS or low(tokens, at) == "":
            continue
        tries += 1
        if tries > _MAX_TRIES:
            return
        found = _time_until(tokens, begin, at)
        if found is None:
            continue
        start, said = found
        joined = _Part(at, min(at + 2, end), "more") if chosen and low(tokens, at) in _JOINS else None
        if part := _restricts(tokens, said, start, at) or _another(tokens, at) or joined:
            raise _unread(tokens, part)


def check_vague(tokens: Sequence[Token], at: int) -> None:
    """Raises InvalidInput for `after 5pm`: that is no time."""
    if low(tokens, at) in _NO_TIMES and (clock := _clock_end(tokens, at + 1)):
        raise _unread(tokens, _Part(at, clock, "after"))


def _time_until(tokens: Sequence[Token], begin: int, end: int) -> tuple[int, Said] | None:
    """The longest time that ends right there."""
    for start in range(max(begin, end - _MAX_BACK), end):
        said, behind = read_said(tokens[start:end])
        whole = start + behind == end and said.names_time
        if whole and low(tokens, start - 1) not in _GLUE and not (end == start + 1 and low(tokens, start) in _SHORT):
            return start, said
    return None


def _restricts(tokens: Sequence[Token], said: Said, begin: int, at: int) -> _Part | None:
    """`except Sunday`, `but not on Sunday`, `between 9 and 17`, `until 6pm`, `in January`."""
    word, behind = low(tokens, at), low(tokens, at + 1)
    whole = _part_end(tokens, at + 1)
    if word == "from" and (end := _number_end(tokens, at + 1)) and low(tokens, end) in _ENDS | _RANGES:
        return _Part(at, _number_end(tokens, end + 1) or end, "span")
    if word in _BEFORE_MONTH and behind in MONTHS and not low(tokens, at + 2)[:1].isdigit():
        return _Part(at, at + 2, "month", say(f"time.month.{MONTHS[behind]}"))
    if said.repeat and (word in _LIMITS or (word, behind) in {("but", "not"), ("apart", "from"), ("only", "on")}):
        return _Part(at, whole, "only")
    if said.repeat and word in {"starting", "beginning"}:
        return _Part(at, min(at + 2, len(tokens)), "only")
    if said.has_day and not said.has_hour and _HOURS.fullmatch(word):
        return _Part(at, at + 1, "span")
    if word == "between" and _number_end(tokens, at + 1):
        return _Part(at, whole, "span")
    if word in _ENDS and (said.repeat or _number_end(tokens, at + 1)):
        return _Part(at, whole, "span")
    ranged = any(low(tokens, number) == "from" for number in range(begin, at))
    if word in _RANGES and ranged and (end := _number_end(tokens, at + 1)):
        return _Part(at, end, "span")
    return None


def _another(tokens: Sequence[Token], at: int) -> _Part | None:
    """`and 17`, `or 10`, `and 15th`, `, 14 and 17`: what follows a time directly belongs to it."""
    joined = low(tokens, at) in _JOINS
    if joined and (end := _number_end(tokens, at + 1)):
        return _Part(at, end, "more")
    listed = at > 0 and tokens[at - 1].after.startswith(",") and low(tokens, at + 1) in _JOINS
    if not joined and listed and (end := _number_end(tokens, at)):
        return _Part(at, _number_end(tokens, at + 2) or end, "more")
    return None


def _place(tokens: Sequence[Token], said: Said, at: int) -> _Part | None:
    """`Boston time`: a zone by a name that the zone data does not have."""
    for size in (1, 2):
        names = tokens[at : at + size]
        capital = len(names) == size and all(name.typed[:1].isupper() for name in names)
        if said.clock and capital and low(tokens, at + size) == "time":
            behind = low(tokens, at + size + 1)
            return _Part(at, at + size + 1, "zone") if not behind or behind in _LINKS else None
    return None


def _number_end(tokens: Sequence[Token], at: int) -> int:
    """Where a number, a place in a month or a time of the clock ends; 0 when none stands there."""
    word = low(tokens, at)
    number = number_of(word) if word[:1].isdigit() else None
    ordinal = ordinal_of(word) if word[:1].isdigit() else None
    if (clock := read_clock(tokens, at)) is not None:
        return clock[1]
    led = at + (word in {"on", "at"})
    if led > at and ordinal_of(low(tokens, led + (low(tokens, led) == "the"))):
        return led + 1 + (low(tokens, led) == "the")
    counted = number if number is not None else ordinal
    if word == "the" and low(tokens, at + 1)[:1].isdigit():
        return at + 2
    return at + 1 if counted is not None and counted <= _MAX_HOUR else 0


def _clock_end(tokens: Sequence[Token], at: int) -> int:
    clock = read_clock(tokens, at)
    return clock[1] if clock else at + 1 if low(tokens, at).isdigit() and not low(tokens, at + 1) else 0


def _part_end(tokens: Sequence[Token], at: int) -> int:
    """Where the words that go on with a restriction end: what names a time, and what joins such words."""
    end = at
    last = min(len(tokens), at + _MAX_PART)
    while end < last:
        said, behind = read_said(tokens[end : end + LIMITS.when_words])
        number = _number_end(tokens, end)
        if behind and said.names_time:
            if said.clock and end > at and (day := read_day(tokens, end)):
                return day.end  # the hour behind it is no part of what is left out
            end += behind
            if said.clock and said.day and (day := read_day(tokens, end - behind)):
                return day.end
        elif number or low(tokens, end) in MONTHS:
            end = number or end + 1
        elif low(tokens, end) in _JOINS | {"not", "on", "from", "in"} and end + 1 < last:
            end += 1
        else:
            break
    return end if end > at else min(at + 1, len(tokens))


def _unread(tokens: Sequence[Token], part: _Part) -> InvalidInput:
    words = " ".join(token.typed for token in tokens[part.begin : part.end])
    hint = say(f"time.unread.{part.hint}.hint", month=part.month)
    return InvalidInput(say("time.unread", part=words), hint)


_TRIGGERS = _LIMITS | _BEFORE_MONTH | _ENDS | _JOINS | {"but", "apart", "only", "between", "from"}
_GLUE = wordset("for from since of about than between before after until till with")
_SHORT = wordset("sun sat mon wed may second twice")

"""The parts of a time, in any order, from left to right. Pure, total, one pass over the words."""

from collections.abc import Callable, Sequence

from core.limits import LIMITS
from core.timed.clock import read_clock, read_part
from core.timed.days import read_day
from core.timed.recurring import BEGINNINGS, read_count, read_for, read_repeat, read_start, read_until
from core.timed.said import Relative, Said, Token, low
from core.timed.spans import read_ago, read_span
from core.timed.zones import read_zone

Step = tuple[Said, int]


def read_said(tokens: Sequence[Token], at: int = 0) -> Step:
    """All parts that follow one another from `at`, and where the first word stands that belongs to none."""
    said, end = Said(), at
    last = min(len(tokens), at + LIMITS.when_words)
    while end < last:
        step = _part(said, tokens, end)
        if step is None or step[1] > last:
            break
        said, end = step
    if at < end < len(tokens) and tokens[end - 1].word == tokens[end].word:
        return Said(), at  # half a word is no time
    return said, end


def _part(said: Said, tokens: Sequence[Token], at: int) -> Step | None:
    for reader in _READERS:
        step = reader(said, tokens, at)
        if step is not None and step[1] > at:
            return step
    return None


def _zone(said: Said, tokens: Sequence[Token], at: int) -> Step | None:
    if not (said.clock or said.part or said.day):
        return None
    found = read_zone(tokens, at)
    return (said.plus(zone=found[0]), found[1]) if found else None


def _ends(said: Said, tokens: Sequence[Token], at: int) -> Step | None:
    """Where a rule begins and ends. Only behind something that repeats, or in front of it for `starting`."""
    if start := read_start(tokens, at):
        return said.plus(start=start.day), start.end
    if said.repeat is None:
        return None
    if low(tokens, at) in BEGINNINGS and (clock := read_clock(tokens, at + 1)):
        return said.plus(clock=clock[0]), clock[1]
    if until := read_until(tokens, at):
        return said.plus(until=until.day), until.end
    if count := read_count(tokens, at):
        return said.plus(count=count[0]), count[1]
    length = read_for(tokens, at)
    return (said.plus(length=length[0]), length[1]) if length else None


def _ago(said: Said, tokens: Sequence[Token], at: int) -> Step | None:
    found = read_ago(tokens, at)
    return (said.plus(span=found[0], ago=True), found[1]) if found else None


def _span(said: Said, tokens: Sequence[Token], at: int) -> Step | None:
    found = read_span(tokens, at)
    return (said.plus(span=found[0]), found[1]) if found else None


def _repeat(said: Said, tokens: Sequence[Token], at: int) -> Step | None:
    found = read_repeat(tokens, at)
    if found is None:
        return None
    more = {"repeat": found.repeat} | ({"day": found.day} if found.day else {})
    return said.plus(**more), found.end


def _day_part(said: Said, tokens: Sequence[Token], at: int) -> Step | None:
    found = read_part(tokens, at, behind_day=said.has_day or said.clock is not None)
    if found is None:
        return None
    part, today, end = found
    return (said.plus(part=part, day=Relative(0)) if today else said.plus(part=part)), end


def _clock(said: Said, tokens: Sequence[Token], at: int) -> Step | None:
    found = read_clock(tokens, at)
    return (said.plus(clock=found[0]), found[1]) if found else None


def _day(said: Said, tokens: Sequence[Token], at: int) -> Step | None:
    found = read_day(tokens, at, repeating=said.repeat is not None)
    if found is None:
        return None
    if found.repeat is None:
        more = {"day": found.day} | ({"by_day": True} if found.by else {})
        return said.plus(**more), found.end
    if said.repeat is not None and said.repeat.freq is found.repeat.freq:
        return said.plus(day=found.day), found.end
    return said.plus(day=found.day, repeat=found.repeat), found.end


_READERS: tuple[Callable[[Said, Sequence[Token], int], Step | None], ...] = (
    _ago,
    _span,
    _ends,
    _repeat,
    _day_part,
    _day,
    _clock,
    _zone,
)

"""Lengths of time in a sentence: "in 5 minutes", "1h30m from now", "in 2 months' time". English. Pure, linear."""

import re
from collections.abc import Sequence

from core.standing.durations import UNIT_SECONDS
from core.timed.numbers import number_of
from core.timed.said import Span, Token, low, lows

_MORE_UNITS = {"hrs": 3_600, "wk": 604_800, "wks": 604_800, "mo": 2_592_000, "mos": 2_592_000, "yr": 31_536_000}
_EXTRA = {"yrs": 31_536_000, "fortnight": 2 * 604_800, "fortnights": 2 * 604_800}
_QUARTER = 91 * 86_400
UNITS = UNIT_SECONDS | _MORE_UNITS | _EXTRA | {"quarter": _QUARTER, "quarters": _QUARTER}
_MONTHS_OF = {30 * 86_400: 1, _QUARTER: 3, 365 * 86_400: 12}
_DAY = 86_400
_COMPACT = re.compile(r"(?:[0-9]{1,6}[a-z]{1,7}){1,4}")
_PIECE = re.compile(r"([0-9]{1,6})([a-z]+)")
_DECIMAL = re.compile(r"([0-9]{1,6})[.,]([0-9]{1,2})")
_MAX_ITEMS = 4
_BEHIND = (("from", "now"), ("from", "today"), ("time",))

Found = tuple[Span, int]


def read_span(tokens: Sequence[Token], at: int) -> Found | None:
    """`in 5 minutes`, `5 minutes from now`; `10m` and `1.5 hours` alone where a text begins."""
    first = low(tokens, at)
    led = first in {"in", "after", "within"}
    found = read_length(tokens, at + led)
    if found is None:
        return None
    span, end = found
    for behind in _BEHIND:
        if lows(tokens, end, len(behind)) == behind:
            return span, end + len(behind)
    alone = at == 0 and (_COMPACT.fullmatch(first) or _DECIMAL.fullmatch(first)) is not None
    return found if led or alone else None


def read_ago(tokens: Sequence[Token], at: int) -> Found | None:
    """`5 minutes ago`."""
    found = read_length(tokens, at)
    return (found[0], found[1] + 1) if found and low(tokens, found[1]) == "ago" else None


def read_length(tokens: Sequence[Token], at: int) -> Found | None:
    """`5 minutes`, `1h30m`, `an hour and a half`, `2 days and 3 hours`: one smaller than the other.

    In `2 hours a second look` the second is text.
    """
    found = _item(tokens, at)
    if found is None:
        return None
    span, end = found
    least = span
    for _ in range(_MAX_ITEMS):
        joined = low(tokens, end) == "and"
        more = _item(tokens, end + joined)
        if more is None or not (joined or low(tokens, end)[:1].isdigit()) or _size(more[0]) >= _size(least):
            break
        least = more[0]
        span, end = span + more[0], more[1]
    return span, end


def _size(span: Span) -> tuple[int, int, int]:
    return span.months, span.days, span.seconds


def _item(tokens: Sequence[Token], at: int) -> Found | None:
    first = low(tokens, at)
    if _COMPACT.fullmatch(first):
        return _compact(first, at)
    if found := _half(tokens, at):
        return found
    if first in {"a", "an"} and low(tokens, at + 1) == "couple":
        behind = at + 2 + (low(tokens, at + 2) == "of")
        return _made(200, low(tokens, behind), behind + 1)
    hundredths = _hundredths(first)
    if hundredths is None:
        return None
    end = at + 1
    if lows(tokens, end, 3) == ("and", "a", "half"):
        hundredths, end = hundredths + 50, end + 3
    unit = low(tokens, end).rstrip("'")
    end += 1
    if lows(tokens, end, 3) == ("and", "a", "half") and low(tokens, end + 3).rstrip("'") not in UNITS:
        hundredths, end = hundredths + 50, end + 3
    return _made(hundredths, unit, end)


def _half(tokens: Sequence[Token], at: int) -> Found | None:
    """`half an hour`, `a quarter of an hour`."""
    at += low(tokens, at) == "a"
    if low(tokens, at) == "half" and low(tokens, at + 1) in {"a", "an"}:
        return _made(50, low(tokens, at + 2), at + 3)
    if lows(tokens, at, 4) == ("quarter", "of", "an", "hour"):
        return Span(seconds=900), at + 4
    return None


def _hundredths(word: str) -> int | None:
    if word in {"a", "an"}:
        return 100
    if part := _DECIMAL.fullmatch(word):
        return int(part.group(1)) * 100 + int(part.group(2).ljust(2, "0"))
    number = number_of(word)
    return None if number is None else number * 100


def _compact(word: str, at: int) -> Found | None:
    span = Span()
    for piece in _PIECE.finditer(word):
        made = _made(int(piece.group(1)) * 100, piece.group(2), at + 1)
        if made is None:
            return None
        span += made[0]
    return span, at + 1


def _made(hundredths: int, unit: str, end: int) -> Found | None:
    """So many hundredths of a unit; None where that is no whole number of days in a month, or no unit."""
    size = UNITS.get(unit.removesuffix("'s"))
    if size is None:
        return None
    if size in _MONTHS_OF:
        months, rest = divmod(hundredths * _MONTHS_OF[size], 100)
        return None if rest else (Span(months=months), end)
    if size >= _DAY and hundredths * (size // _DAY) % 100 == 0:
        return Span(days=hundredths * (size // _DAY) // 100), end
    return Span(seconds=hundredths * size // 100), end

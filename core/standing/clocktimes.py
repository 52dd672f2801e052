"""Does a stretch of a sentence name a time of the clock or the calendar? English. Pure, linear.

It only has to tell "remind me on Friday at 9" from "when someone mentions the launch": what the time is, and
the reminder itself, belong to `/remind`.
"""

import re
from collections.abc import Sequence

from core.standing.phrases import Word, wordset

_WEEKDAYS = wordset(
    "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays "
    "fridays saturdays sundays weekday weekdays weekend weekends"
)
_MONTHS = wordset(
    "january february march april may june july august september october november december jan feb "
    "mar apr jun jul aug sep sept oct nov dec"
)
_ALONE = wordset("tomorrow tonight today noon midnight daily weekly monthly hourly yearly eod eow")
_UNITS = wordset(
    "second seconds minute minutes min mins hour hours day days week weeks month months quarter "
    "quarters year years fortnight morning mornings afternoon afternoons evening evenings night "
    "nights"
)
_NUMBERS = wordset(
    "a an one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty half "
    "another few couple several other"
)
_NEXT = wordset("next this every each the end of in by on at before after last first")
_CLOCK = re.compile(
    r"[0-9]{1,2}([:.][0-9]{2})?(am|pm|a\.m\.?|p\.m\.?)|[0-9]{1,2}:[0-9]{2}|[0-9]{4}-[0-9]{2}-[0-9]{2}.*"
)
_NUMBER = re.compile(r"[0-9]{1,4}(st|nd|rd|th)?")
_SPAN = re.compile(r"[0-9]{1,4}(s|m|min|h|hr|hrs|d|w)")
STARTERS = _ALONE | _WEEKDAYS | wordset("at on in by next this every each before after the")


def names_clock_time(words: Sequence[Word]) -> bool:
    """Does any place in `words` name a time? Quoted phrases never do."""
    return any(_time_at(words, number) for number in range(len(words)))


def _low(words: Sequence[Word], number: int) -> str:
    return words[number].low if 0 <= number < len(words) else ""


def _time_at(words: Sequence[Word], number: int) -> bool:
    word, before, behind = _low(words, number), _low(words, number - 1), _low(words, number + 1)
    if word in _ALONE or word in _WEEKDAYS or _CLOCK.fullmatch(word):
        return True
    if _NUMBER.fullmatch(word):
        return (
            before in {"at", "until", "till", "by"}
            or behind in _UNITS | _MONTHS | {"o'clock", "am", "pm"}
            or (before in _MONTHS or (before == "the" and not word.isdigit()))
        )
    if _SPAN.fullmatch(word):
        return before in {"in", "after", "every"}
    if word in _UNITS:
        return before in _NEXT - {"of", "by", "on", "at"} or before in _NUMBERS
    return word in _MONTHS and before in {"in", "on", "by", "next", "until", "of"} and word != "march"

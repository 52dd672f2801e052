"""Does a stretch of a sentence name a time of the clock or the calendar? English. Pure, linear.

It only has to tell "remind me on Friday at 9" from "when someone mentions the launch": what the time is, and
the reminder itself, belong to `/remind`. It says yes to whatever `core.timed` reads, which a test holds together.
"""

import re
from collections.abc import Sequence
from difflib import get_close_matches

from core.standing.phrases import Word, wordset

_WEEKDAYS = wordset(
    "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays "
    "fridays saturdays sundays weekday weekdays weekend weekends"
)
_SHORT_DAYS = wordset("mon tue tues wed weds thu thur thurs fri sat sun")
_MONTHS = wordset(
    "january february march april may june july august september october november december jan feb "
    "mar apr jun jul aug sep sept oct nov dec"
)
_ALONE = wordset(
    "tomorrow tmrw tmr tonight today yesterday noon midday midnight daily everyday weekly fortnightly biweekly "
    "monthly quarterly hourly yearly annually eod eow eom eoq eoy"
)
CALENDAR_WORDS = _ALONE - {"midday", "everyday"} | _WEEKDAYS
"""Words that name a time by themselves, and that are told from a misspelt one."""
_UNITS = wordset(
    "second seconds sec secs minute minutes min mins hour hours hr hrs day days week weeks wk wks month months mo mos "
    "quarter quarters year years yr yrs fortnight fortnights morning mornings afternoon afternoons evening evenings "
    "night nights"
)
_SHORT_UNITS = wordset("s m h d w y")
_TENS = "twenty thirty forty fifty"
_NUMBERS = wordset(
    "a an zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty thirty forty fifty sixty ninety half another few couple several other of"
) | {f"{ten}-five" for ten in _TENS.split()}
_HOURS = wordset("one two three four five six seven eight nine ten eleven twelve")
_NEXT = wordset("next this every each the end of in by on at before after last first start beginning")
_ORDINALS = wordset("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth")
_CLOCK = re.compile(
    r"[0-9]{1,2}([:.][0-9]{2})?(am|pm|a\.m\.?|p\.m\.?)|[0-9]{1,2}[:h][0-9]{2}.*|[0-9]{4}[-/][0-9]{1,2}[-/][0-9]{1,2}.*"
)
_FULL_DATE = re.compile(r"[0-9]{1,2}/[0-9]{1,2}(/[0-9]{2,4})?|[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{2,4}")
_DATE = re.compile(r"[0-9]{1,2}\.[0-9]{1,2}")
_NUMBER = re.compile(r"@?[0-9]{1,6}([.,][0-9]{1,2})?(st|nd|rd|th)?")
_SPAN = re.compile(r"([0-9]{1,6}(s|m|h|d|w|y|[a-z]{2,7})){1,4}")
_BEFORE_SPAN = wordset("in after within every each for")
_LEAST_LETTERS = 5
_LIKENESS = 0.8
STARTERS = _ALONE | _WEEKDAYS | wordset("at on in by next this every each before after the")


def names_clock_time(words: Sequence[Word]) -> bool:
    """Does any place in `words` name a time, or nearly (`wendesday`)? Quoted phrases never do."""
    return any(_time_at(words, number) for number in range(len(words)))


def near_day(word: str) -> str:
    """The day that was meant by `wendesday`; "" for a word that is like none, or that is one."""
    if len(word) < _LEAST_LETTERS or word in CALENDAR_WORDS or not word.isalpha():
        return ""
    return next(iter(get_close_matches(word, sorted(CALENDAR_WORDS), 1, _LIKENESS)), "")


def _low(words: Sequence[Word], number: int) -> str:
    return words[number].low.removesuffix("'s").rstrip("'") if 0 <= number < len(words) else ""


def _time_at(words: Sequence[Word], number: int) -> bool:
    word, before, behind = _low(words, number), _low(words, number - 1), _low(words, number + 1)
    if word in _ALONE or word in _WEEKDAYS or _CLOCK.fullmatch(word) or _FULL_DATE.fullmatch(word) or near_day(word):
        return True
    if word in _SHORT_DAYS:
        return before in {"on", "next", "this", "last", "by", "every", "each", "and"} or behind == "at"
    if _DATE.fullmatch(word):
        return number == 0 or before in {"on", "by", "at", "until", "every", "in"} or behind == "at"
    if _NUMBER.fullmatch(word):
        return _number_at(word, before, behind)
    if word in _HOURS and (
        before == "at" or behind == "o'clock" or (before in {"past", "to"} and _is_minute(words, number))
    ):
        return True
    if _SPAN.fullmatch(word):
        return number == 0 or before in _BEFORE_SPAN
    if word in _UNITS:
        return before in (_NEXT | _ORDINALS) - {"by", "on", "at"} or before in _NUMBERS or before == "once"
    return word in _MONTHS and before in {"in", "on", "by", "next", "until", "of"} and word != "march"


def _is_minute(words: Sequence[Word], number: int) -> bool:
    minute = _low(words, number - 2)
    return minute in {"half", "quarter"} or minute in _NUMBERS - {"a", "an"} or minute == "minutes"


def _number_at(word: str, before: str, behind: str) -> bool:
    if word.startswith("@"):
        return True
    if before in {"past", "to"} and behind == "":
        return True
    return (
        before in {"at", "until", "till", "by", "around"}
        or behind in _UNITS | _MONTHS | _SHORT_UNITS | {"o'clock", "am", "pm", "a.m", "p.m"}
        or before in _MONTHS
        or (before in {"the", "every", "each", "on"} and not word.isdigit())
        or (before in {"past"} and word.isdigit())
    )

"""How often, as a sentence says it: "at most once a day", "once an hour for each person". English. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from core.standing.intent import CooldownPer
from core.standing.phrases import Word, wordset

HEDGES = (("at", "most"), ("no", "more", "than"), ("not", "more", "than"), ("up", "to"), ("max",), ("maximum",))
LONGEST = 10
_NUMBERS = {
    name: number
    for number, name in enumerate(
        "one two three four five six seven eight nine ten eleven twelve".split(),  # noqa: SIM905  # reads as a list
        1,
    )
}
_ALONE = {"once": 1, "twice": 2}
_TIMES = wordset("time times reminder reminders")
_ONLY = wordset("only just")
_A = wordset("a an per each every")
_UNITS = {
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
}
_PER = {
    **dict.fromkeys(wordset("person sender member user"), CooldownPer.SENDER),
    **dict.fromkeys(wordset("channel thread conversation topic"), CooldownPer.CONVERSATION),
}


@dataclass(frozen=True, slots=True)
class Rate:
    """`times` in `cooldown`, counted `per` person or conversation. `hedged`: "at most" or "only" was said.

    `cooldown` None: only "per person" was said. `size` is the number of words.
    """

    size: int
    times: int
    cooldown: timedelta | None
    per: CooldownPer | None
    hedged: bool


def number_of(word: str) -> int | None:
    """The number that a word names, in digits or as a word up to twelve."""
    if word.isascii() and word.isdecimal() and len(word) <= 9:
        return int(word)
    return _NUMBERS.get(word)


def rate_at(words: Sequence[Word], at: int) -> Rate | None:
    """The rate that begins at this word, None when none does. It names a length of time, or "per person", or both."""
    hedge = _hedge(words, at)
    count, size = _count(words, at + hedge)
    if not size:
        return None
    position = at + hedge + size
    cooldown, of_span = _span(words, position)
    per, of_per = _per(words, position + of_span)
    if not of_span and not of_per:
        return None
    return Rate(hedge + size + of_span + of_per, count, cooldown, per, bool(hedge))


def _low(words: Sequence[Word], at: int) -> str:
    return words[at].low if 0 <= at < len(words) else ""


def _hedge(words: Sequence[Word], at: int) -> int:
    for phrase in HEDGES:
        if tuple(word.low for word in words[at : at + len(phrase)]) == phrase:
            return len(phrase)
    return 1 if _low(words, at) in _ONLY else 0


def _count(words: Sequence[Word], at: int) -> tuple[int, int]:
    """How often, and how many words say so: "once", "3 times"."""
    if _low(words, at) in _ALONE:
        return _ALONE[_low(words, at)], 1
    number = number_of(_low(words, at))
    return (number, 2) if number is not None and _low(words, at + 1) in _TIMES else (0, 0)


def _span(words: Sequence[Word], at: int) -> tuple[timedelta | None, int]:
    """ "a day", "per hour", "every 2 hours": the length, and how many words name it."""
    if _low(words, at) not in _A:
        return None, 0
    if unit := _UNITS.get(_low(words, at + 1)):
        return unit, 2
    number, unit = number_of(_low(words, at + 1)), _UNITS.get(_low(words, at + 2).removesuffix("s"))
    if _low(words, at) != "every" or unit is None or not number or number > 1_000:
        return None, 0
    return number * unit, 3


def _per(words: Sequence[Word], at: int) -> tuple[CooldownPer | None, int]:
    """ "per person", "for each person", "in every channel"."""
    if _low(words, at) == "per":
        per = _PER.get(_low(words, at + 1))
        return (per, 2) if per else (None, 0)
    if _low(words, at) in {"for", "in"} and _low(words, at + 1) in {"each", "every"}:
        per = _PER.get(_low(words, at + 2))
        return (per, 3) if per else (None, 0)
    return None, 0

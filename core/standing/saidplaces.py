"""Places that a sentence names beside the one where it listens. English. Pure.

"... but not in #random and #offtopic", "... except in #random", "... outside of #x" name where a rule stays quiet;
"remind me privately to", "tell me by DM to", "remind me in #ops to" say where its reminders go. Only names with a
`#` count.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.standing.intent import Deliver
from core.standing.phrases import Word, wordset

_EXCEPT = (
    ("but", "not", "in"),
    ("but", "never", "in"),
    ("and", "not", "in"),
    ("not", "in"),
    ("except", "in"),
    ("except", "for", "in"),
    ("outside", "of"),
    ("outside",),
)
_BETWEEN = wordset("and or nor")
_DIRECT = (
    ("privately",),
    ("in", "private"),
    *((by, "dm") for by in ("by", "via", "in")),
    *((by, "direct", "message") for by in ("by", "via", "in")),
    *((by, "private", "message") for by in ("by", "via", "in")),
    ("in", "a", "dm"),
    ("in", "a", "direct", "message"),
    ("in", "a", "private", "message"),
)


@dataclass(frozen=True, slots=True)
class SaidDelivery:
    """Where reminders go: `size` words say so; `place` is the channel of PLACE, without its `#`."""

    size: int
    deliver: Deliver
    place: str = ""


def take_exceptions(words: Sequence[Word]) -> tuple[Sequence[Word], tuple[str, ...]]:
    """Take channels in which a rule stays quiet off the end: the words left, and the names without `#`."""
    names: list[str] = []
    at = len(words)
    while at and _is_channel(words[at - 1]):
        names.insert(0, words[at - 1].text[1:])
        at -= 1
        if at > 1 and words[at - 1].low == "in" and words[at - 2].low in _BETWEEN:
            at -= 1
        if at and words[at - 1].low in _BETWEEN:
            at -= 1
    if not names:
        return words, ()
    for phrase in _EXCEPT:
        start = at - len(phrase)
        if start > 0 and tuple(word.low for word in words[start:at]) == phrase:
            return words[:start], tuple(dict.fromkeys(names))
    return words, ()


def delivery_at(words: Sequence[Word], at: int) -> SaidDelivery | None:
    """Where reminders go, if that begins at this very word."""
    for phrase in _DIRECT:
        if tuple(word.low for word in words[at : at + len(phrase)]) == phrase:
            return SaidDelivery(len(phrase), Deliver.DIRECT)
    if at + 1 < len(words) and words[at].low == "in" and _is_channel(words[at + 1]):
        return SaidDelivery(2, Deliver.PLACE, words[at + 1].text[1:])
    return SaidDelivery(1, Deliver.HERE) if at < len(words) and words[at].low == "here" else None


def _is_channel(word: Word) -> bool:
    return not word.quoted and len(word.text) > 1 and word.text.startswith("#")

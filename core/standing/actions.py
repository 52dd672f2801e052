"""The half of a sentence that says what to do: "remind me to ...", "ask about ...", "say ...". Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from core.standing.phrases import Word, wordset
from core.standing.saidlimits import NOTHING, SaidLimits, limit_at
from core.standing.saidplaces import SaidDelivery, delivery_at

_ALL = wordset("us everyone everybody")
_WHOM = _ALL | {"me"}
_CALLS = wordset("nudge ping alert notify warn")
_LINKS = wordset("to that about of")
_ASKED = wordset("about for whether if who what when where how why which me us them")
_FILLERS = wordset("please then just always also you should can could would will must to kindly i want")
_BREAKS = wordset("- – — -> =>")
_REMINDS = _CALLS | {"remind", "tell"}
_NOBODY_ELSE = wordset("to that about of not you it myself ourselves and or when if") | _WHOM
_WHEN = wordset("when whenever if")
_MAX_NAME = 3
_MAX_BETWEEN = 3
_DENIALS = wordset("don't dont not never won't can't cannot shouldn't")


class Whom(StrEnum):
    """Who is to be reminded."""

    ME = "me"
    ALL = "all"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Action:
    """An action phrase: `begin` is its first word of content, `clause_end` where the words before it end.

    A `strong` one ("remind me") is unmistakable; others need a comma or "then" before them. `prefix` is put
    before the content. `open` tells that no "to" or "that" was said. `name` is the other person as typed, for
    `whom` OTHER; `limits` and `delivery` are what stood between: "remind me at most twice to", "tell me privately to".
    """

    clause_end: int
    begin: int
    strong: bool
    link: str = ""
    prefix: str = ""
    whom: Whom = Whom.ME
    name: str = ""
    limits: SaidLimits = NOTHING
    delivery: SaidDelivery | None = None

    @property
    def open(self) -> bool:
        """Was it said without "to", "that", "about"?"""
        return not self.link


def action_at(words: Sequence[Word], at: int) -> Action | None:
    """The action phrase that begins at this very word."""
    first, second, third = (_low(words, at + step) for step in range(3))
    if first in _CALLS and second in _WHOM and (said := delivery_at(words, at + 2)):
        third = _low(words, at + 2 + said.size)
    if first == "remind" and second in _WHOM:
        return _linked(words, at, at + 2, strong=True)
    if first in _CALLS and second in _WHOM and third in _LINKS:
        return _linked(words, at, at + 2, strong=True)
    if (first, second, third) == ("don't", "let", "me") and _low(words, at + 3) == "forget":
        return _linked(words, at, at + 4, strong=True)
    if first == "tell" and second in _WHOM:
        return _linked(words, at, at + 2, strong=False)
    if first == "ask" and (second in _ASKED or second.startswith("@") or _is_name(words, at + 1)):
        skip = 2 if second in {"me", "us", "them"} else 1
        return Action(at, at + skip, False, "ask", "Ask")
    if first in {"say", "reply", "post"} and second:
        return Action(at, at + 1, False, first, first.capitalize())
    if (first, second) == ("make", "sure"):
        return Action(at, at + 2, False, "make sure", "Make sure")
    return _for_other(words, at) if first in _REMINDS else None


def _for_other(words: Sequence[Word], at: int) -> Action | None:
    """`remind @bob to`, `tell the team to`: one to three words that name somebody else."""
    links = {"to"} if words[at].low == "tell" else _LINKS
    called = _low(words, at + 1).startswith("@")
    for link in range(at + 2, min(at + 2 + _MAX_NAME, len(words))):
        named = words[at + 1 : link]
        if named[0].low in _NOBODY_ELSE or any(word.quoted or word.breaks for word in named):
            return None
        if words[link].low in links and not words[link].breaks:
            name = " ".join(word.text for word in named)
            return Action(at, link + 1, called, words[link].low, whom=Whom.OTHER, name=name)
    if called and words[at].low == "remind":
        return Action(at, at + 2, True, whom=Whom.OTHER, name=words[at + 1].text)
    return None


def _linked(words: Sequence[Word], at: int, begin: int, strong: bool) -> Action:
    whom = Whom.ALL if _low(words, at + 1) in _ALL else Whom.ME
    behind, limits, delivery = _between(words, begin)
    if behind > begin and _low(words, behind) in _LINKS | {"not"} | (_WHEN if delivery else set()):
        found = _content(words, at, behind, strong)
        return replace(found, whom=whom, limits=limits, delivery=delivery)
    return replace(_content(words, at, begin, strong), whom=whom)


def _between(words: Sequence[Word], begin: int) -> tuple[int, SaidLimits, SaidDelivery | None]:
    """Limits and a way of delivery in front of "to": where they end, and what they say."""
    limits, delivery = NOTHING, None
    for _ in range(_MAX_BETWEEN):
        if (limit := limit_at(words, begin)) is not None:
            begin, limits = begin + limit[0], limits.joined(limit[1])
        elif delivery is None and (said := delivery_at(words, begin)) is not None:
            begin, delivery = begin + said.size, said
        else:
            break
    return begin, limits, delivery


def _content(words: Sequence[Word], at: int, begin: int, strong: bool) -> Action:
    link, behind = _low(words, begin), _low(words, begin + 1)
    if link == "not" and behind == "to":
        return Action(at, begin + 2, strong, "to", "Do not")
    if link == "to" and behind == "not":
        return Action(at, begin + 2, strong, "to", "Do not")
    if link in _LINKS and not words[begin].breaks:
        return Action(at, begin + 1, strong, link)
    return Action(at, begin, strong)


def _is_name(words: Sequence[Word], at: int) -> bool:
    return at < len(words) and words[at].text[:1].isupper()


def _low(words: Sequence[Word], at: int) -> str:
    return words[at].low if at < len(words) else ""


def find_action(words: Sequence[Word], begin: int) -> Action | None:
    """The first action phrase behind `begin` that is set apart from the words before it.

    A strong one may follow without a comma. One that is denied ("don't remind me") ends the search.
    """
    for at in range(begin, len(words)):
        action = action_at(words, at)
        if action is None:
            continue
        end, apart = _clause_end(words, begin, at)
        if end > begin and words[end - 1].low in _DENIALS:
            return None
        if apart or (action.strong and end == at and not _denied(words, begin, at)):
            return replace(action, clause_end=end)
        if action.strong:
            return None
    return None


def _clause_end(words: Sequence[Word], begin: int, at: int) -> tuple[int, bool]:
    """Where the words before an action end, fillers left out, and whether a break stands there."""
    end = at
    while end > begin and words[end - 1].low in _FILLERS and not words[end - 1].breaks:
        end -= 1
    said_then = any(word.low == "then" for word in words[end:at])
    if end > begin and words[end - 1].low in _BREAKS:
        return end - 1, True
    if end > begin and words[end - 1].breaks:
        return end, True
    return (end, True) if said_then else (at, False)


def _denied(words: Sequence[Word], begin: int, at: int) -> bool:
    return any(word.low in _DENIALS for word in words[max(begin, at - 3) : at])

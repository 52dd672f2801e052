"""Plain English sentences that make a standing intent. Pure, deterministic, total, linear time.

    when(ever) / next time / every time / if  WHO mentions X, (please) remind me to Y
    when X comes up, remind me to Y
    remind me to Y when WHO mentions X

Limits may be said with it: "at most 5 times", "once an hour per person", "until 2027-01-31"; so may places: "but not
in #random", "remind me in #ops to", "tell me privately to". Only a complete pattern is a rule. A reminder by the clock
is told apart (`CLOCK_TIME`), so is one for somebody else (`FOR_OTHER`), and a sentence that asks for a reminder
without a usable trigger is `UNCLEAR`; all else is ordinary chat. Source: design 05.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice

from core.limits import LIMITS
from core.standing.actions import Action, Whom, action_at, find_action
from core.standing.clocktimes import STARTERS, names_clock_time
from core.standing.events import Event, Who, parse_event
from core.standing.intent import ChannelScope
from core.standing.phrases import Word, words_of, wordset
from core.standing.saidlimits import NOTHING, SaidLimits, Unread, take_limits
from core.standing.saidplaces import SaidDelivery, take_exceptions

LEADS = wordset("please pls plz hey hi hello ok okay so and also remembrancer @remembrancer bot")
ASKS = wordset("can could would will")
MAX_LEADS = 5
_ASKED = frozenset({("remind", "me"), ("remind", "us")})
MAX_TRIES = 16
CONJUNCTIONS = (
    ("whenever",),
    ("when", "ever"),
    ("when",),
    ("every", "time"),
    ("each", "time"),
    ("any", "time"),
    ("anytime",),
    ("the", "next", "time"),
    ("next", "time"),
    ("as", "soon", "as"),
    ("the", "moment"),
    ("in", "case"),
    ("once",),
    ("if",),
)


class Kind(StrEnum):
    """What a sentence turned out to be."""

    RULE = "rule"
    CLOCK_TIME = "clock_time"
    FOR_OTHER = "for_other"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Sentence:
    """What was understood. Only a RULE has the other fields; of FOR_OTHER `name` is who should be reminded.

    `triggers` holds the entries to watch for, each as a person would type it. When commas leave it open,
    `either` holds the other reading: several entries, where `triggers` asks for all words in one message.
    `name` is the person as typed, for `who` NAMED. `named_nobody`: the sentence was passive, so that anyone is an
    assumption. `place` is a channel that the sentence names. `for_all`: it said "remind us". `limits` are those it
    names ("next time" is one reminder). `except_in` are channels in which it stays quiet, `delivery` says where its
    reminders go, if it says so.
    """

    kind: Kind
    description: str = ""
    triggers: tuple[str, ...] = ()
    either: tuple[str, ...] = ()
    who: Who = Who.ANYONE
    name: str = ""
    named_nobody: bool = False
    scope: ChannelScope | None = None
    place: str = ""
    for_all: bool = False
    limits: SaidLimits = NOTHING
    except_in: tuple[str, ...] = ()
    delivery: SaidDelivery | None = None

    @property
    def once(self) -> bool:
        """Was one reminder asked for?"""
        return self.limits.times == 1


CLOCK_TIME = Sentence(Kind.CLOCK_TIME)
UNCLEAR = Sentence(Kind.UNCLEAR)


def parse_sentence(text: str) -> Sentence | None:
    """The rule that `text` asks for; None for ordinary chat. A text beyond `turn_chars` is ordinary chat."""
    if len(text) > LIMITS.turn_chars:
        return None
    words = words_of(text)
    start = skip_leads(words)
    if start == len(words):
        return None
    size = _conjunction(words, start)
    if size:
        return _event_first(text, words, start, size)
    action = action_at(words, start)
    if action is not None and (action.strong or action.whom is Whom.OTHER):
        return _action_first(text, words, action)
    return _time_first(words, start)


def skip_leads(words: Sequence[Word]) -> int:
    """How many words of politeness and address a sentence begins with: `hey, can you please`."""
    start = int(_calls_bot(words))
    for _ in range(MAX_LEADS):
        if start < len(words) and words[start].low in LEADS:
            start += 1
        elif start + 1 < len(words) and words[start].low in ASKS and words[start + 1].low == "you":
            start += 2
    return start


def _calls_bot(words: Sequence[Word]) -> bool:
    """`@remembrancer_bot remind me ...`: whoever is mentioned first is spoken to."""
    called = bool(words) and words[0].low.startswith("@") and len(words) > 2
    behind = next((at for at in range(1, min(MAX_LEADS, len(words))) if words[at].low not in LEADS), 0)
    return called and bool(behind) and tuple(word.low for word in words[behind : behind + 2]) in _ASKED


def _conjunction(words: Sequence[Word], at: int) -> int:
    """How many words the conjunction at this place has, 0 for none."""
    for wanted in CONJUNCTIONS:
        if tuple(word.low for word in words[at : at + len(wanted)]) == wanted:
            return len(wanted)
    return 0


def _event_first(text: str, words: Sequence[Word], start: int, size: int) -> Sentence | None:
    begin = start + size
    action = find_action(words, begin)
    if action is None:
        return None
    clause = words[begin : action.clause_end]
    event, limits = _event(clause)
    if event is None or not clause:
        return _no_rule(clause, action)
    return _rule(event, text, words, action, len(words), _frequency(words, start, size).joined(limits))


def _event(clause: Sequence[Word]) -> tuple[Event | None, SaidLimits]:
    """What to watch for, and the limits said behind it, before or after the places where it stays quiet."""
    left, behind = take_exceptions(clause)
    end, limits = take_limits(left, 0, len(left), in_event=True)
    left, before = take_exceptions(left[:end])
    event = parse_event(left)
    return (replace(event, except_in=(*before, *behind)) if event is not None else None), limits


def _no_rule(clause: Sequence[Word], action: Action) -> Sentence | None:
    """A wish without an event that words can show."""
    if not action.strong:
        return None
    if action.whom is Whom.OTHER:
        return Sentence(Kind.FOR_OTHER, name=action.name)
    return CLOCK_TIME if names_clock_time(clause) else UNCLEAR


def _frequency(words: Sequence[Word], start: int, size: int) -> SaidLimits:
    """What the conjunction says of how often: "next time", "every time"."""
    said = [word.low for word in words[start : start + size]]
    if "next" in said:
        return SaidLimits(times=1)
    if said[0] in {"every", "each"}:
        return SaidLimits(unread=((Unread.EVERY_TIME, " ".join(said)),))
    return NOTHING


def _action_first(text: str, words: Sequence[Word], action: Action) -> Sentence | None:
    tries = 0
    for at in range(action.begin, len(words)):
        size = _conjunction(words, at)
        if not size:
            continue
        tries += 1
        if tries > MAX_TRIES:
            break
        if at == action.begin and action.open:
            return _reminder_when(text, words, action, at, size)
        event, limits = _event(words[at + size :])
        if event is not None:
            return _rule(event, text, words, action, at, _frequency(words, at, size).joined(limits))
    return _no_rule(words[action.begin :], action)


def _reminder_when(text: str, words: Sequence[Word], action: Action, at: int, size: int) -> Sentence | None:
    """`remind me when someone mentions X to Y`."""
    links = (number for number in range(at + size + 2, len(words) - 1) if words[number].low in {"to", "that"})
    for number in islice(links, MAX_TRIES):
        event, limits = _event(words[at + size : number])
        if event is not None:
            found = replace(action, clause_end=number, begin=number + 1, link=words[number].low)
            return _rule(event, text, words, found, len(words), _frequency(words, at, size).joined(limits))
    return _no_rule(words[at:], action)


def _time_first(words: Sequence[Word], start: int) -> Sentence | None:
    if words[start].low not in STARTERS:
        return None
    action = find_action(words, start)
    if action is None or not action.strong:
        return None
    return CLOCK_TIME if names_clock_time(words[start : action.clause_end]) else None


def _rule(
    event: Event, text: str, words: Sequence[Word], action: Action, end: int, limits: SaidLimits
) -> Sentence | None:
    if action.whom is Whom.OTHER:
        return Sentence(Kind.FOR_OTHER, name=action.name)
    end, said = take_limits(words, action.begin, end)
    description = _description(text, words, action, end)
    if not description:
        return UNCLEAR
    return Sentence(
        Kind.RULE,
        description,
        event.triggers,
        event.either,
        event.who,
        event.name,
        event.named_nobody,
        event.scope,
        event.place,
        action.whom is Whom.ALL,
        action.limits.joined(limits).joined(said),
        event.except_in,
        action.delivery,
    )


def _description(text: str, words: Sequence[Word], action: Action, end: int) -> str:
    """The words of the reminder as typed, with a capital letter; "" when there are none."""
    if action.begin >= end:
        return ""
    body = text[words[action.begin].start : words[end - 1].end + len(words[end - 1].after)]
    body = " ".join(body.split()).rstrip(",;:") if end < len(words) else " ".join(body.split())
    if action.prefix:
        body = f"{action.prefix} {body}"
    first = body.split(" ", 1)[0]
    return body[0].upper() + body[1:] if first.isalpha() and first.islower() else body

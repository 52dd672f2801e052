"""The half of a sentence that says when: who says what, and where. Pure.

"someone mentions the launch checklist in this thread" becomes: anyone, `launch checklist`, conversation.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.standing.intent import ChannelScope
from core.standing.phrases import Word, wordset
from core.standing.subjects import read_triggers


class Who(StrEnum):
    """Whose words count."""

    ME = "me"
    ANYONE = "anyone"
    NAMED = "named"


@dataclass(frozen=True, slots=True)
class Event:
    """Who says what where; see `core.standing.sentences.Sentence` for the fields."""

    triggers: tuple[str, ...]
    either: tuple[str, ...]
    who: Who
    name: str = ""
    named_nobody: bool = False
    scope: ChannelScope | None = None
    place: str = ""
    except_in: tuple[str, ...] = ()


_ANYONE = wordset("someone anyone somebody anybody everyone everybody people we")
_GROUPS = frozenset({("any", "of", "us"), ("one", "of", "us"), ("anyone", "of", "us")})
_ME = frozenset({"i"})
_NO_SUBJECT = wordset(
    "you he she it they nobody none this that there no who what which how why where when will would "
    "should can could do does did is are was were not"
)
_ADVERBS = wordset("next ever again also even just first here else actually")
_DIRECT = wordset("mention mentions say says write writes type types post posts discuss discusses raise raises")
_ABOUT = wordset("talk talks speak speaks chat chats ask asks complain complains write writes")
_ING = wordset("talking speaking chatting asking complaining")
_ING_DIRECT = wordset("mentioning saying discussing raising")
_PASSIVE = (
    ("comes", "up"),
    ("come", "up"),
    ("pops", "up"),
    ("pop", "up"),
    ("crops", "up"),
    ("gets", "brought", "up"),
    ("is", "brought", "up"),
    ("are", "brought", "up"),
    ("is", "being", "discussed"),
    ("are", "being", "discussed"),
    ("is", "talked", "about"),
    ("are", "talked", "about"),
    ("is", "asked", "about"),
    *((be, done) for be in ("is", "are", "gets", "get") for done in ("mentioned", "discussed", "raised", "said")),
    ("appears",),
)
_SCOPES = {
    "channel": ChannelScope.CHANNEL,
    "chat": ChannelScope.CHANNEL,
    "room": ChannelScope.CHANNEL,
    "thread": ChannelScope.CONVERSATION,
    "conversation": ChannelScope.CONVERSATION,
    "topic": ChannelScope.CONVERSATION,
    "space": ChannelScope.SPACE,
    "server": ChannelScope.SPACE,
    "workspace": ChannelScope.SPACE,
}
_MAX_NAME = 3


@dataclass(frozen=True, slots=True)
class _Place:
    words: list[Word]
    scope: ChannelScope | None = None
    name: str = ""


def parse_event(clause: Sequence[Word]) -> Event | None:
    """The event that a clause tells of, None when it tells of none that words can show."""
    found = _strip_place(list(clause))
    active = _active(found.words)
    if active is not None:
        who, name, body = active
        return _event(who, name, body, found, named_nobody=False)
    body = _passive(found.words)
    return _event(Who.ANYONE, "", body, found, named_nobody=True) if body else None


def _event(who: Who, name: str, body: list[Word], found: _Place, named_nobody: bool) -> Event | None:
    triggers = read_triggers(body)
    if triggers is None:
        return None
    return Event(triggers.entries, triggers.either, who, name, named_nobody, found.scope, found.name)


def _strip_place(words: list[Word]) -> _Place:
    """Take "again", "here", "in this thread", "in #ops" off the end."""
    scope: ChannelScope | None = None
    name = ""
    while words and not words[-1].quoted:
        lows = [word.low for word in words[-3:]]
        if lows[-1] in {"again", "here"} and len(words) > 1:
            scope = ChannelScope.CHANNEL if lows[-1] == "here" and scope is None else scope
            cut = 2 if len(words) > 2 and lows[-2] == "in" and lows[-1] == "here" else 1
        elif len(lows) == 3 and lows[0] == "in" and lows[1] in {"this", "the", "our"} and lows[2] in _SCOPES:
            scope, cut = _SCOPES[lows[2]], 3
        elif len(lows) == 3 and lows[:2] == ["in", "any"] and lows[2] == "channel":
            scope, cut = ChannelScope.SPACE, 3
        elif len(lows) > 1 and lows[-2] == "in" and lows[-1].startswith("#") and len(lows[-1]) > 1:
            name, cut = words[-1].text[1:], 2
        else:
            break
        words = words[:-cut]
    return _Place(words, scope, name)


def _active(words: list[Word]) -> tuple[Who, str, list[Word]] | None:
    """Subject, verb, object."""
    for who, name, size in _subjects(words):
        verb = _skip_adverbs(words, size)
        body = _object(words, verb)
        if body:
            return who, name, body
    return None


def _subjects(words: list[Word]) -> list[tuple[Who, str, int]]:
    lows = [word.low for word in words[: _MAX_NAME + 1]]
    if not lows or words[0].quoted:
        return []
    first = lows[0].removesuffix("'s").removesuffix("'m").removesuffix("'re")
    glued = first != lows[0]  # "I'm", "someone's": the verb hangs on the subject
    if tuple(lows[:3]) in _GROUPS:
        return [(Who.ANYONE, "", 3)]
    if first in _ANYONE:
        return [(Who.ANYONE, "", 1)]
    if first in _ME:
        return [(Who.ME, "", 1)]
    if first in _NO_SUBJECT or glued:
        return []
    found = []
    for size in range(1, min(_MAX_NAME, len(words) - 1) + 1):
        if any(word.breaks or word.quoted for word in words[:size]):
            break
        found.append((Who.NAMED, " ".join(word.text for word in words[:size]), size))
    return found


def _skip_adverbs(words: list[Word], at: int) -> int:
    while at < len(words) and words[at].low in _ADVERBS and not words[at].breaks:
        at += 1
    return at


def _object(words: list[Word], at: int) -> list[Word] | None:
    """What is said, behind the verb at this place; None when no verb of saying stands there."""
    lows = [word.low for word in words[at : at + 4]] + [""] * 4
    if lows[0] in {"is", "are", "am", "starts", "start"}:
        at, lows = at + 1, [*lows[1:], ""]
    verb, link = lows[0], lows[1]
    if verb in _ABOUT | _ING and link in {"about", "of", "for"}:
        return words[at + 2 :]
    if verb in {"ask", "asks"} and len(words) > at + 1 and words[at + 1].quoted:
        return words[at + 1 :]
    if verb in _DIRECT | _ING_DIRECT:
        return words[at + 1 :]
    if verb in {"refer", "refers"} and link == "to":
        return words[at + 2 :]
    if verb in {"use", "uses"} and link == "the" and lows[2] in {"word", "words", "phrase", "term"}:
        return words[at + 1 :]
    if verb in {"bring", "brings", "bringing"}:
        return _brought_up(words, at)
    return None


def _brought_up(words: list[Word], at: int) -> list[Word] | None:
    """`brings up X` and `brings X up`."""
    rest = words[at + 1 :]
    if rest and rest[0].low == "up":
        return rest[1:]
    return rest[:-1] if len(rest) > 1 and rest[-1].low == "up" else None


def _passive(words: list[Word]) -> list[Word]:
    for tail in _PASSIVE:
        size = len(tail)
        if len(words) > size and tuple(word.low for word in words[-size:]) == tail:
            body = words[:-size]
            while len(body) > 1 and body[-1].low in _ADVERBS:
                body = body[:-1]
            return body
    return []

"""What stands behind `/aspire`. Pure; shared by every typed channel.

/aspire add Improve the checklist (review 2026-12-31)       /aspire list [--all] [--page 2]
/aspire review a-7k2m 2027-03-31                             /aspire done a-7k2m
"""

import re
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from difflib import get_close_matches
from typing import TypeAlias

from core.aspirations.dates import ReadDay, read_review
from core.catalogue import say
from core.errors import InvalidInput, LimitExceeded
from core.limits import LIMITS
from core.standing.options import options_of, split_options

VERBS = ("add", "list", "review", "done")
_LIST = {"all": False, "page": True}
_REVIEW = re.compile(r"review\b[\s:]*", re.IGNORECASE)
_PAGE = re.compile("[0-9]{1,6}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Add:
    """A new aspiration; `review` is None where no day was named."""

    text: str
    review: date | None


@dataclass(frozen=True, slots=True)
class Listing:
    """A page of the list; `all` with what is done."""

    all: bool = False
    page: int = 1


@dataclass(frozen=True, slots=True)
class Review:
    """Another day for an aspiration."""

    handle: str
    review: date


@dataclass(frozen=True, slots=True)
class Done:
    """An aspiration that is reached, or given up."""

    handle: str


AspireCommand: TypeAlias = Add | Listing | Review | Done


def parse_aspire_command(text: str, now: datetime, zone: tzinfo, read: ReadDay = read_review) -> AspireCommand:
    """Read what follows `/aspire`; days are read by `read`. Raises InvalidInput with an example, LimitExceeded."""
    used, limit = len(text), LIMITS.command_chars
    if used > limit:
        sentence, hint = say("command.long", used=used), say("command.long.hint", limit=limit)
        raise LimitExceeded(sentence, hint, name="command_chars", used=used, limit=limit)
    words = text.split(maxsplit=1)
    verb, rest = (words[0].casefold() if words else "list"), words[1].strip() if len(words) > 1 else ""
    match verb:
        case "add":
            return _add(rest, now, zone, read)
        case "list" | "ls":
            return _list(rest)
        case "review":
            handle, _, day = rest.partition(" ")
            if not day.strip():
                raise InvalidInput(say("aspire.review.usage"), say("aspire.review.usage.hint"))
            return Review(_handle(verb, handle), read(_unbracketed(day), now, zone))
        case "done":
            return Done(_handle(verb, rest))
    near = get_close_matches(verb[:40], VERBS, 1)
    hint = say("command.nearest", name=near[0]) if near else say("command.known", names=", ".join(VERBS))
    raise InvalidInput(say("aspire.unknown", name=verb[:40]), hint)


def _add(rest: str, now: datetime, zone: tzinfo, read: ReadDay) -> Add:
    day = None
    if rest.endswith(")") and (at := rest.rfind("(")) >= 0 and _REVIEW.match(rest, at + 1):
        rest, day = rest[:at].rstrip(), read(_unbracketed(rest[at:]), now, zone)
    if not rest:
        raise InvalidInput(say("aspire.usage"), say("aspire.usage.hint"))
    return Add(rest, day)


def _unbracketed(day: str) -> str:
    """`2026-12-31` of `(review 2026-12-31)`, too."""
    inner = day.strip().removeprefix("(").removesuffix(")").strip()
    return _REVIEW.sub("", inner, count=1).strip() if _REVIEW.match(inner) else inner


def _list(rest: str) -> Listing:
    left, options = split_options(rest, _LIST)
    given = options_of(options)
    page = given["page"].value if "page" in given else "1"
    if left or not _PAGE.fullmatch(page):
        raise InvalidInput(say("aspire.list.usage"), say("aspire.list.usage.hint"))
    return Listing("all" in given, max(1, int(page)))


def _handle(verb: str, typed: str) -> str:
    """A short name. A place in a list is none: the list may be another one by now."""
    if not typed or len(typed.split()) != 1 or (typed.isdecimal() and len(typed) < 4):
        raise InvalidInput(say("aspire.handle", verb=verb), say("aspire.handle.hint", verb=verb))
    return typed

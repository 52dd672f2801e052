"""What stands behind `/remind`. Pure; shared by every typed channel.

    /remind in 2h check the logs            /remind @bob tomorrow at 9 to water the plants [--dm]
    /remind list [--all] [--page 2]         /remind show|cancel|done r-7k2m
    /remind again|snooze r-7k2m 1h

A verb is one only where its handle or its options follow: `/remind cancel the order on Friday` is a reminder.
"""

import re
from dataclasses import dataclass
from datetime import timedelta
from difflib import get_close_matches

from core.catalogue import say
from core.errors import InvalidInput
from core.standing.durations import parse_duration
from core.standing.options import SHOWN, check_length, options_of, page_of, split_options
from core.standing.phrases import words_of

VERBS = ("list", "show", "cancel", "done", "again", "snooze")
ONE = frozenset({"show", "cancel", "done"})
PUT_OFF = frozenset({"again", "snooze"})
_OTHERS = {
    "delete": "cancel",
    "remove": "cancel",
    "stop": "cancel",
    "end": "cancel",
    "pause": "cancel",
    "edit": "cancel",
    "change": "cancel",
    "view": "show",
    "ack": "done",
    "postpone": "snooze",
    "help": "list",
}
_OPTION = re.compile(r"(?:--|—)[a-z][a-z-]*(?:=.*)?", re.IGNORECASE)
_LIST = {"all": False, "page": True}
_MAKE = {"dm": False}
OPTIONS = {"list": tuple(_LIST)}
"""Names of the options of each sub-command that has some."""


@dataclass(frozen=True, slots=True)
class Make:
    """A reminder as said, its time not read yet. `direct`: told by direct message."""

    text: str
    direct: bool = False


@dataclass(frozen=True, slots=True)
class TimedListing:
    """What to list; `everything` shows what is over, too."""

    everything: bool = False
    page: int = 1


@dataclass(frozen=True, slots=True)
class OneTimed:
    """`show`, `cancel` or `done`."""

    verb: str
    handle: str


@dataclass(frozen=True, slots=True)
class PutOff:
    """`again` or `snooze`: once more, `span` from now."""

    handle: str
    span: timedelta


RemindCommand = Make | TimedListing | OneTimed | PutOff


def parse_remind_command(text: str) -> RemindCommand:
    """Read what follows `/remind`. Raises LimitExceeded beyond `command_chars`, InvalidInput with one example."""
    check_length(text)
    text = text.strip()
    verb, _, rest = text.partition(" ")
    verb, rest = verb.casefold(), rest.strip()
    names_one = not rest or rest.strip("`").casefold().startswith("r-")
    if not text or (verb in {"list", "ls"} and (not rest or rest.startswith(("--", "—")))):
        return _list(rest)
    if verb in ONE and names_one:
        return OneTimed(verb, _handle(verb, rest))
    if verb in PUT_OFF and names_one:
        handle, _, span = rest.partition(" ")
        length = span.strip().removeprefix("in ")
        if not length:
            raise InvalidInput(say("remind.put_off.usage", verb=verb), say("remind.put_off.usage.hint", verb=verb))
        return PutOff(handle, parse_duration(length))
    if fault := _mistaken(verb, rest):
        raise fault
    said, options = split_options(text, _MAKE, strict=False)
    _check_options(said)
    return Make(said, "dm" in options_of(options))


def _mistaken(verb: str, rest: str) -> InvalidInput | None:
    """What looks like a sub-command and is none: `lsit`, `cancel 1`, `delete r-7k2m`, `list bob`, `help`."""
    names, known = ", ".join(VERBS), verb in VERBS
    handle = rest.strip("`").casefold().startswith("r-") and len(rest.split()) == 1
    number = rest.removeprefix("#").isdecimal() or rest.casefold() == "all"
    if (verb in ONE | PUT_OFF or verb in _OTHERS) and number:
        return InvalidInput(say("remind.handle.number", text=rest[:SHOWN]), say("remind.handle.hint", verb="cancel"))
    if verb == "list" and len(rest.split()) == 1:
        return InvalidInput(say("remind.verb", text=f"{verb} {rest}"[:SHOWN]), say("remind.list.hint"))
    if (handle and not known) or (not rest and (verb in _OTHERS or get_close_matches(verb, VERBS, 1))):
        near = [_OTHERS.get(verb, ""), *get_close_matches(verb[:SHOWN], VERBS, 1)]
        wanted = next(filter(None, near), "")
        hint = say("remind.verb.near.hint", verb=wanted, names=names) if wanted else say("command.known", names=names)
        return InvalidInput(say("remind.verb", text=verb[:SHOWN]), hint)
    return None


def _check_options(said: str) -> None:
    """Raises InvalidInput for an option at the end that there is not; `--` within a text is text."""
    words = words_of(said)
    if words and not words[-1].quoted and _OPTION.fullmatch(words[-1].text):
        split_options(words[-1].text, _MAKE)


def _handle(verb: str, rest: str) -> str:
    if len(rest.split()) != 1:
        raise InvalidInput(say("remind.handle", verb=verb), say("remind.handle.hint", verb=verb))
    return rest


def _list(rest: str) -> TimedListing:
    left, options = split_options(rest, _LIST)
    given = options_of(options)
    assert not left, "a list begins with its options"  # noqa: S101
    return TimedListing("all" in given, page_of(given))

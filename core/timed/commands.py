"""What stands behind `/remind`. Pure; shared by every typed channel.

    /remind in 2h check the logs            /remind @bob tomorrow at 9 to water the plants [--dm]
    /remind list [--all] [--page 2]         /remind show|cancel|done r-7k2m
    /remind again|snooze r-7k2m 1h

A verb is one only where its handle or its options follow: `/remind cancel the order on Friday` is a reminder.
"""

from dataclasses import dataclass
from datetime import timedelta

from core.catalogue import say
from core.errors import InvalidInput
from core.standing.durations import parse_duration
from core.standing.options import check_length, options_of, page_of, split_options

VERBS = ("list", "show", "cancel", "done", "again", "snooze")
ONE = frozenset({"show", "cancel", "done"})
PUT_OFF = frozenset({"again", "snooze"})
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
    said, options = split_options(text, _MAKE, strict=False)
    return Make(said, "dm" in options_of(options))


def _handle(verb: str, rest: str) -> str:
    if len(rest.split()) != 1:
        raise InvalidInput(say("remind.handle", verb=verb), say("remind.handle.hint", verb=verb))
    return rest


def _list(rest: str) -> TimedListing:
    left, options = split_options(rest, _LIST)
    given = options_of(options)
    assert not left, "a list begins with its options"  # noqa: S101
    return TimedListing("all" in given, page_of(given))

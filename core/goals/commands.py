"""What stands behind `/goal`: its sub-commands and their options. Pure; shared by every typed channel.

    /goal add Ship the API [options]      /goal add type:risk due:"friday 17:00" Vendor contract ends
    /goal [list] [text] [--type risk] [--state expired] [--all] [--review] [--page 2]      /goal search WORDS [--page 2]
    /goal show|done|hold|resume|cancel|pin|unpin|confirm|dismiss g-7k2m       /goal review [--page 2]
    /goal edit g-7k2m [new words] [options]       /goal supersede g-7k2m new words [options]
    /goal depends g-7k2m on g-9a1c[, g-4tq9]      /goal blocks g-9a1c g-7k2m      both with --off, to end it
    /goal answer g-7k2m keep|hold|cancel [--of g-9a1c]       /goal answer g-7k2m replace g-4tq9 [--of g-9a1c]
    /goal link g-7k2m i-5r3w       /goal link --off i-5r3w       /goal graph [g-7k2m]

Options: `core.goals.said`. A new intent has --type, --priority, --due, --owner, --with, --criteria, --note, --depends
and --blocks; `edit` has the first seven, and takes one away with `none`.
"""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from core.catalogue import say
from core.errors import InvalidInput
from core.goals.said import (
    FIELDS,
    MAKING,
    PRIORITIES,
    STATES,
    TYPES,
    fields_of,
    handles_of,
    state_of,
    take_options,
    type_of,
)
from core.goals.typed import (
    Adding,
    Answering,
    Depending,
    Drawing,
    Editing,
    Fields,
    GoalCommand,
    GoalListing,
    Linking,
    OneGoal,
    Searching,
    Superseding,
)
from core.standing.options import SHOWN, Given, check_length, options_of, page_of

ONE = ("show", "done", "hold", "resume", "cancel", "pin", "unpin", "confirm", "dismiss")
"""Sub-commands that take one handle and nothing else."""
VERBS = (
    "add",
    "list",
    "show",
    "edit",
    "done",
    "hold",
    "resume",
    "cancel",
    "supersede",
    "depends",
    "blocks",
    "answer",
    "pin",
    "unpin",
    "search",
    "review",
    "confirm",
    "dismiss",
    "link",
    "graph",
)
ANSWERS = ("keep", "replace", "hold", "cancel")
_OTHERS = {
    "new": "add",
    "create": "add",
    "make": "add",
    "help": "list",
    "view": "show",
    "change": "edit",
    "complete": "done",
    "finish": "done",
    "close": "done",
    "pause": "hold",
    "wake": "resume",
    "delete": "cancel",
    "remove": "cancel",
    "stop": "cancel",
    "drop": "cancel",
    "replace": "supersede",
    "needs": "depends",
    "waits": "depends",
    "find": "search",
    "proposals": "review",
    "approve": "confirm",
    "reject": "dismiss",
    "tree": "graph",
}
_LIST = {"type": True, "state": True, "all": False, "text": True, "review": False, "page": True}
_PAGE = {"page": True}
_ENDS = frozenset({"--off", "—off"})
_OF = {"of": True}
_LINK = {"off": True}
OPTIONS = {
    "add": tuple(MAKING),
    "edit": tuple(FIELDS),
    "supersede": tuple(MAKING),
    "list": tuple(_LIST),
    "depends": ("off",),
    "blocks": ("off",),
    "search": tuple(_PAGE),
    "review": tuple(_PAGE),
    "answer": tuple(_OF),
    "link": tuple(_LINK),
}
"""Names of the options of each sub-command that has some."""
VALUES = {"type": tuple(TYPES), "priority": tuple(PRIORITIES), "state": tuple(STATES)}
"""What can stand behind an option, for completion."""


def parse_goal_command(text: str) -> GoalCommand:
    """Read what follows `/goal`. Times, names and handles in it are still to be found.

    Raises LimitExceeded beyond `command_chars`, InvalidInput with what is wrong and one example. Bounds of the values
    are checked by the services.
    """
    check_length(text)
    verb, rest = _first(text)
    match verb.casefold():
        case "add":
            return Adding(read_fields(rest, MAKING))
        case "" | "list" | "ls":
            return _list(rest)
        case "edit":
            return _edit(rest)
        case "supersede":
            return _supersede(rest)
        case "depends" | "blocks" as found:
            return _depend(found, rest)
        case "search":
            return _search(rest)
        case "answer":
            return _answer(rest)
        case "link":
            return _link(rest)
        case "review":
            given = _only_options(rest, _PAGE, "review")
            return GoalListing(review=True, page=page_of(given))
        case "graph":
            return Drawing(_handle("graph", rest) if rest else "")
        case found if found in ONE:
            return OneGoal(found, _handle(found, rest))
        case found if _is_handle(found) and not rest:
            return OneGoal("show", verb)
        case found if found.startswith(("--", "—")):
            return _list(text.strip())
    raise _unknown(verb, rest)


def read_fields(text: str, known: Mapping[str, bool] = MAKING) -> Fields:
    """The words of a new intent and its options. Raises InvalidInput where there are no words."""
    left, options = take_options(text, known)
    return adding_of(left, options).fields


def adding_of(text: str, options: Iterable[Given]) -> Adding:
    """A new intent of parts that are apart already, as a form gives them. Raises InvalidInput."""
    fields = fields_of(text, options)
    if not fields.text.strip():
        raise InvalidInput(say("goal.add.usage"), say("goal.add.usage.hint"))
    return Adding(fields)


def editing_of(handle: str, text: str, options: Iterable[Given]) -> Editing:
    """A change of parts that are apart already; "" leaves the words as they are. Raises InvalidInput."""
    return Editing(handle, fields_of(text, options))


def superseding_of(handle: str, text: str, options: Iterable[Given]) -> Superseding:
    """A successor of parts that are apart already. Raises InvalidInput."""
    fields = fields_of(text, options)
    if not fields.text.strip():
        raise InvalidInput(say("goal.supersede.usage"), say("goal.supersede.usage.hint"))
    return Superseding(handle, fields)


def _first(text: str) -> tuple[str, str]:
    """The first word and what follows it."""
    words = text.split(maxsplit=1)
    return (words[0] if words else "", words[1].strip() if len(words) > 1 else "")


def _is_handle(word: str) -> bool:
    return word.strip("`").casefold().startswith("g-")


def _handle(verb: str, rest: str) -> str:
    """The one handle that follows a verb. Raises InvalidInput."""
    if rest.removeprefix("#").isdecimal() or rest.casefold() == "all":
        raise InvalidInput(say("goal.handle.number", text=rest[:SHOWN]), say("goal.handle.hint", verb=verb))
    if len(rest.split()) != 1:
        raise InvalidInput(say("goal.handle", verb=verb), say("goal.handle.hint", verb=verb))
    return rest


def _unknown(verb: str, rest: str) -> InvalidInput:
    near = _OTHERS.get(verb.casefold()) or next(iter(get_close_matches(verb[:SHOWN].casefold(), VERBS, 1)), "")
    if near:
        hint = say("goal.verb.near.hint", verb=near, names=", ".join(VERBS))
    elif rest:
        hint = say("goal.verb.add.hint", text=f"{verb} {rest}"[:SHOWN])
    else:
        hint = say("command.known", names=", ".join(VERBS))
    return InvalidInput(say("goal.verb", text=verb[:SHOWN]), hint, name=verb[:SHOWN])


def _only_options(rest: str, known: Mapping[str, bool], verb: str) -> dict[str, Given]:
    left, options = take_options(rest, known)
    if left:
        raise InvalidInput(say("goal.extra", text=left[:SHOWN], verb=verb), say("goal.extra.hint", verb=verb))
    return options_of(options)


def _list(rest: str) -> GoalListing:
    left, options = take_options(rest, _LIST)
    given = options_of(options)
    return GoalListing(
        types=tuple(dict.fromkeys(map(type_of, handles_of(given["type"].value)))) if "type" in given else (),
        states=tuple(dict.fromkeys(map(state_of, handles_of(given["state"].value)))) if "state" in given else (),
        everything="all" in given,
        text=" ".join(filter(None, (left, given["text"].value if "text" in given else ""))),
        review="review" in given,
        page=page_of(given),
    )


def _search(rest: str) -> Searching:
    left, options = take_options(rest, _PAGE)
    if not left:
        raise InvalidInput(say("goal.search.empty"), say("goal.search.empty.hint"))
    return Searching(left, page_of(options_of(options)))


def _edit(rest: str) -> Editing:
    handle, more = _first(rest)
    if not _is_handle(handle):
        raise InvalidInput(say("goal.edit.usage"), say("goal.edit.usage.hint"))
    left, options = take_options(more, FIELDS)
    return editing_of(handle, left, options)


def _supersede(rest: str) -> Superseding:
    handle, more = _first(rest)
    if not _is_handle(handle):
        raise InvalidInput(say("goal.supersede.usage"), say("goal.supersede.usage.hint"))
    left, options = take_options(more, MAKING)
    return superseding_of(handle, left, options)


def _depend(verb: str, rest: str) -> Depending:
    words = [word for word in handles_of(rest) if word.casefold() != "on"]
    handles = [word for word in words if word.casefold() not in _ENDS]
    if len(handles) < 2 or not all(map(_is_handle, handles)):
        raise InvalidInput(say(f"goal.{verb}.usage"), say(f"goal.{verb}.usage.hint"))
    return Depending(handles[0], tuple(handles[1:]), verb == "blocks", len(handles) < len(words))


def _answer(rest: str) -> Answering:
    left, options = take_options(rest, _OF)
    words, given = left.split(), options_of(options)
    of = given["of"].value if "of" in given else ""
    match [words[0], *(word.casefold() for word in words[1:2]), *words[2:]] if words else []:
        case [handle, "keep" | "hold" | "cancel" as answer]:
            return Answering(handle, answer, of)
        case [handle, "replace" as answer, other]:
            return Answering(handle, answer, of, other)
        case [handle, "replace", "with" | "by", other]:
            return Answering(handle, "replace", of, other)
    raise InvalidInput(say("goal.answer.usage"), say("goal.answer.usage.hint"))


def _link(rest: str) -> Linking:
    left, options = take_options(rest, _LINK)
    given = options_of(options)
    words = handles_of(left)
    if "off" in given and not words:
        return Linking(given["off"].value)
    rules = [word for word in words if word.strip("`").casefold().startswith("i-")]
    goals = [word for word in words if _is_handle(word)]
    if given or len(words) != 2 or not (rules and goals):
        raise InvalidInput(say("goal.link.usage"), say("goal.link.usage.hint"))
    return Linking(rules[0], goals[0])

"""What was said of an intent in a typed command: options as `--type risk` and as `type:risk`. Pure, linear."""

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from itertools import zip_longest
from typing import TypeVar

from core.catalogue import say
from core.errors import InvalidInput
from core.goals.objects import IntentState, IntentType
from core.goals.typed import NONE, Fields
from core.standing.intent import Priority
from core.standing.options import SHOWN, Given, options_of, split_options
from core.standing.phrases import QUOTES, Word, words_of

TYPES = {
    "goal": IntentType.GOAL,
    "commitment": IntentType.COMMITMENT,
    "question": IntentType.OPEN_QUESTION,
    "decision": IntentType.DECISION_IN_PROGRESS,
    "risk": IntentType.RISK,
    "followup": IntentType.FOLLOW_UP,
}
"""Every type by the word that people type; its full name is understood, too."""
STATES = {
    "active": IntentState.ACTIVE,
    "hold": IntentState.ON_HOLD,
    "completed": IntentState.COMPLETED,
    "cancelled": IntentState.CANCELLED,
    "expired": IntentState.EXPIRED,
    "superseded": IntentState.SUPERSEDED,
}
PRIORITIES = {level.name.casefold(): level for level in Priority}
_TYPES = {kind.replace("_", "").casefold(): kind for kind in IntentType} | TYPES | {"commit": IntentType.COMMITMENT}
_STATES = {state.replace("_", "").casefold(): state for state in IntentState} | STATES
_STATES |= {"done": IntentState.COMPLETED, "held": IntentState.ON_HOLD, "on": IntentState.ON_HOLD}
FIELDS = dict.fromkeys(("type", "priority", "due", "owner", "with", "criteria", "note"), True)
"""Options of `edit`, all with a value."""
MAKING = FIELDS | {"depends": True, "blocks": True}
"""Options of a new intent."""
_ONE_WORD = frozenset({"type", "priority"})
_DASHES = ("--", "—")
_LINE = "\ue000"  # stands for a line break while words are told apart
_QUOTED = "|".join(f"{start}[^{start}{end}]*[{end}]" for start, end in QUOTES.items() if start != "'")
_MORE = r"(?:(?<=,)\s+(?:<?@|g-)\S+)*"  # `with:@ada, @bob`
_BREAK = re.compile(rf"\s*{_LINE}\s*")
_VALUE = re.compile(r"(?:--|—)[^\s=]*=?(.*)", re.DOTALL)
_NAMES = re.compile(r"(?=<@)|(?<!<)(?=@)")
_APART = re.compile(r"[\s,;]+")
T = TypeVar("T")


def take_options(text: str, known: Mapping[str, bool]) -> tuple[str, tuple[Given, ...]]:
    """Take the options out of `text`: what is left, and the options. `known` tells which ones take a value.

    `--name value` stands at the end and reaches to the next one, but for a type or priority, which is one word: what
    follows that is text. `name:value` stands anywhere and has one word, or a quoted phrase. Words in quotes are never
    options. Raises InvalidInput.
    """
    kept, short = _short(text.replace("\r", "").replace("\n", f" {_LINE} "), known)
    left, long = _long(kept, known)
    return _lines(left), tuple(Given(one.name, _lines(one.value)) for one in (*short, *long))


def _lines(text: str) -> str:
    return _BREAK.sub("\n", text).strip()


def _short(text: str, known: Mapping[str, bool]) -> tuple[str, list[Given]]:
    """The text without `name:value`, and these."""
    names = "|".join(name for name, takes in known.items() if takes)
    quoted = [(word.start, word.end) for word in words_of(text) if word.quoted]
    given: list[Given] = []
    kept: list[str] = []
    at = number = 0
    for found in re.finditer(rf"(?<!\S)({names}):(?:({_QUOTED})|(\S+{_MORE}))", text, re.IGNORECASE):
        while number < len(quoted) and quoted[number][1] <= found.start():
            number += 1
        if number < len(quoted) and quoted[number][0] < found.start():
            continue
        given.append(Given(found[1].casefold(), found[2][1:-1] if found[2] else found[3].rstrip(",;")))
        kept.append(text[at : found.start()])
        at = found.end()
    return "".join([*kept, text[at:]]), given


def _long(text: str, known: Mapping[str, bool]) -> tuple[str, list[Given]]:
    """The text without any `--name value`, and these, each value as typed."""
    starts = [word.start for word in words_of(text) if _is_option(word)]
    given: list[Given] = []
    kept = [text[: starts[0]] if starts else text]
    for start, end in zip_longest(starts, starts[1:], fillvalue=len(text)):
        stretch = text[start:end]
        option = split_options(stretch, known)[1][0]
        found = _VALUE.fullmatch(stretch) if option.value else None
        if found is None:
            given.append(option)
        elif option.name in _ONE_WORD:
            value, _, rest = found[1].strip().partition(" ")
            given.append(Given(option.name, unquoted(value)))
            kept.append(rest)
        else:
            given.append(Given(option.name, unquoted(_lines(found[1]))))
    return " ".join(filter(None, (part.strip() for part in kept))), given


def _is_option(word: Word) -> bool:
    return not word.quoted and any(word.text.startswith(dash) and word.text != dash for dash in _DASHES)


def fields_of(text: str, options: Iterable[Given]) -> Fields:
    """The words of an intent and its options, as typed or as a form gives them. Raises InvalidInput."""
    given = options_of(options)
    values = {name: option.value for name, option in given.items()}
    return Fields(
        text=unquoted(text.strip()),
        intent_type=type_of(values["type"]) if "type" in given else None,
        priority=choice("priority", values["priority"], PRIORITIES) if "priority" in given else None,
        due=values.get("due", ""),
        owner=values.get("owner", "").strip(),
        stakeholders=names_of(_kept(values["with"])) if "with" in given else None,
        criteria=_criteria(_kept(values["criteria"])) if "criteria" in given else None,
        note=_kept(values["note"]) if "note" in given else None,
        depends_on=handles_of(values.get("depends", "")),
        blocks=handles_of(values.get("blocks", "")),
    )


def is_none(value: str) -> bool:
    """Is it the word that takes away what was there?"""
    return value.strip().casefold() == NONE


def _kept(value: str) -> str:
    """The value; "" where it is to go."""
    return "" if is_none(value) else value


def _criteria(value: str) -> str:
    """One criterion a line, or apart by semicolons."""
    return "\n".join(filter(None, (part.strip() for part in value.replace(";", "\n").split("\n"))))


def type_of(value: str) -> IntentType:
    """The type behind a word, in any spelling of its name. Raises InvalidInput."""
    return choice("type", value, _TYPES, TYPES)


def state_of(value: str) -> IntentState:
    """The state behind a word. Raises InvalidInput."""
    return choice("state", value, _STATES, STATES)


def choice(option: str, value: str, known: Mapping[str, T], shown: Mapping[str, T] | None = None) -> T:
    """What a word stands for; `shown` are the words that an error names. Raises InvalidInput."""
    name = value.casefold().replace("_", "").replace("-", "").replace(" ", "")
    if name not in known:
        near = get_close_matches(name[:SHOWN], known, 1)
        names = ", ".join(known if shown is None else shown)
        hint = say("command.nearest", name=near[0]) if near else say("command.known", names=names)
        raise InvalidInput(say("command.value", name=option, value=value[:SHOWN]), hint, name=option)
    return known[name]


def names_of(value: str) -> tuple[str, ...]:
    """`@ada @bob`, `@Ada Lovelace, @bob`, `ada bob`: the names, as typed without commas."""
    parts = _NAMES.split(value) if "@" in value else _APART.split(value)
    return tuple(dict.fromkeys(filter(None, (part.strip(" \t\n,;") for part in parts))))


def handles_of(value: str) -> tuple[str, ...]:
    """`g-7k2m, g-9a1c`: the handles, each once."""
    return tuple(dict.fromkeys(filter(None, _APART.split(value))))


def unquoted(text: str) -> str:
    """A text that is one quoted phrase loses its quotes: so options can stand inside."""
    words = words_of(text)
    return words[0].inner if len(words) == 1 and words[0].quoted and not words[0].after else text

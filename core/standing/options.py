"""Options of a typed command: `--name` and `--name value`. Pure, linear."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from core.catalogue import say
from core.errors import InvalidInput, LimitExceeded
from core.limits import LIMITS
from core.standing.phrases import Word, words_of

SHOWN = 40
_DASHES = ("--", "—")  # a keyboard that corrects turns two hyphens into one long dash


@dataclass(frozen=True, slots=True)
class Given:
    """One option as typed; a flag has the value ""."""

    name: str
    value: str = ""


def split_options(text: str, known: Mapping[str, bool], strict: bool = True) -> tuple[str, tuple[Given, ...]]:
    """Take the options out of `text`: what is left, and the options. `known` tells which ones take a value.

    With `strict`, options stand at the end: a value reaches to the next one; an unknown one is refused.
    Otherwise only known ones are taken, each with one word as its value, wherever they stand.
    Raises InvalidInput. Words in quotes are never options.
    """
    words = words_of(text)
    return _at_the_end(text, words, known) if strict else _anywhere(text, words, known)


def options_of(given: Iterable[Given]) -> dict[str, Given]:
    """By name; raises InvalidInput for an option that stands there twice."""
    found: dict[str, Given] = {}
    for option in given:
        if option.name in found:
            raise InvalidInput(say("command.twice", name=option.name), say("command.keep_one.hint"), name=option.name)
        found[option.name] = option
    return found


def check_length(text: str) -> None:
    """Raise LimitExceeded for a command beyond `command_chars`."""
    if len(text) > LIMITS.command_chars:
        raise LimitExceeded(
            say("command.long", used=len(text)),
            say("command.long.hint", limit=LIMITS.command_chars),
            name="command_chars",
            used=len(text),
            limit=LIMITS.command_chars,
        )


def number_of(option: Given) -> int:
    """A whole number. Raises InvalidInput."""
    value = option.value.replace("−", "-")
    if not value.removeprefix("-").removeprefix("+").isdecimal() or len(value) > 9:
        raise InvalidInput(say("command.number", name=option.name, value=value[:SHOWN]), say("command.number.hint"))
    return int(value)


def page_of(given: Mapping[str, Given]) -> int:
    """The number behind `--page`, 1 without it and at least."""
    return max(1, number_of(given["page"])) if "page" in given else 1


def _name(word: Word) -> tuple[str, str, bool] | None:
    """Name, value behind `=`, and whether there was a `=`; None for an ordinary word."""
    dash = next((dash for dash in _DASHES if word.text.startswith(dash)), None)
    if word.quoted or dash is None or len(word.text) == len(dash):
        return None
    name, equals, value = word.text[len(dash) :].partition("=")
    return name.casefold(), value, bool(equals)


def _at_the_end(text: str, words: Sequence[Word], known: Mapping[str, bool]) -> tuple[str, tuple[Given, ...]]:
    first = next((number for number, word in enumerate(words) if _name(word)), len(words))
    left = text if first == len(words) else text[: words[first].start]
    given: list[Given] = []
    at = first
    while at < len(words):
        named = _name(words[at])
        assert named is not None, "every stretch begins with an option"  # noqa: S101
        end = next((number for number in range(at + 1, len(words)) if _name(words[number])), len(words))
        given.append(_checked(named, [word.inner for word in words[at + 1 : end]], known))
        at = end
    return left.strip(), tuple(given)


def _checked(named: tuple[str, str, bool], rest: list[str], known: Mapping[str, bool]) -> Given:
    name, value, equals = named
    if name not in known:
        near = get_close_matches(name[:SHOWN], known, 1)
        names = ", ".join(f"--{option}" for option in known)
        hint = say("command.nearest", name=f"--{near[0]}") if near else say("command.known", names=names)
        raise InvalidInput(say("command.option", name=name[:SHOWN]), hint, name=name[:SHOWN])
    words = [value, *rest] if equals else rest
    if known[name] and not any(words):
        raise InvalidInput(say("command.no_value", name=name), say(f"command.example.{name}"), name=name)
    if not known[name] and words:
        extra = " ".join(words)[:SHOWN]
        raise InvalidInput(say("command.extra", name=name, text=extra), say("command.extra.hint"), name=name)
    return Given(name, " ".join(filter(None, words)))


def _anywhere(text: str, words: Sequence[Word], known: Mapping[str, bool]) -> tuple[str, tuple[Given, ...]]:
    given: list[Given] = []
    left: list[str] = []
    at = position = 0
    while at < len(words):
        named = _name(words[at])
        size = 1
        if named is not None and named[0] in known:
            takes = known[named[0]] and not named[2]
            size = 2 if takes and at + 1 < len(words) else 1
            given.append(_checked(named, [word.inner for word in words[at + 1 : at + size]], known))
            left.append(text[position : words[at].start])
            position = words[at + size - 1].end
        at += size
    return "".join([*left, text[position:]]).strip(), tuple(given)

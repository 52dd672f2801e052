"""From the words that somebody says to trigger entries. Pure.

Articles in front go, quotes stay phrases, "or" makes two entries, "and" asks for both words in one message,
commas leave it open which of the two is meant, "but not" excludes from every alternative before it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.limits import LIMITS
from core.standing.phrases import Word, wordset

_ARTICLES = wordset("the a an")
_NAMING = wordset("word words term terms topic topics subject subjects phrase phrases")
_PRONOUNS = wordset(
    "it that this them these those something anything everything nothing him her me us you so what stuff"
)


@dataclass(frozen=True, slots=True)
class Triggers:
    """`entries` as understood; `either` is the other reading when commas leave it open."""

    entries: tuple[str, ...]
    either: tuple[str, ...] = ()


def read_triggers(words: Sequence[Word]) -> Triggers | None:
    """The entries that these words name; None when they name nothing that can be watched for."""
    body = _skip_naming(list(words))
    if body is not None and len(body) == 1 and body[0].quoted:
        entry = _entry(body)
        return Triggers((entry,)) if entry else None
    if not body:
        return None
    found: Triggers | None = Triggers(())
    for _ in range(LIMITS.entries):
        at = next((number for number in range(1, len(body) - 1) if _but_not(body, number)), 0)
        if not at:
            return _together(found, _alternatives(body))
        found, body = _together(found, _without(body, at)), _behind(body, at)
        if found is None or not body:
            return found
    return None


def _but_not(words: Sequence[Word], at: int) -> bool:
    return _is(words[at], "but") and _is(words[at + 1], "not")


def _together(first: Triggers | None, second: Triggers | None) -> Triggers | None:
    """Two stretches as alternatives; the first alone, or the second alone, stays as it was read."""
    if first is None or second is None or not first.entries:
        return second if first is not None else None
    return Triggers((*(first.either or first.entries), *(second.either or second.entries)))


def _without(body: list[Word], at: int) -> Triggers | None:
    """`X or Y but not Z or W`: no alternative with Z or W."""
    unwanted = body[at + 2 : _end_of_unwanted(body, at)]
    terms = [_term(word) for word in unwanted if not _is(word, "not", "or", "and", "nor", *_ARTICLES)]
    wanted = _alternatives(body[:at])
    if wanted is None or not terms:
        return None
    tail = "".join(f" -{term}" for term in terms)
    return Triggers(tuple(entry + tail for entry in wanted.entries), tuple(entry + tail for entry in wanted.either))


def _behind(body: list[Word], at: int) -> list[Word]:
    """Behind a comma other alternatives may follow what is not wanted."""
    rest = body[_end_of_unwanted(body, at) :]
    while rest and _is(rest[0], "or", "and", "and/or"):
        rest = rest[1:]
    return rest


def _end_of_unwanted(body: list[Word], at: int) -> int:
    return next((number + 1 for number in range(at + 2, len(body)) if _ends_list(body[number])), len(body))


def _ends_list(word: Word) -> bool:
    return "," in word.after or ";" in word.after


def _alternatives(body: list[Word]) -> Triggers | None:
    if any(_is(word, "or", "and/or") for word in body) or any(";" in word.after for word in body[:-1]):
        return _all(_entries(_split(body, ors=True, commas=True)))
    if any("," in word.after for word in body[:-1]):
        together = _all(_entries([body]))
        either = _all(_entries(_split_list(body)))
        if together is None or either is None or len(either.entries) < 2:
            return together
        return Triggers(together.entries, either.entries)
    return _all(_entries([body]))


def _is(word: Word, *wanted: str) -> bool:
    return not word.quoted and word.low in wanted


def _all(entries: list[str | None]) -> Triggers | None:
    if not entries or None in entries:
        return None
    return Triggers(tuple(dict.fromkeys(entry for entry in entries if entry)))


def _entries(groups: Iterable[list[Word]]) -> list[str | None]:
    return [_entry(group) for group in groups if group]


def _split(words: list[Word], ors: bool, commas: bool) -> list[list[Word]]:
    groups: list[list[Word]] = [[]]
    for word in words:
        if ors and _is(word, "or", "and/or"):
            groups.append([])
            continue
        groups[-1].append(word)
        if commas and ("," in word.after or ";" in word.after):
            groups.append([])
    return groups


def _split_list(words: list[Word]) -> list[list[Word]]:
    """`a, b and c` as three."""
    groups = [group for group in _split(words, ors=False, commas=True) if group]
    last = groups.pop()
    for number, word in enumerate(last):
        if _is(word, "and", "&"):
            return [*groups, *(part for part in (last[:number], last[number + 1 :]) if part)]
    return [*groups, last]


def _skip_naming(words: list[Word]) -> list[Word] | None:
    """Drop "that", "something about", "the word(s)", "the topic of"; "the phrase a b" becomes one phrase."""
    if len(words) > 1 and _is(words[0], "that"):
        words = words[1:]
    if len(words) > 2 and _is(words[0], "something", "anything") and _is(words[1], "about", "like"):
        words = words[2:]
    at = 1 if words and _is(words[0], "the") else 0
    if len(words) > at + 1 and words[at].low in _NAMING and not words[at].breaks:
        if at == 0 and not words[1].quoted and not _is(words[1], "of"):
            return words
        rest = words[at + 2 :] if _is(words[at + 1], "of") else words[at + 1 :]
        if words[at].low in {"phrase", "phrases"} and not any(word.quoted for word in rest):
            joined = " ".join(word.text for word in rest)
            return [Word(f'"{joined}"', "", rest[0].start, rest[-1].end, "", True)] if rest else None
        return rest
    return words


def _entry(group: Sequence[Word]) -> str | None:
    """One entry as a person would type it; None when nothing is left to watch for."""
    words = list(group)
    while words and (_is(words[0], "both", "either", "and") or (_is(words[0], *_ARTICLES) and len(words) > 1)):
        words = words[1:]
    terms = [_term(word) for word in words if not _is(word, "and", "&") or len(words) == 1]
    included = [word for word in words if word.low not in _PRONOUNS or word.quoted]
    return " ".join(terms) if included and any(not term.startswith("-") for term in terms) else None


def _term(word: Word) -> str:
    if not word.quoted:
        return word.text
    return word.text if '"' in word.inner else f'"{word.inner.strip()}"'

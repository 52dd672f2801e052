"""From the words that somebody says to trigger entries. Pure.

Articles in front go, quotes stay phrases, "or" makes two entries, "and" asks for both words in one message,
commas leave it open which of the two is meant, "but not" excludes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

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
    terms: list[str] = []
    excluded = False
    for number, word in enumerate(words):
        if _is(word, "but") and number + 1 < len(words) and _is(words[number + 1], "not"):
            excluded = True
        elif excluded and _is(word, "not", "or", "and", *_ARTICLES):
            continue
        elif not _is(word, "and", "&") or len(words) == 1:
            terms.append(f"-{_term(word)}" if excluded else _term(word))
    included = [word for word in words if word.low not in _PRONOUNS or word.quoted]
    return " ".join(terms) if included and any(not term.startswith("-") for term in terms) else None


def _term(word: Word) -> str:
    if not word.quoted:
        return word.text
    return word.text if '"' in word.inner else f'"{word.inner.strip()}"'

"""Whether a message meets what is remembered: aliases, and an index of entities. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from core.context.entities import Said, words_of
from core.text.fold import fold
from core.text.forms import form_key, primary_language
from core.text.scripts import classes_of

K = TypeVar("K")
_NOTHING: tuple[int, ...] = ()


class Aliases:
    """Names that stand for the same: a text that has one of a group has them all."""

    def __init__(self, canonical: Mapping[str, str]) -> None:
        groups: dict[str, set[str]] = {}
        for alias, name in canonical.items():
            groups.setdefault(fold(name), {name}).add(alias)
        self._groups = tuple(tuple(sorted(group)) for group in groups.values())

    def widen(self, said: Said) -> Said:
        """The same text with every name of the groups that it has one of."""
        for group in self._groups:
            if any(_holds(said, name) for name in group):
                for name in group:
                    said = _with(said, name)
        return said


def _holds(said: Said, name: str) -> bool:
    if "u" in classes_of(name):
        return fold(name).strip() in said.flat
    return f" {' '.join(words_of(name))} " in said.joined


def _with(said: Said, name: str) -> Said:
    words = words_of(name)
    if "u" in classes_of(name):
        return replace(said, runs=said.runs | {fold(name).strip()}, flat=f"{said.flat}\n{fold(name).strip()}")
    joined = f"{said.joined}| {' '.join(words)} "
    said = replace(said, joined=joined, words=said.words.union(words))
    if len(words) == 1:
        return replace(said, sure=said.sure.union(words))
    return replace(said, phrases=said.phrases | {" ".join(words)})


@dataclass(frozen=True, slots=True)
class Subject:
    """What may be met: its key, its words, its people (`core.turn.Principal`) and the words of their names."""

    key: int
    said: Said
    people: Sequence[object] = ()
    named: Said = field(default_factory=Said)


class Index:
    """Finds what a text meets among many subjects, by look-ups in dictionaries. Read only."""

    __slots__ = ("_language", "_maybe", "_names", "_people", "_phrases", "_runs", "_said", "_sure", "_words")

    def __init__(self, subjects: Iterable[Subject], language: str = "en") -> None:
        self._language = primary_language(language)
        known = tuple(subjects)
        self._said = {one.key: one.said for one in known}
        self._sure = _filed((key, one.key) for one in known for key in self._forms(one.said.sure | one.named.sure))
        self._names = _filed((key, one.key) for one in known for key in one.said.names | one.named.names)
        self._maybe = _filed((key, one.key) for one in known for key in one.said.maybe)
        self._words = _filed((key, one.key) for one in known for key in one.said.words | one.said.forms)
        self._people = _filed((who, one.key) for one in known for who in dict.fromkeys(one.people))
        self._phrases = _filed((phrase, one.key) for one in known for phrase in one.said.phrases)
        self._runs = _filed((run, one.key) for one in known for run in one.said.runs)

    def met(self, said: Said, people: Iterable[object] = ()) -> frozenset[int]:
        """Keys of the subjects that share an entity with a text, or whose people it mentions."""
        found: set[int] = set()
        looked_up: tuple[tuple[Mapping[str, Sequence[int]], frozenset[str]], ...] = (
            (self._sure, said.words | said.forms),
            (self._names, said.names | said.sure | said.maybe),
            (self._maybe, said.names),
            (self._words, self._forms(said.sure)),
        )
        for filed, keys in looked_up:
            for key in keys & filed.keys():
                found.update(filed[key])
        for who in people:
            found.update(self._people.get(who, _NOTHING))
        self._meet_quoted(said, found)
        return frozenset(found)

    def _meet_quoted(self, said: Said, found: set[int]) -> None:
        for phrase, keys in self._phrases.items():
            if f" {phrase} " in said.joined:
                found.update(keys)
        for run, keys in self._runs.items():
            if run in said.flat:
                found.update(keys)
        for phrase in said.phrases:
            first = self._words.get(phrase.partition(" ")[0], _NOTHING)
            found.update(key for key in first if f" {phrase} " in self._said[key].joined)
        for run in said.runs:
            found.update(key for key, one in self._said.items() if run in one.flat)

    def _forms(self, words: frozenset[str]) -> frozenset[str]:
        """With their word-form keys."""
        keys = (form_key(word, self._language) for word in words)
        return words.union(key for key in keys if key is not None)


def _filed(pairs: Iterable[tuple[K, int]]) -> Mapping[K, Sequence[int]]:
    filed: dict[K, list[int]] = {}
    for key, number in pairs:
        filed.setdefault(key, []).append(number)
    return filed

"""One term of an entry, compiled: what it looks for in an analysed text and under which keys it is filed."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

import regex

from core.text.analyse import Analysed, hangul_keys
from core.text.forms import form_key, without_possessive
from core.text.layout import Layout
from core.text.scripts import class_of

_MARKS = frozenset("mkI")  # what never begins anything: combining marks, the rest of a keycap emoji
_WORDY = frozenset("anmkuh")


@dataclass(frozen=True, slots=True)
class Probe:
    """An index key that a matching text must have, and the folded word it stands for."""

    key: str
    word: str


class Reading(Protocol):
    """One way to read a term. `forms` says whether word forms count against this text."""

    def found(self, turn: Analysed, forms: bool, /) -> bool:
        """Whether the text holds the term read this way."""
        ...

    def probes(self, forms: bool, /) -> tuple[Probe, ...]:
        """Keys that every text in which the term is found has, all of them."""
        ...


@dataclass(frozen=True, slots=True)
class WordReading:
    """A word, an emoji or an e-mail address. `form` is its word-form key, if it has one."""

    exact: str
    form: str | None = None
    hangul: bool = False

    def found(self, turn: Analysed, forms: bool, /) -> bool:
        if self.exact in turn.words or (forms and self.form is not None and self.form in turn.forms):
            return True
        return self.hangul and any(begins(word, self.exact) for word in turn.hangul)

    def probes(self, forms: bool, /) -> tuple[Probe, ...]:
        if self.hangul:
            return (Probe(hangul_keys(self.exact)[1], self.exact),)
        return (Probe(self.form if forms and self.form is not None else self.exact, self.exact),)


@dataclass(frozen=True, slots=True)
class HostReading:
    """A host, a parent domain of it or one of its labels."""

    name: str

    def found(self, turn: Analysed, _forms: bool, /) -> bool:
        layout = turn.layout
        return self.name in layout.link_names or any(self.name in names for names in layout.names.values())

    def probes(self, _forms: bool, /) -> tuple[Probe, ...]:
        return (Probe(self.name, self.name),)


@dataclass(frozen=True, slots=True)
class SignReading:
    """Signs alone, found anywhere; `telling` are those of them that are index keys."""

    signs: str
    telling: tuple[str, ...]

    def found(self, turn: Analysed, _forms: bool, /) -> bool:
        layout, start = turn.layout, -1
        while (start := layout.folded.find(self.signs, start + 1)) >= 0:
            end = start + len(self.signs)
            if layout.classes[end : end + 1] not in _MARKS:
                return True
        return False

    def probes(self, _forms: bool, /) -> tuple[Probe, ...]:
        return tuple(Probe(sign, sign) for sign in self.telling)


class GapKind(Enum):
    """What may stand between two neighbouring parts."""

    EXACT = "exactly these signs"
    SPACE = "white space or nothing"
    HYPHEN = "hyphens and white space"
    LOOSE = "white space and punctuation with these signs among it, no empty line"


@dataclass(frozen=True, slots=True)
class Gap:
    """The signs asked for between two parts; `after`/`before`: the first/last touches its neighbour."""

    kind: GapKind
    signs: tuple[str, ...] = ()
    after: bool = False
    before: bool = False


_SPACE = regex.compile(r"[ \n]*")
_HYPHEN = regex.compile(r"[ \n\-]*")
_LOOSE = regex.compile(r"(?!.*\n *\n)[ \n.,_'\-pjt5]*", regex.DOTALL)


def fits(gap: Gap, layout: Layout, start: int, end: int) -> bool:
    """Whether the characters `start`..`end` of the text are what `gap` allows."""
    if gap.kind is GapKind.EXACT:
        return layout.folded[start:end] == gap.signs[0]
    classes = layout.classes[start:end]
    if gap.kind is GapKind.SPACE:
        return _SPACE.fullmatch(classes) is not None
    if gap.kind is GapKind.HYPHEN:
        return _HYPHEN.fullmatch(classes) is not None
    return _fits_loosely(gap, layout.folded[start:end], classes)


def _fits_loosely(gap: Gap, text: str, classes: str) -> bool:
    rest, at = [], 0
    for number, sign in enumerate(gap.signs):
        last = number == len(gap.signs) - 1
        found = text.rfind(sign, at) if last and gap.before else text.find(sign, at)
        if found < 0 or (number == 0 and gap.after and found > 0):
            return False
        rest.append(classes[at:found])
        at = found + len(sign)
    if gap.signs and gap.before and at < len(text):
        return False
    return _LOOSE.fullmatch("".join((*rest, classes[at:]))) is not None


@dataclass(frozen=True, slots=True)
class Part:
    """One word of a sequence. `hangul`: may go on. `possessive`: `'s` may follow when word forms count."""

    exact: str
    form: str | None = None
    hangul: bool = False
    possessive: bool = False

    def key(self, forms: bool) -> str:
        if self.hangul:
            return hangul_keys(self.exact)[1]
        return self.form if forms and self.form is not None else self.exact

    def stands_for(self, turn: Analysed, index: int, forms: bool) -> bool:
        text = turn.layout.texts[index]
        if text == self.exact:
            return True
        if self.hangul:
            return begins(text, self.exact)
        if forms and self.form is not None and form_key(text, turn.language) == self.form:
            return True
        if forms and self.possessive and without_possessive(text) == self.exact:
            return True
        return index in turn.layout.names and self.exact in turn.layout.names[index]


@dataclass(frozen=True, slots=True)
class SequenceReading:
    """Parts next to each other with given signs around and between.

    `edges`: a first or last part without signs around it must not be cut out of a longer dotted name. White
    space at the inner end of `prefix` or `suffix` stands for white space or none.
    """

    parts: tuple[Part, ...]
    gaps: tuple[Gap, ...]
    prefix: str = ""
    suffix: str = ""
    edges: bool = False

    def found(self, turn: Analysed, forms: bool, /) -> bool:
        last = turn.term_count - len(self.parts)
        return any(
            index <= last and self._stands_at(turn, index, forms) for index in turn.where(self.parts[0].key(forms))
        )

    def _stands_at(self, turn: Analysed, index: int, forms: bool) -> bool:
        layout = turn.layout
        for offset, part in enumerate(self.parts):
            here = index + offset
            if not part.stands_for(turn, here, forms):
                return False
            if offset and not fits(self.gaps[offset - 1], layout, *layout.gap(here - 1)):
                return False
        return self._starts_well(layout, layout.starts[index]) and self._ends_well(
            layout, layout.ends[index + len(self.parts) - 1]
        )

    def _starts_well(self, layout: Layout, start: int) -> bool:
        if self.prefix:
            return layout.folded.endswith(self.prefix.rstrip(), 0, self._inner(layout, start, self.prefix[-1], -1))
        before = layout.classes[max(start - 2, 0) : start]
        return not (self.edges and len(before) == 2 and before[1] in "._" and before[0] in _WORDY)

    def _ends_well(self, layout: Layout, end: int) -> bool:
        if self.suffix:
            end = self._inner(layout, end, self.suffix[0], 1)
            suffix = self.suffix.lstrip()
            after = end + len(suffix)
            return layout.folded.startswith(suffix, end) and layout.classes[after : after + 1] not in _MARKS
        after_two = layout.classes[end : end + 2]
        return not (self.edges and len(after_two) == 2 and after_two[0] in "._" and after_two[1] in _WORDY)

    @staticmethod
    def _inner(layout: Layout, at: int, typed: str, step: int) -> int:
        """Where white space of one paragraph next to `at` ends when `typed` is white space; else `at`."""
        reached = at
        while typed.isspace() and 0 <= min(reached, reached + step) < len(layout.classes):
            if layout.classes[min(reached, reached + step)] not in " \n":
                break
            reached += step
        first, last = sorted((at, reached))
        return reached if _LOOSE.fullmatch(layout.classes[first:last]) else at

    def probes(self, forms: bool, /) -> tuple[Probe, ...]:
        return tuple(self._probes(forms))

    def _probes(self, forms: bool) -> Iterator[Probe]:
        single = True
        for index, part in enumerate(self.parts):
            if index < len(self.gaps) and self._together(index):
                pair = part.exact + self.parts[index + 1].exact
                yield Probe(pair, pair)
                single = False
                continue
            if single:
                yield Probe(part.key(forms), part.exact)
            single = True

    def _together(self, index: int) -> bool:
        """Whether two neighbours are letters of an unspaced script without a gap: the pair is a key."""
        first, second = self.parts[index].exact, self.parts[index + 1].exact
        return self.gaps[index] == TOGETHER and class_of(first[0]) == class_of(second[0]) == "u"


TOGETHER = Gap(GapKind.EXACT, ("",))


def begins(word: str, start: str) -> bool:
    """Whether a Hangul word begins with `start`, not cut before a combining mark."""
    return word.startswith(start) and not regex.match(r"\p{M}", word[len(start) :])

"""The one analysis of text: turns and trigger terms pass through it, so that equal means equal."""

import hashlib
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import regex
import Stemmer

from core.text.commonwords import LISTS
from core.text.forms import form_key, form_keys, primary_language, without_possessive
from core.text.layout import Layout, lay_out
from core.text.scripts import PLAIN_SIGNS, class_of
from core.text.zones import Zone

VERSION = "2"
"""Change it with every change of the rules: stored index rows are rebuilt when it differs."""

SIGN_CLASSES = frozenset("jpst_")
"""Class letters of signs that are index keys, but for the plain ones."""


_SIGN = re.compile(f"[{''.join(SIGN_CLASSES)}]")
_HYPHEN = re.compile("-")


@dataclass(frozen=True, slots=True)
class TextOptions:
    """How words are compared: language of the word forms, whether they count, whether accents are folded."""

    language: str = "en"
    word_forms: bool = True
    fold_accents: bool = False


class Analysed:
    """A text ready for matching; read only, what only few entries need is worked out when asked for.

    `words`: exact terms and joined hyphen compounds. `forms`: their word-form keys. `keys`: every index key
    under which an entry that matches this text may be stored.
    """

    __slots__ = ("_hangul", "_where", "forms", "keys", "language", "layout", "words")

    def __init__(self, layout: Layout, language: str) -> None:
        self.layout = layout
        self.language = primary_language(language)
        self._where: dict[str, list[int]] | None = None
        plain = layout.folded.isascii() and not layout.names
        joined = tuple(_joined(layout)) if "-" in layout.folded else ()
        self._hangul = _hangul(layout, joined) if not plain and "h" in layout.classes else ()
        self.words = frozenset(layout.texts)
        if joined or layout.names or layout.link_names:
            self.words = self.words.union(joined, layout.link_names, *layout.names.values())
        self.forms = form_keys(self.words, self.language)
        further = _ascii_keys(layout) if plain else _further_keys(layout)
        self.keys = self.words.union(self.forms, further, *map(hangul_keys, self._hangul))

    @property
    def term_count(self) -> int:
        """How many terms the text has; with none there is nothing to match."""
        return len(self.layout.texts)

    @property
    def truncated(self) -> bool:
        """Whether the text was longer than the bounds."""
        return self.layout.truncated

    @property
    def left_out(self) -> tuple[Zone, ...]:
        """The stretches of the original text that were not looked at."""
        return self.layout.left_out

    @property
    def hangul(self) -> tuple[str, ...]:
        """The Hangul words, whose beginnings are compared."""
        return self._hangul

    def where(self, key: str) -> Sequence[int]:
        """Indexes of the terms that an exact word, a word-form key or a Hangul beginning may stand for."""
        if self._where is None:
            self._where = self._index()
        return self._where.get(key, ())

    def _index(self) -> dict[str, list[int]]:
        index: dict[str, list[int]] = {}
        for number, text in enumerate(self.layout.texts):
            for key in {text, *self._other_keys(number, text)}:
                index.setdefault(key, []).append(number)
        return index

    def _other_keys(self, number: int, text: str) -> Iterator[str]:
        form = form_key(text, self.language)
        if form is not None:
            yield form
        yield without_possessive(text)
        if self.layout.kind(number) == "h":
            yield from hangul_keys(text)
        yield from self.layout.names.get(number, ())


def hangul_keys(word: str) -> tuple[str, str]:
    """The index keys of a Hangul word: its first syllable and its first two."""
    return word[:1], word[:2]


def _joined(layout: Layout) -> Iterator[str]:
    """The joined forms of hyphen compounds, `rollback` for `roll-back`; of a longer one also two and two."""
    chain: list[int] = []
    for hyphen in _HYPHEN.finditer(layout.classes):
        left = bisect_left(layout.ends, hyphen.start())
        if not _links(layout, left, hyphen.start()):
            continue
        if chain and chain[-1] != left:
            yield from _joined_chain(layout, chain)
            chain = []
        chain += (left, left + 1) if not chain else (left + 1,)
    yield from _joined_chain(layout, chain)


def _joined_chain(layout: Layout, chain: Sequence[int]) -> Iterator[str]:
    if not chain:
        return
    yield "".join(layout.texts[index] for index in chain)
    for left, right in pairwise(chain) if len(chain) > 2 else ():
        if "n" not in layout.kind(left) + layout.kind(right):
            yield layout.texts[left] + layout.texts[right]


def _links(layout: Layout, left: int, hyphen: int) -> bool:
    """Whether the hyphen stands right between term `left` and the next, both words."""
    if left + 1 >= len(layout.ends) or layout.ends[left] != hyphen or layout.starts[left + 1] != hyphen + 1:
        return False
    return _is_word(layout, left) and _is_word(layout, left + 1)


def _is_word(layout: Layout, index: int) -> bool:
    kind, text = layout.kind(index), layout.texts[index]
    return kind in "amh" or (kind == "n" and "." not in text and "," not in text)


def _hangul(layout: Layout, joined: Sequence[str]) -> tuple[str, ...]:
    return tuple(word for word in (*layout.texts, *joined) if class_of(word[0]) == "h")


_ASCII_SIGNS = {sign for sign in map(chr, range(128)) if class_of(sign) in SIGN_CLASSES} - PLAIN_SIGNS
_ASCII_SIGN = re.compile("[" + re.escape("".join(sorted(_ASCII_SIGNS))) + "]")


def _ascii_keys(layout: Layout) -> set[str]:
    """The same as `_further_keys` for a text that is ASCII throughout."""
    keys = set(_ASCII_SIGN.findall(layout.folded))
    if "'s" in layout.folded:
        keys.update(text[:-2] for text in layout.texts if text.endswith("'s") and len(text) > 2)
    return keys


def _further_keys(layout: Layout) -> set[str]:
    keys = {layout.folded[found.start()] for found in _SIGN.finditer(layout.classes)} - PLAIN_SIGNS
    if "'s" in layout.folded:
        keys.update(text[:-2] for text in layout.texts if text.endswith("'s") and len(text) > 2)
    if "u" in layout.classes:
        keys.update(_pairs(layout))
    return keys


def _pairs(layout: Layout) -> Iterator[str]:
    """Neighbouring letters of unspaced scripts, two by two."""
    for index in range(len(layout.texts) - 1):
        start, end = layout.gap(index)
        if start == end and layout.kind(index) == layout.kind(index + 1) == "u":
            yield layout.texts[index] + layout.texts[index + 1]


def analyse(
    text: str,
    zones: Sequence[Zone] = (),
    language: str | None = None,
    options: TextOptions | None = None,
) -> Analysed:
    """Analyse any string: never raises, linear time, at most the bounded characters and terms are read.

    `zones` are code point offsets into `text`. The language is `language`, else that of `options`, else
    English; of the options only it and `fold_accents` matter here: word forms are the entry's choice.
    """
    options = options or TextOptions()
    return Analysed(lay_out(text, zones, options.fold_accents), language or options.language)


def _fingerprint() -> str:
    digest = hashlib.sha256()
    parts = [VERSION, Stemmer.version(), regex.__version__, unicodedata.unidata_version]
    parts += [f"{name}\n{words}" for name, words in LISTS.items()]
    for part in parts:
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()


FINGERPRINT = _fingerprint()
"""Names this analysis: rules, word lists, stemmer, `regex` with its Unicode data, Python's Unicode data."""

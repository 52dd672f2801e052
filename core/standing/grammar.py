"""What a person types as triggers, cut into entries and terms; nothing is judged here."""

from collections.abc import Iterator
from dataclasses import dataclass

import regex

_DASHES = frozenset("-\u2010\u2011\u2013\u2014\u2212")
_SEPARATORS = frozenset(";\uff1b")

# Opening quote -> what may close it.
_QUOTES = {
    '"': '"', "\uff02": "\uff02", "\u201c": "\u201d", "\u201d": "\u201d", "\u201e": "\u201c\u201d",
    "\u00ab": "\u00bb", "\u00bb": "\u00ab", "\u300c": "\u300d", "\u300e": "\u300f", "\uff62": "\uff63",
}  # fmt: skip
_HEBREW = regex.compile(r"[\p{Hebrew}&&\p{L}]", regex.VERSION1)

_WORD = regex.compile(r"[^\s;\uff1b]+")
_WORDLIKE = regex.compile(r"[\p{L}\p{N}\p{Extended_Pictographic}\p{Regional_Indicator}]")
_SHORT_NAME = regex.compile(r":[^\s:]*[\p{L}\p{N}][^\s:]*:")
_INNER_NAME = regex.compile(r":[\w+\-]{1,64}:(?!\w)")
_TERMINAL = regex.compile(r"[\p{Terminal_Punctuation}\u2026]\ufe0f?")


@dataclass(frozen=True, slots=True)
class RawTerm:
    """One term without its marks: the words of a phrase, or a word without trailing punctuation."""

    text: str
    quoted: bool = False
    excluded: bool = False

    @property
    def typed(self) -> str:
        """The term as the grammar writes it, for showing."""
        return f'"{self.text}"' if self.quoted else self.text


@dataclass(frozen=True, slots=True)
class RawEntry:
    """One entry as typed, trimmed, with its terms; `open_quote` when a quote in it is never closed."""

    source: str
    terms: tuple[RawTerm, ...]
    open_quote: bool = False


def read_entries(source: str) -> Iterator[RawEntry]:
    """The entries of `source`, one a line or parted by a semicolon outside quotes; blank ones are skipped."""
    for line in source.replace("\r", "\n").split("\n"):
        yield from _Reader(line).entries()


class _Reader:
    """Reads one line from left to right."""

    def __init__(self, line: str) -> None:
        self._line = line
        self._at = 0
        self._open_quote = False

    def entries(self) -> Iterator[RawEntry]:
        line = self._line
        while self._at < len(line):
            start = self._at
            self._open_quote = False
            terms = tuple(self._terms())
            source = line[start : self._at].strip()
            if source:
                yield RawEntry(source, terms, self._open_quote)
            self._at += 1

    def _terms(self) -> Iterator[RawTerm]:
        while self._skip_white_space() and self._line[self._at] not in _SEPARATORS:
            excluded = self._excludes()
            self._at += excluded
            if self._line[self._at] in _QUOTES:
                yield RawTerm(self._phrase(), quoted=True, excluded=excluded)
            else:
                yield RawTerm(self._word(), excluded=excluded)

    def _skip_white_space(self) -> bool:
        while self._at < len(self._line) and self._line[self._at].isspace():
            self._at += 1
        return self._at < len(self._line)

    def _excludes(self) -> bool:
        """Whether a dash stands here directly before a word or an opening quote, not before another dash."""
        if self._line[self._at] not in _DASHES:
            return False
        following = self._line[self._at + 1 : self._at + 2]
        if not following or following in _DASHES:
            return False
        word = _WORD.match(self._line, self._at + 1)
        return following in _QUOTES or (word is not None and _WORDLIKE.search(word[0]) is not None)

    def _word(self) -> str:
        found = _WORD.match(self._line, self._at)
        word = found[0] if found else ""
        self._at += len(word)
        return without_trailing_punctuation(word)

    def _phrase(self) -> str:
        start = self._at + 1
        end = self._closing_quote(start, _QUOTES[self._line[self._at]])
        if end < 0:
            self._open_quote = True
            end = len(self._line)
        self._at = min(end + 1, len(self._line))
        return self._line[start:end].strip()

    def _closing_quote(self, start: int, closing: str) -> int:
        """The first closing quote that is not the sign inside a Hebrew abbreviation, else the first, else -1."""
        first = -1
        for at in range(start, len(self._line)):
            if self._line[at] in closing:
                if not self._is_inside_hebrew(at):
                    return at
                first = at if first < 0 else first
        return first

    def _is_inside_hebrew(self, at: int) -> bool:
        return all(_HEBREW.match(self._line, place) for place in (at - 1, at + 1))


def is_short_name(text: str) -> bool:
    """Whether `text` is an emoji's name between colons."""
    return _SHORT_NAME.fullmatch(text) is not None


def short_names_in(text: str) -> tuple[tuple[int, int], ...]:
    """Where names between colons begin and end in `text`: not glued to a word, not of digits only."""
    found: list[tuple[int, int]] = []
    at = text.find(":")
    while at >= 0:
        name = _INNER_NAME.match(text, at)
        before = text[at - 1 : at] if not found or found[-1][1] < at else ""
        if name and not _glues(before) and is_short_name(name[0]) and not name[0].strip(":").isdigit():
            found.append(name.span())
        at = text.find(":", found[-1][1] if found and found[-1][0] == at else at + 1)
    return tuple(found)


def _glues(char: str) -> bool:
    return char.isalnum() or char in ("_", ":")


def without_trailing_punctuation(word: str) -> str:
    """`budget` for `budget?`; the colon that ends an emoji's short name stays, and so do signs alone."""
    end = len(word)
    while end and _TERMINAL.fullmatch(word, end - 2 if word[end - 1] == "\ufe0f" and end > 1 else end - 1, end):
        end -= 1
    if word[end : end + 1] == ":" and _ends_in_short_name(word[: end + 1]):
        end += 1
    return word[:end] or word


def _ends_in_short_name(word: str) -> bool:
    names = short_names_in(word)
    return is_short_name(word) or (bool(names) and names[-1][1] == len(word))

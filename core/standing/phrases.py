"""Words of a typed sentence with their places, quotes kept together. Pure, total, linear in the text."""

import re
from dataclasses import dataclass

QUOTES = {'"': '"', "“": "”", "„": "“”", "«": "»", "「": "」", "'": "'", "‘": "’"}
TRAILING = ",;:.!?…"
_SPACE = re.compile(r"\s")
_APOSTROPHES = str.maketrans("’‘ʼ", "'''")


@dataclass(frozen=True, slots=True)
class Word:
    """One word or one quoted phrase.

    `text` is as typed without punctuation behind it (quotes included), `low` is for comparing, `after` the
    punctuation that followed, `start` and `end` enclose `text` in the sentence.
    """

    text: str
    low: str
    start: int
    end: int
    after: str = ""
    quoted: bool = False

    @property
    def inner(self) -> str:
        """The phrase between the quotes; the word itself when there are none."""
        return self.text[1:-1] if self.quoted else self.text

    @property
    def breaks(self) -> bool:
        """Does a comma, colon or the like follow?"""
        return bool(self.after)


def wordset(text: str) -> frozenset[str]:
    """The words of a list, to look one up."""
    return frozenset(text.split())


def words_of(text: str) -> list[Word]:
    """All words of `text` in order. A quote that is left open is part of its word."""
    words: list[Word] = []
    position, length = 0, len(text)
    nearest: dict[str, int] = {}  # where each closing quote comes next, so that no stretch is searched twice
    while position < length:
        if text[position].isspace():
            position += 1
            continue
        end = _quote_end(text, position, nearest)
        if end:
            words.append(_word(text, position, end, quoted=True))
        else:
            end = _run_end(text, position)
            words.append(_word(text, position, end, quoted=False))
        position = words[-1].end + len(words[-1].after)
    return words


def _word(text: str, start: int, end: int, quoted: bool) -> Word:
    stop = end
    if quoted:
        while end < len(text) and text[end] in TRAILING:
            end += 1
    else:
        while stop > start and text[stop - 1] in TRAILING:
            stop -= 1
        if stop == start:  # punctuation alone is a word of its own
            stop = end
    body = text[start:stop]
    return Word(body, "" if quoted else body.translate(_APOSTROPHES).casefold(), start, stop, text[stop:end], quoted)


def _run_end(text: str, position: int) -> int:
    found = _SPACE.search(text, position)
    return found.start() if found else len(text)


def _quote_end(text: str, start: int, nearest: dict[str, int]) -> int:
    """Position behind the closing quote, 0 when no phrase begins here."""
    closing = QUOTES.get(text[start], "")
    found = min((_next(text, mark, start, nearest) for mark in closing), default=len(text))
    if found == len(text):
        return 0
    end = found + 1
    behind = end == len(text) or text[end].isspace() or text[end] in TRAILING
    return end if behind and text[start + 1 : found].strip() else 0


def _next(text: str, mark: str, start: int, nearest: dict[str, int]) -> int:
    if nearest.get(mark, -1) <= start:
        found = text.find(mark, start + 1)
        nearest[mark] = len(text) if found < 0 else found
    return nearest[mark]


def outside_quotes(text: str, marks: tuple[str, ...]) -> tuple[int, str] | None:
    """The first of `marks` that stands outside of quoted phrases: its position and which one it is."""
    spans = [(word.start, word.end) for word in words_of(text) if word.quoted]
    best: tuple[int, str] | None = None
    for mark in marks:
        at = _first_outside(text, mark, spans)
        if at >= 0 and (best is None or at < best[0]):
            best = (at, mark)
    return best


def _first_outside(text: str, mark: str, spans: list[tuple[int, int]]) -> int:
    at, number = text.find(mark), 0
    while at >= 0:
        while number < len(spans) and spans[number][1] <= at:
            number += 1
        if number == len(spans) or at < spans[number][0]:
            return at
        at = text.find(mark, spans[number][1])
    return -1

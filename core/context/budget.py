"""What a text costs in tokens: by an exact tokeniser where one is configured, else by its characters (design 02, 6).

Costs are counted in parts of a token, so that lines can be added up one by one and only the sum is rounded up.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Protocol

import regex

from core.text.scripts import class_of

PARTS = 42
"""Parts of a token: 4.2, 3.5, 3.0, 1.5 and 2.0 characters a token are all whole numbers of them a character."""
OTHER, JSON, CODE, CJK, SEMITIC = 10, 12, 14, 28, 21
"""Parts a character: English and other scripts 4.2 a token, JSON 3.5, code 3.0, CJK 1.5, Arabic and Hebrew 2.0."""
_SEMITIC = regex.compile(r"[\p{Arabic}\p{Hebrew}]")
_TAG = re.compile("<[a-z/][^<>]*>")
_REMEMBERED = 60_000


class Kind(StrEnum):
    """What a text is: where its script says less, JSON and code cost more than words."""

    TEXT = "text"
    JSON = "json"
    CODE = "code"


_LEAST = {Kind.TEXT: OTHER, Kind.JSON: JSON, Kind.CODE: CODE}


class _Weights(dict[int, int]):
    """Code point -> parts of a token, filled on demand and emptied when it has grown too large."""

    def __missing__(self, code: int) -> int:
        char = chr(code)
        weight = OTHER
        if class_of(char) in "uh" or "\u3000" <= char <= "\u303f" or "\uff00" <= char <= "\uffef":
            weight = CJK
        elif _SEMITIC.match(char):
            weight = SEMITIC
        if len(self) >= _REMEMBERED:
            self.clear()
        self[code] = weight
        return weight


_WEIGHTS = _Weights()


def parts(text: str, kind: Kind = Kind.TEXT) -> int:
    """What `text` costs, in parts of a token; all of it is of that kind."""
    least = _LEAST[kind]
    if text.isascii():
        return len(text) * least
    return sum(max(_WEIGHTS[ord(char)], least) for char in text)


def estimate(text: str, kind: Kind = Kind.TEXT) -> int:
    """Tokens of `text`, rounded up. Tags, as in the blocks that we write, count as code."""
    if kind is not Kind.TEXT or "<" not in text:
        return tokens(parts(text, kind))
    tags = _TAG.findall(text)
    return tokens(sum(parts(tag, Kind.CODE) for tag in tags) + parts(_TAG.sub("", text)))


def tokens(cost: int) -> int:
    """Parts as whole tokens, rounded up."""
    return -(-cost // PARTS)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a block, its line break left out, with its estimated cost in parts, line break included."""

    text: str
    parts: int


def text_of(lines: Sequence[Line]) -> str:
    """The text of a block."""
    return "\n".join(line.text for line in lines)


def line_of(*pieces: tuple[str, Kind]) -> Line:
    """A line of pieces, each of its kind."""
    cost = sum(parts(text, kind) for text, kind in pieces)
    return Line("".join(text for text, _ in pieces), cost + OTHER)


class Tokeniser(Protocol):
    """Counts tokens as the model that reads the bundle does."""

    def count(self, text: str) -> int: ...


class Meter(Protocol):
    """What lines cost. `scale` is how many of its units make a token."""

    @property
    def scale(self) -> int: ...

    def cost(self, line: Line) -> int:
        """The line with its line break, in units."""
        ...

    def tokens(self, lines: Sequence[Line]) -> int:
        """A whole block of lines, in tokens."""
        ...


@dataclass(frozen=True, slots=True)
class ByScript:
    """The estimate: what lines cost stands in them."""

    scale: int = PARTS

    def cost(self, line: Line) -> int:
        """The line with its line break, in parts."""
        return line.parts

    def tokens(self, lines: Sequence[Line]) -> int:
        """A whole block of lines, in tokens; the last has no line break."""
        return tokens(sum(line.parts for line in lines) - OTHER)


@dataclass(frozen=True, slots=True)
class Exactly:
    """A tokeniser; the lines that it has counted are remembered."""

    tokeniser: Tokeniser
    scale: int = 1
    _count: Callable[[str], int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_count", lru_cache(maxsize=4_096)(self.tokeniser.count))

    def cost(self, line: Line) -> int:
        """The line with its line break, in tokens."""
        return self._count(line.text + "\n")

    def tokens(self, lines: Sequence[Line]) -> int:
        """A whole block of lines, in tokens; the last has no line break."""
        return self.tokeniser.count(text_of(lines))


ESTIMATED = ByScript()

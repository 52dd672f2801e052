"""Lines for people as segments, so that each adapter styles and escapes them for its own target.

Texts of the catalogue may hold `**strong**`, `{fields}` and `*{fields}*` that quote. What fills a field is never read
as a mark.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from string import Formatter

from core.catalogue import template
from core.standing.durations import Moment
from core.turn import Principal


class Mood(StrEnum):
    """What a whole line is."""

    PLAIN = "plain"
    HEAD = "head"
    FAINT = "faint"
    GOOD = "good"
    WARNING = "warning"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of text. What `people` wrote is escaped by each adapter for its target.

    With `who` it is the name of that person: where the platform has mentions, it is one, and the only kind that pings.
    `quoted` is what somebody said: set in italics, or between asterisks where there is only plain text. With `moment`
    it is a time, which some platforms show in the zone of whoever reads it.
    """

    text: str
    strong: bool = False
    people: bool = False
    who: Principal | None = None
    quoted: bool = False
    moment: Moment | None = None

    @property
    def plain(self) -> str:
        """The words as plain text."""
        return f"*{self.text}*" if self.quoted else self.text


@dataclass(frozen=True, slots=True)
class Line:
    """One line of an answer."""

    segments: tuple[Segment, ...]
    mood: Mood = Mood.PLAIN

    @property
    def text(self) -> str:
        """The words alone."""
        return "".join(segment.plain for segment in self.segments)


@dataclass(frozen=True, slots=True)
class Named:
    """A field that names a person, who is mentioned by it."""

    name: str
    who: Principal

    def __str__(self) -> str:
        return self.name


def line(key: str, mood: Mood = Mood.PLAIN, /, **values: object) -> Line:
    """The catalogue's text of `key` as a line, its fields filled in as what people wrote, or with lines of ours."""
    return Line(_segments(template(key), values), mood)


def fact(text: str) -> Line:
    """Words that are put together already, as a line: what people wrote may be in them."""
    return Line((Segment(text, people=True),))


def lines(key: str) -> tuple[Line, ...]:
    """A text of several lines, without fields."""
    return tuple(Line(_segments(part, {})) for part in template(key).split("\n"))


def _segments(text: str, values: Mapping[str, object]) -> tuple[Segment, ...]:
    segments: list[Segment] = []
    strong = quoted = False
    for literal, name, _, _ in Formatter().parse(text):
        if quoted:
            literal = literal.removeprefix("*")
        quoted = literal.endswith("*") and not literal.endswith("**")
        for number, part in enumerate(literal.removesuffix("*" if quoted else "").split("**")):
            strong ^= bool(number)
            if part:
                segments.append(Segment(part, strong))
        if name is not None:
            value = values[name]
            if isinstance(value, Line):
                segments.extend(replace(one, strong=one.strong or strong) for one in value.segments)
                continue
            who = value.who if isinstance(value, Named) else None
            moment = value if isinstance(value, Moment) else None
            segments.append(Segment(str(value), strong, True, who, quoted, moment))
    return tuple(segments)


def joined(lines: tuple[Line, ...] | list[Line], separator: str = " ") -> Line:
    """Several lines as one, in the mood of the first."""
    segments: list[Segment] = []
    for number, part in enumerate(lines):
        if number:
            segments.append(Segment(separator))
        segments.extend(part.segments)
    return Line(tuple(segments), lines[0].mood if lines else Mood.PLAIN)


def apart(parts: tuple[Line, ...] | list[Line], separator: str = " · ") -> tuple[Line, ...]:
    """What is said first on a line of its own, the facts about it faint below; a single fact stays beside it."""
    first, *facts = parts
    if len(facts) < 2:
        return (joined(parts, separator),)
    return first, Line(joined(facts, separator).segments, Mood.FAINT)

"""Text in Telegram's form: entities counted in UTF-16 units, on the way in and on the way out."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from telegram import MessageEntity, User

from core.text.zones import MarkedText, Zone, ZoneKind
from core.wording.lines import Line, Mood, Segment

TEXT_UNITS = 4_096
ENTITIES = 100
_JOINER = "\u2060"  # nothing to see; behind an @ it keeps a name from being a mention
_CODE = frozenset({MessageEntity.CODE, MessageEntity.PRE})
_QUOTES = frozenset({MessageEntity.BLOCKQUOTE, MessageEntity.EXPANDABLE_BLOCKQUOTE})
_MENTIONS = frozenset({MessageEntity.MENTION, MessageEntity.TEXT_MENTION})
_UNSENDABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
_BREAKS = re.compile(r"\s")
_AT = re.compile(r"(?<!\w)@(?=\w)")
"""Where Telegram would find a mention by itself."""


def units(text: str) -> int:
    """How many UTF-16 units a text has: what Telegram counts in."""
    return len(text) + sum(char > "\uffff" for char in text)


class Offsets:
    """Places in a text by UTF-16 units; one beyond the end is the end, one inside a character its beginning."""

    def __init__(self, text: str) -> None:
        self._length = len(text)
        self._wide = [at for at, char in enumerate(text) if char > "\uffff"]

    def index(self, unit: int) -> int:
        """The code point at this many UTF-16 units."""
        before = 0
        for count, at in enumerate(self._wide):
            if at + count >= unit:
                break
            before = count + 1
        return min(max(unit - before, 0), self._length)


def marked(text: str, entities: Sequence[MessageEntity]) -> MarkedText:
    """What an adapter hands over: the plain text, and code, quotes, mentions and links as zones."""
    offsets = Offsets(text)
    zones = [zone for entity in entities if (zone := _zone(text, entity, offsets)) is not None]
    return MarkedText(text, tuple(sorted(zones, key=lambda zone: (zone.start, zone.end))))


def _zone(text: str, entity: MessageEntity, offsets: Offsets) -> Zone | None:
    start, end = offsets.index(entity.offset), offsets.index(entity.offset + entity.length)
    if entity.type in _CODE:
        return Zone(start, end, ZoneKind.CODE)
    if entity.type in _QUOTES:
        return Zone(start, end, ZoneKind.QUOTE)
    if entity.type in _MENTIONS:
        return Zone(start, end, ZoneKind.MENTION, text[start:end].removeprefix("@"))
    if entity.type == MessageEntity.TEXT_LINK and entity.url:
        return Zone(end, end, ZoneKind.LINK, entity.url)
    return None


@dataclass(frozen=True, slots=True)
class Part:
    """One message to send: at most `TEXT_UNITS` UTF-16 units."""

    text: str
    entities: tuple[MessageEntity, ...] = ()


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int
    type: str
    user: User | None = None


def parts_of(lines: Iterable[Line]) -> list[Part]:
    """Lines as messages: cut at the end of a line, else at a space, else anywhere; nothing is lost.

    Formatting is told by entities, never by marks in the text, so that nothing a person wrote can break it.
    """
    text, spans = _written(lines)
    return [_part(text, spans, start, end) for start, end in _cuts(text)]


def _written(lines: Iterable[Line]) -> tuple[str, list[_Span]]:
    pieces: list[str] = []
    spans: list[_Span] = []
    at = 0
    for number, line in enumerate(lines):
        if number:
            pieces.append("\n")
            at += 1
        begin = at
        for before, segment in _with_before(line.segments):
            shown = _shown(before, segment)
            if segment.who is not None:
                spans.append(
                    _Span(at - (before[-1:] == "@"), at + len(shown), MessageEntity.TEXT_MENTION, _user(segment))
                )
            elif segment.strong or segment.quoted:
                kind = MessageEntity.ITALIC if segment.quoted else MessageEntity.BOLD
                spans.append(_Span(at, at + len(shown), kind))
            pieces.append(shown)
            at += len(shown)
        if line.mood is Mood.HEAD:
            spans = [span for span in spans if span.start < begin or span.type != MessageEntity.BOLD]
            spans.append(_Span(begin, at, MessageEntity.BOLD))
    return "".join(pieces), spans


def _with_before(segments: Sequence[Segment]) -> Iterator[tuple[str, Segment]]:
    before = ""
    for segment in segments:
        yield before, segment
        before = segment.text


def _shown(before: str, segment: Segment) -> str:
    """Without characters that would steer what is shown; what people wrote pings nobody unless it is a mention."""
    safe = _UNSENDABLE.sub("\ufffd", segment.text)
    if not segment.people or segment.who is not None:
        return safe
    quiet = _AT.sub(f"@{_JOINER}", safe)
    return f"{_JOINER}{quiet}" if before.endswith("@") else quiet


def _user(segment: Segment) -> User:
    assert segment.who is not None, "only called for a mention"  # noqa: S101
    return User(int(segment.who.user_id), segment.text or segment.who.user_id, is_bot=False)


def _cuts(text: str) -> Iterator[tuple[int, int]]:
    """Where the messages begin and end."""
    start = 0
    while start < len(text) or start == 0:
        end = _reach(text, start)
        if end < len(text):
            end = _break_before(text, start, end)
        yield start, end
        if end >= len(text):
            return
        start = end + (text[end] == "\n")


def _reach(text: str, start: int) -> int:
    """How far `TEXT_UNITS` reach from here."""
    left, at = TEXT_UNITS, start
    while at < len(text):
        left -= 2 if text[at] > "\uffff" else 1
        if left < 0:
            break
        at += 1
    return at


def _break_before(text: str, start: int, end: int) -> int:
    newline = text.rfind("\n", start + 1, end + 1)
    if newline > start:
        return newline
    spaces = [found.end() for found in _BREAKS.finditer(text, max(start + 1, end - 200), end)]
    return spaces[-1] if spaces else end


def _part(text: str, spans: Iterable[_Span], start: int, end: int) -> Part:
    inside = [span for span in spans if span.start < end and span.end > start][:ENTITIES]
    entities = [
        _entity(text, start, max(span.start, start), min(span.end, end), span)
        for span in sorted(inside, key=lambda span: (span.start, -span.end))
    ]
    return Part(text[start:end], tuple(entity for entity in entities if entity.length))


def _entity(text: str, origin: int, start: int, end: int, span: _Span) -> MessageEntity:
    return MessageEntity(span.type, units(text[origin:start]), units(text[start:end]), user=span.user)

"""Lines as Discord's Markdown: what people wrote shows as it stands, and no message is longer than it may be. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from adapters.discord.phrasing import phrased_segments
from core.standing.durations import Moment
from core.wording.lines import Line, Mood, Segment

CONTENT_CHARS = 2_000
EMBED_CHARS = 4_096
FAINT = "-# "
_UNSENDABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
_TAG = r"(?:[@#:/]|a:|t:|id:|https?:)"
_MARKS = re.compile(
    rf"https?://[^\s<]*[^\s<\\](?=\\+<{_TAG})|https?://[^\s<]+(?:<(?!{_TAG}))?|[\\*_~|`<\[\]]|:(?=[\w+\-]+:)",
    re.IGNORECASE,
)
_LINE_MARK = re.compile(r"(?m)^(\s*)(#{1,3}(?=\s|$)|-#(?=\s|$)|>{1,3}|[-+](?=\s|$)|\d+(?=[.)](?:\s|$)))")
_ADDRESS = re.compile(r"https?://", re.IGNORECASE)
_BREAKS = re.compile(r"\s+")
_NEAR = 200
"""So far back from the end of a message a space is looked for, to cut there."""


def size(text: str) -> int:
    """How long a text is at most for Discord: in UTF-16 units."""
    return len(text) + sum(char > "\uffff" for char in text)


def escaped(text: str) -> str:
    """Text that shows as it stands. Addresses are left alone: Discord does not look for marks in them."""
    shown = _MARKS.sub(
        lambda found: found[0] if len(found[0]) > 1 else f"\\{found[0]}", _UNSENDABLE.sub("\ufffd", text)
    )
    return _LINE_MARK.sub(_no_mark, shown)


def _no_mark(found: re.Match[str]) -> str:
    mark = found[2]
    return f"{found[1]}{mark}\\" if mark[0].isdecimal() else f"{found[1]}\\{mark}"


@dataclass(frozen=True, slots=True)
class _Piece:
    """Text that is written between two marks; `text` is not escaped yet where people wrote it."""

    text: str
    mark: str = ""
    people: bool = False
    whole: str = ""

    def written(self) -> str:
        """As Markdown. A mark that would not work there is left out."""
        if self.whole:
            return self.whole
        text = escaped(self.text) if self.people else _UNSENDABLE.sub("\ufffd", self.text)
        bare = self.text.strip()
        if not self.mark or not bare or _ADDRESS.search(self.text):
            return text
        before, _, after = text.partition(text.strip())
        return f"{before}{self.mark}{text.strip()}{self.mark}{after}"


def parts_of(lines: Iterable[Line], most: int = CONTENT_CHARS, faint: str = FAINT) -> list[str]:
    """Lines as messages of at most `most` UTF-16 units: cut at the end of a line, else at a space, else anywhere.

    Nothing is lost. At least one message, which is never empty. `faint` is what a faint line begins with.
    """
    parts, text = [], ""
    for found in lines:
        for number, row in enumerate(_rows(found, most, faint)):
            glue = "\n" if text and not number else ""
            if number or size(text) + size(glue) + size(row) > most:
                if text.strip():
                    parts.append(text)
                text, glue = "", ""
            text += glue + row
    if text.strip() or not parts:
        parts.append(text if text.strip() else "…")
    return parts


def _rows(found: Line, most: int, faint: str) -> Iterator[str]:
    """A line as it is written; in several rows, of which each is a message of its own, where it is too long."""
    row, lead = "", faint if found.mood is Mood.FAINT else ""
    for piece in _pieces(found):
        rest: _Piece | None = piece
        while rest is not None:
            room = most - size(lead) - size(row)
            wanted = size(rest.written())
            if row and wanted > room and (rest.whole or room <= _NEAR):
                yield lead + row
                row = ""
                continue
            part, rest = _cut(rest, room)
            written = part.written()
            row += written if row or not lead else written.lstrip()
    yield lead + row if row else ""


def _pieces(found: Line) -> list[_Piece]:
    head = found.mood is Mood.HEAD
    pieces: list[_Piece] = []
    for segment in phrased_segments(found.segments):
        if segment.who is not None:
            _drop_sign(pieces)
            pieces.append(_Piece("", whole=f"<@{segment.who.user_id}>"))
        elif segment.moment is not None:
            pieces.append(_Piece("", whole=_time(segment.moment)))
        else:
            pieces.append(_Piece(segment.text, _mark(segment, head), segment.people))
    return list(_merged(pieces))


def _mark(segment: Segment, head: bool) -> str:
    strong = segment.strong or head
    return ("**" if strong else "") + ("*" if segment.quoted else "")


def _time(moment: Moment) -> str:
    """A time that everybody reads in their own zone, with or without the weekday."""
    return f"<t:{int(moment.at.timestamp())}:{'F' if moment.full else 'f'}>"


def _drop_sign(pieces: list[_Piece]) -> None:
    """A mention brings its own @."""
    if pieces and pieces[-1].text.endswith("@") and not pieces[-1].people:
        last = pieces.pop()
        pieces.append(_Piece(last.text[:-1], last.mark))


def _merged(pieces: Sequence[_Piece]) -> Iterator[_Piece]:
    """Neighbours between the same marks as one, since two closing marks beside two opening ones are none.

    Words of ours and of people stay apart where no mark is: they are escaped in different ways.
    """
    kept: list[_Piece] = []
    for piece in pieces:
        last = kept[-1] if kept else None
        if last is not None and piece.mark and last.mark == piece.mark and not (last.whole or piece.whole):
            words = (escaped(last.text) if last.people else last.text) + (
                escaped(piece.text) if piece.people else piece.text
            )
            kept[-1] = _Piece(words, piece.mark)
        else:
            kept.append(piece)
    yield from kept


def _cut(piece: _Piece, room: int) -> tuple[_Piece, _Piece | None]:
    """As much of a piece as there is room for, and what is left of it."""
    if size(piece.written()) <= room:
        return piece, None
    end = _reach(piece, piece.text, room)
    first, left = (_Piece(text, piece.mark, piece.people) for text in (piece.text[:end], piece.text[end:]))
    return first, left


def _reach(piece: _Piece, text: str, most: int) -> int:
    """How much of a text fits, at a space where there is one near the end."""
    low, high = 1, min(len(text), most)
    while low < high:
        middle = (low + high + 1) // 2
        fits = size(_Piece(text[:middle], piece.mark, piece.people).written()) <= most
        low, high = (middle, high) if fits else (low, middle - 1)
    if low >= len(text):
        return low
    if (low - len(text[:low].rstrip("\\"))) % 2 and low > 1:
        low -= 1  # a sign stays with what escapes it
    spaces = [found.end() for found in _BREAKS.finditer(text, max(1, low - _NEAR), low)]
    return spaces[-1] if spaces else low

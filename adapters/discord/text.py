"""Discord Markdown to plain text with zones.

One pass from left to right; every mark is looked at a fixed number of times, so the work is linear in the
length of the message. Whatever is not valid Markdown stays as typed. Never raises.
"""

import re
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field

from core.text.zones import MarkedText, Zone, ZoneKind

_SPECIAL = re.compile(r"[\\`*_~|<:\[\]\n]|https?://", re.IGNORECASE)
_RUN = re.compile(r"(.)\1*", re.DOTALL)
_ESCAPED = re.compile(r"\\([^0-9A-Za-z\s])")
_BACKTICKS = re.compile("`+")
_BLOCK_QUOTE = re.compile(r" *>>> ")
_QUOTED_LINE = re.compile(r" *> [^\n]*")
_LINE_MARK = re.compile(r" *(?:#{1,3} +|-# +|[*-] +(?:\[[ xX]\] +)?)(?=\S)")
_URL = re.compile(r"https?://[^\s<]+", re.IGNORECASE)
_BRACKETED_URL = re.compile(r"https?://[^\s<>]+(?=>)", re.IGNORECASE)
_LINK = re.compile(
    r"\[([^\[\]\n]*)\]\(\s*<?(https?://[^\s()<>]+(?:\([^\s()<>]*\)[^\s()<>]*)?)>?(?:\s+[\"'][^\"'\n]*[\"'])?\s*\)"
)
_SHORT_NAME = re.compile(r":([\w+\-]{1,64}):(?!\w)")
_ANGLE = re.compile(
    r"<(?:(?P<emoji>a?:\w{1,64}:)\d{1,25}|@[!&]?(?P<user>\d{1,25})|#(?P<channel>\d{1,25})"
    r"|(?P<time>t:-?\d{1,20}(?::[a-zA-Z])?)|(?P<command>/[^\n<>:]{1,100}):\d{1,25}|id:(?P<guide>[a-z\-]{1,32}))>"
)
_ANY_QUOTE = re.compile('["\uff02\u201c-\u201f\u00ab\u00bb\u300c-\u300f\uff62\uff63\u05f4]')
_PARTS_TERMS = re.compile("[\\s;\uff1b]")
_MAY_PRECEDE = re.compile("[\\s;\uff1b\u2010-\u2015\u2212-]|" + _ANY_QUOTE.pattern)
_PAIRED = {"*": ("*", "**"), "_": ("_", "__"), "~": ("~~",), "|": ("||",)}


def to_marked_text(content: str, mentions: Mapping[str, str] | None = None) -> MarkedText:
    """The plain text of a message and its zones.

    `mentions` maps ids of users, roles and channels to the names shown; one that is not there is no text.
    Code and quoted lines stay in the text, each under a zone that keeps it out of matching.
    """
    return _Scanner(content, mentions or {}).run()


def to_entry_text(typed: str, mentions: Mapping[str, str] | None = None) -> str:
    """A trigger as typed into Discord with its ids made readable: `:name:` for custom emoji, `@name`.

    No Markdown is removed: in a trigger every sign counts. A name of several words is put in quotes, so that
    it stays one term.
    """
    names = mentions or {}
    quotes = "\u300e\u300f" if _ANY_QUOTE.search(typed) else '""'

    def shown(found: re.Match[str], sign: str, name: str) -> str:
        text = _with_sign(sign, " ".join(_ANY_QUOTE.sub(" ", name).split()))
        if not _PARTS_TERMS.search(text):
            return text
        glued = found.start() > 0 and not _MAY_PRECEDE.fullmatch(typed[found.start() - 1])
        return f"{' ' if glued else ''}{quotes[0]}{text}{quotes[1]}"

    def readable(found: re.Match[str]) -> str:
        if found["emoji"]:
            return found["emoji"].removeprefix("a")
        if found["user"] and found["user"] in names:
            return shown(found, "@", names[found["user"]])
        if found["channel"] and found["channel"] in names:
            return shown(found, "#", names[found["channel"]])
        return found[0]

    return _ANGLE.sub(readable, typed)


def to_shown_text(typed: str, mentions: Mapping[str, str] | None = None) -> str:
    """A text for people with its ids made readable, as `@name`, `#name` or `:name:`; all else stays as typed."""
    names = mentions or {}

    def readable(found: re.Match[str]) -> str:
        if found["emoji"]:
            return found["emoji"].removeprefix("a")
        name = names.get(found["user"] or found["channel"] or "")
        return _with_sign("#" if found["channel"] else "@", name) if name else found[0]

    return _ANGLE.sub(readable, typed)


def _with_sign(sign: str, name: str) -> str:
    return name if name.startswith(sign) else sign + name


@dataclass(slots=True)
class _Span:
    """A zone over pieces `first`..`last` (exclusive)."""

    first: int
    last: int
    kind: ZoneKind
    value: str = ""


@dataclass(slots=True)
class _Scanner:
    """Collects pieces of plain text; a mark is a piece that is blanked when its partner is found."""

    content: str
    mentions: Mapping[str, str]
    pieces: list[str] = field(default_factory=list)
    spans: list[_Span] = field(default_factory=list)
    open_marks: list[tuple[str, int]] = field(default_factory=list)
    link_ends: dict[int, tuple[int, str]] = field(default_factory=dict)
    backticks: dict[int, list[int]] | None = None
    at: int = 0

    def run(self) -> MarkedText:
        self._line_start()
        while self.at < len(self.content):
            found = _SPECIAL.search(self.content, self.at)
            if found is None:
                self._put(self.content[self.at :])
                break
            self._put(self.content[self.at : found.start()])
            self.at = found.start()
            self._special(found[0])
        return self._finish()

    def _put(self, text: str) -> None:
        if text:
            self.pieces.append(text)

    def _take(self, length: int, text: str | None = None) -> None:
        """Go on by `length` characters; they, or `text` instead, go to the output."""
        self._put(self.content[self.at : self.at + length] if text is None else text)
        self.at += length

    def _take_zone(self, length: int, kind: ZoneKind, text: str, value: str = "") -> None:
        first = len(self.pieces)
        self._take(length, text)
        self.spans.append(_Span(first, len(self.pieces), kind, value))

    def _special(self, char: str) -> None:
        if char == "\n":
            self._take(1)
            self._line_start()
        elif char == "\\":
            escaped = _ESCAPED.match(self.content, self.at)
            self._take(2 if escaped else 1, escaped[1] if escaped else None)
        elif char == "`":
            self._code()
        elif char in _PAIRED:
            self._marks(char)
        elif char == "<":
            self._angle()
        elif char == ":":
            self._short_name()
        elif char in "[]":
            self._bracket(char)
        else:
            self._url()

    # -- lines --

    def _line_start(self) -> None:
        if _BLOCK_QUOTE.match(self.content, self.at):
            rest = self.content[self.at :]
            self._take_zone(len(rest), ZoneKind.QUOTE, rest)
            return
        quoted = _QUOTED_LINE.match(self.content, self.at)
        if quoted:
            self._take_zone(len(quoted[0]), ZoneKind.QUOTE, quoted[0])
            return
        mark = _LINE_MARK.match(self.content, self.at)
        if mark:
            self._take(len(mark[0]), "")

    # -- code --

    def _code(self) -> None:
        run = _BACKTICKS.match(self.content, self.at)
        length = len(run[0]) if run else 1
        start = self.at + length
        end = self._fence_end(start) if length >= 3 else self._span_end(start, length)
        if end < 0:
            self._take(length)
            return
        closing = 3 if length >= 3 else length
        self._take_zone(end + closing - self.at, ZoneKind.CODE, self.content[start:end] or " ")

    def _fence_end(self, start: int) -> int:
        return self._next_run(start, 3, 10**9)

    def _span_end(self, start: int, length: int) -> int:
        return self._next_run(start, length, length)

    def _next_run(self, start: int, shortest: int, longest: int) -> int:
        """Where the next run of backticks of that length begins, else -1."""
        if self.backticks is None:
            self.backticks = {}
            for run in _BACKTICKS.finditer(self.content):
                self.backticks.setdefault(min(len(run[0]), 3), []).append(run.start())
        for length in range(min(shortest, 3), min(longest, 3) + 1):
            starts = self.backticks.get(length, [])
            place = bisect_left(starts, start)
            if place < len(starts):
                return starts[place]
        return -1

    # -- paired marks --

    def _marks(self, char: str) -> None:
        run = _RUN.match(self.content, self.at)
        length = len(run[0]) if run else 1
        before = self.content[self.at - 1 : self.at] if self.at else ""
        after = self.content[self.at + length : self.at + length + 1]
        for mark in self._split(char, length):
            self._mark(mark, before, after)

    def _split(self, char: str, length: int) -> tuple[str, ...]:
        """A run as marks: three are a double and a single one, the innermost closing first."""
        kinds = _PAIRED[char]
        if char * length in kinds:
            return (char * length,)
        if char in "*_" and length == 3:
            single_is_inner = bool(self.open_marks) and self.open_marks[-1][0] == char
            return (char, char * 2) if single_is_inner else (char * 2, char)
        if char in "~|" and length == 4:
            return (char * 2, char * 2)
        return (char * length,)

    def _mark(self, mark: str, before: str, after: str) -> None:
        self.pieces.append(mark)
        self.at += len(mark)
        if mark not in _PAIRED[mark[0]]:
            return
        place = next((n for n, (kind, _) in enumerate(self.open_marks) if kind == mark), -1)
        if place >= 0 and _may_close(mark, before, after):
            if self.open_marks[place][1] == len(self.pieces) - 2:
                return  # nothing between: two marks side by side are text
            self._close(place)
        elif place < 0 and _may_open(mark, before, after):
            self.open_marks.append((mark, len(self.pieces) - 1))

    def _close(self, place: int) -> None:
        """Blank both marks; what was opened inside and not closed is text, but for a mark of the same run."""
        mark, piece = self.open_marks[place]
        self.pieces[piece] = self.pieces[-1] = ""
        inside = self.open_marks[place + 1 : place + 2]
        self.open_marks[place:] = [(kind, at) for kind, at in inside if at == piece + 1 and kind[0] == mark[0]]

    # -- references, emoji, links --

    def _angle(self) -> None:
        found = _ANGLE.match(self.content, self.at)
        if found is None:
            self._take(1)
        elif found["emoji"]:
            name = found["emoji"].removeprefix("a")
            self._take_zone(len(found[0]), ZoneKind.EMOJI, name, name)
        elif found["command"]:
            self._take(len(found[0]), found["command"])
        else:
            self._mention(found)

    def _mention(self, found: re.Match[str]) -> None:
        sign = "#" if found["channel"] else "@"
        name = self.mentions.get(found["user"] or found["channel"] or "")
        if not name:
            self._take(len(found[0]), " ")
            return
        shown = _with_sign(sign, name)
        self._take_zone(len(found[0]), ZoneKind.MENTION, shown, shown.removeprefix("@"))

    def _short_name(self) -> None:
        found = _SHORT_NAME.match(self.content, self.at)
        before = self.content[self.at - 1 : self.at] if self.at else ""
        name = found[1] if found else ""
        glued = _is_wordy(before) or (before == ":" and not self._emoji_just_ended())
        if found is None or glued or not name.strip("-+_") or name.isdigit():
            self._take(1)
            return
        self._take_zone(len(found[0]), ZoneKind.EMOJI, found[0], found[0])

    def _emoji_just_ended(self) -> bool:
        last = self.spans[-1] if self.spans else None
        return last is not None and last.kind is ZoneKind.EMOJI and last.last == len(self.pieces)

    def _bracket(self, char: str) -> None:
        if char == "[":
            link = _LINK.match(self.content, self.at)
            if link is not None and link[1].strip():
                self.link_ends[link.end(1)] = (link.end(), link[2])
            self._take(1, "" if link is not None and link[1].strip() else None)
        elif self.at in self.link_ends:
            end, address = self.link_ends.pop(self.at)
            self._take_zone(end - self.at, ZoneKind.LINK, "", address)
        else:
            self._take(1)

    def _url(self) -> None:
        """An address as it is: its signs are no marks, but the end of what was opened before it is.

        An empty zone after it keeps what stands there without white space from being read as its path.
        """
        bracketed = self.content[self.at - 1 : self.at] == "<" and self.at > 0
        found = (bracketed and _BRACKETED_URL.match(self.content, self.at)) or _URL.match(self.content, self.at)
        if found is None:
            self._take(1)
            return
        end = found.end()
        for mark, _ in self.open_marks:
            closing = (
                self.content.rfind(mark, self.at, end) if mark[0] == "_" else self.content.find(mark, self.at, end)
            )
            if closing >= 0 and (mark[0] != "_" or closing + len(mark) == end):
                end = closing
        if self.link_ends:
            end = min(end, *(close for close in self.link_ends if close > self.at), end)
        self._take(end - self.at)
        if end < len(self.content) and not self.content[end].isspace():
            self._take_zone(0, ZoneKind.LINK, "")

    def _finish(self) -> MarkedText:
        offsets = [0]
        for piece in self.pieces:
            offsets.append(offsets[-1] + len(piece))
        zones = (Zone(offsets[s.first], offsets[s.last], s.kind, s.value) for s in self.spans)
        return MarkedText("".join(self.pieces), tuple(zones))


def _may_open(mark: str, before: str, after: str) -> bool:
    if mark == "_" and _is_ascii_word(before):
        return False
    return bool(after) and (len(mark) > 1 or not after.isspace())


def _may_close(mark: str, before: str, after: str) -> bool:
    if mark == "_" and _is_ascii_word(after):
        return False
    return bool(before) and (len(mark) > 1 or not before.isspace())


def _is_wordy(char: str) -> bool:
    return char.isalnum() or char == "_"


def _is_ascii_word(char: str) -> bool:
    """What the platform takes for the inside of a word: letters of other alphabets end an underscore's mark."""
    return char.isascii() and _is_wordy(char)

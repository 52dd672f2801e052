"""What the terminal shows: text from people made harmless, styled or plain lines, or JSON lines."""

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Protocol, TextIO
from zlib import crc32

from rich.console import Console
from rich.text import Text

from core.limits import LIMITS
from core.wording.lines import Line, Mood

BOT = "remembrancer"
BAR = "│ "
_NAME_STYLES = ("cyan", "green", "yellow", "blue", "bright_cyan", "bright_green")
_MOODS = {
    Mood.PLAIN: "",
    Mood.HEAD: "bold",
    Mood.FAINT: "dim",
    Mood.GOOD: "green",
    Mood.WARNING: "yellow",
    Mood.BAD: "red",
}
_INDENT = re.compile(r"\s*(?:[✓✗-] )?")
_MIN_ROOM = 20
_JOINERS = frozenset("\u200c\u200d")  # some scripts and emoji need them
_HIDDEN = frozenset({"Cc", "Cs", "Cf", "Zl", "Zp", "Co"})


def harmless(text: str, limit: int = LIMITS.shown_chars) -> str:
    """Text that cannot steer a terminal: control and broken characters as escapes, cut at `limit`."""
    shown = text if len(text) <= limit else text[:limit]
    safe = "".join(char if _is_harmless(char) else _escape(char) for char in shown)
    return safe if shown is text else f"{safe}… ({len(text):,} characters)"


def _is_harmless(char: str) -> bool:
    return " " <= char <= "~" or char in _JOINERS or unicodedata.category(char) not in _HIDDEN


def _escape(char: str) -> str:
    return " " if char in "\n\t\r" else f"\\u{ord(char):04x}"


class Screen(Protocol):
    """Where the console shows things."""

    def said(self, name: str, place: str, text: str) -> None:
        """A line that somebody typed, in a transcript."""
        ...

    def typed(self, name: str, place: str, text: str) -> Iterator[None]:
        """The same, one key a step."""
        ...

    def note(self, line: Line) -> None:
        """A remark of the demonstration."""
        ...

    def posted(self, place: str, line: Line) -> None:
        """A message of the bot, for everybody in that place."""
        ...

    def private(self, lines: Iterable[Line]) -> None:
        """An answer for the person typing alone."""
        ...


class _Console(Console):
    """Rich ends the process when nobody reads any more; here the loop ends the chat."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


class RichScreen:
    """Styled on a terminal, plain and unwrapped in a pipe."""

    def __init__(
        self,
        stream: TextIO | None = None,
        colour: bool = True,
        width: int | None = None,
        terminal: bool | None = None,
    ) -> None:
        self.console = _Console(
            file=stream,
            no_color=not colour,
            highlight=False,
            markup=False,
            emoji=False,
            width=width,
            force_terminal=terminal,
        )

    def said(self, name: str, place: str, text: str) -> None:
        """`ada #ops> text`."""
        self._hanging(_head(name, place, name_style(name)), Text(harmless(text)))

    def typed(self, name: str, place: str, text: str) -> Iterator[None]:
        """The same, one key a step; in a pipe at once."""
        if not self.console.is_terminal:
            self.said(name, place, text)
            return
        self.console.print(_head(name, place, name_style(name)), end="")
        for key in text:
            self.console.print(Text(harmless(key)), end="", soft_wrap=True)
            yield
        self.console.print()

    def note(self, line: Line) -> None:
        """A line of its own, after an empty one."""
        self._show(Text())
        self._show(Text.assemble(("# ", "dim"), styled(line)))

    def posted(self, place: str, line: Line) -> None:
        """`remembrancer #ops> Reminder ...`."""
        self._hanging(_head(BOT, place, "bold magenta"), styled(line))

    def private(self, lines: Iterable[Line]) -> None:
        """Each line behind a bar, wrapped lines too; those hang under the text of the first."""
        for line in lines:
            text = styled(line)
            indent = _INDENT.match(text.plain)
            size = indent.end() if indent else 0
            bar = Text(BAR, "dim cyan")
            self._hanging(Text.assemble(bar, text[:size]), text[size:], Text.assemble(bar, " " * size))

    def _hanging(self, head: Text, text: Text, under: Text | None = None) -> None:
        """`head` and the text, on a terminal wrapped so that further lines stand behind `under`."""
        under = Text(" " * head.cell_len) if under is None else under
        room = self.console.width - head.cell_len
        if not self.console.is_terminal or head.cell_len + text.cell_len <= self.console.width:
            self._show(Text.assemble(head, text))
            return
        if room < _MIN_ROOM:
            under = Text(" " * min(2, self.console.width // 4))
            first, *rest = Text.assemble(head, text).wrap(self.console, max(1, self.console.width - under.cell_len))
            head = Text()
        else:
            first, *rest = text.wrap(self.console, room)
        self._show(Text.assemble(head, first))
        for part in rest:
            self._show(Text.assemble(under, part))

    def _show(self, text: Text) -> None:
        self.console.print(text, soft_wrap=not self.console.is_terminal)
        self.console.file.flush()


class JsonScreen:
    """One JSON object a line, pure ASCII."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def said(self, name: str, place: str, text: str) -> None:
        """{"kind": "said", ...}"""
        self._write(kind="said", who=name, where=place, text=text[: LIMITS.turn_chars])

    def typed(self, name: str, place: str, text: str) -> Iterator[None]:
        """{"kind": "said", ...}"""
        self.said(name, place, text)
        yield

    def note(self, line: Line) -> None:
        """{"kind": "note", ...}"""
        self._write(kind="note", text=line.text)

    def posted(self, place: str, line: Line) -> None:
        """{"kind": "posted", ...}"""
        self._write(kind="posted", who=BOT, where=place, text=line.text)

    def private(self, lines: Iterable[Line]) -> None:
        """{"kind": "private", ...} for each line."""
        for line in lines:
            self._write(kind="private", mood=str(line.mood), text=line.text)

    def _write(self, **fields: str) -> None:
        self._stream.write(json.dumps(fields) + "\n")
        self._stream.flush()


def _head(name: str, place: str, style: str) -> Text:
    return Text.assemble((harmless(name), style), (f" {harmless(place)}> ", "dim"))


def styled(line: Line) -> Text:
    """A line with its styles; what people wrote is never read as markup."""
    text = Text(style=_MOODS[line.mood])
    for segment in line.segments:
        text.append(harmless(segment.plain), "bold" if segment.strong else "")
    return text


def name_style(name: str) -> str:
    """Always the same colour for the same name."""
    return f"bold {_NAME_STYLES[crc32(name.encode('utf-8', 'replace')) % len(_NAME_STYLES)]}"

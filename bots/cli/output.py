"""What commands print: tables and sentences for people, one JSON document for machines."""

import json
import os
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, TextIO

import typer
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from config.logs import wants_colour
from core.catalogue import say
from core.errors import InvalidInput
from core.wording.lines import Line, Mood

PIPED_WIDTH = 160
MOODS = {
    Mood.PLAIN: "",
    Mood.HEAD: "bold",
    Mood.FAINT: "dim",
    Mood.GOOD: "green",
    Mood.WARNING: "yellow",
    Mood.BAD: "red",
}

JsonLinesFlag = Annotated[bool, typer.Option("--json", help="Print JSON, one object a line.")]
AlwaysJsonFlag = Annotated[bool, typer.Option("--json", help="Accepted, and changes nothing: it prints JSON.")]
JsonFlag = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


class WrongUsage(InvalidInput):
    """What was typed after a command cannot be read: the exit code is that of wrong usage."""

    code = "usage"


def console(stream: TextIO | None = None) -> Console:
    """A Rich console without guesses: no markup, no highlighting, colour only where it is wanted."""
    stream = sys.stdout if stream is None else stream
    width = None if stream.isatty() or os.environ.get("COLUMNS") else PIPED_WIDTH
    return Console(
        file=stream,
        color_system="auto" if wants_colour(stream) else None,
        highlight=False,
        markup=False,
        emoji=False,
        width=width,
    )


def print_json(document: object) -> None:
    """One JSON document on stdout, pure ASCII, so that no locale can spoil it."""
    print(json.dumps(document, indent=2, default=_plain))


def print_error(sentence: str, hint: str = "") -> None:
    """A sentence and what to do next, on stderr."""
    target = console(sys.stderr)
    target.print(Text(visible(f"remembrancer: {sentence}"), style="bold red"), soft_wrap=True)
    if hint:
        target.print(Text(visible(f"  {hint}")), soft_wrap=True)


def print_line(text: str) -> None:
    """One sentence on stdout."""
    console().print(Text(visible(text)), soft_wrap=True)


def print_note(text: str) -> None:
    """One sentence on stderr that is no error: what was looked at, what is not shown."""
    console(sys.stderr).print(Text(visible(text)), soft_wrap=True)


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A plain table. Cells may hold what people wrote: control characters are shown, never obeyed."""
    table = Table(*(Column(name, overflow="fold") for name in columns), box=None, pad_edge=False, header_style="bold")
    for row in rows:
        table.add_row(*(Text(visible(_cell(value))) for value in row))
    console().print(table)


def print_lines(lines: Iterable[Line]) -> None:
    """Lines of the catalogue, each in its mood."""
    target = console()
    for line in lines:
        target.print(Text(visible(line.text), style=MOODS[line.mood]), soft_wrap=True)


def visible(text: str) -> str:
    """Text that cannot steer a terminal: control, bidirectional and broken characters as escapes."""
    return "".join(char if _harmless(char) else char.encode("unicode_escape").decode() for char in text)


def _harmless(char: str) -> bool:
    if char == "\n":
        return True
    # Cf holds the bidirectional controls, and the joiners that some scripts need.
    return unicodedata.category(char) not in {"Cc", "Cs", "Cf"} or char in "\u200c\u200d"


def counted(what: str, count: int) -> str:
    """`1 row`, `2 rows`."""
    return say(f"count.{what}.one" if count == 1 else f"count.{what}.many", count=count)


def moment(value: datetime | None) -> str:
    """A time for people, in UTC; "-" for none."""
    return "-" if value is None else f"{value.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def _cell(value: object) -> str:
    if isinstance(value, datetime):
        return moment(value)
    return "-" if value is None or value == "" else str(value)


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, frozenset | set | tuple):
        return list(value)
    return str(value)

"""The Markdown file of a space: which of its lines are aspirations, and how one line is added or changed. Pure.

Everything else in the file is kept byte for byte. Reading is total: any text is a document.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from core.aspirations.item import Entry, Item, new_line, read_entry
from core.limits import LIMITS, Limits

BOM = "\ufeff"
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")
_COMMENT = re.compile(r" {0,3}<!--")
_UNDATED = frozenset({"no_date", "bad_date"})
_BLOCK = re.compile(r" {0,3}(?:[#>]|<!--|`{3}|~{3})")


class Trouble(StrEnum):
    """Why a line that looks like an aspiration is none, or not a whole one."""

    NO_DATE = "no_date"
    BAD_DATE = "bad_date"
    EMPTY = "empty"
    LONG = "long"
    MANY = "many"
    OPEN = "open"  # what begins there, code or a comment, never ends


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in the file that people should look at. `line` counts from 1."""

    line: int
    trouble: Trouble


@dataclass(frozen=True, slots=True)
class Document:
    """A file as lines with their ends, and what was found in it, in order.

    `free` says before which lines a line can be put: not within code or a comment. It has one more for the end.
    """

    bom: str
    lines: tuple[str, ...]
    items: tuple[Item, ...]
    problems: tuple[Problem, ...]
    free: tuple[bool, ...]

    @property
    def open_items(self) -> tuple[Item, ...]:
        """Those that are not done."""
        return tuple(item for item in self.items if not item.done)

    def find(self, handle: str) -> Item | None:
        """The aspiration of that short name."""
        return next((item for item in self.items if handle and item.handle == handle), None)


def parse(text: str, limits: Limits = LIMITS) -> Document:
    """Read any text. Of more than `aspirations_per_space` open items the first ones count; the rest is a problem."""
    bom = BOM if text.startswith(BOM) else ""
    lines = tuple(_LINE.findall(text[len(bom) :]))
    inside, unclosed = _scan(lines)
    items: list[Item] = []
    problems: list[Problem] = []
    handles: set[str] = set()
    room = limits.aspirations_per_space
    for number, line in enumerate(lines, 1):
        entry = None if inside[number - 1] else read_entry(line)
        if entry is None or not (entry.words or entry.review or entry.mark):
            continue
        trouble = _trouble(entry, limits)
        if trouble is None and not entry.done:
            room -= 1
            trouble = Trouble.MANY if room < 0 else None
        if (
            trouble is not None
            and not (trouble is Trouble.MANY and room < -1)
            and not (entry.done and not entry.review)
        ):
            problems.append(Problem(number, trouble))
        if trouble is None or (trouble in _UNDATED and entry.handle):
            items.append(_item(number, entry, handles))
    if unclosed is not None:
        problems.append(Problem(unclosed + 1, Trouble.OPEN))
    return Document(bom, lines, tuple(items), tuple(problems), (*(not one for one in inside), unclosed is None))


def _scan(lines: Sequence[str]) -> tuple[list[bool], int | None]:
    """Which lines lie within code or a comment (not the one that begins it), and which one begins what never ends."""
    inside: list[bool] = []
    begun: int | None = None
    end = ""  # what ends it: signs of a fence, or of a comment
    for number, line in enumerate(lines):
        inside.append(begun is not None)
        plain = line.rstrip(" \t\r\n")
        if begun is not None:
            begun = None if _ends(plain, end) else begun
        elif (fence := _FENCE.match(plain)) is not None:
            begun, end = number, fence.group(1)
        elif _COMMENT.match(plain) and "-->" not in plain:
            begun, end = number, "-->"
    return inside, begun


def _ends(plain: str, end: str) -> bool:
    if end == "-->":
        return end in plain
    signs = plain.lstrip(" ")
    return len(plain) - len(signs) <= 3 and len(signs) >= len(end) and not signs.strip(end[0])


def _trouble(entry: Entry, limits: Limits) -> Trouble | None:
    if not entry.text:
        return Trouble.EMPTY
    if entry.day is None:
        return Trouble.BAD_DATE if entry.review else Trouble.NO_DATE
    return Trouble.LONG if len(entry.text) > limits.aspiration_chars else None


def _item(number: int, entry: Entry, handles: set[str]) -> Item:
    """The value behind a line. A short name that stands there for the second time is none."""
    handle = "" if entry.handle in handles else entry.handle
    handles.add(handle)
    return Item(number, entry.text, entry.done, entry.day, handle, entry.owner, entry.name)


def added(document: Document, item: Item) -> str:
    """The text with one more aspiration: behind the last one and what belongs to it, else at the end.

    The item has checked words, an owner, a day and a short name; its line says nothing.
    """
    at, lines = _place(document), list(document.lines)
    near = [*lines[max(at - 1, 0) : at], *lines]
    end = next((line[len(line.rstrip("\r\n")) :] for line in near if line[-1] in "\r\n"), "\n")
    before: list[str] = []
    if at and lines[at - 1][-1] not in "\r\n":
        lines[at - 1] += end
    if at and not document.items and lines[at - 1].strip():
        before = [end]
    after = [end] if at < len(lines) and not document.items else []
    line = new_line(item, end)
    return document.bom + "".join([*lines[:at], *before, line, *after, *lines[at:]])


def _place(document: Document) -> int:
    """Before which line a new one goes."""
    lines, free = document.lines, document.free
    if not document.items:
        return len(lines) if free[-1] else document.problems[-1].line - 1
    first = at = document.items[-1].line
    while at < len(lines):
        if lines[at].strip():
            if not _belongs(lines[at]):
                break
            at += 1
            continue
        filled = next((number for number in range(at, len(lines)) if lines[number].strip()), None)
        if filled is None or not _is_indented(lines[filled]):
            break
        at = filled
    return at if free[at] else first


def _is_indented(line: str) -> bool:
    return line.startswith(("  ", "\t"))


def _belongs(line: str) -> bool:
    """Does a line right behind an item belong to it: indented, or more of its words?"""
    return _is_indented(line) or (_BLOCK.match(line) is None and read_entry(line) is None)


def done(document: Document, item: Item) -> str:
    """The text with an item ticked."""
    entry = _entry(document, item)
    return _with(document, item, replace(entry, box="[x]" + (entry.box[3:] or " ")))


def reviewed(document: Document, item: Item, day: date) -> str:
    """The text with another date for an item."""
    return _with(document, item, _entry(document, item).dated(day))


def named(document: Document, items: Sequence[Item]) -> str:
    """The text in which these items, found in it, have the short names and owners that they say."""
    lines = list(document.lines)
    for item in items:
        lines[item.line - 1] = _entry(document, item).named(item).line()
    return document.bom + "".join(lines)


def _entry(document: Document, item: Item) -> Entry:
    entry = read_entry(document.lines[item.line - 1])
    assert entry is not None, "it was read from this line"  # noqa: S101
    return entry


def _with(document: Document, item: Item, entry: Entry) -> str:
    lines = document.lines
    return document.bom + "".join([*lines[: item.line - 1], entry.line(), *lines[item.line :]])

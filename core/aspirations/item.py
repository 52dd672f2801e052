"""One aspiration, as a line of Markdown and as a value. Pure, linear in the length of the line.

    - [ ] Improve the checklist — @ada (review 2026-12-31) <!-- a-7k2m console:local:ada -->

What counts is the box, the words, the date and the comment; the name behind the dash is for people. A line that
somebody typed by hand needs no box, name or comment.
"""

import re
from dataclasses import dataclass, replace
from datetime import date
from urllib.parse import quote, unquote

from core.turn import Principal

NAME_CHARS = 64
_BLANK = " \t"
_BULLET = re.compile(r" {0,3}(?:[-*+]|[0-9]{1,9}[.)])[ \t]+")
_BOX = re.compile(r"\[([ xX])\](?:[ \t]+|$)")
_PART = "[0-9A-Za-z._~%-]*"
_MARK = re.compile(rf"<!--[ \t]*(a-[0-9a-hjkmnp-tv-z]{{4,6}})(?:[ \t]+({_PART}):({_PART}):({_PART}))?[ \t]*-->")
_REVIEW = re.compile(r"\([ \t]*review\b[ \t:]*([^()]*)\)", re.IGNORECASE)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_BREAKERS = re.escape("\\<#>-+*=~|[`")
_BACKSLASH = re.compile(rf"\\(?=[{_BREAKERS}]|$)")
_TAG = re.compile("<(?=[!/?A-Za-z])")
_ESCAPED = re.compile(rf"\\([{_BREAKERS}])")
_LEADING = frozenset("#>-+*=~|[`")
_NAME = " — @"


@dataclass(frozen=True, slots=True)
class Item:
    """An aspiration in a file. `line` counts from 1; `handle` is "" and `owner` None where nobody gave it any.

    `review` is None where the date cannot be read.
    """

    line: int
    text: str
    done: bool
    review: date | None
    handle: str = ""
    owner: Principal | None = None
    owner_name: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A list entry taken apart; the pieces are as they stand in the line and together make it up again.

    Each but the last one holds the white space behind it.
    """

    bullet: str
    box: str
    words: str  # with the name of the owner
    review: str  # in brackets
    mark: str
    rest: str  # white space and the line's end

    @property
    def done(self) -> bool:
        """Is the box ticked?"""
        return self.box[1:2] in {"x", "X"}

    @property
    def day(self) -> date | None:
        """The date for the next look; None where there is none that can be read."""
        found = _REVIEW.fullmatch(self.review.rstrip(_BLANK))
        return None if found is None else read_day(found.group(1).strip(_BLANK))

    @property
    def handle(self) -> str:
        """The short name in the comment, or ""."""
        found = _MARK.fullmatch(self.mark)
        return "" if found is None else found.group(1)

    @property
    def owner(self) -> Principal | None:
        """The person in the comment; the name that is shown says nothing about who it is."""
        found = _MARK.fullmatch(self.mark)
        return None if found is None or found.group(2) is None else Principal(*map(unquote, found.group(2, 3, 4)))

    def _split(self) -> tuple[str, str]:
        """The words as they stand there, and the name behind them; only what has an owner has a name."""
        words = self.words.rstrip(_BLANK)
        if self.owner is None or _NAME not in words:
            return words, ""
        words, _, name = words.rpartition(_NAME)
        return words, name

    @property
    def text(self) -> str:
        """What the person typed."""
        return _plain(self._split()[0])

    @property
    def name(self) -> str:
        """The name that is shown of its owner."""
        return _plain(self._split()[1])

    def line(self) -> str:
        """The line again."""
        return "".join((self.bullet, self.box, self.words, self.review, self.mark, self.rest))

    def dated(self, day: date) -> "Entry":
        """With another date."""
        blank = self.review[len(self.review.rstrip(_BLANK)) :] or (" " if self.mark else "")
        return replace(self, words=_apart(self.words), review=review_of(day) + blank)

    def named(self, item: Item) -> "Entry":
        """With the short name and the owner of an item."""
        words = f"{self._split()[0]}{_NAME}{shown_name(item.owner_name)} "
        return replace(self, words=words, review=_apart(self.review), mark=_mark(item))


def read_entry(line: str) -> Entry | None:
    """A list entry that is not indented, taken apart; None for any other line."""
    bullet = _BULLET.match(line)
    if bullet is None or _is_rule(line):
        return None
    whole = line[bullet.end() :]
    body = whole.rstrip(_BLANK + "\r\n")
    box = _BOX.match(body)
    begin = box.end() if box is not None else 0
    mark = review = len(body)
    if body.endswith("-->") and (at := body.rfind("<!--", begin)) >= 0 and not body[:at].endswith("\\"):
        mark = review = at if _MARK.fullmatch(body, at) is not None else mark
    head = body[begin:mark].rstrip(_BLANK)
    if head.endswith(")") and (at := head.rfind("(")) >= 0 and ")" not in head[at:-1]:
        review = begin + at if _REVIEW.fullmatch(head, at) is not None else review
    pieces = (body[:begin], body[begin:review], body[review:mark], body[mark:])
    return Entry(bullet.group(), *pieces, whole[len(body) :])


def new_line(item: Item, end: str) -> str:
    """The line of a new aspiration, which has an owner and a day. What was typed cannot break out of it."""
    assert item.review is not None, "a new one has a day"  # noqa: S101
    return Entry("- ", "[ ] ", _escaped(item.text), review_of(item.review), "", end).named(item).line()


def review_of(day: date) -> str:
    """A date as it stands in a line."""
    return f"(review {day.isoformat()})"


def _mark(item: Item) -> str:
    """The comment at the end of a line."""
    who = item.owner
    assert who is not None, "a comment names the owner"  # noqa: S101
    parts = (quote(part, safe="", errors="replace") for part in (who.provider, who.account, who.user_id))
    return f"<!-- {item.handle} {':'.join(parts)} -->"


def read_day(text: str) -> date | None:
    """An ISO date; None for anything else."""
    try:
        return date.fromisoformat(text) if _DATE.fullmatch(text) else None
    except ValueError:
        return None


def shown_name(name: str) -> str:
    """A name as it stands in a line: one line, of bounded length, and no dash of ours in it."""
    plain = " ".join("".join(c for c in name if c.isprintable() or c == " ").split())
    return _escaped(plain.replace("—", "-")[:NAME_CHARS].rstrip() or "?")


def _apart(piece: str) -> str:
    """With a space behind it, unless there is some or nothing before it."""
    return piece if not piece or piece.endswith((" ", "\t")) else f"{piece} "


def _escaped(text: str) -> str:
    escaped = _TAG.sub(r"\\<", _BACKSLASH.sub(r"\\\\", text))
    return f"\\{escaped}" if escaped[:1] in _LEADING else escaped


def _plain(text: str) -> str:
    return _ESCAPED.sub(r"\1", text)


def _is_rule(line: str) -> bool:
    """A line across the page: three or more of one sign."""
    signs = "".join(line.split())
    return len(signs) >= 3 and signs[0] in "-*_" and not signs.strip(signs[0])

"""Text as Telegram counts it: offsets and lengths are UTF-16 code units."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

Entity = dict[str, Any]
# (type, offset, length) and, where the type has one, its url, person, custom emoji id or language.
Span = tuple[Any, ...]

EXTRA = {"text_link": "url", "text_mention": "user", "custom_emoji": "custom_emoji_id", "pre": "language"}
FOUND = (
    ("bot_command", re.compile(r"(?<![\w/])/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?(?![\w/@])")),
    ("url", re.compile(r"\bhttps?://[^\s<>\"]+[^\s<>\".,!?;:)]")),
    ("email", re.compile(r"\b[\w.+-]+@[\w-]+\.[A-Za-z]{2,}\b")),
    ("mention", re.compile(r"(?<![\w@/])@[A-Za-z][A-Za-z0-9_]{2,31}\b")),
    ("hashtag", re.compile(r"(?<![\w#&])#\w*[^\W\d]\w*")),
)


def units(text: str) -> int:
    """Length in UTF-16 code units."""
    return len(text.encode("utf-16-le")) // 2


def cut(text: str, offset: int, length: int) -> str:
    """The part of a text an entity covers."""
    return text.encode("utf-16-le")[offset * 2 : (offset + length) * 2].decode("utf-16-le", "replace")


def span(text: str, part: str, kind: str, extra: Any = None, *, nth: int = 0) -> Span:
    """The entity `kind` over the n-th occurrence of `part`; ValueError where it is not in the text."""
    at = -1
    for _ in range(nth + 1):
        at = text.index(part, at + 1)
    return (kind, units(text[:at]), units(part)) + (() if extra is None else (extra,))


def entity(given: Span) -> Entity:
    """The payload of a span."""
    kind, offset, length, *more = given
    made: Entity = {"type": kind, "offset": offset, "length": length}
    if more:
        value = more[0].brief() if kind == "text_mention" else more[0]
        made[EXTRA[kind]] = value
    return made


def _overlaps(one: Entity, other: Entity) -> bool:
    first, second = int(one["offset"]), int(other["offset"])
    return first < second + int(other["length"]) and second < first + int(one["length"])


def _detected(text: str) -> Iterator[Entity]:
    for kind, pattern in FOUND:
        for match in pattern.finditer(text):
            offset = match.start() if text.isascii() else units(text[: match.start()])
            yield {"type": kind, "offset": offset, "length": units(match.group())}


def entities(text: str, given: Iterable[Span | Entity] = ()) -> list[Entity]:
    """The entities given and those that Telegram finds by itself, in order of their offsets."""
    found = [dict(one) if isinstance(one, dict) else entity(one) for one in given]
    for wrong in outside(text, found):
        raise ValueError(f"the entity {wrong} lies outside of {text!r} ({units(text)} UTF-16 units)")
    for one in _detected(text):
        if not any(_overlaps(one, other) for other in found):
            found.append(one)
    return sorted(found, key=lambda one: (one["offset"], -one["length"]))


def outside(text: str, given: list[Entity]) -> list[Entity]:
    """The entities that do not lie within the text or are empty."""
    size = units(text)
    return [one for one in given if one["offset"] < 0 or one["length"] < 1 or one["offset"] + one["length"] > size]


def trimmed(text: str, given: list[Entity]) -> tuple[str, list[Entity]]:
    """The text as it is kept, without white space around it, and its entities moved along."""
    kept = text.strip()
    before = units(text[: len(text) - len(text.lstrip())])
    size, moved = units(kept), []
    for one in given:
        start = max(0, one["offset"] - before)
        end = min(size, one["offset"] - before + one["length"])
        if end > start:
            moved.append({**one, "offset": start, "length": end - start})
    return kept, moved

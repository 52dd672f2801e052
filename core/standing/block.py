"""The hidden block that hands standing intents to the assistant: escaped and bounded."""

from collections.abc import Iterable
from datetime import datetime
from html import escape

HEAD = "<standing_intents>"
FOOT = "</standing_intents>"


def line(created_at: datetime, description: str) -> str:
    """One intent as one line; markup characters are escaped, line breaks become spaces."""
    text = escape(" ".join(description.split()), quote=False)
    return f"Standing intent (created {created_at:%Y-%m-%d}): {text}"


def render(lines: Iterable[str]) -> str:
    """The whole block, "" for no lines."""
    body = list(lines)
    return "\n".join([HEAD, *body, FOOT]) if body else ""

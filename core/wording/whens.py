"""Stub."""

from core.timed.when import When
from core.wording.lines import Line


def when_words(when: When) -> str:
    """Stub."""
    return when.rule or when.local.isoformat()


def note_lines(when: When) -> list[Line]:
    """Stub."""
    return []


def repeat_words(when: When) -> str:
    """Stub."""
    return when.rule

"""From a time as said to its instants, with the context's zones and rules."""

from collections.abc import Iterator
from datetime import datetime

from core.errors import InvalidInput
from core.services.context import Context
from core.timed.instants import due_of, next_due
from core.timed.when import When


def first_due(ctx: Context, when: When) -> datetime:
    """The instant of the first occurrence, aware UTC."""
    return due_of(when, ctx.zone_of)


def following(ctx: Context, when: When, past: datetime) -> datetime | None:
    """The first occurrence later than `past`, aware UTC; None when there is none, or for a rule that nobody reads."""
    try:
        found = next_due(when, ctx.recurrences, ctx.zone_of, past)
    except InvalidInput:
        return None
    return None if found is None else found[1]


def occurrences(ctx: Context, when: When, past: datetime) -> Iterator[datetime]:
    """All occurrences later than `past`, in order."""
    found = following(ctx, when, past)
    while found is not None:
        yield found
        found = following(ctx, when, found)

"""From a time as said to its instants, with the context's zones and rules."""

from collections.abc import Iterator
from datetime import UTC, datetime

from core.errors import InvalidInput
from core.services.context import Context
from core.timed.when import When


def first_due(ctx: Context, when: When) -> datetime:
    """The instant of the first occurrence, aware UTC."""
    return when.local.replace(tzinfo=ctx.zone_of(when.zone)).astimezone(UTC)


def following(ctx: Context, when: When, past: datetime) -> datetime | None:
    """The first occurrence later than `past`, aware UTC; None when there is none, or for a rule that nobody reads."""
    first = first_due(ctx, when)
    if first > past:
        return first
    if not when.rule:
        return None
    zone = ctx.zone_of(when.zone)
    try:
        local = ctx.recurrences.after(when.rule, when.local, past.astimezone(zone).replace(tzinfo=None))
    except InvalidInput:
        return None
    return None if local is None else local.replace(tzinfo=zone).astimezone(UTC)


def occurrences(ctx: Context, when: When, past: datetime) -> Iterator[datetime]:
    """All occurrences later than `past`, in order."""
    found = following(ctx, when, past)
    while found is not None:
        yield found
        found = following(ctx, when, found)

"""Where a reminder goes, and how long the quiet hours of a space keep it back."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from core.limits import Limits
from core.ports import Tx
from core.services.context import Context
from core.settings import Setting, quiet_hours, quiet_until
from core.standing.intent import Deliver, Fire, OutboxItem, OutboxState, StandingIntent
from core.stored import Place
from core.turn import PlaceKind, Spot, Visibility, Where

REMINDER = "reminder"
PATIENT = "console"
"""The provider whose people come by themselves: what is owed in a terminal waits until somebody opens it."""


def reminder_item(ctx: Context, tx: Tx, intent: StandingIntent, fire: Fire, spot: Spot, now: datetime) -> OutboxItem:
    """The message that carries a fire: a reply where it was said, a direct message or a post in a named place.

    What was made in a direct message goes to its creator alone. What is said in a channel that is private by now stays
    in it. What goes elsewhere than where people are
    talking waits for the end of the quiet hours. Nothing replies to a message of a chat
    that has another id by now.
    """
    made_here = spot.namespace_id == intent.namespace_id and spot.visibility is Visibility.DIRECT
    recipient = intent.creator if made_here or intent.deliver is Deliver.DIRECT else None
    named = recipient is None and intent.deliver is Deliver.PLACE
    place = intent.deliver_to or fire.conversation if named else fire.conversation
    if place != fire.conversation and _stays(tx, intent, spot, place):
        place = fire.conversation
    here = made_here or (recipient is None and place == fire.conversation)
    until = None if here else quiet_end(ctx, tx, intent.space, now)
    return OutboxItem(
        ctx.ids.uuid(),
        REMINDER,
        place,
        fire.id,
        fire.message_id if here and not spot.moved_from else "",
        state=OutboxState.QUEUED if until is None else OutboxState.HELD,
        due_at=until or now,
        created_at=now,
        recipient=recipient,
    )


def _stays(tx: Tx, intent: StandingIntent, spot: Spot, place: int) -> bool:
    """Would that place tell others what is said in a private channel that was public when the rule was made?"""
    closed = spot.visibility is Visibility.PRIVATE and intent.namespace_id == spot.namespace_id
    return closed and tx.places.get(place).parent_id != spot.channel


def in_pages(limits: Limits, read: Callable[[int, int], Sequence[OutboxItem]]) -> Iterator[OutboxItem]:
    """What `read(limit, offset)` finds, page by page: `owed_rows` each, `owed_pages` at most."""
    for number in range(limits.owed_pages):
        items = read(limits.owed_rows, number * limits.owed_rows)
        yield from items
        if len(items) < limits.owed_rows:
            return


def quiet_end(ctx: Context, tx: Tx, space: int, now: datetime) -> datetime | None:
    """When the quiet hours that run in a space now end; None when none run."""
    settings = ctx.settings(tx.records.settings(space))
    hours = quiet_hours(str(settings[Setting.QUIET_HOURS]))
    return None if hours is None else quiet_until(hours, now, ctx.zone_of(str(settings[Setting.ZONE])))


def space_of(tx: Tx, place_id: int) -> int:
    """The space that a place lies in."""
    place = tx.places.get(place_id)
    return place.id if place.parent_id is None else space_of(tx, place.parent_id)


def where_of(tx: Tx, place_id: int) -> Where:
    """A stored conversation, or a channel or space as its own, in the platform's own ids, with the names last seen."""
    inner = tx.places.get(place_id)
    channel = _parent(tx, inner) if inner.kind is PlaceKind.CONVERSATION else inner
    space = _parent(tx, channel) if channel.kind is PlaceKind.CHANNEL else channel
    return Where(
        channel.provider,
        channel.account,
        space.external_id,
        channel.external_id,
        inner.external_id,
        channel.visibility,
        space.name,
        channel.name,
        inner.name,
    )


def _parent(tx: Tx, place: Place) -> Place:
    assert place.parent_id is not None, "a conversation lies in a channel, a channel in a space"  # noqa: S101
    return tx.places.get(place.parent_id)

"""The table of moves of a standing intent (design 01, section 6), and its effective state. Pure."""

from dataclasses import replace
from datetime import datetime

from core.catalogue import say
from core.errors import InvalidTransition
from core.standing.intent import LIVE, Fire, StandingIntent, Status

MOVES: dict[Status, frozenset[Status]] = {
    Status.PENDING: frozenset({Status.ARMED, Status.FIRED, Status.CANCELLED, Status.EXPIRED}),
    Status.ARMED: frozenset({Status.FIRED, Status.DONE, Status.PENDING, Status.CANCELLED, Status.EXPIRED}),
    Status.FIRED: frozenset({Status.ARMED, Status.PENDING, Status.CANCELLED, Status.EXPIRED}),
    Status.DONE: frozenset({Status.ARMED, Status.FIRED}),
    Status.CANCELLED: frozenset(),
    Status.EXPIRED: frozenset(),
}


def move(intent: StandingIntent, new: Status) -> StandingIntent:
    """Return the intent in its new state; raises InvalidTransition for a pair that the table does not have."""
    if new not in MOVES[intent.status]:
        raise _refusal(intent, new)
    return replace(intent, status=new)


def _refusal(intent: StandingIntent, new: Status) -> InvalidTransition:
    old, handle = intent.status, intent.handle
    kind = "paused" if old is Status.PENDING else "live" if old in LIVE else "final"
    return InvalidTransition(
        say("intent.moved", handle=handle, old=old, new=new),
        say(f"intent.moved.{kind}.hint", handle=handle),
        kind="standing intent",
        old=old,
        new=new,
    )


def effective_status(intent: StandingIntent, now: datetime) -> Status:
    """The state as of `now`, whether or not the heartbeat has moved the row."""
    if intent.status in LIVE and now >= intent.expires_at:
        return Status.EXPIRED
    if intent.status is Status.FIRED and (intent.ready_at is None or now >= intent.ready_at):
        return Status.ARMED
    return intent.status


def is_armed(intent: StandingIntent, now: datetime) -> bool:
    """Would a matching turn fire it now, budget included?"""
    return effective_status(intent, now) is Status.ARMED and intent.fire_count < intent.max_fires


def fired(intent: StandingIntent, fire_id: str, now: datetime) -> StandingIntent:
    """After one fire: budget spent by one, `fired` or, with the last of the budget, `done`."""
    armed = settled(intent, now)
    count = armed.fire_count + 1
    new = Status.DONE if count >= armed.max_fires else Status.FIRED
    return replace(move(armed, new), fire_count=count, last_fired_at=now, last_fire_id=fire_id)


def settled(intent: StandingIntent, now: datetime) -> StandingIntent:
    """The row moved to its effective state; the same object when it is there already."""
    status = effective_status(intent, now)
    return intent if status is intent.status else move(intent, status)


def paused(intent: StandingIntent) -> StandingIntent:
    """Armed or fired to pending."""
    return move(intent, Status.PENDING)


def resumed(intent: StandingIntent, now: datetime) -> StandingIntent:
    """Pending to armed, or to fired while a cooldown runs. Messages sent before `now` do not count."""
    if intent.status is not Status.PENDING:
        raise _refusal(intent, Status.ARMED)
    cooling = intent.ready_at is not None and now < intent.ready_at
    return replace(move(intent, Status.FIRED if cooling else Status.ARMED), armed_at=now)


def refunded(intent: StandingIntent, fire: Fire, now: datetime) -> StandingIntent:
    """After a fire that could not be delivered: the budget and the earlier time come back.

    Only while the row still stands where that very fire put it (or was re-armed since); a row cancelled,
    paused or expired meanwhile, or fired again, comes back unchanged.
    """
    if intent.last_fire_id != fire.id or intent.status not in {Status.ARMED, Status.FIRED, Status.DONE}:
        return intent
    back = replace(
        intent,
        fire_count=intent.fire_count - 1,
        last_fired_at=fire.previous_fired_at,
        last_fire_id=fire.previous_fire_id,
    )
    cooling = back.ready_at is not None and now < back.ready_at
    new = Status.FIRED if cooling else Status.ARMED
    return back if back.status is new else move(back, new)

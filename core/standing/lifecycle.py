"""The table of moves of a standing intent (design 01, section 6), and its effective state. Pure."""

from dataclasses import replace
from datetime import datetime

from core.catalogue import say
from core.errors import InvalidTransition
from core.standing.intent import INDEXED, LIVE, CooldownPer, Fire, StandingIntent, Status

MOVES: dict[Status, frozenset[Status]] = {
    Status.PENDING: frozenset({Status.ARMED, Status.FIRED, Status.CANCELLED, Status.EXPIRED}),
    Status.ARMED: frozenset({Status.FIRED, Status.DONE, Status.PENDING, Status.CANCELLED, Status.EXPIRED}),
    Status.FIRED: frozenset({Status.ARMED, Status.PENDING, Status.CANCELLED, Status.EXPIRED}),
    Status.DONE: frozenset({Status.ARMED, Status.FIRED}),
    Status.CANCELLED: frozenset(),
    Status.EXPIRED: frozenset(),
}


_BY_HAND = frozenset({Status.PENDING, Status.ARMED, Status.CANCELLED})  # what people ask for


def move(intent: StandingIntent, new: Status) -> StandingIntent:
    """Return the intent in its new state; raises InvalidTransition for a pair that the table does not have."""
    if new not in MOVES[intent.status]:
        raise _refusal(intent, new)
    return replace(intent, status=new)


def _refusal(intent: StandingIntent, new: Status) -> InvalidTransition:
    """An error that names both states in the words that lists show; one name when they are the same."""
    old, handle = intent.status, intent.handle
    if old in INDEXED and new is Status.ARMED:
        kind = "awake"
    elif old is new:
        kind = f"same.{old}" if old in {Status.PENDING, Status.CANCELLED} else "same"
    else:
        kind = "over" if old not in LIVE and new in _BY_HAND else "never"
    hint = kind if kind not in {"same", "never"} else "over" if old not in LIVE else "live"
    return InvalidTransition(
        say(f"intent.moved.{kind.partition('.')[0]}", handle=handle, old=status_name(old), new=status_name(new)),
        say(f"intent.moved.{hint}.hint", handle=handle),
        kind="standing intent",
        old=old,
        new=new,
    )


def status_name(status: Status) -> str:
    """The state in words people use: `fired` is `quiet`, `pending` is `paused`."""
    return say(f"status.{status}")


def effective_status(intent: StandingIntent, now: datetime) -> Status:
    """The state as of `now`, whether or not the heartbeat has moved the row."""
    if intent.status in LIVE and now >= intent.expires_at:
        return Status.EXPIRED
    if intent.status is Status.FIRED and (intent.ready_at is None or now >= intent.ready_at):
        return Status.ARMED
    return intent.status


def fired(intent: StandingIntent, fire_id: str, now: datetime) -> StandingIntent:
    """After one fire: budget spent by one, `fired` or, with the last of the budget, `done`.

    It stays `armed` where the cooldown is counted by conversation or sender: others may fire it meanwhile.
    """
    armed = settled(intent, now)
    count = armed.fire_count + 1
    charged = replace(armed, fire_count=count, last_fired_at=now, last_fire_id=fire_id)
    if count >= armed.max_fires:
        return move(charged, Status.DONE)
    return move(charged, Status.FIRED) if armed.cooldown_per is CooldownPer.INTENT else charged


def settled(intent: StandingIntent, now: datetime) -> StandingIntent:
    """The row moved to its effective state; the same object when it is there already."""
    status = effective_status(intent, now)
    return intent if status is intent.status else move(intent, status)


def paused(intent: StandingIntent) -> StandingIntent:
    """Armed or fired to pending."""
    return move(intent, Status.PENDING)


def resumed(intent: StandingIntent, now: datetime) -> StandingIntent:
    """Pending to armed, or to fired while a cooldown runs. Messages sent before `now` do not count.

    Raises InvalidTransition for a row that waits for its creator's confirmation, too.
    """
    if intent.unconfirmed and intent.status is Status.PENDING:
        raise _not_awake(intent, "intent.unconfirmed", "intent.unconfirmed.hint")
    return _awake(intent, now)


def confirmed(intent: StandingIntent, now: datetime) -> StandingIntent:
    """An imported or proposed row that its creator said yes to: pending to armed."""
    if not intent.unconfirmed and intent.status is Status.PENDING:
        raise _not_awake(intent, "intent.confirmed", "intent.moved.same.pending.hint")
    return replace(_awake(intent, now), unconfirmed=False)


def _not_awake(intent: StandingIntent, sentence: str, hint: str) -> InvalidTransition:
    old, new, handle = intent.status, Status.ARMED, intent.handle
    return InvalidTransition(
        say(sentence, handle=handle), say(hint, handle=handle), kind="standing intent", old=old, new=new
    )


def _awake(intent: StandingIntent, now: datetime) -> StandingIntent:
    if intent.status is not Status.PENDING:
        raise _refusal(intent, Status.ARMED)
    cooling = intent.ready_at is not None and now < intent.ready_at
    return replace(move(intent, Status.FIRED if cooling else Status.ARMED), armed_at=now)


def refunded(intent: StandingIntent, newest: Fire | None, now: datetime) -> StandingIntent:
    """After a fire that could not be delivered: one of the budget comes back, whatever was fired since.

    `newest` is the newest fire that stands, None when none does: the cooldown runs from it. A paused row stays
    paused; a cancelled or expired one comes back unchanged (decision 0030).
    """
    if intent.status in {Status.CANCELLED, Status.EXPIRED}:
        return intent
    back = replace(
        intent,
        fire_count=intent.fire_count - 1,
        last_fired_at=None if newest is None else newest.fired_at,
        last_fire_id=None if newest is None else newest.id,
    )
    cooling = back.ready_at is not None and now < back.ready_at
    new = Status.FIRED if cooling else Status.ARMED
    return back if back.status in {new, Status.PENDING} else move(back, new)

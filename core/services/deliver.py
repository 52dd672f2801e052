"""Settling fires: delivered once the platform accepted the message, refunded when sending failed for good."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache, partial
from itertools import islice

from core.audit.recorded import standing_change
from core.catalogue import say
from core.errors import StorageError
from core.operations.log import OpType
from core.ports import Tx
from core.services import notices
from core.services.context import Context
from core.services.notices import NoticeKind
from core.services.outgoing import in_pages, quiet_end, where_of
from core.services.receive_turn import reminder_of
from core.services.record import log, maybe_micros
from core.services.refile import refile
from core.standing import lifecycle
from core.standing.intent import INDEXED, Fire, FireState, OutboxItem, OutboxState, StandingIntent
from core.standing.outcome import Reminder
from core.turn import SYSTEM, Actor, Principal, Where


@dataclass(frozen=True, slots=True)
class ConfirmDelivery:
    """Record what became of a reserved fire. Each answers False when the fire was settled before."""

    ctx: Context

    def delivered(self, fire_id: str) -> bool:
        """The platform accepted the message (or the reply that carried the block)."""
        with self.ctx.store.write() as tx:
            now = self.ctx.clock.now()
            done = settle_delivered(self.ctx, tx, fire_id, now)
            if done:
                tx.commit()
            return done

    def failed(self, fire_id: str, why: str) -> bool:
        """Sending failed for good: the fire is refunded. `why` is a short code for the log."""
        with self.ctx.store.write() as tx:
            now = self.ctx.clock.now()
            fire = tx.fires.get(fire_id)
            done = fire is not None and refund(self.ctx, tx, fire, now, why)
            if done:
                tx.commit()
            return done


def settle_delivered(ctx: Context, tx: Tx, fire_id: str, now: datetime, messages: Sequence[str] = ()) -> bool:
    """A fire was delivered, in the caller's transaction; False when it was settled before.

    `messages` are the ids that the platform gave to what was sent.
    """
    fire = tx.fires.get(fire_id)
    intent = tx.intents.by_id(fire.intent_id) if fire is not None else None
    if fire is None or intent is None:
        return False
    tx.operations.lock([intent.namespace_id])
    if not tx.fires.settle(fire_id, FireState.DELIVERED, now):
        return False
    close_outbox(tx, fire, OutboxState.SENT, now)
    payload = {"fire": fire.id} | ({"messages": list(messages)} if messages else {})
    log(tx, ctx.ids, now, SYSTEM, OpType.DELIVERED, intent.namespace_id, intent.id, payload)
    return True


def close_outbox(tx: Tx, fire: Fire, state: OutboxState, now: datetime, error: str = "") -> None:
    """Close the message that carried a fire, if the bot owed one."""
    item = tx.outbox.of_fire(fire.id)
    if item is not None:
        tx.outbox.mark(item.id, state, now, error)


def log_refund(
    ctx: Context, tx: Tx, old: StandingIntent, new: StandingIntent, fire: Fire, actor: Actor, now: datetime, why: str
) -> None:
    """The one REFUNDED operation of a fire that does not count any more; `why` is a short code."""
    payload = {
        "fire": fire.id,
        "why": why,
        "from": str(old.status),
        "to": str(new.status),
        "fire_count": new.fire_count,
        "last_fired_at": [maybe_micros(old.last_fired_at), maybe_micros(new.last_fired_at)],
    }
    log(tx, ctx.ids, now, actor, OpType.REFUNDED, old.namespace_id, old.id, standing_change(payload, old, new))


def refund(ctx: Context, tx: Tx, fire: Fire, now: datetime, why: str) -> bool:
    """Give a reserved fire back to its intent, in the caller's transaction; False when it was settled before."""
    [old] = tx.intents.by_keys([fire.intent_key], lock=True)
    tx.operations.lock([old.namespace_id])
    if not tx.fires.settle(fire.id, FireState.REFUNDED, now):
        return False
    close_outbox(tx, fire, OutboxState.FAILED, now, why)
    new = lifecycle.refunded(old, tx.fires.newest_kept(old.key), now)
    if new is not old:
        if not tx.intents.update(old, new):
            raise StorageError(say("intent.raced", handle=old.handle), say("intent.raced.hint"), retry=True)
        new = replace(new, version=old.version + 1)
        if new.status in INDEXED and old.status not in INDEXED:
            refile(ctx, tx, new, refuse_crowds=False)
    log_refund(ctx, tx, old, new, fire, SYSTEM, now, why)
    notices.add_about(ctx, tx, NoticeKind.REFUNDED, old, urgent=True)
    return True


@dataclass(frozen=True, slots=True)
class PendingReminders:
    """Reminders that are still owed, oldest first, `owed_rows` at most; each says when it was triggered.

    A process ended between reserving and sending, quiet hours held them back, or their person was away. What is no
    reply waits while quiet hours run now, whatever they were when it was triggered. `owed_pages` are looked through.
    """

    ctx: Context

    def __call__(self, where: Where) -> tuple[Reminder, ...]:
        """Those owed to a place."""
        with self.ctx.store.read() as tx:
            spot = tx.places.find(where)
            if not spot.conversation:
                return ()
            return self._all(tx, in_pages(self.ctx.limits, partial(tx.outbox.due, [spot.conversation])))

    def to_places(
        self, age: timedelta, provider: str = "", known: Callable[[Where], bool] | None = None
    ) -> tuple[Reminder, ...]:
        """Those owed to places (of a provider, `known`), `post_in`, that were held back or are older than `age`.

        A younger one may be about to be sent by the process that reserved it.
        """
        before = self.ctx.clock.now() - age
        with self.ctx.store.read() as tx:
            there = cache(lambda conversation: known is None or known(where_of(tx, conversation)))
            items = in_pages(self.ctx.limits, partial(tx.outbox.due, [], provider=provider))
            return self._all(tx, (item for item in items if _is_left(item, before) and there(item.conversation)))

    def to_person(self, person: Principal) -> tuple[Reminder, ...]:
        """Those owed to a person as direct messages."""
        with self.ctx.store.read() as tx:
            return self._all(tx, in_pages(self.ctx.limits, partial(tx.outbox.owed, person)))

    def _all(self, tx: Tx, items: Iterable[OutboxItem]) -> tuple[Reminder, ...]:
        now = self.ctx.clock.now()
        quiet = cache(lambda space: quiet_end(self.ctx, tx, space, now) is not None)
        found = (self._late(tx, item, quiet) for item in items)
        owed = (reminder for reminder in found if reminder is not None)
        return tuple(islice(owed, self.ctx.limits.owed_rows))

    def _late(self, tx: Tx, item: OutboxItem, is_quiet: Callable[[int], bool]) -> Reminder | None:
        owed = reserved_by(tx, item)
        if owed is None or (not item.reply_to and is_quiet(owed[1].space)):
            return None
        return owed_reminder(tx, item, *owed)


def reserved_by(tx: Tx, item: OutboxItem) -> tuple[Fire, StandingIntent] | None:
    """The open fire that a message carries, and its intent; None when it was settled."""
    fire = tx.fires.get(item.fire_id) if item.fire_id is not None else None
    intent = tx.intents.by_id(fire.intent_id) if fire is not None else None
    return None if fire is None or intent is None or fire.state is not FireState.RESERVED else (fire, intent)


def owed_reminder(tx: Tx, item: OutboxItem, fire: Fire, intent: StandingIntent) -> Reminder:
    """A reminder from the outbox: it says when it was triggered, and where to post it."""
    post_in = None if item.recipient is not None else where_of(tx, item.conversation)
    owed = reminder_of(tx, intent, fire, item)
    return replace(owed, late_since=fire.fired_at, held_until=None, post_in=post_in)


def _is_left(item: OutboxItem, before: datetime) -> bool:
    return item.state is OutboxState.HELD or item.created_at is None or item.created_at <= before

"""The heartbeat's one use case: re-arm, expire, ask before expiry, settle what was not delivered, fire timed reminders,
tell reviews, erase what a bot left behind, look after goals. Idempotent.

Nothing that is correct depends on it having run: the matcher evaluates the effective state itself.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from core.audit.recorded import standing_change
from core.operations.log import OpType
from core.ports import Tx
from core.services import notices
from core.services.change_intent import store_change
from core.services.chunks import Chunks
from core.services.context import Context
from core.services.deliver import refund
from core.services.dispatch import fail_all
from core.services.fire_timed import FireTimed
from core.services.goal_tick import TickGoals
from core.services.notices import NoticeKind
from core.services.outgoing import PATIENT
from core.services.parcels import KINDS
from core.services.purge import Purge
from core.services.record import log, micros
from core.services.tell_reviews import TellReviews
from core.standing import lifecycle
from core.standing.intent import LIVE, Fire, OutboxItem, StandingIntent
from core.turn import SYSTEM

LAST_SUCCESS = "heartbeat.last_success"
TOO_OLD = "too old"


@dataclass(frozen=True, slots=True)
class TickReport:
    """How many rows one tick moved."""

    expired: int = 0
    rearmed: int = 0
    refunded: int = 0
    asked: int = 0
    failed: int = 0
    reviews: int = 0
    reminded: int = 0
    erased: int = 0
    goals_expired: int = 0
    goals_faded: int = 0
    goals_aged: int = 0
    risks_told: int = 0


@dataclass(frozen=True, slots=True)
class Tick:
    """Do what is due now. Each chunk is a transaction of its own, so that turns never wait long.

    `rest` is called between two chunks: whoever waits for the write lock gets it meanwhile.
    """

    ctx: Context
    rest: Callable[[], object] = lambda: None

    def __call__(self) -> TickReport:
        chunks = Chunks(self.ctx, self.rest)
        goals = TickGoals(self.ctx, self.rest)()
        report = TickReport(
            expired=chunks(self._expiring, self._expire),
            rearmed=chunks(self._cooled, self._rearm),
            refunded=chunks(self._stale, self._refund),
            asked=chunks(self._unasked, self._ask),
            failed=chunks(self._old_reminders, self._give_up) + chunks(self._old_notices, self._give_up),
            reviews=TellReviews(self.ctx, self.rest)(),
            reminded=FireTimed(self.ctx, self.rest)(),
            erased=chunks(Purge(self.ctx).due, self._erase),
            goals_expired=goals.expired,
            goals_faded=goals.faded,
            goals_aged=goals.aged,
            risks_told=goals.told,
        )
        with self.ctx.store.write() as tx:
            tx.records.put_fact(LAST_SUCCESS, str(micros(self.ctx.clock.now())))
            tx.commit()
        return report

    def _expiring(self, tx: Tx, limit: int) -> tuple[StandingIntent, ...]:
        return tx.intents.expiring(self.ctx.clock.now(), limit)

    def _cooled(self, tx: Tx, limit: int) -> tuple[StandingIntent, ...]:
        return tx.intents.cooled(self.ctx.clock.now(), limit)

    def _stale(self, tx: Tx, limit: int) -> tuple[Fire, ...]:
        return tx.fires.stale(self.ctx.clock.now() - self.ctx.limits.reservation_age, limit)

    def _old_reminders(self, tx: Tx, limit: int) -> tuple[OutboxItem, ...]:
        return self._overdue(tx, tuple(KINDS), self.ctx.limits.send_age, limit)

    def _old_notices(self, tx: Tx, limit: int) -> tuple[OutboxItem, ...]:
        return self._overdue(tx, notices.KINDS, self.ctx.limits.notice_age, limit)

    def _overdue(self, tx: Tx, kinds: Sequence[str], age: timedelta, limit: int) -> tuple[OutboxItem, ...]:
        """What was not sent in time, whether or not a bot of its platform runs; a terminal waits for its person."""
        now = self.ctx.clock.now()
        return tx.outbox.overdue(kinds, now - age, now, self.ctx.limits.send_lease, PATIENT, limit)

    def _unasked(self, tx: Tx, limit: int) -> tuple[StandingIntent, ...]:
        return tx.intents.unasked(self.ctx.clock.now() + self.ctx.limits.expiry_notice, limit)

    def _expire(self, tx: Tx, rows: tuple[StandingIntent, ...]) -> int:
        return Chunks(self.ctx).each(
            self._lock(tx, (row.key for row in rows)), lambda row: self._settle(tx, row, "expiry")
        )

    def _rearm(self, tx: Tx, rows: tuple[StandingIntent, ...]) -> int:
        return Chunks(self.ctx).each(
            self._lock(tx, (row.key for row in rows)), lambda row: self._settle(tx, row, "cooldown over")
        )

    def _refund(self, tx: Tx, fires: tuple[Fire, ...]) -> int:
        self._lock(tx, {fire.intent_key for fire in fires})

        def give_back(fire: Fire) -> bool:
            return refund(self.ctx, tx, fire, self.ctx.clock.now(), "not delivered in time")

        return Chunks(self.ctx).each(fires, give_back)

    def _give_up(self, tx: Tx, items: tuple[OutboxItem, ...]) -> int:
        fires = [tx.fires.get(item.fire_id) for item in items if item.fire_id is not None]
        self._lock(tx, {fire.intent_key for fire in fires if fire is not None})
        return Chunks(self.ctx).each(items, lambda item: fail_all(self.ctx, tx, [item], self.ctx.clock.now(), TOO_OLD))

    def _ask(self, tx: Tx, rows: tuple[StandingIntent, ...]) -> int:
        return Chunks(self.ctx).each(self._lock(tx, (row.key for row in rows)), lambda row: self._ask_about(tx, row))

    def _ask_about(self, tx: Tx, old: StandingIntent) -> bool:
        """Ask the creator of an intent that was never needed whether to keep it, once."""
        now, ids = self.ctx.clock.now(), self.ctx.ids
        if lifecycle.settled(old, now).status not in LIVE or old.fire_count or old.expiry_asked_at is not None:
            return False
        new = store_change(self.ctx, tx, old, replace(old, expiry_asked_at=now))
        payload = standing_change({"expiry_asked_at": [None, micros(now)]}, old, new)
        log(tx, ids, now, SYSTEM, OpType.EDITED, old.namespace_id, old.id, payload)
        notices.add_about(self.ctx, tx, NoticeKind.EXPIRING, old)
        return True

    def _erase(self, tx: Tx, spaces: tuple[int, ...]) -> int:
        """The next rows of a space; a space that is done with counts as one."""
        purge = Purge(self.ctx)
        for space in spaces:
            rows = purge.rows(tx, space)
            timed = () if rows else purge.timed(tx, space)
            goals = () if rows or timed else purge.goals(tx, space)
            if not purge.is_due(tx, space):
                return 0
            if purge.settle(tx, space, rows, timed, goals):
                return 1
            chunks = Chunks(self.ctx)
            done = chunks.each(rows, lambda row: purge.erase(tx, row))
            done += chunks.each(timed, lambda row: purge.erase_timed(tx, row))
            return done + chunks.each(goals, lambda row: purge.erase_goal(tx, row))
        return 0

    def _lock(self, tx: Tx, keys: Iterable[int]) -> tuple[StandingIntent, ...]:
        """All rows of a chunk, then all their chains: one order, whoever else is at work."""
        locked = tx.intents.by_keys(sorted(keys), lock=True)
        tx.operations.lock(row.namespace_id for row in locked)
        return locked

    def _settle(self, tx: Tx, old: StandingIntent, reason: str) -> bool:
        now, ids = self.ctx.clock.now(), self.ctx.ids
        settled = lifecycle.settled(old, now)
        if settled is old:
            return False
        new = store_change(self.ctx, tx, old, settled)
        payload = standing_change({"from": str(old.status), "to": str(new.status), "reason": reason}, old, new)
        log(tx, ids, now, SYSTEM, OpType.STANDING_TRANSITION, old.namespace_id, old.id, payload)
        return True

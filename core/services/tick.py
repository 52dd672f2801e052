"""The heartbeat's one use case: re-arm, expire, settle stale reservations, in chunks. Idempotent.

Nothing that is correct depends on it having run: the matcher evaluates the effective state itself.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from core.operations.log import OpType
from core.ports import Tx
from core.services.change_intent import store_change
from core.services.context import Context
from core.services.deliver import refund
from core.services.record import log, micros
from core.standing import lifecycle
from core.standing.intent import StandingIntent
from core.turn import SYSTEM

LAST_SUCCESS = "heartbeat.last_success"
MAX_CHUNKS = 1_000


@dataclass(frozen=True, slots=True)
class TickReport:
    """How many rows one tick moved."""

    expired: int = 0
    rearmed: int = 0
    refunded: int = 0


@dataclass(frozen=True, slots=True)
class Tick:
    """Do what is due now. Each chunk is a transaction of its own, so that turns never wait long."""

    ctx: Context

    def __call__(self) -> TickReport:
        report = TickReport(
            expired=self._chunks(self._expire),
            rearmed=self._chunks(self._rearm),
            refunded=self._chunks(self._settle),
        )
        with self.ctx.store.write() as tx:
            tx.records.put_fact(LAST_SUCCESS, str(micros(self.ctx.clock.now())))
            tx.commit()
        return report

    def _chunks(self, work: Callable[[Tx, datetime], int]) -> int:
        done = 0
        for _ in range(MAX_CHUNKS):
            with self.ctx.store.read() as tx:
                if not self._due(tx, work):
                    break
            with self.ctx.store.write() as tx:
                count = work(tx, self.ctx.clock.now())
                tx.commit()
            done += count
            if count < self.ctx.limits.chunk:
                break
        return done

    def _due(self, tx: Tx, work: Callable[[Tx, datetime], int]) -> bool:
        now = self.ctx.clock.now()
        if work == self._expire:
            return bool(tx.intents.expiring(now, 1))
        if work == self._rearm:
            return bool(tx.intents.cooled(now, 1))
        return bool(tx.fires.stale(now - self.ctx.limits.reservation_age, 1))

    def _expire(self, tx: Tx, now: datetime) -> int:
        rows = tx.intents.expiring(now, self.ctx.limits.chunk)
        return self._settle_rows(tx, rows, now, "expiry")

    def _rearm(self, tx: Tx, now: datetime) -> int:
        rows = tx.intents.cooled(now, self.ctx.limits.chunk)
        return self._settle_rows(tx, rows, now, "cooldown over")

    def _settle_rows(self, tx: Tx, rows: tuple[StandingIntent, ...], now: datetime, reason: str) -> int:
        locked = tx.intents.by_keys([row.key for row in rows], lock=True)
        tx.operations.lock(row.namespace_id for row in locked)
        for old in locked:
            new = lifecycle.settled(old, now)
            if new is old:
                continue
            store_change(self.ctx, tx, old, new)
            payload = {"from": str(old.status), "to": str(new.status), "reason": reason}
            ids = self.ctx.ids
            log(tx, ids, now, SYSTEM, OpType.STANDING_TRANSITION, old.namespace_id, old.id, payload)
        return len(rows)

    def _settle(self, tx: Tx, now: datetime) -> int:
        fires = tx.fires.stale(now - self.ctx.limits.reservation_age, self.ctx.limits.chunk)
        for fire in fires:
            refund(self.ctx, tx, fire, now, "not delivered in time")
        return len(fires)

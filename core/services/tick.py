"""The heartbeat's one use case: re-arm, expire, settle stale reservations, in chunks. Idempotent.

Nothing that is correct depends on it having run: the matcher evaluates the effective state itself.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from core.operations.log import OpType
from core.ports import Tx
from core.services.change_intent import store_change
from core.services.context import Context
from core.services.deliver import refund
from core.services.record import log, micros
from core.standing import lifecycle
from core.standing.intent import Fire, StandingIntent
from core.turn import SYSTEM

LAST_SUCCESS = "heartbeat.last_success"
MAX_CHUNKS = 1_000
T = TypeVar("T")


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
            expired=self._chunks(self._expiring, self._expire),
            rearmed=self._chunks(self._cooled, self._rearm),
            refunded=self._chunks(self._stale, self._refund),
        )
        with self.ctx.store.write() as tx:
            tx.records.put_fact(LAST_SUCCESS, str(micros(self.ctx.clock.now())))
            tx.commit()
        return report

    def _chunks(self, due: Callable[[Tx, int], tuple[T, ...]], work: Callable[[Tx, tuple[T, ...]], None]) -> int:
        """Work through what is due, a chunk a transaction; with nothing due no write lock is taken."""
        done, chunk = 0, self.ctx.limits.chunk
        for _ in range(MAX_CHUNKS):
            with self.ctx.store.read() as tx:
                if not due(tx, 1):
                    break
            with self.ctx.store.write() as tx:
                found = due(tx, chunk)
                work(tx, found)
                tx.commit()
            done += len(found)
            if len(found) < chunk:
                break
        return done

    def _expiring(self, tx: Tx, limit: int) -> tuple[StandingIntent, ...]:
        return tx.intents.expiring(self.ctx.clock.now(), limit)

    def _cooled(self, tx: Tx, limit: int) -> tuple[StandingIntent, ...]:
        return tx.intents.cooled(self.ctx.clock.now(), limit)

    def _stale(self, tx: Tx, limit: int) -> tuple[Fire, ...]:
        return tx.fires.stale(self.ctx.clock.now() - self.ctx.limits.reservation_age, limit)

    def _expire(self, tx: Tx, rows: tuple[StandingIntent, ...]) -> None:
        self._settle_rows(tx, rows, "expiry")

    def _rearm(self, tx: Tx, rows: tuple[StandingIntent, ...]) -> None:
        self._settle_rows(tx, rows, "cooldown over")

    def _refund(self, tx: Tx, fires: tuple[Fire, ...]) -> None:
        self._lock(tx, {fire.intent_key for fire in fires})
        for fire in fires:
            refund(self.ctx, tx, fire, self.ctx.clock.now(), "not delivered in time")

    def _lock(self, tx: Tx, keys: Iterable[int]) -> tuple[StandingIntent, ...]:
        """All rows of a chunk, then all their chains: one order, whoever else is at work."""
        locked = tx.intents.by_keys(sorted(keys), lock=True)
        tx.operations.lock(row.namespace_id for row in locked)
        return locked

    def _settle_rows(self, tx: Tx, rows: tuple[StandingIntent, ...], reason: str) -> None:
        now, ids = self.ctx.clock.now(), self.ctx.ids
        for old in self._lock(tx, (row.key for row in rows)):
            new = lifecycle.settled(old, now)
            if new is old:
                continue
            store_change(self.ctx, tx, old, new)
            payload = {"from": str(old.status), "to": str(new.status), "reason": reason}
            log(tx, ids, now, SYSTEM, OpType.STANDING_TRANSITION, old.namespace_id, old.id, payload)

"""Acting on an update or a message of a platform once, however often the platform sends it."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from core.services.context import Context
from core.services.record import EPOCH, MICROSECOND, micros

KEPT_FOR = timedelta(hours=48)
"""Platforms send an update again within a day; numbers may begin anew after a week of silence."""
KEPT_IDS = 200
"""So many ids of a bot login are kept, those recorded last."""


@dataclass(frozen=True, slots=True)
class MarkActed:
    """Record that an update is acted on, before it is; False for one at or below a number recorded lately.

    Numbers of a bot login ascend; they may start lower again after a pause (`KEPT_FOR` and longer).
    """

    ctx: Context

    def __call__(self, provider: str, account: str, number: int) -> bool:
        key, now = f"{provider}.{account}.acted", self.ctx.clock.now()
        with self.ctx.store.write() as tx:
            last, at = _read(tx.records.fact(key))
            if number <= last and abs(now - at) < KEPT_FOR:
                return False
            tx.records.put_fact(key, f"{number}:{micros(now)}")
            tx.commit()
            return True


@dataclass(frozen=True, slots=True)
class ActOnce:
    """Record that a message is acted on, before it is; False for one recorded lately (`KEPT_IDS`).

    For platforms whose ids come in no order over their conversations. An id has no spaces in it.
    """

    ctx: Context

    def __call__(self, provider: str, account: str, message_id: str) -> bool:
        key = f"{provider}.{account}.acted_ids"
        with self.ctx.store.write() as tx:
            known = (tx.records.fact(key) or "").split()
            if message_id in known:
                return False
            tx.records.put_fact(key, " ".join([*known, message_id][-KEPT_IDS:]))
            tx.commit()
            return True


def _read(fact: str | None) -> tuple[int, datetime]:
    number, _, at = (fact or "0:0").partition(":")
    return int(number), EPOCH + int(at) * MICROSECOND

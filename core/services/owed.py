"""Dropping what is still owed of an intent: its open fires are settled and their messages are never sent."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from core.catalogue import say
from core.errors import StorageError
from core.ports import Tx
from core.services.context import Context
from core.services.deliver import close_outbox, log_refund
from core.standing import lifecycle
from core.standing.intent import LIVE, Fire, FireState, OutboxState, StandingIntent
from core.turn import Actor


def drop_owed(
    ctx: Context, tx: Tx, row: StandingIntent, fires: Iterable[Fire], actor: Actor, now: datetime, why: str
) -> StandingIntent:
    """Refund these open fires of a row, one REFUNDED operation each; answers the row as it is then stored.

    The caller holds the locks of the row and of its chain. A live row gets its budget back; one that is over stays as
    it is, so that nothing arms it any more. Nobody is told.
    """
    for fire in fires:
        if not tx.fires.settle(fire.id, FireState.REFUNDED, now):
            continue
        close_outbox(tx, fire, OutboxState.FAILED, now)
        old, row = row, _refunded(tx, row, now)
        log_refund(ctx, tx, old, row, fire, actor, now, why)
    return row


def by_intent(fires: Iterable[Fire]) -> dict[int, Sequence[Fire]]:
    """The same fires by the key of their intent."""
    found: dict[int, list[Fire]] = {}
    for fire in fires:
        found.setdefault(fire.intent_key, []).append(fire)
    return dict(found)


def _refunded(tx: Tx, old: StandingIntent, now: datetime) -> StandingIntent:
    if old.status not in LIVE:
        return old
    new = lifecycle.refunded(old, tx.fires.newest_kept(old.key), now)
    if not tx.intents.update(old, new):
        raise StorageError(say("intent.raced", handle=old.handle), say("intent.raced.hint"), retry=True)
    return tx.intents.by_keys([old.key])[0]

"""What one person made of a place or a namespace: the rows to end, and those that still owe something."""

from dataclasses import replace

from core.limits import ALL_ROWS
from core.ports import Tx
from core.standing.intent import ChannelScope, Fire, StandingIntent
from core.stored import IntentFilter
from core.turn import Principal


def lock_all(tx: Tx, wanted: IntentFilter, who: Principal) -> tuple[tuple[StandingIntent, ...], tuple[Fire, ...]]:
    """The rows that `wanted` finds of a person, with those of the same places that owe something; and what is owed.

    All are locked, ascending, and so are their chains.
    """
    keys = {row.key for row in tx.intents.list(replace(wanted, creator=who), ALL_ROWS, 0)}
    keys.update(fire.intent_key for fire in tx.fires.open_of_creator(who))
    rows = tuple(row for row in tx.intents.by_keys(sorted(keys), lock=True) if _reaches(wanted, row)) if keys else ()
    tx.operations.lock(row.namespace_id for row in rows)
    held = {row.key for row in rows}
    return rows, tuple(fire for fire in tx.fires.open_of_creator(who) if fire.intent_key in held)


def _reaches(wanted: IntentFilter, row: StandingIntent) -> bool:
    """Does a row lie where `wanted` looks, whatever its status?"""
    if wanted.namespace_ids and row.namespace_id not in wanted.namespace_ids:
        return False
    if wanted.space and row.space != wanted.space:
        return False
    hidden = wanted.anywhere_of is not None and row.channel_scope is ChannelScope.ANYWHERE
    return not hidden or row.creator == wanted.anywhere_of

"""Storing a new row and putting it on record: what a creation and an import have in common."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

from core.audit.recorded import recorded_standing
from core.catalogue import say
from core.errors import LimitExceeded, StorageError
from core.operations.log import OpType
from core.operations.recorded import with_new
from core.ports import Tx
from core.services.context import Context
from core.services.record import log, micros
from core.services.refile import scope_key
from core.standing.intent import StandingIntent
from core.turn import Actor

HANDLE_LETTERS = (4, 4, 4, 4, 5, 5, 5, 6, 6, 6)
T = TypeVar("T")


def add_row(ctx: Context, tx: Tx, row: StandingIntent) -> StandingIntent:
    """Store a row under ids of its own and the first handle that is free. Raises StorageError when none is."""
    ids = ctx.ids

    def add(handle: str) -> StandingIntent:
        return tx.intents.add(replace(row, handle=handle, id=ids.uuid(), description_id=ids.uuid()), ids.salt())

    return with_free_handle(ctx, "i", add)


def with_free_handle(ctx: Context, prefix: str, add: Callable[[str], T]) -> T:
    """What `add` makes of the first handle that it does not refuse. Raises StorageError when all are taken."""
    for letters in HANDLE_LETTERS:
        try:
            return add(ctx.ids.handle(prefix, letters))
        except LimitExceeded:
            continue
    raise StorageError(say("handle.exhausted"), say("handle.exhausted.hint"))


def log_new(ctx: Context, tx: Tx, row: StandingIntent, actor: Actor, more: Mapping[str, object]) -> None:
    """One ASSERT with everything that the row says, its words by content id and salted hash; `more` beside it."""
    wordings = tx.intents.wordings(row.key)
    payload = {
        "handle": row.handle,
        "to": str(row.status),
        "words": [list(pair) for pair in wordings],
        "creator": row.creator.parts,
        "channel_scope": str(row.channel_scope),
        "scope_key": str(scope_key(tx, row)),
        "sender_scope": "anyone" if row.watches is None else row.watches.user_id,
        "expires_at": micros(row.expires_at),
        "max_fires": row.max_fires,
        "cooldown": int(row.cooldown.total_seconds()),
        "cooldown_per": str(row.cooldown_per),
        "except_in": [str(place) for place in row.except_in],
        "deliver": str(row.deliver),
        "deliver_to": str(row.deliver_to or ""),
        "priority": row.priority.name,
        **more,
    }
    told = with_new(payload, recorded_standing(row, wordings))
    log(tx, ctx.ids, row.created_at, actor, OpType.ASSERT, row.namespace_id, row.id, told)

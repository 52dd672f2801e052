"""Saying yes to a rule that was imported: only its creator can, and only where they could make it now."""

from dataclasses import dataclass, replace
from datetime import datetime

from core.audit.recorded import standing_change
from core.catalogue import say
from core.errors import InvalidInput, LimitExceeded, NotAllowed, NotFound
from core.operations.log import OpType
from core.ports import Tx
from core.services.change_intent import lock_row, store_change
from core.services.context import Context
from core.services.notices import add_watched
from core.services.read_intents import IntentView, ShowIntent
from core.services.record import log
from core.services.refile import scope_key
from core.services.rights import lookup, require_creator
from core.services.twins import refuse_twin
from core.standing import lifecycle
from core.standing.intent import Draft, StandingIntent
from core.turn import Actor, Where


@dataclass(frozen=True, slots=True)
class ReadUnconfirmed:
    """The rule as its creator reads it before saying yes. Raises what `ConfirmIntent` would raise now."""

    ctx: Context

    def __call__(self, handle: str, actor: Actor, where: Where) -> IntentView:
        with self.ctx.store.read() as tx:
            now = self.ctx.clock.now()
            row = _confirmed(self.ctx, tx, _own(tx, handle, actor, where), actor, where, now)
            refuse_twin(tx, row, scope_key(tx, row), now)
        return ShowIntent(self.ctx)(handle, actor, where)


@dataclass(frozen=True, slots=True)
class ConfirmIntent:
    """Pending and unconfirmed to armed, as of now, with every check that creation makes; one STANDING_TRANSITION.

    `version` is that of the row as it was read back (`ReadUnconfirmed`). Raises NotFound for others than the creator,
    NotAllowed for who may not create here, InvalidTransition for a rule that is over or waits for nobody,
    InvalidInput for one that changed since it was read, or for a twin, LimitExceeded.
    """

    ctx: Context

    def __call__(self, handle: str, actor: Actor, where: Where, version: int) -> StandingIntent:
        ctx = self.ctx
        with ctx.store.write() as tx:
            now = ctx.clock.now()
            old = lock_row(tx, _own(tx, handle, actor, where))
            row = _confirmed(ctx, tx, old, actor, where, now)
            if old.version != version:
                raise InvalidInput(say("confirm.changed", handle=old.handle), say("confirm.changed.hint"))
            new = store_change(ctx, tx, old, row)
            payload = {"from": str(old.status), "to": str(new.status), "reason": "confirmed"}
            told = standing_change(payload, old, new)
            log(tx, ctx.ids, now, actor, OpType.STANDING_TRANSITION, old.namespace_id, old.id, told)
            add_watched(ctx, tx, new)
            tx.commit()
            return new


def _own(tx: Tx, handle: str, actor: Actor, where: Where) -> StandingIntent:
    """The actor's own rule behind a handle; everybody else reads that there is none."""
    row = lookup(tx, handle, actor, where, change=True)
    if row.creator != actor.principal:
        raise NotFound(say("intent.unknown", handle=row.handle), say("intent.unknown.hint"), handle=row.handle)
    return row


def _confirmed(ctx: Context, tx: Tx, old: StandingIntent, actor: Actor, where: Where, now: datetime) -> StandingIntent:
    """The row as it is once confirmed."""
    new = lifecycle.confirmed(lifecycle.settled(old, now), now)
    _check_rights(tx, old, actor, where)
    _check_room(ctx, tx, old)
    return replace(new, creator_name=new.creator_name or actor.name)


def _check_rights(tx: Tx, row: StandingIntent, actor: Actor, where: Where) -> None:
    """As at creation, in the place where it listens: an owner of another space is none of this one."""
    place = tx.places.get(row.channel)
    draft = Draft("", "", channel_scope=row.channel_scope)
    require_creator(actor, draft, replace(where, visibility=place.visibility))
    if not actor.is_operator and tx.places.find(where).namespace_id != row.namespace_id:
        name = place.name or place.external_id
        raise NotAllowed(say("confirm.elsewhere", handle=row.handle), say("confirm.elsewhere.hint", name=name))


def _check_room(ctx: Context, tx: Tx, row: StandingIntent) -> None:
    """The bounds on live rows, among which it counts already."""
    limits = ctx.limits
    for name, used, limit in (
        ("live_intents_per_creator", tx.intents.live_of_creator(row.creator), limits.live_intents_per_creator),
        ("live_intents_per_space", tx.intents.live_of_space(row.space), limits.live_intents_per_space),
    ):
        if used > limit:
            sentence, hint = say(f"draft.{name}", limit=limit), say(f"draft.{name}.hint")
            raise LimitExceeded(sentence, hint, name=name, used=used, limit=limit)

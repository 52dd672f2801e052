"""[Renew], "remind me again": a rule that is done or expired begins anew, as a new one that points at the old."""

from dataclasses import dataclass, replace

from core.catalogue import say
from core.errors import InvalidInput, InvalidTransition, NotAllowed
from core.ports import Tx
from core.services.context import Context
from core.services.create_intent import check_room
from core.services.new_row import add_row, log_new
from core.services.notices import add_watched
from core.services.refile import refile, scope_key
from core.services.rights import lookup, require_creator
from core.services.twins import refuse_twin
from core.standing.intent import Draft, StandingIntent, Status
from core.standing.lifecycle import effective_status, status_name
from core.turn import Actor, Where


@dataclass(frozen=True, slots=True)
class RenewIntent:
    """Store a new armed intent with the words, scope, cooldown, budget and span of life of one that is over.

    It is the actor's own: where the old one listened to its creator, it listens to them. Rights, room and twins are
    checked as at creation, `where` being a place of the rule's own namespace (an operator may be anywhere). One ASSERT.
    Raises NotFound, NotAllowed, InvalidTransition for a rule that is not over, InvalidInput or LimitExceeded.
    """

    ctx: Context

    def __call__(self, handle: str, actor: Actor, where: Where, message_id: str = "") -> StandingIntent:
        ctx = self.ctx
        with ctx.store.write() as tx:
            old = lookup(tx, handle, actor, where, change=True)
            self._require(tx, old, actor, where)
            row = self._anew(old, actor, message_id)
            spot = tx.places.find(where)
            tx.operations.lock([old.namespace_id])
            check_room(ctx, tx, row.creator, replace(spot, space=old.space))
            refuse_twin(tx, row, scope_key(tx, row), row.created_at)
            tx.places.ensure_principal(row.creator, row.creator_name)
            new = add_row(ctx, tx, row)
            refile(ctx, tx, new)
            log_new(ctx, tx, new, actor, {"renewed_from": old.id})
            add_watched(ctx, tx, new)
            tx.commit()
            return new

    def _require(self, tx: Tx, old: StandingIntent, actor: Actor, where: Where) -> None:
        spot = tx.places.find(where)
        require_creator(
            actor, Draft("", "", channel_scope=old.channel_scope), replace(where, visibility=spot.visibility)
        )
        if spot.namespace_id != old.namespace_id and not actor.is_operator:
            sentence = say("intent.renew.elsewhere", handle=old.handle)
            raise NotAllowed(sentence, say("intent.renew.elsewhere.hint"), handle=old.handle)
        status = effective_status(old, self.ctx.clock.now())
        if status not in {Status.DONE, Status.EXPIRED}:
            cancelled = status is Status.CANCELLED
            live = say("intent.renew.live", handle=old.handle, status=status_name(status))
            raise InvalidTransition(
                say("intent.renew.cancelled", handle=old.handle) if cancelled else live,
                say("intent.renew.again.hint") if cancelled else say("intent.moved.live.hint", handle=old.handle),
                kind="standing intent",
                old=status,
                new=Status.ARMED,
            )
        if not old.description or not all(old.entries):
            raise InvalidInput(say("intent.renew.erased", handle=old.handle), say("intent.renew.again.hint"))

    def _anew(self, old: StandingIntent, actor: Actor, message_id: str) -> StandingIntent:
        assert actor.principal is not None, "require_creator checked it"  # noqa: S101
        now, name = self.ctx.clock.now(), actor.name or actor.principal.user_id
        own = old.watches == old.creator
        return replace(
            old,
            creator=actor.principal,
            creator_name=name,
            watches=actor.principal if own else old.watches,
            watches_name=name if own else old.watches_name,
            status=Status.ARMED,
            created_at=now,
            armed_at=now,
            expires_at=now + min(old.expires_at - old.created_at, self.ctx.limits.lifetime),
            fire_count=0,
            last_fired_at=None,
            last_fire_id=None,
            source_message_id=message_id,
            renewed_from=old.id,
            expiry_asked_at=None,
            unconfirmed=False,
            key=0,
            version=1,
        )

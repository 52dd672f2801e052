"""Quiet: one switch above all rules for a conversation, a channel or a space, and one of a single rule."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from core.audit.recorded import standing_change
from core.catalogue import say
from core.errors import InvalidInput, LimitExceeded, NotAllowed
from core.operations.log import OpType
from core.ports import Tx
from core.services.change_intent import changeable, store_change
from core.services.context import Context
from core.services.elsewhere import require_there
from core.services.record import log, micros
from core.services.rights import lookup
from core.standing.intent import StandingIntent
from core.standing.mutes import PREFIX, Mute, ended, key_of, mute_at
from core.turn import Actor, PlaceKind, Spot, Visibility, Where


@dataclass(frozen=True, slots=True)
class MuteHere:
    """The widest mute in force where somebody stands, or None."""

    ctx: Context

    def __call__(self, where: Where) -> Mute | None:
        with self.ctx.store.read() as tx:
            spot = tx.places.find(where)
            stored = tx.records.settings(spot.space) if spot.space else {}
            return mute_at(stored, spot, self.ctx.clock.now())


@dataclass(frozen=True, slots=True)
class _Quiet:
    """What muting and its end have in common: the right, the place, the lock, the record."""

    ctx: Context

    def _check(self, kind: PlaceKind, actor: Actor, where: Where) -> None:
        if actor.principal is None or not (actor.is_owner or actor.is_operator):
            raise NotAllowed(say("rights.mute"), say("rights.mute.hint"))
        if kind is PlaceKind.SPACE and where.visibility is not Visibility.PUBLIC:
            raise InvalidInput(say("mute.private"), say("mute.private.hint"))

    def _enter(self, tx: Tx, kind: PlaceKind, actor: Actor, where: Where) -> Spot:
        """The place, stored, with the chains of its namespace and its space's locked: mutes are counted by space."""
        spot = tx.places.ensure(where, self.ctx.ids.uuid())
        self._check(kind, actor, replace(where, visibility=spot.visibility))
        tx.operations.lock({spot.namespace_id, tx.places.get(spot.space).namespace_id})
        require_there(tx, where, spot)
        return spot

    def _log(self, tx: Tx, actor: Actor, spot: Spot, payload: Mapping[str, object]) -> None:
        now, ids, target = self.ctx.clock.now(), self.ctx.ids, str(spot.space)
        log(tx, ids, now, actor, OpType.NAMESPACE_POLICY_UPDATE, spot.namespace_id, target, payload, "space")


@dataclass(frozen=True, slots=True)
class MutePlace(_Quiet):
    """Mute a conversation, a channel or a space for `span`, or until somebody ends it; again replaces the end.

    One NAMESPACE_POLICY_UPDATE; mutes that are over are forgotten with it. Raises NotAllowed unless an owner or
    operator asks, InvalidInput for a space from a private place or a span out of bounds, LimitExceeded beyond
    `mutes_per_space`.
    """

    def __call__(self, kind: PlaceKind, span: timedelta | None, actor: Actor, where: Where) -> Mute:
        ctx = self.ctx
        self._check(kind, actor, where)
        _check_span(span, ctx.limits.mute)
        with ctx.store.write() as tx:
            now = ctx.clock.now()
            spot = self._enter(tx, kind, actor, where)
            key, until = key_of(_place(spot, kind)), None if span is None else now + span
            stored, dropped = self._kept(tx, spot, now)
            if key not in stored and len(stored) >= ctx.limits.mutes_per_space:
                raise _too_many(len(stored), ctx.limits.mutes_per_space)
            end = micros(until) if until is not None else 0
            tx.records.put_setting(spot.space, key, end)
            payload = {"setting": key, "kind": str(kind), "from": stored.get(key), "to": end, "ended": dropped}
            self._log(tx, actor, spot, payload)
            tx.commit()
        return Mute(kind, until)

    def _kept(self, tx: Tx, spot: Spot, now: datetime) -> tuple[dict[str, object], int]:
        """The mutes of the space that still count, and how many were over and are forgotten."""
        mutes = {key: value for key, value in tx.records.settings(spot.space).items() if key.startswith(PREFIX)}
        over = [key for key, value in mutes.items() if ended(value, now)]
        for key in over:
            tx.records.drop_setting(spot.space, key)
        return {key: value for key, value in mutes.items() if key not in over}, len(over)


@dataclass(frozen=True, slots=True)
class UnmutePlace(_Quiet):
    """End the mute of exactly that place; one NAMESPACE_POLICY_UPDATE. Raises InvalidInput when there is none."""

    def __call__(self, kind: PlaceKind, actor: Actor, where: Where) -> None:
        ctx = self.ctx
        self._check(kind, actor, where)
        with ctx.store.write() as tx:
            now = ctx.clock.now()
            spot = self._enter(tx, kind, actor, where)
            stored = tx.records.settings(spot.space)
            key = key_of(_place(spot, kind))
            if key not in stored or ended(stored[key], now):
                raise _not_muted(kind, mute_at(stored, spot, now))
            tx.records.drop_setting(spot.space, key)
            payload = {"setting": key, "kind": str(kind), "from": stored[key], "to": None, "ended": 0}
            self._log(tx, actor, spot, payload)
            tx.commit()


def _place(spot: Spot, kind: PlaceKind) -> int:
    match kind:
        case PlaceKind.SPACE:
            return spot.space
        case PlaceKind.CHANNEL:
            return spot.channel
        case PlaceKind.CONVERSATION:
            return spot.conversation


def _check_span(span: timedelta | None, limit: timedelta) -> None:
    if span is not None and not timedelta(0) < span <= limit:
        raise InvalidInput(say("mute.span"), say("mute.span.hint", limit=limit.days), used=span, limit=limit)


def _too_many(used: int, limit: int) -> LimitExceeded:
    sentence, hint = say("mute.many", limit=limit), say("mute.many.hint")
    return LimitExceeded(sentence, hint, name="mutes_per_space", used=used, limit=limit)


def _not_muted(kind: PlaceKind, other: Mute | None) -> InvalidInput:
    hint = say("mute.none.hint") if other is None else say(f"mute.none.{other.kind}")
    return InvalidInput(say("mute.none", kind=say(f"mute.kind.{kind}")), hint)


@dataclass(frozen=True, slots=True)
class MuteIntent:
    """Keep one rule quiet where the asker stands (the thread, or the channel with its threads), or end that.

    `off` ends it. One EDITED operation. Raises NotFound, InvalidTransition for a rule that is not live, LimitExceeded
    beyond `except_places`, InvalidInput when nothing would change or the rule does not listen there.
    """

    ctx: Context

    def __call__(self, handle: str, actor: Actor, where: Where, off: bool = False) -> StandingIntent:
        ctx = self.ctx
        with ctx.store.write() as tx:
            now = ctx.clock.now()
            found = lookup(tx, handle, actor, where, change=True)
            tx.intents.by_keys([found.key], lock=True)  # before the place and the chain, as a turn does it
            spot = tx.places.ensure(where, ctx.ids.uuid())
            old, row = changeable(tx, found, actor, now)
            place = spot.conversation if where.conversation != where.channel else spot.channel
            new = replace(row, except_in=self._changed(row, place, spot, off))
            stored = store_change(ctx, tx, old, new)
            payload: dict[str, object] = {"except_in": [[str(key) for key in side.except_in] for side in (row, new)]}
            if new.status is not old.status:
                payload["status"] = [str(old.status), str(new.status)]
            told = standing_change(payload, old, stored)
            log(tx, ctx.ids, now, actor, OpType.EDITED, old.namespace_id, old.id, told)
            tx.commit()
            return stored

    def _changed(self, row: StandingIntent, place: int, spot: Spot, off: bool) -> tuple[int, ...]:
        limit, there = self.ctx.limits.except_places, place in row.except_in
        if off and not there:
            raise InvalidInput(say("mute.rule.none", handle=row.handle), say("mute.rule.none.hint"))
        if off:
            return tuple(key for key in row.except_in if key != place)
        if there:
            hint = say("mute.rule.twice.hint", handle=row.handle)
            raise InvalidInput(say("mute.rule.twice", handle=row.handle), hint)
        if not _listens(row, spot):
            raise InvalidInput(say("mute.rule.deaf", handle=row.handle), say("mute.rule.deaf.hint"))
        if len(row.except_in) >= limit:
            sentence, hint = say("mute.rule.many", handle=row.handle, limit=limit), say("mute.rule.many.hint")
            raise LimitExceeded(sentence, hint, name="except_places", used=len(row.except_in), limit=limit)
        return (*row.except_in, place)


def _listens(row: StandingIntent, spot: Spot) -> bool:
    """Does the rule hear anything in that place or in the threads of it?"""
    if row.namespace_id != spot.namespace_id and row.scope_key() != 0:
        return False
    key = row.scope_key(spot.visibility is not Visibility.PUBLIC)
    return key in spot.scope_keys() or row.channel == spot.channel

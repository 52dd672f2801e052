"""Changing a standing intent: edit, pause, resume, cancel. Each is one transaction and one operation."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from core.audit.recorded import standing_change
from core.catalogue import say
from core.errors import InvalidInput, InvalidTransition, StorageError
from core.operations.log import OpType
from core.ports import Tx
from core.services.context import Context
from core.services.elsewhere import check_deliver, deliver_id, except_ids, home_of
from core.services.notices import add_cancelled
from core.services.owed import drop_owed
from core.services.record import log, maybe_micros, micros
from core.services.refile import refile, scope_key
from core.services.rights import lookup, require_change, require_waking
from core.services.twins import refuse_twin
from core.standing import drafts, lifecycle
from core.standing.intent import INDEXED, LIVE, Change, Deliver, Draft, StandingIntent, Status
from core.text.analyse import TextOptions
from core.turn import Actor, Where


def lock_row(tx: Tx, found: StandingIntent) -> StandingIntent:
    """The authoritative row behind one that was looked up, locked with its chain. StorageError when it is gone."""
    rows = tx.intents.by_keys([found.key], lock=True)
    if not rows:
        raise StorageError(say("intent.raced", handle=found.handle), say("intent.raced.hint"), retry=True)
    tx.operations.lock([found.namespace_id])
    return rows[0]


def changeable(tx: Tx, found: StandingIntent, actor: Actor, now: datetime) -> tuple[StandingIntent, StandingIntent]:
    """A row that was looked up and is to be changed, locked with its chain: as it is stored, and as it is now.

    Raises NotAllowed for who may not change it now, InvalidTransition when it is no longer live.
    """
    old = lock_row(tx, found)
    require_change(actor, old)
    row = lifecycle.settled(old, now)
    if row.status not in LIVE:
        raise InvalidTransition(
            say("intent.edit.final", handle=row.handle, status=lifecycle.status_name(row.status)),
            say("intent.edit.final.hint"),
            kind="standing intent",
            old=row.status,
            new=row.status,
        )
    return old, row


def store_change(ctx: Context, tx: Tx, old: StandingIntent, new: StandingIntent) -> StandingIntent:
    """Write a changed row and keep the index in step with its state.

    Raises StorageError on a lost race, InvalidInput when a row that begins to listen, or to other words or people,
    would wait for the same as another one of its creator.
    """
    begins = new.status in INDEXED and old.status not in INDEXED
    if begins or (new.status in INDEXED and (old.entries, old.watches) != (new.entries, new.watches)):
        refuse_twin(tx, new, scope_key(tx, new), ctx.clock.now())
    if not tx.intents.update(old, new):
        raise StorageError(say("intent.raced", handle=old.handle), say("intent.raced.hint"), retry=True)
    if new.status not in INDEXED:
        if old.status in INDEXED:
            tx.index.remove(old.key)
    elif begins or (old.entries, old.options, old.watches) != (
        new.entries,
        new.options,
        new.watches,
    ):
        refile(ctx, tx, new)
    return replace(new, version=old.version + 1)


@dataclass(frozen=True, slots=True)
class _Move:
    """One change of state by a person: the right is checked, the row moved, one operation written."""

    ctx: Context

    def _run(
        self,
        handle: str,
        actor: Actor,
        where: Where | None,
        step: Callable[[StandingIntent, datetime], StandingIntent],
        reason: str,
        change: bool = True,
        drop: bool = False,
    ) -> StandingIntent:
        ctx = self.ctx
        with ctx.store.write() as tx:
            now = ctx.clock.now()
            old = lock_row(tx, lookup(tx, handle, actor, where, change=change))
            if drop:
                old = drop_owed(ctx, tx, old, tx.fires.open_of_intent(old.key), actor, now, reason)
            new = store_change(ctx, tx, old, step(lifecycle.settled(old, now), now))
            payload = {"from": str(old.status), "to": str(new.status), "reason": reason}
            told = standing_change(payload, old, new)
            log(tx, ctx.ids, now, actor, OpType.STANDING_TRANSITION, old.namespace_id, old.id, told)
            if new.status is Status.CANCELLED:
                add_cancelled(ctx, tx, [new], actor)
            tx.commit()
            return new


@dataclass(frozen=True, slots=True)
class PauseIntent(_Move):
    """Armed or fired to pending: it stays listed and never fires until it is resumed."""

    def __call__(self, handle: str, actor: Actor, where: Where | None) -> StandingIntent:
        return self._run(handle, actor, where, lambda row, _now: lifecycle.paused(row), "paused")


@dataclass(frozen=True, slots=True)
class ResumeIntent(_Move):
    """Pending to armed, or to fired while its cooldown runs. Its creator may while they own the space."""

    def __call__(self, handle: str, actor: Actor, where: Where | None) -> StandingIntent:
        def resume(row: StandingIntent, now: datetime) -> StandingIntent:
            require_waking(actor, row)
            return lifecycle.resumed(row, now)

        return self._run(handle, actor, where, resume, "resumed")


@dataclass(frozen=True, slots=True)
class CancelIntent(_Move):
    """Live to cancelled, for good, and what it still owes is dropped.

    The creator, an owner of the space, an operator or an admin may.
    """

    def __call__(self, handle: str, actor: Actor, where: Where | None) -> StandingIntent:
        def cancel(row: StandingIntent, _now: datetime) -> StandingIntent:
            return lifecycle.move(row, Status.CANCELLED)

        return self._run(handle, actor, where, cancel, "cancelled", change=False, drop=True)


@dataclass(frozen=True, slots=True)
class EditIntent:
    """Change fields of a live intent under the same checks as at creation; one EDITED operation.

    Raises InvalidInput when nothing would change, or when another rule waits for the new words already, and
    InvalidTransition when the intent is no longer live.
    """

    ctx: Context

    def __call__(self, handle: str, change: Change, actor: Actor, where: Where | None) -> StandingIntent:
        ctx = self.ctx
        with ctx.store.write() as tx:
            now = ctx.clock.now()
            old, row = changeable(tx, lookup(tx, handle, actor, where, change=True), actor, now)
            new, fields = self._apply(tx, row, change, now)
            if not fields:
                raise InvalidInput(say("intent.edit.nothing"), say("intent.edit.nothing.hint"))
            if new.status is not old.status:
                fields["status"] = [str(old.status), str(new.status)]
            words = tx.intents.wordings(old.key)
            stored = store_change(ctx, tx, old, new)
            if "words" in fields:
                fields["words"] = [[list(pair) for pair in side] for side in (words, tx.intents.wordings(old.key))]
            told = standing_change(fields, old, stored)
            log(tx, ctx.ids, now, actor, OpType.EDITED, old.namespace_id, old.id, told)
            tx.commit()
            return stored

    def _apply(
        self, tx: Tx, old: StandingIntent, change: Change, now: datetime
    ) -> tuple[StandingIntent, dict[str, object]]:
        limits = self.ctx.limits
        new = self._texts(tx, old, change, now)
        if change.expires_at is not None or change.expires_in is not None:
            draft = Draft("", "", expires_in=change.expires_in, expires_at=change.expires_at)
            new = replace(new, expires_at=drafts.check_expiry(draft, now, limits), expiry_asked_at=None)
        if change.max_fires is not None:
            if drafts.check_max_fires(change.max_fires, limits) <= old.fire_count:
                raise InvalidInput(say("intent.edit.budget", used=old.fire_count), say("intent.edit.budget.hint"))
            new = replace(new, max_fires=change.max_fires)
        if change.cooldown is not None:
            new = replace(new, cooldown=drafts.check_cooldown(change.cooldown, new.watches, limits))
        new = replace(
            self._places(tx, new, change),
            priority=old.priority if change.priority is None else change.priority,
            on_edits=old.on_edits if change.on_edits is None else change.on_edits,
            cooldown_per=old.cooldown_per if change.cooldown_per is None else change.cooldown_per,
        )
        return _cooling(lifecycle.settled(new, now), now), _differences(old, new)

    def _places(self, tx: Tx, old: StandingIntent, change: Change) -> StandingIntent:
        """Where it stays quiet and where its reminders go."""
        new = old
        if change.except_in is not None:
            new = replace(new, except_in=except_ids(self.ctx, tx, change.except_in, home_of(tx, old)))
        if change.deliver is None and change.deliver_to is None:
            return new
        home = home_of(tx, old)
        deliver = check_deliver(change.deliver or Deliver.PLACE, home)
        if deliver is not Deliver.PLACE:
            return replace(new, deliver=deliver, deliver_to=0)
        return replace(new, deliver=deliver, deliver_to=deliver_id(self.ctx, tx, change.deliver_to, home))

    def _texts(self, tx: Tx, old: StandingIntent, change: Change, now: datetime) -> StandingIntent:
        new = old
        if change.word_forms is not None:
            options = TextOptions(old.options.language, change.word_forms, old.options.fold_accents)
            new = replace(new, options=options)
        if change.anyone is not None and change.anyone != (old.watches is None):
            watches = None if change.anyone else old.creator
            new = replace(new, watches=watches, watches_name="" if change.anyone else old.creator_name)
        if change.triggers is not None or new is not old:
            triggers = change.triggers if change.triggers is not None else "\n".join(old.entries)
            draft = Draft(triggers, "", anyone=new.watches is None)
            entries = drafts.check_entries(draft, new.options)
            new = replace(new, entries=tuple(entry.source for entry in entries))
        if change.description is not None:
            text = drafts.check_description(change.description, now, self.ctx.limits)
            if text != old.description:
                content_id = self.ctx.ids.uuid()
                tx.intents.reword(content_id, self.ctx.ids.salt(), text)
                new = replace(new, description=text, description_id=content_id)
        return new


def _cooling(row: StandingIntent, now: datetime) -> StandingIntent:
    """An armed row is quiet again where a change of its cooldown lets it still run."""
    running = row.status is Status.ARMED and row.ready_at is not None and now < row.ready_at
    return lifecycle.move(row, Status.FIRED) if running else row


def _differences(old: StandingIntent, new: StandingIntent) -> dict[str, object]:
    """{field: [old, new]} in canonical values; for texts only the name `words`, whose ids the store knows."""
    pairs: dict[str, tuple[object, object]] = {
        "words": ((old.description_id, *old.entries), (new.description_id, *new.entries)),
        "expires_at": (micros(old.expires_at), micros(new.expires_at)),
        "expiry_asked_at": (maybe_micros(old.expiry_asked_at), maybe_micros(new.expiry_asked_at)),
        "max_fires": (old.max_fires, new.max_fires),
        "cooldown": (int(old.cooldown.total_seconds()), int(new.cooldown.total_seconds())),
        "priority": (old.priority.name, new.priority.name),
        "on_edits": (old.on_edits, new.on_edits),
        "word_forms": (old.options.word_forms, new.options.word_forms),
        "anyone": (old.watches is None, new.watches is None),
        "cooldown_per": (str(old.cooldown_per), str(new.cooldown_per)),
        "except_in": ([str(place) for place in old.except_in], [str(place) for place in new.except_in]),
        "deliver": (str(old.deliver), str(new.deliver)),
        "deliver_to": (str(old.deliver_to or ""), str(new.deliver_to or "")),
    }
    return {name: list(pair) for name, pair in pairs.items() if pair[0] != pair[1]}

"""Making timed reminders: at somebody's word, or from one that is put off."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import islice, pairwise

from core.audit.recorded import recorded_timed
from core.catalogue import say
from core.errors import InvalidInput, LimitExceeded, NotFound
from core.operations.log import OpType
from core.operations.recorded import with_new
from core.ports import Tx
from core.services.context import Context
from core.services.new_row import with_free_handle
from core.services.record import log, maybe_micros, micros
from core.services.timed_rights import lookup_own, require_remind
from core.services.timed_rows import TARGET_TYPE, lock_row, store_change
from core.services.whens import first_due, occurrences
from core.settings import Setting
from core.standing.drafts import check_description
from core.standing.durations import show_duration
from core.standing.intent import Fire, OutboxItem, StandingIntent
from core.timed import reminder as rules
from core.timed.reminder import RemindDraft, TimedReminder
from core.timed.when import Resolution, When
from core.turn import Actor, Visibility, Where


@dataclass(frozen=True, slots=True)
class Remind:
    """Store a timed reminder with one ASSERT, and return it for the read-back.

    `message_id` is the message that asked for it; with `reply` the reminder will be a reply to it. Raises NotAllowed,
    InvalidInput (the past, too often, who cannot be reminded) or LimitExceeded.
    """

    ctx: Context

    def __call__(
        self, draft: RemindDraft, actor: Actor, where: Where, message_id: str = "", reply: bool = False
    ) -> TimedReminder:
        ctx = self.ctx
        with ctx.store.write() as tx:
            now = ctx.clock.now()
            creator = require_remind(ctx, tx, draft, actor, tx.places.find(where))
            text = check_description(draft.text, now, ctx.limits)
            due_at = check_when(ctx, draft.when, now)
            spot = tx.places.ensure(where, ctx.ids.uuid())
            tx.operations.lock([spot.namespace_id])
            direct = draft.direct or spot.visibility is Visibility.DIRECT
            name = actor.name or creator.user_id
            row = TimedReminder(
                id=ctx.ids.uuid(),
                handle="",
                namespace_id=spot.namespace_id,
                space=spot.space,
                channel=spot.channel,
                conversation=spot.conversation,
                text=text,
                creator=creator,
                creator_name=name,
                target=draft.target or creator,
                target_name=draft.target_name if draft.target not in {None, creator} else name,
                when=draft.when,
                created_at=now,
                due_at=due_at,
                for_all=draft.for_all and not direct,
                direct=direct,
                source_message_id=message_id,
                reply_to=message_id if reply and not direct else "",
                text_id=ctx.ids.uuid(),
            )
            made = add_timed(ctx, tx, row, actor)
            tx.commit()
            return replace(made, when=draft.when)  # with its notes


def check_when(ctx: Context, when: When, now: datetime) -> datetime:
    """The first instant: in the future, not too far; a rule may not come too often. Raises InvalidInput."""
    due_at = first_due(ctx, when)
    if due_at <= now:
        raise InvalidInput(say("remind.past"), say("remind.past.hint"), due_at=due_at)
    if due_at > now + ctx.limits.due_ahead:
        years = ctx.limits.due_ahead.days // 365
        raise InvalidInput(say("remind.far"), say("remind.far.hint", limit=years), due_at=due_at)
    if when.rule:
        ctx.recurrences.after(when.rule, when.local, when.local)  # a rule that cannot be read says so
        times = islice(occurrences(ctx, when, due_at), ctx.limits.repeats_checked)
        gap = min((later - sooner for sooner, later in pairwise((due_at, *times))), default=ctx.limits.repeat_gap)
        if gap < ctx.limits.repeat_gap:
            limit = show_duration(ctx.limits.repeat_gap)
            raise LimitExceeded(
                say("remind.often", used=show_duration(gap)),
                say("remind.often.hint", limit=limit),
                name="repeat_gap",
                used=gap,
                limit=ctx.limits.repeat_gap,
            )
    return due_at


def add_timed(ctx: Context, tx: Tx, row: TimedReminder, actor: Actor) -> TimedReminder:
    """Store a row under the first free handle, with its ASSERT; LimitExceeded when its creator has too many.

    The caller holds the lock of the row's chain.
    """
    limit = ctx.limits.reminders_per_person
    used = tx.timed.active_of(row.creator)
    if used >= limit:
        sentence, hint = say("remind.reminders_per_person", limit=limit), say("remind.reminders_per_person.hint")
        raise LimitExceeded(sentence, hint, name="reminders_per_person", used=used, limit=limit)
    made = with_free_handle(ctx, "r", lambda handle: tx.timed.add(replace(row, handle=handle), ctx.ids.salt()))
    payload = {
        "handle": made.handle,
        "to": str(made.status),
        "words": list(tx.timed.wording(made.key)),
        "creator": made.creator.parts,
        "target": made.target.parts,
        "for_all": made.for_all,
        "direct": made.direct,
        "local": made.when.local.replace(fold=0).isoformat(),
        "fold": made.when.local.fold,
        "zone": made.when.zone,
        "rule": made.when.rule,
        "due_at": maybe_micros(made.due_at),
        "snoozed_from": made.snoozed_from,
        "fire": made.fire_id,
    }
    told = with_new(payload, recorded_timed(made))
    log(tx, ctx.ids, made.created_at, actor, OpType.ASSERT, made.namespace_id, made.id, told, TARGET_TYPE)
    return made


def check_span(ctx: Context, span: timedelta) -> timedelta:
    """How long something is put off. Raises InvalidInput."""
    if not timedelta(0) < span <= ctx.limits.due_ahead:
        years = ctx.limits.due_ahead.days // 365
        raise InvalidInput(say("remind.span"), say("remind.span.hint", limit=years), used=span)
    return span


def in_a_while(ctx: Context, tx: Tx, space: int, due_at: datetime) -> When:
    """That instant as wall time in the zone of a space."""
    name = str(ctx.settings(tx.records.settings(space))[Setting.ZONE])
    local = due_at.astimezone(ctx.zone_of(name))
    return When(local.replace(tzinfo=None), name, Resolution.EXACT)


@dataclass(frozen=True, slots=True)
class SnoozeTimed:
    """Say a reminder that came once more, `span` from now: a new row, and the old one is dealt with.

    A recurring one goes on beside it. Who made it or was reminded may. One SNOOZED for the old row, one ASSERT for the
    new. Raises NotFound, NotAllowed, InvalidTransition before it first came, InvalidInput or LimitExceeded.
    """

    ctx: Context

    def __call__(self, handle: str, span: timedelta, actor: Actor, where: Where | None) -> TimedReminder:
        ctx = self.ctx
        with ctx.store.write() as tx:
            now = ctx.clock.now()
            due_at = now + check_span(ctx, span)
            old = lock_row(tx, lookup_own(tx, handle, actor, where))
            new = rules.put_off(old, now)
            if not old.text:
                raise InvalidInput(say("remind.erased", handle=old.handle), say("remind.erased.hint"))
            mine = actor.principal == old.creator
            assert actor.principal is not None, "lookup_own checked it"  # noqa: S101
            row = TimedReminder(
                id=ctx.ids.uuid(),
                handle="",
                namespace_id=old.namespace_id,
                space=old.space,
                channel=old.channel,
                conversation=old.conversation,
                text=old.text,
                creator=actor.principal,
                creator_name=old.creator_name if mine else old.target_name,
                target=old.target,
                target_name=old.target_name,
                when=in_a_while(ctx, tx, old.space, due_at),
                created_at=now,
                due_at=due_at,
                for_all=old.for_all,
                direct=old.direct,
                source_message_id=old.source_message_id,
                reply_to=old.reply_to,
                snoozed_from=old.id,
                text_id=ctx.ids.uuid(),
            )
            store_change(tx, old, new)
            made = add_timed(ctx, tx, row, actor)
            payload = {"to": made.id, "due_at": micros(due_at), "acknowledged_at": maybe_micros(new.acknowledged_at)}
            log(tx, ctx.ids, now, actor, OpType.SNOOZED, old.namespace_id, old.id, payload, TARGET_TYPE)
            tx.commit()
            return made


@dataclass(frozen=True, slots=True)
class SnoozeFire:
    """Say the reminder of a standing intent once more, `span` from now, where and to whom it was said: [Later].

    Its creator may. One SNOOZED for the intent, one ASSERT for the new row. Raises NotFound, also for somebody else's;
    InvalidInput or LimitExceeded.
    """

    ctx: Context

    def __call__(self, fire_id: str, span: timedelta, actor: Actor) -> TimedReminder:
        ctx = self.ctx
        with ctx.store.write() as tx:
            now = ctx.clock.now()
            due_at = now + check_span(ctx, span)
            fire = tx.fires.get(fire_id)
            intent = tx.intents.by_id(fire.intent_id) if fire is not None else None
            if fire is None or intent is None or intent.creator != actor.principal or not intent.description:
                raise NotFound(say("timed.fire.unknown"), say("timed.unknown.hint"))
            row = self._row(tx, intent, fire, tx.outbox.of_fire(fire.id), due_at)
            tx.operations.lock({intent.namespace_id, row.namespace_id})
            made = add_timed(ctx, tx, row, actor)
            payload = {"fire": fire.id, "to": made.id, "due_at": micros(due_at)}
            log(tx, ctx.ids, now, actor, OpType.SNOOZED, intent.namespace_id, intent.id, payload)
            tx.commit()
            return made

    def _row(
        self, tx: Tx, intent: StandingIntent, fire: Fire, item: OutboxItem | None, due_at: datetime
    ) -> TimedReminder:
        """The same words, in the place where they were said."""
        ids = self.ctx.ids
        place = tx.places.get(fire.conversation if item is None else item.conversation)
        channel = place if place.parent_id is None else tx.places.get(place.parent_id)
        space = channel if channel.parent_id is None else tx.places.get(channel.parent_id)
        direct = (item is not None and item.recipient is not None) or place.visibility is Visibility.DIRECT
        return TimedReminder(
            id=ids.uuid(),
            handle="",
            namespace_id=place.namespace_id,
            space=space.id,
            channel=channel.id,
            conversation=place.id,
            text=intent.description,
            creator=intent.creator,
            creator_name=intent.creator_name,
            target=intent.creator,
            target_name=intent.creator_name,
            when=in_a_while(self.ctx, tx, space.id, due_at),
            created_at=self.ctx.clock.now(),
            due_at=due_at.astimezone(UTC),
            direct=direct,
            reply_to="" if direct or item is None else item.reply_to,
            fire_id=fire.id,
            text_id=ids.uuid(),
        )

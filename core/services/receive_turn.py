"""The way of one message: eligible? analyse, look up, and one short write transaction on a hit."""

from contextlib import suppress
from dataclasses import dataclass, replace

from core.catalogue import say
from core.errors import DeadlineExceeded, StorageError
from core.operations.log import OpType
from core.ports import Tx
from core.services import search
from core.services.context import Context
from core.services.goal_links import linked_goal, touch_goals
from core.services.outgoing import reminder_item, where_of
from core.services.record import log, maybe_micros, micros
from core.services.touch_mentioned import TouchMentioned
from core.standing import lifecycle
from core.standing.gates import Reason, TurnFacts, turn_eligible
from core.standing.intent import Fire, FireState, OutboxItem, OutboxState, StandingIntent, Status
from core.standing.machines import by_machine
from core.standing.matcher import PlannedFire, decide
from core.standing.outcome import Outcome, Reminder
from core.turn import SYSTEM, Turn, TurnKind

ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class ReceiveTurn:
    """Bring back every standing intent that this message triggers, charging each fire exactly once.

    Synchronous; no model call, no network, nothing awaited. Past the deadline nothing is charged and the
    outcome says so. A transaction that lost a race is tried again, `ATTEMPTS` times in all; raises StorageError
    when the store cannot be used.
    """

    ctx: Context

    def __call__(self, turn: Turn) -> Outcome:
        verdict = turn_eligible(turn, self.ctx.clock.now(), self.ctx.limits)
        if not verdict.passed:
            return Outcome(ignored=verdict.reason)
        outcome = self._matched(turn)
        if turn.kind is TurnKind.USER:
            with suppress(StorageError):  # a goal that fades a day longer is no reason to fail
                TouchMentioned(self.ctx)(turn)
        return outcome

    def _matched(self, turn: Turn) -> Outcome:
        if by_machine(turn) and not self._known(turn):
            return Outcome(ignored=Reason.NOT_A_PERSON)
        analysed = search.first_look(self.ctx, turn)
        if not analysed.keys:
            return Outcome(ignored=Reason.NO_TERMS, truncated=analysed.truncated)
        with self.ctx.store.read() as tx:
            found = search.find(self.ctx, tx, turn, analysed)
            hits = self._would_fire(tx, turn, found) if found.keys else False
        base = Outcome(
            candidates=len(found.keys),
            cut=found.cut,
            probe_cut=found.probe_cut,
            truncated=found.analysed.truncated,
        )
        return self._fire(turn, found, base) if hits else base

    def _known(self, turn: Turn) -> bool:
        """Can a rule name this bot or webhook? One look-up by key, before the text is analysed."""
        with self.ctx.store.read() as tx:
            return bool(tx.places.principal_key(turn.sender))

    def _would_fire(self, tx: Tx, turn: Turn, found: search.Found) -> bool:
        rows = search.load(tx, found)
        facts = search.facts_of(self.ctx, tx, turn, found, found.spot, rows)
        return bool(decide(rows, facts, self.ctx.limits).fires)

    def _fire(self, turn: Turn, found: search.Found, base: Outcome) -> Outcome:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return self._write(turn, found, base)
            except DeadlineExceeded:
                break
            except StorageError as error:
                if not error.details.get("retry"):
                    raise
                if self._late(turn):
                    break
                if attempt == ATTEMPTS:
                    raise
        return replace(base, ignored=Reason.DEADLINE)

    def _late(self, turn: Turn) -> bool:
        return self.ctx.clock.now() > turn.received_at + self.ctx.limits.turn_deadline

    def _write(self, turn: Turn, found: search.Found, base: Outcome) -> Outcome:
        ctx = self.ctx
        left = turn.received_at + ctx.limits.turn_deadline - ctx.clock.now()
        with ctx.store.write(patience=min(left, ctx.limits.turn_deadline)) as tx:
            rows = search.load(tx, found, lock=True)
            spot = tx.places.ensure(turn.where, ctx.ids.uuid())
            tx.operations.lock(row.namespace_id for row in rows)
            facts = search.facts_of(ctx, tx, turn, found, spot, rows)
            decision = decide(rows, facts, ctx.limits)
            reminders = tuple(self._charge(tx, facts, planned) for planned in decision.fires)
            touch_goals(ctx, tx, [planned.intent for planned in decision.fires])
            if self._late(turn):
                raise DeadlineExceeded(say("turn.deadline"), say("turn.deadline.hint"))
            if reminders:
                tx.commit()
        return replace(base, fires=reminders, block=decision.block)

    def _charge(self, tx: Tx, facts: TurnFacts, planned: PlannedFire) -> Reminder:
        old, now, ids = planned.intent, facts.now, self.ctx.ids
        new = lifecycle.fired(old, ids.uuid(), now)
        fire = _fire_row(old, new, facts, planned)
        if not tx.fires.add(fire) or not tx.intents.update(old, new):
            raise StorageError(say("intent.raced", handle=old.handle), say("intent.raced.hint"), retry=True)
        if new.status is Status.DONE:
            tx.index.remove(old.key)
        item = reminder_item(self.ctx, tx, old, fire, facts.spot, now)
        tx.outbox.add(item)
        payload = {
            "fire": fire.id,
            "from": str(old.status),
            "to": str(new.status),
            "fire_count": new.fire_count,
            "last_fired_at": [maybe_micros(old.last_fired_at), micros(now)],
            "message": fire.message_id,
            "place": str(fire.conversation),
            "entry_no": fire.entry_no,
        }
        log(tx, ids, now, SYSTEM, OpType.FIRED, old.namespace_id, old.id, payload)
        return reminder_of(tx, new, fire, item)


def _fire_row(old: StandingIntent, new: StandingIntent, facts: TurnFacts, planned: PlannedFire) -> Fire:
    turn = facts.turn
    assert turn.sender is not None and new.last_fire_id is not None, "gates passed"  # noqa: S101
    return Fire(
        id=new.last_fire_id,
        intent_id=old.id,
        intent_key=old.key,
        number=new.fire_count,
        conversation=facts.spot.conversation,
        message_id=turn.message_id,
        link=turn.link,
        sender=turn.sender,
        sender_name=turn.sender_name,
        entry=planned.entry,
        terms=planned.terms,
        fired_at=facts.now,
        state=FireState.RESERVED,
        previous_status=old.status,
        previous_fired_at=old.last_fired_at,
        previous_fire_id=old.last_fire_id,
        entry_no=old.entries.index(planned.entry),
    )


def reminder_of(tx: Tx, intent: StandingIntent, fire: Fire, item: OutboxItem) -> Reminder:
    """What an adapter renders for one fire of this intent."""
    last = fire.number >= intent.max_fires
    goal = linked_goal(tx, intent)
    here, direct = bool(item.reply_to), item.recipient is not None
    return Reminder(
        fire_id=fire.id,
        outbox_id=item.id,
        handle=intent.handle,
        description=intent.description,
        created_at=intent.created_at,
        creator=intent.creator,
        creator_name=intent.creator_name,
        sender=fire.sender,
        sender_name=fire.sender_name,
        entry=fire.entry,
        terms=fire.terms,
        number=fire.number,
        max_fires=intent.max_fires,
        fired_at=fire.fired_at,
        quiet_until=None if last else fire.fired_at + intent.cooldown,
        cooldown_per=intent.cooldown_per,
        conversation=fire.conversation,
        reply_to=item.reply_to,
        link=fire.link,
        recipient=item.recipient,
        post_in=None if here or direct else where_of(tx, item.conversation),
        said_in=None if here else where_of(tx, fire.conversation),
        held_until=item.due_at if item.state is OutboxState.HELD else None,
        goal="" if goal is None else goal.handle,
        goal_text="" if goal is None else goal.value,
    )

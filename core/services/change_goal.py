"""Editing and pinning an intent of goal memory: one operation each."""

from dataclasses import dataclass, replace
from datetime import datetime

from core.catalogue import say
from core.errors import InvalidInput, InvalidTransition, NotAllowed
from core.goals import drafts, risks, salience
from core.goals.objects import GoalChange, IntentObject, IntentState, LifecycleState
from core.goals.review import fold_key
from core.goals.states import state_name
from core.operations.log import OpType
from core.ports import Tx
from core.services import goal_notices
from core.services.add_goal import due_at
from core.services.context import Context
from core.services.goal_moves import settle
from core.services.goal_rights import as_here, lookup, require_change, require_review
from core.services.goal_rows import lock_goal, log_goal, store_goal
from core.services.review_goals import speakers_may
from core.turn import Actor, Where, machine_kind


@dataclass(frozen=True, slots=True)
class EditGoal:
    """Change fields of an intent that is not over, under the same checks as at creation.

    One EDITED; a change of priority is a PRIORITY_CHANGED of its own. A proposal stays one until somebody confirms it.
    Raises NotFound, NotAllowed, InvalidInput when nothing would change, InvalidTransition for one that is over.
    """

    ctx: Context

    def __call__(self, handle: str, change: GoalChange, actor: Actor, where: Where | None) -> IntentObject:
        ctx = self.ctx
        with ctx.store.write() as tx:
            now = ctx.clock.now()
            old = changeable(ctx, tx, lock_goal(tx, lookup(tx, handle, actor, where)), actor, where)
            words = tx.goals.wordings(old.key)
            new = self._apply(tx, old, change, now)
            _refuse_downgrade(old, new, actor)
            if new == old:
                raise InvalidInput(say("intent.edit.nothing"), say("goal.edit.nothing.hint", handle=old.handle))
            stored = old
            if replace(new, priority=old.priority) != old:
                edited = salience.touched(replace(new, priority=old.priority), now)
                stored = store_goal(tx, old, edited, now)
                log_goal(ctx, tx, actor, OpType.EDITED, old, stored, {}, (words, tx.goals.wordings(old.key)))
            if new.priority is not old.priority:
                before = stored
                stored = store_goal(tx, before, salience.weighed(replace(before, priority=new.priority), now), now)
                payload = {"from": before.priority.name, "to": stored.priority.name, "reason": "edited"}
                log_goal(ctx, tx, actor, OpType.PRIORITY_CHANGED, before, stored, payload)
            if stored.owner.who != old.owner.who:
                goal_notices.add_owned(ctx, tx, stored, actor)
            tx.commit()
            return stored

    def _apply(self, tx: Tx, old: IntentObject, change: GoalChange, now: datetime) -> IntentObject:
        limits = self.ctx.limits
        new = self._texts(tx, old, change)
        if change.intent_type is not None:
            new = replace(new, intent_type=change.intent_type)
        if change.priority is not None:
            new = replace(new, priority=change.priority)
        if change.owner is not None:
            new = replace(new, owner=change.owner)
        if change.stakeholders is not None:
            new = replace(new, stakeholders=drafts.check_stakeholders(change.stakeholders, limits))
        if change.due is not None and old.intent_state is IntentState.EXPIRED:
            raise InvalidInput(
                say("goal.edit.expired", handle=old.handle), say("goal.edit.expired.hint", handle=old.handle)
            )
        if change.due is not None:
            new = replace(new, due=replace(change.due, notes=()), target_completion=due_at(self.ctx, change.due, now))
        elif change.no_due:
            new = replace(new, due=None, target_completion=None)
        if old.intent_state is IntentState.EXPIRED and new.intent_type is not old.intent_type:
            raise _over(old)
        if risks.is_critical(old) and new.intent_type is not old.intent_type:
            raise InvalidInput(say("goal.edit.critical", handle=old.handle), say("goal.edit.critical.hint"))
        if old.is_proposal or not new.value:  # what was proposed is found under its first words: nobody is asked twice
            return new
        return replace(new, fold=fold_key(new.intent_type, new.value))

    def _texts(self, tx: Tx, old: IntentObject, change: GoalChange) -> IntentObject:
        """With its new words, each under a content row of its own."""
        limits = self.ctx.limits
        new = old
        if change.value is not None and (text := drafts.check_value(change.value, limits)) != old.value:
            content_id = self._reword(tx, text)
            assert content_id is not None, "a value is never empty"  # noqa: S101
            new = replace(new, value=text, value_id=content_id)
        if change.criteria is not None and (text := drafts.check_criteria(change.criteria, limits)) != old.criteria:
            new = replace(new, criteria=text, criteria_id=self._reword(tx, text))
        if change.note is not None and (text := drafts.check_note(change.note, limits)) != old.note:
            new = replace(new, note=text, note_id=self._reword(tx, text))
        if (
            change.structured is not None
            and (text := drafts.check_structured(change.structured, limits)) != old.structured
        ):
            new = replace(new, structured=text, structured_id=self._reword(tx, text))
        return new

    def _reword(self, tx: Tx, text: str) -> str | None:
        if not text:
            return None
        content_id = self.ctx.ids.uuid()
        tx.goals.reword(content_id, self.ctx.ids.salt(), text)
        return content_id


def changeable(ctx: Context, tx: Tx, row: IntentObject, actor: Actor, where: Where | None) -> IntentObject:
    """A locked row as it is now, for who may change it. Raises NotAllowed, InvalidTransition for one that is over."""
    here = as_here(tx, actor, row, where)
    if row.is_proposal:
        require_review(here, row, speakers_may(ctx, tx, row))
    else:
        require_change(here, row)
    now_row = settle(ctx, tx, row)
    if now_row.lifecycle_state is not LifecycleState.ACTIVE:
        raise _over(now_row)
    return now_row


def _refuse_downgrade(old: IntentObject, new: IntentObject, actor: Actor) -> None:
    """A critical risk is downgraded by a person, never by a machine that owns it (D10). Raises NotAllowed."""
    if risks.is_critical(old) and new.priority is not old.priority and machine_kind(actor.principal) is not None:
        sentence, hint = say("rights.goal.change", handle=old.handle), say("goal.edit.critical.hint")
        raise NotAllowed(sentence, hint)


def _over(row: IntentObject) -> InvalidTransition:
    return InvalidTransition(
        say("goal.edit.over", handle=row.handle, state=state_name(row.intent_state)),
        say("goal.edit.over.hint"),
        kind="goal",
        old=row.intent_state,
        new=row.intent_state,
    )


@dataclass(frozen=True, slots=True)
class PinGoal:
    """Let an intent stand out at 1.0 and never fade, or take that back: one EDITED. Raises as `EditGoal`."""

    ctx: Context

    def __call__(self, handle: str, pinned: bool, actor: Actor, where: Where | None) -> IntentObject:
        ctx = self.ctx
        with ctx.store.write() as tx:
            now = ctx.clock.now()
            old = changeable(ctx, tx, lock_goal(tx, lookup(tx, handle, actor, where)), actor, where)
            if old.pinned is pinned:
                key = "goal.pinned.already" if pinned else "goal.unpinned.already"
                raise InvalidInput(say(key, handle=old.handle), say("goal.edit.nothing.hint", handle=old.handle))
            stored = store_goal(tx, old, salience.weighed(replace(old, pinned=pinned), now), now)
            log_goal(ctx, tx, actor, OpType.EDITED, old, stored, {})
            tx.commit()
            return stored

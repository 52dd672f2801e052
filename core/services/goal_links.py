"""Standing intents that are linked to a goal: what surfaces together, and sleeps while the goal is closed (design 01).

Rows of standing intents are locked before the chain (`Intents.by_keys`): who is to close a goal takes them first, and
looks again under the lock of the chain whether they are still the ones.
"""

from collections.abc import Sequence
from dataclasses import replace

from core.audit.recorded import standing_change
from core.catalogue import say
from core.errors import StorageError
from core.goals.objects import IntentObject, IntentState
from core.operations.log import OpType
from core.ports import Tx
from core.services import goal_notices
from core.services.context import Context
from core.services.goal_rows import raced, touch
from core.services.record import log
from core.standing.intent import LIVE, ChannelScope, StandingIntent
from core.turn import SYSTEM, Actor

CLOSED = frozenset({IntentState.COMPLETED, IntentState.CANCELLED})
"""While a goal is in one of these, what is linked to it does not fire."""


def hold_links(tx: Tx, goal: IntentObject) -> tuple[int, ...]:
    """Lock the standing intents that are linked to a goal, before its chain; their keys."""
    keys = tx.intents.linked(goal.id)
    if keys:
        tx.intents.by_keys(keys, lock=True)
    return keys


def close_links(ctx: Context, tx: Tx, goal: IntentObject, keys: Sequence[int], actor: Actor) -> None:
    """Put to sleep what is linked to a goal that is closed now: one EDITED each; creators are told.

    `keys` are from `hold_links`. StorageError (`retry`) when something was linked or freed meanwhile.
    """
    for row in _linked(tx, goal, keys):
        if row.status not in LIVE:
            continue
        store_link(ctx, tx, row, replace(row, goal_closed=True), actor)
        goal_notices.add_rule_closed(ctx, tx, row, goal)


def move_links(ctx: Context, tx: Tx, old: IntentObject, new: IntentObject, keys: Sequence[int], actor: Actor) -> None:
    """Link to a successor what was linked to a superseded goal: one EDITED each."""
    for row in _linked(tx, old, keys):
        store_link(ctx, tx, row, replace(row, goal_id=new.id), actor)


def _linked(tx: Tx, goal: IntentObject, keys: Sequence[int]) -> tuple[StandingIntent, ...]:
    if tuple(keys) != tx.intents.linked(goal.id):
        raise raced(goal)
    return tx.intents.by_keys(keys) if keys else ()


def store_link(ctx: Context, tx: Tx, old: StandingIntent, new: StandingIntent, actor: Actor) -> StandingIntent:
    """Write what a link changed, with one EDITED; the row as stored. StorageError on a lost race."""
    if not tx.intents.update(old, new):
        raise StorageError(say("intent.raced", handle=old.handle), say("intent.raced.hint"), retry=True)
    stored = replace(new, version=old.version + 1)
    payload = standing_change({}, old, stored)
    log(tx, ctx.ids, ctx.clock.now(), actor, OpType.EDITED, old.namespace_id, old.id, payload)
    return stored


def touch_goals(ctx: Context, tx: Tx, fired: Sequence[StandingIntent]) -> None:
    """Let the goals stand out again whose rules fired; the chains of these are locked. Goals live beside them."""
    ids = sorted({row.goal_id for row in fired if row.goal_id is not None})
    for goal in tx.goals.by_ids(ids) if ids else ():
        if goal.namespace_id in {row.namespace_id for row in fired}:
            touch(ctx, tx, goal, SYSTEM, "a linked rule fired")


def linked_goal(tx: Tx, rule: StandingIntent) -> IntentObject | None:
    """The goal that surfaces with a rule; none with one that listens everywhere: what is in a namespace stays there."""
    if rule.goal_id is None or rule.channel_scope is ChannelScope.ANYWHERE:
        return None
    goal = tx.goals.by_id(rule.goal_id)
    return goal if goal is not None and goal.namespace_id == rule.namespace_id else None

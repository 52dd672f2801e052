"""Reading, writing and putting on record the rows of goal memory, under the lock of their chain."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from core.catalogue import say
from core.errors import StorageError
from core.goals import salience, states
from core.goals.objects import OPEN, Edge, IntentObject, LifecycleState
from core.goals.recorded import Words, changed
from core.operations.goal_replay import EDGE, GOAL
from core.operations.log import OpType, content_hash
from core.operations.recorded import FIELDS
from core.ports import Tx
from core.services.context import Context
from core.services.record import log, micros
from core.stored import Event
from core.turn import Actor


def lock_goal(tx: Tx, found: IntentObject) -> IntentObject:
    """The authoritative row behind one that was looked up, under the lock of its chain. StorageError when it moved."""
    tx.operations.lock([found.namespace_id])
    row = tx.goals.by_id(found.id)
    if row is None or row.namespace_id != found.namespace_id:
        raise raced(found)
    return row


def store_goal(tx: Tx, old: IntentObject, new: IntentObject, now: datetime) -> IntentObject:
    """Write a changed row and return it as stored. StorageError on a lost race."""
    new = replace(new, last_modified_at=max(now, old.last_modified_at))
    if not tx.goals.update(old, new):
        raise raced(old)
    return replace(new, version=old.version + 1)


def log_goal(
    ctx: Context,
    tx: Tx,
    actor: Actor,
    op_type: OpType,
    old: IntentObject,
    new: IntentObject,
    payload: Mapping[str, object],
    words: tuple[Words, Words] | None = None,
) -> None:
    """One operation about an intent; `fields` has what it changed, `words` those before and after where they did, too.

    It stands in the chain that the intent was in until then.
    """
    told = {**payload, FIELDS: changed(old, new, words)}
    log(tx, ctx.ids, ctx.clock.now(), actor, op_type, old.namespace_id, new.id, told, GOAL)


def log_edge(ctx: Context, tx: Tx, actor: Actor, op_type: OpType, namespace_id: str, edge: Edge) -> None:
    """RELATE or UNRELATE."""
    payload = {"edge": [edge.dependent, edge.prerequisite]}
    log(tx, ctx.ids, ctx.clock.now(), actor, op_type, namespace_id, edge.dependent, payload, EDGE)


def touch(
    ctx: Context, tx: Tx, old: IntentObject, actor: Actor, why: str, gap: timedelta | None = None
) -> IntentObject:
    """Let an intent stand out again: one EDITED. Nothing for a risk, a closed one, one touched less than `gap` ago."""
    now = ctx.clock.now()
    settled = states.effective(old, now)
    since = now - old.touched_at
    if old.is_risk or settled.intent_state not in OPEN or since < (gap or timedelta(microseconds=1)):
        return old
    if old.lifecycle_state is not LifecycleState.ACTIVE:
        return old
    stored = store_goal(tx, old, salience.touched(old, now), now)
    log_goal(ctx, tx, actor, OpType.EDITED, old, stored, {"reason": why})
    return stored


def add_evidence(
    ctx: Context, tx: Tx, actor: Actor, row: IntentObject, said: str, message_id: str, role: str = "USER"
) -> Event:
    """Keep the words that made or changed an intent as an event."""
    ids = ctx.ids
    content_id, event_id, salt = ids.uuid(), ids.uuid(), ids.salt()
    said = said[: ctx.limits.turn_chars]
    tx.records.put_content(content_id, salt, said)
    event = Event(
        id=event_id,
        ts=ctx.clock.now(),
        stream=str(row.conversation),
        actor_id=actor.id,
        actor_type=str(actor.type),
        role=role,
        content_id=content_id,
        content_hash=content_hash(salt, said),
        namespace_id=row.namespace_id,
        metadata={"message": message_id},
    )
    tx.records.add_event(event)
    return event


def cited(events: Sequence[Event]) -> dict[str, object]:
    """What an operation tells of the events that it cites first: their ids, and when they were."""
    return {"evidence_ids": [event.id for event in events], "evidence_ts": [micros(event.ts) for event in events]}


def raced(row: IntentObject) -> StorageError:
    """Somebody else changed it at the same moment."""
    return StorageError(say("intent.raced", handle=row.handle), say("intent.raced.hint"), retry=True)

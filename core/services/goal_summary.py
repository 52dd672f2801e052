"""What is remembered of an intent that was completed (RFC-0013, section 9)."""

from core.catalogue import say
from core.goals.objects import IntentObject, Summary
from core.goals.recorded import recorded_summary
from core.operations.goal_replay import SUMMARY
from core.operations.log import OpType, content_hash
from core.operations.recorded import FIELDS
from core.ports import Tx
from core.services.context import Context
from core.services.record import log
from core.settings import Setting
from core.turn import Actor


def add_summary(ctx: Context, tx: Tx, done: IntentObject, salience: int, actor: Actor) -> Summary | None:
    """Keep a summary of a completed intent, with half of `salience`, which it had at completion: one SUMMARY_CREATED.

    None where the space keeps none, and for one without words.
    """
    settings = ctx.settings(tx.records.settings(done.space))
    if not settings[Setting.SUMMARIES] or not done.value:
        return None
    now, ids = ctx.clock.now(), ctx.ids
    day = now.astimezone(ctx.zone_of(str(settings[Setting.ZONE]))).date()
    kind = say(f"goal.type.{done.intent_type.value.lower()}")
    text = say("goal.summary", type=kind, value=done.value, date=day.isoformat())
    salt = ids.salt()
    summary = Summary(
        id=ids.uuid(),
        namespace_id=done.namespace_id,
        intent_id=done.id,
        intent_handle=done.handle,
        text=text,
        created_at=now,
        salience=salience // 2,
        evidence_ids=done.evidence_ids,
        text_id=ids.uuid(),
    )
    kept = tx.goals.add_summary(summary, salt)
    payload = {FIELDS: recorded_summary(kept, content_hash(salt, text))}
    log(tx, ids, now, actor, OpType.SUMMARY_CREATED, done.namespace_id, kept.id, payload, SUMMARY)
    return kept

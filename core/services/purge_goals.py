"""Erasing the words of goal memory in a space that the bot was removed from."""

import json
from collections.abc import Iterator
from dataclasses import replace

from core.goals import states
from core.goals.objects import IntentObject, IntentState
from core.limits import ALL_ROWS
from core.operations.goal_replay import GOAL, SUMMARY
from core.operations.log import OpType
from core.operations.recorded import FIELDS
from core.ports import Tx
from core.services.context import Context
from core.services.goal_moves import transition
from core.services.goal_rows import log_goal, store_goal
from core.services.record import log
from core.turn import SYSTEM

REASON = "texts erased"
WHY = "bot removed"


def worded_goals(ctx: Context, tx: Tx, space: int) -> tuple[IntentObject, ...]:
    """The next intents of a space with words, under the locks of their chains."""
    rows = tx.goals.worded(tx.places.namespaces(space), ctx.limits.chunk)
    tx.operations.lock({row.namespace_id for row in rows})
    return tx.goals.by_ids([row.id for row in rows]) if rows else ()


def erase_goal(ctx: Context, tx: Tx, old: IntentObject) -> bool:
    """Cancel an intent that is not over, and erase its words, its evidence and its summary: an operation each.

    Nobody is asked or told: the space is left.
    """
    now, row = ctx.clock.now(), old
    if row.intent_state is IntentState.ON_HOLD:
        row = transition(ctx, tx, row, states.move(row, IntentState.ACTIVE), SYSTEM, REASON)
    if IntentState.CANCELLED in states.moves_of(row.intent_type)[row.intent_state]:
        row = transition(ctx, tx, row, states.move(row, IntentState.CANCELLED), SYSTEM, REASON)
    ids = dict.fromkeys(words_of(tx, row))
    gone = [content_id for content_id in ids if tx.records.erase_content(content_id)]
    if row.fold:
        plain = store_goal(tx, row, replace(row, fold=""), now)
        log_goal(ctx, tx, SYSTEM, OpType.EDITED, row, plain, {"reason": REASON})
    payload = {"content": gone, "why": WHY}
    log(tx, ctx.ids, now, SYSTEM, OpType.ERASED, old.namespace_id, old.id, payload, GOAL)
    summary = tx.goals.summary_of(old.id)
    if summary is not None and tx.records.erase_content(summary.text_id):
        payload = {"content": [summary.text_id], "why": WHY}
        log(tx, ctx.ids, now, SYSTEM, OpType.ERASED, summary.namespace_id, summary.id, payload, SUMMARY)
    tx.goals.forget(old.namespace_id)
    return True


def words_of(tx: Tx, row: IntentObject) -> Iterator[str]:
    """Content ids of all words that an intent ever had, and of its evidence, by its row and its operations."""
    yield from (content_id for content_id, _ in tx.goals.wordings(row.key).values())
    for operation in tx.operations.of_target(row.id, ALL_ROWS):
        words = json.loads(operation.payload).get(FIELDS, {}).get("words", [])
        sides = [words] if operation.op_type == OpType.ASSERT else words
        yield from (content_id for side in sides for content_id, _ in side)
    evidence = (tx.records.evidence(event) for event in row.evidence_ids)
    yield from (content_id for content_id in evidence if content_id is not None)

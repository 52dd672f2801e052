"""What a chat that moved did to goal memory, on record."""

from collections.abc import Iterable, Sequence

from core.goals.kept import GoalFilter
from core.goals.objects import IntentObject
from core.goals.recorded import recorded_summary
from core.limits import ALL_ROWS
from core.operations.goal_replay import SUMMARY
from core.operations.log import OpType
from core.operations.recorded import FIELDS, differences
from core.ports import Tx
from core.services.context import Context
from core.services.goal_rows import log_goal
from core.services.record import log
from core.turn import SYSTEM


def goals_in(tx: Tx, namespace_ids: Iterable[str]) -> tuple[IntentObject, ...]:
    """All intents of these namespaces, under the locks of their chains."""
    names = tuple(sorted(namespace_ids))
    return tx.goals.list(GoalFilter(names), ALL_ROWS, 0) if names else ()


def log_moved(ctx: Context, tx: Tx, before: Sequence[IntentObject]) -> int:
    """One EDITED for each intent that a move changed, and its summary, in the chain that it was in; how many did."""
    after = {row.id: row for row in tx.goals.by_ids([row.id for row in before])} if before else {}
    changed = [(old, after[old.id]) for old in before if after[old.id] != old]
    for old, new in changed:
        log_goal(ctx, tx, SYSTEM, OpType.EDITED, old, new, {"reason": "moved"})
        summary = tx.goals.summary_of(old.id)
        if summary is not None and new.namespace_id != old.namespace_id:
            now = recorded_summary(summary, "")
            told = {FIELDS: differences({**now, "namespace": old.namespace_id}, now)}
            at, kind = ctx.clock.now(), OpType.EDITED
            log(tx, ctx.ids, at, SYSTEM, kind, old.namespace_id, summary.id, told, SUMMARY)
    return len(changed)

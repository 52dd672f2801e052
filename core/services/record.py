"""Small helpers shared by the use cases: drafting operations and time in canonical form."""

from collections.abc import Mapping
from datetime import datetime

from core.operations.log import OperationDraft, OpType
from core.operations.recorded import EPOCH, MICROSECOND, maybe_micros, micros
from core.ports import Ids, Tx
from core.turn import Actor

__all__ = ["EPOCH", "MICROSECOND", "log", "maybe_micros", "micros"]


def log(
    tx: Tx,
    ids: Ids,
    now: datetime,
    actor: Actor,
    op_type: OpType,
    namespace_id: str,
    target_id: str | None,
    payload: Mapping[str, object],
    target_type: str = "standing_intent",
) -> None:
    """Append one operation to the namespace's chain, in the caller's transaction."""
    tx.operations.append(
        OperationDraft(
            ids.uuid(),
            micros(now),
            op_type,
            actor.id,
            actor.type,
            namespace_id,
            target_id,
            target_type,
            payload,
        )
    )

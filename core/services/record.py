"""Small helpers shared by the use cases: drafting operations and time in canonical form."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from core.operations.log import OperationDraft, OpType
from core.ports import Ids, Tx
from core.turn import Actor

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


def micros(moment: datetime) -> int:
    """Integer microseconds since the epoch."""
    return (moment - EPOCH) // MICROSECOND


def maybe_micros(moment: datetime | None) -> int | None:
    """The same for an optional time."""
    return None if moment is None else micros(moment)


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

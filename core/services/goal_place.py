"""Where an intent of goal memory was made, for buttons about it that are pressed elsewhere."""

from dataclasses import dataclass

from core.services.context import Context
from core.services.outgoing import where_of
from core.services.rights import normal_handle
from core.turn import Where


@dataclass(frozen=True, slots=True)
class GoalPlace:
    """The conversation that an intent belongs to; None for a handle that there is not. It tells nothing else of it."""

    ctx: Context

    def __call__(self, handle: str) -> Where | None:
        with self.ctx.store.read() as tx:
            row = tx.goals.by_handle(normal_handle(handle, "g"))
            return None if row is None else where_of(tx, row.conversation)

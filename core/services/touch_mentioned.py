"""Goals that somebody names in a message stand out again (design 02, section 8)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from core.goals import states
from core.goals.objects import OPEN, IntentObject
from core.ports import Tx
from core.services.context import Context
from core.services.goal_rows import touch
from core.services.rights import HANDLE_LETTERS
from core.turn import SYSTEM, Turn

_LETTERS = re.escape("".join(sorted(HANDLE_LETTERS - {"-"})))
_HANDLE = re.compile(rf"(?<![\w-])g-[{_LETTERS}]{{4,6}}(?![\w-])", re.IGNORECASE)


def handles_in(text: str, limit: int) -> tuple[str, ...]:
    """The first handles of goals in a text, each once."""
    return tuple(dict.fromkeys(found[0].lower() for found in _HANDLE.finditer(text)))[:limit]


@dataclass(frozen=True, slots=True)
class TouchMentioned:
    """Let the goals stand out again whose handles a message names, each at most once in `goal_touch_gap`.

    The first `goals_named` handles of a message, of goals of the namespace in which it was said. Answers their handles.
    Nothing is written where there is nothing to touch, and nothing is waited for beyond the deadline of the turn.
    Raises StorageError.
    """

    ctx: Context

    def __call__(self, turn: Turn) -> tuple[str, ...]:
        limits = self.ctx.limits
        handles = handles_in(turn.text.text, limits.goals_named)
        left = turn.received_at + limits.turn_deadline - self.ctx.clock.now()
        if not handles or left <= timedelta(0):
            return ()
        with self.ctx.store.read() as tx:
            namespace_id = tx.places.find(turn.where).namespace_id
            if not namespace_id or not any(self._due(tx, namespace_id, handles)):
                return ()
        with self.ctx.store.write(patience=min(left, limits.turn_deadline)) as tx:
            tx.operations.lock([namespace_id])
            rows = tuple(self._due(tx, namespace_id, handles))
            for row in rows:
                touch(self.ctx, tx, row, SYSTEM, "named in a message", limits.goal_touch_gap)
            tx.commit()
            return tuple(row.handle for row in rows)

    def _due(self, tx: Tx, namespace_id: str, handles: tuple[str, ...]) -> Iterator[IntentObject]:
        """Those of them that are open there, and were not touched lately."""
        now = self.ctx.clock.now()
        for handle in handles:
            row = tx.goals.by_handle(handle)
            if row is None or row.namespace_id != namespace_id or row.is_risk:
                continue
            lately = now - row.touched_at < self.ctx.limits.goal_touch_gap
            if states.effective(row, now).intent_state in OPEN and not lately:
                yield row

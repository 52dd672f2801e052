"""Goals that somebody names in a message stand out again (design 02, section 8)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.goals import states
from core.goals.objects import OPEN, IntentObject
from core.ports import Tx
from core.services.context import Context
from core.services.goal_rows import touch
from core.services.rights import HANDLE_LETTERS
from core.turn import SYSTEM, Turn

NAMED = 5
"""So many handles of one message are looked up, the first ones."""
_LETTERS = re.escape("".join(sorted(HANDLE_LETTERS - {"-"})))
_HANDLE = re.compile(rf"(?<![\w-])g-[{_LETTERS}]{{4,6}}(?![\w-])", re.IGNORECASE)


def handles_in(text: str) -> tuple[str, ...]:
    """The first `NAMED` handles of goals in a text, each once."""
    return tuple(dict.fromkeys(found[0].lower() for found in _HANDLE.finditer(text)))[:NAMED]


@dataclass(frozen=True, slots=True)
class TouchMentioned:
    """Let the goals stand out again whose handles a message names, each at most once in `goal_touch_gap`.

    Goals of the namespace in which it was said. Answers their handles. Nothing is written where there is nothing to
    touch. Raises StorageError.
    """

    ctx: Context

    def __call__(self, turn: Turn) -> tuple[str, ...]:
        handles = handles_in(turn.text.text)
        if not handles:
            return ()
        with self.ctx.store.read() as tx:
            wanted = [row.id for row in self._due(tx, turn, handles)]
        if not wanted:
            return ()
        with self.ctx.store.write() as tx:
            tx.operations.lock([tx.places.find(turn.where).namespace_id])
            gap = self.ctx.limits.goal_touch_gap
            rows = [row for row in self._due(tx, turn, handles) if row.id in wanted]
            for row in rows:
                touch(self.ctx, tx, row, SYSTEM, "named in a message", gap)
            tx.commit()
            return tuple(row.handle for row in rows)

    def _due(self, tx: Tx, turn: Turn, handles: tuple[str, ...]) -> Iterator[IntentObject]:
        """Those of them that are open there, and were not touched lately."""
        now, namespace_id = self.ctx.clock.now(), tx.places.find(turn.where).namespace_id
        for handle in handles:
            row = tx.goals.by_handle(handle)
            if row is None or not namespace_id or row.namespace_id != namespace_id or row.is_risk:
                continue
            lately = now - row.touched_at < self.ctx.limits.goal_touch_gap
            if states.effective(row, now).intent_state in OPEN and not lately:
                yield row

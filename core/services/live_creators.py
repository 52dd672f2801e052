"""Whose rules are live in a space, for platforms that do not tell of everybody who leaves it."""

from dataclasses import dataclass

from core.limits import ALL_ROWS
from core.services.context import Context
from core.standing.intent import INDEXED
from core.stored import IntentFilter
from core.turn import Principal, Where


@dataclass(frozen=True, slots=True)
class LiveCreators:
    """Everybody who made an armed or quiet intent of a space, each once; none for an unknown space."""

    ctx: Context

    def __call__(self, where: Where) -> tuple[Principal, ...]:
        with self.ctx.store.read() as tx:
            space = tx.places.find(where).space
            if not space:
                return ()
            live = tx.intents.list(IntentFilter(space=space, statuses=tuple(sorted(INDEXED))), ALL_ROWS, 0)
        return tuple(dict.fromkeys(row.creator for row in live))

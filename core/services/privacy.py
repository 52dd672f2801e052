"""What anybody may know of a place: how many rules watch here and how many watch them. No words of any rule."""

from dataclasses import dataclass

from core.services.context import Context
from core.standing.intent import INDEXED
from core.stored import IntentFilter
from core.turn import Principal, Where


@dataclass(frozen=True, slots=True)
class Watched:
    """Live rules of a place: all of them, those that listen to anyone, and those that listen to whoever asks."""

    rules: int
    anyone: int
    you: int


@dataclass(frozen=True, slots=True)
class ReadPrivacy:
    """Count the rules that are awake in the namespace of a place. Open to everybody."""

    ctx: Context

    def __call__(self, who: Principal | None, where: Where) -> Watched:
        with self.ctx.store.read() as tx:
            namespace = tx.places.find(where).namespace_id
            if not namespace:
                return Watched(0, 0, 0)
            wanted = IntentFilter((namespace,), statuses=tuple(sorted(INDEXED)))
            rows = tx.intents.list(wanted, self.ctx.limits.live_intents_per_space, 0)
            anyone = sum(row.watches is None for row in rows)
            you = sum(who is not None and row.watches == who for row in rows)
            return Watched(len(rows), anyone, you)

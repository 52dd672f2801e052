"""Every fire of a rule, with the place where it happened; kept whatever became of the rule."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from core.ports import Tx
from core.services.context import Context
from core.services.rights import lookup, may_see_fire, spot_of
from core.standing.intent import Fire, StandingIntent
from core.standing.lifecycle import effective_status
from core.turn import Actor, Visibility, Where


@dataclass(frozen=True, slots=True)
class PlaceNames:
    """Where a fire happened, by the names of today. `thread` is "" in a channel itself and in a direct message."""

    space: str
    channel: str
    thread: str
    visibility: Visibility


@dataclass(frozen=True, slots=True)
class FireHistory:
    """One page of the fires of an intent, newest first, each with its place; `total` over all pages."""

    intent: StandingIntent
    fires: tuple[tuple[Fire, PlaceNames], ...]
    total: int
    number: int
    size: int

    @property
    def pages(self) -> int:
        """How many pages there are, at least 1."""
        return max(1, -(-self.total // self.size))


@dataclass(frozen=True, slots=True)
class ReadHistory:
    """A page of the history of one intent, whatever its status. `page` counts from 1; beyond the end is the last.

    Whoever may see the intent may see its history, but for fires in private channels that they do not stand in: a page
    leaves those out, `total` counts them. Raises NotFound as `ShowIntent` does.
    """

    ctx: Context

    def __call__(
        self, handle: str, actor: Actor, where: Where | None, page: int = 1, size: int | None = None
    ) -> FireHistory:
        size = size or self.ctx.limits.page
        with self.ctx.store.read() as tx:
            row = lookup(tx, handle, actor, where)
            total = tx.fires.count_of_intent(row.key)
            number = max(1, min(page, -(-total // size)))
            fires = tx.fires.of_intent(row.key, size, (number - 1) * size)
            spot = spot_of(tx, where)
            fires = tuple(fire for fire in fires if may_see_fire(tx, actor, row, spot, fire))
            places = _names(tx, (fire.conversation for fire in fires))
        shown = replace(row, status=effective_status(row, self.ctx.clock.now()))
        return FireHistory(shown, tuple((fire, places[fire.conversation]) for fire in fires), total, number, size)


def _names(tx: Tx, conversations: Iterable[int]) -> dict[int, PlaceNames]:
    return {key: _place(tx, key) for key in dict.fromkeys(conversations)}


def _place(tx: Tx, key: int) -> PlaceNames:
    conversation = tx.places.get(key)
    channel = tx.places.get(conversation.parent_id or key)
    space = tx.places.get(channel.parent_id or key)
    plain = conversation.external_id == channel.external_id
    thread = "" if plain else conversation.name or conversation.external_id
    return PlaceNames(space.name or space.external_id, channel.name or channel.external_id, thread, channel.visibility)

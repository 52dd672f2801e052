"""Listing and showing standing intents, within what the asker may see."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from core.ports import Tx
from core.services.context import Context
from core.services.rights import lookup, spot_of, visible
from core.standing.intent import Fire, StandingIntent, Status
from core.standing.lifecycle import effective_status
from core.turn import Actor, Visibility, Where

FIRES_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a list: rows newest first with their effective status, `total` over all pages.

    `names` has the name of each channel in it, `direct` holds direct messages, `here` is the asker's channel (or 0).
    """

    rows: tuple[StandingIntent, ...]
    total: int
    number: int
    size: int
    names: Mapping[int, str] = field(default_factory=dict)
    direct: frozenset[int] = frozenset()
    here: int = 0

    @property
    def pages(self) -> int:
        """How many pages there are, at least 1."""
        return max(1, -(-self.total // self.size))


@dataclass(frozen=True, slots=True)
class IntentView:
    """One intent with where it was made and its newest fires (at most `FIRES_SHOWN`)."""

    intent: StandingIntent
    space_name: str
    channel_name: str
    conversation_name: str
    fires: tuple[Fire, ...]


@dataclass(frozen=True, slots=True)
class ListIntents:
    """A page of what the asker may see here. `page` counts from 1; beyond the end is the last page."""

    ctx: Context

    def __call__(
        self,
        actor: Actor,
        where: Where | None,
        page: int = 1,
        statuses: tuple[Status, ...] = (),
        text: str = "",
        size: int | None = None,
    ) -> Page:
        size = size or self.ctx.limits.page
        with self.ctx.store.read() as tx:
            wanted = visible(tx, actor, where, statuses, text.casefold())
            total = tx.intents.count(wanted)
            number = max(1, min(page, -(-total // size)))
            rows = tx.intents.list(wanted, size, (number - 1) * size)
            now = self.ctx.clock.now()
            shown = tuple(replace(row, status=effective_status(row, now)) for row in rows)
            places = {row.channel: tx.places.get(row.channel) for row in rows}
            names = {key: place.name for key, place in places.items()}
            direct = frozenset(key for key, place in places.items() if place.visibility is Visibility.DIRECT)
            spot = spot_of(tx, where)
            return Page(shown, total, number, size, names, direct, spot.channel if spot is not None else 0)


@dataclass(frozen=True, slots=True)
class ShowIntent:
    """One intent with its history. Raises NotFound for an unknown handle and for somebody else's."""

    ctx: Context

    def __call__(self, handle: str, actor: Actor, where: Where | None) -> IntentView:
        with self.ctx.store.read() as tx:
            row = lookup(tx, handle, actor, where)
            return self._view(tx, replace(row, status=effective_status(row, self.ctx.clock.now())))

    def _view(self, tx: Tx, row: StandingIntent) -> IntentView:
        names = (tx.places.get(key).name for key in (row.space, row.channel, row.conversation))
        space, channel, conversation = names
        return IntentView(row, space, channel, conversation, tx.fires.of_intent(row.key, FIRES_SHOWN))

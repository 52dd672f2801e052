"""Listing and showing standing intents, within what the asker may see."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from core.ports import Tx
from core.services.context import Context
from core.services.rights import lookup, may_see_fire, spot_of, visible
from core.standing.intent import Fire, StandingIntent, Status
from core.standing.lifecycle import effective_status
from core.stored import Place
from core.turn import Actor, PlaceKind, Visibility, Where

FIRES_SHOWN = 10


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """A place that a rule names, by its channel and, if it is one, its thread."""

    channel: str
    thread: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a list: rows newest first with their effective status, `total` over all pages.

    `names` has the name of each channel in it, `direct` holds direct messages, `here` is the asker's channel (or 0).
    `places` has the other places that the rows name.
    """

    rows: tuple[StandingIntent, ...]
    total: int
    number: int
    size: int
    names: Mapping[int, str] = field(default_factory=dict)
    direct: frozenset[int] = frozenset()
    here: int = 0
    places: Mapping[int, NamedPlace] = field(default_factory=dict)

    @property
    def pages(self) -> int:
        """How many pages there are, at least 1."""
        return max(1, -(-self.total // self.size))


@dataclass(frozen=True, slots=True)
class IntentView:
    """One intent with where it was made, its newest fires (at most `FIRES_SHOWN`) and the other places it names."""

    intent: StandingIntent
    space_name: str
    channel_name: str
    conversation_name: str
    fires: tuple[Fire, ...]
    places: Mapping[int, NamedPlace] = field(default_factory=dict)


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
            here, named = spot.channel if spot is not None else 0, named_places(tx, rows)
            return Page(shown, total, number, size, names, direct, here, named)


@dataclass(frozen=True, slots=True)
class ShowIntent:
    """One intent with its history, but for fires in private channels that the asker does not stand in.

    Raises NotFound for an unknown handle and for somebody else's.
    """

    ctx: Context

    def __call__(self, handle: str, actor: Actor, where: Where | None) -> IntentView:
        with self.ctx.store.read() as tx:
            row = lookup(tx, handle, actor, where)
            spot, fires = spot_of(tx, where), tx.fires.of_intent(row.key, FIRES_SHOWN)
            seen = tuple(fire for fire in fires if may_see_fire(tx, actor, row, spot, fire))
            return self._view(tx, replace(row, status=effective_status(row, self.ctx.clock.now())), seen)

    def _view(self, tx: Tx, row: StandingIntent, fires: tuple[Fire, ...]) -> IntentView:
        names = (tx.places.get(key).name for key in (row.space, row.channel, row.conversation))
        space, channel, conversation = names
        return IntentView(row, space, channel, conversation, fires, named_places(tx, (row,)))


def named_places(tx: Tx, rows: Iterable[StandingIntent]) -> dict[int, NamedPlace]:
    """The places in which these rules stay quiet, and those that their reminders are posted in, by id."""
    keys = {key for row in rows for key in (*row.except_in, row.deliver_to) if key}
    return {key: _named(tx, tx.places.get(key)) for key in sorted(keys)}


def _named(tx: Tx, place: Place) -> NamedPlace:
    name = place.name or place.external_id
    if place.kind is not PlaceKind.CONVERSATION or place.parent_id is None:
        return NamedPlace(name)
    channel = tx.places.get(place.parent_id)
    own = channel.name or channel.external_id
    return NamedPlace(own, "" if channel.external_id == place.external_id else name)

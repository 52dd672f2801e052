"""Replaying a workload through `receive_turn` on a private, migrated database."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import TextIO

from bots.bench.figures import Figures, timed
from bots.bench.workload import Row
from bots.runtime import SystemIds
from core.ports import Store, Tx
from core.services.context import Context
from core.services.receive_turn import ReceiveTurn
from core.services.refile import index_rows
from core.standing.intent import ChannelScope, Priority, StandingIntent, Status
from core.text.analyse import FINGERPRINT, TextOptions
from core.text.zones import MarkedText
from core.turn import Principal, Spot, Turn, Where
from storage.bulk import Bulk, Loaded

LOADED_AT_ONCE = 20_000
BATCH = 200
SCOPES = {
    "conversation": ChannelScope.CONVERSATION,
    "channel": ChannelScope.SPACE,
    "anywhere": ChannelScope.ANYWHERE,
}
BASE32 = "0123456789abcdefghjkmnpqrstvwxyz"


@dataclass(slots=True)
class ReplayClock:
    """A clock that stands at the workload's time."""

    at: datetime = datetime(2030, 1, 1, tzinfo=UTC)

    def now(self) -> datetime:
        """The time of the turn being replayed."""
        return self.at


@dataclass(slots=True)
class Replay:
    """Loads intents and replays turns; `names` maps handles to the workload's ids.

    `first` is the number from which handles count: another than 0 where intents are in the store already. `where` tells
    the place of a row.
    """

    store: Store
    exact: bool
    clock: ReplayClock = field(default_factory=ReplayClock)
    names: dict[str, str] = field(default_factory=dict)
    first: int = 0
    where: Callable[[Row], Where] | None = None

    @property
    def context(self) -> Context:
        """The use cases' context under the replay's clock."""
        return Context(self.store, self.clock, SystemIds())

    def load(self, rows: Iterable[Row]) -> int:
        """Store the rows as they are, past the creation checks; answers how many."""
        bulk, spots = Bulk(FINGERPRINT), dict[Where, Spot]()
        for batch in _batches(rows, LOADED_AT_ONCE):
            with self.store.write() as tx:
                bulk.add(tx, [self._loaded(tx, row, spots) for row in batch])
                tx.commit()
        return len(self.names)

    def _loaded(self, tx: Tx, row: Row, spots: dict[Where, Spot]) -> Loaded:
        ids, where = SystemIds(), (self.where or where_of)(row)
        if where not in spots:
            spots[where] = tx.places.ensure(where, ids.uuid())
        handle = "i-" + _base32(self.first + len(self.names))
        self.names[handle] = str(row["id"])
        intent = _intent(row, spots[where], handle, ids.uuid(), TextOptions("en", not self.exact, False))
        return Loaded(intent, ids.salt(), intent.scope_key(), index_rows(intent))

    def run(
        self,
        turns: Iterable[Row],
        out: TextIO | None = None,
        after: Callable[[Figures], None] | None = None,
        batch: int = BATCH,
    ) -> Figures:
        """Replay in order; one JSON line a turn goes to `out`, the figures of each `batch` turns to `after`."""
        receive, total = ReceiveTurn(self.context), Figures()
        for some in _batches(turns, batch):
            figures = Figures()
            for row in some:
                self._one(receive, row, figures, out)
            total.take(figures)
            if after is not None:
                after(figures)
        return total

    def _one(self, receive: ReceiveTurn, row: Row, figures: Figures, out: TextIO | None) -> None:
        self.clock.at = moment(row["now_ms"])
        turn = turn_of(row, self.clock.at)
        sample, outcome = timed(lambda: receive(turn))
        figures.add(sample, len(outcome.fires), outcome.candidates)
        if out is not None:
            fired = [self.names[reminder.handle] for reminder in outcome.fires]
            line = {"turn": row["turn"], "fired": fired, "ms": sample[0] / 1e6, "cpu_ms": sample[1] / 1e6}
            out.write(json.dumps(line) + "\n")


def _batches(rows: Iterable[Row], size: int) -> Iterator[Sequence[Row]]:
    rest = iter(rows)
    while batch := tuple(islice(rest, size)):
        yield batch


def _intent(row: Row, spot: Spot, handle: str, description_id: str, options: TextOptions) -> StandingIntent:
    creator, created = sender_of(row), moment(row["created_at"])
    return StandingIntent(
        id=str(row["id"]),
        handle=handle,
        namespace_id=spot.namespace_id,
        space=spot.space,
        channel=spot.channel,
        conversation=spot.conversation,
        description=str(row["description"]),
        description_id=description_id,
        entries=tuple(row["trigger_keywords"]),
        creator=creator,
        creator_name=creator.user_id,
        channel_scope=SCOPES[row["scope"]],
        watches=None if row["sender_scope"] == "anyone" else creator,
        watches_name="",
        status=Status.ARMED,
        created_at=created,
        armed_at=created,
        expires_at=moment(row["expires_at"]),
        max_fires=row["max_fires"],
        cooldown=timedelta(seconds=row["cooldown_seconds"]),
        priority=Priority.MEDIUM,
        options=options,
    )


def where_of(row: Row) -> Where:
    """One space per (provider, account_id); every conversation is a channel of it."""
    room = str(row["conversation_id"])
    return Where(row["provider"], row["account_id"], row["account_id"], room, room)


def sender_of(row: Row) -> Principal:
    """The person of a row."""
    return Principal(row["provider"], row["account_id"], str(row["sender_id"]))


def turn_of(row: Row, now: datetime) -> Turn:
    """A new message at `now`."""
    return Turn(
        where=where_of(row),
        message_id=str(row["turn"]),
        text=MarkedText(row["prompt"]),
        sent_at=now,
        received_at=now,
        sender=sender_of(row),
        sender_name=str(row["sender_id"]),
    )


def moment(ms: int) -> datetime:
    """Aware UTC from integer milliseconds, exactly."""
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=ms)


def _base32(number: int, letters: int = 6) -> str:
    digits = ""
    for _ in range(letters):
        number, digit = divmod(number, 32)
        digits = BASE32[digit] + digits
    return digits

"""Replaying a workload through `receive_turn` on a private, migrated database."""

import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TextIO

from bots.bench.figures import Figures
from bots.bench.workload import Row
from bots.runtime import SystemIds
from core.ports import Store
from core.services.context import Context
from core.services.receive_turn import ReceiveTurn
from core.services.refile import index_rows
from core.standing.intent import ChannelScope, Priority, StandingIntent, Status
from core.text.analyse import FINGERPRINT, TextOptions
from core.text.zones import MarkedText
from core.turn import Principal, Turn, Where

LOADED_AT_ONCE = 5_000
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
    """Loads intents and replays turns; `names` maps handles to the workload's ids."""

    store: Store
    exact: bool
    clock: ReplayClock = field(default_factory=ReplayClock)
    names: dict[str, str] = field(default_factory=dict)

    @property
    def context(self) -> Context:
        """The use cases' context under the replay's clock."""
        return Context(self.store, self.clock, SystemIds())

    def load(self, rows: Iterable[Row]) -> int:
        """Store the rows as they are, past the creation checks; answers how many."""
        batch: list[Row] = []
        for row in rows:
            batch.append(row)
            if len(batch) >= LOADED_AT_ONCE:
                self._load(batch)
                batch = []
        self._load(batch)
        return len(self.names)

    def _load(self, rows: Sequence[Row]) -> None:
        ids = SystemIds()
        with self.store.write() as tx:
            for row in rows:
                where = where_of(row)
                spot = tx.places.ensure(where, ids.uuid())
                handle = "i-" + _base32(len(self.names))
                creator = sender_of(row)
                tx.places.ensure_principal(creator, creator.user_id)
                intent = tx.intents.add(
                    StandingIntent(
                        id=str(row["id"]),
                        handle=handle,
                        namespace_id=spot.namespace_id,
                        space=spot.space,
                        channel=spot.channel,
                        conversation=spot.conversation,
                        description=str(row["description"]),
                        description_id=ids.uuid(),
                        entries=tuple(row["trigger_keywords"]),
                        creator=creator,
                        creator_name=creator.user_id,
                        channel_scope=SCOPES[row["scope"]],
                        watches=None if row["sender_scope"] == "anyone" else creator,
                        watches_name="",
                        status=Status.ARMED,
                        created_at=moment(row["created_at"]),
                        armed_at=moment(row["created_at"]),
                        expires_at=moment(row["expires_at"]),
                        max_fires=row["max_fires"],
                        cooldown=timedelta(seconds=row["cooldown_seconds"]),
                        priority=Priority.MEDIUM,
                        options=TextOptions("en", not self.exact, False),
                    ),
                    ids.salt(),
                )
                tx.index.file(intent, intent.scope_key(), index_rows(intent), FINGERPRINT)
                self.names[handle] = str(row["id"])
            tx.commit()

    def run(self, turns: Iterable[Row], out: TextIO | None) -> Figures:
        """Replay in order; writes one JSON line a turn to `out`."""
        receive = ReceiveTurn(self.context)
        figures = Figures()
        for row in turns:
            self.clock.at = moment(row["now_ms"])
            turn = turn_of(row, self.clock.at)
            wall, cpu = time.perf_counter_ns(), time.thread_time_ns()
            outcome = receive(turn)
            cpu, wall = time.thread_time_ns() - cpu, time.perf_counter_ns() - wall
            fired = [self.names[reminder.handle] for reminder in outcome.fires]
            figures.add(wall, cpu, len(fired))
            if out is not None:
                line = {"turn": row["turn"], "fired": fired, "ms": wall / 1e6, "cpu_ms": cpu / 1e6}
                out.write(json.dumps(line) + "\n")
        return figures


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

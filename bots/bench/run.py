"""What `remembrancer bench turns|replay` does: load, replay, measure the floors beside it, summarise."""

import random
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from bots.aside import written
from bots.bench.figures import Figures, Sample, Versus, pair, percentiles, summarise
from bots.bench.private import private_store
from bots.bench.replay import BATCH, Replay
from bots.bench.workload import (
    FIRED_KEYS,
    INTENT_KEYS,
    TURN_KEYS,
    Row,
    make_intents,
    make_turns,
    read_rows,
    spaces_for,
)
from core.catalogue import say
from core.errors import InvalidInput
from storage import floors
from storage.bulk import double
from storage.hot_thread import HotThread
from storage.unit_of_work import SqlStore

WRITES = 10
HOPS = 1_000
MADE = 62_500
PLANTED = 10_000
SPAN_MS = 60 * 86_400_000


@dataclass(slots=True)
class Beside:
    """Measures the two floors after each batch of turns: turns without a hit read, turns with one write."""

    store: SqlStore
    reads: Versus = field(default_factory=Versus)
    writes: Versus = field(default_factory=Versus)
    _write: Any = None

    @classmethod
    @contextmanager
    def of(cls, store: SqlStore) -> Iterator["Beside"]:
        """Floors on this store; what they write is gone at the end."""
        with floors.read_update_insert(store) as write:
            yield cls(store, _write=write)

    def __call__(self, batch: Figures) -> None:
        """The floors' part of one batch."""
        self.reads.add(batch.misses, floors.point_read(self.store, BATCH))
        written: list[Sample] = self._write(WRITES)
        self.writes.add(batch.hits, written)

    def summary(self) -> dict[str, Any]:
        """Percentiles of the floors, and the ratios of turns to them."""
        ratios = (("without_hits", self.reads), ("with_hits", self.writes))
        return {
            "thread_hop": {"wall_us": percentiles(_hops(self.store))},
            "floors": {"point_read": pair(self.reads.floor), "read_update_insert": pair(self.writes.floor)},
            "ratios": {f"{name}_{kind}": value for name, one in ratios for kind, value in one.ratios().items()},
        }


def replay(
    intents: Path, turns: Path, out: Path, url: str | None, exact: bool, expect: Path | None = None
) -> dict[str, Any]:
    """Replay a workload from files; raises InvalidInput for files that cannot be used.

    With `expect` the summary has `differing`: on how many turns other intents fired, or in another order.
    """
    _refuse_to_overwrite(out, {"intents": intents, "turns": turns, "expect": expect})
    with private_store(url) as store:
        run = Replay(store, exact)
        run.load(read_rows(intents, INTENT_KEYS, "id"))
        with written(out, "bench.unwritable") as lines, Beside.of(store) as beside:
            figures = run.run(read_rows(turns, TURN_KEYS), lines, beside)
            summary = {"intents": len(run.names), **summarise(figures), **beside.summary()}
        return summary if expect is None else {**summary, "differing": differing(out, expect)}


def _refuse_to_overwrite(out: Path, read: Mapping[str, Path | None]) -> None:
    for option, path in read.items():
        if path is not None and _same_file(out, path):
            raise InvalidInput(say("bench.same_file", option=option, path=out), say("bench.unwritable.hint"))


def _same_file(one: Path, other: Path) -> bool:
    """Whether two names, links followed, are of one file; that cannot be read is told where it is opened."""
    try:
        return one.samefile(other)
    except OSError:
        return False


def differing(out: Path, expect: Path) -> int:
    """On how many turns two files of `{"turn", "fired"}` lines differ.

    Raises InvalidInput unless they tell of the same turns in the same order.
    """
    told, wanted = (list(read_rows(path, FIRED_KEYS)) for path in (out, expect))
    if [row["turn"] for row in told] != [row["turn"] for row in wanted]:
        raise InvalidInput(
            say("bench.turn_count", path=expect, expected=len(wanted), replayed=len(told)), say("bench.turn_count.hint")
        )
    return sum(one["fired"] != other["fired"] for one, other in zip(told, wanted, strict=True))


@dataclass(frozen=True, slots=True)
class World:
    """How many intents in how many spaces: `first` are made, then all spaces are doubled `doublings` times.

    Without a wish for `spaces` there are as many as the bounds ask for. The copy of a space has its people, places
    and rules under another account.
    """

    first: int
    spaces: int
    doublings: int = 0

    @classmethod
    def of(cls, intents: int, spaces: int | None = None) -> "World":
        """The world of so many intents, rounded up to what doubling can make."""
        if spaces is not None:
            return cls(intents, spaces)
        doublings = 0
        while -(-intents >> doublings) > MADE:
            doublings += 1
        first = -(-intents >> doublings)
        return cls(first, spaces_for(first), doublings)

    @property
    def intents(self) -> int:
        """How many there are in all."""
        return self.first << self.doublings

    def moved(self, row: Row, rng: random.Random) -> Row:
        """The row in one of the copies of its space."""
        marks = "".join(f"~{number}" for number in range(self.doublings) if rng.random() < 0.5)
        return {**row, "account_id": row["account_id"] + marks} if marks else row


def load(store: SqlStore, intents: int, seed: int, spaces: int | None = None) -> dict[str, Any]:
    """Fill a store with the workload of our own, word forms off; answers how many and how long it took."""
    start, world = time.perf_counter(), World.of(intents, spaces)
    Replay(store, exact=True).load(make_intents(world.first, seed, world.spaces))
    for number in range(world.doublings):
        with store.write() as tx:
            double(tx, f"~{number}")
            tx.commit()
    return {"intents": world.intents, "seconds": round(time.perf_counter() - start, 1)}


def messages(turns: int, intents: int, seed: int, hit_rate: float, spaces: int | None = None) -> Iterator[Row]:
    """Messages to a store that `load` filled with the same numbers; all before its intents expire."""
    world, rng = World.of(intents, spaces), random.Random(seed + 4)  # noqa: S311  # a workload, not a secret
    planted: list[Row] = list(islice(make_intents(world.first, seed, world.spaces), PLANTED))
    gap_ms = min(600_000, SPAN_MS // max(turns, 1))
    for row in make_turns(turns, planted, seed, hit_rate, world.spaces, gap_ms):
        yield world.moved(row, rng)


def own(
    intents: int, turns: int, seed: int, hit_rate: float, url: str | None, spaces: int | None = None
) -> dict[str, Any]:
    """Replay the seeded workload of our own, word forms off."""
    with private_store(url) as store:
        load(store, intents, seed, spaces)
        return turn_figures(store, intents, turns, seed, hit_rate, spaces)


def turn_figures(
    store: SqlStore, intents: int, turns: int, seed: int, hit_rate: float, spaces: int | None = None
) -> dict[str, Any]:
    """Turns on a store that `load` filled, each batch of them beside the floors; one batch warms up unmeasured."""
    run, world = Replay(store, exact=True), World.of(intents, spaces)
    rows = messages(turns + BATCH, intents, seed, hit_rate, spaces)
    run.run(islice(rows, BATCH))
    with Beside.of(store) as beside:
        figures = run.run(rows, None, beside)
        return {
            "seed": seed,
            "intents": world.intents,
            "spaces": world.spaces << world.doublings,
            **summarise(figures),
            **beside.summary(),
        }


def _hops(store: SqlStore) -> list[int]:
    """Wall nanoseconds from here to the hot thread and back with nothing to do there."""
    thread = HotThread(store)
    try:
        taken = []
        for _ in range(HOPS):
            start = time.perf_counter_ns()
            thread.submit(lambda: None).result()
            taken.append(time.perf_counter_ns() - start)
        return taken
    finally:
        thread.close()

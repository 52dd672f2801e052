"""What `remembrancer bench tick` measures: heartbeats with nothing due, and with much due while others work."""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from functools import partial
from itertools import cycle
from typing import Any

from bots.bench.figures import Sample, pair, percentiles, timed
from bots.bench.replay import Replay, ReplayClock, moment, turn_of
from bots.bench.run import messages
from bots.bench.workload import START_MS
from bots.bootstrap import REST_SECONDS
from bots.runtime import SystemIds
from core.ports import Tx
from core.services.context import Context
from core.services.receive_turn import ReceiveTurn
from core.services.tick import Tick
from core.turn import Turn
from storage.bulk import make_cooled, make_expired
from storage.unit_of_work import SqlStore

MS = 1e6
READERS_TURNS = 300
ALONE = 200
PAUSE = 0.005
MADE_DUE: dict[str, Callable[[Tx, int, Any], None]] = {"expired": make_expired, "cooled": make_cooled}


class RunningClock:
    """A clock that starts at the workload's time and goes on: a chunk ends after so long."""

    def __init__(self, at: datetime) -> None:
        self._at = at
        self._begun = time.perf_counter()

    def now(self) -> datetime:
        """The workload's time, as much later as has gone by."""
        return self._at + timedelta(seconds=time.perf_counter() - self._begun)


@dataclass(slots=True)
class WatchedStore:
    """A store that notes how long each of its write transactions held the lock, in nanoseconds."""

    inner: SqlStore
    held: list[int] = field(default_factory=list)

    def read(self) -> AbstractContextManager[Tx]:
        """As the store's own."""
        return self.inner.read()

    @contextmanager
    def write(self, patience: timedelta | None = None) -> Iterator[Tx]:
        """As the store's own, with a stopwatch from begin to end."""
        with self.inner.write(patience) as tx:
            begun = time.perf_counter_ns()
            yield tx
        self.held.append(time.perf_counter_ns() - begun)


def idle(store: SqlStore, ticks: int) -> dict[str, Any]:
    """Heartbeats that find nothing to do, in milliseconds; the first is not counted."""
    clock = ReplayClock(moment(START_MS))
    tick = Tick(Context(store, clock, SystemIds()))
    tick()
    taken, moved = [], 0
    for _ in range(ticks):
        clock.at += timedelta(seconds=60)
        sample, report = timed(tick)
        taken.append(sample[0])
        moved += sum(asdict(report).values())
    return {"ticks": ticks, "rows_moved": moved, "tick_ms": percentiles(taken, MS, 3)}


def due(
    store: SqlStore, url: str | None, kind: str, count: int, intents: int, seed: int, alone: int = ALONE
) -> dict[str, Any]:
    """One heartbeat with `count` rows that are due (`expired` or `cooled`), in a store that `load` filled.

    Meanwhile a thread of this process receives turns that find nothing, after `alone` such turns before it; and,
    given the `url` of a SQLite file, another process asks for the write lock all the time.
    """
    at = moment(START_MS) + timedelta(days=2)
    with store.write() as tx:
        MADE_DUE[kind](tx, count, at - timedelta(hours=1))
        tx.commit()
    watched = WatchedStore(store)
    tick = Tick(Context(watched, RunningClock(at), SystemIds()), lambda: time.sleep(REST_SECONDS))
    reader = Reader.of(store, intents, seed)
    before = reader.run(lambda: len(reader.taken) >= alone)
    with _waiter(url) as waited, reader.beside():
        sample, report = timed(tick)
    return {
        "kind": kind,
        "due": count,
        "report": asdict(report),
        "total_seconds": round(sample[0] / 1e9, 2),
        "transactions": len(watched.held),
        "held_ms": {**percentiles(watched.held, MS, 1), "max": round(max(watched.held) / MS, 1)},
        **({"waited": waited} if url else {}),
        "readers_turns_alone": _with_max(before),
        "readers_turns_meanwhile": _with_max(reader.taken),
    }


def _with_max(samples: list[Sample]) -> dict[str, Any]:
    longest = max((wall for wall, _ in samples), default=0)
    return {"turns": len(samples), **pair(samples), "max_ms": round(longest / MS, 1)}


@dataclass(slots=True)
class Reader:
    """Receives turns that find nothing, over and over, about two hundred a second."""

    receive: ReceiveTurn
    store: SqlStore
    turns: list[Turn]
    taken: list[Sample] = field(default_factory=list)

    @classmethod
    def of(cls, store: SqlStore, intents: int, seed: int) -> "Reader":
        """A reader with turns that have no candidate in this store."""
        clock = ReplayClock(moment(START_MS))
        receive = ReceiveTurn(Replay(store, exact=True, clock=clock).context)
        rows = messages(READERS_TURNS, intents, seed, 0.0)
        turns = [turn for row in rows if not receive(turn := turn_of(row, clock.at)).candidates]
        return cls(receive, store, turns)

    def run(self, enough: Callable[[], bool]) -> list[Sample]:
        """Receive until it is enough; answers the samples, and forgets those of earlier runs."""
        self.taken = []
        for turn in cycle(self.turns):
            if enough():
                break
            self.taken.append(timed(partial(self.receive, turn))[0])
            time.sleep(PAUSE)
        return self.taken

    @contextmanager
    def beside(self) -> Iterator[None]:
        """Run on a thread of its own until the block ends."""
        over = threading.Event()

        def work() -> None:
            self.run(over.is_set)
            self.store.release_thread()

        thread = threading.Thread(target=work)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()


@contextmanager
def _waiter(url: str | None) -> Iterator[dict[str, Any]]:
    """Another process that wants the write lock; what it saw is in the dictionary at the end."""
    seen: dict[str, Any] = {}
    if url is None:
        yield seen
        return
    command = [sys.executable, "-m", "bots.bench.waiter", url]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as waiter:  # noqa: S603
        assert waiter.stdin is not None and waiter.stdout is not None  # noqa: S101  # they are pipes
        waiter.stdout.readline()
        try:
            yield seen
        finally:
            waiter.stdin.close()
            seen.update(json.loads(waiter.stdout.read() or "{}"))

"""What `remembrancer bench turns|replay` does: load, replay, measure the floors on the same file, summarise."""

import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from bots.bench.aside import written
from bots.bench.figures import Figures, percentiles, summarise
from bots.bench.private import private_store
from bots.bench.replay import Replay
from bots.bench.workload import FIRED_KEYS, INTENT_KEYS, TURN_KEYS, Row, make_intents, make_turns, read_rows
from core.catalogue import say
from core.errors import InvalidInput
from storage import floors
from storage.hot_thread import HotThread
from storage.unit_of_work import SqlStore

READS = 2_000
WRITES = 300
HOPS = 1_000


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
        with written(out) as lines:
            figures = run.run(read_rows(turns, TURN_KEYS), lines)
        summary = _summary(store, run, figures)
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


def own(intents: int, turns: int, seed: int, hit_rate: float, url: str | None) -> dict[str, Any]:
    """Replay the seeded workload of our own, word forms off."""
    rows: list[Row] = list(make_intents(intents, seed))
    with private_store(url) as store:
        run = Replay(store, exact=True)
        run.load(rows)
        figures = run.run(make_turns(turns, rows, seed, hit_rate), None)
        return {"seed": seed, **_summary(store, run, figures)}


def _summary(store: SqlStore, run: Replay, figures: Figures) -> dict[str, Any]:
    read, write = floors.point_read(store, READS), floors.read_update_insert(store, WRITES)
    summary = summarise(figures)
    return {
        "intents": len(run.names),
        **summary,
        "thread_hop": {"wall_us": percentiles(_hops(store))},
        "floors": {"point_read": _pair(read), "read_update_insert": _pair(write)},
        "ratios": _ratios(summary, _pair(read), _pair(write)),
    }


def _pair(samples: Iterable[tuple[int, int]]) -> dict[str, dict[str, float]]:
    taken = list(samples)
    return {"wall_us": percentiles([w for w, _ in taken]), "cpu_us": percentiles([c for _, c in taken])}


def _ratios(summary: dict[str, Any], read: dict[str, Any], write: dict[str, Any]) -> dict[str, float]:
    """p50 of a turn over p50 of its floor, by wall and by CPU time."""
    ratios = {}
    for kind in ("wall_us", "cpu_us"):
        for name, part, floor in (
            ("without_hits", "without_hits", read[kind]),
            ("with_hits", "with_hits", write[kind]),
        ):
            turns = summary[part][kind]
            if turns and floor and floor["p50"]:
                ratios[f"{name}_{kind.removesuffix('_us')}"] = round(turns["p50"] / floor["p50"], 1)
    return ratios


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

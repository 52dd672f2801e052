"""The whole measurement: a bot of ours under a stream, then the library alone under the same stream."""

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.load.counts import count, look
from benchmarks.load.play import play
from benchmarks.load.stage import Stage, Staged
from benchmarks.load.stream import Said, make_rules, make_stream
from bots.bench.figures import percentiles
from config.urls import sqlite_url
from storage import floors
from storage.unit_of_work import open_store

GROUPS = 40
SHARE = 0.2
DELIVERED_WITHIN = 180.0
USUAL = {"heartbeat_seconds": "60", "delivery_poll_seconds": "5", "send_lease_seconds": "60"}
"""The settings of `remembrancer run` where the tests' own are quicker."""
FLOOR_WRITES = 500
MS = 1e6  # nanoseconds


def measure(
    staged: Staged,
    folder: Path,
    seconds: float,
    rate: float,
    intents: int,
    seed: int,
    groups: int = GROUPS,
    floor_seconds: float = 20,
) -> dict[str, Any]:
    """Messages through `remembrancer run` and what became of them; the floors of the same run beside it.

    `folder` keeps the database. The limits of the platform hold.
    """
    rules = make_rules(intents, groups, seed, int(time.time() * 1_000))
    stream = make_stream(rules, round(seconds * rate), SHARE, seed)
    told = {"seed": seed, "intents": intents, "groups": groups, "rate": rate, "seconds": seconds}
    told["load_before"] = round(os.getloadavg()[0], 2)
    with staged(groups) as stage:
        ours = _ours(stage, folder, rules, stream, rate)
    few = stream[: round(floor_seconds * rate)]
    with staged(1 + max(one.group for one in few)) as stage:
        with stage.library() as pid:
            floor = stage.carried(play(stage, few, rate, pid))
        ratios = _ratios(*stage.compared, ours, floor)
    floor["read_update_insert_ms"] = _transaction(folder / "remembrancer.db")
    return told | ours | {"floors": floor, "ratios": ratios}


def _ours(
    stage: Stage, folder: Path, rules: Sequence[Sequence[Any]], stream: Sequence[Said], rate: float
) -> dict[str, Any]:
    names = stage.fill(folder / "remembrancer.db", rules)
    stage.limits()
    with stage.running(folder, True, **USUAL) as process:
        played = play(stage, stream, rate, process.pid)
        waited = delivered(stage, sum(bool(one.rule) for one in stream))
        code = process.stop()
        trouble = sum(word in process.output() for word in stage.defects)
    left = look(folder / "remembrancer.db", names)
    counted = count(stage, played, left, names)
    counted["wrong"] = sum((counted["unexpected"], counted["still_owed"], counted["broken_chains"], code, trouble))
    return {
        **counted,
        **stage.times(played, left),
        **stage.carried(played),
        "seconds_until_all_was_delivered": waited,
    }


def delivered(stage: Stage, fires: int) -> float:
    """Wait until so many reminders reached the groups; how long after the last message that was."""
    began = time.monotonic()
    while len({send.to for send in stage.sends()}) < fires and time.monotonic() - began < DELIVERED_WITHIN:
        stage.raise_complaints()
        time.sleep(0.1)
    time.sleep(1)  # what comes twice comes now
    return round(time.monotonic() - began - 1, 1)


def _transaction(path: Path) -> dict[str, float]:
    """What one transaction that reads, updates and inserts takes on the bot's own database."""
    store = open_store(sqlite_url(path), migrate=False)
    try:
        with floors.read_update_insert(store) as write:
            return percentiles((wall for wall, _ in write(FLOOR_WRITES)), MS, 2)
    finally:
        store.close()


def _ratios(name: str, key: str, ours: dict[str, Any], floor: dict[str, Any]) -> dict[str, float]:
    told = {f"{name}_{kind}": (ours[key][kind], floor[key][kind]) for kind in ("p50", "p99")}
    told["bot_cpu"] = (ours["cpu_percent"]["bot"], floor["cpu_percent"]["bot"])
    return {name: round(one / max(other, 0.01), 2) for name, (one, other) in told.items()}

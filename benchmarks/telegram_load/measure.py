"""The whole measurement: a bot of ours under a stream, then the library alone under the same stream."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.telegram_load.counts import Left, count, key_of, look
from benchmarks.telegram_load.play import Played, milliseconds, play
from benchmarks.telegram_load.stage import Stage
from benchmarks.telegram_load.stream import Said, make_rules, make_stream
from bots.bench.figures import percentiles
from config.urls import sqlite_url
from storage import floors
from storage.unit_of_work import open_store
from tests.fakes.bots import ROOT, running
from tests.fakes.telegram.world import World

GROUPS = 40
SHARE = 0.2
DELIVERED_WITHIN = 180.0
USUAL = {"heartbeat_seconds": "60", "delivery_poll_seconds": "5", "send_lease_seconds": "60"}
"""The settings of `remembrancer run` where the tests' own are quicker."""
FLOOR_WRITES = 500
MS = 1e6  # nanoseconds


def measure(
    folder: Path, seconds: float, rate: float, intents: int, seed: int, groups: int = GROUPS, floor_seconds: float = 20
) -> dict[str, Any]:
    """Messages through `remembrancer run` and what became of them; the floors of the same run beside it.

    `folder` keeps the database. Telegram's limits hold: 20 messages a minute in a group, 30 a second in all.
    """
    rules = make_rules(intents, groups, seed, int(time.time() * 1_000))
    stream = make_stream(rules, round(seconds * rate), SHARE, seed)
    told = {"seed": seed, "intents": intents, "groups": groups, "rate": rate, "seconds": seconds}
    told["load_before"] = round(os.getloadavg()[0], 2)
    ours = _ours(folder, rules, stream, rate)
    floor = _floor(stream[: round(floor_seconds * rate)], rate)
    floor["read_update_insert_ms"] = _transaction(folder / "remembrancer.db")
    return told | ours | {"floors": floor, "ratios": _ratios(ours, floor)}


def _ours(folder: Path, rules: Sequence[Sequence[Any]], stream: Sequence[Said], rate: float) -> dict[str, Any]:
    with World(judge=False) as world:
        stage = Stage.of(world, len(rules))
        names = stage.fill(folder / "remembrancer.db", rules)
        world.flood.on(chat=(20, 1.0))
        with running(world, stage.bot, folder, **USUAL) as process:
            played = play(stage, stream, rate, process.pid)
            fires = sum(bool(one.rule) for one in stream)
            waited = delivered(world, fires)
            code = process.stop()
            trouble = sum(word in process.output() for word in ("Traceback", "telegram.update.defect"))
        left = look(folder / "remembrancer.db", names)
        counted = count(stage, played, left, names)
        counted["wrong"] = sum((counted["unexpected"], counted["still_owed"], counted["broken_chains"], code, trouble))
        return {**counted, **_times(stage, played, left), "seconds_until_all_was_delivered": waited}


def delivered(world: World, fires: int) -> float:
    """Wait until so many reminders reached the groups; how long after the last message that was."""
    began = time.monotonic()
    while _answered(world) < fires and time.monotonic() - began < DELIVERED_WITHIN:
        world.raise_complaints()
        time.sleep(0.1)
    time.sleep(1)  # what comes twice comes now
    return round(time.monotonic() - began - 1, 1)


def _answered(world: World) -> int:
    return len({id(call.message.reply_to) for call in world.sends() if call.message is not None})


def _times(stage: Stage, played: Played, left: Left) -> dict[str, Any]:
    """Milliseconds from a message's being handed to the bot, and from its being said."""
    handed, taken = stage.bot.handed, stage.bot.taken
    rows = []
    for number, update in enumerate(played.updates):
        for _, at, _ in left.fires.get(key_of(played, number), ()):
            rows.append((played.at[number], handed[update], at, taken[update]))
    return {
        "handed_to_reserved_ms": milliseconds(at - given for _, given, at, _ in rows),
        "handed_to_acknowledged_ms": milliseconds(done - given for _, given, _, done in rows),
        "said_to_reserved_ms": milliseconds(at - said for said, _, at, _ in rows),
        "said_to_acknowledged_ms": milliseconds(done - said for said, _, _, done in rows),
        "said_to_sent_ms": milliseconds(_until_sent(stage, played)),
        **_polling(stage, played),
    }


def _until_sent(stage: Stage, played: Played) -> Iterator[float]:
    """Seconds from each message to the reminder that answers it: the limits of the platform are in it."""
    said = dict(zip(map(id, played.messages), played.at, strict=True))
    for call in stage.world.sends():
        reply_to = call.message.reply_to if call.message is not None else None
        if id(reply_to) in said:
            yield call.when.timestamp() - said[id(reply_to)]


def _polling(stage: Stage, played: Played) -> dict[str, Any]:
    """How long every message took, those that fire nothing too; how many came at once; who was how busy."""
    handed, taken = stage.bot.handed, stage.bot.taken
    every = [taken[update] - handed[update] for update in played.updates]
    at_once: dict[float, int] = {}
    for update in played.updates:
        at_once[handed[update]] = at_once.get(handed[update], 0) + 1
    return {
        "every_message_handed_to_acknowledged_ms": milliseconds(every),
        "updates_at_once": percentiles(at_once.values(), 1, 0),
        "driver_late_ms": played.late(),
        "cpu_percent": played.cpu,
    }


def _floor(stream: Sequence[Said], rate: float) -> dict[str, Any]:
    """The same stream through the library alone."""
    with World(judge=False) as world:
        stage = Stage.of(world, 1 + max(one.group for one in stream))
        with _library(stage) as process:
            return _polling(stage, play(stage, stream, rate, process.pid))


@contextmanager
def _library(stage: Stage) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "benchmarks.telegram_load.floor", stage.bot.token, stage.world.url]
    with subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}) as process:
        try:
            stage.world.until(lambda: stage.bot.polling, 30, "the library polls")
            yield process
            process.terminate()
            assert process.wait(30) == 0
        finally:
            process.kill()


def _transaction(path: Path) -> dict[str, float]:
    """What one transaction that reads, updates and inserts takes on the bot's own database."""
    store = open_store(sqlite_url(path), migrate=False)
    try:
        with floors.read_update_insert(store) as write:
            return percentiles((wall for wall, _ in write(FLOOR_WRITES)), MS, 2)
    finally:
        store.close()


def _ratios(ours: dict[str, Any], floor: dict[str, Any]) -> dict[str, float]:
    key = "every_message_handed_to_acknowledged_ms"
    told = {f"acknowledged_{kind}": (ours[key][kind], floor[key][kind]) for kind in ("p50", "p99")}
    told["bot_cpu"] = (ours["cpu_percent"]["bot"], floor["cpu_percent"]["bot"])
    return {name: round(one / max(other, 0.01), 2) for name, (one, other) in told.items()}

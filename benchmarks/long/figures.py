"""The steps that measure: each on a copy of a database that is filled once for a commit."""

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.long.step import Desk
from bots.bench import bundle as bundles_of
from bots.bench import cycles as graphs
from bots.bench import growth as growing
from bots.bench import heartbeats, measure, run
from bots.bench import log as logs
from bots.bench.figures import Figures, Versus, pair
from bots.bench.replay import BATCH, Replay
from config.urls import sqlite_url
from storage.unit_of_work import SqlStore, open_store


def _filled(desk: Desk, intents: int, seed: int, spaces: int | None = None) -> tuple[Path, dict[str, Any]]:
    """A database with so many intents, made when it is not there; how long that took lies beside it."""
    path = desk.work / f"world-{intents}-{seed}-{spaces or 'own'}.db"
    told = path.with_suffix(".db.json")
    if not told.exists():
        desk.tell(f"filling a database with {intents} intents")
        for old in path.parent.glob(f"{path.name}*"):
            old.unlink()
        store = open_store(sqlite_url(path))
        try:
            loaded = run.load(store, intents, seed, spaces)
        finally:
            store.close()
        told.write_text(json.dumps({**loaded, "megabytes": round(path.stat().st_size / 1e6)}), encoding="utf-8")
    return path, json.loads(told.read_text(encoding="utf-8"))


@contextmanager
def _copy(desk: Desk, intents: int, seed: int, spaces: int | None = None) -> Iterator[tuple[SqlStore, str]]:
    """An open store on a private copy, and its URL; gone afterwards."""
    path, _ = _filled(desk, intents, seed, spaces)
    copy = path.with_name(f"world-copy-{intents}.db")
    _remove(copy)
    shutil.copyfile(path, copy)
    store = open_store(sqlite_url(copy), migrate=False)
    try:
        yield store, sqlite_url(copy)
    finally:
        store.close()
        _remove(copy)


def _remove(path: Path) -> None:
    for file in path.parent.glob(f"{path.name}*"):
        file.unlink()


def load(desk: Desk, intents: int, seed: int) -> dict[str, Any]:
    """How long filling takes."""
    return _filled(desk, intents, seed)[1]


def turns(
    desk: Desk, intents: int, turns: int, seed: int, hit_rate: float, spaces: int | None = None
) -> dict[str, Any]:
    """Turns beside their floors."""
    with _copy(desk, intents, seed, spaces) as (store, _):
        return run.turn_figures(store, intents, turns, seed, hit_rate, spaces)


def growth_of_cost(desk: Desk, few: int, many: int, turns: int, seed: int) -> dict[str, Any]:
    """Turns without a hit in a large store against those in a small one, in alternating batches."""
    with _copy(desk, few, seed) as (small, _), _copy(desk, many, seed) as (large, _):
        runs = {name: Replay(store, exact=True) for name, store in (("few", small), ("many", large))}
        rows = {name: run.messages(turns + BATCH, n, seed, 0.0) for name, n in (("few", few), ("many", many))}
        versus, seen = Versus(), {name: Figures() for name in runs}
        for number in range(-(-turns // BATCH) + 1):
            batch = {name: runs[name].run(islice(rows[name], BATCH)) for name in runs}
            if number:  # the first warms up
                versus.add(batch["many"].misses, batch["few"].misses)
                for name, figures in batch.items():
                    seen[name].take(figures)
        return {
            "turns_of_each": turns,
            **{name: {"turns": len(one.misses), **pair(one.misses)} for name, one in seen.items()},
            "ratios": {f"many_over_few_{kind}": value for kind, value in versus.ratios().items()},
        }


def fires(desk: Desk, intents: int, turns: int, seed: int) -> dict[str, Any]:
    """Turns that fire."""
    with _copy(desk, intents, seed) as (store, _):
        return measure.fires(store, turns, seed)


def create(desk: Desk, intents: int, created: int, seed: int) -> dict[str, Any]:
    """Creating intents."""
    with _copy(desk, intents, seed) as (store, _):
        return measure.create(store, created, seed)


def long_message(desk: Desk, intents: int, messages: int, characters: int, seed: int) -> dict[str, Any]:
    """Messages as long as is looked at."""
    with _copy(desk, intents, seed) as (store, _):
        return measure.long_message(store, messages, seed, characters)


def tick_idle(desk: Desk, intents: int, ticks: int, seed: int) -> dict[str, Any]:
    """Heartbeats with nothing due."""
    with _copy(desk, intents, seed) as (store, _):
        return heartbeats.idle(store, ticks)


def tick_due(desk: Desk, intents: int, kind: str, due: int, alone: int, seed: int) -> dict[str, Any]:
    """One heartbeat with much due."""
    with _copy(desk, intents, seed) as (store, url):
        return heartbeats.due(store, url, kind, due, intents, seed, alone)


def growth(desk: Desk, intents: int, turns: int, every: int, warm_up: int, seed: int) -> dict[str, Any]:
    """Very many turns in one process."""
    with _copy(desk, intents, seed) as (store, _):
        return growing.grow(store, intents, turns, every, warm_up, seed, desk.tell)


def cycles(desk: Desk, nodes: int, edges: int, circles: int, seed: int) -> dict[str, Any]:
    """Edges in a large graph of goals, some of which would close a circle."""
    with TemporaryDirectory(dir=desk.work) as folder:
        store = open_store(sqlite_url(Path(folder) / "cycles.db"))
        try:
            return graphs.cycles(store, nodes, edges, circles, seed)
        finally:
            store.close()


def log(desk: Desk, operations: int, seed: int) -> dict[str, Any]:
    """Verifying and replaying a log that the use cases wrote."""
    with TemporaryDirectory(dir=desk.work) as folder:
        store = open_store(sqlite_url(Path(folder) / "log.db"))
        try:
            return logs.measure(store, operations, seed, desk.tell)
        finally:
            store.close()


def bundle(desk: Desk, rules: int, intents: int, bundles: int, seed: int) -> dict[str, Any]:
    """Bundles of a namespace full of goals."""
    with _copy(desk, rules, seed) as (store, _):
        return bundles_of.bundles(store, intents, bundles, seed)


def telegram_load(desk: Desk, **sizes: Any) -> dict[str, Any]:
    """Messages through a whole Telegram bot, and the library alone beside it."""
    from benchmarks.telegram_load.stage import measure  # what drives it takes seconds to import

    return _in_a_folder(desk, measure, **sizes)


def telegram_kills(desk: Desk, **sizes: Any) -> dict[str, Any]:
    """Kills of a Telegram bot while people talk."""
    from benchmarks.telegram_load.stage import kill_often  # as above

    return _in_a_folder(desk, kill_often, **sizes)


def discord_load(desk: Desk, **sizes: Any) -> dict[str, Any]:
    """Messages through a whole Discord bot, and the library alone beside it."""
    from benchmarks.discord_load.stage import measure  # as above

    return _in_a_folder(desk, measure, **sizes)


def discord_kills(desk: Desk, **sizes: Any) -> dict[str, Any]:
    """Kills of a Discord bot while people talk."""
    from benchmarks.discord_load.stage import kill_often  # as above

    return _in_a_folder(desk, kill_often, **sizes)


def _in_a_folder(desk: Desk, measure: Callable[..., dict[str, Any]], **sizes: Any) -> dict[str, Any]:
    with TemporaryDirectory(dir=desk.work) as folder:
        return measure(Path(folder), **sizes)

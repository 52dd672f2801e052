"""Whether a process grows: very many turns, its memory looked at from time to time."""

import resource
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

from bots.bench.replay import Replay
from bots.bench.run import messages
from storage.unit_of_work import SqlStore

STATM = Path("/proc/self/statm")
HIT_RATE = 0.02


def memory() -> int:
    """Resident memory of this process in KiB; where the system does not tell, its maximum so far."""
    if STATM.exists():
        return int(STATM.read_text(encoding="ascii").split()[1]) * resource.getpagesize() // 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def grow(
    store: SqlStore, intents: int, turns: int, every: int, warm_up: int, seed: int, tell: Callable[[str], None]
) -> dict[str, Any]:
    """So many turns on a store that `load` filled; memory in KiB after each `every`, told after `warm_up` turns.

    `grown_percent` is the last against the first after the warm-up; `slope` is KiB for each further `every` turns,
    by least squares.
    """
    run = Replay(store, exact=True)
    rows = messages(turns, intents, seed, HIT_RATE)
    seen: list[int] = []
    fires = done = 0
    while done < turns:
        figures = run.run(islice(rows, min(every, turns - done)))
        done, fires = done + len(figures), fires + figures.fires
        seen.append(memory())
        tell(f"{done} of {turns} turns, {seen[-1]} KiB")
    flat = seen[warm_up // every :] or seen[-1:]
    return {
        "seed": seed,
        "intents": intents,
        "turns": done,
        "fires": fires,
        "sampled_every": every,
        "warm_up": warm_up,
        "rss_kib": {"first": flat[0], "last": flat[-1], "max": max(flat), "slope": round(slope(flat), 2)},
        "grown_percent": round((flat[-1] - flat[0]) * 100 / flat[0], 2),
        "samples_kib": seen,
    }


def slope(samples: list[int]) -> float:
    """The least-squares slope of equally spaced samples; 0 for fewer than two."""
    if len(samples) < 2:
        return 0.0
    middle, mean = (len(samples) - 1) / 2, sum(samples) / len(samples)
    over = sum((number - middle) * (value - mean) for number, value in enumerate(samples))
    return over / sum((number - middle) ** 2 for number in range(len(samples)))

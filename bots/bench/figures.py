"""Percentiles of what was measured, alone and against a floor."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from statistics import median
from typing import Any, TypeVar

PERCENTILES = (50, 95, 99)
Sample = tuple[int, int]
"""Wall and thread CPU nanoseconds of one measured piece of work."""
T = TypeVar("T")


def timed(work: Callable[[], T]) -> tuple[Sample, T]:
    """Do `work` once: how long it took, and what it answered."""
    wall, cpu = time.perf_counter_ns(), time.thread_time_ns()
    answer = work()
    cpu, wall = time.thread_time_ns() - cpu, time.perf_counter_ns() - wall
    return (wall, cpu), answer


@dataclass(slots=True)
class Figures:
    """Samples of turns: those that fired, those with candidates of which none could fire, and those without any."""

    hits: list[Sample] = field(default_factory=list)
    held: list[Sample] = field(default_factory=list)
    misses: list[Sample] = field(default_factory=list)
    fires: int = 0

    def add(self, sample: Sample, fires: int, candidates: int) -> None:
        """Record one turn."""
        (self.hits if fires else self.held if candidates else self.misses).append(sample)
        self.fires += fires

    def take(self, other: "Figures") -> None:
        """Add what another has recorded."""
        self.hits += other.hits
        self.held += other.held
        self.misses += other.misses
        self.fires += other.fires

    def __len__(self) -> int:
        return len(self.hits) + len(self.held) + len(self.misses)


@dataclass(slots=True)
class Versus:
    """Something and its floor, sampled in alternating batches: what else the machine does hits both alike."""

    measured: list[Sample] = field(default_factory=list)
    floor: list[Sample] = field(default_factory=list)
    _ratios: list[tuple[float, float]] = field(default_factory=list)

    def add(self, measured: list[Sample], floor: list[Sample]) -> None:
        """Record one batch of each; a batch with none of the one has no ratio."""
        self.measured += measured
        self.floor += floor
        if measured and floor:
            wall, cpu = (_middle(measured, side) / max(_middle(floor, side), 1) for side in (0, 1))
            self._ratios.append((wall, cpu))

    def ratios(self) -> dict[str, float]:
        """The median over the batches of p50 over p50, by wall and by CPU time; empty without batches."""
        if not self._ratios:
            return {}
        return {kind: round(median(one[side] for one in self._ratios), 2) for side, kind in enumerate(("wall", "cpu"))}


def _middle(samples: list[Sample], side: int) -> float:
    return median(sample[side] for sample in samples)


def percentiles(nanoseconds: Iterable[int], unit: float = 1e3, digits: int = 1) -> dict[str, float]:
    """p50, p95 and p99 (nearest rank), in microseconds unless `unit` says otherwise; empty for no samples."""
    ordered = sorted(nanoseconds)
    if not ordered:
        return {}
    last = len(ordered) - 1
    return {f"p{p}": round(ordered[min(last, len(ordered) * p // 100)] / unit, digits) for p in PERCENTILES}


def pair(samples: Iterable[Sample]) -> dict[str, dict[str, float]]:
    """Percentiles of wall and CPU time, in microseconds."""
    taken = list(samples)
    return {"wall_us": percentiles(wall for wall, _ in taken), "cpu_us": percentiles(cpu for _, cpu in taken)}


def summarise(figures: Figures) -> dict[str, Any]:
    """Counts and percentiles in microseconds."""
    return {
        "turns": len(figures),
        "fires": figures.fires,
        "with_hits": {"turns": len(figures.hits), **pair(figures.hits)},
        "held_back": {"turns": len(figures.held), **pair(figures.held)},
        "without_hits": {"turns": len(figures.misses), **pair(figures.misses)},
    }

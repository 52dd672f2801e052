"""Percentiles of measured turns."""

from dataclasses import dataclass, field
from typing import Any

PERCENTILES = (50, 95, 99)


@dataclass(slots=True)
class Figures:
    """Wall and CPU nanoseconds of each turn, with and without hits apart."""

    hits: list[tuple[int, int]] = field(default_factory=list)
    misses: list[tuple[int, int]] = field(default_factory=list)
    fires: int = 0

    def add(self, wall: int, cpu: int, fires: int) -> None:
        """Record one turn."""
        (self.hits if fires else self.misses).append((wall, cpu))
        self.fires += fires


def percentiles(nanoseconds: list[int]) -> dict[str, float]:
    """p50, p95 and p99 in microseconds (nearest rank); empty for no samples."""
    if not nanoseconds:
        return {}
    ordered = sorted(nanoseconds)
    last = len(ordered) - 1
    return {f"p{p}": round(ordered[min(last, len(ordered) * p // 100)] / 1e3, 1) for p in PERCENTILES}


def summarise(figures: Figures) -> dict[str, Any]:
    """Counts and percentiles in microseconds."""
    return {
        "turns": len(figures.hits) + len(figures.misses),
        "fires": figures.fires,
        "with_hits": _both(figures.hits),
        "without_hits": _both(figures.misses),
    }


def _both(samples: list[tuple[int, int]]) -> dict[str, Any]:
    return {
        "turns": len(samples),
        "wall_us": percentiles([wall for wall, _ in samples]),
        "cpu_us": percentiles([cpu for _, cpu in samples]),
    }

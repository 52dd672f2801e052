"""What a step of the long run is, and what its figures are held against."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SIZES = ("full", "medium", "small")
Result = Mapping[str, Any]


class Skipped(Exception):
    """A step cannot run here: something that it needs is missing."""


@dataclass(frozen=True, slots=True)
class Desk:
    """Where a step works: a folder of its own commit, and whom it tells how far it is."""

    work: Path
    tell: Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Aim:
    """The figure at `path` is at most `most`. What is right or wrong, rather than fast or slow, is a `must`."""

    what: str
    path: str
    most: float
    unit: str = ""
    must: bool = False

    def value(self, result: Result) -> float | None:
        """The figure; None when it was not measured."""
        found: Any = result
        for key in self.path.split("/"):
            if not isinstance(found, Mapping) or key not in found:
                return None
            found = found[key]
        return None if found is None else float(found)

    def met(self, result: Result) -> bool:
        """Whether it was measured and is small enough."""
        value = self.value(result)
        return value is not None and value <= self.most


@dataclass(frozen=True, slots=True)
class Step:
    """One figure: `run` takes the desk and the parameters of a size; `full` are all, the others what differs."""

    name: str
    what: str
    run: Callable[..., dict[str, Any]]
    full: Mapping[str, Any] = field(default_factory=dict)
    medium: Mapping[str, Any] = field(default_factory=dict)
    small: Mapping[str, Any] = field(default_factory=dict)
    aims: tuple[Aim, ...] = ()

    def parameters(self, size: str) -> dict[str, Any]:
        """What the step is run with."""
        less: Mapping[str, Any] = {"full": {}, "medium": self.medium, "small": {**self.medium, **self.small}}[size]
        return {**self.full, **less}


@dataclass(frozen=True, slots=True)
class Sheet:
    """One text file of results: `docs/evidence/<name>.txt`."""

    name: str
    title: str
    steps: tuple[str, ...]

"""The requests that arrived."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Call:
    """One HTTP request. `status` is None while it is under way and where no answer was given.

    `path` is without `/api/v10`; `at` is monotonic; `effect` says whether it was carried out, also where its answer
    was lost.
    """

    method: str
    path: str
    at: float
    query: dict[str, str] = field(default_factory=dict)
    body: Any = None
    status: int | None = None
    code: int | None = None
    effect: bool = False

    def __str__(self) -> str:
        return f"{self.method} {self.path} {self.body} -> {self.status} {self.code or ''}"


class Drop(Exception):
    """The connection is broken without an answer."""

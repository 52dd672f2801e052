"""How an adapter has synchronous work done away from the event loop."""

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

T = TypeVar("T")


class Runner(Protocol):
    """Runs synchronous work away from the event loop, one piece after the other."""

    def __call__(self, work: Callable[[], T], /) -> Awaitable[T]: ...

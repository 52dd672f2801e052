"""An event loop whose time jumps to the next thing that is due, and the clock that goes with it."""

import asyncio
from collections.abc import Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

START = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)
T = TypeVar("T")


class JumpingLoop(asyncio.SelectorEventLoop):
    """Nothing is waited for: where asyncio would sleep, time jumps. Threads are not waited for either: use none."""

    def __init__(self) -> None:
        super().__init__()
        self._seconds = 0.0
        really = self._selector.select

        def select(timeout: float | None = None) -> Any:
            found = really(0)
            if not found and timeout:
                self._seconds += timeout
            return found

        self._selector.select = select

    def time(self) -> float:
        """Seconds of jumped time."""
        return self._seconds


class LoopClock:
    """`core.ports.Clock` that shows the time of a loop."""

    def __init__(self, loop: JumpingLoop) -> None:
        self._loop = loop

    def now(self) -> datetime:
        """The time in the loop."""
        return START + timedelta(seconds=self._loop.time())


def run(loop: JumpingLoop, work: Coroutine[Any, Any, T]) -> T:
    """Run to the end and close the loop."""
    try:
        return loop.run_until_complete(work)
    finally:
        loop.close()

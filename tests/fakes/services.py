"""Services that do as they are told, and somebody who hears how they fare."""

import asyncio
from collections.abc import Awaitable, Callable

from core.errors import RemembrancerError

Start = Callable[[Callable[[], None], asyncio.Event], Awaitable[None]]


class Scripted:
    """A service whose every start does the next thing of a list; the last one again and again."""

    def __init__(self, name: str, *starts: Start) -> None:
        self.name = name
        self.started = 0
        self._starts = starts

    async def run(self, ready: Callable[[], None], stop: asyncio.Event) -> None:
        start = self._starts[min(self.started, len(self._starts) - 1)]
        self.started += 1
        await start(ready, stop)


async def works(ready: Callable[[], None], stop: asyncio.Event) -> None:
    """Until it is told to stop."""
    ready()
    await stop.wait()


def fails(error: BaseException, after: float = -1) -> Start:
    """At the start, or `after` so many seconds of work."""

    async def start(ready: Callable[[], None], stop: asyncio.Event) -> None:
        if after >= 0:
            ready()
            await asyncio.sleep(after)
        raise error

    return start


class Heard:
    """What was told, in order: (name, what, seconds)."""

    def __init__(self) -> None:
        self.events: list[tuple[str, str, float | None]] = []
        self.errors: list[RemembrancerError] = []

    def ready(self, service: object) -> None:
        self.events.append((service.name, "ready", None))  # type: ignore[attr-defined]

    def failed(self, service: object, error: RemembrancerError, again: float | None) -> None:
        self.errors.append(error)
        self.events.append((service.name, "failed", again))  # type: ignore[attr-defined]

    def stopping(self) -> None:
        self.events.append(("", "stopping", None))

    def of(self, name: str) -> list[str]:
        """What was told of one service, without seconds."""
        return [what for who, what, _ in self.events if who == name]

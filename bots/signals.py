"""SIGTERM and SIGINT end the program in good order; the second one ends it at once."""

import asyncio
import os
import signal
from contextlib import suppress
from types import FrameType, TracebackType
from typing import Self

EXIT_AT_ONCE = 130
SIGNALS = (signal.SIGTERM, signal.SIGINT)


class StopSignals:
    """While it is open, the first signal sets an event, the second ends the process with exit code 130.

    The handlers run whatever the event loop does, so that a stalled one can be ended. In a thread that is not the
    main one signals are left alone.
    """

    def __init__(self) -> None:
        self._heard = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._before: dict[signal.Signals, object] = {}

    def __enter__(self) -> Self:
        with suppress(ValueError):  # not the main thread
            for number in SIGNALS:
                self._before[number] = signal.signal(number, self._hear)
        return self

    def __exit__(self, *_error: type[BaseException] | BaseException | TracebackType | None) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]  # what signal.signal gave

    def bind(self, stop: asyncio.Event) -> None:
        """Let the first signal set `stop`, an event of the running loop; it may have come already."""
        self._loop, self._stop = asyncio.get_running_loop(), stop
        if self._heard:
            stop.set()

    def _hear(self, _number: int, _frame: FrameType | None) -> None:
        if self._heard:
            os._exit(EXIT_AT_ONCE)
        self._heard = True
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has ended meanwhile
                self._loop.call_soon_threadsafe(self._stop.set)

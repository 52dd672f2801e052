"""A thread that notices when the event loop does not go on, and says where it stands."""

import asyncio
import sys
import threading
import time
import traceback

from config import logs

FRAMES = 8

log = logs.get(__name__)


class Watchdog:
    """Logs `loop.stalled` once when the running loop did not tick for `stalled` seconds, `loop.goes_on` afterwards.

    It looks every `pulse` seconds. The task that ran (its name is that of a service, where it is the service's own)
    and the innermost `FRAMES` calls of the loop's thread are told, without values.
    """

    def __init__(self, stalled: float, pulse: float) -> None:
        self._stalled = stalled
        self._pulse = pulse
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)

    def start(self) -> None:
        """Watch the running loop, from its own thread."""
        self._loop = asyncio.get_running_loop()
        self._loop_thread = threading.get_ident()
        self._tick()
        self._thread.start()

    def stop(self) -> None:
        """End; called in the loop."""
        self._next.cancel()
        self._ended.set()
        self._thread.join()

    def _tick(self) -> None:
        self._seen = time.monotonic()
        self._next = self._loop.call_later(self._pulse, self._tick)

    def _watch(self) -> None:
        since = 0.0
        while not self._ended.wait(self._pulse):
            seen = self._seen
            late = time.monotonic() - seen
            if late >= self._stalled and not since:
                since = seen
                log.error("loop.stalled", seconds=round(late, 1), task=self._task(), calls=self._calls())
            elif since and late < self._stalled:
                log.warning("loop.goes_on", seconds=round(seen - since, 1))
                since = 0.0

    def _task(self) -> str | None:
        task = asyncio.current_task(self._loop)
        return None if task is None else task.get_name()

    def _calls(self) -> list[str]:
        """Where the loop's thread stands, innermost call last."""
        frame = sys._current_frames().get(self._loop_thread)
        stack = traceback.extract_stack(frame)[-FRAMES:] if frame is not None else []
        return [f"{call.filename}:{call.lineno} {call.name}" for call in stack]

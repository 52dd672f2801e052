"""The heartbeat: one APScheduler interval job that calls `tick` in a worker thread.

Nothing that is correct depends on it. It keeps its job in memory only; what is due stands in our own rows.
"""

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta

from bots.scheduling import Timekeeper
from config import logs
from core.ports import Clock

MISFIRE_GRACE_SECONDS = 3600
JOB = "heartbeat"

log = logs.get(__name__)


class Heartbeat:
    """Calls `tick` at once and then every `seconds`; never two at a time, missed runs become one.

    A tick that fails is logged with its traceback and the next one runs. `last_success`, `last_failure` and
    `failures` tell how it fares; the tick itself stores its success as the fact `heartbeat.last_success`.
    `then` is called in the loop after each success.
    `clock` is the system's (the scheduler compares it with its own), whatever clock the tick works with.
    """

    def __init__(
        self, tick: Callable[[], object], clock: Clock, seconds: float, then: Callable[[], object] = lambda: None
    ) -> None:
        self._tick = tick
        self._then = then
        self._clock = clock
        self._seconds = seconds
        self._keeper: Timekeeper | None = None
        self._watch: asyncio.TimerHandle | None = None
        self.last_success: datetime | None = None
        self.last_failure: datetime | None = None
        self.failures = 0

    @property
    def running(self) -> bool:
        """Whether it was started and not stopped."""
        return self._keeper is not None

    def start(self) -> None:
        """Start in the running event loop. A second start does nothing."""
        if self._keeper is not None:
            return
        self._keeper = Timekeeper(JOB)
        self._keeper.scheduler.add_job(
            self._beat,
            "interval",
            seconds=self._seconds,
            id=JOB,
            coalesce=True,
            max_instances=1,
            misfire_grace_time=MISFIRE_GRACE_SECONDS,
            next_run_time=self._clock.now(),
        )
        self._keeper.scheduler.start()
        self._look_out()
        log.info("heartbeat.started", seconds=self._seconds)

    async def stop(self) -> None:
        """Let a running tick end, then stop. Afterwards no tick touches the store."""
        keeper, self._keeper = self._keeper, None
        if keeper is None:
            return
        if self._watch is not None:
            self._watch.cancel()
        await keeper.stop()
        log.info("heartbeat.stopped", failures=self.failures)

    def _look_out(self) -> None:
        """Run at once when the system's clock was set back: the next run would be as far off as it was moved."""
        job = self._keeper.scheduler.get_job(JOB) if self._keeper is not None else None
        if job is not None:
            now = self._clock.now()
            if job.next_run_time - now > timedelta(seconds=2 * self._seconds):
                log.warning("heartbeat.clock_set_back", was_due=job.next_run_time.isoformat())
                job.modify(next_run_time=now)
        self._watch = asyncio.get_running_loop().call_later(self._seconds, self._look_out)

    async def _beat(self) -> None:
        keeper = self._keeper
        if keeper is None:
            return
        try:
            await keeper.run(self._tick)
        except Exception:
            self.failures += 1
            self.last_failure = self._clock.now()
            log.exception("heartbeat.failed", failures=self.failures)
        else:
            self.last_success = self._clock.now()
            self._then()

"""The alarm: an APScheduler date job at the next due instant of a timed reminder.

The job is made anew from the rows whenever something may have changed: at the start, after each heartbeat, when a
reminder was made, ended or put off, after each firing. Nothing is kept in it: the rows say what is due, and firing
them twice, or not at the right moment, is the service's to prevent.
"""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

from bots.scheduling import Timekeeper
from config import logs
from core.ports import Clock

JOB = "alarm"
WATCH_SECONDS = 1.0
"""How often the clock is compared with the plan: so late is a machine that slept, or was given another time."""
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
AGAIN = timedelta(seconds=1)
MOST = timedelta(seconds=60)

log = logs.get(__name__)


async def nothing(_fired: int) -> None:
    """Nobody wants to know."""


class Alarm:
    """Calls `fire` (which answers how many fired) at what `next_due` says, and then awaits `rung` with the number.

    `due_clock` is the clock that due instants are told by, `clock` the system's, which the scheduler uses. A failure is
    logged with its traceback and tried again, after one second first and at most a minute. `wake` may be called from
    any thread.
    """

    def __init__(
        self,
        fire: Callable[[], int],
        next_due: Callable[[], datetime | None],
        due_clock: Clock,
        clock: Clock,
        rung: Callable[[int], Awaitable[None]] = nothing,
    ) -> None:
        self._fire = fire
        self._next_due = next_due
        self._due_clock = due_clock
        self._clock = clock
        self._rung = rung
        self._keeper: Timekeeper | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._watch: asyncio.TimerHandle | None = None
        self._planning: asyncio.Task[None] | None = None
        self._telling = asyncio.Lock()
        self._stale = False
        self._due: datetime | None = None
        self._again = timedelta(0)
        self.failures = 0

    @property
    def planned(self) -> datetime | None:
        """The due instant for which it is set; None for none."""
        return self._due

    def start(self) -> None:
        """Start in the running event loop. A second start does nothing."""
        if self._keeper is not None:
            return
        self._loop = asyncio.get_running_loop()
        self._keeper = Timekeeper(JOB)
        self._keeper.scheduler.start()
        self._look_out()
        self._plan_soon()

    async def stop(self) -> None:
        """Let a running firing end, then stop."""
        keeper, self._keeper = self._keeper, None
        if keeper is None:
            return
        if self._watch is not None:
            self._watch.cancel()
        await keeper.stop()
        async with self._telling:
            pass
        if self._planning is not None:
            await asyncio.gather(self._planning, return_exceptions=True)

    def wake(self) -> None:
        """Look at the rows again, soon. Does nothing before the start and after the stop."""
        loop = self._loop
        if self._keeper is not None and loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._plan_soon)

    def _plan_soon(self) -> None:
        """Plan in the background; a wish that comes meanwhile is one more planning."""
        self._stale = True
        if self._keeper is not None and (self._planning is None or self._planning.done()):
            self._planning = asyncio.get_running_loop().create_task(self._plan())

    async def _plan(self) -> None:
        while self._stale and (keeper := self._keeper) is not None:
            self._stale = False
            try:
                due = await keeper.run(self._next_due)
            except Exception:  # noqa: BLE001  # logged there; the alarm goes on (house rule 8)
                self._failed("alarm.plan_failed")
                self._set(keeper, self._due_clock.now() + self._again)
            else:
                self._set(keeper, due)

    def _set(self, keeper: Timekeeper, due: datetime | None) -> None:
        self._due = due
        if self._keeper is not keeper:
            return
        if due is None:
            keeper.scheduler.remove_all_jobs()
            return
        wait = due - self._due_clock.now()
        keeper.scheduler.add_job(
            self._ring,
            "date",
            run_date=self._clock.now() + (wait if wait > timedelta(0) else self._again),
            id=JOB,
            replace_existing=True,
            coalesce=True,
            max_instances=1,
            misfire_grace_time=None,
        )

    def _look_out(self) -> None:
        """See that the time has come even where timers stood still: the machine slept, or its clock was moved."""
        keeper = self._keeper
        if keeper is None:
            return
        run, now = keeper.next_run(), self._clock.now()
        if run is not None and run <= now:
            keeper.scheduler.modify_job(JOB, next_run_time=LONG_AGO)
        elif run is not None and self._due is not None and self._is_off(self._due, run - now):
            self._plan_soon()
        self._watch = asyncio.get_running_loop().call_later(WATCH_SECONDS, self._look_out)

    def _is_off(self, due: datetime, wait: timedelta) -> bool:
        """Was one of the two clocks moved since the job was made?"""
        left = due - self._due_clock.now()
        return left > timedelta(0) and abs(left - wait) > AGAIN

    async def _ring(self) -> None:
        keeper = self._keeper
        if keeper is None:
            return
        try:
            fired = await keeper.run(self._fire)
        except Exception:  # noqa: BLE001  # logged there; the alarm goes on (house rule 8)
            self._failed("alarm.failed")
        else:
            self._again = AGAIN if not fired else timedelta(0)  # what stays due is not tried in a tight loop
            await self._tell(fired)
        self._plan_soon()

    async def _tell(self, fired: int) -> None:
        async with self._telling:
            if not fired or self._keeper is None:
                return
            try:
                await self._rung(fired)
            except Exception:
                log.exception("alarm.untold", fired=fired)

    def _failed(self, event: str) -> None:
        self.failures += 1
        self._again = min(max(2 * self._again, AGAIN), MOST)
        log.exception(event, failures=self.failures, again_in=self._again.total_seconds())

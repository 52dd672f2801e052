"""What everything that runs by the clock in a process has in common: APScheduler in memory, a worker thread, an end."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import TypeVar

from apscheduler.schedulers.asyncio import AsyncIOScheduler

T = TypeVar("T")


class Timekeeper:
    """One APScheduler job, kept in memory only, whose synchronous work runs in a thread of its own, one at a time."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self.scheduler = AsyncIOScheduler(timezone=UTC)
        self._idle = asyncio.Event()
        self._idle.set()
        self._running = 0

    def next_run(self) -> datetime | None:
        """When the job runs next; None when there is none."""
        job = self.scheduler.get_job(self._name)
        return None if job is None else job.next_run_time

    async def run(self, work: Callable[[], T]) -> T:
        """Run `work` in the thread, behind what runs there already. Raises what it raises. Not for use after `stop`."""
        self._running += 1
        self._idle.clear()
        try:
            return await asyncio.get_running_loop().run_in_executor(self._worker, work)
        finally:
            self._running -= 1
            if not self._running:
                self._idle.set()

    async def stop(self) -> None:
        """Let the running work end."""
        self.scheduler.remove_all_jobs()
        await self._idle.wait()
        self.scheduler.shutdown(wait=False)
        self._worker.shutdown(wait=False)
        await asyncio.sleep(0)  # the scheduler ends in a callback of the loop

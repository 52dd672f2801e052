"""Several services in one event loop: each is started anew when it fails, and none takes the others down."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

import structlog

from config import logs
from core.catalogue import say
from core.errors import RemembrancerError

log = logs.get(__name__)


@dataclass(frozen=True, slots=True)
class Times:
    """How long things take, in seconds. They are no settings: nobody has a reason to change them."""

    first_pause: float = 1
    """Before a service that failed is started again; twice as long each time."""
    longest_pause: float = 300
    jitter: float = 0.25
    """The share of a pause by which it is longer at random, so that many processes do not come back at once."""
    settled: float = 60
    """A service that worked so long begins again with the first pause."""
    stop: float = 20
    """For all services together to finish what they have under way."""
    give_up: float = 2
    """For those that were cancelled after that."""
    stalled: float = 30
    """Without a tick the event loop counts as stalled."""
    pulse: float = 1
    """Between two ticks of the event loop."""


TIMES = Times()


class Service(Protocol):
    """Something that runs until it is told to stop."""

    @property
    def name(self) -> str: ...

    async def run(self, ready: Callable[[], None], stop: asyncio.Event) -> None:
        """Call `ready` once it works; return after `stop` is set, with what was under way finished.

        Raises RemembrancerError, which says why it cannot go on and what to do; after a `permanent` one it is not
        started again, after any other (and any other exception) it is.
        """
        ...


class Told(Protocol):
    """Whoever hears how the services fare."""

    def ready(self, service: Service) -> None:
        """It works."""
        ...

    def failed(self, service: Service, error: RemembrancerError, again: float | None) -> None:
        """It cannot go on; it is started again after `again` seconds, or never (None)."""
        ...


class NoBotLeft(RemembrancerError):
    """Every bot failed for good: there is nothing to run for."""

    code = "no_bot_left"


class Supervisor:
    """Runs bots and helpers. `jitter` gives numbers from 0 to 1 at random; `told` hears how they fare."""

    def __init__(
        self,
        bots: Sequence[Service],
        helpers: Sequence[Service],
        told: Told,
        jitter: Callable[[], float],
        times: Times = TIMES,
    ) -> None:
        self._bots = bots
        self._helpers = helpers
        self._told = told
        self._jitter = jitter
        self._times = times

    async def run(self, stop: asyncio.Event) -> None:
        """Run all until `stop` is set, then let them finish. NoBotLeft when all bots have failed for good."""
        ending = asyncio.Event()
        bots = [asyncio.create_task(self._kept(service, ending), name=service.name) for service in self._bots]
        helpers = [asyncio.create_task(self._kept(service, ending), name=service.name) for service in self._helpers]
        stopping = asyncio.create_task(stop.wait())
        waiting = set(bots)
        while waiting and not stopping.done():
            _, left = await asyncio.wait({stopping, *waiting}, return_when=asyncio.FIRST_COMPLETED)
            waiting &= left
        ending.set()
        stopping.cancel()
        await self._finish({*bots, *helpers})
        if not stop.is_set():
            raise NoBotLeft(say("run.none_left"), say("run.none_left.hint"))

    async def _finish(self, tasks: set[asyncio.Task[None]]) -> None:
        _, late = await asyncio.wait(tasks, timeout=self._times.stop)
        for task in late:
            log.warning("service.not_finished", service=task.get_name(), seconds=self._times.stop)
            task.cancel()
        if late:
            await asyncio.wait(late, timeout=self._times.give_up)

    async def _kept(self, service: Service, stop: asyncio.Event) -> None:
        """Start a service, again and again while that may help."""
        structlog.contextvars.bind_contextvars(service=service.name)
        failures = 0
        while not stop.is_set():
            error, worked = await self._once(service, stop)
            if error is None:
                return
            if stop.is_set():
                log.warning("service.ended_badly", code=error.code, why=error.sentence)
                return
            if error.permanent:
                self._told.failed(service, error, None)
                return
            failures = 0 if worked >= self._times.settled else failures
            pause = self.pause(failures)
            failures += 1
            self._told.failed(service, error, pause)
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), pause)

    async def _once(self, service: Service, stop: asyncio.Event) -> tuple[RemembrancerError | None, float]:
        """Run a service once: why it ended (None: as it was told to), and how many seconds it had worked."""
        loop = asyncio.get_running_loop()
        since: list[float] = []

        def ready() -> None:
            if not since:
                since.append(loop.time())
                self._told.ready(service)

        error: RemembrancerError | None
        try:
            await service.run(ready, stop)
            error = None if stop.is_set() else RemembrancerError(say("run.ended"), say("storage.defect.hint"))
        except RemembrancerError as refusal:
            error = refusal
        except asyncio.CancelledError as cancelled:
            if _cancelling():
                raise
            log.exception("service.defect")
            error = _defect(cancelled)
        except Exception as defect:
            log.exception("service.defect")
            error = _defect(defect)
        return error, loop.time() - since[0] if since else 0.0

    def pause(self, failures: int) -> float:
        """Seconds to wait after so many failures in a row before this one."""
        pause = min(self._times.longest_pause, self._times.first_pause * 2.0 ** min(failures, 64))
        return pause * (1 + self._times.jitter * self._jitter())


def _cancelling() -> bool:
    """Whether somebody cancelled the task that runs, rather than it something within itself."""
    task = asyncio.current_task()
    return task is not None and bool(task.cancelling())


def _defect(error: BaseException) -> RemembrancerError:
    return RemembrancerError(say("run.defect", kind=type(error).__name__), say("storage.defect.hint"))

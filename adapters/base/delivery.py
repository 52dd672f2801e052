"""The delivery loop of one bot login: what is due is taken, sent and recorded, in order within a chat."""

import asyncio
import logging
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Protocol

from adapters.base.contract import NeverSent, Post, RetryLater, Sent
from adapters.base.runner import Runner
from core.services.context import Context
from core.services.dispatch import ClaimParcels, NextDue, ParcelBack, ParcelFailed, ParcelLater, ParcelSent
from core.services.parcels import Parcel

log = logging.getLogger(__name__)
STORE_PAUSE = 1.0
STORE_PAUSE_MOST = 30.0
STALLED = 30.0
"""Seconds after which a store that does not answer is told of in the log."""
LEASE_USED = 0.75
"""A send may last this part of its lease: the rest is for its record."""


class Sender(Protocol):
    """The part of an adapter that sends."""

    @property
    def provider(self) -> str: ...

    @property
    def account(self) -> str: ...

    async def send(self, post: Post) -> Sent: ...


class DeliveryLoop:
    """Sends what one bot login owes: one parcel a chat at a time, `parallel` chats at once.

    It sleeps until something becomes due, at most `poll` seconds; `wake` when a turn fired. A store or a platform that
    fails is logged and tried again: the loop ends by `stop` alone. A parcel whose lease ran out is not sent.
    """

    def __init__(
        self,
        ctx: Context,
        sender: Sender,
        render: Callable[[Parcel], Post],
        run: Runner,
        *,
        poll: float = 5.0,
        parallel: int | None = None,
    ) -> None:
        self._ctx = ctx
        self._sender = sender
        self._render = render
        self._run = run
        self._poll = poll
        self._parallel = parallel or ctx.limits.send_parallel
        self._lease = ctx.limits.send_lease / timedelta(seconds=1)
        self._news = asyncio.Event()
        self._under_way: dict[int, asyncio.Task[None]] = {}
        self._main: asyncio.Task[None] | None = None
        self._stopping = False
        self._failures = 0

    async def start(self) -> None:
        """Begin."""
        self._stopping = False
        self._main = asyncio.create_task(self._work(), name=f"delivery {self._sender.provider}")

    def wake(self) -> None:
        """Something may be due now."""
        self._news.set()

    async def stop(self, within: float = 10.0) -> None:
        """Take nothing more; wait for the sends under way, at most so many seconds.

        What is still under way then is broken off: it comes back when its lease ends.
        """
        self._stopping = True
        self.wake()
        if self._main is not None:
            await self._main
        tasks = set(self._under_way.values())
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=within)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def _work(self) -> None:
        while not self._stopping:
            self._news.clear()
            pause = await self._round()
            try:
                async with asyncio.timeout(pause):
                    await self._news.wait()
            except TimeoutError:
                continue

    async def _round(self) -> float:
        """Take and begin what there is room for; how long to sleep when nothing happens."""
        watch = asyncio.get_running_loop().call_later(STALLED, log.error, "delivery.stalled")
        try:
            pause = await self._take()
        except Exception:
            self._failures += 1
            log.exception("delivery.store")
            return float(min(STORE_PAUSE * 2 ** min(self._failures - 1, 9), STORE_PAUSE_MOST))
        finally:
            watch.cancel()
        self._failures = 0
        return pause

    async def _take(self) -> float:
        free = self._parallel - len(self._under_way)
        if free <= 0:
            return self._poll
        login = self._sender.provider, self._sender.account
        busy = frozenset(self._under_way)
        until = asyncio.get_running_loop().time() + self._lease * LEASE_USED
        claim = ClaimParcels(self._ctx)
        parcels = await self._run(lambda: claim(*login, busy, free))
        if self._stopping:
            for parcel in parcels:
                await self._run(partial(ParcelBack(self._ctx), parcel))
            return self._poll
        for parcel in parcels:
            self._begin(parcel, until)
        if len(parcels) == free:
            return self._poll
        due = await self._run(lambda: NextDue(self._ctx)(*login))
        return self._poll if due is None else min(self._poll, due / timedelta(seconds=1))

    def _begin(self, parcel: Parcel, until: float) -> None:
        task = asyncio.create_task(self._deliver(parcel, until), name=f"parcel {parcel.item_id}")
        self._under_way[parcel.chat] = task
        task.add_done_callback(lambda _task: self._ended(parcel.chat))

    def _ended(self, chat: int) -> None:
        del self._under_way[chat]
        self.wake()

    async def _deliver(self, parcel: Parcel, until: float) -> None:
        if asyncio.get_running_loop().time() >= until:
            log.warning("delivery.lease", extra={"item": parcel.item_id})
            return
        await self._record(await self._outcome(parcel, until))

    async def _outcome(self, parcel: Parcel, until: float) -> Callable[[], object]:
        """Send, and what is to be recorded of it."""
        ctx = self._ctx
        try:
            async with asyncio.timeout_at(until):
                sent = await self._sender.send(self._render(parcel))
        except RetryLater as error:
            return partial(ParcelLater(ctx), parcel, error.wait, error.why)
        except NeverSent as error:
            return partial(ParcelFailed(ctx), parcel, error.why)
        except TimeoutError:
            return partial(ParcelLater(ctx), parcel, None, "timeout")
        except Exception:
            log.exception("delivery.defect", extra={"item": parcel.item_id})
            return partial(ParcelLater(ctx), parcel, None, "defect")
        return partial(ParcelSent(ctx), parcel, sent.message_ids)

    async def _record(self, record: Callable[[], object]) -> None:
        """Record it however long the store fails: what was sent and is not recorded would be sent again."""
        pause = STORE_PAUSE
        while True:
            try:
                await self._run(record)
            except Exception:
                log.exception("delivery.record")
                await asyncio.sleep(pause)
                pause = min(pause * 2, STORE_PAUSE_MOST)
            else:
                return

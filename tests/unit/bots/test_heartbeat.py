"""The heartbeat, with the real scheduler and short intervals."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable

import pytest

from bots.heartbeat import Heartbeat
from bots.runtime import SystemClock

SHORT = 0.05


async def until(done: Callable[[], bool], seconds: float = 10) -> None:
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "it did not happen in time"
        await asyncio.sleep(0.01)


def run(story: Callable[[], Awaitable[None]]) -> None:
    async def told() -> None:
        await story()

    asyncio.run(told())


def test_it_ticks_at_once_and_again_in_a_thread_of_its_own() -> None:
    async def story() -> None:
        threads: list[str] = []
        beat = Heartbeat(lambda: threads.append(threading.current_thread().name), SystemClock(), SHORT)
        before = SystemClock().now()
        beat.start()
        assert beat.running
        await until(lambda: len(threads) >= 3)
        await beat.stop()
        assert not beat.running
        assert all(name.startswith("heartbeat") for name in threads)
        assert beat.last_success is not None
        assert beat.last_success >= before
        assert beat.failures == 0

    run(story)


def test_the_first_tick_does_not_wait_for_the_interval() -> None:
    async def story() -> None:
        ticked = threading.Event()
        beat = Heartbeat(ticked.set, SystemClock(), 3600)
        beat.start()
        await until(ticked.is_set)
        await beat.stop()

    run(story)


def test_a_failing_tick_is_logged_with_its_traceback_and_the_next_one_runs(
    caplog: pytest.LogCaptureFixture,
) -> None:
    from config import logs

    async def story() -> None:
        count = 0

        def tick() -> None:
            nonlocal count
            count += 1
            if count < 3:
                raise LookupError("the disk is away")

        beat = Heartbeat(tick, SystemClock(), SHORT)
        beat.start()
        await until(lambda: beat.last_success is not None)
        await beat.stop()
        assert beat.failures == 2
        assert beat.last_failure is not None

    import io

    stream = io.StringIO()
    logs.configure("info", "console", stream)
    run(story)
    assert stream.getvalue().count("LookupError: the disk is away") == 2
    assert "Traceback" in stream.getvalue()


def test_two_ticks_never_run_at_a_time_and_missed_ones_become_one() -> None:
    async def story() -> None:
        running, most, ticks = 0, 0, 0

        def tick() -> None:
            nonlocal running, most, ticks
            running += 1
            most = max(most, running)
            time.sleep(SHORT * 4)
            running -= 1
            ticks += 1

        beat = Heartbeat(tick, SystemClock(), SHORT)
        beat.start()
        start = time.monotonic()
        await until(lambda: ticks >= 3)
        await beat.stop()
        assert most == 1
        assert ticks <= (time.monotonic() - start) / (SHORT * 4) + 1

    run(story)


def test_stopping_waits_for_the_tick_that_runs_and_no_other_follows() -> None:
    async def story() -> None:
        started, ended = threading.Event(), threading.Event()

        def tick() -> None:
            started.set()
            time.sleep(SHORT * 4)
            ended.set()

        beat = Heartbeat(tick, SystemClock(), SHORT)
        beat.start()
        await until(started.is_set)
        await beat.stop()
        assert ended.is_set()
        started.clear()
        await asyncio.sleep(SHORT * 3)
        assert not started.is_set()

    run(story)


def test_the_loop_goes_on_while_a_tick_works() -> None:
    async def story() -> None:
        started = threading.Event()

        def tick() -> None:
            started.set()
            time.sleep(0.5)

        beat = Heartbeat(tick, SystemClock(), 3600)
        beat.start()
        await until(started.is_set)
        turns, end = 0, time.monotonic() + 0.2
        while time.monotonic() < end:
            await asyncio.sleep(0.005)
            turns += 1
        await beat.stop()
        assert turns > 5

    run(story)


def test_starting_twice_and_stopping_twice_is_harmless_and_it_can_start_again() -> None:
    async def story() -> None:
        ticks: list[int] = []
        beat = Heartbeat(lambda: ticks.append(1), SystemClock(), 3600)
        await beat.stop()
        beat.start()
        beat.start()
        await until(lambda: bool(ticks))
        await asyncio.sleep(SHORT)
        assert len(ticks) == 1
        await beat.stop()
        await beat.stop()
        beat.start()
        await until(lambda: len(ticks) == 2)
        await beat.stop()

    run(story)

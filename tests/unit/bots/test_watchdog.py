"""The watchdog of the event loop."""

import asyncio
import io
import json
import time
from collections.abc import Iterator

import pytest

from bots.watchdog import Watchdog
from config import logs


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    stream = io.StringIO()
    logs.configure("info", "json", stream)
    yield stream
    logs.configure("warning")


def events(log: io.StringIO) -> list[dict[str, object]]:
    return [event for event in map(json.loads, log.getvalue().splitlines()) if event["event"].startswith("loop.")]


def test_t155_a_stalled_loop_is_reported_once_with_where_it_stands_and_then_that_it_goes_on(log: io.StringIO) -> None:
    async def blocking_call() -> None:
        time.sleep(0.5)
        await asyncio.sleep(0.2)

    async def story() -> None:
        dog = Watchdog(stalled=0.2, pulse=0.02)
        dog.start()
        await asyncio.create_task(blocking_call(), name="telegram")
        dog.stop()

    asyncio.run(story())
    stalled, goes_on = events(log)
    assert (stalled["event"], stalled["task"], goes_on["event"]) == ("loop.stalled", "telegram", "loop.goes_on")
    assert any(str(call).endswith(" blocking_call") for call in stalled["calls"])  # type: ignore[attr-defined]
    assert float(str(stalled["seconds"])) >= 0.2
    assert float(str(goes_on["seconds"])) >= 0.4


def test_a_loop_that_ticks_is_left_alone(log: io.StringIO) -> None:
    async def story() -> None:
        dog = Watchdog(stalled=0.2, pulse=0.02)
        dog.start()
        await asyncio.sleep(0.5)
        dog.stop()

    asyncio.run(story())
    assert events(log) == []

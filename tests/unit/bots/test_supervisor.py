"""The supervisor with services that fail, crash, end, hang and stop."""

import asyncio
import io
import time
from collections.abc import Callable, Iterator

import pytest
import structlog

from bots.supervisor import TIMES, NoBotLeft, Supervisor, Times
from config import logs
from core.errors import ConfigError, RemembrancerError, StorageError
from tests.fakes.services import Heard, Scripted, fails, works

SHORT = Times(first_pause=0.01, longest_pause=0.05, jitter=0, settled=60, stop=0.3, give_up=0.1)
WRONG = RemembrancerError("The token is wrong.", "Copy it again.", permanent=True)
AWAY = RemembrancerError("The service is away.", "Wait.")


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    stream = io.StringIO()
    logs.configure("info", "console", stream)
    yield stream
    logs.configure("warning")
    structlog.contextvars.clear_contextvars()


def supervised(
    *bots: Scripted,
    until: Callable[[Heard], bool] = lambda heard: False,
    helpers: tuple[Scripted, ...] = (),
    times: Times = SHORT,
) -> Heard:
    """Run bots until something was heard, stop, and answer all that was heard."""
    heard = Heard()

    async def story() -> None:
        stop = asyncio.Event()
        running = asyncio.create_task(Supervisor(bots, helpers, heard, lambda: 0.5, times).run(stop))
        end = time.monotonic() + 10
        while not running.done() and not until(heard):
            assert time.monotonic() < end, heard.events
            await asyncio.sleep(0.002)
        stop.set() if not running.done() else None
        await running

    asyncio.run(story())
    return heard


def test_each_service_says_when_it_is_ready_and_ends_when_it_is_told() -> None:
    heard = supervised(
        Scripted("one", works), Scripted("two", works), until=lambda heard: len(heard.events) == 3,
        helpers=(Scripted("heartbeat", works),),
    )  # fmt: skip
    assert sorted(heard.events) == [("heartbeat", "ready", None), ("one", "ready", None), ("two", "ready", None)]


def test_one_that_cannot_start_for_good_says_why_once_and_the_others_go_on() -> None:
    wrong, other = Scripted("wrong", fails(WRONG)), Scripted("other", fails(AWAY), works)
    heard = supervised(wrong, other, until=lambda heard: "ready" in heard.of("other"))
    assert (wrong.started, other.started) == (1, 2)
    assert heard.of("wrong") == ["failed"]
    assert ("wrong", "failed", None) in heard.events
    assert WRONG in heard.errors


def test_a_wrong_setting_is_for_good_and_a_database_that_is_away_is_not() -> None:
    assert ConfigError("x").permanent
    assert WRONG.permanent
    assert not AWAY.permanent
    assert not StorageError("x", retry=False).permanent
    assert not RemembrancerError("x", permanent="yes").permanent


def test_one_that_fails_is_started_again_after_pauses_that_grow_and_works_then() -> None:
    service = Scripted("bot", fails(AWAY), fails(AWAY), fails(AWAY), fails(AWAY), works)
    heard = supervised(service, until=lambda heard: "ready" in heard.of("bot"))
    assert [again for _, what, again in heard.events if what == "failed"] == [0.01, 0.02, 0.04, 0.05]
    assert heard.of("bot")[-1] == "ready"


def test_the_pauses_double_from_a_second_to_five_minutes_and_chance_adds_a_quarter_at_most() -> None:
    for chance, factor in ((0.0, 1.0), (1.0, 1.25)):
        pauses = Supervisor((), (), Heard(), lambda chance=chance: chance)
        assert [pauses.pause(n) for n in (0, 1, 2, 8, 9, 10_000)] == [
            seconds * factor for seconds in (1, 2, 4, 256, 300, 300)
        ]


def test_the_times_are_those_that_are_promised() -> None:
    assert (TIMES.first_pause, TIMES.longest_pause, TIMES.settled, TIMES.stop, TIMES.stalled) == (1, 300, 60, 20, 30)


@pytest.mark.parametrize(("worked", "pauses"), [(0.1, [0.01, 0.01, 0.01]), (0.0, [0.01, 0.02, 0.04])])
def test_one_that_worked_long_enough_begins_with_the_first_pause_again(worked: float, pauses: list[float]) -> None:
    times = Times(first_pause=0.01, longest_pause=1, jitter=0, settled=0.08, stop=1)
    service = Scripted("bot", *(3 * (fails(AWAY, after=worked),)), works)
    heard = supervised(service, until=lambda heard: service.started == 4, times=times)
    assert [again for _, what, again in heard.events if what == "failed"] == pauses


@pytest.mark.parametrize("error", [LookupError("a defect"), asyncio.CancelledError(), TimeoutError()])
def test_a_crash_is_logged_with_its_traceback_and_the_service_started_again(
    error: BaseException, log: io.StringIO
) -> None:
    service = Scripted("bot", fails(error), works)
    heard = supervised(service, until=lambda heard: "ready" in heard.of("bot"))
    assert heard.of("bot") == ["failed", "ready"]
    assert type(error).__name__ in heard.errors[0].sentence
    assert "a defect" not in heard.errors[0].sentence
    assert "Traceback" in log.getvalue()
    assert "service=bot" in log.getvalue()


def test_one_that_ends_by_itself_is_started_again() -> None:
    async def ends(ready: Callable[[], None], stop: asyncio.Event) -> None:
        ready()

    service = Scripted("bot", ends, works)
    heard = supervised(service, until=lambda heard: heard.of("bot").count("ready") == 2)
    assert heard.of("bot") == ["ready", "failed", "ready"]


def test_with_no_bot_left_it_ends_though_the_heartbeat_works() -> None:
    ended: list[bool] = []

    async def beats(ready: Callable[[], None], stop: asyncio.Event) -> None:
        await works(ready, stop)
        ended.append(True)

    with pytest.raises(NoBotLeft, match="No bot is left"):
        supervised(
            Scripted("one", fails(WRONG)), Scripted("two", fails(AWAY), fails(WRONG)), helpers=(Scripted("h", beats),)
        )
    assert ended == [True]


def test_a_helper_that_fails_for_good_ends_nothing() -> None:
    heard = supervised(
        Scripted("bot", works), helpers=(Scripted("h", fails(WRONG)),), until=lambda heard: len(heard.events) == 2
    )
    assert heard.of("h") == ["failed"]


def test_what_is_under_way_is_finished_before_it_ends() -> None:
    finished: list[bool] = []

    async def slow(ready: Callable[[], None], stop: asyncio.Event) -> None:
        await works(ready, stop)
        await asyncio.sleep(0.1)
        finished.append(True)

    supervised(Scripted("slow", slow), Scripted("other", works), until=lambda heard: len(heard.events) == 2)
    assert finished == [True]


def test_one_that_does_not_finish_in_time_is_cancelled_and_named(log: io.StringIO) -> None:
    async def story() -> float:
        stop, cancelled, heard = asyncio.Event(), asyncio.Event(), Heard()

        async def never(ready: Callable[[], None], stop: asyncio.Event) -> None:
            ready()
            try:
                await asyncio.sleep(3600)
            finally:
                cancelled.set()

        stop.set()
        began = time.monotonic()
        await Supervisor([Scripted("stuck", never)], [], heard, lambda: 0, SHORT).run(stop)
        assert cancelled.is_set()
        return time.monotonic() - began

    assert SHORT.stop <= asyncio.run(story()) < 5
    assert "service.not_finished" in log.getvalue()
    assert "stuck" in log.getvalue()


def test_a_stop_ends_a_pause_at_once() -> None:
    times = Times(first_pause=3600, longest_pause=3600, stop=20)
    began = time.monotonic()
    supervised(Scripted("bot", fails(AWAY)), until=lambda heard: bool(heard.events), times=times)
    assert time.monotonic() - began < 5


def test_an_error_while_it_stops_is_logged_and_starts_nothing(log: io.StringIO) -> None:
    async def badly(ready: Callable[[], None], stop: asyncio.Event) -> None:
        await works(ready, stop)
        raise AWAY

    service = Scripted("bot", badly)
    heard = supervised(service, until=lambda heard: bool(heard.events))
    assert (service.started, heard.of("bot")) == (1, ["ready"])
    assert "service.ended_badly" in log.getvalue()

"""A running bot under a stream of messages: nothing is lost, nothing doubled. How fast it is, no test says."""

import importlib

import pytest

from benchmarks.load.kills import unexplained
from benchmarks.load.stage import Send
from benchmarks.load.stream import fired, make_rules, make_stream
from benchmarks.long.steps import BY_NAME

pytestmark = pytest.mark.thorough

NOW_MS = 1_900_000_000_000
PERCENTILES = {"p50", "p95", "p99", "max"}
PLATFORMS = {
    "telegram": ("handed_to_reserved_ms", "said_to_acknowledged_ms", "said_to_sent_ms", "driver_late_ms"),
    "discord": ("handed_to_reserved_ms", "handed_to_sent_ms", "said_to_handed_ms", "driver_late_ms"),
}
COMPARED = {"telegram": "acknowledged", "discord": "sent"}


@pytest.fixture(params=PLATFORMS)
def platform(request):
    return request.param


@pytest.fixture
def bench(platform):
    """What measures on a platform; it takes seconds to import."""
    return importlib.import_module(f"benchmarks.{platform}_load.stage")


@pytest.mark.timeout(300)
def test_every_message_of_a_stream_is_received_once_and_every_reminder_sent_once(bench, platform, tmp_path):
    told = bench.measure(tmp_path, seconds=5, rate=50, intents=1_000, seed=7, floor_seconds=1)
    counted = {key: told[key] for key in ("messages", "fires_expected", "fires_stored", "fires_distinct")}
    assert counted == {"messages": 250, "fires_expected": 50, "fires_stored": 50, "fires_distinct": 50}
    assert (told["fires_delivered"], told["reminders_in_the_groups"]) == (50, 50)
    assert (told["lost"], told["doubled"], told["wrong"]) == (0, 0, 0), told
    for key in PLATFORMS[platform]:
        assert set(told[key]) == PERCENTILES
    assert all(aim.value(told) is not None for aim in BY_NAME[f"{platform}-load"].aims)
    assert set(told["ratios"]) == {f"{COMPARED[platform]}_p50", f"{COMPARED[platform]}_p99", "bot_cpu"}


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_bot_that_is_killed_while_people_talk_loses_nothing_and_doubles_no_fire(bench, platform, tmp_path):
    told = bench.kill_often(tmp_path, kills=4, seed=1)
    assert told["fires_stored"] == told["fires_expected"] > 0
    assert (told["lost"], told["fires_doubled"], told["unexplained"], told["wrong"]) == (0, 0, 0, 0), told
    assert all(aim.met(told) for aim in BY_NAME[f"{platform}-kills"].aims)


def test_a_stream_is_the_same_for_the_same_seed_and_fires_each_rule_once():
    rules = make_rules(1_000, 40, 7, NOW_MS)
    stream = make_stream(rules, 250, 0.2, 7)
    assert stream == make_stream(rules, 250, 0.2, 7)
    assert stream != make_stream(rules, 250, 0.2, 8)
    fires = [one for one in stream if one.rule]
    assert (len(stream), len(fires), len({one.rule for one in fires})) == (250, 50, 50)
    for one in stream:
        words = one.text.rstrip(".").split()
        assert fired(rules[one.group], words, one.person) == ([one.rule] if one.rule else [])


def test_a_reminder_that_comes_again_without_a_kill_between_is_not_explained():
    sends = [Send(("ops", "1"), 1.0), Send(("ops", "2"), 2.0), Send(("ops", "1"), 5.0)]
    assert [unexplained(sends, kills) for kills in ((), (0.5,), (3.0,), (6.0,))] == [1, 1, 0, 1]


def test_the_command_fails_where_something_was_lost(platform, monkeypatch, capsys):
    load = importlib.import_module(f"benchmarks.{platform}_load.__main__")
    for lost in (0, 1):
        monkeypatch.setattr(load, "measure", lambda *_a, lost=lost, **_k: {"lost": lost, "doubled": 0, "wrong": 0})
        assert load.main(["--json"]) == lost
    assert '"lost": 1' in capsys.readouterr().out

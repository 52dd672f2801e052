"""A running Telegram bot under a stream of messages: nothing is lost, nothing doubled. How fast it is, no test says."""

from datetime import UTC, datetime

import pytest

from benchmarks.long.steps import BY_NAME
from benchmarks.telegram_load import __main__ as load
from benchmarks.telegram_load.counts import Left, count, key_of
from benchmarks.telegram_load.kills import kill_often, unexplained
from benchmarks.telegram_load.measure import measure
from benchmarks.telegram_load.play import Played
from benchmarks.telegram_load.stage import Stage
from benchmarks.telegram_load.stream import fired, make_rules, make_stream
from tests.fakes.telegram.calls import Call
from tests.fakes.telegram.world import World

pytestmark = pytest.mark.thorough

NOW_MS = 1_900_000_000_000
PERCENTILES = {"p50", "p95", "p99", "max"}


@pytest.mark.timeout(300)
def test_every_message_of_a_stream_is_received_once_and_every_reminder_sent_once(tmp_path):
    told = measure(tmp_path, seconds=5, rate=50, intents=1_000, seed=7, floor_seconds=1)
    counted = {key: told[key] for key in ("messages", "fires_expected", "fires_stored", "fires_distinct")}
    assert counted == {"messages": 250, "fires_expected": 50, "fires_stored": 50, "fires_distinct": 50}
    assert (told["fires_delivered"], told["reminders_in_the_groups"]) == (50, 50)
    assert (told["lost"], told["doubled"], told["wrong"]) == (0, 0, 0), told
    for key in ("handed_to_reserved_ms", "said_to_acknowledged_ms", "said_to_sent_ms", "driver_late_ms"):
        assert set(told[key]) == PERCENTILES
    assert all(aim.value(told) is not None for aim in BY_NAME["telegram-load"].aims)
    assert set(told["ratios"]) == {"acknowledged_p50", "acknowledged_p99", "bot_cpu"}


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_bot_that_is_killed_while_people_talk_loses_nothing_and_doubles_no_fire(tmp_path):
    told = kill_often(tmp_path, kills=4, seed=1)
    assert told["fires_stored"] == told["fires_expected"] > 0
    assert (told["lost"], told["fires_doubled"], told["unexplained"], told["wrong"]) == (0, 0, 0, 0), told


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


@pytest.fixture
def played():
    """Two messages in two groups, of which the first fires `r-1`, and its reminder."""
    with World(judge=False) as world:
        stage = Stage.of(world, 2)
        rules = make_rules(4, 2, 1, NOW_MS)
        stream = [one for one in make_stream(rules, 2, 0.5, 1) if one.rule] + [
            one for one in make_stream(rules, 2, 0.5, 1) if not one.rule
        ]
        played = Played(stream)
        played.messages = [stage.people[one.group][0].says(stage.chats[one.group], one.text) for one in stream]
        stage.bot.queue.clear()
        yield stage, played, {"i-00001": stream[0].rule, "i-00002": "other"}


def counted(played, fires, *reminders):
    stage, said, names = played
    for to, text in reminders:
        stage.world.posts_of_bot(stage.bot, said.messages[to].chat, text, reply_to=said.messages[to])
    stored = {}
    for to, rule in fires:
        stored.setdefault(key_of(said, to), []).append((rule, 0.0, "delivered"))
    told = count(stage, said, Left(stored), names)
    return told["lost"], told["doubled"], told["unexpected"]


def test_what_is_lost_doubled_or_not_expected_is_counted(played):
    rule = played[2]["i-00001"]
    assert counted(played, []) == (2, 0, 0)
    assert counted(played, [(0, rule)]) == (1, 0, 0)
    assert counted(played, [(0, rule)], (0, "Reminder (i-00001)")) == (0, 0, 0)
    assert counted(played, [(0, rule), (0, rule)], (0, "Reminder (i-00001)")) == (0, 2, 0)
    assert counted(played, [(0, rule), (1, "other")], (1, "Reminder (i-00002)"), (1, "Hello"))[2] == 2


def test_an_update_that_is_not_acknowledged_is_lost(played):
    stage, said, _ = played
    stage.people[0][0].says(stage.chats[0], "never heard")
    assert counted(played, [(0, said.said[0].rule)], (0, "Reminder (i-00001)")) == (1, 0, 0)


def test_a_reminder_that_comes_again_without_a_kill_between_is_not_explained(played):
    world, sent = played[0].world, played[1].messages[0]
    for second in (1, 5):
        call = Call(played[0].bot, "sendMessage", {}, second, datetime.fromtimestamp(second, UTC), effect=True)
        call.message = played[0].world.posts_of_bot(played[0].bot, sent.chat, "Reminder", reply_to=sent)
        world.calls.append(call)
    assert [unexplained(world, kills) for kills in ((), (0.5,), (3.0,), (6.0,))] == [1, 1, 0, 1]


def test_the_command_fails_where_something_was_lost(monkeypatch, capsys):
    for lost in (0, 1):
        monkeypatch.setattr(load, "measure", lambda *_a, lost=lost, **_k: {"lost": lost, "doubled": 0, "wrong": 0})
        assert load.main(["--json"]) == lost
    assert '"lost": 1' in capsys.readouterr().out
